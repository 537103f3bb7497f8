/*
 * db_writer.h - the files of a BLAST database: sequences, headers and indexes of its volumes, the alias, checksums. They appear
 * together when all is written (io_file_set.h).
 *
 * A volume ends before a sequence with which a file of it would reach the size limit: makeblastdb's volumes are the same.
 */
#ifndef TAMIS_IO_DB_WRITER_H
#define TAMIS_IO_DB_WRITER_H

#include "io/io_error.h"
#include "makedb/db_options.h"

/*
 * db_writer_open() - nothing is written yet; directories on the way to the base are made.
 *   replaces [out] is there a database of this name and molecule? It goes when the new one is committed
 *   out      [out] ended by db_writer_commit() or db_writer_abort(); the options are borrowed until then
 * Returns IO_OK; IO_E_OUTPUT; IO_E_REFUSED; IO_E_MEMORY.
 */
io_status db_writer_open(const db_options *options, int *replaces, db_writer **out, io_error *err);

/* db_writer_add() - the next sequence, of one letter at least. Returns IO_OK; IO_E_INPUT: it is too long for the format; IO_E_OUTPUT;
 * IO_E_MEMORY. */
io_status db_writer_add(db_writer *w, const db_record *record, io_error *err);

/* db_writer_commit() - the database is there, the old one gone; free. One sequence at least was added. On failure all is as before. */
io_status db_writer_commit(db_writer *w, io_error *err);

/* db_writer_abort() - leave nothing, free; NULL is fine. */
void db_writer_abort(db_writer *w);

#endif
