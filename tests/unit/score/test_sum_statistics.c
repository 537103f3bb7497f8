/*
 * test_sum_statistics.c - compares probabilities of sums with the double integral that defines them [Karlin & Altschul 1993, eq. 4], the
 * functions below them with libm, and E-values of chains with their formulas.
 */
#include <math.h>

#include "score/blast_math.h"
#include "score/sum_statistics.h"
#include "unit/samples.h"

static void assert_close(double ours, double theirs, double precision) { assert_true(fabs(ours - theirs) <= precision * fabs(theirs)); }

static void test_functions(void **state)
{
    (void)state;
    for (int i = -990; i <= 3000; i++) {
        double x = i * 1e-3;
        assert_close(exp_less_1(x), expm1(x), 2e-15);
        assert_close(log_of_1_and(x), log1p(x), 2e-15);
    }
    assert_true(exp_less_1(0) == 0 && log_of_1_and(0) == 0);
    for (int n = 0; n <= 300; n++) {
        assert_true(fabs(log_factorial(n) - lgamma(n + 1)) <= 1e-11 * (1 + lgamma(n + 1)));
        assert_true(fabs(log_gamma(n + 1) - lgamma(n + 1)) <= 1e-11 * (1 + lgamma(n + 1)));
    }
    assert_true(log_gamma(6) == log(120.0) && log_gamma(1) == 0);
    assert_true(power(0.1, 0) == 1 && power(3, 5) == 243);
}

static double cubic(double x, const void *data) { return x * x * x - *(const double *)data; }

static void test_romberg_is_exact_for_cubics(void **state)
{
    (void)state;
    double minus = 2;
    assert_close(romberg_integral(cubic, &minus, -1, 3, 1e-3, 2), 12, 1e-14); /* 80 / 4 - 2 * 4 */
    assert_close(romberg_integral(cubic, &minus, 3, -1, 1e-3, 1), -12, 1e-14);
}

/* The density of eq. 4 at t, and its integral from x on: sums over a fine grid, both beyond what counts. */
static double density(int r, double t)
{
    double step = 0.02, sum = 0;
    for (int i = 1; i < 6000; i++) {
        double y = i * step;
        sum += exp((r - 2) * log(y) - exp((y - t) / r));
    }
    if (r == 2)
        sum += exp(-exp(-t / r)) / 2;
    return sum * step * exp(-t - lgamma(r + 1) - lgamma(r - 1));
}

static double probability(int r, double x)
{
    double step = 0.05, sum = density(r, x) / 2;
    for (int i = 1; i < 1200; i++)
        sum += density(r, x + i * step);
    return sum * step;
}

static void test_probability_of_one(void **state)
{
    (void)state;
    for (int i = -30; i <= 300; i++)
        assert_close(sum_probability(1, i * 0.1), -expm1(-exp(-i * 0.1)), 1e-14);
}

/* Tables have four digits at halves and straight lines between them; where the tail's formula begins it is 3 to 9 % off, less farther out.
 */
static void test_probability_of_a_few(void **state)
{
    (void)state;
    for (int r = 2; r <= 4; r++) {
        for (int halves = -4 * r + 1; halves < 2 * (r * r + r - 1); halves++)
            assert_close(sum_probability(r, halves * 0.5), probability(r, halves * 0.5), 2e-3);
        for (double x = r * r + r - 1; x < 60; x += 7.5)
            assert_close(sum_probability(r, x), probability(r, x), 2.0 * r * r / x);
        assert_true(sum_probability(r, -2.0 * r) == 1 && sum_probability(r, -1000) == 1);
    }
    assert_close(sum_probability(2, 0.25), (sum_probability(2, 0) + sum_probability(2, 0.5)) / 2, 1e-14);
}

static void test_probability_of_many(void **state)
{
    (void)state;
    static const int sizes[] = {5, 6, 7, 8, 12, 15, 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int r = sizes[i];
        double mean = r * (1 - log(r)), deviation = sqrt(r);
        for (double x = mean - 2 * deviation; x < mean + 5 * deviation; x += 0.7 * deviation)
            assert_true(fabs(sum_probability(r, x) - fmin(probability(r, x), 1)) <= 0.035 * probability(r, x));
        assert_true(sum_probability(r, mean - 4.1 * deviation - 0.5) == 1);
    }
    assert_true(sum_probability(150, -30000) == 1 && sum_probability(150, 500) < 1e-100);
}

static void test_evalues_of_chains(void **state)
{
    (void)state;
    const struct sum_space space = {.query_length = 300, .subject_length = 400, .search_space = 120000000};
    double pair = 120000.0, x = 25.5;
    assert_close(gap_decay_divisor(0.1, 1), 0.9, 1e-15);
    assert_close(gap_decay_divisor(0.5, 3), 0.125, 1e-15);
    assert_close(small_gaps_evalue(&space, 1, x, 50, 50, 0.5), 2 * space.search_space * exp(-x), 1e-14);
    assert_close(large_gaps_evalue(&space, 1, x, 0.5), 2 * space.search_space * exp(-x), 1e-14);
    for (int r = 2; r <= 6; r++) {
        double small = sum_probability(r, x - log(pair) - (r - 1) * log(50.0 * 50.0) - lgamma(r + 1));
        double large = sum_probability(r, 4 * x - r * log(pair) + lgamma(r + 1));
        if (small < 1)
            assert_close(small_gaps_evalue(&space, r, x, 50, 50, 1), -log1p(-small) * 1000, 1e-9);
        assert_close(large_gaps_evalue(&space, r, 4 * x, 0.25), -log1p(-large) * 4000, 1e-9);
    }
    /* uneven gaps: another number of positions in each sequence, whichever is which */
    assert_close(small_gaps_evalue(&space, 2, 30, 50, 1000, 1), small_gaps_evalue(&space, 2, 30, 1000, 50, 1), 1e-14);
    assert_true(small_gaps_evalue(&space, 2, 30, 50, 1000, 1) > small_gaps_evalue(&space, 2, 30, 50, 50, 1));
    assert_true(small_gaps_evalue(&space, 2, -100, 50, 50, 1) == 2147483647.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),           cmocka_unit_test(test_romberg_is_exact_for_cubics),
        cmocka_unit_test(test_probability_of_one),  cmocka_unit_test(test_probability_of_a_few),
        cmocka_unit_test(test_probability_of_many), cmocka_unit_test(test_evalues_of_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
