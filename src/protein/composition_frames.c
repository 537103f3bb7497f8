/*
 * composition_frames.c - final HSPs of the frames of a translated query or subject: each frame is aligned by windows around its preliminary
 * HSPs, which have matrices of their own.
 */
#include "base/array.h"
#include "protein/composition_match.h"
#include "protein/translated_subject.h"

/* Reads a window of the subject; m->original and m->subject are room for it. */
static tms_status read_window(struct match *m, const struct composition_translated *translated, const struct frame_window *window,
                              struct search_scratch *w)
{
    struct composition_aligner *aligner = m->aligner;
    const size_t n = (size_t)(window->range.end - window->range.first);

    if (!array_reserve(&aligner->residues, &aligner->residues_capacity, n + 2, 1) ||
        !array_reserve(&w->subject, &w->subject_capacity, n + 2, 1))
        return TMS_E_MEMORY;
    m->original = w->subject + 1;
    m->subject = aligner->residues + 1;
    m->subject[-1] = m->subject[n] = 0;
    m->n = (int)n;
    m->first = window->range.first;
    if (!translated_subject_range(translated->state, translated->number, window->frame, window->range, w, w->subject))
        return (tms_status)atomic_load(&translated->state->status);
    return TMS_OK;
}

/*
 * Aligns all windows of a frame of the query, or of all frames of the subject. m->list has their alignments afterwards.
 *   translated [in] the subject; NULL: it is not translated
 */
static tms_status redo_windows(struct match *m, const struct hsp_list *before, const struct framed_side *side,
                               const struct composition_translated *translated, struct search_scratch *w)
{
    struct frame_windows *windows = &m->aligner->windows;
    tms_status status = frame_windows_find(before, side, windows);

    for (size_t i = 0; i < windows->n && status == TMS_OK && !m->waits; i++) {
        if (translated != NULL)
            status = read_window(m, translated, &windows->items[i], w);
        else
            m->window = windows->items[i].range;
        if (status == TMS_OK)
            status = frame_windows_inside(before, side, i, windows);
        if (status != TMS_OK)
            return status;
        m->maybe_biased = true;
        m->near = match_is_near(m, &windows->inside.items[0]);
        m->was_near = false;
        m->n_matrices = 0;
        status = match_fetch(m, match_stays_unmasked(m, &windows->inside.items[0]));
        if (status == TMS_OK)
            status = match_redo_all(m, &windows->inside, w);
    }
    return status;
}

/* Ends the alignment of a subject by windows, whose alignments are w->hsps. rated_length: of the subject, for E-values */
static tms_status finish_windows(const struct composition_aligner *aligner, const struct search_query *query, int rated_length,
                                 struct search_scratch *w, struct subject_hits *hits, struct composition_outcome *outcome)
{
    tms_status status = match_keep_significant(aligner, query, rated_length, &w->hsps);

    if (status == TMS_OK)
        status = match_finish(aligner, w, hits, &outcome->evidence);
    outcome->evidence.first_evalue = hits->evalue; /* of the whole subject: BLAST decides once here */
    outcome->evidence.first_score = outcome->evidence.scaled_score;
    return status;
}

tms_status composition_aligner_frames(struct composition_aligner *aligner, const struct composition_frames *query, const uint8_t *subject,
                                      int n, struct search_scratch *w, struct subject_hits *hits, struct composition_outcome *outcome)
{
    struct match m = {.aligner = aligner, .is_translated = true, .original = subject, .n = n, .list = &w->hsps};
    tms_status status = TMS_OK;
    int lengths[FRAMES];

    if (!array_reserve(&aligner->residues, &aligner->residues_capacity, (size_t)n + 2, 1))
        return TMS_E_MEMORY;
    outcome->evidence.preliminary_evalue = hits->evalue;
    m.subject = aligner->residues + 1;
    m.subject[-1] = m.subject[n] = 0;
    hsp_list_clear(&w->joined);
    for (int context = 0; context < FRAMES && status == TMS_OK && !m.waits; context++) {
        const struct framed_side side = {.context = context, .lengths = lengths};
        if (!query->whole->frames[context].is_valid)
            continue;
        m.query = &query->frames[context];
        lengths[context] = m.query->query->length;
        hsp_list_clear(&w->hsps);
        status = redo_windows(&m, &hits->hsps, &side, NULL, w);
        if (status == TMS_OK)
            status = hsp_list_append(&w->hsps, &w->joined);
        hsp_sort(&w->joined);
    }
    outcome->waits = m.waits;
    if (m.waits || status != TMS_OK)
        return status;
    status = hsp_list_move(&w->joined, &w->hsps);
    return status == TMS_OK ? finish_windows(aligner, query->whole, n, w, hits, outcome) : status;
}

tms_status composition_aligner_translated(struct composition_aligner *aligner, const struct composition_query *query,
                                          const struct composition_translated *subject, struct search_scratch *w, struct subject_hits *hits,
                                          struct composition_outcome *outcome)
{
    struct match m = {.aligner = aligner, .query = query, .window = {0, query->query->length}, .has_window = true, .list = &w->hsps};
    struct subject_frames lengths;
    const int n = translated_subject_lengths(subject->state, subject->number, &lengths);
    const struct framed_side side = {.is_subject = true, .lengths = lengths.lengths};
    tms_status status;

    if (n < 0)
        return (tms_status)atomic_load(&subject->state->status);
    outcome->evidence.preliminary_evalue = hits->evalue;
    hsp_list_clear(&w->hsps);
    status = redo_windows(&m, &hits->hsps, &side, subject, w);
    hsp_list_reverse(&w->hsps); /* of equal ones BLAST has the newest first */
    outcome->waits = m.waits;
    if (m.waits || status != TMS_OK)
        return status;
    /* without linking the length is not divided by 3 [sic] */
    return finish_windows(aligner, query->query, aligner->setup->search.links ? n / 3 : n, w, hits, outcome);
}
