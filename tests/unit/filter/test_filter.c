/* filter.c: insert, query, merge, copy, stats; rejected arguments and their messages. */
#include "unit/context_fixture.h"

#include <math.h>

#include "tamis/frequency.h"
#include "tamis/seeds.h"

static const tms_filter_params layouts[] = {
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 503 * 256, 8},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 256, 1},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 100 * 256, 16},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 2, 100003, 7},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 3, 65, 5},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 4, 100003, 33},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 5, 10007, 6},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 5, 1, 1},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 8, 2 * 251 * 256, 8, .blocks_per_key = 2},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 9, 3 * 101 * 256, 13, .blocks_per_key = 3},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 9, 8 * 256, 3, .blocks_per_key = 8},
};
#define N_LAYOUTS (sizeof layouts / sizeof *layouts)

static tms_filter *built(const tms_filter_params *p, const tms_keys *keys)
{
    tms_filter *f;
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    if (keys)
        ASSERT_OK(ctx, tms_filter_insert(ctx, f, keys));
    return f;
}

static size_t hits_of(const tms_filter *f, const tms_keys *keys)
{
    uint8_t *hit = sample_alloc(keys->n_keys);
    memset(hit, 0xee, keys->n_keys);
    ASSERT_OK(ctx, tms_filter_query(ctx, f, keys, hit));
    size_t n = count_hits(hit, keys->n_keys);
    free(hit);
    return n;
}

static tms_filter_stats stats_of(tms_filter *f)
{
    tms_filter_stats s;
    ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &s));
    return s;
}

static void nothing_is_missed(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 100, 2047, 2048, 2049, 6000};
    for (size_t l = 0; l < N_LAYOUTS; l++)
        for (int form = 0; form < FORM_COUNT; form++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                size_t n = counts[c];
                if (form == FORM_LONG && (layouts[l].hash >= TMS_HASH_MURMUR3 || c < 6))
                    continue;
                key_set in = keys_make((sample_form)form, n, sample_seed() + l * 100 + (size_t)form);
                tms_filter *f = built(&layouts[l], &in.keys);
                assert_int_equal(hits_of(f, &in.keys), n);
                assert_int_equal(stats_of(f).n_keys, n);
                tms_filter_destroy(f);
                keys_free(&in);
            }
}

static void an_empty_filter_has_nothing(void **state)
{
    (void)state;
    key_set some = keys_make(FORM_GAP_1, 500, sample_seed());
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *f = built(&layouts[l], NULL);
        assert_int_equal(hits_of(f, &some.keys), 0);
        tms_filter_stats s = stats_of(f);
        assert_true(s.n_keys == 0 && s.ones == 0 && s.fill == 0 && s.expected_fpr == 0 && s.actual_fpr == 0);
        assert_true(s.classic_bits_per_key == 0);
        assert_int_equal(tms_filter_get_params(f)->m_bits, layouts[l].m_bits);
        tms_filter_destroy(f);
    }
    keys_free(&some);
}

/* Inserting in pieces, in another order, or twice sets the same bits; n counts every insertion. */
static void order_and_repeats(void **state)
{
    (void)state;
    enum { N = 3000 };
    key_set in = keys_make(FORM_FIXED_20, N, sample_seed() + 1), reversed = keys_make(FORM_FIXED_20, N, 1);
    for (size_t i = 0; i < N; i++)
        memcpy(reversed.bytes + 20 * i, in.bytes + 20 * (N - 1 - i), 20);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *a = built(&layouts[l], &in.keys), *b = built(&layouts[l], &reversed.keys), *c = built(&layouts[l], NULL);
        assert_same_filter("reversed order", a, b);
        for (size_t i = 0; i < N; i += 601) {
            tms_keys part = keys_slice(&in.keys, i, N - i < 601 ? N - i : 601);
            ASSERT_OK(ctx, tms_filter_insert(ctx, c, &part));
        }
        assert_same_filter("in parts", a, c);
        uint64_t sum = stats_of(a).checksum;
        ASSERT_OK(ctx, tms_filter_insert(ctx, a, &in.keys));
        assert_true(stats_of(a).checksum == sum);
        assert_int_equal(stats_of(a).n_keys, 2 * N);
        tms_filter_destroy(a);
        tms_filter_destroy(b);
        tms_filter_destroy(c);
    }
    keys_free(&in);
    keys_free(&reversed);
}

