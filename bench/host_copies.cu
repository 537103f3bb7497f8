/* host_copies.cu - batches between host and device memory: the copies alone, and copies that stay there. */
#include "bench.h"
#include "device/gpu_internal.cuh"
#include "filter/key_pieces.h"
#include "gpu_limits.cuh"
#include "run/context.h"

#define RUNS    5
#define PADDING 64

static size_t arena_at(const tms_keys *keys, size_t i) { return keys->offsets ? keys->offsets[i] : i * keys->key_size; }

double bench_copies_alone(tms_context *ctx, const tms_keys *keys, void *answers, size_t answer_size)
{
    struct gpu *gpu = ctx->gpu;
    size_t mean = arena_at(keys, keys->n_keys) / keys->n_keys + 1;
    size_t piece = KEY_PIECE_BYTES / mean < KEY_PIECE_KEYS ? KEY_PIECE_BYTES / mean : KEY_PIECE_KEYS, most = 0;
    for (size_t first = 0; first < keys->n_keys; first += piece) {
        size_t end = first + piece < keys->n_keys ? first + piece : keys->n_keys;
        size_t bytes = arena_at(keys, end) - arena_at(keys, first);
        most = bytes > most ? bytes : most;
    }
    uint8_t *d_bytes, *d_answers;
    uint32_t *d_offsets;
    BENCH_CUDA(cudaMalloc(&d_bytes, most + PADDING));
    BENCH_CUDA(cudaMalloc(&d_offsets, (piece + 1) * sizeof *d_offsets));
    BENCH_CUDA(cudaMalloc(&d_answers, piece * answer_size + PADDING));
    double seconds[RUNS];
    for (int run = -1; run < RUNS; run++) {
        double start = bench_now();
        for (size_t first = 0; first < keys->n_keys; first += piece) {
            size_t n = keys->n_keys - first < piece ? keys->n_keys - first : piece;
            size_t from = arena_at(keys, first), to = arena_at(keys, first + n);
            BENCH_CUDA(cudaMemcpyAsync(d_bytes, keys->bytes + from, to - from, cudaMemcpyHostToDevice, gpu->copy_in));
            if (keys->offsets)
                BENCH_CUDA(
                    cudaMemcpyAsync(d_offsets, keys->offsets + first, (n + 1) * sizeof *d_offsets, cudaMemcpyHostToDevice, gpu->copy_in));
            if (answers)
                BENCH_CUDA(cudaMemcpyAsync((uint8_t *)answers + first * answer_size, d_answers, n * answer_size, cudaMemcpyDeviceToHost,
                                           gpu->copy_out));
        }
        BENCH_CUDA(cudaStreamSynchronize(gpu->copy_in));
        BENCH_CUDA(cudaStreamSynchronize(gpu->copy_out));
        if (run >= 0)
            seconds[run] = bench_now() - start;
    }
    BENCH_CUDA(cudaFree(d_bytes));
    BENCH_CUDA(cudaFree(d_offsets));
    BENCH_CUDA(cudaFree(d_answers));
    return bench_median(seconds, RUNS);
}

tms_keys bench_device_alloc(const tms_keys *keys)
{
    uint8_t *d_bytes;
    uint32_t *d_offsets;
    BENCH_CUDA(cudaMalloc(&d_bytes, arena_at(keys, keys->n_keys) + PADDING));
    BENCH_CUDA(cudaMalloc(&d_offsets, (keys->n_keys + 1) * sizeof *d_offsets));
    tms_keys d_keys = {d_bytes, d_offsets, keys->n_keys, 0, keys->gap};
    return d_keys;
}

void bench_device_copy(tms_context *ctx, tms_keys *d_keys, const tms_keys *keys)
{
    cudaStream_t stream = (cudaStream_t)tms_context_stream(ctx);
    BENCH_CUDA(cudaMemcpyAsync((void *)d_keys->bytes, keys->bytes, arena_at(keys, keys->n_keys), cudaMemcpyHostToDevice, stream));
    BENCH_CUDA(
        cudaMemcpyAsync((void *)d_keys->offsets, keys->offsets, (keys->n_keys + 1) * sizeof(uint32_t), cudaMemcpyHostToDevice, stream));
}

void bench_device_free(tms_keys *d_keys)
{
    BENCH_CUDA(cudaFree((void *)d_keys->bytes));
    BENCH_CUDA(cudaFree((void *)d_keys->offsets));
}
