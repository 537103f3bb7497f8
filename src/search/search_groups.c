/* search_groups.c - packs of queries, and their tables of words. */
#include "search/search_groups.h"

#include <stdlib.h>
#include <string.h>

#include "lookup/concatenated_queries.h"
#include "lookup/two_hit_gpu.h"

enum {
    RESIDUES_A_PACK = 12000,   /* of queries: 24 KB of diagonals, and most of the words near theirs, lie in a processor's own caches */
    RESIDUES_A_GPU_PACK = 8000 /* likewise, in a multiprocessor's shared memory, for several parts of the database */
};

void query_group_free(struct query_group *pack)
{
    free(pack->items);
    free(pack->numbers);
    word_lookup_free(&pack->words);
    concatenated_queries_free(&pack->strip);
    two_hit_gpu_tables_destroy(pack->tables);
    ordered_section_destroy(&pack->ordered_section);
}

static bool is_on_gpu(const struct search_state *s) { return s->subjects->gpu != NULL || s->subjects->awaits_gpu; }

/* The queries from `first` on, as many as a pack takes. */
static void cut_pack(const struct search_state *s, size_t first, struct query_group *out)
{
    int residues = 0, most = is_on_gpu(s) ? RESIDUES_A_GPU_PACK : RESIDUES_A_PACK;

    if (is_on_gpu(s) && s->setup->params.is_cublastp)
        most = 0; /* a query a pack */
    memset(out, 0, sizeof *out);
    ordered_section_init(&out->ordered_section);
    out->first = first;
    while (first + out->n < s->n_queries && (out->n == 0 || residues + s->queries[first + out->n].length <= most))
        residues += s->queries[first + out->n++].length;
}

/* The queries of a pack that are valid, one after the other; between two of them there is a place that is none's. */
static tms_status place_queries(const struct search_state *s, struct query_group *pack)
{
    size_t n = 0;

    pack->items = calloc(pack->n, sizeof *pack->items);
    pack->numbers = calloc(pack->n, sizeof *pack->numbers);
    if (pack->items == NULL || pack->numbers == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < pack->n; i++) {
        const struct search_query *q = &s->queries[pack->first + i];
        if (!q->is_valid)
            continue;
        pack->items[n] = (struct two_hit_query){q->codes, q->length, q->x_ungapped, q->cutoff_ungapped, pack->n_positions};
        pack->numbers[n++] = pack->first + i;
        pack->n_positions += q->length + 1;
    }
    pack->queries = (struct two_hit_queries){&pack->words, pack->items, n, s->setup->scores, NULL, s->simd, s->setup->params.window};
    return TMS_OK;
}

/* What words are taken from; freed by the caller. NULL: no memory. */
static struct word_lookup_query *words_from(const struct search_state *s, const struct query_group *pack)
{
    struct word_lookup_query *queries = calloc(pack->queries.n + 1, sizeof *queries);

    for (size_t i = 0; i < pack->queries.n && queries != NULL; i++) {
        const struct search_query *q = &s->queries[pack->numbers[i]];
        queries[i] = (struct word_lookup_query){q->codes, q->ranges, q->n_ranges, pack->items[i].first_position};
    }
    return queries;
}

static tms_status build_words(const struct word_lookup_rules *rules, const struct word_lookup_query *queries,
                              const double frequencies[RESIDUE_CODES], struct query_group *pack)
{
    tms_status status = word_lookup_build(rules, queries, pack->queries.n, pack->n_positions, &pack->words);

    if (status != TMS_OK)
        return status;
    pack->n_words = pack->words.n_positions;
    pack->expected_hits = word_lookup_expected(&pack->words, frequencies);
    return concatenated_queries_init(&pack->queries, pack->n_positions, &pack->strip);
}

/* Tables of the pack's words: long ones are looked for on a GPU, if the pack is for one. */
static tms_status build_tables(const struct search_state *s, bool is_on_gpu, struct query_group *pack)
{
    const struct word_lookup_rules rules = blastp_word_rules(s->setup);
    struct word_lookup_query *queries = words_from(s, pack);
    double frequencies[RESIDUE_CODES];
    const struct two_hit_gpu_words words = {&rules, queries, frequencies};
    const bool is_made_there = is_on_gpu && long_words_are(rules.word_size);
    tms_status status = queries != NULL ? TMS_OK : TMS_E_MEMORY;

    score_background(frequencies);
    if (status == TMS_OK && !is_made_there)
        status = build_words(&rules, queries, frequencies, pack);
    if (status == TMS_OK && is_on_gpu)
        status = two_hit_gpu_tables_create(&pack->queries, &words, pack->n_positions, &pack->tables);
    free(queries);
    return status;
}

static tms_status build_pack(const struct search_state *s, struct query_group *pack)
{
    tms_status status = place_queries(s, pack);

    return status == TMS_OK ? build_tables(s, is_on_gpu(s), pack) : status;
}

void search_build_groups(void *arg, size_t task, int thread)
{
    struct search_state *s = arg;

    (void)thread;
    search_record(s, build_pack(s, &s->packs[task]));
}

void search_build_cpu_groups(void *arg, size_t task, int thread)
{
    struct search_state *s = arg;

    (void)thread;
    if (s->cpu_packs[task]->words.n_words == 0)
        search_record(s, build_tables(s, false, s->cpu_packs[task]));
}

tms_status search_cut_groups(struct search_state *s, tms_simd simd)
{
    s->simd = simd;
    s->packs = calloc(s->n_queries + 1, sizeof *s->packs);
    if (s->packs == NULL)
        return TMS_E_MEMORY;
    for (size_t first = 0; first < s->n_queries; first += s->packs[s->n_packs++].n)
        cut_pack(s, first, &s->packs[s->n_packs]);
    return TMS_OK;
}
