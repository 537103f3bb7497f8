/* archive_writer.c - a block is compressed and written when the next batch begins, so one batch is in memory. */
#include "archive/archive_writer.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "archive/archive_format.h"
#include "archive/archive_lists.h"
#include "base/array.h"

enum { ZSTD_LEVEL = 1 };

struct archive_writer {
    io_safe_file *file;
    uint64_t offset; /* bytes written */
    struct archive_bytes raw, stored, directory;
    uint64_t first, n_records, n_lists; /* of the batch that has begun */
    bool has_batch;
    uint64_t n_blocks, content;
};

int archive_is(const uint8_t *bytes, size_t n)
{
    return n >= ARCHIVE_MAGIC_BYTES && memcmp(bytes, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES) == 0;
}

static io_status write_bytes(struct archive_writer *writer, const void *bytes, size_t n, io_error *err)
{
    writer->offset += n;
    return io_safe_file_write(writer->file, bytes, n, err);
}

/* ---- header and manifest ------------------------------------------------------------------------------------------------------ */

static io_status write_manifest(struct archive_writer *writer, const struct archive_manifest *manifest, io_error *err)
{
    uint8_t header[HEADER_BYTES];
    char *text;
    size_t n;
    io_status status = archive_manifest_text(manifest, &text, &n, err);

    if (status == IO_OK && n > UINT32_MAX)
        status = io_fail(err, IO_E_REFUSED, 0, "a manifest of more than 4 GiB");
    if (status == IO_OK) {
        memcpy(header, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES);
        core_write32(header + HEADER_VERSION, ARCHIVE_VERSION);
        core_write32(header + HEADER_MANIFEST_BYTES, (uint32_t)n);
        core_write64(header + HEADER_MANIFEST_HASH, xxh3_64((const uint8_t *)text, n, 0));
        core_write64(header + HEADER_HASH, xxh3_64(header, HEADER_HASH, 0));
        status = write_bytes(writer, header, sizeof header, err);
    }
    if (status == IO_OK)
        status = write_bytes(writer, text, n, err);
    free(text);
    return status;
}

