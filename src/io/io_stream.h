/*
 * io_stream.h - the bytes of a file or of standard input, decompressed.
 *
 * Formats: plain, gzip (any number of members, so also bgzip), zstd (any number of frames, also skippable ones), xz (any number of
 * streams, with padding) and bzip2 (any number of streams). The first bytes decide, never the name. A stream that ends early or fails its
 * check is an error that names the file and the offset in it. The error is permanent: every later read returns it again.
 *
 * BGZF, the gzip of bgzip, has an end mark: an empty block of 28 bytes. Where BGZF blocks end (at the end of the file, or before a member
 * that is no BGZF block) the last block has to be that mark, or the file is truncated. So BGZF files may be concatenated, also with plain
 * gzip files: marks between them are ignored, and plain gzip members have none. The price: a plain gzip file that was truncated after a
 * whole member is accepted as complete.
 */
#ifndef TAMIS_IO_STREAM_H
#define TAMIS_IO_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

typedef struct io_stream io_stream;

typedef enum io_compression { IO_PLAIN, IO_GZIP, IO_ZSTD, IO_XZ, IO_BZIP2 } io_compression; /* IO_GZIP includes BGZF */

/*
 * io_stream_open() - open a file for reading.
 *   path      [in]  borrowed until io_stream_close(); "-" is standard input
 *   cancel_fd [in]  a descriptor; when it becomes readable, a read that waits (pipe, terminal) gives up and reports the end of the stream;
 *                   -1 for none
 *   out       [out] closed with io_stream_close()
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY. Reads nothing yet.
 */
io_status io_stream_open(const char *path, int cancel_fd, io_stream **out, io_error *err);
void io_stream_close(io_stream *stream);

/*
 * io_stream_read() - read the next bytes.
 *   dst [out] room for size bytes, 1 or more
 *   n   [out] bytes written, 1 or more with IO_OK: a pipe gives what it has
 * Returns IO_OK; IO_END; IO_E_INPUT; IO_E_MEMORY.
 */
io_status io_stream_read(io_stream *stream, uint8_t *dst, size_t size, size_t *n, io_error *err);

/*
 * io_stream_pauses() - 1 if a pipe or terminal has nothing more just now. Waits a millisecond for more, because a busy writer pauses no
 * longer than that; a file never pauses.
 */
int io_stream_pauses(const io_stream *stream);

/* io_stream_offset() - bytes of the stored (compressed) file used so far. */
uint64_t io_stream_offset(const io_stream *stream);

/* io_stream_compression() - the compression; valid once a byte has been read. */
io_compression io_stream_compression(const io_stream *stream);

/* io_stream_path_size() - size of a regular file in bytes. Returns 1, or 0 if the size is not known in advance (a pipe, no file). */
int io_stream_path_size(const char *path, uint64_t *size_bytes);

/* io_stream_name() - the path for messages: "standard input" for "-". */
const char *io_stream_name(const char *path);

#endif
