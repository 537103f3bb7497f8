/* concatenated_queries.c - converts queries to codes and pairs, one query after the other, and scores to scores of pairs. */
#include "lookup/concatenated_queries.h"

#include <stdlib.h>
#include <string.h>

#include "lookup/long_words.h"
#include "lookup/two_hit_passes.h"
#include "lookup/two_hit_sieve_core.h"

enum {
    OTHER = TWO_HIT_LETTERS - 2, /* the letter of residues that are no amino acid */
    GAP = TWO_HIT_LETTERS - 1,
    MOST_NEAR = 120, /* remembered positions have 8 bits */
    SCORE_MARGIN = 4 /* scores of pairs that may be read before the first and after the last */
};

/* A C D E F G H I K L M N P Q R S T V W Y have NCBIstdaa codes 1, 3 to 20, 22. */
const uint8_t two_hit_letters[RESIDUE_ROW] = {GAP, 0,  OTHER, 1,  2,  3,     4,  5,     6,     7,     8,     9,     10,  11,  12,  13,
                                              14,  15, 16,    17, 18, OTHER, 19, OTHER, OTHER, OTHER, OTHER, OTHER, GAP, GAP, GAP, GAP};

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

    out->half = n / 2 + TWO_HIT_MARGIN + 1;
    out->codes_memory = calloc(n + 2 * TWO_HIT_MARGIN + 2, 1);
    out->pairs_memory = calloc(2 * out->half, sizeof *out->pairs_memory);
    out->limits = calloc(n_near, sizeof *out->limits);
    out->query_near = calloc(n_near, sizeof *out->query_near);
    out->has_word = calloc(n + 1, 1);
    out->pair_scores_memory = malloc(TWO_HIT_PAIRS * TWO_HIT_PAIRS + 2 * SCORE_MARGIN);
    return out->codes_memory != NULL && out->pairs_memory != NULL && out->limits != NULL && out->query_near != NULL &&
           out->has_word != NULL && out->pair_scores_memory != NULL;
}

/* Sets rows, and the greatest scores of the codes of each letter. Returns how much higher the score may be after the first of a pair. */
static int score_letters(const int *scores, int8_t *rows, int letter_scores[TWO_HIT_LETTERS][TWO_HIT_LETTERS])
{
    int most = 0, least = 0;

    for (int i = 0; i < TWO_HIT_LETTERS * TWO_HIT_LETTERS; i++)
        letter_scores[i / TWO_HIT_LETTERS][i % TWO_HIT_LETTERS] = INT8_MIN;
    memset(rows, INT8_MIN, RESIDUE_ROW * RESIDUE_ROW);
    for (int i = 1; i < RESIDUE_CODES; i++)
        for (int k = 1; k < RESIDUE_CODES; k++) {
            const int score = scores[RESIDUE_CODES * i + k];
            int *of = &letter_scores[two_hit_letters[i]][two_hit_letters[k]];
            rows[RESIDUE_ROW * i + k] = (int8_t)score;
            *of = score > *of ? score : *of;
            most = score > most ? score : most;
            least = score < least ? score : least;
        }
    return most < -least ? most : -least;
}

/* The sum of two scores, of which one may be a gap's: an extension may end between the two. */
static int8_t pair_score(int a, int b)
{
    const int more = a > b ? a : b, sum = a + b;

    if (a == INT8_MIN || b == INT8_MIN)
        return (int8_t)((more > 0 ? more : 0) - TWO_HIT_GAP_PAIR);
    return (int8_t)(sum > -TWO_HIT_GAP_PAIR ? sum : -TWO_HIT_GAP_PAIR);
}

static void score_pairs(int letter_scores[TWO_HIT_LETTERS][TWO_HIT_LETTERS], int8_t *out)
{
    for (int subject = 0; subject < TWO_HIT_PAIRS; subject++)
        for (int query = 0; query < TWO_HIT_PAIRS; query++)
            out[TWO_HIT_PAIRS * subject + query] = pair_score(letter_scores[query / TWO_HIT_LETTERS][subject / TWO_HIT_LETTERS],
                                                              letter_scores[query % TWO_HIT_LETTERS][subject % TWO_HIT_LETTERS]);
}

static int8_t within_bounds(int score)
{
    return (int8_t)(score > TWO_HIT_LEAST_MOST ? TWO_HIT_LEAST_MOST : score < INT8_MIN ? INT8_MIN : score);
}

