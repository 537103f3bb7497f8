/*
 * io_sequences.h - files of sequences, one after the other: opens each, sees what it is, and drives the parser, which tells a sink.
 *
 * It has no thread. io_dna.h and io_records.h call it from a reader's thread and fill chunks or batches; a sink that keeps nothing may be
 * driven from any.
 */
#ifndef TAMIS_IO_SEQUENCES_H
#define TAMIS_IO_SEQUENCES_H

#include "io_input.h"
#include "io_sequence_sink.h"

typedef struct io_sequences_options {
    const char *const *paths; /* borrowed; "-" is standard input */
    size_t n_paths;
    io_sequence_sink sink;
    int cancel_fd;       /* as in io_stream_open() */
    int may_be_empty;    /* a file without a byte, but for blanks, is no fault */
    int may_lack_header; /* FASTA may begin with letters: those of a record with an empty header */
    size_t buffer_bytes; /* of the buffer, which grows with the longest header; 0: what is fast */
} io_sequences_options;

typedef struct io_sequences io_sequences;

/* io_sequences_create() - opens nothing yet. Returns IO_OK or IO_E_MEMORY. */
io_status io_sequences_create(const io_sequences_options *options, io_sequences **out, io_error *err);
void io_sequences_free(io_sequences *s); /* NULL is fine */

/*
 * io_sequences_read() - events, up to the end of all files.
 * Returns IO_END; IO_SINK_FULL: to be called again; IO_E_INPUT, naming file and line; IO_E_MEMORY; what the sink returns. A file without
 * a record is an error, unless it may be empty. After a failure it is not called again.
 */
io_status io_sequences_read(io_sequences *s, io_error *err);

/* io_sequences_offset() - bytes of the files used so far (compressed, where they are compressed). */
uint64_t io_sequences_offset(const io_sequences *s);

/* io_sequences_compression() - of the file that is being read, or was read last. */
io_compression io_sequences_compression(const io_sequences *s);

#endif
