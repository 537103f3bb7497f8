/*
 * test_logarithms.c - many logarithms at once are those of log(), to the last bit: of usual numbers, of numbers near 1, whose logarithms
 * are small, of all magnitudes, of numbers whose logarithm log() does not round to nearest, and of numbers without a logarithm. So are
 * those that a GPU computes one by one, where the C library is the one that it follows.
 */
#include <math.h>

#include "base/base.h"
#include "score/logarithm_table.h"
#include "score/logarithms.h"
#include "unit/samples.h"

enum { MOST = 3000, ROUNDS = 1500 };

enum kind { USUAL, NEAR_ONE, POWERS, ANY_BITS, HARD, ODD, KINDS };

static double number(sample_random *r, enum kind kind)
{
    static const double odd[] = {0, -0.0, 1, -1, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, INFINITY, -INFINITY, NAN, 2, 0.5};
    static const double hard[] = {0x1.17981f73519c3p0, 0x1.17f54d90eb2e7p0}; /* log() does not round their logarithms to nearest */
    const uint64_t bits = random_next(r);
    const double share = (double)(bits >> 11) * 0x1p-53;
    double x;
    switch (kind) {
    case USUAL:
        return 0.01 + 4 * share;
    case NEAR_ONE:
        return 1 + (share - 0.5) * ldexp(1, -(int)(random_next(r) % 54));
    case POWERS:
        return exp(1400 * (share - 0.5));
    case ANY_BITS:
        memcpy(&x, &bits, sizeof x);
        return x;
    case HARD:
        return hard[bits % (sizeof hard / sizeof *hard)];
    default:
        return odd[bits % (sizeof odd / sizeof *odd)];
    }
}

static void test_same_as_log(void **state)
{
    static double x[MOST + 1], got[MOST + 1];
    sample_random r = {sample_seed()};
    struct logarithm_table table;
    const bool is_found = logarithm_table_find(&table);
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        const size_t n = random_next(&r) % (i % 4 == 0 ? 20 : MOST + 1);
        const enum kind kind = (enum kind)(random_next(&r) % KINDS);
        for (size_t k = 0; k < n; k++)
            x[k] = number(&r, random_next(&r) % 50 == 0 ? ODD : kind);
        for (int simd = TMS_SIMD_SCALAR; simd <= (int)cpu_best_simd(); simd++) {
            const struct logarithm_table *of_library = is_found && i % 8 != 0 ? &table : NULL;
            memcpy(got, x, sizeof x);
            got[n] = 3; /* is not overwritten */
            logarithms((tms_simd)simd, of_library, got, n);
            assert_true(got[n] == 3);
            for (size_t k = 0; k < n; k++) {
                const double want = log(x[k]);
                assert_true(memcmp(&want, &got[k], sizeof want) == 0 || (isnan(want) && isnan(got[k])));
            }
        }
    }
}

/* Whether log() here is the one that logarithm_core.h follows. */
static bool has_fused_log(void)
{
#if defined(__x86_64__) && defined(__GLIBC__)
    return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

static void test_followed_step_by_step(void **state)
{
    sample_random r = {sample_seed()};
    struct logarithm_table table;
    (void)state;
    if (!has_fused_log())
        skip();
    assert_true(logarithm_table_find(&table));
    for (int i = 0; i < ROUNDS * 1000; i++) {
        const double x = number(&r, (enum kind)(random_next(&r) % KINDS)), want = log(x);
        const double got = logarithm_of(&table.coefficients, table.entries, x);
        assert_true(isnormal(x) && x > 0 ? memcmp(&want, &got, sizeof want) == 0 : isnan(got));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_log),
        cmocka_unit_test(test_followed_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
