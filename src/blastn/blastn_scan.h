/* blastn_scan.h - preliminary HSPs of the subjects of a range. */
#ifndef TMS_BLASTN_SCAN_H
#define TMS_BLASTN_SCAN_H

#include "search/search_state.h"

tms_status blastn_scan_range(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *w,
                             struct hit_list *hits); /* as in search_program.h */

#endif
