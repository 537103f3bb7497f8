/*
 * Threads: those of a context inside a call and several threads with contexts of their own; the outcome is that of one thread.
 * Most of these are also run under ThreadSanitizer.
 */
#include "unit/samples.h"

#include <pthread.h>

#include "base/core.h"

#define N_KEYS (SAMPLES_TSAN ? 10000 : sample_is_quick() ? 20000 : 100000)

static const tms_filter_params layouts[] = {
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 5003 * 256, 8},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 9 * 256, 13},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 2, 1000003, 7},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 3, 1003, 5},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 4, 1000003, 4},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 5, 100003, 6},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 6, 1000003, 40, 0.1, TMS_SAMPLING_GEOMETRIC},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 7, 100003, 40, 0.001, TMS_SAMPLING_GEOMETRIC},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_MURMUR3, 8, 1000003, 10, 0.5, TMS_SAMPLING_PLAIN},
};
#define N_LAYOUTS (sizeof layouts / sizeof *layouts)

static tms_context *context(int n_threads)
{
    tms_context *ctx;
    if (tms_context_create(&ctx) != TMS_OK || tms_context_set_threads(ctx, n_threads) != TMS_OK)
        abort();
    return ctx;
}

static tms_filter *built(tms_context *ctx, const tms_filter_params *p, const tms_keys *keys)
{
    tms_filter *f;
    if (tms_filter_create(ctx, p, &f) != TMS_OK || tms_filter_insert(ctx, f, keys) != TMS_OK)
        abort(); /* also called where cmocka cannot fail a test: outside its thread */
    return f;
}

/* Answers of a query, or counts of a probabilistic filter; room for N_KEYS counts. */
static void ask(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *answers)
{
    memset(answers, 0, keys->n_keys * sizeof *answers);
    tms_status status = tms_filter_get_params(f)->layout == TMS_LAYOUT_PROBABILISTIC ? tms_filter_count(ctx, f, keys, answers)
                                                                                     : tms_filter_query(ctx, f, keys, (uint8_t *)answers);
    if (status != TMS_OK)
        abort();
}

/* Keys that were inserted and are missed. */
static size_t n_missed(const tms_filter *f, const uint32_t *answers, size_t n)
{
    return tms_filter_get_params(f)->layout == TMS_LAYOUT_PROBABILISTIC ? 0 : n - count_hits((const uint8_t *)answers, n);
}

static int same_image(tms_context *ctx, tms_filter *a, tms_filter *b)
{
    const void *x, *y;
    size_t x_size, y_size;
    if (tms_filter_image(ctx, a, &x, &x_size) != TMS_OK || tms_filter_image(ctx, b, &y, &y_size) != TMS_OK)
        abort();
    return x_size == y_size && memcmp(x, y, x_size) == 0;
}

static void many_threads_as_one(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_20, N_KEYS, sample_seed()), out = keys_make(FORM_FIXED_20, N_KEYS, ~sample_seed());
    uint32_t *want = sample_alloc(N_KEYS * sizeof *want), *got = sample_alloc(N_KEYS * sizeof *got);
    tms_context *one = context(1);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *serial = built(one, &layouts[l], &in.keys);
        ask(one, serial, &out.keys, want);
        for (int n_threads = 2; n_threads <= 8; n_threads += sample_is_quick() ? 3 : 1) {
            tms_context *ctx = context(n_threads);
            if (n_threads % 2) /* the best in turns with this */
                ASSERT_OK(ctx, tms_context_set_simd(ctx, TMS_SIMD_SCALAR));
            tms_filter *f = built(ctx, &layouts[l], &in.keys);
            if (!same_image(ctx, serial, f))
                fail_msg("layout %zu, %d threads: another filter than by one thread", l, n_threads);
            ask(ctx, f, &out.keys, got);
            assert_memory_equal(want, got, N_KEYS * sizeof *got);
            ask(ctx, f, &in.keys, got);
            assert_int_equal(n_missed(f, got, N_KEYS), 0);
            tms_filter_destroy(f);
            tms_context_destroy(ctx);
        }
        tms_filter_destroy(serial);
    }
    tms_context_destroy(one);
    free(want);
    free(got);
    keys_free(&in);
    keys_free(&out);
}

