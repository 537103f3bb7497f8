/* smith_waterman.c - fills row by row; keeps of the row before the best score and the best score with a gap in the subject. */
#include "extend/smith_waterman.h"

#include <string.h>

#include "base/array.h"

/* Both scores of each column. Rows of bytes mark the excluded columns. */
struct rows {
    int32_t *best, *gap;
    uint8_t *excluded;
};

static tms_status reserve(struct gapped_workspace *ws, const struct gapped_costs *costs, int n, struct rows *out)
{
    if (!array_reserve(&ws->columns, &ws->columns_capacity, 2 * (size_t)n, sizeof *ws->columns) ||
        !array_reserve(&ws->directions[0].items, &ws->directions[0].capacity, (size_t)n, 1))
        return TMS_E_MEMORY;
    *out = (struct rows){ws->columns, ws->columns + n, ws->directions[0].items};
    for (int j = 0; j < n; j++) {
        out->best[j] = 0;
        out->gap[j] = -costs->open;
    }
    return TMS_OK;
}

/* Marks the columns that are excluded in row i. Returns false if there are none. */
static bool exclude(const struct smith_waterman_boxes *boxes, int i, int n, uint8_t *excluded)
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
        memset(excluded + box->subject, 1, (size_t)(end - box->subject));
    }
    return any;
}

static int max(int a, int b) { return a > b ? a : b; }

/* Fills row i. Returns whether a score of `enough` was found. */
static bool fill_row(const struct gapped_costs *costs, const int *scores, int i, struct gapped_side subject, int step,
                     const struct rows *rows, bool has_excluded, int enough, struct smith_waterman_cell *out)
{
    const int open = costs->open + costs->extend;
    int left = 0, left_gap = -costs->open, diagonal = 0;

    for (int k = 0, j = step > 0 ? 0 : subject.n - 1; k < subject.n; k++, j += step) {
        int gap = max(rows->best[j] - open, rows->gap[j] - costs->extend);
        int score = has_excluded && rows->excluded[j] ? 0 : max(0, diagonal + scores[subject.codes[j]]);
        left_gap = max(left - open, left_gap - costs->extend);
        score = max(score, max(left_gap, gap));
        diagonal = rows->best[j];
        rows->best[j] = left = score;
        rows->gap[j] = gap;
        if (score > out->score)
            *out = (struct smith_waterman_cell){score, i, j};
        if (out->score >= enough)
            return true;
    }
    return false;
}

tms_status smith_waterman(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_side query,
                          struct gapped_side subject, int step, const struct smith_waterman_boxes *boxes, int enough,
                          struct smith_waterman_cell *out)
{
    struct rows rows;
    tms_status status = reserve(ws, costs, subject.n, &rows);

    *out = (struct smith_waterman_cell){0, 0, 0};
    for (int k = 0, i = step > 0 ? 0 : query.n - 1; k < query.n && status == TMS_OK; k++, i += step) {
        bool has_excluded = exclude(boxes, i, subject.n, rows.excluded);
        if (fill_row(costs, costs->scores + RESIDUE_CODES * query.codes[i], i, subject, step, &rows, has_excluded, enough, out))
            break;
    }
    return status;
}
