/*
 * least_squares.c: lines worked out by hand, the conditions that say that a fit is the best one on random equations, intervals against
 * tables and against their definitions.
 */
#include "unit/samples.h"

#include <math.h>

#include "model/least_squares.h"

static int seed_is_printed(void **state)
{
    (void)state;
    sample_seed();
    return 0;
}

static void assert_within(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g, not %.17g within %g", got, want, tolerance);
}

static double random_unit(sample_random *r) { return (double)(random_next(r) >> 11) * 0x1p-53; }

static double random_normal(sample_random *r)
{
    double radius = sqrt(-2 * log1p(-random_unit(r)));
    return radius * cos(2 * M_PI * random_unit(r));
}

static void add_points(struct least_squares *fit, const double (*points)[2], size_t n)
{
    for (size_t i = 0; i < n; i++)
        least_squares_add(fit, (double[]){1, points[i][0]}, points[i][1], 1);
}

static void lines_by_hand(void **state)
{
    (void)state;
    static const double points[][2] = {{1, 6}, {2, 5}, {3, 7}, {4, 10}}; /* 3.5 + 1.4 x, with residuals 1.1, -1.3, -0.7, 0.9 */
    struct least_squares fit;
    double c[2];
    least_squares_begin(&fit, 2);
    add_points(&fit, points, 4);
    assert_true(least_squares_solve(&fit, c));
    assert_within(c[0], 3.5, 1e-13);
    assert_within(c[1], 1.4, 1e-13);
    assert_within(fit.residual2, 4.2, 1e-13);
    assert_int_equal(fit.n, 4);

    /* c x = 2 and c x = 4 at x = 1, relative: (c - 2)^2 / 4 + (c - 4)^2 / 16 is least at (1/2 + 1/4) / (1/4 + 1/16). */
    least_squares_begin(&fit, 1);
    least_squares_add(&fit, (double[]){1}, 2, 1.0 / 2);
    least_squares_add(&fit, (double[]){1}, 4, 1.0 / 4);
    assert_true(least_squares_solve(&fit, c));
    assert_within(c[0], 2.4, 1e-14);

    /* 3 + 2 x far from 0: the normal equations would have to tell 10^17 from 10^17 + 82. */
    least_squares_begin(&fit, 2);
    for (int i = 0; i < 10; i++)
        least_squares_add(&fit, (double[]){1, 1e8 + i}, 3 + 2 * (1e8 + i), 1);
    assert_true(least_squares_solve(&fit, c));
    assert_within(c[1], 2, 1e-6);
}

#define MOST_EQUATIONS 60

/* Random equations; columns and rows of very different size. noise 0: truth solves them. */
struct equations {
    size_t n;
    int n_unknowns;
    double x[MOST_EQUATIONS][LEAST_SQUARES_MOST], y[MOST_EQUATIONS], weight[MOST_EQUATIONS], truth[LEAST_SQUARES_MOST];
};

static void make_equations(sample_random *r, struct equations *e, double noise, struct least_squares *fit)
{
    e->n_unknowns = 1 + (int)random_below(r, LEAST_SQUARES_MOST);
    e->n = (size_t)e->n_unknowns + random_below(r, MOST_EQUATIONS - LEAST_SQUARES_MOST);
    double scale[LEAST_SQUARES_MOST];
    for (int j = 0; j < e->n_unknowns; j++) {
        scale[j] = pow(10, 18 * random_unit(r) - 9);
        e->truth[j] = random_normal(r) / scale[j];
    }
    least_squares_begin(fit, e->n_unknowns);
    for (size_t i = 0; i < e->n; i++) {
        e->y[i] = noise * random_normal(r);
        for (int j = 0; j < e->n_unknowns; j++) {
            e->x[i][j] = scale[j] * random_normal(r);
            e->y[i] += e->truth[j] * e->x[i][j];
        }
        e->weight[i] = pow(10, 2 * random_unit(r) - 1);
        least_squares_add(fit, e->x[i], e->y[i], e->weight[i]);
    }
}

