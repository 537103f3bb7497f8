/*
 * test_long_words.c - the steps from which a GPU makes the table of long words. The words similar to each word of the queries are those of
 * word_lookup_build(), each once. The table made by counting, summing and writing has the same positions for each word of a subject, also
 * for broken words, and the same expected number of hits.
 */
#include <stdlib.h>
#include <string.h>

#include "lookup/long_words.h"
#include "unit/lookup/two_hit_samples.h"

enum { MOST_NEAR = 1 << 20 };

static struct long_words_rules rules;
static int code_scores[RESIDUE_CODES * RESIDUE_CODES];
static uint32_t near[MOST_NEAR];
static double frequencies[RESIDUE_CODES];

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void take_near(void *to, uint32_t word)
{
    size_t *n = to;
    assert_true(*n < MOST_NEAR);
    near[(*n)++] = word;
}

/* Collects all words similar to the query's word, ascending. */
static size_t near_words(const uint8_t *codes)
{
    uint32_t word;
    size_t n = 0;
    if (long_words_own(&rules, codes, &word))
        take_near(&n, word);
    for (uint32_t beginning = 0; beginning < long_words_beginnings(&rules); beginning++)
        long_words_near(&rules, codes, beginning, take_near, &n);
    if (n > 0)
        qsort(near, n, sizeof *near, compare_numbers);
    return n;
}

static bool has_position(const struct word_lookup *words, uint32_t word, int position)
{
    uint32_t n = 0;
    const uint32_t first = word_lookup_find(words, word, &n);
    for (uint32_t i = 0; i < n; i++)
        if (word_lookup_position(words, first + i) == position)
            return true;
    return false;
}

/* The table, made as in long_words_cuda.cu. */
struct table {
    uint32_t *starts;
    uint16_t *positions;
    size_t n_positions;
};

static void check_near_words(const struct sample *sample, const struct word_lookup *words, struct table *out)
{
    uint32_t *next, sum = 0;
    double expected = 0;
    out->starts = sample_alloc(((size_t)rules.numbers.n_words + 1) * sizeof *out->starts);
    memset(out->starts, 0, ((size_t)rules.numbers.n_words + 1) * sizeof *out->starts);
    out->positions = sample_alloc((words->n_positions + 1) * sizeof *out->positions);
    out->n_positions = 0;
    next = out->starts + 1;
    for (int round = 0; round < 2; round++) {
        for (size_t q = 0; q < sample->n; q++)
            for (int at = 0; at + rules.numbers.word_size <= sample->items[q].length; at++) {
                const uint8_t *codes = sample->items[q].codes + at;
                const int position = sample->items[q].first_position + at;
                const size_t n = long_words_has_letters(&rules.numbers, codes) ? near_words(codes) : 0;
                for (size_t i = 0; i < n; i++) {
                    if (round == 1) {
                        out->positions[next[near[i]]++] = (uint16_t)position;
                        continue;
                    }
                    assert_true(near[i] < rules.numbers.n_words && (i == 0 || near[i] > near[i - 1]));
                    if (i % 64 == 0)
                        assert_true(has_position(words, near[i], position));
                    next[near[i]]++;
                    expected += long_words_frequency(&rules, near[i]);
                }
                out->n_positions += round == 0 ? n : 0;
            }
        assert_int_equal(out->n_positions, words->n_positions);
        for (uint32_t word = 0; word < rules.numbers.n_words && round == 0; word++) {
            const uint32_t n = next[word];
            next[word] = sum;
            sum += n;
        }
    }
    assert_true(expected >= words->expected_hits * (1 - 1e-9) && expected <= words->expected_hits * (1 + 1e-9));
}

