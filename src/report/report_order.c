/*
 * report_order.c - the subjects of a query, and the HSPs of each, in the order of -sorthits and -sorthsps.
 *
 * NCBI's program sorts lists by comparisons some of which are not orders: by identity, an HSP without identical residues is compared by
 * its E-value, and a comparison of two subjects sorts the HSPs of both. So the result depends on which items are compared, and when. This
 * file compares the same ones: std::list of GNU's library merges runs of 1, 2, 4... items from the front.
 */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "report/report_common.h"

/* As -sorthits and -sorthsps count. */
enum { HITS_BY_SCORE = 1, HITS_BY_TOTAL = 2, HITS_BY_IDENTITY = 3, HITS_BY_COVERAGE = 4 };
enum { HSPS_BY_SCORE = 1, HSPS_BY_QUERY = 2, HSPS_BY_IDENTITY = 3, HSPS_BY_SUBJECT = 4 };

/* ---- lists -------------------------------------------------------------------------------------------------------------------- */

typedef bool is_before(struct report_hits *hits, const void *a, const void *b);

/* Merges two adjacent runs; among equal items those of the first run come first. */
static void merge(struct report_hits *hits, char *at, size_t n_first, size_t n_second, size_t size, is_before *before, char *spare)
{
    char *first = spare, *end = spare + n_first * size, *second = at + n_first * size, *last = second + n_second * size;

    memcpy(spare, at, n_first * size);
    for (; first < end && second < last; at += size) {
        char **next = before(hits, second, first) ? &second : &first;
        memcpy(at, *next, size);
        *next += size;
    }
    memcpy(at, first, (size_t)(end - first));
}

/* spare: room for n items. */
static void sort_list(struct report_hits *hits, void *items, size_t n, size_t size, is_before *before, void *spare)
{
    char *at = items;
    size_t n_last = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t run = 1; i & run; run *= 2)
            merge(hits, at + (i + 1 - 2 * run) * size, run, run, size, before, spare);
    for (size_t run = 1; n_last < n; run *= 2) {
        if ((n & run) == 0)
            continue;
        if (n_last > 0)
            merge(hits, at + (n - n_last - run) * size, run, n_last, size, before, spare);
        n_last += run;
    }
}

/* ---- comparisons -------------------------------------------------------------------------------------------------------------- */

static double shown_evalue(const tms_search_hsp *hsp) { return hsp->evalue < 1e-180 ? 0 : hsp->evalue; }

static bool is_more_identical(double x, double x_evalue, double y, double y_evalue)
{
    return x > 0 && y > 0 && x != y ? x > y : x_evalue < y_evalue;
}

static bool hsps_by_score(struct report_hits *hits, const void *a, const void *b)
{
    const struct report_order *x = a, *y = b;

    (void)hits;
    return x->hsp->bits > y->hsp->bits; /* of several frames, with statistics of their own, equal scores may have different bits */
}

static bool hsps_by_identity(struct report_hits *hits, const void *a, const void *b)
{
    const struct report_order *x = a, *y = b;

    (void)hits;
    return is_more_identical(x->identical, shown_evalue(x->hsp), y->identical, shown_evalue(y->hsp));
}

static bool hsps_by_query(struct report_hits *hits, const void *a, const void *b)
{
    const tms_search_hsp *x = ((const struct report_order *)a)->hsp, *y = ((const struct report_order *)b)->hsp;

    (void)hits;
    return x->query.start != y->query.start ? x->query.start < y->query.start : shown_evalue(x) < shown_evalue(y);
}

static bool hsps_by_subject(struct report_hits *hits, const void *a, const void *b)
{
    const tms_search_hsp *x = ((const struct report_order *)a)->hsp, *y = ((const struct report_order *)b)->hsp;

    (void)hits;
    return x->subject.start != y->subject.start ? x->subject.start < y->subject.start : shown_evalue(x) < shown_evalue(y);
}

/* The HSP with the most bits; of several, the first in their order. */
static const struct report_order *best_of(const struct report_hit *hit)
{
    const struct report_order *best = hit->order;

    for (size_t i = 1; i < hit->subject->n_hsps; i++)
        best = hit->order[i].hsp->bits > best->hsp->bits ? &hit->order[i] : best;
    return best;
}

static double least_evalue(const struct report_hit *hit)
{
    double least = shown_evalue(hit->order->hsp);

    for (size_t i = 1; i < hit->subject->n_hsps; i++)
        least = fmin(least, shown_evalue(hit->order[i].hsp));
    return least;
}

static bool hits_by_score(struct report_hits *hits, const void *a, const void *b)
{
    const struct report_hit *x = a, *y = b;

    (void)hits;
    return x->bits > y->bits;
}

/* Equal items are swapped. */
static bool hits_by_total(struct report_hits *hits, const void *a, const void *b)
{
    const struct report_hit *x = a, *y = b;

    (void)hits;
    return x->total_bits >= y->total_bits;
}

/* Identities are those of the HSPs with the most bits, E-values the least of any HSP [sic]. */
static bool hits_by_identity(struct report_hits *hits, const void *a, const void *b)
{
    const struct report_hit *x = a, *y = b;

    sort_list(hits, x->order, x->subject->n_hsps, sizeof *x->order, hsps_by_identity, hits->spare_order);
    sort_list(hits, y->order, y->subject->n_hsps, sizeof *y->order, hsps_by_identity, hits->spare_order);
    return is_more_identical(best_of(x)->identical, least_evalue(x), best_of(y)->identical, least_evalue(y));
}

