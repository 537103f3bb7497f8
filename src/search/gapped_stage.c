/*
 * gapped_stage.c - the gapped stage takes the ungapped HSPs of a subject, best first, and skips those that lie within an accepted one. For
 * E-values up to 10 it begins with a restricted form of the extension. The first score that is too low to be accepted and too high to be
 * ignored makes the stage begin again with the full form.
 */
#include "search/gapped_stage.h"

#include <stdlib.h>
#include <string.h>

#include "hits/chunk_merge.h"
#include "search/rescore.h"
#include "search/search_rate.h"

#define RESTRICTED_UP_TO 10.0 /* E-value */
#define NEAR_CUTOFF      0.68

void search_scratch_free(struct search_scratch *worker)
{
    free(worker->found.hsps);
    free(worker->pairs);
    free(worker->made);
    gapped_workspace_free(&worker->gapped);
    hsp_set_free(&worker->accepted);
    hsp_list_free(&worker->hsps);
    free(worker->subject);
    free(worker->masked);
    free(worker->ranges);
    hsp_list_free(&worker->joined);
    hsp_list_free(&worker->framed);
    memset(worker, 0, sizeof *worker);
}

static int compare_frames(const void *pa, const void *pb)
{
    const struct two_hit_hsp *first = pa, *second = pb;
    const struct ungapped_hsp *a = &first->hsp, *b = &second->hsp;

    if (first->part != second->part)
        return first->part < second->part ? -1 : 1;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->subject != b->subject)
        return a->subject < b->subject ? -1 : 1;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    if (first->query != second->query)
        return first->query < second->query ? -1 : 1;
    if (a->query != b->query)
        return a->query < b->query ? -1 : 1;
    return 0;
}

static int compare_initial(const void *pa, const void *pb)
{
    const struct two_hit_hsp *a = pa, *b = pb;

    if (a->query != b->query)
        return a->query < b->query ? -1 : 1;
    return compare_frames(pa, pb);
}

void gapped_stage_sort_frames(struct two_hit_hsp *hsps, size_t n) { qsort(hsps, n, sizeof *hsps, compare_frames); }

void gapped_stage_sort(struct two_hit_hsp *hsps, size_t n)
{
    if (n > 1)
        qsort(hsps, n, sizeof *hsps, compare_initial);
}

int gapped_best_start(const int *scores, const uint8_t *query, const uint8_t *subject, int n, int *first)
{
    int score = 0, best;

    for (int i = 0; i < GAPPED_START_RESIDUES; i++)
        score += scores[RESIDUE_CODES * query[i] + subject[i]];
    best = score;
    *first = 0;
    for (int i = GAPPED_START_RESIDUES; i < n; i++) {
        score += scores[RESIDUE_CODES * query[i] + subject[i]] -
                 scores[RESIDUE_CODES * query[i - GAPPED_START_RESIDUES] + subject[i - GAPPED_START_RESIDUES]];
        if (score > best) {
            best = score;
            *first = i - GAPPED_START_RESIDUES + 1;
        }
    }
    return best;
}

/*
 * Finds where a gapped extension begins: in the middle of the best stretch. n: the subject's residues
 *
 * A single hit may have a length below 0 (ungapped_one_hit()), which BLAST takes for a very long one: only the first stretch counts. Where
 * a sequence ends within the stretch, its score is not positive.
 */
static void find_start(const struct search_setup *setup, const struct search_query *query, const uint8_t *subject, int n,
                       const struct ungapped_hsp *h, struct hsp *out)
{
    const bool is_below_0 = h->length < 0;
    const int length = is_below_0 ? GAPPED_START_RESIDUES : h->length;
    int at = h->length / 2;

    if (is_below_0 && (h->query + length > query->length || h->subject + length > n)) {
        at = 0;
    } else if (is_below_0 || length > GAPPED_START_RESIDUES) {
        int best = gapped_best_start(setup->scores, query->codes + h->query, subject + h->subject, length, &at);
        at = best > 0 ? at + GAPPED_START_RESIDUES / 2 : 0;
    }
    out->start_query = h->query + at;
    out->start_subject = h->subject + at;
}

