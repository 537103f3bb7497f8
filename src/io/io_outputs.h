/*
 * io_outputs.h - output files that are written side by side: whole blocks are compressed by the context's threads, a thread of its own
 * writes what is ready while the caller goes on, and all files appear together at the end, or none.
 *
 * The caller appends to the buffers of the files, and says now and then io_outputs_flush(). A file's bytes depend on what was appended
 * alone, not on when it was flushed or by how many threads. Files are regular ones, or pipes, devices and "-", to which bytes go as
 * they come.
 */
#ifndef TAMIS_IO_OUTPUTS_H
#define TAMIS_IO_OUTPUTS_H

#include "base/byte_array.h"
#include "io/io_compress.h"
#include "io/io_safe_file.h"
#include "tamis/context.h"

typedef struct io_outputs io_outputs;

/* io_outputs_create() - no file yet. ctx [in] its threads compress; borrowed until the end. Returns IO_OK or IO_E_MEMORY. */
io_status io_outputs_create(tms_context *ctx, io_outputs **out, io_error *err);

/*
 * io_outputs_add() - one more file.
 *   compression [in]  IO_PLAIN, IO_GZIP (BGZF) or IO_ZSTD
 *   number      [out] 0, 1, ...
 * Returns as io_safe_file_open(); IO_E_REFUSED too where an earlier output is the same file.
 */
io_status io_outputs_add(io_outputs *outputs, const io_output *output, io_compression compression, size_t *number, io_error *err);

/* io_outputs_buffer() - what the caller appends to; good until the next io_outputs_add(). */
struct byte_array *io_outputs_buffer(io_outputs *outputs, size_t number);

/*
 * io_outputs_flush() - what was appended goes on its way, if it is enough to be worth it.
 * Returns IO_OK; IO_E_OUTPUT, also for what was written since the last call; IO_E_MEMORY.
 */
io_status io_outputs_flush(io_outputs *outputs, io_error *err);

/* io_outputs_commit() - all the rest, then all files get their names; frees. On failure no regular file is left, or replaced. */
io_status io_outputs_commit(io_outputs *outputs, io_error *err);

/* io_outputs_abort() - leave no regular file; frees. NULL is fine. */
void io_outputs_abort(io_outputs *outputs);

#endif
