/*
 * word_lookup.c - finds the words similar to each word of the queries, letter by letter, the best letter first. It leaves a prefix as soon
 * as the best continuation does not reach the threshold. A word that the queries have several times is searched once. Long words are
 * searched otherwise (long_lookup.c).
 */
#include "lookup/word_lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base.h"
#include "lookup/long_lookup.h"
#include "lookup/word_ranks.h"

enum {
    DIRECT_RADIX = 32,
    SIX_AT_ONCE = 256,
    DENSE = 100000,                                    /* more positions: many words have more than a block of them */
    MOST_OWN = RESIDUE_ROW * RESIDUE_ROW * RESIDUE_ROW /* words of residue codes, as numbers to the base RESIDUE_ROW */
};

/* A word of the queries: how often they have it, and its similar words in search.similar. */
struct own_word {
    uint32_t n, first, end;
};

struct search {
    const struct word_lookup_rules *rules;
    struct word_lookup_ranks ranks[RESIDUE_CODES];
    const uint8_t *word;                      /* the query's word */
    int best_after[WORD_LOOKUP_MAX_WORD + 1]; /* best_after[i]: the highest score of letters i .. w - 1 */
    struct word_lookup *table;
    struct own_word *own; /* MOST_OWN */
    uint16_t *similar;
    uint32_t n_similar;
    size_t similar_capacity;
};

static bool put(struct search *s, uint32_t word)
{
    if (!array_reserve(&s->similar, &s->similar_capacity, (size_t)s->n_similar + 1, sizeof *s->similar))
        return false;
    s->similar[s->n_similar++] = (uint16_t)word;
    return true;
}

/* Completes a word with this prefix in all ways whose score reaches `wanted`. */
static bool descend(struct search *s, int i, uint32_t word, int wanted)
{
    const struct word_lookup_ranks *row = &s->ranks[s->word[i]];

    for (int k = 0; k < row->n; k++) {
        const uint32_t next = word * s->table->radix + row->letters[k];
        const int left = wanted - row->scores[k];
        if (left > s->best_after[i + 1]) /* the remaining letters score no more */
            return true;
        if (!(i + 1 >= s->rules->word_size || i + 1 >= WORD_LOOKUP_LONGEST_DIRECT ? put(s, next) : descend(s, i + 1, next, left)))
            return false;
    }
    return true;
}

/* Lists the words similar to s->word. own, self: as of word_lookup_own() */
static bool list_similar(struct search *s, uint32_t own, int self)
{
    const int threshold = s->rules->threshold;

    if ((threshold == 0 || self < threshold) && !put(s, own))
        return false;
    s->best_after[s->rules->word_size] = 0;
    for (int i = s->rules->word_size - 1; i >= 0; i--)
        s->best_after[i] = s->best_after[i + 1] + s->ranks[s->word[i]].scores[0];
    return threshold == 0 || descend(s, 0, 0, threshold);
}

static struct own_word *own_word_at(const struct search *s, const uint8_t *codes)
{
    uint32_t number = 0;

    for (int i = 0; i < s->rules->word_size; i++)
        number = number * RESIDUE_ROW + codes[i] % RESIDUE_ROW;
    return &s->own[number];
}

/* Counts a position of a word, and lists the words similar to it if it is the first one. */
static bool count_word(struct search *s, const uint8_t *codes, int position)
{
    struct own_word *w = own_word_at(s, codes);
    uint32_t own;
    int self;

    if (!word_lookup_own(s->rules, s->table, codes, &own, &self))
        return true;
    s->table->has_word[position] = 1;
    if (w->n++ > 0)
        return true;
    s->word = codes;
    w->first = s->n_similar;
    if (!list_similar(s, own, self))
        return false;
    w->end = s->n_similar;
    return true;
}

/* Writes a position to all words similar to its own. */
static void write_word(const struct search *s, const uint8_t *codes, int position)
{
    const struct own_word *w = own_word_at(s, codes);
    struct word_lookup *table = s->table;

    if (table->positions16 != NULL)
        for (uint32_t i = w->first; i < w->end; i++)
            table->positions16[table->starts[s->similar[i]]++] = (uint16_t)position;
    else
        for (uint32_t i = w->first; i < w->end; i++)
            table->positions32[table->starts[s->similar[i]]++] = position;
}

