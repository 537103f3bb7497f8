/*
 * db_source.h - the sequences of a BLAST database as records for another one: residues, deflines, taxonomy ids and masks as stored. Only
 * the id gnl|BL_ORD_ID|number of a sequence without ids gets the number in the whole database.
 */
#ifndef TAMIS_DB_SOURCE_H
#define TAMIS_DB_SOURCE_H

#include "makedb/db_mask_file.h"
#include "makedb/db_options.h"
#include "seqid/defline_decode.h"

/* Closed if all zero. */
typedef struct db_source {
    tms_context *ctx;
    const tms_seqdb *db;
    uint64_t n_sequences, n_checked, n_done;
    int is_hashed; /* set by the caller; 1: compute the hash of each record */
    tms_seqdb_volume volume;
    uint64_t v; /* number of the volume */
    struct defline_decoder decoder;
    struct nucleotide_pack packed;
    struct byte_array characters;   /* characters of the sequence, for the hash */
    tms_seqdb_masks **masks;        /* for each algorithm */
    size_t n_masks, masks_capacity; /* masks are those of algorithm first_algorithm and the following ones in `files` */
    uint32_t first_algorithm;
    tms_interval *intervals; /* of one algorithm */
    size_t intervals_capacity;
    db_mask_interval *found; /* masks of the record */
    size_t found_capacity;
} db_source;

/*
 * db_source_open() - open a database as a source. db and ctx are borrowed until db_source_free().
 *   files [in,out] the function adds the algorithms of the database's masks
 * Returns IO_OK; IO_E_INPUT: two algorithms have the same name; IO_E_DATABASE; IO_E_MEMORY.
 */
io_status db_source_open(db_source *s, tms_context *ctx, const tms_seqdb *db, db_mask_files *files, io_error *err);

/* db_source_next() - the next sequence, without masks; valid until the next call. Returns IO_OK; IO_END; IO_E_DATABASE; IO_E_MEMORY. */
io_status db_source_next(db_source *s, db_record *record, io_error *err);

/* db_source_masks() - put the masks that the sequence has in the source database before the record's own. Returns as db_source_next(). */
io_status db_source_masks(db_source *s, db_record *record, io_error *err);

void db_source_free(db_source *s);

#endif
