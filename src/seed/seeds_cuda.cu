/*
 * seeds_cuda.cu - stage 1 on a GPU.
 *
 * With one sub-query a kernel does it all for a w-mer: word, positions, probes, look-up. With more, the bank's schedule
 * makes rows of answers first. Either way a piece goes through in steps of so many windows that the workspaces
 * stay bounded, and results are put in order by a prefix sum over counts: no list is appended to.
 */
#include <cub/cub.cuh>

#include "encode/dna_core.h"
#include "bank/bank_cuda.cuh"
#include "seed/seeds_cuda.h"

#define THREADS      256
#define STEP_WINDOWS ((size_t)1 << 24)
#define STEP_BYTES   ((size_t)256 << 20) /* of rows and positions */
#define NOT_REACHED  (~(unsigned long long)0)

struct seeds_gpu {
    struct bank_gpu bank;
    struct word_table table; /* pointers to device memory */
    int is_canonical;
    uint64_t sub_query;
};

/* What the kernels of a step add up. */
struct step_sums {
    unsigned long long n_passed, n_true, n_seeds;
    unsigned long long n_list; /* passes in the list */
    unsigned long long next;   /* the first window whose passes found no room */
};

/* A step: windows that begin at bases 0 .. n - 1 of the codes here. */
struct step {
    struct bank_shape shape;
    struct word_table table;
    const uint64_t *codes, *tables;
    const uint32_t *valid, *bits;
    struct step_sums *sums;
    size_t n;
    uint32_t first; /* base 0 of the step in the piece */
    int is_canonical;
};

/* --- windows --- */

static __device__ __forceinline__ bool is_valid(const step &s, size_t i)
{
    return i < s.n && s.valid[i / 32] >> (i % 32) & 1;
}

static __device__ __forceinline__ uint64_t word_at(const step &s, size_t i, bool *is_reversed)
{
    uint64_t word = dna_word(s.codes, i, s.shape.word_size), other = ~(uint64_t)0;
    if (s.is_canonical)
        other = dna_reverse_complement(word, s.shape.word_size);
    *is_reversed = other < word;
    return other < word ? other : word;
}

static __global__ void __launch_bounds__(THREADS) words_kernel(step s, uint64_t *words)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    bool is_reversed;
    if (i < s.n)
        words[i] = word_at(s, i, &is_reversed);
}

/* --- look-up --- */

struct tallies {
    uint32_t n_passed, n_true;
    unsigned long long n_seeds;
};

/*
 * A warp's w-mers, of which each lane has one. Where hits are asked for: which of a tile of 32 are in the query, how
 * many, and their words in the table.
 */
static __device__ __forceinline__ void look_up(const step &s, size_t i, bool passed, uint64_t word, bool is_reversed,
                                               uint32_t *found, uint32_t *counts, uint32_t *places, tallies *t)
{
    uint32_t entry = WORD_NONE;
    if (passed) {
        entry = word_find(&s.table, word_mix(word, s.shape.word_size));
        t->n_passed++;
        if (entry != WORD_NONE) {
            t->n_true++;
            t->n_seeds += s.table.entries[entry + 1].first - s.table.entries[entry].first;
        }
    }
    if (found) {
        uint32_t ballot = __ballot_sync(~0u, entry != WORD_NONE);
        if (entry != WORD_NONE)
            places[i] = entry | (is_reversed ? WORD_REVERSED : 0);
        if (i % 32 == 0) {
            found[i / 32] = ballot;
            counts[i / 32] = __popc(ballot);
        }
    }
}

static __device__ __forceinline__ void add_tallies(step_sums *sums, const tallies &t)
{
    uint32_t n_passed = __reduce_add_sync(~0u, t.n_passed), n_true = __reduce_add_sync(~0u, t.n_true);
    unsigned long long n_seeds = t.n_seeds;
    for (int d = 16; d; d /= 2)
        n_seeds += __shfl_xor_sync(~0u, n_seeds, d);
    if (threadIdx.x % 32 == 0 && n_passed) {
        atomicAdd(&sums->n_passed, n_passed);
        atomicAdd(&sums->n_true, n_true);
        atomicAdd(&sums->n_seeds, n_seeds);
    }
}