/* Counts, or then writes, the positions of all words. */
static bool add_words(struct search *s, const struct word_lookup_query *queries, size_t n_queries, bool writes)
{
    for (size_t q = 0; q < n_queries; q++)
        for (size_t i = 0; i < queries[q].n_ranges; i++)
            for (int at = queries[q].ranges[i].first; at + s->rules->word_size <= queries[q].ranges[i].end; at++) {
                const int position = queries[q].first_position + at;
                if (writes && s->table->has_word[position])
                    write_word(s, queries[q].codes + at, position);
                else if (!writes && !count_word(s, queries[q].codes + at, position))
                    return false;
            }
    return true;
}

static void init(const struct word_lookup_rules *rules, struct word_lookup *out)
{
    uint32_t top = 1;

    memset(out, 0, sizeof *out);
    out->word_size = rules->word_size;
    out->threshold = rules->threshold;
    out->radix = rules->word_size <= WORD_LOOKUP_LONGEST_DIRECT ? DIRECT_RADIX : (uint32_t)rules->n_letters;
    for (int i = 1; i < rules->word_size; i++)
        top *= out->radix;
    out->n_words = top * out->radix;
    for (int code = 0; code < RESIDUE_ROW; code++) {
        out->letter_of[code] = rules->letter_of != NULL && code < RESIDUE_CODES ? rules->letter_of[code] : (uint8_t)(code % RESIDUE_CODES);
        if (out->letter_of[code] == WORD_LOOKUP_NO_LETTER)
            out->breaks = true;
        else
            out->tops[code] = out->letter_of[code] * top;
    }
}

static size_t starts_bytes(const struct word_lookup *t) { return t->n_starts * sizeof *t->starts; }

/* Counts each word's positions in its entry of starts. Returns the number of all. */
static size_t count_positions(const struct search *s)
{
    size_t n = 0;

    for (const struct own_word *w = s->own; w < s->own + MOST_OWN; w++)
        for (uint32_t i = w->first; i < w->end; i++) {
            s->table->starts[s->similar[i]] += w->n;
            n += w->n;
        }
    return n;
}

/* The hits that are expected; starts has the number of each word's positions. */
static double expected_hits(const struct word_lookup *t, const double of_letter[RESIDUE_ROW])
{
    double sum = 0;

    for (uint32_t word = 0; word < t->n_words; word++)
        sum += t->starts[word] * word_frequency(of_letter, word, t->radix, t->word_size);
    return sum;
}

static uint32_t whole_blocks(uint32_t n) { return (n + WORD_LOOKUP_BLOCK - 1) / WORD_LOOKUP_BLOCK * WORD_LOOKUP_BLOCK; }

/* Replaces numbers of positions by where they start. Returns the number of entries. */
static size_t put_starts(struct word_lookup *t)
{
    size_t at = 0;

    for (size_t i = 0; i < t->n_starts; i++) {
        const uint32_t n = t->starts[i];
        t->starts[i] = (uint32_t)at;
        at += t->has_blocks ? whole_blocks(n) : n;
    }
    return at;
}

/* Makes all entries empty. */
static void empty_blocks(struct word_lookup *t)
{
    for (size_t i = 0; i < t->n_entries; i++)
        t->positions16[i] = (uint16_t)((size_t)t->end + WORD_LOOKUP_EMPTY * (i % WORD_LOOKUP_BLOCK));
}

/* Replaces where lists end by their starts. */
static void put_starts_of_blocks(struct word_lookup *t)
{
    uint32_t start = 0;

    for (size_t i = 0; i < t->n_words; i++) {
        const uint32_t end = t->starts[i], next = whole_blocks(end);
        t->starts[i] = start + (next - end);
        start = next;
    }
}

static bool build_direct(struct search *s, const struct word_lookup_query *queries, size_t n_queries, bool short_positions)
{
    struct word_lookup *t = s->table;
    double of_letter[RESIDUE_ROW];

    t->n_starts = (size_t)t->n_words + 2;
    t->starts = memory_alloc_zeroed(starts_bytes(t));
    s->own = calloc(MOST_OWN, sizeof *s->own);
    if (t->starts == NULL || s->own == NULL || !add_words(s, queries, n_queries, false))
        return false;
    t->n_positions = count_positions(s);
    word_letter_frequencies(s->rules, of_letter);
    t->expected_hits = expected_hits(t, of_letter);
    t->has_blocks = t->n_positions > DENSE && t->end + WORD_LOOKUP_EMPTY * WORD_LOOKUP_BLOCK < WORD_LOOKUP_POSITIONS16;
    if (!word_lookup_reserve(t, put_starts(t), short_positions))
        return false;
    if (t->has_blocks)
        empty_blocks(t);
    add_words(s, queries, n_queries, true);
    if (t->has_blocks) {
        put_starts_of_blocks(t);
        return true;
    }
    memmove(t->starts + 1, t->starts, t->n_words * sizeof *t->starts); /* each is now the start of the next one */
    t->starts[0] = 0;
    return true;
}