/* Checks the words of a subject with gaps. */
static void check_subject(sample_random *r, const struct sample *sample, const struct word_lookup *words, const struct table *table)
{
    const int n = make_subject(r, ODD, sample, 400), n_words = n - words->word_size + 1;
    uint32_t want[400], got[LONG_WORDS_AT_ONCE];
    for (int i = 0; i < 5; i++)
        subject_codes[1 + random_below(r, (uint64_t)n)] = 0;
    word_lookup_words(words, subject_codes + 1, n_words, want);
    for (int at = 0; at + LONG_WORDS_AT_ONCE <= n_words; at++) {
        long_words_read(&rules.numbers, subject_codes + 1 + at, got);
        for (int i = 0; i < LONG_WORDS_AT_ONCE; i++)
            assert_int_equal(got[i], want[at + i]);
    }
    for (int at = 0; at < n_words; at++) {
        uint32_t n_positions = 0, first;
        if (want[at] == words->n_words)
            continue;
        first = word_lookup_find(words, want[at], &n_positions);
        assert_int_equal(table->starts[want[at] + 1] - table->starts[want[at]], n_positions);
        for (uint32_t i = 0; i < n_positions; i++) /* here positions are ascending too */
            assert_int_equal(table->positions[table->starts[want[at]] + i], word_lookup_position(words, first + i));
    }
}

static void test_table(void **state)
{
    static const struct {
        int word_size, threshold, length;
        enum kind kind;
    } cases[] = {
        {6, 21, 40, USUAL}, {6, 21, 40, ODD},    {6, 0, 200, ODD},   {6, 70, 200, REPEATS}, {7, 21, 40, USUAL},
        {7, 25, 60, ODD},   {7, 0, 60, REPEATS}, {4, 13, 60, USUAL}, {4, 12, 60, ODD},      {4, 0, 60, ODD},
        {4, 30, 60, ODD},   {5, 22, 40, USUAL},  {5, 26, 40, ODD},   {6, 21, 8, USUAL},
    };
    sample_random r = {sample_seed()};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct word_lookup_rules of = sample_rules(cases[i].word_size, cases[i].threshold);
        struct two_hit_queries queries = {.scores = scores, .window = 40};
        struct two_hit_diagonals diagonals;
        struct word_lookup words;
        struct sample sample;
        struct table table;
        of.frequencies = frequencies;
        make_queries(&r, cases[i].kind, cases[i].length, 16, 20, &sample);
        prepare(&of, &sample, &words, &queries, &diagonals);
        long_words_init(&of, &rules, code_scores);
        assert_int_equal(rules.numbers.n_words, words.n_words);
        check_near_words(&sample, &words, &table);
        for (int k = 0; k < 5; k++)
            check_subject(&r, &sample, &words, &table);
        free(table.starts);
        free(table.positions);
        two_hit_diagonals_free(&diagonals);
        word_lookup_free(&words);
    }
}

/* Scores of codes are those of their letters; with a code without a letter no word reaches a threshold. */
static void test_code_scores(void **state)
{
    const struct word_lookup_rules of = sample_rules(6, 21), of_codes = sample_rules(4, 13);
    (void)state;
    long_words_init(&of, &rules, code_scores);
    for (int query = 0; query < RESIDUE_CODES; query++)
        for (int code = 0; code < RESIDUE_CODES; code++)
            assert_int_equal(code_scores[RESIDUE_CODES * query + code],
                             groups.group_of[code] == REDUCED_NONE ? LONG_WORDS_BREAKS
                                                                   : groups.scores[groups.n_groups * query + groups.group_of[code]]);
    for (int code = RESIDUE_CODES; code < RESIDUE_ROW; code++)
        assert_int_equal(rules.numbers.letter_of[code], LONG_WORDS_NO_LETTER);
    long_words_init(&of_codes, &rules, code_scores);
    assert_memory_equal(code_scores, scores, sizeof scores);
    assert_false(long_words_are(3));
    assert_true(long_words_are(4) && long_words_are(7));
    assert_false(long_words_are(8));
}

static int setup(void **state)
{
    (void)state;
    sample_seed();
    read_scores();
    for (int code = 1; code < RESIDUE_CODES; code++)
        frequencies[code] = 1.0 / (code + 10); /* any frequencies */
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_code_scores),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
