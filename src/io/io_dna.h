/*
 * io_dna.h - the sequences of FASTA and FASTQ files, or of a BLAST database, two bits a base, in chunks.
 *
 * What a file is is told by its first bytes after decompression, never by its name. A thread of its own reads, decompresses
 * and encodes, so that this overlaps with what the caller does with the chunk before; small files are read in io_dna_next().
 */
#ifndef TAMIS_IO_DNA_H
#define TAMIS_IO_DNA_H

#include "io_dna_options.h"
#include "io_error.h"
#include "tamis/dna.h"

typedef struct io_dna io_dna;

typedef struct io_dna_chunk {
    tms_dna dna;
    uint64_t n_read; /* bytes of the input files used so far, this chunk included */
} io_dna_chunk;

/*
 * io_dna_open() - start reading. Every file is checked to be there first.
 *   out [out] closed with io_dna_close()
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status io_dna_open(const io_dna_options *options, io_dna **out, io_error *err);

/*
 * io_dna_next() - the next chunk, in input order, with one part at least.
 *   out [out] valid until the next call that gives one. Records are numbered through all files; without keep_empty, empty ones have a
 * number and no part. The bits after the last base are 0 in its word.
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and line, or sequence; IO_E_MEMORY. A file without a single base is an error.
 */
io_status io_dna_next(io_dna *dna, io_dna_chunk *out, io_error *err);

/* io_dna_set_ahead() - from now on 1 .. n_ahead chunks may wait to be taken; those that wait already stay. */
void io_dna_set_ahead(io_dna *dna, int n_ahead);

/* io_dna_get_totals() - up to the end of the last chunk that io_dna_next() gave; after IO_END, of everything. */
void io_dna_get_totals(const io_dna *dna, io_dna_totals *out);

/* io_dna_close() - stop the reader, even one that waits for a pipe, and free everything; NULL is fine. */
void io_dna_close(io_dna *dna);

#endif
