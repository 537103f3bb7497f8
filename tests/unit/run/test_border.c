/*
 * test_border.c - what crosses the library's border: structs of programs compiled with older and newer headers, the version, names of
 * statuses, calls that are cancelled, filters moved between devices.
 */
#include "unit/samples.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

#include "unit/dna_samples.h"

/* As a program sees them that was compiled before filters had parts, sampling and p. */
struct old_params {
    tms_layout layout;
    tms_hash hash;
    uint64_t seed, m_bits;
    uint32_t k, padding;
};
struct old_want {
    tms_layout layout;
    tms_hash hash;
    uint64_t seed, n_keys;
    double fpr;
};
struct old_stats {
    uint64_t n_keys, ones;
    uint64_t guard;
};

/* And after a version to come. */
struct new_params {
    tms_filter_params now;
    uint64_t to_come;
};
struct new_stats {
    tms_filter_stats now;
    uint64_t to_come;
};

static tms_context *ctx;

static int setup(void **state)
{
    (void)state;
    return tms_context_create(&ctx) != TMS_OK || tms_context_set_threads(ctx, 2) != TMS_OK;
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(ctx);
    return 0;
}

static const void *image_of(tms_filter *f, size_t *size)
{
    const void *image;
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, size));
    return image;
}

static void an_old_program(void **state)
{
    (void)state;
    struct old_want want = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 5000, 0.01};
    struct {
        struct old_params params;
        uint64_t guard;
    } old = {.guard = 42};
    ASSERT_OK(ctx,
              tms_filter_size_sized(ctx, (const tms_filter_want *)&want, sizeof want, (tms_filter_params *)&old.params, sizeof old.params));
    assert_int_equal(old.guard, 42);
    tms_filter_want now = {.layout = TMS_LAYOUT_BLOCKED, .hash = TMS_HASH_XXH3, .seed = 7, .n_keys = 5000, .fpr = 0.01};
    tms_filter_params params;
    ASSERT_OK(ctx, tms_filter_size(ctx, &now, &params));
    assert_true(old.params.m_bits == params.m_bits && old.params.k == params.k && old.params.seed == 7);

    tms_filter *a, *b;
    size_t a_size, b_size;
    key_set in = keys_make(FORM_FIXED_8, 5000, sample_seed());
    ASSERT_OK(ctx, tms_filter_create_sized(ctx, (const tms_filter_params *)&old.params, sizeof old.params, &a));
    ASSERT_OK(ctx, tms_filter_create(ctx, &params, &b));
    ASSERT_OK(ctx, tms_filter_insert(ctx, a, &in.keys));
    ASSERT_OK(ctx, tms_filter_insert(ctx, b, &in.keys));
    const void *a_image = image_of(a, &a_size), *b_image = image_of(b, &b_size);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a_image, b_image, a_size);
    assert_int_equal(tms_hash_words_sized((const tms_filter_params *)&old.params, sizeof old.params), 1);
    assert_true(tms_filter_expected_fpr_sized((const tms_filter_params *)&old.params, sizeof old.params, 5000) ==
                tms_filter_expected_fpr(&params, 5000));

    struct old_stats stats = {.guard = 42};
    tms_filter_stats all;
    ASSERT_OK(ctx, tms_filter_get_stats_sized(ctx, a, (tms_filter_stats *)&stats, offsetof(struct old_stats, guard)));
    ASSERT_OK(ctx, tms_filter_get_stats(ctx, b, &all));
    assert_true(stats.n_keys == 5000 && stats.ones == all.ones && stats.guard == 42);
    tms_filter_destroy(a);
    tms_filter_destroy(b);
    keys_free(&in);
}

static void a_newer_program(void **state)
{
    (void)state;
    tms_filter *f;
    struct new_params params = {{TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 1 << 20, 8}, 0};
    ASSERT_OK(ctx, tms_filter_create_sized(ctx, &params.now, sizeof params, &f));
    struct new_stats stats;
    memset(&stats, 255, sizeof stats);
    ASSERT_OK(ctx, tms_filter_get_stats_sized(ctx, f, &stats.now, sizeof stats));
    assert_true(stats.to_come == 0 && stats.now.ones == 0);
    tms_filter_destroy(f);
    params.to_come = 1; /* asks for what this library cannot do */
    assert_int_equal(tms_filter_create_sized(ctx, &params.now, sizeof params, &f), TMS_E_ARG);
    assert_null(f);
    assert_non_null(strstr(tms_context_message(ctx), "tms_filter_params"));
    assert_non_null(strstr(tms_context_message(ctx), TMS_VERSION));
    assert_int_equal(tms_hash_words_sized(&params.now, sizeof params), 0);
    assert_true(isnan(tms_filter_expected_fpr_sized(&params.now, sizeof params, 5)));
    assert_true(isnan(tms_frequency_expected_fill_sized(&params.now, sizeof params, 5, 10, 1)));
    uint8_t key = 0;
    uint64_t hash;
    tms_keys keys = {&key, NULL, 1, 1, 0};
    assert_int_equal(tms_keys_hash_sized(ctx, &params.now, sizeof params, &keys, &hash), TMS_E_ARG);
}

