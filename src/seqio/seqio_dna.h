/*
 * seqio_dna.h - the sequences of FASTA and FASTQ files, or of a BLAST database, at two bits a base, in chunks.
 *
 * The format is detected from the first decompressed bytes, never from the name. A thread reads, decompresses and encodes while the caller
 * works on the previous chunk; seqio_dna_next() itself reads small files.
 */
#ifndef TAMIS_SEQIO_DNA_H
#define TAMIS_SEQIO_DNA_H

#include "io/io_error.h"
#include "seqio/seqio_dna_options.h"
#include "tamis/dna.h"

typedef struct seqio_dna seqio_dna;

typedef struct seqio_dna_chunk {
    tms_dna dna;
    uint64_t n_read; /* bytes of the input files used so far, including this chunk */
} seqio_dna_chunk;

/*
 * seqio_dna_open() - start reading. First checks that every file exists.
 *   out [out] closed with seqio_dna_close()
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status seqio_dna_open(const seqio_dna_options *options, seqio_dna **out, io_error *err);

/*
 * seqio_dna_next() - the next chunk, in input order, with at least one part.
 *   out [out] valid until the next call that returns a chunk. Records are numbered through all files; without keep_empty, an empty record
 *             has a number and no part. The bits after the last base are 0 in its word
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and line, or sequence; IO_E_MEMORY. A file without a single base is an error.
 */
io_status seqio_dna_next(seqio_dna *dna, seqio_dna_chunk *out, io_error *err);

/* seqio_dna_set_ahead() - let at most n_ahead chunks, 1 or more, wait for the caller from now on; those that wait already stay. */
void seqio_dna_set_ahead(seqio_dna *dna, int n_ahead);

/* seqio_dna_get_totals() - totals up to the end of the last chunk from seqio_dna_next(); after IO_END, of everything. */
void seqio_dna_get_totals(const seqio_dna *dna, seqio_dna_totals *out);

/* seqio_dna_close() - stop the reader, even if it waits for a pipe, and free everything; NULL is fine. */
void seqio_dna_close(seqio_dna *dna);

#endif
