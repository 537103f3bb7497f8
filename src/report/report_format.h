/* report_format.h - which format, and which columns: -outfmt as text. */
#ifndef TMS_REPORT_FORMAT_H
#define TMS_REPORT_FORMAT_H

#include "report/report_writer.h"

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
