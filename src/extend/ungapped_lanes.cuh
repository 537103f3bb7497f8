/*
 * ungapped_lanes.cuh - ungapped_two_hits() by a group of LANES lanes of a warp, which take LANES residues at a time: a prefix sum, a
 * running maximum, and a vote where the score has fallen [Zhang et al. 2014, section 3.4, Fig. 8]. With LANES 1 each thread extends by
 * itself. All lanes of the group receive the result.
 *
 * Score: a function object; score(query, subject) is the score of two positions.
 */
#ifndef TMS_UNGAPPED_LANES_CUH
#define TMS_UNGAPPED_LANES_CUH

#include "extend/ungapped_core.h"

/* A thread's group. Groups of one warp may execute different instructions. */
template <int LANES> struct lane_group {
    int lane, first; /* lane: number in the group; first: number of the group's first lane in the warp */
    unsigned mask;   /* the group's lanes */

    __device__ lane_group()
        : lane((int)(threadIdx.x % LANES)), first((int)(threadIdx.x % 32) - lane),
          mask((LANES == 32 ? ~0u : (1u << LANES % 32) - 1) << first)
    {
    }
    __device__ int below(int value, int n) const { return LANES == 1 ? value : __shfl_up_sync(mask, value, n, LANES); }
    __device__ int of(int value, int from) const { return LANES == 1 ? value : __shfl_sync(mask, value, from, LANES); }
    __device__ unsigned vote(bool says) const { return LANES == 1 ? says : __ballot_sync(mask, says) >> first; }
};

/* The ranges in which two sequences are compared. */
struct ungapped_range {
    int query_length, subject_length, x_drop;
};

/* An extension to one side in progress. */
struct ungapped_side {
    int run, best, length; /* length: residues up to the best */
    int stopped;           /* residues looked at, without the one where the score had fallen */
};

/*
 * Takes the next LANES residues. score [in] this lane's score; n_left [in] residues that remain. Returns whether the extension continues.
 */
template <int LANES, bool TO_RIGHT>
__device__ static inline bool ungapped_residues(const lane_group<LANES> &group, struct ungapped_side *side, int score, int n_left,
                                                int x_drop)
{
    const int lane = group.lane;
    int run = score, best;
#pragma unroll
    for (int k = 1; k < LANES; k *= 2) {
        const int before = group.below(run, k);
        run += lane >= k ? before : 0;
    }
    run += side->run;
    best = max(run, side->best);
#pragma unroll
    for (int k = 1; k < LANES; k *= 2) {
        const int before = group.below(best, k);
        best = lane >= k ? max(best, before) : best;
    }
    const unsigned ends = group.vote(lane < n_left && (best - run >= x_drop || (TO_RIGHT && run <= 0)));
    const int last = ends != 0 ? __ffs((int)ends) - 1 : min(n_left, LANES) - 1;
    const int best_here = group.of(best, last);
    if (best_here > side->best)
        side->length = side->stopped + __ffs((int)group.vote(run == best_here && lane <= last));
    side->best = best_here;
    side->run = group.of(run, LANES - 1);
    side->stopped += ends != 0 ? last : min(n_left, LANES);
    return ends == 0 && n_left > LANES;
}

template <int LANES, class Score>
__device__ static inline struct ungapped_result ungapped_two_hits_lanes(const lane_group<LANES> &group, const Score &score,
                                                                        const struct ungapped_range &range, int query, int subject,
                                                                        int first, int word_size)
{
    struct ungapped_result r;
    const int lane = group.lane;
    int run = 0, best = 0, prefix = 0;
    for (int i = 0; i < word_size; i++) { /* same as ungapped_best_prefix() */
        run += score(query + i, subject + i);
        prefix = run > best ? i + 1 : prefix;
        best = max(best, run);
    }
    query += prefix;
    subject += prefix;
    struct ungapped_side left = {0, 0, 0, 0}, right = {0, 0, 0, 0};
    for (int i = lane + 1, n = min(query, subject);; i += LANES, n -= LANES)
        if (n <= 0 || !ungapped_residues<LANES, false>(group, &left, lane < n ? score(query - i, subject - i) : 0, n, range.x_drop))
            break;
    r.went_right = left.length >= subject - (first + word_size);
    right.run = right.best = left.best;
    for (int i = lane, n = r.went_right ? min(range.query_length - query, range.subject_length - subject) : 0;; i += LANES, n -= LANES)
        if (n <= 0 || !ungapped_residues<LANES, true>(group, &right, lane < n ? score(query + i, subject + i) : 0, n, range.x_drop))
            break;
    r.stopped = subject + right.stopped;
    r.hsp = ungapped_hsp{query - left.length, subject - left.length, left.length + right.length, right.best};
    return r;
}

#endif
