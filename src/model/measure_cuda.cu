/*
 * measure_cuda.cu - times tamis's kernels on workloads of random keys: the bank, filters of strings, filters of w-mers.
 *
 * A workload fills its filter by inserting random keys. If that would take more than FILLED_BITS accesses, it sets as many random bits
 * instead, which makes no difference to the timed kernels.
 */
#include <math.h>
#include <stdio.h>

#include "bank/bank_cuda.cuh"
#include "classify/word_scan_kernels.cuh"
#include "filter/classic_cuda.h"
#include "hash/bloom_fpr.h"
#include "model/micro_cuda.cuh"
#include "model/workload.h"

#define FILLED_BITS  ((double)(1u << 30))
#define FEW_SUBS     64 /* vectors that are filled; the other vectors are copies */
#define FILL_THREADS 256
#define WORD_SIZE    16 /* w of the bank's w-mers [Ma11: 11 .. 16] */
#define READ_WORD    31 /* w of the reads' w-mers */
static_assert(WORKLOAD_TILE == TILE - (READ_WORD + 30) / 32 * 32, "the model's tiles are tile_step()'s");

/* --- the machine --- */

tms_status measure_gpu_machine(tms_context *ctx, tms_machine *out)
{
    cudaDeviceProp p;
    int clock = 0, memory_clock = 0, max_blocks = 0;
    if (!ctx->gpu)
        return TMS_OK;
    const int index = gpu_index(ctx->gpu);
    GPU_TRY(ctx->gpu, "reading its properties", cudaGetDeviceProperties(&p, index));
    GPU_TRY(ctx->gpu, "reading its clock", cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, index));
    GPU_TRY(ctx->gpu, "reading its clock", cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, index));
    GPU_TRY(ctx->gpu, "reading its limits", cudaDeviceGetAttribute(&max_blocks, cudaDevAttrMaxBlocksPerMultiprocessor, index));
    GPU_TRY(ctx->gpu, "reading its driver", cudaDriverGetVersion(&out->driver_version));
    GPU_TRY(ctx->gpu, "reading its driver", cudaRuntimeGetVersion(&out->runtime_version));
    snprintf(out->gpu, sizeof out->gpu, "%.127s", p.name);
    out->compute_major = p.major;
    out->compute_minor = p.minor;
    out->n_multiprocessors = (uint32_t)p.multiProcessorCount;
    out->warp_size = (uint32_t)p.warpSize;
    out->registers = (uint32_t)p.regsPerMultiprocessor;
    out->max_blocks = (uint32_t)max_blocks;
    out->max_threads_block = (uint32_t)p.maxThreadsPerBlock;
    out->max_threads = (uint32_t)p.maxThreadsPerMultiProcessor;
    out->shared_bytes = p.sharedMemPerMultiprocessor;
    out->shared_bytes_block = p.sharedMemPerBlockOptin;
    out->shared_reserved = p.reservedSharedMemPerBlock;
    out->memory_bytes = p.totalGlobalMem;
    out->l2_bytes = (uint64_t)p.l2CacheSize;
    out->clock_khz = (uint32_t)clock;
    out->memory_clock_khz = (uint32_t)memory_clock;
    return TMS_OK;
}

/* --- random bits, counts --- */

/* Sets each bit with probability chance / 2^16. */
static __global__ void __launch_bounds__(FILL_THREADS) dense_kernel(uint64_t *words, size_t n, uint32_t chance, uint64_t seed)
{
    size_t step = (size_t)gridDim.x * FILL_THREADS;
    for (size_t i = (size_t)blockIdx.x * FILL_THREADS + threadIdx.x; i < n; i += step) {
        uint64_t word = 0;
        for (uint32_t bit = 0; bit < 16; bit++) { /* from the lowest binary digit of the probability on */
            uint64_t random = core_splitmix(seed + bit, i);
            word = chance >> bit & 1 ? word | random : word & random;
        }
        words[i] = word;
    }
}

static tms_status fill_densely(struct gpu *gpu, void *d_bits, uint64_t bytes, double density)
{
    const uint32_t chance = (uint32_t)fmin(fmax(round(density * 65536), 0), 65535); /* of 16 bits: one more would be none */
    dense_kernel<<<(unsigned)gpu->n_multiprocessors * 16, FILL_THREADS, 0, gpu->stream>>>((uint64_t *)d_bits, bytes / 8, chance, 77);
    GPU_TRY(gpu, "random bits", cudaGetLastError());
    return TMS_OK;
}

