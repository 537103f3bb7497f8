/*
 * seqio_blast_letters.h - the letters of FASTA as NCBI's programs take them: what is kept, what is dropped, and what is said about it.
 *
 *   kept      A to Z and * of proteins; A C G T U R Y S W K M B D H V N of nucleotides; in either case
 *   dropped   blanks; ';' and what follows in its line; lines that begin with ';', '!' or '#'
 *   warned    everything else is dropped, with a warning for the line
 *   hyphens   a gap code (proteins) or N in databases; dropped, with a warning, in queries
 *
 * The first line of a record that has data has to look like it. Lines may come in pieces: what is said about one is said at its end.
 */
#ifndef TAMIS_IO_BLAST_LETTERS_H
#define TAMIS_IO_BLAST_LETTERS_H

#include "base/byte_array.h"
#include "seqio/seqio_sequence_sink.h"
#include "tamis/seqdb.h"

/* What to do with a warning: a line, without its end. */
typedef void seqio_blast_warn(void *arg, const char *text);

typedef struct seqio_blast_letters {
    /* Set by seqio_blast_letters_init(); then for the caller to change. */
    int keep_hyphens;     /* 1 */
    const char *begin_of; /* what is before an error's "Near line": "BLAST Database creation error: " */
    seqio_blast_warn *warn;
    void *warn_arg;

    uint8_t codes[256]; /* of a byte: its code, or one that is special */
    uint8_t hyphen;     /* the code of a hyphen that is kept */
    uint64_t n_kept;    /* of the record */
    /* Of the line: */
    uint64_t line;     /* its number; 0: there is none */
    uint64_t n_blanks; /* at its start; positions are counted behind them */
    int is_comment;    /* the rest of it */
    int is_checked;    /* does it have to look like data? */
    unsigned n_looked_at, n_good, n_bad;
    uint64_t first_bad, last_bad; /* the last run of dropped bytes; 0: none */
    int has_hyphens;
    struct byte_array positions; /* the runs before, as text */
} seqio_blast_letters;

/* seqio_blast_letters_init() - as makeblastdb takes them. */
void seqio_blast_letters_init(seqio_blast_letters *l, tms_molecule molecule, seqio_blast_warn *warn, void *warn_arg);
void seqio_blast_letters_free(seqio_blast_letters *l);

/* seqio_blast_letters_begin() - a record begins. */
void seqio_blast_letters_begin(seqio_blast_letters *l);

/*
 * seqio_blast_letters_take() - a line of the record, or a piece of it, as letters() of a sink by line gets it.
 *   codes   [out] room for n: NCBIstdaa or NCBI4na
 *   n_codes [out] those that are kept
 * Returns IO_OK; IO_E_INPUT: the line before this one does not look like data; IO_E_MEMORY.
 */
io_status seqio_blast_letters_take(seqio_blast_letters *l, const uint8_t *letters, size_t n, const io_place *place, uint8_t *codes,
                                   size_t *n_codes, io_error *err);

/* seqio_blast_letters_end() - the record ends. Returns as seqio_blast_letters_take(). */
io_status seqio_blast_letters_end(seqio_blast_letters *l, io_error *err);

/*
 * seqio_blast_title() - a header as a database stores it: a tab is three blanks, control-A one, every other byte that is no printable
 * ASCII '#'.
 *   to        [in,out] it is appended
 *   n_changed [out] bytes that became '#'
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status seqio_blast_title(const char *header, size_t n, struct byte_array *to, size_t *n_changed, io_error *err);

#endif