/* Keys are bytes and nothing else: the form they come in does not show, and each length is another key. */
static void forms_agree(void **state)
{
    (void)state;
    static const uint8_t text[] = "aa\0bb\0cc\0dd\n";
    static const uint32_t gap_1[] = {0, 3, 6, 9, 12}, gap_0[] = {0, 2, 2, 4, 6, 8};
    static const uint8_t packed[] = "aabbccdd";
    tms_keys a = {text, gap_1, 4, 0, 1}, b = {packed, NULL, 4, 2, 0};
    tms_keys c = {packed, gap_0, 5, 0, 0}; /* one empty key among them */
    tms_keys with_empty = {packed, gap_0 + 1, 1, 0, 0};
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *f = built(&layouts[l], &a), *g = built(&layouts[l], &b), *h = built(&layouts[l], &c);
        assert_same_filter("forms", f, g);
        ASSERT_OK(ctx, tms_filter_insert(ctx, f, &with_empty));
        assert_same_filter("an empty key", f, h);
        tms_filter_destroy(f);
        tms_filter_destroy(g);
        tms_filter_destroy(h);
    }
    static const uint8_t zeros[64];
    tms_filter *f = built(&layouts[3], NULL);
    for (uint32_t len = 0; len < 64; len++) { /* keys of zero bytes differ by their length */
        tms_keys one = {zeros, NULL, 1, len, 0};
        assert_int_equal(hits_of(f, &one), 0);
        ASSERT_OK(ctx, tms_filter_insert(ctx, f, &one));
        assert_int_equal(hits_of(f, &one), 1);
    }
    tms_filter_destroy(f);
}

static void seeds_matter(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_20, 100, sample_seed());
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        if (layouts[l].m_bits < 1000)
            continue;
        tms_filter_params other = layouts[l];
        other.seed += 1;
        tms_filter *a = built(&layouts[l], &in.keys), *b = built(&other, &in.keys);
        assert_true(stats_of(a).checksum != stats_of(b).checksum);
        assert_true(hits_of(b, &in.keys) == 100);
        tms_filter_destroy(a);
        tms_filter_destroy(b);
    }
    keys_free(&in);
}

static void hashed_ahead(void **state)
{
    (void)state;
    enum { N = 5000 };
    key_set in = keys_make(FORM_GAP_1, N, sample_seed() + 2);
    uint64_t *hashes = sample_alloc(2 * N * sizeof *hashes);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter_params p = layouts[l];
        tms_filter *a = built(&p, &in.keys), *b = built(&p, NULL);
        if (p.hash >= TMS_HASH_MURMUR3) {
            assert_int_equal(tms_hash_words(&p), 0);
            ASSERT_FAILS(ctx, TMS_E_ARG, tms_hash_name(p.hash), tms_keys_hash(ctx, &p, &in.keys, hashes));
            ASSERT_FAILS(ctx, TMS_E_ARG, tms_hash_name(p.hash), tms_filter_insert_hashes(ctx, b, hashes, 1));
        } else {
            size_t words = p.layout == TMS_LAYOUT_BLOCKED ? 1 : 2;
            assert_int_equal(tms_hash_words(&p), words);
            tms_filter_params unsized = {p.layout, p.hash, p.seed, 0, 0}; /* m and k are not known yet */
            ASSERT_OK(ctx, tms_keys_hash(ctx, &unsized, &in.keys, hashes));
            ASSERT_OK(ctx, tms_filter_insert_hashes(ctx, b, hashes, 0));
            ASSERT_OK(ctx, tms_filter_insert_hashes(ctx, b, hashes, N / 2));
            ASSERT_OK(ctx, tms_filter_insert_hashes(ctx, b, hashes + N / 2 * words, N - N / 2));
            assert_same_filter("hashes", a, b);
        }
        tms_filter_destroy(a);
        tms_filter_destroy(b);
    }
    free(hashes);
    keys_free(&in);
}

