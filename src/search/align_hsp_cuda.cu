/*
 * align_hsp_cuda.cu - a warp extends a start point to both sides, walks back, and joins the two halves. Alignments that do not fit into a
 * warp's memory, and those whose runs do not fit into the list, are left to the CPU.
 */
#include "search/align_hsp_cuda.h"

#include "base/array.h"
#include "device/gpu_internal.cuh"
#include "extend/gapped_align_warp.cuh"

#define THREADS      128
#define WARPS        (THREADS / 32)
#define BLOCKS       7  /* of a multiprocessor */
#define RUNS_A_START 24 /* in the mean there are 7 */

enum { SCORES = RESIDUE_CODES * RESIDUE_CODES };

static_assert(sizeof(struct align_gpu_start) + sizeof(struct align_gpu_alignment) + RUNS_A_START * sizeof(int) <= ALIGN_GPU_START_BYTES &&
                  sizeof(struct align_gpu_pair) <= ALIGN_GPU_PAIR_BYTES,
              "device memory of a start and of a pair");

struct sums {
    uint32_t next, n_runs;
};

struct align_args {
    const uint8_t *codes;
    const struct align_gpu_pair *pairs;
    const struct align_gpu_start *starts;
    uint32_t n_starts;
    const int16_t *scores;
    size_t scores_step;     /* from the scores of a pair to those of the next one */
    const uint8_t *is_made; /* NULL: all have scores */
    int open, extend, x_drop;
    struct gapped_warp_directions *directions; /* a warp's */
    struct align_gpu_alignment *out;
    int *runs;
    uint32_t runs_capacity;
    struct sums *sums;
};

/* Shared memory of a warp. */
struct align_work {
    int scores[RESIDUE_CODES * RESIDUE_ROW];
    uint32_t band[GAPPED_BAND_WORDS][32];
    int runs[GAPPED_WARP_RUNS];
};

/* Puts the right half's runs in order and joins them with the left half's, which are the first n_left. Returns the number of runs. */
__device__ static inline int join(int *runs, int n_left, int n)
{
    for (int i = n_left, j = n - 1; i < j; i++, j--) {
        const int run = runs[i];
        runs[i] = runs[j];
        runs[j] = run;
    }
    if (n_left == 0 || n == n_left || ((runs[n_left] ^ runs[n_left - 1]) & 3) != 0)
        return n;
    runs[n_left - 1] += runs[n_left] & ~3;
    for (int i = n_left; i < n - 1; i++)
        runs[i] = runs[i + 1];
    return n - 1;
}

/* Removes a gap from an end of the alignment, as drop_gap() of align_hsp.c. */
__device__ static inline void drop_gap(const struct align_args *args, int run, int *query, int *subject, int sign, int *score)
{
    const int n = run >> 2;
    *score += args->open + args->extend * n;
    if ((run & 3) == GAPPED_IN_SUBJECT)
        *query += sign * n;
    else
        *subject += sign * n;
}

/* Same as strip() of align_hsp.c. Returns the first run that is left; *n: the end of those that are left. */
__device__ static inline int strip(const struct align_args *args, const int *runs, int *n, struct align_gpu_alignment *a)
{
    int first = 0;
    for (; first < *n && (runs[first] & 3) != GAPPED_MATCH; first++)
        drop_gap(args, runs[first], &a->query, &a->subject, 1, &a->score);
    for (; *n > first && (runs[*n - 1] & 3) != GAPPED_MATCH; --*n)
        drop_gap(args, runs[*n - 1], &a->query_end, &a->subject_end, -1, &a->score);
    return first;
}

/* Joins the halves of an alignment, and writes it. */
__device__ static inline void put(const struct align_args *args, uint32_t number, struct align_gpu_alignment a, int *runs, int n_left,
                                  int n, int lane)
{
    int first = 0;
    if (lane == 0) {
        n = join(runs, n_left, n);
        first = strip(args, runs, &n, &a);
        a.n_runs = n - first;
        a.first_run = atomicAdd(&args->sums->n_runs, (uint32_t)a.n_runs);
        if (a.first_run > args->runs_capacity || (uint32_t)a.n_runs > args->runs_capacity - a.first_run)
            a.n_runs = -1;
        args->out[number] = a;
    }
    __syncwarp();
    first = __shfl_sync(~0u, first, 0);
    const int n_runs = __shfl_sync(~0u, a.n_runs, 0);
    const uint32_t to = __shfl_sync(~0u, a.first_run, 0);
    for (int i = lane; i < n_runs; i += 32)
        args->runs[to + i] = runs[first + i];
}

