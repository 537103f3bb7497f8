/* archive_reader.c - the file is mapped, so any number of parts takes little memory. */
#include "archive/archive_reader.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "archive/archive_format.h"
#include "base/array.h"
#include "io/io_map.h"

/* A block's raw bytes are no more than this for each stored one, and as many as a block without any content may have. */
#define MOST_RATIO UINT64_C(4096)
#define MOST_EMPTY (UINT64_C(64) << 20)

struct archive_reader {
    const char *path;
    io_map map;
    const uint8_t *bytes; /* of the map */
    struct archive_manifest manifest;
    uint64_t n_blocks, directory, content; /* directory: its offset */
    struct archive_bytes raw;              /* of the block that was read last */
};

/* ---- opening ------------------------------------------------------------------------------------------------------------------ */

static io_status fail(const struct archive_reader *reader, const char *what, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: %s: make this part again", reader->path, what);
}

static io_status read_trailer(struct archive_reader *reader, io_error *err)
{
    const uint8_t *trailer = reader->bytes + reader->map.size - TRAILER_BYTES;
    uint64_t room;

    if (memcmp(trailer + TRAILER_MAGIC, ARCHIVE_END_MAGIC, ARCHIVE_MAGIC_BYTES) != 0)
        return fail(reader, "it is cut off, or its end is damaged", err);
    if (core_read64(trailer + TRAILER_HASH) != xxh3_64(trailer, TRAILER_HASH, 0))
        return fail(reader, "its end is damaged", err);
    reader->directory = core_read64(trailer + TRAILER_DIRECTORY);
    reader->n_blocks = core_read64(trailer + TRAILER_BLOCKS);
    reader->content = core_read64(trailer + TRAILER_CONTENT);
    if (reader->directory < HEADER_BYTES || reader->directory > reader->map.size - TRAILER_BYTES)
        return fail(reader, "its directory is not where its end says", err);
    room = reader->map.size - TRAILER_BYTES - reader->directory;
    if (room % ENTRY_BYTES != 0 || room / ENTRY_BYTES != reader->n_blocks)
        return fail(reader, "its directory has another size than its end says", err);
    if (xxh3_64(reader->bytes + reader->directory, (size_t)room, 0) != core_read64(trailer + TRAILER_DIRECTORY_HASH))
        return fail(reader, "its directory is damaged", err);
    return IO_OK;
}

static io_status read_manifest(struct archive_reader *reader, io_error *err)
{
    const size_t n = core_read32(reader->bytes + HEADER_MANIFEST_BYTES);
    io_error why;
    io_status status;

    if (n > reader->directory - HEADER_BYTES)
        return fail(reader, "its manifest is longer than the file", err);
    if (xxh3_64(reader->bytes + HEADER_BYTES, n, 0) != core_read64(reader->bytes + HEADER_MANIFEST_HASH))
        return fail(reader, "its manifest is damaged", err);
    status = archive_manifest_parse((const char *)reader->bytes + HEADER_BYTES, n, &reader->manifest, &why);
    if (status == IO_E_INPUT)
        return fail(reader, why.text, err);
    if (status != IO_OK)
        *err = why;
    return status;
}

static io_status read_frame(struct archive_reader *reader, io_error *err)
{
    io_status status;
    uint32_t version;

    if (reader->map.size < ARCHIVE_MAGIC_BYTES || memcmp(reader->bytes, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES) != 0)
        return io_fail(err, IO_E_INPUT, 0, "%s: it is no part of a search", reader->path);
    if (reader->map.size < HEADER_BYTES + TRAILER_BYTES)
        return fail(reader, "it is cut off", err);
    if (core_read64(reader->bytes + HEADER_HASH) != xxh3_64(reader->bytes, HEADER_HASH, 0))
        return fail(reader, "its header is damaged", err);
    version = core_read32(reader->bytes + HEADER_VERSION);
    if (version != ARCHIVE_VERSION)
        return io_fail(err, IO_E_INPUT, 0, "%s: a part of version %u, and this tamis reads version %d: use the tamis that made it",
                       reader->path, (unsigned)version, ARCHIVE_VERSION);
    status = read_trailer(reader, err);
    return status == IO_OK ? read_manifest(reader, err) : status;
}

io_status archive_reader_open(const char *path, struct archive_reader **out, io_error *err)
{
    struct archive_reader *reader = calloc(1, sizeof *reader);
    io_status status;

    *out = NULL;
    if (reader == NULL)
        return io_fail_memory(err, "a part");
    reader->path = path;
    status = io_map_open(path, &reader->map, err);
    if (status != IO_OK) {
        free(reader);
        return status;
    }
    reader->bytes = reader->map.bytes;
    status = read_frame(reader, err);
    if (status == IO_OK)
        *out = reader;
    else
        archive_reader_close(reader);
    return status;
}

void archive_reader_close(struct archive_reader *reader)
{
    if (reader == NULL)
        return;
    io_map_close(&reader->map);
    archive_manifest_free(&reader->manifest);
    free(reader->raw.bytes);
    free(reader);
}

