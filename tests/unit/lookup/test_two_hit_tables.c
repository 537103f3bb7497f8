/*
 * test_two_hit_tables.c - the tables of queries for GPUs, made without a GPU: every word of 2 and 3 residues has the positions of
 * word_lookup_find(); every position has its query, its residue, and whether a word begins there; scores; which queries GPUs do not
 * support; and several tables have together what one has.
 */
#include <stdlib.h>
#include <string.h>

#include "lookup/two_hit_stretches.h"
#include "lookup/two_hit_tables.h"
#include "unit/lookup/two_hit_samples.h"

static int setup(void **state)
{
    (void)state;
    sample_seed();
    read_scores();
    return 0;
}

/* Checks the positions of a word of codes. */
static void check_word(const struct two_hit_gpu_tables *t, const struct word_lookup *words, const uint8_t *codes, uint8_t *is_seen)
{
    const struct amino_numbers numbers = two_hit_amino_numbers();
    const uint32_t *starts = (const uint32_t *)(const void *)(t->memory + t->layout.word_starts);
    const uint16_t *positions = (const uint16_t *)(const void *)(t->memory + t->layout.positions);
    const uint32_t number = word_number(&numbers, codes, t->word_size);
    uint32_t first, n = 0, word = 0;
    bool has_gap = false;

    for (int i = 0; i < t->word_size; i++) {
        word = word * words->radix + codes[i];
        has_gap |= codes[i] == 0;
    }
    assert_true(number < words_all(t->word_size));
    if (has_gap) {
        assert_int_equal(number, word_none(t->word_size));
        assert_int_equal(starts[number + 1], starts[number]);
        return;
    }
    first = word_lookup_find(words, word, &n);
    assert_int_equal(starts[number + 1] - starts[number], n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(positions[starts[number] + i], word_lookup_position(words, first + i));
    assert_false(is_seen[number]); /* no two words have the same number */
    is_seen[number] = 1;
}

static void check_words(const struct two_hit_gpu_tables *t, const struct word_lookup *words)
{
    const uint32_t *starts = (const uint32_t *)(const void *)(t->memory + t->layout.word_starts);
    uint8_t *is_seen = calloc(words_all(t->word_size), 1), codes[3];

    assert_non_null(is_seen);
    for (codes[0] = 0; codes[0] < RESIDUE_CODES; codes[0]++)
        for (codes[1] = 0; codes[1] < RESIDUE_CODES; codes[1]++)
            for (codes[2] = 0; codes[2] < (t->word_size == 2 ? 1 : RESIDUE_CODES); codes[2]++)
                check_word(t, words, codes, is_seen);
    assert_int_equal(starts[0], 0);
    assert_int_equal(starts[words_all(t->word_size)], words->n_positions);
    assert_int_equal(two_hit_gpu_n_long_words(t), 0);
    free(is_seen);
}

/* Checks the rules of longer words, which have no table here. */
static void check_long_words(const struct two_hit_gpu_tables *t, const struct word_lookup *words)
{
    const struct long_words_rules *rules = (const struct long_words_rules *)(const void *)(t->memory + t->layout.long_words);

    assert_int_equal(two_hit_gpu_n_long_words(t), words->n_words);
    assert_int_equal(rules->numbers.word_size, words->word_size);
    assert_true(t->layout.size_bytes < 100000);
}

static void check_positions(const struct two_hit_gpu_tables *t, const struct two_hit_queries *queries)
{
    const struct gpu_query *items = (const struct gpu_query *)(const void *)(t->memory + t->layout.queries);
    const uint16_t *query_of = (const uint16_t *)(const void *)(t->memory + t->layout.query_of);
    const uint8_t *concatenated = t->memory + t->layout.query_codes, *has_word = t->memory + t->layout.has_word;

    assert_memory_equal(has_word, queries->words->has_word, (size_t)t->n_positions);
    for (size_t q = 0; q < queries->n; q++) {
        const struct two_hit_query *item = &queries->items[q];
        const int end = item->first_position + item->length;
        assert_int_equal(items[q].first_position, item->first_position);
        assert_int_equal(items[q].length, item->length);
        assert_int_equal(items[q].x_drop, item->x_drop);
        assert_int_equal(items[q].cutoff, item->cutoff);
        assert_memory_equal(concatenated + item->first_position, item->codes, (size_t)item->length);
        assert_int_equal(concatenated[item->first_position - 1], 0);
        assert_int_equal(concatenated[end], 0);
        for (int i = item->first_position; i < end; i++)
            assert_int_equal(query_of[i], q);
    }
}

static void check_scores(const struct two_hit_gpu_tables *t)
{
    const int8_t *rows = (const int8_t *)(const void *)(t->memory + t->layout.rows);

    assert_memory_equal(t->memory + t->layout.scores, scores, sizeof scores);
    for (int i = 0; i < RESIDUE_ROW; i++)
        for (int k = 0; k < RESIDUE_ROW; k++) {
            const int is_residue = i > 0 && k > 0 && i < RESIDUE_CODES && k < RESIDUE_CODES;
            assert_int_equal(rows[i * RESIDUE_ROW + k], is_residue ? scores[i * RESIDUE_CODES + k] : TWO_HIT_SEPARATOR);
        }
}

static void test_tables(void **state)
{
    static const int word_sizes[] = {3, 2, 6, 4, 7};
    sample_random r = {sample_seed()};

    (void)state;
    for (int i = 0; i < 20; i++) {
        const int word_size = word_sizes[i % 5];
        const struct word_lookup_rules rules = sample_rules(word_size, (word_size > 3 ? 24 : 9) + i % 4);
        struct two_hit_queries queries = {.scores = scores, .window = 40};
        struct two_hit_diagonals diagonals;
        struct two_hit_gpu_tables *t;
        struct word_lookup words;
        struct sample sample;
        make_queries(&r, (enum kind)(i % 4), i < 10 || word_size > 3 ? 60 : 900, 16, 20, &sample);
        prepare(&rules, &sample, &words, &queries, &diagonals);
        const struct two_hit_gpu_words of = {&rules, sample.words};
        assert_int_equal(two_hit_gpu_tables_create(&queries, &of, sample.n_positions, &t), TMS_OK);
        assert_non_null(t);
        assert_int_equal(t->n_positions, sample.n_positions);
        assert_int_equal(t->window, 40);
        assert_int_equal(t->threshold, words.threshold);
        if (word_size <= 3)
            check_words(t, &words);
        else
            check_long_words(t, &words);
        check_positions(t, &queries);
        check_scores(t);
        two_hit_gpu_tables_destroy(t);
        two_hit_diagonals_free(&diagonals);
        word_lookup_free(&words);
    }
    two_hit_gpu_tables_destroy(NULL);
}

/* Queries that GPUs do not support: each differs from usual queries in one respect. */
static void test_not_for_gpus(void **state)
{
    sample_random r = {sample_seed()};
    struct two_hit_diagonals diagonals;
    struct word_lookup words;
    struct sample sample;

    (void)state;
    make_queries(&r, USUAL, 100, 16, 20, &sample);
    for (int i = 0; i < 16; i++) {
        const struct word_lookup_rules rules = sample_rules(i < 8 ? 3 : 6, i < 8 ? 11 : 21);
        const struct two_hit_gpu_words of = {&rules, sample.words};
        struct two_hit_queries queries = {.scores = scores,
                                          .window = i % 8 == 1   ? 0
                                                    : i % 8 == 2 ? 201
                                                    : i % 8 == 3 ? rules.word_size - 1
                                                                 : 40};
        const struct two_hit_query before = sample.items[0];
        struct two_hit_gpu_tables *t;
        const int score = scores[RESIDUE_CODES + 1];
        prepare(&rules, &sample, &words, &queries, &diagonals);
        sample.items[0].x_drop = i % 8 == 4 ? 129 : before.x_drop;
        sample.items[0].cutoff = i % 8 == 5 ? 0 : before.cutoff;
        scores[RESIDUE_CODES + 1] = i % 8 == 6 ? 128 : score;
        assert_int_equal(two_hit_gpu_tables_create(&queries, &of, i == 15 ? WORD_LOOKUP_POSITIONS16 + 1 : sample.n_positions, &t), TMS_OK);
        assert_true((t != NULL) == (i % 8 == 0 || i == 7));
        two_hit_gpu_tables_destroy(t);
        scores[RESIDUE_CODES + 1] = score;
        sample.items[0] = before;
        two_hit_diagonals_free(&diagonals);
        word_lookup_free(&words);
    }
}

/* Checks one of several tables, of which `at` residues of its first query are in earlier ones. Returns how many are in this one. */
static int check_stretch(const struct two_hit_gpu_tables *t, const struct sample *sample, const uint8_t *has_word, int at)
{
    const struct two_hit_query *item = &sample->items[t->first_query];
    const struct two_hit_stretch *s = &t->stretch;
    const struct gpu_query *own = (const struct gpu_query *)(const void *)(t->memory + t->layout.queries);

    if (s->codes == NULL) {
        assert_int_equal(at, 0);
        assert_memory_equal(t->memory + t->layout.has_word, has_word + item->first_position, (size_t)t->n_positions);
        return item->length;
    }
    assert_ptr_equal(s->codes, item->codes);
    assert_int_equal(s->length, item->length);
    assert_int_equal(s->core, at);
    assert_true(s->first == 0 || s->core - s->first > t->window + t->word_size);
    assert_int_equal(t->n_positions, own->length + 1);
    assert_memory_equal(s->has_word, has_word + item->first_position, (size_t)item->length);
    return s->first + own->length - at;
}

static void test_stretches(void **state)
{
    sample_random r = {sample_seed()};

    (void)state;
    for (int i = 0; i < 20; i++) {
        const struct word_lookup_rules rules = sample_rules(3 - i % 2, 9 + i % 4);
        const int most = 30 + (int)random_below(&r, 400);
        struct two_hit_queries queries = {.scores = scores, .window = 40};
        struct two_hit_diagonals diagonals;
        struct two_hit_gpu_tables *t, *whole;
        struct word_lookup words;
        struct sample sample;
        uint64_t n_words = 0;
        size_t query = 0;
        int at = 0;
        make_queries(&r, (enum kind)(i % 4), 900, 16, 20, &sample);
        prepare(&rules, &sample, &words, &queries, &diagonals);
        const struct two_hit_gpu_words of = {&rules, sample.words};
        assert_int_equal(two_hit_gpu_tables_create(&queries, &of, sample.n_positions, &whole), TMS_OK);
        assert_int_equal(two_hit_stretches_create(&queries, &of, most, NULL, 0, &t), TMS_OK);
        assert_non_null(t);
        for (const struct two_hit_gpu_tables *k = t; k != NULL; k = k->next) {
            assert_int_equal(k->first_query, query);
            assert_true(k->n_positions <= most + (k->stretch.codes != NULL ? 40 + 2 * rules.word_size + 1 : 1));
            at += check_stretch(k, &sample, whole->memory + whole->layout.has_word, at);
            n_words += k->n_words;
            if (at < sample.items[query].length)
                continue;
            at = 0;
            query = k->next != NULL ? k->next->first_query : sample.n;
        }
        assert_int_equal(query, sample.n);
        assert_int_equal(n_words, words.n_positions);
        two_hit_gpu_tables_destroy(t);
        two_hit_gpu_tables_destroy(whole);
        two_hit_diagonals_free(&diagonals);
        word_lookup_free(&words);
    }
    assert_false(two_hit_stretches_take(6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_stretches),
        cmocka_unit_test(test_not_for_gpus),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
