/*
 * report.h - what was found, as blastp of NCBI BLAST+ 2.12 prints it, byte for byte: its output formats 0 to 7, 10, 15 and 16.
 *
 * A report is begun, is given one query after the other, and is ended; each call appends to text of the caller's, who writes it where it
 * belongs. Nothing is kept of a query but its number.
 *
 * Threads: a report is used by one thread at a time; report_queries_put() has more of them at work.
 */
#ifndef TMS_REPORT_H
#define TMS_REPORT_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "report/report_options.h"

struct report;

/* report_create() - destroyed with report_free(). Returns IO_OK; IO_E_MEMORY. */
io_status report_create(tms_context *ctx, const struct report_options *options, struct report **out, io_error *err) TMS_CHECKED;
void report_free(struct report *report); /* NULL is fine */

/* report_header_is_unnamed() - whether parse_deflines finds no id in a header: such queries are numbered among themselves. */
bool report_header_is_unnamed(const char *header, size_t n);

/* report_begin() - what comes before the first query. Returns as report_query_put(). */
io_status report_begin(struct report *report, struct byte_array *to, io_error *err) TMS_CHECKED;

/*
 * report_skip() - a query that an earlier run has reported, whose text this one continues: in place of report_begin() and
 * report_query_put(). Of the query only the header counts.
 */
void report_skip(struct report *report, const struct report_query *query);

/*
 * report_query_put() - the next query.
 * Returns IO_OK; IO_E_INPUT: with parse_deflines, what should be an id in a header is none; or a sequence or its names are damaged;
 * IO_E_MEMORY.
 */
io_status report_query_put(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err) TMS_CHECKED;

/*
 * report_queries_put() - the next n queries, as report_query_put() does it one by one, by the threads of a context: some queries' texts are
 * in memory at a time, not all.
 *   take [in] is told of the queries in their order, of one at a time, by any thread: the text of query i, which is good until it returns;
 *             NULL: query i could not be put. Within it report_query_label() may be called, for that query. What it returns, if not IO_OK,
 *             ends the call.
 * Returns as report_query_put(), or as take() did; queries behind the one that failed are not told of, and the report is of no more use.
 */
typedef io_status report_take(void *arg, size_t i, const struct byte_array *text, io_error *err);
io_status report_queries_put(struct report *report, tms_context *ctx, const struct report_query *queries, size_t n, report_take *take,
                             void *arg, io_error *err) TMS_CHECKED;

/* report_end() - what comes after the last query. Returns as report_query_put(). */
io_status report_end(struct report *report, struct byte_array *to, io_error *err) TMS_CHECKED;

/*
 * report_query_label() - how blastp calls a query in its warnings: "Query_2 its title", "P12345 its title"; long ones are cut. Only
 * number, header and header_size count. For the query that is put next.
 * Returns as report_query_put().
 */
io_status report_query_label(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err) TMS_CHECKED;

#endif
