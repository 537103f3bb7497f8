/* query_stretches.c - stretches overlap, so that the earlier hits of each position that may be near are in its table. */
#include "lookup/query_stretches.h"

#include <stdlib.h>

#include "base/lesser.h"

struct builder {
    const struct word_lookup_rules *rules;
    const struct word_lookup_query *words;
    const struct two_hit_query *queries;
    size_t n_queries;
};

/* What of a query lies at positions first .. end - 1, with the last words' residues; ranges has its ranges then. */
static struct word_lookup_query cut(const struct builder *b, size_t q, int first, int end, struct residue_range *ranges)
{
    const struct two_hit_query *query = &b->queries[q];
    const int from = first > query->first_position ? first - query->first_position : 0;
    const int last_end = lesser(query->length, end - query->first_position + b->rules->word_size - 1);
    struct word_lookup_query part = {query->codes + from, ranges, 0, query->first_position + from - first};

    part.n_ranges = word_lookup_cut_ranges(&b->words[q], from, last_end, ranges);
    return part;
}

static tms_status build(const struct builder *b, int end, struct query_stretch *out)
{
    struct word_lookup_query *parts = calloc(b->n_queries + 1, sizeof *parts);
    struct residue_range *ranges;
    size_t n_ranges = 0, n = 0;
    tms_status status = TMS_E_MEMORY;

    for (size_t q = 0; q < b->n_queries; q++)
        n_ranges += b->words[q].n_ranges;
    ranges = malloc((n_ranges + 1) * sizeof *ranges);
    n_ranges = 0;
    for (size_t q = 0; q < b->n_queries && parts != NULL && ranges != NULL; q++) {
        const struct two_hit_query *query = &b->queries[q];
        if (query->first_position >= end || query->first_position + query->length <= out->first)
            continue;
        parts[n] = cut(b, q, out->first, end, ranges + n_ranges);
        n_ranges += parts[n++].n_ranges;
    }
    if (parts != NULL && ranges != NULL)
        status = word_lookup_build(b->rules, parts, n, end - out->first, NULL, 0, &out->words);
    free(parts);
    free(ranges);
    return status;
}

tms_status query_stretches_build(const struct word_lookup_rules *rules, const struct word_lookup_query *words,
                                 const struct two_hit_queries *queries, int n_positions, int most, struct query_stretch **out,
                                 size_t *n_out)
{
    const struct builder builder = {rules, words, queries->items, queries->n};
    const int overlap = queries->window + 2 * rules->word_size + TWO_HIT_NEAR, step = most - overlap - TWO_HIT_NEAR;
    const size_t n = (size_t)((n_positions + step - 1) / step);
    tms_status status = TMS_OK;

    *out = calloc(n + 1, sizeof **out);
    *n_out = *out != NULL ? n : 0;
    if (*out == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n && status == TMS_OK; i++) {
        struct query_stretch *stretch = &(*out)[i];
        stretch->core = (int)i * step;
        stretch->first = (stretch->core > overlap ? stretch->core - overlap : 0) / TWO_HIT_NEAR * TWO_HIT_NEAR;
        status = build(&builder, lesser(stretch->core + step, n_positions), stretch);
    }
    return status;
}

size_t query_stretches_words(const struct query_stretch *stretches, size_t n)
{
    size_t n_words = 0;

    for (size_t i = 0; i < n; i++) {
        const struct word_lookup *words = &stretches[i].words;
        const size_t n_entries = words->has_blocks ? words->n_entries : words->n_positions;
        for (size_t k = 0; k < n_entries; k++)
            n_words += words->positions16[k] >= stretches[i].core - stretches[i].first && words->positions16[k] < words->end;
    }
    return n_words;
}

void query_stretches_free(struct query_stretch *stretches, size_t n)
{
    for (size_t i = 0; i < n; i++)
        word_lookup_free(&stretches[i].words);
    free(stretches);
}