tms_status word_lookup_build(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, size_t n_queries, int end,
                             struct shared_tasks *tasks, int thread, struct word_lookup *out)
{
    struct search s = {.rules = rules, .table = out};
    const bool short_positions = end <= WORD_LOOKUP_POSITIONS16;
    bool done;

    init(rules, out);
    for (int code = 0; code < RESIDUE_CODES; code++)
        word_lookup_rank(rules, code, &s.ranks[code]);
    out->end = end;
    out->has_word = calloc((size_t)end + 1, 1);
    if (out->has_word == NULL)
        done = false;
    else if (rules->word_size <= WORD_LOOKUP_LONGEST_DIRECT)
        done = build_direct(&s, queries, n_queries, short_positions);
    else
        done = long_lookup_build(rules, queries, n_queries, short_positions, tasks, thread, out);
    free(s.own);
    free(s.similar);
    if (!done)
        word_lookup_free(out);
    return done ? TMS_OK : TMS_E_MEMORY;
}

size_t word_lookup_cut_ranges(const struct word_lookup_query *query, int first, int last_end, struct residue_range *out)
{
    size_t n = 0;

    for (size_t i = 0; i < query->n_ranges; i++) {
        const struct residue_range r = query->ranges[i];
        if (r.end > first && r.first < last_end)
            out[n++] = (struct residue_range){(r.first > first ? r.first : first) - first, (r.end < last_end ? r.end : last_end) - first};
    }
    return n;
}

void word_lookup_free(struct word_lookup *table)
{
    free(table->present);
    free(table->ranks);
    free(table->has_word);
    memory_free(table->starts, starts_bytes(table));
    word_lookup_release(table);
    memset(table, 0, sizeof *table);
}

static void words_of_3(const uint8_t *subject, int n, uint32_t *words)
{
    for (int i = 0; i < n; i++)
        words[i] = (subject[i] % 32u << 10) + (subject[i + 1] % 32u << 5) + subject[i + 2] % 32u;
}

/* Words of any size: each number is made from the one before. */
static void roll_words(const struct word_lookup *table, const uint8_t *subject, int n, uint32_t *words)
{
    const int w = table->word_size;
    uint32_t word = 0;
    int broken_until = -1; /* the last code without a letter; as a 0 it leaves the rolling number as it entered */

    for (int i = 0; i < n + w - 1; i++) {
        uint8_t letter = table->letter_of[subject[i] % RESIDUE_ROW];
        if (letter == WORD_LOOKUP_NO_LETTER) {
            broken_until = i;
            letter = 0;
        }
        word = word * table->radix + letter;
        if (i < w - 1)
            continue;
        words[i - w + 1] = broken_until <= i - w ? word : table->n_words;
        word -= table->tops[subject[i - w + 1] % RESIDUE_ROW];
    }
}

/* Words of six letters from numbers of three, SIX_AT_ONCE at most. Compilers make vectors of the loops. */
static void words_of_6(const struct word_lookup *table, const uint8_t *subject, int n, uint32_t *words)
{
    const uint32_t radix = table->radix, radix3 = radix * radix * radix;
    uint8_t letters[SIX_AT_ONCE + 5], all = 0;
    uint16_t threes[SIX_AT_ONCE + 3];

#pragma GCC unroll 8
    for (int i = 0; i < n + 5; i++)
        letters[i] = table->letter_of[subject[i] % RESIDUE_ROW];
    for (int i = 0; i < n + 5; i++)
        all |= letters[i];
    if (all >= RESIDUE_ROW) {
        roll_words(table, subject, n, words);
        return;
    }
    for (int i = 0; i < n + 3; i++)
        threes[i] = (uint16_t)((letters[i] * radix + letters[i + 1]) * radix + letters[i + 2]);
    for (int i = 0; i < n; i++)
        words[i] = threes[i] * radix3 + threes[i + 3];
}

void word_lookup_words(const struct word_lookup *table, const uint8_t *subject, int n, uint32_t *words)
{
    if (table->word_size == WORD_LOOKUP_LONGEST_DIRECT && !table->breaks)
        words_of_3(subject, n, words);
    else if (table->word_size == 6)
        for (int at = 0; at < n; at += SIX_AT_ONCE)
            words_of_6(table, subject + at, n - at < SIX_AT_ONCE ? n - at : SIX_AT_ONCE, words + at);
    else
        roll_words(table, subject, n, words);
}
