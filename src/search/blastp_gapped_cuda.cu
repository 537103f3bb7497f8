/*
 * blastp_gapped_cuda.cu - a warp a pair: its ungapped HSPs in order, best first; those within an accepted one are skipped. An HSP is a
 * lane's, an accepted one too. What would take a warp too long, or does not fit, is left to the CPU.
 */
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "base/array.h"
#include "device/gpu_internal.cuh"
#include "extend/gapped_warp.cuh"
#include "search/blastp_core.h"
#include "search/blastp_gapped_cuda.h"

#define THREADS    128
#define WARPS      (THREADS / 32)
#define MOST_HSPS  32      /* of a pair */
#define MOST_CELLS 1000000 /* of a side */
#define CODES      UNGAPPED_CODES

struct gapped_args {
    const struct two_hit_gpu_hsp *hsps;
    uint32_t n_hsps;
    const uint32_t *pairs; /* where each begins */
    const uint32_t *n_pairs;
    const uint8_t *codes;
    const uint32_t *starts;
    const uint8_t *strip;
    const struct gapped_gpu_query *queries;
    const int *scores; /* [GAPPED_SCORE_ROW * query's code + subject's code] */
    int open, extend, x_drop, is_restricted;
    struct gapped_gpu_hsp *out;
    uint32_t *out_keys, *out_order;
    uint32_t capacity;
    struct gapped_sums *sums;
};

struct gapped_sums {
    unsigned long long n_gapped;
    uint32_t n_out, next_pair;
};

#define ALSO(status, call) ((status) == TMS_OK ? (call) : (status))

__global__ static void heads_kernel(const struct two_hit_gpu_hsp *hsps, uint32_t n, uint8_t *is_head)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        is_head[i] = i == 0 || hsps[i].subject != hsps[i - 1].subject || hsps[i].hsp.query != hsps[i - 1].hsp.query;
}

/* A pair in a warp. */
struct pair {
    const struct gapped_args *args;
    struct gapped_warp_costs costs;
    struct gapped_ring *ring;
    struct gapped_gpu_query q;
    const uint8_t *query, *subject;
    int n_subject, lane;
    bool fits;
    int n_gapped;
};

/* What a lane keeps: an accepted HSP, and whether others are still compared with it. */
struct accepted {
    int query, query_end, subject, subject_end, score, start_query, start_subject;
    bool is_compared;
};

/* The lane's HSP comes before another in the order of extension. */
__device__ static inline bool comes_before(const struct ungapped_hsp *a, const struct ungapped_hsp *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    if (a->subject != b->subject)
        return a->subject < b->subject;
    if (a->length != b->length)
        return a->length > b->length;
    return a->query < b->query;
}

__device__ static inline struct ungapped_hsp hsp_of_lane(const struct ungapped_hsp *h, int lane)
{
    return ungapped_hsp{__shfl_sync(~0u, h->query, lane), __shfl_sync(~0u, h->subject, lane), __shfl_sync(~0u, h->length, lane),
                        __shfl_sync(~0u, h->score, lane)};
}

__device__ static inline int rank_of(const struct ungapped_hsp *mine, int n, int lane)
{
    int rank = 0;
    for (int i = 0; i < n; i++) {
        const struct ungapped_hsp other = hsp_of_lane(mine, i);
        rank += i != lane && comes_before(&other, mine);
    }
    return rank;
}

/* As find_start() of blastp_preliminary.c: letters from where the HSP begins. */
__device__ static inline int start_in(const struct pair *p, const struct ungapped_hsp *h)
{
    int best = INT_MIN, at = 0;
    if (h->length <= BLASTP_STRETCH)
        return h->length / 2;
    for (int i = p->lane; i + BLASTP_STRETCH <= h->length; i += 32) {
        int score = 0;
        for (int k = i; k < i + BLASTP_STRETCH; k++)
            score += p->costs.scores[GAPPED_SCORE_ROW * p->query[h->query + k] + p->subject[h->subject + k]];
        if (score > best) {
            best = score;
            at = i;
        }
    }
    for (int k = 16; k > 0; k /= 2) {
        const int other = __shfl_xor_sync(~0u, best, k), other_at = __shfl_xor_sync(~0u, at, k);
        if (other > best || (other == best && other_at < at)) {
            best = other;
            at = other_at;
        }
    }
    return best > 0 ? at + BLASTP_STRETCH / 2 : 0;
}

