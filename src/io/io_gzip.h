/* io_gzip.h - decodes gzip and bgzip. */
#ifndef TAMIS_IO_GZIP_H
#define TAMIS_IO_GZIP_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

struct io_stream; /* io_stream_bytes.h */

/* io_gzip_read() - decodes bytes of a stream of gzip into dst, as io_stream_read(). *n [in,out] 0 at first; still 0: the end */
io_status io_gzip_read(struct io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err);

#endif
