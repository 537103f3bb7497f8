/*
 * io_outputs.h - output files that are written at the same time. The context's threads compress whole blocks, a writer thread writes what
 * is ready while the caller continues, and at the end all files appear together, or none does.
 *
 * The caller appends to the files' buffers and calls io_outputs_flush() now and then. The bytes of a file depend only on what was
 * appended, neither on when it was flushed nor on the number of threads. A file is a regular file; or a pipe, a device or "-", which
 * receives its bytes at once.
 */
#ifndef TAMIS_IO_OUTPUTS_H
#define TAMIS_IO_OUTPUTS_H

#include "base/byte_array.h"
#include "io/io_compress.h"
#include "io/io_safe_file.h"
#include "tamis/context.h"

typedef struct io_outputs io_outputs;

/* io_outputs_create() - no file yet. ctx [in] its threads compress; borrowed until commit or abort. Returns IO_OK or IO_E_MEMORY. */
io_status io_outputs_create(tms_context *ctx, io_outputs **out, io_error *err);

/*
 * io_outputs_add() - add a file.
 *   compression [in]  IO_PLAIN, IO_GZIP (BGZF) or IO_ZSTD
 *   number      [out] the file's number: 0, 1, ...
 * Returns as io_safe_file_open(); also IO_E_REFUSED if an earlier output is the same file.
 */
io_status io_outputs_add(io_outputs *outputs, const io_output *output, io_compression compression, size_t *number, io_error *err);

/* io_outputs_buffer() - the buffer that the caller appends to; valid until the next io_outputs_add(). */
struct byte_array *io_outputs_buffer(io_outputs *outputs, size_t number);

/*
 * io_outputs_flush() - compress and write the appended bytes, if there are enough of them.
 * Returns IO_OK; IO_E_OUTPUT, also for bytes written since the last call; IO_E_MEMORY.
 */
io_status io_outputs_flush(io_outputs *outputs, io_error *err);

/* io_outputs_commit() - write everything, give all files their names, free. On failure no regular file is created or replaced. */
io_status io_outputs_commit(io_outputs *outputs, io_error *err);

/* io_outputs_abort() - leave no regular file, free; NULL is fine. */
void io_outputs_abort(io_outputs *outputs);

#endif
