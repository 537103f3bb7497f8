/*
 * seqio_records.h - whole records of FASTA and FASTQ files, in batches.
 *
 * A thread reads, decompresses and fills batches while the caller works on the previous one; seqio_records_next() itself reads small
 * files. Sequence characters keep their case; the encoder decides which characters are valid.
 */
#ifndef TAMIS_SEQIO_RECORDS_H
#define TAMIS_SEQIO_RECORDS_H

#include "io/io_error.h"
#include "io/io_stream.h"
#include "tamis/seq.h"

typedef struct seqio_records seqio_records;

typedef struct seqio_records_options {
    const char *const *paths; /* borrowed until seqio_records_close(); "-" is standard input */
    size_t n_paths;
    size_t batch_bytes;   /* a batch closes at about this many bytes: sequence, quality, headers, and 20 for each record. A longer record
                           * is a batch of its own, or shares one with the records that must stay together */
    size_t batch_records; /* a batch has at most this many records; 0: any number */
    size_t together;      /* this many consecutive records stay in one batch: 2 for pairs; 0: 1 */
    size_t buffer_bytes;  /* as in seqio_sequences_options */
    int no_qualities;     /* 1: qualities are left out */
    int no_headers;       /* 1: headers are left empty */
    int raw;              /* 1: the batch also has the records' raw bytes; they count towards batch_bytes */
    int may_be_empty;     /* as in seqio_sequences_options */
    size_t part_bytes;    /* a record that would need a batch larger than this comes in parts; at least batch_bytes. Requires
                           * no_qualities. 0: records are whole, however large */
} seqio_records_options;

typedef struct seqio_records_batch {
    tms_seqs seqs;   /* at least one record, all of FASTA or all of FASTQ. Numbers count through all files */
    uint64_t n_read; /* bytes of the stored (compressed) files used so far, including this batch */
    int is_fastq;
    io_compression compression; /* compression of the last record's file */
    /* With raw: record i is raw[raw_starts[i]] .. raw[raw_starts[i + 1] - 1], byte for byte, from its '>' or '@' to the end of its last
     * line (seqio_sequence_sink.h). The last record of a file gets a line feed if the file does not end in one. Otherwise NULL. */
    const uint8_t *raw;
    const uint64_t *raw_starts; /* n_records + 1 offsets */
    /* With part_bytes. A part is an item of seqs with some of the record's sequence, or of its raw bytes, or of both; it has the record's
     * number. The first part has the header, later ones have an empty one. */
    int goes_on; /* 1: the first item continues the last record of the previous batch */
    int is_cut;  /* 1: the last item is a part, which the next batch continues */
} seqio_records_batch;

/* Totals up to the end of the last batch from seqio_records_next(). */
typedef struct seqio_records_totals {
    uint64_t n_records, n_residues;
} seqio_records_totals;

/*
 * seqio_records_open() - start reading. First checks that every file exists.
 *   out [out] closed with seqio_records_close()
 * Returns IO_OK; IO_E_INPUT; IO_E_REFUSED; IO_E_MEMORY.
 */
io_status seqio_records_open(const seqio_records_options *options, seqio_records **out, io_error *err);

/*
 * seqio_records_next() - the next batch, in input order.
 *   out [out] valid until the next call
 * Returns IO_OK; IO_END; IO_E_MEMORY; IO_E_INPUT, naming file and line, after all whole records before the fault, and possibly parts of
 * the faulty record: the file is empty or no file of sequences, a record's quality is cut short or not as long as its sequence, or a
 * header has a NUL.
 */
io_status seqio_records_next(seqio_records *r, seqio_records_batch *out, io_error *err);
void seqio_records_get_totals(const seqio_records *r, seqio_records_totals *out);

/* seqio_records_close() - stop the reader, even if it waits for a pipe, and free everything; NULL is fine. */
void seqio_records_close(seqio_records *r);

#endif
