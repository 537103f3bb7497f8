/* gapped_vectors.h - what gapped extension works with, and gapped_score() without restriction by processors with vectors. */
#ifndef TMS_GAPPED_VECTORS_H
#define TMS_GAPPED_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "alphabet/residues.h"

struct gapped_costs {
    const int *scores; /* [RESIDUE_CODES * query's code + subject's code] */
    int open, extend;  /* a gap of n residues costs open + n extend */
    int x_drop;        /* at least open + extend counts */
};

/* A sequence from the start point on: codes[0], codes[step], ... The byte after the last is read. */
struct gapped_side {
    const uint8_t *codes;
    int n;
};

/* The best cell: its score, and the residues of each sequence up to it. */
struct gapped_extent {
    int score, query, subject;
};

/* From a start point to a side: both sequences, and where it came to. */
struct gapped_extension {
    struct gapped_side query, subject; /* residues, one at least */
    int step;                          /* 1 or -1 */
    struct gapped_extent extent;
};

enum {
    GAPPED_DEAD = -(1 << 30),
    GAPPED_SLACK = 128, /* columns, or lanes, that may be written after the last */
    GAPPED_PADDING = 64 /* residues that may be read before the first */
};

/*
 * Of each diagonal, as many as query and subject have residues together, and one: the best score of its cell, and the best with a gap in
 * the subject; aligned to 64 bytes. Of each column, 0 .. n: the subject's residue before it.
 */
struct gapped_columns {
    int16_t *best, *gap;
    uint8_t *residues;
};

/* gapped_fits() - can the scores of these costs be had in 16 bits? What is below takes only such. */
bool gapped_fits(const struct gapped_costs *costs);

/*
 * gapped_score_...() - extensions that have nothing in common but the costs, n of them, row by row in turn: so that a processor has
 * something to do while a row waits for the one before.
 *   columns [in] for each of them
 */
enum { GAPPED_AT_ONCE = 2 };
void gapped_score_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions, int n);
void gapped_score_avx512(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions,
                         int n);

#endif
