/*
 * db_deflines.h - turns a FASTA header into the deflines of a database: the whole header as a title, or ids and titles of each of its
 * parts, which control-A separates.
 */
#ifndef TAMIS_DB_DEFLINES_H
#define TAMIS_DB_DEFLINES_H

#include "makedb/db_options.h"
#include "seqio/seqio_blast_encoder.h"

/* Empty if all zero. */
typedef struct db_deflines {
    const db_options *how;  /* with parse_ids a defline's ids are the first word of its part; else there is one defline, without ids */
    seqio_blast_warn *warn; /* is told of a comma in an id */
    void *warn_arg;
    struct defline *deflines;
    size_t n, capacity;
    size_t n_odd; /* bytes that seqio_blast_title() replaced */
    struct byte_array titles;
    struct byte_array scratch; /* ids in upper case */
    struct seqid *ids;
    size_t n_ids, ids_capacity;
} db_deflines;

/* All is borrowed, until db_deflines_free(). */
void db_deflines_init(db_deflines *d, const db_options *how, seqio_blast_warn *warn, void *warn_arg);

/*
 * db_deflines_take() - make the deflines of a header, replacing the previous ones.
 * Returns IO_OK; IO_E_INPUT: an id is missing or malformed; IO_E_MEMORY.
 */
io_status db_deflines_take(db_deflines *d, const char *header, size_t n, const seqio_position *position, io_error *err);

void db_deflines_free(db_deflines *d);

#endif
