/* long_words_kernels.cuh - the kernels of long_words_cuda.cu. */
#ifndef TMS_LONG_WORDS_KERNELS_CUH
#define TMS_LONG_WORDS_KERNELS_CUH

#include "lookup/long_words_core.h"
#include "lookup/two_hit_scan.cuh"
#include "lookup/two_hit_sieve_core.h"

enum {
    LONG_THREADS = 256,
    LONG_WARPS = LONG_THREADS / 32,
    LONG_STEP = 32 * LONG_WORDS_AT_ONCE, /* words of a subject that a warp reads at once */
    LONG_QUEUE = 64                      /* hits of a warp: fewer than 32 that wait, and 32 new ones */
};

/* --- the table --- */

enum long_round { COUNT_BY_POSITION, COUNT_BY_WORD, WRITE_POSITIONS };

/* What a thread does with words similar to the word at a position. */
struct near_taker {
    uint32_t *counts;
    uint16_t *positions;
    uint32_t position;
    uint32_t n; /* number of words so far */
};

template <enum long_round ROUND> __device__ static inline void take_word(void *to, uint32_t word)
{
    struct near_taker *taker = (struct near_taker *)to;
    taker->n++;
    if (ROUND == COUNT_BY_WORD)
        atomicAdd(&taker->counts[word], 1);
    if (ROUND == WRITE_POSITIONS)
        taker->positions[atomicAdd(&taker->counts[word], 1)] = (uint16_t)taker->position;
}

/*
 * Finds the words similar to those of the queries at positions first .. end - 1. One thread takes one position and one choice of the first
 * letters, because some words have a thousand times as many similar words as most.
 *   counts [in,out] COUNT_BY_POSITION: words of each position; COUNT_BY_WORD: positions of each word; WRITE_POSITIONS: where the word's
 * next position goes
 */
template <enum long_round ROUND>
__global__ static void near_words_kernel(const __grid_constant__ struct gpu_scan s, uint32_t first, uint32_t end, uint32_t *counts,
                                         uint16_t *positions)
{
    __shared__ struct long_words_rules rules;
    static_assert(sizeof rules % sizeof(uint32_t) == 0, "it is copied by words");
    for (uint32_t i = threadIdx.x; i < sizeof rules / sizeof(uint32_t); i += blockDim.x)
        ((uint32_t *)&rules)[i] = ((const uint32_t *)s.long_words)[i];
    __syncthreads();
    const uint32_t n_beginnings = long_words_beginnings(&rules), n = (end - first) * n_beginnings;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const uint32_t position = first + i / n_beginnings, beginning = i % n_beginnings;
        if (!s.has_word[position])
            continue;
        const uint8_t *codes = s.query_codes + position;
        struct near_taker taker = {counts, positions, position, 0};
        uint32_t word;
        if (beginning == 0 && long_words_own(&rules, codes, &word))
            take_word<ROUND>(&taker, word);
        long_words_near(&rules, codes, beginning, take_word<ROUND>, &taker);
        if (ROUND == COUNT_BY_POSITION && taker.n > 0)
            atomicAdd(&counts[position], taker.n);
    }
}

/* Adds to each thread block's sum the hits that the table's positions are expected to give for one position of a random subject. */
__global__ static void __launch_bounds__(LONG_THREADS) expected_kernel(const __grid_constant__ struct gpu_scan s, double *sums)
{
    __shared__ double of_warps[LONG_WARPS];
    const uint32_t n_words = s.long_words->numbers.n_words;
    double sum = 0;
    for (uint32_t word = blockIdx.x * blockDim.x + threadIdx.x; word < n_words; word += gridDim.x * blockDim.x) {
        const uint32_t n = s.word_starts[word + 1] - s.word_starts[word];
        sum += n > 0 ? n * long_words_frequency(s.long_words, word) : 0;
    }
    for (int k = 16; k > 0; k /= 2)
        sum += __shfl_down_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    for (int i = 0; threadIdx.x == 0 && i < LONG_WARPS; i++)
        sums[blockIdx.x] += of_warps[i];
}

