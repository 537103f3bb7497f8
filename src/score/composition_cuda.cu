/*
 * composition_cuda.cu - a warp makes the matrix of a pair: target frequencies (target_warp.cuh), then their scores, as put_scores() of
 * composition.c does; or the scaled scores, as scale() does. Compile with -fmad=false.
 */
#include "score/composition_cuda.h"

#include <math.h>

#include "device/gpu_internal.cuh"
#include "score/karlin_core.h"
#include "score/target_warp.cuh"

#define SAMPLES 4096 /* logarithms that are compared with log() */

enum { MOST_WARPS = 18 /* of a multiprocessor: one block */, SCORES = RESIDUE_CODES * RESIDUE_CODES };

static_assert(sizeof(((struct target_work *)0)->a) + sizeof(((struct target_work *)0)->b) >= SCORES * sizeof(double) &&
                  offsetof(struct target_work, b) == offsetof(struct target_work, a) + sizeof(((struct target_work *)0)->a),
              "the matrix of scores takes the place of a and b");
static_assert(3 * TARGET_MULTIPLIERS >= 4 * RESIDUE_CODES &&
                  offsetof(struct target_work, terms) ==
                      offsetof(struct target_work, multipliers) + 2 * TARGET_MULTIPLIERS * sizeof(double),
              "the codes' shares and averages take the place of multipliers, primal and terms");
static_assert(sizeof(struct composition_gpu_pair) + sizeof(uint8_t) + sizeof(int16_t) * SCORES <= COMPOSITION_GPU_PAIR_BYTES,
              "device memory of a pair");

/* What all pairs share, in device memory. */
struct constants {
    double joint[TARGET_PAIRS], of_joint[TARGET_PAIRS]; /* and 1 over it */
    double entries[LOGARITHM_ENTRIES];
    double samples[SAMPLES];
    double logs[SCORES]; /* of the matrix's ratios */
    int16_t standard[SCORES];
};

struct args {
    const struct constants *constants;
    struct logarithm_coefficients logarithm;
    double lambda, start; /* start: e to the power of -lambda */
    int lowest, highest;  /* range of `standard` */
    const double *rows, *shares;
    const struct composition_gpu_pair *pairs;
    uint32_t n;
    struct target_own *own; /* a warp's */
    uint32_t *next;
    int16_t *scores;
    uint8_t *is_made;
};

/* The codes of A R N D C Q E G H I L K M F P S T W Y V. */
__device__ static const int codes[TARGET_N] = {1, 16, 13, 4, 3, 15, 5, 7, 8, 9, 11, 10, 12, 6, 14, 17, 18, 20, 22, 19};

__device__ static inline bool is_amino_acid(int code) { return code == 1 || (code >= 3 && code <= 20) || code == 22; }

/* A matrix of codes in progress; the arrays lie in a warp's target_work. */
struct code_matrix {
    double *m, *rows, *columns, *row_average, *column_average;
};

__device__ static inline void add_ambiguous(double *v, int step)
{
    v[CODE_B * step] = v[CODE_D * step] + v[CODE_N * step];
    v[CODE_Z * step] = v[CODE_E * step] + v[CODE_Q * step];
    v[CODE_J * step] = v[CODE_I * step] + v[CODE_L * step];
}

/* The place of a pair's matrix, with the pair's shares of the codes. */
__device__ static __forceinline__ struct code_matrix place(const struct target_warp *t)
{
    double *lists = (double *)((char *)t->w + offsetof(struct target_work, multipliers));
    const struct code_matrix c = {(double *)((char *)t->w + offsetof(struct target_work, a)), lists, lists + RESIDUE_CODES,
                                  lists + 2 * RESIDUE_CODES, lists + 3 * RESIDUE_CODES};
#pragma unroll 1
    for (int k = t->lane; k < 2 * RESIDUE_CODES; k += 32)
        c.rows[k] = 0;
    __syncwarp();
    if (t->lane < TARGET_N) {
        c.rows[codes[t->lane]] = t->rows[t->lane];
        c.columns[codes[t->lane]] = t->columns[t->lane];
    }
    __syncwarp();
    return c;
}