/* Sets what is near the positions of query q. slack: what a bound may miss on each side. */
static void put_limits(const struct two_hit_query *item, size_t q, int slack, struct concatenated_queries *out)
{
    const int8_t least = within_bounds(item->cutoff), least_of_pairs = within_bounds(item->cutoff - 2 * slack);

    for (int at = item->first_position / TWO_HIT_NEAR; at <= (item->first_position + item->length) / TWO_HIT_NEAR; at++) {
        struct two_hit_bounds *limits = &out->limits[at];
        const bool is_first = limits->x_drop == 0;
        limits->x_drop = (uint8_t)(item->x_drop > limits->x_drop ? item->x_drop : limits->x_drop);
        limits->least = is_first || least < limits->least ? least : limits->least;
        limits->least_of_pairs = is_first || least_of_pairs < limits->least_of_pairs ? least_of_pairs : limits->least_of_pairs;
        if (at * TWO_HIT_NEAR >= item->first_position)
            out->query_near[at] = (uint16_t)q;
    }
}

/* Sets the most that a candidate's residues, from its first word to the last one that an extension may begin with, score against any. */
static void put_within(int n_positions, int word_size, struct concatenated_queries *out)
{
    int best_of[RESIDUE_ROW];

    for (int i = 0; i < RESIDUE_ROW; i++) {
        best_of[i] = 0;
        for (int k = 0; k < RESIDUE_ROW; k++)
            best_of[i] = sieve_more(best_of[i], out->rows[RESIDUE_ROW * i + k]);
    }
    for (int at = 0; at < n_positions; at++) {
        struct two_hit_bounds *limits = &out->limits[at / TWO_HIT_NEAR];
        int within = 0;
        for (int i = 0; i < 2 * word_size - 1; i++)
            within += best_of[out->codes[at + i]];
        limits->within = (int8_t)sieve_more(limits->within, within < INT8_MAX ? within : INT8_MAX);
    }
}

static void put_pairs(int n_positions, struct concatenated_queries *out)
{
    const uint8_t *codes = out->codes_memory;

    for (size_t i = 0; i < (size_t)n_positions + 2 * TWO_HIT_MARGIN; i++)
        out->pairs_memory[i % 2 * out->half + i / 2] = (uint16_t)(TWO_HIT_LETTERS * two_hit_letters[codes[i]] +
                                                                  two_hit_letters[codes[i + 1]]);
    out->pairs = out->pairs_memory + TWO_HIT_MARGIN / 2;
}

static void mark_words(const struct word_lookup *words, uint8_t *has_word)
{
    for (int i = 0; i < words->end; i++)
        has_word[i] |= words->has_word[i];
}

tms_status concatenated_queries_init(struct two_hit_queries *queries, const struct word_lookup_rules *rules, int n_positions,
                                     struct concatenated_queries *out)
{
    int letter_scores[TWO_HIT_LETTERS][TWO_HIT_LETTERS], slack;

    memset(out, 0, sizeof *out);
    queries->concatenated = NULL;
    if (!has_positions16(queries, n_positions) || !concatenated_queries_fit(queries, queries->words->word_size))
        return TMS_OK;
    if (!reserve(n_positions, out)) {
        concatenated_queries_free(out);
        return TMS_E_MEMORY;
    }
    out->codes = out->codes_memory + TWO_HIT_MARGIN;
    out->pair_scores = out->pair_scores_memory + SCORE_MARGIN;
    out->letter_of = rules->letter_of;
    slack = score_letters(queries->scores, out->rows, letter_scores);
    score_pairs(letter_scores, out->pair_scores);
    long_words_scores(rules, out->word_scores);
    for (size_t q = 0; q < queries->n; q++) {
        const struct two_hit_query *item = &queries->items[q];
        memcpy(out->codes_memory + TWO_HIT_MARGIN + item->first_position, item->codes, (size_t)item->length);
        put_limits(item, q, slack, out);
    }
    put_within(n_positions, queries->words->word_size, out);
    put_pairs(n_positions, out);
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
    free(queries->pairs_memory);
    free(queries->limits);
    free(queries->query_near);
    free(queries->has_word);
    free(queries->pair_scores_memory);
    memset(queries, 0, sizeof *queries);
}
