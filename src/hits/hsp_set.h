/*
 * hsp_set.h - the set of accepted HSPs of a pair of sequences, for the question whether another HSP lies within one of them. Of two HSPs
 * with a common start or end only the better one stays in the set.
 */
#ifndef TMS_HSP_SET_H
#define TMS_HSP_SET_H

#include "hits/hsp.h"

struct hsp_box {
    int query, query_end, subject, subject_end, score;
    int context; /* HSPs of different contexts have nothing to do with each other */
};

struct hsp_set {
    int separation; /* set by the caller: an HSP that begins and ends this many diagonals or more away lies in no other; 0: no limit */
    struct hsp_box *items; /* a removed one has the score INT_MIN */
    size_t n, capacity;
    struct hsp_set_entry *entries; /* linked lists of the items in a bin; entry 0 is not used */
    size_t n_entries, entries_capacity;
    uint32_t *bins; /* the first entry of each range of subject positions or, with a separation, of each hash value; 0: none */
    size_t n_bins, bins_capacity; /* n_bins is 0 while there are few items; with a separation a power of two */
};

struct hsp_box hsp_box_of(const struct hsp *hsp);
void hsp_set_clear(struct hsp_set *set); /* keeps the arrays and the separation */

/* hsp_set_add() - positions are 0 or more. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hsp_set_add(struct hsp_set *set, struct hsp_box box);

/*
 * Is there an HSP of at least this score and of the same context whose box contains both corners of this box, borders included; and, with a
 * separation, that begins or ends on a diagonal less than this from that of the box?
 */
bool hsp_set_contains(const struct hsp_set *set, struct hsp_box box);
void hsp_set_free(struct hsp_set *set); /* zeroed is fine */

#endif