/* Spreads the target over the codes, and the shares over the ambiguous ones. */
__device__ static __forceinline__ struct code_matrix spread(const struct target_warp *t)
{
    struct target_work *w = t->w;
    double total = 0;
#pragma unroll 1
    for (int i = 0; i < TARGET_N; i++)
#pragma unroll 10
        for (int j = 0; j < TARGET_N; j++)
            total += w->x[i * TARGET_PITCH + j];
    const double of_total = 1 / total;
    const struct code_matrix c = place(t);
#pragma unroll 1
    for (int k = t->lane; k < SCORES; k += 32)
        c.m[k] = 0;
    __syncwarp();
#pragma unroll 1
    for (int k = t->lane; k < TARGET_PAIRS; k += 32)
        c.m[codes[k / TARGET_N] * RESIDUE_CODES + codes[k % TARGET_N]] = target_over(w->x[target_place(k)], total, of_total);
    __syncwarp();
    if (t->lane < TARGET_N)
        add_ambiguous(c.m + codes[t->lane] * RESIDUE_CODES, 1);
    else if (t->lane < TARGET_N + 2)
        add_ambiguous(t->lane == TARGET_N ? c.rows : c.columns, 1);
    __syncwarp();
    if (t->lane < RESIDUE_CODES)
        add_ambiguous(c.m + t->lane, RESIDUE_CODES);
    __syncwarp();
    return c;
}

/* put_rare_residues() of composition.c, but for U and O. */
__device__ static __forceinline__ void put_averages(const struct code_matrix *c, int lane)
{
    if (lane < RESIDUE_CODES) {
        double row = 0, column = 0;
#pragma unroll 1
        for (int j = 0; j < RESIDUE_CODES; j++)
            if (is_amino_acid(j)) {
                row += c->m[lane * RESIDUE_CODES + j] * c->columns[j];
                column += c->m[j * RESIDUE_CODES + lane] * c->rows[j];
            }
        c->row_average[lane] = row;
        c->column_average[lane] = column;
    }
    __syncwarp();
    if (lane < RESIDUE_CODES && (is_amino_acid(lane) || lane == CODE_B || lane == CODE_Z || lane == CODE_J)) {
        c->m[lane * RESIDUE_CODES + CODE_X] = c->row_average[lane] < -1.0 ? c->row_average[lane] : -1.0;
        c->m[CODE_X * RESIDUE_CODES + lane] = c->column_average[lane] < -1.0 ? c->column_average[lane] : -1.0;
    } else if (lane == CODE_X) {
        double both = 0;
#pragma unroll 1
        for (int i = 0; i < RESIDUE_CODES; i++)
            if (is_amino_acid(i))
                both += c->row_average[i] * c->rows[i];
        c->m[CODE_X * RESIDUE_CODES + CODE_X] = both < -1.0 ? both : -1.0;
    }
    __syncwarp();
}

/* Rounds the scores: U's are C's, O's are X's. Returns false if one has more than 16 bits. */
__device__ static __forceinline__ bool put_rounded(const struct code_matrix *c, const int16_t *standard, int16_t *out, int lane)
{
    bool fits = true;
#pragma unroll 1
    for (int k = lane; k < SCORES; k += 32) {
        const int i = k / RESIDUE_CODES, j = k % RESIDUE_CODES;
        const int row = i == CODE_U ? CODE_C : i == CODE_O ? CODE_X : i, column = j == CODE_U ? CODE_C : j == CODE_O ? CODE_X : j;
        const double x = c->m[row * RESIDUE_CODES + column];
        const bool is_standard = i == CODE_STOP || j == CODE_STOP;
        const int score = is_standard ? standard[k] : (int)(x >= 0 ? x + 0.5 : x - 0.5);
        fits &= is_standard || (x > INT16_MIN - 0.5 && x < INT16_MAX);
        out[k] = (int16_t)score;
    }
    return __all_sync(~0u, fits);
}

