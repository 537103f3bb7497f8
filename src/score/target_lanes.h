/*
 * target_lanes.h - target_frequencies() for several pairs of sequences at once, each in a lane of vectors. A file that includes it first
 * defines the vectors and their operations:
 *   V_SIMD, LANES, vector            its name, and doubles; + - * / work lane by lane
 *   v_all(), v_load(), v_store(), v_sqrt(), v_size()
 *   v_below(a, b), v_at_least(a, b), v_is_0(a), v_pick(lanes, a, b)  comparisons, false for NaN; a in these lanes, else b
 *   v_is_any(lanes), v_min(a, b)     whether any lane is set; a where a < b, else b
 *
 * In each lane the operations and their order are those of the plain form, and so are the results, to the last bit. The vector form only
 * omits subtractions of 0: in the 40 x 40 system the sums of two columns have no element in common, so the first 20 rows of Cholesky's
 * factor are a diagonal. (If a number is infinite, the scalar form multiplies it by 0 and gets NaN where this form keeps a number. In both
 * forms the next residual is NaN, which ends the pair without a result.)
 *
 * A lane whose pair has ended takes the next pair. A lane without a pair contains NaN, which costs no time.
 */
#ifndef TMS_TARGET_LANES_H
#define TMS_TARGET_LANES_H

#include <math.h>
#include <stddef.h>

#include "score/logarithms.h"
#include "score/target_core.h"
#include "score/target_frequencies.h"

enum { BLOCK = 4 /* rows of the factor */ };

typedef double lanes[LANES];

struct state {
    const double *joint;
    const struct logarithm_table *table;
    struct target_pair *pairs;
    size_t n_pairs, next, n_done;
    struct target_pair *pair[LANES]; /* NULL: the lane has no pair */
    int n_iterations[LANES];
    /* State of each lane, as in the plain form. */
    _Alignas(64) lanes rows[TARGET_N], columns[TARGET_N];
    lanes x[TARGET_PAIRS], multipliers[TARGET_MULTIPLIERS], excess[TARGET_PAIRS], entropy_gradient[TARGET_PAIRS], dual[TARGET_PAIRS],
        primal[TARGET_MULTIPLIERS], inverse[TARGET_PAIRS];
    lanes diagonal[TARGET_N];                   /* the first 20 rows of the system, which are diagonal */
    lanes system[TARGET_N][TARGET_MULTIPLIERS]; /* the other rows of the system, the lower triangle */
    lanes residual;
};

/* Starts the next pair in a lane, if there is a next pair. */
static void begin_pair(struct state *s, int lane)
{
    struct target_pair *pair = s->next < s->n_pairs ? &s->pairs[s->next++] : NULL;
    double excess[TARGET_PAIRS];

    for (int k = 0; k < TARGET_PAIRS && pair != NULL; k++)
        excess[k] = s->joint[k] / (pair->rows[k / TARGET_N] * pair->columns[k % TARGET_N]);
    if (pair != NULL)
        logarithms(V_SIMD, s->table, excess, TARGET_PAIRS);
    s->pair[lane] = pair;
    s->n_iterations[lane] = 0;
    for (int j = 0; j < TARGET_N; j++) {
        s->rows[j][lane] = pair != NULL ? pair->rows[j] : NAN;
        s->columns[j][lane] = pair != NULL ? pair->columns[j] : NAN;
    }
    for (int k = 0; k < TARGET_PAIRS; k++) {
        s->x[k][lane] = pair != NULL ? s->joint[k] : NAN;
        s->excess[k][lane] = pair != NULL ? excess[k] : NAN;
    }
    for (int m = 0; m < TARGET_MULTIPLIERS; m++)
        s->multipliers[m][lane] = pair != NULL ? 0 : NAN;
}

static void end_pair(struct state *s, int lane)
{
    struct target_pair *pair = s->pair[lane];

    pair->n_iterations = s->n_iterations[lane];
    pair->converges = pair->n_iterations <= TARGET_MAX_ITERATIONS && s->residual[lane] <= TARGET_TOLERANCE &&
                      s->multipliers[TARGET_ENTROPY][lane] < 1;
    for (int k = 0; k < TARGET_PAIRS; k++)
        pair->target[k] = s->x[k][lane];
    s->n_done++;
}

/* --- residuals --- */

static vector norm(const lanes *v, int n)
{
    vector sum = v_all(1), scale = v_all(0);

    for (int i = 0; i < n; i++) {
        const vector value = v_load(v[i]), size = v_size(value);
        if (!v_is_any(v_below(scale, size))) { /* the usual case: a chain of additions only */
            const vector ratio = size / scale;
            sum = v_pick(v_is_0(value), sum, sum + ratio * ratio);
        } else {
            const vector ratio = v_pick(v_below(scale, size), scale, size) / v_pick(v_below(scale, size), size, scale);
            const vector above = v_all(1) + sum * ratio * ratio, below = sum + ratio * ratio;
            sum = v_pick(v_is_0(value), sum, v_pick(v_below(scale, size), above, below));
            scale = v_pick(v_below(scale, size), size, scale);
        }
    }
    return scale * v_sqrt(sum);
}

