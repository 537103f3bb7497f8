/* report_taxa.h - the columns of taxa. */
#ifndef TMS_REPORT_TAXA_H
#define TMS_REPORT_TAXA_H

#include "report/report_columns.h"
#include "report/report_struct.h"

/* report_taxa_put() - a column of the subject at hand: taxids, or names of taxa. Returns false if the column is none of taxa. */
bool report_taxa_put(struct report *report, enum report_column column, struct report_text *t);

#endif
