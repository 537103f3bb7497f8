/*
 * hsp.h - high-scoring pairs of segments: their orders, and which of them stand for others.
 *
 * All orders are total, so results do not depend on the sorting routine, the number of threads, or pieces.
 */
#ifndef TMS_HSP_H
#define TMS_HSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "extend/gapped.h"
#include "run/context.h"

/* The scores that an alignment was made with. */
enum hsp_method { HSP_STANDARD = 0, HSP_SCALED = 1, HSP_OPTIMISED = 2 };

/* Half-open ranges of the query and of the subject, from 0. */
struct hsp {
    int query, query_end, subject, subject_end;
    int score;
    int start_query, start_subject; /* where the gapped extension began */
    double evalue;
    struct gapped_script script; /* owned; empty before the traceback */
    enum hsp_method method;      /* of the alignment */
};

struct hsp_list {
    struct hsp *items;
    size_t n, capacity;
};

tms_status hsp_list_add(struct hsp_list *list, const struct hsp *hsp);
/* hsp_list_copy() - of HSPs without scripts, in as much memory as they need: there may be many such lists. *to is zeroed. */
tms_status hsp_list_copy(const struct hsp_list *list, struct hsp_list *to);
void hsp_list_clear(struct hsp_list *list); /* frees the scripts, keeps the array */
void hsp_list_free(struct hsp_list *list);  /* zeroed is fine */

/* By score, best first; then by positions. */
int hsp_compare_score(const void *a, const void *b);
void hsp_sort(struct hsp_list *list);

/* By E-value, then by score: alignments of one subject that are not of one query. */
void hsp_sort_evalues(struct hsp_list *list);

/* Do they begin, or end, at the same residues of both sequences? */
bool hsp_same_start(const struct hsp *a, const struct hsp *b);
bool hsp_same_end(const struct hsp *a, const struct hsp *b);

/* By E-value, the least first: below 0, 0 or above. Those below 1e-180 are equal. */
int hsp_compare_evalues(double a, double b);

/* Does its box have this pair of residues, borders included? */
bool hsp_box_has(const struct hsp *hsp, int query, int subject);

/* hsp_coverage() - percent of the query that it takes, rounded as BLAST does. */
double hsp_coverage(const struct hsp *hsp, int query_length);

/* hsp_keep_besthits() - of HSPs in the order of their scores, each deletes later ones within its range of the query, and 3 residues more.
 */
void hsp_keep_besthits(struct hsp_list *list);

/* hsp_purge() - of those with a common start or a common end keep the best. The list is sorted by score afterwards. */
void hsp_purge(struct hsp_list *list);

#endif