static void union_is_the_joint_filter(void **state)
{
    (void)state;
    enum { N = 4000 };
    key_set in = keys_make(FORM_GAP_0, N, sample_seed() + 3);
    for (size_t l = 0; l < N_LAYOUTS; l++)
        for (size_t cut = 0; cut <= N; cut += N / 4) {
            tms_keys first = keys_slice(&in.keys, 0, cut), second = keys_slice(&in.keys, cut, N - cut);
            tms_filter *a = built(&layouts[l], &first), *b = built(&layouts[l], &second), *both = built(&layouts[l], &in.keys);
            uint64_t b_sum = stats_of(b).checksum;
            ASSERT_OK(ctx, tms_filter_merge(ctx, a, b, TMS_MERGE_UNION));
            assert_same_filter("union", a, both);
            assert_true(stats_of(b).checksum == b_sum && stats_of(b).n_keys == N - cut);
            tms_filter_destroy(a);
            tms_filter_destroy(b);
            tms_filter_destroy(both);
        }
    keys_free(&in);
}

static void intersection_keeps_common_keys(void **state)
{
    (void)state;
    enum { N = 300 };
    key_set in = keys_make(FORM_FIXED_20, 3 * N, sample_seed() + 4);
    tms_keys left = keys_slice(&in.keys, 0, 2 * N), right = keys_slice(&in.keys, N, 2 * N - 7), common = keys_slice(&in.keys, N, N);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *a = built(&layouts[l], &left), *b = built(&layouts[l], &right), *again = built(&layouts[l], &left);
        uint64_t ones = stats_of(a).ones;
        ASSERT_OK(ctx, tms_filter_merge(ctx, a, b, TMS_MERGE_INTERSECT));
        assert_int_equal(hits_of(a, &common), N);
        assert_int_equal(stats_of(a).n_keys, 2 * N - 7);
        assert_true(stats_of(a).ones <= ones);
        if (layouts[l].m_bits > 100000) { /* keys of only one filter are absent, except for false positives */
            tms_keys only_left = keys_slice(&in.keys, 0, N);
            assert_true(hits_of(a, &only_left) < N / 4);
        }
        const void *x, *y, *z; /* bit for bit the and of both */
        size_t size;
        ASSERT_OK(ctx, tms_filter_image(ctx, a, &x, &size));
        ASSERT_OK(ctx, tms_filter_image(ctx, b, &y, &size));
        ASSERT_OK(ctx, tms_filter_image(ctx, again, &z, &size));
        for (size_t i = 128; i < size; i++)
            assert_int_equal(((const uint8_t *)x)[i], ((const uint8_t *)y)[i] & ((const uint8_t *)z)[i]);
        tms_filter_destroy(a);
        tms_filter_destroy(b);
        tms_filter_destroy(again);
    }
    keys_free(&in);
}

static void mismatches_are_named(void **state)
{
    (void)state;
    const tms_filter_params base = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 5, 1024, 4};
    tms_filter_params layout = base, hash = base, seed = base, m = base, k = base;
    layout.layout = TMS_LAYOUT_BLOCKED;
    hash.hash = TMS_HASH_MURMUR3;
    seed.seed = 6;
    m.m_bits = 1025;
    k.k = 5;
    const struct {
        const tms_filter_params *other;
        const char *words[3];
    } cases[] = {{&layout, {"layout", "classic", "blocked"}},
                 {&hash, {"hash", "xxh3", "murmur3"}},
                 {&seed, {"seed", "5", "6"}},
                 {&m, {"m = ", "1024", "1025"}},
                 {&k, {"k = ", "4", "5"}}};
    tms_filter *a = built(&base, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tms_filter *b = built(cases[i].other, NULL);
        for (int how = TMS_MERGE_UNION; how <= TMS_MERGE_INTERSECT; how++)
            for (int w = 0; w < 3; w++)
                ASSERT_FAILS(ctx, TMS_E_MISMATCH, cases[i].words[w], tms_filter_merge(ctx, a, b, (tms_merge)how));
        tms_filter_destroy(b);
    }
    tms_filter_destroy(a);
}

