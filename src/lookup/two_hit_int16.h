/* two_hit_int16.h - the form of two_hit_scan() with 16-bit positions and states, which is faster. */
#ifndef TMS_TWO_HIT_INT16_H
#define TMS_TWO_HIT_INT16_H

#include "lookup/two_hit_types.h"

/* two_hit_int16_takes() - whether two_hit_int16_scan() supports a subject of n residues. */
bool two_hit_int16_takes(const struct two_hit_queries *queries, int n);

/* two_hit_int16_scan() - same as two_hit_plain_scan(). */
tms_status two_hit_int16_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject,
                              struct two_hit_diagonals *diagonals, struct two_hit_found *found);

#endif
