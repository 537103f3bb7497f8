/* blastp_packs.c - packs of queries, and their tables of words. */
#include "search/blastp_packs.h"

#include <stdlib.h>
#include <string.h>

#include "seed/two_hit_gpu.h"
#include "seed/two_hit_strip.h"

enum {
    LETTERS_A_PACK = 12000,   /* of queries: 24 KB of diagonals, and most of the words near theirs, lie in a processor's own caches */
    LETTERS_A_GPU_PACK = 8000 /* likewise, in a multiprocessor's shared memory, for several parts of the database */
};

void blastp_pack_free(struct blastp_pack *pack)
{
    free(pack->items);
    free(pack->numbers);
    neighbours_free(&pack->words);
    two_hit_strip_free(&pack->strip);
    two_hit_gpu_tables_destroy(pack->tables);
    turns_destroy(&pack->turns);
}

static bool is_on_gpu(const struct blastp_work *s) { return s->subjects->gpu != NULL || s->subjects->awaits_gpu; }

/* The queries from `first` on, as many as a pack takes. */
static void cut_pack(const struct blastp_work *s, size_t first, struct blastp_pack *out)
{
    int letters = 0, most = is_on_gpu(s) ? LETTERS_A_GPU_PACK : LETTERS_A_PACK;

    if (is_on_gpu(s) && s->setup->params.is_cublastp)
        most = 0; /* a query a pack */
    memset(out, 0, sizeof *out);
    turns_init(&out->turns);
    out->first = first;
    while (first + out->n < s->n_queries && (out->n == 0 || letters + s->queries[first + out->n].length <= most))
        letters += s->queries[first + out->n++].length;
}

/* The queries of a pack that are valid, one after the other; between two of them there is a place that is none's. */
static tms_status place_queries(const struct blastp_work *s, struct blastp_pack *pack)
{
    size_t n = 0;

    pack->items = calloc(pack->n, sizeof *pack->items);
    pack->numbers = calloc(pack->n, sizeof *pack->numbers);
    if (pack->items == NULL || pack->numbers == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < pack->n; i++) {
        const struct blastp_query *q = &s->queries[pack->first + i];
        if (!q->is_valid)
            continue;
        pack->items[n] = (struct two_hit_query){q->codes, q->length, q->x_ungapped, q->cutoff_ungapped, pack->n_places};
        pack->numbers[n++] = pack->first + i;
        pack->n_places += q->length + 1;
    }
    pack->queries = (struct two_hit_queries){&pack->words, pack->items, n, s->setup->scores, NULL, s->simd, s->setup->params.window};
    return TMS_OK;
}

/* What words are taken from; freed by the caller. NULL: no memory. */
static struct neighbours_query *words_from(const struct blastp_work *s, const struct blastp_pack *pack)
{
    struct neighbours_query *queries = calloc(pack->queries.n + 1, sizeof *queries);

    for (size_t i = 0; i < pack->queries.n && queries != NULL; i++) {
        const struct blastp_query *q = &s->queries[pack->numbers[i]];
        queries[i] = (struct neighbours_query){q->codes, q->ranges, q->n_ranges, pack->items[i].first_place};
    }
    return queries;
}

static tms_status build_words(const struct neighbours_rules *rules, const struct neighbours_query *queries,
                              const double frequencies[SCORE_CODES], struct blastp_pack *pack)
{
    tms_status status = neighbours_build(rules, queries, pack->queries.n, pack->n_places, &pack->words);

    if (status != TMS_OK)
        return status;
    pack->n_words = pack->words.n_places;
    pack->expected_hits = neighbours_expected(&pack->words, frequencies);
    return two_hit_strip_init(&pack->queries, pack->n_places, &pack->strip);
}

/* Tables of the pack's words: long ones are looked for on a GPU, if the pack is for one. */
static tms_status build_tables(const struct blastp_work *s, bool is_on_gpu, struct blastp_pack *pack)
{
    const struct neighbours_rules rules = blastp_word_rules(s->setup);
    struct neighbours_query *queries = words_from(s, pack);
    double frequencies[SCORE_CODES];
    const struct two_hit_gpu_words words = {&rules, queries, frequencies};
    const bool is_made_there = is_on_gpu && long_words_are(rules.word_size);
    tms_status status = queries != NULL ? TMS_OK : TMS_E_MEMORY;

    score_background(frequencies);
    if (status == TMS_OK && !is_made_there)
        status = build_words(&rules, queries, frequencies, pack);
    if (status == TMS_OK && is_on_gpu)
        status = two_hit_gpu_tables_create(&pack->queries, &words, pack->n_places, &pack->tables);
    free(queries);
    return status;
}

static tms_status build_pack(const struct blastp_work *s, struct blastp_pack *pack)
{
    tms_status status = place_queries(s, pack);

    return status == TMS_OK ? build_tables(s, is_on_gpu(s), pack) : status;
}

void blastp_build_packs(void *arg, size_t task, int thread)
{
    struct blastp_work *s = arg;

    (void)thread;
    blastp_note(s, build_pack(s, &s->packs[task]));
}

void blastp_build_cpu_words(void *arg, size_t task, int thread)
{
    struct blastp_work *s = arg;

    (void)thread;
    if (s->cpu_packs[task]->words.n_words == 0)
        blastp_note(s, build_tables(s, false, s->cpu_packs[task]));
}

tms_status blastp_cut_packs(struct blastp_work *s, tms_simd simd)
{
    s->simd = simd;
    s->packs = calloc(s->n_queries + 1, sizeof *s->packs);
    if (s->packs == NULL)
        return TMS_E_MEMORY;
    for (size_t first = 0; first < s->n_queries; first += s->packs[s->n_packs++].n)
        cut_pack(s, first, &s->packs[s->n_packs]);
    return TMS_OK;
}