/* Half the slope of the sum of squares along unknown j, relative to the size of its terms, and the sum itself. */
static double slope(const struct equations *e, const double *c, int j, double *residual2)
{
    double sum = 0, sizes = 0;
    *residual2 = 0;
    for (size_t i = 0; i < e->n; i++) {
        double residual = -e->y[i], size = fabs(e->y[i]);
        for (int l = 0; l < e->n_unknowns; l++) {
            residual += c[l] * e->x[i][l];
            size += fabs(c[l] * e->x[i][l]);
        }
        double weight2 = e->weight[i] * e->weight[i];
        sum += weight2 * residual * e->x[i][j];
        sizes += weight2 * size * fabs(e->x[i][j]);
        *residual2 += weight2 * residual * residual;
    }
    return sum / sizes;
}

static void random_fits(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    for (int round = 0; round < 500; round++) {
        struct equations e;
        struct least_squares fit;
        double c[LEAST_SQUARES_MOST], residual2 = 0;
        make_equations(&r, &e, round % 2, &fit);
        if (e.n == (size_t)e.n_unknowns) /* square systems are sometimes nearly dependent, larger ones are not */
            continue;
        assert_true(least_squares_solve(&fit, c));
        for (int j = 0; j < e.n_unknowns; j++)
            assert_within(slope(&e, c, j, &residual2), 0, 1e-11);
        assert_within(fit.residual2, residual2, 1e-9 * (1 + residual2));
        for (int j = 0; round % 2 == 0 && j < e.n_unknowns; j++)
            assert_within(c[j] / e.truth[j], 1, 1e-6 / fmin(1, fabs(e.truth[j] * fabs(e.x[0][j]))));
    }
}

static void undetermined(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    struct least_squares fit;
    double c[3] = {7, 7, 7};
    least_squares_begin(&fit, 3);
    assert_false(least_squares_solve(&fit, c));
    for (int i = 0; i < 2; i++)
        least_squares_add(&fit, (double[]){1, i, i * i}, i, 1);
    assert_false(least_squares_solve(&fit, c)); /* two equations, three unknowns */
    least_squares_add(&fit, (double[]){1, 2, 4}, 2, 1);
    assert_true(least_squares_solve(&fit, c));

    least_squares_begin(&fit, 3);
    for (int i = 0; i < 1000; i++) {
        double a = random_normal(&r), b = 1e6 * random_normal(&r);
        least_squares_add(&fit, (double[]){a, b, 2 * a - b / 3}, a + b, 1);
    }
    c[0] = c[1] = c[2] = 7;
    assert_false(least_squares_solve(&fit, c)); /* the third equation depends on the others */
    assert_true(c[0] == 7 && c[1] == 7 && c[2] == 7);

    for (int bad = 0; bad < 4; bad++) {
        least_squares_begin(&fit, 2);
        add_points(&fit, (const double[][2]){{1, 6}, {2, 5}, {3, 7}}, 3);
        double wrong = bad % 2 ? INFINITY : NAN;
        least_squares_add(&fit, (double[]){1, bad < 2 ? wrong : 1}, bad < 2 ? 1 : wrong, 1);
        assert_false(least_squares_solve(&fit, c));
        assert_false(least_squares_solve_positive(&fit, c));
        assert_true(c[0] == 7 && c[1] == 7);
    }
}

