/*
 * blastp_search.c - two rounds of tasks. In the first a task is some queries and a piece of the database; in the second some subjects of a
 * query that were kept.
 *
 * What is kept is chosen under total orders, so it is the same for any pieces and threads. There is one exception: a subject without a
 * single amino acid is aligned with the matrix of the subject before it, which may be another query's of the same batch. Such a one waits
 * for a third round.
 *
 * What a filter of hits keeps depends on the order in which subjects come: in the first round tasks wait for their turn to offer theirs.
 */
#include "search/blastp_search.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/lower_to.h"
#include "run/turns.h"
#include "search/blastp_finish.h"
#include "search/blastp_gapped_cuda.h"
#include "search/blastp_gpu.h"
#include "search/blastp_pieces.h"
#include "search/blastp_redo.h"
#include "search/blastp_traceback.h"
#include "search/hit_filter.h"
#include "search/late_subjects.h"
#include "seed/two_hit_strip.h"
#include "seqdb/protein_letters.h"
#include "seqdb/seqdb_masks.h"

enum {
    PIECES_A_THREAD = 8,
    LETTERS_A_PIECE = 1 << 18,
    LETTERS_A_PACK = 12000,    /* of queries: 24 KB of diagonals, and most of the words near theirs, lie in a processor's own caches */
    LETTERS_A_GPU_PACK = 8000, /* likewise, in a multiprocessor's shared memory, for several parts of the database */
    MOST_SUBJECT_LETTERS = 1 << 29,
    SUBJECTS_A_TASK = COMPOSITION_SOLUTIONS, /* of the second round */
    HSPS_A_TASK = 512                        /* of those that a GPU found */
};

/* Queries that a subject is walked over for at once. */
struct pack {
    size_t first, n; /* queries */
    int n_places;
    struct two_hit_query *items; /* of those that are valid */
    size_t *numbers;             /* of the queries that these are */
    struct neighbours words;
    struct two_hit_queries queries;
    struct two_hit_strip strip;
    bool is_for_gpu;
    struct turns turns; /* of the pieces, with a filter of hits */
};

/* Subjects first .. end - 1 of a query's list, for the second round. */
struct alignment_task {
    size_t query, first, end;
    struct blastp_matrix_source source; /* what the last matrix was made of */
};

struct search {
    const struct blastp_setup *setup;
    const struct blastp_subjects *subjects;
    const struct blastp_queries *all;
    const struct blastp_query *queries; /* what is walked with: queries, or pieces of long ones */
    size_t n_queries;
    struct hit_list *found;     /* by these */
    struct hit_filter *filters; /* likewise; NULL: all HSPs are kept */
    struct pack *packs;
    size_t n_packs;
    struct pack **cpu_packs; /* those that are not for the GPU */
    size_t n_cpu_packs;
    tms_simd simd;
    uint64_t n_pieces;
    struct hit_list *hits;         /* of queries */
    struct blastp_worker *workers; /* one for each thread */
    struct blastp_redo *redos;     /* likewise, with composition-based statistics */
    struct blastp_redo_query *redo_queries;
    struct alignment_task *tasks;
    size_t n_tasks, tasks_capacity;
    size_t n_gathered, n_sorted, n_aligned; /* pieces and queries that are done between the rounds; tasks that the second has begun */
    pthread_mutex_t lock;                   /* of found, in the first round */
    atomic_int status;
    bool is_said;                      /* the GPU's part has left a message */
    atomic_uint_fast64_t damaged;      /* the lowest number of a subject that is */
    atomic_uint_fast64_t badly_masked; /* likewise, whose masks are */
};

#define ALL_HITS (SIZE_MAX / 2) /* of a list: no limit */

static bool needs_redo(const struct blastp_params *p) { return p->composition != COMPOSITION_OFF || p->smith_waterman; }

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
    two_hit_strip_free(&pack->strip);
    turns_destroy(&pack->turns);
}

/* The queries from `first` on, as many as a pack takes. */
static void cut_pack(const struct search *s, size_t first, struct pack *out)
{
    int letters = 0, most = s->subjects->gpu != NULL ? LETTERS_A_GPU_PACK : LETTERS_A_PACK;

    memset(out, 0, sizeof *out);
    turns_init(&out->turns);
    out->first = first;
    while (first + out->n < s->n_queries && (out->n == 0 || letters + s->queries[first + out->n].length <= most))
        letters += s->queries[first + out->n++].length;
}

/* The table of a pack's words. Between two queries there is a place that is none's. */
static tms_status build_pack(const struct search *s, struct pack *pack)
{
    const struct neighbours_rules rules = blastp_word_rules(s->setup);
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
        status = neighbours_build(&rules, queries, n, pack->n_places, &pack->words);
    }
    free(queries);
    pack->queries = (struct two_hit_queries){&pack->words, pack->items, n, s->setup->scores, NULL, s->simd, s->setup->params.window};
    return status == TMS_OK ? two_hit_strip_init(&pack->queries, pack->n_places, &pack->strip) : status;
}

static void build_packs(void *arg, size_t task, int thread)
{
    struct search *s = arg;

    (void)thread;
    note(s, build_pack(s, &s->packs[task]));
}

/* Returns TMS_OK or TMS_E_MEMORY. */
static tms_status cut_packs(struct search *s, tms_simd simd)
{
    s->simd = simd;
    s->packs = calloc(s->n_queries + 1, sizeof *s->packs);
    if (s->packs == NULL)
        return TMS_E_MEMORY;
    for (size_t first = 0; first < s->n_queries; first += s->packs[s->n_packs++].n)
        cut_pack(s, first, &s->packs[s->n_packs]);
    return TMS_OK;
}