static __global__ void __launch_bounds__(FILL_THREADS) count_kernel(const uint32_t *words, size_t n, unsigned long long *sum)
{
    uint32_t here = 0;
    for (size_t i = (size_t)blockIdx.x * FILL_THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * FILL_THREADS)
        here += (uint32_t)__popc(words[i]);
    here = __reduce_add_sync(~0u, here);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, (unsigned long long)here);
}

/* Counts the ones in n words of device memory. */
static tms_status count_bits(tms_context *ctx, const uint32_t *d_words, size_t n, double *out)
{
    struct gpu *gpu = ctx->gpu;
    unsigned long long *d_sum, sum;
    tms_status status = gpu_workspace_of(gpu, "model's sum", 1, &d_sum);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "counting", cudaMemsetAsync(d_sum, 0, sizeof *d_sum, gpu->stream));
    count_kernel<<<(unsigned)gpu->n_multiprocessors * 8, FILL_THREADS, 0, gpu->stream>>>(d_words, n, d_sum);
    GPU_TRY(gpu, "counting", cudaGetLastError());
    GPU_TRY(gpu, "counting", cudaMemcpyAsync(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost, gpu->stream));
    GPU_TRY(gpu, "counting", cudaStreamSynchronize(gpu->stream));
    *out = (double)sum;
    return TMS_OK;
}

/* --- the bank --- */

static uint32_t bank_subs(const tms_workload *w) { return (uint32_t)((w->Q + w->n - 1) / w->n); }

static struct bank_shape bank_shape_of(const tms_workload *w)
{
    const uint32_t n_subs = bank_subs(w);
    return bank_shape{w->m_bits, 1, w->k, n_subs, w->place == TMS_PLACE_SHARED ? 0 : bank_row_bits(n_subs), BANK_XXH3, WORD_SIZE};
}

static __global__ void __launch_bounds__(FILL_THREADS) bank_fill_kernel(bank_gpu bank, uint64_t n, uint64_t n_all)
{
    for (uint64_t i = (uint64_t)blockIdx.x * FILL_THREADS + threadIdx.x; i < n_all; i += (uint64_t)gridDim.x * FILL_THREADS) {
        uint64_t word = core_splitmix(1, i) >> (64 - 2 * WORD_SIZE), lane = 0;
        for (uint32_t j = 0; j < bank.shape.k; j++) {
            if (j % 2 == 0)
                lane = bank_hash_lane(bank.shape, NULL, j / 2, word);
            uint64_t bit = bank_bit(&bank.shape, (uint32_t)(i / n), bank_position(lane, j, bank.shape.m_bits));
            atomicOr(bank.d_bits + (bit >> 5), 1u << (bit & 31));
        }
    }
}

static __global__ void __launch_bounds__(FILL_THREADS) w_mers_kernel(uint64_t *words, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * FILL_THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * FILL_THREADS)
        words[i] = core_splitmix(2, i) >> (64 - 2 * WORD_SIZE);
}

/* The paper's plan [Ma11, II-B]: one vector a block at a time, which tests all w-mers; 0 blocks: tamis's own. */
static tms_status bank_plan_of(tms_context *ctx, const tms_workload *w, struct bank_plan *out)
{
    const struct bank_shape shape = bank_shape_of(w);
    if (w->blocks == 0)
        return bank_plan_shared(ctx, &shape, out);
    *out = bank_plan{w->blocks, w->threads ? w->threads : 1024, 1, 0};
    if (bank_stride(&shape) / 8 > ctx->gpu->shared_bytes_block)
        return context_fail(ctx, TMS_E_ARG, "a vector of %llu bits does not fit in shared memory: a block of this GPU has %zu bytes",
                            (unsigned long long)w->m_bits, ctx->gpu->shared_bytes_block);
    return TMS_OK;
}

