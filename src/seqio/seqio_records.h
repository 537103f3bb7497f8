/*
 * seqio_records.h - whole records of FASTA and FASTQ files, in batches.
 *
 * A thread of its own reads, decompresses and fills batches, so that this overlaps with what the caller does with the batch before; small
 * files are read in seqio_records_next(). Letters are kept as they are, with their case: what is a letter is for who encodes them.
 */
#ifndef TAMIS_IO_RECORDS_H
#define TAMIS_IO_RECORDS_H

#include "io/io_error.h"
#include "io/io_stream.h"
#include "tamis/seq.h"

typedef struct seqio_records seqio_records;

typedef struct seqio_records_options {
    const char *const *paths; /* borrowed until seqio_records_close(); "-" is standard input */
    size_t n_paths;
    size_t batch_bytes;   /* a batch closes at about this many, of letters, qualities, headers and 20 for each record; a longer record is a
                             batch of its own, or with those that stay together */
    size_t batch_records; /* and at most this many records; 0: any number */
    size_t together;      /* so many records that follow each other stay in one batch: 2, for pairs; 0: 1 */
    size_t buffer_bytes;  /* as in seqio_sequences_options */
    int no_qualities;     /* they are left out */
    int no_headers;       /* they are empty */
    int raw;              /* records as they stand in their files are wanted, too; they count for batch_bytes */
    int may_be_empty;     /* as in seqio_sequences_options */
    size_t part_bytes;    /* a record for which a batch would have to be larger than this comes in parts; batch_bytes or more. With
                             no_qualities. 0: records are whole, however large */
} seqio_records_options;

typedef struct seqio_records_batch {
    tms_seqs seqs;   /* of FASTA or of FASTQ, never of both; one record at least. Numbers go through all files */
    uint64_t n_read; /* bytes of the files used so far (compressed, where they are compressed), this batch included */
    int is_fastq;
    io_compression compression; /* of the file that the last record is of */
    /* With raw: record i is raw[raw_starts[i]] .. raw[raw_starts[i + 1] - 1], byte for byte, from its '>' or '@' to the end of its last
     * line (seqio_sequence_sink.h). The last record of a file gets a line feed if the file does not end in one. Otherwise NULL. */
    const uint8_t *raw;
    const uint64_t *raw_starts; /* n_records + 1 */
    /* With part_bytes. A part is an item of seqs, with some of the record's letters, or of its raw bytes, or of both; its number is
     * the record's. The first part has the header, those that follow have an empty one. */
    int goes_on; /* the first item is the next part of the record with which the batch before ended */
    int is_cut;  /* the last item is a part, and the next batch goes on with it */
} seqio_records_batch;

/* Up to the end of the last batch that seqio_records_next() gave. */
typedef struct seqio_records_totals {
    uint64_t n_records, n_residues;
} seqio_records_totals;

/*
 * seqio_records_open() - start reading. Every file is checked to be there first.
 *   out [out] closed with seqio_records_close()
 * Returns IO_OK; IO_E_INPUT; IO_E_REFUSED; IO_E_MEMORY.
 */
io_status seqio_records_open(const seqio_records_options *options, seqio_records **out, io_error *err);

/*
 * seqio_records_next() - the next batch, in input order.
 *   out [out] valid until the next call
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and line, after all whole records before the fault were given, and maybe parts of this
 * one: the file is none of sequences or empty, a record's quality is cut short or is not as long as its letters, or a header has a NUL;
 * IO_E_MEMORY.
 */
io_status seqio_records_next(seqio_records *r, seqio_records_batch *out, io_error *err);
void seqio_records_get_totals(const seqio_records *r, seqio_records_totals *out);

/* seqio_records_close() - stop the reader, even one that waits for a pipe, and free everything; NULL is fine. */
void seqio_records_close(seqio_records *r);

#endif
