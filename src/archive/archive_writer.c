/* archive_writer.c - see archive_writer.h. A query batch is packed in memory, then compressed and written. */
#include "archive/archive_writer.h"

#include <assert.h>
#include <stdlib.h>
#include <zstd.h>

#include "archive/archive_format.h"
#include "archive/archive_lists.h"

enum { LEVEL = 3 };

struct archive_writer {
    io_safe_file *file;
    ZSTD_CCtx *zstd;
    struct archive_head head;       /* of the batch that is being put */
    struct byte_array packed;       /* its lists */
    struct byte_array block;        /* its bytes in the file */
    struct byte_array directory;    /* the heads of the blocks so far */
    uint64_t at, n_blocks, content; /* bytes, blocks and checksum of the content so far */
    bool is_in_batch;
    uint32_t version;
};

int archive_is(const uint8_t *bytes, size_t n)
{
    return n >= ARCHIVE_MAGIC_BYTES && memcmp(bytes, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES) == 0;
}

static io_status put(struct archive_writer *writer, const void *bytes, size_t n, io_error *err)
{
    writer->at += n;
    return io_safe_file_write(writer->file, bytes, n, err);
}

static void free_writer(struct archive_writer *writer)
{
    ZSTD_freeCCtx(writer->zstd);
    free(writer->packed.bytes);
    free(writer->block.bytes);
    free(writer->directory.bytes);
    free(writer);
}

void archive_writer_abort(struct archive_writer *writer)
{
    if (writer == NULL)
        return;
    io_safe_file_abort(writer->file);
    free_writer(writer);
}

/* The header, the manifest, and their checksum. */
static io_status put_manifest(struct archive_writer *writer, const struct archive_manifest *manifest, io_error *err)
{
    struct byte_array bytes = {0};
    uint8_t header[ARCHIVE_HEADER_BYTES] = ARCHIVE_MAGIC, checksum[ARCHIVE_CHECKSUM_BYTES];
    char *text;
    size_t n;
    io_status status = archive_manifest_text(manifest, &text, &n, err);

    if (status != IO_OK)
        return status;
    core_write32(header + ARCHIVE_AT_VERSION, writer->version);
    core_write64(header + ARCHIVE_AT_MANIFEST_BYTES, n);
    if (!byte_array_add(&bytes, header, sizeof header) || !byte_array_add(&bytes, text, n))
        status = io_fail_memory(err, "a manifest");
    if (status == IO_OK) {
        writer->content = xxh3_64(bytes.bytes, bytes.n, 0);
        core_write64(checksum, writer->content);
        status = put(writer, bytes.bytes, bytes.n, err);
    }
    if (status == IO_OK)
        status = put(writer, checksum, sizeof checksum, err);
    free(bytes.bytes);
    free(text);
    return status;
}

io_status archive_writer_open(const io_output *output, const struct archive_manifest *manifest, uint32_t version,
                              struct archive_writer **out, io_error *err)
{
    struct archive_writer *writer = calloc(1, sizeof *writer);
    io_status status;

    *out = NULL;
    if (writer == NULL)
        return io_fail_memory(err, "an archive");
    writer->version = version;
    status = io_safe_file_open(output, &writer->file, err);
    if (status != IO_OK) {
        free_writer(writer);
        return status;
    }
    writer->zstd = ZSTD_createCCtx();
    if (io_safe_file_is_direct(writer->file))
        status = io_fail(err, IO_E_REFUSED, 0, "%s: an archive has to be a regular file", output->path);
    else
        status = writer->zstd != NULL ? put_manifest(writer, manifest, err) : io_fail_memory(err, "an archive");
    if (status != IO_OK) {
        archive_writer_abort(writer);
        return status;
    }
    *out = writer;
    return IO_OK;
}

