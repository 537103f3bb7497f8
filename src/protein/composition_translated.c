/*
 * composition_translated.c - final HSPs of the frames of a translated subject: aligned by windows around the preliminary HSPs of all
 * frames; each alignment has a matrix of its own.
 */
#include <string.h>

#include "base/array.h"
#include "protein/composition_align.h"
#include "protein/composition_match.h"
#include "protein/translated_subject.h"

/* Begins a window: translates it. */
static tms_status begin_window(struct match *m, const struct composition_translated *subject, const struct frame_window *window,
                               struct search_scratch *w)
{
    struct composition_aligner *aligner = m->aligner;
    const struct hsp *first = &aligner->inside.items[0];
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
    m->maybe_biased = aligner->setup->composition != COMPOSITION_OFF;
    m->near = match_is_near(m, first);
    m->was_near = false;
    m->n_matrices = 0;
    return match_fetch(m, match_stays_unmasked(m, first));
}

/* --- before the alignment --- */

enum { MOST_AHEAD = 512 /* solutions, of 3 KB each */ };

void composition_aligner_begin_translated(struct composition_aligner *aligner) { aligner->n_ahead = aligner->next_ahead = 0; }

bool composition_aligner_has_room(const struct composition_aligner *aligner) { return aligner->n_ahead < MOST_AHEAD; }

/* Sets the pairs of the HSPs of a window, as if all had the residues of the first. */
static tms_status prepare_window(struct match *m)
{
    struct composition_aligner *aligner = m->aligner;
    const struct hsp_list *inside = &aligner->inside;

    if (!array_reserve(&aligner->ahead, &aligner->ahead_capacity, aligner->n_ahead + inside->n, sizeof *aligner->ahead))
        return TMS_E_MEMORY;
    for (size_t i = 0; i < inside->n; i++) {
        struct composition_pair *pair = &aligner->ahead[aligner->n_ahead++].pair;
        memset(pair, 0, sizeof *pair);
        pair->query = m->query->composition;
        pair->query_length = (size_t)m->query->query->length;
        pair->subject_length = (size_t)m->n;
        match_subject_composition(m, &inside->items[i], &pair->subject);
    }
    return TMS_OK;
}

tms_status composition_aligner_prepare_translated(struct composition_aligner *aligner, const struct composition_query *query,
                                                  const struct composition_translated *subject, struct search_scratch *w,
                                                  const struct subject_hits *hits)
{
    struct match m = {.aligner = aligner, .query = query, .window = {0, query->query->length}, .has_window = true};
    struct frame_windows *windows = &aligner->windows;
    struct subject_frames lengths;
    const struct framed_side side = {.is_subject = true, .lengths = lengths.lengths};
    tms_status status;

    if (translated_subject_lengths(subject->state, subject->number, &lengths) < 0)
        return (tms_status)atomic_load(&subject->state->status);
    status = frame_windows_find(&hits->hsps, &side, windows);
    for (size_t i = 0; i < windows->n && status == TMS_OK; i++) {
        status = frame_windows_inside(&hits->hsps, &side, &windows->items[i], &aligner->inside);
        if (status == TMS_OK)
            status = begin_window(&m, subject, &windows->items[i], w);
        if (status == TMS_OK)
            status = prepare_window(&m);
    }
    return status;
}

void composition_aligner_solve_translated(struct composition_aligner *aligner)
{
    const struct protein_setup *setup = aligner->setup;

    for (size_t i = 0; i < aligner->n_ahead && setup->composition != COMPOSITION_OFF; i += COMPOSITION_SOLUTIONS) {
        const size_t left = aligner->n_ahead - i, n = left < COMPOSITION_SOLUTIONS ? left : COMPOSITION_SOLUTIONS;
        composition_solve(&setup->basis, setup->composition, aligner->simd, aligner->ahead + i, n);
    }
}

/* --- the alignment --- */

/* Takes the solutions for the next window, if it was prepared. */
static void take_ahead(struct match *m)
{
    struct composition_aligner *aligner = m->aligner;
    const size_t left = aligner->n_ahead - aligner->next_ahead, n = aligner->inside.n;

    m->ahead = aligner->ahead + aligner->next_ahead;
    m->n_ahead = n < left ? n : left;
    aligner->next_ahead += m->n_ahead;
    m->solution = m->n_ahead > 0 ? m->ahead : NULL;
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
        status = frame_windows_inside(&hits->hsps, &side, &windows->items[i], &aligner->inside);
        if (status == TMS_OK)
            status = begin_window(&m, subject, &windows->items[i], w);
        take_ahead(&m);
        if (status == TMS_OK)
            status = match_redo(&m, &aligner->inside, w, &outcome->evidence);
    }
    outcome->waits = m.waits;
    if (m.waits || status != TMS_OK)
        return status;
    hsp_list_reverse(&w->hsps); /* of equal ones BLAST has the newest first */
    /* without linking the length is not divided by 3 [sic] */
    return match_finish_windows(aligner, query->query, aligner->setup->search.links ? n / 3 : n, w, hits, outcome);
}
