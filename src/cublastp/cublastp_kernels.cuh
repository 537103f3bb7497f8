/*
 * cublastp_kernels.cuh - the kernels of cublastp_cuda.cu.
 *
 * A hit is 64 bits: its diagonal and its position in the subjects. Both count over all subjects of the GPU, which lie one after the other.
 * So neither is limited to the paper's 16 bits, and sorting makes hits of one subject on one diagonal neighbours.
 */
#ifndef TMS_CUBLASTP_KERNELS_CUH
#define TMS_CUBLASTP_KERNELS_CUH

#include "extend/ungapped_lanes.cuh"
#include "lookup/two_hit_core.h"
#include "lookup/two_hit_scan.cuh"

/* Bins and their hits. A segment is one bin of one warp. */
struct cublastp_bins {
    int n_bins;          /* bins of a warp */
    uint32_t n_segments; /* warps of detect_kernel() x n_bins */
    uint32_t capacity;   /* capacity of each bin */
    uint64_t *bins;      /* [n_segments * capacity] */
    uint32_t *counts;    /* number of hits of each segment, then a 0 */
    uint32_t *offsets;   /* offset of each segment in `hits`, then the end */
    uint64_t *hits;      /* hits of all segments, one segment after the other */
    uint32_t *n_kept;    /* hits of each segment that have a neighbour; these are the segment's first ones, in order */
    uint32_t *heads;     /* from each segment's offset on: the index within the segment of each diagonal's first hit */
    uint32_t *n_heads;
    struct cublastp_sums *sums;
};

struct cublastp_sums {
    unsigned long long n_kept, n_heads;
    uint32_t most; /* hits in the fullest bin */
};

__device__ static inline uint64_t hit_of(const struct gpu_scan *s, uint32_t at, uint32_t position)
{
    return (uint64_t)(at + (uint32_t)s->n_positions - position) << 32 | at;
}
__device__ static inline uint32_t hit_diagonal(uint64_t hit) { return (uint32_t)(hit >> 32); }
__device__ static inline uint32_t hit_at(uint64_t hit) { return (uint32_t)hit; }
__device__ static inline uint32_t hit_position(const struct gpu_scan *s, uint64_t hit)
{
    return hit_at(hit) + (uint32_t)s->n_positions - hit_diagonal(hit);
}

/*
 * Algorithm 2: each warp takes a subject, each lane a word. Shared memory has the offsets of each word's positions, as the automaton's
 * states; the positions are read through the first cache, or past it.
 */
template <bool USES_L1>
__global__ static void detect_kernel(const __grid_constant__ struct gpu_scan s, const __grid_constant__ struct cublastp_bins c,
                                     uint32_t first_subject, uint32_t end_subject)
{
    extern __shared__ uint32_t shared[];
    uint32_t *starts = shared;
    const uint32_t lane = threadIdx.x % 32, warp_in_block = threadIdx.x / 32, warp = blockIdx.x * (blockDim.x / 32) + warp_in_block;
    const uint32_t n_warps = gridDim.x * (blockDim.x / 32), bin_mask = (uint32_t)c.n_bins - 1;
    uint32_t *top = shared + TWO_HIT_STARTS_IN_SHARED + warp_in_block * (uint32_t)c.n_bins;
    uint64_t *bins = c.bins + (uint64_t)warp * c.n_bins * c.capacity;
    uint32_t n_hits = 0, most = 0;

    for (int i = threadIdx.x; i < TWO_HIT_STARTS_IN_SHARED; i += blockDim.x)
        starts[i] = s.word_starts[i];
    for (int i = (int)lane; i < c.n_bins; i += 32)
        top[i] = 0;
    __syncthreads();
    for (uint32_t subject = first_subject + warp; subject < end_subject; subject += n_warps) {
        const uint32_t end = s.starts[subject + 1] - 1;
        for (uint32_t at = s.starts[subject] + lane; at < end; at += 32) {
            const uint32_t word = s.words[at], number = min(word, (uint32_t)TWO_HIT_WORD_NONE);
            uint32_t k = starts[number], to = starts[number + 1];
            if (word > TWO_HIT_WORD_NONE) {
                k = s.word_starts[word];
                to = s.word_starts[word + 1];
            }
            n_hits += to - k;
            for (; k < to; k++) {
                const uint64_t hit = hit_of(&s, at, USES_L1 ? __ldg(s.positions + k) : __ldcg(s.positions + k));
                const uint32_t bin = hit_diagonal(hit) & bin_mask, number_in_bin = atomicAdd(&top[bin], 1);
                if (number_in_bin < c.capacity)
                    bins[(uint64_t)bin * c.capacity + number_in_bin] = hit;
            }
        }
    }
    __syncwarp();
    for (int i = (int)lane; i < c.n_bins; i += 32) {
        c.counts[(uint64_t)warp * c.n_bins + i] = top[i];
        most = max(most, top[i]);
    }
    most = __reduce_max_sync(~0u, most);
    n_hits = __reduce_add_sync(~0u, n_hits);
    if (lane == 0 && n_hits > 0) {
        atomicMax(&c.sums->most, most);
        atomicAdd(&s.sums->n_hits, (unsigned long long)n_hits);
    }
}

