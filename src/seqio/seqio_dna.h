/*
 * seqio_dna.h - the sequences of FASTA and FASTQ files, or of a BLAST database, two bits a base, in chunks.
 *
 * What a file is is told by its first bytes after decompression, never by its name. A thread of its own reads, decompresses
 * and encodes, so that this overlaps with what the caller does with the chunk before; small files are read in seqio_dna_next().
 */
#ifndef TAMIS_IO_DNA_H
#define TAMIS_IO_DNA_H

#include "io/io_error.h"
#include "seqio/seqio_dna_options.h"
#include "tamis/dna.h"

typedef struct seqio_dna seqio_dna;

typedef struct seqio_dna_chunk {
    tms_dna dna;
    uint64_t n_read; /* bytes of the input files used so far, this chunk included */
} seqio_dna_chunk;

/*
 * seqio_dna_open() - start reading. Every file is checked to be there first.
 *   out [out] closed with seqio_dna_close()
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status seqio_dna_open(const seqio_dna_options *options, seqio_dna **out, io_error *err);

/*
 * seqio_dna_next() - the next chunk, in input order, with one part at least.
 *   out [out] valid until the next call that gives one. Records are numbered through all files; without keep_empty, empty ones have a
 * number and no part. The bits after the last base are 0 in its word.
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and line, or sequence; IO_E_MEMORY. A file without a single base is an error.
 */
io_status seqio_dna_next(seqio_dna *dna, seqio_dna_chunk *out, io_error *err);

/* seqio_dna_set_ahead() - from now on 1 .. n_ahead chunks may wait to be taken; those that wait already stay. */
void seqio_dna_set_ahead(seqio_dna *dna, int n_ahead);

/* seqio_dna_get_totals() - up to the end of the last chunk that seqio_dna_next() gave; after IO_END, of everything. */
void seqio_dna_get_totals(const seqio_dna *dna, seqio_dna_totals *out);

/* seqio_dna_close() - stop the reader, even one that waits for a pipe, and free everything; NULL is fine. */
void seqio_dna_close(seqio_dna *dna);

#endif
