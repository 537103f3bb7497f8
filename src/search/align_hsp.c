/* align_hsp.c - extends to both sides and joins the two halves. */
#include "search/align_hsp.h"

#include <stdlib.h>
#include <string.h>

/* Removes a gap from an end of the alignment, and gives back its costs. */
static void drop_gap(const struct gapped_costs *costs, struct gapped_run run, int *query, int *subject, int sign, int *score)
{
    *score += costs->open + costs->extend * run.n;
    if (run.operation == GAPPED_IN_SUBJECT)
        *query += sign * run.n;
    else
        *subject += sign * run.n;
}

static void strip(const struct gapped_costs *costs, struct hsp *h)
{
    struct gapped_script *script = &h->script;
    size_t first = 0;

    while (first < script->n && script->runs[first].operation != GAPPED_MATCH)
        drop_gap(costs, script->runs[first++], &h->query, &h->subject, 1, &h->score);
    while (script->n > first && script->runs[script->n - 1].operation != GAPPED_MATCH)
        drop_gap(costs, script->runs[--script->n], &h->query_end, &h->subject_end, -1, &h->score);
    script->n -= first;
    memmove(script->runs, script->runs + first, script->n * sizeof *script->runs);
}

tms_status align_hsp(const struct gapped_costs *costs, const uint8_t *query, int query_length, const uint8_t *subject,
                     struct gapped_window window, struct gapped_workspace *ws, struct hsp *h)
{
    int q = h->start_query, s = h->start_subject;
    struct gapped_extension sides[] = {
        {{query + q, q + 1}, {subject + s, s - window.first + 1}, -1, {0}},
        {{query + q + 1, query_length - q - 1}, {subject + s + 1, window.end - s - 1}, 1, {0}},
    };
    const struct gapped_extent *left = &sides[0].extent, *right = &sides[1].extent;
    tms_status status = gapped_align(ws, costs, sides, 2, &h->script);

    if (status != TMS_OK)
        return status;
    h->query = q + 1 - left->query;
    h->subject = s + 1 - left->subject;
    h->query_end = q + 1 + right->query;
    h->subject_end = s + 1 + right->subject;
    h->score = left->score + right->score;
    if (h->script.n > 0)
        strip(costs, h);
    return TMS_OK;
}

tms_status align_hsp_take(const struct align_gpu_alignment *made, const int *runs, struct hsp *h)
{
    h->query = made->query;
    h->query_end = made->query_end;
    h->subject = made->subject;
    h->subject_end = made->subject_end;
    h->score = made->score;
    h->script.capacity = (uint32_t)made->n_runs;
    h->script.runs = malloc((h->script.capacity > 0 ? h->script.capacity : 1) * sizeof *h->script.runs);
    if (h->script.runs == NULL)
        return TMS_E_MEMORY;
    for (int i = 0; i < made->n_runs; i++)
        h->script.runs[i] = (struct gapped_run){(enum gapped_operation)(runs[i] & GAPPED_OPERATION), runs[i] >> 2};
    h->script.n = (uint32_t)made->n_runs;
    return TMS_OK;
}