static void opened_filters_are_read_only(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_GAP_1, 400, sample_seed() + 5);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *f = built(&layouts[l], &in.keys), *opened, *copy;
        const void *image;
        size_t size;
        uint64_t hash[2] = {1, 2};
        ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
        uint8_t *before = sample_alloc(size);
        memcpy(before, image, size);
        ASSERT_OK(ctx, tms_filter_open(ctx, image, size, &opened));
        ASSERT_FAILS(ctx, TMS_E_ARG, "read-only", tms_filter_insert(ctx, opened, &in.keys));
        if (tms_hash_words(&layouts[l]))
            ASSERT_FAILS(ctx, TMS_E_ARG, "read-only", tms_filter_insert_hashes(ctx, opened, hash, 1));
        ASSERT_FAILS(ctx, TMS_E_ARG, "read-only", tms_filter_merge(ctx, opened, f, TMS_MERGE_UNION));
        assert_int_equal(hits_of(opened, &in.keys), 400);
        assert_int_equal(stats_of(opened).n_keys, 400);
        ASSERT_OK(ctx, tms_filter_copy(ctx, opened, &copy)); /* the copy is writable, and the original does not change */
        tms_filter_destroy(opened);
        assert_same_filter("copy", f, copy);
        key_set more = keys_make(FORM_FIXED_7, 400, sample_seed() + 6);
        ASSERT_OK(ctx, tms_filter_insert(ctx, copy, &more.keys));
        assert_int_equal(hits_of(copy, &more.keys), 400);
        assert_int_equal(stats_of(copy).n_keys, 800);
        assert_memory_equal(before, image, size);
        ASSERT_OK(ctx, tms_filter_merge(ctx, copy, f, TMS_MERGE_UNION));
        assert_int_equal(stats_of(copy).n_keys, 1200);
        free(before);
        keys_free(&more);
        tms_filter_destroy(copy);
        tms_filter_destroy(f);
    }
    keys_free(&in);
}

static void merging_from_an_opened_filter(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_8, 1000, sample_seed() + 7);
    tms_keys first = keys_slice(&in.keys, 0, 500), second = keys_slice(&in.keys, 500, 500);
    tms_filter *a = built(&layouts[0], &first), *b = built(&layouts[0], &second), *whole = built(&layouts[0], &in.keys), *opened;
    const void *image;
    size_t size;
    ASSERT_OK(ctx, tms_filter_image(ctx, b, &image, &size));
    ASSERT_OK(ctx, tms_filter_open(ctx, image, size, &opened));
    ASSERT_OK(ctx, tms_filter_merge(ctx, a, opened, TMS_MERGE_UNION));
    assert_same_filter("merged from an opened one", a, whole);
    tms_filter_destroy(opened);
    tms_filter_destroy(a);
    tms_filter_destroy(b);
    tms_filter_destroy(whole);
    keys_free(&in);
}

static void stats_count_ones(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_20, 700, sample_seed() + 8);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *f = built(&layouts[l], &in.keys);
        tms_filter_stats s = stats_of(f);
        const void *image;
        size_t size;
        uint64_t ones = 0;
        ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
        for (size_t i = 128; i < size; i++)
            ones += (uint64_t)__builtin_popcount(((const uint8_t *)image)[i]);
        assert_int_equal(s.ones, ones);
        assert_int_equal(s.size_bytes, size);
        assert_true(s.fill == (double)ones / (double)layouts[l].m_bits);
        assert_true(s.expected_fpr == tms_filter_expected_fpr(&layouts[l], 700));
        if (layouts[l].layout == TMS_LAYOUT_CLASSIC)
            assert_true(fabs(s.actual_fpr - pow(s.fill, layouts[l].k)) <= 1e-9 * s.actual_fpr);
        assert_true(fabs(s.classic_bits_per_key - -log(s.expected_fpr) / (M_LN2 * M_LN2)) <= 1e-9 + 1e-9 * s.classic_bits_per_key);
        uint64_t stored;
        memcpy(&stored, (const uint8_t *)image + 64, 8);
        assert_true(stored == s.checksum);
        tms_filter_destroy(f);
    }
    keys_free(&in);
}

