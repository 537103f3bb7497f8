/*
 * accession.h - identifies database and molecule by the shape of an accession.
 */
#ifndef TMS_ACCESSION_H
#define TMS_ACCESSION_H

#include "seqid/seqid.h"
#include "tamis/seqdb.h"

struct accession {
    enum seqid_kind kind;
    bool is_protein, is_nucleotide; /* both true: the shape does not tell */
    size_t n;                       /* bytes before the version */
    bool has_version;
    struct text version; /* digits of the version */
    struct text chain;   /* pdb: the text behind the molecule's 4 characters; n is 0 if there is none */
};

/* accession_identify() - returns false if the word does not have the shape of an accession. */
bool accession_identify(const char *word, size_t n, struct accession *out);

#endif