/* Fig. 6(a): copies the bins' hits one after the other. Each warp takes one segment. */
__global__ static void assemble_kernel(const __grid_constant__ struct cublastp_bins c)
{
    const uint32_t lane = threadIdx.x % 32, n_warps = gridDim.x * (blockDim.x / 32);
    for (uint32_t g = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; g < c.n_segments; g += n_warps) {
        const uint64_t *from = c.bins + (uint64_t)g * c.capacity;
        uint64_t *to = c.hits + c.offsets[g];
        for (uint32_t i = lane; i < c.counts[g]; i += 32)
            to[i] = from[i];
    }
}

/*
 * Fig. 6(c): drops hits without another hit less than a window away on their diagonal. The two-hit rule only remembers such a hit, which
 * has no effect. Each warp takes one segment and keeps the order; the hits that it keeps replace the segment's first ones.
 */
__global__ static void filter_kernel(const __grid_constant__ struct cublastp_bins c, uint32_t window)
{
    const uint32_t lane = threadIdx.x % 32, n_warps = gridDim.x * (blockDim.x / 32), before_me = (1u << lane) - 1;
    unsigned long long all_kept = 0, all_heads = 0;
    for (uint32_t g = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; g < c.n_segments; g += n_warps) {
        const uint32_t n = c.counts[g], offset = c.offsets[g];
        uint64_t *hits = c.hits + offset, before = ~(uint64_t)0; /* a hit that has no neighbour */
        uint32_t n_kept = 0, n_heads = 0, last_diagonal = ~0u;
        for (uint32_t from = 0; from < n; from += 32) {
            const uint32_t i = from + lane, n_here = min(n - from, 32u);
            const uint64_t hit = i < n ? hits[i] : ~(uint64_t)0, next = i + 1 < n ? hits[i + 1] : ~(uint64_t)0;
            uint64_t left = __shfl_up_sync(~0u, hit, 1);
            left = lane == 0 ? before : left;
            /* the difference of hits on one diagonal is their distance */
            const bool stays = i < n && (hit - left < window || next - hit < window);
            const unsigned kept = __ballot_sync(~0u, stays);
            const unsigned below = kept & before_me;
            const uint32_t left_kept = __shfl_sync(~0u, hit_diagonal(hit), below != 0 ? 31 - __clz((int)below) : 0);
            const bool is_head = stays && hit_diagonal(hit) != (below != 0 ? left_kept : last_diagonal);
            const unsigned heads = __ballot_sync(~0u, is_head);
            if (stays)
                hits[n_kept + __popc(below)] = hit;
            if (is_head)
                c.heads[offset + n_heads + __popc(heads & before_me)] = n_kept + __popc(below);
            if (kept != 0)
                last_diagonal = __shfl_sync(~0u, hit_diagonal(hit), 31 - __clz((int)kept));
            before = __shfl_sync(~0u, hit, (int)n_here - 1);
            n_kept += __popc(kept);
            n_heads += __popc(heads);
            __syncwarp();
        }
        if (lane == 0) {
            c.n_kept[g] = n_kept;
            c.n_heads[g] = n_heads;
        }
        all_kept += n_kept;
        all_heads += n_heads;
    }
    if (lane == 0) {
        atomicAdd(&c.sums->n_kept, all_kept);
        atomicAdd(&c.sums->n_heads, all_heads);
    }
}

