/* report_format.h - which format, and which columns: -outfmt as text. */
#ifndef TMS_REPORT_FORMAT_H
#define TMS_REPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "report/report_writer.h"

struct report_column;

#define REPORT_MAX_COLUMNS 64

/* -outfmt: a format, and the columns if it is a table. */
struct report_format {
    const struct report_writer *writer;
    const struct report_column *columns[REPORT_MAX_COLUMNS]; /* n_columns of report_columns.h, each once */
    size_t n_columns;
    const char *delimiter; /* between columns; borrowed from the text that was parsed, or a constant; without a NUL */
    size_t delimiter_size;
    const char *unknown; /* the first word that is no column, borrowed from the text; NULL: every word is a column */
    size_t unknown_size;
};

/*
 * report_format_parse() - "6", "7 std qlen", "10 delim=; qacc sacc". An unknown column is left out, as NCBI's program leaves it out;
 * -column removes one.
 *   outfmt [in] borrowed for as long as *out is used
 * Returns NULL, or what is wrong, to follow the option and its value: "is ...".
 */
const char *report_format_parse(const char *outfmt, struct report_format *out);

/*
 * report_format_names_taxa() - whether the report has names of taxa.
 *   is_plural [out] whether a column has the names of all taxa of a subject: NCBI's program then warns if it knows no names
 */
bool report_format_names_taxa(const struct report_format *format, bool *is_plural);

#endif
