/*
 * gapped_cuda.cu - each warp takes one pair of a query and a subject: it extends the pair's ungapped HSPs in order, best first, and skips
 * those within an accepted one.
 *
 * Pairs with long alignments or with repeats take a warp long, so warps begin with the longest. A warp puts off a pair that takes longer
 * than its share. Then all warps extend the pair's remaining HSPs first, one HSP each, including those that would be skipped, and in the
 * next pass one warp processes the pair again, with these extensions ready. A pair can be put off twice, in the restricted form and in the
 * full form. Pairs with very many HSPs, or with extensions that do not fit, are left to the CPU.
 */
#include "base/array.h"
#include "device/gpu_algorithms.cuh"
#include "lookup/two_hit_scan.cuh"
#include "search/gapped_cuda.h"
#include "search/gapped_pairs.cuh"

#define THREADS     128
#define WARPS       (THREADS / 32)
#define BLOCKS      6       /* of a multiprocessor, for which registers suffice */
#define MOST_CELLS  1000000 /* most cells of one side of an extension */
#define WORK_HSP    32      /* cost of an HSP beside its residues, in residues */
#define WORK_UNIT   8       /* residues */
#define CELLS_HSP   1500    /* a third of the mean cells of the extensions of an HSP; skipped HSPs are counted */
#define LEAST_SHARE 5000    /* cells */

enum { AGAIN = -1, LATE = -2 };

/*
 * The bytes of an HSP: is_head and is_made; the work and the numbers of pairs as found, sorted and inside the sort; pairs, ahead, late,
 * order and kept; made; and for accepted HSPs, which are no more than the ungapped ones: out as found and sorted, keys and numbers as
 * found, sorted and inside the sort. The rest is for the selection.
 */
static_assert(2 * sizeof(uint8_t) + 3 * (sizeof(uint16_t) + sizeof(uint32_t)) + (4 + LAST_PASS) * sizeof(uint32_t) +
                      FORMS * sizeof(struct accepted) + 2 * sizeof(struct gapped_gpu_hsp) + 6 * sizeof(uint32_t) + 8 <=
                  GAPPED_GPU_HSP_BYTES,
              "what the stage takes for an HSP");

__global__ static void heads_kernel(const struct two_hit_gpu_hsp *hsps, uint32_t n, uint8_t *is_head)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        is_head[i] = i == 0 || hsps[i].subject != hsps[i - 1].subject || hsps[i].hsp.query != hsps[i - 1].hsp.query;
}

/* Whether `a` is extended before `b`. */
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

/* Same as extend() of gapped_stage.c. */
__device__ static inline struct accepted extend(struct pair *p, const struct ungapped_hsp *initial, bool is_restricted)
{
    const int at = start_in(p, initial), start_query = initial->query + at, start_subject = initial->subject + at;
    const struct gapped_sides sides = sides_of(p, start_query, start_subject);
    struct gapped_extent left = {0, 0, 0}, right = {0, 0, 0};
#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        const struct gapped_side query = i == 0 ? sides.query[0] : sides.query[1], subject = i == 0 ? sides.subject[0] : sides.subject[1];
        left = right;
        right = is_restricted ? gapped_score_warp<true>(&p->costs, query, subject, 2 * i - 1, MOST_CELLS, &p->cells, &p->fits)
                              : gapped_score_warp<false>(&p->costs, query, subject, 2 * i - 1, MOST_CELLS, &p->cells, &p->fits);
    }
    const bool goes_right = sides.query[1].n > 0 && sides.subject[1].n > 0; /* otherwise the residue of the start point does not count */
    return accepted{start_query + 1 - left.query,
                    goes_right ? start_query + 1 + right.query : start_query,
                    start_subject + 1 - left.subject,
                    goes_right ? start_subject + 1 + right.subject : start_subject,
                    left.score + right.score,
                    start_query,
                    start_subject,
                    true,
                    p->fits};
}

/* Whether an HSP lies within one accepted HSP; as in hsp_set_contains(). */
__device__ static inline bool contains(const struct accepted *a, const struct ungapped_hsp *h)
{
    const int query_end = h->query + h->length, subject_end = h->subject + h->length;
    return a->is_compared && h->score <= a->score && h->query >= a->query && h->query <= a->query_end && query_end >= a->query &&
           query_end <= a->query_end && h->subject >= a->subject && h->subject <= a->subject_end && subject_end >= a->subject &&
           subject_end <= a->subject_end;
}

