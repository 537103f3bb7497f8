/*
 * target_warp.cuh - target_frequencies() by a warp, with the same bits.
 *
 * Every sum is added in the order of target_frequencies.c. A sum of a row or a column is a lane's; the two long sums of a step, of the
 * entropy and of the norm, are made by two lanes at once from terms that all lanes compute. A quotient by a number that is used often is
 * made of its reciprocal and two corrections, and rounded as a division is. Compile with -fmad=false.
 *
 * What several lanes read is in shared memory, little enough for 18 warps a multiprocessor: latency bounds this, so warps count. What one
 * lane keeps for itself from step to step is in global memory. Loops over the 400 elements are not unrolled; that costs a third of the
 * time.
 */
#ifndef TMS_TARGET_WARP_CUH
#define TMS_TARGET_WARP_CUH

#include "score/logarithm_core.h"
#include "score/target_core.h"

enum {
    TARGET_PITCH = TARGET_N + 2,                                 /* of a row in shared memory, so that columns lie in several banks */
    TARGET_TURNS = (TARGET_PAIRS + 31) / 32,                     /* of a warp over all elements */
    TARGET_TRIANGLE = (TARGET_N * (TARGET_N + 1) / 2 + 31) / 32, /* elements of the lower triangle that a lane has */
    TARGET_MOST = 100                                            /* iterations; 16 are the most that real proteins were seen to take */
};

/* Shared memory of a warp. Matrices have rows of TARGET_PITCH. */
struct target_work {
    double x[TARGET_N * TARGET_PITCH];                             /* the probabilities */
    double a[TARGET_N * TARGET_PITCH], b[TARGET_N * TARGET_PITCH]; /* terms of sums; then the factor; then the step */
    double multipliers[TARGET_MULTIPLIERS], primal[TARGET_MULTIPLIERS], terms[TARGET_MULTIPLIERS];
    double row_diagonal[TARGET_N], row_sum[TARGET_N], column[TARGET_N];
    uint32_t grows[16]; /* bit k: the scale of the norm grows with element k */
};

/* A warp's part of global memory: element k is read and written by lane k mod 32 alone. */
struct target_own {
    double excess[TARGET_PAIRS], entropy_gradient[TARGET_PAIRS], dual[TARGET_PAIRS];
};

/* What does not depend on the pair. */
struct target_constants {
    const double *joint, *of_joint; /* 20 x 20, and 1 over it */
    const double *entries;          /* of the logarithm's table, in shared memory */
    struct logarithm_coefficients logarithm;
};

/* A pair in progress. */
struct target_warp {
    const struct target_constants *constants;
    struct target_work *w;
    struct target_own *own;
    const double *rows, *columns;  /* the sums of the target's rows and columns */
    int lane, line;                /* line: the row and the column of this lane */
    int triangle[TARGET_TRIANGLE]; /* this lane's elements: 256 * row + column */
    double less, of_less;          /* 1 less the multiplier of the entropy, and 1 over it */
    double pivot, of_pivot;        /* the factor's diagonal, of this lane's column */
};

__device__ static inline int target_place(int k) { return k + k / TARGET_N * (TARGET_PITCH - TARGET_N); }

/*
 * a / b, rounded to nearest, where y is 1 / b, rounded to nearest: the second quotient is off by less than one place, so the third is right
 * [Markstein 1990].
 */
__device__ static inline double target_over(double a, double b, double y)
{
    double q = __dmul_rn(a, y);
    q = __fma_rn(__fma_rn(-b, q, a), y, q);
    return __fma_rn(__fma_rn(-b, q, a), y, q);
}

__device__ static inline double target_logarithm(const struct target_warp *t, double x)
{
    return logarithm_of(&t->constants->logarithm, t->constants->entries, x);
}

/* A norm in progress: norm() of target_frequencies.c divides each number by the largest so far. */
struct target_scale {
    double scale, of_scale; /* of_scale: 1 / scale */
};

