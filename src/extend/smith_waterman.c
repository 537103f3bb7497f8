/* smith_waterman.c - fills row by row; keeps of the row before the best score and the best score with a gap in the subject. */
#include "extend/smith_waterman.h"

#include <string.h>

#include "base/array.h"
#include "base/lesser.h"
#include "extend/smith_waterman_row.h"

typedef bool fill_function(const struct smith_waterman_row *row, int *score, int *column);

static fill_function *choose(tms_simd simd)
{
#if TMS_HAVE_X86_SIMD
    if (simd != TMS_SIMD_SCALAR)
        return simd == TMS_SIMD_AVX512 ? smith_waterman_row_avx512 : smith_waterman_row_avx2;
#endif
    (void)simd;
    return smith_waterman_row_plain;
}

/* The number of the residue with which the step of a side begins, and of the one at which it is in step k. */
static int residue_of(int n, int step, int k) { return step > 0 ? k : n - 1 - k; }

/* Sets the row before the first one. Bytes of `excluded` follow those of the codes. */
static tms_status begin(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_side subject, int step,
                        struct smith_waterman_row *out, uint8_t **excluded)
{
    const size_t n = (size_t)subject.n + 2 * (size_t)SMITH_WATERMAN_SLACK;
    uint8_t *codes;

    if (!array_reserve(&ws->columns, &ws->columns_capacity, 2 * n, sizeof *ws->columns) ||
        !array_reserve(&ws->directions[0].items, &ws->directions[0].capacity, 2 * n, 1))
        return TMS_E_MEMORY;
    memset(ws->columns, 0, n * sizeof *ws->columns);
    for (size_t k = n; k < 2 * n; k++)
        ws->columns[k] = -costs->open;
    codes = ws->directions[0].items;
    memset(codes, 0, 2 * n);
    codes += SMITH_WATERMAN_SLACK;
    for (int k = 0; k < subject.n; k++)
        codes[k] = subject.codes[residue_of(subject.n, step, k)];
    *excluded = codes + n;
    *out = (struct smith_waterman_row){.open_extend = costs->open + costs->extend,
                                       .extend = costs->extend,
                                       .n = subject.n,
                                       .codes = codes,
                                       .best = ws->columns + SMITH_WATERMAN_SLACK,
                                       .gap = ws->columns + n + SMITH_WATERMAN_SLACK};
    return TMS_OK;
}

/* Marks the columns that are excluded in the row of residue i of the query. Returns false if there are none. */
static bool exclude(const struct smith_waterman_boxes *boxes, int i, int n, int step, uint8_t *excluded)
{
    bool any = false;

    for (size_t b = 0; b < boxes->n; b++) {
        const struct smith_waterman_box *box = &boxes->items[b];
        int end = box->subject_last + 1 < n ? box->subject_last + 1 : n;
        if (i < box->query || i >= box->query_end || box->subject >= end)
            continue;
        if (!any)
            memset(excluded, 0, (size_t)n);
        any = true;
        memset(excluded + (step > 0 ? box->subject : n - end), 1, (size_t)(end - box->subject));
    }
    return any;
}

bool smith_waterman_row_plain(const struct smith_waterman_row *row, int *score, int *column)
{
    int left = 0, left_gap = -row->open_extend, diagonal = 0;

    for (int k = 0; k < row->n; k++) {
        const int gap = greater(row->best[k] - row->open_extend, row->gap[k] - row->extend);
        int best = row->excluded != NULL && row->excluded[k] ? 0 : greater(0, diagonal + row->scores[row->codes[k]]);
        left_gap = greater(left - row->open_extend, left_gap - row->extend);
        best = greater(best, greater(left_gap, gap));
        diagonal = row->best[k];
        row->best[k] = left = best;
        row->gap[k] = gap;
    }
    return smith_waterman_look(row, 0, row->n, score, column);
}

tms_status smith_waterman(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_side query,
                          struct gapped_side subject, int step, const struct smith_waterman_boxes *boxes, int enough,
                          struct smith_waterman_cell *out)
{
    fill_function *fill = choose(ws->simd);
    struct smith_waterman_row row;
    uint8_t *excluded;
    bool is_enough = false;
    tms_status status = begin(ws, costs, subject, step, &row, &excluded);

    *out = (struct smith_waterman_cell){0, 0, 0};
    row.enough = enough;
    for (int k = 0; k < query.n && status == TMS_OK && !is_enough; k++) {
        const int i = residue_of(query.n, step, k), before = out->score;
        int column = 0;
        row.scores = costs->scores + RESIDUE_CODES * query.codes[i];
        row.excluded = exclude(boxes, i, subject.n, step, excluded) ? excluded : NULL;
        is_enough = fill(&row, &out->score, &column);
        if (out->score > before)
            *out = (struct smith_waterman_cell){out->score, i, residue_of(subject.n, step, column)};
    }
    return status;
}