__device__ static inline bool has_same(const struct accepted *a, const struct accepted *b, bool at_end)
{
    return at_end ? a->query_end == b->query_end && a->subject_end == b->subject_end : a->query == b->query && a->subject == b->subject;
}

__device__ static inline bool is_better(const struct accepted *a, const struct accepted *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    if (a->query_end - a->query != b->query_end - b->query)
        return a->query_end - a->query < b->query_end - b->query;
    return a->subject_end - a->subject < b->subject_end - b->subject;
}

/* Whether an HSP lies within one of the n accepted ones; compared: the lane's of the first 32. */
__device__ static inline bool is_in_kept(const struct accepted *made, const uint32_t *kept, int n, const struct accepted *compared,
                                         const struct ungapped_hsp *h, int lane)
{
    bool is_in = lane < n && contains(compared, h);
    for (int i = lane + 32; i < n; i += 32)
        is_in |= contains(&made[kept[i]], h);
    return __any_sync(~0u, is_in);
}

/*
 * Same as hsp_set_add(): keeps at most one HSP of those with a common start or end. Returns whether later HSPs are compared with the new
 * one.
 */
__device__ static inline bool add_to_kept(struct accepted *made, const uint32_t *kept, int n, const struct accepted *added, int lane)
{
    for (int at_end = 0; at_end < 2; at_end++) {
        for (int i = lane; __any_sync(~0u, i < n); i += 32) {
            const bool same = i < n && made[kept[i]].is_compared && has_same(&made[kept[i]], added, at_end);
            if (__any_sync(~0u, same && !is_better(added, &made[kept[i]])))
                return false;
            if (same)
                made[kept[i]].is_compared = false;
        }
        __syncwarp();
    }
    return true;
}

/* Makes an extension and stores it. */
__device__ static inline struct accepted make(struct pair *p, uint32_t number, int form)
{
    const struct gapped_args *args = p->args;
    const struct two_hit_gpu_hsp *of = &args->hsps[number];
    const struct accepted x = extend(p, &of->hsp.hsp, form == RESTRICTED);
    if (p->lane == 0) {
        args->made[form][number] = x;
        args->is_made[number] |= (uint8_t)(1 << form);
    }
    __syncwarp();
    return x;
}

/*
 * Lists the extensions still to be made for the pair: HSPs from the i-th in order on that are not skipped so far. All lanes stay together,
 * so that the compiler can rely on it in what follows.
 */
__device__ static inline void put_off(const struct pair *p, uint32_t first, int i, int n, int n_accepted, int form)
{
    const struct gapped_args *args = p->args;
    const uint32_t *kept = args->kept + first;
    for (i += p->lane; __any_sync(~0u, i < n); i += 32) {
        const uint32_t number = args->order[first + (uint32_t)min(i, n - 1)];
        const struct ungapped_hsp h = args->hsps[number].hsp.hsp;
        bool is_needed = i < n && !(args->is_made[number] >> form & 1);
        for (int k = 0; k < n_accepted; k++)
            is_needed = is_needed && !contains(&args->made[form][kept[k]], &h);
        if (is_needed)
            args->ahead[atomicAdd(&args->sums->n_ahead, 1)] = FORMS * number + (uint32_t)form;
    }
    __syncwarp();
}

/* An HSP of the pair, and its extension if that is made. Each lane has one of 32 that follow each other in order. */
struct lane_hsp {
    uint32_t number;
    struct ungapped_hsp hsp;
    int score;
    bool is_made, fits;
};

__device__ static inline struct lane_hsp read_hsp(const struct gapped_args *args, uint32_t at, int form)
{
    const uint32_t number = args->order[at];
    const bool is_made = args->is_made[number] >> form & 1;
    return lane_hsp{number, args->hsps[number].hsp.hsp, is_made ? args->made[form][number].score : 0, is_made,
                    is_made && args->made[form][number].fits};
}

__device__ static inline struct lane_hsp of_lane(const struct lane_hsp *mine, int lane)
{
    const int flags = __shfl_sync(~0u, mine->is_made | mine->fits << 1, lane);
    return lane_hsp{__shfl_sync(~0u, mine->number, lane),
                    {__shfl_sync(~0u, mine->hsp.query, lane), __shfl_sync(~0u, mine->hsp.subject, lane),
                     __shfl_sync(~0u, mine->hsp.length, lane), __shfl_sync(~0u, mine->hsp.score, lane)},
                    __shfl_sync(~0u, mine->score, lane),
                    (flags & 1) != 0,
                    (flags & 2) != 0};
}

