/*
 * io_sequence_sink.h - what a parser of sequences tells, and to whom. The parser knows lines and no alphabet; the sink knows letters.
 */
#ifndef TAMIS_IO_SEQUENCE_SINK_H
#define TAMIS_IO_SEQUENCE_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "io_error.h"

/* Beside those of io_status: the sink takes no more now. The parser returns it; when it is called again, it repeats the event, with
 * what was not taken. */
#define IO_SINK_FULL ((io_status)-1)

/* Where in the input. */
typedef struct io_place {
    const char *file;
    uint64_t line, column; /* from 1 */
} io_place;

/* Events of a record come in this order. Each returns IO_OK, IO_SINK_FULL, or a failure with its message in err. */
typedef struct io_sequence_sink {
    void *arg;
    int by_line; /* letters() gets no more than a line at once, and where it is; otherwise as much as there is, with place NULL */
    /* header: the line without '>' or '@' and without its end */
    io_status (*begin)(void *arg, const char *header, size_t n, const io_place *place, io_error *err);
    /* Some of the record's letters, without line ends and without blanks at the ends of lines. Without by_line, IO_E_INPUT is about
     * letters[*n_taken], and the parser writes the message, because it knows the line. */
    io_status (*letters)(void *arg, const uint8_t *letters, size_t n, const io_place *place, size_t *n_taken, io_error *err);
    /* Some of the record's quality; NULL: not wanted. In all there are as many as letters. */
    io_status (*quality)(void *arg, const uint8_t *quality, size_t n, size_t *n_taken, io_error *err);
    io_status (*end)(void *arg, io_error *err);
} io_sequence_sink;

#endif
