/*
 * composition_translated.c - final HSPs of the frames of a translated subject: aligned by windows around the preliminary HSPs of all
 * frames; each alignment has a matrix of its own.
 */
#include "base/array.h"
#include "protein/composition_align.h"
#include "protein/composition_match.h"
#include "protein/translated_subject.h"

/* Begins a window: translates it. */
static tms_status begin_window(struct match *m, const struct composition_translated *subject, const struct frame_window *window,
                               struct search_scratch *w)
{
    struct composition_aligner *aligner = m->aligner;
    const struct hsp *first = &aligner->windows.inside.items[0];
    const size_t n = (size_t)(window->range.end - window->range.first);

    if (!array_reserve(&aligner->residues, &aligner->residues_capacity, n + 2, 1) ||
        !array_reserve(&w->subject, &w->subject_capacity, n + 2, 1))
        return TMS_E_MEMORY;
    m->original = w->subject + 1;
    m->subject = aligner->residues + 1;
    m->subject[-1] = m->subject[n] = 0;
    m->n = (int)n;
    m->first = window->range.first;
    if (!translated_subject_range(subject->state, subject->number, window->frame, window->range, w, w->subject))
        return (tms_status)atomic_load(&subject->state->status);
    m->maybe_biased = true;
    m->near = match_is_near(m, first);
    m->was_near = false;
    m->n_matrices = 0;
    return match_fetch(m, match_stays_unmasked(m, first));
}

tms_status composition_aligner_translated(struct composition_aligner *aligner, const struct composition_query *query,
                                          const struct composition_translated *subject, struct search_scratch *w, struct subject_hits *hits,
                                          struct composition_outcome *outcome)
{
    struct match m = {.aligner = aligner, .query = query, .window = {0, query->query->length}, .has_window = true, .list = &w->hsps};
    struct frame_windows *windows = &aligner->windows;
    struct subject_frames lengths;
    const int n = translated_subject_lengths(subject->state, subject->number, &lengths);
    const struct framed_side side = {.is_subject = true, .lengths = lengths.lengths};
    tms_status status;

    if (n < 0)
        return (tms_status)atomic_load(&subject->state->status);
    outcome->evidence.preliminary_evalue = hits->evalue;
    hsp_list_clear(&w->hsps);
    status = frame_windows_find(&hits->hsps, &side, windows);
    for (size_t i = 0; i < windows->n && status == TMS_OK && !m.waits; i++) {
        status = frame_windows_inside(&hits->hsps, &side, i, windows);
        if (status == TMS_OK)
            status = begin_window(&m, subject, &windows->items[i], w);
        if (status == TMS_OK)
            status = match_redo_all(&m, &windows->inside, w);
    }
    outcome->waits = m.waits;
    if (m.waits || status != TMS_OK)
        return status;
    hsp_list_reverse(&w->hsps); /* of equal ones BLAST has the newest first */
    /* without linking the length is not divided by 3 [sic] */
    return match_finish_windows(aligner, query->query, aligner->setup->search.links ? n / 3 : n, w, hits, outcome);
}
