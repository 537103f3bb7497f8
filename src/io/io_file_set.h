/*
 * io_file_set.h - several output files that appear together and replace old ones: the files of a database, in one directory, or the files
 * that reads are split into.
 *
 * Some files are entries: a program that opens the database opens one of them first. The set writes its files under temporary names.
 * io_file_set_commit() first removes the old entries, then the other old files, then renames the new files, and the new entries last. So
 * at every moment a reader finds the old database, none, or the new one. Old files keep a temporary name until all new ones are in place;
 * if a step fails, the set restores them. The thread holds signals during this exchange; before it, a signal removes the temporary files
 * (io_safe_file.h).
 */
#ifndef TAMIS_IO_FILE_SET_H
#define TAMIS_IO_FILE_SET_H

#include "io/io_safe_file.h"

typedef struct io_file_set io_file_set;

/* io_file_set_create() - an empty set; io_file_set_commit() or io_file_set_abort() frees it. Returns IO_OK or IO_E_MEMORY. */
io_status io_file_set_create(io_file_set **out, io_error *err);

/*
 * io_file_set_open() - add a new file.
 *   output [in]  with replaces_links set, old files are known by their names in the directory
 *   file   [out] owned by the set; written with io_safe_file_write(); io_safe_file_flush() or the commit flushes it
 * Returns as io_safe_file_open(); also IO_E_REFUSED if the path names something other than a regular file.
 */
io_status io_file_set_open(io_file_set *set, const io_output *output, int is_entry, io_safe_file **file, io_error *err);

/*
 * io_file_set_take() - move a regular file that the caller has opened into the set, which owns it from now on. Returns IO_OK or
 * IO_E_MEMORY.
 */
io_status io_file_set_take(io_file_set *set, io_safe_file *file, int is_entry, io_error *err);

/* io_file_set_retire() - name an old file that the commit removes, if it still exists. Returns IO_OK or IO_E_MEMORY. */
io_status io_file_set_retire(io_file_set *set, const char *path, int is_entry, io_error *err);

/* io_file_set_commit() - flush all files, put them in place, free the set. On failure the old files are unchanged. */
io_status io_file_set_commit(io_file_set *set, io_error *err);

/* io_file_set_abort() - remove all new files and free the set; NULL is fine. */
void io_file_set_abort(io_file_set *set);

#endif
