/*
 * io_map.h - a stored filter, mapped read-only.
 *
 * A mapping shows the file as it is now. If a program truncates a mapped file, the next access beyond the new end raises SIGBUS in the
 * thread that makes it. So programs must replace filter files by rename(), which does not change what is mapped.
 */
#ifndef TAMIS_IO_MAP_H
#define TAMIS_IO_MAP_H

#include <stddef.h>

#include "io/io_error.h"

typedef struct io_map {
    const void *bytes; /* aligned to a page */
    size_t size;
    int slot; /* slot in the signal handler's table, or -1 */
} io_map;

/*
 * io_map_guard() - if a mapped file has been truncated, print a sentence on standard error, remove the temporary output and
 * _exit(exit_code). A SIGBUS of any other cause kills the process as usual.
 *   command [in] for the message, such as "query"; borrowed for the life of the process
 */
void io_map_guard(const char *command, int exit_code);

/*
 * io_map_watch() - also guard a database that the library has mapped.
 *   path_at [in] async-signal-safe; returns the path, without extension, of the file in which an address is mapped, or NULL. path_at NULL:
 *                guard no database from now on; call it so before the database is destroyed
 */
typedef const char *io_map_path_at(const void *arg, const void *address);
void io_map_watch(io_map_path_at *path_at, const void *arg);

/*
 * io_map_open() - map a whole file.
 *   path [in]  borrowed until io_map_close()
 *   out  [out] unmapped with io_map_close()
 * Returns IO_OK; IO_E_INPUT if the file is missing, not readable, empty or not a regular file; IO_E_REFUSED if standard output goes to the
 * same file; IO_E_MEMORY.
 */
io_status io_map_open(const char *path, io_map *out, io_error *err);
void io_map_close(io_map *map);

#endif
