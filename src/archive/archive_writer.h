/* archive_writer.h - writes an archive, which gets its name when it is whole. */
#ifndef TAMIS_ARCHIVE_WRITER_H
#define TAMIS_ARCHIVE_WRITER_H

#include "archive/archive_manifest.h"
#include "io/io_safe_file.h"
#include "tamis/search.h"

struct archive_writer;

/* archive_is() - an io_output.is_kind: whether a file begins as an archive does. */
int archive_is(const uint8_t *bytes, size_t n);

/*
 * archive_writer_open() - begins an archive.
 *   output   [in] as of io_safe_file_open()
 *   manifest [in] borrowed for the call
 *   version  [in] as of archive_list_pack()
 *   out      [out] freed by archive_writer_end() or archive_writer_abort()
 * Returns as io_safe_file_open() and io_safe_file_write() do; IO_E_REFUSED also for a pipe, a device or standard output.
 */
io_status archive_writer_open(const io_output *output, const struct archive_manifest *manifest, uint32_t version,
                              struct archive_writer **out, io_error *err);

/*
 * archive_writer_begin_batch(), archive_writer_put() - a query batch, records first .. first + n_records - 1, counted from 0; then each of
 * its lists in order; of a list `batch` is left out. Batches are put in ascending order of records. A batch is written when the next one
 * begins, or at the end. Both return IO_OK, IO_E_OUTPUT or IO_E_MEMORY; after a failure the writer is only good for
 * archive_writer_abort().
 */
io_status archive_writer_begin_batch(struct archive_writer *writer, uint64_t first, uint64_t n_records, io_error *err);
io_status archive_writer_put(struct archive_writer *writer, const tms_found_list *list, io_error *err);

/* archive_writer_end() - the directory and the checksums; the file gets its name. Frees the writer, also after a failure. */
io_status archive_writer_end(struct archive_writer *writer, io_error *err);
void archive_writer_abort(struct archive_writer *writer); /* leaves no file; NULL is fine */

#endif
