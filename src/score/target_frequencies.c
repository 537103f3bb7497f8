/*
 * target_frequencies.c - minimises the relative entropy of x to q, where x has given column sums (20), row sums (19: the first follows),
 * and a relative entropy of 0.44 nats to the product of these sums: 40 linear constraints and a nonlinear one, less one.
 *
 * Each Newton step solves for the 40 multipliers: the matrix of the 400 variables is diagonal, so the remaining system is 40 x 40 and
 * positive definite. The order of all sums is fixed, because the rounded scores must be those of BLAST; within that order loops over
 * independent sums may run side by side.
 */
#include "score/target_frequencies.h"

#include <math.h>
#include <string.h>

#include "score/target_core.h"

struct state {
    const double *joint, *rows, *columns;
    double x[TARGET_PAIRS], multipliers[TARGET_MULTIPLIERS];
    double excess[TARGET_PAIRS];   /* log(q / (r c)) */
    double gradient[TARGET_PAIRS]; /* gradient of the distance */
    double entropy_gradient[TARGET_PAIRS];
    double entropy;
    double dual[TARGET_PAIRS], primal[TARGET_MULTIPLIERS]; /* residuals, then the step */
    double inverse[TARGET_PAIRS];                          /* inverse of the diagonal */
    double system[TARGET_MULTIPLIERS][TARGET_MULTIPLIERS]; /* lower triangle */
};

/* The norm of a vector, without overflow. */
static double norm(const double *v, int n)
{
    double sum = 1, scale = 0;

    for (int i = 0; i < n; i++) {
        double size = fabs(v[i]);
        if (v[i] == 0)
            continue;
        if (scale < size) {
            sum = 1 + sum * (scale / size) * (scale / size);
            scale = size;
        } else {
            sum += (size / scale) * (size / scale);
        }
    }
    return scale * sqrt(sum);
}

/* Adds sign times the column sums of v to sums, then the row sums, without the first. */
static void add_sums(double *sums, const double *v, double sign)
{
    for (int i = 0; i < TARGET_N; i++)
        for (int j = 0; j < TARGET_N; j++)
            sums[j] += sign * v[i * TARGET_N + j];
    for (int i = 1; i < TARGET_N; i++)
        for (int j = 0; j < TARGET_N; j++)
            sums[i + TARGET_N - 1] += sign * v[i * TARGET_N + j];
}

/* The transpose of add_sums(): adds to each pair its column's multiplier, then its row's. */
static void add_multipliers(double *v, const double *multipliers)
{
    for (int i = 0; i < TARGET_N; i++)
        for (int j = 0; j < TARGET_N; j++) {
            double *pair = &v[i * TARGET_N + j];
            *pair += multipliers[j];
            if (i > 0)
                *pair += multipliers[i + TARGET_N - 1];
        }
}

static void evaluate(struct state *s)
{
    s->entropy = 0;
    for (int k = 0; k < TARGET_PAIRS; k++) {
        double t = log(s->x[k] / s->joint[k]);
        s->gradient[k] = t + 1;
        t = t + s->excess[k];
        s->entropy += s->x[k] * t;
        s->entropy_gradient[k] = t + 1;
    }
}

/* Computes the residuals. Returns the distance of the state from the solution. */
static double find_residuals(struct state *s)
{
    double dual, primal;

    for (int k = 0; k < TARGET_PAIRS; k++)
        s->dual[k] = -s->gradient[k] + s->multipliers[TARGET_ENTROPY] * s->entropy_gradient[k];
    add_multipliers(s->dual, s->multipliers);
    memcpy(s->primal, s->columns, TARGET_N * sizeof *s->primal);
    memcpy(s->primal + TARGET_N, s->rows + 1, (TARGET_N - 1) * sizeof *s->primal);
    add_sums(s->primal, s->x, -1);
    s->primal[TARGET_ENTROPY] = TARGET_RELATIVE_ENTROPY - s->entropy;
    dual = norm(s->dual, TARGET_PAIRS);
    primal = norm(s->primal, TARGET_MULTIPLIERS);
    return sqrt(dual * dual + primal * primal);
}

/* The 40 x 40 system: the constraints' matrix times the inverse diagonal times its transpose. */
static void build_system(struct state *s)
{
    double(*w)[TARGET_MULTIPLIERS] = s->system, weighted[TARGET_PAIRS];

    memset(s->system, 0, sizeof s->system);
    for (int i = 0; i < TARGET_N; i++)
        for (int j = 0; j < TARGET_N; j++) {
            double d = s->x[i * TARGET_N + j] / (1 - s->multipliers[TARGET_ENTROPY]);
            s->inverse[i * TARGET_N + j] = d;
            w[j][j] += d;
            if (i > 0) {
                w[i + TARGET_N - 1][j] += d;
                w[i + TARGET_N - 1][i + TARGET_N - 1] += d;
            }
        }
    for (int k = 0; k < TARGET_PAIRS; k++) {
        weighted[k] = s->inverse[k] * s->entropy_gradient[k];
        w[TARGET_ENTROPY][TARGET_ENTROPY] += s->entropy_gradient[k] * weighted[k];
    }
    add_sums(w[TARGET_ENTROPY], weighted, 1);
}

