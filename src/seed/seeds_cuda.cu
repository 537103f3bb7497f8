/*
 * seeds_cuda.cu - stage 1 on a GPU.
 *
 * With one sub-query one kernel does all work for a w-mer: word, positions, probes, look-up. With several, the bank's schedule
 * first computes rows of answers. Either way the pipeline processes a subject in pieces, whose number of windows bounds the
 * workspaces: it sends codes and window ranges and returns hits. A prefix sum over counts gives each result its position, so no
 * kernel appends to a list.
 */
#include "device/gpu_algorithms.cuh"
#include "seed/seeds_cuda.h"
#include "seed/seeds_kernels.cuh"

#define STEP_WINDOWS ((size_t)1 << 21)   /* windows per step, so that copies and kernels of a chunk overlap */
#define STEP_BYTES   ((size_t)256 << 20) /* most bytes of rows, positions and hits per step */
#define LIST_PASSES  ((size_t)4 << 20)   /* passes per step, unless there are more sub-queries */

struct seeds_gpu {
    struct bank_gpu bank;
    struct word_table table; /* pointers to device memory */
    int is_canonical;
    uint64_t sub_query;
};

/* --- making --- */

static tms_status to_gpu(tms_context *ctx, const void *from, size_t size_bytes, void **out)
{
    *out = NULL;
    if (!from)
        return TMS_OK;
    tms_status status = gpu_memory_alloc(ctx->gpu, size_bytes ? size_bytes : 1, out);
    return status == TMS_OK ? gpu_upload(ctx->gpu, *out, from, size_bytes) : status;
}

tms_status seeds_gpu_create(tms_context *ctx, const struct bank *bank, const struct word_table *table, tms_strand strand,
                            uint64_t sub_query, struct seeds_gpu **out)
{
    *out = NULL;
    struct seeds_gpu *s = (struct seeds_gpu *)calloc(1, sizeof *s);
    if (!s)
        return context_fail_memory(ctx, "a query on the GPU", sizeof *s);
    s->table = *table;
    s->table.buckets = s->table.high = s->table.positions = NULL;
    s->table.entries = NULL;
    s->is_canonical = strand == TMS_STRAND_BOTH;
    s->sub_query = sub_query;
    tms_status status = bank_gpu_create(ctx, bank, &s->bank);
    if (status == TMS_OK)
        status = to_gpu(ctx, table->buckets, (((size_t)1 << table->bucket_bits) + 1) * sizeof *table->buckets, (void **)&s->table.buckets);
    if (status == TMS_OK)
        status = to_gpu(ctx, table->entries, ((size_t)table->n_distinct + 1) * sizeof *table->entries, (void **)&s->table.entries);
    if (status == TMS_OK)
        status = to_gpu(ctx, table->high, table->n_distinct * sizeof *table->high, (void **)&s->table.high);
    if (status == TMS_OK)
        status = to_gpu(ctx, table->positions, table->n_positions * sizeof *table->positions, (void **)&s->table.positions);
    if (status == TMS_OK)
        *out = s;
    else
        seeds_gpu_destroy(s);
    return status;
}

void seeds_gpu_destroy(struct seeds_gpu *s)
{
    if (!s)
        return;
    void *arrays[] = {s->table.buckets, s->table.entries, s->table.high, s->table.positions};
    for (void *array : arrays)
        if (array)
            gpu_memory_free(s->bank.index, array);
    bank_gpu_free(&s->bank);
    free(s);
}

/* --- steps --- */

/* The workspaces of a step. Steps share them, because their kernels run in order on one stream. */
struct arrays {
    uint32_t *valid;
    uint64_t *words;
    uint32_t *positions, *columns, *rows;
    uint32_t *found, *counts, *offsets,
        *hit_positions; /* found, counts, offsets: by tile of 32 windows; hit_positions: positions in the table, by window */
    unsigned long long *row_counts, *row_offsets; /* by window */
    unsigned long long *n_kept;                   /* passes listed in earlier steps */
    unsigned long long *sub_counts;               /* per sub-query: n_subs counts of passes, then n_subs of true passes */
};

enum { WITH_ROWS = 1, WITH_HITS = 2, WITH_LIST = 4, WITH_COUNTS = 8 };