/* What lies to the left of the start point, with the point, and to its right. */
static void sides_of(const struct search_query *query, const uint8_t *subject, int n, const struct hsp *h, struct gapped_extension sides[2])
{
    const int after_query = h->start_query + 1, after_subject = h->start_subject + 1;
    const struct gapped_window w = gapped_window_around(query->length, n, after_query, after_subject);

    sides[0] = (struct gapped_extension){
        {query->codes + h->start_query, after_query}, {subject + h->start_subject, after_subject - w.first}, -1, {0}};
    sides[1] = (struct gapped_extension){
        {query->codes + after_query, query->length - after_query}, {subject + after_subject, w.end - after_subject}, 1, {0}};
}

/* Extends from the start point to both sides. */
static tms_status extend(const struct search_setup *setup, const struct search_query *query, const uint8_t *subject, int n, bool restricted,
                         struct gapped_workspace *ws, struct hsp *h)
{
    const struct gapped_costs gapped = search_gapped_costs(setup, setup->x_gapped);
    const int after_query = h->start_query + 1, after_subject = h->start_subject + 1;
    struct gapped_extension sides[2];
    const struct gapped_extension *left = &sides[0], *right = &sides[1];
    tms_status status;

    sides_of(query, subject, n, h, sides);
    status = gapped_score(ws, &gapped, sides, 2, restricted);
    if (status != TMS_OK)
        return status;
    h->query = after_query - left->extent.query;
    h->subject = after_subject - left->extent.subject;
    h->score = left->extent.score + right->extent.score;
    if (right->query.n > 0 && right->subject.n > 0) {
        h->query_end = after_query + right->extent.query;
        h->subject_end = after_subject + right->extent.subject;
    } else { /* the right side has no residue beyond the start point, which then does not count */
        h->query_end = h->start_query;
        h->subject_end = h->start_subject;
    }
    return TMS_OK;
}

/* The HSP that an ungapped one is. */
static struct hsp as_hsp(const struct two_hit_hsp *initial)
{
    const struct ungapped_hsp *h = &initial->hsp;

    return (struct hsp){.query = h->query,
                        .query_end = h->query + h->length,
                        .subject = h->subject,
                        .subject_end = h->subject + h->length,
                        .score = h->score,
                        .context = (int)initial->query};
}

int gapped_restart_cutoff(const struct search_query *query) { return (int)(NEAR_CUTOFF * query->cutoff); }

bool gapped_is_restricted(const struct search_setup *setup) { return setup->evalue <= RESTRICTED_UP_TO && !setup->never_restricts; }

/* Whether the extensions of a query and a subject begin in the restricted form. best: their best HSP */
static bool begins_restricted(const struct search_setup *setup, const struct search_query *query, const struct two_hit_hsp *best)
{
    return gapped_is_restricted(setup) && best->hsp.score < gapped_restart_cutoff(search_query_strand(query, (int)best->query));
}

bool gapped_stage_by_lanes(const struct search_setup *setup, tms_simd simd)
{
#if TMS_HAVE_X86_SIMD
    const struct gapped_costs costs = search_gapped_costs(setup, setup->x_gapped);
    return simd != TMS_SIMD_SCALAR && !setup->ungapped && !setup->translates_subjects && gapped_fits_lanes(&costs);
#else
    (void)setup;
    (void)simd;
    return false;
#endif
}

/* Whether a single HSP is all that a query and a subject have, so that its score tells whether they have a preliminary HSP. */
static bool stands_alone(const struct search_setup *setup, const struct ungapped_hsps *initial)
{
    return initial->n == 1 && !setup->links && !setup->links_evenly;
}

