/*
 * io_map.h - a stored filter, mapped read-only.
 *
 * A mapping shows the file as it is. Whoever truncates a file that is mapped makes the next access beyond its new end a SIGBUS, in
 * whatever thread: files have to be replaced by rename(), which leaves what is mapped alone.
 */
#ifndef TAMIS_IO_MAP_H
#define TAMIS_IO_MAP_H

#include <stddef.h>

#include "io/io_error.h"

typedef struct io_map {
    const void *bytes; /* aligned to a page */
    size_t size;
    int slot; /* of the handler's table */
} io_map;

/*
 * io_map_guard() - end the process where a mapped file turns out to have been truncated: a sentence on standard error, the
 * temporary output removed, _exit(exit_code). A SIGBUS of any other cause kills as before.
 *   command [in] for the message, "query"; kept
 */
void io_map_guard(const char *command, int exit_code);

/*
 * io_map_watch() - guard a database too, which the library maps.
 *   path_at [in] the file in which an address is mapped, without its extension, or NULL; async-signal-safe. NULL: guard no database any
 *                more, before it is destroyed
 */
typedef const char *io_map_path_at(const void *arg, const void *address);
void io_map_watch(io_map_path_at *path_at, const void *arg);

/*
 * io_map_open() - map a whole file.
 *   path [in] borrowed until io_map_close()
 *   out  [out] unmapped with io_map_close()
 * Returns IO_OK; IO_E_INPUT when it is missing, not readable, empty or not a regular file; IO_E_REFUSED where standard output
 * goes to the same file; IO_E_MEMORY.
 */
io_status io_map_open(const char *path, io_map *out, io_error *err);
void io_map_close(io_map *map);

#endif