/* Buckets for all pairs of a thread and an owner would take 68 GiB. */
static void many_threads_many_values(void **state)
{
    (void)state;
    const tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 1, (uint64_t)1 << 26, TMS_PROBABILISTIC_MAX_K, 0.01};
    key_set in = keys_make(FORM_FIXED_8, 300, sample_seed());
    tms_context *one = context(1), *most = context(1024);
    tms_filter *serial, *f;
    ASSERT_OK(one, tms_filter_create(one, &p, &serial));
    ASSERT_OK(one, tms_filter_insert(one, serial, &in.keys));
    ASSERT_OK(most, tms_filter_create(most, &p, &f));
    ASSERT_OK(most, tms_filter_insert(most, f, &in.keys));
    assert_true(same_image(one, serial, f));
    tms_filter_destroy(serial);
    tms_filter_destroy(f);
    tms_context_destroy(one);
    tms_context_destroy(most);
    keys_free(&in);
}

/* Numbers of blocks, or of words, near the number of threads: ranges of owners then end inside scaled hashes. */
static void few_blocks(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_8, 9000, sample_seed() + 1);
    tms_context *one = context(1);
    for (uint64_t turn = 0; turn < 80; turn += turn < 40 ? 1 : 7) {
        uint64_t n_units = 1 + turn / 2;
        tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, n_units, n_units * 256, 1};
        if (turn % 2)
            p = (tms_filter_params){TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, n_units, n_units * 64 - n_units % 5, 9, 0.2};
        key_set some = in;
        tms_filter *serial = built(one, &p, &some.keys);
        for (int n_threads = 2; n_threads <= 16; n_threads += n_threads < 8 ? 1 : 5) {
            tms_context *ctx = context(n_threads);
            tms_filter *f = built(ctx, &p, &some.keys);
            if (!same_image(ctx, serial, f))
                fail_msg("%llu %s, %d threads", (unsigned long long)n_units, turn % 2 ? "words" : "blocks", n_threads);
            tms_filter_destroy(f);
            tms_context_destroy(ctx);
        }
        tms_filter_destroy(serial);
    }
    tms_context_destroy(one);
    keys_free(&in);
}

/* Hashes at the ends of the owners' ranges, where a rounding error would show. */
static void hashes_at_borders(void **state)
{
    (void)state;
    enum { N = 9000 };
    static const uint64_t block_counts[] = {7, 64, 1000003, (uint64_t)1 << 20};
    uint64_t *hashes = sample_alloc(N * sizeof *hashes);
    tms_context *one = context(1);
    for (size_t c = 0; c < sizeof block_counts / sizeof *block_counts; c++) {
        uint64_t n_blocks = block_counts[c];
        tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, n_blocks * 256, 8};
        for (int n_threads = 2; n_threads <= 7; n_threads++) {
            for (size_t i = 0; i < N; i++) {
                uint64_t block = n_blocks * (i % (size_t)(n_threads + 1)) / (uint64_t)n_threads;
                hashes[i] = (uint64_t)(((unsigned __int128)block << 64) / n_blocks) + i / 8 % 7 - 3;
            }
            tms_context *ctx = context(n_threads);
            tms_filter *a, *b;
            ASSERT_OK(one, tms_filter_create(one, &p, &a));
            ASSERT_OK(one, tms_filter_insert_hashes(one, a, hashes, N));
            ASSERT_OK(ctx, tms_filter_create(ctx, &p, &b));
            ASSERT_OK(ctx, tms_filter_insert_hashes(ctx, b, hashes, N));
            if (!same_image(one, a, b))
                fail_msg("%llu blocks, %d threads", (unsigned long long)n_blocks, n_threads);
            tms_filter_destroy(a);
            tms_filter_destroy(b);
            tms_context_destroy(ctx);
        }
    }
    tms_context_destroy(one);
    free(hashes);
}

