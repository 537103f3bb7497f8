/*
 * seqdb_alias.h - the text of an alias file (.pal, .nal): a database that consists of others.
 *
 * A line is a key and its value; a line that begins with # is a comment. If a key comes twice, the last one counts.
 */
#ifndef TMS_SEQDB_ALIAS_H
#define TMS_SEQDB_ALIAS_H

#include "base/base.h"
#include "seqid/seqid.h"

/* The largest number in an alias file: the totals of all files that may be read stay far below 2^63. */
#define SEQDB_ALIAS_MAX 99999999999999u

/* Texts point into the file. A number is UINT64_MAX if the file does not have it. */
struct seqdb_alias {
    struct text title, dblist;
    uint64_t n_sequences, n_residues;             /* NSEQ, LENGTH */
    uint64_t stats_n_sequences, stats_n_residues; /* STATS_NSEQ, STATS_TOTLEN */
    uint64_t first_oid, last_oid;                 /* FIRST_OID, LAST_OID; counted from 1 */
    char refused[16];                             /* a key that selects sequences by a list, which tamis does not read; or "" */
    char damaged[16];                             /* a key whose value is not a number, or is too large; or "" */
};

/* seqdb_alias_parse() - parse any n bytes. */
void seqdb_alias_parse(const char *bytes, size_t n, struct seqdb_alias *out);

/*
 * seqdb_names_next() - take the next name of a list: blanks separate names, and double quotes enclose one with blanks.
 *   list [in,out] the rest of the list
 * Returns false at the end.
 */
bool seqdb_names_next(struct text *list, struct text *name);

#endif
