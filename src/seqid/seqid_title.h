/* seqid_title.h - titles as blastdbcmd prints them in FASTA. */
#ifndef TMS_SEQID_TITLE_H
#define TMS_SEQID_TITLE_H

#include "base/byte_array.h"

/*
 * seqid_title_shorten() - append a text, but where ids stand behind " >", as before the titles of merged sequences, only what the sequence
 * is called by: " >sp|P12345|NAME title" is " >P12345 title". It makes no difference that the first title of all may have such words too.
 *   is_marked [in] control-A takes the place of " >" there
 * Returns false if there is no memory.
 */
bool seqid_title_shorten(const char *text, size_t n, bool is_marked, struct byte_array *to);

#endif
