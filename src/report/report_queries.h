/*
 * report_queries.h - many queries of a report at once, written by all threads of a context: the same bytes as one by one. The texts of some
 * queries are in memory at a time, not of all.
 */
#ifndef TMS_REPORT_QUERIES_H
#define TMS_REPORT_QUERIES_H

#include "report/report.h"

/* The threads' workers, and their texts. */
struct report_queries;

/*
 * report_queries_create() - destroyed with report_queries_free(), before the report is freed.
 *   report [in] borrowed; between calls of report_queries_put() other queries may be put to it
 * Returns IO_OK; IO_E_MEMORY.
 */
io_status report_queries_create(tms_context *ctx, struct report *report, struct report_queries **out, io_error *err) TMS_CHECKED;
void report_queries_free(struct report_queries *all); /* NULL is fine */

/*
 * report_queries_put() - the next n queries.
 *   take [in] is given the text of each query, in order, one at a time, by any thread. The text is good until it returns; NULL: the query
 *             could not be put. Within it report_query_label() may be called for that query. If it returns anything but IO_OK, the call
 * ends with that. Returns as report_query_put(), or as take() did. Queries behind the one that failed are not given to take(), and the
 * report cannot be used any more.
 */
typedef io_status report_take(void *arg, size_t i, const struct byte_array *text, io_error *err);
io_status report_queries_put(struct report_queries *all, const struct report_query *queries, size_t n, report_take *take, void *arg,
                             io_error *err) TMS_CHECKED;

#endif
