/*
 * blastn_scan.c - a long subject is scanned in chunks, each as if it were a subject of its own. The ungapped HSPs of a chunk are extended
 * with gaps, strand by strand, best first, with the help of threads that have no chunk; what they leave is merged with what earlier chunks
 * have left.
 */
#include "blastn/blastn_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/atomic_min.h"
#include "blastn/blastn_gpu.h"
#include "blastn/blastn_groups.h"
#include "blastn/blastn_link.h"
#include "blastn/blastn_scratch.h"
#include "blastn/blastn_sides.h"
#include "hits/chunk_merge.h"
#include "search/best_first.h"
#include "search/subject_residues.h"
#include "seqdb/nucleotide_unpack.h"

enum {
    AT_ONCE = 64,             /* ungapped HSPs that a thread takes, or more to the end of a query */
    GREAT_PART = 16,          /* a strand that has so great a part of a chunk's ungapped HSPs is shared among threads */
    MOST_KEPT_HSPS = 1 << 14, /* ungapped HSPs whose memory a thread keeps for its next chunk */
};

/* The chunk of a subject that is being searched, and what for. */
struct chunk {
    struct search_state *s;
    const struct blastn_setup *setup;
    const struct blastn_lookup *lookup;
    struct search_scratch *w;
    struct blastn_scratch *own;
    struct packed_bases bases;
    uint64_t subject;
    int start;                  /* position in the subject */
    int first;                  /* the first of the positions that are searched; others before it, of the same byte, are extended over */
    struct blastn_parts *parts; /* take the chunk's HSPs; NULL: they are merged with those of earlier chunks of the subject */
};

/* --- gapped extension --- */

static int compare_ungapped(const void *pa, const void *pb)
{
    const struct base_hsp *a = pa, *b = pb;

    if (a->strand != b->strand)
        return a->strand < b->strand ? -1 : 1;
    return ungapped_bases_compare(&a->hsp, &b->hsp);
}

static tms_status unpack_chunk(struct chunk *c)
{
    struct blastn_scratch *own = c->own;

    if (!array_reserve(&own->chunk, &own->chunk_capacity, (size_t)c->bases.n + 2, 1))
        return TMS_E_MEMORY;
    own->chunk[0] = own->chunk[c->bases.n + 1] = 0;
    nucleotide_unpack(&nucleotide_blastna, c->bases.bytes, 0, (uint64_t)c->bases.n, own->chunk + 1);
    return TMS_OK;
}

/* The ungapped HSPs of a strand, which are being extended; and the chunk. */
struct strand_hsps {
    struct chunk *c;
    const struct ungapped_strand *strand;
    int context, cutoff;
    const struct base_hsp *ungapped;
};

static tms_status extend_greedily(const struct strand_hsps *of, const struct ungapped_bases *u, struct blastn_scratch *own, struct hsp *h)
{
    const struct chunk *c = of->c;
    const struct ungapped_strand *strand = of->strand;
    const struct greedy_pair pair = {.queries = &c->lookup->bases.strands.queries,
                                     .first = strand->first,
                                     .packed_subject = &c->bases,
                                     .query_length = strand->end - strand->first,
                                     .subject_length = c->bases.n};
    struct greedy_box box;
    tms_status status = TMS_E_MEMORY;

    if (own != NULL)
        status = greedy_score(&own->greedy, &c->setup->greedy, &pair, u->query - strand->first + u->length / 2, u->subject + u->length / 2,
                              &box);
    if (status != TMS_OK)
        return status;
    h->query = box.query;
    h->query_end = box.query_end;
    h->subject = box.subject;
    h->subject_end = box.subject_end;
    h->score = box.score;
    h->start_query = box.start_query;
    h->start_subject = box.start_subject;
    return TMS_OK;
}

