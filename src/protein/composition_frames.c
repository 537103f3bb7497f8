/*
 * composition_frames.c - final HSPs of the frames of a translated query: each frame is aligned by windows around its preliminary HSPs,
 * which have matrices of their own.
 */
#include <string.h>

#include "base/array.h"
#include "protein/composition_align.h"
#include "protein/composition_match.h"

/* A subject's residues among prepared pairs: as they are, and with low complexity masked; as far as windows have needed them. */
struct subject_copies {
    struct subject_copy {
        bool is_there, is_biased;
        size_t at;
        struct composition composition;
    } plain, masked;
};

/* Adds a copy of the subject. */
static tms_status copy_subject(struct match *m, bool stays_unmasked, struct composition_subjects *subjects, struct subject_copy *out)
{
    tms_status status;

    m->subject = composition_subjects_reserve(subjects, m->n);
    if (m->subject == NULL)
        return TMS_E_MEMORY;
    m->maybe_biased = m->aligner->setup->composition != COMPOSITION_OFF;
    status = match_fetch(m, stays_unmasked);
    if (status != TMS_OK)
        return status;
    out->is_there = true;
    out->is_biased = m->maybe_biased;
    out->at = (size_t)(m->subject - subjects->residues);
    composition_of(m->subject, (size_t)m->n, &out->composition);
    subjects->n_residues += (size_t)m->n + 2;
    return TMS_OK;
}

/* The window's preliminary HSPs are aligner->inside. */
static tms_status prepare_window(struct match *m, int context, struct composition_subjects *subjects, struct subject_copies *copies)
{
    const struct hsp *first = &m->aligner->inside.items[0];
    struct composition_prepared *s = &subjects->items[subjects->n];
    struct subject_copy *copy;
    bool stays_unmasked;

    m->near = match_is_near(m, first);
    stays_unmasked = match_stays_unmasked(m, first);
    copy = stays_unmasked ? &copies->plain : &copies->masked;
    if (!copy->is_there) {
        const tms_status status = copy_subject(m, stays_unmasked, subjects, copy);
        if (status != TMS_OK)
            return status;
    }
    s->subject = subjects->n_subjects;
    s->context = context;
    s->window = m->window;
    s->n_hsps = m->aligner->inside.n;
    s->at = copy->at;
    s->n = m->n;
    s->maybe_biased = copy->is_biased;
    s->near = m->near;
    s->pair.subject = copy->composition;
    s->pair.subject_length = (size_t)m->n;
    s->pair.query_length = (size_t)(m->window.end - m->window.first);
    match_query_composition(m, first, &s->pair.query);
    subjects->n++;
    return TMS_OK;
}

tms_status composition_aligner_prepare_frames(struct composition_aligner *aligner, const struct composition_frames *query,
                                              const uint8_t *subject, int n, const struct subject_hits *hits,
                                              struct composition_subjects *subjects)
{
    struct match m = {.aligner = aligner, .is_translated = true, .oid = &hits->oid, .original = subject, .n = n};
    struct frame_windows *windows = &aligner->windows;
    struct subject_copies copies = {{false}, {false}};
    struct framed_side side;
    tms_status status = TMS_OK;

    for (int context = 0; context < FRAMES && status == TMS_OK; context++) {
        if (!query->whole->frames[context].is_valid)
            continue;
        m.query = &query->frames[context];
        side = (struct framed_side){.context = context, .length = m.query->query->length};
        status = frame_windows_find(&hits->hsps, &side, windows);
        for (size_t i = 0; i < windows->n && status == TMS_OK && subjects->n < COMPOSITION_SOLUTIONS; i++) {
            m.window = windows->items[i].range;
            status = frame_windows_inside(&hits->hsps, &side, &windows->items[i], &aligner->inside);
            if (status == TMS_OK)
                status = prepare_window(&m, context, subjects, &copies);
        }
    }
    subjects->n_subjects++;
    return status;
}

/* Begins a window, with the next prepared pair unless there were too many to prepare. */
static tms_status begin_window(struct match *m, size_t subject)
{
    struct composition_aligner *aligner = m->aligner;
    const struct composition_subjects *subjects = aligner->subjects;
    const struct hsp *first = &aligner->inside.items[0];

    m->was_near = false;
    m->n_matrices = 0;
    while (aligner->next < subjects->n && subjects->items[aligner->next].subject < subject)
        aligner->next++;
    if (aligner->next < subjects->n && subjects->items[aligner->next].subject == subject) {
        match_begin(m, aligner->next++);
        memcpy(m->subject, subjects->residues + m->prepared->at, (size_t)m->n);
        return TMS_OK;
    }
    m->solution = NULL;
    m->made = NULL;
    m->maybe_biased = m->aligner->setup->composition != COMPOSITION_OFF;
    m->near = match_is_near(m, first);
    return match_fetch(m, match_stays_unmasked(m, first));
}

/* Aligns all windows of a frame. m->list has the frame's alignments afterwards. */
static tms_status redo_frame(struct match *m, size_t subject, const struct hsp_list *before, int context, struct search_scratch *w,
                             struct smith_waterman_evidence *evidence)
{
    struct frame_windows *windows = &m->aligner->windows;
    const struct framed_side side = {.context = context, .length = m->query->query->length};
    tms_status status = frame_windows_find(before, &side, windows);

    for (size_t i = 0; i < windows->n && status == TMS_OK && !m->waits; i++) {
        m->window = windows->items[i].range;
        status = frame_windows_inside(before, &side, &windows->items[i], &m->aligner->inside);
        if (status == TMS_OK)
            status = begin_window(m, subject);
        if (status == TMS_OK)
            status = match_redo(m, &m->aligner->inside, w, evidence);
    }
    return status;
}

tms_status composition_aligner_frames(struct composition_aligner *aligner, const struct composition_frames *query, size_t i,
                                      struct gapped_side subject, struct search_scratch *w, struct subject_hits *hits,
                                      struct composition_outcome *outcome)
{
    struct match m = {
        .aligner = aligner, .is_translated = true, .oid = &hits->oid, .original = subject.codes, .n = subject.n, .list = &w->hsps};
    tms_status status = TMS_OK;

    if (!array_reserve(&aligner->residues, &aligner->residues_capacity, (size_t)subject.n + 2, 1))
        return TMS_E_MEMORY;
    outcome->evidence.preliminary_evalue = hits->evalue;
    m.subject = aligner->residues + 1;
    m.subject[-1] = m.subject[subject.n] = 0;
    hsp_list_clear(&w->joined);
    for (int context = 0; context < FRAMES && status == TMS_OK && !m.waits; context++) {
        if (!query->whole->frames[context].is_valid)
            continue;
        m.query = &query->frames[context];
        hsp_list_clear(&w->hsps);
        status = redo_frame(&m, i, &hits->hsps, context, w, &outcome->evidence);
        if (status == TMS_OK)
            status = hsp_list_append(&w->hsps, &w->joined);
        hsp_sort(&w->joined);
    }
    outcome->waits = m.waits;
    if (m.waits || status != TMS_OK)
        return status;
    status = hsp_list_move(&w->joined, &w->hsps);
    return status == TMS_OK ? match_finish_windows(aligner, query->whole, subject.n, w, hits, outcome) : status;
}
