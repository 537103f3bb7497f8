/*
 * gapped.c - the plain form of gapped extension: one row for each residue of the query, over the columns (residues of the subject) that are
 * still alive.
 *
 * Column b stands for the first b residues of the subject. A cell keeps the best score of an alignment that ends there, and the best score
 * of one that ends there with a gap in the subject, which the next row may extend.
 */
#include "extend/gapped.h"

#include <limits.h>

#include "base/array.h"

#define DEAD GAPPED_DEAD

enum { EVERY_TENTH = 10 };

struct gapped_cell {
    int best, gap;
};

void gapped_workspace_free(struct gapped_workspace *ws)
{
    free(ws->cells);
    free(ws->columns);
    for (int i = 0; i < GAPPED_AT_ONCE; i++) {
        free(ws->directions[i].items);
        free(ws->directions[i].row_starts);
        free(ws->directions[i].skips);
    }
    free(ws->back.runs);
    memset(ws, 0, sizeof *ws);
}

static tms_status reserve_cells(struct gapped_workspace *ws, int n)
{
    return array_reserve(&ws->cells, &ws->cells_capacity, (size_t)n + 2, sizeof *ws->cells) ? TMS_OK : TMS_E_MEMORY;
}

/* An extension in progress. */
struct rows {
    const struct gapped_costs *costs;
    struct gapped_cell *cells;
    int n;                 /* columns 0 .. n */
    int open_extend, drop; /* open_extend: cost of a gap of one residue; drop: X */
    int first, end;        /* columns that are alive, or were alive in the row before */
    struct gapped_extent best;
};

/* Fills row 0, which has only gaps in the query. */
static void begin_rows(struct rows *r, const struct gapped_costs *costs, struct gapped_cell *cells, int n)
{
    int score, b;

    r->costs = costs;
    r->cells = cells;
    r->n = n;
    r->open_extend = costs->open + costs->extend;
    r->drop = costs->x_drop > r->open_extend ? costs->x_drop : r->open_extend;
    cells[0].best = 0;
    cells[0].gap = -r->open_extend;
    score = -r->open_extend;
    for (b = 1; b <= n && score >= -r->drop; b++) {
        cells[b].best = score;
        cells[b].gap = score - r->open_extend;
        score -= costs->extend;
    }
    r->first = 0;
    r->end = b;
    r->best = (struct gapped_extent){0, 0, 0};
}

/*
 * Ends a row: drops the columns after the last live one, or opens further columns with a gap that continues.
 *   last_alive [in] column
 *   gap [in] best score in the next column with a gap in the query
 * Returns the number of columns that the gap opens.
 */
static int end_row(struct rows *r, int last_alive, int gap)
{
    int opened = 0;

    if (last_alive < r->end - 1) {
        r->end = last_alive + 1;
    } else {
        for (; gap >= r->best.score - r->drop && r->end <= r->n; opened++) {
            r->cells[r->end].best = gap;
            r->cells[r->end].gap = gap - r->open_extend;
            gap -= r->costs->extend;
            r->end++;
        }
    }
    if (r->end <= r->n) {
        r->cells[r->end].best = r->cells[r->end].gap = DEAD;
        r->end++;
    }
    return opened;
}

/* Keeps a cell's score if the cell is alive, that is, at most the X-drop below the best score, which the cell may raise. */
static inline bool live_cell(struct rows *r, struct gapped_cell *cell, int score, int a, int b)
{
    if (r->best.score - score > r->drop) {
        if (b == r->first)
            r->first++;
        else
            cell->best = DEAD;
        return false;
    }
    if (score > r->best.score)
        r->best = (struct gapped_extent){score, a, b};
    cell->best = score;
    return true;
}

/* Fills row a; `scores` is the row of the query's residue. Returns false if no column is alive. */
static bool score_row(struct rows *r, int a, const int *scores, const uint8_t *subject, int step)
{
    int score = DEAD, row_gap = DEAD, last_alive = r->first, extend = r->costs->extend;

    for (int b = r->first; b < r->end; b++) {
        struct gapped_cell *cell = &r->cells[b];
        int column_gap = cell->gap, diagonal = cell->best + scores[subject[(ptrdiff_t)step * b]];
        score = score > column_gap ? score : column_gap;
        score = score > row_gap ? score : row_gap;
        if (live_cell(r, cell, score, a, b)) {
            int opened = score - r->open_extend;
            last_alive = b;
            row_gap -= extend;
            column_gap -= extend;
            cell->gap = opened > column_gap ? opened : column_gap;
            row_gap = opened > row_gap ? opened : row_gap;
        }
        score = diagonal;
    }
    if (r->first == r->end)
        return false;
    end_row(r, last_alive, row_gap);
    return true;
}

