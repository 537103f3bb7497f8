/* composition_match.c - see composition_match.h. */
#include "protein/composition_match.h"

#include <stdlib.h>
#include <string.h>

#include "protein/near_identity.h"
#include "search/search_rate.h"

enum {
    NEAR_LENGTH = 50,
    STOP_DISTANCE = 20 /* residues behind a stop codon whose composition does not count, unless the HSP has them */
};

bool composition_aligner_adjust(struct composition_aligner *aligner, const struct composition_source *source,
                                const struct composition_solution *solution)
{
    if (solution != NULL && memcmp(&solution->pair, &source->pair, sizeof source->pair) == 0)
        return composition_matrix(&aligner->setup->basis, aligner->simd, solution, &aligner->matrix);
    return composition_adjust(&aligner->setup->basis, aligner->setup->composition, &source->pair, &aligner->matrix);
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
    if (m->oid == NULL || !subject_masks_find(m->aligner->masks, *m->oid, segments)) {
        if (!seg_mask(m->aligner->seg, m->subject, (size_t)m->n, segments))
            return TMS_E_MEMORY;
        if (m->oid != NULL)
            subject_masks_keep(m->aligner->masks, *m->oid, segments);
    }
    for (size_t i = 0; i < segments->n; i++)
        memset(m->subject + segments->items[i].start, CODE_X, (size_t)(segments->items[i].end - segments->items[i].start));
    m->maybe_biased = segments->n > 0;
    return TMS_OK;
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

/* Makes the matrix for the current residues, at an HSP. Returns false if there is none. */
static bool adjust(struct match *m, const struct hsp *h)
{
    struct composition_source source = {
        .is_there = true, .pair.query_length = (size_t)(m->window.end - m->window.first), .pair.subject_length = (size_t)m->n};

    match_subject_composition(m, h, &source.pair.subject);
    if (m->is_translated)
        match_query_composition(m, h, &source.pair.query);
    else
        source.pair.query = m->query->composition;
    if (!composition_aligner_adjust(m->aligner, &source, m->solution))
        return false;
    m->aligner->source = source;
    return true;
}

bool match_make_matrix(struct match *m, const struct hsp *h)
{
    m->n_matrices++;
    if (m->made == NULL && !adjust(m, h)) {
        m->waits = !m->aligner->knows_matrix;
        return false;
    }
    m->aligner->behind = m->made != NULL ? &m->prepared->pair : NULL;
    m->aligner->knows_matrix = true;
    m->method = (m->made != NULL ? m->is_made_scaled : m->aligner->matrix.rule == RULE_SCALED) ? HSP_SCALED : HSP_OPTIMISED;
    return true;
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