/* --- the first round --- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What is masked of a subject, to w->masked; and what is not, to w->ranges. Returns whether that could be done, if not it is noted why. */
static bool read_masks(struct search *s, uint64_t i, int n, struct blastp_worker *w)
{
    tms_status status = seqdb_masks_read(s->subjects->masks, i, &w->masked, &w->masked_capacity, &w->n_masked);
    int at = 0;

    if (status == TMS_E_FORMAT)
        lower_to(&s->badly_masked, i);
    if (status == TMS_OK && !array_reserve(&w->ranges, &w->ranges_capacity, w->n_masked + 1, sizeof *w->ranges))
        status = TMS_E_MEMORY;
    note(s, status);
    if (status != TMS_OK)
        return false;
    for (size_t k = 0; k < w->n_masked; k++) {
        w->ranges[k] = (struct neighbours_range){at, (int)w->masked[k].start};
        at = (int)w->masked[k].end - s->subjects->keeps_last;
    }
    w->ranges[w->n_masked] = (struct neighbours_range){at, n};
    return true;
}

/* To w->subject, with a 0 before and after. Returns false if there is no memory, which is noted. */
static bool copy_subject(struct search *s, const uint8_t *codes, int n, struct blastp_worker *w)
{
    if (!array_reserve(&w->subject, &w->subject_capacity, (size_t)n + 2, 1)) {
        note(s, TMS_E_MEMORY);
        return false;
    }
    w->subject[0] = w->subject[n + 1] = 0;
    memcpy(w->subject + 1, codes, (size_t)n);
    return true;
}

/*
 * A subject's letters as they are searched: good until this thread asks for the next. All are codes, also those around them: tables are not
 * read beyond their ends, whatever is in the file. NULL: it is damaged, or there is no memory, which is noted.
 */
static const uint8_t *subject_of(struct search *s, uint64_t i, struct blastp_worker *w, int *n)
{
    uint64_t n_letters;
    const uint8_t *codes = tms_seqdb_protein(s->subjects->db, i, &n_letters);

    *n = (int)n_letters;
    if (n_letters > MOST_SUBJECT_LETTERS || !protein_codes_are_sound(codes - 1, (size_t)n_letters + 2)) {
        lower_to(&s->damaged, i);
        note(s, TMS_E_FORMAT);
        return NULL;
    }
    if (!s->subjects->replaces_o)
        return codes;
    if (!copy_subject(s, codes, *n, w))
        return NULL;
    for (uint64_t k = 0; k < n_letters; k++)
        w->subject[k + 1] = codes[k] == CODE_O ? CODE_X : codes[k];
    return w->subject + 1;
}

/* As it is aligned in the second round. */
static const uint8_t *hide_masked(struct search *s, uint64_t i, const uint8_t *codes, int n, struct blastp_worker *w)
{
    if (!read_masks(s, i, n, w))
        return NULL;
    if (w->n_masked == 0)
        return codes;
    if (codes != w->subject + 1 && !copy_subject(s, codes, n, w))
        return NULL;
    for (size_t k = 0; k < w->n_masked; k++)
        memset(w->subject + 1 + w->masked[k].start, CODE_X, (size_t)(w->masked[k].end - w->masked[k].start));
    return w->subject + 1;
}

/* The ungapped HSPs of a subject, query by query. parts: as blastp_preliminary() has them. hits: of each query of the pack. */
static tms_status extend_subject(struct search *s, const struct pack *pack, uint64_t i, const uint8_t *subject, int n,
                                 const struct neighbours_range *parts, struct blastp_worker *w, struct hit_list *hits)
{
    double begun = now();
    tms_status status = TMS_OK;

    blastp_sort_initial(w->found.hsps, w->found.n);
    for (size_t first = 0, end; first < w->found.n && status == TMS_OK; first = end) {
        uint32_t query = w->found.hsps[first].query;
        for (end = first + 1; end < w->found.n && w->found.hsps[end].query == query; end++)
            continue;
        status = blastp_preliminary(s->setup, &s->queries[pack->numbers[query]], w->found.hsps + first, end - first, i, subject, n, parts,
                                    w, &hits[query]);
    }
    w->counts.seconds_gapped += now() - begun;
    return status;
}

/*
 * Whether the only stretch of a subject that is not masked is its begin. blastp then takes words from all of the subject, though it extends
 * hits in that stretch alone.
 */
static bool ends_masked(const struct blastp_worker *w, int n) { return w->n_masked > 0 && w->masked[0].end == (uint64_t)n; }

/* Each stretch that is not masked as if it were all. */
static tms_status scan_parts(const struct pack *pack, const uint8_t *subject, int n, struct two_hit_diagonals *diagonals,
                             struct blastp_worker *w)
{
    const struct neighbours_range whole = {0, n};
    tms_status status = TMS_OK;

    if (ends_masked(w, n)) {
        const struct two_hit_subject first = {subject, w->ranges[0].end, &whole, 1, n - w->ranges[0].end};
        return two_hit_scan(&pack->queries, &first, diagonals, &w->found);
    }
    for (size_t k = 0; k <= w->n_masked && status == TMS_OK; k++) {
        const struct neighbours_range range = w->ranges[k];
        const struct two_hit_subject part = {subject + range.first, range.end - range.first, NULL, 0, 0};
        size_t before = w->found.n;
        if (part.n >= 0)
            status = two_hit_scan(&pack->queries, &part, diagonals, &w->found);
        for (size_t j = before; j < w->found.n; j++)
            w->found.hsps[j].part = (uint32_t)k;
    }
    return status;
}

/*
 * Where the first stretch has no word, blastp looks at the first word of the subject nevertheless; unless it looks for single hits: then it
 * ends. Returns whether it had one.
 */
static bool begin_with_a_word(struct neighbours_range *first, int n, int word_size)
{
    if (first->end >= word_size)
        return true;
    first->end = word_size < n ? word_size : n;
    return false;
}

/* A subject with masks: words come from what is not masked; or each stretch of that is searched as if it were all. */
static tms_status search_masked(struct search *s, const struct pack *pack, uint64_t i, const uint8_t *subject, int n,
                                struct two_hit_diagonals *diagonals, struct blastp_worker *w, struct hit_list *hits)
{
    tms_status status;

