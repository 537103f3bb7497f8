/*
 * hit_list.h - the best subjects of a query: by the least E-value, then by score, then by ordinal id, the later one first.
 */
#ifndef TMS_HIT_LIST_H
#define TMS_HIT_LIST_H

#include "hits/hsp.h"

/* What sw_early_stop.h judges a subject by. */
struct late_evidence {
    double preliminary_evalue; /* before it was aligned */
    double first_evalue;       /* of its first alignment, without the correction for finite lengths; likewise: */
    int first_score;
    int scaled_score; /* of its best alignment, before it was rounded */
};

struct subject_hits {
    uint64_t oid;
    double evalue;                 /* the least of its HSPs */
    int score;                     /* of its first HSP */
    struct hsp_list hsps;          /* owned */
    bool waits;                    /* for search.c: they are still preliminary */
    struct late_evidence evidence; /* with Smith-Waterman */
};

/* The best max_hits of all that were added. E-values below 1e-180 count as equal. */
struct hit_list {
    struct subject_hits *items;
    size_t n, capacity, max_hits;
    bool is_cut; /* there were more */
};

/* hit_list_add() - takes over the HSPs of hits, also if it fails; they are not empty. */
tms_status hit_list_add(struct hit_list *list, const struct subject_hits *hits);

/* hit_list_sort() - the best first, and no more than max_hits. */
void hit_list_sort(struct hit_list *list);

/* One of the HSPs of many subjects, and how many came before it. */
struct arrived_hsp {
    struct hsp hsp;
    uint64_t oid, number;
};

/* hit_list_add_arrived() - takes over n of them, also if it fails, and sorts them: those of a subject have come one after the other. */
tms_status hit_list_add_arrived(struct hit_list *list, struct arrived_hsp *items, size_t n);

/* hit_list_merge() - all of from, which is empty then. */
tms_status hit_list_merge(struct hit_list *to, struct hit_list *from);
void hit_list_free(struct hit_list *list);

/* subject_hits_rate() - sets evalue and score from its HSPs. */
void subject_hits_rate(struct subject_hits *hits);

#endif
