#include "io_progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH         24
#define TERMINAL_PERIOD_S 0.1
#define LOG_PERIOD_S      60.0

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void io_progress_start(io_progress *p, const char *what, uint64_t total_bytes, int quiet)
{
    memset(p, 0, sizeof *p);
    p->what = what;
    p->total_bytes = total_bytes;
    p->is_on = !quiet;
    p->is_terminal = isatty(STDERR_FILENO);
    p->started_s = now_s();
    p->shown_s = p->started_s;
}

double io_progress_elapsed(const io_progress *p) { return now_s() - p->started_s; }

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

static void format_bar(char *text, uint64_t n_bytes, uint64_t total)
{
    int n = n_bytes >= total ? BAR_WIDTH : (int)((double)n_bytes / (double)total * BAR_WIDTH);

    for (int i = 0; i < BAR_WIDTH; i++)
        text[i] = i < n ? '#' : '.';
    text[BAR_WIDTH] = '\0';
}

void io_progress_update(io_progress *p, uint64_t n_bytes, uint64_t n_keys)
{
    double now, elapsed, rate;
    char done[32], total[32], bar[BAR_WIDTH + 1];

    if (!p->is_on)
        return;
    now = now_s();
    if (now - p->shown_s < (p->is_terminal ? TERMINAL_PERIOD_S : LOG_PERIOD_S))
        return;
    p->shown_s = now;
    elapsed = now - p->started_s;
    rate = elapsed > 0 ? (double)n_keys / elapsed * 1e-6 : 0;
    format_bytes(done, sizeof done, n_bytes);
    fprintf(stderr, p->is_terminal ? "\r%s: " : "tamis %s: ", p->what);
    if (p->total_bytes > 0) {
        format_bytes(total, sizeof total, p->total_bytes);
        format_bar(bar, n_bytes, p->total_bytes);
        if (p->is_terminal)
            fprintf(stderr, "[%s] ", bar);
        fprintf(stderr, "%3.0f %% of %s, ", 100 * (double)n_bytes / (double)p->total_bytes, total);
    } else {
        fprintf(stderr, "%s, ", done);
    }
    fprintf(stderr, "%llu keys, %.1f M keys/s", (unsigned long long)n_keys, rate);
    fputs(p->is_terminal ? "\033[K" : "\n", stderr);
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