/*
 * Cholesky factorisation, in place. Each element subtracts its products in ascending order, as if it were computed by itself; the loop
 * subtracts one column from all columns to its right, so that the additions of a row do not wait for each other.
 */
static void factor(double w[TARGET_MULTIPLIERS][TARGET_MULTIPLIERS])
{
    for (int k = 0; k < TARGET_MULTIPLIERS; k++) {
        double column[TARGET_MULTIPLIERS] = {0};
        w[k][k] = sqrt(w[k][k]);
        for (int i = k + 1; i < TARGET_MULTIPLIERS; i++)
            column[i] = w[i][k] = w[i][k] / w[k][k];
        for (int i = k + 1; i < TARGET_MULTIPLIERS; i++)
            for (int j = k + 1; j <= i; j++)
                w[i][j] -= column[i] * column[j];
    }
}

static void solve(double w[TARGET_MULTIPLIERS][TARGET_MULTIPLIERS], double *b)
{
    for (int i = 0; i < TARGET_MULTIPLIERS; i++) {
        double t = b[i];
        for (int j = 0; j < i; j++)
            t -= w[i][j] * b[j];
        b[i] = t / w[i][i];
    }
    for (int j = TARGET_MULTIPLIERS - 1; j >= 0; j--) {
        b[j] /= w[j][j];
        for (int i = 0; i < j; i++)
            b[i] -= w[j][i] * b[j];
    }
}

/* Turns the residuals into the step. */
static void find_step(struct state *s)
{
    double weighted[TARGET_PAIRS];

    for (int k = 0; k < TARGET_PAIRS; k++)
        weighted[k] = s->dual[k] * s->inverse[k];
    add_sums(s->primal, weighted, -1);
    for (int k = 0; k < TARGET_PAIRS; k++)
        s->primal[TARGET_ENTROPY] -= s->entropy_gradient[k] * weighted[k];
    factor(s->system);
    solve(s->system, s->primal);
    for (int k = 0; k < TARGET_PAIRS; k++)
        s->dual[k] += s->entropy_gradient[k] * s->primal[TARGET_ENTROPY];
    add_multipliers(s->dual, s->primal);
    for (int k = 0; k < TARGET_PAIRS; k++)
        s->dual[k] *= s->inverse[k];
}

/* Takes the whole step, or as much of it as leaves all probabilities above 0. */
static void take_step(struct state *s)
{
    double length = 1 / TARGET_STEP_SHARE;

    for (int k = 0; k < TARGET_PAIRS; k++) {
        double to_border = -s->x[k] / s->dual[k];
        if (to_border >= 0 && to_border < length)
            length = to_border;
    }
    length *= TARGET_STEP_SHARE;
    for (int k = 0; k < TARGET_PAIRS; k++)
        s->x[k] += length * s->dual[k];
    for (int m = 0; m < TARGET_MULTIPLIERS; m++)
        s->multipliers[m] += length * s->primal[m];
}

bool target_frequencies(const double *joint, const double *rows, const double *columns, double *target, int *n_iterations)
{
    struct state s = {.joint = joint, .rows = rows, .columns = columns};
    double residual = HUGE_VAL;
    int n = 0;

    memcpy(s.x, joint, sizeof s.x);
    for (int k = 0; k < TARGET_PAIRS; k++)
        s.excess[k] = log(joint[k] / (rows[k / TARGET_N] * columns[k % TARGET_N]));
    while (n <= TARGET_MAX_ITERATIONS) {
        evaluate(&s);
        residual = find_residuals(&s);
        if (!(residual > TARGET_TOLERANCE)) /* true also if the residual is not a number */
            break;
        n++;
        if (n > TARGET_MAX_ITERATIONS)
            break;
        build_system(&s);
        find_step(&s);
        take_step(&s);
    }
    *n_iterations = n;
    memcpy(target, s.x, sizeof s.x);
    return n <= TARGET_MAX_ITERATIONS && residual <= TARGET_TOLERANCE && s.multipliers[TARGET_ENTROPY] < 1;
}

void target_frequencies_of(tms_simd simd, const double *joint, const struct logarithm_table *table, struct target_pair *pairs, size_t n)
{
#if TMS_HAVE_X86_SIMD
    if (simd == TMS_SIMD_AVX512 && n > 1) {
        target_frequencies_avx512(joint, table, pairs, n);
        return;
    }
    if (simd == TMS_SIMD_AVX2 && n > 1) {
        target_frequencies_avx2(joint, table, pairs, n);
        return;
    }
#endif
    (void)simd;
    (void)table;
    for (size_t i = 0; i < n; i++)
        pairs[i].converges = target_frequencies(joint, pairs[i].rows, pairs[i].columns, pairs[i].target, &pairs[i].n_iterations);
}
