/* report_columns.h - the columns of formats 6, 7 and 10. */
#ifndef TMS_REPORT_COLUMNS_H
#define TMS_REPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct report_line; /* report_tabular.c */

/* Whether a column has names of taxa: of the first taxon of the subject, or of all. Numbers of taxa are no names. */
enum report_taxa { REPORT_NO_TAXA, REPORT_FIRST_TAXON, REPORT_ALL_TAXA };

struct report_column {
    const char *name;  /* in -outfmt */
    const char *title; /* in the comments of format 7 */
    void (*put)(const struct report_line *line);
    bool is_list; /* entries of the column are separated by ';', which then cannot separate columns */
    enum report_taxa taxa;
    bool is_of_rows; /* it needs the rows of the alignment, or where they begin and end */
};

extern const struct report_column report_columns[];
extern const size_t report_n_columns;

#endif
