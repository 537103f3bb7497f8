/* gapped_vectors.h - data of gapped extension, and the vector forms of unrestricted gapped_score(). */
#ifndef TMS_GAPPED_VECTORS_H
#define TMS_GAPPED_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "alphabet/residues.h"

struct gapped_costs {
    const int *scores; /* [RESIDUE_CODES * query's code + subject's code] */
    int open, extend;  /* a gap of n residues costs open + n extend */
    int x_drop;        /* raised to open + extend if it is less */
    int match;         /* codes are bases, two equal ones of which score this, and no pair scores more; 0: of any alphabet */
};

/* A sequence from the start point on: codes[0], codes[step], ... One byte after the last code may be read. */
struct gapped_side {
    const uint8_t *codes;
    int n;
};

/* The best cell: its score, and the residues of each sequence up to the cell. */
struct gapped_extent {
    int score, query, subject;
};

/* An extension from a start point to one side: both sequences, and the result. */
struct gapped_extension {
    struct gapped_side query, subject; /* one residue at least */
    int step;                          /* 1 or -1 */
    struct gapped_extent extent;
};

enum {
    GAPPED_DEAD = -(1 << 30),
    GAPPED_SLACK = 128, /* columns or lanes that may be written after the last one */
    GAPPED_PADDING = 64 /* residues that may be read before the first one */
};

/*
 * Arrays of an extension, aligned to 64 bytes. For each diagonal, one more than query and subject have residues together: the best score of
 * its cell, and the best score with a gap in the subject. For each column, 0 .. n: the subject's residue before the column.
 */
struct gapped_columns {
    void *best, *gap; /* lanes of 16 bits, or of 8 */
    uint8_t *residues;
};

/* gapped_code_of_tables() - a code as two tables of 16 bytes are looked up by pshufb: the highest bit is set for the second table. */
static inline uint8_t gapped_code_of_tables(uint8_t code) { return (uint8_t)((code & 15) | (code & 16) << 3); }

/* gapped_fits_bases() - whether these are costs of bases whose scores fit into 8 bits, as gapped_..._bases_avx2() requires. */
bool gapped_fits_bases(const struct gapped_costs *costs);

/* gapped_fits_residues() - the same for costs of residues, as gapped_score_residues_avx2() requires. */
bool gapped_fits_residues(const struct gapped_costs *costs);

/* gapped_fits() - whether the scores of these costs fit into 16 bits, as the vector forms require. */
bool gapped_fits(const struct gapped_costs *costs);

/*
 * gapped_score_...() - make n independent extensions with the same costs, alternating row by row, so that a processor has work while a row
 * waits for the one before.
 *   columns [in] arrays for each of the extensions
 */
enum { GAPPED_AT_ONCE = 2 };
void gapped_score_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions, int n);
void gapped_score_avx512(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions,
                         int n);
void gapped_score_residues_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions,
                                int n);
void gapped_score_bases_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions,
                             int n);

#endif
