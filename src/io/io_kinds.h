/*
 * io_kinds.h - recognizes files that are neither lists of lines nor sequences by their first bytes (after decompression).
 *
 * Read as lines such a file would give an answer, and a wrong one. The table has only kinds with an unmistakable magic: any other bytes
 * may be a list.
 */
#ifndef TAMIS_IO_KINDS_H
#define TAMIS_IO_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

/* Bytes that are compared with the table; fewer if a line feed comes before. */
#define IO_KIND_HEAD_BYTES 262

typedef enum io_wanted { IO_WANTED_LINES, IO_WANTED_SEQUENCES } io_wanted;

/*
 * io_kind_check() - refuse a file of a known other kind. Text formats of other programs, such as SAM, may be a list of lines.
 *   name   [in] the file's name, for the message
 *   bytes  [in] the first n bytes of the file; those after the first line feed or after IO_KIND_HEAD_BYTES are ignored
 * Returns IO_OK; IO_E_INPUT: "a.zip: a zip archive, not a list of lines; try 'unzip -p'".
 */
io_status io_kind_check(const char *name, const uint8_t *bytes, size_t n, io_wanted wanted, io_error *err);

#endif
