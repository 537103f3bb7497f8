/* translated_scan.h - the scan of subjects of bases with words of residues, frame by frame. */
#ifndef TMS_TRANSLATED_SCAN_H
#define TMS_TRANSLATED_SCAN_H

#include "search/search_state.h"

/* translated_scan_range() - implements search_program.scan_range(). */
tms_status translated_scan_range(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *scratch,
                                 struct hit_list *hits);

#endif
