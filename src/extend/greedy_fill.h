/* greedy_fill.h - vector forms of filling a row of greedy_linear.c: several diagonals at once. */
#ifndef TMS_GREEDY_FILL_H
#define TMS_GREEDY_FILL_H

#include "extend/greedy_side.h"

enum { GREEDY_FILL_LANES = 16 /* cells that may be read and written after a row's last one */ };

/* A row of codes to be filled from the row before; both are indexed by diagonal. */
struct greedy_fill {
    const int *before;
    int *row;
    int begin, end;                 /* diagonals begin .. end */
    int least;                      /* bases of both sequences that a cell must reach before its run of equal bases */
    const uint8_t *query, *subject; /* from the start point on, to the right or to the left */
    int n_query, n_subject;
    int first, last;                 /* [in,out] limits of diagonals of the next row, as greedy_linear() moves them */
    bool query_ended, subject_ended; /* [in,out] */
    struct greedy_run longest;       /* [in,out] */
    struct greedy_run furthest;      /* [out] the first of the cells that take most bases of both sequences; n: so many; 0: there is none */
};

void greedy_fill_avx2(struct greedy_fill *f, bool is_right);
void greedy_fill_avx512(struct greedy_fill *f, bool is_right);

/* What a vector of cells from diagonal k on has found: bits are lanes. */
struct greedy_lanes {
    unsigned in_row, is_valid, query_ends, subject_ends;
};

/* Moves `first` behind cells without an alignment from lane `at` on. */
static inline void greedy_skip_lanes(struct greedy_fill *f, int k, unsigned at, struct greedy_lanes lanes)
{
    const unsigned skipped = (lanes.in_row & ~lanes.is_valid) >> at;

    f->first = k + (int)at + __builtin_ctz(~skipped);
}

/* Moves the limits, as cell after cell would. */
static inline void greedy_limit_lanes(struct greedy_fill *f, int k, struct greedy_lanes lanes)
{
    if (lanes.subject_ends != 0) {
        f->subject_ended = true;
        greedy_skip_lanes(f, k, 32 - (unsigned)__builtin_clz(lanes.subject_ends), lanes);
    } else if (f->first >= k && f->first < k + GREEDY_FILL_LANES && (lanes.in_row >> (f->first - k) & 1) != 0) {
        greedy_skip_lanes(f, k, (unsigned)(f->first - k), lanes);
    }
    if (lanes.is_valid != 0) {
        const int highest = 31 - __builtin_clz(lanes.is_valid);
        f->last = k + highest - (int)(lanes.query_ends >> highest & 1);
    }
    f->query_ended |= lanes.query_ends != 0;
}

#endif