/* One sub-query: bit `position` is its, column 0 of a row. */
static __device__ __forceinline__ bool passes(const step &s, const uint64_t *tables, uint64_t word)
{
    uint64_t lane = 0, columns = s.shape.row_bits ? s.shape.row_bits : 1;
    for (uint32_t j = 0; j < s.shape.k; j++) {
        if (j % 2 == 0 && s.shape.hash != BANK_EXACT)
            lane = bank_hash_lane(s.shape, tables, j / 2, word);
        uint64_t bit = (s.shape.hash == BANK_EXACT ? word : bank_position(lane, j, s.shape.m_bits)) * columns;
        if (!(__ldg(s.bits + (bit >> 5)) >> (bit & 31) & 1))
            return false;
    }
    return true;
}

static __global__ void __launch_bounds__(THREADS)
    scan_kernel(step s, uint32_t *found, uint32_t *counts, uint32_t *places)
{
    extern __shared__ uint64_t tables[];
    tallies t = {};
    bank_load_tables(s.shape, s.tables, tables);
    for (size_t first = (size_t)blockIdx.x * THREADS; first < s.n; first += (size_t)gridDim.x * THREADS) {
        size_t i = first + threadIdx.x;
        uint64_t word = 0;
        bool is_reversed = false, passed = is_valid(s, i);
        if (passed) {
            word = word_at(s, i, &is_reversed);
            passed = passes(s, tables, word);
        }
        if (first + threadIdx.x / 32 * 32 < s.n) /* a warp as a whole */
            look_up(s, i, passed, word, is_reversed, found, counts, places, &t);
    }
    add_tallies(s.sums, t);
}

/* Several sub-queries: what is in the rows. Wide ones are read by a warp each. */
static __global__ void __launch_bounds__(THREADS) scan_rows_kernel(step s, const uint32_t *rows, uint32_t row_words,
                                                                   uint32_t *found, uint32_t *counts, uint32_t *places)
{
    size_t tile = ((size_t)blockIdx.x * THREADS + threadIdx.x) / 32 * 32;
    uint32_t lane = threadIdx.x % 32, any = 0;
    tallies t = {};
    if (tile >= s.n)
        return;
    if (row_words <= 4) {
        for (uint32_t w = 0; w < row_words && tile + lane < s.n; w++)
            any |= rows[(tile + lane) * row_words + w];
    } else {
        for (uint32_t r = 0; r < 32 && tile + r < s.n; r++) {
            uint32_t seen = 0;
            for (uint32_t w = lane; w < row_words; w += 32)
                seen |= rows[(tile + r) * row_words + w];
            seen = __any_sync(~0u, seen);
            any = lane == r ? seen : any;
        }
    }
    bool is_reversed = false, passed = any && is_valid(s, tile + lane);
    uint64_t word = passed ? word_at(s, tile + lane, &is_reversed) : 0;
    look_up(s, tile + lane, passed, word, is_reversed, found, counts, places, &t);
    add_tallies(s.sums, t);
}

static __global__ void __launch_bounds__(THREADS)
    hits_kernel(step s, const uint32_t *found, const uint32_t *offsets, const uint32_t *places, tms_seed_hit *hits)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= s.n || !(found[i / 32] >> (i % 32) & 1))
        return;
    uint32_t below = found[i / 32] & ((1u << i % 32) - 1);
    hits[offsets[i / 32] + __popc(below)] = tms_seed_hit{s.first + (uint32_t)i, places[i]};
}

/* --- lists of passes: a warp has a window's row --- */

