/* ungapped_warp.cuh - ungapped_two_hits() by a warp: 32 letters at a time. The same in all lanes. */
#ifndef TMS_UNGAPPED_WARP_CUH
#define TMS_UNGAPPED_WARP_CUH

#include "extend/ungapped_core.h"

/* One direction under way. */
struct ungapped_warp_side {
    int run, best, length; /* length: letters up to the best */
    int stopped;           /* letters looked at, without the one where the score had fallen */
};

/* The next 32 letters, of which `score` is this lane's; n_left: those that there are. Returns whether it goes on after them. */
template <bool TO_RIGHT>
__device__ static inline bool ungapped_warp_letters(struct ungapped_warp_side *side, int score, int n_left, int x_drop, int lane)
{
    int run = score, best;
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        const int before = __shfl_up_sync(~0u, run, k);
        run += lane >= k ? before : 0;
    }
    run += side->run;
    best = max(run, side->best);
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        const int before = __shfl_up_sync(~0u, best, k);
        best = lane >= k ? max(best, before) : best;
    }
    const unsigned ends = __ballot_sync(~0u, lane < n_left && (best - run >= x_drop || (TO_RIGHT && run <= 0)));
    const int last = ends != 0 ? __ffs((int)ends) - 1 : min(n_left, 32) - 1;
    const int best_here = __shfl_sync(~0u, best, last);
    if (best_here > side->best)
        side->length = side->stopped + __ffs((int)__ballot_sync(~0u, run == best_here && lane <= last));
    side->best = best_here;
    side->run = __shfl_sync(~0u, run, 31);
    side->stopped += ends != 0 ? last : min(n_left, 32);
    return ends == 0 && n_left > 32;
}

__device__ static inline int ungapped_warp_score(const struct ungapped_pair *p, int query, int subject, bool is_there)
{
    return is_there ? ungapped_score(p, query, subject) : 0;
}

__device__ static inline struct ungapped_result ungapped_two_hits_warp(const struct ungapped_pair *p, int query, int subject, int first,
                                                                       int word_size, int lane)
{
    struct ungapped_result r;
    const int prefix = ungapped_best_prefix(p, query, subject, word_size);
    query += prefix;
    subject += prefix;
    struct ungapped_warp_side left = {0, 0, 0, 0}, right = {0, 0, 0, 0};
    for (int i = lane + 1, n = min(query, subject);; i += 32, n -= 32)
        if (n <= 0 || !ungapped_warp_letters<false>(&left, ungapped_warp_score(p, query - i, subject - i, lane < n), n, p->x_drop, lane))
            break;
    r.went_right = left.length >= subject - (first + word_size);
    right.run = right.best = left.best;
    for (int i = lane, n = r.went_right ? min(p->query_length - query, p->subject_length - subject) : 0;; i += 32, n -= 32)
        if (n <= 0 || !ungapped_warp_letters<true>(&right, ungapped_warp_score(p, query + i, subject + i, lane < n), n, p->x_drop, lane))
            break;
    r.stopped = subject + right.stopped;
    r.hsp = ungapped_hsp{query - left.length, subject - left.length, left.length + right.length, right.best};
    return r;
}

#endif
