/* protein_scan.h - scans subjects with words of residues by the two-hit rule, around what is masked in them. */
#ifndef TMS_PROTEIN_SCAN_H
#define TMS_PROTEIN_SCAN_H

#include "search/search_state.h"

/* protein_scan_range() - the scan_range() of search_program.h, for groups of protein_group_build(). */
tms_status protein_scan_range(struct search_state *s, const struct query_group *group, tms_seqdb_range range, struct search_scratch *w,
                              struct hit_list *hits);

#endif