static bool hits_by_coverage(struct report_hits *hits, const void *a, const void *b)
{
    const struct report_hit *x = a, *y = b;

    (void)hits;
    return x->n_covered > y->n_covered;
}

static is_before *order_of_hits(int sort)
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

/* Several subjects in the order of their scores have HSPs in that order, too, unless another one is asked for [sic]; one alone has not. */
static is_before *order_of_hsps(const struct report_options *options, size_t n_subjects)
{
    switch (options->sort_hsps) {
    case HSPS_BY_SCORE:
        return hsps_by_score;
    case HSPS_BY_QUERY:
        return hsps_by_query;
    case HSPS_BY_IDENTITY:
        return hsps_by_identity;
    case HSPS_BY_SUBJECT:
        return hsps_by_subject;
    default:
        return options->sort_hits == HITS_BY_SCORE && n_subjects > 1 ? hsps_by_score : NULL;
    }
}

/* ---- what is compared --------------------------------------------------------------------------------------------------------- */

static size_t count_hsps(const tms_search_result *result)
{
    size_t n = 0;

    for (size_t i = 0; i < result->n_subjects; i++)
        n += result->subjects[i].n_hsps;
    return n;
}

/* The columns that identities are a share of. Between two translations NCBI's program counts bases [sic]. */
static double compared_length(const struct report *report, const struct report_query *query, const struct report_hsp *h)
{
    const bool counts_bases = report_translates_subjects(report) && report_is_translated(query->result);

    return (double)h->counts.length * (counts_bases ? 3 : 1);
}

static io_status measure_identity(struct report *report, const struct report_query *query, uint64_t sequence, const tms_search_hsp *hsp,
                                  double *share, int *percent, io_error *err)
{
    struct report_hsp h;
    io_status status = report_read_hsp(report, query, sequence, hsp, &h, err);

    if (status == IO_OK) {
        const double n_identical = (double)report_count_identical(report, &h), length = fmax(compared_length(report, query, &h), 1);
        *share = n_identical / length;
        *percent = (int)(0.5 + 100.0 * n_identical / length); /* may be 100 though not all columns are identical */
    }
    return status;
}

/* The HSPs of a subject in their given order, and the values that -sorthits compares. */
static io_status take_hit(struct report *report, const struct report_query *query, struct report_hit *hit, io_error *err)
{
    const struct report_options *options = &report->options;
    const bool by_identity = options->sort_hits == HITS_BY_IDENTITY || options->sort_hsps == HSPS_BY_IDENTITY;
    const tms_search_subject *subject = hit->subject;
    io_status status = IO_OK;
    int percent;

    for (size_t i = 0; i < subject->n_hsps && status == IO_OK; i++) {
        const tms_search_hsp *hsp = &subject->hsps[i];
        hit->order[i] = (struct report_order){.hsp = hsp};
        hit->bits = i == 0 || hsp->bits > hit->bits ? hsp->bits : hit->bits;
        hit->total_bits += hsp->bits;
        if (by_identity)
            status = measure_identity(report, query, subject->sequence, hsp, &hit->order[i].identical, &percent, err);
    }
    if (status == IO_OK && options->sort_hits >= 0 && !report_count_covered(subject, &hit->n_covered))
        return report_fail_memory(err);
    hit->percent_covered = (int)(100 * hit->n_covered / report_full_length(query));
    return status;
}

static io_status find_best(struct report *report, const struct report_query *query, struct report_hit *hit, io_error *err)
{
    const tms_search_hsp *best = best_of(hit)->hsp;
    double share;

    hit->evalue = best->evalue;
    hit->n_linked = hit->order[0].hsp->n_linked;
    if (report->options.sort_hits < 0)
        return IO_OK;
    return measure_identity(report, query, hit->subject->sequence, best, &share, &hit->percent_identical, err);
}

static bool reserve(struct report_hits *hits, const tms_search_result *result)
{
    const size_t n = result->n_subjects, n_hsps = count_hsps(result);

    return array_reserve(&hits->items, &hits->capacity, n, sizeof *hits->items) &&
           array_reserve(&hits->spare_items, &hits->spare_capacity, n, sizeof *hits->items) &&
           array_reserve(&hits->order, &hits->order_capacity, n_hsps, sizeof *hits->order) &&
           array_reserve(&hits->spare_order, &hits->spare_order_capacity, n_hsps, sizeof *hits->order);
}

io_status report_hits_take(struct report *report, const struct report_query *query, io_error *err)
{
    const tms_search_result *result = query->result;
    struct report_hits *hits = &report->hits;
    is_before *by_hit = order_of_hits(report->options.sort_hits), *by_hsp = order_of_hsps(&report->options, result->n_subjects);
    struct report_order *order;
    io_status status = IO_OK;

    hits->n = 0;
    if (!reserve(hits, result))
        return report_fail_memory(err);
    order = hits->order;
    for (size_t i = 0; i < result->n_subjects && status == IO_OK; i++) {
        struct report_hit *hit = &hits->items[hits->n++];
        *hit = (struct report_hit){.subject = &result->subjects[i], .order = order};
        order += hit->subject->n_hsps;
        status = take_hit(report, query, hit, err);
    }
    if (status == IO_OK && by_hit != NULL)
        sort_list(hits, hits->items, hits->n, sizeof *hits->items, by_hit, hits->spare_items);
    for (size_t i = 0; i < hits->n && status == IO_OK; i++) {
        struct report_hit *hit = &hits->items[i];
        if (by_hsp != NULL)
            sort_list(hits, hit->order, hit->subject->n_hsps, sizeof *hit->order, by_hsp, hits->spare_order);
        status = find_best(report, query, hit, err);
    }
    return status;
}
