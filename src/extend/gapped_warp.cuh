/*
 * gapped_warp.cuh - the rows of gapped_score() and gapped_align() by a warp: each lane takes a column, 32 at a time, as gapped_rows.h does
 * with vectors. Columns lie in a ring buffer in shared memory.
 */
#ifndef TMS_GAPPED_WARP_CUH
#define TMS_GAPPED_WARP_CUH

#include "extend/gapped.h"

enum {
    GAPPED_RING = 256,                                    /* columns of a warp */
    GAPPED_MOST_OPENED = 60,                              /* most columns that a gap may open in a row; costs must guarantee it */
    GAPPED_WIDEST = GAPPED_RING - GAPPED_MOST_OPENED - 4, /* most columns that may be alive */
    GAPPED_TENTH = 10                                     /* distance of the columns and rows where gaps of the restricted form begin */
};

/* Shared memory of one warp. */
struct gapped_ring {
    int best[GAPPED_RING], gap[GAPPED_RING];
};

struct gapped_warp_costs {
    const int *scores; /* [RESIDUE_ROW * query's code + subject's code], in shared memory */
    int open, extend, x_drop;
};

/* An extension in progress; the same in all lanes. */
struct gapped_warp_rows {
    struct gapped_ring *ring;
    int n, extend, open_extend, drop, first, end, cells;
    struct gapped_extent best;
    uint8_t *directions; /* of the row's columns, in the aligning form */
};

/* Opens columns r->end .. r->end + count - 1: the first gets `score`, each next one a gap residue less. */
template <bool ALIGNS> __device__ static inline void gapped_warp_open(struct gapped_warp_rows *r, int count, int score, int lane)
{
    for (int i = lane; i < count; i += 32) {
        const int at = (r->end + i) % GAPPED_RING, best = score - i * r->extend;
        r->ring->best[at] = best;
        r->ring->gap[at] = best - r->open_extend;
        if (ALIGNS)
            r->directions[r->end + i] = GAPPED_IN_QUERY;
    }
    r->end += count;
}

template <bool ALIGNS> __device__ static inline void gapped_warp_begin(struct gapped_warp_rows *r, int lane)
{
    r->first = r->end = 0;
    r->best = gapped_extent{0, 0, 0};
    gapped_warp_open<ALIGNS>(r, 1, 0, lane);
    gapped_warp_open<ALIGNS>(r, min((r->drop - r->open_extend) / r->extend + 1, r->n), -r->open_extend, lane);
    __syncwarp();
}

/* Same as end_row() of gapped.c. */
template <bool ALIGNS> __device__ static inline void gapped_warp_end_row(struct gapped_warp_rows *r, int last_alive, int gap, int lane)
{
    if (last_alive < r->end - 1) {
        r->end = last_alive + 1;
    } else {
        const int above = gap - (r->best.score - r->drop);
        gapped_warp_open<ALIGNS>(r, above < 0 ? 0 : min(above / r->extend + 1, r->n + 1 - r->end), gap, lane);
    }
    if (r->end <= r->n)
        gapped_warp_open<ALIGNS>(r, 1, GAPPED_DEAD, lane);
}

/* The best score, over the lanes before this one, of a gap that begins after that lane and reaches this one; without the carry. */
__device__ static inline int gapped_warp_gap(int opened, int extend, int lane, int *through)
{
    int best = opened + lane * extend;
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        const int before = __shfl_up_sync(~0u, best, k);
        best = lane >= k ? max(best, before) : best;
    }
    *through = best - lane * extend;
    const int before = __shfl_up_sync(~0u, *through, 1);
    return lane > 0 ? before : GAPPED_DEAD;
}

/* Returns the lanes that are alive, as in raise_best() of gapped_rows.h. */
__device__ static inline unsigned gapped_warp_alive(struct gapped_warp_rows *r, int a, int b, int score, bool is_valid)
{
    unsigned valid = __ballot_sync(~0u, is_valid), alive = 0, better;
    while ((better = __ballot_sync(~0u, score > r->best.score) & valid) != 0) {
        const int lane = __ffs((int)better) - 1;
        const unsigned up_to = lane == 31 ? ~0u : (2u << lane) - 1;
        alive |= __ballot_sync(~0u, score >= r->best.score - r->drop) & valid & up_to;
        valid &= ~up_to;
        r->best = gapped_extent{__shfl_sync(~0u, score, lane), a, b + lane};
    }
    return alive | (__ballot_sync(~0u, score >= r->best.score - r->drop) & valid);
}

