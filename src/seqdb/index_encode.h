/* index_encode.h - encodes the head of the index of a BLAST database volume (.pin, .nin); the arrays of offsets follow it in the file. */
#ifndef TMS_INDEX_ENCODE_H
#define TMS_INDEX_ENCODE_H

#include "base/byte_array.h"
#include "seqid/seqid.h"
#include "tamis/seqdb.h"

struct index_head {
    tms_molecule molecule;
    int version;           /* 4 or 5 */
    uint32_t volume;       /* version 5: the volume's number, from 0 */
    struct text title;     /* less than 2^32 bytes, as are the next two */
    struct text lmdb_name; /* version 5: "base.pdb" */
    struct text date;      /* "Nov 21, 2026  1:17 PM" */
    uint32_t n_sequences;
    uint64_t n_residues;
    uint32_t longest;
};

/* index_encode_head() - append the head. NULs behind the date make its size a multiple of 8. Returns false if there is no memory. */
bool index_encode_head(const struct index_head *head, struct byte_array *out);

/* index_head_size() - size of the head in bytes. */
uint64_t index_head_size(const struct index_head *head);

#endif