static void malformed_batches(void **state)
{
    (void)state;
    static const uint8_t bytes[64];
    uint8_t hit[8];
    static const uint32_t falling[] = {0, 5, 4, 9}, narrow[] = {0, 5, 6, 9}, far[] = {0, 0x80000000u, 0x80000001u};
    const struct {
        tms_keys keys;
        const char *words;
    } cases[] = {
        {{bytes, falling, 3, 0, 0}, "offsets[2]"},
        {{bytes, narrow, 3, 0, 2}, "offsets[2]"},
        {{bytes, far, 2, 0, 0}, "offsets[1]"},
        {{bytes, narrow, 3, 0, 17}, "gap"},
        {{NULL, NULL, 3, 8, 0}, "no bytes"},
        {{NULL, narrow, 3, 0, 0}, "no bytes"},
        {{bytes, NULL, 2, 0x80000000u, 0}, "too large"},
        {{bytes, NULL, SIZE_MAX / 2, 8, 0}, "too large"},
    };
    tms_filter *f = built(&layouts[0], NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t hashes[8];
        ASSERT_FAILS(ctx, TMS_E_ARG, cases[i].words, tms_filter_insert(ctx, f, &cases[i].keys));
        ASSERT_FAILS(ctx, TMS_E_ARG, cases[i].words, tms_filter_query(ctx, f, &cases[i].keys, hit));
        ASSERT_FAILS(ctx, TMS_E_ARG, cases[i].words, tms_keys_hash(ctx, &layouts[0], &cases[i].keys, hashes));
    }
    assert_int_equal(stats_of(f).n_keys, 0);
    tms_keys nothing = {NULL, NULL, 0, 8, 0};
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &nothing));
    ASSERT_OK(ctx, tms_filter_query(ctx, f, &nothing, NULL));
    tms_filter_destroy(f);
}

/* The check finds an error anywhere in a long table and names its position. */
static void faults_deep_in_a_table(void **state)
{
    (void)state;
    enum { N = 10000 };
    key_set in = keys_make(FORM_GAP_1, N, sample_seed() + 9);
    tms_filter *f = built(&layouts[0], NULL);
    sample_random r = {sample_seed()};
    for (int i = 0; i < 50; i++) {
        size_t at = i < 2 ? (i ? N : 1) : 1 + random_below(&r, N);
        uint32_t good = in.offsets[at];
        char place[32];
        in.offsets[at] = in.offsets[at - 1]; /* less than the gap */
        snprintf(place, sizeof place, "offsets[%zu]", at);
        ASSERT_FAILS(ctx, TMS_E_ARG, place, tms_filter_insert(ctx, f, &in.keys));
        in.offsets[at] = good;
    }
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
    tms_filter_destroy(f);
    keys_free(&in);
}

static void device_calls_on_the_cpu(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_8, 10, 1);
    uint8_t hit[10];
    void *p;
    tms_filter *f = built(&layouts[0], NULL);
    ASSERT_FAILS(ctx, TMS_E_ARG, "GPU", tms_filter_insert_device(ctx, f, &in.keys));
    ASSERT_FAILS(ctx, TMS_E_ARG, "GPU", tms_filter_query_device(ctx, f, &in.keys, hit));
    assert_int_equal(tms_context_device(ctx), TMS_DEVICE_CPU);
    assert_null(tms_context_stream(ctx));
    ASSERT_OK(ctx, tms_context_wait(ctx));
    ASSERT_OK(ctx, tms_host_alloc(ctx, 100, &p));
    assert_int_equal((uintptr_t)p % 64, 0);
    tms_host_free(ctx, p);
    tms_filter_destroy(f);
    keys_free(&in);
}

