/* test_oom.c - filters, seeds, classification and contexts without memory; see oom.h. */
#include "unit/run/oom.h"

enum { N = 20000, HEAVY_CASES = 300, HEAVY_KEYS = 700, SEED_CASES = 200, SEED_BASES = 70000, SUB_QUERIES = 7 };

static const tms_filter_params layouts[] = {
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 503 * 256, 8},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, (uint64_t)6 << 23, 8}, /* 6 MiB: from mmap */
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 2, 100003, 7},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 2, 100003, 3},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 2, ((uint64_t)5 << 23) + 3, 3},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 2, 1000003, 100, 0.03, TMS_SAMPLING_GEOMETRIC},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_MURMUR3, 2, ((uint64_t)5 << 23) + 3, 10, 0.2, TMS_SAMPLING_PLAIN},
};
#define N_LAYOUTS (sizeof layouts / sizeof *layouts)

static key_set in;

static int setup(void **state)
{
    (void)state;
    in = keys_make(FORM_FIXED_20, N, sample_seed());
    return tms_context_create(&ctx) == TMS_OK && tms_context_set_threads(ctx, 3) == TMS_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    keys_free(&in);
    tms_context_destroy(ctx);
    return 0;
}

static long attempt(void (*work)(const tms_filter_params *), const tms_filter_params *p) { return attempt_up_to(MEMORY_CASES, work, p); }

static void context_work(const tms_filter_params *p)
{
    (void)p;
    long armed;
    tms_context *c = (tms_context *)(uintptr_t)1;
    tms_status status;
    ARMED(status, tms_context_create(&c));
    (void)armed;
    assert_int_equal(status, n_failed ? TMS_E_MEMORY : TMS_OK);
    assert_true((c == NULL) == (status != TMS_OK));
    tms_context_destroy(c);
}

static void create_work(const tms_filter_params *p)
{
    long armed;
    tms_filter *f = (tms_filter *)(uintptr_t)1;
    tms_status status;
    ARMED(status, tms_filter_create(ctx, p, &f));
    (void)armed;
    expect_ok_or_memory(status);
    assert_true((f == NULL) == (status != TMS_OK));
    tms_filter_destroy(f);
}

/* The image that N keys make, from an undisturbed run. */
static const void *want;
static size_t want_size;

static void assert_wanted(tms_filter *f)
{
    const void *image;
    size_t size;
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    assert_same_bytes("image", want, want_size, image, size);
}

/* Insertion either fails or does all of it, and needs little memory for that. A context of its own, because one keeps its scratch memory.
 */
static void insert_work(const tms_filter_params *p)
{
    long armed = countdown;
    tms_context *fresh;
    tms_filter *f;
    tms_status status;
    countdown = -1;
    assert_int_equal(tms_context_create(&fresh), TMS_OK);
    ASSERT_OK(fresh, tms_context_set_threads(fresh, tms_context_threads(ctx)));
    ASSERT_OK(fresh, tms_filter_create(fresh, p, &f));
    countdown = armed;
    ARMED(status, tms_filter_insert(fresh, f, &in.keys));
    expect_ok_or_memory(status);
    if (!for_good) /* without the memory that several threads need, one does it */
        assert_int_equal(status, TMS_OK);
    if (status == TMS_OK)
        assert_wanted(f);
    tms_filter_destroy(f);
    tms_context_destroy(fresh);
}

static void insert_hashes_work(const tms_filter_params *p)
{
    long armed = countdown;
    tms_filter *f;
    tms_status status;
    countdown = -1;
    if (!tms_hash_words(p))
        return;
    uint64_t *hashes = sample_alloc(N * 16);
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    countdown = armed;
    ARMED(status, tms_keys_hash(ctx, p, &in.keys, hashes));
    expect_ok_or_memory(status);
    countdown = armed;
    if (status == TMS_OK) {
        ARMED(status, tms_filter_insert_hashes(ctx, f, hashes, N));
        expect_ok_or_memory(status);
        if (status == TMS_OK)
            assert_wanted(f);
    }
    countdown = -1;
    tms_filter_destroy(f);
    free(hashes);
}

