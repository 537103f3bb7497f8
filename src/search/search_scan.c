/* search_scan.c - a task of the first round walks over the subjects of a piece with the words of a pack. */
#include "search/search_scan.h"

#include <stdlib.h>
#include <string.h>

#include "lookup/two_hit.h"
#include "search/subject_residues.h"

#define ALL_HITS (SIZE_MAX / 2) /* of a list: no limit */

/* The ungapped HSPs of a subject, query by query. parts: as gapped_stage() has them. hits: of each query of the pack. */
static tms_status extend_subject(struct search_state *s, const struct query_group *pack, uint64_t i, const uint8_t *subject, int n,
                                 const struct residue_range *parts, struct search_scratch *w, struct hit_list *hits)
{
    double begun = clock_seconds();
    tms_status status = TMS_OK;

    gapped_stage_sort(w->found.hsps, w->found.n);
    for (size_t first = 0, end; first < w->found.n && status == TMS_OK; first = end) {
        uint32_t query = w->found.hsps[first].query;
        for (end = first + 1; end < w->found.n && w->found.hsps[end].query == query; end++)
            continue;
        status = gapped_stage(s->setup, &s->queries[pack->numbers[query]], w->found.hsps + first, end - first, i, subject, n, parts, w,
                              &hits[query]);
    }
    w->counts.seconds_gapped += clock_seconds() - begun;
    return status;
}

/*
 * Whether the only stretch of a subject that is not masked is its begin. blastp then takes words from all of the subject, though it extends
 * hits in that stretch alone.
 */
static bool ends_masked(const struct search_scratch *w, int n) { return w->n_masked > 0 && w->masked[0].end == (uint64_t)n; }

/* Each stretch that is not masked as if it were all. */
static tms_status scan_parts(const struct query_group *pack, const uint8_t *subject, int n, struct two_hit_diagonals *diagonals,
                             struct search_scratch *w)
{
    const struct residue_range whole = {0, n};
    tms_status status = TMS_OK;