/* Accepts an HSP, the one after n others. Returns what the lane compares later HSPs with. */
__device__ static inline struct accepted accept(struct accepted *made, uint32_t *kept, int n, uint32_t number, int lane)
{
    const struct accepted x = made[number];
    const bool is_compared = add_to_kept(made, kept, n, &x, lane);
    if (lane == 0) {
        made[number].is_compared = is_compared;
        kept[n] = number;
    }
    __syncwarp();
    return made[kept[min(lane, n)]];
}

/*
 * Same as extend_all() of gapped_stage.c. Returns the number of accepted HSPs, whose numbers are in `kept`; AGAIN: begin again in the full
 * form; or LATE: the pair is put off.
 */
__device__ static inline int extend_all(struct pair *p, uint32_t first, int n, int form)
{
    const struct gapped_args *args = p->args;
    struct accepted *made = args->made[form], compared = {};
    uint32_t *kept = args->kept + first;
    struct lane_hsp mine = {};
    int n_accepted = 0;
    for (int i = 0; i < n; i++) {
        if (i % 32 == 0)
            mine = read_hsp(args, first + (uint32_t)min(i + p->lane, n - 1), form);
        struct lane_hsp next = of_lane(&mine, i % 32);
        if (is_in_kept(made, kept, n_accepted, &compared, &next.hsp, p->lane))
            continue;
        if (!next.is_made && args->pass < LAST_PASS && p->cells > args->share && i + 1 < n) {
            put_off(p, first, i, n, n_accepted, form);
            return LATE;
        }
        if (!next.is_made) {
            const struct accepted x = make(p, next.number, form);
            next.score = x.score;
            next.fits = x.fits;
        }
        p->n_gapped++;
        p->fits &= next.fits;
        if (!p->fits)
            return n_accepted;
        if (next.score >= p->q.cutoff)
            compared = accept(made, kept, n_accepted++, next.number, p->lane);
        else if (form == RESTRICTED && next.score >= p->q.near)
            return AGAIN;
    }
    return n_accepted;
}

/* Writes an accepted HSP. */
__device__ static inline void put(const struct gapped_args *args, uint32_t number, const struct two_hit_gpu_hsp *of,
                                  const struct accepted *a, uint32_t at)
{
    if (at >= args->capacity)
        return;
    args->out[at] = gapped_gpu_hsp{number,
                                   of->subject,
                                   of->hsp.query,
                                   a->query,
                                   a->query_end,
                                   a->subject,
                                   a->subject_end,
                                   a->score,
                                   a->start_query,
                                   a->start_subject,
                                   0,
                                   0};
    args->out_keys[at] = number;
    args->out_order[at] = at;
}

__device__ static inline uint32_t take_space(const struct gapped_args *args, int n, int lane)
{
    uint32_t first = 0;
    if (lane == 0)
        first = atomicAdd(&args->sums->n_out, (uint32_t)n);
    return __shfl_sync(~0u, first, 0);
}

/* Leaves a pair to the CPU. */
__device__ static inline void leave(const struct gapped_args *args, uint32_t number, uint32_t first, int n, int lane)
{
    const struct two_hit_gpu_hsp *of = &args->hsps[first];
    const uint32_t at = take_space(args, 1, lane);
    if (lane == 0 && at < args->capacity) {
        args->out[at] = gapped_gpu_hsp{number, of->subject, of->hsp.query, 0, 0, 0, 0, 0, 0, 0, first, (uint32_t)n};
        args->out_keys[at] = number;
        args->out_order[at] = at;
    }
    __syncwarp();
}

__device__ static inline void do_pair(struct pair *p, uint32_t number, uint32_t first, int n)
{
    const struct gapped_args *args = p->args;
    int n_accepted;
    look_at(p, &args->hsps[first]);
    const int best = args->hsps[args->order[first]].hsp.hsp.score;
    int form = args->is_restricted && best < p->q.near ? RESTRICTED : FULL;
    while ((n_accepted = extend_all(p, first, n, form)) == AGAIN)
        form = FULL;
    if (n_accepted == LATE) {
        if (p->lane == 0)
            args->late[args->pass][atomicAdd(&args->sums->n_late[args->pass], 1)] = number;
        return;
    }
    if (!p->fits) {
        leave(args, number, first, n, p->lane);
        return;
    }
    const uint32_t at = n_accepted > 0 ? take_space(args, n_accepted, p->lane) : 0;
    for (int i = p->lane; i < n_accepted; i += 32)
        put(args, number, &args->hsps[first], &args->made[form][args->kept[first + i]], at + (uint32_t)i);
    if (p->lane == 0)
        atomicAdd(&args->sums->n_gapped, (unsigned long long)p->n_gapped);
}