    if (s->subjects->hides_masked) {
        status = scan_parts(pack, subject, n, diagonals, w);
    } else {
        const struct two_hit_subject whole = {subject, n, w->ranges, w->n_masked + 1, 0};
        if (!begin_with_a_word(&w->ranges[0], n, pack->words.word_size) && s->setup->params.window == 0)
            return TMS_OK;
        status = two_hit_scan(&pack->queries, &whole, diagonals, &w->found);
    }
    if (status != TMS_OK || w->found.n == 0)
        return status;
    return extend_subject(s, pack, i, subject, n, s->subjects->hides_masked ? w->ranges : NULL, w, hits);
}

static tms_status search_subject(struct search *s, const struct pack *pack, uint64_t i, const uint8_t *subject, int n,
                                 struct two_hit_diagonals *diagonals, struct blastp_worker *w, struct hit_list *hits)
{
    const struct two_hit_subject whole = {subject, n, NULL, 0, 0};
    tms_status status;

    if (s->subjects->masks != NULL && !read_masks(s, i, n, w))
        return TMS_OK; /* it is noted why */
    if (s->subjects->masks != NULL && w->n_masked > 0)
        return search_masked(s, pack, i, subject, n, diagonals, w, hits);
    status = two_hit_scan(&pack->queries, &whole, diagonals, &w->found);
    return status == TMS_OK && w->found.n > 0 ? extend_subject(s, pack, i, subject, n, NULL, w, hits) : status;
}

/*
 * The first subject whose scan leaves places that are met at subject `first` (two_hit.c): usually `first` itself. No further back than the
 * longest subject reaches.
 */
static uint64_t first_that_matters(struct search *s, uint64_t first, struct blastp_worker *w)
{
    const uint64_t window = (uint64_t)s->setup->params.window;
    uint64_t behind = 0, at = first;
    tms_seqdb_info info;

    tms_seqdb_get_info(s->subjects->db, &info);
    while (at > 0 && behind < info.longest) {
        const uint64_t n = tms_seqdb_length(s->subjects->db, --at);
        if (n > MOST_SUBJECT_LETTERS || !read_masks(s, at, (int)n, w))
            return first;
        if (ends_masked(w, (int)n) && n - (uint64_t)w->ranges[0].end > behind) {
            first = at;
            behind = 0;
        } else {
            behind += n + window;
        }
    }
    return first;
}

/* Scans the subjects before a piece that leave places to it. */
static tms_status catch_up(struct search *s, const struct pack *pack, uint64_t first, struct two_hit_diagonals *diagonals,
                           struct blastp_worker *w)
{
    const struct two_hit_found before = w->found;
    tms_status status = TMS_OK;

    for (uint64_t i = first_that_matters(s, first, w); i < first && status == TMS_OK; i++) {
        int n;
        const uint8_t *subject = subject_of(s, i, w, &n);
        if (subject == NULL || !read_masks(s, i, n, w))
            return TMS_OK; /* it is noted why */
        status = scan_parts(pack, subject, n, diagonals, w);
    }
    w->found.n_hits = before.n_hits;
    w->found.n_extensions = before.n_extensions;
    return status;
}

static tms_status search_piece(struct search *s, const struct pack *pack, tms_seqdb_piece piece, struct blastp_worker *w,
                               struct hit_list *hits)
{
    struct two_hit_diagonals diagonals = {0};
    tms_status status = two_hit_diagonals_init(pack->n_places, s->setup->params.window, &diagonals);

    if (status == TMS_OK && s->subjects->masks != NULL && s->subjects->hides_masked && piece.first < piece.end)
        status = catch_up(s, pack, piece.first, &diagonals, w);
    for (uint64_t i = piece.first; i < piece.end && status == TMS_OK; i++) {
        int n;
        const uint8_t *subject = subject_of(s, i, w, &n);
        w->found.n = 0;
        w->counts.n_subjects++;
        w->counts.subject_letters += (uint64_t)n;
        if (subject == NULL)
            break;
        status = search_subject(s, pack, i, subject, n, &diagonals, w, hits);
    }
    two_hit_diagonals_free(&diagonals);
    return status;
}

/* A list goes to those of the other tasks, or, with a filter, to it: then it is this piece's turn. It is freed in any case. */
static tms_status hand_over(struct search *s, size_t query, struct hit_list *mine, tms_status status)
{
    if (status == TMS_OK && mine->n > 0 && s->filters != NULL) {
        status = hit_filter_offer(&s->filters[query], mine);
    } else if (status == TMS_OK && mine->n > 0) {
        pthread_mutex_lock(&s->lock);
        status = hit_list_merge(&s->found[query], mine);
        pthread_mutex_unlock(&s->lock);
    }
    hit_list_free(mine);
    return status;
}

/* Tasks of a piece come one after the other: its letters stay in the cache. */
static void first_round(void *arg, size_t task, int thread)
{
    struct search *s = arg;
    struct blastp_worker *w = &s->workers[thread];
    struct pack *pack = s->cpu_packs[task % s->n_cpu_packs];
    struct hit_list *mine = calloc(pack->n, sizeof *mine);
    tms_status status = mine != NULL ? TMS_OK : TMS_E_MEMORY;
    size_t piece = task / s->n_cpu_packs;
    double begun = now(), gapped_before = w->counts.seconds_gapped;

    for (size_t i = 0; i < pack->n && mine != NULL; i++)
        mine[i].max_hits = s->filters != NULL ? ALL_HITS : s->setup->n_preliminary;
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK && pack->queries.n > 0)
        status = search_piece(s, pack, tms_seqdb_cut(s->subjects->db, piece, s->n_pieces), w, mine);
    if (s->filters != NULL)
        turns_wait(&pack->turns, piece);
    for (size_t i = 0; i < pack->queries.n && mine != NULL; i++)
        status = hand_over(s, pack->numbers[i], &mine[i], status);
    if (s->filters != NULL)
        turns_end(&pack->turns, piece);
    free(mine);
    w->counts.seconds_scan += now() - begun - (w->counts.seconds_gapped - gapped_before);
    note(s, status);
}

