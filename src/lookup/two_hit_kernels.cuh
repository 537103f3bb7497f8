/* two_hit_kernels.cuh - the kernels of two_hit_cuda.cu. */
#ifndef TMS_TWO_HIT_KERNELS_CUH
#define TMS_TWO_HIT_KERNELS_CUH

#include "extend/ungapped_lanes.cuh"
#include "lookup/two_hit_core.h"
#include "lookup/two_hit_scan.cuh"
#include "lookup/two_hit_sieve_core.h"

enum {
    AT_ONCE = 8, /* words of a subject that a group of lanes reads at once */
    REPLAY_THREADS = 128
};

/* --- preparation of the subjects --- */

/* The number of the codon whose three bases begin at base `at`. */
__device__ static inline unsigned codon_at(const uint8_t *packed, uint64_t at)
{
    const unsigned bits = (unsigned)packed[at / 4] << 8 | packed[at / 4 + 1];
    return bits >> (10 - 2 * (unsigned)(at % 4)) & 63;
}

/* Makes the codes of all subjects, and the gaps between them, IN_ROW codes a thread. */
__global__ static void translate_kernel(const __grid_constant__ struct two_hit_gpu_subjects s,
                                        const __grid_constant__ struct packed_codons residues)
{
    enum { IN_ROW = 16 };
    const uint32_t n_rows = (s.n_codes + IN_ROW - 1) / IN_ROW;

    for (uint32_t row = blockIdx.x * blockDim.x + threadIdx.x; row < n_rows; row += gridDim.x * blockDim.x) {
        const uint32_t first = row * IN_ROW, end = min(first + IN_ROW, s.n_codes);
        uint32_t subject = subject_at(s.d_starts, s.n, first);
        for (uint32_t at = first; at < end; at++) {
            while (subject + 1 < s.n && at >= s.d_starts[subject + 1])
                subject++;
            const uint32_t start = s.d_starts[subject], next = s.d_starts[subject + 1];
            const uint64_t codon = s.d_codons[subject], k = 3 * (uint64_t)(at - start);
            const bool is_gap = at < start || at + 1 >= next;
            const unsigned number = is_gap ? 0 : codon_at(s.d_packed, codon % 2 ? codon / 2 - k : codon / 2 + k);
            s.d_codes[at] = is_gap ? 0 : codon % 2 ? residues.minus[number] : residues.plus[number];
        }
    }
}

__global__ static void words_kernel(const uint8_t *codes, uint32_t n_codes, uint32_t n_words, struct amino_numbers numbers, int word_size,
                                    uint16_t *words)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n_words; i += gridDim.x * blockDim.x)
        words[i] = (uint16_t)(i + (uint32_t)word_size <= n_codes ? word_number(&numbers, codes + i, word_size) : word_none(word_size));
}

/* --- the first sieve --- */

/* The positions of a word: offset and number in `positions`. */
struct word_list {
    uint32_t from, n;
};

/* The positions of the words at at .. at + 7. */
struct word_lists {
    struct word_list of[AT_ONCE];
};

/* starts [in] in shared memory: for words of the 20 amino acids; other words are rare. */
__device__ static inline struct word_list list_of(const struct gpu_scan *s, const uint32_t *starts, uint32_t word)
{
    const uint32_t from = word > s->word_none ? s->word_starts[word] : starts[word],
                   to = word > s->word_none ? s->word_starts[word + 1] : starts[word + 1];
    return word_list{from, to - from};
}

/* For groups with fewer lanes than words: each lane looks up all words. */
__device__ static inline struct word_lists lists_of(const struct gpu_scan *s, const uint32_t *starts, uint32_t at)
{
    const uint4 words = *(const uint4 *)(s->words + at);
    const uint32_t pairs[4] = {words.x, words.y, words.z, words.w};
    struct word_lists lists;
    uint32_t most = 0;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        const uint32_t word = i % 2 ? pairs[i / 2] >> 16 : pairs[i / 2] & 0xffff, number = min(word, s->word_none);
        lists.of[i] = word_list{starts[number], starts[number + 1] - starts[number]};
        most = max(most, word);
    }
    if (most > s->word_none) {
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            lists.of[i] = list_of(s, starts, i % 2 ? pairs[i / 2] >> 16 : pairs[i / 2] & 0xffff);
    }
    return lists;
}