/* Makes the batch's block, its head not yet set. Returns false if there is no memory. */
static bool make_block(struct archive_writer *writer)
{
    const struct byte_array *packed = &writer->packed;
    const size_t capacity = ZSTD_compressBound(packed->n);
    uint8_t *to;
    size_t n;

    writer->block.n = 0;
    to = byte_array_room(&writer->block, ARCHIVE_HEAD_BYTES + capacity);
    if (to == NULL)
        return false;
    to += ARCHIVE_HEAD_BYTES;
    n = ZSTD_compressCCtx(writer->zstd, to, capacity, packed->bytes, packed->n, LEVEL);
    if (ZSTD_isError(n) || n >= packed->n || packed->n / ARCHIVE_MOST_RATIO >= n) {
        n = packed->n;
        if (n > 0)
            memcpy(to, packed->bytes, n);
    }
    writer->block.n = ARCHIVE_HEAD_BYTES + n;
    return true;
}

/* Writes the batch that is being put, if there is one. */
static io_status end_batch(struct archive_writer *writer, io_error *err)
{
    struct archive_head *head = &writer->head;
    uint8_t *block;

    if (!writer->is_in_batch)
        return IO_OK;
    writer->is_in_batch = false;
    if (!make_block(writer))
        return io_fail_memory(err, "a block of an archive");
    block = writer->block.bytes;
    head->packed_bytes = writer->packed.n;
    head->packed_checksum = xxh3_64(writer->packed.bytes, writer->packed.n, 0);
    head->stored_bytes = writer->block.n - ARCHIVE_HEAD_BYTES;
    archive_head_write(head, block);
    head->checksum = xxh3_64(block + ARCHIVE_CHECKSUM_BYTES, writer->block.n - ARCHIVE_CHECKSUM_BYTES, 0);
    archive_head_write(head, block);
    if (!byte_array_add(&writer->directory, block, ARCHIVE_HEAD_BYTES))
        return io_fail_memory(err, "the directory of an archive");
    writer->content = archive_content(writer->content, block);
    writer->n_blocks++;
    return put(writer, block, writer->block.n, err);
}

io_status archive_writer_begin_batch(struct archive_writer *writer, uint64_t first, uint64_t n_records, io_error *err)
{
    io_status status;

    assert(first >= writer->head.first + writer->head.n_records && first + n_records >= first);
    status = end_batch(writer, err);
    if (status != IO_OK)
        return status;
    writer->head = (struct archive_head){.first = first, .n_records = n_records};
    writer->packed.n = 0;
    writer->is_in_batch = true;
    return IO_OK;
}

io_status archive_writer_put(struct archive_writer *writer, const tms_found_list *list, io_error *err)
{
    assert(writer->is_in_batch);
    writer->head.n_lists++;
    return archive_list_pack(list, writer->version, &writer->packed, err);
}

/* The directory and the trailer. */
static io_status put_end(struct archive_writer *writer, io_error *err)
{
    uint8_t trailer[ARCHIVE_TRAILER_BYTES];
    io_status status;

    core_write64(trailer, writer->content);
    core_write64(trailer + ARCHIVE_AT_DIRECTORY, writer->at);
    core_write64(trailer + ARCHIVE_AT_N_BLOCKS, writer->n_blocks);
    core_write64(trailer + ARCHIVE_AT_DIRECTORY_CHECKSUM, xxh3_64(writer->directory.bytes, writer->directory.n, 0));
    core_write64(trailer + ARCHIVE_AT_TRAILER_CHECKSUM, xxh3_64(trailer, ARCHIVE_AT_TRAILER_CHECKSUM, 0));
    memcpy(trailer + ARCHIVE_AT_END_MAGIC, ARCHIVE_END_MAGIC, ARCHIVE_MAGIC_BYTES);
    status = put(writer, writer->directory.bytes, writer->directory.n, err);
    return status == IO_OK ? put(writer, trailer, sizeof trailer, err) : status;
}

io_status archive_writer_end(struct archive_writer *writer, io_error *err)
{
    io_status status = end_batch(writer, err);

    if (status == IO_OK)
        status = put_end(writer, err);
    if (status != IO_OK) {
        archive_writer_abort(writer);
        return status;
    }
    status = io_safe_file_commit(writer->file, err);
    free_writer(writer);
    return status;
}
