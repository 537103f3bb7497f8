/*
 * hsp_set.h - a set of accepted HSPs, for the question whether another lies within one of them. If two of them have a common start or end,
 * only the better one stays in the set.
 */
#ifndef TMS_HSP_SET_H
#define TMS_HSP_SET_H

#include "hits/hsp.h"

struct hsp_box {
    int query, query_end, subject, subject_end, score;
};

struct hsp_set {
    struct hsp_box *items; /* one that went has the least score that there is */
    size_t n, capacity;
    struct hsp_set_entry *entries; /* of bins; from 1 */
    size_t n_entries, entries_capacity;
    uint32_t *bins; /* of positions in the subject: the first entry, 0: none. Without bins there are few items */
    size_t n_bins, bins_capacity;
};

struct hsp_box hsp_box_of(const struct hsp *hsp);
void hsp_set_clear(struct hsp_set *set); /* keeps the arrays */
tms_status hsp_set_add(struct hsp_set *set, struct hsp_box box);
/* Is there one of at least this score whose box has both corners of this one, borders included? */
bool hsp_set_contains(const struct hsp_set *set, struct hsp_box box);
void hsp_set_free(struct hsp_set *set); /* zeroed is fine */

#endif