/* Whether HSPs stand alone, and the score that lanes have found is too low for a preliminary HSP. */
static bool is_insignificant(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial, int n)
{
    const struct search_query *strand = search_query_strand(query, (int)initial->items[0].query);

    return stands_alone(setup, initial) && initial->made != NULL && !initial->made[0].is_restricted &&
           initial->made[0].score != GAPPED_ABANDONED &&
           search_evalue(setup, strand, &strand->statistics, initial->made[0].score, n) > setup->preliminary_evalue;
}

void gapped_stage_begin(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                        const struct subject_frames *subject, struct gapped_both *out)
{
    const bool restricted = begins_restricted(setup, query, &initial->items[0]), is_alone = stands_alone(setup, initial);

    for (size_t i = 0; i < initial->n; i++) {
        const struct search_query *strand = search_query_strand(query, (int)initial->items[i].query);
        struct hsp h = as_hsp(&initial->items[i]);
        out[i].is_restricted = restricted;
        out[i].enough = subject->parts != NULL ? 0 : is_alone && !restricted ? strand->cutoff_any_length : strand->cutoff;
        if (subject->parts != NULL)
            continue;
        find_start(setup, strand, subject->codes[0], subject->lengths[0], &initial->items[i].hsp, &h);
        sides_of(strand, subject->codes[0], subject->lengths[0], &h, out[i].sides);
    }
}

/* Residues of a subject, or of a part or chunk of it. */
struct residues {
    const uint8_t *codes;
    int n;
};

/* Extends the ungapped HSPs in order. *again: the stage has to begin again in the full form. */
static tms_status extend_all(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                             struct residues subject, bool restricted, struct search_scratch *w, bool *again)
{
    *again = false;
    hsp_set_clear(&w->accepted);
    hsp_list_clear(&w->hsps);
    for (size_t i = 0; i < initial->n; i++) {
        const struct search_query *strand = search_query_strand(query, (int)initial->items[i].query);
        struct hsp h = as_hsp(&initial->items[i]);
        tms_status status;
        if (hsp_set_contains(&w->accepted, search_box_of(setup, &h)))
            continue;
        w->counts.n_gapped++;
        if (initial->made != NULL && initial->made[i].score < strand->cutoff) {
            h.score = initial->made[i].score;
        } else {
            find_start(setup, strand, subject.codes, subject.n, &initial->items[i].hsp, &h);
            status = extend(setup, strand, subject.codes, subject.n, restricted, &w->gapped, &h);
            if (status != TMS_OK)
                return status;
        }
        if (h.score >= strand->cutoff) {
            status = hsp_list_add(&w->hsps, &h);
            if (status == TMS_OK)
                status = hsp_set_add(&w->accepted, search_box_of(setup, &h));
            if (status != TMS_OK)
                return status;
        } else if (restricted && h.score >= gapped_restart_cutoff(strand)) {
            *again = true;
            return TMS_OK;
        }
    }
    return TMS_OK;
}

/* Takes all ungapped HSPs, since without gaps none of them stands for another. Those with a length below 0 BLAST drops. */
static tms_status take_all(const struct ungapped_hsps *initial, struct search_scratch *w)
{
    tms_status status = TMS_OK;

    hsp_list_clear(&w->hsps);
    for (size_t i = 0; i < initial->n && status == TMS_OK; i++) {
        const struct hsp h = as_hsp(&initial->items[i]);
        if (initial->items[i].hsp.length >= 0)
            status = hsp_list_add(&w->hsps, &h);
    }
    return status;
}

/* Extends within a subject that is not cut, or within one range of it; replaces w->hsps. */
static tms_status extend_part(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                              struct residues subject, struct search_scratch *w)
{
    const struct ungapped_hsps unmade = {initial->items, initial->n, NULL};
    bool again;
    tms_status status;

    if (setup->ungapped)
        return take_all(initial, w);
    status = extend_all(setup, query, initial, subject, begins_restricted(setup, query, &initial->items[0]), w, &again);
    if (status == TMS_OK && again)
        status = extend_all(setup, query, &unmade, subject, false, w, &again);
    if (status == TMS_OK && w->hsps.n > 0)
        hsp_purge(&w->hsps);
    return status;
}

