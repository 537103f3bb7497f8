/*
 * io_t2b.h - .t2b files: sequences at two bits a base on disk (doc/format-t2b.md). io_dna reads them, as all others.
 */
#ifndef TAMIS_IO_T2B_H
#define TAMIS_IO_T2B_H

#include "io_input.h"
#include "io_safe_file.h"
#include "tamis/dna.h"

#define T2B_MAGIC_BYTES 8
#define T2B_BLOCK_BASES ((size_t)1 << 22) /* of one block, at most: the chunk_bases with which to read what is to be written */

/* t2b_is_magic() - does a .t2b begin with these bytes? */
int t2b_is_magic(const uint8_t *bytes, size_t n);

typedef struct t2b_writer {
    io_safe_file *file; /* borrowed */
    uint64_t n_blocks, n_records, n_bases, n_other;
    uint64_t n_bytes; /* written */
    uint8_t *block;
    size_t block_capacity;
} t2b_writer;

/* t2b_write_start() - the header. Whatever follows, t2b_writer_free() at the end. Returns IO_OK; IO_E_OUTPUT. */
io_status t2b_write_start(t2b_writer *w, io_safe_file *file, io_error *err);

/*
 * t2b_write_block() - a chunk of io_dna, which was opened with chunk_bases = T2B_BLOCK_BASES, overlap = 0 and keep_empty = 1.
 * Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY.
 */
io_status t2b_write_block(t2b_writer *w, const tms_dna *dna, io_error *err);

/* t2b_write_end() - the end block. Returns IO_OK; IO_E_OUTPUT. */
io_status t2b_write_end(t2b_writer *w, io_error *err);
void t2b_writer_free(t2b_writer *w);

/* How far a file was read. */
typedef struct t2b_reader t2b_reader;
struct dna_reader; /* io_dna_reader.h */

/* t2b_reader_create() - a .t2b file, whose magic lies at in->pos. Returns IO_OK; IO_E_MEMORY. */
io_status t2b_reader_create(struct dna_reader *r, io_input *in, t2b_reader **out, io_error *err);
void t2b_reader_free(t2b_reader *t); /* NULL is fine */

/* t2b_read() - returns as the read() of an io_sequence_format. */
io_status t2b_read(t2b_reader *t, io_error *err);

#endif