static tms_status arrays_make(tms_context *ctx, const struct seeds_gpu *s, size_t n, int with, struct arrays *a)
{
    const struct bank_shape *shape = &s->bank.shape;
    struct gpu *gpu = ctx->gpu;
    size_t n_tiles = (n + 31) / 32, n_columns = shape->row_bits ? 0 : n_tiles * shape->n_subs;
    *a = arrays{};
    tms_status status = gpu_workspace_of(gpu, "windows", n_tiles, &a->valid);
    if (with & WITH_ROWS) {
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "w-mers", n, &a->words));
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "positions", n * shape->k, &a->positions));
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "columns of answers", n_columns, &a->columns));
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "rows of answers", n * bank_row_words(shape), &a->rows));
    }
    if (with & WITH_HITS) {
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "hits by tile", n_tiles, &a->found));
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "numbers of hits", n_tiles, &a->counts));
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "sums of hits", n_tiles, &a->offsets));
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "words of hits", n, &a->hit_positions));
    }
    if (with & WITH_LIST) {
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "numbers of passes", n, &a->row_counts));
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "sums of passes", n, &a->row_offsets));
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "passes kept", 1, &a->n_kept));
    }
    if (with & WITH_COUNTS)
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "counts of sub-queries", (size_t)2 * shape->n_subs, &a->sub_counts));
    return status;
}

/* Windows per step: a multiple of 64, at most the context's batch size, which tests set. */
static size_t step_windows(const tms_context *ctx, const struct seeds_gpu *s, int with)
{
    const struct bank_shape *shape = &s->bank.shape;
    size_t n = STEP_WINDOWS, bytes = (bank_row_words(shape) * 4 * (shape->row_bits ? 1 : 2) + 4 * (size_t)shape->k + 40);
    if ((with & WITH_ROWS) && STEP_BYTES / bytes < n)
        n = STEP_BYTES / bytes < 64 ? 64 : STEP_BYTES / bytes / 64 * 64;
    return ctx->batch_keys && ctx->batch_keys < n ? (ctx->batch_keys + 63) / 64 * 64 : n;
}

static unsigned grid_of(size_t n_threads) { return (unsigned)((n_threads + THREADS - 1) / THREADS); }

/* A subject in the pipeline. Item 0 of the job is base `begin`, a multiple of 64. */
struct subject {
    tms_context *ctx;
    const struct seeds_gpu *s;
    const struct windows *windows;
    size_t n_bases, begin;
    struct arrays a;
};

enum { IN_CODES, IN_RANGES };

/* The ranges that overlap bases first .. end - 1. */
static const window_range *ranges_of(const struct windows *windows, size_t first, size_t end, size_t *n)
{
    size_t from = windows_range_after(windows->ranges, windows->n_ranges, (uint32_t)first);
    size_t to = windows_range_after(windows->ranges, windows->n_ranges, (uint32_t)(end - 1));
    *n = to + (to < windows->n_ranges && windows->ranges[to].first < end) - from;
    return windows->ranges + from;
}

static uint64_t count_windows(const struct windows *windows, size_t first, size_t end)
{
    uint64_t n = 0;
    size_t n_ranges;
    if (first >= end)
        return 0;
    const window_range *range = ranges_of(windows, first, end, &n_ranges);
    for (; n_ranges > 0; n_ranges--, range++)
        n += (range->end < end ? range->end : end) - (range->first > first ? range->first : first);
    return n;
}

static void cut_windows(const struct subject *x, size_t begin, size_t n, struct gpu_piece *piece)
{
    size_t n_codes = TMS_DNA_WORDS(n + x->s->bank.shape.word_size), left = TMS_DNA_WORDS(x->n_bases) - begin / 32, n_ranges;
    auto &codes = piece->inputs[IN_CODES], &ranges = piece->inputs[IN_RANGES];
    piece->n_items = n;
    codes.host = x->windows->codes + begin / 32;
    codes.size_bytes = (n_codes < left ? n_codes : left) * sizeof *x->windows->codes;
    codes.padding = n_codes * sizeof *x->windows->codes - codes.size_bytes; /* no window begins in the padding */
    ranges.host = ranges_of(x->windows, begin, begin + n, &n_ranges);
    ranges.size_bytes = n_ranges * sizeof(window_range);
}

