/*
 * greedy_affine.c - the affine form. A mismatch is `mismatch` differences, the first base of a gap `open_extend`, another one `extend`.
 *
 * A cell has how many bases of the subject the furthest alignments of its diagonal take: that which ends with a match or mismatch, and
 * those which end with a gap. Rows are kept: a cell follows from rows up to `mismatch` or `open_extend` before its own.
 */
#include "base/array.h"
#include "extend/greedy_side.h"

enum { AT_MATCH, AT_SUBJECT_GAP, AT_QUERY_GAP, CELL_VALUES, NO_FIRST = 100000000, NO_LAST = -100000000 };

/* An extension in progress. */
struct affine {
    const struct greedy_costs *costs;
    struct greedy_view view;
    enum greedy_kind kind;
    struct greedy_workspace *ws;
    size_t n_cells;
    int first, last;                          /* diagonals of the next row */
    int least_first, most_last;               /* limits of diagonals, once a sequence has ended */
    int reach, reach_diagonal, reach_subject; /* the cell of a row that takes most bases of both sequences */
    int best_diagonal;                        /* of the best alignment, as are the differences and bases in *out */
    struct greedy_extent *out;
};

/* A row before. */
struct row {
    const int *cells;
    int first, last;
};

static struct row row_of(const struct affine *f, int d)
{
    const struct greedy_workspace *ws = f->ws;

    if (d < 0 || ws->kept[d].first > ws->kept[d].last)
        return (struct row){ws->cells, NO_FIRST, NO_LAST};
    return (struct row){ws->cells + ws->kept[d].start, ws->kept[d].first, ws->kept[d].last};
}

static int value_of(const struct row *row, int diagonal, int value)
{
    return diagonal >= row->first && diagonal <= row->last ? row->cells[CELL_VALUES * diagonal + value] : GREEDY_NONE;
}

static tms_status reserve_row(struct affine *f, int d)
{
    struct greedy_workspace *ws = f->ws;
    const size_t n = f->first <= f->last ? (size_t)(f->last - f->first + 1) * CELL_VALUES : 0;

    if (!array_reserve(&ws->cells, &ws->cells_capacity, f->n_cells + n + 1, sizeof *ws->cells) ||
        !array_reserve(&ws->kept, &ws->kept_capacity, (size_t)d + 1, sizeof *ws->kept) ||
        !array_reserve(&ws->best, &ws->best_capacity, (size_t)(d + f->costs->behind) + 1, sizeof *ws->best))
        return TMS_E_MEMORY;
    ws->kept[d] = (struct greedy_row){(ptrdiff_t)f->n_cells - (ptrdiff_t)CELL_VALUES * f->first, NO_FIRST, NO_LAST};
    f->n_cells += n;
    return TMS_OK;
}

/* Continues a cell by equal bases, and notes how far it reaches. */
static void continue_cell(struct affine *f, int k, int j, int *cell)
{
    const int i = j + k, same = greedy_same(&f->view, f->kind, i, j), reach = i + j + 2 * same;

    if (same > f->out->longest.n)
        f->out->longest = (struct greedy_run){i, j, same};
    cell[AT_MATCH] = j + same;
    if (reach > f->reach) {
        f->reach = reach;
        f->reach_diagonal = k;
        f->reach_subject = j + same;
    }
    f->last = k;
    if (i + same == f->view.n_query)
        f->most_last = k - 1;
    if (j + same == f->view.n_subject) {
        f->first = k;
        f->least_first = k + 1;
    }
}

/* Fills the row with d differences. */
static void fill_row(struct affine *f, int d, int least)
{
    const struct greedy_costs *c = f->costs;
    const struct row opened = row_of(f, d - c->open_extend), extended = row_of(f, d - c->extend), replaced = row_of(f, d - c->mismatch);
    const int first = f->first, last = f->last;
    int *cells = f->ws->cells + f->ws->kept[d].start;

    f->reach = 0;
    for (int k = first; k <= last; k++) {
        int *cell = cells + (ptrdiff_t)CELL_VALUES * k;
        int query_gap = greater(value_of(&opened, k + 1, AT_MATCH), value_of(&extended, k + 1, AT_QUERY_GAP)), j;
        cell[AT_QUERY_GAP] = query_gap == GREEDY_NONE ? GREEDY_NONE : query_gap + 1;
        cell[AT_SUBJECT_GAP] = greater(value_of(&opened, k - 1, AT_MATCH), value_of(&extended, k - 1, AT_SUBJECT_GAP));
        j = greater(greater(cell[AT_SUBJECT_GAP], cell[AT_QUERY_GAP]), value_of(&replaced, k, AT_MATCH) + 1);
        if (j >= 0 && j + k + j >= least)
            continue_cell(f, k, j, cell);
        else if (k == f->first)
            f->first++;
        else
            cell[AT_MATCH] = GREEDY_NONE;
    }
}

