/*
 * report.h - the results of a search as NCBI BLAST+ 2.12 prints them, byte for byte: formats 0 to 7, 10 and 15 to 17 of -outfmt;
 * and as a page of tamis's own, format html.
 *
 * A report is begun, is given one query after the other, and is ended. Each call appends to text of the caller, who writes it to the
 * output. A report keeps nothing of a query but its number; in format 17 also its text, until the end.
 *
 * Threads: a report is used by one thread at a time. With report_queries.h several threads write queries of one report.
 */
#ifndef TMS_REPORT_H
#define TMS_REPORT_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "report/report_options.h"

struct report;

/* report_create() - destroyed with report_free(). Returns IO_OK; IO_E_INPUT: a database cannot be opened again; IO_E_MEMORY. */
io_status report_create(tms_context *ctx, const struct report_options *options, struct report **out, io_error *err) TMS_CHECKED;
void report_free(struct report *report); /* NULL is fine */

/* report_worker_create() - a report with which another thread writes queries of `report`, and which is freed before it. */
io_status report_worker_create(tms_context *ctx, const struct report *report, struct report **out, io_error *err) TMS_CHECKED;

/*
 * report_check_size() - whether a report of a format that is for little can have as many queries and bytes; the caller asks, because a
 * report may continue the text of an earlier one. Returns IO_OK; IO_E_INPUT: err says what to do instead.
 */
io_status report_check_size(const struct report_writer *writer, uint64_t n_queries, uint64_t n_bytes, io_error *err) TMS_CHECKED;

/* report_header_is_unnamed() - whether parse_deflines finds no id in a header: such queries are numbered among themselves. */
bool report_header_is_unnamed(const char *header, size_t n);

/* report_begin() - the text before the first query. Returns as report_query_put(). */
io_status report_begin(struct report *report, struct byte_array *to, io_error *err) TMS_CHECKED;

/*
 * report_skip() - a query that an earlier run has reported, when this report continues that run's text: instead of report_begin() and
 * report_query_put(). Of the query only the header is used.
 */
void report_skip(struct report *report, const struct report_query *query);

/*
 * report_query_put() - the next query.
 * Returns IO_OK; IO_E_INPUT: with parse_deflines, a header does not begin with an id as it should; or a record of -subject or its name is
 * damaged; IO_E_DATABASE: a sequence of the database or its names are damaged; IO_E_MEMORY.
 */
io_status report_query_put(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err) TMS_CHECKED;

/* report_end() - the text after the last query. Returns as report_query_put(). */
io_status report_end(struct report *report, struct byte_array *to, io_error *err) TMS_CHECKED;

/*
 * report_query_label() - the name of a query in warnings of NCBI's program: "Query_2 its title", "P12345 its title"; a long one is cut. To
 * be called before the query is put; only number, header and header_size are used.
 * Returns as report_query_put().
 */
io_status report_query_label(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err) TMS_CHECKED;

#endif
