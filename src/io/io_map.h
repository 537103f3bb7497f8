/*
 * io_map.h - a stored filter, mapped read-only.
 */
#ifndef TAMIS_IO_MAP_H
#define TAMIS_IO_MAP_H

#include <stddef.h>

#include "io_error.h"

typedef struct io_map {
    const void *bytes; /* aligned to a page */
    size_t size;
} io_map;

/*
 * io_map_open() - map a whole file.
 *   out [out] unmapped with io_map_close()
 * Returns IO_OK; IO_E_INPUT when it is missing, not readable, empty or not a regular file; IO_E_MEMORY.
 */
io_status io_map_open(const char *path, io_map *out, io_error *err);
void io_map_close(io_map *map);

#endif
