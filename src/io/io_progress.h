/*
 * io_progress.h - how far a command is, on standard error: a bar on a terminal, elsewhere a line a minute.
 *
 * The one part of io that prints; it is what it is for.
 */
#ifndef TAMIS_IO_PROGRESS_H
#define TAMIS_IO_PROGRESS_H

#include <stdint.h>

typedef struct io_progress {
    const char *what;     /* "build": starts the line */
    const char *unit;     /* "keys": what is counted; or NULL */
    uint64_t total_bytes; /* of the input files; 0 when unknown */
    int is_on, is_terminal, is_drawn;
    double started_s, shown_s;
    uint64_t n_bytes; /* at the last step, when they were more than before */
    double step_s;    /* when that was */
} io_progress;

/*
 * io_progress_start() - shows nothing yet.
 *   what, unit [in] borrowed; unit NULL: there is nothing to count, and what is shown is the share of total_bytes, which are any units then
 *   quiet      [in] 1: never show anything
 */
void io_progress_start(io_progress *p, const char *what, const char *unit, uint64_t total_bytes, int quiet);

/*
 * io_progress_update() - call as often as you like; shows ten times a second, or once a minute. On a terminal the bar takes the room that
 * is left, and the line is cut before the last column: one that wrapped could not be drawn over. The time that is left is as of the last
 * step, and runs down until the next one.
 */
void io_progress_update(io_progress *p, uint64_t n_bytes, uint64_t n_done);

/* io_progress_clear() - takes the bar away until the next update, so that a remark has a line of its own. */
void io_progress_clear(io_progress *p);

/* io_progress_end() - takes the bar away, so that what is printed next starts on a clean line. */
void io_progress_end(io_progress *p);

/* io_progress_elapsed() - seconds since the start. */
double io_progress_elapsed(const io_progress *p);

#endif
