/*
 * word_lookup.c - finds the words similar to each word of a query, letter by letter, the best letter first. It leaves a prefix as soon as
 * the best continuation does not reach the threshold. The search runs several times: once to mark the words of a sparse table, once to
 * count the positions of words, and once to write these positions.
 */
#include "lookup/word_lookup.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CODE = 1,     /* no word has a gap */
    LONGEST_DIRECT = 3, /* letters of the longest words that index `starts` directly */
    DIRECT_RADIX = 32
};

enum round { MARK, COUNT, WRITE };

struct search {
    const struct word_lookup_rules *rules;
    struct word_lookup_ranks ranks[RESIDUE_CODES];
    const uint8_t *word;                      /* the query's word */
    int best_after[WORD_LOOKUP_MAX_WORD + 1]; /* best_after[i]: the highest score of letters i .. w - 1 */
    int position;
    struct word_lookup *table;
    enum round round;
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

static void put(struct search *s, uint32_t word)
{
    struct word_lookup *t = s->table;

    if (s->round == MARK) {
        t->present[word / 64] |= (uint64_t)1 << word % 64;
    } else if (s->round == COUNT) {
        t->starts[word_lookup_entry(t, word)]++;
        t->n_positions++;
    } else {
        uint32_t at = t->starts[word_lookup_entry(t, word)]++; /* starts are moved back afterwards */
        if (t->positions16 != NULL)
            t->positions16[at] = (uint16_t)s->position;
        else
            t->positions32[at] = s->position;
    }
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

static void add_word(struct search *s)
{
    const struct word_lookup_rules *rules = s->rules;
    int self = 0;
    uint32_t word = 0;

    for (int i = 0; i < rules->word_size; i++) {
        uint8_t letter = s->table->letter_of[s->word[i]];
        if (letter == WORD_LOOKUP_NO_LETTER)
            return;
        self += rules->scores[rules->n_letters * s->word[i] + letter];
        word = word * s->table->radix + letter;
    }
    if (rules->threshold == 0 || self < rules->threshold) {
        put(s, word);
        if (rules->threshold == 0)
            return;
    }
    s->best_after[rules->word_size] = 0;
    for (int i = rules->word_size - 1; i >= 0; i--)
        s->best_after[i] = s->best_after[i + 1] + s->ranks[s->word[i]].scores[0];
    descend(s, 0, 0, rules->threshold);
}

static void add_words(struct search *s, const struct word_lookup_query *queries, size_t n_queries, enum round round)
{
    s->round = round;
    for (size_t q = 0; q < n_queries; q++)
        for (size_t i = 0; i < queries[q].n_ranges; i++)
            for (int at = queries[q].ranges[i].first; at + s->rules->word_size <= queries[q].ranges[i].end; at++) {
                s->word = queries[q].codes + at;
                s->position = queries[q].first_position + at;
                add_word(s);
            }
}

static void init(const struct word_lookup_rules *rules, struct word_lookup *out)
{
    uint32_t top = 1;

    memset(out, 0, sizeof *out);
    out->word_size = rules->word_size;
    out->threshold = rules->threshold;
    out->radix = rules->word_size <= LONGEST_DIRECT ? DIRECT_RADIX : (uint32_t)rules->n_letters;
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

/* Marks the words that have positions, and makes `starts` for them. Returns the number of entries of `starts`; 0: out of memory. */
static size_t make_starts(struct search *s, const struct word_lookup_query *queries, size_t n_queries)
{
    struct word_lookup *t = s->table;
    size_t n_blocks = t->n_words / 64 + 1, n = t->n_words;

    if (s->rules->word_size > LONGEST_DIRECT) {
        t->present = calloc(n_blocks, sizeof *t->present);
        t->ranks = malloc(n_blocks * sizeof *t->ranks);
        if (t->present == NULL || t->ranks == NULL)
            return 0;
        add_words(s, queries, n_queries, MARK);
        n = 0;
        for (size_t i = 0; i < n_blocks; i++) {
            t->ranks[i] = (uint32_t)n;
            n += (size_t)__builtin_popcountll(t->present[i]);
        }
    }
    t->starts = calloc(n + 2, sizeof *t->starts);
    return t->starts != NULL ? n + 2 : 0;
}

static bool make_positions(struct word_lookup *t, int end)
{
    if (t->n_positions > UINT32_MAX)
        return false;
    if (end <= WORD_LOOKUP_POSITIONS16)
        t->positions16 = calloc(t->n_positions + WORD_LOOKUP_READ_BEYOND, sizeof *t->positions16);
    else
        t->positions32 = malloc((t->n_positions + 1) * sizeof *t->positions32);
    return t->positions16 != NULL || t->positions32 != NULL;
}

tms_status word_lookup_build(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, size_t n_queries, int end,
                             struct word_lookup *out)
{
    struct search s = {.rules = rules, .table = out};
    size_t n_starts;
    uint32_t at = 0;

    init(rules, out);
    for (int code = 0; code < RESIDUE_CODES; code++)
        word_lookup_rank(rules, code, &s.ranks[code]);
    n_starts = make_starts(&s, queries, n_queries);
    if (n_starts > 0)
        add_words(&s, queries, n_queries, COUNT);
    if (n_starts == 0 || !make_positions(out, end)) {
        word_lookup_free(out);
        return TMS_E_MEMORY;
    }
    for (size_t i = 0; i < n_starts; i++) {
        uint32_t n = out->starts[i];
        out->starts[i] = at;
        at += n;
    }
    add_words(&s, queries, n_queries, WRITE);
    memmove(out->starts + 1, out->starts, (n_starts - 1) * sizeof *out->starts);
    out->starts[0] = 0;
    return TMS_OK;
}

void word_lookup_free(struct word_lookup *table)
{
    free(table->present);
    free(table->ranks);
    free(table->starts);
    free(table->positions16);
    free(table->positions32);
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

    if (w == LONGEST_DIRECT && !table->breaks) {
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

/*
 * Sums over all words that begin with `word` and have n_more further letters: positions of the word, times the frequency of these letters.
 */
static double expected_after(const struct word_lookup *table, const double *of_letter, uint32_t word, int n_more)
{
    double sum = 0;

    for (uint32_t letter = 0; letter < table->radix; letter++) {
        const uint32_t longer = word * table->radix + letter;
        uint32_t n = 0;
        if (of_letter[letter] <= 0)
            continue;
        if (n_more == 1)
            (void)word_lookup_find(table, longer, &n);
        sum += of_letter[letter] * (n_more == 1 ? n : expected_after(table, of_letter, longer, n_more - 1));
    }
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