/* As extend() of blastp_preliminary.c. */
__device__ static inline struct accepted extend(struct pair *p, const struct ungapped_hsp *initial, bool is_restricted)
{
    const int at = start_in(p, initial), start_query = initial->query + at, start_subject = initial->subject + at;
    const int after_query = start_query + 1, after_subject = start_subject + 1;
    const struct blastp_window w = blastp_window_around(p->q.length, p->n_subject, after_query, after_subject);
    const struct gapped_side sides[2][2] = {
        {{p->query + start_query, after_query}, {p->subject + start_subject, after_subject - w.first}},
        {{p->query + after_query, p->q.length - after_query}, {p->subject + after_subject, w.end - after_subject}}};
    struct gapped_extent extents[2];
    for (int i = 0; i < 2; i++)
        extents[i] = is_restricted
                         ? gapped_score_warp<true>(&p->costs, p->ring, sides[i][0], sides[i][1], 2 * i - 1, MOST_CELLS, &p->fits)
                         : gapped_score_warp<false>(&p->costs, p->ring, sides[i][0], sides[i][1], 2 * i - 1, MOST_CELLS, &p->fits);
    p->n_gapped++;
    const bool goes_right = sides[1][0].n > 0 && sides[1][1].n > 0; /* else without the letter of the start point */
    return accepted{after_query - extents[0].query,
                    goes_right ? after_query + extents[1].query : start_query,
                    after_subject - extents[0].subject,
                    goes_right ? after_subject + extents[1].subject : start_subject,
                    extents[0].score + extents[1].score,
                    start_query,
                    start_subject,
                    true};
}

/* hsp_set_contains(): a lane an accepted HSP. */
__device__ static inline bool is_within(const struct accepted *mine, bool has_one, const struct ungapped_hsp *h)
{
    const int query_end = h->query + h->length, subject_end = h->subject + h->length;
    const bool is_in = has_one && mine->is_compared && h->score <= mine->score && h->query >= mine->query && h->query <= mine->query_end &&
                       query_end >= mine->query && query_end <= mine->query_end && h->subject >= mine->subject &&
                       h->subject <= mine->subject_end && subject_end >= mine->subject && subject_end <= mine->subject_end;
    return __any_sync(~0u, is_in);
}

__device__ static inline bool is_better(const struct accepted *a, const struct accepted *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    if (a->query_end - a->query != b->query_end - b->query)
        return a->query_end - a->query < b->query_end - b->query;
    return a->subject_end - a->subject < b->subject_end - b->subject;
}

/* hsp_set_add(): of a common start or end there is one at most. Is the new one compared with? */
__device__ static inline bool add_to_set(struct accepted *mine, bool has_one, const struct accepted *added)
{
    for (int at_end = 0; at_end < 2; at_end++) {
        const bool same = has_one && mine->is_compared &&
                          (at_end ? mine->query_end == added->query_end && mine->subject_end == added->subject_end
                                  : mine->query == added->query && mine->subject == added->subject);
        if (__any_sync(~0u, same && !is_better(added, mine)))
            return false;
        mine->is_compared &= !same;
    }
    return true;
}

