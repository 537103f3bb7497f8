/* test_word_lookup.c - compares the table of similar words with the definition, for each word of a subject and each word of the queries. */
#include "lookup/word_lookup.h"
#include "score/matrix.h"
#include "score/reduced_alphabet.h"
#include "unit/context_fixture.h"

enum { MOST_LETTERS = 400, N_QUERIES = 3 };

static int scores[RESIDUE_CODES * RESIDUE_CODES];
static struct reduced_alphabet groups;

static struct word_lookup_rules rules_of(const struct score_matrix *matrix, int word_size, int threshold)
{
    if (word_size >= REDUCED_SHORTEST) {
        assert_true(reduced_alphabet_init(matrix, word_size, &groups));
        return (struct word_lookup_rules){word_size, 100 * threshold, groups.n_groups, groups.group_of, groups.scores};
    }
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            scores[i * RESIDUE_CODES + j] = matrix->scores[i][j];
    return (struct word_lookup_rules){word_size, threshold, RESIDUE_CODES, NULL, scores};
}

static int letter_of(const struct word_lookup_rules *rules, uint8_t code)
{
    return rules->letter_of != NULL ? rules->letter_of[code] : code;
}

/* Whether a subject's word hits a query's word, by definition. */
static bool hits(const struct word_lookup_rules *rules, const uint8_t *query, const uint8_t *subject)
{
    int sum = 0, self = 0;
    bool same = true;
    for (int i = 0; i < rules->word_size; i++) {
        int q = letter_of(rules, query[i]), s = letter_of(rules, subject[i]);
        if (q == WORD_LOOKUP_NO_LETTER || s == WORD_LOOKUP_NO_LETTER)
            return false;
        sum += rules->scores[rules->n_letters * query[i] + s];
        self += rules->scores[rules->n_letters * query[i] + q];
        same &= q == s;
    }
    if (rules->threshold == 0)
        return same;
    return sum >= rules->threshold || (same && self < rules->threshold);
}

struct sample {
    uint8_t codes[MOST_LETTERS];
    int n;
    struct residue_range ranges[2];
};

/* Makes residues of a query: if `odd`, all codes with equal frequencies, otherwise the 20 amino acids. */
static void make_sample(sample_random *r, bool odd, int n, struct sample *out)
{
    static const uint8_t usual[] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22};
    out->n = n;
    for (int i = 0; i < n; i++)
        out->codes[i] = odd ? (uint8_t)(1 + random_next(r) % (RESIDUE_CODES - 1)) : usual[random_next(r) % sizeof usual];
    out->ranges[0] = (struct residue_range){0, n / 3};
    out->ranges[1] = (struct residue_range){n / 3 + (n > 20 ? 2 : 0), n};
}

/* Makes a subject of stretches of the queries with some changes, so that long words also hit. */
static void make_subject(sample_random *r, const struct sample *queries, struct sample *out)
{
    make_sample(r, false, MOST_LETTERS, out);
    for (int i = 0; i < out->n; i++) {
        const struct sample *q = &queries[i / 40 % N_QUERIES];
        if (q->n > 0 && random_next(r) % 6 != 0)
            out->codes[i] = q->codes[i % q->n];
        else if (random_next(r) % 8 == 0)
            out->codes[i] = (uint8_t)(1 + random_next(r) % (RESIDUE_CODES - 1));
    }
}

static size_t check_word(const struct word_lookup *table, const struct word_lookup_rules *rules, const struct sample *queries,
                         const int *first_positions, const uint8_t *word, uint32_t number)
{
    uint32_t n, at = word_lookup_find(table, number, &n), n_want = 0;
    for (size_t q = 0; q < N_QUERIES; q++)
        for (size_t k = 0; k < 2; k++)
            for (int i = queries[q].ranges[k].first; i + rules->word_size <= queries[q].ranges[k].end; i++)
                if (hits(rules, queries[q].codes + i, word)) {
                    assert_true(n_want < n);
                    assert_int_equal(word_lookup_position(table, at + n_want), first_positions[q] + i);
                    n_want++;
                }
    assert_int_equal(n, n_want);
    return n;
}

/* The hits expected are those of all words; of words of up to four residues. */
static void check_expected_hits(const struct word_lookup *table, const struct word_lookup_rules *rules)
{
    double want = 0;
    for (uint32_t word = 0; word < table->n_words && table->n_words < 1000000; word++) {
        uint32_t n, left = word;
        double frequency = 1;
        for (int i = 0; i < table->word_size; i++, left /= table->radix)
            frequency *= left % table->radix < RESIDUE_CODES ? rules->frequencies[left % table->radix] : 0;
        word_lookup_find(table, word, &n);
        want += n * frequency;
    }
    assert_true(want == 0 || (table->expected_hits >= want * (1 - 1e-9) && table->expected_hits <= want * (1 + 1e-9)));
}

