/*
 * io_stream.h - the bytes of a file or of standard input, decompressed.
 *
 * Plain, gzip (any number of members, so bgzip too), zstd (any number of frames, skippable ones too), xz (any number
 * of streams, with padding) and bzip2 (any number of streams) are told apart by their first bytes, never by name. A
 * stream that ends early or does not check out is an error that names the file and the offset in it; the error stays:
 * every later read returns it again.
 *
 * BGZF, the gzip of bgzip, has a mark of its end: an empty block of 28 bytes. Where BGZF blocks end, at the end of the
 * file or before a member that is no BGZF block, the last one has to be that mark, or the file is truncated. So BGZF
 * files may be concatenated, also with plain gzip files: marks between them do not matter, and plain gzip members have
 * none. The price is that a plain gzip file that was truncated after a whole member is taken as complete.
 */
#ifndef TAMIS_IO_STREAM_H
#define TAMIS_IO_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

typedef struct io_stream io_stream;

typedef enum io_compression { IO_PLAIN, IO_GZIP, IO_ZSTD, IO_XZ, IO_BZIP2 } io_compression; /* IO_GZIP: bgzip, too */

/*
 * io_stream_open() - open a file for reading.
 *   path      [in] borrowed until io_stream_close(); "-" is standard input
 *   cancel_fd [in] a descriptor that becomes readable when a read that waits (pipe, terminal) should give up,
 *                  as the end of the stream; -1 for none
 *   out       [out] closed with io_stream_close()
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY. Reads nothing yet.
 */
io_status io_stream_open(const char *path, int cancel_fd, io_stream **out, io_error *err);
void io_stream_close(io_stream *stream);

/*
 * io_stream_read() - the next bytes.
 *   dst [out] up to size bytes (1 or more)
 *   n   [out] bytes written, 1 or more with IO_OK: a pipe gives what it has
 * Returns IO_OK; IO_END; IO_E_INPUT; IO_E_MEMORY.
 */
io_status io_stream_read(io_stream *stream, uint8_t *dst, size_t size, size_t *n, io_error *err);

/*
 * io_stream_pauses() - has a pipe or terminal nothing more just now? Waits a millisecond for it, because a writer that
 * is busy pauses no longer; a file never pauses.
 */
int io_stream_pauses(const io_stream *stream);

/* io_stream_offset() - bytes of the file itself used so far (compressed, where it is compressed). */
uint64_t io_stream_offset(const io_stream *stream);

/* io_stream_compression() - by the first bytes, once one was read. */
io_compression io_stream_compression(const io_stream *stream);

/* io_stream_path_size() - bytes of a regular file. Returns 1, or 0 where they cannot be known ahead (a pipe, no file).
 */
int io_stream_path_size(const char *path, uint64_t *size_bytes);

/* io_stream_name() - the path for messages: "standard input" for "-". */
const char *io_stream_name(const char *path);

#endif