/* --- between the rounds --- */

static tms_status add_tasks(struct search *s, size_t query)
{
    size_t n = s->hits[query].n;

    for (size_t first = 0; first < n; first += SUBJECTS_A_TASK) {
        size_t end = n - first > SUBJECTS_A_TASK ? first + SUBJECTS_A_TASK : n;
        if (!array_reserve(&s->tasks, &s->tasks_capacity, s->n_tasks + 1, sizeof *s->tasks))
            return TMS_E_MEMORY;
        s->tasks[s->n_tasks++] = (struct alignment_task){.query = query, .first = first, .end = end};
    }
    return TMS_OK;
}

/*
 * The lists of the pieces before `end`, which are complete, become one for each query. Of queries that are whole by then it is known which
 * subjects the second round is for.
 */
static tms_status gather(struct search *s, size_t end)
{
    const size_t n_whole = end < s->n_queries ? s->all->pieces[end].query : s->all->n;
    tms_status status = TMS_OK;

    for (; s->n_gathered < end && status == TMS_OK; s->n_gathered++) {
        const struct blastp_piece *piece = &s->all->pieces[s->n_gathered];
        struct hit_list *to = &s->hits[piece->query], *from = &s->found[s->n_gathered];
        if (s->filters != NULL)
            status = hit_filter_take(&s->filters[s->n_gathered], from);
        if (status == TMS_OK && piece->is_whole) {
            *to = *from;
            memset(from, 0, sizeof *from);
        } else if (status == TMS_OK) {
            status = blastp_pieces_add(to, piece->start, from);
        }
    }
    for (; s->n_sorted < n_whole && status == TMS_OK; s->n_sorted++) {
        struct hit_list *list = &s->hits[s->n_sorted];
        for (size_t i = 0; i < list->n; i++)
            hsp_sort(&list->items[i].hsps);
        hit_list_sort(list);
        status = add_tasks(s, s->n_sorted);
    }
    return status;
}

/* --- the second round --- */

/* A subject's letters as they are aligned; NULL: it is noted why. */
static const uint8_t *aligned_subject(struct search *s, uint64_t i, struct blastp_worker *w, int *n)
{
    const uint8_t *subject = subject_of(s, i, w, n);

    if (subject != NULL && s->subjects->masks != NULL && s->subjects->hides_masked)
        subject = hide_masked(s, i, subject, *n, w);
    return subject;
}

/* i: the subject's place among those that are prepared. */
static tms_status finish_subject(struct search *s, size_t query, struct subject_hits *hits, size_t i, int thread)
{
    struct blastp_worker *w = &s->workers[thread];
    int n;
    const uint8_t *subject;

    if (s->setup->params.ungapped)
        return blastp_align_ungapped(&hits->hsps);
    subject = aligned_subject(s, hits->oid, w, &n);
    if (subject == NULL)
        return TMS_OK;
    if (!needs_redo(&s->setup->params))
        return blastp_traceback(s->setup, &s->all->whole[query], subject, n, w, hits);
    return blastp_redo_subject(&s->redos[thread], &s->redo_queries[query], i, subject, n, w, hits, &hits->waits);
}

/* Subjects from `first` on, as many as are done together. Returns the end of them. */
static size_t prepare_subjects(struct search *s, size_t query, size_t first, size_t end, int thread)
{
    struct blastp_redo *redo = &s->redos[thread];
    struct blastp_worker *w = &s->workers[thread];
    tms_status status = TMS_OK;

    blastp_redo_clear(redo);
    for (; first < end && !blastp_redo_is_full(redo) && status == TMS_OK; first++) {
        const struct subject_hits *hits = &s->hits[query].items[first];
        int n;
        const uint8_t *subject = aligned_subject(s, hits->oid, w, &n);
        if (subject == NULL)
            break;
        status = blastp_redo_prepare(redo, &s->redo_queries[query], subject, n, hits);
    }
    note(s, status);
    if (s->setup->params.composition != COMPOSITION_OFF)
        blastp_redo_solve(redo, &s->redo_queries[query], s->simd);
    return first;
}

static void align_subjects(struct search *s, size_t query, size_t first, size_t end, int thread)
{
    while (first < end && atomic_load(&s->status) == TMS_OK) {
        size_t stop = s->redos != NULL ? prepare_subjects(s, query, first, end, thread) : end;
        for (size_t i = first; i < stop && atomic_load(&s->status) == TMS_OK; i++)
            note(s, finish_subject(s, query, &s->hits[query].items[i], i - first, thread));
        first = stop;
    }
}

static void align(struct search *s, struct alignment_task *t, int thread)
{
    struct blastp_redo *redo = s->redos != NULL ? &s->redos[thread] : NULL;
    double begun = now();

    if (redo != NULL)
        blastp_redo_begin(redo);
    align_subjects(s, t->query, t->first, t->end, thread);
    if (redo != NULL)
        t->source = redo->source;
    s->workers[thread].counts.seconds_align += now() - begun;
}

static void second_round(void *arg, size_t task, int thread)
{
    struct search *s = arg;

    align(s, &s->tasks[s->n_aligned + task], thread);
}

/* --- the first round with a GPU: hits and ungapped extensions are made there --- */

/* What a pack and a block of subjects led to. */
struct gpu_round {
    struct search *s;
    const struct pack *pack;
    struct two_hit_gpu_found ungapped;
    struct gapped_gpu_found gapped;
    uint64_t first_subject; /* of the block */
};

/* A pair that was left: n of its ungapped HSPs. */
static tms_status extend_left(const struct gpu_round *round, const struct gapped_gpu_hsp *pair, struct blastp_worker *w,
                              struct hit_list *hits)
{
    struct search *s = round->s;
    const struct two_hit_gpu_hsp *hsps = round->ungapped.hsps + pair->first_left;
    uint64_t i = round->first_subject + pair->subject;
    int n;
    const uint8_t *subject = subject_of(s, i, w, &n);

