/*
 * composition_align.c - for each preliminary HSP of a subject: decides whether to mask the subject (not if it is nearly identical to the
 * query), finds the matrix for the two compositions, and aligns with this matrix.
 *
 * [Schaffer et al. 2001; Altschul et al. 2005; Yu & Altschul 2005]. The order of the steps is BLAST's, because each step depends on what
 * the steps before left.
 */
#include "protein/composition_align.h"

#include <stdlib.h>
#include <string.h>

#include "protein/composition_match.h"
#include "search/align_hsp.h"

#define NEAR_BITS      1.74 /* bits per residue */
#define CONTAINED_BITS 2.0

static const tms_seg_params subject_seg = TMS_SEG_SUBJECT;

tms_status composition_aligner_init(const struct protein_setup *setup, tms_simd simd, struct subject_masks *masks,
                                    struct composition_aligner *out)
{
    const struct search_setup *search = &setup->search;
    double x;

    memset(out, 0, sizeof *out);
    out->setup = setup;
    out->simd = simd;
    out->masks = masks;
    out->scaled = search->statistics;
    out->scale = setup->composition != COMPOSITION_OFF ? COMPOSITION_SCALE : 1;
    out->scaled.lambda /= out->scale;
    out->scaled.alpha /= out->scale;
    out->scaled.alpha_v /= out->scale;
    out->scaled.sigma /= out->scale;
    x = setup->x_drop_final * SCORE_LN_2 / out->scaled.lambda;
    out->costs.scores = &out->matrix.scores[0][0];
    out->costs.open = search->gap_open * out->scale;
    out->costs.extend = search->gap_extend * out->scale;
    out->costs.x_drop = search_whole_score(x > search->x_final ? x : search->x_final);
    out->near = NEAR_BITS * SCORE_LN_2 / out->scaled.lambda;
    memcpy(out->matrix.scores, search->scores, sizeof out->matrix.scores);
    out->seg = seg_create(&subject_seg);
    return out->seg != NULL ? TMS_OK : TMS_E_MEMORY;
}

void composition_aligner_free(struct composition_aligner *aligner)
{
    seg_destroy(aligner->seg);
    free(aligner->segments.items);
    free(aligner->boxes.items);
    free(aligner->residues);
    frame_windows_free(&aligner->windows);
    free(aligner->ahead);
    free(aligner->inside.items);
    memset(aligner, 0, sizeof *aligner);
}

void composition_aligner_begin(struct composition_aligner *aligner)
{
    aligner->knows_matrix = false;
    aligner->behind = NULL;
    aligner->source.is_there = false;
}

void composition_aligner_restore(struct composition_aligner *aligner, const struct composition_source *source)
{
    memcpy(aligner->matrix.scores, aligner->setup->search.scores, sizeof aligner->matrix.scores);
    if (source->is_there)
        (void)composition_aligner_adjust(aligner, source, NULL); /* this succeeds, as it did the first time */
    aligner->knows_matrix = true;
    aligner->behind = NULL;
}

const struct composition_source *composition_aligner_source(struct composition_aligner *aligner)
{
    if (aligner->behind != NULL)
        aligner->source = (struct composition_source){true, *aligner->behind};
    return &aligner->source;
}

/* --- alignments --- */

/* Whether the HSP lies within an alignment with a clearly higher score. */
static bool is_contained(const struct match *m, const struct hsp *h)
{
    for (size_t i = 0; i < m->list->n; i++) {
        const struct hsp *a = &m->list->items[i];
        if (a->subject_frame / FRAMES_A_STRAND == h->subject_frame / FRAMES_A_STRAND && hsp_box_has(a, h->query, h->subject) &&
            hsp_box_has(a, h->query_end, h->subject_end) &&
            a->score >= h->score * m->aligner->scale + CONTAINED_BITS * SCORE_LN_2 / m->aligner->scaled.lambda)
            return true;
    }
    return false;
}