static tms_status bank_fill(tms_context *ctx, const tms_workload *w, struct bank_gpu *bank)
{
    struct gpu *gpu = ctx->gpu;
    const uint32_t n_subs = bank->shape.n_subs, n_filled = n_subs < FEW_SUBS || bank->shape.row_bits ? n_subs : FEW_SUBS;
    const uint64_t vector = bank_stride(&bank->shape) / 8, columns = bank_width(&bank->shape);
    const uint64_t bytes = bank->shape.row_bits ? w->m_bits * columns / 8 : vector * n_subs;
    tms_status status = gpu_workspace_anew(gpu, "model's table", (size_t)bytes, (void **)&bank->d_bits);
    if (status != TMS_OK)
        return status;
    if ((double)w->n * n_filled * w->k > FILLED_BITS)
        return fill_densely(gpu, bank->d_bits, bytes, -expm1((double)w->k * (double)w->n * log1p(-1 / (double)w->m_bits)));
    GPU_TRY(gpu, "clearing the bank", cudaMemsetAsync(bank->d_bits, 0, (size_t)bytes, gpu->stream));
    bank_fill_kernel<<<(unsigned)gpu->n_multiprocessors * 8, FILL_THREADS, 0, gpu->stream>>>(*bank, w->n, w->n * n_filled);
    GPU_TRY(gpu, "filling the bank", cudaGetLastError());
    for (uint32_t sub = n_filled; sub < n_subs; sub += n_filled) {
        const uint32_t n = n_subs - sub < n_filled ? n_subs - sub : n_filled;
        GPU_TRY(gpu, "filling the bank",
                cudaMemcpyAsync((uint8_t *)bank->d_bits + sub * vector, bank->d_bits, (size_t)(n * vector), cudaMemcpyDeviceToDevice,
                                gpu->stream));
    }
    return TMS_OK;
}

struct bank_run {
    struct bank_gpu bank;
    struct bank_plan plan;
    uint32_t *d_positions, *d_answers;
    size_t answer_words;
};

static tms_status bank_prepare(tms_context *ctx, const tms_workload *w, struct bank_run *run)
{
    struct gpu *gpu = ctx->gpu;
    const size_t n = (size_t)w->D;
    uint64_t *d_words = NULL;
    *run = bank_run{};
    run->bank = bank_gpu{bank_shape_of(w), gpu_index(gpu), NULL, NULL};
    tms_status status = bank_fill(ctx, w, &run->bank);
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "model's w-mers", n, &d_words));
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "model's positions", n * w->k, &run->d_positions));
    run->answer_words = w->place == TMS_PLACE_SHARED ? (n + 31) / 32 * run->bank.shape.n_subs : n * bank_row_words(&run->bank.shape);
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "model's answers", run->answer_words, &run->d_answers));
    if (status != TMS_OK)
        return status;
    w_mers_kernel<<<(unsigned)gpu->n_multiprocessors * 8, FILL_THREADS, 0, gpu->stream>>>(d_words, n);
    GPU_TRY(gpu, "random w-mers", cudaGetLastError());
    if (w->place == TMS_PLACE_SHARED)
        status = bank_plan_of(ctx, w, &run->plan);
    return GPU_ALSO(status, bank_positions_cuda(ctx, &run->bank, d_words, n, run->d_positions));
}

static tms_status bank_measure(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out)
{
    struct bank_run run;
    struct measure_times times;
    struct measure_kernel k = {};
    double passed = 0;
    tms_status status = bank_prepare(ctx, w, &run);
    if (status == TMS_OK && w->place == TMS_PLACE_SHARED)
        status = measure_gpu_kernel(ctx, w, &k);
    if (status != TMS_OK)
        return status;
    auto work = [&] {
        return w->place == TMS_PLACE_SHARED ? bank_shared_cuda(ctx, &run.bank, &run.plan, run.d_positions, (size_t)w->D, run.d_answers)
                                            : bank_interleaved_cuda(ctx, &run.bank, run.d_positions, (size_t)w->D, run.d_answers);
    };
    status = measure_kernels(
        ctx, n_repeats, [] { return TMS_OK; }, work, &times);
    status = GPU_ALSO(status, count_bits(ctx, run.d_answers, run.answer_words, &passed));
    if (status != TMS_OK)
        return status;
    measure_summary(&times, out);
    out->fpr = passed / ((double)w->D * run.bank.shape.n_subs);
    out->blocks = run.plan.blocks;
    out->threads = k.threads;
    out->active_blocks = k.active_blocks;
    out->registers = k.registers;
    return TMS_OK;
}

/* --- strings --- */

static tms_status strings_filter(tms_context *ctx, const tms_workload *w, tms_filter **out)
{
    tms_filter_params params = {};
    params.layout = w->layout;
    params.hash = TMS_HASH_XXH3;
    params.m_bits = w->m_bits;
    params.k = w->k;
    params.blocks_per_key = w->layout == TMS_LAYOUT_BLOCKED ? 1 : 0;
    return tms_filter_create(ctx, &params, out);
}

