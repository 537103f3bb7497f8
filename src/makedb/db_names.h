/*
 * db_names.h - the files that version 5 adds to a version 4 database. For nucleotides the extensions begin with n. Words are
 * little-endian.
 *
 *   .pdb  LMDB: volinfo: number of a volume -> its sequences; volname: -> its name; with ids acc2oid: name of an id -> numbers of
 *         sequences. Names: of text ids in upper case, without and with the version; of PDB's ids also
 *         the molecule, as it is and in upper case; of local and general ones (db:x) as they are and in upper case
 *   .pot  n in 64 bits; n times the end of its taxids, counted in taxids, in 64 bits; the taxids of all sequences in 32 bits
 *   .pto  for each taxid the number of its sequences, and these, in 32 bits
 *   .ptf  LMDB: taxid2offset: taxid -> offset in .pto, in 64 bits
 *   .pos  with ids: n in 64 bits; n times the end of its names, in bytes from the first, in 64 bits; the names of each sequence
 *         in their order as bytes, each with its size in a byte before it (255: in 4 more bytes)
 *
 * A sequence that has only a GI has an empty list in .pos; makeblastdb fails on such a sequence unless it is the last. GIs are no names;
 * they are in .pnd, .pni and .pog of each volume, as in version 4.
 */
#ifndef TAMIS_DB_NAMES_H
#define TAMIS_DB_NAMES_H

#include "base/byte_array.h"
#include "makedb/lmdb_file.h"
#include "seqid/seqid.h"

typedef struct db_name {
    uint64_t start; /* offset in `text` */
    uint32_t size, number;
} db_name;

/* A name of the sequence whose list is being made. */
typedef struct db_listed {
    size_t start, size; /* offset and size in `scratch` */
    const struct seqid *id;
} db_listed;

/* The names of a database. Empty if all zero. */
typedef struct db_names {
    struct byte_array text;
    db_name *names; /* the entries of acc2oid */
    size_t n_names, names_capacity;
    struct byte_array lists; /* the contents of .pos */
    uint64_t *list_ends;
    size_t n_lists, lists_capacity;
    struct byte_array scratch; /* names of the sequence whose list is being made */
    db_listed *listed;
    size_t n_listed, listed_capacity;
} db_names;

/* db_names_add() - add the names of the next sequence. Returns IO_OK or IO_E_MEMORY. */
io_status db_names_add(db_names *names, const struct defline *deflines, size_t n_deflines, io_error *err);

/* db_names_table() - the table acc2oid, after the last sequence; borrows names. */
lmdb_file_table db_names_table(db_names *names);

void db_names_free(db_names *names);

#endif
