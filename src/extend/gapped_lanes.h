/*
 * gapped_lanes.h - the scores of many gapped extensions at once, a lane each: of those that stay narrow and low, which most do that are not
 * accepted.
 */
#ifndef TMS_GAPPED_LANES_H
#define TMS_GAPPED_LANES_H

#include "extend/gapped.h"

/* An extension from a start point to both sides. */
struct gapped_both {
    struct gapped_extension sides[2]; /* a sequence may have no residues; extents are not set */
    bool is_restricted;               /* gaps begin only at each tenth residue */
    int enough;                       /* a score from which on the extension is abandoned */
    int score;                        /* [out] that of both sides together, which is less than `enough`; or GAPPED_ABANDONED */
};

enum { GAPPED_ABANDONED = INT32_MAX };

/* gapped_fits_lanes() - whether the scores and widths of extensions with these costs are such that lanes can make them. */
bool gapped_fits_lanes(const struct gapped_costs *costs);

/* gapped_score_lanes_avx2() - makes n extensions, or abandons them: also those that get too wide for a lane. */
void gapped_score_lanes_avx2(const struct gapped_costs *costs, struct gapped_both *extensions, size_t n);

#endif