/* extend_all() of blastp_preliminary.c. Returns how many were accepted, lane i the one of number i; -1: begin again in the full form. */
__device__ static inline int extend_all(struct pair *p, const struct ungapped_hsp *initial, int rank, int n, bool is_restricted,
                                        struct accepted *mine)
{
    int n_accepted = 0;
    for (int i = 0; i < n && p->fits; i++) {
        const unsigned whose = __ballot_sync(~0u, p->lane < n && rank == i);
        const struct ungapped_hsp h = hsp_of_lane(initial, __ffs((int)whose) - 1);
        if (is_within(mine, p->lane < n_accepted, &h))
            continue;
        struct accepted x = extend(p, &h, is_restricted);
        if (x.score >= p->q.cutoff) {
            x.is_compared = add_to_set(mine, p->lane < n_accepted, &x);
            if (p->lane == n_accepted)
                *mine = x;
            n_accepted++;
        } else if (is_restricted && x.score >= p->q.near) {
            return -1;
        }
    }
    return n_accepted;
}

__device__ static inline void put(const struct gapped_args *args, uint32_t pair, const struct gapped_gpu_hsp *hsp, bool is_mine, int n,
                                  int lane)
{
    uint32_t first = 0;
    if (lane == 0)
        first = atomicAdd(&args->sums->n_out, (uint32_t)n);
    const uint32_t at = __shfl_sync(~0u, first, 0) + lane;
    if (is_mine && at < args->capacity) {
        args->out[at] = *hsp;
        args->out_keys[at] = pair;
        args->out_order[at] = at;
    }
}

__device__ static inline void do_pair(struct pair *p, uint32_t number)
{
    const struct gapped_args *args = p->args;
    const uint32_t first = args->pairs[number], end = number + 1 < *args->n_pairs ? args->pairs[number + 1] : args->n_hsps;
    const int n = (int)(end - first);
    const struct two_hit_gpu_hsp whole = args->hsps[p->lane < n ? first + p->lane : first];
    const uint32_t start = args->starts[whole.subject];
    struct accepted mine = {};
    int n_accepted = -1;

    p->q = args->queries[whole.hsp.query];
    p->query = args->strip + p->q.first_place;
    p->subject = args->codes + start;
    p->n_subject = (int)(args->starts[whole.subject + 1] - 1 - start);
    p->fits = n <= MOST_HSPS;
    p->n_gapped = 0;
    if (p->fits) {
        const int rank = rank_of(&whole.hsp.hsp, n, p->lane), best = __reduce_max_sync(~0u, whole.hsp.hsp.score);
        if (args->is_restricted && best < p->q.near)
            n_accepted = extend_all(p, &whole.hsp.hsp, rank, n, true, &mine);
        if (n_accepted < 0 && p->fits)
            n_accepted = extend_all(p, &whole.hsp.hsp, rank, n, false, &mine);
    }
    struct gapped_gpu_hsp out = {number,
                                 whole.subject,
                                 whole.hsp.query,
                                 mine.query,
                                 mine.query_end,
                                 mine.subject,
                                 mine.subject_end,
                                 mine.score,
                                 mine.start_query,
                                 mine.start_subject,
                                 0,
                                 0};
    if (!p->fits) {
        out.first_left = first;
        out.n_left = (uint32_t)n;
        put(args, number, &out, p->lane == 0, 1, p->lane);
    } else {
        if (n_accepted > 0)
            put(args, number, &out, p->lane < n_accepted, n_accepted, p->lane);
        if (p->lane == 0)
            atomicAdd(&args->sums->n_gapped, (unsigned long long)p->n_gapped);
    }
}

__global__ static void __launch_bounds__(THREADS) pairs_kernel(const __grid_constant__ struct gapped_args args)
{
    __shared__ int scores[CODES * GAPPED_SCORE_ROW];
    __shared__ struct gapped_ring rings[WARPS];
    for (int i = threadIdx.x; i < CODES * GAPPED_SCORE_ROW; i += blockDim.x)
        scores[i] = args.scores[i];
    __syncthreads();
    struct pair p = {};
    p.args = &args;
    p.costs = gapped_warp_costs{scores, args.open, args.extend, args.x_drop};
    p.ring = &rings[threadIdx.x / 32];
    p.lane = (int)(threadIdx.x % 32);
    const uint32_t n_pairs = *args.n_pairs;
    for (;;) {
        uint32_t number = 0;
        if (p.lane == 0)
            number = atomicAdd(&args.sums->next_pair, 1);
        number = __shfl_sync(~0u, number, 0);
        if (number >= n_pairs)
            break;
        do_pair(&p, number);
    }
}