/* Fills row a. Returns false if no column is alive. The aligning form also stores directions, and is not restricted. */
template <bool RESTRICTED, bool ALIGNS>
__device__ static inline bool gapped_warp_row(struct gapped_warp_rows *r, int a, const int *scores, const uint8_t *subject, int step,
                                              int lane)
{
    const bool has_gaps = !RESTRICTED || a % GAPPED_TENTH == 0;
    int diagonal = GAPPED_DEAD, gap_before = GAPPED_DEAD, after = GAPPED_DEAD, first = r->end, last = r->first;

    r->cells += r->end - r->first;
    for (int b = r->first; b < r->end; b += 32) {
        const int column = b + lane, at = column % GAPPED_RING;
        const bool is_valid = column < r->end, takes_gap = !RESTRICTED || column % GAPPED_TENTH == 0;
        const int gap = is_valid && takes_gap ? r->ring->gap[at] : GAPPED_DEAD;
        const int next = is_valid ? r->ring->best[at] + scores[subject[(ptrdiff_t)step * column]] : GAPPED_DEAD;
        const int before = __shfl_up_sync(~0u, next, 1);
        const int from_diagonal = lane > 0 ? before : diagonal;
        int score = max(from_diagonal, gap), through = GAPPED_DEAD, direction = from_diagonal < gap ? GAPPED_IN_SUBJECT : GAPPED_MATCH;
        if (has_gaps) {
            const int here = max(gapped_warp_gap(score - r->open_extend, r->extend, lane, &through), gap_before - lane * r->extend);
            direction = score < here ? GAPPED_IN_QUERY : direction;
            score = max(score, here);
            if (ALIGNS && here - r->extend >= score - r->open_extend)
                direction |= GAPPED_EXTENDS_IN_QUERY;
            through = max(through, gap_before - (lane + 1) * r->extend);
            gap_before = __shfl_sync(~0u, through, 31);
        }
        const unsigned alive = gapped_warp_alive(r, a, b, score, is_valid);
        if (is_valid) {
            r->ring->best[at] = alive >> lane & 1 ? score : GAPPED_DEAD;
            if (takes_gap)
                r->ring->gap[at] = max(score - r->open_extend, gap - r->extend);
            if (ALIGNS)
                r->directions[column] = (uint8_t)(gap - r->extend >= score - r->open_extend ? direction | GAPPED_EXTENDS_IN_SUBJECT
                                                                                            : direction);
        }
        if (alive != 0) {
            first = first < r->end ? first : b + __ffs((int)alive) - 1;
            last = b + 31 - __clz((int)alive);
        }
        diagonal = __shfl_sync(~0u, next, 31);
        after = __shfl_sync(~0u, has_gaps ? through : next, (r->end - 1 - r->first) % 32); /* only the last turn's value counts */
    }
    if (first == r->end)
        return false;
    __syncwarp();
    gapped_warp_end_row<ALIGNS>(r, last, after, lane);
    r->first = first;
    return true;
}

/*
 * gapped_score_warp() - extends with all lanes of a warp.
 *   most_cells [in] cells after which the extension is abandoned
 *   cells [in,out] the number of cells that were computed is added
 *   fits [in,out] set to false if the extension is abandoned, or if the ring is too small
 */
template <bool RESTRICTED>
__device__ static inline struct gapped_extent gapped_score_warp(const struct gapped_warp_costs *costs, struct gapped_ring *ring,
                                                                struct gapped_side query, struct gapped_side subject, int step,
                                                                int most_cells, long long *cells, bool *fits)
{
    const int lane = (int)(threadIdx.x % 32);
    struct gapped_warp_rows r = {ring, subject.n, costs->extend, costs->open + costs->extend, 0, 0, 0, 0, {0, 0, 0}, NULL};

    if (query.n <= 0 || subject.n <= 0)
        return r.best;
    r.drop = max(costs->x_drop, r.open_extend);
    __syncwarp();
    gapped_warp_begin<false>(&r, lane);
    for (int a = 1; a <= query.n; a++) {
        if (!gapped_warp_row<RESTRICTED, false>(&r, a, costs->scores + RESIDUE_ROW * query.codes[(ptrdiff_t)step * (a - 1)], subject.codes,
                                                step, lane))
            break;
        __syncwarp();
        if (r.end - r.first > GAPPED_WIDEST || r.cells > most_cells) {
            *fits = false;
            break;
        }
    }
    *cells += r.cells;
    return r.best;
}

#endif
