/* two_hit_tables.c - see two_hit_tables.h. */
#include "lookup/two_hit_tables.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WINDOW = 200 };

/* NCBIstdaa codes of the amino acids, in the order of their numbers. */
static const uint8_t amino_codes[TWO_HIT_AMINO_ACIDS] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22};

struct amino_numbers two_hit_amino_numbers(void)
{
    struct amino_numbers numbers;

    memset(&numbers, 255, sizeof numbers);
    for (int i = 0; i < TWO_HIT_AMINO_ACIDS; i++)
        numbers.of[amino_codes[i]] = (uint8_t)i;
    return numbers;
}

static bool are_usual(const struct two_hit_queries *queries, const struct two_hit_gpu_words *words, int n_positions)
{
    const int word_size = words->rules->word_size;
    bool takes = queries->n > 0 && queries->n < UINT16_MAX && queries->window >= word_size && queries->window <= MOST_WINDOW;

    if (long_words_are(word_size))
        takes = takes && n_positions <= WORD_LOOKUP_POSITIONS16;
    else
        takes = takes && word_size >= TWO_HIT_MIN_WORD_RESIDUES && queries->words->positions16 != NULL;
    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES && takes; i++)
        takes = queries->scores[i] <= INT8_MAX && (queries->scores[i] > INT8_MIN || i % RESIDUE_CODES == 0 || i < RESIDUE_CODES);
    for (size_t i = 0; i < queries->n && takes; i++) {
        takes = queries->items[i].x_drop > 0 && queries->items[i].x_drop <= -INT8_MIN && queries->items[i].cutoff > 0;
        for (int k = 0; k < queries->items[i].length && takes; k++)
            takes = queries->items[i].codes[k] != 0;
    }
    return takes;
}

static size_t take(size_t *at, size_t size_bytes)
{
    const size_t from = *at;

    *at = (from + size_bytes + 255) & ~(size_t)255;
    return from;
}

static struct two_hit_layout lay_out(const struct two_hit_queries *queries, int word_size, size_t n_positions)
{
    const bool is_long = long_words_are(word_size);
    struct two_hit_layout l;
    size_t at = 0;

    l.queries = take(&at, queries->n * sizeof(struct gpu_query));
    l.scores = take(&at, RESIDUE_CODES * RESIDUE_CODES * sizeof(int));
    l.word_starts = take(&at, is_long ? 0 : (words_all(word_size) + 1) * sizeof(uint32_t));
    l.query_of = take(&at, (n_positions + TWO_HIT_MARGIN) * sizeof(uint16_t));
    l.positions = take(&at, is_long ? 0 : (queries->words->n_positions + TWO_HIT_MARGIN) * sizeof(uint16_t));
    l.long_words = take(&at, is_long ? sizeof(struct long_words_rules) : 0);
    l.word_scores = take(&at, is_long ? RESIDUE_CODES * RESIDUE_CODES * sizeof(int) : 0);
    l.query_codes = take(&at, n_positions + 2 * TWO_HIT_MARGIN) + TWO_HIT_MARGIN;
    l.has_word = take(&at, n_positions + TWO_HIT_MARGIN);
    l.rows = take(&at, RESIDUE_ROW * RESIDUE_ROW);
    l.size_bytes = at;
    return l;
}

static void *array_at(const struct two_hit_gpu_tables *t, size_t offset) { return t->memory + offset; }

uint32_t two_hit_gpu_n_long_words(const struct two_hit_gpu_tables *tables)
{
    const struct long_words_rules *rules = array_at(tables, tables->layout.long_words);

    return long_words_are(tables->word_size) ? rules->numbers.n_words : 0;
}

/* Writes the positions of a word, the next in this table's order. */
static void put_word(const struct two_hit_gpu_tables *t, const struct word_lookup *words, uint32_t number, uint32_t word, uint32_t *at)
{
    uint32_t *const word_starts = array_at(t, t->layout.word_starts);
    uint16_t *const positions = array_at(t, t->layout.positions);
    uint8_t *const has_word = array_at(t, t->layout.has_word);
    uint32_t n;
    const uint32_t first = word_lookup_find(words, word, &n);

    word_starts[number] = *at;
    for (uint32_t i = 0; i < n; i++) {
        positions[*at + i] = words->positions16[first + i];
        has_word[words->positions16[first + i]] = 1;
    }
    *at += n;
}

/* Spells a number in a base as a word of residues from `codes`. Returns the word's number in the CPU's table. */
static uint32_t spell(uint32_t number, int word_size, uint32_t base, const uint8_t *codes, const struct word_lookup *words, uint8_t *to)
{
    uint32_t word = 0;

    for (int i = word_size - 1; i >= 0; i--, number /= base)
        to[i] = codes != NULL ? codes[number % base] : (uint8_t)(number % base);
    for (int i = 0; i < word_size; i++)
        word = word * words->radix + to[i];
    return word;
}