/* Same as score_row(), but gaps may begin only in each tenth column and in each tenth row. *tenth: the first such column. */
static bool score_row_restricted(struct rows *r, int a, const int *scores, const uint8_t *subject, int step, int *tenth)
{
    int score = DEAD, row_gap = DEAD, last_alive = r->first, extend = r->costs->extend;
    bool gap_row = a % EVERY_TENTH == 0;

    for (int b = r->first; b < r->end; b++) {
        struct gapped_cell *cell = &r->cells[b];
        bool gap_column = b == *tenth;
        int column_gap = gap_column ? cell->gap : DEAD, diagonal = cell->best + scores[subject[(ptrdiff_t)step * b]];
        if (gap_column)
            *tenth += EVERY_TENTH;
        score = score > column_gap ? score : column_gap;
        score = gap_row && row_gap > score ? row_gap : score;
        if (live_cell(r, cell, score, a, b)) {
            int opened = score - r->open_extend;
            last_alive = b;
            if (gap_column) {
                column_gap -= extend;
                cell->gap = opened > column_gap ? opened : column_gap;
            }
            if (gap_row) {
                row_gap -= extend;
                row_gap = opened > row_gap ? opened : row_gap;
            }
        }
        score = diagonal;
    }
    if (!gap_row)
        row_gap = score;
    if (r->first == r->end)
        return false;
    end_row(r, last_alive, row_gap);
    *tenth = (r->first + EVERY_TENTH - 1) / EVERY_TENTH * EVERY_TENTH;
    return true;
}

#if TMS_HAVE_X86_SIMD
enum { LINE = 64 }; /* bytes of a line of the cache */

/* Bytes of lanes, rounded up to lines. */
static size_t lane_bytes(size_t n) { return (n * sizeof(int16_t) + LINE - 1) / LINE * LINE; }

/*
 * Places the arrays so that the lane of the start point is always near the same address: an extension seldom goes far from it, and finds
 * the memory of the one before in the cache.
 */
static tms_status reserve_columns(struct gapped_workspace *ws, size_t lane, const struct gapped_extension *extensions, int n,
                                  struct gapped_columns *out)
{
    size_t before, after, n_residues, size;
    uint8_t *at;

    for (int i = 0; i < n; i++) {
        ws->most_query = extensions[i].query.n > ws->most_query ? extensions[i].query.n : ws->most_query;
        ws->most_subject = extensions[i].subject.n > ws->most_subject ? extensions[i].subject.n : ws->most_subject;
    }
    before = lane_bytes((size_t)ws->most_query);
    after = lane_bytes((size_t)ws->most_subject + 2 * GAPPED_SLACK);
    n_residues = (GAPPED_PADDING + (size_t)ws->most_subject + 2 * GAPPED_SLACK) / LINE * LINE;
    size = LINE + GAPPED_AT_ONCE * (2 * (before + after) + n_residues);
    if (!array_reserve(&ws->columns, &ws->columns_capacity, size / sizeof *ws->columns, sizeof *ws->columns))
        return TMS_E_MEMORY;
    at = (uint8_t *)ws->columns + (LINE - (uintptr_t)ws->columns % LINE) % LINE;
    for (int i = 0; i < n; i++) {
        const size_t to_start = (size_t)extensions[i].query.n * lane / LINE * LINE;
        out[i].best = at + before - to_start;
        out[i].gap = at + before + after + before - to_start;
        out[i].residues = at + 2 * (before + after) + GAPPED_PADDING;
        at += 2 * (before + after) + n_residues;
    }
    return TMS_OK;
}

static tms_status score_by_vectors(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *extensions,
                                   int n)
{
    const bool are_bases = gapped_fits_bases(costs), are_bytes = are_bases || gapped_fits_residues(costs);
    struct gapped_columns columns[GAPPED_AT_ONCE];
    tms_status status = reserve_columns(ws, are_bytes ? sizeof(int8_t) : sizeof(int16_t), extensions, n, columns);

    if (status == TMS_OK && are_bases)
        gapped_score_bases_avx2(costs, columns, extensions, n);
    else if (status == TMS_OK && are_bytes)
        gapped_score_residues_avx2(costs, columns, extensions, n);
    else if (status == TMS_OK && ws->simd == TMS_SIMD_AVX512)
        gapped_score_avx512(costs, columns, extensions, n);
    else if (status == TMS_OK)
        gapped_score_avx2(costs, columns, extensions, n);
    return status;
}