__global__ static void gather_kernel(const struct gapped_gpu_hsp *from, const uint32_t *order, uint32_t n, struct gapped_gpu_hsp *to)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] = from[order[i]];
}

/* --- the host's side --- */

bool gapped_gpu_takes(const struct gapped_gpu_params *params)
{
    return params->extend > 0 && params->open >= 0 && params->x_drop / params->extend + 2 <= GAPPED_MOST_OPENED;
}

/* Queries and scores go there in one copy. */
static tms_status upload(tms_context *ctx, const struct gapped_gpu_params *params, const struct gapped_gpu_query *queries, size_t n_queries,
                         struct gapped_args *args)
{
    int scores[CODES * GAPPED_SCORE_ROW] = {0}, *d_scores = NULL;
    struct gapped_gpu_query *d_queries = NULL;
    for (int i = 0; i < CODES; i++)
        for (int j = 0; j < CODES; j++)
            scores[GAPPED_SCORE_ROW * i + j] = params->scores[CODES * i + j];
    tms_status status = gpu_workspace_of(ctx->gpu, "queries of the gapped stage", n_queries, &d_queries);
    status = ALSO(status, gpu_workspace_of(ctx->gpu, "scores of the gapped stage", sizeof scores / sizeof *scores, &d_scores));
    status = ALSO(status, gpu_upload(ctx->gpu, d_queries, queries, n_queries * sizeof *queries));
    args->queries = d_queries;
    args->scores = d_scores;
    return ALSO(status, gpu_upload(ctx->gpu, d_scores, scores, sizeof scores));
}

static tms_status find_pairs(struct gpu *gpu, struct gapped_args *args)
{
    uint8_t *is_head, *space;
    uint32_t *pairs, *n_pairs;
    size_t bytes = 0;
    thrust::counting_iterator<uint32_t> numbers(0);
    tms_status status = gpu_workspace_of(gpu, "heads of pairs", args->n_hsps, &is_head);
    status = ALSO(status, gpu_workspace_of(gpu, "pairs", args->n_hsps, &pairs));
    status = ALSO(status, gpu_workspace_of(gpu, "number of pairs", 1, &n_pairs));
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "pairs", cub::DeviceSelect::Flagged(NULL, bytes, numbers, is_head, pairs, n_pairs, (int)args->n_hsps));
    status = gpu_workspace_of(gpu, "selecting pairs", bytes, &space);
    if (status != TMS_OK)
        return status;
    heads_kernel<<<(args->n_hsps + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(args->hsps, args->n_hsps, is_head);
    GPU_TRY(gpu, "pairs", cudaGetLastError());
    GPU_TRY(gpu, "pairs", cub::DeviceSelect::Flagged(space, bytes, numbers, is_head, pairs, n_pairs, (int)args->n_hsps, gpu->stream));
    args->pairs = pairs;
    args->n_pairs = n_pairs;
    return TMS_OK;
}

/* All pairs, until what is accepted fits. */
static tms_status extend_pairs(tms_context *ctx, struct gapped_args *args, struct gapped_sums *sums)
{
    struct gpu *gpu = ctx->gpu;
    int blocks;
    GPU_TRY(gpu, "planning", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pairs_kernel, THREADS, 0));
    tms_status status = gpu_workspace_of(gpu, "sums of the gapped stage", 1, &args->sums);
    args->capacity = ctx->batch_keys ? (uint32_t)ctx->batch_keys : args->n_hsps + 4096;
    for (bool fits = false; status == TMS_OK && !fits;) {
        status = gpu_workspace_of(gpu, "accepted HSPs", args->capacity, &args->out);
        status = ALSO(status, gpu_workspace_of(gpu, "keys of accepted HSPs", args->capacity, &args->out_keys));
        status = ALSO(status, gpu_workspace_of(gpu, "numbers of accepted HSPs", args->capacity, &args->out_order));
        if (status != TMS_OK)
            return status;
        GPU_TRY(gpu, "gapped extension", cudaMemsetAsync(args->sums, 0, sizeof *args->sums, gpu->stream));
        pairs_kernel<<<(unsigned)(blocks * gpu->n_multiprocessors), THREADS, 0, gpu->stream>>>(*args);
        GPU_TRY(gpu, "gapped extension", cudaGetLastError());
        GPU_TRY(gpu, "gapped extension", cudaMemcpyAsync(sums, args->sums, sizeof *sums, cudaMemcpyDeviceToHost, gpu->stream));
        status = gpu_wait(gpu);
        fits = sums->n_out <= args->capacity;
        args->capacity = sums->n_out;
    }
    return status;
}

