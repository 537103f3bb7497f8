/*
 * greedy_linear.c - the linear form: a difference is a mismatch or a base of a gap.
 *
 * A row has, for each diagonal (bases of the query less bases of the subject), how many bases of the subject the furthest alignment with d
 * differences takes. The loops are megablast's to the order of cells: limits move while a row is filled.
 */
#include "base/array.h"
#include "extend/greedy_fill.h"

enum { MARGIN = 3 + GREEDY_FILL_LANES /* cells of a row on both sides of its diagonals */, LEAST_BY_VECTORS = 4 /* diagonals */ };

/* An extension in progress. */
struct linear {
    const struct greedy_costs *costs;
    struct greedy_view view;
    enum greedy_kind kind;
    struct greedy_workspace *ws;
    bool keeps_rows;
    size_t n_cells;  /* that are kept */
    int first, last; /* diagonals of the next row */
    bool query_ended, subject_ended;
    int best_diagonal; /* of the best alignment, as are the differences and bases in *out */
    struct greedy_extent *out;
};

/* The cell of a row that takes most bases of both sequences. */
struct reach {
    int n, diagonal, subject;
};

/* The row with d differences for diagonals first .. last; *row: indexed by diagonal. */
static tms_status reserve_row(struct linear *l, int d, int **row)
{
    struct greedy_workspace *ws = l->ws;
    const size_t n = (size_t)(l->last - l->first + 1) + 2 * MARGIN, n_best = (size_t)(d + l->costs->behind) + 1;

    if (!array_reserve(&ws->rows[d % 2], &ws->rows_capacity[d % 2], n, sizeof *ws->rows[0]) ||
        !array_reserve(&ws->best, &ws->best_capacity, n_best, sizeof *ws->best))
        return TMS_E_MEMORY;
    *row = ws->rows[d % 2] + MARGIN - l->first;
    return TMS_OK;
}

/* Keeps the row with d differences, diagonals first - 1 .. last + 1. */
static tms_status keep_row(struct linear *l, int d, const int *row)
{
    struct greedy_workspace *ws = l->ws;
    const size_t n = (size_t)(l->last - l->first + 3);

    if (!array_reserve(&ws->cells, &ws->cells_capacity, l->n_cells + n, sizeof *ws->cells) ||
        !array_reserve(&ws->kept, &ws->kept_capacity, (size_t)d + 1, sizeof *ws->kept))
        return TMS_E_MEMORY;
    memcpy(ws->cells + l->n_cells, row + l->first - 1, n * sizeof *row);
    ws->kept[d].start = (ptrdiff_t)l->n_cells - (l->first - 1);
    l->n_cells += n;
    return TMS_OK;
}

/* Fills a row from the one before. */
__attribute__((always_inline)) static inline struct reach fill_kind(struct linear *l, enum greedy_kind kind, const int *before, int *row,
                                                                    int least)
{
    const struct greedy_view view = l->view;
    const int begin = l->first, end = l->last;
    struct greedy_run longest = l->out->longest;
    struct reach reach = {0, 0, 0};
    int first = begin, last = end;

    for (int k = begin; k <= end; k++) {
        int j = greater(greater(before[k + 1], before[k]) + 1, before[k - 1]), i = j + k, same;
        if (j < 0 || i + j < least) {
            row[k] = GREEDY_NONE;
            first += k == first;
            continue;
        }
        last = k;
        same = greedy_same(&view, kind, i, j);
        if (same > longest.n)
            longest = (struct greedy_run){i, j, same};
        i += same;
        j += same;
        row[k] = j;
        if (i + j > reach.n)
            reach = (struct reach){i + j, k, j};
        if (j == view.n_subject) {
            first = k + 1;
            l->subject_ended = true;
        }
        if (i == view.n_query) {
            last = k - 1;
            l->query_ended = true;
        }
    }
    l->first = first;
    l->last = last;
    l->out->longest = longest;
    return reach;
}

/* Fills a row of codes by vectors. */
static struct reach fill_by_vectors(struct linear *l, const int *before, int *row, int least)
{
    struct greedy_fill f = {before,
                            row,
                            l->first,
                            l->last,
                            least,
                            l->view.query_codes,
                            l->view.subject_codes,
                            l->view.n_query,
                            l->view.n_subject,
                            l->first,
                            l->last,
                            l->query_ended,
                            l->subject_ended,
                            l->out->longest,
                            {0, 0, 0}};

#if TMS_HAVE_X86_SIMD /* without it no row is filled by vectors */
    (l->ws->simd == TMS_SIMD_AVX512 ? greedy_fill_avx512 : greedy_fill_avx2)(&f, l->kind == GREEDY_CODES);
#endif
    l->first = f.first;
    l->last = f.last;
    l->query_ended = f.query_ended;
    l->subject_ended = f.subject_ended;
    l->out->longest = f.longest;
    return (struct reach){f.furthest.n, f.furthest.query - f.furthest.subject, f.furthest.subject};
}

