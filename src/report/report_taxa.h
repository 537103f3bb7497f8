/* report_taxa.h - taxids, and names of taxa, as columns of tables. */
#ifndef TMS_REPORT_TAXA_H
#define TMS_REPORT_TAXA_H

#include "report/report_struct.h"

/* What a column has of a taxon: one of tms_taxon_name, or: */
enum { REPORT_TAXID = -1 };

/* report_taxa_put_first() - of the first taxon of the current subject. */
void report_taxa_put_first(const struct report *report, int what, struct report_text *t);

/* report_taxa_put_all() - of all taxa of the current subject. counts_unnamed: also of taxa that have no scientific name. */
void report_taxa_put_all(const struct report *report, int what, bool counts_unnamed, struct report_text *t);

#endif