/* --- hits --- */

/* Keeps the hit's diagonal if an extension that begins there could reach the cutoff. */
__device__ static inline void bound_hit(const struct gpu_scan *s, const int8_t *rows, uint64_t hit)
{
    const uint32_t position = (uint32_t)hit, at = (uint32_t)(hit >> 32);
    const struct gpu_query q = s->queries[s->query_of[position]];
    if (sieve_bound(s->query_codes + position, s->codes + at, rows, q.x_drop, s->word_size) >= q.cutoff)
        keep_diagonal(s, at, s->starts[subject_at(s->starts, s->n_subjects, at)], position, (uint32_t)q.first_position);
}

/*
 * Finds all hits of the part. Each lane looks up four consecutive words. Most words have no position, and few have many: a warp queues its
 * hits and bounds 32 of them at a time.
 *
 * The kernel misses nothing: an extension begins at a hit, and the bound covers all extensions that could begin there.
 */
__global__ static void __launch_bounds__(LONG_THREADS) long_hits_kernel(const __grid_constant__ struct gpu_scan s)
{
    __shared__ int8_t rows[RESIDUE_ROW * RESIDUE_ROW];
    __shared__ struct long_words_numbers numbers;
    __shared__ uint64_t queues[LONG_WARPS][LONG_QUEUE];
    for (int i = threadIdx.x; i < RESIDUE_ROW * RESIDUE_ROW; i += blockDim.x)
        rows[i] = s.rows[i];
    if (threadIdx.x == 0)
        numbers = s.long_words->numbers;
    __syncthreads();
    const uint32_t lane = threadIdx.x % 32, below = (1u << lane) - 1, n_warps = gridDim.x * LONG_WARPS;
    const uint64_t warp = blockIdx.x * LONG_WARPS + threadIdx.x / 32;
    uint64_t *queue = queues[threadIdx.x / 32];
    uint32_t n_queue = 0;
    unsigned long long n_hits = 0;
    for (uint64_t from = s.part_first + warp * LONG_STEP; from < s.part_end; from += (uint64_t)n_warps * LONG_STEP) {
        const uint64_t at = from + LONG_WORDS_AT_ONCE * lane;
        uint32_t words[LONG_WORDS_AT_ONCE], k[LONG_WORDS_AT_ONCE], to[LONG_WORDS_AT_ONCE];
        if (at < s.part_end)
            long_words_read(&numbers, s.codes + at, words);
#pragma unroll
        for (int i = 0; i < LONG_WORDS_AT_ONCE; i++) {
            const bool is_word = at + i < s.part_end && words[i] < numbers.n_words;
            k[i] = is_word ? s.word_starts[words[i]] : 0;
            to[i] = is_word ? s.word_starts[words[i] + 1] : 0;
        }
#pragma unroll
        for (int i = 0; i < LONG_WORDS_AT_ONCE; i++) {
            n_hits += to[i] - k[i];
            for (unsigned has; (has = __ballot_sync(~0u, k[i] < to[i])) != 0;) {
                if (k[i] < to[i])
                    queue[n_queue + __popc(has & below)] = (at + i) << 32 | s.positions[k[i]++];
                n_queue += __popc(has);
                __syncwarp();
                if (n_queue >= 32) {
                    n_queue -= 32;
                    bound_hit(&s, rows, queue[n_queue + lane]);
                    __syncwarp();
                }
            }
        }
    }
    if (lane < n_queue)
        bound_hit(&s, rows, queue[lane]);
    for (int k = 16; k > 0; k /= 2)
        n_hits += __shfl_down_sync(~0u, n_hits, k);
    if (lane == 0 && n_hits > 0)
        atomicAdd(&s.sums->n_hits, n_hits);
}

#endif
