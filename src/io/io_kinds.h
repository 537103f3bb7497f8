/*
 * io_kinds.h - files that are neither lists of lines nor sequences, by their first bytes (after decompression).
 *
 * Taken as lines they would give an answer, and a wrong one. Only what marks itself beyond doubt is known here: any
 * other bytes may be a list.
 */
#ifndef TAMIS_IO_KINDS_H
#define TAMIS_IO_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

/* So many bytes decide, or the first line feed among them. */
#define IO_KIND_HEAD_BYTES 262

typedef enum io_wanted { IO_WANTED_LINES, IO_WANTED_SEQUENCES } io_wanted;

/*
 * io_kind_check() - refuse a file of a known other kind. Text of other programs, as SAM, may be a list of lines.
 *   name   [in] for the message
 *   bytes  [in] the first n of it; what lies after their first line feed, or after IO_KIND_HEAD_BYTES, does not count
 * Returns IO_OK; IO_E_INPUT: "a.zip: a zip archive, not a list of lines; try 'unzip -p'".
 */
io_status io_kind_check(const char *name, const uint8_t *bytes, size_t n, io_wanted wanted, io_error *err);

#endif
