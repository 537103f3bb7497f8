/* report_struct.h - the inside of a report. */
#ifndef TMS_REPORT_STRUCT_H
#define TMS_REPORT_STRUCT_H

#include "alphabet/translation.h"
#include "report/report_alignment.h"
#include "report/report_hits.h"
#include "report/report_names.h"
#include "report/report_options.h"
#include "report/report_text.h"

struct report {
    /* The search, the same for all queries. A worker of report_queries.c borrows it from the report that it works for. */
    struct report_options options;
    tms_seqdb_info db;
    bool is_of_subjects; /* -subject */
    struct report_residues residues;
    struct codon_table subject_codons;  /* if subjects are translated */
    struct codon_table compared_codons; /* the same, where identities are an order */
    struct byte_array subjects;         /* formats 15 and 16, with -subject: the names of all subjects */
    uint64_t *unnamed_subjects; /* -subject with parse_deflines: for each subject the number of those without an id up to it, with itself */
    tms_seqdb **parts;          /* if -db names several databases, but not for tables: each of them */
    size_t n_parts;
    struct byte_array db_titles; /* titles of the parts */
    bool is_worker;

    uint64_t n_queries; /* queries that were put, by earlier runs too */
    uint64_t n_unnamed; /* with parse_deflines: queries among them without an id, which are numbered on their own */

    /* The query that is being put. */
    struct report_name query;
    struct report_parsed query_parsed;
    char query_label[32]; /* "Query_1" */

    /* The subject that was read last. */
    tms_seqdb_names *names;
    struct report_name *deflines;
    size_t n_deflines, deflines_capacity;
    size_t main_defline; /* the defline that names the subject: the first with a gi, else the first */
    struct report_parsed subject_parsed;
    struct byte_array subject_tidied;
    char subject_label[32];   /* -subject: "Subject_1" */
    char subject_ordinal[48]; /* a database without ids: "gnl|BL_ORD_ID|0" */

    /* The HSP that was read last. */
    struct byte_array codes;       /* residues of the subject */
    struct byte_array compared;    /* the same of a translated subject, where identities are an order */
    struct byte_array masked;      /* for each of them whether it is masked */
    struct byte_array frame_masks; /* intervals: masks of the query's frame */
    tms_interval *masks;           /* of the whole subject */
    size_t n_masks, masks_capacity;
    struct byte_array query_spans, subject_spans; /* HTML: masked columns, as report_html.h has them */
    struct report_rows rows;

    struct byte_array references; /* format 17: the header's lines of all queries so far, in order */
    struct byte_array lines;      /* format 17: the lines of all queries so far */
    uint8_t *is_reference;        /* format 17, with subjects as references: for each subject whether the header has it */

    struct report_hits hits;   /* formats 0 to 4: the subjects of the query, in order */
    struct byte_array scratch; /* titles */
    struct byte_array line;
};

#endif