    if (ends_masked(w, n)) {
        const struct two_hit_subject first = {subject, w->ranges[0].end, &whole, 1, n - w->ranges[0].end};
        return two_hit_scan(&pack->queries, &first, diagonals, &w->found);
    }
    for (size_t k = 0; k <= w->n_masked && status == TMS_OK; k++) {
        const struct residue_range range = w->ranges[k];
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
static bool begin_with_a_word(struct residue_range *first, int n, int word_size)
{
    if (first->end >= word_size)
        return true;
    first->end = word_size < n ? word_size : n;
    return false;
}

/* A subject with masks: words come from what is not masked; or each stretch of that is searched as if it were all. */
static tms_status search_masked(struct search_state *s, const struct query_group *pack, uint64_t i, const uint8_t *subject, int n,
                                struct two_hit_diagonals *diagonals, struct search_scratch *w, struct hit_list *hits)
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

static tms_status search_subject(struct search_state *s, const struct query_group *pack, uint64_t i, const uint8_t *subject, int n,
                                 struct two_hit_diagonals *diagonals, struct search_scratch *w, struct hit_list *hits)
{
    const struct two_hit_subject whole = {subject, n, NULL, 0, 0};
    tms_status status;

    if (s->subjects->masks != NULL && !subject_read_masks(s, i, n, w))
        return TMS_OK; /* it is noted why */
    if (s->subjects->masks != NULL && w->n_masked > 0)
        return search_masked(s, pack, i, subject, n, diagonals, w, hits);
    status = two_hit_scan(&pack->queries, &whole, diagonals, &w->found);
    return status == TMS_OK && w->found.n > 0 ? extend_subject(s, pack, i, subject, n, NULL, w, hits) : status;
}

/*
 * The first subject whose scan leaves positions that are met at subject `first` (two_hit.c): usually `first` itself. No further back than
 * the longest subject reaches.
 */
static uint64_t first_that_matters(struct search_state *s, uint64_t first, struct search_scratch *w)
{
    const uint64_t window = (uint64_t)s->setup->params.window;
    uint64_t behind = 0, at = first;
    tms_seqdb_info info;

    tms_seqdb_get_info(s->subjects->db, &info);
    while (at > 0 && behind < info.longest) {
        const uint64_t n = tms_seqdb_length(s->subjects->db, --at);
        if (n > SUBJECT_MAX_RESIDUES || !subject_read_masks(s, at, (int)n, w))
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

/* Scans the subjects before a piece that leave positions to it. */
static tms_status catch_up(struct search_state *s, const struct query_group *pack, uint64_t first, struct two_hit_diagonals *diagonals,
                           struct search_scratch *w)
{
    const struct two_hit_found before = w->found;
    tms_status status = TMS_OK;

    for (uint64_t i = first_that_matters(s, first, w); i < first && status == TMS_OK; i++) {
        int n;
        const uint8_t *subject = subject_residues(s, i, w, &n);
        if (subject == NULL || !subject_read_masks(s, i, n, w))
            return TMS_OK; /* it is noted why */
        status = scan_parts(pack, subject, n, diagonals, w);
    }
    w->found.n_hits = before.n_hits;
    w->found.n_extensions = before.n_extensions;
    return status;
}

static tms_status search_piece(struct search_state *s, const struct query_group *pack, tms_seqdb_range piece, struct search_scratch *w,
                               struct hit_list *hits)
{
    struct two_hit_diagonals diagonals = {0};
    tms_status status = two_hit_diagonals_init(pack->n_positions, s->setup->params.window, &diagonals);

    if (status == TMS_OK && s->subjects->masks != NULL && s->subjects->hides_masked && piece.first < piece.end)
        status = catch_up(s, pack, piece.first, &diagonals, w);
    for (uint64_t i = piece.first; i < piece.end && status == TMS_OK; i++) {
        int n;
        const uint8_t *subject = subject_residues(s, i, w, &n);
        w->found.n = 0;
        w->counts.n_subjects++;
        w->counts.subject_residues += (uint64_t)n;
        if (subject == NULL)
            break;
        status = search_subject(s, pack, i, subject, n, &diagonals, w, hits);
    }
    two_hit_diagonals_free(&diagonals);
    return status;
}

/* With a filter it is this piece's turn. */
tms_status search_add_hits(struct search_state *s, size_t query, struct hit_list *mine, tms_status status)
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

/* Tasks of a piece come one after the other: its residues stay in the cache. */
void search_scan_task(void *arg, size_t task, int thread)
{
    struct search_state *s = arg;
    struct search_scratch *w = &s->workers[thread];
    struct query_group *pack = s->cpu_packs[task % s->n_cpu_packs];
    struct hit_list *mine = calloc(pack->n, sizeof *mine);
    tms_status status = mine != NULL ? TMS_OK : TMS_E_MEMORY;
    size_t piece = task / s->n_cpu_packs;
    double begun = clock_seconds(), gapped_before = w->counts.seconds_gapped;

    for (size_t i = 0; i < pack->n && mine != NULL; i++)
        mine[i].max_hits = s->filters != NULL ? ALL_HITS : s->setup->n_preliminary;
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK && pack->queries.n > 0)
        status = search_piece(s, pack, tms_seqdb_cut(s->subjects->db, piece, s->n_pieces), w, mine);
    if (s->filters != NULL)
        ordered_section_wait(&pack->ordered_section, piece);
    for (size_t i = 0; i < pack->queries.n && mine != NULL; i++)
        status = search_add_hits(s, pack->numbers[i], &mine[i], status);
    if (s->filters != NULL)
        ordered_section_end(&pack->ordered_section, piece);
    free(mine);
    w->counts.seconds_scan += clock_seconds() - begun - (w->counts.seconds_gapped - gapped_before);
    search_record(s, status);
}