static __global__ void __launch_bounds__(THREADS)
    count_passes_kernel(step s, const uint32_t *rows, uint32_t row_words, unsigned long long *counts)
{
    size_t i = ((size_t)blockIdx.x * THREADS + threadIdx.x) / 32;
    uint32_t lane = threadIdx.x % 32, n = 0;
    if (i >= s.n)
        return;
    if (is_valid(s, i))
        for (uint32_t w = lane; w < row_words; w += 32)
            n += __popc(rows[i * row_words + w]);
    n = __reduce_add_sync(~0u, n);
    if (lane == 0)
        counts[i] = n;
}

static __global__ void __launch_bounds__(THREADS)
    list_passes_kernel(step s, const uint32_t *rows, uint32_t row_words, const unsigned long long *counts,
                       const unsigned long long *offsets, unsigned long long capacity, tms_seed_pass *list)
{
    size_t i = ((size_t)blockIdx.x * THREADS + threadIdx.x) / 32;
    uint32_t lane = threadIdx.x % 32;
    if (i >= s.n)
        return;
    unsigned long long at = offsets[i], n = counts[i];
    if (at > capacity)
        return;
    if (at + n > capacity || i + 1 == s.n) { /* the last window that found room, or the first that did not */
        if (lane == 0) {
            s.sums->n_list = at + n > capacity ? at : at + n;
            s.sums->next = at + n > capacity ? i : NOT_REACHED;
        }
        if (at + n > capacity)
            return;
    }
    if (!n)
        return;
    if (lane == 0)
        atomicAdd(&s.sums->n_passed, 1);
    for (uint32_t first = 0; first < row_words; first += 32) {
        uint32_t pass = first + lane < row_words ? rows[i * row_words + first + lane] : 0, sum = __popc(pass);
        for (uint32_t d = 1; d < 32; d *= 2) {
            uint32_t below = __shfl_up_sync(~0u, sum, d);
            sum += lane >= d ? below : 0;
        }
        tms_seed_pass *to = list + at + sum - __popc(pass);
        at += __shfl_sync(~0u, sum, 31);
        for (; pass; pass &= pass - 1)
            *to++ = tms_seed_pass{s.first + (uint32_t)i, (first + lane) * 32 + __ffs(pass) - 1};
    }
}

/* --- which sub-queries a w-mer truly occurs in --- */

static __global__ void __launch_bounds__(THREADS) true_kernel(step s, uint64_t sub_query, unsigned long long *n_true)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    bool is_reversed;
    if (!is_valid(s, i))
        return;
    uint32_t entry = word_find(&s.table, word_mix(word_at(s, i, &is_reversed), s.shape.word_size));
    if (entry == WORD_NONE)
        return;
    uint64_t end = 0; /* of the sub-query counted last: places ascend */
    for (uint32_t p = s.table.entries[entry].first; p < s.table.entries[entry + 1].first; p++) {
        uint32_t base = TMS_SEED_BASE(s.table.places[p]);
        if (base < end)
            continue;
        uint64_t sub = base / sub_query;
        end = (sub + 1) * sub_query;
        atomicAdd(n_true + sub, 1);
    }
}

/* --- making --- */

static tms_status to_gpu(tms_context *ctx, const void *from, size_t size_bytes, void **out)
{
    *out = NULL;
    if (!from)
        return TMS_OK;
    tms_status status = gpu_memory_alloc(ctx->gpu, size_bytes ? size_bytes : 1, out);
    return status == TMS_OK ? gpu_upload(ctx->gpu, *out, from, size_bytes) : status;
}

