/*
 * io_db_writer.h - the files of a BLAST database: sequences, headers and indexes of its volumes, the alias, checksums. They appear
 * together when all is written (io_file_set.h).
 *
 * A volume ends before a sequence with which a file of it would reach the size limit: makeblastdb's volumes are the same.
 */
#ifndef TAMIS_IO_DB_WRITER_H
#define TAMIS_IO_DB_WRITER_H

#include "io_safe_file.h"
#include "seqdb/nucleotide_pack.h"
#include "seqdb/seqid.h"
#include "tamis/seqdb.h"

typedef struct io_db_options {
    const char *base; /* the path, without an extension */
    const char *title;
    tms_molecule molecule;
    int version;               /* 4 */
    int parse_ids;             /* records have ids, by which sequences can be found */
    uint64_t max_file_size;    /* bytes, less than 2^32 */
    const char *const *inputs; /* as io_output has them */
    size_t n_inputs;
} io_db_options;

/* A sequence to be added, borrowed. */
typedef struct io_db_record {
    const uint8_t *residues; /* proteins: NCBIstdaa codes */
    size_t n_residues;
    const struct nucleotide_pack *packed; /* nucleotides, after nucleotide_pack_end() */
    struct defline *deflines;             /* without ids: one, which gets the id gnl|BL_ORD_ID|number */
    size_t n_deflines;
} io_db_record;

typedef struct io_db_writer io_db_writer;

/*
 * io_db_writer_open() - nothing is written yet; directories on the way to the base are made.
 *   replaces [out] is there a database of this name and molecule? It goes when the new one is committed
 *   out      [out] ended by io_db_writer_commit() or io_db_writer_abort(); the options are borrowed until then
 * Returns IO_OK; IO_E_OUTPUT; IO_E_REFUSED; IO_E_MEMORY.
 */
io_status io_db_writer_open(const io_db_options *options, int *replaces, io_db_writer **out, io_error *err);

/* io_db_writer_add() - the next sequence, of one letter at least. Returns IO_OK; IO_E_INPUT: it is too long for the format; IO_E_OUTPUT;
 * IO_E_MEMORY. */
io_status io_db_writer_add(io_db_writer *w, const io_db_record *record, io_error *err);

/* io_db_writer_commit() - the database is there, the old one gone; free. One sequence at least was added. On failure all is as before. */
io_status io_db_writer_commit(io_db_writer *w, io_error *err);

/* io_db_writer_abort() - leave nothing, free; NULL is fine. */
void io_db_writer_abort(io_db_writer *w);

#endif
