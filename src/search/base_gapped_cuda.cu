/*
 * base_gapped_cuda.cu - each warp takes one side of one extension after the other. A row is a base of the subject, as on the CPU. A side
 * with very many cells is left to the CPU, which skips runs of matches.
 */
#include "search/base_gapped_cuda.h"

#include "device/gpu_algorithms.cuh"
#include "extend/gapped_warp.cuh"

#define THREADS    128
#define WARPS      (THREADS / 32)
#define BLOCKS     16        /* of an SM, at most */
#define PAD        64        /* readable codes before and after the queries and the chunk */
#define MOST_CELLS 100000    /* of a side */
#define AT_ONCE    (1 << 18) /* extensions */

enum { CODES = 16 /* of queries */, SUBJECT_CODES = 4 };

struct base_gapped_args {
    const uint8_t *queries, *chunk; /* codes */
    int n_subject;
    const struct base_gapped_start *starts;
    uint32_t n_sides;
    int open, extend;
    int scores[SUBJECT_CODES * CODES];
    struct base_gapped_sides *out;
    uint32_t *next;
};

/* Four codes of each byte. */
__global__ static void unpack_kernel(const uint8_t *packed, uint32_t n_bytes, uchar4 *codes)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_bytes)
        return;
    const unsigned byte = packed[i];
    codes[i] = make_uchar4((unsigned char)(byte >> 6), byte >> 4 & 3, byte >> 2 & 3, byte & 3);
}

__global__ static void __launch_bounds__(THREADS) score_kernel(const struct base_gapped_args args)
{
    __shared__ int scores[SUBJECT_CODES * RESIDUE_ROW];
    const int lane = (int)(threadIdx.x % 32);
    for (int i = (int)threadIdx.x; i < SUBJECT_CODES * RESIDUE_ROW; i += THREADS)
        scores[i] = gapped_warp_score(i, i % RESIDUE_ROW < CODES ? args.scores[i / RESIDUE_ROW * CODES + i % RESIDUE_ROW] : 0);
    __syncthreads();
    for (;;) {
        uint32_t i = lane == 0 ? atomicAdd(args.next, 1) : 0;
        i = __shfl_sync(~0u, i, 0);
        if (i >= args.n_sides)
            return;
        const struct base_gapped_start at = args.starts[i / 2];
        const struct gapped_warp_costs costs = {scores, args.open, args.extend, at.x_drop};
        const bool is_after = i % 2 != 0;
        const struct gapped_side rows = is_after ? gapped_side{args.chunk + at.subject, args.n_subject - at.subject}
                                                 : gapped_side{args.chunk + at.subject - 1, at.subject},
                                 columns = is_after ? gapped_side{args.queries + at.query, at.n_after}
                                                    : gapped_side{args.queries + at.query - 1, at.n_before};
        long long cells = 0;
        bool fits = true;
        struct gapped_extent extent = gapped_score_warp<false>(&costs, rows, columns, is_after ? 1 : -1, MOST_CELLS, &cells, &fits);
        if (!fits)
            extent.score = BASE_GAPPED_LEFT;
        if (lane == 0)
            args.out[i / 2].sides[i % 2] = extent;
        __syncwarp();
    }
}

bool base_gapped_gpu_takes(const struct gapped_costs *costs) { return gapped_warp_takes(costs->open, costs->extend, costs->x_drop); }

size_t base_gapped_gpu_bytes(size_t n_queries, size_t n_subject)
{
    return n_queries + 2 * n_subject + 6 * PAD + AT_ONCE * (sizeof(struct base_gapped_start) + sizeof(struct base_gapped_sides));
}

/* Device memory for n codes and the padding. */
static tms_status codes_of(struct gpu *gpu, const char *name, size_t n, uint8_t **out)
{
    const tms_status status = gpu_workspace_of(gpu, name, n + 3 * PAD, out);
    *out += PAD;
    return status;
}