static tms_status align_by_vectors(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *extensions,
                                   int n)
{
    const bool are_bases = gapped_fits_bases(costs);
    struct gapped_columns columns[GAPPED_AT_ONCE];
    tms_status status = reserve_columns(ws, are_bases ? sizeof(int8_t) : sizeof(int16_t), extensions, n, columns);

    if (status != TMS_OK)
        return status;
    if (are_bases)
        return gapped_align_bases_avx2(costs, columns, ws->directions, extensions, n);
    return ws->simd == TMS_SIMD_AVX512 ? gapped_align_avx512(costs, columns, ws->directions, extensions, n)
                                       : gapped_align_avx2(costs, columns, ws->directions, extensions, n);
}
#endif

/* Selects the extensions that have residues of both sequences; the others never leave the start point. Returns their number. */
static int begin_extensions(struct gapped_extension *extensions, int n, struct gapped_extension *begun, int *numbers)
{
    int n_begun = 0;

    for (int i = 0; i < n; i++) {
        extensions[i].extent = (struct gapped_extent){0, 0, 0};
        if (extensions[i].query.n > 0 && extensions[i].subject.n > 0) {
            begun[n_begun] = extensions[i];
            numbers[n_begun++] = i;
        }
    }
    return n_begun;
}

static tms_status score_rows(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *e, bool restricted)
{
    struct rows r;
    int tenth = 0;
    tms_status status = reserve_cells(ws, e->subject.n);

    if (status != TMS_OK)
        return status;
    begin_rows(&r, costs, ws->cells, e->subject.n);
    for (int a = 1; a <= e->query.n; a++) {
        const int *scores = costs->scores + RESIDUE_CODES * e->query.codes[(ptrdiff_t)e->step * (a - 1)];
        if (!(restricted ? score_row_restricted(&r, a, scores, e->subject.codes, e->step, &tenth)
                         : score_row(&r, a, scores, e->subject.codes, e->step)))
            break;
    }
    e->extent = r.best;
    return TMS_OK;
}

tms_status gapped_score(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *extensions, int n,
                        bool restricted)
{
    struct gapped_extension begun[GAPPED_AT_ONCE];
    int numbers[GAPPED_AT_ONCE], n_begun = begin_extensions(extensions, n, begun, numbers);
    tms_status status = TMS_OK;
    bool by_vectors = false;

#if TMS_HAVE_X86_SIMD
    by_vectors = n_begun > 0 && ws->simd != TMS_SIMD_SCALAR && !restricted && (gapped_fits_bases(costs) || gapped_fits(costs));
    if (by_vectors)
        status = score_by_vectors(ws, costs, begun, n_begun);
#endif
    for (int i = 0; i < n_begun && status == TMS_OK && !by_vectors; i++)
        status = score_rows(ws, costs, &begun[i], restricted);
    for (int i = 0; i < n_begun; i++)
        extensions[numbers[i]].extent = begun[i].extent;
    return status;
}

tms_status gapped_reaches(struct gapped_workspace *ws, const struct gapped_costs *costs, const struct gapped_extension *e, int n_residues,
                          bool *out)
{
    struct rows r;

    *out = false;
    if (e->query.n <= 0 || e->subject.n <= 0)
        return TMS_OK;
    if (reserve_cells(ws, e->subject.n) != TMS_OK)
        return TMS_E_MEMORY;
    begin_rows(&r, costs, ws->cells, e->subject.n);
    for (int a = 1; a <= e->query.n && !*out; a++) {
        const int *scores = costs->scores + RESIDUE_CODES * e->query.codes[(ptrdiff_t)e->step * (a - 1)];
        *out = r.end > n_residues;
        if (*out || !score_row(&r, a, scores, e->subject.codes, e->step))
            break;
    }
    return TMS_OK;
}

/* --- with traceback --- */

/*
 * Fills row a and stores a direction for each cell. Of equal scores, a match takes precedence over a gap, and an open gap over a new one.
 */