/* For groups with at least as many lanes as words: each lane has looked up the word at at + lane % AT_ONCE, and shares it. */
template <int G> __device__ static inline struct word_lists lists_by_lanes(struct word_list mine, unsigned mask)
{
    struct word_lists lists;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++)
        lists.of[i] = word_list{__shfl_sync(mask, mine.from, i, G), __shfl_sync(mask, mine.n, i, G)};
    return lists;
}

/* The hits of the words that a lane counts: of its own word, or the first lane of a group those of all words. */
template <int G> __device__ static inline uint32_t hits_of_lane(const struct word_lists *lists, struct word_list mine, int lane)
{
    const int first = G >= AT_ONCE ? AT_ONCE : 0;
    uint32_t n = G >= AT_ONCE ? mine.n : 0;
#pragma unroll
    for (int i = first; i < AT_ONCE; i++)
        n += lists->of[i].n;
    return lane < (G >= AT_ONCE ? AT_ONCE : 1) ? n : 0;
}

/* Keeps remembered positions valid, of which only the lowest byte is stored: positions more than `old` back are set to `old` back. */
__device__ static inline void sweep(uint8_t *last, int n_bytes, uint32_t at, uint32_t old, int lane, int n_lanes)
{
    const uint32_t now = (at & 0xff) * 0x01010101u, oldest = ((at - old) & 0xff) * 0x01010101u, limit = old * 0x01010101u;
    for (int i = lane; i < n_bytes / 4; i += n_lanes) {
        const uint32_t positions = ((uint32_t *)last)[i], is_old = __vcmpgtu4(__vsub4(now, positions), limit);
        ((uint32_t *)last)[i] = (positions & ~is_old) | (oldest & is_old);
    }
}

/* Keeps the compiler from computing a number or a pointer again wherever it is used. */
__device__ static __forceinline__ uint32_t computed_once(uint32_t number)
{
    asm volatile("" : "+r"(number));
    return number;
}

template <class T> __device__ static __forceinline__ T *computed_once(T *pointer)
{
    asm volatile("" : "+l"(pointer));
    return pointer;
}

/* A lane's view of its group and its thread block in hits_kernel(). */
struct hits_lane {
    uint32_t lane;
    unsigned mask; /* the group's lanes in the warp */
    uint8_t *last; /* the last hit of each of n_diagonals diagonals of the group; in shared memory */
    uint32_t n_diagonals;
    const uint16_t *positions; /* gpu_scan.positions */
    uint64_t *candidates;      /* the block's list, of gpu_scan.capacity entries */
    uint32_t *n_candidates;    /* in shared memory; may exceed the capacity */
};

/*
 * sieve_hit() without branches: whether a hit at `here` is a candidate. Without a hit nothing happens, but for a read of any diagonal,
 * which another lane may be writing: its value is not used, and reading with a predicate takes 5 % longer.
 *   diagonal [in] its number, or n_diagonals more
 */
__device__ static __forceinline__ bool is_candidate(const struct hits_lane *me, bool is_hit, uint32_t here, uint32_t diagonal,
                                                    uint32_t word_size, uint32_t near)
{
    uint8_t *last = &me->last[min(diagonal, diagonal - me->n_diagonals)];
    const uint32_t distance = sieve_distance(*last, here);
    const bool is_kept = is_hit && distance >= word_size;
    if (is_kept)
        *last = (uint8_t)here;
    return is_kept && distance < near;
}

