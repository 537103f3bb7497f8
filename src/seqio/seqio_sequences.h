/*
 * seqio_sequences.h - reads files of sequences one after the other: opens each, detects its format, and drives the parser, which sends
 * events to a sink.
 *
 * It has no thread. seqio_dna.h and seqio_records.h call it from a reader's thread and fill chunks or batches; any thread may use a sink
 * that keeps nothing.
 */
#ifndef TAMIS_SEQIO_SEQUENCES_H
#define TAMIS_SEQIO_SEQUENCES_H

#include "io/io_input.h"
#include "seqio/seqio_sequence_sink.h"

typedef struct seqio_sequences_options {
    const char *const *paths; /* borrowed; "-" is standard input */
    size_t n_paths;
    seqio_sequence_sink sink;
    int cancel_fd;       /* as in io_stream_open() */
    int may_be_empty;    /* 1: a file may be empty, or have only blanks */
    int may_lack_header; /* 1: FASTA may begin without a header; the first record then has an empty one */
    size_t buffer_bytes; /* size of the buffer, which grows with the longest header; 0: a fast size */
} seqio_sequences_options;

typedef struct seqio_sequences seqio_sequences;

/* seqio_sequences_create() - prepare to read; opens no file yet. Returns IO_OK or IO_E_MEMORY. */
io_status seqio_sequences_create(const seqio_sequences_options *options, seqio_sequences **out, io_error *err);
void seqio_sequences_free(seqio_sequences *s); /* NULL is fine */

/*
 * seqio_sequences_read() - send the events of all files.
 * Returns IO_END; IO_SINK_FULL: call again; IO_E_INPUT, naming file and line; IO_E_MEMORY; what the sink returns. A file without a record
 * is an error, unless may_be_empty is set. After a failure it must not be called again.
 */
io_status seqio_sequences_read(seqio_sequences *s, io_error *err);

/* seqio_sequences_offset() - bytes of the stored (compressed) files used so far. */
uint64_t seqio_sequences_offset(const seqio_sequences *s);

/* seqio_sequences_compression() - the compression of the current file, or of the last one. */
io_compression seqio_sequences_compression(const seqio_sequences *s);

#endif
