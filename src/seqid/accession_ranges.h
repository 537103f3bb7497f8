/*
 * accession_ranges.h - accessions of proteins (three letters and 5 digits) that belong to another database than their prefix.
 */
#ifndef TMS_ACCESSION_RANGES_H
#define TMS_ACCESSION_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * accession_is_in_range() - true if an accession, with three upper-case letters, belongs to Third Party Annotation in spite of a prefix of
 * EMBL, or to GenBank in spite of one of Third Party Annotation.
 */
bool accession_is_in_range(const char *prefix, uint32_t number);

#endif
