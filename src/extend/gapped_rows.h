/*
 * gapped_rows.h - gapped_score() by rows of vectors. A file that includes it says how wide they are, and what they can do:
 *   LANES, vector, mask              int32_t lanes, and a bit for each
 *   v_all(), v_load(), v_store(), v_max(), v_add(), v_sub()
 *   v_above(a, b), v_pick(mask, a, b)  lanes where a > b; a where the mask is set, else b
 *   v_shift(a, k, fill)              a moved up by k lanes, and the last k lanes of fill before it; k is a constant
 *   v_last(a)                        the last lane in all
 *   scores, v_row(), v_look_up()     a row of GAPPED_CODES scores, and those of LANES letters
 *
 * Along a row the best score with a gap in the query is a maximum over all cells before it. In the plain form a dead cell leaves this score
 * as it is, and its gap for the next row. Here it does with both as a live cell: what comes of it is below the score that a live cell has
 * at least, which never falls, and no such number is seen in a live cell or opens a column.
 */
#ifndef TMS_GAPPED_ROWS_H
#define TMS_GAPPED_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "extend/gapped_vectors.h"

struct rows {
    const struct gapped_costs *costs;
    struct gapped_columns columns;
    struct gapped_side subject;
    int step, filled; /* letters that columns has */
    int open_extend, drop;
    int first, end; /* columns that are alive, or were in the row before */
    struct gapped_extent best;
};

/* The letters that the columns up to `end` need, in the order of the columns. */
static void fill_letters(struct rows *r)
{
    enum { AHEAD = 64 };

    if (r->filled >= r->end + LANES)
        return;
    for (int to = r->end + LANES + AHEAD; r->filled < to; r->filled++)
        r->columns.letters[r->filled] = r->filled < r->subject.n ? r->subject.codes[(ptrdiff_t)r->step * r->filled] : 0;
}

static void set_column(struct rows *r, int b, int best)
{
    r->columns.best[b] = best;
    r->columns.gap[b] = best - r->open_extend;
}

/* Row 0: gaps in the query alone. */
static void begin_rows(struct rows *r)
{
    int score = -r->open_extend;

    set_column(r, 0, 0);
    for (r->end = 1; r->end <= r->subject.n && score >= -r->drop; score -= r->costs->extend)
        set_column(r, r->end++, score);
}

static void end_row(struct rows *r, int last_alive, int gap)
{
    if (last_alive < r->end - 1) {
        r->end = last_alive + 1;
    } else {
        for (; gap >= r->best.score - r->drop && r->end <= r->subject.n; gap -= r->costs->extend)
            set_column(r, r->end++, gap);
    }
    if (r->end <= r->subject.n)
        set_column(r, r->end++, GAPPED_DEAD);
}

/* Lanes that are alive, where some of them are better than all before: those behind one of these are measured by it. */
static mask raise_best(struct rows *r, int a, int b, vector score, mask valid)
{
    int32_t scores_of[LANES];
    mask alive = 0, better;

    v_store(scores_of, score);
    while ((better = v_above(score, v_all(r->best.score)) & valid) != 0) {
        int lane = __builtin_ctz(better);
        mask up_to = (mask)(((uint32_t)2 << lane) - 1);
        alive |= v_above(score, v_all(r->best.score - r->drop - 1)) & valid & up_to;
        valid &= (mask)~up_to;
        r->best = (struct gapped_extent){scores_of[lane], a, b + lane};
    }
    return alive | (v_above(score, v_all(r->best.score - r->drop - 1)) & valid);
}

/* Row a. Returns false when no column is alive. */
static bool score_row(struct rows *r, int a, scores row, vector ramp)
{
    const vector extend = v_all(r->costs->extend), open_extend = v_all(r->open_extend), dead = v_all(GAPPED_DEAD);
    const vector extend_2 = v_add(extend, extend), extend_4 = v_add(extend_2, extend_2);
    vector diagonal = dead, gap_before = dead, gap_after = dead;
    int first = r->end, last = r->first;
    int32_t gaps_after[LANES];

    for (int b = r->first; b < r->end; b += LANES) {
        vector gap = v_load(r->columns.gap + b);
        vector next = v_add(v_load(r->columns.best + b), v_look_up(row, r->columns.letters + b));
        vector score = v_max(v_shift(next, 1, diagonal), gap), opened = v_sub(score, open_extend);
        mask valid = r->end - b < LANES ? (mask)(((uint32_t)1 << (r->end - b)) - 1) : (mask) ~(mask)0, alive;
        opened = v_max(opened, v_sub(v_shift(opened, 1, dead), extend));
        opened = v_max(opened, v_sub(v_shift(opened, 2, dead), extend_2));
        opened = v_max(opened, v_sub(v_shift(opened, 4, dead), extend_4));
        if (LANES > 8)
            opened = v_max(opened, v_sub(v_shift(opened, 8 % LANES, dead), v_add(extend_4, extend_4)));
        gap_before = v_sub(gap_before, ramp); /* which went into this vector, column by column */
        gap_after = v_max(opened, v_sub(gap_before, extend));
        score = v_max(score, v_max(v_shift(opened, 1, dead), gap_before));
        alive = v_above(score, v_all(r->best.score - r->drop - 1)) & valid;
        if ((v_above(score, v_all(r->best.score)) & valid) != 0)
            alive = raise_best(r, a, b, score, valid);
        v_store(r->columns.best + b, v_pick(alive, score, dead));
        v_store(r->columns.gap + b, v_max(v_sub(score, open_extend), v_sub(gap, extend)));
        if (alive != 0) {
            first = first < r->end ? first : b + __builtin_ctz(alive);
            last = b + 31 - __builtin_clz(alive);
        }
        gap_before = v_last(gap_after);
        diagonal = next;
    }
    v_store(gaps_after, gap_after);
    if (first == r->end)
        return false;
    first = first > r->first ? first : r->first;
    end_row(r, last, gaps_after[(r->end - 1 - r->first) % LANES]);
    r->first = first;
    return true;
}

static struct gapped_extent score_rows(const struct gapped_costs *costs, struct gapped_columns columns, struct gapped_side query,
                                       struct gapped_side subject, int step)
{
    struct rows r = {.costs = costs, .columns = columns, .subject = subject, .step = step, .open_extend = costs->open + costs->extend};
    int32_t ramp[LANES];

    for (int i = 0; i < LANES; i++)
        ramp[i] = i * costs->extend;
    r.drop = costs->x_drop > r.open_extend ? costs->x_drop : r.open_extend;
    begin_rows(&r);
    for (int a = 1; a <= query.n; a++) {
        fill_letters(&r);
        if (!score_row(&r, a, v_row(costs->scores + GAPPED_CODES * query.codes[(ptrdiff_t)step * (a - 1)]), v_load(ramp)))
            break;
    }
    return r.best;
}

#endif