/* --- extension --- */

/* Scores by residue. */
struct matrix_score {
    const int8_t *rows;
    const uint8_t *query, *subject;
    __device__ matrix_score(const int8_t *table, const struct gpu_scan *s, uint32_t first_position, uint32_t start)
        : rows(table), query(s->query_codes + first_position), subject(s->codes + start)
    {
    }
    __device__ int operator()(int q, int i) const { return rows[RESIDUE_ROW * query[q] + subject[i]]; }
};

/* Scores by position of the query. */
struct pssm_score {
    const int8_t *columns;
    const uint8_t *subject;
    __device__ pssm_score(const int8_t *table, const struct gpu_scan *s, uint32_t first_position, uint32_t start)
        : columns(table + (size_t)RESIDUE_ROW * first_position), subject(s->codes + start)
    {
    }
    __device__ int operator()(int q, int i) const { return columns[RESIDUE_ROW * q + subject[i]]; }
};

__global__ static void pssm_kernel(const __grid_constant__ struct gpu_scan s, int8_t *pssm)
{
    const uint32_t n = (uint32_t)s.n_positions * RESIDUE_ROW;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        pssm[i] = s.rows[RESIDUE_ROW * s.query_codes[i / RESIDUE_ROW] + i % RESIDUE_ROW];
}

/* The query and the subject of a hit. */
struct hit_pair {
    uint32_t query, subject, start, end; /* start, end: the subject's positions */
    struct gpu_query item;

    __device__ hit_pair(const struct gpu_scan *s, uint32_t at, uint32_t position)
        : query(s->query_of[position]), subject(subject_at(s->starts, s->n_subjects, at)), start(s->starts[subject]),
          end(s->starts[subject + 1] - 1), item(s->queries[query])
    {
    }
    __device__ bool has(uint32_t at, uint32_t position) const
    {
        return at < end && position < (uint32_t)(item.first_position + item.length);
    }
    __device__ struct ungapped_range range() const { return ungapped_range{item.length, (int)(end - start), item.x_drop}; }
};

/* Algorithms 3 and 5: a group of lanes applies the two-hit rule to the kept hits of a diagonal. Returns the number of extensions. */
template <int LANES, class Score>
__device__ static inline uint32_t extend_diagonal(const struct gpu_scan *s, const uint64_t *hits, uint32_t i, uint32_t n,
                                                  const int8_t *table, const lane_group<LANES> &group)
{
    const uint32_t diagonal = hit_diagonal(hits[i]);
    uint32_t n_extensions = 0;
    while (i < n && hit_diagonal(hits[i]) == diagonal) {
        const struct hit_pair pair(s, hit_at(hits[i]), hit_position(s, hits[i]));
        const Score score(table, s, (uint32_t)pair.item.first_position, pair.start);
        struct two_hit_state state = two_hit_start(s->window);
        for (; i < n && hit_diagonal(hits[i]) == diagonal && pair.has(hit_at(hits[i]), hit_position(s, hits[i])); i++) {
            const int at = (int)(hit_at(hits[i]) - pair.start), query = (int)hit_position(s, hits[i]) - pair.item.first_position,
                      last = state.last;
            if (!two_hit_meets(&state, at, TWO_HIT_WORD_RESIDUES, s->window))
                continue;
            const struct ungapped_result r = ungapped_two_hits_lanes(group, score, pair.range(), query, at, last, TWO_HIT_WORD_RESIDUES);
            two_hit_extended(&state, at, &r, 0, TWO_HIT_WORD_RESIDUES);
            n_extensions++;
            if (r.hsp.score >= pair.item.cutoff && group.lane == 0)
                keep_hsp(s, &r.hsp, pair.query, pair.subject);
        }
    }
    return n_extensions;
}