static tms_status random_keys(tms_context *ctx, const tms_workload *w, uint64_t n, uint64_t seed, tms_keys *out)
{
    uint32_t *d_bytes;
    const size_t words = (size_t)(n * w->length + 3) / 4 + 16;
    tms_status status = gpu_workspace_anew_of(ctx->gpu, "model's strings", words, &d_bytes);
    status = GPU_ALSO(status, micro_random_words(ctx->gpu, d_bytes, words, seed));
    *out = tms_keys{(const uint8_t *)d_bytes, NULL, (size_t)n, w->length, 0};
    return status;
}

static tms_status strings_run(tms_context *ctx, const tms_workload *w, tms_filter *f, const tms_keys *keys, uint8_t *d_hit)
{
    const enum classic_schedule schedule = w->threads == 0 ? CLASSIC_AUTO : w->threads == 1 ? CLASSIC_THREAD : CLASSIC_WARP;
    if (w->layout == TMS_LAYOUT_BLOCKED)
        return d_hit ? tms_filter_query_device(ctx, f, keys, d_hit) : tms_filter_insert_device(ctx, f, keys);
    return d_hit ? classic_query_cuda(ctx, f, keys, d_hit, schedule) : classic_insert_cuda(ctx, f, keys, NULL, keys->n_keys, schedule);
}

#define KEYS_AT_ONCE ((uint64_t)1 << 26)

/* Inserts n keys that differ from those of the run, or sets as many random bits. */
static tms_status strings_fill(tms_context *ctx, const tms_workload *w, tms_filter *f)
{
    tms_status status = TMS_OK;
    tms_keys keys;
    if (w->layout == TMS_LAYOUT_CLASSIC && (double)w->n * w->k > FILLED_BITS)
        return fill_densely(ctx->gpu, f->d_bits, f->bits_bytes, -expm1((double)w->k * (double)w->n * log1p(-1 / (double)w->m_bits)));
    for (uint64_t done = 0; done < w->n && status == TMS_OK; done += KEYS_AT_ONCE) {
        const uint64_t left = w->n - done, n = left < KEYS_AT_ONCE ? left : KEYS_AT_ONCE;
        status = random_keys(ctx, w, n, 100 + done, &keys);
        status = GPU_ALSO(status, tms_filter_insert_device(ctx, f, &keys));
    }
    return status;
}

static tms_status strings_on_filter(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_filter *f, struct measure_times *times,
                                    double *fpr)
{
    struct gpu *gpu = ctx->gpu;
    const bool builds = w->op == TMS_OP_BUILD;
    const size_t n = (size_t)w->D;
    uint32_t *d_hit;
    tms_keys keys;
    double passed;
    tms_status status = builds ? TMS_OK : strings_fill(ctx, w, f);
    status = GPU_ALSO(status, random_keys(ctx, w, w->D, 1, &keys));
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "model's answers", n / 4 + 1, &d_hit));
    if (status == TMS_OK && w->op == TMS_OP_QUERY_PRESENT)
        status = strings_run(ctx, w, f, &keys, NULL);
    if (status != TMS_OK)
        return status;
    auto prepare = [&]() -> tms_status {
        if (builds)
            GPU_TRY(gpu, "clearing the filter", cudaMemsetAsync(f->d_bits, 0, f->bits_bytes, gpu->stream));
        return TMS_OK;
    };
    status = measure_kernels(
        ctx, n_repeats, prepare, [&] { return strings_run(ctx, w, f, &keys, builds ? NULL : (uint8_t *)d_hit); }, times);
    if (status != TMS_OK || w->op != TMS_OP_QUERY)
        return status;
    GPU_TRY(gpu, "clearing the answers' end", cudaMemsetAsync((uint8_t *)d_hit + n, 0, 4 - n % 4, gpu->stream));
    status = count_bits(ctx, d_hit, n / 4 + 1, &passed);
    *fpr = passed / (double)n;
    return status;
}

static tms_status strings_measure(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out)
{
    struct measure_times times;
    tms_filter *f;
    double fpr = NAN;
    tms_status status = strings_filter(ctx, w, &f);
    if (status != TMS_OK)
        return status;
    status = strings_on_filter(ctx, w, n_repeats, f, &times, &fpr);
    tms_filter_destroy(f);
    if (status != TMS_OK)
        return status;
    measure_summary(&times, out);
    out->fpr = fpr;
    out->threads = w->threads;
    return TMS_OK;
}

/* --- reads --- */