/* Queues the common first kernels of a step. Windows before base `from` are not valid. */
static tms_status step_begin(const struct subject *x, size_t begin, size_t from, const struct gpu_piece *piece, const struct gpu_place *at,
                             struct step *out)
{
    const struct seeds_gpu *s = x->s;
    size_t n_words = (piece->n_items + 31) / 32, n_ranges = piece->inputs[IN_RANGES].size_bytes / sizeof(window_range);
    *out = step{};
    out->shape = s->bank.shape;
    out->table = s->table;
    out->codes = (const uint64_t *)at->d_inputs[IN_CODES];
    out->tables = s->bank.d_h3_tables;
    out->valid = x->a.valid;
    out->bits = s->bank.d_bits;
    out->sums = (struct step_sums *)at->d_summary;
    out->n = piece->n_items;
    out->first = (uint32_t)begin;
    out->is_canonical = s->is_canonical;
    out->sub_query = s->sub_query;
    out->sub_true = x->a.sub_counts ? x->a.sub_counts + s->bank.shape.n_subs : NULL;
    windows_kernel<<<grid_of(n_words), THREADS, 0, x->ctx->gpu->stream>>>((const window_range *)at->d_inputs[IN_RANGES], n_ranges,
                                                                          (uint32_t)begin, (uint32_t)from, n_words, x->a.valid);
    GPU_TRY(x->ctx->gpu, "windows", cudaGetLastError());
    return TMS_OK;
}

static tms_status step_rows(const struct subject *x, const struct step *step)
{
    words_kernel<<<grid_of(step->n), THREADS, 0, x->ctx->gpu->stream>>>(*step, x->a.words);
    GPU_TRY(x->ctx->gpu, "w-mers", cudaGetLastError());
    tms_status status = bank_positions_cuda(x->ctx, &x->s->bank, x->a.words, step->n, x->a.positions);
    return GPU_ALSO(status, bank_query_cuda(x->ctx, &x->s->bank, x->a.positions, step->n, x->a.columns, x->a.rows));
}

static tms_status check_place(tms_context *ctx, const struct seeds_gpu *s)
{
    if (!ctx->gpu || gpu_index(ctx->gpu) != s->bank.index)
        return context_fail(ctx, TMS_E_ARG, "the query is on cuda:%d, and the context is not", s->bank.index);
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(s->bank.index));
    return TMS_OK;
}

/* --- scan: hits, and passes of each sub-query --- */

struct scan_job {
    struct subject x;
    size_t n_step, n_hits;
    tms_seed_hit *hits; /* NULL: hits are not requested */
    tms_seeds_tally tally;
};

static void scan_cut(void *arg, size_t first, struct gpu_piece *piece)
{
    const struct scan_job *job = (const struct scan_job *)arg;
    size_t left = job->x.n_bases - first, n = left < job->n_step ? left : job->n_step;
    if (!n)
        return;
    cut_windows(&job->x, first, n, piece);
    piece->output_bytes = job->hits ? n * sizeof *job->hits : 0;
}

/* One sub-query. */
static tms_status scan_one(const struct subject *x, const struct step *step)
{
    const struct arrays *a = &x->a;
    struct gpu *gpu = x->ctx->gpu;
    size_t shared = bank_tables_bytes(&step->shape);
    int blocks;
    GPU_TRY(gpu, "preparing shared memory", gpu_allow_shared(gpu, scan_kernel));
    GPU_TRY(gpu, "planning", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scan_kernel, THREADS, shared));
    unsigned most = (unsigned)(gpu->n_multiprocessors * blocks), all = grid_of(step->n), n_blocks = all < most ? all : most;
    scan_kernel<<<n_blocks, THREADS, shared, gpu->stream>>>(*step, a->found, a->counts, a->hit_positions);
    GPU_TRY(gpu, "filter and look-up", cudaGetLastError());
    return TMS_OK;
}

static tms_status scan_many(const struct subject *x, const struct step *step)
{
    const struct arrays *a = &x->a;
    struct gpu *gpu = x->ctx->gpu;
    tms_status status = step_rows(x, step);
    if (status == TMS_OK && a->sub_counts)
        status = bank_count_cuda(x->ctx, &step->shape, a->rows, a->valid, step->n, a->sub_counts);
    if (status != TMS_OK)
        return status;
    scan_rows_kernel<<<grid_of(step->n), THREADS, 0, gpu->stream>>>(*step, a->rows, (uint32_t)bank_row_words(&step->shape), a->found,
                                                                    a->counts, a->hit_positions);
    GPU_TRY(gpu, "look-up", cudaGetLastError());
    return TMS_OK;
}

