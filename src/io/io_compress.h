/*
 * io_compress.h - bytes compressed in blocks, each of which is decompressed without the others: so threads make them side by side, and
 * the file is the same for any number of threads.
 *
 *   IO_GZIP  BGZF, as bgzip writes it (SAM specification, 4.1): gzip for every program that reads gzip, and an empty block at its end
 *   IO_ZSTD  a frame for each block
 *   IO_PLAIN as they are
 * The other kinds are read here, and not written.
 */
#ifndef TAMIS_IO_PACK_H
#define TAMIS_IO_PACK_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "io/io_stream.h"

/* What one thread compresses with, and what is the same for all blocks of a file. */
typedef struct io_packer io_packer;
typedef struct io_compress_codes io_compress_codes;

/* io_packer_create() - Returns IO_OK or IO_E_MEMORY. */
io_status io_packer_create(io_packer **out, io_error *err);
void io_packer_destroy(io_packer *packer); /* NULL is fine */

/*
 * io_compress_codes_create() - codes that suit the bytes of a file.
 *   bytes [in]  n of its first block
 *   out   [out] freed with free(); NULL for IO_ZSTD, which needs none
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status io_compress_codes_create(io_compression compression, const uint8_t *bytes, size_t n, io_compress_codes **out, io_error *err);

size_t io_compress_block_bytes(io_compression compression); /* so many bytes are a block, and fewer at the end of the file */
size_t io_compress_most_bytes(io_compression compression);  /* that a block may take */

/*
 * io_compress_block() - a block.
 *   codes [in] the file's
 *   n   [in]  up to io_compress_block_bytes()
 *   out [out] io_compress_most_bytes() bytes
 * Returns how many of them are used; 0: the library of this kind failed for want of memory.
 */
size_t io_compress_block(io_packer *packer, io_compression compression, const io_compress_codes *codes, const uint8_t *bytes, size_t n,
                         uint8_t *out);

/* io_compress_end() - what ends the file; is_empty: there was no block. Returns false if there is no memory. */
bool io_compress_end(io_compression compression, bool is_empty, struct byte_array *out);

/* io_compress_by_name() - "a.fq.gz", "a.bgz": IO_GZIP; "a.zst": IO_ZSTD; other names: IO_PLAIN. */
io_compression io_compress_by_name(const char *path);

#endif