/* With one matrix, alignments that meet share an end; with several matrices they may run side by side on a diagonal. */
static bool conflicts(const struct match *m, const struct hsp *a, const struct hsp *h)
{
    if (a->subject_frame != h->subject_frame)
        return false;
    if (m->n_matrices == 1)
        return hsp_same_start(a, h) || hsp_same_end(a, h);
    return (hsp_box_has(a, h->query, h->subject) && a->query - a->subject == h->query - h->subject) ||
           (hsp_box_has(a, h->query_end, h->subject_end) && a->query_end - a->subject_end == h->query_end - h->subject_end);
}

/* Adds an alignment, unless it conflicts with one of at least its score. Takes over its script. */
static tms_status add(const struct match *m, struct hsp *h)
{
    struct hsp_list *list = m->list;
    size_t n = 0;
    tms_status status;

    for (size_t i = list->n; i-- > 0;)
        if (conflicts(m, &list->items[i], h) && list->items[i].score >= h->score) {
            free(h->script.runs);
            return TMS_OK;
        }
    for (size_t i = 0; i < list->n; i++) {
        if (list->items[i].subject_frame == h->subject_frame && (hsp_same_start(&list->items[i], h) || hsp_same_end(&list->items[i], h)))
            free(list->items[i].script.runs);
        else
            list->items[n++] = list->items[i];
    }
    list->n = n;
    status = hsp_list_add(list, h);
    if (status != TMS_OK)
        free(h->script.runs);
    return status;
}

/* Aligns HSP number i of the subject. */
static tms_status align(struct match *m, size_t i, struct search_scratch *w, struct hsp *h)
{
    struct composition_aligner *aligner = m->aligner;
    const struct gapped_window whole = {0, m->n};
    const int first = m->window.first;
    tms_status status;

    if (m->made != NULL && i < m->n_made && m->made[i].n_runs >= 0) {
        status = align_hsp_take(&m->made[i], aligner->made->runs + m->made[i].first_run, h);
    } else {
        if (aligner->behind != NULL)
            (void)composition_aligner_adjust(aligner, composition_aligner_source(aligner), NULL); /* this succeeds, as it did on the GPU */
        aligner->behind = NULL;
        h->start_query -= first;
        h->start_subject -= m->first;
        status = align_hsp(&aligner->costs, m->query->codes + first, m->window.end - first, m->subject, whole, &w->gapped, h);
        h->start_query += first;
        h->start_subject += m->first;
    }
    h->query += first;
    h->query_end += first;
    h->subject += m->first;
    h->subject_end += m->first;
    return status;
}

static tms_status redo_hsp(struct match *m, const struct hsp_list *before, size_t i, bool needs_matrix, struct search_scratch *w)
{
    const int least = m->aligner->scale * m->query->query->cutoff_least;
    struct hsp h = before->items[i];
    tms_status status;

    if (is_contained(m, &h))
        return TMS_OK;
    if (m->has_window)
        m->solution = i < m->n_ahead ? &m->ahead[i] : NULL;
    if (needs_matrix && !match_make_matrix(m, &h))
        return TMS_OK;
    w->counts.n_realigned++;
    h.method = m->method;
    status = align(m, i, w, &h);
    if (status == TMS_OK && h.score >= (least > 0 ? least : 1))
        return add(m, &h);
    free(h.script.runs);
    return status;
}

static tms_status redo_all(struct match *m, const struct hsp_list *before, struct search_scratch *w)
{
    for (size_t i = 0; i < before->n; i++) {
        const struct hsp *h = &before->items[i];
        tms_status status = TMS_OK;
        bool is_other = i == 0; /* whether the residues differ from those before */
        if (i > 0 && m->maybe_biased) {
            m->near = match_is_near(m, h);
            is_other = m->near != m->was_near;
            if (is_other) {
                m->made = NULL;
                status = match_fetch(m, match_stays_unmasked(m, &before->items[0]));
            }
        }
        if (status == TMS_OK)
            status = redo_hsp(m, before, i, is_other || m->has_window, w);
        if (status != TMS_OK || m->waits)
            return status;
        m->was_near = m->near;
    }
    return TMS_OK;
}