/* far [in] first position of the second query, so that positions are 16-bit or wider numbers. Returns whether lists are of blocks. */
static bool check_table(sample_random *r, const char *matrix, int word_size, int threshold, bool odd, int far)
{
    struct word_lookup_rules rules = rules_of(score_matrix_find(matrix), word_size, threshold);
    double frequencies[RESIDUE_CODES];
    const int first_positions[N_QUERIES] = {0, far, far + MOST_LETTERS};
    struct word_lookup_query queries[N_QUERIES];
    struct sample samples[N_QUERIES], subject;
    struct word_lookup table;
    uint32_t words[MOST_LETTERS];
    size_t n_hits = 0;
    int n_words = MOST_LETTERS - word_size + 1;
    bool has_blocks;
    for (int q = 0; q < N_QUERIES; q++) {
        make_sample(r, odd, q == 0 ? 90 : q == 1 ? 120 : (int)(random_next(r) % 10), &samples[q]);
        queries[q] = (struct word_lookup_query){samples[q].codes, samples[q].ranges, 2, first_positions[q]};
    }
    make_subject(r, samples, &subject);
    for (int code = 0; code < RESIDUE_CODES; code++)
        frequencies[code] = 1.0 / (code + 10); /* any */
    rules.frequencies = frequencies;
    assert_int_equal(word_lookup_build(&rules, queries, N_QUERIES, far + 2 * MOST_LETTERS, NULL, 0, &table), TMS_OK);
    assert_true((far > WORD_LOOKUP_POSITIONS16) == (table.positions16 == NULL));
    word_lookup_words(&table, subject.codes, n_words, words);
    for (int i = 0; i < n_words; i++)
        n_hits += check_word(&table, &rules, samples, first_positions, subject.codes + i, words[i]);
    assert_true(n_hits > 0);
    check_expected_hits(&table, &rules);
    has_blocks = table.has_blocks;
    word_lookup_free(&table);
    return has_blocks;
}

static void test_table(void **state)
{
    static const struct {
        const char *matrix;
        int word_size, threshold;
    } cases[] = {
        {"BLOSUM62", 2, 8},  {"BLOSUM62", 3, 11}, {"BLOSUM62", 3, 0},  {"BLOSUM45", 3, 14}, {"PAM30", 2, 16},    {"IDENTITY", 3, 27},
        {"BLOSUM62", 4, 13}, {"BLOSUM62", 4, 5},  {"PAM250", 4, 16},   {"BLOSUM62", 5, 20}, {"BLOSUM80", 5, 0},  {"BLOSUM62", 6, 21},
        {"BLOSUM45", 6, 30}, {"BLOSUM90", 6, 0},  {"BLOSUM62", 7, 25}, {"PAM30", 7, 30},    {"BLOSUM50", 7, 80}, {"BLOSUM62", 3, 4},
    };
    sample_random r = {sample_seed()};
    size_t n_blocks = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        n_blocks += check_table(&r, cases[i].matrix, cases[i].word_size, cases[i].threshold, false, MOST_LETTERS);
        check_table(&r, cases[i].matrix, cases[i].word_size, cases[i].threshold, true, 100000);
    }
    assert_true(n_blocks > 0 && n_blocks < sizeof cases / sizeof cases[0]);
}

/* No word has one of these codes. */
static void test_broken_words(void **state)
{
    const struct word_lookup_rules rules = rules_of(score_matrix_find("BLOSUM62"), 6, 21);
    uint8_t subject[] = {1, 21, 3, 4, 5, 6, 7, 8, 9, 24, 1, 1, 1, 1, 1, 1}; /* X, U */
    const int is_word[] = {0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1};
    struct residue_range all = {0, 16};
    struct word_lookup_query query = {subject, &all, 1, 0};
    struct word_lookup table;
    uint32_t words[11], n;
    (void)state;
    assert_int_equal(word_lookup_build(&rules, &query, 1, 16, NULL, 0, &table), TMS_OK);
    word_lookup_words(&table, subject, 11, words);
    for (int i = 0; i < 11; i++) {
        word_lookup_find(&table, words[i], &n);
        assert_int_equal(words[i] < table.n_words, is_word[i]);
        assert_int_equal(n > 0, is_word[i]);
    }
    word_lookup_free(&table);
}

/* Every word is similar to the first one, so all have cells; but only words that begin with 1, 1 have many positions, and a sample of words
 * does not tell of these. */
static void test_more_than_a_sample_tells(void **state)
{
    enum { MANY = 50, APART = 8 };
    uint8_t codes[APART * (MANY + 1)] = {1, 1, 1, 1};
    struct residue_range ranges[MANY + 1] = {{0, 4}};
    const struct word_lookup_query query = {codes, ranges, MANY + 1, 0};
    const struct word_lookup_rules rules = {4, 4, RESIDUE_CODES, NULL, scores};
    struct word_lookup table;
    (void)state;
    for (int letter = 0; letter < RESIDUE_CODES; letter++) {
        scores[RESIDUE_CODES + letter] = 1;
        scores[2 * RESIDUE_CODES + letter] = letter == 1 ? 1 : -100;
    }
    for (int i = 1; i <= MANY; i++) {
        memcpy(codes + APART * i, (uint8_t[]){2, 2, 1, 1}, 4);
        ranges[i] = (struct residue_range){APART * i, APART * i + 4};
    }
    assert_int_equal(word_lookup_build(&rules, &query, 1, sizeof codes, NULL, 0, &table), TMS_OK);
    assert_null(table.ranks);
    for (uint32_t word = 0; word < table.n_words; word++) {
        const uint32_t radix = table.radix, one = word / (radix * radix * radix), two = word / (radix * radix) % radix;
        const bool has_gap = one == 0 || two == 0 || word / radix % radix == 0 || word % radix == 0;
        const bool is_own = word == ((2 * radix + 2) * radix + 1) * radix + 1; /* which scores too little against itself */
        uint32_t n, at = word_lookup_find(&table, word, &n);
        assert_int_equal(n, has_gap ? 0 : is_own || (one == 1 && two == 1) ? MANY + 1 : 1);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(word_lookup_position(&table, at + i), APART * i);
    }
    word_lookup_free(&table);
}

static void test_no_groups(void **state)
{
    (void)state;
    assert_false(reduced_alphabet_init(score_matrix_find("IDENTITY"), 6, &groups));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_broken_words),
        cmocka_unit_test(test_more_than_a_sample_tells),
        cmocka_unit_test(test_no_groups),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