static tms_status scan_work(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at)
{
    const struct scan_job *job = (const struct scan_job *)arg;
    const struct arrays *a = &job->x.a;
    struct gpu *gpu = job->x.ctx->gpu;
    struct step step;
    tms_status status = step_begin(&job->x, first, 0, piece, at, &step);
    status = GPU_ALSO(status, step.shape.n_subs > 1 ? scan_many(&job->x, &step) : scan_one(&job->x, &step));
    if (status != TMS_OK || !job->hits)
        return status;
    status = gpu_exclusive_sum(gpu, "ordering hits", a->counts, a->offsets, (step.n + 31) / 32);
    if (status != TMS_OK)
        return status;
    hits_kernel<<<grid_of(step.n), THREADS, 0, gpu->stream>>>(step, a->found, a->offsets, a->hit_positions, (tms_seed_hit *)at->d_output);
    GPU_TRY(gpu, "ordering hits", cudaGetLastError());
    return TMS_OK;
}

static tms_status scan_take(void *arg, size_t first, const struct gpu_piece *piece, const void *summary, struct gpu_taken *out)
{
    struct scan_job *job = (struct scan_job *)arg;
    const struct step_sums *sums = (const struct step_sums *)summary;
    if (job->hits) {
        out->output = job->hits + job->n_hits;
        out->output_bytes = sums->n_true * sizeof *job->hits;
    }
    job->n_hits += sums->n_true;
    job->tally.n_tested += count_windows(job->x.windows, first, first + piece->n_items);
    job->tally.n_passed += sums->n_passed;
    job->tally.n_true += sums->n_true;
    job->tally.n_seeds += sums->n_seeds;
    return TMS_OK;
}

static tms_status add_counts(const struct scan_job *job, tms_sub_query *subs)
{
    uint32_t n_subs = job->x.s->bank.shape.n_subs;
    size_t counts_bytes = (size_t)2 * n_subs * sizeof(unsigned long long);
    unsigned long long *counts = (unsigned long long *)context_scratch(job->x.ctx, counts_bytes);
    if (!counts)
        return context_fail_memory(job->x.ctx, "counts of sub-queries", counts_bytes);
    tms_status status = gpu_download(&job->x.ctx->fault, job->x.s->bank.index, counts, job->x.a.sub_counts, counts_bytes);
    for (uint32_t i = 0; i < n_subs && status == TMS_OK; i++) {
        subs[i].n_passed += counts[i];
        subs[i].n_true += counts[n_subs + i];
    }
    return status;
}

tms_status seeds_gpu_scan(tms_context *ctx, const struct seeds_gpu *s, struct seeds_scan_call *call)
{
    uint32_t n_subs = s->bank.shape.n_subs;
    int with = (call->hits ? WITH_HITS : 0) | (n_subs > 1 ? WITH_ROWS : 0) | (call->subs ? WITH_COUNTS : 0);
    struct scan_job job = {{ctx, s, call->windows, call->n_bases, 0, {}}, step_windows(ctx, s, with), 0, call->hits, {}};
    struct gpu_job pieces = {"scanning w-mers", &job, scan_cut, scan_work, scan_take};
    tms_status status = check_place(ctx, s);
    status = GPU_ALSO(status, arrays_make(ctx, s, job.n_step < call->n_bases ? job.n_step : call->n_bases, with, &job.x.a));
    if (status == TMS_OK && (with & WITH_COUNTS))
        GPU_TRY(ctx->gpu, "counting", cudaMemsetAsync(job.x.a.sub_counts, 0, 2 * n_subs * sizeof *job.x.a.sub_counts, ctx->gpu->stream));
    status = GPU_ALSO(status, gpu_pipeline(ctx->gpu, &pieces));
    if (status == TMS_OK && call->subs)
        status = add_counts(&job, call->subs);
    call->n_hits = job.n_hits;
    call->tally = job.tally;
    return status;
}

/* --- filter: lists of passes --- */

/*
 * A step may have more passes than its list or the caller's array can hold. Then the list ends before the first window whose passes
 * do not fit, and later work is wasted. The number of windows that fill a list is estimated from earlier steps.
 */
struct filter_job {
    struct subject x;
    struct seeds_filter_call *call;
    size_t from;     /* windows before this base are skipped */
    size_t n_step;   /* most windows of a step */
    size_t guess;    /* estimated windows of the next step */
    size_t list;     /* most passes of a step */
    size_t n_before; /* passes of earlier runs through the pipeline */
    int is_full;
};

