/*
 * blastp_search.c - two rounds of tasks. In the first a task is a query and a piece of the database; in the second a subject that was kept.
 *
 * What is kept is chosen under total orders, so it is the same for any pieces and threads. There is one exception: a subject without a
 * single amino acid is aligned with the matrix of the subject before it, which may be another query's. Such a one waits for a third round.
 */
#include "search/blastp_search.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "search/blastp_redo.h"
#include "search/blastp_traceback.h"

enum {
    PIECES_A_THREAD = 8,
    LETTERS_A_PIECE = 1 << 18,
    LETTERS_A_PACK = 6000 /* of queries: their diagonals, and most of the words near theirs, lie in a processor's own caches */
};

/* Queries that a subject is walked over for at once. */
struct pack {
    size_t first, n; /* queries */
    int n_places;
    struct two_hit_query *items; /* of those that are valid */
    size_t *numbers;             /* of the queries that these are */
    struct neighbours words;
    struct two_hit_queries queries;
};

struct search {
    const struct blastp_setup *setup;
    const tms_seqdb *db;
    const struct blastp_query *queries;
    size_t n_queries;
    struct pack *packs;
    size_t n_packs;
    uint64_t n_pieces;
    struct hit_list *hits;
    struct blastp_worker *workers; /* one for each thread */
    struct blastp_redo *redos;     /* likewise, with composition-based statistics */
    struct blastp_redo_query *redo_queries;
    struct blastp_matrix_source *sources; /* what the last matrix of each query was made of */
    pthread_mutex_t lock;                 /* of hits, in the first round */
    atomic_int status;
};

static void note(struct search *s, tms_status status)
{
    if (status != TMS_OK)
        atomic_store(&s->status, status);
}

/* --- packs --- */

static void pack_free(struct pack *pack)
{
    free(pack->items);
    free(pack->numbers);
    neighbours_free(&pack->words);
}

/* The queries from `first` on, as many as a pack takes. */
static void cut_pack(const struct search *s, size_t first, struct pack *out)
{
    int letters = 0;

    memset(out, 0, sizeof *out);
    out->first = first;
    while (first + out->n < s->n_queries && (out->n == 0 || letters + s->queries[first + out->n].length <= LETTERS_A_PACK))
        letters += s->queries[first + out->n++].length;
}

/* The table of a pack's words. Between two queries there is a place that is none's. */
static tms_status build_pack(const struct search *s, struct pack *pack)
{
    const struct blastp_params *params = &s->setup->params;
    struct neighbours_query *queries = calloc(pack->n, sizeof *queries);
    size_t n = 0;
    tms_status status = TMS_E_MEMORY;

    pack->items = calloc(pack->n, sizeof *pack->items);
    pack->numbers = calloc(pack->n, sizeof *pack->numbers);
    if (queries != NULL && pack->items != NULL && pack->numbers != NULL) {
        for (size_t i = 0; i < pack->n; i++) {
            const struct blastp_query *q = &s->queries[pack->first + i];
            if (!q->is_valid)
                continue;
            queries[n] = (struct neighbours_query){q->codes, q->ranges, q->n_ranges, pack->n_places};
            pack->items[n] = (struct two_hit_query){q->codes, q->length, q->x_ungapped, q->cutoff_ungapped, pack->n_places};
            pack->numbers[n++] = pack->first + i;
            pack->n_places += q->length + 1;
        }
        status = neighbours_build(s->setup->scores, queries, n, params->word_size, (int)params->threshold, &pack->words);
    }
    free(queries);
    pack->queries = (struct two_hit_queries){&pack->words, pack->items, n, s->setup->scores, params->window};
    return status;
}

static void build_packs(void *arg, size_t task, int thread)
{
    struct search *s = arg;

    (void)thread;
    note(s, build_pack(s, &s->packs[task]));
}

/* Returns TMS_OK or TMS_E_MEMORY. */
static tms_status cut_packs(struct search *s)
{
    s->packs = calloc(s->n_queries, sizeof *s->packs);
    if (s->packs == NULL)
        return TMS_E_MEMORY;
    for (size_t first = 0; first < s->n_queries; first += s->packs[s->n_packs++].n)
        cut_pack(s, first, &s->packs[s->n_packs]);
    return TMS_OK;
}

/* --- the first round --- */

/* The ungapped HSPs of a subject, query by query. hits: of each query of the pack. */
static tms_status extend_subject(struct search *s, const struct pack *pack, uint64_t i, const uint8_t *subject, int n,
                                 struct blastp_worker *w, struct hit_list *hits)
{
    tms_status status = TMS_OK;

    blastp_sort_initial(w->found.hsps, w->found.n);
    for (size_t first = 0, end; first < w->found.n && status == TMS_OK; first = end) {
        uint32_t query = w->found.hsps[first].query;
        for (end = first + 1; end < w->found.n && w->found.hsps[end].query == query; end++)
            continue;
        status = blastp_preliminary(s->setup, &s->queries[pack->numbers[query]], w->found.hsps + first, end - first, i, subject, n, w,
                                    &hits[query]);
    }
    return status;
}

