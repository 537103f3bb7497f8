/*
 * blastn_align.c - preliminary HSPs are aligned on the real bases of their subject, best first, unless they lie within an alignment; then
 * alignments with common ends are trimmed, scored again, and those within others dropped. Threads without a subject of their own help with
 * the first step.
 */
#include "blastn/blastn_align.h"

#include <stdlib.h>

#include "blastn/blastn_link.h"
#include "blastn/blastn_scratch.h"
#include "search/align_hsp.h"
#include "search/best_first.h"
#include "search/traceback.h"

/* A subject that is being aligned with a query. */
struct aligning {
    struct search_state *s;
    const struct blastn_setup *setup;
    const struct search_query *query;
    struct search_scratch *w; /* of the task's thread */
    struct blastn_scratch *own;
    const uint8_t *subject; /* n codes, in `own` */
    int n;
    struct hsp_list before; /* the preliminary HSPs */
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

/* Unpacks what the alignment of an HSP, and its later extension by equal bases, may read. */
static tms_status read_subject(void *arg, const struct hsp *h)
{
    const struct aligning *a = arg;
    const int64_t diagonal = (int64_t)h->start_subject - h->start_query, reach = (int64_t)a->query->length + GAPPED_LONG_MARGIN;
    int64_t first = diagonal - reach, end = diagonal + a->query->length + reach;

    if (a->n < GAPPED_LONG_SUBJECT) {
        first = 0;
        end = a->n;
    }
    first = first < h->subject ? first : h->subject;
    end = end > h->subject_end ? end : h->subject_end;
    if (blastn_subject_codes(a->s, a->own, a->own->subject.number, a->n, first, end) == NULL)
        return (tms_status)atomic_load(&a->s->status);
    return TMS_OK;
}

static tms_status align_greedily(const struct aligning *a, struct gapped_window window, struct blastn_scratch *own, struct hsp *h)
{
    const struct search_query *strand = search_query_strand(a->query, h->context);
    const struct greedy_pair pair = {.query = strand->codes,
                                     .subject = a->subject + window.first,
                                     .query_length = strand->length,
                                     .subject_length = window.end - window.first};
    struct greedy_box box;
    tms_status status;

    if (own == NULL)
        return TMS_E_MEMORY;
    status = greedy_align(&own->greedy, &a->setup->greedy_final, &pair, h->start_query, h->start_subject - window.first, &box, &h->script);
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

/* Sets the start point of a preliminary HSP. Returns false if it has none. */
static bool set_start(const struct aligning *a, struct hsp *h)
{
    const struct base_pair pair = pair_of(a, h);
    const struct base_box box = box_of(h);

    if (h->start_query == 0 && h->start_subject == 0)
        return traceback_find_start(pair.scores, pair.query, pair.subject, h);
    base_start_adjust(&pair, &box, &h->start_query, &h->start_subject);
    return true;
}

/* Aligns an HSP from its start point. */
static tms_status align(void *arg, size_t i, int thread, struct hsp *h, enum best_first_outcome *outcome)
{
    const struct aligning *a = arg;
    const struct search_query *strand = search_query_strand(a->query, h->context);
    const struct gapped_costs costs = blastn_gapped_costs(a->setup, a->setup->search.x_final);
    struct search_scratch *w = &a->s->scratch[thread];
    struct gapped_window window;
    tms_status status;

    (void)i;
    *outcome = BEST_FIRST_REFUSED;
    if (!set_start(a, h))
        return TMS_OK;
    window = gapped_window_around(strand->length, a->n, h->start_query, h->start_subject);
    status = a->setup->is_greedy ? align_greedily(a, window, blastn_scratch_of(w), h)
                                 : align_hsp(&costs, strand->codes, strand->length, a->subject, window, &w->gapped, h);
    *outcome = BEST_FIRST_REJECTED;
    if (status == TMS_OK && (a->setup->is_greedy || is_identical_enough(a, h)))
        *outcome = BEST_FIRST_ACCEPTED;
    else
        free(h->script.runs);
    return status;
}

static struct hsp preliminary(const void *arg, size_t i)
{
    const struct aligning *a = arg;

    return a->before.items[i];
}

/* Aligns the preliminary HSPs of the subject. */
static tms_status align_all(struct aligning *a, int thread)
{
    static const struct best_first_steps steps = {preliminary, read_subject, align};
    struct search_scratch *w = a->w;

    hsp_set_clear(&w->accepted);
    hsp_list_clear(&w->hsps);
    w->accepted.separation = a->setup->separation;
    return best_first(&a->s->shared, thread, &steps, a, a->before.n,
                      (struct best_first_results){&w->accepted, &w->hsps, &w->counts.n_realigned});
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
static tms_status align_subject(struct aligning *a, struct subject_hits *hits, int thread)
{
    size_t n_whole;
    tms_status status;

    a->before = hits->hsps;
    status = align_all(a, thread);
    if (status == TMS_OK)
        status = hsp_trim(&a->w->hsps, &n_whole);
    if (status == TMS_OK)
        status = rescore(a, n_whole);
    if (status == TMS_OK) {
        hsp_purge(&a->w->hsps);
        status = traceback_keep_apart(&a->setup->search, a->w);
    }
    if (status == TMS_OK)
        status = blastn_rate(&a->setup->search, a->query, a->n, true, &a->w->hsps);
    if (status == TMS_OK)
        status = hsp_list_move(&a->w->hsps, &hits->hsps);
    if (status == TMS_OK && hits->hsps.n > 0)
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
        a.subject = blastn_subject_codes(s, a.own, hits->oid, a.n, 0, 0);
        if (a.subject != NULL)
            search_record(s, align_subject(&a, hits, thread));
    }
}