/* Parameters inside of what is reported grow too. */
static void seeds_of_an_old_program(void **state)
{
    (void)state;
    struct old_seeds_params {
        uint32_t word_size;
        tms_strand strand;
        tms_seed_hash hash;
        tms_schedule schedule;
    } params;
    struct {
        struct old_seeds_params params;
        uint64_t n_bases, n_words, guard;
    } info = {.guard = 42};
    sample_random r = {sample_seed()};
    dna_sample query = dna_random(&r, 2000, 1, 0);
    tms_seeds *seeds;
    tms_seeds_info now;
    tms_seeds_params_init_sized((tms_seeds_params *)&params, sizeof params);
    assert_int_equal(params.word_size, 16);
    ASSERT_OK(ctx, tms_seeds_create_sized(ctx, (const tms_seeds_params *)&params, sizeof params, &query.dna, &seeds));
    tms_seeds_get_info(seeds, &now);
    tms_seeds_get_info_sized(seeds, (tms_seeds_info *)&info, sizeof info - sizeof info.guard, sizeof params);
    assert_true(info.n_bases == now.n_bases && info.n_words == now.n_words && info.guard == 42);
    assert_int_equal(info.params.schedule, now.params.schedule);
    tms_seeds_destroy(seeds);
    dna_free(&query);
}

static void names_and_version(void **state)
{
    (void)state;
    char version[64];
    assert_string_equal(tms_version(), TMS_VERSION);
    snprintf(version, sizeof version, "%d.%d.%d", TMS_VERSION_NUMBER / 10000, TMS_VERSION_NUMBER / 100 % 100, TMS_VERSION_NUMBER % 100);
    assert_string_equal(version, TMS_VERSION);
    assert_string_equal(tms_status_name(TMS_OK), "TMS_OK");
    assert_string_equal(tms_status_name(TMS_E_MISMATCH), "TMS_E_MISMATCH");
    assert_string_equal(tms_status_name(TMS_E_CANCELLED), "TMS_E_CANCELLED");
    assert_string_equal(tms_status_name(TMS_E_FILE), "TMS_E_FILE");
    assert_string_equal(tms_status_name((tms_status)8), "?");
    assert_string_equal(tms_status_name((tms_status)-1), "?");
}

/* --- cancelling --- */

static void *cancel(void *arg)
{
    struct timespec moment = {0, 3000000};
    nanosleep(&moment, NULL);
    tms_context_cancel(arg);
    return NULL;
}

/* A call that would take seconds ends soon after another thread cancels it; what it was given works afterwards. */
static void long_calls_end(void **state)
{
    (void)state;
    enum { N = SAMPLES_SANITIZED ? 200000 : 2000000 };
    static const tms_filter_params layouts[] = {
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 1 << 26, 8},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 1, 1 << 26, 300},
        {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 1, 1 << 26, 2000, 0.1, TMS_SAMPLING_GEOMETRIC},
    };
    key_set in = keys_make(FORM_FIXED_20, N, sample_seed());
    tms_keys few = keys_slice(&in.keys, 0, 1000);
    uint8_t *hit = sample_alloc(N);
    for (int n_threads = 1; n_threads <= 3; n_threads++)
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
            tms_filter *f;
            pthread_t thread;
            ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
            ASSERT_OK(ctx, tms_filter_create(ctx, &layouts[l], &f));
            assert_int_equal(pthread_create(&thread, NULL, cancel, ctx), 0);
            tms_status status = TMS_OK;
            for (int i = 0; i < 100000 && status == TMS_OK; i++)
                status = tms_filter_insert(ctx, f, &in.keys);
            assert_int_equal(status, TMS_E_CANCELLED);
            assert_int_equal(pthread_join(thread, NULL), 0);
            if (layouts[l].layout != TMS_LAYOUT_PROBABILISTIC)
                assert_int_equal(tms_filter_query(ctx, f, &in.keys, hit), TMS_E_CANCELLED);
            tms_context_resume(ctx);
            ASSERT_OK(ctx, tms_filter_insert(ctx, f, &few));
            if (layouts[l].layout != TMS_LAYOUT_PROBABILISTIC) {
                ASSERT_OK(ctx, tms_filter_query(ctx, f, &few, hit));
                assert_int_equal(count_hits(hit, 1000), 1000);
            }
            tms_filter_destroy(f);
        }
    free(hit);
    keys_free(&in);
}

/* --- moving --- */

/* With a GPU: agree_contexts.c. */
static void moved_on_the_cpu(void **state)
{
    (void)state;
    tms_filter *f;
    tms_filter_params p = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 1, 100003, 5};
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
    assert_int_equal(tms_filter_upload(ctx, f), TMS_E_ARG);
    assert_non_null(strstr(tms_context_message(ctx), "no GPU"));
    ASSERT_OK(ctx, tms_filter_download(ctx, f)); /* is there */
    tms_filter_destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_old_program),    cmocka_unit_test(a_newer_program), cmocka_unit_test(seeds_of_an_old_program),
        cmocka_unit_test(names_and_version), cmocka_unit_test(long_calls_end),  cmocka_unit_test(moved_on_the_cpu),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
