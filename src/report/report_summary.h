/* report_summary.h - what formats 0 to 4 share: head, a summary of each query's subjects, statistics, and foot. */
#ifndef TMS_REPORT_SUMMARY_H
#define TMS_REPORT_SUMMARY_H

#include "report/report_struct.h"

void report_summary_begin(struct report *report, struct report_text *t);
void report_summary_end(struct report *report, struct report_text *t);

/* report_summary_query() - a query: its name, the summary of its subjects (report->hits), alignments by a function of the format, and
 * statistics. */
typedef io_status report_put_alignments(struct report *report, const struct report_query *query, struct report_text *t, io_error *err);
io_status report_summary_query(struct report *report, const struct report_query *query, report_put_alignments *put_alignments,
                               struct report_text *t, io_error *err) TMS_CHECKED;

#endif
