/* archive_forge.h - for tests and fuzzers: makes the checksums of a changed archive right, so that what is behind them is reached. */
#ifndef TAMIS_ARCHIVE_FORGE_H
#define TAMIS_ARCHIVE_FORGE_H

#include "archive/archive_format.h"

/*
 * The directory's heads, as they are now, are copied to their blocks; then every checksum is made, as far as sizes and offsets lie within
 * the n bytes.
 */
static inline void archive_forge(uint8_t *bytes, size_t n)
{
    uint8_t *trailer, *heads;
    uint64_t directory, n_manifest, n_blocks, at, content = 0;

    if (n < ARCHIVE_HEADER_BYTES + ARCHIVE_CHECKSUM_BYTES + ARCHIVE_TRAILER_BYTES)
        return;
    trailer = bytes + n - ARCHIVE_TRAILER_BYTES;
    directory = core_read64(trailer + ARCHIVE_AT_DIRECTORY);
    n_blocks = core_read64(trailer + ARCHIVE_AT_N_BLOCKS);
    n_manifest = core_read64(bytes + ARCHIVE_AT_MANIFEST_BYTES);
    at = ARCHIVE_HEADER_BYTES + n_manifest + ARCHIVE_CHECKSUM_BYTES;
    if (n_manifest <= n - ARCHIVE_HEADER_BYTES - ARCHIVE_CHECKSUM_BYTES - ARCHIVE_TRAILER_BYTES) {
        content = xxh3_64(bytes, ARCHIVE_HEADER_BYTES + (size_t)n_manifest, 0);
        core_write64(bytes + ARCHIVE_HEADER_BYTES + n_manifest, content);
    }
    if (directory <= n - ARCHIVE_TRAILER_BYTES && n_blocks <= (n - ARCHIVE_TRAILER_BYTES - directory) / ARCHIVE_HEAD_BYTES) {
        heads = bytes + directory;
        for (uint64_t i = 0; i < n_blocks; i++, heads += ARCHIVE_HEAD_BYTES) {
            const uint64_t stored = core_read64(heads + ARCHIVE_AT_STORED_BYTES);
            if (at <= directory && directory - at >= ARCHIVE_HEAD_BYTES && stored <= directory - at - ARCHIVE_HEAD_BYTES) {
                memcpy(bytes + at, heads, ARCHIVE_HEAD_BYTES);
                core_write64(heads,
                             xxh3_64(bytes + at + ARCHIVE_CHECKSUM_BYTES, ARCHIVE_HEAD_BYTES - ARCHIVE_CHECKSUM_BYTES + (size_t)stored, 0));
                memcpy(bytes + at, heads, ARCHIVE_HEAD_BYTES);
                at += ARCHIVE_HEAD_BYTES + stored;
            }
            content = archive_content(content, heads);
        }
        core_write64(trailer + ARCHIVE_AT_DIRECTORY_CHECKSUM, xxh3_64(bytes + directory, (size_t)n_blocks * ARCHIVE_HEAD_BYTES, 0));
    }
    core_write64(trailer, content);
    core_write64(trailer + ARCHIVE_AT_TRAILER_CHECKSUM, xxh3_64(trailer, ARCHIVE_AT_TRAILER_CHECKSUM, 0));
}

#endif
