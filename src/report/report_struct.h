/* report_struct.h - the inside of a report, and what the writers of all formats use. */
#ifndef TMS_REPORT_STRUCT_H
#define TMS_REPORT_STRUCT_H

#include "report/report_alignment.h"
#include "report/report_hits.h"
#include "report/report_names.h"
#include "report/report_numbers.h"
#include "report/report_options.h"
#include "report/report_text.h"

#define REPORT_PROGRAM "BLASTP 2.12.0+"

struct report {
    struct report_options options;
    tms_blastp_info search;
    tms_seqdb_info db;
    bool is_of_subjects; /* -subject */
    struct report_residues residues;
    uint64_t n_queries; /* that were reported, by earlier runs too */
    uint64_t n_unnamed; /* with parse_deflines: queries without an id, which are counted on their own */

    /* The query at hand. */
    struct report_name query;
    struct report_parsed query_parsed;
    char query_label[32]; /* "Query_1" */

    /* The subject at hand. */
    tms_seqdb_names *names;
    struct report_name *deflines;
    size_t n_deflines, deflines_capacity;
    size_t main_defline; /* that blastp calls it by: the first with a gi, else the first */
    struct report_parsed subject_parsed;
    struct byte_array subject_tidied;
    char subject_label[32];   /* -subject: "Subject_1" */
    char subject_ordinal[48]; /* a database without ids: "gnl|BL_ORD_ID|0" */

    struct byte_array codes; /* of the part of a subject that an HSP has */
    struct byte_array masked;
    tms_interval *masks; /* of the subject */
    size_t n_masks, masks_capacity;
    struct byte_array query_spans, subject_spans; /* pages: of an HSP, for report_pairwise.c */
    struct report_rows rows;
    struct byte_array scratch; /* titles */
    struct byte_array line;

    struct byte_array subjects; /* formats 15 and 16, of -subject: all their names */
    uint64_t *unnamed_subjects; /* -subject with parse_deflines: how many without an id there are up to each, with it */

    tms_seqdb **parts; /* all formats but tables: the databases one by one, where several were named */
    size_t n_parts;
    struct byte_array db_titles; /* of these */

    struct report_hits hits; /* format 0 */

    bool is_desk;                /* of report_queries.c: parts, their titles and subjects are those of the report that it is a desk of */
    struct report_workers *crew; /* likewise; NULL until several queries were put at once */
};

/* report_count_query() - with parse_deflines those without an id are numbered among themselves. */
void report_count_query(struct report *report, const struct report_query *query);

/* report_worker_create() - what another thread writes queries of the report with: a report of its own, which lives no longer. */
io_status report_worker_create(tms_context *ctx, const struct report *report, struct report **out, io_error *err) TMS_CHECKED;

void report_workers_free(struct report_workers *crew); /* NULL is fine */

/* report_read_subject() - its names. */
io_status report_read_subject(struct report *report, uint64_t sequence, io_error *err) TMS_CHECKED;

/* report_read_hsp() - its residues, and its counts. Good until the next. */
io_status report_read_hsp(struct report *report, const tms_search_result *result, uint64_t sequence, const tms_search_hsp *hsp,
                          struct report_hsp *out, io_error *err) TMS_CHECKED;

/* report_subject_length() - residues of the whole subject. */
static inline uint64_t report_subject_length(const struct report *report, uint64_t sequence)
{
    const uint64_t *lengths = report->options.subject_lengths;

    return lengths != NULL ? lengths[sequence] : tms_seqdb_length(report->options.db, sequence);
}

/* report_fail_memory() - IO_E_MEMORY, with a sentence. */
io_status report_fail_memory(io_error *err) TMS_CHECKED;

/* report_tidy() - the tidied title of a name, in the report's scratch; good until the next. Without memory t is lost. */
struct text report_tidy(struct report *report, const struct report_name *name, struct report_text *t);

/* report_query_text() - what queries are called: with parse_deflines accession.version, a blank, and the title; else the title, as it is.
 */
void report_query_text(const struct report *report, struct byte_array *to, struct report_text *t);

/* Formats 5, 15 and 16. */

/* report_query_id() - of the query at hand. */
struct text report_query_id(const struct report *report);

/* report_hit_id(), report_hit_accession() - of defline i of the subject. */
struct text report_hit_id(const struct report *report, size_t i);
struct text report_hit_accession(const struct report *report, size_t i);

/* report_filter() - the masks that were asked for, "L;m;", to the report's scratch. */
void report_filter(struct report *report, struct report_text *t);

/* report_message() - that there are no hits, and what is wrong with the query, to the report's scratch. Returns whether there is any. */
bool report_message(struct report *report, const struct report_query *query, struct report_text *t);

/* report_statistics() - those that E-values of a query are made with; -1 if it has none. */
struct report_statistics {
    double lambda, K, H;
};
struct report_statistics report_statistics(const struct report *report, const tms_search_result *result);

/* report_hits_take() - the subjects of a query, to report->hits. */
io_status report_hits_take(struct report *report, const struct report_query *query, io_error *err) TMS_CHECKED;

/* The writers. */
void report_pairwise_begin(struct report *report, struct report_text *t);
io_status report_pairwise_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
io_status report_anchored_put(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_pairwise_end(struct report *report, struct report_text *t);
io_status report_xml_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_xml_end(struct report *report, struct report_text *t);
io_status report_objects_prepare(struct report *report, io_error *err) TMS_CHECKED;
void report_json_begin(struct report_text *t);
io_status report_json_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_json_end(struct report_text *t);
void report_xml2_begin(struct report_text *t);
io_status report_xml2_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_xml2_end(struct report_text *t);
io_status report_tabular_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
void report_tabular_end(struct report *report, struct report_text *t);

#endif
