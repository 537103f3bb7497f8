/*
 * word_lookup.c - finds the words similar to each word of a query, letter by letter, the best letter first. It leaves a prefix as soon as
 * the best continuation does not reach the threshold. For short words the search runs twice: to count the positions of words, and to write
 * them.
 *
 * A table of long words has tens of millions of entries. It is made part by part: a part has the words that begin with the same two
 * letters. What one search finds is listed and counted; then the positions of the part are written from the list. All of this stays in the
 * cache.
 */
#include "lookup/word_lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base.h"

enum {
    FIRST_CODE = 1, /* no word has a gap */
    DIRECT_RADIX = 32,
    PREFIX = 2 /* first letters that the words of a part have in common */
};

enum round { COUNT, WRITE, LIST };

/* A position of a word, which is the index of the word in its part. */
struct found {
    uint32_t word;
    int32_t position;
};

/* A word of the queries, for a table of long words. */
struct long_word {
    const uint8_t *codes;
    int position;
    int least;    /* what the first PREFIX letters have to score */
    uint32_t own; /* the word itself, if its score against itself is too low; else n_words */
};

struct search {
    const struct word_lookup_rules *rules;
    struct word_lookup_ranks ranks[RESIDUE_CODES];
    const uint8_t *word;                      /* the query's word */
    int best_after[WORD_LOOKUP_MAX_WORD + 1]; /* best_after[i]: the highest score of letters i .. w - 1 */
    int position;
    struct word_lookup *table;
    enum round round;
    uint32_t first;  /* the first word of the part */
    uint32_t *words; /* of each of its words: the number of positions; then the entry of the next one */
    struct found *found;
    size_t n_found;
};

void word_lookup_rank(const struct word_lookup_rules *rules, int code, struct word_lookup_ranks *out)
{
    const int first = rules->letter_of == NULL ? FIRST_CODE : 0;

    out->n = rules->n_letters - first;
    for (int n = 0; n < out->n; n++) {
        const int score = rules->scores[rules->n_letters * code + first + n];
        int at = n;
        for (; at > 0 && out->scores[at - 1] < score; at--) {
            out->scores[at] = out->scores[at - 1];
            out->letters[at] = out->letters[at - 1];
        }
        out->scores[at] = score;
        out->letters[at] = (uint8_t)(first + n);
    }
}

static inline void put_at(struct word_lookup *table, uint32_t at, int position)
{
    if (table->positions16 != NULL)
        table->positions16[at] = (uint16_t)position;
    else
        table->positions32[at] = position;
}

static inline void put(struct search *s, uint32_t word)
{
    const uint32_t at = s->words[word - s->first]++;

    if (s->round == LIST)
        s->found[s->n_found++] = (struct found){word - s->first, s->position};
    else if (s->round == WRITE)
        put_at(s->table, at, s->position);
}

/* Completes a word with this prefix in all ways whose score reaches `wanted`. */
static void descend(struct search *s, int i, uint32_t word, int wanted)
{
    const struct word_lookup_ranks *row = &s->ranks[s->word[i]];

    for (int k = 0; k < row->n; k++) {
        const uint32_t letter = row->letters[k];
        const int left = wanted - row->scores[k];
        if (left > s->best_after[i + 1]) /* the remaining letters score no more */
            return;
        if (i + 1 >= s->rules->word_size || i + 1 >= WORD_LOOKUP_MAX_WORD)
            put(s, word * s->table->radix + letter);
        else
            descend(s, i + 1, word * s->table->radix + letter, left);
    }
}

/* Sets *own to the word, and *self to its score against itself. Returns false if a code has no letter. */
static bool own_word(const struct search *s, uint32_t *own, int *self)
{
    const struct word_lookup_rules *rules = s->rules;

    *own = 0;
    *self = 0;
    for (int i = 0; i < rules->word_size; i++) {
        const uint8_t letter = s->table->letter_of[s->word[i]];
        if (letter == WORD_LOOKUP_NO_LETTER)
            return false;
        *self += rules->scores[rules->n_letters * s->word[i] + letter];
        *own = *own * s->table->radix + letter;
    }
    return true;
}

