/* word_scan_cuda.cu - sends bases through the GPU in pieces, so that copies and kernels overlap. */
#include "classify/word_scan_cuda.h"
#include "classify/word_scan_kernels.cuh"
#include "device/gpu_internal.cuh"

#define READS_PIECE_BASES     ((size_t)1 << 20)
#define REFERENCE_PIECE_BASES ((size_t)1 << 24)
#define WORD_BASES            32 /* bases per word of codes */
#define PADDING               64

static struct gpu_words_shape shape_for(const struct scan_shape *shape, tms_strand strand)
{
    return gpu_words_shape{shape->w, shape->s, shape->m, shape->n_run, shape->s - shape->m + 1, shape->seed, strand};
}

static struct gpu_words_filter filter_for(const tms_filter *f)
{
    return gpu_words_filter{(unsigned long long *)f->d_bits, f->params.m_bits / TMS_BLOCK_BITS, f->params.k};
}

/* Number of blocks: one per tile, but no more than keep the GPU busy. */
static unsigned blocks_for(const struct gpu *gpu, uint32_t tuned, uint64_t n, uint32_t reach)
{
    const uint64_t step = tile_step(reach), tiles = (n + step - 1) / step;
    const uint64_t most = (uint64_t)gpu->n_multiprocessors * (tuned ? tuned : SCAN_GPU_BLOCKS);
    return (unsigned)(tiles < most ? tiles : most);
}

bool scan_gpu_takes(const tms_context *ctx, const tms_filter *const *filters, size_t n_filters)
{
    for (size_t r = 0; r < n_filters && ctx->gpu != NULL; r++)
        if (filters[r]->d_bits == NULL || filters[r]->device != gpu_index(ctx->gpu))
            return false;
    return ctx->gpu != NULL;
}

/* --- hits --- */

struct hits_job {
    struct gpu *gpu;
    struct gpu_words_shape shape;
    struct gpu_words_filters filters;
    const uint8_t *bases;
    size_t n, piece; /* in bases */
    uint64_t *bits;
    uint32_t tuned_blocks; /* blocks per multiprocessor; 0: the default */
};

static void cut_bases(void *arg, size_t first, struct gpu_piece *piece)
{
    const struct hits_job *job = (const struct hits_job *)arg;
    const size_t left = job->n - first, n_planes = 1 + job->filters.n;
    piece->n_items = left < job->piece ? left : job->piece;
    if (piece->n_items == 0)
        return;
    piece->inputs[0].host = job->bases + first;
    piece->inputs[0].size_bytes = left < piece->n_items + job->shape.w - 1 ? left : piece->n_items + job->shape.w - 1;
    piece->inputs[0].padding = PADDING;
    piece->output = job->bits + first / 64 * n_planes;
    piece->output_bytes = scan_planes_bytes(piece->n_items, n_planes);
}

static tms_status find_hits(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at)
{
    const struct hits_job *job = (const struct hits_job *)arg;
    (void)first;
    auto kernel = job->shape.n_windows == WINDOWS_USUAL ? hits_kernel<WINDOWS_USUAL> : hits_kernel<0>;
    kernel<<<blocks_for(job->gpu, job->tuned_blocks, piece->n_items, job->shape.w), THREADS, 0, job->gpu->stream>>>(
        job->shape, job->filters, (const uint8_t *)at->d_inputs[0], piece->n_items, piece->inputs[0].size_bytes, (uint32_t *)at->d_output,
        (piece->n_items + 63) / 64);
    GPU_TRY(job->gpu, "k-mers of reads", cudaGetLastError());
    return TMS_OK;
}

tms_status scan_gpu_hits(tms_context *ctx, const struct scan_shape *shape, tms_strand strand, const tms_filter *const *filters,
                         size_t n_filters, const uint8_t *bases, size_t n, uint64_t *bits, struct scan_planes *out)
{
    const size_t piece = ctx->batch_keys ? (ctx->batch_keys + 63) / 64 * 64 : READS_PIECE_BASES;
    struct hits_job job = {ctx->gpu, shape_for(shape, strand), {}, bases, n, piece, bits, ctx->tuning.reads_blocks};
    const struct gpu_job how = {"k-mers of reads", &job, cut_bases, find_hits, NULL};
    job.filters.n = (uint32_t)n_filters;
    for (size_t r = 0; r < n_filters; r++)
        job.filters.items[r] = filter_for(filters[r]);
    *out = scan_planes{bits, n, 1 + n_filters, piece};
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(gpu_index(ctx->gpu)));
    return gpu_pipeline(ctx->gpu, &how);
}

/* --- insertion --- */

struct insert_job {
    struct gpu *gpu;
    struct gpu_words_shape shape;
    struct gpu_words_filter filter;
    const uint64_t *codes;
    uint64_t n_bases;
    size_t piece; /* bases */
    const struct scan_stretch *d_stretches;
    size_t n_stretches;
};

static void cut_codes(void *arg, size_t first, struct gpu_piece *piece)
{
    const struct insert_job *job = (const struct insert_job *)arg;
    const uint64_t left = job->n_bases - first;
    piece->n_items = (size_t)(left < job->piece ? left : job->piece);
    if (piece->n_items == 0)
        return;
    const uint64_t bases = left < piece->n_items + job->shape.s - 1 ? left : piece->n_items + job->shape.s - 1;
    piece->inputs[0].host = job->codes + first / WORD_BASES;
    piece->inputs[0].size_bytes = (size_t)((bases + WORD_BASES - 1) / WORD_BASES) * sizeof *job->codes;
}

static tms_status insert_codes(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at)
{
    const struct insert_job *job = (const struct insert_job *)arg;
    auto kernel = job->shape.n_windows == WINDOWS_USUAL ? insert_kernel<WINDOWS_USUAL> : insert_kernel<0>;
    kernel<<<blocks_for(job->gpu, 0, piece->n_items, job->shape.s), THREADS, 0, job->gpu->stream>>>(
        job->shape, job->filter, (const uint32_t *)at->d_inputs[0], piece->inputs[0].size_bytes / sizeof(uint32_t), first, piece->n_items,
        job->d_stretches, job->n_stretches);
    GPU_TRY(job->gpu, "k-mers of a reference", cudaGetLastError());
    return TMS_OK;
}

tms_status scan_gpu_insert(tms_context *ctx, const struct scan_shape *shape, tms_filter *f, const uint64_t *codes, uint64_t n_bases,
                           const struct scan_stretch *stretches, size_t n_stretches)
{
    const size_t piece = ctx->batch_keys ? (ctx->batch_keys + WORD_BASES - 1) / WORD_BASES * WORD_BASES : REFERENCE_PIECE_BASES;
    struct scan_stretch *d_stretches;
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(gpu_index(ctx->gpu)));
    tms_status status = gpu_workspace_of(ctx->gpu, "stretches of bases", n_stretches, &d_stretches);
    if (status == TMS_OK && n_stretches > 0)
        status = gpu_upload(ctx->gpu, d_stretches, stretches, n_stretches * sizeof *stretches);
    if (status != TMS_OK)
        return status;
    struct insert_job job = {ctx->gpu, shape_for(shape, f->params.strand), filter_for(f), codes, n_bases, piece, d_stretches, n_stretches};
    const struct gpu_job how = {"k-mers of a reference", &job, cut_codes, insert_codes, NULL};
    return gpu_pipeline(ctx->gpu, &how);
}