tms_status base_gapped_gpu_set_queries(tms_context *ctx, const struct packed_queries *queries)
{
    struct gpu *gpu = ctx->gpu;
    uint8_t *d_codes;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu_index(gpu)));
    const tms_status status = codes_of(gpu, "queries to extend", (size_t)queries->n, &d_codes);
    return GPU_ALSO(status, gpu_upload(gpu, d_codes - 1, queries->codes - 1, (size_t)queries->n + 2));
}

/* Copies the chunk, and unpacks it. */
static tms_status put_chunk(struct gpu *gpu, const struct packed_bases *chunk, uint8_t **d_codes)
{
    const uint32_t n_bytes = ((uint32_t)chunk->n + 3) / 4;
    uint8_t *d_packed;
    tms_status status = gpu_workspace_of(gpu, "packed chunk to extend in", n_bytes + 1, &d_packed);
    status = GPU_ALSO(status, codes_of(gpu, "chunk to extend in", (size_t)4 * n_bytes, d_codes));
    status = GPU_ALSO(status, gpu_upload(gpu, d_packed, chunk->bytes, n_bytes));
    if (status != TMS_OK)
        return status;
    unpack_kernel<<<(n_bytes + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(d_packed, n_bytes, (uchar4 *)*d_codes);
    GPU_TRY(gpu, "unpacking a chunk", cudaGetLastError());
    return TMS_OK;
}

/* Extends n HSPs, at most AT_ONCE. */
static tms_status score(struct gpu *gpu, struct base_gapped_args args, const struct base_gapped_start *starts, size_t n,
                        struct base_gapped_sides *out)
{
    struct base_gapped_start *d_starts;
    int n_sms;
    tms_status status = gpu_workspace_of(gpu, "starts of extensions", n, &d_starts);
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "extensions", n, &args.out));
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "next extension", 1, &args.next));
    status = GPU_ALSO(status, gpu_upload(gpu, d_starts, starts, n * sizeof *starts));
    if (status != TMS_OK)
        return status;
    args.starts = d_starts;
    args.n_sides = (uint32_t)(2 * n);
    GPU_TRY(gpu, "extensions", cudaDeviceGetAttribute(&n_sms, cudaDevAttrMultiProcessorCount, gpu_index(gpu)));
    GPU_TRY(gpu, "extensions", cudaMemsetAsync(args.next, 0, sizeof *args.next, gpu->stream));
    const size_t wanted = (2 * n + WARPS - 1) / WARPS, most = (size_t)n_sms * BLOCKS;
    score_kernel<<<(unsigned)(wanted < most ? wanted : most), THREADS, 0, gpu->stream>>>(args);
    GPU_TRY(gpu, "extensions", cudaGetLastError());
    GPU_TRY(gpu, "extensions", cudaMemcpyAsync(out, args.out, n * sizeof *out, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

tms_status base_gapped_gpu_score(tms_context *ctx, const struct gapped_costs *costs, const struct base_gapped_batch *batch)
{
    struct gpu *gpu = ctx->gpu;
    struct base_gapped_args args = {};
    uint8_t *d_queries, *d_chunk = NULL;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu_index(gpu)));
    tms_status status = codes_of(gpu, "queries to extend", 0, &d_queries);
    status = GPU_ALSO(status, put_chunk(gpu, batch->chunk, &d_chunk));
    args.queries = d_queries;
    args.chunk = d_chunk;
    args.n_subject = batch->chunk->n;
    args.open = costs->open;
    args.extend = costs->extend;
    for (int i = 0; i < SUBJECT_CODES; i++)
        for (int k = 0; k < CODES; k++)
            args.scores[CODES * i + k] = costs->scores[RESIDUE_CODES * i + k];
    for (size_t done = 0; done < batch->n && status == TMS_OK; done += AT_ONCE)
        status = score(gpu, args, batch->starts + done, batch->n - done < AT_ONCE ? batch->n - done : AT_ONCE, batch->out + done);
    for (size_t i = 0; i < batch->n && status == TMS_OK; i++)
        if (batch->out[i].sides[1].score == BASE_GAPPED_LEFT)
            batch->out[i].sides[0].score = BASE_GAPPED_LEFT;
    return status;
}
