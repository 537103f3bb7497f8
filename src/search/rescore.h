/* rescore.h - ungapped HSPs of a translated subject, found with packed bases, are scored again with its ambiguous bases. */
#ifndef TMS_RESCORE_H
#define TMS_RESCORE_H

#include "search/search_setup.h"
#include "search/subject_frames.h"

/* An array that grows: residues of an HSP. */
struct rescore_memory {
    uint8_t **residues;
    size_t *capacity;
};

/*
 * rescore_subject() - sets the score of each HSP to that of its best part, of which it is left, and drops those whose score is below what
 * the scan keeps. The list is in the order of scores afterwards. Ungapped HSPs have no start of an extension: it stays 0.
 *   subject [in] its `exact` is set
 * Returns TMS_OK or TMS_E_MEMORY. If the subject cannot be read, the list is cut.
 */
tms_status rescore_subject(const struct search_setup *setup, const struct search_query *query, const struct subject_frames *subject,
                           const struct rescore_memory *memory, struct hsp_list *list);

#endif
