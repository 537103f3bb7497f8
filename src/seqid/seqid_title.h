/* seqid_title.h - titles as blastdbcmd prints them in FASTA. */
#ifndef TMS_SEQID_TITLE_H
#define TMS_SEQID_TITLE_H

#include "base/byte_array.h"

/*
 * seqid_title_shorten() - append a text; where ids follow " >", as before the titles of merged sequences, append only the preferred id: "
 * >sp|P12345|NAME title" becomes " >P12345 title". The first title may also contain such words; they are shortened all the same.
 *   is_marked [in] control-A is written in place of " >"
 * Returns false if there is no memory.
 */
bool seqid_title_shorten(const char *text, size_t n, bool is_marked, struct byte_array *to);

#endif
