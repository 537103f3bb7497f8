/*
 * seeds_kernels.cuh - the kernels of stage 1, for seeds_cuda.cu only. Each kernel processes the windows of a step and passes its results on
 * in workspaces.
 */
#ifndef TMS_SEEDS_KERNELS_CUH
#define TMS_SEEDS_KERNELS_CUH

#include "bank/bank_cuda.cuh"
#include "seed/word_table_core.h"
#include "seq/dna_core.h"
#include "seq/windows_core.h"
#include "tamis/seeds.h"

#define THREADS     256
#define NOT_REACHED (~(unsigned long long)0)

/* Sums over a step, which form the summary of a piece. */
struct step_sums {
    unsigned long long n_passed, n_true, n_seeds;
    unsigned long long room;   /* room for passes in the list */
    unsigned long long n_list; /* passes in the list */
    unsigned long long next;   /* first window whose passes do not fit */
};

/* A step: the windows that begin at bases 0 .. n - 1 of `codes`. */
struct step {
    struct bank_shape shape;
    struct word_table table;
    const uint64_t *codes, *tables;
    const uint32_t *valid, *bits;
    struct step_sums *sums;
    size_t n;
    uint32_t first; /* position in the subject of the step's base 0 */
    int is_canonical;
    uint64_t sub_query;
    unsigned long long *sub_true; /* NULL, or the number of w-mers in each sub-query */
};

/* --- windows --- */

/* Sets bit i of valid if a w-mer begins at base i of the step, at or after base `from` of the subject. */
static __global__ void __launch_bounds__(THREADS)
    windows_kernel(const window_range *ranges, size_t n_ranges, uint32_t first, uint32_t from, size_t n_words, uint32_t *valid)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    uint32_t base = first + 32 * (uint32_t)i;
    if (i >= n_words)
        return;
    uint32_t word = windows_valid_word(ranges, n_ranges, base);
    if (base < from)
        word &= from - base < 32 ? ~0u << (from - base) : 0;
    valid[i] = word;
}

static __device__ __forceinline__ bool is_valid(const step &s, size_t i) { return i < s.n && s.valid[i / 32] >> (i % 32) & 1; }

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
 * Looks up a warp's w-mers, one per lane. If hits are requested, stores which w-mers of the tile of 32 are in the query, how
 * many, and their words in the table. Returns the lane's entry.
 */
static __device__ __forceinline__ uint32_t look_up(const step &s, size_t i, bool passed, uint64_t word, bool is_reversed, uint32_t *found,
                                                   uint32_t *counts, uint32_t *positions, tallies *t)
{
    uint32_t entry = WORD_NONE;
    if (passed) {
        entry = word_find(&s.table, word_mix(word, 2 * s.shape.word_size));
        t->n_passed++;
        if (entry != WORD_NONE) {
            t->n_true++;
            t->n_seeds += s.table.entries[entry + 1].first - s.table.entries[entry].first;
        }
    }
    if (found) {
        uint32_t ballot = __ballot_sync(~0u, entry != WORD_NONE);
        if (entry != WORD_NONE)
            positions[i] = entry | (is_reversed ? WORD_REVERSED : 0);
        if (i % 32 == 0) {
            found[i / 32] = ballot;
            counts[i / 32] = __popc(ballot);
        }
    }
    return entry;
}

/* Counts the sub-queries that contain a w-mer, each once. */
static __device__ __forceinline__ void count_true(const step &s, uint32_t entry)
{
    uint64_t end = 0; /* end of the sub-query counted last; positions ascend */
    for (uint32_t p = s.table.entries[entry].first; p < s.table.entries[entry + 1].first; p++) {
        uint32_t base = TMS_SEED_BASE(s.table.positions[p]);
        if (base < end)
            continue;
        uint64_t sub = base / s.sub_query;
        end = (sub + 1) * s.sub_query;
        atomicAdd(s.sub_true + sub, 1);
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

/* For one sub-query: bit `position` is column 0 of row `position`. */
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

static __global__ void __launch_bounds__(THREADS) scan_kernel(step s, uint32_t *found, uint32_t *counts, uint32_t *positions)
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
        if (first + threadIdx.x / 32 * 32 < s.n) /* all lanes of a warp agree */
            look_up(s, i, passed, word, is_reversed, found, counts, positions, &t);
    }
    add_tallies(s.sums, t);
}

/* For several sub-queries: evaluates the rows. A warp reads each wide row. */
static __global__ void __launch_bounds__(THREADS)
    scan_rows_kernel(step s, const uint32_t *rows, uint32_t row_words, uint32_t *found, uint32_t *counts, uint32_t *positions)
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
    uint32_t entry = look_up(s, tile + lane, passed, word, is_reversed, found, counts, positions, &t);
    if (s.sub_true && entry != WORD_NONE)
        count_true(s, entry);
    add_tallies(s.sums, t);
}

static __global__ void __launch_bounds__(THREADS)
    hits_kernel(step s, const uint32_t *found, const uint32_t *offsets, const uint32_t *positions, tms_seed_hit *hits)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= s.n || !(found[i / 32] >> (i % 32) & 1))
        return;
    uint32_t below = found[i / 32] & ((1u << i % 32) - 1);
    hits[offsets[i / 32] + __popc(below)] = tms_seed_hit{s.first + (uint32_t)i, positions[i]};
}

/* --- lists of passes: one warp per window's row --- */

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

/* Run by one thread: computes the room in this step's list; earlier steps kept *n_before passes. */
static __global__ void room_kernel(step s, unsigned long long list, unsigned long long capacity, const unsigned long long *n_before)
{
    unsigned long long left = capacity - *n_before;
    s.sums->room = left < list ? left : list;
}

static __global__ void kept_kernel(step s, unsigned long long *n_before) { *n_before += s.sums->n_list; }

static __global__ void __launch_bounds__(THREADS)
    list_passes_kernel(step s, const uint32_t *rows, uint32_t row_words, const unsigned long long *counts,
                       const unsigned long long *offsets, tms_seed_pass *list)
{
    unsigned long long capacity = s.sums->room;
    size_t i = ((size_t)blockIdx.x * THREADS + threadIdx.x) / 32;
    uint32_t lane = threadIdx.x % 32;
    if (i >= s.n)
        return;
    unsigned long long at = offsets[i], n = counts[i];
    if (at > capacity)
        return;
    if (at + n > capacity || i + 1 == s.n) { /* the last window that fits, or the first that does not */
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

#endif