/* Initialises a warp's part of a kernel. */
__device__ static inline struct pair begin_warp(const struct gapped_args *args, int *scores)
{
    struct pair p = {};
    for (int i = threadIdx.x; i < RESIDUE_CODES * RESIDUE_ROW; i += blockDim.x)
        scores[i] = gapped_warp_score(i, args->scores[i]);
    __syncthreads();
    p.args = args;
    p.costs = gapped_warp_costs{scores, args->open, args->extend, args->x_drop};
    p.lane = (int)(threadIdx.x % 32);
    return p;
}

__device__ static inline uint32_t next_of(uint32_t *counter, int lane)
{
    uint32_t number = 0;
    if (lane == 0)
        number = atomicAdd(counter, 1);
    return __shfl_sync(~0u, number, 0);
}

/* Puts each pair's HSPs in the order of extension, a thread an HSP: a pair may have thousands, for which a warp would take milliseconds. */
__global__ static void order_kernel(const __grid_constant__ struct gapped_args args)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < args.n_hsps; i += gridDim.x * blockDim.x) {
        const struct ungapped_hsp mine = args.hsps[i].hsp.hsp;
        uint32_t first, rank = 0;
        const int n = size_of_pair(&args, subject_at(args.pairs, *args.n_pairs, i), &first);
        for (uint32_t k = first; n <= MOST_HSPS && k < first + (uint32_t)n; k++) {
            const struct ungapped_hsp other = args.hsps[k].hsp.hsp;
            rank += k != i && comes_before(&other, &mine);
        }
        if (n <= MOST_HSPS)
            args.order[first + rank] = i;
    }
}

/* Estimates how long a pair takes a warp: the residues of its HSPs. 0 stands for no pair. */
__global__ static void work_kernel(const __grid_constant__ struct gapped_args args, uint16_t *work, uint32_t *numbers)
{
    for (uint32_t number = blockIdx.x * blockDim.x + threadIdx.x; number < args.n_hsps; number += gridDim.x * blockDim.x) {
        uint32_t first, sum = 0;
        const int n = number < *args.n_pairs ? size_of_pair(&args, number, &first) : 0;
        for (int i = 0; i < min(n, MOST_HSPS); i++)
            sum += WORK_HSP + (uint32_t)args.hsps[first + i].hsp.hsp.length;
        work[number] = (uint16_t)min(sum / WORK_UNIT, (uint32_t)UINT16_MAX);
        numbers[number] = number;
    }
}

__global__ static void __launch_bounds__(THREADS, BLOCKS) pairs_kernel(const __grid_constant__ struct gapped_args args)
{
    __shared__ int scores[RESIDUE_CODES * RESIDUE_ROW];
    struct pair p = begin_warp(&args, scores);
    const uint32_t *pairs = args.pass == 0 ? args.longest_first : args.late[args.pass - 1];
    const uint32_t n_pairs = args.pass == 0 ? *args.n_pairs : args.sums->n_late[args.pass - 1];
    for (uint32_t turn; (turn = next_of(&args.sums->next, p.lane)) < n_pairs;) {
        const uint32_t number = pairs[turn];
        uint32_t first;
        const int n = size_of_pair(&args, number, &first);
        if (n > MOST_HSPS)
            leave(&args, number, first, n, p.lane);
        else
            do_pair(&p, number, first, n);
        __syncwarp();
    }
}

__global__ static void __launch_bounds__(THREADS, BLOCKS) ahead_kernel(const __grid_constant__ struct gapped_args args)
{
    __shared__ int scores[RESIDUE_CODES * RESIDUE_ROW];
    struct pair p = begin_warp(&args, scores);
    const uint32_t n_ahead = args.sums->n_ahead;
    for (uint32_t turn; (turn = next_of(&args.sums->next, p.lane)) < n_ahead;) {
        const uint32_t number = args.ahead[turn] / FORMS, form = args.ahead[turn] % FORMS;
        look_at(&p, &args.hsps[number]);
        make(&p, number, (int)form);
    }
}

__global__ static void gather_kernel(const struct gapped_gpu_hsp *from, const uint32_t *order, uint32_t n, struct gapped_gpu_hsp *to)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] = from[order[i]];
}

/* --- the host's side --- */