static tms_status extend_by_dp(const struct strand_hsps *of, const struct ungapped_bases *u, struct gapped_workspace *ws, struct hsp *h)
{
    const struct chunk *c = of->c;
    const struct search_setup *search = &c->setup->search;
    const int first = of->strand->first;
    const struct gapped_costs costs = blastn_gapped_costs(c->setup, blastn_x_drop(c->setup, u));
    const struct base_pair pair = {search->scores, c->lookup->bases.strands.queries.codes + first, c->own->chunk + 1,
                                   of->strand->end - first, c->bases.n};
    struct base_box box;
    tms_status status;

    h->start_query = u->word_query - first;
    h->start_subject = u->word_subject;
    status = base_gapped_score(ws, &costs, &pair, u->subject + u->length, &h->start_query, &h->start_subject, &box);
    blastn_set_box(&box, h);
    return status;
}

/* The HSP of an ungapped extension, with positions in its strand. */
static struct hsp ungapped_hsp(const void *arg, size_t i)
{
    const struct strand_hsps *of = arg;
    const struct ungapped_bases *u = &of->ungapped[i].hsp;
    const int query = u->query - of->strand->first;

    return (struct hsp){.query = query,
                        .query_end = query + u->length,
                        .subject = u->subject,
                        .subject_end = u->subject + u->length,
                        .score = u->score,
                        .context = of->context};
}

static tms_status extend(void *arg, size_t i, int thread, struct hsp *h, enum best_first_outcome *outcome)
{
    const struct strand_hsps *of = arg;
    const struct ungapped_bases *u = &of->ungapped[i].hsp;
    struct search_scratch *w = &of->c->s->scratch[thread];
    tms_status status = TMS_OK;

    if (of->c->setup->is_greedy)
        status = extend_greedily(of, u, blastn_scratch_of(w), h);
    else if (!blastn_take_sides(of->c->own, of->c->lookup, of->c->bases.n, &of->ungapped[i], h))
        status = extend_by_dp(of, u, &w->gapped, h);
    *outcome = status == TMS_OK && h->score >= of->cutoff ? BEST_FIRST_ACCEPTED : BEST_FIRST_REJECTED;
    return status;
}

/*
 * Extends the n ungapped HSPs of a strand, and adds preliminary HSPs to w->hsps. Threads help with a great part of the chunk's, unless a
 * GPU has extended them.
 */
static tms_status extend_strand(struct chunk *c, size_t number, const struct base_hsp *ungapped, size_t n)
{
    static const struct best_first_steps steps = {ungapped_hsp, NULL, extend};
    struct shared_tasks *tasks = n > c->own->found.n / GREAT_PART && !c->own->is_extended ? &c->s->shared : NULL;
    const struct blastn_strand *strand = &c->lookup->strands[number];
    struct strand_hsps of = {c, &c->lookup->bases.strands.items[number], strand->context,
                             search_query_strand(strand->query, strand->context)->cutoff, ungapped};
    struct search_scratch *w = c->w;
    const int thread = (int)(w - c->s->scratch);
    tms_status status = TMS_OK;

    for (size_t i = 0; i < n && c->setup->search.ungapped && status == TMS_OK; i++) {
        const struct hsp h = ungapped_hsp(&of, i);
        status = hsp_list_add(&w->hsps, &h);
    }
    if (c->setup->search.ungapped)
        return status;
    hsp_set_clear(&w->accepted);
    w->accepted.separation = c->setup->separation;
    return best_first(tasks, thread, &steps, &of, n, (struct best_first_results){&w->accepted, &w->hsps, &w->counts.n_gapped});
}

/* Merges a query's HSPs in the chunk that begins at `start` with those in earlier chunks of the subject. */
static tms_status merge(struct chunk *c, uint32_t placed, int start, struct hsp_list *hsps)
{
    struct blastn_scratch *own = c->own;

    if (own->lists[placed].n == 0)
        own->touched[own->n_touched++] = placed;
    return subject_chunk_merge(&own->lists[placed], start, hsps, c->setup->search.ungapped);
}

/* The ungapped HSPs of the chunk, of which threads take those of some queries at a time. */
struct chunk_hsps {
    struct chunk *c;
    pthread_mutex_t lock; /* guards what follows, and what the chunk leaves */
    size_t n_taken;
    tms_status status;
};

static uint32_t placed_of(const struct chunk *c, size_t i) { return c->lookup->strands[c->own->found.hsps[i].strand].placed; }