tms_status seeds_gpu_create(tms_context *ctx, const struct bank *bank, const struct word_table *table,
                            tms_strand strand, uint64_t sub_query, struct seeds_gpu **out)
{
    *out = NULL;
    struct seeds_gpu *s = (struct seeds_gpu *)calloc(1, sizeof *s);
    if (!s)
        return context_fail_memory(ctx, "a query on the GPU", sizeof *s);
    s->table = *table;
    s->table.buckets = s->table.high = s->table.places = NULL;
    s->table.entries = NULL;
    s->is_canonical = strand == TMS_STRAND_BOTH;
    s->sub_query = sub_query;
    tms_status status = bank_gpu_create(ctx, bank, &s->bank);
    if (status == TMS_OK)
        status = to_gpu(ctx, table->buckets, (((size_t)1 << table->bucket_bits) + 1) * sizeof *table->buckets,
                        (void **)&s->table.buckets);
    if (status == TMS_OK)
        status = to_gpu(ctx, table->entries, ((size_t)table->n_distinct + 1) * sizeof *table->entries,
                        (void **)&s->table.entries);
    if (status == TMS_OK)
        status = to_gpu(ctx, table->high, table->n_distinct * sizeof *table->high, (void **)&s->table.high);
    if (status == TMS_OK)
        status = to_gpu(ctx, table->places, table->n_places * sizeof *table->places, (void **)&s->table.places);
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
    void *arrays[] = {s->table.buckets, s->table.entries, s->table.high, s->table.places};
    for (void *array : arrays)
        if (array)
            gpu_memory_free(s->bank.index, array);
    bank_gpu_free(&s->bank);
    free(s);
}

/* --- steps --- */

/* Arrays of a step: workspaces. */
struct arrays {
    uint64_t *codes, *valid, *words;
    struct step_sums *sums;
    uint32_t *positions, *columns, *rows;
    uint32_t *found, *counts, *offsets, *places; /* by tile of 32 windows, and places by window */
    tms_seed_hit *hits;
    unsigned long long *row_counts, *row_offsets; /* by window */
    tms_seed_pass *list;
    unsigned long long *sub_counts; /* by sub-query: passed, then true */
    uint8_t *scan;                  /* of the prefix sum */
    size_t scan_bytes;
};

enum { WITH_ROWS = 1, WITH_HITS = 2, WITH_LIST = 4, WITH_COUNTS = 8 };

/* The first failure of several. */
#define ALSO(status, call) ((status) == TMS_OK ? (call) : (status))

static tms_status arrays_make(tms_context *ctx, const struct seeds_gpu *s, size_t n, size_t capacity, int with,
                              struct arrays *a)
{
    const struct bank_shape *shape = &s->bank.shape;
    struct gpu *gpu = ctx->gpu;
    size_t n_tiles = (n + 31) / 32;
    *a = arrays{};
    if (with & WITH_HITS)
        GPU_TRY(gpu, "planning", cub::DeviceScan::ExclusiveSum(NULL, a->scan_bytes, a->counts, a->offsets, (int)n_tiles));
    else if (with & WITH_LIST)
        GPU_TRY(gpu, "planning", cub::DeviceScan::ExclusiveSum(NULL, a->scan_bytes, a->row_counts, a->row_offsets, (int)n));
    tms_status status = gpu_workspace_of(gpu, "bases", TMS_DNA_WORDS(n + shape->word_size), &a->codes);
    status = ALSO(status, gpu_workspace_of(gpu, "windows", n / 64 + 2, &a->valid));
    status = ALSO(status, gpu_workspace_of(gpu, "sums", 1, &a->sums));
    if (with & WITH_ROWS) {
        status = ALSO(status, gpu_workspace_of(gpu, "w-mers", n, &a->words));
        status = ALSO(status, gpu_workspace_of(gpu, "positions", n * shape->k, &a->positions));
        status = ALSO(status, gpu_workspace_of(gpu, "columns of answers", shape->row_bits ? 0 : n_tiles * shape->n_subs, &a->columns));
        status = ALSO(status, gpu_workspace_of(gpu, "rows of answers", n * bank_row_words(shape), &a->rows));
    }
    if (with & WITH_HITS) {
        status = ALSO(status, gpu_workspace_of(gpu, "hits by tile", n_tiles, &a->found));
        status = ALSO(status, gpu_workspace_of(gpu, "numbers of hits", n_tiles, &a->counts));
        status = ALSO(status, gpu_workspace_of(gpu, "sums of hits", n_tiles, &a->offsets));
        status = ALSO(status, gpu_workspace_of(gpu, "words of hits", n, &a->places));
        status = ALSO(status, gpu_workspace_of(gpu, "hits", n, &a->hits));
    }
    if (with & WITH_LIST) {
        status = ALSO(status, gpu_workspace_of(gpu, "numbers of passes", n, &a->row_counts));
        status = ALSO(status, gpu_workspace_of(gpu, "sums of passes", n, &a->row_offsets));
        status = ALSO(status, gpu_workspace_of(gpu, "passes", capacity, &a->list));
    }
    if (with & WITH_COUNTS)
        status = ALSO(status, gpu_workspace_of(gpu, "counts of sub-queries", (size_t)2 * shape->n_subs, &a->sub_counts));
    return ALSO(status, gpu_workspace_of(gpu, "prefix sums", a->scan_bytes, &a->scan));
}

