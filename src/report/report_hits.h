/* report_hits.h - the subjects of a query as format 0 orders and sums them up: -sorthits, -sorthsps. */
#ifndef TMS_REPORT_HITS_H
#define TMS_REPORT_HITS_H

#include <stddef.h>

#include "tamis/blastp.h"

/* An HSP of a subject, in a list that is being sorted. */
struct report_order {
    const tms_search_hsp *hsp;
    double identical; /* of its columns, 0 to 1 */
};

struct report_hit {
    const tms_search_subject *subject;
    struct report_order *order; /* its HSPs, in report_hits.order */
    double bits, evalue;        /* of its best HSP */
    double total_bits;          /* of all HSPs */
    int percent_covered, percent_identical;
    uint64_t n_covered; /* residues of the query, by all HSPs */
};

/* All zero: none yet. */
struct report_hits {
    struct report_hit *items, *spare_items;
    size_t n, capacity, spare_capacity;
    struct report_order *order, *spare_order; /* HSPs, those of a subject together */
    size_t order_capacity, spare_order_capacity;
};

#endif
