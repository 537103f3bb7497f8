/*
 * db_writer.h - writes the files of a BLAST database: sequences, headers and indexes of its volumes, the alias, checksums. They all appear
 * at the commit (io_file_set.h).
 *
 * A volume ends before the sequence with which one of its files would reach the size limit: makeblastdb cuts volumes in the same way.
 */
#ifndef TAMIS_DB_WRITER_H
#define TAMIS_DB_WRITER_H

#include "io/io_error.h"
#include "makedb/db_options.h"

/*
 * db_writer_open() - begin a database; creates only the directories on the way to the base.
 *   replaces [out] 1 if there is a database of this name and molecule, which the commit will remove
 *   out      [out] freed by db_writer_commit() or db_writer_abort(); the options are borrowed until then
 * Returns IO_OK; IO_E_OUTPUT; IO_E_REFUSED; IO_E_MEMORY.
 */
io_status db_writer_open(const db_options *options, int *replaces, db_writer **out, io_error *err);

/*
 * db_writer_add() - add the next sequence, of at least one residue. Returns IO_OK; IO_E_INPUT: it is too long for the format; IO_E_OUTPUT;
 * IO_E_MEMORY.
 */
io_status db_writer_add(db_writer *w, const db_record *record, io_error *err);

/*
 * db_writer_commit() - put the database, of at least one sequence, in the place of the old one; free. On failure the old database is
 * unchanged.
 */
io_status db_writer_commit(db_writer *w, io_error *err);

/* db_writer_abort() - remove all new files and free; NULL is fine. */
void db_writer_abort(db_writer *w);

#endif
