/*
 * archive_reader.h - reads an archive, which lies in a file. Nothing of a damaged file is returned: the manifest and the directory are
 * checked when it is opened, each batch when it is read. A reader takes memory for its directory, and for one batch while there are more
 * to read; one thread at a time may use it.
 */
#ifndef TAMIS_ARCHIVE_READER_H
#define TAMIS_ARCHIVE_READER_H

#include "archive/archive_lists.h"
#include "archive/archive_manifest.h"

struct archive_reader;

/*
 * archive_reader_open() - opens an archive.
 *   path [in]  borrowed until archive_reader_close()
 *   out  [out] closed with archive_reader_close()
 * Returns IO_OK; IO_E_INPUT: there is no such file, or it is no archive, of another version, damaged, or cut off (the message says which);
 * IO_E_REFUSED: standard output goes to the same file; IO_E_MEMORY.
 */
io_status archive_reader_open(const char *path, struct archive_reader **out, io_error *err);
void archive_reader_close(struct archive_reader *reader); /* NULL is fine */

const char *archive_reader_path(const struct archive_reader *reader);
const struct archive_manifest *archive_reader_manifest(const struct archive_reader *reader);

/* A query batch of the archive: records first .. first + n_records - 1. */
struct archive_batch {
    uint64_t first, n_records, n_lists;
};

uint64_t archive_reader_n_batches(const struct archive_reader *reader);
struct archive_batch archive_reader_batch(const struct archive_reader *reader, uint64_t i);

/*
 * archive_reader_read() - the lists of batch i; the memory of *out is used again. Batches may be read in any order, and again; the file is
 * open from the first one that is read until the archive's last batch was. Returns IO_OK, IO_E_INPUT or IO_E_MEMORY.
 */
io_status archive_reader_read(struct archive_reader *reader, uint64_t i, struct archive_lists *out, io_error *err);

/*
 * archive_reader_checksum() - identifies the lists of all batches, without the manifest: archives of equal lists have equal ones, though
 * another zstd may have compressed them to other bytes.
 */
uint64_t archive_reader_checksum(const struct archive_reader *reader);

/*
 * archive_reader_check() - reads all blocks and compares them with their checksums; the rest was checked by archive_reader_open().
 * Returns IO_OK, IO_E_INPUT or IO_E_MEMORY.
 */
io_status archive_reader_check(struct archive_reader *reader, io_error *err);

#endif
