/* hit_limits.h - from all alignments of a query to those that are reported, in the order of the report. */
#ifndef TMS_HIT_LIMITS_H
#define TMS_HIT_LIMITS_H

#include "hits/hit_filter.h"

struct hit_limits {
    size_t max_subjects;
    size_t max_hsps;         /* of a subject; 0: all */
    double min_coverage;     /* percent of the query that an HSP has to take; 0: any */
    bool subject_besthit;    /* see hsp_keep_besthits() */
    bool by_evalue;          /* a subject's HSPs are in the order of their E-values; false: of their scores */
    bool shows_by_evalue;    /* they are in the order of their scores until max_hsps, or max_subjects, has dropped some; then by_evalue */
    bool best_hits_by_score; /* with shows_by_evalue: best hits are taken in the order of scores, unless a list was cut; culling never */
    struct hit_filter_rules filter;
    size_t max_aligned; /* most subjects of a query that are aligned; of interest to the filter of best hits */
};

/*
 * hit_limits_apply() - sorts a list and applies, one after the other: max_subjects, the filter, max_hsps, min_coverage, subject_besthit.
 *   query [in] its lengths, above 0 unless the list is empty
 *   list [in,out] the HSPs of each subject are sorted as by_evalue says; subjects without HSPs are allowed, and are removed
 * A subject that loses all its HSPs is not replaced by another. Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status hit_limits_apply(const struct hit_limits *limits, struct hit_query query, struct hit_list *list);

#endif