/* Takes a lane's hits of a word beyond the first, which are few, and puts candidates into the list. */
template <int G>
__device__ static __forceinline__ void sieve_more(const struct gpu_scan *s, const struct hits_lane *me, struct word_list list,
                                                  uint32_t here, uint32_t turn, uint32_t near)
{
    for (uint32_t k = me->lane + G; k < list.n; k += G) {
        const uint32_t position = me->positions[list.from + k];
        if (!is_candidate(me, true, here, turn - position, (uint32_t)s->word_size, near))
            continue;
        const uint32_t number = atomicAdd(me->n_candidates, 1);
        if (number < s->capacity)
            me->candidates[number] = (uint64_t)here << 32 | position;
    }
}

/*
 * Takes the hits of the words at at .. at + 7 on a lane's diagonals. Returns a bit for each word: whether the lane's first position of it
 * is a candidate.
 */
template <int G>
__device__ static __forceinline__ uint32_t sieve_words(const struct gpu_scan *s, const struct hits_lane *me, const struct word_lists *lists,
                                                       uint32_t at, uint32_t turn, uint32_t near)
{
    uint32_t positions[AT_ONCE], found = 0;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++)
        positions[i] = me->lane < lists->of[i].n ? me->positions[lists->of[i].from + me->lane] : 0;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        if (is_candidate(me, me->lane < lists->of[i].n, at + i, turn + i - positions[i], (uint32_t)s->word_size, near))
            found |= 1u << i;
        sieve_more<G>(s, me, lists->of[i], at + i, turn + i, near);
        __syncwarp(me->mask);
    }
    return found;
}

/*
 * Puts the candidates that sieve_words() found into the list, one of each lane at a time. Their positions are read again. If the list is
 * full nothing is written, and the range is scanned again.
 *   mine [in] with as many lanes as words: the list of the word at at + lane % AT_ONCE
 */
template <int G>
__device__ static __forceinline__ void put_found(const struct gpu_scan *s, const struct hits_lane *me, const uint32_t *starts,
                                                 struct word_list mine, uint32_t found, uint32_t at)
{
    const unsigned below = me->mask & ((1u << threadIdx.x % 32) - 1);
    for (unsigned left; (left = __ballot_sync(me->mask, found != 0)) != 0;) {
        const uint32_t i = (uint32_t)__ffs((int)found) - 1;
        uint32_t number = 0, from;
        if (me->lane == 0)
            number = atomicAdd(me->n_candidates, (uint32_t)__popc(left));
        number = __shfl_sync(me->mask, number, 0, G) + (uint32_t)__popc(left & below);
        if (G >= AT_ONCE)
            from = __shfl_sync(me->mask, mine.from, (int)(i % AT_ONCE), G);
        else
            from = found != 0 ? list_of(s, starts, s->words[at + i]).from : 0;
        if (found != 0 && number < s->capacity)
            me->candidates[number] = (uint64_t)(at + i) << 32 | me->positions[from + me->lane];
        found &= found - 1;
    }
}

__device__ static inline void count_candidates(const struct gpu_scan *s, uint32_t n)
{
    s->n_candidates[blockIdx.x] = n;
    atomicMax(&s->sums->most_candidates, n);
    atomicAdd(&s->sums->n_candidates, (unsigned long long)n);
}

/*
 * A group of G lanes scans a stretch of the subjects, one hit in each lane: all hits of a word lie on different diagonals. For each
 * diagonal the group remembers the last hit that does not overlap the one before; sieve_hit() says why this misses nothing.
 *
 * The next sieve takes extensions from words up to word_size - 1 residues after a candidate. The result does not depend on where a stretch
 * begins, as long as the group begins window + word_size - 1 residues earlier, and keeps candidates up to word_size - 1 residues before the
 * stretch. Diagonals of neighbouring subjects or queries that share a counter add candidates and remove none: they are word_size residues
 * apart.
 */