static __global__ void __launch_bounds__(FILL_THREADS) letters_kernel(uint8_t *letters, uint64_t n, uint32_t length, uint64_t seed)
{
    for (uint64_t i = (uint64_t)blockIdx.x * FILL_THREADS + threadIdx.x; i < n; i += (uint64_t)gridDim.x * FILL_THREADS)
        letters[i] = i % (length + 1) == length ? 0 : (uint8_t)(0x54474341u >> 8 * (core_splitmix(seed, i) & 3)); /* A C G T */
}

static uint64_t reads_letters(const tms_workload *w) { return w->D * (w->length + 1); }

static tms_status reads_filter(tms_context *ctx, const tms_workload *w, tms_filter **out)
{
    tms_filter_want want = {};
    tms_filter_params params;
    want.layout = TMS_LAYOUT_WORDS;
    want.hash = TMS_HASH_XXH3;
    want.word_size = READ_WORD;
    want.strand = TMS_STRAND_BOTH;
    want.n_keys = w->n;
    want.m_bits = w->m_bits;
    tms_status status = tms_filter_size(ctx, &want, &params);
    return status == TMS_OK ? tms_filter_create(ctx, &params, out) : status;
}

struct reads_scan {
    struct gpu_words_shape shape;
    struct gpu_words_filters filters; /* one */
    uint64_t n, n_words;              /* n: bases; n_words: words of a plane */
    uint8_t *d_letters;
    uint32_t *d_planes; /* 2 */
    unsigned blocks;
};

/* Makes random reads, and a filter whose random bits have the density of a filter at its capacity. */
static tms_status reads_prepare(tms_context *ctx, const tms_workload *w, tms_filter *f, struct reads_scan *out)
{
    struct gpu *gpu = ctx->gpu;
    const tms_filter_params *p = &f->params;
    out->shape = gpu_words_shape{
        p->word_size, p->subword_size, p->minimizer_size, p->word_size - p->subword_size + 1, p->subword_size - p->minimizer_size + 1,
        p->seed,      p->strand};
    out->n = reads_letters(w);
    out->n_words = (out->n + 63) / 64;
    out->filters.n = 1;
    out->filters.items[0] = gpu_words_filter{(unsigned long long *)f->d_bits, p->m_bits / TMS_BLOCK_BITS, p->k};
    tms_status status = gpu_workspace_of(gpu, "the bases of a measurement", (size_t)out->n + 64, &out->d_letters);
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "model's answers", (size_t)out->n_words * 4, &out->d_planes));
    status = GPU_ALSO(status, fill_densely(gpu, f->d_bits, f->bits_bytes, 0.3));
    if (status != TMS_OK)
        return status;
    const uint64_t step = tile_step(out->shape.w), tiles = (out->n + step - 1) / step;
    const uint64_t most = (uint64_t)gpu->n_multiprocessors * SCAN_GPU_BLOCKS;
    out->blocks = w->blocks ? w->blocks : (unsigned)(tiles < most ? tiles : most);
    letters_kernel<<<(unsigned)gpu->n_multiprocessors * 8, FILL_THREADS, 0, gpu->stream>>>(out->d_letters, out->n, w->length, 3);
    GPU_TRY(gpu, "random reads", cudaGetLastError());
    return TMS_OK;
}

static tms_status reads_on_filter(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_filter *f, tms_measurement *out)
{
    struct gpu *gpu = ctx->gpu;
    struct measure_kernel k;
    struct measure_times times;
    struct reads_scan s = {};
    double passed;
    tms_status status = measure_gpu_kernel(ctx, w, &k);
    status = GPU_ALSO(status, reads_prepare(ctx, w, f, &s));
    if (status != TMS_OK)
        return status;
    auto work = [&]() -> tms_status {
        auto kernel = s.shape.n_windows == WINDOWS_USUAL ? hits_kernel<WINDOWS_USUAL> : hits_kernel<0>;
        kernel<<<s.blocks, THREADS, 0, gpu->stream>>>(s.shape, s.filters, s.d_letters, s.n, s.n, s.d_planes, s.n_words);
        GPU_TRY(gpu, "testing w-mers", cudaGetLastError());
        return TMS_OK;
    };
    status = measure_kernels(
        ctx, n_repeats, [] { return TMS_OK; }, work, &times);
    status = GPU_ALSO(status, count_bits(ctx, s.d_planes + 2 * s.n_words, (size_t)(2 * s.n_words), &passed));
    if (status != TMS_OK)
        return status;
    measure_summary(&times, out);
    out->fpr = passed / (double)s.n;
    out->blocks = s.blocks;
    out->threads = THREADS;
    out->active_blocks = k.active_blocks;
    out->registers = k.registers;
    return TMS_OK;
}

