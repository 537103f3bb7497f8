/* io_text.h - a small file of text, whole: lists of ids, tables, profiles. */
#ifndef TAMIS_IO_TEXT_H
#define TAMIS_IO_TEXT_H

#include <stddef.h>

#include "io/io_error.h"

/*
 * io_text_read() - a file, plain or compressed; "-" is standard input.
 *   out [out] its bytes, and a NUL; freed with free(), also after a failure
 *   n   [out] how many, without the NUL
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status io_text_read(const char *path, char **out, size_t *n, io_error *err);

#endif