template <int G>
__global__ static void __launch_bounds__(1024)
    hits_kernel(const __grid_constant__ struct gpu_scan s, uint32_t range_begin, uint32_t range_end, uint32_t stretch)
{
    extern __shared__ uint32_t shared[];
    __shared__ uint32_t n_mine;
    const bool by_lanes = G >= AT_ONCE; /* each lane looks up one word; otherwise each looks up all */
    uint32_t *starts = shared;
    const int group = threadIdx.x / G, lane = threadIdx.x % G;
    const unsigned mask = G == 32 ? ~0u : ((1u << G % 32) - 1) << ((threadIdx.x & 31) / G * G);
    const uint32_t n_diagonals = (uint32_t)s.n_diagonals, n_starts = s.word_none + 2;
    uint8_t *last = (uint8_t *)(starts + n_starts) + (size_t)group * n_diagonals;
    const struct hits_lane me = {(uint32_t)lane,
                                 mask,
                                 last,
                                 n_diagonals,
                                 computed_once(s.positions),
                                 computed_once(s.candidates + (uint64_t)blockIdx.x * s.capacity),
                                 &n_mine};
    /* A block's stretches lie all over the subjects, so that regions of low complexity do not fill the list of one block. */
    const uint64_t first = range_begin + ((uint64_t)group * gridDim.x + blockIdx.x) * stretch;
    const uint32_t begin = computed_once((uint32_t)min(first, (uint64_t)range_end)),
                   end = computed_once((uint32_t)min(first + stretch, (uint64_t)range_end));
    const uint32_t near = sieve_near(s.window, s.word_size), early = (near + AT_ONCE) / AT_ONCE * AT_ONCE;
    const uint32_t sweep_every = (SIEVE_OLDEST - near) / AT_ONCE * AT_ONCE;
    uint32_t n_hits = 0, at = begin == end ? end : begin >= early ? begin - early : 0, next_sweep = at + sweep_every;

    for (uint32_t i = threadIdx.x; i < n_starts; i += blockDim.x)
        starts[i] = s.word_starts[i];
    if (threadIdx.x == 0)
        n_mine = 0;
    for (uint32_t i = lane; i < n_diagonals; i += G)
        last[i] = (uint8_t)(at - near);
    __syncthreads();
    const uint16_t *my_words = s.words + lane % AT_ONCE;
    uint32_t word = by_lanes ? my_words[at] : 0;
    /* The diagonal of a hit at at + i is turn + i - position, or n_diagonals less. */
    for (uint32_t turn = n_diagonals + at % n_diagonals; at < end; at += AT_ONCE) {
        const struct word_list mine = by_lanes ? list_of(&s, starts, word) : word_list{0, 0};
        const struct word_lists lists = by_lanes ? lists_by_lanes<G>(mine, mask) : lists_of(&s, starts, at);
        const uint32_t near_now = at + AT_ONCE >= begin ? near : 0; /* earlier hits are only remembered */
        if (by_lanes)
            word = my_words[at + AT_ONCE]; /* read long before its use */
        put_found<G>(&s, &me, starts, mine, sieve_words<G>(&s, &me, &lists, at, turn, near_now), at);
        n_hits += at >= begin ? hits_of_lane<G>(&lists, mine, lane) : 0;
        if (at >= next_sweep) {
            sweep(last, (int)n_diagonals, at + AT_ONCE, near, lane, G);
            next_sweep = at + sweep_every;
            __syncwarp(mask);
        }
        turn += AT_ONCE;
        turn -= turn == 2 * n_diagonals ? n_diagonals : 0;
    }
    if (n_hits > 0)
        atomicAdd(&s.sums->n_hits, (unsigned long long)n_hits);
    __syncthreads();
    if (threadIdx.x == 0)
        count_candidates(&s, n_mine);
}

/*
 * Hits are counted in groups of eight positions. A part that does not begin and end at a multiple of eight shares positions with its
 * neighbours; one warp subtracts the neighbours' hits, those at positions from .. end - 1.
 */
