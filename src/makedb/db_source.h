/*
 * db_source.h - the sequences of a BLAST database as records of another one: letters, deflines, taxonomy ids and masks as they are
 * stored. Only gnl|BL_ORD_ID|number, by which a sequence without ids is called, gets the number in the whole database.
 */
#ifndef TAMIS_IO_DB_SOURCE_H
#define TAMIS_IO_DB_SOURCE_H

#include "makedb/db_mask_file.h"
#include "makedb/db_options.h"
#include "seqid/defline_decode.h"

/* All zero: closed. */
typedef struct db_source {
    tms_context *ctx;
    const tms_seqdb *db;
    uint64_t n_sequences, n_checked, n_done;
    int is_hashed; /* set by the caller: records have their hash */
    tms_seqdb_volume volume;
    uint64_t v; /* its number */
    struct defline_decoder decoder;
    struct nucleotide_pack packed;
    struct byte_array letters;      /* for the hash */
    tms_seqdb_masks **masks;        /* of each algorithm */
    size_t n_masks, masks_capacity; /* of algorithms first_algorithm and the next ones of the files */
    uint32_t first_algorithm;
    tms_interval *intervals; /* of one algorithm */
    size_t intervals_capacity;
    db_mask_interval *found; /* of the record */
    size_t found_capacity;
} db_source;

/*
 * db_source_open() - db and ctx are borrowed until db_source_free().
 *   files [in,out] gets the algorithms of the masks that the database has
 * Returns IO_OK; IO_E_INPUT: two algorithms have one name; IO_E_DATABASE; IO_E_MEMORY.
 */
io_status db_source_open(db_source *s, tms_context *ctx, const tms_seqdb *db, db_mask_files *files, io_error *err);

/* db_source_next() - the next sequence, without masks; it is the source's until the next call. Returns IO_OK; IO_END; IO_E_DATABASE;
 * IO_E_MEMORY. */
io_status db_source_next(db_source *s, db_record *record, io_error *err);

/* db_source_masks() - puts the masks that the sequence has in the database before those of the record. Returns as
 * db_source_next(). */
io_status db_source_masks(db_source *s, db_record *record, io_error *err);

void db_source_free(db_source *s);

#endif
