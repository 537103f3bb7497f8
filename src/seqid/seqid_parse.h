/*
 * seqid_parse.h - parses the first word of a FASTA header into ids, as makeblastdb -parse_seqids does.
 *
 *   sp|P12345|NAME  gi|5|ref|NP_000001.1|  gnl|db|x  lcl|x  pdb|1ABC|A     ids one after the other, each behind its tag
 *   ab|x                                                                   two or three letters that are no tag: gnl|ab|x
 *   NP_000001.1  P12345  AAA12345.1  1ABC_A                                an accession, identified by its shape
 *   x                                                                      any other word is a local id
 *
 * An accession of nucleotides is a local id among proteins, and vice versa.
 */
#ifndef TMS_SEQID_PARSE_H
#define TMS_SEQID_PARSE_H

#include "seqid/seqid.h"
#include "tamis/seqdb.h"

#define SEQID_MAX_IDS 8 /* most ids of one word */

enum seqid_parse_status {
    SEQID_PARSED,
    SEQID_NONE,      /* "Could not construct seq-id" */
    SEQID_BAD_LOCAL, /* "is not a valid local ID" */
    SEQID_LONG_LOCAL,
    SEQID_LONG_GENERAL,
    SEQID_LONG_ACCESSION
};

#define SEQID_MAX_LOCAL     50
#define SEQID_MAX_GENERAL   50
#define SEQID_MAX_ACCESSION 30

/*
 * seqid_parse() - parse a word into its ids.
 *   word     [in]  without blanks
 *   scratch  [out] room for n + 16 bytes; ids may point into it, into the word, or to constants
 *   ids      [out] room for SEQID_MAX_IDS ids
 *   too_long [out] with SEQID_LONG_*: the length
 */
enum seqid_parse_status seqid_parse(const char *word, size_t n, tms_molecule molecule, char *scratch, struct seqid *ids, size_t *n_ids,
                                    size_t *too_long);

/* seqid_parse_barred() - as seqid_parse(), but only for ids with bars: SEQID_NONE for an accession or a local id. */
enum seqid_parse_status seqid_parse_barred(const char *word, size_t n, struct seqid *ids, size_t *n_ids, size_t *too_long);

#endif
