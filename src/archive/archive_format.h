/* archive_format.h - where the numbers of an archive lie, and its checksums: doc/format-archive.md. */
#ifndef TAMIS_ARCHIVE_FORMAT_H
#define TAMIS_ARCHIVE_FORMAT_H

#include <string.h>

#include "base/core.h"
#include "hash/xxh3_core.h"

#define ARCHIVE_MAGIC     "TAMISARC"
#define ARCHIVE_END_MAGIC "TAMISEND"

enum {
    ARCHIVE_VERSION = 1,            /* of the lists of a search without strands */
    ARCHIVE_VERSION_OF_STRANDS = 2, /* each HSP has its context */
    ARCHIVE_VERSION_OF_CHAINS = 3,  /* each HSP has also the E-value of its chain, and how many HSPs that has */
    ARCHIVE_MAGIC_BYTES = 8,        /* of each of the two */
    ARCHIVE_CHECKSUM_BYTES = 8,

    /* The header; the manifest and the checksum of both follow. */
    ARCHIVE_AT_VERSION = 8,
    ARCHIVE_AT_RESERVED = 12,
    ARCHIVE_AT_MANIFEST_BYTES = 16,
    ARCHIVE_HEADER_BYTES = 24,

    /* The head of a block; the stored bytes follow. */
    ARCHIVE_AT_STORED_BYTES = 8,
    ARCHIVE_AT_CONTENT = 16, /* from here to the head's end: what does not depend on the compression */
    ARCHIVE_HEAD_BYTES = 56,
    ARCHIVE_MOST_RATIO = 16, /* of a block's packed bytes to its stored ones, so that a reader's memory is in proportion to the file */

    /* The trailer. */
    ARCHIVE_AT_DIRECTORY = 8,
    ARCHIVE_AT_N_BLOCKS = 16,
    ARCHIVE_AT_DIRECTORY_CHECKSUM = 24,
    ARCHIVE_AT_TRAILER_CHECKSUM = 32,
    ARCHIVE_AT_END_MAGIC = 40,
    ARCHIVE_TRAILER_BYTES = 48
};

/* The head of a block, in the order of the file. */
struct archive_head {
    uint64_t checksum;     /* of the rest of the head and the stored bytes */
    uint64_t stored_bytes; /* packed_bytes: not compressed; fewer: a zstd frame */
    uint64_t first, n_records, n_lists;
    uint64_t packed_bytes, packed_checksum;
};

static inline void archive_head_write(const struct archive_head *head, uint8_t *to)
{
    const uint64_t words[] = {head->checksum, head->stored_bytes, head->first,          head->n_records,
                              head->n_lists,  head->packed_bytes, head->packed_checksum};

    for (size_t i = 0; i < ARCHIVE_HEAD_BYTES / 8; i++)
        core_write64(to + 8 * i, words[i]);
}

static inline struct archive_head archive_head_read(const uint8_t *from)
{
    return (struct archive_head){core_read64(from),      core_read64(from + 8),  core_read64(from + 16), core_read64(from + 24),
                                 core_read64(from + 32), core_read64(from + 40), core_read64(from + 48)};
}

/* The checksum of an archive's content up to a block, from the one before it, which is first that of header and manifest. */
static inline uint64_t archive_content(uint64_t before, const uint8_t head[ARCHIVE_HEAD_BYTES])
{
    uint8_t bytes[8 + ARCHIVE_HEAD_BYTES - ARCHIVE_AT_CONTENT];

    core_write64(bytes, before);
    memcpy(bytes + 8, head + ARCHIVE_AT_CONTENT, sizeof bytes - 8);
    return xxh3_64(bytes, sizeof bytes, 0);
}

#endif
