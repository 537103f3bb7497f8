/*
 * io_compress.h - bytes compressed in blocks. Each block can be decompressed without the others, so several threads compress at the same
 * time, and the file is the same for any number of threads.
 *
 *   IO_GZIP  BGZF, as bgzip writes it (SAM specification, 4.1): any program that reads gzip reads it; an empty block marks its end
 *   IO_ZSTD  one frame for each block
 *   IO_PLAIN the bytes themselves
 *
 * io_stream.h reads the other kinds, which this file does not write.
 */
#ifndef TAMIS_IO_PACK_H
#define TAMIS_IO_PACK_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "io/io_stream.h"

/* io_packer: the compressor of one thread. io_compress_codes: Huffman codes that all blocks of a file share. */
typedef struct io_packer io_packer;
typedef struct io_compress_codes io_compress_codes;

/* io_packer_create() - Returns IO_OK or IO_E_MEMORY. */
io_status io_packer_create(io_packer **out, io_error *err);
void io_packer_destroy(io_packer *packer); /* NULL is fine */

/*
 * io_compress_codes_create() - Huffman codes that suit the bytes of a file.
 *   bytes [in]  the first n bytes of the file: its first block
 *   out   [out] the caller frees it with free(); NULL for IO_ZSTD, which needs no codes
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status io_compress_codes_create(io_compression compression, const uint8_t *bytes, size_t n, io_compress_codes **out, io_error *err);

size_t io_compress_block_bytes(io_compression compression); /* bytes of input in a block; the last block of a file may have fewer */
size_t io_compress_most_bytes(io_compression compression);  /* the largest size of a compressed block */

/*
 * io_compress_block() - compress one block.
 *   codes [in]  the file's codes
 *   n     [in]  bytes of input, up to io_compress_block_bytes()
 *   out   [out] room for io_compress_most_bytes() bytes
 * Returns the number of bytes written to out; 0 if the compression library has no memory.
 */
size_t io_compress_block(io_packer *packer, io_compression compression, const io_compress_codes *codes, const uint8_t *bytes, size_t n,
                         uint8_t *out);

/* io_compress_end() - append the file's end mark. is_empty: the file has no block. Returns false if there is no memory. */
bool io_compress_end(io_compression compression, bool is_empty, struct byte_array *out);

/* io_compress_by_name() - the compression that a file name asks for: "a.fq.gz", "a.bgz": IO_GZIP; "a.zst": IO_ZSTD; other names: IO_PLAIN.
 */
io_compression io_compress_by_name(const char *path);

#endif
