/* two_hit_lanes.c - the passes of two_hit_passes.h for any processor. */
#define POSITIONS_AT_ONCE  16
#define CANDIDATES_AT_ONCE 16

#include "lookup/two_hit_lanes.h"
#include "lookup/two_hit_hits.h"

static inline void lower_lanes(lowered_lanes *of, const lowered_lanes *by) { *of = (*of - *by) & (lowered_lanes)(*of > *by); }

static inline uint32_t near_hits(const uint8_t *distances, int least, int end)
{
    uint32_t near = 0;

    for (int i = 0; i < NEAR_LANES; i++)
        near |= (uint32_t)((distances[i] >= least) & (distances[i] < end)) << i;
    return near;
}

static inline score_lanes more_of(score_lanes a, score_lanes b)
{
    const score_lanes more = a > b;

    return (a & more) | (b & ~more);
}

static inline uint32_t flagged(score_lanes flags)
{
    uint32_t bits = 0;

    for (int i = 0; i < LANES; i++)
        bits |= (uint32_t)(flags[i] != 0) << i;
    return bits;
}

static inline void look_up(const struct two_hit_bounded *in, const struct two_hit_extended *c, size_t from, size_t n, int shift,
                           score_lanes *scores)
{
    for (size_t k = 0; k < n; k++) {
        const uint8_t *query = in->queries->codes + c->position[from + k] + shift, *subject = in->codes + c->subject[from + k] + shift;
        for (int i = 0; i < ROUND; i++) {
            const int8_t score = in->queries->rows[RESIDUE_ROW * query[i] + subject[i]];
            scores[i][k] = score > -TWO_HIT_GAP ? score : -TWO_HIT_GAP;
        }
    }
}

const struct two_hit_passes two_hit_passes_plain = {lower, take_hits, bound_candidates, NULL};
