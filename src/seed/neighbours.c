/*
 * neighbours.c - the words near each word of the query, letter by letter: a beginning is left as soon as the best that can follow does not
 * reach the threshold. Two rounds: one counts the places of each word, one writes them.
 */
#include "seed/neighbours.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CODE = 1 }; /* no word has a gap */

struct search {
    const int *scores;
    const uint8_t *word; /* of the query */
    int word_size;
    int best_after[NEIGHBOURS_MAX_WORD + 1]; /* the most that letters i .. w - 1 can score */
    int place;
    struct neighbours *table;
    bool counts; /* the first round */
};

static void put(struct search *s, uint32_t word)
{
    if (s->counts)
        s->table->starts[word + 1]++;
    else
        s->table->places[s->table->starts[word]++] = s->place; /* starts are moved back afterwards */
}

/* All ends of a word that begins so and still needs `wanted`. */
static void descend(struct search *s, int i, uint32_t word, int wanted)
{
    const int *row = s->scores + NEIGHBOURS_CODES * s->word[i];

    for (uint32_t code = FIRST_CODE; code < NEIGHBOURS_CODES; code++) {
        int left = wanted - row[code];
        if (left > s->best_after[i + 1])
            continue;
        if (i + 1 >= s->word_size || i + 1 >= NEIGHBOURS_MAX_WORD)
            put(s, word << NEIGHBOURS_BITS | code);
        else
            descend(s, i + 1, word << NEIGHBOURS_BITS | code, left);
    }
}

static int best_of(const int *row)
{
    int best = row[FIRST_CODE];

    for (int code = FIRST_CODE + 1; code < NEIGHBOURS_CODES; code++)
        best = row[code] > best ? row[code] : best;
    return best;
}

static void add_word(struct search *s, int threshold)
{
    int self = 0;
    uint32_t word = 0;

    for (int i = 0; i < s->word_size; i++) {
        self += s->scores[NEIGHBOURS_CODES * s->word[i] + s->word[i]];
        word = word << NEIGHBOURS_BITS | s->word[i];
    }
    if (threshold == 0 || self < threshold) {
        put(s, word);
        if (threshold == 0)
            return;
    }
    s->best_after[NEIGHBOURS_MAX_WORD] = 0;
    for (int i = NEIGHBOURS_MAX_WORD - 1; i >= 0; i--)
        s->best_after[i] = i >= s->word_size ? 0 : s->best_after[i + 1] + best_of(s->scores + NEIGHBOURS_CODES * s->word[i]);
    descend(s, 0, 0, threshold);
}

static void add_words(struct search *s, const struct neighbours_query *query, int threshold)
{
    for (size_t i = 0; i < query->n_ranges; i++)
        for (int at = query->ranges[i].first; at + s->word_size <= query->ranges[i].end; at++) {
            s->word = query->codes + at;
            s->place = query->first_place + at;
            add_word(s, threshold);
        }
}

tms_status neighbours_build(const int *scores, const struct neighbours_query *queries, size_t n_queries, int word_size, int threshold,
                            struct neighbours *out)
{
    size_t n_words = (size_t)1 << NEIGHBOURS_BITS * word_size;
    struct search s = {.scores = scores, .word_size = word_size, .table = out, .counts = true};

    memset(out, 0, sizeof *out);
    out->word_size = word_size;
    out->starts = calloc(n_words + 2, sizeof *out->starts);
    if (out->starts == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_queries; i++)
        add_words(&s, &queries[i], threshold);
    for (size_t i = 0; i < n_words; i++)
        out->starts[i + 1] += out->starts[i];
    out->n_places = out->starts[n_words];
    out->places = malloc((out->n_places + 1) * sizeof *out->places);
    if (out->places == NULL) {
        neighbours_free(out);
        return TMS_E_MEMORY;
    }
    s.counts = false;
    for (size_t i = 0; i < n_queries; i++)
        add_words(&s, &queries[i], threshold);
    memmove(out->starts + 1, out->starts, n_words * sizeof *out->starts);
    out->starts[0] = 0;
    return TMS_OK;
}

void neighbours_free(struct neighbours *table)
{
    free(table->starts);
    free(table->places);
    memset(table, 0, sizeof *table);
}
