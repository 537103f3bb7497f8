/* db_options.h - options of a BLAST database to write, and a record of it. */
#ifndef TAMIS_DB_OPTIONS_H
#define TAMIS_DB_OPTIONS_H

#include "seqdb/nucleotide_pack.h"
#include "seqid/seqid.h"
#include "tamis/seqdb.h"

typedef struct db_options {
    const char *base; /* its path, without an extension */
    const char *title;
    tms_molecule molecule;
    int version;                       /* 4; or 5, which needs LMDB (lmdb_file.h) */
    int64_t taxid;                     /* taxonomy id of all sequences; 0: unknown */
    int taxids_differ;                 /* 1: deflines have taxonomy ids of their own */
    int parse_ids;                     /* 1: records have ids, and the database an index of them */
    const struct db_mask_files *masks; /* algorithms of the records' masks; NULL: no masks */
    int index_hashes;                  /* 1: the database has an index of the sequences' hashes */
    uint64_t max_file_size;            /* bytes, less than 2^32 */
    const char *const *inputs;         /* as in io_output */
    size_t n_inputs;
} db_options;

/* A sequence to add, of INT32_MAX residues at most; everything is borrowed. */
typedef struct db_record {
    const uint8_t *residues; /* proteins: NCBIstdaa codes */
    size_t n_residues;
    const struct nucleotide_pack *packed; /* nucleotides, after nucleotide_pack_end() */
    struct defline *deflines;             /* a record without ids has one defline, and gets the id gnl|BL_ORD_ID|number */
    size_t n_deflines;
    const struct db_mask_interval *masks;
    size_t n_masks;
    uint32_t hash; /* isam_hash() of the residues, if hashes are indexed */
} db_record;

typedef struct db_writer db_writer;

#endif
