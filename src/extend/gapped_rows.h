/*
 * gapped_rows.h - gapped_score() by rows of vectors. A file that includes it says how wide they are, and what they can do:
 *   LANES, vector, mask              int32_t lanes, and a bit for each
 *   v_all(), v_load(), v_store(), v_max(), v_add(), v_sub()
 *   v_above(a, b), v_pick(mask, a, b)  lanes where a > b; a where the mask is set, else b
 *   v_store_bytes(), v_or()          the lowest byte of each lane
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
#include <string.h>

#include "extend/gapped.h"

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

/* Returns how many columns were opened by the gap. */
static int end_row(struct rows *r, int last_alive, int gap)
{
    int opened = 0;

    if (last_alive < r->end - 1) {
        r->end = last_alive + 1;
    } else {
        for (; gap >= r->best.score - r->drop && r->end <= r->subject.n; gap -= r->costs->extend, opened++)
            set_column(r, r->end++, gap);
    }
    if (r->end <= r->subject.n)
        set_column(r, r->end++, GAPPED_DEAD);
    return opened;
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

/*
 * Where each cell comes from, and whether the gaps behind it are older than it. Of equal values a match goes before a gap, and a gap that
 * goes on before a new one. gap, gap_before [in] before this cell; opened: a new gap after it; gap_on, gap_before_on: these gaps, one
 * letter longer
 */
static inline vector directions_of(vector diagonal, vector gap, vector gap_before, vector opened, vector gap_on, vector gap_before_on)
{
    const vector zero = v_all(0);
    vector from = v_pick(v_above(gap, diagonal), v_all(GAPPED_IN_SUBJECT), zero);

    from = v_pick(v_above(gap_before, v_max(diagonal, gap)), v_all(GAPPED_IN_QUERY), from);
    from = v_or(from, v_pick(v_above(opened, gap_on), zero, v_all(GAPPED_EXTENDS_IN_SUBJECT)));
    return v_or(from, v_pick(v_above(opened, gap_before_on), zero, v_all(GAPPED_EXTENDS_IN_QUERY)));
}

/* Row a; directions: NULL, or of its columns as if from column 0. Returns false when no column is alive. */
static inline bool score_row(struct rows *r, int a, scores row, vector ramp, uint8_t *directions)
{
    const vector extend = v_all(r->costs->extend), open_extend = v_all(r->open_extend), dead = v_all(GAPPED_DEAD);
    const vector extend_2 = v_add(extend, extend), extend_4 = v_add(extend_2, extend_2);
    vector diagonal = dead, gap_before = dead, gap_after = dead;
    int first = r->end, last = r->first, opened_columns;
    int32_t gaps_after[LANES];

    for (int b = r->first; b < r->end; b += LANES) {
        vector gap = v_load(r->columns.gap + b);
        vector next = v_add(v_load(r->columns.best + b), v_look_up(row, r->columns.letters + b));
        vector match = v_shift(next, 1, diagonal), score = v_max(match, gap), opened = v_sub(score, open_extend), gap_here;
        mask valid = r->end - b < LANES ? (mask)(((uint32_t)1 << (r->end - b)) - 1) : (mask) ~(mask)0, alive;
        opened = v_max(opened, v_sub(v_shift(opened, 1, dead), extend));
        opened = v_max(opened, v_sub(v_shift(opened, 2, dead), extend_2));
        opened = v_max(opened, v_sub(v_shift(opened, 4, dead), extend_4));
        if (LANES > 8)
            opened = v_max(opened, v_sub(v_shift(opened, 8 % LANES, dead), v_add(extend_4, extend_4)));
        gap_before = v_sub(gap_before, ramp); /* which went into this vector, column by column */
        gap_after = v_max(opened, v_sub(gap_before, extend));
        gap_here = v_max(v_shift(opened, 1, dead), gap_before);
        score = v_max(score, gap_here);
        alive = v_above(score, v_all(r->best.score - r->drop - 1)) & valid;
        if ((v_above(score, v_all(r->best.score)) & valid) != 0)
            alive = raise_best(r, a, b, score, valid);
        v_store(r->columns.best + b, v_pick(alive, score, dead));
        opened = v_sub(score, open_extend);
        gap_here = v_sub(gap_here, extend);
        if (directions != NULL)
            v_store_bytes(directions + b, directions_of(match, gap, v_add(gap_here, extend), opened, v_sub(gap, extend), gap_here));
        v_store(r->columns.gap + b, v_max(opened, v_sub(gap, extend)));
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
    opened_columns = end_row(r, last, gaps_after[(r->end - 1 - r->first) % LANES]);
    if (directions != NULL)
        memset(directions + last + 1, GAPPED_IN_QUERY, (size_t)opened_columns);
    r->first = first;
    return true;
}

static vector begin(struct rows *r)
{
    int32_t ramp[LANES];

    r->open_extend = r->costs->open + r->costs->extend;
    r->drop = r->costs->x_drop > r->open_extend ? r->costs->x_drop : r->open_extend;
    for (int i = 0; i < LANES; i++)
        ramp[i] = i * r->costs->extend;
    begin_rows(r);
    return v_load(ramp);
}

static struct gapped_extent score_rows(const struct gapped_costs *costs, struct gapped_columns columns, struct gapped_side query,
                                       struct gapped_side subject, int step)
{
    struct rows r = {.costs = costs, .columns = columns, .subject = subject, .step = step};
    const vector ramp = begin(&r);

    for (int a = 1; a <= query.n; a++) {
        fill_letters(&r);
        if (!score_row(&r, a, v_row(costs->scores + GAPPED_CODES * query.codes[(ptrdiff_t)step * (a - 1)]), ramp, NULL))
            break;
    }
    return r.best;
}

/* The same with directions, row by row as gapped_reserve_row() has them. */
static tms_status align_rows(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_columns columns,
                             struct gapped_side query, struct gapped_side subject, int step, struct gapped_extent *out)
{
    struct rows r = {.costs = costs, .columns = columns, .subject = subject, .step = step};
    const vector ramp = begin(&r);
    size_t used = (size_t)r.end;
    tms_status status = gapped_reserve_row(ws, 0, 0, subject.n);

    if (status != TMS_OK)
        return status;
    ws->row_starts[0] = 0;
    memset(ws->directions, GAPPED_IN_QUERY, used);
    for (int a = 1; a <= query.n; a++) {
        const int *letter_scores = costs->scores + GAPPED_CODES * query.codes[(ptrdiff_t)step * (a - 1)];
        status = gapped_reserve_row(ws, a, used, subject.n);
        if (status != TMS_OK)
            return status;
        ws->row_starts[a] = used - (size_t)r.first;
        fill_letters(&r);
        if (!score_row(&r, a, v_row(letter_scores), ramp, ws->directions + (ptrdiff_t)ws->row_starts[a]))
            break;
        used = ws->row_starts[a] + (size_t)r.end;
    }
    *out = r.best;
    return TMS_OK;
}

#endif