    w->found.n = 0;
    if (subject == NULL)
        return TMS_OK; /* it is noted why */
    if (!array_reserve(&w->found.hsps, &w->found.capacity, pair->n_left, sizeof *w->found.hsps))
        return TMS_E_MEMORY;
    for (size_t k = 0; k < pair->n_left; k++)
        w->found.hsps[w->found.n++] = hsps[k].hsp;
    blastp_sort_initial(w->found.hsps, w->found.n);
    return blastp_preliminary(s->setup, &s->queries[round->pack->numbers[pair->query]], w->found.hsps, w->found.n, i, subject, n, NULL, w,
                              hits);
}

/* A pair with n HSPs that were accepted on the GPU. */
static tms_status keep_accepted(const struct gpu_round *round, const struct gapped_gpu_hsp *accepted, size_t n, struct blastp_worker *w,
                                struct hit_list *hits)
{
    struct search *s = round->s;
    uint64_t i = round->first_subject + accepted->subject, n_letters;
    tms_status status = TMS_OK;

    (void)tms_seqdb_protein(s->subjects->db, i, &n_letters);
    hsp_list_clear(&w->hsps);
    for (size_t k = 0; k < n && status == TMS_OK; k++) {
        const struct gapped_gpu_hsp *h = &accepted[k];
        const struct hsp hsp = {.query = h->query_begin,
                                .query_end = h->query_end,
                                .subject = h->subject_begin,
                                .subject_end = h->subject_end,
                                .score = h->score,
                                .start_query = h->start_query,
                                .start_subject = h->start_subject};
        status = hsp_list_add(&w->hsps, &hsp);
    }
    if (status != TMS_OK)
        return status;
    hsp_purge(&w->hsps);
    return blastp_preliminary_keep(s->setup, &s->queries[round->pack->numbers[accepted->query]], i, (int)n_letters, w, hits);
}

/* The pairs that begin in a part of what was accepted or left; it is sorted by query, then by subject. */
static void finish_pairs(void *arg, size_t task, int thread)
{
    const struct gpu_round *round = arg;
    struct search *s = round->s;
    struct blastp_worker *w = &s->workers[thread];
    const struct gapped_gpu_hsp *hsps = round->gapped.hsps;
    size_t n = round->gapped.n, first = task * HSPS_A_TASK, stop = n - first > HSPS_A_TASK ? first + HSPS_A_TASK : n;
    struct hit_list hits = {.max_hits = s->setup->n_preliminary};
    double begun = now();
    tms_status status = TMS_OK;

    while (first > 0 && first < stop && hsps[first - 1].pair == hsps[first].pair)
        first++;
    for (size_t end; first < stop && status == TMS_OK; first = end) {
        for (end = first + 1; end < n && hsps[first].pair == hsps[end].pair; end++)
            continue;
        status = hsps[first].n_left > 0 ? extend_left(round, &hsps[first], w, &hits)
                                        : keep_accepted(round, &hsps[first], end - first, w, &hits);
        if (end >= stop || hsps[end].query != hsps[first].query) {
            status = hand_over(s, round->pack->numbers[hsps[first].query], &hits, status);
            hits.max_hits = s->setup->n_preliminary;
        }
    }
    hit_list_free(&hits);
    w->counts.seconds_gapped += now() - begun;
    note(s, status);
}

static struct gapped_gpu_params gapped_params(const struct search *s)
{
    const struct gap_costs *costs = s->setup->params.costs;

    return (struct gapped_gpu_params){s->setup->scores, costs->open, costs->extend, s->setup->x_gapped, blastp_is_restricted(s->setup)};
}

/* The gapped stage on the GPU; or, with costs that are not for it, all pairs are left. */
static tms_status extend_pairs(tms_context *ctx, struct gpu_round *round, struct blastp_counts *counts)
{
    const struct gapped_gpu_params params = gapped_params(round->s);
    const struct pack *pack = round->pack;
    const struct two_hit_gpu_hsp *hsps = round->ungapped.hsps;
    struct gapped_gpu_found *gapped = &round->gapped;
    tms_status status = TMS_OK;

    if (gapped_gpu_takes(&params)) {
        struct gapped_gpu_query *queries = malloc(pack->queries.n * sizeof *queries);
        for (size_t i = 0; i < pack->queries.n && queries != NULL; i++) {
            const struct blastp_query *q = &round->s->queries[pack->numbers[i]];
            queries[i] = (struct gapped_gpu_query){pack->items[i].first_place, q->length, q->cutoff, blastp_near_cutoff(q)};
        }
        status = queries != NULL ? gapped_gpu_extend(ctx, &params, queries, pack->queries.n, &round->ungapped, gapped)
                                 : context_fail_memory(ctx, "queries", pack->queries.n * sizeof *queries);
        free(queries);
        counts->n_gapped += gapped->n_gapped;
        return status;
    }
    gapped->n = 0;
    for (size_t i = 0; i < round->ungapped.n; i++) {
        bool is_head = i == 0 || hsps[i].subject != hsps[i - 1].subject || hsps[i].hsp.query != hsps[i - 1].hsp.query;
        if (!is_head) {
            gapped->hsps[gapped->n - 1].n_left++;
            continue;
        }
        if (!array_reserve(&gapped->hsps, &gapped->capacity, gapped->n + 1, sizeof *gapped->hsps))
            return context_fail_memory(ctx, "pairs", (gapped->n + 1) * sizeof *gapped->hsps);
        gapped->hsps[gapped->n] = (struct gapped_gpu_hsp){
            .pair = (uint32_t)gapped->n, .subject = hsps[i].subject, .query = hsps[i].hsp.query, .first_left = (uint32_t)i, .n_left = 1};
        gapped->n++;
    }
    return TMS_OK;
}

/* Where n_initial is counted on the GPU, pairs that are left count theirs again. */
static uint64_t n_left(const struct gpu_round *round)
{
    uint64_t n = 0;

    for (size_t i = 0; i < round->gapped.n; i++)
        n += round->gapped.hsps[i].n_left;
    return n;
}

