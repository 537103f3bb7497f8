/*
 * seqio_blast_records.h - FASTA and FASTQ in batches of whole records, with the characters that NCBI's programs accept
 * (seqio_blast_encoder.h).
 *
 * Residues are in upper case. In nucleotides T replaces U, and N replaces '-'; in proteins X replaces '*' and '-'. Sequences to search
 * with keep their case and '*', and lose '-'. A thread reads ahead, except in small files.
 *
 * The caller may ask for a part of each record. A record that ends before the part begins is left out and belongs to no unit; one that
 * ends exactly there is kept, empty.
 */
#ifndef TAMIS_SEQIO_BLAST_RECORDS_H
#define TAMIS_SEQIO_BLAST_RECORDS_H

#include "seqio/seqio_blast_encoder.h"
#include "tamis/seq.h"

typedef struct seqio_blast_records seqio_blast_records;

typedef struct seqio_blast_records_options {
    const char *const *paths; /* borrowed; "-" is standard input */
    size_t n_paths;
    tms_molecule molecule;
    size_t batch_bytes;   /* a batch is full at this many residues; a single longer record makes it larger */
    int is_search;        /* 1: the sequences are queries or subjects of a search; 0: a database is made of them */
    size_t unit_residues; /* a unit ends with the record that makes it this long, in residues, and a batch only ends with a unit; 0: every
                           * record is a unit */
    int sets_units;       /* 1: seqio_blast_records_set_unit() and ..._set_unit_records() may be called; then no thread reads ahead */
    tms_interval part;    /* range of each record that is kept, in residues; its end may be beyond the record's; 0, 0: the whole record */
    int may_be_empty, may_lack_header;                /* as in seqio_sequences_options */
    int refuses_short;                                /* 1: a record that ends before the part begins is an error */
    bool (*is_unnamed)(const char *header, size_t n); /* which of the records left out seqio_blast_whole counts as unnamed; NULL: none */
    seqio_blast_warn *warn;                           /* called by the reading thread, and never after seqio_blast_records_close() */
    void *warn_arg;
} seqio_blast_records_options;

/* seqio_blast_records_open() - start reading; seqio_blast_records_close() ends it. Returns IO_OK, IO_E_INPUT, IO_E_REFUSED or IO_E_MEMORY.
 */
io_status seqio_blast_records_open(const seqio_blast_records_options *options, seqio_blast_records **out, io_error *err);

/*
 * seqio_blast_records_next() - the next batch, of at least one record; valid until the next call.
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and line, after the records before the fault; IO_E_MEMORY.
 */
io_status seqio_blast_records_next(seqio_blast_records *r, tms_seqs *batch, io_error *err);

/* seqio_blast_records_set_unit() - sets unit_residues for the next batches; above 0. */
void seqio_blast_records_set_unit(seqio_blast_records *r, size_t unit_residues);

/* seqio_blast_records_set_unit_records() - the same by number: the next units end with their nth record; above 0. */
void seqio_blast_records_set_unit_records(seqio_blast_records *r, uint64_t n);

/* The whole record of which a record of a batch is a part. */
typedef struct seqio_blast_whole {
    uint64_t number; /* number in the input, from 0, counting records that were left out */
    uint64_t n_residues;
    uint64_t n_unnamed; /* unnamed records before it that were left out */
} seqio_blast_whole;

/* seqio_blast_records_wholes() - an entry for each record of the last batch from seqio_blast_records_next(); valid as long as the batch. */
const seqio_blast_whole *seqio_blast_records_wholes(const seqio_blast_records *r);

/*
 * seqio_blast_records_lacks_residues() - after IO_END: true if the input, which has a byte, ended with a unit whose records, if there are
 * any, have no residue in the requested parts. These records are in no batch, and reading stops there.
 */
bool seqio_blast_records_lacks_residues(const seqio_blast_records *r);

/* seqio_blast_records_offset() - bytes of the stored (compressed) files used up to the end of the batch. */
uint64_t seqio_blast_records_offset(const seqio_blast_records *r);

void seqio_blast_records_close(seqio_blast_records *r); /* NULL is fine */

#endif
