/* report_html.h - formats 0 to 4 as an HTML page: its head, links to NCBI's pages and within the page, and masked residues in a colour. */
#ifndef TMS_REPORT_HTML_H
#define TMS_REPORT_HTML_H

#include "report/report_struct.h"

/* report_html_begin() - the page up to the references of the program. scratch: memory for them. */
void report_html_begin(const struct report_program *program, struct byte_array *scratch, struct report_text *t);
void report_html_end(struct report_text *t);

/* report_html_has_page() - whether NCBI has a page about a sequence: those of public databases have one. */
bool report_html_has_page(const struct report_name *name);

/*
 * report_html_put_link() - the opening tag of a link to that page.
 *   position [in] of the link, as NCBI counts clicks: "top" or "align"
 *   rank     [in] of the subject, from 1
 *   end      [in] of the address
 */
void report_html_put_link(const struct report_name *name, const char *position, size_t rank, const char *end, struct report_text *t);

/* report_html_put_anchor() - the name of a link within the page, from the summary to the alignments, or of its target. */
void report_html_put_anchor(const struct report *report, const struct report_name *name, bool is_target, struct report_text *t);

/* report_html_find_spans() - *out: the columns of a row whose residues, the first of which is at `start`, lie in the intervals. */
void report_html_find_spans(struct text row, uint64_t start, const tms_interval *masked, size_t n_masked, struct byte_array *out,
                            struct report_text *t);

/* report_html_add_span() - columns first .. last of a row are masked. */
void report_html_add_span(size_t first, size_t last, struct byte_array *spans, struct report_text *t);

/* report_html_put_columns() - columns first .. end - 1 of a row, with the spans in a colour. */
void report_html_put_columns(const char *columns, size_t first, size_t end, const struct byte_array *spans, struct report_text *t);

#endif