static tms_status reads_measure(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out)
{
    tms_filter *f;
    tms_status status = reads_filter(ctx, w, &f);
    if (status != TMS_OK)
        return status;
    status = reads_on_filter(ctx, w, n_repeats, f, out);
    tms_filter_destroy(f);
    return status;
}

/* --- all --- */

tms_status measure_gpu_kernel(tms_context *ctx, const tms_workload *w, struct measure_kernel *out)
{
    struct gpu *gpu = ctx->gpu;
    struct bank_plan plan;
    int blocks, registers;
    tms_status status;
    *out = measure_kernel{};
    if (w->app == TMS_APP_RANDOM)
        return micro_kernel_of(ctx, w, out);
    if (w->app == TMS_APP_BANK && w->place == TMS_PLACE_SHARED) {
        const struct bank_shape shape = bank_shape_of(w);
        status = bank_plan_of(ctx, w, &plan);
        status = GPU_ALSO(status, bank_plan_occupancy(ctx, &shape, &plan, &blocks, &registers));
        if (status != TMS_OK)
            return status;
        *out = measure_kernel{(uint32_t)registers, plan.threads, (uint32_t)blocks, 0, plan.vectors * bank_stride(&shape) / 8};
        return TMS_OK;
    }
    if (w->app == TMS_APP_CLASSIFY) {
        cudaFuncAttributes attributes;
        GPU_TRY(gpu, "a kernel's attributes", cudaFuncGetAttributes(&attributes, hits_kernel<WINDOWS_USUAL>));
        GPU_TRY(gpu, "a kernel's occupancy",
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, hits_kernel<WINDOWS_USUAL>, THREADS, 0));
        *out = measure_kernel{(uint32_t)attributes.numRegs, THREADS, (uint32_t)blocks, 0, attributes.sharedSizeBytes};
    }
    return TMS_OK;
}

tms_status measure_gpu(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out)
{
    *out = tms_measurement{};
    out->fpr = NAN;
    switch (w->app) {
    case TMS_APP_RANDOM:
        return micro_measure(ctx, w, n_repeats, out);
    case TMS_APP_BANK:
        return bank_measure(ctx, w, n_repeats, out);
    case TMS_APP_STRINGS:
        return strings_measure(ctx, w, n_repeats, out);
    case TMS_APP_CLASSIFY:
        return reads_measure(ctx, w, n_repeats, out);
    }
    return context_fail(ctx, TMS_E_ARG, "unknown application");
}

/* --- overheads --- */

static __global__ void nothing_kernel(void) {}

#define COPY_BYTES ((size_t)64 << 20)

tms_status measure_gpu_overheads(tms_context *ctx, double *launch_seconds, double *copy_in, double *copy_out)
{
    struct gpu *gpu = ctx->gpu;
    struct measure_times times;
    tms_measurement m;
    void *host, *d_bytes;
    tms_status status = gpu_workspace(gpu, "model's strings", COPY_BYTES, &d_bytes);
    status = GPU_ALSO(status, gpu_host_alloc(gpu, COPY_BYTES, &host));
    if (status != TMS_OK)
        return status;
    memset(host, 1, COPY_BYTES);
    auto nothing = [] { return TMS_OK; };
    auto launch = [&]() -> tms_status {
        nothing_kernel<<<1, 32, 0, gpu->stream>>>();
        GPU_TRY(gpu, "an empty kernel", cudaGetLastError());
        return TMS_OK;
    };
    auto copy = [&](bool in) -> tms_status {
        GPU_TRY(gpu, "a copy",
                cudaMemcpyAsync(in ? d_bytes : host, in ? host : d_bytes, COPY_BYTES, in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                                gpu->stream));
        return TMS_OK;
    };
    status = measure_kernels(ctx, MEASURE_MOST, nothing, launch, &times);
    measure_summary(&times, &m);
    *launch_seconds = m.seconds;
    for (int in = 0; in < 2 && status == TMS_OK; in++) {
        status = measure_kernels(
            ctx, 5, nothing, [&] { return copy(in); }, &times);
        measure_summary(&times, &m);
        *(in ? copy_in : copy_out) = (double)COPY_BYTES / m.seconds;
    }
    gpu_host_free(host);
    return status;
}
