/*
 * seqio_blast_title.h - a header as NCBI's programs print it where they tidy titles: segmasker, dustmasker, summary tables.
 */
#ifndef TAMIS_IO_BLAST_TITLE_H
#define TAMIS_IO_BLAST_TITLE_H

#include "base/byte_array.h"
#include "tamis/seqdb.h"

/*
 * seqio_blast_tidy_title() - the header without blanks at its start, up to the first control character; then
 *   - blanks and . , ; ~ at its end go
 *   - MAG, TPA:, TSA:, UNVERIFIED: and the like at its start go
 *   - what is not UTF-8 is taken for Windows' code page 1252
 *   - &amp; &lt; &gt; &quot; &apos; and numeric entities are decoded
 *   - the prefix is put before it
 *   - blanks are single; none is after '(' or before ')' , ';' or ','; one is after a double ','
 *   - of proteins, ". [" and ", [" become " ["
 * The last byte goes if it is not ASCII, as it does in NCBI's programs. An empty title is "unnamed protein product" for a protein.
 *   prefix [in] "TPA: ", or ""
 *   to [in,out] the title is added to it
 * Returns false if there is no memory: to is as it was.
 */
bool seqio_blast_tidy_title(const char *header, size_t n, tms_molecule molecule, const char *prefix, struct byte_array *to);

/* seqio_blast_tidy_stored_title() - the same of a title in a database, which may begin with a blank: then no MAG or the like goes. */
bool seqio_blast_tidy_stored_title(const char *title, size_t n, tms_molecule molecule, const char *prefix, struct byte_array *to);

#endif
