/*
 * io_spool.h - keeps bytes until their destination is known: the first ones in memory, the others in a temporary file without a name in
 * the directory $TMPDIR or /var/tmp. The file disappears with the process.
 */
#ifndef TAMIS_IO_SPOOL_H
#define TAMIS_IO_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/byte_array.h"
#include "io/io_error.h"

/* Empty if all fields except memory_bytes are zero. */
typedef struct io_spool {
    size_t memory_bytes; /* most bytes kept in memory */
    uint64_t n;          /* bytes in the spool */
    struct byte_array memory;
    int has_file, fd;
} io_spool;

/* io_spool_add() - append n bytes. Returns IO_OK; IO_E_OUTPUT if there is no directory or no space in it; IO_E_MEMORY. */
io_status io_spool_add(io_spool *s, const uint8_t *bytes, size_t n, io_error *err);

/* io_spool_read() - read n bytes from byte `at` on; the spool must have them. Returns IO_OK or IO_E_OUTPUT. */
io_status io_spool_read(const io_spool *s, uint64_t at, uint8_t *to, size_t n, io_error *err);

/* io_spool_clear() - remove all bytes; keeps the memory and an empty file. Returns IO_OK or IO_E_OUTPUT. */
io_status io_spool_clear(io_spool *s, io_error *err);

void io_spool_free(io_spool *s);

#endif
