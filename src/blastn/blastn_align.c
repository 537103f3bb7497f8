/*
 * blastn_align.c - preliminary HSPs are aligned on the real bases of their subject, best first, unless they lie within an alignment; then
 * alignments with common ends are trimmed, scored again, and those within others dropped.
 */
#include "blastn/blastn_align.h"

#include <stdlib.h>

#include "blastn/blastn_scratch.h"
#include "search/align_hsp.h"
#include "search/traceback.h"

/* A subject that is being aligned with a query. */
struct aligning {
    struct search_state *s;
    const struct blastn_setup *setup;
    const struct search_query *query;
    struct search_scratch *w;
    struct blastn_scratch *own;
    const uint8_t *subject;
    int n;
};

tms_status blastn_begin_alignment(struct search_state *s, size_t n_threads)
{
    (void)s;
    (void)n_threads;
    return TMS_OK;
}

void blastn_end_alignment(struct search_state *s, size_t n_threads)
{
    (void)s;
    (void)n_threads;
}

static struct base_pair pair_of(const struct aligning *a, const struct hsp *h)
{
    const struct search_query *strand = search_query_strand(a->query, h->context);

    return (struct base_pair){a->setup->search.scores, strand->codes, a->subject, strand->length, a->n};
}

static struct base_box box_of(const struct hsp *h)
{
    return (struct base_box){h->query, h->query_end, h->subject, h->subject_end, h->score};
}

static void set_box(const struct base_box *box, struct hsp *h)
{
    h->query = box->query;
    h->query_end = box->query_end;
    h->subject = box->subject;
    h->subject_end = box->subject_end;
    h->score = box->score;
}

/* Whether enough columns are identical. */
static bool is_identical_enough(const struct aligning *a, const struct hsp *h)
{
    int query = h->query, subject = h->subject, length = 0, same = 0;

    if (a->setup->min_identity <= 0)
        return true;
    for (size_t i = 0; i < h->script.n; i++) {
        const struct gapped_run run = h->script.runs[i];
        length += run.n;
        if (run.operation == GAPPED_MATCH)
            same += blastn_identities(a->query, h->context, query, a->subject + subject, run.n);
        query += run.operation != GAPPED_IN_QUERY ? run.n : 0;
        subject += run.operation != GAPPED_IN_SUBJECT ? run.n : 0;
    }
    return same * 100.0 >= length * a->setup->min_identity;
}

/* --- extension --- */

/* Unpacks what the alignment of an HSP, and its later extension by equal bases, may read. Returns false after a failure. */
static bool read_subject(struct aligning *a, const struct hsp *h)
{
    const int64_t diagonal = (int64_t)h->start_subject - h->start_query, reach = (int64_t)a->query->length + GAPPED_LONG_MARGIN;
    int64_t first = diagonal - reach, end = diagonal + a->query->length + reach;

    if (a->n < GAPPED_LONG_SUBJECT) {
        first = 0;
        end = a->n;
    }
    first = first < h->subject ? first : h->subject;
    end = end > h->subject_end ? end : h->subject_end;
    a->subject = blastn_subject_codes(a->s, a->own, a->own->subject.number, a->n, first, end);
    return a->subject != NULL;
}

static tms_status align_greedily(struct aligning *a, struct gapped_window window, struct hsp *h)
{
    const struct search_query *strand = search_query_strand(a->query, h->context);
    const struct greedy_pair pair = {.query = strand->codes,
                                     .subject = a->subject + window.first,
                                     .query_length = strand->length,
                                     .subject_length = window.end - window.first};
    struct greedy_box box;
    tms_status status = greedy_align(&a->own->greedy, &a->setup->greedy_final, &pair, h->start_query, h->start_subject - window.first, &box,
                                     &h->script);

    h->query = box.query;
    h->query_end = box.query_end;
    h->subject = box.subject + window.first;
    h->subject_end = box.subject_end + window.first;
    h->score = box.score;
    if (status == TMS_OK) {
        const struct base_pair whole = pair_of(a, h);
        const struct base_box whole_box = box_of(h);
        base_alignment_reduce(&whole, &whole_box, &h->script);
    }
    return status;
}

