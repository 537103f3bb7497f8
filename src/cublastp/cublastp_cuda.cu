/*
 * cublastp_cuda.cu - cuBLASTP's steps over ranges of the subjects, whose hits fit into memory.
 *
 * Bins have a capacity. Hits beyond it are counted but not kept; then the capacity grows or the range becomes shorter, and the range begins
 * again. HSPs beyond their capacity are treated in the same way.
 */
#include "cublastp/cublastp_cuda.h"
#include "cublastp/cublastp_kernels.cuh"
#include "device/gpu_algorithms.cuh"

#define THREADS   256
#define WARPS     (THREADS / 32)
#define BIN_PARTS 4                 /* bins take 1 / BIN_PARTS of work memory; the sorted hits, their copy and the sort take as much each */
#define HSP_PARTS 4                 /* HSPs and diagonals take 1 / HSP_PARTS of work memory */
#define HSP_BYTES 256               /* bytes of work memory for an HSP or a diagonal, including those of the next stage */
#define HITS_CELL 0.006             /* hits expected for each pair of a residue and a position */
#define SPARE     3                 /* a bin has space for this multiple of the expected hits */
#define FEW_HITS  32                /* and for this many hits more */
#define MOST_HITS ((size_t)1 << 30) /* most hits of a range */

/* A scan in progress. */
struct cublastp {
    tms_context *ctx;
    struct gpu *gpu;
    const struct cublastp_options *options;
    struct cublastp_report *report; /* NULL: none */
    struct two_hit_gpu_part *part;
    struct gpu_scan s;
    struct cublastp_bins c;
    const int8_t *table;   /* scores by position or by residue */
    uint32_t shared_bytes; /* bytes of the table in shared memory; 0: the table stays in device memory */
    bool has_pssm;
    unsigned detect_blocks;
    cudaEvent_t begun, ended; /* set if there is a report */
};

/* --- steps and their times --- */

static tms_status begin_step(struct cublastp *b)
{
    if (b->report)
        GPU_TRY(b->gpu, "timing", cudaEventRecord(b->begun, b->gpu->stream));
    return TMS_OK;
}

static tms_status end_step(struct cublastp *b, enum cublastp_step step, const char *name)
{
    float ms = 0;
    GPU_TRY(b->gpu, name, cudaGetLastError());
    if (!b->report)
        return TMS_OK;
    GPU_TRY(b->gpu, name, cudaEventRecord(b->ended, b->gpu->stream));
    GPU_TRY(b->gpu, name, cudaEventSynchronize(b->ended));
    GPU_TRY(b->gpu, "timing", cudaEventElapsedTime(&ms, b->begun, b->ended));
    b->report->seconds[step] += 1e-3 * ms;
    return TMS_OK;
}

