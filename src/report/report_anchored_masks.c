/* report_anchored_masks.c - masks of subjects in formats 1 to 4. */
#include "report/report_anchored.h"

#include <ctype.h>
#include <stdlib.h>

/* The number of a residue's column, and of those of the gap before it, which grow from left to right. */
static uint64_t column_of(uint64_t residue, uint32_t in_gap) { return residue << 32 | in_gap; }
static uint64_t column_of_residue(uint64_t residue) { return column_of(residue, UINT32_MAX); }

/* The number of the mask that a residue of an HSP's row lies in. */
static size_t mask_at(const struct report *report, const struct report_hsp *h, size_t i)
{
    const uint64_t at = h->hsp->subject_frame < 0 ? h->hsp->subject.end - 1 - i : h->hsp->subject.start + i;
    size_t mask = 0;

    while (report->masks[mask].end <= at)
        mask++;
    return mask;
}

static bool is_known(const struct anchored *a, size_t first, size_t n_before, size_t mask)
{
    for (size_t i = first; i < n_before; i++)
        if (a->masks[i].mask == mask)
            return true;
    return false;
}

/*
 * The column of residue k of run i, which begins before residue `at` of the query. In formats 1 and 2, where insertions have no columns,
 * their residues count for that whose position is the next lower one: the residue before, of the column `before`, or the next on the minus
 * strand.
 */
static uint64_t column_in_run(const struct anchored *a, const tms_search_hsp *hsp, size_t i, uint32_t k, uint64_t at, uint64_t before)
{
    const uint64_t behind = at + anchored_deleted_behind(hsp, i);

    if (hsp->runs[i].kind == TMS_ALIGNED_MATCH)
        return column_of_residue(at + k);
    if (a->is_flat || (hsp->subject_frame >= 0 && before == 0))
        return column_of(behind, k);
    return hsp->subject_frame < 0 ? column_of_residue(behind) : before;
}

bool anchored_find_masks(struct anchored *a, size_t first, const struct report_hsp *h)
{
    uint64_t at = h->query_at, before = 0;
    const uint8_t *masked = h->masked;
    const size_t n_before = a->n_masks;
    bool is_new = false;

    for (size_t i = 0; i < h->hsp->n_runs && masked != NULL; i++) {
        const tms_aligned_run run = h->hsp->runs[i];
        for (uint32_t k = 0; k < run.n && run.kind != TMS_ALIGNED_GAP_IN_SUBJECT; k++, masked++) {
            const uint64_t column = column_in_run(a, h->hsp, i, k, at, before);
            if (*masked != 0 && (masked == h->masked || masked[-1] == 0)) {
                const size_t number = mask_at(a->report, h, (size_t)(masked - h->masked));
                is_new = !is_known(a, first, n_before, number);
                if (!array_reserve(&a->masks, &a->masks_capacity, a->n_masks + 1, sizeof *a->masks))
                    return false;
                if (is_new)
                    a->masks[a->n_masks++] = (struct masked_columns){column, column, number};
            }
            if (*masked != 0 && is_new)
                a->masks[a->n_masks - 1].last = column;
            before = run.kind == TMS_ALIGNED_MATCH ? column : before;
        }
        at += run.kind == TMS_ALIGNED_GAP_IN_QUERY ? 0 : run.n;
    }
    return true;
}

bool anchored_find_query_masks(struct anchored *a, const struct report_hsp *h)
{
    if (!array_reserve(&a->masks, &a->masks_capacity, h->n_query_masked + 1, sizeof *a->masks))
        return false;
    for (size_t i = 0; i < h->n_query_masked; i++)
        a->masks[a->n_masks++] = (struct masked_columns){column_of_residue(h->query_masked[i].start),
                                                         column_of_residue(h->query_masked[i].end - 1), i};
    return true;
}

/* The column of all rows that has this number. columns [in] entry i: that of residue a->begin + i */
static uint64_t place(const struct anchored *a, const uint64_t *columns, uint64_t column)
{
    const uint64_t residue = column >> 32, in_gap = column & UINT32_MAX;

    if (residue < a->begin)
        return 0;
    if (residue >= a->end)
        return columns[a->end - a->begin] - 1;
    return columns[residue - a->begin] - (in_gap == UINT32_MAX ? 0 : a->gaps[residue - a->begin] - in_gap);
}

bool anchored_place_masks(struct anchored *a)
{
    const uint64_t n = a->end - a->begin;
    uint64_t *columns = malloc((size_t)(n + 1) * sizeof *columns);
    uint64_t at = 0;

    if (columns == NULL)
        return false;
    for (uint64_t i = 0; i <= n; i++)
        columns[i] = at += a->gaps[i] + (i > 0);
    for (size_t k = 0; k < a->n_masks; k++) {
        struct masked_columns *m = &a->masks[k];
        if (m->first >> 32 >= a->end || m->last >> 32 < a->begin)
            *m = (struct masked_columns){UINT64_MAX, 0, m->mask}; /* no column */
        else
            *m = (struct masked_columns){place(a, columns, m->first), place(a, columns, m->last), m->mask};
    }
    free(columns);
    return true;
}

static void mask(struct anchored *a, const struct anchored_row *row, size_t residue, uint64_t column)
{
    uint8_t *c = &a->residues.bytes[residue];

    for (size_t i = row->mask; i < row->last_mask; i++)
        if (a->masks[i].first <= column && column <= a->masks[i].last)
            *c = (uint8_t)tolower(*c);
}

void anchored_mask_row(struct anchored *a, const struct anchored_row *row)
{
    for (uint64_t i = row->begin; i < row->end && row->last_mask > row->mask; i++)
        mask(a, row, row->residues + (size_t)(i - row->begin), column_of_residue(i));
    for (size_t i = row->insertion; i < row->last; i++)
        for (size_t k = 0; k < a->insertions[i].n; k++)
            mask(a, row, a->insertions[i].residues + k, column_of(a->insertions[i].before, (uint32_t)k));
}