__device__ static __forceinline__ bool put_scores(const struct target_warp *t, const struct args *args, int16_t *out)
{
    const struct code_matrix c = spread(t);
    const double of_lambda = 1 / args->lambda;
#pragma unroll 1
    for (int k = t->lane; k < SCORES; k += 32) {
        const int i = k / RESIDUE_CODES, j = k % RESIDUE_CODES;
        double v = c.m[k];
        if (v != 0) {
            if (c.rows[i] > 0 && c.columns[j] > 0)
                v = v / (c.rows[i] * c.columns[j]);
            v = target_over(target_logarithm(t, v), args->lambda, of_lambda);
        } else {
            v = SCORE_NONE;
        }
        c.m[k] = v;
    }
    __syncwarp();
    put_averages(&c, t->lane);
    const bool fits = put_rounded(&c, args->constants->standard, out, t->lane);
    __syncwarp();
    return fits;
}

/* Same as lambda_ratio() of composition.c; a lane makes all of it, since each sum has one order. */
__device__ static inline double lambda_ratio(const struct args *args, const struct code_matrix *c, double *probability,
                                             const double *entries)
{
    const int lowest = args->lowest, highest = args->highest;
    const int16_t *standard = args->constants->standard;
    double mean = 0, lambda = -1;
#pragma unroll 1
    for (int i = 0; i < RESIDUE_CODES; i++)
#pragma unroll 1
        for (int j = 0; j < RESIDUE_CODES; j++)
            if (is_amino_acid(i) && is_amino_acid(j))
                probability[standard[i * RESIDUE_CODES + j] - lowest] += c->rows[i] * c->columns[j];
#pragma unroll 1
    for (int score = lowest; score <= highest; score++)
        mean += score * probability[score - lowest];
    if (mean < 0 && lowest < 0 && highest > 0) {
        const int step = karlin_step(probability, lowest, highest);
        lambda = -logarithm_of(&args->logarithm, entries, karlin_root(probability, lowest, highest, step, args->start)) / step;
    }
    const double ratio = lambda / args->lambda < 1 ? lambda / args->lambda : 1;
    return ratio > 0.5 ? ratio : 0.5;
}

/*
 * Same as scale() of composition.c. The probabilities take the place of x, a and b. Returns false if something does not fit. The warp is
 * copied, so that the caller's stays in registers.
 */
__device__ static __noinline__ bool put_scaled(const struct target_warp warp, const struct args *args, int16_t *out)
{
    const struct target_warp *t = &warp;
    const struct code_matrix c = place(t);
    const int n = args->highest - args->lowest + 1;
    double *probability = (double *)((char *)t->w + offsetof(struct target_work, x)), ratio = 0;
    if (n > (int)(offsetof(struct target_work, multipliers) / sizeof(double)))
        return false;
#pragma unroll 1
    for (int k = t->lane; k < n; k += 32)
        probability[k] = 0;
    __syncwarp();
    if (t->lane == 0)
        ratio = lambda_ratio(args, &c, probability, t->constants->entries);
    const double lambda = args->lambda / __shfl_sync(~0u, ratio, 0);
    __syncwarp(); /* the matrix overwrites the probabilities */
#pragma unroll 1
    for (int k = t->lane; k < SCORES; k += 32) {
        const double logarithm = args->constants->logs[k];
        c.m[k] = logarithm == SCORE_NONE ? SCORE_NONE : logarithm / lambda;
    }
    __syncwarp();
    put_averages(&c, t->lane);
    const bool fits = put_rounded(&c, args->constants->standard, out, t->lane);
    __syncwarp();
    return fits;
}