/* At the best c >= 0 the sum neither falls along an unknown that is above 0, nor along one that is 0 and may only grow. */
static void not_negative(void **state)
{
    (void)state;
    struct least_squares fit;
    double c[LEAST_SQUARES_MOST];
    least_squares_begin(&fit, 2);
    add_points(&fit, (const double[][2]){{1, 1}, {2, 3}, {3, 5}}, 3); /* 2 x - 1; through 0: 22/14 x */
    assert_true(least_squares_solve_positive(&fit, c));
    assert_true(c[0] == 0);
    assert_within(c[1], 22.0 / 14, 1e-14);
    least_squares_begin(&fit, 1);
    least_squares_add(&fit, (double[]){3}, -2, 1);
    assert_true(least_squares_solve_positive(&fit, c));
    assert_true(c[0] == 0);

    sample_random r = {sample_seed()};
    size_t n_zero = 0, n_above = 0;
    for (int round = 0; round < 300; round++) {
        struct equations e;
        double residual2;
        make_equations(&r, &e, 1, &fit);
        assert_true(least_squares_solve_positive(&fit, c));
        for (int j = 0; j < e.n_unknowns; j++) {
            double falls = -slope(&e, c, j, &residual2);
            assert_true(c[j] >= 0);
            if (c[j] > 0)
                assert_within(falls, 0, 1e-9);
            else
                assert_true(falls <= 1e-9);
            *(c[j] > 0 ? &n_above : &n_zero) += 1;
        }
    }
    assert_true(n_zero > 100 && n_above > 100);

    least_squares_begin(&fit, 3); /* three equal unknowns: any of them fits */
    for (int i = 1; i < 5; i++)
        least_squares_add(&fit, (double[]){i, i, i}, 5 * i, 1);
    assert_true(least_squares_solve_positive(&fit, c));
    assert_within(c[0] + c[1] + c[2], 5, 1e-13);
}

static void errors_by_hand(void **state)
{
    (void)state;
    static const double measured[] = {1, 2, 4, 8}, predicted[] = {1.1, 1.8, 4, 10};
    double scratch[4];
    struct prediction_errors errors;
    assert_true(prediction_errors_of(predicted, measured, 4, scratch, &errors));
    assert_int_equal(errors.n, 4);
    assert_within(errors.r2, 1 - (0.01 + 0.04 + 4) / 28.75, 1e-14);
    assert_within(errors.median, 0.1, 1e-15);
    assert_within(errors.worst, 0.25, 1e-15);
    assert_int_equal(errors.worst_at, 3);
    assert_true(prediction_errors_of(predicted, measured, 3, scratch, &errors)); /* 0.1, 0.1, 0 */
    assert_within(errors.median, 0.1, 1e-15);
    assert_true(prediction_errors_of(predicted + 1, measured + 1, 3, scratch, &errors)); /* 0.1, 0, 0.25 */
    assert_within(errors.median, 0.1, 1e-15);
    assert_int_equal(errors.worst_at, 2);
    assert_true(prediction_errors_of((const double[]){1.5, 2, 3, 8}, measured, 4, scratch, &errors)); /* 0.5, 0, 0.25, 0 */
    assert_within(errors.median, 0.125, 1e-15);
    assert_true(prediction_errors_of(measured, measured, 4, scratch, &errors));
    assert_true(errors.r2 == 1 && errors.median == 0 && errors.worst == 0 && errors.worst_at == 0);
    assert_true(prediction_errors_of((const double[]){3, 3}, (const double[]){2, 2}, 2, scratch, &errors));
    assert_true(isnan(errors.r2));
    assert_within(errors.worst, 0.5, 1e-15);
    assert_false(prediction_errors_of(predicted, measured, 0, scratch, &errors));
    assert_false(prediction_errors_of(predicted, (const double[]){1, 0}, 2, scratch, &errors));
    assert_false(prediction_errors_of(predicted, (const double[]){-1, 1}, 2, scratch, &errors));
    assert_false(prediction_errors_of((const double[]){1, NAN}, measured, 2, scratch, &errors));
    assert_false(prediction_errors_of((const double[]){1, INFINITY}, measured, 2, scratch, &errors));
    assert_within(errors.worst, 0.5, 1e-15);
}

