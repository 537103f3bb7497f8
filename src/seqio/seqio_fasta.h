/* seqio_fasta.h - the parser of FASTA and FASTQ: lines to events. */
#ifndef TAMIS_IO_FASTA_H
#define TAMIS_IO_FASTA_H

#include "io/io_input.h"
#include "seqio/seqio_sequence_sink.h"

typedef enum seqio_fasta_line { HEADER, SEQUENCE, PLUS, QUALITY, BETWEEN } seqio_fasta_line; /* PLUS and what follows: FASTQ */

/* How far a file was read. */
typedef struct seqio_fasta {
    const seqio_sequence_sink *sink;
    io_input *in;
    int is_fastq;
    seqio_fasta_line kind; /* of the current line, or at its start, of the one before */
    int at_line_start, at_end;
    int in_record;         /* begun, and not ended */
    int has_bare_cr;       /* what was read last has a line end that is only a carriage return */
    uint64_t line, column; /* of in->bytes[in->pos]; the column by line only */
    size_t n_looked_at;    /* bytes from in->pos on without a line's end: of a header. In a line of letters or quality: they are blanks */
    uint64_t n_letters, n_quality; /* of the record: found */
    size_t raw_from;               /* in_record: from here on the sink has not had the record as it stands */

    /* Without by_line: letters of the record that wait for the sink, of what was read last. */
    const uint8_t *waiting; /* one line's, in the input, or several lines' in scratch */
    size_t n_waiting;
    size_t n_flushed;     /* of these, the sink has taken before */
    const uint8_t *first; /* where in the input the first of all began */
    uint64_t first_line;
    uint8_t *scratch;
    size_t scratch_size;
} seqio_fasta;

/*
 * seqio_fasta_begin() - a FASTA or FASTQ file, of which in->pos is the first byte of the first header, '>' or '@', on line `line`. With
 * another byte it is FASTA that begins with letters: those of a record with an empty header. t    [in,out] zeroes, or of the file before;
 * seqio_fasta_free() at the end in   [in] borrowed; its buffer may grow sink [in] borrowed
 */
void seqio_fasta_begin(seqio_fasta *t, const seqio_sequence_sink *sink, io_input *in, uint64_t line);
void seqio_fasta_free(seqio_fasta *t);

/* seqio_fasta_read() - returns IO_OK at the end of the file; IO_SINK_FULL: to be called again; IO_E_INPUT; IO_E_MEMORY; what the sink
 * returns.
 */
io_status seqio_fasta_read(seqio_fasta *t, io_error *err);

#endif