/* What the norm's sum takes for the next 32 numbers, this lane's being v. Sets bit i of *grows if the scale grows with number i. */
__device__ static inline double target_norm_term(double v, int lane, struct target_scale *s, uint32_t *grows)
{
    const double size = fabs(v);
    double before = s->scale;
    if (__ballot_sync(~0u, before < size) == 0) {
        *grows = 0;
        const double ratio = target_over(size, before, s->of_scale);
        return v == 0 ? 0 : ratio * ratio;
    }
    double top = size == size ? size : 0; /* rare, but for the first numbers */
    for (int d = 1; d < 32; d *= 2) {
        const double other = __shfl_up_sync(~0u, top, d);
        if (lane >= d && other > top)
            top = other;
    }
    const double left = __shfl_up_sync(~0u, top, 1), last = __shfl_sync(~0u, top, 31);
    if (lane > 0 && left > before)
        before = left;
    s->scale = last > s->scale ? last : s->scale;
    s->of_scale = 1 / s->scale;
    const bool mine_grows = before < size;
    const double ratio = (mine_grows ? before : size) / (mine_grows ? size : before);
    *grows = __ballot_sync(~0u, mine_grows);
    return v == 0 ? 0 : mine_grows ? ratio : ratio * ratio;
}

/* Adds a term to the sum of a norm. */
__device__ static inline double target_norm_add(double sum, double term, bool grows) { return grows ? 1 + sum * term * term : sum + term; }

/* Adds 20 x 20 terms in order; those of a norm, whose bits are `grows`, with is_norm. A lane beside it passes the same bits, or NULL. */
__device__ static __noinline__ double target_sum(const double *terms, double sum, const uint32_t *grows, bool is_norm)
{
#pragma unroll 1
    for (int i = 0; i < TARGET_N; i++) {
        const double *row = terms + i * TARGET_PITCH;
        const int at = i * TARGET_N;
        const uint32_t bits = grows != NULL ? __funnelshift_r(grows[at / 32], grows[at / 32 + 1], at % 32) & ((1u << TARGET_N) - 1) : 0;
        double2 two[TARGET_N / 2];
#pragma unroll
        for (int j = 0; j < TARGET_N / 2; j++)
            two[j] = *(const double2 *)(row + 2 * j);
        if (bits == 0) {
#pragma unroll
            for (int j = 0; j < TARGET_N / 2; j++) {
                sum += two[j].x;
                sum += two[j].y;
            }
        } else {
#pragma unroll 4
            for (int j = 0; j < TARGET_N; j++)
                sum = target_norm_add(sum, row[j], is_norm && (bits >> j & 1));
        }
    }
    return sum;
}

/* Begins a pair: the probabilities are the joint ones. */
__device__ static __forceinline__ void target_begin(struct target_warp *t)
{
    struct target_work *w = t->w;
#pragma unroll
    for (int r = 0; r < TARGET_TRIANGLE; r++) {
        const int e = min(t->lane + 32 * r, TARGET_N * (TARGET_N + 1) / 2 - 1);
        int row = 0;
        while ((row + 1) * (row + 2) / 2 <= e)
            row++;
        t->triangle[r] = row << 8 | (e - row * (row + 1) / 2);
    }
#pragma unroll 1
    for (int r = 0; r < TARGET_TURNS; r++) {
        const int k = min(t->lane + 32 * r, TARGET_PAIRS - 1);
        const double q = t->constants->joint[k];
        const double excess = target_logarithm(t, q / (t->rows[k / TARGET_N] * t->columns[k % TARGET_N]));
        if (t->lane + 32 * r < TARGET_PAIRS) {
            w->x[target_place(k)] = q;
            t->own->excess[k] = excess;
        }
    }
#pragma unroll 1
    for (int m = t->lane; m < TARGET_MULTIPLIERS; m += 32)
        w->multipliers[m] = 0;
    __syncwarp();
}