/* Windows that go through at once: a multiple of 64; at most those of a batch, for which tests ask. */
static size_t step_windows(const tms_context *ctx, const struct seeds_gpu *s, int with)
{
    const struct bank_shape *shape = &s->bank.shape;
    size_t n = STEP_WINDOWS, bytes = (bank_row_words(shape) * 4 * (shape->row_bits ? 1 : 2) + 4 * (size_t)shape->k + 40);
    if (with & WITH_ROWS)
        n = STEP_BYTES / bytes < 64 ? 64 : STEP_BYTES / bytes / 64 * 64;
    return ctx->batch_keys && ctx->batch_keys < n ? (ctx->batch_keys + 63) / 64 * 64 : n;
}

static unsigned grid_of(size_t n_threads) { return (unsigned)((n_threads + THREADS - 1) / THREADS); }

/* Copies windows begin .. begin + n - 1 of a piece; begin is a multiple of 64. Those before `from` are not valid here.
 */
static tms_status step_begin(tms_context *ctx, const struct seeds_gpu *s, const struct seeds_piece *piece,
                             const struct arrays *a, size_t begin, size_t n, size_t from, struct step *out)
{
    cudaStream_t stream = ctx->gpu->stream;
    size_t n_codes = TMS_DNA_WORDS(n + s->bank.shape.word_size),
           codes_left = TMS_DNA_WORDS(piece->n_bases) - begin / 32;
    *out = step{s->bank.shape,  s->table, a->codes, s->bank.d_h3_tables, (const uint32_t *)a->valid,
                s->bank.d_bits, a->sums,  n,        (uint32_t)begin,     s->is_canonical};
    GPU_TRY(ctx->gpu, "copying the subject to it",
            cudaMemcpyAsync(a->codes, piece->codes + begin / 32, (n_codes < codes_left ? n_codes : codes_left) * 8,
                            cudaMemcpyHostToDevice, stream));
    GPU_TRY(ctx->gpu, "copying the subject to it",
            cudaMemcpyAsync(a->valid, piece->valid + begin / 64, (n + 63) / 64 * 8, cudaMemcpyHostToDevice, stream));
    GPU_TRY(ctx->gpu, "copying the subject to it", cudaMemsetAsync(a->sums, 0, sizeof *a->sums, stream));
    if (from > begin) {
        uint64_t word = piece->valid[begin / 64] & ~(uint64_t)0 << (from - begin);
        GPU_TRY(ctx->gpu, "copying the subject to it", cudaMemcpyAsync(a->valid, &word, 8, cudaMemcpyHostToDevice, stream));
        GPU_TRY(ctx->gpu, "copying the subject to it", cudaStreamSynchronize(stream));
    }
    return TMS_OK;
}

static tms_status step_rows(tms_context *ctx, const struct seeds_gpu *s, const struct step *step,
                            const struct arrays *a)
{
    words_kernel<<<grid_of(step->n), THREADS, 0, ctx->gpu->stream>>>(*step, a->words);
    GPU_TRY(ctx->gpu, "w-mers", cudaGetLastError());
    tms_status status = bank_positions_cuda(ctx, &s->bank, a->words, step->n, a->positions);
    return status == TMS_OK ? bank_query_cuda(ctx, &s->bank, a->positions, step->n, a->columns, a->rows) : status;
}

