/*
 * smith_waterman_row.h - a row of the matrix of [Smith & Waterman 1981], by vectors of 32-bit scores. A file that includes the second half
 * first defines LANES, the vectors and their operations:
 *   vector, v_all(), v_load(), v_store(), v_max(), v_add(), v_sub()
 *   v_any_above(a, b)        whether a > b in any lane
 *   v_before(a, fill, n)     the last n lanes of fill, then a moved up by n lanes; n is constant
 *   v_unless(bytes, a)       a, but 0 in lanes whose byte is not 0
 *   scores, v_row(), v_look_up()  a row of RESIDUE_CODES scores; the scores of LANES residues
 */
#ifndef TMS_SMITH_WATERMAN_ROW_H
#define TMS_SMITH_WATERMAN_ROW_H

#include "extend/gapped.h"

enum { SMITH_WATERMAN_SLACK = 32 /* columns that may be read and written before the first one and after the last one */ };

/* A row: a residue of the query, and n columns. Arrays have SMITH_WATERMAN_SLACK elements more before and after those of columns. */
struct smith_waterman_row {
    const int *scores;       /* of the query's residue with each code */
    int open_extend, extend; /* costs of a gap's first residue, and of each further one */
    int n;
    const uint8_t *codes;    /* the columns' residues */
    const uint8_t *excluded; /* 1: the column's residue is not aligned; NULL: all may be */
    int32_t *best;           /* [in,out] best scores of the row before, then of this one; best[-1] is 0 */
    int32_t *gap;            /* [in,out] best scores that end with a gap in the subject */
    int enough;              /* a score at which the row may end */
};

/*
 * smith_waterman_row_...() - fills a row.
 *   score  [in,out] the best score so far
 *   column [out] the first cell with the best score, if that rose
 * Returns whether the score is enough.
 */
bool smith_waterman_row_plain(const struct smith_waterman_row *row, int *score, int *column);
bool smith_waterman_row_avx2(const struct smith_waterman_row *row, int *score, int *column);
bool smith_waterman_row_avx512(const struct smith_waterman_row *row, int *score, int *column);

/* smith_waterman_look() - compares columns first .. end - 1 with the best score. Returns whether it is enough. */
static inline bool smith_waterman_look(const struct smith_waterman_row *row, int first, int end, int *score, int *column)
{
    for (int k = first; k < end; k++)
        if (row->best[k] > *score) {
            *score = row->best[k];
            *column = k;
            if (*score >= row->enough)
                return true;
        }
    return false;
}

#ifdef LANES

/*
 * The best scores that end with a gap in the query, in each lane. Such a gap begins at an earlier cell, whose own score need not end with
 * such a gap: that would be the same gap, or one that costs more.
 *   opened [in] for each lane the score that a gap has whose first residue is there
 */
static inline vector extend_gaps(vector opened, int extend)
{
    const vector none = v_all(GAPPED_DEAD);
    vector gap = v_max(opened, v_sub(v_before(opened, none, 1), v_all(extend)));

    gap = v_max(gap, v_sub(v_before(gap, none, 2), v_all(2 * extend)));
    gap = v_max(gap, v_sub(v_before(gap, none, 4), v_all(4 * extend)));
#if LANES > 8
    gap = v_max(gap, v_sub(v_before(gap, none, 8), v_all(8 * extend)));
#endif
    return gap;
}

/* Scores of 0 or less change nothing, so vectors in which no gap in the query has more are not looked at for them. */
static inline bool fill_row(const struct smith_waterman_row *row, int *score, int *column)
{
    const uint8_t *codes = row->codes, *excluded = row->excluded;
    int32_t *best_of = row->best, *gap_of = row->gap;
    const int n = row->n;
    const vector zero = v_all(0), open_extend = v_all(row->open_extend), extend = v_all(row->extend);
    const scores scores_of = v_row(row->scores);
    vector diagonal = v_load(best_of - 1), behind = v_sub(zero, open_extend), top = v_all(*score);

    for (int k = 0; k < n; k += LANES) {
        const vector gap = v_max(v_sub(v_load(best_of + k), open_extend), v_sub(v_load(gap_of + k), extend));
        vector best = v_max(zero, v_add(diagonal, v_look_up(scores_of, codes + k))), opened, next;
        if (excluded != NULL)
            best = v_unless(excluded + k, best);
        best = v_max(best, gap);
        next = v_sub(best, open_extend);
        opened = v_before(next, behind, 1);
        if (v_any_above(opened, zero)) {
            const vector gap_in_query = extend_gaps(opened, row->extend);
            best = v_max(best, gap_in_query);
            next = v_max(next, v_sub(gap_in_query, extend));
        }
        behind = next;
        diagonal = v_load(best_of + k + LANES - 1);
        v_store(best_of + k, best);
        v_store(gap_of + k, gap);
        if (v_any_above(best, top)) {
            if (smith_waterman_look(row, k, k + LANES < n ? k + LANES : n, score, column))
                return true;
            top = v_all(*score);
        }
    }
    return false;
}

#endif

#endif