/* As many blocks as run at once; each continues until all work is done. */
template <class Kernel> static tms_status blocks_for(struct gpu *gpu, Kernel kernel, size_t shared_bytes, unsigned *out)
{
    int blocks = 0;
    GPU_TRY(gpu, "shared memory", gpu_allow_shared(gpu, kernel));
    GPU_TRY(gpu, "occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, THREADS, shared_bytes));
    *out = (unsigned)(gpu->n_multiprocessors * (blocks > 0 ? blocks : 1));
    return TMS_OK;
}

/* --- 3.2, hit detection with binning --- */

/* The number of hits that the bins may have space for. */
static size_t hits_space(const struct cublastp *b) { return b->part->work_bytes / BIN_PARTS / sizeof *b->c.bins; }

static size_t detect_bytes(const struct cublastp *b) { return sizeof(uint32_t) * (TWO_HIT_STARTS_IN_SHARED + WARPS * (size_t)b->c.n_bins); }

typedef void detection_kernel(struct gpu_scan, struct cublastp_bins, uint32_t, uint32_t);

static detection_kernel *detection_kernel_of(const struct cublastp_options *options)
{
    return options->avoids_l1 ? detect_kernel<false> : detect_kernel<true>;
}

static tms_status detect(struct cublastp *b, uint32_t first, uint32_t end)
{
    tms_status status = begin_step(b);
    if (status != TMS_OK)
        return status;
    detection_kernel_of(b->options)<<<b->detect_blocks, THREADS, detect_bytes(b), b->gpu->stream>>>(b->s, b->c, first, end);
    return end_step(b, CUBLASTP_DETECT, "hits into bins");
}

static tms_status prepare_bins(struct cublastp *b)
{
    struct cublastp_bins *c = &b->c;
    const size_t most_hits = hits_space(b), warps = most_hits / FEW_HITS / (size_t)b->options->n_bins;
    c->n_bins = b->options->n_bins;
    tms_status status = blocks_for(b->gpu, detection_kernel_of(b->options), detect_bytes(b), &b->detect_blocks);
    if (status != TMS_OK)
        return status;
    if (warps / WARPS < b->detect_blocks) /* memory is too small for all these blocks */
        b->detect_blocks = warps / WARPS > 0 ? (unsigned)(warps / WARPS) : 1;
    c->n_segments = b->detect_blocks * WARPS * (uint32_t)c->n_bins;
    const double expected = HITS_CELL * b->s.n_codes * b->s.n_positions / c->n_segments * SPARE + FEW_HITS;
    const size_t most = most_hits / c->n_segments > 0 ? most_hits / c->n_segments : 1;
    c->capacity = b->ctx->batch_keys ? (uint32_t)b->ctx->batch_keys : (uint32_t)(expected < (double)most ? expected : (double)most);
    status = gpu_workspace_of(b->gpu, "hits in bins", (size_t)c->n_segments + 1, &c->counts);
    status = GPU_ALSO(status, gpu_workspace_of(b->gpu, "offsets of bins", (size_t)c->n_segments + 1, &c->offsets));
    status = GPU_ALSO(status, gpu_workspace_of(b->gpu, "hits that are kept", (size_t)c->n_segments, &c->n_kept));
    status = GPU_ALSO(status, gpu_workspace_of(b->gpu, "diagonals of bins", (size_t)c->n_segments, &c->n_heads));
    status = GPU_ALSO(status, gpu_workspace_of(b->gpu, "sums of bins", 1, &c->sums));
    if (status == TMS_OK)
        GPU_TRY(b->gpu, "hits into bins", cudaMemsetAsync(c->counts + c->n_segments, 0, sizeof *c->counts, b->gpu->stream));
    return status;
}

/* The number of subjects that are likely to fit into the bins, at least the number of warps. */
static uint32_t usual_range(const struct cublastp *b)
{
    const double space = b->c.capacity > FEW_HITS ? (double)(b->c.capacity - FEW_HITS) * b->c.n_segments / SPARE : 1;
    const double share = space / (HITS_CELL * b->s.n_codes * b->s.n_positions + 1);
    const double n = share < 1 ? share * b->s.n_subjects : b->s.n_subjects;
    const uint32_t few = b->detect_blocks * WARPS;
    return n > few ? (uint32_t)n : few;
}

/*
 * Finds the hits of subjects first .. first + *n - 1; may lower *n. *n_hits: hits of this range; s.sums->n_hits: hits of all ranges so far.
 */
static tms_status fill_bins(struct cublastp *b, uint32_t first, uint32_t *n, unsigned long long n_before, uint32_t *n_hits)
{
    struct cublastp_bins *c = &b->c;
    const uint32_t few = b->detect_blocks * WARPS; /* one subject for each warp */
    for (;;) {
        struct gpu_sums sums;
        struct cublastp_sums found;
        tms_status status = gpu_workspace_of(b->gpu, "bins", (size_t)c->n_segments * c->capacity, &c->bins);
        if (status != TMS_OK)
            return status;
        GPU_TRY(b->gpu, "hits into bins", cudaMemsetAsync(&c->sums->most, 0, sizeof c->sums->most, b->gpu->stream));
        GPU_TRY(b->gpu, "hits into bins",
                cudaMemcpyAsync(&b->s.sums->n_hits, &n_before, sizeof n_before, cudaMemcpyHostToDevice, b->gpu->stream));
        status = detect(b, first, first + *n);
        if (status != TMS_OK)
            return status;
        GPU_TRY(b->gpu, "hits into bins", cudaMemcpyAsync(&found, c->sums, sizeof found, cudaMemcpyDeviceToHost, b->gpu->stream));
        status = two_hit_gpu_read_sums(b->gpu, &b->s, &sums);
        if (status != TMS_OK)
            return status;
        const bool fits = found.most <= c->capacity, is_much = sums.n_hits - n_before > MOST_HITS;
        if (fits && !is_much) {
            *n_hits = (uint32_t)(sums.n_hits - n_before);
            return TMS_OK;
        }
        if (*n > few && (is_much || (size_t)found.most * c->n_segments > hits_space(b)))
            *n = *n / 2 > few ? *n / 2 : few;
        else if (fits)
            *n = (*n + 1) / 2;
        else
            c->capacity = found.most;
    }
}

/* --- 3.3, hit reordering --- */

static tms_status assemble(struct cublastp *b, uint32_t n_hits)
{
    tms_status status = gpu_workspace_of(b->gpu, "hits", n_hits, &b->c.hits);
    status = GPU_ALSO(status, gpu_workspace_of(b->gpu, "first hits of diagonals", n_hits, &b->c.heads));
    status = GPU_ALSO(status, begin_step(b));
    status = GPU_ALSO(status, gpu_exclusive_sum(b->gpu, "offsets of bins", b->c.counts, b->c.offsets, b->c.n_segments + 1));
    if (status != TMS_OK)
        return status;
    assemble_kernel<<<(unsigned)b->gpu->n_multiprocessors * 8, THREADS, 0, b->gpu->stream>>>(b->c);
    return end_step(b, CUBLASTP_ASSEMBLE, "assembling hits");
}

static tms_status sort(struct cublastp *b, uint32_t n_hits)
{
    struct cublastp_bins *c = &b->c;
    uint64_t *sorted;
    tms_status status = gpu_workspace_of(b->gpu, "hits in order", n_hits, &sorted);
    status = GPU_ALSO(status, begin_step(b));
    status = GPU_ALSO(status, gpu_sort_segments(b->gpu, "sorting hits", c->hits, sorted, n_hits, c->offsets, c->n_segments));
    if (status != TMS_OK)
        return status;
    c->hits = sorted;
    return end_step(b, CUBLASTP_SORT, "sorting hits");
}

static tms_status filter(struct cublastp *b)
{
    tms_status status = begin_step(b);
    if (status != TMS_OK)
        return status;
    filter_kernel<<<(unsigned)b->gpu->n_multiprocessors * 8, THREADS, 0, b->gpu->stream>>>(b->c, (uint32_t)b->s.window);
    return end_step(b, CUBLASTP_FILTER, "filtering hits");
}

/* --- 3.4, ungapped extension; 3.5, memory of the scores --- */

static tms_status prepare_table(struct cublastp *b)
{
    const size_t pssm_bytes = (size_t)b->s.n_positions * RESIDUE_ROW, most_shared = b->gpu->shared_bytes_block / 2 - 1024;
    int8_t *pssm;
    b->has_pssm = b->options->scoring == CUBLASTP_PSSM;
    if (!b->has_pssm) {
        b->table = b->s.rows;
        b->shared_bytes = RESIDUE_ROW * RESIDUE_ROW;
        return TMS_OK;
    }
    tms_status status = gpu_workspace_of(b->gpu, "scores by position", pssm_bytes, &pssm);
    if (status != TMS_OK)
        return status;
    pssm_kernel<<<(unsigned)b->gpu->n_multiprocessors, THREADS, 0, b->gpu->stream>>>(b->s, pssm);
    GPU_TRY(b->gpu, "scores by position", cudaGetLastError());
    b->table = pssm;
    b->shared_bytes = pssm_bytes <= most_shared ? (uint32_t)pssm_bytes : 0;
    return TMS_OK;
}

typedef void extension_kernel(struct gpu_scan, struct cublastp_bins, const int8_t *, uint32_t);

template <class Score> static extension_kernel *extension_kernel_of(const struct cublastp_options *options)
{
    if (options->extension == CUBLASTP_HIT)
        return extend_hits_kernel<Score>;
    if (options->extension == CUBLASTP_DIAGONAL)
        return extend_diagonals_kernel<1, Score>;
    return options->lanes == 8    ? extend_diagonals_kernel<8, Score>
           : options->lanes == 16 ? extend_diagonals_kernel<16, Score>
                                  : extend_diagonals_kernel<32, Score>;
}

/* Resets the sums to their values before an extension that ran out of space. */
static tms_status set_sums(struct cublastp *b, const struct gpu_sums *before)
{
    GPU_TRY(b->gpu, "extensions", cudaMemcpyAsync(b->s.sums, before, sizeof *before, cudaMemcpyHostToDevice, b->gpu->stream));
    return TMS_OK;
}

/* Reserves space for further results. Workspaces keep their contents when they grow. */
static tms_status reserve_results(struct cublastp *b)
{
    struct gpu_scan *s = &b->s;
    tms_status status = gpu_workspace_of(b->gpu, "diagonals", s->keys_capacity, &s->keys);
    status = GPU_ALSO(status, gpu_workspace_of(b->gpu, "HSPs", s->hsps_capacity, &s->hsps));
    status = GPU_ALSO(status, gpu_workspace_of(b->gpu, "keys of HSPs", s->hsps_capacity, &s->hsp_keys));
    return GPU_ALSO(status, gpu_workspace_of(b->gpu, "numbers of HSPs", s->hsps_capacity, &s->hsp_order));
}

static tms_status extend(struct cublastp *b, struct gpu_sums *sums)
{
    extension_kernel *kernel = b->has_pssm ? extension_kernel_of<pssm_score>(b->options) : extension_kernel_of<matrix_score>(b->options);
    struct gpu_sums before;
    unsigned blocks = 0;
    tms_status status = blocks_for(b->gpu, kernel, b->shared_bytes, &blocks);
    status = GPU_ALSO(status, two_hit_gpu_read_sums(b->gpu, &b->s, &before));
    for (bool fits = false; !fits && status == TMS_OK;) {
        status = reserve_results(b);
        status = GPU_ALSO(status, set_sums(b, &before));
        status = GPU_ALSO(status, begin_step(b));
        if (status != TMS_OK)
            return status;
        kernel<<<blocks, THREADS, b->shared_bytes, b->gpu->stream>>>(b->s, b->c, b->table, b->shared_bytes);
        status = end_step(b, CUBLASTP_EXTEND, "extensions");
        status = GPU_ALSO(status, two_hit_gpu_read_sums(b->gpu, &b->s, sums));
        fits = sums->n_keys <= b->s.keys_capacity && sums->n_hsps <= b->s.hsps_capacity;
        b->s.keys_capacity = sums->n_keys > b->s.keys_capacity ? sums->n_keys : b->s.keys_capacity;
        b->s.hsps_capacity = sums->n_hsps > b->s.hsps_capacity ? sums->n_hsps : b->s.hsps_capacity;
    }
    return status;
}

/* --- a scan --- */

static tms_status search_range(struct cublastp *b, uint32_t first, uint32_t *n, struct gpu_sums *sums)
{
    uint32_t n_hits = 0;
    tms_status status = fill_bins(b, first, n, sums->n_hits, &n_hits);
    if (status != TMS_OK)
        return status;
    sums->n_hits += n_hits;
    if (n_hits == 0)
        return TMS_OK;
    status = assemble(b, n_hits);
    status = GPU_ALSO(status, sort(b, n_hits));
    status = GPU_ALSO(status, filter(b));
    return GPU_ALSO(status, extend(b, sums));
}

/* Searches range by range; ends the part after a range if the results become too large. */
static tms_status search_ranges(struct cublastp *b, struct gpu_sums *sums)
{
    const uint32_t few = b->ctx->batch_keys ? (uint32_t)b->ctx->batch_keys : 1 << 16, usual = usual_range(b);
    const size_t most = b->part->work_bytes / HSP_PARTS / HSP_BYTES;
    tms_status status = TMS_OK;
    *sums = gpu_sums{};
    b->s.keys_capacity = b->s.hsps_capacity = few;
    GPU_TRY(b->gpu, "two hits", cudaMemsetAsync(b->s.sums, 0, sizeof *b->s.sums, b->gpu->stream));
    GPU_TRY(b->gpu, "two hits", cudaMemsetAsync(b->c.sums, 0, sizeof *b->c.sums, b->gpu->stream));
    for (uint32_t first = b->part->first, n; first < b->part->end && status == TMS_OK; first += n) {
        n = b->part->end - first < usual ? b->part->end - first : usual;
        status = search_range(b, first, &n, sums);
        if (sums->n_keys > most || sums->n_hsps > most)
            b->part->end = first + n;
    }
    return status;
}

static tms_status replay(struct cublastp *b, struct gpu_sums *sums, bool *fits)
{
    tms_status status = begin_step(b);
    status = GPU_ALSO(status, two_hit_gpu_replay(b->ctx, b->part, &b->s, sums->n_keys, sums, fits));
    return GPU_ALSO(status, end_step(b, CUBLASTP_REPLAY, "extensions"));
}

static tms_status add_to_report(struct cublastp *b)
{
    struct cublastp_sums sums;
    GPU_TRY(b->gpu, "sums of bins", cudaMemcpyAsync(&sums, b->c.sums, sizeof sums, cudaMemcpyDeviceToHost, b->gpu->stream));
    tms_status status = gpu_wait(b->gpu);
    b->report->n_kept += sums.n_kept;
    b->report->n_diagonals += sums.n_heads;
    return status;
}

static tms_status scan(struct cublastp *b, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                       struct two_hit_gpu_found *out)
{
    struct gpu_sums sums = {};
    bool fits = false;
    tms_status status = two_hit_gpu_begin(b->ctx, subjects, tables, b->part, &b->s, out);
    if (status != TMS_OK || b->part->first >= b->part->end)
        return status;
    status = prepare_bins(b);
    status = GPU_ALSO(status, prepare_table(b));
    while (status == TMS_OK && !fits) {
        status = search_ranges(b, &sums);
        fits = sums.n_keys == 0;
        if (!fits)
            status = GPU_ALSO(status, replay(b, &sums, &fits));
        if (!fits)
            b->part->end = b->part->first + (b->part->end - b->part->first) / 2;
    }
    if (b->report)
        status = GPU_ALSO(status, add_to_report(b));
    return GPU_ALSO(status, two_hit_gpu_end(b->ctx, b->part, &b->s, &sums, out));
}

tms_status cublastp_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                         const struct cublastp_options *options, struct cublastp_report *report, struct two_hit_gpu_part *part,
                         struct two_hit_gpu_found *out)
{
    struct cublastp b = {};
    tms_status status = TMS_OK;
    b.ctx = ctx;
    b.gpu = ctx->gpu;
    b.options = options;
    b.report = report;
    b.part = part;
    GPU_TRY(b.gpu, "choosing the device", cudaSetDevice(b.gpu->index));
    if (report) {
        GPU_TRY(b.gpu, "timing", cudaEventCreate(&b.begun));
        GPU_TRY(b.gpu, "timing", cudaEventCreate(&b.ended));
    }
    status = scan(&b, subjects, tables, out);
    if (report) {
        cudaEventDestroy(b.begun);
        cudaEventDestroy(b.ended);
    }
    return status;
}