/* Takes the HSPs of one query or more. Returns false if none is left, or after a failure. The lock is held. */
static bool take_some(struct chunk_hsps *all, size_t *first, size_t *end)
{
    const size_t n = all->c->own->found.n, wish = all->n_taken + AT_ONCE;

    *first = *end = all->n_taken;
    while (*end < n && (*end < wish || placed_of(all->c, *end) == placed_of(all->c, *end - 1)))
        ++*end;
    all->n_taken = *end;
    return *first < *end && all->status == TMS_OK;
}

/* Extends the HSPs first .. end - 1, which are a query's, and merges what is left with the lists of earlier chunks. */
static tms_status extend_query(struct chunk_hsps *all, struct chunk *c, size_t first, size_t end)
{
    const struct base_hsp *ungapped = c->own->found.hsps;
    const uint32_t placed = placed_of(c, first);
    struct hsp_list *hsps = &c->w->hsps;
    tms_status status = TMS_OK;

    hsp_list_clear(hsps);
    for (size_t to; first < end && status == TMS_OK; first = to) {
        for (to = first + 1; to < end && ungapped[to].strand == ungapped[first].strand; to++)
            continue;
        status = extend_strand(c, ungapped[first].strand, ungapped + first, to - first);
    }
    if (status != TMS_OK || hsps->n == 0)
        return status;
    if (!c->setup->search.ungapped)
        hsp_purge(hsps);
    pthread_mutex_lock(&all->lock);
    status = c->parts != NULL ? blastn_parts_take(c->parts, placed, hsps) : merge(c, placed, c->start, hsps);
    pthread_mutex_unlock(&all->lock);
    return status;
}

static void extend_some(void *arg, int thread)
{
    struct chunk_hsps *all = arg;
    struct chunk c = *all->c;
    tms_status status = TMS_OK;
    size_t first, end;

    c.w = &c.s->scratch[thread];
    pthread_mutex_lock(&all->lock);
    while (take_some(all, &first, &end)) {
        pthread_mutex_unlock(&all->lock);
        for (size_t to; first < end && status == TMS_OK; first = to) {
            for (to = first + 1; to < end && placed_of(&c, to) == placed_of(&c, first); to++)
                continue;
            status = extend_query(all, &c, first, to);
        }
        pthread_mutex_lock(&all->lock);
        if (all->status == TMS_OK)
            all->status = status;
    }
    pthread_mutex_unlock(&all->lock);
}

/* Extends the ungapped HSPs of the chunk, with the help of other threads. */
static tms_status extend_chunk(struct chunk *c)
{
    struct chunk_hsps all = {.c = c, .status = TMS_OK};
    struct shared_task task = {.work = extend_some, .arg = &all};
    const int thread = (int)(c->w - c->s->scratch);
    tms_status status = TMS_OK;

    qsort(c->own->found.hsps, c->own->found.n, sizeof *c->own->found.hsps, compare_ungapped);
    if (!c->setup->is_greedy && !c->setup->search.ungapped)
        status = unpack_chunk(c);
    c->own->is_extended = false;
    if (status == TMS_OK && c->setup->gpu != NULL && !c->setup->is_greedy && !c->setup->search.ungapped)
        status = blastn_make_sides(c->setup, c->lookup, &c->bases, c->own);
    if (status != TMS_OK)
        return status;
    pthread_mutex_init(&all.lock, NULL);
    if (c->own->found.n > AT_ONCE)
        shared_tasks_do(&c->s->shared, &task, thread);
    else
        extend_some(&all, thread);
    pthread_mutex_destroy(&all.lock);
    return all.status;
}

/* --- subjects --- */

