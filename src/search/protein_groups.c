/* protein_groups.c - see protein_groups.h. */
#include "search/protein_groups.h"

#include <stdlib.h>

#include "lookup/concatenated_queries.h"
#include "lookup/query_stretches.h"
#include "lookup/two_hit_gpu.h"
#include "lookup/two_hit_passes.h"
#include "lookup/two_hit_stretches.h"
#include "score/composition.h"
#include "search/search_program.h"

enum { TABLE_POSITIONS = 16000 /* of one of several tables of a GPU */ };

void protein_group_free(struct query_group *group)
{
    struct protein_lookup *lookup = group->lookup;

    if (lookup == NULL)
        return;
    free(lookup->items);
    word_lookup_free(&lookup->words);
    query_stretches_free(lookup->stretches, lookup->n_stretches);
    concatenated_queries_free(&lookup->concatenated);
    free(lookup);
    group->lookup = NULL;
}

static struct protein_lookup *create(const struct search_state *s, const struct query_group *group)
{
    struct protein_lookup *lookup = calloc(1, sizeof *lookup);

    if (lookup == NULL)
        return NULL;
    lookup->items = calloc(group->n_placed + 1, sizeof *lookup->items);
    if (lookup->items == NULL) {
        free(lookup);
        return NULL;
    }
    for (size_t i = 0; i < group->n_placed; i++) {
        const struct search_query *q = placed_query_of(s, &group->placed[i]);
        lookup->items[i] = (struct two_hit_query){q->codes, q->length, q->x_ungapped, q->cutoff_ungapped, group->placed[i].first_position};
    }
    lookup->queries = (struct two_hit_queries){&lookup->words, lookup->items, group->n_placed, s->setup->scores,
                                               NULL,           s->simd,       s->setup->window};
    return lookup;
}

/* The queries as the lookup table takes them; freed by the caller. NULL: out of memory. */
static struct word_lookup_query *words_from(const struct search_state *s, const struct query_group *group)
{
    struct word_lookup_query *queries = calloc(group->n_placed + 1, sizeof *queries);

    for (size_t i = 0; i < group->n_placed && queries != NULL; i++) {
        const struct search_query *q = placed_query_of(s, &group->placed[i]);
        queries[i] = (struct word_lookup_query){q->codes, q->ranges, q->n_ranges, group->placed[i].first_position};
    }
    return queries;
}

/* Whether the CPU's scan takes the group by stretches; the plain form, which masks that hide residues need, does not. */
static bool has_stretches(const struct search_state *s, const struct word_lookup_rules *rules, const struct query_group *group)
{
    const bool may_be_plain = s->subjects->masks != NULL && s->subjects->hides_masked;

    return group->n_positions >= WORD_LOOKUP_POSITIONS16 - TWO_HIT_CHUNK_WORDS && !may_be_plain && !long_words_are(rules->word_size) &&
           concatenated_queries_fit(&protein_lookup_of(group)->queries, rules->word_size);
}

static tms_status build_stretches(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, struct query_group *group)
{
    struct protein_lookup *lookup = group->lookup;
    tms_status status = query_stretches_build(rules, queries, &lookup->queries, group->n_positions, QUERY_STRETCH, &lookup->stretches,
                                              &lookup->n_stretches);

    if (status != TMS_OK)
        return status;
    lookup->queries.words = &lookup->stretches[0].words;
    lookup->queries.stretches = lookup->stretches;
    lookup->queries.n_stretches = lookup->n_stretches;
    group->n_words = query_stretches_words(lookup->stretches, lookup->n_stretches);
    group->expected_hits = 0;
    for (size_t i = 0; i < lookup->n_stretches; i++)
        group->expected_hits += lookup->stretches[i].words.expected_hits;
    return concatenated_queries_init(&lookup->queries, rules, group->n_positions, &lookup->concatenated);
}

static tms_status build_words(struct search_state *s, const struct word_lookup_rules *rules, const struct word_lookup_query *queries,
                              struct query_group *group, int thread)
{
    struct protein_lookup *lookup = group->lookup;
    tms_status status = word_lookup_build(rules, queries, group->n_placed, group->n_positions, &s->shared, thread, &lookup->words);

    if (status != TMS_OK)
        return status;
    group->n_words = lookup->words.n_positions;
    group->expected_hits = lookup->words.expected_hits;
    return concatenated_queries_init(&lookup->queries, rules, group->n_positions, &lookup->concatenated);
}

/* Whether GPUs have several tables for the queries: without gaps, so that they leave the HSPs to the CPU. */
static bool has_many_tables(const struct search_state *s, const struct word_lookup_rules *rules, const struct query_group *group)
{
    return s->setup->ungapped && s->setup->program->translates && group->n_positions > TABLE_POSITIONS &&
           two_hit_stretches_take(rules->word_size);
}

/* If a GPU supports the group, long words are looked up in a table that the GPU makes; and there may be several tables for the GPU. */
tms_status protein_group_build(struct search_state *s, const struct word_lookup_rules *rules, bool for_gpu, struct query_group *group,
                               int thread)
{
    struct word_lookup_query *queries = words_from(s, group);
    const struct two_hit_gpu_words words = {rules, queries};
    tms_status status = queries != NULL ? TMS_OK : TMS_E_MEMORY;

    group->has_many_tables = for_gpu && has_many_tables(s, rules, group);
    group->is_looked_up_on_gpu = for_gpu && (long_words_are(rules->word_size) || group->has_many_tables);
    if (status == TMS_OK && group->lookup == NULL && (group->lookup = create(s, group)) == NULL)
        status = TMS_E_MEMORY;
    if (status == TMS_OK && !group->is_looked_up_on_gpu)
        status = !for_gpu && has_stretches(s, rules, group) ? build_stretches(rules, queries, group)
                                                            : build_words(s, rules, queries, group, thread);
    if (status == TMS_OK && group->has_many_tables)
        status = two_hit_stretches_create(&protein_lookup_of(group)->queries, &words, TABLE_POSITIONS, &s->shared, thread, &group->tables);
    else if (status == TMS_OK && for_gpu)
        status = two_hit_gpu_tables_create(&protein_lookup_of(group)->queries, &words, group->n_positions, &group->tables);
    free(queries);
    return status;
}