io_status archive_writer_open(const io_output *output, const struct archive_manifest *manifest, struct archive_writer **out, io_error *err)
{
    struct archive_writer *writer = calloc(1, sizeof *writer);
    io_status status;

    *out = NULL;
    if (writer == NULL)
        return io_fail_memory(err, "a part");
    status = io_safe_file_open(output, &writer->file, err);
    if (status == IO_OK && io_safe_file_is_direct(writer->file))
        status = io_fail(err, IO_E_REFUSED, 0, "%s is no regular file, and a part appears when it is whole: give a file", output->path);
    if (status == IO_OK)
        status = write_manifest(writer, manifest, err);
    if (status == IO_OK)
        *out = writer;
    else
        archive_writer_abort(writer);
    return status;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------------- */

/* Compresses the raw bytes, if that makes them fewer. Returns what is to be stored, or NULL: out of memory. */
static const struct archive_bytes *compress(struct archive_writer *writer, uint32_t *flags)
{
    const size_t most = ZSTD_compressBound(writer->raw.n);

    *flags = 0;
    if (!array_reserve(&writer->stored.bytes, &writer->stored.capacity, most, 1))
        return NULL;
    writer->stored.n = ZSTD_compress(writer->stored.bytes, most, writer->raw.bytes, writer->raw.n, ZSTD_LEVEL);
    if (ZSTD_isError(writer->stored.n) || writer->stored.n >= writer->raw.n)
        return &writer->raw;
    *flags = BLOCK_ZSTD;
    return &writer->stored;
}

static bool add_entry(struct archive_writer *writer, uint64_t hash)
{
    struct archive_bytes *d = &writer->directory;
    uint8_t *entry;

    if (!array_reserve(&d->bytes, &d->capacity, d->n + ENTRY_BYTES, 1))
        return false;
    entry = d->bytes + d->n;
    core_write64(entry + ENTRY_OFFSET, writer->offset);
    core_write64(entry + ENTRY_FIRST, writer->first);
    core_write64(entry + ENTRY_RECORDS, writer->n_records);
    core_write64(entry + ENTRY_LISTS, writer->n_lists);
    core_write64(entry + ENTRY_HASH, hash);
    d->n += ENTRY_BYTES;
    writer->n_blocks++;
    writer->content = archive_content_hash(writer->content, hash);
    return true;
}

static io_status end_batch(struct archive_writer *writer, io_error *err)
{
    const struct archive_bytes *stored;
    uint8_t head[BLOCK_BYTES];
    uint32_t flags;
    uint64_t hash;
    io_status status;

    if (!writer->has_batch)
        return IO_OK;
    writer->has_batch = false;
    stored = compress(writer, &flags);
    if (stored == NULL)
        return io_fail_memory(err, "a part");
    core_write32(head + BLOCK_MAGIC, ARCHIVE_BLOCK);
    core_write32(head + BLOCK_FLAGS, flags);
    core_write64(head + BLOCK_FIRST, writer->first);
    core_write64(head + BLOCK_RECORDS, writer->n_records);
    core_write64(head + BLOCK_LISTS, writer->n_lists);
    core_write64(head + BLOCK_RAW, writer->raw.n);
    core_write64(head + BLOCK_STORED, stored->n);
    hash = archive_block_hash(head, writer->raw.bytes, writer->raw.n);
    core_write64(head + BLOCK_HASH, hash);
    if (!add_entry(writer, hash))
        return io_fail_memory(err, "a part");
    status = write_bytes(writer, head, sizeof head, err);
    return status == IO_OK ? write_bytes(writer, stored->bytes, stored->n, err) : status;
}

io_status archive_writer_begin_batch(struct archive_writer *writer, uint64_t first, uint64_t n_records, io_error *err)
{
    io_status status = end_batch(writer, err);

    writer->first = first;
    writer->n_records = n_records;
    writer->n_lists = 0;
    writer->raw.n = 0;
    writer->has_batch = true;
    return status;
}

io_status archive_writer_put(struct archive_writer *writer, const tms_found_list *list, io_error *err)
{
    writer->n_lists++;
    return archive_list_pack(list, &writer->raw, err);
}

/* ---- the end ------------------------------------------------------------------------------------------------------------------ */

static void free_writer(struct archive_writer *writer)
{
    free(writer->raw.bytes);
    free(writer->stored.bytes);
    free(writer->directory.bytes);
    free(writer);
}

io_status archive_writer_end(struct archive_writer *writer, io_error *err)
{
    uint8_t trailer[TRAILER_BYTES];
    io_status status = end_batch(writer, err);

    core_write64(trailer + TRAILER_DIRECTORY, writer->offset);
    core_write64(trailer + TRAILER_BLOCKS, writer->n_blocks);
    core_write64(trailer + TRAILER_DIRECTORY_HASH, xxh3_64(writer->directory.bytes, writer->directory.n, 0));
    core_write64(trailer + TRAILER_CONTENT, writer->content);
    core_write64(trailer + TRAILER_HASH, xxh3_64(trailer, TRAILER_HASH, 0));
    memcpy(trailer + TRAILER_MAGIC, ARCHIVE_END_MAGIC, ARCHIVE_MAGIC_BYTES);
    if (status == IO_OK)
        status = write_bytes(writer, writer->directory.bytes, writer->directory.n, err);
    if (status == IO_OK)
        status = write_bytes(writer, trailer, sizeof trailer, err);
    if (status == IO_OK)
        status = io_safe_file_commit(writer->file, err);
    else
        io_safe_file_abort(writer->file);
    free_writer(writer);
    return status;
}

void archive_writer_abort(struct archive_writer *writer)
{
    if (writer == NULL)
        return;
    io_safe_file_abort(writer->file);
    free_writer(writer);
}
