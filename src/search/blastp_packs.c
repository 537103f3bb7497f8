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

/* The table of a pack's words. Between two queries there is a place that is none's. */
static tms_status build_pack(const struct blastp_work *s, struct blastp_pack *pack)
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
    if (status == TMS_OK)
        status = two_hit_strip_init(&pack->queries, pack->n_places, &pack->strip);
    if (status == TMS_OK && is_on_gpu(s))
        status = two_hit_gpu_tables_create(&pack->queries, pack->n_places, &pack->tables);
    return status;
}

void blastp_build_packs(void *arg, size_t task, int thread)
{
    struct blastp_work *s = arg;

    (void)thread;
    blastp_note(s, build_pack(s, &s->packs[task]));
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