static void filter_cut(void *arg, size_t first, struct gpu_piece *piece)
{
    const struct filter_job *job = (const struct filter_job *)arg;
    size_t begin = job->x.begin + first, left = job->x.n_bases - begin, n = job->guess < job->n_step ? job->guess : job->n_step;
    if (!left)
        return;
    cut_windows(&job->x, begin, n < left ? n : left, piece);
    piece->output_bytes = job->list * sizeof *job->call->passes;
}

static tms_status filter_work(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at)
{
    const struct filter_job *job = (const struct filter_job *)arg;
    const struct arrays *a = &job->x.a;
    struct gpu *gpu = job->x.ctx->gpu;
    uint32_t row_words = (uint32_t)bank_row_words(&job->x.s->bank.shape);
    struct step step;
    tms_status status = step_begin(&job->x, job->x.begin + first, job->from, piece, at, &step);
    status = GPU_ALSO(status, step_rows(&job->x, &step));
    if (status != TMS_OK)
        return status;
    unsigned grid = grid_of(step.n * 32);
    count_passes_kernel<<<grid, THREADS, 0, gpu->stream>>>(step, a->rows, row_words, a->row_counts);
    GPU_TRY(gpu, "counting passes", cudaGetLastError());
    status = gpu_exclusive_sum(gpu, "ordering passes", a->row_counts, a->row_offsets, step.n);
    if (status != TMS_OK)
        return status;
    room_kernel<<<1, 1, 0, gpu->stream>>>(step, job->list, job->call->capacity - job->n_before, a->n_kept);
    list_passes_kernel<<<grid, THREADS, 0, gpu->stream>>>(step, a->rows, row_words, a->row_counts, a->row_offsets,
                                                          (tms_seed_pass *)at->d_output);
    kept_kernel<<<1, 1, 0, gpu->stream>>>(step, a->n_kept);
    GPU_TRY(gpu, "ordering passes", cudaGetLastError());
    return TMS_OK;
}

static tms_status filter_take(void *arg, size_t first, const struct gpu_piece *piece, const void *summary, struct gpu_taken *out)
{
    struct filter_job *job = (struct filter_job *)arg;
    struct seeds_filter_call *call = job->call;
    const struct step_sums *sums = (const struct step_sums *)summary;
    size_t begin = job->x.begin + first, n = piece->n_items;
    if (sums->next != NOT_REACHED) {
        n = sums->next;
        out->is_last = 1;
        job->is_full = call->capacity - call->n_passes <= job->list; /* false: the step's list was full, not the caller's array */
    }
    call->tally.n_tested += count_windows(job->x.windows, begin > job->from ? begin : job->from, begin + n);
    call->tally.n_passed += sums->n_passed;
    call->next = begin + n;
    out->output = call->passes + call->n_passes;
    out->output_bytes = sums->n_list * sizeof *call->passes;
    call->n_passes += sums->n_list;
    job->guess = sums->n_list ? (size_t)((double)job->list * (double)n / (double)sums->n_list) / 64 * 64 + 64 : 2 * piece->n_items;
    return TMS_OK;
}

tms_status seeds_gpu_filter(tms_context *ctx, const struct seeds_gpu *s, struct seeds_filter_call *call)
{
    struct filter_job job = {};
    struct gpu_job pieces = {"filtering w-mers", &job, filter_cut, filter_work, filter_take};
    size_t left = call->n_bases - call->from;
    job.x = {ctx, s, call->windows, call->n_bases, 0, {}};
    job.n_step = step_windows(ctx, s, WITH_ROWS | WITH_LIST);
    if (job.n_step > left)
        job.n_step = (left + 63) / 64 * 64 + 64; /* + 64: `from` may lie within a group of 64 windows */
    job.list = call->capacity < LIST_PASSES ? call->capacity : LIST_PASSES;
    if (job.list < s->bank.shape.n_subs)
        job.list = s->bank.shape.n_subs;
    job.guess = 4096;
    job.call = call;
    tms_status status = check_place(ctx, s);
    status = GPU_ALSO(status, arrays_make(ctx, s, job.n_step, WITH_ROWS | WITH_LIST, &job.x.a));
    while (status == TMS_OK && !job.is_full && call->next < call->n_bases) {
        job.from = call->next;
        job.x.begin = call->next / 64 * 64;
        job.n_before = call->n_passes;
        GPU_TRY(ctx->gpu, "counting passes", cudaMemsetAsync(job.x.a.n_kept, 0, sizeof *job.x.a.n_kept, ctx->gpu->stream));
        status = gpu_pipeline(ctx->gpu, &pieces);
    }
    return status;
}
