/*
 * seqio_sequence_sink.h - the events that a parser of sequences sends to a sink. The parser knows lines and no alphabet; the sink knows
 * the alphabet.
 *
 *   begin_file (begin residues.. quality.. end).. end_file, with raw.. between begin and end
 */
#ifndef TAMIS_SEQIO_SEQUENCE_SINK_H
#define TAMIS_SEQIO_SEQUENCE_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

/*
 * A status besides those of io_status: the sink cannot take more now. The parser returns it. When the parser is called again, it repeats
 * the event with what was not taken.
 */
#define IO_SINK_FULL ((io_status)-1)

/* A position in the input. */
typedef struct seqio_position {
    const char *file;
    uint64_t line, column; /* from 1, in bytes */
} seqio_position;

/* Each event returns IO_OK, IO_SINK_FULL, or a failure with its message in err. Pointers are valid during the event. */
typedef struct seqio_sequence_sink {
    void *arg;
    int by_line; /* 1: residues() gets at most one line at once, with its position; 0: as much as there is, with position NULL */
    /* Begins a file; may be NULL. file: its name for messages. */
    io_status (*begin_file)(void *arg, const char *file, int is_fastq, io_error *err);
    /* Begins a record. header: the line without '>' or '@' and without its end (LF, CR LF, or CR alone in FASTA), of any length.
     * position: that of the '>' or '@'. */
    io_status (*begin)(void *arg, const char *header, size_t n, const seqio_position *position, io_error *err);
    /*
     * Passes characters of the record's sequence, 1 or more, without line ends and without blanks at the ends of lines: a line of blanks
     * causes no event. Blanks inside a line are passed. Failures: with by_line the sink writes the message. Without by_line, IO_E_INPUT
     * means residues[*n_taken] is invalid, and the parser, which knows the line, writes a message from the character and fault().
     */
    io_status (*residues)(void *arg, const uint8_t *residues, size_t n, const seqio_position *position, size_t *n_taken, io_error *err);
    const char *(*fault)(uint8_t character); /* what is wrong with a character: "is not a nucleotide"; NULL: residues() never refuses a
                                              * character */
    /* FASTQ, after the whole sequence: passes characters of the record's quality, 1 or more, in all never more than the sequence has.
     * NULL: not wanted. */
    io_status (*quality)(void *arg, const uint8_t *quality, size_t n, size_t *n_taken, io_error *err);
    io_status (*end)(void *arg, io_error *err);      /* ends a complete record; in FASTQ its quality is as long as its sequence */
    io_status (*end_file)(void *arg, io_error *err); /* ends a file; may be NULL */
    /*
     * Passes the record's raw bytes in pieces, all of them before end(): from its '>' or '@' on, including line ends; in FASTA up to the
     * next record or the end of the file, in FASTQ up to the end of the quality's line. After IO_SINK_FULL the sink has taken the bytes,
     * and they are not repeated. NULL: not wanted.
     */
    io_status (*raw)(void *arg, const uint8_t *bytes, size_t n, io_error *err);
} seqio_sequence_sink;

#endif
