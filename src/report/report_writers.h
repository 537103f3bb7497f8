/* report_writers.h - all output formats: a table of writers, and the functions of each. */
#ifndef TMS_REPORT_WRITERS_H
#define TMS_REPORT_WRITERS_H

#include "report/report_writer.h"

/* The end of a message about a format. */
#define REPORT_FORMATS_THERE "0 to 7, 10, 15, 16, html, and 17 of blastn are there"

/* report_writer_find() - the format of a number; NULL: there is none. */
const struct report_writer *report_writer_find(long number);

/* report_writer_named() - a format of tamis's own, which has no number in NCBI's programs; NULL: there is none. */
const struct report_writer *report_writer_named(struct text name);

/* Format 0, report_pairwise.c. */
io_status report_pairwise_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;

/* Formats 1 to 4, report_anchored.c. */
io_status report_anchored_dots_query(struct report *report, const struct report_query *query, struct report_text *t,
                                     io_error *err) TMS_CHECKED;
io_status report_anchored_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
io_status report_flat_dots_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
io_status report_flat_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;

/* Format 5, report_xml.c. */
io_status report_xml_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_xml_end(struct report *report, struct report_text *t);

/* Formats 6, 7 and 10, report_tabular.c. */
io_status report_tabular_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
io_status report_commented_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_commented_end(struct report *report, struct report_text *t);

/* Formats 15 and 16, report_objects.c. */
io_status report_json_prepare(struct report *report, io_error *err) TMS_CHECKED;
void report_json_begin(struct report *report, struct report_text *t);
io_status report_json_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_json_end(struct report *report, struct report_text *t);
io_status report_xml2_prepare(struct report *report, io_error *err) TMS_CHECKED;
void report_xml2_begin(struct report *report, struct report_text *t);
io_status report_xml2_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_xml2_end(struct report *report, struct report_text *t);

/* Format 17, report_sam.c. */
io_status report_sam_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
io_status report_sam_collect(struct report *report, const struct report_query *query, struct byte_array *text, io_error *err) TMS_CHECKED;
void report_sam_end(struct report *report, struct report_text *t);

/* Format html, report_page.c. */
void report_page_begin(struct report *report, struct report_text *t);
io_status report_page_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_page_end(struct report *report, struct report_text *t);

#endif
