/*
 * io_newlines.h - find the line feeds of a piece of memory.
 */
#ifndef TAMIS_IO_NEWLINES_H
#define TAMIS_IO_NEWLINES_H

#include <stddef.h>
#include <stdint.h>

/* Entries that newlines_find() may write past max_ends: one step's worth. */
#define NEWLINES_SLACK 72

/*
 * newlines_find() - for each line feed in bytes[from .. to - 1], write its position + 1 to ends.
 *   bytes    [in] up to 4 GiB
 *   ends     [out] room for max_ends + NEWLINES_SLACK entries
 *   max_ends [in] stop at the first 64-byte step that reaches as many; the rest of that step is written too
 * Returns the entries written, so at most max_ends + 63; what is in ends beyond them is undefined.
 */
size_t newlines_find(const uint8_t *bytes, uint32_t from, uint32_t to, uint32_t *ends, size_t max_ends);

/*
 * newlines_strip_cr() - take the carriage return out of every line that ends in CR LF, moving bytes down in place.
 *   offsets [in,out] n_lines + 1 entries, gap 1
 * Returns the end of the last line, as offsets[n_lines].
 */
uint32_t newlines_strip_cr(uint8_t *bytes, uint32_t *offsets, size_t n_lines);

#endif