/*
 * Who does what is decided as work comes up. One thread drives the GPU, as long as there are packs and a round is free. The others finish
 * the pairs of the round that came first, and align what the rounds before it have left.
 */
enum { ROUNDS = 3 };

struct gpu_flow {
    tms_context *ctx;
    struct search *s;
    const struct two_hit_gpu_subjects *block;
    struct blastp_counts *counts; /* of the thread at the GPU */
    bool is_last;                 /* this block is: the lists of the queries are complete after it */
    pthread_mutex_t lock;         /* of the rest */
    pthread_cond_t changed;
    struct gpu_round rounds[ROUNDS];
    size_t n_begun, n_made, n_finished; /* rounds */
    size_t pack;                        /* the next one, GPU's or not */
    size_t n_claimed, n_done;           /* tasks of the round that is being finished */
};

static tms_status make_round(const struct gpu_flow *flow, struct gpu_round *round)
{
    struct blastp_counts *counts = flow->counts;
    double begun = now(), scanned;
    tms_status status = two_hit_gpu_scan(flow->ctx, flow->block, &round->pack->queries, round->pack->n_places, &round->ungapped);

    scanned = now();
    if (status == TMS_OK)
        status = extend_pairs(flow->ctx, round, counts);
    counts->seconds_scan += scanned - begun;
    counts->seconds_gapped += now() - scanned;
    counts->n_hits += round->ungapped.n_hits;
    counts->n_extensions += round->ungapped.n_candidates;
    counts->n_initial += round->ungapped.n - n_left(round);
    flow->s->is_said |= status != TMS_OK;
    return status;
}

/* The next pack for the GPU, if there is one, a round is free, and nobody is at it. */
static struct gpu_round *begin_round(struct gpu_flow *flow)
{
    struct search *s = flow->s;
    struct gpu_round *round = &flow->rounds[flow->n_begun % ROUNDS];

    while (flow->pack < s->n_packs && !s->packs[flow->pack].is_for_gpu)
        flow->pack++;
    if (flow->pack == s->n_packs || flow->n_begun > flow->n_made || flow->n_begun - flow->n_finished == ROUNDS)
        return NULL;
    round->pack = &s->packs[flow->pack++];
    flow->n_begun++;
    return round;
}

static size_t n_finish_tasks(const struct gpu_round *round) { return (round->gapped.n + HSPS_A_TASK - 1) / HSPS_A_TASK; }

/* With the lock: rounds all of whose pairs are finished are handed on. */
static tms_status end_rounds(struct gpu_flow *flow)
{
    tms_status status = TMS_OK;

    while (flow->n_finished < flow->n_made && status == TMS_OK) {
        const struct gpu_round *round = &flow->rounds[flow->n_finished % ROUNDS];
        if (flow->n_done < n_finish_tasks(round))
            break;
        if (flow->is_last)
            status = gather(flow->s, round->pack->first + round->pack->n);
        flow->n_finished++;
        flow->n_claimed = flow->n_done = 0;
    }
    return status;
}

/* One piece of work, if there is one. The lock is held before and after. */
static bool do_work(struct gpu_flow *flow, int thread)
{
    struct search *s = flow->s;
    struct gpu_round *making = begin_round(flow), *finishing = &flow->rounds[flow->n_finished % ROUNDS];
    tms_status status = TMS_OK;

    if (making != NULL) {
        pthread_mutex_unlock(&flow->lock);
        status = make_round(flow, making);
        pthread_mutex_lock(&flow->lock);
        flow->n_made++;
    } else if (flow->n_finished < flow->n_made && flow->n_claimed < n_finish_tasks(finishing)) {
        size_t task = flow->n_claimed++;
        pthread_mutex_unlock(&flow->lock);
        finish_pairs(finishing, task, thread);
        pthread_mutex_lock(&flow->lock);
        flow->n_done++;
    } else if (s->n_aligned < s->n_tasks) {
        size_t task = s->n_aligned++;
        struct alignment_task mine = s->tasks[task]; /* others may add to them */
        pthread_mutex_unlock(&flow->lock);
        align(s, &mine, thread);
        pthread_mutex_lock(&flow->lock);
        s->tasks[task] = mine;
        return true;
    } else {
        return false;
    }
    if (status == TMS_OK)
        status = end_rounds(flow);
    note(s, status);
    pthread_cond_broadcast(&flow->changed);
    return true;
}

static void work_along(void *arg, size_t task, int thread)
{
    struct gpu_flow *flow = arg;

    (void)task;
    pthread_mutex_lock(&flow->lock);
    while (atomic_load(&flow->s->status) == TMS_OK && !__atomic_load_n(&flow->ctx->cancelled, __ATOMIC_RELAXED)) {
        if (do_work(flow, thread))
            continue;
        if (flow->pack == flow->s->n_packs && flow->n_finished == flow->n_begun)
            break; /* what others are still at is theirs */
        pthread_cond_wait(&flow->changed, &flow->lock);
    }
    pthread_cond_broadcast(&flow->changed);
    pthread_mutex_unlock(&flow->lock);
}

static tms_status search_block(tms_context *ctx, struct search *s, const struct two_hit_gpu_subjects *block, uint64_t first_subject,
                               bool is_last, struct blastp_counts *counts)
{
    struct gpu_flow flow = {.ctx = ctx, .s = s, .block = block, .counts = counts, .is_last = is_last};
    tms_status status;

    for (int i = 0; i < ROUNDS; i++)
        flow.rounds[i] = (struct gpu_round){.s = s, .first_subject = first_subject};
    pthread_mutex_init(&flow.lock, NULL);
    pthread_cond_init(&flow.changed, NULL);
    status = tms_context_run(ctx, (size_t)tms_context_threads(ctx), work_along, &flow);
    if (status == TMS_OK)
        status = context_check_cancelled(ctx);
    pthread_cond_destroy(&flow.changed);
    pthread_mutex_destroy(&flow.lock);
    for (int i = 0; i < ROUNDS; i++) {
        two_hit_gpu_found_free(&flow.rounds[i].ungapped);
        gapped_gpu_found_free(&flow.rounds[i].gapped);
    }
    return status;
}