/* Same as align_hsp(). */
__device__ static inline void align(const struct align_args *args, uint32_t number, struct align_work *w, struct gapped_warp_trace *trace,
                                    int lane)
{
    const struct align_gpu_start start = args->starts[number];
    const struct align_gpu_pair pair = args->pairs[start.pair];
    const struct gapped_warp_costs costs = {w->scores, args->open, args->extend, args->x_drop};
    const int16_t *scores = args->scores + (size_t)start.pair * args->scores_step;
    const uint8_t *query = args->codes + pair.query + start.query, *subject = args->codes + pair.subject + start.subject;
    struct gapped_extent left, right;
    for (int k = lane; k < RESIDUE_CODES * RESIDUE_CODES; k += 32)
        w->scores[k / RESIDUE_CODES * RESIDUE_ROW + k % RESIDUE_CODES] = scores[k];
    __syncwarp();
    trace->n_runs = 0;
    bool fits = gapped_align_warp(&costs, gapped_side{query, start.query + 1}, gapped_side{subject, start.subject + 1}, -1, trace, &left);
    const int n_left = trace->n_runs;
    fits = fits && gapped_align_warp(&costs, gapped_side{query + 1, pair.query_length - start.query - 1},
                                     gapped_side{subject + 1, pair.subject_length - start.subject - 1}, 1, trace, &right);
    if (fits)
        put(args, number,
            align_gpu_alignment{start.query + 1 - left.query, start.query + 1 + right.query, start.subject + 1 - left.subject,
                                start.subject + 1 + right.subject, left.score + right.score, 0, 0},
            w->runs, n_left, trace->n_runs, lane);
    else if (lane == 0)
        args->out[number] = align_gpu_alignment{0, 0, 0, 0, 0, 0, -1};
    __syncwarp();
}

__global__ static void __launch_bounds__(THREADS, BLOCKS) align_kernel(const __grid_constant__ struct align_args args)
{
    __shared__ struct align_work works[WARPS];
    const int lane = (int)(threadIdx.x % 32);
    struct align_work *w = &works[threadIdx.x / 32];
    struct gapped_warp_trace trace = {args.directions + blockIdx.x * WARPS + threadIdx.x / 32, w->band, w->runs, 0};
    for (int i = lane; i < RESIDUE_CODES * RESIDUE_ROW; i += 32)
        w->scores[i] = gapped_warp_score(i, 0);
    __syncwarp();
    for (;;) {
        uint32_t number = 0;
        if (lane == 0)
            number = atomicAdd(&args.sums->next, 1);
        number = __shfl_sync(~0u, number, 0);
        if (number >= args.n_starts)
            return;
        if (args.is_made == NULL || args.is_made[args.starts[number].pair])
            align(&args, number, w, &trace, lane);
        else if (lane == 0)
            args.out[number] = align_gpu_alignment{0, 0, 0, 0, 0, 0, -1};
        __syncwarp();
    }
}

/* --- the host's side --- */

bool align_gpu_takes(const struct gapped_costs *costs) { return gapped_warp_takes(costs->open, costs->extend, costs->x_drop); }

void align_gpu_found_free(struct align_gpu_found *found)
{
    free(found->alignments);
    free(found->runs);
    free(found->is_made);
    *found = align_gpu_found{};
}

/* Copies the matrix that all pairs have. */
static tms_status upload_scores(struct gpu *gpu, const struct gapped_costs *costs, struct align_args *args)
{
    int16_t scores[SCORES], *d_scores;
    tms_status status = gpu_workspace_anew_of(gpu, "the matrix of alignments", SCORES, &d_scores);
    for (int k = 0; k < SCORES; k++)
        scores[k] = (int16_t)costs->scores[k];
    status = GPU_ALSO(status, gpu_upload(gpu, d_scores, scores, sizeof scores));
    args->scores = d_scores;
    args->scores_step = 0;
    return status;
}