static tms_status search_piece(struct search *s, const struct pack *pack, tms_seqdb_piece piece, struct blastp_worker *w,
                               struct hit_list *hits)
{
    struct two_hit_diagonals diagonals = {0};
    tms_status status = two_hit_diagonals_init(pack->n_places, s->setup->params.window, &diagonals);

    for (uint64_t i = piece.first; i < piece.end && status == TMS_OK; i++) {
        uint64_t n;
        const uint8_t *subject = tms_seqdb_protein(s->db, i, &n);
        w->found.n = 0;
        status = two_hit_scan(&pack->queries, subject, (int)n, &diagonals, &w->found);
        if (status == TMS_OK && w->found.n > 0)
            status = extend_subject(s, pack, i, subject, (int)n, w, hits);
    }
    two_hit_diagonals_free(&diagonals);
    return status;
}

/* Tasks of a piece come one after the other: its letters stay in the cache. */
static void first_round(void *arg, size_t task, int thread)
{
    struct search *s = arg;
    const struct pack *pack = &s->packs[task % s->n_packs];
    struct hit_list *mine = calloc(pack->n, sizeof *mine);
    tms_status status = mine != NULL ? TMS_OK : TMS_E_MEMORY;

    for (size_t i = 0; i < pack->n && mine != NULL; i++)
        mine[i].max_hits = s->setup->n_preliminary;
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK && pack->queries.n > 0)
        status = search_piece(s, pack, tms_seqdb_cut(s->db, task / s->n_packs, s->n_pieces), &s->workers[thread], mine);
    for (size_t i = 0; i < pack->n && mine != NULL; i++) {
        if (status == TMS_OK && mine[i].n > 0) {
            pthread_mutex_lock(&s->lock);
            status = hit_list_merge(&s->hits[pack->numbers[i]], &mine[i]);
            pthread_mutex_unlock(&s->lock);
        }
        hit_list_free(&mine[i]);
    }
    free(mine);
    note(s, status);
}

/* --- the second round --- */

static tms_status finish_subject(struct search *s, size_t query, struct subject_hits *hits, int thread, bool *waits)
{
    uint64_t n;
    const uint8_t *subject = tms_seqdb_protein(s->db, hits->oid, &n);

    *waits = false;
    if (s->setup->params.composition == COMPOSITION_OFF)
        return blastp_traceback(s->setup, &s->queries[query], subject, (int)n, &s->workers[thread], hits);
    return blastp_redo_subject(&s->redos[thread], &s->redo_queries[query], subject, (int)n, &s->workers[thread], hits, waits);
}

static void second_round(void *arg, size_t task, int thread)
{
    struct search *s = arg;
    struct hit_list *list = &s->hits[task];
    struct blastp_redo *redo = s->redos != NULL ? &s->redos[thread] : NULL;

    hit_list_sort(list);
    if (redo != NULL)
        blastp_redo_begin(redo);
    for (size_t i = 0; i < list->n && atomic_load(&s->status) == TMS_OK; i++)
        note(s, finish_subject(s, task, &list->items[i], thread, &list->items[i].waits));
    if (redo != NULL)
        s->sources[task] = redo->source;
}

/* Those that wait come before the first matrix of their query: what an earlier query left is theirs. */
static void third_round(struct search *s)
{
    const struct blastp_redo_query *last_query = NULL;
    struct blastp_matrix_source none = {.is_there = false}, *last = &none;

    for (size_t q = 0; q < s->n_queries && s->sources != NULL; q++) {
        struct hit_list *list = &s->hits[q];
        for (size_t i = 0; i < list->n && list->items[i].waits; i++) {
            blastp_redo_restore(&s->redos[0], last_query, last);
            note(s, finish_subject(s, q, &list->items[i], 0, &list->items[i].waits));
        }
        if (s->sources[q].is_there) {
            last = &s->sources[q];
            last_query = &s->redo_queries[q];
        }
    }
}

/* --- the end --- */

static double coverage_of(const struct hsp *h, int query_length)
{
    double percent = 100.0 * (h->query_end - h->query) / query_length;

    return percent < 99 ? percent + 0.5 : percent;
}

static void keep_wanted(const struct blastp_params *p, const struct blastp_query *query, struct hsp_list *list)
{
    size_t n = 0, most = p->max_hsps > 0 ? (size_t)p->max_hsps : list->n;

    for (size_t i = 0; i < list->n; i++) {
        if (i < most && (p->min_coverage <= 0 || coverage_of(&list->items[i], query->length) >= p->min_coverage))
            list->items[n++] = list->items[i];
        else
            free(list->items[i].script.runs);
    }
    list->n = n;
}

