/*
 * io_file_set.h - several output files that appear together, in the place of old ones: a database, in one directory, or reads that were
 * split.
 *
 * Some files are entries: whoever opens the database opens one of them first. Files are written to temporary names. When the set is
 * committed the old entries go first, then the other old files; then come the new files, and the new entries last. So at every moment
 * there is the old database, none, or the new one. Old files keep a temporary name until all is in place: a failure puts them back. Signals
 * are held meanwhile; before that a signal removes the temporary files (io_safe_file.h).
 */
#ifndef TAMIS_IO_FILE_SET_H
#define TAMIS_IO_FILE_SET_H

#include "io/io_safe_file.h"

typedef struct io_file_set io_file_set;

/* io_file_set_create() - empty; ended by io_file_set_commit() or io_file_set_abort(). Returns IO_OK or IO_E_MEMORY. */
io_status io_file_set_create(io_file_set **out, io_error *err);

/*
 * io_file_set_open() - a new file.
 *   output [in] with replaces_links: old files are known by the names that they have in the directory
 *   file   [out] the set's; written to with io_safe_file_write(), flushed with io_safe_file_flush() or when the set is committed
 * Returns as io_safe_file_open(); IO_E_REFUSED too where there is something that is no regular file.
 */
io_status io_file_set_open(io_file_set *set, const io_output *output, int is_entry, io_safe_file **file, io_error *err);

/* io_file_set_take() - a regular file that the caller has opened is the set's from now on. Returns IO_OK or IO_E_MEMORY. */
io_status io_file_set_take(io_file_set *set, io_safe_file *file, int is_entry, io_error *err);

/* io_file_set_retire() - an old file that goes when the set is committed, if it is still there. Returns IO_OK or IO_E_MEMORY. */
io_status io_file_set_retire(io_file_set *set, const char *path, int is_entry, io_error *err);

/* io_file_set_commit() - flush all, put all in place, free. On failure everything is as before. */
io_status io_file_set_commit(io_file_set *set, io_error *err);

/* io_file_set_abort() - leave nothing, free; NULL is fine. */
void io_file_set_abort(io_file_set *set);

#endif