/* evaluate(), and the duals of find_residuals(): leaves the entropy's terms in w->a, those of the duals' norm in w->b. */
__device__ static __forceinline__ void target_evaluate(const struct target_warp *t, bool is_first, struct target_scale *scale)
{
    struct target_work *w = t->w;
    const struct target_constants *c = t->constants;
    const double of_entropy = w->multipliers[TARGET_ENTROPY];
#pragma unroll 1
    for (int r = 0; r < TARGET_TURNS; r++) {
        const int k = t->lane + 32 * r, kk = min(k, TARGET_PAIRS - 1), i = kk / TARGET_N, j = kk - i * TARGET_N, p = i * TARGET_PITCH + j;
        const double x = w->x[p];
        const double log_ratio = is_first ? 0 : target_logarithm(t, target_over(x, c->joint[kk], c->of_joint[kk]));
        const double in_excess = log_ratio + t->own->excess[kk], g = in_excess + 1;
        double dual = -(log_ratio + 1) + of_entropy * g + w->multipliers[j];
        uint32_t grows;
        if (i > 0)
            dual = dual + w->multipliers[i + TARGET_N - 1];
        if (k >= TARGET_PAIRS)
            dual = 0;
        const double term = target_norm_term(dual, t->lane, scale, &grows);
        if (t->lane == 0)
            w->grows[r] = grows;
        if (k < TARGET_PAIRS) {
            t->own->entropy_gradient[k] = g;
            t->own->dual[k] = dual;
            w->a[p] = x * in_excess;
            w->b[p] = term;
        }
    }
}

/* The norm of the 40 primal residuals. */
__device__ static __forceinline__ double target_primal_norm(const struct target_warp *t)
{
    struct target_work *w = t->w;
    struct target_scale scale = {0, 0};
    uint32_t grows[2];
    const double first = target_norm_term(w->primal[t->lane], t->lane, &scale, &grows[0]);
    const double second = target_norm_term(t->lane < TARGET_MULTIPLIERS - 32 ? w->primal[t->lane + 32] : 0, t->lane, &scale, &grows[1]);
    double sum = 1;
    w->terms[t->lane] = first;
    if (t->lane < TARGET_MULTIPLIERS - 32)
        w->terms[t->lane + 32] = second;
    __syncwarp();
#pragma unroll 4
    for (int m = 0; m < TARGET_MULTIPLIERS; m++)
        sum = target_norm_add(sum, w->terms[m], (m < 32 ? grows[0] >> m : grows[1] >> (m - 32)) & 1);
    return scale.scale * sqrt(sum);
}

/* evaluate() and find_residuals(). Returns the distance from the solution. */
__device__ static __forceinline__ double target_residual(const struct target_warp *t, bool is_first)
{
    struct target_work *w = t->w;
    struct target_scale scale = {0, 0};
    double of_column = t->columns[t->line], of_row = t->rows[t->line], sum = 0;
    target_evaluate(t, is_first, &scale);
#pragma unroll 4
    for (int i = 0; i < TARGET_N; i++) {
        of_column = of_column - w->x[i * TARGET_PITCH + t->line];
        of_row = of_row - w->x[t->line * TARGET_PITCH + i];
    }
    __syncwarp();
    if (t->lane < TARGET_N) {
        w->primal[t->lane] = of_column;
        if (t->lane > 0)
            w->primal[t->lane + TARGET_N - 1] = of_row;
    }
    if (t->lane < 2) /* of the entropy, and of the duals' norm, which begins with 1 */
        sum = target_sum(t->lane == 0 ? w->a : w->b, t->lane, w->grows, t->lane == 1);
    __syncwarp();
    const double entropy = __shfl_sync(~0u, sum, 0), dual = scale.scale * sqrt(__shfl_sync(~0u, sum, 1));
    if (t->lane == 0)
        w->primal[TARGET_ENTROPY] = TARGET_RELATIVE_ENTROPY - entropy;
    __syncwarp();
    const double primal = target_primal_norm(t);
    return sqrt(dual * dual + primal * primal);
}

/*
 * build_system(), and the right side of find_step(). Leaves the factor's first 20 columns in w->a, the diagonal of the rest in
 * w->row_diagonal and w->row_sum, and the right side in w->primal. Returns the system's last element.
 */