static void contexts(void **state)
{
    (void)state;
    tms_context *c;
    assert_int_equal(tms_context_create(&c), TMS_OK);
    assert_string_equal(tms_context_message(c), "");
    ASSERT_FAILS(c, TMS_E_ARG, "1 to 1024", tms_context_set_threads(c, -1));
    ASSERT_FAILS(c, TMS_E_ARG, "1 to 1024", tms_context_set_threads(c, 1025));
    ASSERT_OK(c, tms_context_set_threads(c, 3));
    assert_int_equal(tms_context_threads(c), 3);
    ASSERT_OK(c, tms_context_set_threads(c, 0));
    assert_true(tms_context_threads(c) >= 1);
    ASSERT_OK(c, tms_context_set_simd(c, TMS_SIMD_SCALAR));
    assert_int_equal(tms_context_simd(c), TMS_SIMD_SCALAR);
    ASSERT_FAILS(c, TMS_E_ARG, "does not have", tms_context_set_simd(c, (tms_simd)3));
    ASSERT_FAILS(c, TMS_E_ARG, "device", tms_context_set_device(c, -3));
    assert_int_equal(tms_context_set_device(c, 99), TMS_E_DEVICE);
    assert_true(strlen(tms_context_message(c)) > 10);
    assert_int_equal(tms_context_device(c), TMS_DEVICE_CPU);
    ASSERT_OK(c, tms_context_set_device(c, TMS_DEVICE_CPU));
    ASSERT_OK(c, tms_context_set_device(c, TMS_DEVICE_AUTO));
    tms_context_destroy(c);
    tms_context_destroy(NULL);
    tms_filter_destroy(NULL);
    setenv("TAMIS_SIMD", "scalar", 1);
    assert_int_equal(tms_context_create(&c), TMS_OK);
    assert_int_equal(tms_context_simd(c), TMS_SIMD_SCALAR);
    tms_context_destroy(c);
    tms_simd best;
    unsetenv("TAMIS_SIMD");
    assert_int_equal(tms_context_create(&c), TMS_OK);
    best = tms_context_simd(c);
    tms_context_destroy(c);
    setenv("TAMIS_SIMD", "foo", 1); /* ignored, as context.h says */
    assert_int_equal(tms_context_create(&c), TMS_OK);
    assert_int_equal(tms_context_simd(c), best);
    tms_context_destroy(c);
    unsetenv("TAMIS_SIMD");
    tms_gpu_report report;
    memset(&report, 0xee, sizeof report);
    tms_gpu_probe(&report);
    assert_in_range(report.n_gpus, 0, TMS_MAX_GPUS);
    if (!report.n_gpus)
        assert_true(report.reason[0] != 0);
    assert_true(strlen(tms_version()) >= 5);
}

/* Functions reject invalid values of enums. */
static void unknown_values(void **state)
{
    (void)state;
    static const int unknown[] = {99, -1};
    static const uint64_t codes[4];
    static const tms_dna_part part = {"a", 0, 0, 0, 20};
    static const tms_dna dna = {codes, 20, &part, 1, NULL, 0};
    key_set in = keys_make(FORM_FIXED_8, 10, 1);
    uint64_t hashes[20];
    tms_filter *a = built(&layouts[0], &in.keys), *b = built(&layouts[0], &in.keys), *made;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        int n = unknown[i];
        tms_filter_params good = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 0, 1000, 3, 0.5}, wrong[3] = {good, good, good}, out;
        tms_filter_want want = {.layout = (tms_layout)n, .hash = TMS_HASH_XXH3, .n_keys = 10};
        tms_frequency_want often = {.hash = (tms_hash)n, .max_f = 100, .error = 0.3};
        tms_frequency f;
        tms_seeds_params params;
        tms_seeds *seeds;
        tms_frequency_reach reach;
        wrong[0].layout = (tms_layout)n;
        wrong[1].hash = (tms_hash)n;
        wrong[2].sampling = (tms_sampling)n;
        for (int j = 0; j < 3; j++) {
            ASSERT_FAILS(ctx, TMS_E_ARG, "", tms_filter_create(ctx, &wrong[j], &made));
            ASSERT_FAILS(ctx, TMS_E_ARG, "", tms_frequency_estimate(ctx, &wrong[j], 0, 0.95, 1, &f));
            ASSERT_FAILS(ctx, TMS_E_ARG, "", tms_frequency_range(ctx, &wrong[j], 0, 0.95, 0.1, &reach));
            if (j < 2)
                ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_keys_hash(ctx, &wrong[j], &in.keys, hashes));
        }
        ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_filter_size(ctx, &want, &out));
        want.layout = TMS_LAYOUT_CLASSIC;
        want.hash = (tms_hash)n;
        ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_filter_size(ctx, &want, &out));
        ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_frequency_size(ctx, &often, &out));
        often.hash = TMS_HASH_XXH3;
        often.sampling = (tms_sampling)n;
        ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_frequency_size(ctx, &often, &out));
        ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_filter_merge(ctx, a, b, (tms_merge)n));
        ASSERT_FAILS(ctx, TMS_E_ARG, "", tms_context_set_simd(ctx, (tms_simd)n));
        for (int j = 0; j < 3; j++) {
            tms_seeds_params_init(&params);
            params.strand = j == 0 ? (tms_strand)n : params.strand;
            params.hash = j == 1 ? (tms_seed_hash)n : params.hash;
            params.schedule = j == 2 ? (tms_schedule)n : params.schedule;
            ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_seeds_create(ctx, &params, &dna, &seeds));
        }
    }
    tms_filter_params murmur = {TMS_LAYOUT_BLOCKED, TMS_HASH_MURMUR3};
    ASSERT_FAILS(ctx, TMS_E_ARG, "xxh3 only", tms_keys_hash(ctx, &murmur, &in.keys, hashes));
    assert_same_filter("after what was refused", a, b);
    tms_filter_destroy(a);
    tms_filter_destroy(b);
    keys_free(&in);
}