tms_status match_redo(struct match *m, const struct hsp_list *before, struct search_scratch *w, struct smith_waterman_evidence *evidence)
{
    return m->aligner->setup->smith_waterman ? match_redo_by_smith_waterman(m, before, w, evidence) : redo_all(m, before, w);
}

/* --- subjects --- */

tms_status composition_aligner_prepare(struct composition_aligner *aligner, const struct composition_query *query, const uint8_t *subject,
                                       int n, const struct subject_hits *hits, struct composition_subjects *subjects)
{
    const struct hsp *first = &hits->hsps.items[0];
    struct composition_prepared *s;
    struct match m = {
        .aligner = aligner, .query = query, .window = {0, query->query->length}, .oid = &hits->oid, .original = subject, .n = n};
    tms_status status;

    m.subject = composition_subjects_reserve(subjects, n);
    if (m.subject == NULL)
        return TMS_E_MEMORY;
    m.maybe_biased = aligner->setup->composition != COMPOSITION_OFF;
    m.near = match_is_near(&m, first);
    status = match_fetch(&m, m.maybe_biased && match_stays_unmasked(&m, first));
    if (status != TMS_OK)
        return status;
    s = composition_subjects_add(subjects, n, hits->hsps.n, query->query->length);
    s->maybe_biased = m.maybe_biased;
    s->near = m.near;
    s->pair.query = query->composition;
    s->pair.query_length = (size_t)query->query->length;
    s->pair.subject_length = (size_t)n;
    composition_of(m.subject, (size_t)n, &s->pair.subject);
    return TMS_OK;
}

void composition_aligner_begin_subjects(struct composition_aligner *aligner, const struct composition_subjects *subjects,
                                        const struct composition_made *made)
{
    const struct protein_setup *setup = aligner->setup;
    struct composition_solution *solutions = aligner->solutions;
    const size_t some = made != NULL ? 1 : subjects->n; /* that are solved together */

    aligner->subjects = subjects;
    aligner->made = made;
    aligner->next = 0;
    for (size_t i = 0; i < subjects->n; i++)
        if (made == NULL || !made->has_matrix[i])
            solutions[i].pair = subjects->items[i].pair;
    for (size_t i = 0; i < subjects->n && setup->composition != COMPOSITION_OFF; i += some)
        if (made == NULL || !made->has_matrix[i])
            composition_solve(&setup->basis, setup->composition, aligner->simd, solutions + i, some);
}

tms_status composition_aligner_subject(struct composition_aligner *aligner, const struct composition_query *query, size_t i,
                                       const uint8_t *subject, struct search_scratch *w, struct subject_hits *hits,
                                       struct composition_outcome *outcome)
{
    const struct composition_prepared *prepared = &aligner->subjects->items[i];
    struct match m = {.aligner = aligner,
                      .query = query,
                      .window = {0, query->query->length},
                      .oid = &hits->oid,
                      .original = subject,
                      .n = prepared->n,
                      .subject = aligner->subjects->residues + prepared->at,
                      .list = &w->hsps};
    const struct hsp_list *before = &hits->hsps;
    struct smith_waterman_evidence *evidence = &outcome->evidence;
    tms_status status;

    match_begin(&m, i);
    evidence->preliminary_evalue = hits->evalue;
    hsp_list_clear(&w->hsps);
    status = match_redo(&m, before, w, evidence);
    outcome->waits = m.waits;
    if (m.waits)
        return status;
    if (status == TMS_OK)
        status = match_keep_significant(aligner, query->query, m.n, &w->hsps);
    return status == TMS_OK ? match_finish(aligner, w, hits, evidence) : status;
}