/* A stream of two batches. What fails leaves the builder as it was: the same call works afterwards. */
static void builder_work(const tms_filter_params *p)
{
    long armed = countdown;
    for (int is_known = 0; is_known < 2; is_known++) {
        tms_filter_want wish = {p->layout, p->hash, p->seed, is_known ? N : 0, 0.01, 0, 0};
        tms_builder *b = (tms_builder *)(uintptr_t)1;
        tms_filter *f = (tms_filter *)(uintptr_t)1, *at_once;
        tms_status status;
        countdown = armed;
        ARMED(status, tms_builder_create(ctx, &wish, &b));
        expect_ok_or_memory(status);
        assert_true((b == NULL) == (status != TMS_OK));
        for (int i = 0; i < 2 && b; i++) {
            tms_keys part = keys_slice(&in.keys, (size_t)i * N / 2, N / 2);
            countdown = armed;
            ARMED(status, tms_builder_add(ctx, b, &part));
            expect_ok_or_memory(status);
            if (status != TMS_OK) {
                assert_int_equal(tms_builder_n_keys(b), i * N / 2);
                ASSERT_OK(ctx, tms_builder_add(ctx, b, &part));
            }
        }
        if (b) {
            countdown = armed;
            ARMED(status, tms_builder_finish(ctx, b, &f));
            expect_ok_or_memory(status);
            assert_true((f == NULL) == (status != TMS_OK));
            if (!f)
                ASSERT_OK(ctx, tms_builder_finish(ctx, b, &f));
            const void *image, *expected;
            size_t size, expected_size;
            ASSERT_OK(ctx, tms_filter_create(ctx, tms_filter_get_params(f), &at_once));
            ASSERT_OK(ctx, tms_filter_insert(ctx, at_once, &in.keys));
            ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
            ASSERT_OK(ctx, tms_filter_image(ctx, at_once, &expected, &expected_size));
            assert_same_bytes("built", expected, expected_size, image, size);
            tms_filter_destroy(at_once);
            tms_filter_destroy(f);
        }
        tms_builder_destroy(b);
    }
    countdown = armed;
}

/* All that reads: query or count, image, stats, open, copy, merge. */
static void read_work(const tms_filter_params *p)
{
    long armed = countdown;
    tms_filter *f, *opened = NULL, *copy = NULL;
    tms_filter_stats stats;
    const void *image;
    size_t size;
    tms_status status;
    countdown = -1;
    int counts = p->layout == TMS_LAYOUT_PROBABILISTIC;
    uint8_t *hit = sample_alloc(N);
    uint32_t *ones = sample_alloc(N * sizeof *ones);
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
    countdown = armed;
    ARMED(status, counts ? tms_filter_count(ctx, f, &in.keys, ones) : tms_filter_query(ctx, f, &in.keys, hit));
    expect_ok_or_memory(status);
    if (status == TMS_OK && !counts)
        assert_int_equal(count_hits(hit, N), N);
    countdown = armed;
    ARMED(status, tms_filter_get_stats(ctx, f, &stats));
    expect_ok_or_memory(status);
    countdown = armed;
    ARMED(status, tms_filter_image(ctx, f, &image, &size));
    expect_ok_or_memory(status);
    countdown = -1;
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    countdown = armed;
    ARMED(status, tms_filter_open(ctx, image, size, &opened));
    expect_ok_or_memory(status);
    assert_true((opened == NULL) == (status != TMS_OK));
    countdown = armed;
    ARMED(status, tms_filter_copy(ctx, f, &copy));
    expect_ok_or_memory(status);
    assert_true((copy == NULL) == (status != TMS_OK));
    if (copy && opened) {
        countdown = armed;
        ARMED(status, tms_filter_merge(ctx, copy, opened, counts ? TMS_MERGE_PRESENCE : TMS_MERGE_INTERSECT));
        expect_ok_or_memory(status);
        if (status == TMS_OK && !counts)
            assert_wanted(copy);
    }
    countdown = -1;
    assert_wanted(f); /* nothing that failed has touched it */
    tms_filter_destroy(opened);
    tms_filter_destroy(copy);
    tms_filter_destroy(f);
    free(hit);
    free(ones);
}