__global__ static void __launch_bounds__(32 * MOST_WARPS, 1) matrices_kernel(const __grid_constant__ struct args args)
{
    extern __shared__ double shared[];
    const int warp = (int)(threadIdx.x / 32), lane = (int)(threadIdx.x % 32);
    const struct target_constants constants = {args.constants->joint, args.constants->of_joint, shared, args.logarithm};
    struct target_warp t = {};
    for (int i = threadIdx.x; i < LOGARITHM_ENTRIES; i += blockDim.x)
        shared[i] = args.constants->entries[i];
    __syncthreads();
    t.constants = &constants;
    t.w = (struct target_work *)(shared + LOGARITHM_ENTRIES) + warp;
    t.own = args.own + blockIdx.x * (blockDim.x / 32) + warp;
    t.lane = lane;
    t.line = lane < TARGET_N ? lane : TARGET_N - 1;
    for (;;) {
        uint32_t at = 0;
        if (lane == 0)
            at = atomicAdd(args.next, 1);
        at = __shfl_sync(~0u, at, 0);
        if (at >= args.n)
            return;
        const bool is_scaled = args.pairs[at].is_scaled;
        int16_t *scores = args.scores + (size_t)at * SCORES;
        bool is_made;
        t.rows = (is_scaled ? args.shares : args.rows) + (size_t)TARGET_N * args.pairs[at].query;
        t.columns = args.pairs[at].columns;
        if (is_scaled)
            is_made = put_scaled(t, &args, scores);
        else
            is_made = target_warp_solve(&t) && put_scores(&t, &args, scores);
        if (lane == 0)
            args.is_made[at] = is_made;
    }
}

__global__ static void samples_kernel(const __grid_constant__ struct args args, double *out)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < SAMPLES)
        out[i] = logarithm_of(&args.logarithm, args.constants->entries, args.constants->samples[i]);
}

/* --- the host's side --- */

/* Numbers near 1, of usual size, and of any size. */
static void fill_samples(double *samples)
{
    uint64_t bits = UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < SAMPLES; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        const double share = (double)(bits >> 11) * 0x1p-53;
        samples[i] = i % 3 == 0 ? 0.9 + share / 5 : i % 3 == 1 ? 4 * share + 1e-9 : ldexp(0.5 + share, (int)(bits % 120) - 90);
    }
}

static tms_status upload(struct gpu *gpu, const struct composition_basis *basis, struct args *args, double *samples)
{
    struct constants *c = (struct constants *)malloc(sizeof *c), *d_constants = NULL;
    tms_status status = c != NULL ? TMS_OK : fault_set_memory(gpu->fault, "constants", sizeof *c);
    if (status != TMS_OK)
        return status;
    for (int k = 0; k < TARGET_PAIRS; k++) {
        c->joint[k] = basis->joint[k];
        c->of_joint[k] = 1 / basis->joint[k];
    }
    for (int k = 0; k < SCORES; k++) {
        c->standard[k] = (int16_t)basis->standard[k / RESIDUE_CODES][k % RESIDUE_CODES];
        c->logs[k] = basis->logs[k / RESIDUE_CODES][k % RESIDUE_CODES];
    }
    memcpy(c->entries, basis->table.entries, sizeof c->entries);
    fill_samples(c->samples);
    memcpy(samples, c->samples, sizeof c->samples);
    status = gpu_workspace_anew_of(gpu, "constants of matrices", 1, &d_constants);
    status = GPU_ALSO(status, gpu_upload(gpu, d_constants, c, sizeof *c));
    free(c);
    args->constants = d_constants;
    args->logarithm = basis->table.coefficients;
    args->lambda = basis->lambda;
    args->start = exp(-basis->lambda);
    args->lowest = basis->lowest;
    args->highest = basis->highest;
    return status;
}