/* In a search without gaps: scores HSPs again on the real bases of the subject, and keeps their best parts. */
static tms_status rescore_ungapped(struct chunk *c, uint64_t number, int n, const struct search_query *query, struct hsp_list *list)
{
    const double least = c->setup->min_identity;
    size_t n_kept = 0;

    for (size_t i = 0; i < list->n; i++) {
        struct hsp h = list->items[i];
        const struct search_query *strand = search_query_strand(query, h.context);
        struct ungapped_stretch stretch = {h.query, h.subject, h.query_end - h.query, h.score};
        const uint8_t *subject = blastn_subject_codes(c->s, c->own, number, n, h.subject, h.subject_end);
        if (subject == NULL)
            return (tms_status)atomic_load(&c->s->status);
        if (!ungapped_bases_rescore(c->setup->search.scores, strand->codes, subject, strand->cutoff_ungapped, &stretch))
            continue;
        h.query = stretch.query;
        h.query_end = stretch.query + stretch.length;
        h.subject = stretch.subject;
        h.subject_end = stretch.subject + stretch.length;
        h.score = stretch.score;
        if (least <= 0 ||
            blastn_identities(query, h.context, h.query, subject + h.subject, stretch.length) * 100.0 >= stretch.length * least)
            list->items[n_kept++] = h;
    }
    list->n = n_kept;
    hsp_sort(list);
    return blastn_rate(&c->setup->search, query, n, false, list);
}

/* Adds the HSPs of a subject to the hits of a query. */
static tms_status keep_query(struct chunk *c, uint64_t number, int n, const struct search_query *query, struct hsp_list *list,
                             struct hit_list *hits)
{
    struct subject_hits found = {.oid = number};
    tms_status status = TMS_OK;

    if (c->setup->search.limits.subject_besthit)
        hsp_keep_besthits(list, query->length);
    status = blastn_rate(&c->setup->search, query, n, false, list);
    if (status == TMS_OK && c->setup->search.ungapped && list->n > 0)
        status = rescore_ungapped(c, number, n, query, list);
    if (status != TMS_OK || list->n == 0)
        return status;
    c->w->counts.n_preliminary += list->n;
    if (hsp_list_copy(list, &found.hsps) != TMS_OK)
        return TMS_E_MEMORY;
    list->n = 0;
    subject_hits_rate(&found);
    return hit_list_add(hits, &found);
}

static tms_status keep_subject(struct chunk *c, const struct query_group *group, uint64_t number, int n, struct hit_list *hits)
{
    struct blastn_scratch *own = c->own;
    tms_status status = TMS_OK;

    for (size_t i = 0; i < own->n_touched; i++) {
        const uint32_t placed = own->touched[i];
        if (status == TMS_OK)
            status = keep_query(c, number, n, &c->s->queries[group->placed[placed].query], &own->lists[placed], &hits[placed]);
        hsp_list_free(&own->lists[placed]); /* many threads have lists for many queries */
    }
    own->n_touched = 0;
    return status;
}

/* The packed bases of a subject, whose masks are read, too. NULL: it is damaged or too long, which is recorded. */
static const uint8_t *read_subject(struct search_state *s, uint64_t number, struct search_scratch *w, int *n)
{
    uint64_t n_bases;
    const uint8_t *packed = tms_seqdb_packed(s->subjects->db, number, &n_bases);

    *n = (int)n_bases;
    if (n_bases > INT32_MAX - CHUNK_BASES) {
        atomic_min(&s->damaged, number);
        search_record(s, TMS_E_FORMAT);
        return NULL;
    }
    return s->subjects->masks == NULL || subject_read_masks(s, number, *n, w) ? packed : NULL;
}

/* Finds the unmasked ranges of a chunk, from w->ranges, which are those of the subject. Returns how many. */
static size_t cut_ranges(const struct search_scratch *w, struct residue_range chunk, struct residue_range *out)
{
    size_t n = 0;

    for (size_t i = 0; i <= w->n_masked; i++) {
        const int first = w->ranges[i].first > chunk.first ? w->ranges[i].first : chunk.first;
        const int end = w->ranges[i].end < chunk.end ? w->ranges[i].end : chunk.end;
        if (first < end)
            out[n++] = (struct residue_range){first - chunk.first, end - chunk.first};
    }
    return n;
}