__device__ static __forceinline__ double target_build(struct target_warp *t)
{
    struct target_work *w = t->w;
    const int line = t->line;
    double diagonal = 0, sum = 0, of_column = w->primal[line], row_diagonal = 0, row_sum = 0, ends = 0;
    double of_row = line > 0 ? w->primal[line + TARGET_N - 1] : 0;
    t->less = 1 - w->multipliers[TARGET_ENTROPY];
    t->of_less = 1 / t->less;
#pragma unroll 1
    for (int k = t->lane; k < TARGET_PAIRS; k += 32) {
        const int p = target_place(k);
        const double inverse = target_over(w->x[p], t->less, t->of_less);
        w->a[p] = inverse * t->own->entropy_gradient[k];
        w->b[p] = t->own->dual[k] * inverse;
    }
    __syncwarp();
#pragma unroll 4
    for (int i = 0; i < TARGET_N; i++) {
        const int p = i * TARGET_PITCH + line, q = line * TARGET_PITCH + i;
        diagonal = diagonal + target_over(w->x[p], t->less, t->of_less);
        sum = sum + w->a[p];
        of_column = of_column - w->b[p];
        row_diagonal = row_diagonal + target_over(w->x[q], t->less, t->of_less);
        row_sum = row_sum + w->a[q];
        of_row = of_row - w->b[q];
    }
    t->pivot = sqrt(diagonal);
    t->of_pivot = 1 / t->pivot;
    __syncwarp();
#pragma unroll 1
    for (int k = t->lane; k < TARGET_PAIRS; k += 32) {
        const int p = target_place(k);
        const double g = t->own->entropy_gradient[k];
        w->a[p] = g * w->a[p];
        w->b[p] = -(g * w->b[p]);
    }
    __syncwarp();
    if (t->lane < 2)
        ends = target_sum(t->lane == 0 ? w->a : w->b, t->lane == 0 ? 0 : w->primal[TARGET_ENTROPY], NULL, false);
    __syncwarp();
    const double corner = __shfl_sync(~0u, ends, 0), last = __shfl_sync(~0u, ends, 1);
    if (t->lane < TARGET_N) {
        w->primal[t->lane] = of_column;
        if (t->lane > 0)
            w->primal[t->lane + TARGET_N - 1] = of_row;
        w->row_diagonal[t->lane] = row_diagonal;
        w->row_sum[t->lane] = row_sum;
#pragma unroll 5
        for (int i = 1; i < TARGET_N; i++)
            w->a[(i - 1) * TARGET_PITCH + t->lane] = target_over(target_over(w->x[i * TARGET_PITCH + t->lane], t->less, t->of_less),
                                                                 t->pivot, t->of_pivot);
        w->a[(TARGET_N - 1) * TARGET_PITCH + t->lane] = target_over(sum, t->pivot, t->of_pivot);
    }
    if (t->lane == 0)
        w->primal[TARGET_ENTROPY] = last;
    __syncwarp();
    return corner;
}

/* factor(): of the lower right 20 x 20; the first 20 columns are diagonal above w->a. Leaves it in w->b, and returns this lane's pivot. */
__device__ static __forceinline__ double target_factor(const struct target_warp *t, double corner)
{
    struct target_work *w = t->w;
    const double *L = w->a;
    double *T = w->b, e[TARGET_TRIANGLE], own_root = 1;
#pragma unroll
    for (int r = 0; r < TARGET_TRIANGLE; r++) {
        const int i = t->triangle[r] >> 8, j = t->triangle[r] & 255;
        e[r] = i < TARGET_N - 1 ? (i == j ? w->row_diagonal[i + 1] : 0) : j < TARGET_N - 1 ? w->row_sum[j + 1] : corner;
    }
#pragma unroll 4
    for (int k = 0; k < TARGET_N; k++)
#pragma unroll
        for (int r = 0; r < TARGET_TRIANGLE; r++)
            e[r] = e[r] - L[(t->triangle[r] >> 8) * TARGET_PITCH + k] * L[(t->triangle[r] & 255) * TARGET_PITCH + k];
#pragma unroll 1
    for (int k = 0; k < TARGET_N; k++) {
#pragma unroll
        for (int r = 0; r < TARGET_TRIANGLE; r++)
            if ((t->triangle[r] & 255) == k)
                w->column[t->triangle[r] >> 8] = e[r];
        __syncwarp();
        const double root = sqrt(w->column[k]);
        if (t->lane == k)
            own_root = root;
        if (t->lane > k && t->lane < TARGET_N)
            T[t->lane * TARGET_PITCH + k] = w->column[t->lane] / root;
        __syncwarp();
#pragma unroll
        for (int r = 0; r < TARGET_TRIANGLE; r++)
            if ((t->triangle[r] & 255) > k)
                e[r] = e[r] - T[(t->triangle[r] >> 8) * TARGET_PITCH + k] * T[(t->triangle[r] & 255) * TARGET_PITCH + k];
    }
    return own_root;
}