bool gapped_gpu_takes(const struct gapped_gpu_params *params) { return gapped_warp_takes(params->open, params->extend, params->x_drop); }

/* Copies queries and scores to the GPU at once. */
static tms_status upload(tms_context *ctx, const struct gapped_gpu_params *params, const struct gapped_gpu_query *queries, size_t n_queries,
                         struct gapped_args *args)
{
    int scores[RESIDUE_CODES * RESIDUE_ROW] = {0}, *d_scores = NULL;
    struct gapped_gpu_query *d_queries = NULL;
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            scores[RESIDUE_ROW * i + j] = params->scores[RESIDUE_CODES * i + j];
    tms_status status = gpu_workspace_anew_of(ctx->gpu, "queries of the gapped stage", n_queries, &d_queries);
    status = GPU_ALSO(status, gpu_workspace_anew_of(ctx->gpu, "scores of the gapped stage", sizeof scores / sizeof *scores, &d_scores));
    status = GPU_ALSO(status, gpu_upload(ctx->gpu, d_queries, queries, n_queries * sizeof *queries));
    args->queries = d_queries;
    args->scores = d_scores;
    return GPU_ALSO(status, gpu_upload(ctx->gpu, d_scores, scores, sizeof scores));
}

static tms_status find_pairs(struct gpu *gpu, struct gapped_args *args)
{
    uint8_t *is_head;
    uint32_t *pairs, *n_pairs;
    tms_status status = gpu_workspace_anew_of(gpu, "heads of pairs", args->room, &is_head);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "pairs", args->room, &pairs));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "number of pairs", 1, &n_pairs));
    if (status != TMS_OK)
        return status;
    heads_kernel<<<(args->n_hsps + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(args->hsps, args->n_hsps, is_head);
    GPU_TRY(gpu, "pairs", cudaGetLastError());
    args->pairs = pairs;
    args->n_pairs = n_pairs;
    return gpu_select_numbers(gpu, "pairs", is_head, args->n_hsps, pairs, n_pairs);
}

/* Sorts the pairs in the order in which warps take them. The host does not know their number: entries without a pair come last. */
static tms_status order_pairs(struct gpu *gpu, struct gapped_args *args)
{
    uint16_t *work;
    uint32_t *numbers, *longest_first;
    tms_status status = gpu_workspace_anew_of(gpu, "work of pairs", args->room, &work);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "numbers of pairs", args->room, &numbers));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "pairs in order", args->room, &longest_first));
    if (status != TMS_OK)
        return status;
    order_kernel<<<(args->n_hsps + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(*args);
    work_kernel<<<(args->n_hsps + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(*args, work, numbers);
    GPU_TRY(gpu, "ordering pairs", cudaGetLastError());
    args->longest_first = longest_first;
    return gpu_sort_by_key_descending(gpu, "ordering pairs", work, numbers, longest_first, args->n_hsps, args->room);
}

static tms_status prepare_pairs(struct gpu *gpu, struct gapped_args *args)
{
    tms_status status = gpu_workspace_anew_of(gpu, "extensions that are made", args->room, &args->is_made);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "full extensions", args->room, &args->made[FULL]));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "restricted extensions", args->room, &args->made[RESTRICTED]));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "extensions ahead", args->room, &args->ahead));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "pairs that are put off", args->room, &args->late[0]));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "pairs that are put off again", args->room, &args->late[1]));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "order of extensions", args->room, &args->order));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "accepted extensions", args->room, &args->kept));
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "sums of the gapped stage", 1, &args->sums));
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "gapped extension", cudaMemsetAsync(args->is_made, 0, args->n_hsps, gpu->stream));
    GPU_TRY(gpu, "gapped extension", cudaMemsetAsync(args->sums, 0, sizeof *args->sums, gpu->stream));
    return order_pairs(gpu, args);
}

/* Runs a kernel whose warps take the next item from a counter. */
static tms_status run_kernel(struct gpu *gpu, void (*kernel)(struct gapped_args), const struct gapped_args *args, unsigned n_blocks)
{
    GPU_TRY(gpu, "gapped extension", cudaMemsetAsync(&args->sums->next, 0, sizeof args->sums->next, gpu->stream));
    kernel<<<n_blocks, THREADS, 0, gpu->stream>>>(*args);
    GPU_TRY(gpu, "gapped extension", cudaGetLastError());
    return TMS_OK;
}