/* Copies what was accepted to the host, pair by pair in order. Those of a pair keep their order: the sort is stable. */
static tms_status fetch(tms_context *ctx, const struct gapped_args *args, uint32_t n, struct gapped_gpu_found *out)
{
    struct gpu *gpu = ctx->gpu;
    uint32_t *keys, *order;
    struct gapped_gpu_hsp *sorted;
    uint8_t *space;
    size_t bytes = 0;
    GPU_TRY(gpu, "sorting accepted HSPs",
            cub::DeviceRadixSort::SortPairs(NULL, bytes, args->out_keys, args->out_keys, args->out_order, args->out_order, (int)n));
    tms_status status = gpu_workspace_of(gpu, "keys of accepted HSPs in order", n, &keys);
    status = ALSO(status, gpu_workspace_of(gpu, "order of accepted HSPs", n, &order));
    status = ALSO(status, gpu_workspace_of(gpu, "accepted HSPs in order", n, &sorted));
    status = ALSO(status, gpu_workspace_of(gpu, "sorting accepted HSPs", bytes, &space));
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "sorting accepted HSPs",
            cub::DeviceRadixSort::SortPairs(space, bytes, args->out_keys, keys, args->out_order, order, (int)n, 0, 32, gpu->stream));
    gather_kernel<<<(n + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(args->out, order, n, sorted);
    GPU_TRY(gpu, "sorting accepted HSPs", cudaGetLastError());
    if (!array_reserve(&out->hsps, &out->capacity, n, sizeof *out->hsps))
        return context_fail_memory(ctx, "accepted HSPs", n * sizeof *out->hsps);
    out->n = n;
    GPU_TRY(gpu, "fetching accepted HSPs", cudaMemcpyAsync(out->hsps, sorted, n * sizeof *sorted, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

tms_status gapped_gpu_extend(tms_context *ctx, const struct gapped_gpu_params *params, const struct gapped_gpu_query *queries,
                             size_t n_queries, const struct two_hit_gpu_found *found, struct gapped_gpu_found *out)
{
    struct gapped_args args = {};
    struct gapped_sums sums = {};
    out->n = 0;
    out->n_gapped = 0;
    if (found->n == 0)
        return TMS_OK;
    args.hsps = found->d_hsps;
    args.n_hsps = (uint32_t)found->n;
    args.codes = found->d_codes;
    args.starts = found->d_starts;
    args.strip = found->d_strip;
    args.open = params->open;
    args.extend = params->extend;
    args.x_drop = params->x_drop;
    args.is_restricted = params->is_restricted;
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(gpu_index(ctx->gpu)));
    tms_status status = upload(ctx, params, queries, n_queries, &args);
    status = ALSO(status, find_pairs(ctx->gpu, &args));
    status = ALSO(status, extend_pairs(ctx, &args, &sums));
    out->n_gapped = sums.n_gapped;
    return status == TMS_OK && sums.n_out > 0 ? fetch(ctx, &args, sums.n_out, out) : status;
}

void gapped_gpu_found_free(struct gapped_gpu_found *found)
{
    free(found->hsps);
    *found = gapped_gpu_found{};
}