static void student_by_table(void **state)
{
    (void)state;
    static const struct {
        uint64_t degrees;
        double t;
    } table[] = {{1, 12.706205},  {2, 4.302653},   {3, 3.182446},   {4, 2.776445},    {5, 2.570582},      {6, 2.446912},
                 {7, 2.364624},   {8, 2.306004},   {10, 2.228139},  {30, 2.042272},   {60, 2.000298},     {100, 1.983972},
                 {120, 1.979930}, {200, 1.971896}, {500, 1.964720}, {1000, 1.962339}, {1000000, 1.959966}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_within(student_quantile(table[i].degrees), table[i].t, 6e-7);
    /* tan(0.475 pi); 0.95 sqrt(2 / (1 - 0.95^2)); the density integrated numerically. */
    assert_within(student_quantile(1), tan(0.475 * M_PI), 1e-11);
    assert_within(student_quantile(2), 0.95 * sqrt(2 / 0.0975), 1e-12);
    assert_within(student_quantile(30), 2.0422724563013, 1e-11);
    assert_within(student_quantile(100), 1.9839715185238, 1e-11);
    assert_within(student_quantile(300), 1.9679030112603, 1e-11);
    for (uint64_t degrees = 1; degrees < 400; degrees++)
        assert_true(student_quantile(degrees) > student_quantile(degrees + 1));
}

static void means(void **state)
{
    (void)state;
    struct confidence c = mean_confidence((const double[]){1, 2, 3}, 3); /* variance 1 */
    assert_within(c.low, 2 - 4.302653 / sqrt(3), 1e-6);
    assert_within(c.high, 2 + 4.302653 / sqrt(3), 1e-6);
    c = mean_confidence((const double[]){1e9 + 1, 1e9 + 2, 1e9 + 3}, 3);
    assert_within(c.high - c.low, 2 * 4.302653 / sqrt(3), 1e-5);
    c = mean_confidence((const double[]){5, 5}, 2);
    assert_true(c.low == 5 && c.high == 5);
    c = mean_confidence((const double[]){5}, 1);
    assert_true(c.low == -INFINITY && c.high == INFINITY);
    c = mean_confidence_of(2, 1, 3);
    assert_within(c.low, 2 - 4.302653 / sqrt(3), 1e-6);

    sample_random r = {sample_seed()};
    size_t n_rounds = 20000, n_inside = 0;
    for (size_t round = 0; round < n_rounds; round++) {
        double x[4];
        for (int i = 0; i < 4; i++)
            x[i] = 10 + 3 * random_normal(&r);
        c = mean_confidence(x, 4);
        n_inside += c.low <= 10 && 10 <= c.high;
    }
    assert_within((double)n_inside / (double)n_rounds, 0.95, 6.5 * sqrt(0.95 * 0.05 / (double)n_rounds)); /* beyond: below 1e-10 */
}

/* An end p of the interval is where (share - p)^2 = z^2 p (1 - p) / n. */
static void proportions(void **state)
{
    (void)state;
    struct confidence c = proportion_confidence(10, 100);
    assert_within(c.low, 0.0552291, 1e-7);
    assert_within(c.high, 0.1743657, 1e-7);
    c = proportion_confidence(0, 10);
    assert_true(c.low == 0);
    assert_within(c.high, 0.2775328, 1e-7);
    c = proportion_confidence(10, 10);
    assert_within(c.low, 0.7224672, 1e-7);
    assert_true(c.high == 1);
    c = proportion_confidence(0, 0);
    assert_true(c.low == 0 && c.high == 1);

    sample_random r = {sample_seed()};
    for (int round = 0; round < 1000; round++) {
        uint64_t n = 1 + random_below(&r, (uint64_t)1 << (1 + random_below(&r, 40))), hits = random_below(&r, n + 1);
        double share = (double)hits / (double)n, z = 1.959963984540054;
        c = proportion_confidence(hits, n);
        assert_true(0 <= c.low && c.low <= share && share <= c.high && c.high <= 1);
        for (int high = 0; high < 2; high++) {
            double p = high ? c.high : c.low, width = z * sqrt(p * (1 - p) / (double)n);
            assert_within(fabs(share - p), width, 1e-9 * width + 1e-15);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_by_hand), cmocka_unit_test(random_fits),    cmocka_unit_test(undetermined),
        cmocka_unit_test(not_negative),  cmocka_unit_test(errors_by_hand), cmocka_unit_test(student_by_table),
        cmocka_unit_test(means),         cmocka_unit_test(proportions),
    };
    return cmocka_run_group_tests(tests, seed_is_printed, NULL);
}
