/*
 * accession_ranges.h - accessions of proteins that are not of the database that their prefix says: three letters and 5 digits.
 */
#ifndef TMS_ACCESSION_RANGES_H
#define TMS_ACCESSION_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* accession_is_in_range() - three letters, in upper case. Such accessions are of Third Party Annotation where EMBL's are expected, and
 * GenBank's where Third Party Annotation's are. */
bool accession_is_in_range(const char *prefix, uint32_t number);

#endif