static struct reach fill_row(struct linear *l, const int *before, int *row, int least)
{
    if (l->ws->simd != TMS_SIMD_SCALAR && l->last - l->first + 1 >= LEAST_BY_VECTORS &&
        (l->kind == GREEDY_CODES || l->kind == GREEDY_CODES_LEFT))
        return fill_by_vectors(l, before, row, least);
    switch (l->kind) {
    case GREEDY_CODES:
        return fill_kind(l, GREEDY_CODES, before, row, least);
    case GREEDY_CODES_LEFT:
        return fill_kind(l, GREEDY_CODES_LEFT, before, row, least);
    case GREEDY_PACKED:
        return fill_kind(l, GREEDY_PACKED, before, row, least);
    case GREEDY_PACKED_LEFT:
        break;
    }
    return fill_kind(l, GREEDY_PACKED_LEFT, before, row, least);
}

/* Compares the row's best alignment with the best of all. Of equal ones that with more differences is taken. */
static void rate_row(struct linear *l, int d, struct reach reach)
{
    int *best = l->ws->best + l->costs->behind;
    const int score = reach.n * (l->costs->match / 2) - d * l->costs->unit;

    best[d] = best[d - 1];
    if (score >= best[d]) {
        best[d] = score;
        l->best_diagonal = reach.diagonal;
        l->out->n_differences = d;
        l->out->query = reach.subject + reach.diagonal;
        l->out->subject = reach.subject;
    }
}

/* Follows the rows from the best alignment back to the start point. */
static tms_status trace_back(const struct linear *l, struct gapped_script *back)
{
    int k = l->best_diagonal, j = l->out->subject;
    tms_status status = TMS_OK;

    for (int d = l->out->n_differences; d > 0 && status == TMS_OK; d--) {
        const int *row = l->ws->cells + l->ws->kept[d - 1].start;
        const int from_query = row[k - 1], mismatch = row[k], from_subject = row[k + 1];
        if (from_query > greater(mismatch, from_subject)) {
            status = greedy_add(back, GAPPED_MATCH, j - from_query);
            if (status == TMS_OK)
                status = greedy_add(back, GAPPED_IN_SUBJECT, 1);
            j = from_query;
            k--;
        } else if (mismatch > from_subject) {
            status = greedy_add(back, GAPPED_MATCH, j - mismatch);
            j = mismatch;
        } else {
            status = greedy_add(back, GAPPED_MATCH, j - from_subject - 1);
            if (status == TMS_OK)
                status = greedy_add(back, GAPPED_IN_QUERY, 1);
            j = from_subject;
            k++;
        }
    }
    return status == TMS_OK ? greedy_add(back, GAPPED_MATCH, j) : status;
}

/*
 * Whether no row from the one with d differences on can change the result. On diagonal k, i = j + k with i <= n_query and j <= n_subject,
 * so rows reach at most 2 n_query - first and 2 n_subject + last bases; a later row has one more diagonal on either side, which is worth
 * less than its difference costs. Without traceback a longer run of equal bases counts too: it lies behind the least reach, which grows
 * with d.
 */
static bool is_settled(const struct linear *l, int d)
{
    const struct greedy_costs *c = l->costs;
    const int by_query = 2 * l->view.n_query - l->first, by_subject = 2 * l->view.n_subject + l->last,
              best = l->ws->best[c->behind + d - 1];
    const int most = lesser(lesser(by_query, by_subject), l->view.n_query + l->view.n_subject);
    int least;

    if (most * (c->match / 2) - d * c->unit >= best)
        return false;
    least = greedy_least_reach(c, l->ws->best[d], d);
    return l->keeps_rows || (least > 0 && 2 * l->out->longest.n >= lesser(by_query, by_subject) - least);
}

/* Extends by one difference after the other, from `same` equal bases on. */
static tms_status extend(struct linear *l, int same)
{
    int *before, *row;
    tms_status status = reserve_row(l, 0, &before);

    if (status != TMS_OK)
        return status;
    for (int i = 0; i < l->costs->behind; i++)
        l->ws->best[i] = 0;
    l->ws->best[l->costs->behind] = same * l->costs->match;
    before[0] = same;
    l->first = -1;
    l->last = 1;
    for (int d = 1; l->first <= l->last; d++) {
        before[l->first - 1] = before[l->first] = before[l->last] = before[l->last + 1] = GREEDY_NONE;
        if (l->keeps_rows)
            status = keep_row(l, d - 1, before);
        if (status == TMS_OK)
            status = reserve_row(l, d, &row);
        if (status != TMS_OK)
            return status;
        rate_row(l, d, fill_row(l, before, row, greedy_least_reach(l->costs, l->ws->best[d], d)));
        if (l->first > l->last)
            break;
        l->first -= !l->subject_ended;
        l->last += !l->query_ended;
        if (is_settled(l, d + 1))
            break;
        before = row;
    }
    return TMS_OK;
}

tms_status greedy_linear(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_side *side,
                         struct gapped_script *back, struct greedy_extent *out)
{
    struct linear l = {
        .costs = costs, .view = greedy_view_of(side), .kind = greedy_kind_of(side), .ws = ws, .keeps_rows = back != NULL, .out = out};
    const int same = greedy_same(&l.view, l.kind, 0, 0);
    tms_status status = TMS_OK;

    *out = (struct greedy_extent){.query = same, .subject = same, .longest = {0, 0, same}};
    if (same < side->n_query && same < side->n_subject)
        status = extend(&l, same);
    return status == TMS_OK && back != NULL ? trace_back(&l, back) : status;
}