static bool align_row(struct rows *r, int a, const int *scores, const uint8_t *subject, int step, uint8_t *directions)
{
    int score = DEAD, row_gap = DEAD, last_alive = r->first, extend = r->costs->extend, opened_columns;

    for (int b = r->first; b < r->end; b++) {
        struct gapped_cell *cell = &r->cells[b];
        int column_gap = cell->gap, diagonal = cell->best + scores[subject[(ptrdiff_t)step * b]];
        uint8_t direction = GAPPED_MATCH;
        if (score < column_gap) {
            direction = GAPPED_IN_SUBJECT;
            score = column_gap;
        }
        if (score < row_gap) {
            direction = GAPPED_IN_QUERY;
            score = row_gap;
        }
        if (live_cell(r, cell, score, a, b)) {
            int opened = score - r->open_extend;
            last_alive = b;
            row_gap -= extend;
            column_gap -= extend;
            if (column_gap < opened) {
                cell->gap = opened;
            } else {
                cell->gap = column_gap;
                direction |= GAPPED_EXTENDS_IN_SUBJECT;
            }
            if (row_gap < opened)
                row_gap = opened;
            else
                direction |= GAPPED_EXTENDS_IN_QUERY;
        }
        directions[b] = direction;
        score = diagonal;
    }
    if (r->first == r->end)
        return false;
    last_alive++; /* if all columns of this row are alive, the directions of columns that end_row() opens begin here */
    opened_columns = end_row(r, last_alive - 1, row_gap);
    memset(directions + last_alive, GAPPED_IN_QUERY, (size_t)opened_columns);
    return true;
}

/* Fills all rows and keeps their directions. */
static tms_status align_rows(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_directions *directions,
                             struct gapped_extension *e)
{
    struct rows r;
    ptrdiff_t used;
    tms_status status = reserve_cells(ws, e->subject.n);

    if (status == TMS_OK)
        status = gapped_reserve_row(directions, 0, 0, e->subject.n);
    if (status != TMS_OK)
        return status;
    begin_rows(&r, costs, ws->cells, e->subject.n);
    directions->row_starts[0] = 0;
    directions->n_skips = 0;
    memset(directions->items, GAPPED_IN_QUERY, (size_t)r.end);
    used = r.end;
    for (int a = 1; a <= e->query.n; a++) {
        const int *scores = costs->scores + RESIDUE_CODES * e->query.codes[(ptrdiff_t)e->step * (a - 1)];
        status = gapped_reserve_row(directions, a, (size_t)used, e->subject.n);
        if (status != TMS_OK)
            return status;
        directions->row_starts[a] = used - r.first;
        if (!align_row(&r, a, scores, e->subject.codes, e->step, directions->items + directions->row_starts[a]))
            break;
        used = directions->row_starts[a] + r.end;
    }
    e->extent = r.best;
    return TMS_OK;
}

/* Appends the operations of an extension to the script, in the order along the sequences. */
static tms_status add_operations(struct gapped_workspace *ws, const struct gapped_directions *directions, const struct gapped_extension *e,
                                 struct gapped_script *script)
{
    struct gapped_script *back = &ws->back;
    tms_status status;

    back->n = 0;
    status = gapped_trace_back(directions, e, back);
    for (uint32_t i = 0; i < back->n && status == TMS_OK; i++) {
        const struct gapped_run run = back->runs[e->step > 0 ? back->n - 1 - i : i];
        status = gapped_script_add(script, run.operation, run.n);
    }
    return status;
}

tms_status gapped_align(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *extensions, int n,
                        struct gapped_script *script)
{
    struct gapped_extension begun[GAPPED_AT_ONCE];
    int numbers[GAPPED_AT_ONCE], n_begun = begin_extensions(extensions, n, begun, numbers);
    tms_status status = TMS_OK;
    bool by_vectors = false;

#if TMS_HAVE_X86_SIMD
    by_vectors = n_begun > 0 && ws->simd != TMS_SIMD_SCALAR && (gapped_fits_bases(costs) || gapped_fits(costs));
    if (by_vectors)
        status = align_by_vectors(ws, costs, begun, n_begun);
#endif
    for (int i = 0; i < n_begun && status == TMS_OK && !by_vectors; i++)
        status = align_rows(ws, costs, &ws->directions[i], &begun[i]);
    for (int i = 0; i < n_begun && status == TMS_OK; i++) {
        extensions[numbers[i]].extent = begun[i].extent;
        status = add_operations(ws, &ws->directions[i], &begun[i], script);
    }
    return status;
}