/* Whether a word is hit by itself alone, or also by itself. */
static bool needs_own(const struct search *s, int self) { return s->rules->threshold == 0 || self < s->rules->threshold; }

/* Sets best_after[first] and those that follow. */
static void set_best_after(struct search *s, int first)
{
    s->best_after[s->rules->word_size] = 0;
    for (int i = s->rules->word_size - 1; i >= first; i--)
        s->best_after[i] = s->best_after[i + 1] + s->ranks[s->word[i]].scores[0];
}

static void add_word(struct search *s)
{
    uint32_t own;
    int self;

    if (!own_word(s, &own, &self))
        return;
    if (needs_own(s, self))
        put(s, own);
    if (s->rules->threshold == 0)
        return;
    set_best_after(s, 0);
    descend(s, 0, 0, s->rules->threshold);
}

/* Calls `take` for each word of the queries. */
static void each_word(struct search *s, const struct word_lookup_query *queries, size_t n_queries, void (*take)(struct search *s))
{
    for (size_t q = 0; q < n_queries; q++)
        for (size_t i = 0; i < queries[q].n_ranges; i++)
            for (int at = queries[q].ranges[i].first; at + s->rules->word_size <= queries[q].ranges[i].end; at++) {
                s->word = queries[q].codes + at;
                s->position = queries[q].first_position + at;
                take(s);
            }
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
static size_t bytes_of_16(const struct word_lookup *t) { return (t->n_positions + WORD_LOOKUP_READ_BEYOND) * sizeof *t->positions16; }
static size_t bytes_of_32(const struct word_lookup *t) { return (t->n_positions + 1) * sizeof *t->positions32; }

static bool make_positions(struct word_lookup *t, bool short_positions)
{
    if (t->n_positions > UINT32_MAX)
        return false;
    if (short_positions)
        t->positions16 = memory_alloc_zeroed(bytes_of_16(t));
    else
        t->positions32 = memory_alloc_zeroed(bytes_of_32(t));
    return t->positions16 != NULL || t->positions32 != NULL;
}

/* --- short words --- */

static bool build_direct(struct search *s, const struct word_lookup_query *queries, size_t n_queries, bool short_positions)
{
    struct word_lookup *t = s->table;
    size_t at = 0;

    t->n_starts = (size_t)t->n_words + 2;
    t->starts = s->words = memory_alloc_zeroed(starts_bytes(t));
    if (t->starts == NULL)
        return false;
    s->round = COUNT;
    each_word(s, queries, n_queries, add_word);
    for (size_t i = 0; i < t->n_starts; i++) {
        const uint32_t n = t->starts[i];
        t->starts[i] = (uint32_t)at;
        at += n;
    }
    t->n_positions = at;
    if (!make_positions(t, short_positions))
        return false;
    s->round = WRITE;
    each_word(s, queries, n_queries, add_word);
    memmove(t->starts + 1, t->starts, t->n_words * sizeof *t->starts); /* each is now the start of the next one */
    t->starts[0] = 0;
    return true;
}

/* --- long words --- */

/* The table while it grows. */
struct long_build {
    struct search *search;
    struct long_word *words;
    size_t n_words, words_capacity, found_capacity;
    uint32_t *starts;
    int32_t *positions;
    size_t n_starts, starts_capacity, n_positions, positions_capacity;
    uint32_t part; /* words of a part */
};

static bool list_words(struct long_build *b, const struct word_lookup_query *queries, size_t n_queries)
{
    struct search *s = b->search;

    for (size_t q = 0; q < n_queries; q++)
        for (size_t i = 0; i < queries[q].n_ranges; i++)
            for (int at = queries[q].ranges[i].first; at + s->rules->word_size <= queries[q].ranges[i].end; at++) {
                uint32_t own;
                int self;
                s->word = queries[q].codes + at;
                if (!own_word(s, &own, &self))
                    continue;
                if (!array_reserve(&b->words, &b->words_capacity, b->n_words + 1, sizeof *b->words))
                    return false;
                set_best_after(s, PREFIX);
                b->words[b->n_words++] = (struct long_word){s->word, queries[q].first_position + at,
                                                            s->rules->threshold - s->best_after[PREFIX],
                                                            needs_own(s, self) ? own : s->table->n_words};
            }
    return true;
}

/* Lists the words of the part that begin with letters a and b and are similar to the queries'. */
static bool list_part(struct long_build *build, int a, int b)
{
    struct search *s = build->search;
    const struct word_lookup_rules *rules = s->rules;
    const uint32_t prefix = (uint32_t)a * s->table->radix + (uint32_t)b;
    const bool has_neighbors = rules->threshold > 0 && (rules->letter_of != NULL || (a >= FIRST_CODE && b >= FIRST_CODE));

    s->n_found = 0;
    for (size_t i = 0; i < build->n_words; i++) {
        const struct long_word *w = &build->words[i];
        const int score = rules->scores[rules->n_letters * w->codes[0] + a] + rules->scores[rules->n_letters * w->codes[1] + b];
        const bool is_own = w->own - s->first < build->part, goes_on = has_neighbors && score >= w->least;
        if (!is_own && !goes_on)
            continue;
        if (!array_reserve(&s->found, &build->found_capacity, s->n_found + build->part + 1, sizeof *s->found))
            return false;
        s->word = w->codes;
        s->position = w->position;
        if (is_own)
            put(s, w->own);
        if (!goes_on)
            continue;
        set_best_after(s, PREFIX);
        descend(s, PREFIX, prefix, rules->threshold - score);
    }
    return true;
}

/* Adds the words of the part that have positions, and these. */
static bool add_found(struct long_build *b)
{
    struct search *s = b->search;
    uint64_t *present = s->table->present;
    size_t at = b->n_positions, n = b->n_starts;

    if (!array_reserve(&b->starts, &b->starts_capacity, n + b->part, sizeof *b->starts) ||
        !array_reserve(&b->positions, &b->positions_capacity, at + s->n_found, sizeof *b->positions))
        return false;
    for (uint32_t i = 0; i < b->part; i++) {
        const uint32_t word = s->first + i, n_positions = s->words[i];
        present[word / 64] |= (uint64_t)(n_positions > 0) << word % 64;
        b->starts[n] = s->words[i] = (uint32_t)at;
        n += n_positions > 0;
        at += n_positions;
    }
    for (size_t i = 0; i < s->n_found; i++)
        b->positions[s->words[s->found[i].word]++] = s->found[i].position;
    b->n_starts = n;
    b->n_positions = at;
    return at <= UINT32_MAX;
}

static bool add_parts(struct long_build *b)
{
    struct search *s = b->search;

    for (int i = 0; i < s->rules->n_letters; i++)
        for (int k = 0; k < s->rules->n_letters; k++) {
            s->first = ((uint32_t)i * s->table->radix + (uint32_t)k) * b->part;
            memset(s->words, 0, b->part * sizeof *s->words);
            if (!list_part(b, i, k) || !add_found(b))
                return false;
        }
    return true;
}

/* Copies the arrays that have grown to huge pages. */
static bool settle(const struct long_build *b, bool short_positions)
{
    struct word_lookup *t = b->search->table;

    t->n_positions = b->n_positions;
    t->n_starts = b->n_starts + 2;
    t->starts = memory_alloc_zeroed(starts_bytes(t));
    if (t->starts == NULL || !make_positions(t, short_positions))
        return false;
    memcpy(t->starts, b->starts, b->n_starts * sizeof *t->starts);
    t->starts[b->n_starts] = t->starts[b->n_starts + 1] = (uint32_t)b->n_positions;
    for (uint32_t i = 0; i < (uint32_t)b->n_positions; i++)
        put_at(t, i, b->positions[i]);
    return true;
}

static bool build_long(struct search *s, const struct word_lookup_query *queries, size_t n_queries, bool short_positions)
{
    struct word_lookup *t = s->table;
    struct long_build b = {.search = s, .part = t->n_words / (t->radix * t->radix)};
    const size_t n_blocks = t->n_words / 64 + 1;
    uint32_t n = 0;
    bool done;

    s->round = LIST;
    t->present = calloc(n_blocks, sizeof *t->present);
    t->ranks = malloc(n_blocks * sizeof *t->ranks);
    s->words = malloc(b.part * sizeof *s->words);
    done = t->present != NULL && t->ranks != NULL && s->words != NULL && list_words(&b, queries, n_queries) && add_parts(&b) &&
           settle(&b, short_positions);
    for (size_t i = 0; i < n_blocks && done; i++) {
        t->ranks[i] = n;
        n += (uint32_t)__builtin_popcountll(t->present[i]);
    }
    free(s->words);
    free(s->found);
    free(b.words);
    free(b.starts);
    free(b.positions);
    return done;
}

tms_status word_lookup_build(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, size_t n_queries, int end,
                             struct word_lookup *out)
{
    struct search s = {.rules = rules, .table = out};
    const bool short_positions = end <= WORD_LOOKUP_POSITIONS16;
    bool done;

    init(rules, out);
    for (int code = 0; code < RESIDUE_CODES; code++)
        word_lookup_rank(rules, code, &s.ranks[code]);
    done = rules->word_size <= WORD_LOOKUP_LONGEST_DIRECT ? build_direct(&s, queries, n_queries, short_positions)
                                                          : build_long(&s, queries, n_queries, short_positions);
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
    memory_free(table->starts, starts_bytes(table));
    memory_free(table->positions16, bytes_of_16(table));
    memory_free(table->positions32, bytes_of_32(table));
    memset(table, 0, sizeof *table);
}

static void words_of_3(const uint8_t *subject, int n, uint32_t *words)
{
    for (int i = 0; i < n; i++)
        words[i] = (subject[i] % 32u << 10) + (subject[i + 1] % 32u << 5) + subject[i + 2] % 32u;
}

void word_lookup_words(const struct word_lookup *table, const uint8_t *subject, int n, uint32_t *words)
{
    const int w = table->word_size;
    uint32_t word = 0;
    int broken_until = -1; /* the last code without a letter; as a 0 it leaves the rolling number as it entered */

    if (w == WORD_LOOKUP_LONGEST_DIRECT && !table->breaks) {
        words_of_3(subject, n, words);
        return;
    }
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

/* Sums over the words of all letters but one, `word`, and a last letter: positions of the word, times the frequency of the letter. */
static double expected_last(const struct word_lookup *table, const double *of_letter, uint32_t word)
{
    const uint32_t first = word * table->radix;
    uint32_t entry = word_lookup_entry(table, first);
    double sum = 0;

    for (uint32_t letter = 0; letter < table->radix; letter++) {
        const uint32_t n = table->starts[entry + 1] - table->starts[entry], at = first + letter;
        const uint32_t occurs = table->present == NULL ? 1 : (uint32_t)(table->present[at / 64] >> at % 64 & 1);
        sum += of_letter[letter] * (n * occurs);
        entry += occurs;
    }
    return sum;
}

/* The same sum over all words of n_more residues more, 1 at least, that begin with `word`. */
static double expected_after(const struct word_lookup *table, const double *of_letter, uint32_t word, int n_more)
{
    double sum = 0;

    if (n_more == 1)
        return expected_last(table, of_letter, word);
    for (uint32_t letter = 0; letter < table->radix; letter++)
        if (of_letter[letter] > 0)
            sum += of_letter[letter] * expected_after(table, of_letter, word * table->radix + letter, n_more - 1);
    return sum;
}

double word_lookup_expected(const struct word_lookup *table, const double frequencies[RESIDUE_CODES])
{
    double of_letter[RESIDUE_ROW] = {0};

    for (int code = 0; code < RESIDUE_CODES; code++)
        if (table->letter_of[code] != WORD_LOOKUP_NO_LETTER)
            of_letter[table->letter_of[code]] += frequencies[code];
    return expected_after(table, of_letter, 0, table->word_size);
}
