/*
 * classify_page.h - the page of tamis classify --html: where the reads of a sample went, their scores, ties, and matches by chance.
 */
#ifndef TAMIS_CLI_CLASSIFY_PAGE_H
#define TAMIS_CLI_CLASSIFY_PAGE_H

#include "cli/reads/classify_report.h"

enum { CLASSIFY_BINS = 25 }; /* of scores, 0 .. 1 */

/* What the page needs beyond classify_counts. All zero at first. */
typedef struct classify_scores {
    uint64_t matched[TMS_MAX_REFERENCES][CLASSIFY_BINS];         /* units of a reference, by score */
    uint64_t unmatched[CLASSIFY_BINS], ambiguous[CLASSIFY_BINS]; /* by the best score, if there is a hit */
    uint64_t n_without_hit;                                      /* unmatched units without a hit in any reference */
    uint64_t ties[TMS_MAX_REFERENCES][TMS_MAX_REFERENCES];       /* ambiguous units by the two best, the smaller number first */
} classify_scores;

/* classify_scores_add() - adds the results of n units. */
void classify_scores_add(classify_scores *scores, const tms_classified *results, size_t n);

/* classify_page() - appends the page. Returns false if memory is short. */
bool classify_page(const classify_report *report, const classify_scores *scores, struct byte_array *to);

#endif
