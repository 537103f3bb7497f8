/* two_hit_strip.h - queries laid out for the fast form of the scan. */
#ifndef TMS_TWO_HIT_STRIP_H
#define TMS_TWO_HIT_STRIP_H

#include "seed/two_hit_types.h"

/*
 * two_hit_strip_init() - sets queries->strip, if numbers are small enough and two hits are needed: table and scan are faster then.
 *   n_places [in] of all queries, with one between two of them that is none's
 * Returns TMS_OK or TMS_E_MEMORY. out is freed with two_hit_strip_free() after queries have been used.
 */
tms_status two_hit_strip_init(struct two_hit_queries *queries, int n_places, struct two_hit_strip *out);
void two_hit_strip_free(struct two_hit_strip *strip); /* zeroed is fine */

#endif
