/*
 * io_spool.h - bytes that wait until it is known where they go: the first ones in memory, the others in a temporary file without a name,
 * in the directory TMPDIR, or /var/tmp, which disappears with the process.
 */
#ifndef TAMIS_IO_SPOOL_H
#define TAMIS_IO_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/byte_array.h"
#include "io/io_error.h"

/* All zero but for memory_bytes: empty. */
typedef struct io_spool {
    size_t memory_bytes; /* so many are in memory, at most */
    uint64_t n;          /* bytes */
    struct byte_array memory;
    int has_file, fd;
} io_spool;

/* io_spool_add() - n bytes at the end. Returns IO_OK; IO_E_OUTPUT: there is no directory, or no room in it; IO_E_MEMORY. */
io_status io_spool_add(io_spool *s, const uint8_t *bytes, size_t n, io_error *err);

/* io_spool_read() - n bytes, all of them there, from byte `at` on. Returns IO_OK or IO_E_OUTPUT. */
io_status io_spool_read(const io_spool *s, uint64_t at, uint8_t *to, size_t n, io_error *err);

/* io_spool_clear() - empty. Memory is kept, and the file without its bytes. Returns IO_OK or IO_E_OUTPUT. */
io_status io_spool_clear(io_spool *s, io_error *err);

void io_spool_free(io_spool *s);

#endif
