/* two_hit_tables.c - see two_hit_tables.h. */
#include "seed/two_hit_tables.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WINDOW = 200 };

/* NCBIstdaa, in the order of their numbers. */
static const uint8_t amino_codes[AMINO_ACIDS] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22};

struct amino_numbers two_hit_amino_numbers(void)
{
    struct amino_numbers numbers;

    memset(&numbers, 255, sizeof numbers);
    for (int i = 0; i < AMINO_ACIDS; i++)
        numbers.of[amino_codes[i]] = (uint8_t)i;
    return numbers;
}

static bool queries_are_usual(const struct two_hit_queries *queries)
{
    bool takes = queries->words->word_size == WORD_LETTERS && queries->words->narrow != NULL && queries->n > 0 && queries->n < UINT16_MAX &&
                 queries->window >= WORD_LETTERS && queries->window <= MOST_WINDOW;

    for (int i = 0; i < UNGAPPED_CODES * UNGAPPED_CODES && takes; i++)
        takes = queries->scores[i] <= INT8_MAX && (queries->scores[i] > INT8_MIN || i % UNGAPPED_CODES == 0 || i < UNGAPPED_CODES);
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

static struct two_hit_layout lay_out(const struct two_hit_queries *queries, size_t n_places)
{
    struct two_hit_layout l;
    size_t at = 0;

    l.queries = take(&at, queries->n * sizeof(struct gpu_query));
    l.scores = take(&at, UNGAPPED_CODES * UNGAPPED_CODES * sizeof(int));
    l.word_starts = take(&at, (WORDS_ALL + 1) * sizeof(uint32_t));
    l.query_of = take(&at, (n_places + MARGIN) * sizeof(uint16_t));
    l.places = take(&at, (queries->words->n_places + MARGIN) * sizeof(uint16_t));
    l.strip = take(&at, n_places + 2 * MARGIN) + MARGIN;
    l.has_word = take(&at, n_places + MARGIN);
    l.rows = take(&at, ROW_CODES * ROW_CODES);
    l.size_bytes = at;
    return l;
}

static void *array_at(const struct two_hit_gpu_tables *t, size_t place) { return t->memory + place; }

/* The places of a word, the next in the order of this room. */
static void put_word(const struct two_hit_gpu_tables *t, const struct neighbours *words, uint32_t number, uint32_t word, uint32_t *at)
{
    uint32_t *const word_starts = array_at(t, t->layout.word_starts);
    uint16_t *const places = array_at(t, t->layout.places);
    uint8_t *const has_word = array_at(t, t->layout.has_word);
    uint32_t n;
    const uint32_t first = neighbours_find(words, word, &n);

    word_starts[number] = *at;
    for (uint32_t i = 0; i < n; i++) {
        places[*at + i] = words->narrow[first + i];
        has_word[words->narrow[first + i]] = 1;
    }
    *at += n;
}

static void put_words(const struct two_hit_gpu_tables *t, const struct neighbours *words)
{
    const struct amino_numbers numbers = two_hit_amino_numbers();
    uint32_t *const word_starts = array_at(t, t->layout.word_starts);
    uint32_t at = 0;

    for (uint32_t i = 0; i < WORDS_IN_SHARED; i++) {
        const uint32_t a = amino_codes[i / AMINO_ACIDS / AMINO_ACIDS], b = amino_codes[i / AMINO_ACIDS % AMINO_ACIDS];
        put_word(t, words, i, (a * words->radix + b) * words->radix + amino_codes[i % AMINO_ACIDS], &at);
    }
    word_starts[WORD_NONE] = at;
    for (uint32_t i = 0; i < WORDS_OF_CODES; i++) {
        const uint32_t a = i / UNGAPPED_CODES / UNGAPPED_CODES, b = i / UNGAPPED_CODES % UNGAPPED_CODES, c = i % UNGAPPED_CODES;
        if (word_number(&numbers, a, b, c) == WORD_NONE + 1 + i)
            put_word(t, words, WORD_NONE + 1 + i, (a * words->radix + b) * words->radix + c, &at);
        else
            word_starts[WORD_NONE + 1 + i] = at;
    }
    word_starts[WORDS_ALL] = at;
}

static void put_queries(const struct two_hit_gpu_tables *t, const struct two_hit_queries *queries)
{
    struct gpu_query *const to = array_at(t, t->layout.queries);
    uint16_t *const query_of = array_at(t, t->layout.query_of);
    int8_t *const rows = array_at(t, t->layout.rows);

    memcpy(array_at(t, t->layout.scores), queries->scores, UNGAPPED_CODES * UNGAPPED_CODES * sizeof(int));
    memset(rows, SEPARATOR, ROW_CODES * ROW_CODES);
    for (int i = 1; i < UNGAPPED_CODES; i++)
        for (int j = 1; j < UNGAPPED_CODES; j++)
            rows[i * ROW_CODES + j] = (int8_t)queries->scores[i * UNGAPPED_CODES + j];
    for (size_t q = 0; q < queries->n; q++) {
        const struct two_hit_query *item = &queries->items[q];
        to[q] = (struct gpu_query){item->first_place, item->length, item->x_drop, item->cutoff};
        memcpy(t->memory + t->layout.strip + item->first_place, item->codes, (size_t)item->length);
        for (int i = 0; i < item->length; i++)
            query_of[item->first_place + i] = (uint16_t)q;
    }
}

tms_status two_hit_gpu_tables_create(const struct two_hit_queries *queries, int n_places, struct two_hit_gpu_tables **out)
{
    struct two_hit_gpu_tables *t;

    *out = NULL;
    if (!queries_are_usual(queries))
        return TMS_OK;
    t = calloc(1, sizeof *t);
    if (t == NULL)
        return TMS_E_MEMORY;
    t->layout = lay_out(queries, (size_t)n_places);
    t->n_places = n_places;
    t->window = queries->window;
    t->threshold = queries->words->threshold;
    t->memory = calloc(t->layout.size_bytes, 1);
    if (t->memory == NULL) {
        free(t);
        return TMS_E_MEMORY;
    }
    put_words(t, queries->words);
    put_queries(t, queries);
    *out = t;
    return TMS_OK;
}

void two_hit_gpu_tables_destroy(struct two_hit_gpu_tables *tables)
{
    if (tables == NULL)
        return;
    free(tables->memory);
    free(tables);
}
