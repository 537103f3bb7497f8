/* dot_plot_parts.h - the inside of a dot plot. */
#ifndef TAMIS_DOT_PLOT_PARTS_H
#define TAMIS_DOT_PLOT_PARTS_H

#include <stdatomic.h>

#include "figures/dot_plot.h"

struct dot_record {
    uint64_t start, n_bases;
    char *name;
};

/* The records of one side, end to end. */
struct dot_side {
    struct dot_record *records;
    size_t n, capacity;
    uint64_t n_all; /* with those that were too short to be kept */
    uint64_t n_bases;
};

typedef _Atomic uint64_t dot_count;

struct dot_plot {
    struct dot_side query, subject;
    unsigned shift;   /* a column is 2^shift bases */
    dot_count *cells; /* forward, then reverse: DOT_PLOT_COLUMNS columns of DOT_PLOT_ROWS rows each */
    dot_match *lines; /* DOT_PLOT_LINES; all matches while they fit */
    dot_count n_lines;
    dot_count n_matches[2], n_bases[2], longest[2];
};

enum { DOT_PLOT_CELLS = DOT_PLOT_ROWS * DOT_PLOT_COLUMNS };

#endif
