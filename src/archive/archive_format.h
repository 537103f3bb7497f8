/* archive_format.h - the bytes of an archive: doc/format-archive.md. All numbers are little-endian. */
#ifndef TAMIS_ARCHIVE_FORMAT_H
#define TAMIS_ARCHIVE_FORMAT_H

#include "base/core.h"
#include "hash/xxh3_core.h"

#define ARCHIVE_MAGIC     "TMSPART\x1a"
#define ARCHIVE_END_MAGIC "TMSPEND\x1a"
#define ARCHIVE_BLOCK     UINT32_C(0x4b4c4254) /* "TBLK" */

enum {
    ARCHIVE_VERSION = 1,
    ARCHIVE_MAGIC_BYTES = 8,

    /* The header; the manifest's text follows. */
    HEADER_VERSION = 8,
    HEADER_MANIFEST_BYTES = 12,
    HEADER_MANIFEST_HASH = 16,
    HEADER_HASH = 24, /* of the bytes before */
    HEADER_BYTES = 32,

    /* The head of a block; its stored bytes follow. */
    BLOCK_MAGIC = 0,
    BLOCK_FLAGS = 4,
    BLOCK_FIRST = 8,
    BLOCK_RECORDS = 16,
    BLOCK_LISTS = 24,
    BLOCK_RAW = 32,
    BLOCK_STORED = 40,
    BLOCK_HASH = 48, /* archive_block_hash() */
    BLOCK_BYTES = 56,

    /* An entry of the directory, of each block. */
    ENTRY_OFFSET = 0,
    ENTRY_FIRST = 8,
    ENTRY_RECORDS = 16,
    ENTRY_LISTS = 24,
    ENTRY_HASH = 32, /* the block's */
    ENTRY_BYTES = 40,

    /* The end of the file. */
    TRAILER_DIRECTORY = 0,
    TRAILER_BLOCKS = 8,
    TRAILER_DIRECTORY_HASH = 16,
    TRAILER_CONTENT = 24, /* archive_content_hash() of all blocks */
    TRAILER_HASH = 32,    /* of the bytes before */
    TRAILER_MAGIC = 40,
    TRAILER_BYTES = 48
};

#define BLOCK_ZSTD UINT32_C(1) /* a flag: the stored bytes are a zstd frame; else they are the raw ones */

/* archive_block_hash() - of a block's raw bytes, and of what its head says of them. It does not depend on how they are compressed. */
static inline uint64_t archive_block_hash(const uint8_t *head, const uint8_t *raw, size_t n)
{
    return xxh3_64(raw, n, xxh3_64(head + BLOCK_FIRST, BLOCK_STORED - BLOCK_FIRST, 0));
}

/* archive_content_hash() - adds a block's hash to that of the blocks before, which is 0 at first. */
static inline uint64_t archive_content_hash(uint64_t before, uint64_t block_hash)
{
    uint8_t bytes[8];

    core_write64(bytes, block_hash);
    return xxh3_64(bytes, sizeof bytes, before);
}

#endif