static tms_status search_blocks(tms_context *ctx, struct search *s, struct blastp_counts *counts)
{
    struct blastp_gpu *gpu = s->subjects->gpu;
    tms_seqdb_info info;
    tms_status status = TMS_OK;

    tms_seqdb_get_info(s->subjects->db, &info);
    counts->n_subjects += (s->n_packs - s->n_cpu_packs) * info.n_sequences;
    counts->subject_letters += (s->n_packs - s->n_cpu_packs) * info.n_residues;
    for (size_t k = 0; k < gpu->n_blocks && status == TMS_OK && atomic_load(&s->status) == TMS_OK; k++) {
        const struct two_hit_gpu_subjects *block;
        uint64_t damaged = UINT64_MAX;
        double begun = now();
        status = blastp_gpu_block(ctx, gpu, s->subjects, k, &damaged, &block);
        counts->seconds_setup += now() - begun;
        if (status == TMS_E_FORMAT)
            lower_to(&s->damaged, damaged);
        s->is_said |= status != TMS_OK && status != TMS_E_FORMAT;
        if (status == TMS_OK)
            status = search_block(ctx, s, block, gpu->firsts[k], k + 1 == gpu->n_blocks, counts);
    }
    return status;
}

/* Which packs go where. Returns TMS_OK or TMS_E_MEMORY. */
static tms_status share_packs(const tms_context *ctx, struct search *s)
{
    s->cpu_packs = calloc(s->n_packs + 1, sizeof(void *));
    for (size_t p = 0; p < s->n_packs && s->cpu_packs != NULL; p++) {
        struct pack *pack = &s->packs[p];
        pack->is_for_gpu = s->subjects->gpu != NULL && two_hit_gpu_takes(ctx, &pack->queries, pack->n_places);
        if (!pack->is_for_gpu)
            s->cpu_packs[s->n_cpu_packs++] = pack;
    }
    return s->cpu_packs != NULL ? TMS_OK : TMS_E_MEMORY;
}

static tms_status search_database(tms_context *ctx, struct search *s, struct blastp_counts *counts)
{
    tms_status status = share_packs(ctx, s);

    if (status == TMS_OK)
        status = tms_context_run(ctx, (size_t)s->n_pieces * s->n_cpu_packs, first_round, s);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK && s->n_cpu_packs < s->n_packs)
        status = search_blocks(ctx, s, counts);
    return status;
}

/* --- the third round --- */

/* Those that wait come before the first matrix of their task: what an earlier task of the batch left is theirs. */
static void third_round(struct search *s)
{
    const struct blastp_matrix_source none = {.is_there = false}, *last = &none;
    const struct blastp_redo_query *last_query = NULL;
    size_t batch = 0;

    for (size_t k = 0; k < s->n_tasks && s->redos != NULL; k++) {
        const struct alignment_task *t = &s->tasks[k];
        struct subject_hits *hits = s->hits[t->query].items;
        for (; batch < s->all->n_batches && t->query >= s->all->batch_starts[batch]; batch++)
            last = &none;
        for (size_t i = t->first; i < t->end && hits[i].waits; i++) {
            blastp_redo_restore(&s->redos[0], last_query, last);
            align_subjects(s, t->query, i, i + 1, 0);
        }
        if (t->source.is_there) {
            last = &t->source;
            last_query = &s->redo_queries[t->query];
        }
    }
}

/* --- all of it --- */

static tms_status prepare_redos(struct search *s, size_t n_threads)
{
    tms_status status = TMS_OK;

    s->redos = calloc(n_threads, sizeof *s->redos);
    s->redo_queries = calloc(s->all->n + 1, sizeof *s->redo_queries);
    if (s->redos == NULL || s->redo_queries == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_threads && status == TMS_OK; i++)
        status = blastp_redo_init(s->setup, &s->redos[i]);
    for (size_t i = 0; i < s->all->n && status == TMS_OK; i++)
        if (s->all->whole[i].is_valid)
            status = blastp_redo_query_init(&s->all->whole[i], &s->redo_queries[i]);
    return status;
}

static tms_status prepare_filters(struct search *s)
{
    tms_status status = TMS_OK;

    s->filters = calloc(s->n_queries + 1, sizeof *s->filters);
    if (s->filters == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < s->n_queries && status == TMS_OK; i++)
        status = hit_filter_init(&s->setup->params, s->queries[i].length, FILTER_PRELIMINARY, &s->filters[i]);
    return status;
}

static tms_status prepare(tms_context *ctx, struct search *s)
{
    size_t n_threads = (size_t)tms_context_threads(ctx);
    tms_status status = TMS_OK;

    s->workers = calloc(n_threads, sizeof *s->workers);
    s->found = calloc(s->n_queries + 1, sizeof *s->found);
    if (s->workers == NULL || s->found == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_threads; i++)
        s->workers[i].gapped.simd = tms_context_simd(ctx);
    for (size_t i = 0; i < s->n_queries; i++)
        s->found[i].max_hits = s->setup->n_preliminary;
    for (size_t i = 0; i < s->all->n; i++)
        s->hits[i].max_hits = s->setup->n_preliminary;
    if (needs_redo(&s->setup->params))
        status = prepare_redos(s, n_threads);
    if (status == TMS_OK && hit_filter_is_wanted(&s->setup->params))
        status = prepare_filters(s);
    return status == TMS_OK ? cut_packs(s, tms_context_simd(ctx)) : status;
}

static void add_counts(struct blastp_counts *to, const struct blastp_worker *w)
{
    const struct blastp_counts *c = &w->counts;

    to->n_subjects += c->n_subjects;
    to->subject_letters += c->subject_letters;
    to->n_hits += w->found.n_hits;
    to->n_extensions += w->found.n_extensions;
    to->n_initial += c->n_initial;
    to->n_gapped += c->n_gapped;
    to->n_preliminary += c->n_preliminary;
    to->n_realigned += c->n_realigned;
    to->seconds_scan += c->seconds_scan;
    to->seconds_gapped += c->seconds_gapped;
    to->seconds_align += c->seconds_align;
}

