/*
 * io_progress.h - shows on standard error how far a command is: a bar on a terminal, elsewhere a line a minute.
 *
 * The only part of io that prints.
 */
#ifndef TAMIS_IO_PROGRESS_H
#define TAMIS_IO_PROGRESS_H

#include <stdint.h>

typedef struct io_progress {
    const char *what;     /* the line's first word, such as "build" */
    const char *unit;     /* name of the items counted, such as "keys"; or NULL */
    uint64_t total_bytes; /* size of the input files; 0 if unknown */
    int is_on, is_terminal, is_drawn;
    double started_s, shown_s;
    uint64_t n_bytes; /* greatest n_bytes so far */
    double step_s;    /* seconds from the start to the last increase of n_bytes */
} io_progress;

/*
 * io_progress_start() - initialize; shows nothing yet.
 *   what, unit [in] borrowed. unit NULL: there are no items to count; only the share of total_bytes is shown, in any unit
 *   quiet      [in] 1: never show anything
 */
void io_progress_start(io_progress *p, const char *what, const char *unit, uint64_t total_bytes, int quiet);

/*
 * io_progress_update() - show the progress, ten times a second on a terminal and once a minute elsewhere; may be called more often. The
 * bar takes the free columns of a terminal, and the line is cut before the last one, because a wrapped line could not be overwritten. The
 * time left is computed at the last step and counts down until the next one.
 */
void io_progress_update(io_progress *p, uint64_t n_bytes, uint64_t n_done);

/* io_progress_clear() - remove the bar until the next update, so that a message can have a line of its own. */
void io_progress_clear(io_progress *p);

/* io_progress_end() - remove the bar, so that later output starts on a clean line. */
void io_progress_end(io_progress *p);

/* io_progress_elapsed() - seconds since the start. */
double io_progress_elapsed(const io_progress *p);

#endif
