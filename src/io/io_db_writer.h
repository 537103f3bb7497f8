/*
 * io_db_writer.h - the files of a BLAST database: sequences, headers and indexes of its volumes, the alias, checksums. They appear
 * together when all is written (io_file_set.h).
 *
 * A volume ends before a sequence with which a file of it would reach the size limit: makeblastdb's volumes are the same.
 */
#ifndef TAMIS_IO_DB_WRITER_H
#define TAMIS_IO_DB_WRITER_H

#include "io_db_options.h"
#include "io_error.h"

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
