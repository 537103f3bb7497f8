/*
 * seqio_sequence_sink.h - what a reader of sequences tells, and to whom. A parser knows lines and no alphabet; the sink knows letters.
 *
 *   begin_file (begin letters.. quality.. end).. end_file, and raw.. between begin and end
 */
#ifndef TAMIS_IO_SEQUENCE_SINK_H
#define TAMIS_IO_SEQUENCE_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

/* Beside those of io_status: the sink takes no more now. The parser returns it; when it is called again, it repeats the event, with
 * what was not taken. */
#define IO_SINK_FULL ((io_status)-1)

/* Where in the input. */
typedef struct io_place {
    const char *file;
    uint64_t line, column; /* from 1, in bytes */
} io_place;

/* Each event returns IO_OK, IO_SINK_FULL, or a failure with its message in err. Pointers are good during the event. */
typedef struct seqio_sequence_sink {
    void *arg;
    int by_line; /* letters() gets no more than a line at once, and where it is; otherwise as much as there is, with place NULL */
    /* May be NULL. file: its name for messages. */
    io_status (*begin_file)(void *arg, const char *file, int is_fastq, io_error *err);
    /* header: the line without '>' or '@' and without its end (LF, CR LF, or CR alone in FASTA), of any length; place: of the '>' */
    io_status (*begin)(void *arg, const char *header, size_t n, const io_place *place, io_error *err);
    /*
     * Some of the record's letters, 1 or more, without line ends and without blanks at the ends of lines: there is no event for a line
     * of blanks. Blanks inside a line are letters. Failures: of a sink by line the message is its own. Without by_line, IO_E_INPUT is
     * about letters[*n_taken], and the parser writes the message, because it knows the line: the letter, and what fault() says of it.
     */
    io_status (*letters)(void *arg, const uint8_t *letters, size_t n, const io_place *place, size_t *n_taken, io_error *err);
    const char *(*fault)(uint8_t letter); /* "is not a nucleotide"; NULL: letters() never fails that way */
    /* FASTQ, after all letters: some of the record's quality, 1 or more; in all never more than letters. NULL: not wanted. */
    io_status (*quality)(void *arg, const uint8_t *quality, size_t n, size_t *n_taken, io_error *err);
    io_status (*end)(void *arg, io_error *err);      /* of a record that is whole: in FASTQ with as much quality as letters */
    io_status (*end_file)(void *arg, io_error *err); /* may be NULL */
    /*
     * The record as it stands in the file, in pieces, all of them before end(): from its '>' or '@' on, with the ends of its lines; in
     * FASTA up to the next record or the end of the file, in FASTQ up to the end of its quality's line. With IO_SINK_FULL the bytes were
     * taken, and are not repeated. NULL: not wanted.
     */
    io_status (*raw)(void *arg, const uint8_t *bytes, size_t n, io_error *err);
} seqio_sequence_sink;

#endif
