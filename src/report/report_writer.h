/* report_writer.h - an output format: what sets it apart from others, the functions that write it, and the columns of a table. */
#ifndef TMS_REPORT_WRITER_H
#define TMS_REPORT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"
#include "report/report_text.h"
#include "tamis/context.h"

struct report;
struct report_query;
struct report_column;

enum report_family {
    REPORT_TEXT,   /* formats 0 to 4, html: a summary, alignments in rows, and statistics; subjects' masks are shown in lower case */
    REPORT_TABLE,  /* formats 6, 7, 10: columns that -outfmt names */
    REPORT_MARKUP, /* formats 5, 15, 16: NCBI's programs have another writer for them, in which names, masks and positives differ, and
                      warnings about a query stand in the report */
    REPORT_READS   /* format 17: alignments as of reads; there are no warnings about a query */
};

#define REPORT_HAS_NO_NUMBER (-1)

/* Functions that are NULL have nothing to do. A format whose why_not is set has no functions. */
struct report_writer {
    int number;            /* in -outfmt; REPORT_HAS_NO_NUMBER: a format that NCBI's programs do not have */
    const char *name;      /* in -outfmt, in place of a number */
    uint64_t most_queries; /* a report has at most as many queries; 0: any number */
    uint64_t most_bytes;   /* a report is at most as large, without its end; 0: any size */
    const char *why_not;   /* the format is refused: "is SAM, ...", to follow the option and its value; NULL: it is written */
    enum report_family family;
    char delimiter;    /* tables: between columns, unless -outfmt names another one */
    bool sorts_hsps;   /* -sorthsps has an effect */
    bool names_taxa;   /* names of taxa are printed whatever the columns */
    bool needs_finite; /* an infinite number cannot be printed */
    bool needs_bases;  /* queries and subjects have to be nucleotides */

    /* prepare() - once, when the report is created, what all queries have in common. */
    io_status (*prepare)(struct report *report, io_error *err) TMS_CHECKED;
    /* begin(), end() - what comes before the first query, and after the last. */
    void (*begin)(struct report *report, struct report_text *t);
    void (*end)(struct report *report, struct report_text *t);
    /* query() - a query, whose name was read: report->query. */
    io_status (*query)(struct report *report, const struct report_query *query, struct report_text *t, io_error *err) TMS_CHECKED;
    /*
     * collect() - takes the text of query(), in the order of queries, one at a time, and leaves it empty: end() writes all. So the output
     * is empty until then.
     */
    io_status (*collect)(struct report *report, const struct report_query *query, struct byte_array *text, io_error *err) TMS_CHECKED;
};

#define REPORT_MAX_COLUMNS 64

/* -outfmt: a format, and the columns if it is a table. */
struct report_format {
    const struct report_writer *writer;
    const struct report_column *columns[REPORT_MAX_COLUMNS]; /* n_columns of report_columns.h, each once */
    size_t n_columns;
    const char *delimiter; /* between columns; borrowed from the text that was parsed, or a constant; without a NUL */
    size_t delimiter_size;
    bool has_bases, has_subject_references; /* format 17: SQ and SR were given */
    const char *unknown;                    /* the first word that is no column, borrowed from the text; NULL: every word is a column */
    size_t unknown_size;
};

#endif