/* HEAVY_KEYS keys in turns, in two batches: as many reports, or TMS_E_MEMORY. */
static void heavy_work(const tms_filter_params *p)
{
    long armed = countdown;
    tms_filter *f;
    tms_heavy *heavy = (tms_heavy *)(uintptr_t)1;
    tms_status status;
    size_t n_all = 0;
    countdown = -1;
    key_set keys = keys_make(FORM_FIXED_20, N, 7);
    for (size_t i = HEAVY_KEYS; i < N; i++)
        memcpy(keys.bytes + 20 * i, keys.bytes + 20 * (i % HEAVY_KEYS), 20);
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    countdown = armed;
    ARMED(status, tms_heavy_create(ctx, f, TMS_BY_F_MIN, 0.5, 0.8, &heavy));
    expect_ok_or_memory(status);
    assert_true((heavy == NULL) == (status != TMS_OK));
    for (int i = 0; i < 2 && status == TMS_OK; i++) {
        tms_keys part = keys_slice(&keys.keys, (size_t)i * N / 2, N / 2);
        const tms_heavy_report *reports;
        size_t n;
        countdown = armed;
        ARMED(status, tms_heavy_insert(ctx, heavy, &part, &reports, &n));
        expect_ok_or_memory(status);
        n_all += status == TMS_OK ? n : 0;
    }
    if (status == TMS_OK)
        assert_int_equal(n_all, HEAVY_KEYS);
    countdown = -1;
    tms_heavy_destroy(heavy);
    tms_filter_destroy(f);
    keys_free(&keys);
}

static void host_alloc_work(const tms_filter_params *p)
{
    (void)p;
    long armed;
    void *m = (void *)(uintptr_t)64;
    tms_status status;
    ARMED(status, tms_host_alloc(ctx, 1000, &m));
    (void)armed;
    expect_ok_or_memory(status);
    assert_true((m == NULL) == (status != TMS_OK));
    tms_host_free(ctx, m);
}

static void size_work(const tms_filter_params *p)
{
    long armed;
    tms_filter_want wish = {p->layout, p->hash, 0, 1000, 0.01, 0, 0};
    tms_filter_params sized;
    tms_status status;
    ARMED(status, tms_filter_size(ctx, &wish, &sized));
    (void)armed;
    expect_ok_or_memory(status);
}

/* A sequence against itself: every scan finds at least the diagonal, or returns TMS_E_MEMORY and leaves the tally. */
static void seeds_work(const tms_filter_params *p)
{
    (void)p;
    static uint64_t codes[TMS_DNA_WORDS(SEED_BASES)];
    static tms_seed_hit hits[SEED_BASES];
    static tms_seed_pass passes[SEED_BASES];
    long armed = countdown;
    countdown = -1;
    for (size_t i = 0; i < TMS_DNA_WORDS(SEED_BASES); i++)
        codes[i] = (i + 1) * 0x9E3779B97F4A7C15u;
    tms_dna_part part = {"", 0, 0, 0, SEED_BASES};
    tms_dna dna = {codes, SEED_BASES, &part, 1, NULL, 0};
    tms_sub_query subs[SUB_QUERIES];
    tms_seeds_params params;
    tms_seeds *seeds = (tms_seeds *)(uintptr_t)1;
    tms_seeds_tally tally = {0, 0, 0, 0};
    size_t n, next;
    tms_status status;
    tms_seeds_params_init(&params);
    params.sub_query = SEED_BASES / SUB_QUERIES;
    countdown = armed;
    ARMED(status, tms_seeds_create(ctx, &params, &dna, &seeds));
    expect_ok_or_memory(status);
    assert_true((seeds == NULL) == (status != TMS_OK));
    if (seeds == NULL)
        return;
    tms_seeds_sub_queries(seeds, subs);
    countdown = armed;
    ARMED(status, tms_seeds_scan(ctx, seeds, &dna, hits, &n, &tally));
    expect_ok_or_memory(status);
    assert_int_equal(tally.n_true, status == TMS_OK ? SEED_BASES - 15 : 0);
    countdown = armed;
    ARMED(status, tms_seeds_filter(ctx, seeds, &dna, 0, passes, SEED_BASES, &n, &next, &tally));
    expect_ok_or_memory(status);
    assert_true(n > 0 || status != TMS_OK);
    countdown = armed;
    ARMED(status, tms_seeds_measure(ctx, seeds, &dna, subs));
    expect_ok_or_memory(status);
    assert_int_equal(subs[0].n_tested, status == TMS_OK ? SEED_BASES - 15 : 0);
    tms_seeds_destroy(seeds);
}

