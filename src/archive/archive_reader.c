/*
 * archive_reader.c - see archive_reader.h.
 *
 * A file is read with pread(), not mapped: one that is cut off while it is read is an error and no SIGBUS, and pages that were read do not
 * count as the process's memory. A merge opens many archives and reads each from its first batch to its last, so a reader keeps its
 * descriptor and its buffers only from the first batch that is read to the last one of the archive.
 */
#include "archive/archive_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "archive/archive_format.h"
#include "io/io_safe_file.h"

struct block {
    uint64_t at;
    struct archive_head head;
};

struct archive_reader {
    const char *path;
    uint64_t size;
    uint32_t version;
    struct archive_manifest manifest;
    struct block *blocks;
    uint64_t n_blocks;
    uint64_t content, lists; /* checksums up to the blocks set so far: of manifest and lists; of the lists alone */

    int fd; /* -1: not open */
    ZSTD_DCtx *zstd;
    struct byte_array block, packed; /* of the batch that was read last */
};

static io_status fail_damaged(const struct archive_reader *reader, const char *what, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: %s: run that shard again", reader->path, what);
}

/* ---- the file ----------------------------------------------------------------------------------------------------------------- */

static io_status open_file(struct archive_reader *reader, io_error *err)
{
    struct stat info;

    if (reader->fd >= 0)
        return IO_OK;
    reader->fd = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* does not wait for the writer of a named pipe */
    if (reader->fd < 0 || fstat(reader->fd, &info) != 0)
        return io_fail(err, IO_E_INPUT, errno, "%s: %s", reader->path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return io_fail(err, IO_E_INPUT, 0, "%s: is not a regular file, which an archive has to be", reader->path);
    reader->size = (uint64_t)info.st_size;
    return IO_OK;
}

static void close_file(struct archive_reader *reader)
{
    if (reader->fd >= 0)
        close(reader->fd);
    reader->fd = -1;
    ZSTD_freeDCtx(reader->zstd);
    free(reader->block.bytes);
    free(reader->packed.bytes);
    reader->zstd = NULL;
    reader->block = reader->packed = (struct byte_array){0};
}

/* Reads n bytes from byte `at` on. */
static io_status read_at(const struct archive_reader *reader, uint64_t at, uint8_t *to, size_t n, io_error *err)
{
    while (n > 0) {
        const ssize_t got = pread(reader->fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_fail(err, IO_E_INPUT, errno, "%s: %s", reader->path, strerror(errno));
        if (got == 0)
            return fail_damaged(reader, "is cut off", err);
        to += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return IO_OK;
}

/* Reads n bytes into an array, which gets just these; n is at most the size of the file. */
static io_status read_array(const struct archive_reader *reader, uint64_t at, uint64_t n, struct byte_array *to, io_error *err)
{
    to->n = 0;
    if (byte_array_room(to, (size_t)n) == NULL)
        return io_fail_memory(err, "a part of an archive");
    to->n = (size_t)n;
    return read_at(reader, at, to->bytes, to->n, err);
}

/* ---- what is read when it is opened --------------------------------------------------------------------------------------------- */

/* Reads and checks magic, version and reserved bytes. */
static io_status read_header(struct archive_reader *reader, uint8_t header[ARCHIVE_HEADER_BYTES], io_error *err)
{
    const uint64_t n = reader->size < ARCHIVE_HEADER_BYTES ? reader->size : ARCHIVE_HEADER_BYTES;
    io_status status = read_at(reader, 0, header, (size_t)n, err);

    if (status != IO_OK)
        return status;
    if (n == 0)
        return fail_damaged(reader, "is empty", err);
    if (memcmp(header, ARCHIVE_MAGIC, n < ARCHIVE_MAGIC_BYTES ? (size_t)n : ARCHIVE_MAGIC_BYTES) != 0)
        return io_fail(err, IO_E_INPUT, 0, "%s: is no archive of a search: name files that tamis wrote with --shard or --archive",
                       reader->path);
    if (reader->size < ARCHIVE_HEADER_BYTES + ARCHIVE_CHECKSUM_BYTES + ARCHIVE_TRAILER_BYTES)
        return fail_damaged(reader, "is cut off", err);
    reader->version = core_read32(header + ARCHIVE_AT_VERSION);
    if (reader->version < ARCHIVE_VERSION || reader->version > ARCHIVE_VERSION_OF_CHAINS)
        return io_fail(err, IO_E_INPUT, 0,
                       "%s: is an archive of version %u, and this tamis reads versions %d to %d: use the tamis that wrote it", reader->path,
                       reader->version, ARCHIVE_VERSION, ARCHIVE_VERSION_OF_CHAINS);
    if (core_read32(header + ARCHIVE_AT_RESERVED) != 0)
        return fail_damaged(reader, "its header is damaged", err);
    return IO_OK;
}

/* Reads and checks the trailer, and sets the number of blocks. */
static io_status read_trailer(struct archive_reader *reader, uint8_t trailer[ARCHIVE_TRAILER_BYTES], io_error *err)
{
    const uint64_t at = reader->size - ARCHIVE_TRAILER_BYTES;
    io_status status = read_at(reader, at, trailer, ARCHIVE_TRAILER_BYTES, err);
    uint64_t directory;

    if (status != IO_OK)
        return status;
    if (memcmp(trailer + ARCHIVE_AT_END_MAGIC, ARCHIVE_END_MAGIC, ARCHIVE_MAGIC_BYTES) != 0)
        return fail_damaged(reader, "is cut off, or damaged at its end", err);
    directory = core_read64(trailer + ARCHIVE_AT_DIRECTORY);
    reader->n_blocks = core_read64(trailer + ARCHIVE_AT_N_BLOCKS);
    if (core_read64(trailer + ARCHIVE_AT_TRAILER_CHECKSUM) != xxh3_64(trailer, ARCHIVE_AT_TRAILER_CHECKSUM, 0) || directory > at ||
        reader->n_blocks != (at - directory) / ARCHIVE_HEAD_BYTES || (at - directory) % ARCHIVE_HEAD_BYTES != 0)
        return fail_damaged(reader, "its trailer is damaged", err);
    return IO_OK;
}

/* Reads and checks the manifest, and sets the checksum of the content to that of header and manifest. */
static io_status read_manifest(struct archive_reader *reader, const uint8_t *header, uint64_t directory, uint64_t *end, io_error *err)
{
    const uint64_t n = core_read64(header + ARCHIVE_AT_MANIFEST_BYTES);
    struct byte_array bytes = {0};
    io_status status;

    if (directory < ARCHIVE_HEADER_BYTES + ARCHIVE_CHECKSUM_BYTES || n > directory - ARCHIVE_HEADER_BYTES - ARCHIVE_CHECKSUM_BYTES)
        return fail_damaged(reader, "its header is damaged", err);
    *end = ARCHIVE_HEADER_BYTES + n + ARCHIVE_CHECKSUM_BYTES;
    status = read_array(reader, 0, *end, &bytes, err);
    if (status == IO_OK) {
        reader->content = xxh3_64(bytes.bytes, ARCHIVE_HEADER_BYTES + (size_t)n, 0);
        if (core_read64(bytes.bytes + ARCHIVE_HEADER_BYTES + n) != reader->content)
            status = fail_damaged(reader, "its manifest is damaged", err);
        else
            status = archive_manifest_parse((const char *)bytes.bytes + ARCHIVE_HEADER_BYTES, (size_t)n, &reader->manifest, err);
        if (status == IO_E_INPUT)
            status = fail_damaged(reader, "its manifest is damaged", err);
    }
    free(bytes.bytes);
    return status;
}

/*
 * Sets the blocks of the directory's heads; the first block begins at byte `at`, the directory at byte `end`. Returns false if these
 * cannot be heads of blocks.
 */
static bool set_blocks(struct archive_reader *reader, const uint8_t *heads, uint64_t at, uint64_t end)
{
    uint64_t record = 0; /* the least that the next batch may begin with */

    for (uint64_t i = 0; i < reader->n_blocks; i++, heads += ARCHIVE_HEAD_BYTES) {
        const struct archive_head h = archive_head_read(heads);
        reader->blocks[i] = (struct block){at, h};
        if (end - at < ARCHIVE_HEAD_BYTES || h.stored_bytes > end - at - ARCHIVE_HEAD_BYTES || h.packed_bytes < h.stored_bytes ||
            h.packed_bytes / ARCHIVE_MOST_RATIO > h.stored_bytes || h.n_lists > h.packed_bytes || h.first < record ||
            __builtin_add_overflow(h.first, h.n_records, &record))
            return false;
        at += ARCHIVE_HEAD_BYTES + h.stored_bytes;
        reader->content = archive_content(reader->content, heads);
        reader->lists = archive_content(reader->lists, heads);
    }
    return at == end;
}

/* Reads and checks the directory. */
static io_status read_directory(struct archive_reader *reader, const uint8_t *trailer, uint64_t first_block, io_error *err)
{
    const uint64_t at = core_read64(trailer + ARCHIVE_AT_DIRECTORY);
    struct byte_array heads = {0};
    io_status status = read_array(reader, at, reader->n_blocks * ARCHIVE_HEAD_BYTES, &heads, err);

    if (status == IO_OK) {
        reader->blocks = malloc((size_t)(reader->n_blocks + 1) * sizeof *reader->blocks);
        if (reader->blocks == NULL)
            status = io_fail_memory(err, "the directory of an archive");
        else if (core_read64(trailer + ARCHIVE_AT_DIRECTORY_CHECKSUM) != xxh3_64(heads.bytes, heads.n, 0) ||
                 !set_blocks(reader, heads.bytes, first_block, at) || reader->content != core_read64(trailer))
            status = fail_damaged(reader, "its directory is damaged", err);
    }
    free(heads.bytes);
    return status;
}

io_status archive_reader_open(const char *path, struct archive_reader **out, io_error *err)
{
    struct archive_reader *reader = calloc(1, sizeof *reader);
    uint8_t header[ARCHIVE_HEADER_BYTES], trailer[ARCHIVE_TRAILER_BYTES];
    uint64_t first_block = 0;
    io_status status;

    *out = NULL;
    if (reader == NULL)
        return io_fail_memory(err, "an archive");
    reader->path = path;
    reader->fd = -1;
    status = open_file(reader, err);
    if (status == IO_OK)
        status = io_check_stdout(&path, 1, err);
    if (status == IO_OK)
        status = read_header(reader, header, err);
    if (status == IO_OK)
        status = read_trailer(reader, trailer, err);
    if (status == IO_OK)
        status = read_manifest(reader, header, core_read64(trailer + ARCHIVE_AT_DIRECTORY), &first_block, err);
    if (status == IO_OK)
        status = read_directory(reader, trailer, first_block, err);
    close_file(reader);
    if (status != IO_OK)
        archive_reader_close(reader);
    else
        *out = reader;
    return status;
}

void archive_reader_close(struct archive_reader *reader)
{
    if (reader == NULL)
        return;
    close_file(reader);
    archive_manifest_free(&reader->manifest);
    free(reader->blocks);
    free(reader);
}

const char *archive_reader_path(const struct archive_reader *reader) { return reader->path; }

const struct archive_manifest *archive_reader_manifest(const struct archive_reader *reader) { return &reader->manifest; }

uint64_t archive_reader_n_batches(const struct archive_reader *reader) { return reader->n_blocks; }

struct archive_batch archive_reader_batch(const struct archive_reader *reader, uint64_t i)
{
    const struct archive_head *head = &reader->blocks[i].head;

    return (struct archive_batch){head->first, head->n_records, head->n_lists};
}

uint64_t archive_reader_checksum(const struct archive_reader *reader) { return reader->lists; }

/* ---- batches ------------------------------------------------------------------------------------------------------------------ */

static io_status fail_block(const struct archive_reader *reader, uint64_t i, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: block %llu is damaged: run that shard again", reader->path, (unsigned long long)i + 1);
}

/* Reads block i, and compares it with its checksum and with the directory. */
static io_status read_block(struct archive_reader *reader, uint64_t i, io_error *err)
{
    const struct block *block = &reader->blocks[i];
    uint8_t head[ARCHIVE_HEAD_BYTES];
    const uint64_t size = reader->size;
    io_status status = open_file(reader, err);

    if (status == IO_OK && reader->size != size)
        status = io_fail(err, IO_E_INPUT, 0, "%s: has changed since it was opened", reader->path);
    if (status == IO_OK)
        status = read_array(reader, block->at, ARCHIVE_HEAD_BYTES + block->head.stored_bytes, &reader->block, err);
    if (status != IO_OK)
        return status;
    archive_head_write(&block->head, head);
    if (memcmp(head, reader->block.bytes, sizeof head) != 0 ||
        block->head.checksum != xxh3_64(reader->block.bytes + ARCHIVE_CHECKSUM_BYTES, reader->block.n - ARCHIVE_CHECKSUM_BYTES, 0))
        return fail_block(reader, i, err);
    return IO_OK;
}

/* Unpacks the block that was read, number i: decompresses it, unless it is stored as it is. */
static io_status unpack(struct archive_reader *reader, uint64_t i, struct archive_lists *out, io_error *err)
{
    const struct archive_head *head = &reader->blocks[i].head;
    const uint8_t *packed = reader->block.bytes + ARCHIVE_HEAD_BYTES;
    const size_t n = (size_t)head->packed_bytes;
    io_status status;

    if (head->stored_bytes != head->packed_bytes) {
        reader->packed.n = 0;
        if (reader->zstd == NULL)
            reader->zstd = ZSTD_createDCtx();
        if (reader->zstd == NULL || byte_array_room(&reader->packed, n) == NULL)
            return io_fail_memory(err, "a part of an archive");
        if (ZSTD_decompressDCtx(reader->zstd, reader->packed.bytes, n, packed, (size_t)head->stored_bytes) != n)
            return fail_block(reader, i, err);
        packed = reader->packed.bytes;
    }
    if (xxh3_64(packed, n, 0) != head->packed_checksum)
        return fail_block(reader, i, err);
    status = archive_lists_unpack(packed, n, reader->version, head->n_lists, out, err);
    return status == IO_E_INPUT ? fail_block(reader, i, err) : status;
}

io_status archive_reader_read(struct archive_reader *reader, uint64_t i, struct archive_lists *out, io_error *err)
{
    io_status status = read_block(reader, i, err);

    if (status == IO_OK)
        status = unpack(reader, i, out, err);
    if (status != IO_OK || i + 1 == reader->n_blocks)
        close_file(reader);
    return status;
}

io_status archive_reader_check(struct archive_reader *reader, io_error *err)
{
    io_status status = IO_OK;

    for (uint64_t i = 0; i < reader->n_blocks && status == IO_OK; i++)
        status = read_block(reader, i, err);
    close_file(reader);
    return status;
}