__global__ static void uncount_kernel(const __grid_constant__ struct gpu_scan s, uint32_t from, uint32_t end)
{
    const uint32_t at = from + threadIdx.x, word = at < end ? s.words[at] : s.word_none;
    const uint32_t n = s.word_starts[word + 1] - s.word_starts[word];
    if (n > 0)
        atomicAdd(&s.sums->n_hits, 0ull - n);
}

/* --- the second sieve --- */

/* Bounds extensions that begin at words up to word_size - 1 residues after a candidate. RESIDUES is 2 x word_size - 1. */
template <int RESIDUES> __global__ static void bound_kernel(const __grid_constant__ struct gpu_scan s)
{
    __shared__ int8_t rows[RESIDUE_ROW * RESIDUE_ROW];
    for (int i = threadIdx.x; i < RESIDUE_ROW * RESIDUE_ROW; i += blockDim.x)
        rows[i] = s.rows[i];
    __syncthreads();
    const uint32_t n = min(s.n_candidates[blockIdx.y], s.capacity);
    const uint64_t *candidates = s.candidates + (uint64_t)blockIdx.y * s.capacity;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const uint32_t position = (uint32_t)candidates[i], at = (uint32_t)(candidates[i] >> 32);
        if (at < s.part_first || at >= s.part_end) /* the first sieve takes eight words at once, some of them before a stretch */
            continue;
        const struct gpu_query q = s.queries[s.query_of[position]];
        if (sieve_bound(s.query_codes + position, s.codes + at, rows, q.x_drop, RESIDUES) < q.cutoff)
            continue;
        keep_diagonal(&s, at, s.starts[subject_at(s.starts, s.n_subjects, at)], position, (uint32_t)q.first_position);
    }
}

/* --- the two-hit rule --- */

struct pair_score {
    const struct ungapped_pair *pair;
    __device__ int operator()(int query, int subject) const { return ungapped_score(pair, query, subject); }
};

/* Whether residues at at .. at + 31 of a diagonal, but for the first word_size of them, end each extension to the right that enters them.
 */
__device__ static inline bool ends_extensions(const struct two_hit_diagonal *d, int at, const lane_group<32> &warp)
{
    int run = warp.lane < d->word_size ? 0 : ungapped_score(&d->pair, d->query + at + warp.lane, d->subject + at + warp.lane);
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        const int before = warp.below(run, k);
        run += warp.lane >= k ? before : 0;
    }
    int most = max(run, 0);
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        const int before = warp.below(most, k);
        most = warp.lane >= k ? max(most, before) : most;
    }
    return warp.vote(most - run >= d->pair.x_drop) != 0;
}

/*
 * Where, at position `from` of a diagonal or before it, the rule has nothing to remember: there is no hit less than a window before, and
 * extensions from earlier hits have ended. Else where the diagonal begins. Words lie on the diagonal up to `from`.
 */
__device__ static inline int quiet_before(const struct two_hit_diagonal *d, int from, const lane_group<32> &warp)
{
    const int begin = -min(d->query, d->subject);
    int quiet = from, n_quiet = 0; /* n_quiet words before `quiet` are no hits */
    bool ends = false;
    for (int at = from - 32; at >= begin; at -= 32) {
        if (warp.vote(two_hit_is_hit(d, at + warp.lane, two_hit_word_score(d, at + warp.lane))) != 0) {
            quiet = at;
            n_quiet = 0;
            ends = false;
            continue;
        }
        n_quiet += 32;
        ends |= ends_extensions(d, at, warp);
        if (ends && n_quiet >= d->window)
            return quiet;
    }
    return begin;
}

/*
 * Same as two_hit_next() of two_hit_core.h, by a warp and from a place where the rule has nothing to remember: looks up 32 words at once,
 * then takes their hits in order. Keeps HSPs from hits within `own`.
 */
