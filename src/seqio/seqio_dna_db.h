/*
 * seqio_dna_db.h - reads the sequences of a BLAST database as records of chunks.
 */
#ifndef TAMIS_SEQIO_DNA_DB_H
#define TAMIS_SEQIO_DNA_DB_H

#include "seqio/seqio_dna_reader.h"

typedef struct dna_db {
    const tms_seqdb *db; /* borrowed */
    tms_seqdb_names *names;
    uint64_t n, next; /* number of sequences; the next or current one */
    uint64_t start;   /* bases of the current sequence already taken */
    int in_sequence;
} dna_db;

/* dna_db_init() - prepare to read. Call dna_db_free() at the end even after a failure. Returns IO_OK or IO_E_MEMORY. */
io_status dna_db_init(dna_db *d, const tms_seqdb *db, tms_context *ctx, io_error *err);
void dna_db_free(dna_db *d);

/*
 * dna_db_read() - put sequences into the chunk. Returns IO_END; IO_SINK_FULL: call again for the next chunk; IO_E_INPUT, naming file and
 * sequence; IO_E_MEMORY.
 */
io_status dna_db_read(dna_db *d, dna_reader *r, io_error *err);

#endif
