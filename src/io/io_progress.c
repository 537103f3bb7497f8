#include "io/io_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

#define BAR_WIDTH         24
#define LEAST_BAR_WIDTH   4
#define DEFAULT_COLUMNS   80
#define TERMINAL_PERIOD_S 0.1
#define LOG_PERIOD_S      60.0
#define SHARE_THAT_TELLS  0.05

void io_progress_start(io_progress *p, const char *what, const char *unit, uint64_t total_bytes, int quiet)
{
    memset(p, 0, sizeof *p);
    p->what = what;
    p->unit = unit;
    p->total_bytes = total_bytes;
    p->is_on = !quiet;
    p->is_terminal = isatty(STDERR_FILENO);
    p->started_s = clock_seconds();
    p->shown_s = p->started_s;
}

double io_progress_elapsed(const io_progress *p) { return clock_seconds() - p->started_s; }

static void format_bytes(char *text, size_t size, uint64_t n_bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    double value = (double)n_bytes;
    int unit = 0;

    while (value >= 1000 && unit < 5) {
        value /= 1000;
        unit++;
    }
    snprintf(text, size, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

/* Columns of the terminal, which the user may have resized since the last line. */
static int columns(void)
{
    struct winsize size;
    const char *text = getenv("COLUMNS");
    int n = text != NULL ? atoi(text) : 0;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return n > 0 ? n : DEFAULT_COLUMNS;
}

/* "[####....] ", with at most `most` characters, or nothing if `most` is too small. */
static void format_bar(char text[BAR_WIDTH + 4], int most, double share)
{
    int width = most - 3 < BAR_WIDTH ? most - 3 : BAR_WIDTH;
    int n = share >= 1 ? width : (int)(share * width);

    text[0] = '\0';
    if (width < LEAST_BAR_WIDTH)
        return;
    memset(text, '#', (size_t)width + 1);
    memset(text + 1 + n, '.', (size_t)(width - n));
    text[0] = '[';
    strcpy(text + 1 + width, "] ");
}

/*
 * ", 90 s left", ", 25 min left": the time that the rest of the input takes at the pace up to the last step, less the time since that
 * step.
 */
static void format_left(const io_progress *p, char text[32], double elapsed)
{
    double left = p->n_bytes > 0 ? p->step_s * ((double)p->total_bytes / (double)p->n_bytes - 1) - (elapsed - p->step_s) : 0;

    text[0] = '\0';
    if (p->n_bytes == 0 || p->n_bytes >= p->total_bytes)
        return;
    if (p->unit == NULL && (double)p->n_bytes < SHARE_THAT_TELLS * (double)p->total_bytes) /* steps take unequal times */
        return;
    left = left > 0 ? left : 0;
    if (left < 120)
        snprintf(text, 32, ", %.0f s left", left);
    else
        snprintf(text, 32, ", %.0f %s left", left / (left < 7200 ? 60 : 3600), left < 7200 ? "min" : "h");
}

/* "12.5", "138 k", "2.4 M": three significant digits, or more below 1000. */
static void format_rate(char text[24], double rate)
{
    static const char *const units[] = {"", " k", " M", " G"};
    int unit = 0;

    while (rate >= 1000 && unit < 3) {
        rate /= 1000;
        unit++;
    }
    snprintf(text, 24, "%.*f%s", rate < 99.95 ? 1 : 0, rate, units[unit]);
}

/* "42 % of 1.2 GB, 1000 keys, 500 k keys/s, 90 s left"; "42 %, 90 s left" */
static void format_state(const io_progress *p, char *text, size_t size, uint64_t n_bytes, uint64_t n_done, double elapsed)
{
    char bytes[32], percent[32] = "", left[32], rate[24];

    format_left(p, left, elapsed);
    format_rate(rate, elapsed > 0 ? (double)n_done / elapsed : 0);
    if (p->unit == NULL) {
        snprintf(text, size, "%3.0f %%%s", 100 * (double)n_bytes / (double)p->total_bytes, left);
        return;
    }
    format_bytes(bytes, sizeof bytes, p->total_bytes > 0 ? p->total_bytes : n_bytes);
    if (p->total_bytes > 0)
        snprintf(percent, sizeof percent, "%3.0f %% of ", 100 * (double)n_bytes / (double)p->total_bytes);
    snprintf(text, size, "%s%s, %llu %s, %s %s/s%s", percent, bytes, (unsigned long long)n_done, p->unit, rate, p->unit, left);
}

void io_progress_update(io_progress *p, uint64_t n_bytes, uint64_t n_done)
{
    double now;
    char state[160], bar[BAR_WIDTH + 4] = "";

    if (!p->is_on)
        return;
    now = clock_seconds();
    n_bytes = n_bytes > p->n_bytes ? n_bytes : p->n_bytes; /* for compressed files n_bytes is an estimate, which may fall */
    if (n_bytes > p->n_bytes) {
        p->n_bytes = n_bytes;
        p->step_s = now - p->started_s;
    }
    if (now - p->shown_s < (p->is_terminal ? TERMINAL_PERIOD_S : LOG_PERIOD_S))
        return;
    p->shown_s = now;
    format_state(p, state, sizeof state, n_bytes, n_done, now - p->started_s);
    if (p->is_terminal) {
        int width = columns() - 1 - (int)strlen(p->what) - 2;
        if (p->total_bytes > 0)
            format_bar(bar, width - (int)strlen(state), (double)n_bytes / (double)p->total_bytes);
        fprintf(stderr, "\r%s: %s%.*s\033[K", p->what, bar, width > 0 ? width : 0, state);
    } else {
        fprintf(stderr, "tamis %s: %s\n", p->what, state);
    }
    fflush(stderr);
    p->is_drawn = p->is_terminal;
}

void io_progress_clear(io_progress *p)
{
    if (p->is_drawn)
        fputs("\r\033[K", stderr);
    p->is_drawn = 0;
}

void io_progress_end(io_progress *p)
{
    io_progress_clear(p);
    p->is_on = 0;
}
