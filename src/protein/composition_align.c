/*
 * composition_align.c - for each preliminary HSP of a subject: decides whether to mask the subject (not if it is nearly identical to the
 * query), finds the matrix for the two compositions, and aligns with this matrix.
 *
 * [Schaffer et al. 2001; Altschul et al. 2005; Yu & Altschul 2005]. The order of the steps is BLAST's, because each step depends on what
 * the steps before left.
 */
#include "protein/composition_align.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "protein/composition_match.h"
#include "protein/near_identity.h"
#include "search/align_hsp.h"

#define NEAR_BITS      1.74 /* bits per residue */
#define CONTAINED_BITS 2.0

enum {
    NEAR_LENGTH = 50,
    STOP_DISTANCE = 20 /* residues behind a stop codon whose composition does not count, unless the HSP has them */
};

static const tms_seg_params subject_seg = TMS_SEG_SUBJECT;

tms_status composition_aligner_init(const struct protein_setup *setup, tms_simd simd, struct composition_aligner *out)
{
    const struct search_setup *search = &setup->search;
    double x;

    memset(out, 0, sizeof *out);
    out->setup = setup;
    out->simd = simd;
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

/* solution [in] NULL, or a solution that may be that of the source. */
static bool adjust(struct composition_aligner *aligner, const struct composition_source *source,
                   const struct composition_solution *solution)
{
    if (solution != NULL && memcmp(&solution->pair, &source->pair, sizeof source->pair) == 0)
        return composition_matrix(&aligner->setup->basis, aligner->simd, solution, &aligner->matrix);
    return composition_adjust(&aligner->setup->basis, aligner->setup->composition, &source->pair, &aligner->matrix);
}

void composition_aligner_begin(struct composition_aligner *aligner)
{
    aligner->knows_matrix = aligner->is_behind = false;
    aligner->source.is_there = false;
}

void composition_aligner_restore(struct composition_aligner *aligner, const struct composition_source *source)
{
    memcpy(aligner->matrix.scores, aligner->setup->search.scores, sizeof aligner->matrix.scores);
    if (source->is_there)
        (void)adjust(aligner, source, NULL); /* this succeeds, as it did the first time */
    aligner->knows_matrix = true;
    aligner->is_behind = false;
}

/* --- the subject's residues --- */

bool match_is_near(const struct match *m, const struct hsp *h)
{
    int query = h->query_end - h->query, subject = h->subject_end - h->subject, length = m->query->query->length;
    double score = (double)h->score * m->aligner->scale;

    return subject + 1 >= (length < NEAR_LENGTH ? length : NEAR_LENGTH) &&
           score / (double)(query < subject ? query : subject) >= m->aligner->near;
}

/* The words of a window that does not begin at 0 are taken from the wrong place of the query [sic]. */
bool match_stays_unmasked(const struct match *m, const struct hsp *first)
{
    const struct composition_query *q = m->query;
    const struct near_identity_query part = {q->codes + first->query, q->query->codes + first->query - m->window.first,
                                             first->query_end - first->query};

    return m->near && near_identity(part, m->original + first->subject - m->first, first->subject_end - first->subject);
}

tms_status match_fetch(struct match *m, bool stays_unmasked)
{
    struct intervals *segments = &m->aligner->segments;

    memcpy(m->subject, m->original, (size_t)m->n);
    if (!m->maybe_biased || stays_unmasked)
        return TMS_OK;
    segments->n = 0;
    if (!seg_mask(m->aligner->seg, m->subject, (size_t)m->n, segments))
        return TMS_E_MEMORY;
    for (size_t i = 0; i < segments->n; i++)
        memset(m->subject + segments->items[i].start, CODE_X, (size_t)(segments->items[i].end - segments->items[i].start));
    m->maybe_biased = segments->n > 0;
    return TMS_OK;
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

/*
 * The composition of the residues of a frame's window that count for an HSP: up to some distance from the nearest stop codons before and
 * behind it.
 */
static void composition_between_stops(const uint8_t *codes, struct residue_range window, struct residue_range hsp, struct composition *out)
{
    struct residue_range range = window;

    for (int i = hsp.first; i > window.first; i--)
        if (codes[i - 1] == CODE_STOP) {
            range.first = i + STOP_DISTANCE < hsp.first ? i + STOP_DISTANCE : hsp.first;
            break;
        }
    for (int i = hsp.end; i < window.end; i++)
        if (codes[i] == CODE_STOP) {
            range.end = i - STOP_DISTANCE > hsp.end ? i - STOP_DISTANCE : hsp.end;
            break;
        }
    composition_of(codes + range.first, (size_t)(range.end - range.first), out);
}

void match_query_composition(const struct match *m, const struct hsp *h, struct composition *out)
{
    composition_between_stops(m->query->query->codes, m->window, (struct residue_range){h->query, h->query_end}, out);
}

void match_subject_composition(const struct match *m, const struct hsp *h, struct composition *out)
{
    const struct residue_range whole = {0, m->n}, hsp = {h->subject - m->first, h->subject_end - m->first};

    if (m->has_window)
        composition_between_stops(m->subject, whole, hsp, out);
    else
        composition_of(m->subject, (size_t)m->n, out);
}

bool match_make_matrix(struct match *m, const struct hsp *h)
{
    struct composition_source source = {.is_there = true, .pair.query_length = (size_t)(m->window.end - m->window.first)};

    m->n_matrices++;
    if (m->made != NULL) {
        source.pair = m->prepared->pair;
    } else {
        source.pair.subject_length = (size_t)m->n;
        match_subject_composition(m, h, &source.pair.subject);
        if (m->is_translated)
            match_query_composition(m, h, &source.pair.query);
        else
            source.pair.query = m->query->composition;
    }
    if (m->made == NULL && !adjust(m->aligner, &source, m->solution)) {
        m->waits = !m->aligner->knows_matrix;
        return false;
    }
    m->aligner->source = source;
    m->aligner->knows_matrix = true;
    m->aligner->is_behind = m->made != NULL;
    m->method = (m->made != NULL ? m->is_made_scaled : m->aligner->matrix.rule == RULE_SCALED) ? HSP_SCALED : HSP_OPTIMISED;
    return true;
}

/* Aligns HSP number i of the subject. */
static tms_status align(struct match *m, size_t i, struct search_scratch *w, struct hsp *h)
{
    struct composition_aligner *aligner = m->aligner;
    const struct gapped_window whole = {0, m->n};
    const int first = m->window.first;
    tms_status status;

    if (m->made != NULL && i < m->n_made && m->made[i].n_runs >= 0) {
        status = composition_take_made(&m->made[i], aligner->made->runs + m->made[i].first_run, h);
    } else {
        if (aligner->is_behind)
            (void)adjust(aligner, &aligner->source, NULL); /* this succeeds, as it did on the GPU */
        aligner->is_behind = false;
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

/* --- which alignments are kept --- */

tms_status match_keep_significant(const struct composition_aligner *aligner, const struct search_query *whole, int n_subject,
                                  struct hsp_list *list)
{
    const struct search_setup *setup = &aligner->setup->search;
    size_t n = 0;

    hsp_sort(list);
    for (size_t i = 0; i < list->n; i++) {
        const struct hsp *h = &list->items[i];
        bool covered = false;
        for (size_t j = 0; j < n && !covered; j++)
            covered = list->items[j].context == h->context && list->items[j].subject_frame == h->subject_frame &&
                      hsp_box_has(&list->items[j], h->query, h->subject) && hsp_box_has(&list->items[j], h->query_end, h->subject_end);
        if (covered)
            free(h->script.runs);
        else
            list->items[n++] = *h;
    }
    list->n = n;
    return search_keep_significant(setup, whole, &aligner->scaled, n_subject, setup->evalue, list);
}

/* Converts scores to the scale of the standard matrix, and drops HSPs whose score becomes 0. E-values remain those of the scaled scores. */
static void unscale(int scale, bool by_evalue, struct hsp_list *list)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        struct hsp h = list->items[i];
        h.score = (int)((double)h.score / scale + 0.5);
        if (h.score > 0)
            list->items[n++] = h;
        else
            free(h.script.runs);
    }
    list->n = n;
    if (by_evalue)
        hsp_sort_evalues(list);
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

tms_status match_finish(const struct composition_aligner *aligner, struct search_scratch *w, struct subject_hits *hits,
                        struct smith_waterman_evidence *evidence)
{
    tms_status status = hsp_list_move(&w->hsps, &hits->hsps);

    if (status != TMS_OK)
        return status;
    evidence->scaled_score = hits->hsps.n > 0 ? hits->hsps.items[0].score : 0;
    unscale(aligner->scale, aligner->setup->search.limits.by_evalue, &hits->hsps);
    if (hits->hsps.n > 0)
        subject_hits_rate(hits);
    return TMS_OK;
}

tms_status match_finish_windows(const struct composition_aligner *aligner, const struct search_query *query, int rated_length,
                                struct search_scratch *w, struct subject_hits *hits, struct composition_outcome *outcome)
{
    tms_status status = match_keep_significant(aligner, query, rated_length, &w->hsps);

    if (status == TMS_OK)
        status = match_finish(aligner, w, hits, &outcome->evidence);
    outcome->evidence.first_evalue = hits->evalue; /* of the whole subject: BLAST decides once here */
    outcome->evidence.first_score = outcome->evidence.scaled_score;
    return status;
}

/* --- subjects --- */

tms_status composition_aligner_prepare(struct composition_aligner *aligner, const struct composition_query *query, const uint8_t *subject,
                                       int n, const struct subject_hits *hits, struct composition_subjects *subjects)
{
    const struct hsp *first = &hits->hsps.items[0];
    struct composition_prepared *s = &subjects->items[subjects->n];
    struct match m = {.aligner = aligner, .query = query, .window = {0, query->query->length}, .original = subject, .n = n};
    tms_status status;

    m.subject = composition_subjects_reserve(subjects, n);
    if (m.subject == NULL)
        return TMS_E_MEMORY;
    m.maybe_biased = aligner->setup->composition != COMPOSITION_OFF;
    m.near = match_is_near(&m, first);
    status = match_fetch(&m, m.maybe_biased && match_stays_unmasked(&m, first));
    if (status != TMS_OK)
        return status;
    *s = (struct composition_prepared){
        .subject = subjects->n_subjects++,
        .window = m.window,
        .n_hsps = hits->hsps.n,
        .at = (size_t)(m.subject - subjects->residues),
        .n = n,
        .maybe_biased = m.maybe_biased,
        .near = m.near,
        .pair = {.query = query->composition, .query_length = (size_t)query->query->length, .subject_length = (size_t)n}};
    composition_of(m.subject, (size_t)n, &s->pair.subject);
    subjects->n_residues += (size_t)n + 2;
    subjects->n++;
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
        solutions[i].pair = subjects->items[i].pair;
    for (size_t i = 0; i < subjects->n && setup->composition != COMPOSITION_OFF; i += some)
        if (made == NULL || !made->has_matrix[i])
            composition_solve(&setup->basis, setup->composition, aligner->simd, solutions + i, some);
}

void match_begin(struct match *m, size_t i)
{
    const struct composition_made *made = m->aligner->made;

    m->prepared = &m->aligner->subjects->items[i];
    m->maybe_biased = m->prepared->maybe_biased;
    m->near = m->prepared->near;
    m->solution = &m->aligner->solutions[i];
    m->made = NULL;
    if (made == NULL || !made->has_matrix[i])
        return;
    m->made = made->alignments + made->first[i];
    m->n_made = made->first[i + 1] - made->first[i];
    m->is_made_scaled = made->is_scaled[i];
    m->solution = NULL; /* there is none */
}

tms_status composition_aligner_subject(struct composition_aligner *aligner, const struct composition_query *query, size_t i,
                                       const uint8_t *subject, struct search_scratch *w, struct subject_hits *hits,
                                       struct composition_outcome *outcome)
{
    const struct composition_prepared *prepared = &aligner->subjects->items[i];
    struct match m = {.aligner = aligner,
                      .query = query,
                      .window = {0, query->query->length},
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
