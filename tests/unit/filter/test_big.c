/*
 * Beyond 2^32 bits: positions and blocks there are used, as often as their share says. The filters are sparse; the
 * tests skip where memory is short.
 */
#include "unit/context_fixture.h"

#include <math.h>

#define N_KEYS 20000

static void need_memory(void)
{
    if (available_mib() >= 2500)
        return;
    print_message("skipped: %llu MiB of memory are free, 2,500 are needed\n", (unsigned long long)available_mib());
    skip();
}

static uint64_t ones_between(const uint8_t *bits, uint64_t from, uint64_t to)
{
    uint64_t ones = 0, word;
    for (uint64_t i = from / 8; i + 8 <= to / 8; i += 8) {
        memcpy(&word, bits + i, 8);
        ones += (uint64_t)__builtin_popcountll(word);
    }
    return ones;
}

/* The ones in [from, to) are binomial with the range's share, a blocked key's all together: within 5 standard
 * deviations. */
static void assert_share(const tms_filter_params *p, const uint8_t *bits, uint64_t throws, uint64_t from, uint64_t to)
{
    double share = (double)(to - from) / (double)p->m_bits, mean = (double)throws * share;
    double clump = p->layout == TMS_LAYOUT_BLOCKED ? p->k : 1;
    double ones = (double)ones_between(bits, from, to), limit = 5 * sqrt(clump * mean * (1 - share)) + (double)throws * 1e-4;
    if (fabs(ones - mean) > limit)
        fail_msg("%s %s: %.0f ones in bits %llu to %llu, %.0f +- %.0f expected", tms_layout_name(p->layout), tms_hash_name(p->hash), ones,
                 (unsigned long long)from, (unsigned long long)to, mean, limit);
}

static void check(const tms_filter_params *p)
{
    uint64_t limit = (uint64_t)1 << 32;
    key_set in = keys_make(FORM_FIXED_20, N_KEYS, sample_seed() + p->hash), out = keys_make(FORM_FIXED_20, N_KEYS, ~sample_seed());
    uint8_t *hit = sample_alloc(N_KEYS);
    const void *image;
    size_t size;
    tms_filter *f;
    tms_filter_stats stats;
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    assert_true(tms_filter_get_params(f)->m_bits == p->m_bits);
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
    ASSERT_OK(ctx, tms_filter_query(ctx, f, &in.keys, hit));
    assert_int_equal(count_hits(hit, N_KEYS), N_KEYS);
    ASSERT_OK(ctx, tms_filter_query(ctx, f, &out.keys, hit));
    assert_int_equal(count_hits(hit, N_KEYS), 0); /* expected: fewer than 1e-12 of them */
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    assert_true(size == 128 + (p->m_bits + 255) / 256 * 32);
    const uint8_t *bits = (const uint8_t *)image + 128;
    uint64_t throws = (uint64_t)N_KEYS * p->k;
    assert_share(p, bits, throws, 0, limit / 4);
    assert_share(p, bits, throws, limit / 4, limit);
    assert_share(p, bits, throws, limit, limit + (p->m_bits - limit) / 2 / 64 * 64);
    assert_share(p, bits, throws, limit + (p->m_bits - limit) / 2 / 64 * 64, p->m_bits / 64 * 64);
    ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &stats));
    assert_true(stats.ones <= throws && stats.ones + throws / 1000 >= throws);
    if (!SAMPLES_SANITIZED) { /* and all of that survives the way through the file format */
        tms_filter *opened;
        ASSERT_OK(ctx, tms_filter_open(ctx, image, size, &opened));
        ASSERT_OK(ctx, tms_filter_query(ctx, opened, &in.keys, hit));
        assert_int_equal(count_hits(hit, N_KEYS), N_KEYS);
        tms_filter_destroy(opened);
    }
    tms_filter_destroy(f);
    free(hit);
    keys_free(&in);
    keys_free(&out);
}

static void classic(void **state)
{
    (void)state;
    need_memory();
    int step = sample_is_quick() ? 3 : 1; /* the hashes then take turns */
    for (int hash = TMS_HASH_XXH3 + (int)(sample_seed() % (unsigned)step); hash <= TMS_HASH_AP; hash += step) {
        tms_filter_params p = {TMS_LAYOUT_CLASSIC, (tms_hash)hash, 3, ((uint64_t)1 << 32) + 1000000007, 5};
        check(&p);
    }
}

static void blocked(void **state)
{
    (void)state;
    need_memory();
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 3, (((uint64_t)1 << 24) + 3906251) * 256, 8};
    check(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classic),
        cmocka_unit_test(blocked),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
