/* concatenated_queries.c - lays out codes and hashes of queries, one query after the other, and their scores. */
#include "lookup/concatenated_queries.h"

#include <stdlib.h>
#include <string.h>

#include "lookup/long_words.h"
#include "lookup/two_hit_passes.h"
#include "lookup/two_hit_sieve_core.h"

enum { MOST_NEAR = 120 /* distances have 8 bits, as have the remembered positions of short words */ };

bool concatenated_queries_fit(const struct two_hit_queries *queries, int word_size)
{
    bool fits = queries->window > 0 && sieve_near(queries->window, word_size) <= MOST_NEAR && queries->n <= UINT16_MAX;

    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        fits &= queries->scores[i] <= TWO_HIT_MOST_SCORE && (queries->scores[i] > INT8_MIN || i % RESIDUE_CODES == 0 || i < RESIDUE_CODES);
    for (size_t i = 0; i < queries->n; i++)
        fits &= queries->items[i].x_drop > 0 && queries->items[i].x_drop <= TWO_HIT_MOST_X_DROP;
    return fits;
}

static bool has_positions16(const struct two_hit_queries *queries, int n_positions)
{
    return queries->words->positions16 != NULL &&
           (queries->n_stretches > 0 || n_positions + TWO_HIT_CHUNK_WORDS <= WORD_LOOKUP_POSITIONS16);
}

static bool reserve(int n_positions, struct concatenated_queries *out)
{
    const size_t n = (size_t)n_positions, n_near = n / TWO_HIT_NEAR + 1;

    out->n_hashes = n + 2 * TWO_HIT_MARGIN;
    out->codes_memory = calloc(out->n_hashes, 1);
    out->hashes_memory = malloc(SCORE_HASH_TABLES * out->n_hashes);
    out->limits = calloc(n_near, sizeof *out->limits);
    out->query_near = calloc(n_near, sizeof *out->query_near);
    out->has_word = calloc(n + 1, 1);
    return out->codes_memory != NULL && out->hashes_memory != NULL && out->limits != NULL && out->query_near != NULL &&
           out->has_word != NULL;
}

static void put_rows(const int *scores, int8_t *rows)
{
    memset(rows, INT8_MIN, RESIDUE_ROW * RESIDUE_ROW);
    for (int i = 1; i < RESIDUE_CODES; i++)
        for (int k = 1; k < RESIDUE_CODES; k++)
            rows[RESIDUE_ROW * i + k] = (int8_t)scores[RESIDUE_CODES * i + k];
}

static int8_t within_bounds(int score)
{
    return (int8_t)(score > TWO_HIT_LEAST_MOST ? TWO_HIT_LEAST_MOST : score < INT8_MIN ? INT8_MIN : score);
}

/* Sets what is near the positions of query q. */
static void put_limits(const struct two_hit_query *item, size_t q, struct concatenated_queries *out)
{
    const int8_t least = within_bounds(item->cutoff);

    for (int at = item->first_position / TWO_HIT_NEAR; at <= (item->first_position + item->length) / TWO_HIT_NEAR; at++) {
        struct two_hit_bounds *limits = &out->limits[at];
        const bool is_first = limits->x_drop == 0;
        limits->x_drop = (uint8_t)(item->x_drop > limits->x_drop ? item->x_drop : limits->x_drop);
        limits->least = is_first || least < limits->least ? least : limits->least;
        if (at * TWO_HIT_NEAR >= item->first_position)
            out->query_near[at] = (uint16_t)q;
    }
}

/* The most that a candidate's residues, from its first word to the last one that an extension may begin with, score against any. */
static int most_within(const uint8_t *query, int word_size, const int *best_of)
{
    int within = 0;

    for (int i = 0; i < 2 * word_size - 1; i++)
        within += best_of[query[i]];
    return within;
}

static void put_least_left(int n_positions, int word_size, struct concatenated_queries *out)
{
    int best_of[RESIDUE_ROW];

    for (int i = 0; i < RESIDUE_ROW; i++) {
        best_of[i] = 0;
        for (int k = 0; k < RESIDUE_ROW; k++)
            best_of[i] = sieve_more(best_of[i], out->rows[RESIDUE_ROW * i + k]);
    }
    for (int first = 0; first < n_positions; first += TWO_HIT_NEAR) {
        struct two_hit_bounds *limits = &out->limits[first / TWO_HIT_NEAR];
        int within = 0;
        for (int at = first; at < n_positions && at < first + TWO_HIT_NEAR; at++)
            within = sieve_more(within, most_within(out->codes + at, word_size, best_of));
        limits->least_left = within_bounds(limits->least - within);
    }
}

static void put_hashes(const int *scores, struct concatenated_queries *out)
{
    score_hash_init(scores, &out->score_hash);
    for (int t = 0; t < SCORE_HASH_TABLES; t++)
        for (size_t i = 0; i < out->n_hashes; i++)
            out->hashes_memory[(size_t)t * out->n_hashes + i] = out->score_hash.of_query[t][out->codes_memory[i]];
    out->hashes = out->hashes_memory + TWO_HIT_MARGIN;
}

static void mark_words(const struct word_lookup *words, uint8_t *has_word)
{
    for (int i = 0; i < words->end; i++)
        has_word[i] |= words->has_word[i];
}

tms_status concatenated_queries_init(struct two_hit_queries *queries, const struct word_lookup_rules *rules, int n_positions,
                                     struct concatenated_queries *out)
{
    memset(out, 0, sizeof *out);
    queries->concatenated = NULL;
    if (!has_positions16(queries, n_positions) || !concatenated_queries_fit(queries, queries->words->word_size))
        return TMS_OK;
    if (!reserve(n_positions, out)) {
        concatenated_queries_free(out);
        return TMS_E_MEMORY;
    }
    out->codes = out->codes_memory + TWO_HIT_MARGIN;
    out->letter_of = rules->letter_of;
    put_rows(queries->scores, out->rows);
    long_words_scores(rules, out->word_scores);
    for (size_t q = 0; q < queries->n; q++) {
        const struct two_hit_query *item = &queries->items[q];
        memcpy(out->codes_memory + TWO_HIT_MARGIN + item->first_position, item->codes, (size_t)item->length);
        put_limits(item, q, out);
    }
    put_least_left(n_positions, queries->words->word_size, out);
    put_hashes(queries->scores, out);
    if (queries->n_stretches == 0)
        mark_words(queries->words, out->has_word);
    for (size_t i = 0; i < queries->n_stretches; i++)
        mark_words(&queries->stretches[i].words, out->has_word + queries->stretches[i].first);
    queries->concatenated = out;
    return TMS_OK;
}

void concatenated_queries_free(struct concatenated_queries *queries)
{
    free(queries->codes_memory);
    free(queries->hashes_memory);
    free(queries->limits);
    free(queries->query_near);
    free(queries->has_word);
    memset(queries, 0, sizeof *queries);
}