const char *archive_reader_path(const struct archive_reader *reader) { return reader->path; }
const struct archive_manifest *archive_reader_manifest(const struct archive_reader *reader) { return &reader->manifest; }
uint64_t archive_reader_n_batches(const struct archive_reader *reader) { return reader->n_blocks; }
uint64_t archive_reader_checksum(const struct archive_reader *reader) { return reader->content; }

/* ---- blocks ------------------------------------------------------------------------------------------------------------------- */

static const uint8_t *entry_of(const struct archive_reader *reader, uint64_t i)
{
    return reader->bytes + reader->directory + i * ENTRY_BYTES;
}

struct archive_batch archive_reader_batch(const struct archive_reader *reader, uint64_t i)
{
    const uint8_t *entry = entry_of(reader, i);

    return (struct archive_batch){core_read64(entry + ENTRY_FIRST), core_read64(entry + ENTRY_RECORDS), core_read64(entry + ENTRY_LISTS)};
}

static io_status fail_block(const struct archive_reader *reader, uint64_t i, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: block %llu of %llu is damaged: make this part again", reader->path, (unsigned long long)i + 1,
                   (unsigned long long)reader->n_blocks);
}

/* The head of block i, if it and the stored bytes lie before the directory, and it is the directory's; else NULL. */
static const uint8_t *head_of(const struct archive_reader *reader, uint64_t i)
{
    const uint8_t *entry = entry_of(reader, i), *head;
    const uint64_t offset = core_read64(entry + ENTRY_OFFSET);

    if (offset < HEADER_BYTES || offset > reader->directory || reader->directory - offset < BLOCK_BYTES)
        return NULL;
    head = reader->bytes + offset;
    if (core_read32(head + BLOCK_MAGIC) != ARCHIVE_BLOCK || (core_read32(head + BLOCK_FLAGS) & ~BLOCK_ZSTD) != 0 ||
        memcmp(head + BLOCK_FIRST, entry + ENTRY_FIRST, ENTRY_HASH - ENTRY_FIRST) != 0 ||
        core_read64(head + BLOCK_HASH) != core_read64(entry + ENTRY_HASH))
        return NULL;
    return core_read64(head + BLOCK_STORED) <= reader->directory - offset - BLOCK_BYTES ? head : NULL;
}

/* Sets reader->raw to the raw bytes of a block. Returns IO_OK, IO_E_INPUT without a message, or IO_E_MEMORY. */
static io_status read_raw(struct archive_reader *reader, const uint8_t *head, io_error *err)
{
    const uint64_t raw = core_read64(head + BLOCK_RAW), stored = core_read64(head + BLOCK_STORED);
    const uint8_t *bytes = head + BLOCK_BYTES;

    if (raw > MOST_EMPTY + MOST_RATIO * stored)
        return IO_E_INPUT;
    if (!array_reserve(&reader->raw.bytes, &reader->raw.capacity, (size_t)raw + 1, 1))
        return io_fail_memory(err, "a block of a part");
    reader->raw.n = (size_t)raw;
    if (core_read32(head + BLOCK_FLAGS) & BLOCK_ZSTD) {
        if (ZSTD_decompress(reader->raw.bytes, (size_t)raw, bytes, (size_t)stored) != raw)
            return IO_E_INPUT;
    } else if (raw != stored) {
        return IO_E_INPUT;
    } else {
        memcpy(reader->raw.bytes, bytes, (size_t)raw);
    }
    return archive_block_hash(head, reader->raw.bytes, (size_t)raw) == core_read64(head + BLOCK_HASH) ? IO_OK : IO_E_INPUT;
}

static io_status read_block(struct archive_reader *reader, uint64_t i, io_error *err)
{
    const uint8_t *head = head_of(reader, i);
    const io_status status = head != NULL ? read_raw(reader, head, err) : IO_E_INPUT;

    return status == IO_E_INPUT ? fail_block(reader, i, err) : status;
}

io_status archive_reader_read(struct archive_reader *reader, uint64_t i, struct archive_lists *out, io_error *err)
{
    io_status status = read_block(reader, i, err);

    if (status != IO_OK)
        return status;
    status = archive_lists_unpack(reader->raw.bytes, reader->raw.n, archive_reader_batch(reader, i).n_lists, out, err);
    return status == IO_E_INPUT ? fail_block(reader, i, err) : status;
}

io_status archive_reader_check(struct archive_reader *reader, io_error *err)
{
    struct archive_lists lists = {0};
    uint64_t content = 0, next = HEADER_BYTES + core_read32(reader->bytes + HEADER_MANIFEST_BYTES);
    io_status status = IO_OK;

    for (uint64_t i = 0; i < reader->n_blocks && status == IO_OK; i++) {
        const uint8_t *entry = entry_of(reader, i);
        if (core_read64(entry + ENTRY_OFFSET) != next)
            status = fail_block(reader, i, err);
        else
            status = archive_reader_read(reader, i, &lists, err);
        if (status == IO_OK)
            next += BLOCK_BYTES + core_read64(reader->bytes + next + BLOCK_STORED);
        content = archive_content_hash(content, core_read64(entry + ENTRY_HASH));
    }
    archive_lists_free(&lists);
    if (status == IO_OK && (next != reader->directory || content != reader->content))
        status = fail(reader, "there are bytes in it that belong to no block, or blocks are missing", err);
    return status;
}