/* solve(): leaves the multipliers' step in w->primal. */
__device__ static __forceinline__ void target_solve(const struct target_warp *t, double own_root)
{
    struct target_work *w = t->w;
    const double *L = w->a, *T = w->b, of_root = 1 / own_root;
    const int lane = t->lane, line = t->line;
    double b0 = target_over(w->primal[line], t->pivot, t->of_pivot), b1 = w->primal[TARGET_N + line];
    if (lane < TARGET_N)
        w->column[lane] = b0;
    __syncwarp();
#pragma unroll 5
    for (int j = 0; j < TARGET_N; j++)
        b1 = b1 - L[line * TARGET_PITCH + j] * w->column[j];
#pragma unroll 1
    for (int j = 0; j < TARGET_N; j++) {
        const double q = target_over(b1, own_root, of_root), b = __shfl_sync(~0u, q, j);
        if (lane == j)
            b1 = q;
        else if (lane > j && lane < TARGET_N)
            b1 = b1 - T[line * TARGET_PITCH + j] * b;
    }
#pragma unroll 1
    for (int i = TARGET_N - 1; i >= 0; i--) {
        const double q = target_over(b1, own_root, of_root), b = __shfl_sync(~0u, q, i);
        b0 = b0 - L[i * TARGET_PITCH + line] * b;
        if (lane == i)
            b1 = q;
        else if (lane < i)
            b1 = b1 - T[i * TARGET_PITCH + line] * b;
    }
    b0 = target_over(b0, t->pivot, t->of_pivot);
    __syncwarp();
    if (lane < TARGET_N) {
        w->primal[lane] = b0;
        w->primal[TARGET_N + lane] = b1;
    }
    __syncwarp();
}

/* The end of find_step(), and take_step(). */
__device__ static __forceinline__ void target_step(const struct target_warp *t)
{
    struct target_work *w = t->w;
    const double of_entropy = w->primal[TARGET_ENTROPY];
    double length = 1 / TARGET_STEP_SHARE;
#pragma unroll 1
    for (int k = t->lane; k < TARGET_PAIRS; k += 32) {
        const int i = k / TARGET_N, j = k - i * TARGET_N, p = i * TARGET_PITCH + j;
        const double x = w->x[p];
        double d = t->own->dual[k] + t->own->entropy_gradient[k] * of_entropy + w->primal[j];
        if (i > 0)
            d = d + w->primal[i + TARGET_N - 1];
        d = d * target_over(x, t->less, t->of_less);
        w->a[p] = d;
        if (d < 0 && -x >= length * d * 1.0000001) { /* otherwise the border is certainly not nearer */
            const double to_border = -x / d;
            if (to_border >= 0 && to_border < length)
                length = to_border;
        }
    }
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        const double other = __shfl_xor_sync(~0u, length, d);
        length = other < length ? other : length;
    }
    length = length * TARGET_STEP_SHARE;
#pragma unroll 1
    for (int k = t->lane; k < TARGET_PAIRS; k += 32) {
        const int p = target_place(k);
        w->x[p] = w->x[p] + length * w->a[p];
    }
#pragma unroll 1
    for (int m = t->lane; m < TARGET_MULTIPLIERS; m += 32)
        w->multipliers[m] = w->multipliers[m] + length * w->primal[m];
    __syncwarp();
}

/*
 * target_warp_solve() - as target_frequencies(), but gives up after TARGET_MOST iterations, for which other warps would wait. The target is
 * left in w->x. Returns false also where a logarithm is not that of a normal positive number.
 */
__device__ static __forceinline__ bool target_warp_solve(struct target_warp *t)
{
    double residual;
    int n = 0;
    target_begin(t);
    for (bool is_first = true;; is_first = false) {
        residual = target_residual(t, is_first);
        if (!(residual > TARGET_TOLERANCE) || ++n > TARGET_MOST)
            break;
        __syncwarp();
        const double corner = target_build(t);
        target_solve(t, target_factor(t, corner));
        target_step(t);
    }
    __syncwarp();
    const bool is_solved = n <= TARGET_MOST && residual <= TARGET_TOLERANCE && t->w->multipliers[TARGET_ENTROPY] < 1;
    __syncwarp();
    return is_solved;
}

#endif
