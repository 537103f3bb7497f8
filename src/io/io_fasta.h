/* io_fasta.h - FASTA and FASTQ. */
#ifndef TAMIS_IO_FASTA_H
#define TAMIS_IO_FASTA_H

#include "io_dna_reader.h"

typedef enum dna_line_kind { HEADER, SEQUENCE, PLUS, QUALITY, BETWEEN } dna_line_kind; /* PLUS and what follows: FASTQ */

/* How far a file was read. */
typedef struct dna_text {
    dna_reader *r;
    dna_input *in;
    int is_fastq;
    dna_line_kind kind; /* of the current line, or at its start, of the one before */
    int at_line_start, at_end;
    uint64_t line;
    char *letters;               /* of the record, not encoded yet; in a header, its name */
    size_t n_letters, n_encoded; /* n_encoded: of these, when a chunk was full */
    const uint8_t *first;        /* the piece from which they come, from the first of them on */
    uint64_t first_line;
    size_t n_blanks; /* since the line's last letter, so that it is known whether the line ends with them */
    uint8_t blank;   /* the first of them */
    int has_name;    /* the name in the header is complete */
    uint64_t n_quality;
} dna_text;

/*
 * dna_text_begin() - a FASTA or FASTQ file, of which in->pos is the first byte, '>' or '@'.
 *   letters [in] scratch of in->size bytes, and of IO_DNA_MAX_NAME at least
 *   line    [in] number of the line there
 */
void dna_text_begin(dna_text *t, dna_reader *r, dna_input *in, char *letters, uint64_t line);

/* dna_text_read() - returns IO_OK at the end of the file; else as the calls of io_dna_reader.h; IO_E_INPUT. */
io_status dna_text_read(dna_text *t, io_error *err);

#endif
