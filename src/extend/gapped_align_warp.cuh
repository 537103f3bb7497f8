/* gapped_align_warp.cuh - gapped_align() by a warp: directions lie in global memory, and one lane walks back along them. */
#ifndef TMS_GAPPED_ALIGN_WARP_CUH
#define TMS_GAPPED_ALIGN_WARP_CUH

#include "extend/gapped_warp.cuh"

/* What fits, of one side of an alignment, or of both for the runs; longer ones are abandoned. */
enum { GAPPED_WARP_DIRECTIONS = 1 << 17, GAPPED_WARP_ROWS = 1 << 11, GAPPED_WARP_RUNS = 256 };

/* A warp's part of global memory: directions of row a, column b are items[starts[a] + b]. */
struct gapped_warp_directions {
    uint8_t items[GAPPED_WARP_DIRECTIONS];
    int starts[GAPPED_WARP_ROWS];
};

/* A warp's memory for the way back, and the way: runs of 4 * length + enum gapped_operation, in shared memory. */
struct gapped_warp_trace {
    struct gapped_warp_directions *directions;
    int *runs, n_runs;
};

/* Adds a step to the runs from number `first` on. */
__device__ static inline void gapped_warp_add(struct gapped_warp_trace *t, int first, int operation)
{
    if (t->n_runs > first && (t->runs[t->n_runs - 1] & 3) == operation)
        t->runs[t->n_runs - 1] += 4;
    else if (t->n_runs < GAPPED_WARP_RUNS)
        t->runs[t->n_runs++] = 4 + operation;
}

/* Appends the operations from the best cell back to the start point, as gapped_trace_back() does. One lane. */
__device__ static inline void gapped_warp_trace_back(struct gapped_warp_trace *t, const struct gapped_extent *best)
{
    const struct gapped_warp_directions *d = t->directions;
    const int first = t->n_runs;
    int a = best->query, b = best->subject, operation = GAPPED_MATCH;

    while (a > 0 || b > 0) {
        const int direction = d->items[d->starts[a] + b];
        if (!((operation == GAPPED_IN_QUERY && (direction & GAPPED_EXTENDS_IN_QUERY)) ||
              (operation == GAPPED_IN_SUBJECT && (direction & GAPPED_EXTENDS_IN_SUBJECT))))
            operation = direction & GAPPED_OPERATION;
        a -= operation != GAPPED_IN_QUERY;
        b -= operation != GAPPED_IN_SUBJECT;
        gapped_warp_add(t, first, operation);
    }
}

/*
 * gapped_align_warp() - extends with all lanes of a warp, and appends the operations from the best cell back to the start point.
 *   best [out] the best cell
 * Returns false if something does not fit.
 */
__device__ static inline bool gapped_align_warp(const struct gapped_warp_costs *costs, struct gapped_ring *ring, struct gapped_side query,
                                                struct gapped_side subject, int step, struct gapped_warp_trace *t,
                                                struct gapped_extent *best)
{
    struct gapped_warp_directions *d = t->directions;
    const int lane = (int)(threadIdx.x % 32);
    struct gapped_warp_rows r = {ring, subject.n, costs->extend, costs->open + costs->extend, 0, 0, 0, 0, {0, 0, 0}, d->items};
    int used;

    *best = r.best;
    if (query.n <= 0 || subject.n <= 0)
        return true;
    r.drop = max(costs->x_drop, r.open_extend);
    __syncwarp();
    gapped_warp_begin<true>(&r, lane);
    if (lane == 0)
        d->starts[0] = 0;
    used = r.end;
    for (int a = 1; a <= query.n; a++) {
        const int start = used - r.first;
        if (used > GAPPED_WARP_DIRECTIONS - 2 * GAPPED_RING || a >= GAPPED_WARP_ROWS)
            return false;
        r.directions = d->items + start;
        if (lane == 0)
            d->starts[a] = start;
        if (!gapped_warp_row<false, true>(&r, a, costs->scores + RESIDUE_ROW * query.codes[(ptrdiff_t)step * (a - 1)], subject.codes, step,
                                          lane))
            break;
        __syncwarp();
        used = start + r.end;
        if (r.end - r.first > GAPPED_WIDEST)
            return false;
    }
    __syncwarp();
    *best = r.best;
    if (lane == 0)
        gapped_warp_trace_back(t, best);
    t->n_runs = __shfl_sync(~0u, t->n_runs, 0);
    return t->n_runs < GAPPED_WARP_RUNS;
}

#endif
