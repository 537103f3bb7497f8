/*
 * gapped_lanes.cuh - the first step of the gapped stage: each lane extends an HSP by itself. Most HSPs are not accepted, and stay so narrow
 * and low that a lane can do it; their scores are kept. What a lane abandons, because its ring is too small or its score is enough to be
 * accepted, or to begin again in the full form, is left to the warps.
 */
#ifndef TMS_GAPPED_LANES_CUH
#define TMS_GAPPED_LANES_CUH

#include "extend/gapped_lane.cuh"
#include "search/gapped_pairs.cuh"

enum { LANES_MOST_WARPS = 10 /* of a thread block */ };

#define LANE_IDLE (~0u)

/* The HSP that a lane is extending. */
struct lane_work {
    uint32_t number; /* LANE_IDLE: none */
    bool is_over;    /* there is no further one */
    struct gapped_sides sides;
    int side;   /* 0: left; 1: right */
    int before; /* score of the left side, once it is made */
    int enough; /* score from which on the HSP is abandoned */
    int start_query, start_subject;
};

/* Notes for each HSP in which form its extension begins: that of its pair. */
__global__ static void forms_kernel(const __grid_constant__ struct gapped_args args)
{
    for (uint32_t number = blockIdx.x * blockDim.x + threadIdx.x; number < *args.n_pairs; number += gridDim.x * blockDim.x) {
        uint32_t first;
        const int n = size_of_pair(&args, number, &first);
        const struct gapped_gpu_query q = args.queries[args.hsps[first].hsp.query];
        int best = INT_MIN;
        if (n > MOST_HSPS || q.cutoff >= GAPPED_LANE_MOST)
            continue;
        for (int i = 0; i < n; i++)
            best = max(best, args.hsps[first + i].hsp.hsp.score);
        for (int i = 0; i < n; i++)
            args.is_made[first + i] = (uint8_t)(1 << (FORMS + (args.is_restricted && best < q.near ? RESTRICTED : FULL)));
    }
}

/* Begins the next side that has residues of both sequences. Returns false if there is none. */
__device__ static inline bool next_side(struct lane_work *w, struct gapped_lane *g)
{
    for (w->side++; w->side < 2; w->side++) {
        g->query = w->side == 0 ? w->sides.query[0] : w->sides.query[1];
        g->subject = w->side == 0 ? w->sides.subject[0] : w->sides.subject[1];
        g->step = 2 * w->side - 1;
        if (g->query.n > 0 && g->subject.n > 0) {
            gapped_lane_begin(g);
            return true;
        }
    }
    return false;
}

/* Keeps the score of an HSP that is not accepted; its ends do not matter. */
template <int FORM> __device__ static inline void keep_score(const struct gapped_args *args, struct lane_work *w)
{
    args->made[FORM][w->number] = accepted{0, 0, 0, 0, w->before, w->start_query, w->start_subject, true, true};
    args->is_made[w->number] |= (uint8_t)(1 << FORM);
    w->number = LANE_IDLE;
}

/* Gives the lanes that have none the next HSPs of the form. */
template <int FORM>
__device__ static inline void take_hsps(const struct gapped_args *args, struct pair *p, struct lane_work *w, struct gapped_lane *g)
{
    bool is_new = false;
    for (unsigned needs; (needs = __ballot_sync(~0u, w->number == LANE_IDLE && !w->is_over)) != 0;) {
        uint32_t first = 0;
        if (p->lane == 0)
            first = atomicAdd(&args->sums->next_of_lanes[FORM], (uint32_t)__popc(needs));
        first = __shfl_sync(~0u, first, 0);
        if ((needs >> p->lane & 1) == 0)
            continue;
        first += (uint32_t)__popc(needs & ((1u << p->lane) - 1));
        w->is_over = first >= args->n_hsps;
        is_new = !w->is_over && (args->is_made[first] >> (FORMS + FORM) & 1);
        w->number = is_new ? first : LANE_IDLE;
    }
    for (unsigned fresh = __ballot_sync(~0u, is_new); fresh != 0; fresh &= fresh - 1) {
        const int lane = __ffs((int)fresh) - 1;
        const struct two_hit_gpu_hsp *h = &args->hsps[__shfl_sync(~0u, w->number, lane)];
        look_at(p, h);
        const int at = start_in(p, &h->hsp.hsp);
        if (p->lane != lane)
            continue;
        w->start_query = h->hsp.hsp.query + at;
        w->start_subject = h->hsp.hsp.subject + at;
        w->sides = sides_of(p, w->start_query, w->start_subject);
        w->side = -1;
        w->before = 0;
        w->enough = FORM == RESTRICTED ? p->q.near : p->q.cutoff;
    }
    __syncwarp();
    if (is_new && !next_side(w, g))
        keep_score<FORM>(args, w);
}

/* Extends all HSPs of a form, each lane its own, ten rows at a time. */
template <int FORM>
__device__ static inline void extend_by_lanes(const struct gapped_args *args, struct pair *p, struct gapped_lane *g, const char *table)
{
    struct lane_work w = {LANE_IDLE};
    for (;;) {
        take_hsps<FORM>(args, p, &w, g);
        if (__all_sync(~0u, w.number == LANE_IDLE && w.is_over))
            return;
        if (w.number != LANE_IDLE) {
            const bool goes_on = gapped_lane_rows<FORM == RESTRICTED>(g, table);
            const int score = w.before + gapped_lane_score(g);
            if (!g->fits || score >= w.enough) {
                w.number = LANE_IDLE;
            } else if (!goes_on) {
                w.before = score;
                if (!next_side(&w, g))
                    keep_score<FORM>(args, &w);
            }
        }
        __syncwarp();
    }
}

__global__ static void __launch_bounds__(32 * LANES_MOST_WARPS, 1) lanes_kernel(const __grid_constant__ struct gapped_args args)
{
    extern __shared__ int lanes_shared[];
    struct gapped_lane_ring *ring = (struct gapped_lane_ring *)(lanes_shared + GAPPED_LANE_TABLE / 4) + threadIdx.x / 32;
    struct pair p = {};
    struct gapped_lane g = {};
    p.args = &args;
    p.costs.scores = args.scores;
    p.lane = (int)(threadIdx.x % 32);
    gapped_lane_put_scores(args.scores, lanes_shared);
    g.best = (int(*)[32]) & ring->best[0][p.lane];
    g.gap = (int(*)[32]) & ring->gap[0][p.lane];
    g.copy = (uint32_t)(p.lane % GAPPED_LANE_COPIES) * 4;
    g.open_extend = (args.open + args.extend) * GAPPED_LANE_UNIT;
    g.extend = args.extend * GAPPED_LANE_UNIT;
    g.drop = max(args.x_drop * GAPPED_LANE_UNIT, g.open_extend);
    if (args.is_restricted)
        extend_by_lanes<RESTRICTED>(&args, &p, &g, (const char *)lanes_shared);
    extend_by_lanes<FULL>(&args, &p, &g, (const char *)lanes_shared);
}

#endif
