/* blastn_sides.h - gapped extension by dynamic programming of a chunk's ungapped HSPs on a GPU, all of them before the first is decided. */
#ifndef TMS_BLASTN_SIDES_H
#define TMS_BLASTN_SIDES_H

#include "blastn/blastn_groups.h"
#include "blastn/blastn_scratch.h"

/* blastn_x_drop() - the X-drop of the gapped extension of an ungapped HSP. */
int blastn_x_drop(const struct blastn_setup *setup, const struct ungapped_bases *hsp);

void blastn_set_box(const struct base_box *box, struct hsp *h);

/*
 * blastn_make_sides() - lets the search's GPU extend own->found.hsps, also those that lie within others; sets own->is_extended.
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status blastn_make_sides(const struct blastn_setup *setup, const struct blastn_lookup *lookup, const struct packed_bases *chunk,
                             struct blastn_scratch *own);

/*
 * blastn_take_sides() - the gapped extension that a GPU has made.
 *   n     [in]     bases of the chunk
 *   found [in]     one of own->found.hsps
 *   h     [in,out] the HSP, without its extension
 * Returns false if no GPU has made it.
 */
bool blastn_take_sides(const struct blastn_scratch *own, const struct blastn_lookup *lookup, int n, const struct base_hsp *found,
                       struct hsp *h);

#endif