/* The logarithms of a row's x / q, in the lanes that have a pair. In the first iteration x is q. */
static void find_logs(const struct state *s, int row, lanes logs[TARGET_N])
{
    for (int j = 0; j < TARGET_N; j++)
        v_store(logs[j], v_load(s->x[row * TARGET_N + j]) / v_all(s->joint[row * TARGET_N + j]));
    for (int lane = 0; lane < LANES; lane++)
        for (int j = 0; j < TARGET_N && s->n_iterations[lane] == 0; j++)
            logs[j][lane] = 1;
    logarithms(V_SIMD, s->table, (double *)logs, TARGET_N * LANES);
}

/* Computes the gradients at x, and the distance of x from the solution. */
static void evaluate(struct state *s)
{
    const vector one = v_all(1), multiplier = v_load(s->multipliers[TARGET_ENTROPY]);
    vector entropy = v_all(0), columns[TARGET_N], dual, primal;

    for (int j = 0; j < TARGET_N; j++)
        columns[j] = v_load(s->columns[j]);
    for (int i = 0; i < TARGET_N; i++) {
        const vector of_row = v_load(s->multipliers[i > 0 ? i + TARGET_N - 1 : 0]);
        _Alignas(64) lanes logs[TARGET_N];
        vector row = v_load(s->rows[i]);
        find_logs(s, i, logs);
        for (int j = 0; j < TARGET_N; j++) {
            const int k = i * TARGET_N + j;
            const vector t = v_load(logs[j]), x = v_load(s->x[k]), in_excess = t + v_load(s->excess[k]), gradient = in_excess + one;
            vector d = -(t + one) + multiplier * gradient + v_load(s->multipliers[j]);
            entropy = entropy + x * in_excess;
            columns[j] = columns[j] - x;
            row = row - x;
            v_store(s->entropy_gradient[k], gradient);
            if (i > 0)
                d = d + of_row;
            v_store(s->dual[k], d);
        }
        if (i > 0)
            v_store(s->primal[i + TARGET_N - 1], row);
    }
    for (int j = 0; j < TARGET_N; j++)
        v_store(s->primal[j], columns[j]);
    v_store(s->primal[TARGET_ENTROPY], v_all(TARGET_RELATIVE_ENTROPY) - entropy);
    dual = norm(s->dual, TARGET_PAIRS);
    primal = norm(s->primal, TARGET_MULTIPLIERS);
    v_store(s->residual, v_sqrt(dual * dual + primal * primal));
}

/* --- the step --- */

/* Builds the system and its right side. */
static void build_system(struct state *s)
{
    const vector zero = v_all(0), less = v_all(1) - v_load(s->multipliers[TARGET_ENTROPY]);
    vector diagonal[TARGET_N], sums[TARGET_N], primal[TARGET_N], corner = zero, last = v_load(s->primal[TARGET_ENTROPY]);

    for (int j = 0; j < TARGET_N; j++) {
        diagonal[j] = sums[j] = zero;
        primal[j] = v_load(s->primal[j]);
    }
    for (int i = 0; i < TARGET_N; i++) {
        vector row_diagonal = zero, row_sum = zero, row_primal = i > 0 ? v_load(s->primal[i + TARGET_N - 1]) : zero;
        for (int j = 0; j < TARGET_N; j++) {
            const int k = i * TARGET_N + j;
            const vector inverse = v_load(s->x[k]) / less, gradient = v_load(s->entropy_gradient[k]);
            const vector of_system = inverse * gradient, of_dual = v_load(s->dual[k]) * inverse;
            v_store(s->inverse[k], inverse);
            diagonal[j] = diagonal[j] + inverse;
            row_diagonal = row_diagonal + inverse;
            corner = corner + gradient * of_system;
            sums[j] = sums[j] + of_system;
            row_sum = row_sum + of_system;
            primal[j] = primal[j] - of_dual;
            row_primal = row_primal - of_dual;
            last = last - gradient * of_dual;
            if (i > 0)
                v_store(s->system[i - 1][j], inverse);
        }
        if (i > 0) {
            v_store(s->system[i - 1][i + TARGET_N - 1], row_diagonal);
            v_store(s->system[TARGET_N - 1][i + TARGET_N - 1], row_sum);
            v_store(s->primal[i + TARGET_N - 1], row_primal);
        }
        for (int k = TARGET_N; k < i + TARGET_N - 1; k++) /* two rows have no element in common either */
            v_store(s->system[i - 1][k], zero);
    }
    for (int j = 0; j < TARGET_N; j++) {
        v_store(s->diagonal[j], diagonal[j]);
        v_store(s->system[TARGET_N - 1][j], sums[j]);
        v_store(s->primal[j], primal[j]);
    }
    v_store(s->system[TARGET_N - 1][TARGET_ENTROPY], corner);
    v_store(s->primal[TARGET_ENTROPY], last);
}

