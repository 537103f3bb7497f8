/*
 * composition_smith_waterman.c - final HSPs with the best score of all cells of a query and a subject, or of a window of one of them.
 * Of the preliminary HSPs only the first, and their number, count.
 */
#include <limits.h>
#include <stdlib.h>

#include "base/array.h"
#include "protein/composition_match.h"

/* The part of the query that is aligned. */
static struct gapped_side query_of(const struct match *m)
{
    return (struct gapped_side){m->query->codes + m->window.first, m->window.end - m->window.first};
}

/*
 * Aligns to the cell where an alignment ends: finds its start backwards from the score, then makes the gapped extension, whose score and
 * end count. If the extension misses the score, its X is doubled, at most twice.
 *   h [out] positions are those of the aligned parts
 */
static tms_status align_to(const struct match *m, struct smith_waterman_cell end, struct search_scratch *w, struct hsp *h)
{
    enum { MOST_TRIES = 3 };
    const struct smith_waterman_boxes *boxes = &m->aligner->boxes;
    struct gapped_costs costs = m->aligner->costs;
    struct gapped_side query = {query_of(m).codes, end.query + 1}, subject = {m->subject, end.subject + 1};
    struct smith_waterman_cell start;
    struct gapped_extension e = {.step = 1};
    tms_status status = smith_waterman(&w->gapped, &costs, query, subject, -1, boxes, end.score, &start);

    e.query = (struct gapped_side){query.codes + start.query, query.n - start.query};
    e.subject = (struct gapped_side){subject.codes + start.subject, subject.n - start.subject};
    h->query = start.query;
    h->subject = start.subject;
    for (int i = 0; i < MOST_TRIES && status == TMS_OK && e.extent.score < end.score; i++) {
        h->script.n = 0;
        status = gapped_align(&w->gapped, &costs, &e, 1, &h->script);
        costs.x_drop = (int)(2 * (unsigned)costs.x_drop); /* a huge X-drop loses its highest bit, as in NCBI's program */
    }
    h->query_end = h->query + e.extent.query;
    h->subject_end = h->subject + e.extent.subject;
    h->score = e.extent.score;
    return status;
}

/* Excludes an alignment's cells. */
static bool exclude(const struct hsp *h, struct smith_waterman_boxes *boxes)
{
    if (!array_reserve(&boxes->items, &boxes->capacity, boxes->n + 1, sizeof *boxes->items))
        return false;
    boxes->items[boxes->n++] = (struct smith_waterman_box){h->query, h->query_end, h->subject, h->subject_end};
    return true;
}

/* Adds an alignment to the list, and takes over its script. */
static tms_status add(const struct match *m, struct hsp h)
{
    tms_status status;

    h.query += m->window.first;
    h.query_end += m->window.first;
    h.subject += m->first;
    h.subject_end += m->first;
    status = hsp_list_add(m->list, &h);
    if (status != TMS_OK)
        free(h.script.runs);
    return status;
}

/* With linking the least score of an HSP counts, because a weak HSP may be in a good chain. */
static bool is_significant(const struct match *m, int score, double evalue)
{
    const struct search_setup *setup = &m->aligner->setup->search;

    return setup->links ? score >= m->aligner->scale * m->query->query->cutoff_least : evalue < setup->evalue;
}

tms_status match_redo_by_smith_waterman(struct match *m, const struct hsp_list *before, struct search_scratch *w,
                                        struct smith_waterman_evidence *evidence)
{
    struct smith_waterman_boxes *boxes = &m->aligner->boxes;
    const struct search_query *q = m->query->query;
    const struct gapped_side subject = {m->subject, m->n};
    const struct protein_setup *setup = m->aligner->setup;
    const struct hsp *first = &before->items[0];
    const bool ends = !is_significant(m, 0, evalue_of_search_space(&m->aligner->scaled, 0, q->search_space));
    tms_status status;

    if (!ends && before->n > 1)
        return TMS_E_ARG;
    boxes->n = 0;
    if (setup->composition != COMPOSITION_OFF && !match_make_matrix(m, first)) {
        m->waits = false;
        return TMS_OK;
    }
    for (;;) {
        struct smith_waterman_cell end;
        struct hsp h = {.context = first->context, .subject_frame = first->subject_frame, .method = m->method};
        double evalue;
        status = smith_waterman(&w->gapped, &m->aligner->costs, query_of(m), subject, 1, boxes, INT_MAX, &end);
        evalue = evalue_of_search_space(&m->aligner->scaled, end.score, q->search_space);
        if (boxes->n == 0) {
            evidence->first_evalue = evalue;
            evidence->first_score = end.score;
        }
        if (status != TMS_OK || end.score == 0 || !is_significant(m, end.score, evalue))
            return status;
        w->counts.n_realigned++;
        status = align_to(m, end, w, &h);
        if (status != TMS_OK) {
            free(h.script.runs);
            return status;
        }
        status = add(m, h);
        if (status != TMS_OK || before->n == 1)
            return status;
        if (!exclude(&h, boxes))
            return TMS_E_MEMORY;
    }
}