/* Writes words of 2 and 3 residues. */
static void put_words(const struct two_hit_gpu_tables *t, const struct word_lookup *words)
{
    const struct amino_numbers numbers = two_hit_amino_numbers();
    const uint32_t none = word_none(t->word_size), all = words_all(t->word_size);
    uint32_t *const word_starts = array_at(t, t->layout.word_starts);
    uint8_t codes[TWO_HIT_WORD_RESIDUES];
    uint32_t at = 0;

    for (uint32_t i = 0; i < none; i++)
        put_word(t, words, i, spell(i, t->word_size, TWO_HIT_AMINO_ACIDS, amino_codes, words, codes), &at);
    word_starts[none] = at;
    for (uint32_t i = none + 1; i < all; i++) {
        const uint32_t word = spell(i - none - 1, t->word_size, RESIDUE_CODES, NULL, words, codes);
        if (word_number(&numbers, codes, t->word_size) == i)
            put_word(t, words, i, word, &at);
        else
            word_starts[i] = at;
    }
    word_starts[all] = at;
}

/* Writes the rules of longer words, and where words begin in the queries. */
static void put_long_words(const struct two_hit_gpu_tables *t, const struct two_hit_gpu_words *words, size_t n)
{
    struct long_words_rules *const rules = array_at(t, t->layout.long_words);
    uint8_t *const has_word = array_at(t, t->layout.has_word);

    long_words_init(words->rules, rules, array_at(t, t->layout.word_scores));
    for (const struct word_lookup_query *q = words->queries; q < words->queries + n; q++)
        for (size_t i = 0; i < q->n_ranges; i++)
            for (int at = q->ranges[i].first; at + rules->numbers.word_size <= q->ranges[i].end; at++)
                has_word[q->first_position + at] = (uint8_t)long_words_has_letters(&rules->numbers, q->codes + at);
}

static void put_queries(const struct two_hit_gpu_tables *t, const struct two_hit_queries *queries)
{
    struct gpu_query *const to = array_at(t, t->layout.queries);
    uint16_t *const query_of = array_at(t, t->layout.query_of);
    int8_t *const rows = array_at(t, t->layout.rows);

    memcpy(array_at(t, t->layout.scores), queries->scores, RESIDUE_CODES * RESIDUE_CODES * sizeof(int));
    memset(rows, TWO_HIT_SEPARATOR, RESIDUE_ROW * RESIDUE_ROW);
    for (int i = 1; i < RESIDUE_CODES; i++)
        for (int j = 1; j < RESIDUE_CODES; j++)
            rows[i * RESIDUE_ROW + j] = (int8_t)queries->scores[i * RESIDUE_CODES + j];
    for (size_t q = 0; q < queries->n; q++) {
        const struct two_hit_query *item = &queries->items[q];
        to[q] = (struct gpu_query){item->first_position, item->length, item->x_drop, item->cutoff};
        memcpy(t->memory + t->layout.query_codes + item->first_position, item->codes, (size_t)item->length);
        for (int i = 0; i < item->length; i++)
            query_of[item->first_position + i] = (uint16_t)q;
    }
}

tms_status two_hit_gpu_tables_create(const struct two_hit_queries *queries, const struct two_hit_gpu_words *words, int n_positions,
                                     struct two_hit_gpu_tables **out)
{
    struct two_hit_gpu_tables *t;

    *out = NULL;
    if (!are_usual(queries, words, n_positions))
        return TMS_OK;
    t = calloc(1, sizeof *t);
    if (t == NULL)
        return TMS_E_MEMORY;
    t->word_size = words->rules->word_size;
    t->layout = lay_out(queries, t->word_size, (size_t)n_positions);
    t->n_positions = n_positions;
    t->window = queries->window;
    t->threshold = words->rules->threshold;
    t->memory = calloc(t->layout.size_bytes, 1);
    if (t->memory == NULL) {
        free(t);
        return TMS_E_MEMORY;
    }
    if (long_words_are(t->word_size))
        put_long_words(t, words, queries->n);
    else
        put_words(t, queries->words);
    put_queries(t, queries);
    *out = t;
    return TMS_OK;
}

void two_hit_gpu_tables_destroy(struct two_hit_gpu_tables *tables)
{
    while (tables != NULL) {
        struct two_hit_gpu_tables *next = tables->next;
        free(tables->memory);
        free(tables->owned);
        free(tables);
        tables = next;
    }
}
