/*
 * seqio_blast_records.h - FASTA and FASTQ in batches of whole records, with the letters that NCBI's programs take (seqio_blast_letters.h).
 *
 * Letters are in upper case. What stands for a letter is replaced by it: U of nucleotides by T, '-' by N; '*' and '-' of proteins by X.
 * Sequences to search with keep their case and '*', and '-' is left out. A thread reads ahead; of small files none does.
 *
 * Of each record a part may be asked for. A record that ends before the part begins is left out, and counts for no unit; one that ends
 * right there is kept, empty.
 */
#ifndef TAMIS_IO_BLAST_RECORDS_H
#define TAMIS_IO_BLAST_RECORDS_H

#include "seqio/seqio_blast_letters.h"
#include "tamis/seq.h"

typedef struct seqio_blast_records seqio_blast_records;

typedef struct seqio_blast_records_options {
    const char *const *paths; /* borrowed; "-" is standard input */
    size_t n_paths;
    tms_molecule molecule;
    size_t batch_bytes;  /* a batch is full when it has so many letters; a longer record makes a larger one */
    int is_search;       /* they are to be searched with, or in */
    size_t unit_letters; /* batches end where units do, which end with the record that makes them so long; 0: with any record */
    tms_interval part;   /* letters of each record that are kept; its end may be beyond theirs; 0: all */
    int may_be_empty, may_lack_header;                /* as of seqio_sequences.h */
    int refuses_short;                                /* a record that ends before the part begins is a fault */
    bool (*is_unnamed)(const char *header, size_t n); /* which of those that are left out seqio_blast_whole counts; NULL: none */
    seqio_blast_warn *warn;                           /* called by the reading thread; not after seqio_blast_records_close() */
    void *warn_arg;
} seqio_blast_records_options;

/* seqio_blast_records_open() - closed with seqio_blast_records_close(). Returns IO_OK, IO_E_INPUT, IO_E_REFUSED or IO_E_MEMORY. */
io_status seqio_blast_records_open(const seqio_blast_records_options *options, seqio_blast_records **out, io_error *err);

/*
 * seqio_blast_records_next() - the next batch, which has a record at least; good until the next call.
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and line, after the records before the fault; IO_E_MEMORY.
 */
io_status seqio_blast_records_next(seqio_blast_records *r, tms_seqs *batch, io_error *err);

/* What a record of a batch is part of. */
typedef struct seqio_blast_whole {
    uint64_t number; /* in the input, from 0, also of records that were left out */
    uint64_t n_letters;
    uint64_t n_unnamed; /* records before it that were left out, and are unnamed */
} seqio_blast_whole;

/* seqio_blast_records_wholes() - of the batch that seqio_blast_records_next() returned last: one for each of its records. */
const seqio_blast_whole *seqio_blast_records_wholes(const seqio_blast_records *r);

/*
 * seqio_blast_records_lacks_letters() - after IO_END: did the input, which has a byte, end with a unit without a letter in the parts of
 * records that were asked for? These records, if there are any, are in no batch; nor is what comes after such a unit.
 */
bool seqio_blast_records_lacks_letters(const seqio_blast_records *r);

/* seqio_blast_records_offset() - bytes of the files used up to the end of the batch (compressed, where they are compressed). */
uint64_t seqio_blast_records_offset(const seqio_blast_records *r);

void seqio_blast_records_close(seqio_blast_records *r); /* NULL is fine */

#endif
