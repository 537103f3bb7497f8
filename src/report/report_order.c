/*
 * report_order.c - the subjects of a query, and the HSPs of each, in the order of -sorthits and -sorthsps. Equal ones stay as they were,
 * by E-value. Not known is how blastp ranks subjects by identity when their HSPs are by where they start: here by that of the best HSP.
 */
#include <stdlib.h>

#include "base/array.h"
#include "report_struct.h"

/* As -sorthits and -sorthsps count. */
enum { HITS_BY_SCORE = 1, HITS_BY_TOTAL = 2, HITS_BY_IDENTITY = 3, HITS_BY_COVERAGE = 4 };
enum { HSPS_BY_SCORE = 1, HSPS_BY_QUERY = 2, HSPS_BY_IDENTITY = 3, HSPS_BY_SUBJECT = 4 };

/* ---- orders: the larger, or the lower place ----------------------------------------------------------------------------------- */

static int downwards(double a, double b, size_t place, size_t other)
{
    if (a != b)
        return a > b ? -1 : 1;
    return place < other ? -1 : place > other;
}

#define BY_VALUE(name, type, value)                                                                                                        \
    static int name(const void *a, const void *b)                                                                                          \
    {                                                                                                                                      \
        const type *x = a, *y = b;                                                                                                         \
        return downwards((double)x->value, (double)y->value, x->place, y->place);                                                          \
    }
#define BY_VALUE_REVERSED(name, type, value)                                                                                               \
    static int name(const void *a, const void *b)                                                                                          \
    {                                                                                                                                      \
        const type *x = a, *y = b;                                                                                                         \
        return downwards((double)x->value, (double)y->value, y->place, x->place);                                                          \
    }
#define BY_START(name, value)                                                                                                              \
    static int name(const void *a, const void *b)                                                                                          \
    {                                                                                                                                      \
        const struct report_order *x = a, *y = b;                                                                                          \
        return downwards(-(double)x->value, -(double)y->value, x->place, y->place);                                                        \
    }

BY_VALUE(hits_by_score, struct report_hit, bits)
BY_VALUE_REVERSED(hits_by_total, struct report_hit, total_bits) /* blastp turns equal ones around */
BY_VALUE(hits_by_identity, struct report_hit, identical)
BY_VALUE(hits_by_coverage, struct report_hit, n_covered)
BY_VALUE(hsps_by_score, struct report_order, hsp->score)
BY_VALUE(hsps_by_identity, struct report_order, identical)
BY_START(hsps_by_query, hsp->query.start)
BY_START(hsps_by_subject, hsp->subject.start)

typedef int comparison(const void *a, const void *b);

static comparison *order_of_hits(int sort)
{
    switch (sort) {
    case HITS_BY_SCORE:
        return hits_by_score;
    case HITS_BY_TOTAL:
        return hits_by_total;
    case HITS_BY_IDENTITY:
        return hits_by_identity;
    case HITS_BY_COVERAGE:
        return hits_by_coverage;
    default:
        return NULL;
    }
}

static comparison *order_of_hsps(int sort)
{
    switch (sort) {
    case HSPS_BY_SCORE:
        return hsps_by_score;
    case HSPS_BY_QUERY:
        return hsps_by_query;
    case HSPS_BY_IDENTITY:
        return hsps_by_identity;
    case HSPS_BY_SUBJECT:
        return hsps_by_subject;
    default:
        return NULL;
    }
}

/* ---- what is compared --------------------------------------------------------------------------------------------------------- */

static size_t count_hsps(const tms_blastp_result *result)
{
    size_t n = 0;

    for (size_t i = 0; i < result->n_subjects; i++)
        n += result->subjects[i].n_hsps;
    return n;
}

static io_status measure_identity(struct report *report, const struct report_query *query, uint64_t sequence, const tms_blastp_hsp *hsp,
                                  double *out, int *percent, io_error *err)
{
    struct report_hsp h;
    io_status status = report_read_hsp(report, query->result, sequence, hsp, &h, err);

    if (status == IO_OK) {
        *out = 100.0 * (double)h.counts.n_identical / (double)h.counts.length;
        *percent = report_percent(h.counts.n_identical, h.counts.length);
    }
    return status;
}

