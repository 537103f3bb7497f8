/*
 * seqio_blast_encoder.h - encodes the sequence lines of FASTA as NCBI's programs do: which characters they keep, drop, and warn about.
 *
 *   kept      A to Z and * in proteins; A C G T U R Y S W K M B D H V N in nucleotides; in either case
 *   dropped   blanks; ';' and the rest of its line; lines that begin with ';', '!' or '#'
 *   warned    any other character: dropped, with a warning for the line
 *   hyphens   in databases, a gap code (proteins) or N (nucleotides); in queries, dropped with a warning
 *
 * The first line of a record that has data must look like sequence data. Lines may come in pieces: a line's warning is given at its end.
 */
#ifndef TAMIS_SEQIO_BLAST_ENCODER_H
#define TAMIS_SEQIO_BLAST_ENCODER_H

#include "base/byte_array.h"
#include "seqio/seqio_sequence_sink.h"
#include "tamis/seqdb.h"

/* Receives a warning: a line of text, without a line feed. */
typedef void seqio_blast_warn(void *arg, const char *text);

typedef struct seqio_blast_encoder {
    /* seqio_blast_encoder_init() sets these; the caller may change them afterwards. */
    int keep_hyphens;     /* 1 (the default): hyphens are kept */
    const char *begin_of; /* text before an error's "Near line", such as "BLAST Database creation error: " */
    seqio_blast_warn *warn;
    void *warn_arg;

    uint8_t codes[256]; /* the code of each byte, or one of the special values */
    uint8_t hyphen;     /* the code of a hyphen if hyphens are kept */
    uint64_t n_kept;    /* characters of the current record that were kept */
    /* State of the current line: */
    uint64_t line;     /* number of the line; 0 if there is none */
    uint64_t n_blanks; /* blanks at its start; positions in warnings are counted from behind them */
    int is_comment;    /* 1: the rest of the line is a comment */
    int is_checked;    /* 1: the line must look like sequence data */
    unsigned n_looked_at, n_good, n_bad;
    uint64_t first_bad, last_bad; /* positions of the last run of dropped bytes; 0 if there is none */
    int has_hyphens;
    struct byte_array positions; /* text of the earlier runs, for the warning */
} seqio_blast_encoder;

/* seqio_blast_encoder_init() - take characters as makeblastdb does. */
void seqio_blast_encoder_init(seqio_blast_encoder *l, tms_molecule molecule, seqio_blast_warn *warn, void *warn_arg);
void seqio_blast_encoder_free(seqio_blast_encoder *l);

/* seqio_blast_encoder_begin() - begin a record. */
void seqio_blast_encoder_begin(seqio_blast_encoder *l);

/*
 * seqio_blast_encoder_take() - encode a line of the record, or a piece of it, as a sink with by_line gets it in residues().
 *   codes   [out] room for n NCBIstdaa or NCBI4na codes
 *   n_codes [out] codes written
 * Returns IO_OK; IO_E_INPUT: the line before this one does not look like data; IO_E_MEMORY.
 */
io_status seqio_blast_encoder_take(seqio_blast_encoder *l, const uint8_t *characters, size_t n, const seqio_position *position,
                                   uint8_t *codes, size_t *n_codes, io_error *err);

/* seqio_blast_encoder_end() - end the record. Returns as seqio_blast_encoder_take(). */
io_status seqio_blast_encoder_end(seqio_blast_encoder *l, io_error *err);

/*
 * seqio_blast_title() - convert a header to the title that a database stores: a tab becomes three blanks, control-A one, and any other
 * byte that is not printable ASCII '#'.
 *   to        [in,out] the function appends the title
 *   n_changed [out]    bytes that became '#'
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status seqio_blast_title(const char *header, size_t n, struct byte_array *to, size_t *n_changed, io_error *err);

#endif