static tms_status step_sums_get(tms_context *ctx, const struct arrays *a, struct step_sums *out)
{
    GPU_TRY(ctx->gpu, "copying results",
            cudaMemcpyAsync(out, a->sums, sizeof *out, cudaMemcpyDeviceToHost, ctx->gpu->stream));
    return gpu_wait(ctx->gpu);
}

static uint64_t count_valid(const struct seeds_piece *piece, size_t from, size_t end)
{
    uint64_t n = 0;
    for (size_t i = from / 64; i < (end + 63) / 64; i++) {
        uint64_t word = piece->valid[i];
        if (from > 64 * i)
            word &= ~(uint64_t)0 << (from - 64 * i);
        if (end - 64 * i < 64)
            word &= ((uint64_t)1 << (end - 64 * i)) - 1;
        n += (uint64_t)__builtin_popcountll(word);
    }
    return n;
}

static tms_status check_place(tms_context *ctx, const struct seeds_gpu *s)
{
    if (!ctx->gpu || gpu_index(ctx->gpu) != s->bank.index)
        return context_fail(ctx, TMS_E_ARG, "the query is on cuda:%d, and the context is not", s->bank.index);
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(s->bank.index));
    return TMS_OK;
}

/* --- the calls --- */

static tms_status step_scan(tms_context *ctx, const struct seeds_gpu *s, const struct step *step,
                            const struct arrays *a)
{
    cudaStream_t stream = ctx->gpu->stream;
    if (s->bank.shape.n_subs > 1) {
        tms_status status = step_rows(ctx, s, step, a);
        if (status != TMS_OK)
            return status;
        scan_rows_kernel<<<grid_of(step->n), THREADS, 0, stream>>>(
            *step, a->rows, (uint32_t)bank_row_words(&s->bank.shape), a->found, a->counts, a->places);
    } else {
        size_t shared = bank_tables_bytes(&s->bank.shape);
        int blocks;
        GPU_TRY(ctx->gpu, "preparing shared memory",
                cudaFuncSetAttribute(scan_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)ctx->gpu->shared_bytes_block));
        GPU_TRY(ctx->gpu, "planning", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scan_kernel, THREADS, shared));
        unsigned most = (unsigned)(ctx->gpu->n_multiprocessors * blocks), all = grid_of(step->n);
        unsigned grid = all < most ? all : most;
        scan_kernel<<<grid, THREADS, shared, stream>>>(*step, a->found, a->counts, a->places);
    }
    GPU_TRY(ctx->gpu, "filter and look-up", cudaGetLastError());
    if (a->hits) {
        size_t scan_bytes = a->scan_bytes;
        GPU_TRY(ctx->gpu, "ordering hits",
                cub::DeviceScan::ExclusiveSum(a->scan, scan_bytes, a->counts, a->offsets, (int)((step->n + 31) / 32),
                                              stream));
        hits_kernel<<<grid_of(step->n), THREADS, 0, stream>>>(*step, a->found, a->offsets, a->places, a->hits);
        GPU_TRY(ctx->gpu, "ordering hits", cudaGetLastError());
    }
    return TMS_OK;
}