/* --- several threads, one filter --- */

struct reader {
    pthread_t thread;
    tms_filter *filter;
    const tms_keys *in, *out;
    const uint32_t *want_in, *want_out;
    int n_threads;
    size_t n_wrong;
};

static void *read_filter(void *arg)
{
    struct reader *r = arg;
    tms_context *ctx = context(r->n_threads);
    size_t n = r->in->n_keys;
    uint32_t *answers = malloc(n * sizeof *answers);
    for (int round = 0; answers && round < 3; round++) {
        ask(ctx, r->filter, r->in, answers);
        r->n_wrong += memcmp(answers, r->want_in, n * sizeof *answers) != 0;
        ask(ctx, r->filter, r->out, answers);
        r->n_wrong += memcmp(answers, r->want_out, n * sizeof *answers) != 0;
    }
    free(answers);
    tms_context_destroy(ctx);
    return NULL;
}

static void one_filter_many_readers(void **state)
{
    (void)state;
    enum { READERS = 4 };
    size_t n = N_KEYS / 5;
    key_set in = keys_make(FORM_GAP_1, n, sample_seed() + 3), out = keys_make(FORM_GAP_1, n, ~sample_seed());
    uint32_t *want_in = sample_alloc(n * sizeof *want_in), *want_out = sample_alloc(n * sizeof *want_out);
    tms_context *ctx = context(2);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        struct reader readers[READERS];
        tms_filter *f = built(ctx, &layouts[l], &in.keys);
        ask(ctx, f, &in.keys, want_in);
        ask(ctx, f, &out.keys, want_out);
        assert_int_equal(n_missed(f, want_in, n), 0);
        for (int i = 0; i < READERS; i++) {
            readers[i] = (struct reader){0, f, &in.keys, &out.keys, want_in, want_out, 1 + i % 2, 0};
            assert_int_equal(pthread_create(&readers[i].thread, NULL, read_filter, &readers[i]), 0);
        }
        for (int i = 0; i < READERS; i++) {
            assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
            assert_int_equal(readers[i].n_wrong, 0);
        }
        tms_filter_destroy(f);
    }
    tms_context_destroy(ctx);
    free(want_in);
    free(want_out);
    keys_free(&in);
    keys_free(&out);
}

/* Filters built side by side, then merged by several threads, equal the filter of all keys. */
static void *build_filter(void *arg)
{
    struct reader *r = arg;
    tms_context *ctx = context(r->n_threads);
    r->filter = built(ctx, &layouts[2], r->in);
    tms_context_destroy(ctx);
    return NULL;
}

static void built_side_by_side(void **state)
{
    (void)state;
    enum { BUILDERS = 3 };
    key_set in = keys_make(FORM_FIXED_7, N_KEYS, sample_seed() + 4);
    struct reader builders[BUILDERS];
    tms_keys parts[BUILDERS];
    tms_context *ctx = context(3);
    for (size_t i = 0; i < BUILDERS; i++) {
        size_t from = in.keys.n_keys * i / BUILDERS, to = in.keys.n_keys * (i + 1) / BUILDERS;
        parts[i] = keys_slice(&in.keys, from, to - from);
        builders[i] = (struct reader){0, NULL, &parts[i], NULL, NULL, NULL, 1 + (int)i, 0};
        assert_int_equal(pthread_create(&builders[i].thread, NULL, build_filter, &builders[i]), 0);
    }
    for (int i = 0; i < BUILDERS; i++)
        assert_int_equal(pthread_join(builders[i].thread, NULL), 0);
    for (int i = 1; i < BUILDERS; i++) {
        ASSERT_OK(ctx, tms_filter_merge(ctx, builders[0].filter, builders[i].filter, TMS_MERGE_UNION));
        tms_filter_destroy(builders[i].filter);
    }
    tms_filter *whole = built(ctx, &layouts[2], &in.keys);
    assert_true(same_image(ctx, whole, builders[0].filter));
    tms_filter_destroy(whole);
    tms_filter_destroy(builders[0].filter);
    tms_context_destroy(ctx);
    keys_free(&in);
}

