/* report_hits.h - the subjects of a query as format 0 orders and sums them up: -sorthits, -sorthsps. */
#ifndef TMS_REPORT_HITS_H
#define TMS_REPORT_HITS_H

#include <stddef.h>

#include "tamis/blastp.h"

struct report_hit {
    const tms_blastp_subject *subject;
    size_t place;        /* in the result */
    size_t first_hsp;    /* of its HSPs in report_hits.order */
    double bits, evalue; /* of its best HSP */
    double identical;    /* percent, of that */
    double total_bits;   /* of all HSPs */
    int percent_covered, percent_identical;
    uint64_t n_covered; /* residues of the query, by all HSPs */
};

struct report_order {
    const tms_blastp_hsp *hsp;
    size_t place; /* among those of its subject */
    double identical;
};

/* All zero: none yet. */
struct report_hits {
    struct report_hit *items;
    size_t n, capacity;
    struct report_order *order; /* HSPs, those of a subject together */
    size_t order_capacity;
};

/* report_hit_hsp() - HSP i of a subject, in the order that was asked for. */
static inline const tms_blastp_hsp *report_hit_hsp(const struct report_hits *hits, const struct report_hit *hit, size_t i)
{
    return hits->order[hit->first_hsp + i].hsp;
}

#endif
