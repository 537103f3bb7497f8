/* two_hit_lanes.c - the passes of two_hit_passes.h for any processor. */
#define POSITIONS_AT_ONCE 16

#include "lookup/two_hit_lanes.h"
#include "lookup/two_hit_hits.h"

static inline uint32_t near_hits(const uint8_t *ats, const uint8_t *before, int least, int end)
{
    uint32_t near = 0;

    for (int i = 0; i < NEAR_LANES; i++)
        near |= (uint32_t)((ats[i] - before[i] >= least) & (ats[i] - before[i] < end)) << i;
    return near;
}

static inline uint32_t flagged(const int8_t *flags)
{
    uint32_t bits = 0;

    for (int i = 0; i < PAIR_LANES; i++)
        bits |= (uint32_t)(flags[i] != 0) << i;
    return bits;
}

static inline void look_up_pairs(const int8_t *pair_scores, const uint16_t *const *query, const uint32_t *const *subject, size_t n,
                                 lane_scores *scores)
{
    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < ROUND_PAIRS; i++)
            scores[i][k] = pair_scores[query[k][i] + subject[k][i]];
}

const struct two_hit_passes two_hit_passes_plain = {lower, take_hits, bound_candidates, true};