/* Heavy hitters: the same reports, and the filter of a plain insertion. */
static void heavy_by_many_threads(void **state)
{
    (void)state;
    enum { N = 20000, DIFFERENT = 100 };
    tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 9, 1000003, 200, 0.02, TMS_SAMPLING_GEOMETRIC};
    key_set in = keys_make(FORM_FIXED_8, N, sample_seed() + 6);
    sample_random r = {sample_seed()};
    for (size_t i = DIFFERENT; i < N; i++)
        memcpy(in.bytes + 8 * i, in.bytes + 8 * random_below(&r, DIFFERENT), 8);
    tms_context *one = context(1);
    tms_filter *serial = built(one, &p, &in.keys);
    tms_heavy_report *want = NULL;
    size_t n_want = 0;
    for (int n_threads = 1; n_threads <= 8; n_threads++) {
        tms_context *ctx = context(n_threads);
        tms_filter *f;
        tms_heavy *heavy;
        const tms_heavy_report *reports;
        size_t n;
        ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
        ASSERT_OK(ctx, tms_heavy_create(ctx, f, TMS_BY_F_MIN, 30, 0.95, &heavy));
        ASSERT_OK(ctx, tms_heavy_insert(ctx, heavy, &in.keys, &reports, &n));
        assert_in_range(n, DIFFERENT / 2, DIFFERENT);
        if (n_threads == 1) {
            n_want = n;
            want = sample_alloc(n * sizeof *want);
            memcpy(want, reports, n * sizeof *want);
        }
        assert_int_equal(n, n_want);
        for (size_t i = 0; i < n; i++)
            assert_true(reports[i].key == want[i].key && reports[i].ones == want[i].ones &&
                        reports[i].frequency.f_min == want[i].frequency.f_min);
        if (!same_image(one, serial, f))
            fail_msg("%d threads: another filter than by insertion alone", n_threads);
        tms_heavy_destroy(heavy);
        tms_filter_destroy(f);
        tms_context_destroy(ctx);
    }
    free(want);
    tms_filter_destroy(serial);
    tms_context_destroy(one);
    keys_free(&in);
}

/* Statistics and checksums are sums over threads. */
static void stats_by_many_threads(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_8, N_KEYS, sample_seed() + 5);
    tms_context *one = context(1), *five = context(5);
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, (uint64_t)6 << 23, 8}; /* 6 MiB: six chunks of checksum */
    tms_filter *f = built(one, &p, &in.keys);
    tms_filter_stats a, b;
    ASSERT_OK(one, tms_filter_get_stats(one, f, &a));
    ASSERT_OK(five, tms_filter_get_stats(five, f, &b));
    assert_true(a.ones == b.ones && a.checksum == b.checksum && a.n_keys == b.n_keys);
    assert_true(a.actual_fpr - b.actual_fpr < 1e-12 && b.actual_fpr - a.actual_fpr < 1e-12);
    tms_filter_destroy(f);
    tms_context_destroy(one);
    tms_context_destroy(five);
    keys_free(&in);
}

static int print_seed(void **state)
{
    (void)state;
    sample_seed();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_as_one),   cmocka_unit_test(many_threads_many_values), cmocka_unit_test(few_blocks),
        cmocka_unit_test(hashes_at_borders),     cmocka_unit_test(one_filter_many_readers),  cmocka_unit_test(built_side_by_side),
        cmocka_unit_test(stats_by_many_threads), cmocka_unit_test(heavy_by_many_threads),
    };
    return cmocka_run_group_tests(tests, print_seed, NULL);
}