/* The HSPs from `first` on that lie in the same part as that one. */
static struct ungapped_hsps of_part(const struct ungapped_hsps *initial, size_t first)
{
    size_t end = first + 1;

    while (end < initial->n && initial->items[end].part == initial->items[first].part)
        end++;
    return (struct ungapped_hsps){initial->items + first, end - first, NULL};
}

/* The length of a query for hsp_keep_besthits(). */
static int besthit_length(const struct search_query *query) { return query->frames != NULL ? 0 : query->length; }

/* Extends range by range; replaces w->hsps. */
static tms_status extend_parts(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                               const uint8_t *subject, const struct residue_range *parts, struct search_scratch *w)
{
    struct hsp_list joined = w->joined;
    tms_status status = TMS_OK;

    hsp_list_clear(&joined);
    for (size_t first = 0, n; first < initial->n && status == TMS_OK; first += n) {
        const struct ungapped_hsps hsps = of_part(initial, first);
        const struct residue_range part = parts[hsps.items[0].part];
        n = hsps.n;
        status = extend_part(setup, query, &hsps, (struct residues){subject + part.first, part.end - part.first}, w);
        for (size_t i = 0; i < w->hsps.n && status == TMS_OK; i++) {
            struct hsp h = w->hsps.items[i];
            h.subject += part.first;
            h.subject_end += part.first;
            h.start_subject += part.first;
            status = hsp_list_add(&joined, &h);
        }
        hsp_sort(&joined);
        if (setup->limits.subject_besthit)
            hsp_keep_besthits(&joined, besthit_length(query)); /* so that an HSP that is dropped here removes no HSP of a later range */
    }
    w->joined = w->hsps;
    w->hsps = joined;
    return status;
}

/* Drops HSPs that cover too little of the query. */
static void keep_covering(const struct search_query *query, double min_coverage, struct hsp_list *list)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        const struct hsp *h = &list->items[i];
        if (hsp_coverage(h, search_query_strand(query, h->context)->length) >= min_coverage)
            list->items[n++] = *h;
    }
    list->n = n;
}

/*
 * BLAST drops ungapped HSPs that are not significant, scores those of translated subjects again, and rates all a second time. So HSPs that
 * were dropped first are in no chain.
 */
static tms_status rescore(const struct search_setup *setup, const struct search_query *query, const struct subject_frames *subject,
                          struct search_scratch *w)
{
    const struct rescore_memory memory = {&w->subject, &w->subject_capacity};
    tms_status status = search_keep_significant(setup, query, NULL, search_rated_length(setup, subject), setup->preliminary_evalue,
                                                &w->hsps);

    if (status != TMS_OK || w->hsps.n == 0 || subject->exact == NULL)
        return status;
    return rescore_subject(setup, query, subject, &memory, &w->hsps);
}

tms_status gapped_stage_keep(const struct search_setup *setup, const struct search_query *query, uint64_t oid,
                             const struct subject_frames *subject, struct search_scratch *w, struct hit_list *hits)
{
    struct subject_hits found = {.oid = oid};
    tms_status status = TMS_OK;

    if (w->hsps.n == 0)
        return TMS_OK;
    if (setup->limits.subject_besthit && !setup->translates_subjects) /* of frames of the subject, each was filtered on its own */
        hsp_keep_besthits(&w->hsps, besthit_length(query));
    if (setup->ungapped)
        status = rescore(setup, query, subject, w);
    if (status == TMS_OK)
        status = search_keep_significant(setup, query, NULL, search_rated_length(setup, subject), setup->preliminary_evalue, &w->hsps);
    if (setup->ungapped && setup->limits.min_coverage > 0)
        keep_covering(query, setup->limits.min_coverage, &w->hsps);
    if (status != TMS_OK || w->hsps.n == 0)
        return status;
    w->counts.n_preliminary += w->hsps.n;
    if (hsp_list_copy(&w->hsps, &found.hsps) != TMS_OK)
        return TMS_E_MEMORY;
    subject_hits_rate(&found);
    return hit_list_add(hits, &found);
}

