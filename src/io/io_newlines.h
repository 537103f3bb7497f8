/*
 * io_newlines.h - finds line feeds in memory.
 */
#ifndef TAMIS_IO_NEWLINES_H
#define TAMIS_IO_NEWLINES_H

#include <stddef.h>
#include <stdint.h>

/* Entries that newlines_find() may write past max_ends: the surplus of one step. */
#define NEWLINES_SLACK 72

/*
 * newlines_find() - for each line feed in bytes[from .. to - 1], write its position + 1 to ends.
 *   bytes    [in]  up to 4 GiB
 *   ends     [out] room for max_ends + NEWLINES_SLACK entries
 *   max_ends [in]  stop after the 64-byte step that reaches this number; the step's other line feeds are written too
 * Returns the number of entries, at most max_ends + 63; entries beyond them are undefined.
 */
size_t newlines_find(const uint8_t *bytes, uint32_t from, uint32_t to, uint32_t *ends, size_t max_ends);

/*
 * newlines_strip_cr() - remove the carriage return from every line that ends in CR LF, moving bytes down in place.
 *   offsets [in,out] n_lines + 1 offsets of lines, each line with its line feed (gap 1 of tms_keys)
 * Returns the end of the last line, offsets[n_lines].
 */
uint32_t newlines_strip_cr(uint8_t *bytes, uint32_t *offsets, size_t n_lines);

#endif
