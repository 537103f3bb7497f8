/* seqio_fasta.h - the parser of FASTA and FASTQ: turns lines into events. */
#ifndef TAMIS_SEQIO_FASTA_H
#define TAMIS_SEQIO_FASTA_H

#include "io/io_input.h"
#include "seqio/seqio_sequence_sink.h"

typedef enum seqio_fasta_line { HEADER, SEQUENCE, PLUS, QUALITY, BETWEEN } seqio_fasta_line; /* PLUS and the following: FASTQ */

/* The state of parsing a file. */
typedef struct seqio_fasta {
    const seqio_sequence_sink *sink;
    io_input *in;
    int is_fastq;
    seqio_fasta_line kind; /* kind of the current line, or, at the start of a line, of the previous one */
    int at_line_start, at_end;
    int in_record;         /* 1: a record has begun and not ended */
    int has_bare_cr;       /* 1: the last input has a line that ends in a carriage return alone */
    uint64_t line, column; /* position of in->bytes[in->pos]; column is kept by line only */
    size_t n_looked_at;    /* bytes from in->pos on that have been scanned for the line's end; in a line of sequence or quality they are
                            * blanks */
    uint64_t n_residues, n_quality; /* characters of sequence and quality in the current record so far */
    size_t raw_from;                /* in_record: position in the input of the first raw byte not passed to the sink */

    /* Without by_line: sequence characters of the last input that wait for the sink. */
    const uint8_t *waiting; /* characters of one line, in the input, or of several lines, in scratch */
    size_t n_waiting;
    size_t n_flushed;     /* waiting characters that the sink has taken already */
    const uint8_t *first; /* position in the input of the first waiting character */
    uint64_t first_line;
    uint8_t *scratch;
    size_t scratch_size;
} seqio_fasta;

/*
 * seqio_fasta_begin() - begin a FASTA or FASTQ file. in->pos is at the first byte of the first header, '>' or '@', on line `line`. Any
 * other byte begins FASTA without a header, a record with an empty one.
 *   t    [in,out] zeroed, or used for the previous file; call seqio_fasta_free() at the end
 *   in   [in]     borrowed; its buffer may grow
 *   sink [in]     borrowed
 */
void seqio_fasta_begin(seqio_fasta *t, const seqio_sequence_sink *sink, io_input *in, uint64_t line);
void seqio_fasta_free(seqio_fasta *t);

/*
 * seqio_fasta_read() - pass the file's events to the sink. Returns IO_OK at the end of the file; IO_SINK_FULL: call again; IO_E_INPUT;
 * IO_E_MEMORY; what the sink returns.
 */
io_status seqio_fasta_read(seqio_fasta *t, io_error *err);

#endif
