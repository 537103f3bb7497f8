/*
 * seqio_sequences.h - files of sequences, one after the other: opens each, sees what it is, and drives the parser, which tells a sink.
 *
 * It has no thread. seqio_dna.h and seqio_records.h call it from a reader's thread and fill chunks or batches; a sink that keeps nothing
 * may be driven from any.
 */
#ifndef TAMIS_IO_SEQUENCES_H
#define TAMIS_IO_SEQUENCES_H

#include "io/io_input.h"
#include "seqio/seqio_sequence_sink.h"

typedef struct seqio_sequences_options {
    const char *const *paths; /* borrowed; "-" is standard input */
    size_t n_paths;
    seqio_sequence_sink sink;
    int cancel_fd;       /* as in io_stream_open() */
    int may_be_empty;    /* a file without a byte, but for blanks, is no fault */
    int may_lack_header; /* FASTA may begin with letters: those of a record with an empty header */
    size_t buffer_bytes; /* of the buffer, which grows with the longest header; 0: what is fast */
} seqio_sequences_options;

typedef struct seqio_sequences seqio_sequences;

/* seqio_sequences_create() - opens nothing yet. Returns IO_OK or IO_E_MEMORY. */
io_status seqio_sequences_create(const seqio_sequences_options *options, seqio_sequences **out, io_error *err);
void seqio_sequences_free(seqio_sequences *s); /* NULL is fine */

/*
 * seqio_sequences_read() - events, up to the end of all files.
 * Returns IO_END; IO_SINK_FULL: to be called again; IO_E_INPUT, naming file and line; IO_E_MEMORY; what the sink returns. A file without
 * a record is an error, unless it may be empty. After a failure it is not called again.
 */
io_status seqio_sequences_read(seqio_sequences *s, io_error *err);

/* seqio_sequences_offset() - bytes of the files used so far (compressed, where they are compressed). */
uint64_t seqio_sequences_offset(const seqio_sequences *s);

/* seqio_sequences_compression() - of the file that is being read, or was read last. */
io_compression seqio_sequences_compression(const seqio_sequences *s);

#endif
