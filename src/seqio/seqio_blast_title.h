/*
 * seqio_blast_title.h - a header as NCBI's programs print it where they tidy titles: in segmasker, dustmasker and summary tables.
 */
#ifndef TAMIS_SEQIO_BLAST_TITLE_H
#define TAMIS_SEQIO_BLAST_TITLE_H

#include "base/byte_array.h"
#include "tamis/seqdb.h"

/*
 * seqio_blast_tidy_title() - take the header without blanks at its start, up to the first control character; then
 *   - remove blanks and . , ; ~ at its end
 *   - remove MAG, TPA:, TSA:, UNVERIFIED: and similar words at its start
 *   - convert it from Windows' code page 1252 if it is not UTF-8
 *   - decode &amp; &lt; &gt; &quot; &apos; and numeric entities
 *   - put the prefix before it
 *   - make runs of blanks single; remove blanks after '(' and before ')', ';' or ','; add one after a double ','
 *   - in proteins, change ". [" and ", [" to " ["
 * Like NCBI's programs it removes the last byte if that is not ASCII. The empty title of a protein becomes "unnamed protein product".
 *   prefix [in]     "TPA: ", or ""
 *   to     [in,out] the function appends the title
 * Returns false if there is no memory; `to` is then unchanged.
 */
bool seqio_blast_tidy_title(const char *header, size_t n, tms_molecule molecule, const char *prefix, struct byte_array *to);

/*
 * seqio_blast_tidy_stored_title() - the same for a title of a database, which may begin with a blank: then no word at its start is
 * removed.
 */
bool seqio_blast_tidy_stored_title(const char *title, size_t n, tms_molecule molecule, const char *prefix, struct byte_array *to);

#endif
