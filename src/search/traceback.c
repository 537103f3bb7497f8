/*
 * traceback.c - takes preliminary HSPs in the order of their scores: skips those that lie within an alignment, and aligns the others from
 * their start points.
 */
#include "search/traceback.h"

#include <stdlib.h>

#include "search/align_hsp.h"
#include "search/partial_frames.h"
#include "search/search_rate.h"

bool traceback_find_start(const int *scores, const uint8_t *query, const uint8_t *subject, struct hsp *h)
{
    int query_range = h->query_end - h->query, subject_range = h->subject_end - h->subject;
    int at = query_range / 2, score = 0;

    if (query_range > GAPPED_START_RESIDUES) {
        int best = gapped_best_start(scores, query + h->query, subject + h->subject,
                                     query_range < subject_range ? query_range : subject_range, &at);
        at += GAPPED_START_RESIDUES - 1;
        if (best <= 0) { /* then the last residues */
            for (int i = 1; i <= GAPPED_START_RESIDUES; i++)
                score += scores[RESIDUE_CODES * query[h->query_end - i] + subject[h->subject_end - i]];
            h->start_query = h->query_end - GAPPED_START_RESIDUES / 2;
            h->start_subject = h->subject_end - GAPPED_START_RESIDUES / 2;
            return score > 0;
        }
    }
    h->start_query = h->query + at;
    h->start_subject = h->subject + at;
    return true;
}

/* made [in] the alignment, if a GPU has made it, and its runs are made_runs */
static tms_status align(const struct search_setup *setup, const struct search_query *query, const struct subject_frames *subject,
                        const struct align_gpu_alignment *made, const int *made_runs, struct search_scratch *w, struct hsp *h)
{
    const struct search_query *strand = search_query_strand(query, h->context);
    const struct gapped_costs gapped = search_gapped_costs(setup, setup->x_final);
    const int n = subject->lengths[h->subject_frame];
    struct gapped_window window = {0, n};
    tms_status status;

    if (!setup->translates_subjects)
        window = gapped_window_around(strand->length, n, h->start_query, h->start_subject);
    if (made != NULL)
        status = align_hsp_take(made, made_runs + made->first_run, h);
    else
        status = align_hsp(&gapped, strand->codes, strand->length, subject->codes[h->subject_frame], window, &w->gapped, h);
    if (status == TMS_OK)
        status = hsp_set_add(&w->accepted, search_box_of(setup, h));
    if (status == TMS_OK)
        status = hsp_list_add(&w->hsps, h);
    if (status != TMS_OK)
        free(h->script.runs);
    return status;
}

tms_status traceback_keep_apart(const struct search_setup *setup, struct search_scratch *w)
{
    struct hsp_list *list = &w->hsps;
    tms_status status = TMS_OK;
    size_t n = 0;

    hsp_set_clear(&w->accepted);
    for (size_t i = 0; i < list->n; i++) {
        const struct hsp h = list->items[i];
        const bool is_apart = status == TMS_OK && !hsp_set_contains(&w->accepted, search_box_of(setup, &h));
        if (is_apart)
            status = hsp_set_add(&w->accepted, search_box_of(setup, &h));
        if (is_apart && h.score > 0)
            list->items[n++] = h;
        else
            free(h.script.runs);
    }
    list->n = n;
    return status;
}

/*
 * The length of a subject that final E-values refer to, of which the last frame that was aligned has n residues. For linked HSPs of a
 * translated subject it is divided by 3, as if it were bases [sic].
 */
static int rated_length(const struct search_setup *setup, int n) { return setup->translates_subjects && setup->links ? n / 3 : n; }

tms_status traceback(const struct search_setup *setup, const struct search_query *query, const struct subject_frames *subject,
                     struct traceback_made made, struct search_scratch *w, struct subject_hits *hits)
{
    const struct hsp_list *before = &hits->hsps;
    const struct gapped_costs costs = search_gapped_costs(setup, setup->x_final);
    struct partial_frames partial;
    int last = 0;
    tms_status status = TMS_OK;

    partial_frames_begin(subject, &partial);
    partial.is_whole |= !setup->translates_subjects;
    hsp_set_clear(&w->accepted);
    hsp_list_clear(&w->hsps);
    for (size_t i = 0; i < before->n && status == TMS_OK; i++) {
        const bool is_made = i < made.n && made.alignments[i].n_runs >= 0;
        struct hsp h = before->items[i];
        if (hsp_set_contains(&w->accepted, search_box_of(setup, &h)))
            continue;
        if (h.start_query == 0 && h.start_subject == 0 &&
            !traceback_find_start(setup->scores, search_query_strand(query, h.context)->codes, subject->codes[h.subject_frame], &h))
            continue;
        last = h.subject_frame;
        partial_frames_add(&partial, &h);
        status = align(setup, query, subject, is_made ? &made.alignments[i] : NULL, made.runs, w, &h);
        if (status == TMS_OK && !partial.is_whole) {
            const struct search_query *strand = search_query_strand(query, h.context);
            status = partial_frames_check(&partial, &costs, (struct gapped_side){strand->codes, strand->length}, &w->gapped, &h);
        }
    }
    hsp_purge(&w->hsps);
    if (status == TMS_OK)
        status = traceback_keep_apart(setup, w);
    if (status == TMS_OK)
        status = search_keep_significant(setup, query, NULL, rated_length(setup, partial_frames_end(&partial, last)), setup->evalue,
                                         &w->hsps);
    if (status == TMS_OK)
        status = hsp_list_move(&w->hsps, &hits->hsps);
    if (status == TMS_OK && hits->hsps.n > 0)
        subject_hits_rate(hits);
    return status;
}

tms_status traceback_ungapped(struct hsp_list *list)
{
    tms_status status = TMS_OK;

    for (size_t i = 0; i < list->n && status == TMS_OK; i++) {
        struct hsp *h = &list->items[i];
        status = gapped_script_add(&h->script, GAPPED_MATCH, h->query_end - h->query);
    }
    return status;
}