/* Aligns an HSP from its start point. */
static tms_status align(struct aligning *a, struct hsp *h)
{
    const struct search_query *strand = search_query_strand(a->query, h->context);
    const struct gapped_window window = gapped_window_around(strand->length, a->n, h->start_query, h->start_subject);
    const struct gapped_costs costs = blastn_gapped_costs(a->setup, a->setup->search.x_final);
    tms_status status = a->setup->is_greedy ? align_greedily(a, window, h)
                                            : align_hsp(&costs, strand->codes, strand->length, a->subject, window, &a->w->gapped, h);

    a->w->counts.n_realigned++;
    if (status == TMS_OK && (a->setup->is_greedy || is_identical_enough(a, h))) {
        status = hsp_set_add(&a->w->accepted, hsp_box_of(h));
        if (status == TMS_OK && hsp_list_add(&a->w->hsps, h) == TMS_OK)
            return TMS_OK;
        status = TMS_E_MEMORY;
    }
    free(h->script.runs);
    return status;
}

static tms_status align_all(struct aligning *a, const struct hsp_list *list)
{
    tms_status status = TMS_OK;

    hsp_set_clear(&a->w->accepted);
    hsp_list_clear(&a->w->hsps);
    a->w->accepted.separation = a->setup->separation;
    for (size_t i = 0; i < list->n && status == TMS_OK; i++) {
        struct hsp h = list->items[i];
        const struct search_query *strand = search_query_strand(a->query, h.context);
        if (hsp_set_contains(&a->w->accepted, hsp_box_of(&h)))
            continue;
        if (!read_subject(a, &h))
            return (tms_status)atomic_load(&a->s->status);
        if (h.start_query == 0 && h.start_subject == 0) {
            if (!traceback_find_start(a->setup->search.scores, strand->codes, a->subject, &h))
                continue;
        } else {
            const struct base_pair pair = pair_of(a, &h);
            const struct base_box box = box_of(&h);
            base_start_adjust(&pair, &box, &h.start_query, &h.start_subject);
        }
        status = align(a, &h);
    }
    return status;
}

/* --- after extension --- */

/* Scores alignments again: those of greedy extension all, others if they were trimmed. Drops those that are too bad. */
static tms_status rescore(struct aligning *a, size_t n_whole)
{
    const struct blastn_setup *setup = a->setup;
    struct hsp_list *list = &a->w->hsps;
    tms_status status = TMS_OK;
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        struct hsp h = list->items[i];
        bool is_kept = status == TMS_OK;
        if (is_kept && (setup->is_greedy || i >= n_whole)) {
            const struct base_pair pair = pair_of(a, &h);
            struct base_box box = box_of(&h);
            status = base_alignment_rescore(&pair, &setup->gap, setup->scores.reward, search_query_strand(a->query, h.context)->cutoff,
                                            &box, &h.script, &is_kept);
            set_box(&box, &h);
            is_kept = status == TMS_OK && is_kept && is_identical_enough(a, &h);
        }
        if (is_kept)
            list->items[n++] = h;
        else
            free(h.script.runs);
    }
    list->n = n;
    return status;
}

/* Replaces the preliminary HSPs of a subject by final ones. */
static tms_status align_subject(struct aligning *a, struct subject_hits *hits)
{
    struct hsp_list before = hits->hsps;
    size_t n_whole;
    tms_status status = align_all(a, &before);

    if (status == TMS_OK)
        status = hsp_trim(&a->w->hsps, &n_whole);
    if (status == TMS_OK)
        status = rescore(a, n_whole);
    if (status == TMS_OK) {
        hsp_purge(&a->w->hsps);
        status = traceback_keep_apart(a->w);
        blastn_keep_significant(&a->setup->search, a->query, &a->w->hsps);
    }
    before.n = 0; /* they have no scripts to free; the array is reused */
    hits->hsps = a->w->hsps;
    a->w->hsps = before;
    if (hits->hsps.n > 0)
        subject_hits_rate(hits);
    return status;
}

void blastn_align_task(struct search_state *s, struct alignment_task *task, int thread)
{
    struct aligning a = {.s = s, .setup = blastn_setup_of(s->setup), .query = &s->all->whole[task->query], .w = &s->scratch[thread]};

    a.own = blastn_scratch_of(a.w);
    if (a.own == NULL) {
        search_record(s, TMS_E_MEMORY);
        return;
    }
    for (size_t i = task->first; i < task->end && atomic_load(&s->status) == TMS_OK; i++) {
        struct subject_hits *hits = &s->hits[task->query].items[i];
        if (s->setup->ungapped) {
            search_record(s, traceback_ungapped(&hits->hsps));
            continue;
        }
        a.n = (int)tms_seqdb_length(s->subjects->db, hits->oid);
        if (blastn_subject_codes(s, a.own, hits->oid, a.n, 0, 0) != NULL)
            search_record(s, align_subject(&a, hits));
    }
}