/* Single queries give the answers of a batch query: keys of all lengths up to 300, of which every other one is in the filter. */
static void test_has(void **state)
{
    (void)state;
    enum { N = 301 };
    static uint8_t bytes[N * N];
    uint32_t offsets[N + 1] = {0};
    sample_random r = {sample_seed()};
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_next(&r);
    for (uint32_t i = 0; i < N; i++)
        offsets[i + 1] = offsets[i] + i;
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *f = built(&layouts[l], NULL);
        uint8_t hit[N];
        for (uint32_t i = 0; i < N; i += 2)
            ASSERT_OK(ctx, tms_filter_insert(ctx, f, &(tms_keys){.bytes = bytes + offsets[i], .n_keys = 1, .key_size = i}));
        ASSERT_OK(ctx, tms_filter_query(ctx, f, &(tms_keys){.bytes = bytes, .offsets = offsets, .n_keys = N}, hit));
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(tms_filter_has(f, bytes + offsets[i], i), hit[i]);
            assert_true(hit[i] || i % 2);
        }
        tms_filter_destroy(f);
    }
}

/* Filters without single-key queries answer "may be present". */
static void test_has_of_others(void **state)
{
    (void)state;
    const tms_filter_params counts = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 1, 1000, 10, .p = 0.1};
    const tms_filter_want want = {
        .layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .n_keys = 100, .word_size = 31, .strand = TMS_STRAND_BOTH};
    tms_filter_params words;
    ASSERT_OK(ctx, tms_filter_size(ctx, &want, &words));
    const tms_filter_params *const others[] = {&counts, &words};
    for (size_t i = 0; i < 2; i++) {
        tms_filter *f = built(others[i], NULL);
        assert_int_equal(tms_filter_has(f, "a", 1), -1);
        tms_filter_destroy(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_missed),
        cmocka_unit_test(an_empty_filter_has_nothing),
        cmocka_unit_test(order_and_repeats),
        cmocka_unit_test(forms_agree),
        cmocka_unit_test(seeds_matter),
        cmocka_unit_test(hashed_ahead),
        cmocka_unit_test(union_is_the_joint_filter),
        cmocka_unit_test(intersection_keeps_common_keys),
        cmocka_unit_test(mismatches_are_named),
        cmocka_unit_test(opened_filters_are_read_only),
        cmocka_unit_test(merging_from_an_opened_filter),
        cmocka_unit_test(stats_count_ones),
        cmocka_unit_test(malformed_batches),
        cmocka_unit_test(faults_deep_in_a_table),
        cmocka_unit_test(device_calls_on_the_cpu),
        cmocka_unit_test(test_has),
        cmocka_unit_test(test_has_of_others),
        cmocka_unit_test(contexts),
        cmocka_unit_test(unknown_values),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