/* Copies the table to shared memory if n_shared is not 0. */
__device__ static inline const int8_t *table_of(const int8_t *table, uint32_t n_shared)
{
    extern __shared__ uint32_t shared[];
    for (uint32_t i = threadIdx.x; i < n_shared / sizeof(uint32_t); i += blockDim.x)
        shared[i] = ((const uint32_t *)table)[i];
    __syncthreads();
    return n_shared > 0 ? (const int8_t *)shared : table;
}

__device__ static inline void add_extensions(const struct gpu_scan *s, uint32_t n)
{
    if (n > 0)
        atomicAdd(&s->sums->n_candidates, (unsigned long long)n);
}

template <int LANES, class Score>
__global__ static void extend_diagonals_kernel(const __grid_constant__ struct gpu_scan s, const __grid_constant__ struct cublastp_bins c,
                                               const int8_t *table, uint32_t n_shared)
{
    const int8_t *scores = table_of(table, n_shared);
    const lane_group<LANES> group;
    const uint32_t n_warps = gridDim.x * (blockDim.x / 32), n_groups = 32 / LANES, first = threadIdx.x % 32 / LANES;
    uint32_t n_extensions = 0;
    for (uint32_t g = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; g < c.n_segments; g += n_warps) {
        const uint32_t offset = c.offsets[g];
        for (uint32_t j = first; j < c.n_heads[g]; j += n_groups)
            n_extensions += extend_diagonal<LANES, Score>(&s, c.hits + offset, c.heads[offset + j], c.n_kept[g], scores, group);
    }
    if (group.lane == 0)
        add_extensions(&s, n_extensions);
}

/*
 * Algorithm 4: extends every hit that has a near enough predecessor to both sides, independently. The two-hit rule extends only some of
 * these hits, and to the right only if the left extension reaches the hit before. So no score here is too low; replay_kernel() applies the
 * rule once to each diagonal with a score that is high enough, which is the paper's removal of duplicates.
 */
template <class Score>
__global__ static void extend_hits_kernel(const __grid_constant__ struct gpu_scan s, const __grid_constant__ struct cublastp_bins c,
                                          const int8_t *table, uint32_t n_shared)
{
    const int8_t *scores = table_of(table, n_shared);
    const lane_group<1> group;
    const uint32_t lane = threadIdx.x % 32, n_warps = gridDim.x * (blockDim.x / 32);
    uint32_t n_extensions = 0;
    for (uint32_t g = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; g < c.n_segments; g += n_warps) {
        const uint64_t *hits = c.hits + c.offsets[g];
        for (uint32_t i = lane; i < c.n_kept[g]; i += 32) {
            if (i == 0 || hits[i] - hits[i - 1] >= (uint32_t)s.window)
                continue;
            const uint32_t at = hit_at(hits[i]), position = hit_position(&s, hits[i]);
            const struct hit_pair pair(&s, at, position);
            const Score score(scores, &s, (uint32_t)pair.item.first_position, pair.start);
            const int subject = (int)(at - pair.start), query = (int)position - pair.item.first_position;
            const struct ungapped_result r = ungapped_two_hits_lanes(group, score, pair.range(), query, subject, subject,
                                                                     TWO_HIT_WORD_RESIDUES);
            n_extensions++;
            if (r.hsp.score >= pair.item.cutoff)
                keep_diagonal(&s, at, pair.start, position, (uint32_t)pair.item.first_position);
        }
    }
    add_extensions(&s, n_extensions);
}

#endif
