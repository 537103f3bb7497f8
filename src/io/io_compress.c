/*
 * io_compress.c - BGZF through ISA-L, zstd through libzstd.
 *
 * ISA-L's level 0, with Huffman codes made from a file's first block, compresses FASTQ about as well as gzip -1, at 750 MB/s a thread or
 * more. Its level 1 makes codes for each block, which gains little. In version 2.30 levels 1 to 3 also hash a part of the stream's memory
 * address in place of bytes 2 to 5, so that no two runs write the same file.
 */
#include "io/io_compress.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include "base/core.h"

enum {
    BGZF_BYTES = 0xff00, /* bgzip's block size: a block that does not compress still fits */
    BGZF_MOST = 1 << 16, /* the header's size field has 16 bits */
    BGZF_HEADER = 18,
    BGZF_TRAILER = 8,
    ZSTD_BYTES = 512 << 10,
    ZSTD_LEVEL = 3
};

struct io_packer {
    struct isal_zstream gzip;
    ZSTD_CCtx *zstd;
};

struct io_compress_codes {
    struct isal_hufftables gzip;
};

io_status io_packer_create(io_packer **out, io_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? IO_OK : io_fail_memory(err, "compression");
}

void io_packer_destroy(io_packer *packer)
{
    if (packer == NULL)
        return;
    ZSTD_freeCCtx(packer->zstd);
    free(packer);
}

io_status io_compress_codes_create(io_compression compression, const uint8_t *bytes, size_t n, io_compress_codes **out, io_error *err)
{
    struct isal_huff_histogram *counts;

    *out = NULL;
    if (compression == IO_ZSTD)
        return IO_OK;
    counts = calloc(1, sizeof *counts);
    *out = malloc(sizeof **out);
    if (counts != NULL && *out != NULL) {
        isal_update_histogram((uint8_t *)(uintptr_t)bytes, (int)n, counts); /* isal_update_histogram() only reads the bytes */
        if (isal_create_hufftables(&(*out)->gzip, counts) == 0) {
            free(counts);
            return IO_OK;
        }
    }
    free(counts);
    free(*out);
    *out = NULL;
    return io_fail_memory(err, "compression");
}

size_t io_compress_block_bytes(io_compression compression) { return compression == IO_ZSTD ? ZSTD_BYTES : BGZF_BYTES; }

size_t io_compress_most_bytes(io_compression compression) { return compression == IO_ZSTD ? ZSTD_compressBound(ZSTD_BYTES) : BGZF_MOST; }

static size_t pack_bgzf(io_packer *packer, const io_compress_codes *codes, const uint8_t *bytes, size_t n, uint8_t *out)
{
    /* gzip's header with an extra field of 6 bytes: "BC", then the block's size less 1 in 2 bytes. */
    static const uint8_t header[BGZF_HEADER] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 'B', 'C', 2, 0, 0, 0};
    struct isal_zstream *z = &packer->gzip;
    size_t size;

    isal_deflate_stateless_init(z);
    z->level = 0;
    z->hufftables = (struct isal_hufftables *)(uintptr_t)&codes->gzip; /* ISA-L only reads the codes */
    z->end_of_stream = 1;
    z->flush = NO_FLUSH;
    z->next_in = (uint8_t *)(uintptr_t)bytes; /* ISA-L only reads the input */
    z->avail_in = (uint32_t)n;
    z->next_out = out + BGZF_HEADER;
    z->avail_out = BGZF_MOST - BGZF_HEADER - BGZF_TRAILER;
    if (isal_deflate_stateless(z) != COMP_OK || z->avail_in != 0)
        return 0;
    size = BGZF_HEADER + z->total_out + BGZF_TRAILER;
    memcpy(out, header, sizeof header);
    out[16] = (uint8_t)((size - 1) & 0xff);
    out[17] = (uint8_t)((size - 1) >> 8);
    core_write32(out + size - 8, crc32_gzip_refl(0, bytes, n));
    core_write32(out + size - 4, (uint32_t)n);
    return size;
}

static size_t pack_zstd(io_packer *packer, const uint8_t *bytes, size_t n, uint8_t *out)
{
    size_t size;

    if (packer->zstd == NULL)
        packer->zstd = ZSTD_createCCtx();
    if (packer->zstd == NULL)
        return 0;
    size = ZSTD_compressCCtx(packer->zstd, out, ZSTD_compressBound(ZSTD_BYTES), bytes, n, ZSTD_LEVEL);
    return ZSTD_isError(size) ? 0 : size;
}

size_t io_compress_block(io_packer *packer, io_compression compression, const io_compress_codes *codes, const uint8_t *bytes, size_t n,
                         uint8_t *out)
{
    if (compression == IO_ZSTD)
        return pack_zstd(packer, bytes, n, out);
    return pack_bgzf(packer, codes, bytes, n, out);
}

bool io_compress_end(io_compression compression, bool is_empty, struct byte_array *out)
{
    static const uint8_t bgzf_end[] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 'B', 'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t zstd_empty[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0}; /* a frame of one raw block of 0 bytes */

    if (compression == IO_GZIP)
        return byte_array_add(out, bgzf_end, sizeof bgzf_end);
    return compression != IO_ZSTD || !is_empty || byte_array_add(out, zstd_empty, sizeof zstd_empty);
}

io_compression io_compress_by_name(const char *path)
{
    static const struct {
        const char *end;
        io_compression compression;
    } names[] = {{".gz", IO_GZIP}, {".bgz", IO_GZIP}, {".zst", IO_ZSTD}};
    size_t n = strlen(path);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i].end);
        if (n > size && strcmp(path + n - size, names[i].end) == 0)
            return names[i].compression;
    }
    return IO_PLAIN;
}
