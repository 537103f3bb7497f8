/*
 * accession.h - what an accession's shape says: of which database it is, and of which molecule.
 */
#ifndef TMS_ACCESSION_H
#define TMS_ACCESSION_H

#include "seqid/seqid.h"
#include "tamis/seqdb.h"

struct accession {
    enum seqid_kind kind;
    bool is_protein, is_nucleotide; /* both: the shape does not say */
    size_t n;                       /* bytes before the version */
    bool has_version;
    struct text version; /* its digits */
    struct text chain;   /* pdb: behind the molecule's 4 letters; n 0: none */
};

/* accession_identify() - false: it has no accession's shape. */
bool accession_identify(const char *word, size_t n, struct accession *out);

#endif