/* Runs the passes: first the pairs, then the extensions that the next pass needs. */
static tms_status run_passes(struct gpu *gpu, struct gapped_args *args, unsigned n_blocks)
{
    tms_status status = TMS_OK;
    for (args->pass = 0; args->pass <= LAST_PASS && status == TMS_OK; args->pass++) {
        GPU_TRY(gpu, "gapped extension", cudaMemsetAsync(&args->sums->n_ahead, 0, sizeof args->sums->n_ahead, gpu->stream));
        status = run_kernel(gpu, pairs_kernel, args, n_blocks);
        if (args->pass < LAST_PASS)
            status = GPU_ALSO(status, run_kernel(gpu, ahead_kernel, args, n_blocks));
    }
    return status;
}

/*
 * The cells that a pair may take, a third of a warp's mean: with more, the other warps would wait for it; with less, too many HSPs would be
 * extended that lie within others. With the small batches of tests the share is 0, so that every pair that can be put off is.
 */
static long long share_of_warp(const tms_context *ctx, uint32_t n_hsps, unsigned n_blocks)
{
    const long long share = (long long)n_hsps * CELLS_HSP / (n_blocks * WARPS);
    return ctx->batch_keys ? 0 : share > LEAST_SHARE ? share : LEAST_SHARE;
}

/* Processes all pairs, again with more memory if the accepted HSPs do not fit. */
static tms_status extend_pairs(tms_context *ctx, struct gapped_args *args, struct gapped_sums *sums)
{
    struct gpu *gpu = ctx->gpu;
    int blocks;
    GPU_TRY(gpu, "planning", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pairs_kernel, THREADS, 0));
    const unsigned n_blocks = (unsigned)(blocks * gpu->n_multiprocessors);
    tms_status status = prepare_pairs(gpu, args);
    args->share = share_of_warp(ctx, args->n_hsps, n_blocks);
    args->capacity = ctx->batch_keys ? (uint32_t)ctx->batch_keys : (uint32_t)args->room; /* no more than the ungapped HSPs */
    for (bool fits = false; status == TMS_OK && !fits;) {
        status = gpu_workspace_anew_of(gpu, "accepted HSPs", args->capacity, &args->out);
        status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "keys of accepted HSPs", args->capacity, &args->out_keys));
        status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "numbers of accepted HSPs", args->capacity, &args->out_order));
        if (status != TMS_OK)
            return status;
        GPU_TRY(gpu, "gapped extension", cudaMemsetAsync(args->sums, 0, sizeof *args->sums, gpu->stream));
        status = run_passes(gpu, args, n_blocks);
        status = GPU_ALSO(status, gpu_sleep(gpu));
        if (status != TMS_OK)
            return status;
        GPU_TRY(gpu, "gapped extension", cudaMemcpyAsync(sums, args->sums, sizeof *sums, cudaMemcpyDeviceToHost, gpu->stream));
        status = gpu_wait(gpu);
        fits = sums->n_out <= args->capacity;
        args->capacity = fits ? args->capacity : sums->n_out;
    }
    return status;
}

/* Copies the accepted HSPs to the host, sorted by pair. HSPs of a pair keep their order, because the sort is stable. */
static tms_status fetch(tms_context *ctx, const struct gapped_args *args, uint32_t n, struct gapped_gpu_found *out)
{
    struct gpu *gpu = ctx->gpu;
    uint32_t *order;
    struct gapped_gpu_hsp *sorted;
    tms_status status = gpu_workspace_anew_of(gpu, "order of accepted HSPs", args->capacity, &order);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "accepted HSPs in order", args->capacity, &sorted));
    status = GPU_ALSO(status, gpu_sort_by_key(gpu, "sorting accepted HSPs", args->out_keys, args->out_order, order, n, args->capacity));
    if (status != TMS_OK)
        return status;
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
    args.room = found->room;
    args.codes = found->d_codes;
    args.starts = found->d_starts;
    args.query_codes = found->d_query_codes;
    args.open = params->open;
    args.extend = params->extend;
    args.x_drop = params->x_drop;
    args.is_restricted = params->is_restricted;
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(gpu_index(ctx->gpu)));
    tms_status status = upload(ctx, params, queries, n_queries, &args);
    status = GPU_ALSO(status, find_pairs(ctx->gpu, &args));
    status = GPU_ALSO(status, extend_pairs(ctx, &args, &sums));
    out->n_gapped = sums.n_gapped;
    return status == TMS_OK && sums.n_out > 0 ? fetch(ctx, &args, sums.n_out, out) : status;
}

void gapped_gpu_found_free(struct gapped_gpu_found *found)
{
    free(found->hsps);
    *found = gapped_gpu_found{};
}