/* Cholesky factorisation, in place: each element subtracts its products in ascending order. */
static void factor(struct state *s)
{
    for (int k = 0; k < TARGET_N; k++) {
        const vector pivot = v_sqrt(v_load(s->diagonal[k]));
        v_store(s->diagonal[k], pivot);
        for (int i = 0; i < TARGET_N; i++)
            v_store(s->system[i][k], v_load(s->system[i][k]) / pivot);
    }
    for (int j = 0; j < TARGET_N; j++)
        for (int first = j; first < TARGET_N; first += BLOCK) {
            const int n = TARGET_N - first < BLOCK ? TARGET_N - first : BLOCK;
            const lanes *rows[BLOCK] = {NULL};
            vector t[BLOCK];
            for (int i = 0; i < BLOCK; i++) {
                rows[i] = s->system[first + (i < n ? i : 0)];
                t[i] = v_load(rows[i][TARGET_N + j]);
            }
            for (int k = 0; k < TARGET_N + j; k++) {
                const vector of_column = v_load(s->system[j][k]);
                for (int i = 0; i < BLOCK; i++)
                    t[i] = t[i] - v_load(rows[i][k]) * of_column;
            }
            for (int i = 0; i < n; i++) {
                t[i] = first + i == j ? v_sqrt(t[i]) : (vector)(t[i] / v_load(s->system[j][TARGET_N + j]));
                v_store(s->system[first + i][TARGET_N + j], t[i]);
            }
        }
}

/* Solves for the step of the multipliers. */
static void solve(struct state *s)
{
    vector b[TARGET_MULTIPLIERS];

    for (int j = 0; j < TARGET_N; j++)
        b[j] = v_load(s->primal[j]) / v_load(s->diagonal[j]);
    for (int i = 0; i < TARGET_N; i++) {
        vector t = v_load(s->primal[TARGET_N + i]);
        for (int j = 0; j < TARGET_N + i; j++)
            t = t - v_load(s->system[i][j]) * b[j];
        b[TARGET_N + i] = t / v_load(s->system[i][TARGET_N + i]);
    }
    for (int i = TARGET_N - 1; i >= 0; i--) {
        b[TARGET_N + i] = b[TARGET_N + i] / v_load(s->system[i][TARGET_N + i]);
        for (int j = 0; j < TARGET_N + i; j++)
            b[j] = b[j] - v_load(s->system[i][j]) * b[TARGET_N + i];
    }
    for (int j = 0; j < TARGET_N; j++)
        b[j] = b[j] / v_load(s->diagonal[j]);
    for (int m = 0; m < TARGET_MULTIPLIERS; m++)
        v_store(s->primal[m], b[m]);
}

/* Takes the whole step, or as much of it as leaves all probabilities above 0. */
static void take_step(struct state *s)
{
    const vector zero = v_all(0), of_entropy = v_load(s->primal[TARGET_ENTROPY]);
    const vector whole = v_all(1 / TARGET_STEP_SHARE);
    vector length = whole;

    for (int i = 0; i < TARGET_N; i++)
        for (int j = 0; j < TARGET_N; j++) {
            const int k = i * TARGET_N + j;
            vector d = v_load(s->dual[k]) + v_load(s->entropy_gradient[k]) * of_entropy + v_load(s->primal[j]), to_border;
            if (i > 0)
                d = d + v_load(s->primal[i + TARGET_N - 1]);
            d = d * v_load(s->inverse[k]);
            v_store(s->dual[k], d);
            to_border = -v_load(s->x[k]) / d;
            length = v_min(v_pick(v_at_least(to_border, zero), to_border, whole), length);
        }
    length = length * v_all(TARGET_STEP_SHARE);
    for (int k = 0; k < TARGET_PAIRS; k++)
        v_store(s->x[k], v_load(s->x[k]) + length * v_load(s->dual[k]));
    for (int m = 0; m < TARGET_MULTIPLIERS; m++)
        v_store(s->multipliers[m], v_load(s->multipliers[m]) + length * v_load(s->primal[m]));
}

/* Counts an iteration, and ends the pairs that need no further one. Returns their lanes, as bits. */
static unsigned end_pairs(struct state *s)
{
    unsigned ended = 0;

    for (int lane = 0; lane < LANES; lane++)
        if (s->pair[lane] != NULL && (!(s->residual[lane] > TARGET_TOLERANCE) || ++s->n_iterations[lane] > TARGET_MAX_ITERATIONS)) {
            end_pair(s, lane);
            ended |= 1u << lane;
        }
    return ended;
}

static void solve_pairs(const double *joint, const struct logarithm_table *table, struct target_pair *pairs, size_t n)
{
    struct state s;

    s.joint = joint;
    s.table = table;
    s.pairs = pairs;
    s.n_pairs = n;
    s.next = s.n_done = 0;
    for (int lane = 0; lane < LANES; lane++)
        begin_pair(&s, lane);
    for (;;) {
        unsigned ended;
        evaluate(&s);
        ended = end_pairs(&s);
        if (s.n_done == n)
            return;
        build_system(&s);
        factor(&s);
        solve(&s);
        take_step(&s);
        for (int lane = 0; lane < LANES; lane++)
            if (ended >> lane & 1) /* these lanes' step belonged to the pair before */
                begin_pair(&s, lane);
    }
}

#endif