__device__ static inline void walk(const struct gpu_scan *s, const struct two_hit_diagonal *d, struct residue_range own, uint32_t query,
                                   uint32_t subject, int cutoff, const lane_group<32> &warp)
{
    const struct pair_score score = {&d->pair};
    const struct ungapped_range range = {d->pair.query_length, d->pair.subject_length, d->pair.x_drop};
    struct two_hit_state state = two_hit_start(d->window);
    for (int from = 0; from < own.end; from += 32) {
        const int mine = from + warp.lane;
        unsigned hits = warp.vote(mine < own.end && two_hit_is_hit(d, mine, two_hit_word_score(d, mine)));
        for (; hits != 0; hits &= hits - 1) {
            const int at = from + __ffs((int)hits) - 1, last = state.last;
            if (!two_hit_meets(&state, at, d->word_size, d->window))
                continue;
            const struct ungapped_result r = ungapped_two_hits_lanes(warp, score, range, d->query + at, d->subject + at, d->subject + last,
                                                                     d->word_size);
            two_hit_extended(&state, at, &r, -d->subject, d->word_size);
            if (r.hsp.score >= cutoff && at >= own.first && warp.lane == 0)
                keep_hsp(s, &r.hsp, query, subject);
        }
    }
}

/*
 * Each warp takes one diagonal. Keys are sorted, and only the first of equal keys counts. RESIDUES is TWO_HIT_WORD_RESIDUES, or 0 for words
 * of any size.
 */
template <int RESIDUES>
__global__ static void __launch_bounds__(REPLAY_THREADS) replay_kernel(const __grid_constant__ struct gpu_scan s, uint32_t n_keys)
{
    __shared__ int scores[RESIDUE_CODES * RESIDUE_CODES], word_scores[RESIDUES ? 1 : RESIDUE_CODES * RESIDUE_CODES];
    for (int i = threadIdx.x; i < RESIDUE_CODES * RESIDUE_CODES; i += blockDim.x) {
        scores[i] = s.scores[i];
        if (!RESIDUES)
            word_scores[i] = s.word_scores[i];
    }
    __syncthreads();
    const lane_group<32> warp;
    uint32_t n_mine = 0;
    for (uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n_keys; i += gridDim.x * blockDim.x / 32) {
        const uint64_t key = s.keys[i];
        if (i > 0 && s.keys[i - 1] == key)
            continue;
        n_mine++;
        const uint32_t at = (uint32_t)(key >> 32), position = (uint32_t)key, query = s.query_of[position];
        const uint32_t subject = subject_at(s.starts, s.n_subjects, at), start = s.starts[subject];
        const struct gpu_query q = s.queries[query];
        const int before = q.first_position - s.before; /* position of the query's first residue */
        struct two_hit_diagonal d = {{scores, s.query_codes + before, s.codes + start, s.whole_length > 0 ? s.whole_length : q.length,
                                      (int)(s.starts[subject + 1] - 1 - start), q.x_drop},
                                     RESIDUES ? scores : word_scores,
                                     RESIDUES || s.n_long_words == 0 ? NULL : s.long_words->numbers.letter_of,
                                     s.has_word + before,
                                     RESIDUES ? RESIDUES : s.word_size,
                                     s.threshold,
                                     s.window,
                                     (int)position - before,
                                     (int)(at - start)};
        /* of the diagonal: the words of the stretch, of which the first belong to an earlier stretch */
        const int n_words = min(two_hit_n_words(&d), s.before + q.length - d.query), first = max(s.core - d.query, 0);
        if (first >= n_words)
            continue;
        const int begin = quiet_before(&d, first, warp);
        d.query += begin;
        d.subject += begin;
        walk(&s, &d, residue_range{first - begin, n_words - begin}, query, subject, q.cutoff, warp);
    }
    if (warp.lane == 0)
        atomicAdd(&s.sums->n_diagonals, (unsigned long long)n_mine);
}

__global__ static void order_kernel(const struct two_hit_gpu_hsp *from, const uint32_t *order, uint32_t n, struct two_hit_gpu_hsp *to)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] = from[order[i]];
}

#endif