/* --- frames of a subject --- */

void gapped_stage_begin_frames(struct search_scratch *w)
{
    hsp_list_clear(&w->joined);
    hsp_list_clear(&w->framed);
}

tms_status gapped_stage_chunk(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                              const struct subject_frames *subject, struct search_scratch *w)
{
    const struct subject_place place = subject_place_of(subject, initial->items[0].part);
    const uint8_t *codes = subject->codes[place.frame];
    const struct residues chunk = {codes != NULL ? codes + place.chunk.first : NULL, place.chunk.end - place.chunk.first};

    return extend_part(setup, query, initial, chunk, w);
}

tms_status gapped_stage_add_chunk(const struct search_setup *setup, const struct search_query *query, const struct subject_frames *subject,
                                  uint32_t part, bool ends_frame, struct search_scratch *w)
{
    const struct subject_place place = subject_place_of(subject, part);
    const bool is_cut = subject->places != NULL || subject_chunks(subject->lengths[0]) > 1;
    struct hsp_list *of_frame = is_cut ? &w->framed : &w->hsps;
    tms_status status = TMS_OK;

    for (size_t i = 0; i < w->hsps.n; i++)
        w->hsps.items[i].subject_frame = place.frame;
    if (is_cut)
        status = subject_chunk_merge(&w->framed, place.chunk.first, &w->hsps, setup->ungapped);
    if (setup->limits.subject_besthit)
        hsp_keep_besthits(of_frame, besthit_length(query));
    return status == TMS_OK && ends_frame ? hsp_list_append(of_frame, &w->joined) : status;
}

tms_status gapped_stage_keep_frames(const struct search_setup *setup, const struct search_query *query, uint64_t oid,
                                    const struct subject_frames *subject, struct search_scratch *w, struct hit_list *hits)
{
    const struct hsp_list joined = w->joined;

    w->joined = w->hsps;
    w->hsps = joined;
    hsp_sort(&w->hsps); /* which is seen where HSPs of several frames have the same positions, and are linked */
    return gapped_stage_keep(setup, query, oid, subject, w, hits);
}

/* Extends chunk by chunk in each frame. */
static tms_status extend_frames(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                                const struct subject_frames *subject, struct search_scratch *w)
{
    tms_status status = TMS_OK;

    gapped_stage_begin_frames(w);
    for (size_t first = 0, end; first < initial->n && status == TMS_OK; first = end) {
        const struct ungapped_hsps hsps = of_part(initial, first);
        const uint32_t part = hsps.items[0].part;
        bool ends_frame;
        end = first + hsps.n;
        ends_frame = end == initial->n ||
                     subject_place_of(subject, initial->items[end].part).frame != subject_place_of(subject, part).frame;
        status = gapped_stage_chunk(setup, query, &hsps, subject, w);
        if (status == TMS_OK)
            status = gapped_stage_add_chunk(setup, query, subject, part, ends_frame, w);
    }
    return status;
}

tms_status gapped_stage(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                        uint64_t oid, const struct subject_frames *subject, struct search_scratch *w, struct hit_list *hits)
{
    const int n = subject->lengths[0];
    tms_status status;

    w->counts.n_ungapped += initial->n;
    if (is_insignificant(setup, query, initial, n)) {
        w->counts.n_gapped++;
        return TMS_OK;
    }
    if (setup->translates_subjects) {
        status = extend_frames(setup, query, initial, subject, w);
        return status == TMS_OK ? gapped_stage_keep_frames(setup, query, oid, subject, w, hits) : status;
    }
    if (subject->parts == NULL)
        status = extend_part(setup, query, initial, (struct residues){subject->codes[0], n}, w);
    else
        status = extend_parts(setup, query, initial, subject->codes[0], subject->parts, w);
    return status == TMS_OK ? gapped_stage_keep(setup, query, oid, subject, w, hits) : status;
}
