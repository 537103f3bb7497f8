/* db_options.h - a BLAST database that is to be written, and a record of it. */
#ifndef TAMIS_IO_DB_OPTIONS_H
#define TAMIS_IO_DB_OPTIONS_H

#include "seqdb/nucleotide_pack.h"
#include "seqid/seqid.h"
#include "tamis/seqdb.h"

typedef struct db_options {
    const char *base; /* the path, without an extension */
    const char *title;
    tms_molecule molecule;
    int version;                       /* 4; 5 with LMDB (lmdb_file.h) */
    int64_t taxid;                     /* of all sequences; 0: unknown */
    int taxids_differ;                 /* deflines have their own */
    int parse_ids;                     /* records have ids, by which sequences can be found */
    const struct db_mask_files *masks; /* with what masks of sequences are made of; NULL: they have none */
    int index_hashes;                  /* sequences can be found by the hash of their letters */
    uint64_t max_file_size;            /* bytes, less than 2^32 */
    const char *const *inputs;         /* as io_output has them */
    size_t n_inputs;
} db_options;

/* A sequence to be added, borrowed; of INT32_MAX letters at most. */
typedef struct db_record {
    const uint8_t *residues; /* proteins: NCBIstdaa codes */
    size_t n_residues;
    const struct nucleotide_pack *packed; /* nucleotides, after nucleotide_pack_end() */
    struct defline *deflines;             /* without ids: one, which gets the id gnl|BL_ORD_ID|number */
    size_t n_deflines;
    const struct db_mask_interval *masks;
    size_t n_masks;
    uint32_t hash; /* of the letters, isam_hash(): where hashes are indexed */
} db_record;

typedef struct db_writer db_writer;

#endif
