/*
 * test_two_hit_sieve.c - the sieves of a GPU pass every extension of the two-hit rule. With words of 2 and 3 residues the sieve has a
 * candidate at the extension's second hit, or less than a word before it, and the candidate's bound is at least the extension's score.
 * Longer words have a bound at each hit.
 */
#include <string.h>

#include "lookup/long_words.h"
#include "lookup/two_hit_core.h"
#include "lookup/two_hit_sieve_core.h"
#include "unit/lookup/two_hit_samples.h"

enum { SWEPT_EVERY = 8 };

static int8_t rows[RESIDUE_ROW * RESIDUE_ROW];
static int word_scores[RESIDUE_CODES * RESIDUE_CODES];
static uint8_t padded_query[MOST_RESIDUES + 2 * SIEVE_READS], subjects[MOST_RESIDUES + 2 * SIEVE_READS];

static int setup(void **state)
{
    (void)state;
    sample_seed();
    read_scores();
    memset(rows, INT8_MIN, sizeof rows);
    for (int i = 1; i < RESIDUE_CODES; i++)
        for (int k = 1; k < RESIDUE_CODES; k++)
            rows[RESIDUE_ROW * i + k] = (int8_t)scores[RESIDUE_CODES * i + k];
    return 0;
}

/* Applies the first sieve along a diagonal and marks candidates by 1. Positions begin anywhere. */
static void mark_candidates(const struct two_hit_diagonal *d, uint32_t begins, uint8_t *is_candidate)
{
    const uint32_t word_size = (uint32_t)d->word_size, near = sieve_near(d->window, d->word_size);
    uint8_t last = (uint8_t)(begins - near);
    for (int at = 0; at < two_hit_n_words(d); at++) {
        const uint32_t here = begins + (uint32_t)at;
        is_candidate[at] = 0;
        if (two_hit_is_hit(d, at, two_hit_word_score(d, at)))
            is_candidate[at] = (uint8_t)sieve_hit(&last, here, word_size, near);
        if (here % SWEPT_EVERY == 0 && ((here - last) & 0xff) > near)
            last = (uint8_t)(here - near);
    }
}

/* Returns the number of extensions. */
static int check_diagonal(const struct two_hit_diagonal *d, uint32_t begins)
{
    static uint8_t is_candidate[MOST_RESIDUES];
    const bool is_long = long_words_are(d->word_size);
    struct two_hit_walk walk = two_hit_begin(d);
    struct ungapped_hsp hsp;
    int n = 0;
    mark_candidates(d, begins, is_candidate);
    for (; two_hit_next(d, &walk, &hsp); n++) {
        const int hit = walk.at - 1, n_residues = is_long ? d->word_size : 2 * d->word_size - 1;
        int at = hit;
        while (!is_long && at > 0 && at > hit - d->word_size + 1 && !is_candidate[at])
            at--;
        assert_true(is_long || is_candidate[at]);
        assert_true(sieve_bound(d->pair.query + d->query + at, d->pair.subject + d->subject + at, rows, d->pair.x_drop, n_residues) >=
                    hsp.score);
    }
    return n;
}

/* Returns the number of extensions. */
static int check(sample_random *r, int word_size, int threshold, int window, int x_drop, enum kind kind)
{
    static struct long_words_rules long_words;
    const struct word_lookup_rules rules = sample_rules(word_size, threshold);
    const bool is_long = long_words_are(word_size);
    struct sample sample;
    uint8_t *has_word = sample_alloc(MOST_RESIDUES);
    int n_extensions = 0;
    long_words_init(&rules, &long_words, word_scores);
    make_queries(r, kind, 300, x_drop, 20, &sample);
    for (int i = 0; i < 6; i++) {
        const int n = make_subject(r, kind, &sample, 0);
        memset(subjects, 0, sizeof subjects);
        memcpy(subjects + SIEVE_READS, subject_codes + 1, (size_t)n);
        for (size_t q = 0; q < sample.n; q++) {
            const struct two_hit_query *item = &sample.items[q];
            memset(padded_query, 0, sizeof padded_query);
            memcpy(padded_query + SIEVE_READS, item->codes, (size_t)item->length);
            for (int at = 0; at < item->length; at++)
                has_word[at] = at + word_size <= item->length;
            for (int at = 0; at < item->length; at++)
                for (int k = 0; is_long && k < word_size && has_word[at]; k++)
                    has_word[at] = long_words.numbers.letter_of[item->codes[at + k]] != LONG_WORDS_NO_LETTER;
            for (int begin = 1 - item->length; begin < n; begin++) {
                const struct two_hit_diagonal d = {{scores, padded_query + SIEVE_READS, subjects + SIEVE_READS, item->length, n, x_drop},
                                                   is_long ? word_scores : scores,
                                                   is_long ? long_words.numbers.letter_of : NULL,
                                                   has_word,
                                                   word_size,
                                                   rules.threshold,
                                                   window,
                                                   begin < 0 ? -begin : 0,
                                                   begin < 0 ? 0 : begin};
                n_extensions += check_diagonal(&d, (uint32_t)random_below(r, 1 << 20));
            }
        }
    }
    free(has_word);
    return n_extensions;
}

static void test_nothing_is_missed(void **state)
{
    static const struct {
        int word_size, threshold, window, x_drop;
        enum kind kind;
    } cases[] = {
        {2, 8, 15, 16, USUAL},    {2, 11, 40, 16, REPEATS},    {2, 8, 200, 10, ODD},        {3, 11, 40, 16, USUAL},
        {3, 11, 4, 16, REPEATS},  {3, 11, 4, 16, ONE_RESIDUE}, {3, 9, 200, 128, REPEATS},   {4, 11, 40, 16, REPEATS},
        {5, 14, 40, 16, REPEATS}, {6, 12, 40, 16, REPEATS},    {6, 21, 40, 1, ONE_RESIDUE}, {2, 8, 5, 2, REPEATS},
        {2, 4, 6, 1, USUAL},      {3, 6, 6, 1, USUAL},         {3, 8, 9, 2, USUAL},         {3, 30, 40, 16, ODD},
        {6, 60, 40, 16, ODD},     {7, 14, 200, 60, REPEATS},
    };
    sample_random r = {sample_seed()};
    int n_extensions = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        n_extensions += check(&r, cases[i].word_size, cases[i].threshold, cases[i].window, cases[i].x_drop, cases[i].kind);
    assert_true(n_extensions > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_missed),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