tms_status seeds_gpu_scan(tms_context *ctx, const struct seeds_gpu *s, const struct seeds_piece *piece,
                          tms_seed_hit *hits, size_t *n_hits, tms_seeds_tally *tally)
{
    int with = (hits ? WITH_HITS : 0) | (s->bank.shape.n_subs > 1 ? WITH_ROWS : 0);
    size_t n_step = step_windows(ctx, s, with), n_done = 0;
    struct arrays a;
    tms_status status = check_place(ctx, s);
    if (status == TMS_OK)
        status = arrays_make(ctx, s, n_step < piece->n_bases ? n_step : piece->n_bases, 0, with, &a);
    for (size_t begin = 0; begin < piece->n_bases && status == TMS_OK; begin += n_step) {
        size_t n = piece->n_bases - begin < n_step ? piece->n_bases - begin : n_step;
        struct step step;
        struct step_sums sums;
        status = step_begin(ctx, s, piece, &a, begin, n, 0, &step);
        if (status == TMS_OK)
            status = step_scan(ctx, s, &step, &a);
        if (status == TMS_OK)
            status = step_sums_get(ctx, &a, &sums);
        if (status != TMS_OK)
            break;
        if (hits)
            GPU_TRY(ctx->gpu, "copying hits",
                    cudaMemcpy(hits + n_done, a.hits, sums.n_true * sizeof *hits, cudaMemcpyDeviceToHost));
        n_done += sums.n_true;
        tally->n_tested += count_valid(piece, begin, begin + n);
        tally->n_passed += sums.n_passed;
        tally->n_true += sums.n_true;
        tally->n_seeds += sums.n_seeds;
    }
    if (n_hits)
        *n_hits = n_done;
    return status;
}

/* One step of windows from..; ends early where the list is full. Returns through next where it ended. */
static tms_status filter_step(tms_context *ctx, const struct seeds_gpu *s, const struct seeds_piece *piece,
                              const struct arrays *a, size_t from, size_t end, tms_seed_pass *passes, size_t capacity,
                              size_t *n_passes, size_t *next, tms_seeds_tally *tally)
{
    size_t begin = from / 64 * 64, n = end - begin, scan_bytes = a->scan_bytes;
    uint32_t row_words = (uint32_t)bank_row_words(&s->bank.shape);
    cudaStream_t stream = ctx->gpu->stream;
    struct step step;
    struct step_sums sums;
    tms_status status = step_begin(ctx, s, piece, a, begin, n, from, &step);
    if (status == TMS_OK)
        status = step_rows(ctx, s, &step, a);
    if (status != TMS_OK)
        return status;
    count_passes_kernel<<<grid_of(n * 32), THREADS, 0, stream>>>(step, a->rows, row_words, a->row_counts);
    GPU_TRY(ctx->gpu, "counting passes", cudaGetLastError());
    GPU_TRY(ctx->gpu, "ordering passes",
            cub::DeviceScan::ExclusiveSum(a->scan, scan_bytes, a->row_counts, a->row_offsets, (int)n, stream));
    list_passes_kernel<<<grid_of(n * 32), THREADS, 0, stream>>>(step, a->rows, row_words, a->row_counts, a->row_offsets,
                                                                capacity, a->list);
    GPU_TRY(ctx->gpu, "ordering passes", cudaGetLastError());
    status = step_sums_get(ctx, a, &sums);
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx->gpu, "copying passes", cudaMemcpy(passes, a->list, sums.n_list * sizeof *passes, cudaMemcpyDeviceToHost));
    *n_passes = sums.n_list;
    *next = sums.next == NOT_REACHED ? end : begin + sums.next;
    tally->n_tested += count_valid(piece, from, *next);
    tally->n_passed += sums.n_passed;
    return TMS_OK;
}

