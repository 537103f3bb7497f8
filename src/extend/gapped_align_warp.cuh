/* gapped_align_warp.cuh - gapped_align() by a warp: directions lie in global memory, and the warp walks back along them. */
#ifndef TMS_GAPPED_ALIGN_WARP_CUH
#define TMS_GAPPED_ALIGN_WARP_CUH

#include "extend/gapped_warp.cuh"

enum {
    GAPPED_WARP_RUNS = 256,   /* runs of both sides of an alignment that fit; with more it is abandoned */
    GAPPED_ALIGN_COLUMNS = 4, /* of a lane at first: final alignments have a higher X-drop */
    GAPPED_BAND_WORDS = 8,    /* words of directions, 8 each, of a row */
    GAPPED_BAND_BEFORE = 40   /* directions of a row before the diagonal */
};

/* A warp's memory for the way back, and the way: runs of 4 * length + enum gapped_operation. */
struct gapped_warp_trace {
    struct gapped_warp_directions *directions;
    uint32_t (*band)[32]; /* in shared memory: GAPPED_BAND_WORDS for each lane, which has a row */
    int *runs, n_runs;    /* in shared memory */
};

/* Reads the directions around the diagonal that ends in row a, column b: each lane those of a row. In row 0 all are gaps in the query. */
__device__ static inline void gapped_warp_read_band(const struct gapped_warp_trace *t, int a, int b, int lane)
{
    const int row = a - lane, at = row > 0 ? t->directions->starts[row] + b - lane - GAPPED_BAND_BEFORE : 0;
    const uint32_t *words = (const uint32_t *)t->directions->items + (at >> 3);
    uint32_t word = row > 0 ? words[0] : 0;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < GAPPED_BAND_WORDS; k++) {
        const uint32_t next = row > 0 ? words[k + 1] : 0;
        t->band[k][lane] = row > 0 ? __funnelshift_r(word, next, 4 * (at & 7)) : GAPPED_IN_QUERY * 0x11111111u;
        word = next;
    }
    __syncwarp();
}

/* Appends a run. */
__device__ static inline void gapped_warp_add(struct gapped_warp_trace *t, int operation, int n, int lane)
{
    if (n == 0)
        return;
    if (lane == 0 && t->n_runs < GAPPED_WARP_RUNS)
        t->runs[t->n_runs] = 4 * n + operation;
    t->n_runs++;
}

/* Appends the operations from the best cell back to the start point, as gapped_trace_back() does; a run of matches at once. */
__device__ static inline void gapped_warp_trace_back(struct gapped_warp_trace *t, const struct gapped_extent *best, int lane)
{
    int a = best->query, b = best->subject, operation = GAPPED_MATCH, n = 0; /* the run so far */

    while (a > 0 || b > 0) {
        const int from_a = a, from_b = b;
        gapped_warp_read_band(t, a, b, lane);
        while (a > 0 || b > 0) {
            const int row = from_a - a, at = GAPPED_BAND_BEFORE + b - (from_b - row), before = operation;
            if (row >= 32 || at < 0 || at >= 8 * GAPPED_BAND_WORDS)
                break;
            const uint32_t mine = t->band[at / 8][lane] >> 4 * (at % 8), direction = __shfl_sync(~0u, mine, row);
            if (!((operation == GAPPED_IN_QUERY && (direction & GAPPED_EXTENDS_IN_QUERY)) ||
                  (operation == GAPPED_IN_SUBJECT && (direction & GAPPED_EXTENDS_IN_SUBJECT))))
                operation = direction & GAPPED_OPERATION;
            const unsigned others = __ballot_sync(~0u, (mine & GAPPED_OPERATION) != GAPPED_MATCH) >> row;
            const int steps = operation != GAPPED_MATCH ? 1 : others != 0 ? __ffs((int)others) - 1 : 32 - row;
            if (operation != before) {
                gapped_warp_add(t, before, n, lane);
                n = 0;
            }
            n += steps;
            a -= operation != GAPPED_IN_QUERY ? steps : 0;
            b -= operation != GAPPED_IN_SUBJECT ? steps : 0;
        }
    }
    gapped_warp_add(t, operation, n, lane);
}

/*
 * gapped_align_warp() - extends with all lanes of a warp, and appends the operations from the best cell back to the start point.
 *   best [out] the best cell
 * Returns false if something does not fit.
 */
__device__ static inline bool gapped_align_warp(const struct gapped_warp_costs *costs, struct gapped_side query, struct gapped_side subject,
                                                int step, struct gapped_warp_trace *t, struct gapped_extent *best)
{
    struct gapped_warp_rows r = {0, query, subject, step};
    *best = r.best;
    if (query.n <= 0 || subject.n <= 0)
        return true;
    r.last_row = min(query.n, GAPPED_WARP_ROWS - 1);
    r.directions = t->directions;
    if (!gapped_warp_extend<GAPPED_ALIGN_COLUMNS, false, true>(&r, costs))
        return false;
    *best = r.best;
    __syncwarp();
    gapped_warp_trace_back(t, best, r.lane);
    return t->n_runs < GAPPED_WARP_RUNS;
}

#endif
