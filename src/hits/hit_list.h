/*
 * hit_list.h - the best subjects of a query: by the least E-value, then by score, then by ordinal id, the greater one first.
 */
#ifndef TMS_HIT_LIST_H
#define TMS_HIT_LIST_H

#include "hits/hsp.h"

struct subject_hits {
    uint64_t oid;
    double evalue;        /* the least of all its HSPs */
    int score;            /* of the first HSP in hsps */
    struct hsp_list hsps; /* owned */
};

#define HIT_LIST_ALL (SIZE_MAX / 2) /* a max_hits that drops no subject */

/* The max_hits best of all subjects that were added. E-values below 1e-180 are equal. */
struct hit_list {
    struct subject_hits *items;
    size_t n, capacity, max_hits;
    bool is_cut;   /* subjects were dropped, because there were more than max_hits */
    bool is_mixed; /* E-values do not follow scores. A list that is cut then has HSPs in the order of E-values [sic] */
};

/* hit_list_add() - takes over the HSPs of hits, also if it fails; hits has one HSP at least. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hit_list_add(struct hit_list *list, const struct subject_hits *hits);

/* hit_list_sort() - puts the best subject first, and drops the worst ones beyond max_hits. */
void hit_list_sort(struct hit_list *list);

/* hit_list_sort_oids() - puts the subjects in the order of the database; drops none. */
void hit_list_sort_oids(struct hit_list *list);

/* An HSP of any subject. */
struct arrived_hsp {
    struct hsp hsp;
    uint64_t oid;
};

/*
 * hit_list_add_arrived() - adds subjects in the order of the database, each with its HSPs in the order of their scores.
 *   items [in,out] n HSPs of any subjects, taken over, also if it fails; sorted afterwards. Those that are equal in the order of scores
 *                  keep theirs
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status hit_list_add_arrived(struct hit_list *list, struct arrived_hsp *items, size_t n);

/* hit_list_merge() - moves all subjects of one list to another, also if it fails. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hit_list_merge(struct hit_list *to, struct hit_list *from);
void hit_list_free(struct hit_list *list); /* zeroed is fine */

/* subject_hits_rate() - sets evalue and score from the HSPs, of which there is one at least. */
void subject_hits_rate(struct subject_hits *hits);

#endif