/* Copies the batch to the GPU. */
static tms_status upload(struct gpu *gpu, const struct gapped_costs *costs, const struct align_gpu_batch *batch, struct align_args *args)
{
    uint8_t *d_codes;
    struct align_gpu_pair *d_pairs;
    struct align_gpu_start *d_starts;
    tms_status status = gpu_workspace_anew_of(gpu, "residues to align", batch->n_codes, &d_codes);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "pairs to align", batch->n_pairs, &d_pairs));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "starts of alignments", batch->n_starts, &d_starts));
    status = GPU_ALSO(status, gpu_upload(gpu, d_codes, batch->codes, batch->n_codes));
    status = GPU_ALSO(status, gpu_upload(gpu, d_pairs, batch->pairs, batch->n_pairs * sizeof *d_pairs));
    status = GPU_ALSO(status, gpu_upload(gpu, d_starts, batch->starts, batch->n_starts * sizeof *d_starts));
    args->codes = d_codes;
    args->pairs = d_pairs;
    args->starts = d_starts;
    args->n_starts = (uint32_t)batch->n_starts;
    args->scores = batch->d_scores;
    args->scores_step = SCORES;
    args->is_made = batch->d_is_made;
    if (batch->d_scores == NULL)
        status = GPU_ALSO(status, upload_scores(gpu, costs, args));
    return status;
}

/* Runs the kernel with as many warps as there is memory and work for. */
static tms_status run(struct gpu *gpu, const struct align_gpu_batch *batch, struct align_args *args)
{
    const size_t by_memory = batch->work_bytes / (WARPS * sizeof *args->directions), by_work = (batch->n_starts + WARPS - 1) / WARPS;
    size_t n_blocks = (size_t)BLOCKS * (size_t)gpu->n_multiprocessors;
    n_blocks = n_blocks < by_memory ? n_blocks : by_memory;
    n_blocks = n_blocks < by_work ? n_blocks : by_work;
    args->runs_capacity = (uint32_t)batch->n_starts * RUNS_A_START;
    tms_status status = gpu_workspace_anew_of(gpu, "directions of alignments", n_blocks * WARPS, &args->directions);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "alignments", batch->n_starts, &args->out));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "runs of alignments", args->runs_capacity, &args->runs));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "sums of alignments", 1, &args->sums));
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "alignments", cudaMemsetAsync(args->sums, 0, sizeof *args->sums, gpu->stream));
    align_kernel<<<(unsigned)n_blocks, THREADS, 0, gpu->stream>>>(*args);
    GPU_TRY(gpu, "alignments", cudaGetLastError());
    return TMS_OK;
}

static tms_status fetch(tms_context *ctx, const struct align_gpu_batch *batch, const struct align_args *args, struct align_gpu_found *found)
{
    struct gpu *gpu = ctx->gpu;
    struct sums sums;
    if (!array_reserve(&found->alignments, &found->alignments_capacity, batch->n_starts, sizeof *found->alignments) ||
        !array_reserve(&found->is_made, &found->pairs_capacity, batch->n_pairs, 1))
        return context_fail_memory(ctx, "alignments", batch->n_starts * sizeof *found->alignments);
    tms_status status = gpu_sleep(gpu);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "fetching alignments", cudaMemcpyAsync(&sums, args->sums, sizeof sums, cudaMemcpyDeviceToHost, gpu->stream));
    GPU_TRY(
        gpu, "fetching alignments",
        cudaMemcpyAsync(found->alignments, args->out, batch->n_starts * sizeof *found->alignments, cudaMemcpyDeviceToHost, gpu->stream));
    if (args->is_made != NULL)
        GPU_TRY(gpu, "fetching alignments",
                cudaMemcpyAsync(found->is_made, args->is_made, batch->n_pairs, cudaMemcpyDeviceToHost, gpu->stream));
    else
        memset(found->is_made, 1, batch->n_pairs);
    status = gpu_wait(gpu);
    if (status != TMS_OK)
        return status;
    const size_t n_runs = sums.n_runs < args->runs_capacity ? sums.n_runs : args->runs_capacity;
    if (!array_reserve(&found->runs, &found->runs_capacity, n_runs + 1, sizeof *found->runs))
        return context_fail_memory(ctx, "runs of alignments", n_runs * sizeof *found->runs);
    GPU_TRY(gpu, "fetching alignments",
            cudaMemcpyAsync(found->runs, args->runs, n_runs * sizeof *found->runs, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

tms_status align_gpu(tms_context *ctx, const struct gapped_costs *costs, const struct align_gpu_batch *batch, struct align_gpu_found *found)
{
    struct align_args args = {};
    args.open = costs->open;
    args.extend = costs->extend;
    args.x_drop = costs->x_drop;
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(gpu_index(ctx->gpu)));
    tms_status status = upload(ctx->gpu, costs, batch, &args);
    status = GPU_ALSO(status, run(ctx->gpu, batch, &args));
    return GPU_ALSO(status, fetch(ctx, batch, &args, found));
}
