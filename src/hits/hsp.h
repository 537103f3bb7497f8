/*
 * hsp.h - high-scoring segment pairs: their orders, and which of a list are kept.
 *
 * All orders are total, so results do not depend on the sorting routine, the number of threads, or how the work was divided.
 */
#ifndef TMS_HSP_H
#define TMS_HSP_H

#include <assert.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "extend/gapped.h"
#include "run/context.h"

/* The matrix that an alignment was made with: the standard one, that scaled for the pair, or one optimised for the pair. */
enum hsp_method { HSP_STANDARD = 0, HSP_SCALED = 1, HSP_OPTIMISED = 2 };

/* Half-open ranges of the query and of the subject, from 0. A batch of reads may have millions, so it takes 64 bytes. */
struct hsp {
    int query, query_end, subject, subject_end;
    int score;
    int start_query, start_subject; /* position from which the gapped extension runs to both sides */
    int n_linked;                   /* with linking: HSPs of its chain, itself too; else 0 */
    double evalue;
    struct gapped_script script; /* owned; empty before the traceback */
    uint32_t place;              /* in the list before the last sort: HSPs that are equal in an order keep theirs */
    uint8_t context;             /* of the query: for bases 0 the plus strand, 1 the minus strand; its frame (translation.h); else 0 */
    uint8_t subject_frame;       /* of a translated subject (translation.h); else 0 */
    uint8_t method;              /* of enum hsp_method */
};
static_assert(sizeof(void *) != 8 || sizeof(struct hsp) == 64, "an HSP takes 64 bytes");

struct hsp_list {
    struct hsp *items;
    size_t n, capacity;
};

/* hsp_list_reserve() - makes room for n HSPs in all. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hsp_list_reserve(struct hsp_list *list, size_t n);

/* hsp_list_add() - takes over the script, unless it fails. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hsp_list_add(struct hsp_list *list, const struct hsp *hsp);

/*
 * hsp_list_copy() - copies a list that is not empty into an array of just its size, because there may be many such lists.
 *   to [out] holds the same scripts: free to->items alone if list keeps them
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status hsp_list_copy(const struct hsp_list *list, struct hsp_list *to);

/*
 * hsp_list_move() - moves all HSPs to an array of just their size, that of `to` if it has this size, and makes each script's array as
 * small, because there may be many such lists.
 *   from [in,out] empty afterwards; keeps its array
 *   to   [in,out] has HSPs without scripts, which are replaced
 * Returns TMS_OK, or TMS_E_MEMORY with nothing changed.
 */
tms_status hsp_list_move(struct hsp_list *from, struct hsp_list *to);

/* hsp_list_append() - moves all HSPs to the end of another list; after a failure they are freed. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hsp_list_append(struct hsp_list *from, struct hsp_list *to);
void hsp_list_reverse(struct hsp_list *list);
void hsp_list_clear(struct hsp_list *list); /* frees the scripts, keeps the array */
void hsp_list_free(struct hsp_list *list);  /* zeroed is fine */

/*
 * hsp_compare_score() - <0, 0 or >0, for qsort(): greatest score, least subject, greatest subject_end, least query, greatest query_end.
 */
int hsp_compare_score(const void *a, const void *b);
void hsp_sort(struct hsp_list *list);

/* hsp_sort_by() - sorts by a comparison for qsort(), which may use `place`. */
void hsp_sort_by(struct hsp_list *list, int (*compare)(const void *, const void *));

/* hsp_sort_evalues() - by hsp_compare_evalues(), then as hsp_sort(). */
void hsp_sort_evalues(struct hsp_list *list);

/* Do both HSPs begin, or end, at the same residues of both sequences, in the same context? */
bool hsp_same_start(const struct hsp *a, const struct hsp *b);
bool hsp_same_end(const struct hsp *a, const struct hsp *b);

/* hsp_compare_evalues() - <0, 0 or >0: the smallest E-value first. All below 1e-180 are equal. */
int hsp_compare_evalues(double a, double b);

/* Does the HSP's box contain this pair of positions, borders included? */
bool hsp_box_has(const struct hsp *hsp, int query, int subject);

/* hsp_coverage() - percent of the query that an HSP takes, plus 0.5 below 99, as BLAST has it. */
double hsp_coverage(const struct hsp *hsp, int query_length);

/*
 * hsp_keep_besthits() - drops each HSP whose range of the query lies within that of an earlier one that is kept, extended by 3 residues on
 * both sides: BLAST's -subject_besthit. First among HSPs of one context, then among those of opposite strands of the query.
 *   query_length [in] 0: contexts are frames, which are not compared with each other
 */
void hsp_keep_besthits(struct hsp_list *list, int query_length);

/* hsp_keep_significant() - keeps HSPs with an E-value of at most this, in their order. */
void hsp_keep_significant(struct hsp_list *list, double evalue);

/* hsp_keep_scores() - keeps HSPs with this score at least, in their order. */
void hsp_keep_scores(struct hsp_list *list, int score);

/* hsp_purge() - keeps the best of all HSPs with a common start, then of all with a common end. The list is sorted by score afterwards. */
void hsp_purge(struct hsp_list *list);

/*
 * hsp_trim() - same as hsp_purge() for alignments, but an HSP that reaches beyond the better one keeps what is beyond: the one with the
 * common start loses its operations up to the other's end, then the one with the common end those from the other's start on. The scores
 * do not change. The list is not sorted afterwards.
 *   n_whole [out] HSPs that are whole come first, the trimmed ones after them
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status hsp_trim(struct hsp_list *list, size_t *n_whole);

#endif