/*
 * What random subjects with the background's composition would give. A second hit within the window is as probable as a first one
 * anywhere; and an ungapped extension that is kept is an HSP of [Karlin & Altschul 1990], though two hits do not find all of these.
 */
static void add_expected(const struct search *s, const struct pack *pack, struct blastp_counts *counts)
{
    const struct blastp_params *p = &s->setup->params;
    double frequencies[SCORE_CODES], places, hits, near;
    tms_seqdb_info info;

    tms_seqdb_get_info(s->subjects->db, &info);
    score_background(frequencies);
    places = (double)info.n_residues - (double)info.n_sequences * (p->word_size - 1);
    hits = pack->words.n_words > 0 ? neighbours_expected(&pack->words, frequencies) : 0;
    near = pack->n_places > 0 ? hits / pack->n_places * (p->window - p->word_size) : 0; /* on the same diagonal */
    counts->expected_hits += hits * places;
    counts->expected_extensions += hits * places * (p->window > 0 ? -expm1(-near) : 1);
    for (size_t i = 0; i < pack->queries.n; i++) {
        const struct blastp_query *q = &s->queries[pack->numbers[i]];
        counts->expected_initial += q->karlin.K * q->length * (double)info.n_residues * exp(-q->karlin.lambda * q->cutoff_ungapped);
    }
}

static void clean(struct search *s, int n_threads, struct blastp_counts *counts)
{
    for (int i = 0; i < n_threads && s->workers != NULL; i++) {
        add_counts(counts, &s->workers[i]);
        blastp_worker_free(&s->workers[i]);
    }
    for (int i = 0; i < n_threads && s->redos != NULL; i++)
        blastp_redo_free(&s->redos[i]);
    for (size_t i = 0; i < s->all->n && s->redo_queries != NULL; i++)
        blastp_redo_query_free(&s->redo_queries[i]);
    for (size_t i = 0; i < s->n_queries && s->found != NULL; i++)
        hit_list_free(&s->found[i]);
    for (size_t i = 0; i < s->n_queries && s->filters != NULL; i++)
        hit_filter_free(&s->filters[i]);
    free(s->filters);
    free(s->workers);
    free(s->redos);
    free(s->redo_queries);
    free(s->found);
    free(s->tasks);
    for (size_t i = 0; i < s->n_packs; i++) {
        counts->n_words += s->packs[i].words.n_places;
        add_expected(s, &s->packs[i], counts);
        pack_free(&s->packs[i]);
    }
    free(s->packs);
    free(s->cpu_packs);
}

static tms_status run_rounds(tms_context *ctx, struct search *s, struct blastp_counts *counts)
{
    double begun = now();
    tms_status status = tms_context_run(ctx, s->n_packs, build_packs, s);

    counts->seconds_setup += now() - begun;
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        status = search_database(ctx, s, counts);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        status = gather(s, s->n_queries);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        status = tms_context_run(ctx, s->n_tasks - s->n_aligned, second_round, s);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        third_round(s);
    return status == TMS_OK ? (tms_status)atomic_load(&s->status) : status;
}

static tms_status fail(tms_context *ctx, const struct search *s, tms_status status)
{
    uint64_t n, i = atomic_load(&s->damaged);
    const char *path;

    if (s->is_said)
        return status;
    if (status == TMS_E_MEMORY)
        return context_fail(ctx, status, "out of memory for a search");
    if (status != TMS_E_FORMAT)
        return status;
    if (i == UINT64_MAX) {
        i = atomic_load(&s->badly_masked);
        return context_fail(ctx, status, "%s: the masks of sequence %llu end beyond it, or beyond the file: it is damaged",
                            seqdb_masks_path(s->subjects->masks, i), (unsigned long long)tms_seqdb_oid(s->subjects->db, i));
    }
    path = tms_seqdb_path_at(s->subjects->db, tms_seqdb_protein(s->subjects->db, i, &n));
    return context_fail(ctx, status, "%s%s: sequence %llu has a byte that is no residue, or too many of them: the file is damaged",
                        path != NULL ? path : "the database", path != NULL ? ".psq" : "",
                        (unsigned long long)tms_seqdb_oid(s->subjects->db, i));
}

tms_status blastp_search(tms_context *ctx, const struct blastp_setup *setup, const struct blastp_subjects *subjects,
                         const struct blastp_queries *queries, struct hit_list *hits, struct blastp_counts *counts)
{
    struct search s = {
        .setup = setup, .subjects = subjects, .all = queries, .queries = queries->searched, .n_queries = queries->n_pieces, .hits = hits};
    tms_seqdb_info info;
    tms_status status;

    tms_seqdb_get_info(subjects->db, &info);
    s.n_pieces = info.n_residues / LETTERS_A_PIECE + (uint64_t)tms_context_threads(ctx) * PIECES_A_THREAD;
    atomic_init(&s.status, TMS_OK);
    atomic_init(&s.damaged, UINT64_MAX);
    atomic_init(&s.badly_masked, UINT64_MAX);
    pthread_mutex_init(&s.lock, NULL);
    status = prepare(ctx, &s);
    if (status == TMS_OK)
        status = run_rounds(ctx, &s, counts);
    pthread_mutex_destroy(&s.lock);
    for (size_t b = 0; b < queries->n_batches && status == TMS_OK && setup->params.smith_waterman; b++)
        status = late_subjects_drop(hits + queries->batch_starts[b], queries->batch_starts[b + 1] - queries->batch_starts[b],
                                    (size_t)setup->params.max_target_seqs, setup->params.composition == COMPOSITION_OFF);
    for (size_t i = 0; i < queries->n && status == TMS_OK; i++)
        status = blastp_finish(setup, &queries->whole[i], &hits[i]);
    clean(&s, tms_context_threads(ctx), counts);
    return status == TMS_OK ? TMS_OK : fail(ctx, &s, status);
}