/* A reference that fails to take a batch has nothing of it, and one that fails to be finished can be finished again. */
static void words_work(const tms_filter_params *p)
{
    (void)p;
    static uint8_t residues[3 * SEED_BASES];
    const uint64_t starts[] = {0, SEED_BASES, 3 * SEED_BASES}, header_starts[] = {0, 2, 4};
    const tms_seqs seqs = {
        .n_records = 2, .residues = residues, .residue_starts = starts, .headers = "a\0b", .header_starts = header_starts};
    const tms_filter_want words = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = 21};
    long armed = countdown;
    tms_reference *reference = NULL;
    tms_filter *f = NULL;
    tms_classifier *classifier = NULL;
    tms_classified out[2];
    tms_status status;
    countdown = -1;
    for (size_t i = 0; i < sizeof residues; i++)
        residues[i] = (uint8_t)(i % 500 ? "ACGT"[i * i / 7 % 4] : 'N');
    countdown = armed;
    ARMED(status, tms_reference_create(ctx, &words, &reference));
    expect_ok_or_memory(status);
    assert_true((reference == NULL) == (status != TMS_OK));
    countdown = armed;
    if (!reference)
        return;
    ARMED(status, tms_reference_add(ctx, reference, &seqs));
    expect_ok_or_memory(status);
    if (status != TMS_OK) {
        assert_int_equal(tms_reference_n_words(reference), 0);
        ASSERT_OK(ctx, tms_reference_add(ctx, reference, &seqs));
    }
    countdown = armed;
    ARMED(status, tms_reference_finish(ctx, reference, &f));
    expect_ok_or_memory(status);
    assert_true((f == NULL) == (status != TMS_OK));
    if (!f)
        ASSERT_OK(ctx, tms_reference_finish(ctx, reference, &f));
    tms_reference_destroy(reference);
    const tms_filter *filters[1] = {f};
    countdown = armed;
    ARMED(status, tms_classifier_create(ctx, filters, 1, NULL, &classifier));
    expect_ok_or_memory(status);
    assert_true((classifier == NULL) == (status != TMS_OK));
    if (!classifier)
        ASSERT_OK(ctx, tms_classifier_create(ctx, filters, 1, NULL, &classifier));
    countdown = armed;
    ARMED(status, tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 1}, 1, 2, out, NULL));
    expect_ok_or_memory(status);
    assert_true(status != TMS_OK || (out[0].verdict == TMS_VERDICT_MATCH && out[1].verdict == TMS_VERDICT_MATCH));
    tms_classifier_destroy(classifier);
    tms_filter_destroy(f);
    countdown = armed;
}

static void every_allocation(void **state)
{
    (void)state;
    assert_int_equal(attempt(context_work, NULL), 2);
    assert_int_equal(attempt(host_alloc_work, NULL), 1);
    assert_true(attempt_up_to(SEED_CASES, seeds_work, NULL) >= 12);
    assert_true(attempt_up_to(SEED_CASES, words_work, NULL) >= 6);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *f;
        ASSERT_OK(ctx, tms_filter_create(ctx, &layouts[l], &f));
        ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
        ASSERT_OK(ctx, tms_filter_image(ctx, f, &want, &want_size));
        int is_probabilistic = layouts[l].layout == TMS_LAYOUT_PROBABILISTIC;
        if (!is_probabilistic) {
            attempt(size_work, &layouts[l]);
            attempt(builder_work, &layouts[l]);
        }
        /* The description, the bits, tables for drawing. */
        assert_int_equal(attempt(create_work, &layouts[l]), is_probabilistic ? 3 : 2);
        long n = attempt(insert_work, &layouts[l]);
        assert_true(n >= 1); /* several threads need buckets: this test would not see them otherwise */
        attempt(insert_hashes_work, &layouts[l]);
        attempt(read_work, &layouts[l]);
        if (is_probabilistic) /* a part's arrays for each thread, the reports, the keys reported */
            assert_true(attempt_up_to(HEAVY_CASES, heavy_work, &layouts[l]) >= 8);
        tms_filter_destroy(f);
    }
    assert_true(n_asked > 0);
}

/* Sizes that no machine has: refused at once, with the size in the message. */
static void too_large_for_any_machine(void **state)
{
    (void)state;
    tms_filter_params p = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, TMS_MAX_BITS, 3};
    tms_filter *f;
    void *m;
    tms_status status = tms_filter_create(ctx, &p, &f);
    if (status == TMS_OK) { /* 32 TiB of address space: overcommitted, and nothing touched */
        tms_filter_destroy(f);
    } else {
        assert_int_equal(status, TMS_E_MEMORY);
        assert_null(f);
        assert_non_null(strstr(tms_context_message(ctx), "MiB"));
    }
#if !SAMPLES_SANITIZED
    ASSERT_FAILS(ctx, TMS_E_MEMORY, "MiB", tms_host_alloc(ctx, (size_t)1 << 62, &m));
    assert_null(m);
#else
    (void)m;
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation),
        cmocka_unit_test(too_large_for_any_machine),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