/* Compares the row's best alignment with the best of all. Of equal ones that with fewer differences stays. */
static void rate_row(struct affine *f, int d)
{
    int *best = f->ws->best + f->costs->behind;
    const int score = f->reach * (f->costs->match / 2) - d * f->costs->unit;

    best[d] = best[d - 1];
    if (score > best[d]) {
        best[d] = score;
        f->best_diagonal = f->reach_diagonal;
        f->out->score = score;
        f->out->n_differences = d;
        f->out->query = f->reach_subject + f->reach_diagonal;
        f->out->subject = f->reach_subject;
    }
}

/* The diagonals of the row with d differences: those that rows before continue to. */
static void next_diagonals(struct affine *f, int d)
{
    const struct greedy_costs *c = f->costs;
    const struct row opened = row_of(f, d - c->open_extend), extended = row_of(f, d - c->extend), replaced = row_of(f, d - c->mismatch);

    f->first = greater(lesser(lesser(opened.first, extended.first) - 1, replaced.first), f->least_first);
    f->last = lesser(greater(greater(opened.last, extended.last) + 1, replaced.last), f->most_last);
}

/* Extends from `same` equal bases on. */
static tms_status extend(struct affine *f, int same)
{
    const int oldest = greater(f->costs->mismatch, f->costs->open_extend);
    int n_rows = 1; /* that can be continued */
    tms_status status = reserve_row(f, 0);

    if (status != TMS_OK)
        return status;
    for (int i = 0; i < f->costs->behind; i++)
        f->ws->best[i] = 0;
    f->ws->best[f->costs->behind] = same * f->costs->match;
    f->ws->cells[AT_MATCH] = same;
    f->ws->cells[AT_SUBJECT_GAP] = f->ws->cells[AT_QUERY_GAP] = GREEDY_NONE;
    f->ws->kept[0].first = f->ws->kept[0].last = 0;
    f->first = -1;
    f->last = 1;
    for (int d = 1; n_rows > 0; d++) {
        if (d > 1)
            next_diagonals(f, d);
        status = reserve_row(f, d);
        if (status != TMS_OK)
            return status;
        fill_row(f, d, greedy_least_reach(f->costs, f->ws->best[d], d));
        rate_row(f, d);
        if (f->first <= f->last) {
            n_rows++;
            f->ws->kept[d].first = f->first;
            f->ws->kept[d].last = f->last;
        }
        if (d >= oldest && f->ws->kept[d - oldest].first <= f->ws->kept[d - oldest].last)
            n_rows--;
    }
    return TMS_OK;
}

/* Follows the rows from the best alignment back to the start point. */
static tms_status trace_back(const struct affine *f, struct gapped_script *back)
{
    const struct greedy_costs *c = f->costs;
    int d = f->out->n_differences, k = f->best_diagonal, j = f->out->subject, at = AT_MATCH;
    tms_status status = TMS_OK;

    while (d > 0 && status == TMS_OK) {
        if (at == AT_MATCH) {
            const int *cell = f->ws->cells + f->ws->kept[d].start + (ptrdiff_t)CELL_VALUES * k;
            const struct row replaced = row_of(f, d - c->mismatch);
            const int gap = greater(cell[AT_SUBJECT_GAP], cell[AT_QUERY_GAP]), mismatch = value_of(&replaced, k, AT_MATCH);
            const bool is_mismatch = mismatch != GREEDY_NONE && mismatch >= gap;
            const int to = is_mismatch ? mismatch : gap;
            status = greedy_add(back, GAPPED_MATCH, j - to);
            j = to;
            if (is_mismatch)
                d -= c->mismatch;
            else
                at = cell[AT_SUBJECT_GAP] > cell[AT_QUERY_GAP] ? AT_SUBJECT_GAP : AT_QUERY_GAP;
        } else {
            const struct row opened = row_of(f, d - c->open_extend), extended = row_of(f, d - c->extend);
            const int beside = at == AT_SUBJECT_GAP ? k - 1 : k + 1;
            status = greedy_add(back, at == AT_SUBJECT_GAP ? GAPPED_IN_SUBJECT : GAPPED_IN_QUERY, 1);
            j -= at == AT_QUERY_GAP;
            if (value_of(&extended, beside, at) < value_of(&opened, beside, AT_MATCH)) {
                d -= c->open_extend;
                at = AT_MATCH;
            } else {
                d -= c->extend;
            }
            k = beside;
        }
    }
    return status == TMS_OK ? greedy_add(back, GAPPED_MATCH, j) : status;
}

tms_status greedy_affine(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_side *side,
                         struct gapped_script *back, struct greedy_extent *out)
{
    struct affine f = {.costs = costs, .ws = ws, .least_first = NO_LAST, .most_last = NO_FIRST, .out = out};
    int same;
    tms_status status = TMS_OK;

    f.view = greedy_view_of(side);
    f.kind = greedy_kind_of(side);
    same = greedy_same(&f.view, f.kind, 0, 0);
    *out = (struct greedy_extent){.score = same * costs->match, .query = same, .subject = same, .longest = {0, 0, same}};
    if (same < side->n_query && same < side->n_subject)
        status = extend(&f, same);
    return status == TMS_OK && back != NULL ? trace_back(&f, back) : status;
}