/* Whether the GPU's logarithms are those of log(). Replaces the samples by the GPU's logarithms. */
static tms_status compare_logarithms(struct gpu *gpu, const struct args *args, double *samples, bool *are_equal)
{
    double *d_out, *got = (double *)malloc(SAMPLES * sizeof *got);
    tms_status status = got != NULL ? TMS_OK : fault_set_memory(gpu->fault, "logarithms", SAMPLES * sizeof *got);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "logarithms", SAMPLES, &d_out));
    if (status == TMS_OK) {
        samples_kernel<<<SAMPLES / 128, 128, 0, gpu->stream>>>(*args, d_out);
        cudaError_t error = cudaGetLastError();
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(got, d_out, SAMPLES * sizeof *got, cudaMemcpyDeviceToHost, gpu->stream);
        status = error == cudaSuccess ? gpu_wait(gpu) : gpu_fail(gpu, error, "logarithms");
    }
    *are_equal = status == TMS_OK;
    for (int i = 0; i < SAMPLES && *are_equal; i++)
        *are_equal = got[i] == log(samples[i]);
    free(got);
    return status;
}

static tms_status run(struct gpu *gpu, struct args *args)
{
    const size_t table = LOGARITHM_ENTRIES * sizeof(double), fits = (gpu->shared_bytes_block - table) / sizeof(struct target_work);
    const unsigned n_warps = fits < MOST_WARPS ? (unsigned)fits : (unsigned)MOST_WARPS;
    const unsigned wanted = (args->n + n_warps - 1) / n_warps, most = (unsigned)gpu->n_multiprocessors;
    const unsigned n_blocks = wanted < most ? wanted : most;
    tms_status status = gpu_workspace_anew_of(gpu, "matrices", (size_t)args->n * SCORES, &args->scores);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "matrices that are made", args->n, &args->is_made));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "pairs in progress", (size_t)n_blocks * n_warps, &args->own));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "next matrix", 1, &args->next));
    if (status != TMS_OK || n_blocks == 0)
        return status;
    GPU_TRY(gpu, "matrices", cudaMemsetAsync(args->next, 0, sizeof *args->next, gpu->stream));
    GPU_TRY(gpu, "matrices", gpu_allow_shared(gpu, matrices_kernel));
    matrices_kernel<<<n_blocks, 32 * n_warps, table + n_warps * sizeof(struct target_work), gpu->stream>>>(*args);
    GPU_TRY(gpu, "matrices", cudaGetLastError());
    return TMS_OK;
}

tms_status composition_gpu_make(struct gpu *gpu, const struct composition_basis *basis, const struct composition_gpu_batch *batch,
                                struct composition_gpu_matrices *out)
{
    struct args args = {};
    struct composition_gpu_pair *d_pairs;
    double *d_rows, *d_shares, samples[SAMPLES];
    *out = composition_gpu_matrices{};
    if (!basis->has_table)
        return TMS_OK;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu->index));
    tms_status status = upload(gpu, basis, &args, samples);
    status = GPU_ALSO(status, compare_logarithms(gpu, &args, samples, &out->are_equal));
    if (status != TMS_OK || !out->are_equal)
        return status;
    status = gpu_workspace_anew_of(gpu, "rows of matrices", batch->n_queries * TARGET_N, &d_rows);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "shares of matrices", batch->n_queries * TARGET_N, &d_shares));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "pairs of matrices", batch->n_pairs, &d_pairs));
    status = GPU_ALSO(status, gpu_upload(gpu, d_rows, batch->rows, batch->n_queries * TARGET_N * sizeof *d_rows));
    status = GPU_ALSO(status, gpu_upload(gpu, d_shares, batch->shares, batch->n_queries * TARGET_N * sizeof *d_shares));
    status = GPU_ALSO(status, gpu_upload(gpu, d_pairs, batch->pairs, batch->n_pairs * sizeof *d_pairs));
    args.rows = d_rows;
    args.shares = d_shares;
    args.pairs = d_pairs;
    args.n = (uint32_t)batch->n_pairs;
    status = GPU_ALSO(status, run(gpu, &args));
    out->d_scores = args.scores;
    out->d_is_made = args.is_made;
    return status;
}