/* Scans the chunk for words. */
static tms_status scan_chunk(struct chunk *c, struct base_diagonals *diagonals)
{
    const struct residue_range range = {c->start, c->start + c->bases.n};
    struct search_scratch *w = c->w;
    struct blastn_scratch *own = c->own;
    const struct base_hit *hits;
    size_t n = 0;

    own->found.n = 0;
    if (c->lookup->sieved != NULL && blastn_gpu_hits(c->setup->gpu, c->lookup, c->subject, c->start, &hits, &n))
        return base_scan_hits(&c->lookup->bases, &c->bases, hits, n, diagonals, &own->found);
    if (c->s->subjects->masks == NULL || w->n_masked == 0)
        return base_scan(&c->lookup->bases, &c->bases, NULL, 0, diagonals, &own->found);
    if (!array_reserve(&own->ranges, &own->ranges_capacity, w->n_masked + 1, sizeof *own->ranges))
        return TMS_E_MEMORY;
    if (c->s->subjects->hides_masked)
        own->ranges[n++] = (struct residue_range){c->first - c->start, c->bases.n};
    else
        n = cut_ranges(w, range, own->ranges);
    return base_scan(&c->lookup->bases, &c->bases, own->ranges, n, diagonals, &own->found);
}

/* Frees the memory of a chunk that had many ungapped HSPs, because each thread has such a chunk at some time. */
static void end_chunk(struct base_found *found)
{
    if (found->capacity <= MOST_KEPT_HSPS)
        return;
    free(found->hsps);
    found->hsps = NULL;
    found->n = found->capacity = 0;
}

/* Searches the chunk that begins at a position of the subject, where a byte begins; `n`: where the subject, or its searched range, ends. */
static tms_status search_chunk(struct chunk *c, const uint8_t *packed, int n, int start, struct base_diagonals *diagonals)
{
    double begun;
    tms_status status;

    c->start = start;
    c->bases = (struct packed_bases){packed + start / 4, n - start > CHUNK_BASES ? CHUNK_BASES : n - start};
    status = scan_chunk(c, diagonals);
    if (status != TMS_OK || c->own->found.n == 0)
        return status;
    c->w->counts.n_ungapped += c->own->found.n;
    begun = clock_seconds();
    status = extend_chunk(c);
    c->w->counts.seconds_gapped += clock_seconds() - begun;
    end_chunk(&c->own->found);
    return status;
}

/* Searches a range of the subject, from the first base of its byte on. */
static tms_status search_one_range(struct chunk *c, const uint8_t *packed, struct residue_range range, struct base_diagonals *diagonals)
{
    tms_status status = TMS_OK;

    for (int start = range.first - range.first % 4, end = start; end < range.end && status == TMS_OK; start += CHUNK_STEP) {
        c->first = start > range.first ? start : range.first;
        status = search_chunk(c, packed, range.end, start, diagonals);
        end = start + c->bases.n;
    }
    return status;
}

/* Searches a subject of n bases: the unmasked ranges one after the other, if what is masked is hidden. */
static tms_status search_ranges(struct chunk *c, const uint8_t *packed, int n, struct base_diagonals *diagonals)
{
    const struct search_subjects *subjects = c->s->subjects;
    tms_status status = TMS_OK;

    if (subjects->masks == NULL || !subjects->hides_masked)
        return search_one_range(c, packed, (struct residue_range){0, n}, diagonals);
    for (size_t i = 0; i <= c->w->n_masked && status == TMS_OK; i++)
        if (c->w->ranges[i].first < c->w->ranges[i].end)
            status = search_one_range(c, packed, c->w->ranges[i], diagonals);
    return status;
}

/* Searches the subjects of the range, except those whose chunks are shared. */
static tms_status search_subjects(struct chunk *c, const struct query_group *group, tms_seqdb_range range, bool shares,
                                  struct base_diagonals *diagonals, struct hit_list *hits)
{
    tms_status status = TMS_OK;

    for (uint64_t i = range.first; i < range.end && status == TMS_OK; i++) {
        int n;
        const uint8_t *packed = read_subject(c->s, i, c->w, &n);
        if (packed == NULL)
            break;
        if (shares && n > CHUNK_BASES)
            continue;
        c->w->counts.n_subjects++;
        c->w->counts.subject_residues += (uint64_t)n;
        c->subject = i;
        status = search_ranges(c, packed, n, diagonals);
        if (status == TMS_OK)
            status = keep_subject(c, group, i, n, hits);
    }
    return status;
}