tms_status seeds_gpu_filter(tms_context *ctx, const struct seeds_gpu *s, const struct seeds_piece *piece, size_t from,
                            tms_seed_pass *passes, size_t capacity, size_t *n_passes, size_t *next,
                            tms_seeds_tally *tally)
{
    size_t n_step = step_windows(ctx, s, WITH_ROWS | WITH_LIST), left = piece->n_bases - from,
           list = STEP_BYTES / sizeof *passes;
    struct arrays a;
    tms_status status = check_place(ctx, s);
    *n_passes = 0;
    *next = from;
    if (n_step > left)
        n_step = (left + 63) / 64 * 64 + 64; /* from the 64 that it begins in */
    if (list > capacity)
        list = capacity;
    if (list < s->bank.shape.n_subs)
        list = s->bank.shape.n_subs;
    if (status == TMS_OK)
        status = arrays_make(ctx, s, n_step, list, WITH_ROWS | WITH_LIST, &a);
    /* How many windows fill the list is learned as it goes: the work on those that find no room is lost. */
    size_t guess = 4096;
    while (status == TMS_OK && *next < piece->n_bases) {
        size_t n = guess < n_step ? guess : n_step, begin = *next, room = capacity - *n_passes, n_new = 0;
        size_t end = begin / 64 * 64 + n < piece->n_bases ? begin / 64 * 64 + n : piece->n_bases;
        int is_last = room <= list;
        room = is_last ? room : list;
        status = filter_step(ctx, s, piece, &a, begin, end, passes + *n_passes, room, &n_new, next, tally);
        *n_passes += n_new;
        if (status != TMS_OK || (is_last && *next < end))
            break;
        room = capacity - *n_passes < list ? capacity - *n_passes : list;
        guess = n_new ? (size_t)((double)room * (double)(*next - begin) / (double)n_new) / 64 * 64 + 64 : 2 * n;
    }
    return status;
}

tms_status seeds_gpu_measure(tms_context *ctx, const struct seeds_gpu *s, const struct seeds_piece *piece,
                             tms_sub_query *subs)
{
    uint32_t n_subs = s->bank.shape.n_subs;
    if (n_subs == 1) {
        tms_seeds_tally tally = {};
        tms_status status = seeds_gpu_scan(ctx, s, piece, NULL, NULL, &tally);
        subs->n_tested += tally.n_tested;
        subs->n_passed += tally.n_passed;
        subs->n_true += tally.n_true;
        return status;
    }
    size_t n_step = step_windows(ctx, s, WITH_ROWS), counts_bytes = (size_t)2 * n_subs * sizeof(unsigned long long);
    struct arrays a;
    uint64_t n_tested = 0;
    tms_status status = check_place(ctx, s);
    if (status == TMS_OK)
        status = arrays_make(ctx, s, n_step < piece->n_bases ? n_step : piece->n_bases, 0, WITH_ROWS | WITH_COUNTS, &a);
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx->gpu, "counting", cudaMemsetAsync(a.sub_counts, 0, counts_bytes, ctx->gpu->stream));
    for (size_t begin = 0; begin < piece->n_bases && status == TMS_OK; begin += n_step) {
        size_t n = piece->n_bases - begin < n_step ? piece->n_bases - begin : n_step;
        struct step step;
        status = step_begin(ctx, s, piece, &a, begin, n, 0, &step);
        if (status == TMS_OK)
            status = step_rows(ctx, s, &step, &a);
        if (status == TMS_OK)
            status = bank_count_cuda(ctx, &s->bank.shape, a.rows, (const uint32_t *)a.valid, n, a.sub_counts);
        if (status != TMS_OK)
            break;
        true_kernel<<<grid_of(n), THREADS, 0, ctx->gpu->stream>>>(step, s->sub_query, a.sub_counts + n_subs);
        GPU_TRY(ctx->gpu, "counting", cudaGetLastError());
        n_tested += count_valid(piece, begin, begin + n);
    }
    unsigned long long *counts = (unsigned long long *)context_scratch(ctx, counts_bytes);
    if (status == TMS_OK && !counts)
        status = context_fail_memory(ctx, "counts of sub-queries", counts_bytes);
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx->gpu, "copying counts",
            cudaMemcpyAsync(counts, a.sub_counts, counts_bytes, cudaMemcpyDeviceToHost, ctx->gpu->stream));
    status = gpu_wait(ctx->gpu);
    for (uint32_t i = 0; i < n_subs && status == TMS_OK; i++) {
        subs[i].n_tested += n_tested;
        subs[i].n_passed += counts[i];
        subs[i].n_true += counts[n_subs + i];
    }
    return status;
}
