/* report_hits.h - the subjects of a query as formats 0 to 4 order and sum them up: -sorthits, -sorthsps. */
#ifndef TMS_REPORT_HITS_H
#define TMS_REPORT_HITS_H

#include <stddef.h>

#include "io/io_error.h"
#include "tamis/search.h"

struct report;
struct report_query;

/* An HSP of a subject, in a list that is being sorted. */
struct report_order {
    const tms_search_hsp *hsp;
    double identical; /* share of its columns, 0 to 1; of tblastx to a third, since NCBI's program counts bases [sic] */
};

struct report_hit {
    const tms_search_subject *subject;
    struct report_order *order; /* the subject's HSPs, in report_hits.order */
    double bits, evalue;        /* of the best HSP */
    uint64_t n_linked;          /* HSPs of the chain of the first HSP in `order` [sic] */
    double total_bits;          /* of all HSPs */
    int percent_covered, percent_identical;
    uint64_t n_covered; /* residues of the query that the HSPs cover */
};

/* All zero at first. */
struct report_hits {
    struct report_hit *items, *spare_items;
    size_t n, capacity, spare_capacity;
    struct report_order *order, *spare_order; /* HSPs, those of a subject together */
    size_t order_capacity, spare_order_capacity;
};

/* report_hits_take() - the subjects of a query, in order, to report->hits. */
io_status report_hits_take(struct report *report, const struct report_query *query, io_error *err) TMS_CHECKED;

#endif