/* Joins the HSPs of all chunks of a long subject. */
static tms_status join_chunks(struct chunk *c, const struct query_group *group, struct blastn_long *l, struct hit_list *hits)
{
    tms_status status = TMS_OK;

    for (size_t j = 0; j < l->n_chunks && status == TMS_OK; j++)
        for (size_t k = 0; k < l->chunks[j].n && status == TMS_OK; k++)
            status = merge(c, l->chunks[j].items[k].placed, (int)j * CHUNK_STEP, &l->chunks[j].items[k].hsps);
    c->w->counts.n_subjects++;
    return status == TMS_OK ? keep_subject(c, group, l->number, l->n, hits) : status;
}

/* Searches some of the chunks of all long subjects: first .. end - 1. */
static tms_status search_chunks(struct chunk *c, const struct query_group *group, size_t first, size_t end,
                                struct base_diagonals *diagonals, struct hit_list *hits)
{
    struct blastn_longs *longs = c->lookup->longs;
    tms_status status = TMS_OK;
    size_t i = 0;

    for (size_t at = first; at < end && status == TMS_OK; at++) {
        const uint8_t *packed;
        struct blastn_long *l;
        int n;
        while (at >= longs->items[i].first + longs->items[i].n_chunks)
            i++;
        l = &longs->items[i];
        packed = read_subject(c->s, l->number, c->w, &n);
        if (packed == NULL)
            break;
        c->parts = &l->chunks[at - l->first];
        c->subject = l->number;
        status = search_chunk(c, packed, n, (int)(at - l->first) * CHUNK_STEP, diagonals);
        c->parts = NULL;
        c->w->counts.subject_residues += (uint64_t)c->bases.n;
        if (status == TMS_OK && atomic_fetch_sub(&l->n_left, 1) == 1)
            status = join_chunks(c, group, l, hits);
    }
    return status;
}

/* Makes an empty list for each query of the group. */
static tms_status begin_lists(struct blastn_scratch *own, size_t n)
{
    const size_t before = own->lists_capacity;

    if (!array_reserve_few(&own->lists, &own->lists_capacity, n + 1, sizeof *own->lists, n + 1))
        return TMS_E_MEMORY;
    memset(own->lists + before, 0, (own->lists_capacity - before) * sizeof *own->lists);
    return array_reserve_few(&own->touched, &own->touched_capacity, n + 1, sizeof *own->touched, n + 1) ? TMS_OK : TMS_E_MEMORY;
}

/* Passes on the counts of scans, which are sums over all ranges of the thread. */
static void count_words(const struct base_found *found, struct search_scratch *w)
{
    w->counts.n_looked_up = found->n_looked_up;
    w->counts.n_present = found->n_present;
    w->counts.seconds_sieved = found->seconds_sieved;
    w->counts.taking = found->taking;
    w->counts.extending = found->extending;
    w->found.n_hits = found->n_hits;
    w->found.n_extensions = found->n_extensions;
}

tms_status blastn_scan_range(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *w,
                             struct hit_list *hits)
{
    const struct blastn_setup *setup = blastn_setup_of(s->setup);
    struct chunk c = {.s = s, .setup = setup, .lookup = blastn_lookup_of(group), .w = w, .own = blastn_scratch_of(w)};
    const struct base_lookup *bases = &c.lookup->bases;
    const size_t n_chunks = c.lookup->longs->n_chunks;
    struct base_diagonals diagonals = {0};
    tms_status status = c.own != NULL ? begin_lists(c.own, group->n_placed) : TMS_E_MEMORY;

    if (status == TMS_OK)
        status = base_diagonals_init(bases->strands.queries.n, bases->window, bases->off_diagonal, bases->words[0].word_size, &diagonals);
    if (status == TMS_OK)
        status = search_subjects(&c, group, search_range(s, number), n_chunks > 0, &diagonals, hits);
    if (status == TMS_OK && n_chunks > 0)
        status = search_chunks(&c, group, (size_t)(n_chunks * number / s->n_ranges), (size_t)(n_chunks * (number + 1) / s->n_ranges),
                               &diagonals, hits);
    if (c.own != NULL)
        count_words(&c.own->found, w);
    base_diagonals_free(&diagonals);
    return status;
}