/* Of -query_loc too, the whole query counts. */
static uint64_t query_length(const struct report_query *query)
{
    return query->full_length > 0 ? query->full_length : query->result->query_length;
}

/* What -sorthits shows and compares. */
static io_status sum_up(struct report *report, const struct report_query *query, const tms_blastp_hsp *best, struct report_hit *hit,
                        io_error *err)
{
    const tms_blastp_subject *subject = hit->subject;

    for (size_t i = 0; i < subject->n_hsps; i++)
        hit->total_bits += subject->hsps[i].bits;
    if (!report_count_covered(subject, &hit->n_covered))
        return report_fail_memory(err);
    hit->percent_covered = (int)(100 * hit->n_covered / query_length(query));
    return measure_identity(report, query, subject->sequence, best, &hit->identical, &hit->percent_identical, err);
}

/*
 * Subjects by identity have their HSPs so too, if there are several: blastp sorts the HSPs when it compares subjects. Then those that are
 * equal come in the order that was asked for.
 */
static io_status take_hsps(struct report *report, const struct report_query *query, const struct report_hit *hit, io_error *err)
{
    const bool by_identity = (report->options.sort_hits == HITS_BY_IDENTITY && query->result->n_subjects > 1) ||
                             report->options.sort_hsps == HSPS_BY_IDENTITY;
    struct report_order *order = report->hits.order + hit->first_hsp;
    comparison *compare = order_of_hsps(report->options.sort_hsps);
    io_status status = IO_OK;
    int percent;

    for (size_t i = 0; i < hit->subject->n_hsps && status == IO_OK; i++) {
        order[i] = (struct report_order){.hsp = &hit->subject->hsps[i], .place = i};
        if (by_identity)
            status = measure_identity(report, query, hit->subject->sequence, order[i].hsp, &order[i].identical, &percent, err);
    }
    if (status != IO_OK)
        return status;
    if (by_identity)
        qsort(order, hit->subject->n_hsps, sizeof *order, hsps_by_identity);
    for (size_t i = 0; i < hit->subject->n_hsps; i++)
        order[i].place = i;
    if (compare != NULL)
        qsort(order, hit->subject->n_hsps, sizeof *order, compare);
    return IO_OK;
}

/* The HSP with the most bits; of several, the first in their order. */
static const tms_blastp_hsp *best_of(const struct report_hits *hits, const struct report_hit *hit)
{
    const tms_blastp_hsp *best = report_hit_hsp(hits, hit, 0);

    for (size_t i = 1; i < hit->subject->n_hsps; i++) {
        const tms_blastp_hsp *hsp = report_hit_hsp(hits, hit, i);
        if (hsp->bits > best->bits)
            best = hsp;
    }
    return best;
}

io_status report_hits_take(struct report *report, const struct report_query *query, io_error *err)
{
    const tms_blastp_result *result = query->result;
    struct report_hits *hits = &report->hits;
    comparison *compare = order_of_hits(report->options.sort_hits);
    io_status status = IO_OK;
    size_t n_hsps = 0;

    hits->n = 0;
    if (!array_reserve(&hits->items, &hits->capacity, result->n_subjects, sizeof *hits->items) ||
        !array_reserve(&hits->order, &hits->order_capacity, count_hsps(result), sizeof *hits->order))
        return report_fail_memory(err);
    for (size_t i = 0; i < result->n_subjects && status == IO_OK; i++) {
        const tms_blastp_subject *subject = &result->subjects[i];
        struct report_hit *hit = &hits->items[hits->n++];
        const tms_blastp_hsp *best;
        *hit = (struct report_hit){.subject = subject, .place = i, .first_hsp = n_hsps};
        n_hsps += subject->n_hsps;
        status = take_hsps(report, query, hit, err);
        if (status != IO_OK)
            break;
        best = best_of(hits, hit);
        hit->bits = best->bits;
        hit->evalue = best->evalue;
        if (report->options.sort_hits >= 0)
            status = sum_up(report, query, best, hit, err);
    }
    if (status == IO_OK && compare != NULL)
        qsort(hits->items, hits->n, sizeof *hits->items, compare);
    return status;
}