static void drop_empty(struct hit_list *list)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        if (list->items[i].hsps.n > 0)
            list->items[n++] = list->items[i];
        else
            hsp_list_free(&list->items[i].hsps);
    }
    list->n = n;
}

static void finish_list(const struct search *s, size_t query)
{
    const struct blastp_params *p = &s->setup->params;
    struct hit_list *list = &s->hits[query];

    drop_empty(list);
    list->max_hits = (size_t)p->max_target_seqs;
    hit_list_sort(list);
    for (size_t i = 0; i < list->n; i++)
        keep_wanted(p, &s->queries[query], &list->items[i].hsps);
    drop_empty(list);
}

static tms_status prepare(tms_context *ctx, struct search *s)
{
    size_t n_threads = (size_t)tms_context_threads(ctx);
    bool redoes = s->setup->params.composition != COMPOSITION_OFF;
    tms_status status = TMS_OK;

    s->workers = calloc(n_threads, sizeof *s->workers);
    if (s->workers == NULL)
        return TMS_E_MEMORY;
    if (redoes) {
        s->redos = calloc(n_threads, sizeof *s->redos);
        s->redo_queries = calloc(s->n_queries, sizeof *s->redo_queries);
        s->sources = calloc(s->n_queries, sizeof *s->sources);
        if (s->redos == NULL || s->redo_queries == NULL || s->sources == NULL)
            return TMS_E_MEMORY;
    }
    for (size_t i = 0; i < n_threads && redoes && status == TMS_OK; i++)
        status = blastp_redo_init(s->setup, &s->redos[i]);
    for (size_t i = 0; i < s->n_queries && redoes && status == TMS_OK; i++)
        if (s->queries[i].is_valid)
            status = blastp_redo_query_init(&s->queries[i], &s->redo_queries[i]);
    for (size_t i = 0; i < s->n_queries; i++)
        s->hits[i].max_hits = s->setup->n_preliminary;
    return status == TMS_OK ? cut_packs(s) : status;
}

static void clean(struct search *s, int n_threads, struct blastp_counts *counts)
{
    for (int i = 0; i < n_threads && s->workers != NULL; i++) {
        const struct blastp_counts *c = &s->workers[i].counts;
        counts->n_hits += s->workers[i].found.n_hits;
        counts->n_extensions += s->workers[i].found.n_extensions;
        counts->n_initial += c->n_initial;
        counts->n_gapped += c->n_gapped;
        counts->n_preliminary += c->n_preliminary;
        counts->n_realigned += c->n_realigned;
        blastp_worker_free(&s->workers[i]);
    }
    for (int i = 0; i < n_threads && s->redos != NULL; i++)
        blastp_redo_free(&s->redos[i]);
    for (size_t i = 0; i < s->n_queries && s->redo_queries != NULL; i++)
        blastp_redo_query_free(&s->redo_queries[i]);
    free(s->workers);
    free(s->redos);
    free(s->redo_queries);
    free(s->sources);
    for (size_t i = 0; i < s->n_packs; i++)
        pack_free(&s->packs[i]);
    free(s->packs);
}

tms_status blastp_search(tms_context *ctx, const struct blastp_setup *setup, const tms_seqdb *db, const struct blastp_query *queries,
                         size_t n_queries, struct hit_list *hits, struct blastp_counts *counts)
{
    struct search s = {.setup = setup, .db = db, .queries = queries, .n_queries = n_queries, .hits = hits};
    int n_threads = tms_context_threads(ctx);
    tms_seqdb_info info;
    tms_status status = n_queries > 0 ? prepare(ctx, &s) : TMS_OK;

    tms_seqdb_get_info(db, &info);
    s.n_pieces = info.n_residues / LETTERS_A_PIECE + (uint64_t)n_threads * PIECES_A_THREAD;
    atomic_init(&s.status, TMS_OK);
    pthread_mutex_init(&s.lock, NULL);
    if (status == TMS_OK)
        status = tms_context_run(ctx, s.n_packs, build_packs, &s);
    if (status == TMS_OK && atomic_load(&s.status) == TMS_OK)
        status = tms_context_run(ctx, (size_t)s.n_pieces * s.n_packs, first_round, &s);
    if (status == TMS_OK && atomic_load(&s.status) == TMS_OK)
        status = tms_context_run(ctx, n_queries, second_round, &s);
    if (status == TMS_OK && atomic_load(&s.status) == TMS_OK)
        third_round(&s);
    pthread_mutex_destroy(&s.lock);
    if (status == TMS_OK)
        status = (tms_status)atomic_load(&s.status);
    for (size_t i = 0; i < n_queries && status == TMS_OK; i++)
        finish_list(&s, i);
    clean(&s, n_threads, counts);
    return status == TMS_E_MEMORY ? context_fail(ctx, TMS_E_MEMORY, "out of memory for a search") : status;
}
