/*
 * test_base_scores.c - scores of bases and their statistics, against numbers that blastn of NCBI BLAST+ 2.12 prints (-outfmt 0, 5 and 6; a
 * query of 100 bases, and subjects of 3000 and 777 bases) and against the definition of the scores.
 */
#include "alphabet/bases.h"
#include "score/base_statistics.h"
#include "unit/samples.h"

static const uint8_t four_bases[] = {0, 1, 2, 3};

/* The score of two codes is the mean over the bases of the one with the greater code, if they have one in common. */
static void test_scores(void **state)
{
    struct base_scores s;
    (void)state;

    base_scores_init(2, -3, &s);
    assert_int_equal(s.scores[RESIDUE_CODES * 0 + 0], 2);
    assert_int_equal(s.scores[RESIDUE_CODES * 0 + 1], -3);
    assert_int_equal(s.scores[RESIDUE_CODES * 0 + 4], -1);   /* A and R: (2 - 3) / 2, rounded away from 0 */
    assert_int_equal(s.scores[RESIDUE_CODES * 4 + 4], -1);   /* R and R */
    assert_int_equal(s.scores[RESIDUE_CODES * 4 + 5], -3);   /* R and Y */
    assert_int_equal(s.scores[RESIDUE_CODES * 1 + 10], -1);  /* C and B: -4 / 3 */
    assert_int_equal(s.scores[RESIDUE_CODES * 14 + 0], -2);  /* N and A: -7 / 4 */
    assert_int_equal(s.scores[RESIDUE_CODES * 14 + 14], -2); /* N and N */
    assert_int_equal(s.scores[RESIDUE_CODES * 15 + 15], SCORE_NONE);
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++) {
            assert_int_equal(s.scores[RESIDUE_CODES * i + j], s.scores[RESIDUE_CODES * j + i]);
            if (i >= BASE_GAP)
                assert_int_equal(s.scores[RESIDUE_CODES * i + j], SCORE_NONE);
        }
}

static void test_parameters(void **state)
{
    static const struct {
        int reward, penalty;
        const char *lambda, *K, *H;
        int trigger, x; /* of 27 and 20 bits */
    } cases[] = {
        {1, -2, "1.33271", "0.620991", "1.12409", 13, 11},
        {2, -3, "0.633731", "0.408146", "0.912438", 28, 22},
        {1, -3, "1.37406", "0.710603", "1.30725", 13, 11},
        {1, -1, "1.09861", "0.333333", "0.549306", 16, 13},
        {1, -4, "1.38333", "0.73815", "1.36282", 13, 11},
        {1, -5, "1.38556", "0.746509", "1.37945", 13, 11},
        {2, -5, "0.680505", "0.515163", "1.24208", 26, 21},
        {2, -7, "0.690146", "0.547902", "1.34313", 26, 21},
        {3, -4, "0.4096", "0.340013", "0.810998", 43, 34},
        {4, -5, "0.301052", "0.306264", "0.753166", 58, 47},
        {3, -2, "0.271179", "0.130437", "0.222324", 61, 52},
        {5, -4, "0.191529", "0.175788", "0.356724", 88, 73},
        /* as in BLAST, the K of a multiple is another one */
        {4, -6, "0.316866", "1.16669", "0.912438", 59, 44},
        {10, -8, "0.0957646", "1.3071", "0.356724", 198, 145},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct base_search_space space = {
            .database_length = 100000000, .n_sequences = 1, .mean_length = 1000, .evalue = 1e-9, .x_bits = 20};
        struct base_gap_costs costs = {.is_ungapped = true};
        struct base_statistics got;
        struct base_scores scores;
        uint8_t codes[100];
        char text[3][32];
        for (size_t k = 0; k < sizeof codes; k++)
            codes[k] = four_bases[k % 4];
        base_scores_init(cases[i].reward, cases[i].penalty, &scores);
        assert_true(base_statistics_of(&scores, &costs, &space, codes, sizeof codes, &got));
        snprintf(text[0], sizeof text[0], "%.6g", got.ungapped.lambda);
        snprintf(text[1], sizeof text[1], "%.6g", got.ungapped.K);
        snprintf(text[2], sizeof text[2], "%.6g", got.ungapped.H);
        assert_string_equal(text[0], cases[i].lambda);
        assert_string_equal(text[1], cases[i].K);
        assert_string_equal(text[2], cases[i].H);
        assert_int_equal(got.ungapped_cutoff, cases[i].trigger);
        assert_int_equal(got.exact_cutoff, cases[i].trigger * 4 / 5);
        assert_int_equal(got.x_ungapped, cases[i].x);
        assert_true(got.gapped.lambda == got.ungapped.lambda);
    }
}

/* Without ambiguous bases the parameters do not depend on the query; N does not count. */
static void test_composition(void **state)
{
    static const uint8_t other[] = {0, 0, 0, 14, 14, 2, 15}, ambiguous[] = {0, 4, 5}, n_alone[] = {14, 14};
    struct base_scores scores;
    struct karlin want, got;
    (void)state;

    base_scores_init(1, -2, &scores);
    assert_true(karlin_of_bases(&scores, four_bases, 4, &want));
    assert_true(karlin_of_bases(&scores, other, sizeof other, &got));
    assert_true(got.lambda == want.lambda && got.K == want.K && got.H == want.H && got.log_K == log(want.K));
    assert_true(karlin_of_bases(&scores, ambiguous, sizeof ambiguous, &got));
    assert_true(got.lambda != want.lambda);
    assert_false(karlin_of_bases(&scores, n_alone, sizeof n_alone, &got));
    assert_false(karlin_of_bases(&scores, other, 0, &got));
    base_scores_init(7, -1, &scores); /* the mean score is above 0 */
    assert_false(karlin_of_bases(&scores, four_bases, 4, &got));
}

/* The widest range of scores still has parameters. */
static void test_widest(void **state)
{
    static const uint8_t codes[] = {0, 1, 2, 3, 4, 10};
    struct base_scores scores;
    struct karlin k;
    (void)state;

    base_scores_init(100, 100 - BASE_SCORES_RANGE, &scores);
    assert_true(karlin_of_bases(&scores, codes, sizeof codes, &k));
    assert_true(k.lambda > 0 && k.K > 0 && k.H > 0);
}

static void assert_costs(const int costs[4], double lambda, double K, double alpha, double beta)
{
    struct base_gap_costs c;

    assert_int_equal(base_gap_costs_find(costs[0], costs[1], costs[2], costs[3], &c), BASE_COSTS_FOUND);
    assert_false(c.is_ungapped);
    assert_true(c.lambda == lambda && c.K == K && c.alpha == alpha && c.beta == beta);
    assert_int_equal(c.open, costs[2]);
    assert_int_equal(c.extend, costs[3]);
}

static void test_gap_costs(void **state)
{
    static const int of_1_2[][2] = {{2, 2}, {1, 2}, {0, 2}, {3, 1}, {2, 1}, {1, 1}, {2, 2}}, of_10_8[][2] = {{20, 12}, {16, 12}, {50, 20}};
    struct base_gap_costs c;
    int open, extend;
    (void)state;

    assert_costs((const int[]){1, -2, 0, 0}, 1.28, 0.46, 1.5, -2);
    assert_costs((const int[]){2, -3, 5, 2}, 0.625, 0.41, 0.8, -2);
    assert_costs((const int[]){2, -4, 4, 4}, 1.33 / 2, 0.62, 1.2 / 2, 0);
    assert_costs((const int[]){4, -6, 10, 4}, 0.625 / 2, 0.41, 0.8 / 2, -2);
    assert_costs((const int[]){3, -4, 4, 2}, 0.281, 0.046, 1.8, -23);
    assert_int_equal(base_gap_costs_find(1, -7, 5, 2, &c), BASE_COSTS_NO_SCORES);
    assert_int_equal(base_gap_costs_find(1, -2, 0, 1, &c), BASE_COSTS_NO_COSTS);
    assert_int_equal(base_gap_costs_find(3, -4, 0, 0, &c), BASE_COSTS_NO_COSTS);
    assert_int_equal(base_gap_costs_find(1, -3, 5, 2, &c), BASE_COSTS_FOUND);
    assert_true(c.is_ungapped && !c.rounds_odd_scores_down);
    assert_int_equal(base_gap_costs_find(2, -3, 6, 4, &c), BASE_COSTS_FOUND);
    assert_true(c.is_ungapped && c.rounds_odd_scores_down);
    assert_int_equal(base_gap_costs_find(2, -6, 4, 3, &c), BASE_COSTS_NO_COSTS); /* the limit is 4, 4 */
    for (size_t i = 0; i < 7; i++)
        assert_true(base_gap_costs_supported(1, -2, i, &open, &extend) && open == of_1_2[i][0] && extend == of_1_2[i][1]);
    assert_false(base_gap_costs_supported(1, -2, 7, &open, &extend));
    for (size_t i = 0; i < 3; i++)
        assert_true(base_gap_costs_supported(10, -8, i, &open, &extend) && open == of_10_8[i][0] && extend == of_10_8[i][1]);
    assert_false(base_gap_costs_supported(10, -8, 3, &open, &extend));
    assert_false(base_gap_costs_supported(1, -7, 0, &open, &extend));
}

/* What NCBI BLASTN 2.12 prints of an alignment, and of the search space. */
static void test_evalues(void **state)
{
    static const struct {
        int reward, penalty, open, extend; /* open -1: without gaps */
        int64_t dbsize, searchsp;
        int score;
        const char *evalue, *bits;
        int adjustment;
        int64_t space;
    } cases[] = {
        {1, -2, 0, 0, 0, 0, 97, "1.83973e-49", "180.245", 11, 334195},
        {2, -3, 5, 2, 0, 0, 195, "2.9393e-48", "177.115", 13, 326337}, /* the E-value of 194, the bits of 195 */
        {1, -3, 5, 2, 0, 0, 96, "1.25294e-52", "190.799", 9, 342069},
        {1, -3, 5, 2, 0, 0, 8, "4.09031", "16.3517", 9, 342069},
        {2, -3, -1, 0, 0, 0, 195, "2.95676e-49", "179.578", 10, 338130},
        {1, -7, -1, 0, 0, 0, 92, "1.15972e-50", "184.41", 0, 377700}, /* no table of gap costs: no length of alignments */
        {3, -4, 6, 3, 0, 0, 293, "3.71878e-45", "166.434", 15, 318495},
        {2, -3, 5, 2, 1000000000, 0, 195, "6.48501e-43", "177.115", 28, 71999995968},
        {2, -3, 5, 2, 0, 100000000000, 195, "9.00695e-43", "177.115", 13, 100000000000},
    };
    uint8_t codes[100];
    (void)state;

    for (size_t k = 0; k < sizeof codes; k++)
        codes[k] = four_bases[k % 4];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t length = cases[i].dbsize > 0 ? cases[i].dbsize : 3777;
        const struct base_search_space space = {length, 2, 3777 / 2, cases[i].searchsp, 10, 0, 0};
        struct base_scores scores;
        struct base_gap_costs costs;
        struct base_statistics s;
        char text[32];
        base_scores_init(cases[i].reward, cases[i].penalty, &scores);
        if (cases[i].open >= 0)
            assert_int_equal(base_gap_costs_find(cases[i].reward, cases[i].penalty, cases[i].open, cases[i].extend, &costs),
                             BASE_COSTS_FOUND);
        assert_true(base_statistics_of(&scores, cases[i].open >= 0 ? &costs : NULL, &space, codes, sizeof codes, &s));
        assert_int_equal(s.adjustment, cases[i].adjustment);
        assert_int_equal(s.search_space, cases[i].space);
        snprintf(text, sizeof text, "%.6g", evalue_of_search_space(&s.gapped, cases[i].score, s.search_space));
        assert_string_equal(text, cases[i].evalue);
        snprintf(text, sizeof text, "%.6g", bit_score(&s.gapped, cases[i].score));
        assert_string_equal(text, cases[i].bits);
        assert_true(s.x_ungapped == s.ungapped_cutoff && s.ungapped_cutoff <= s.cutoff);
    }
}

static void test_cutoffs(void **state)
{
    struct base_search_space space = {3777, 2, 3777 / 2, 0, 10, 0, 0};
    struct base_scores scores;
    struct base_gap_costs costs;
    struct base_statistics s;
    uint8_t codes[100] = {0};
    (void)state;

    codes[0] = 1;
    base_scores_init(2, -3, &scores);
    assert_int_equal(base_gap_costs_find(2, -3, 5, 2, &costs), BASE_COSTS_FOUND);
    assert_true(base_statistics_of(&scores, &costs, &space, codes, sizeof codes, &s));
    assert_int_equal(s.cutoff, 16); /* log(0.41 * 326337 / 10) / 0.625 = 15.2 */
    assert_int_equal(s.ungapped_cutoff, 16);
    assert_int_equal(s.exact_cutoff, 12);
    space.given_score = 77;
    assert_true(base_statistics_of(&scores, &costs, &space, codes, sizeof codes, &s));
    assert_int_equal(s.cutoff, 77);
    assert_int_equal(s.ungapped_cutoff, 28);
    space.given_score = 0;
    space.evalue = 1e-30;
    assert_true(base_statistics_of(&scores, NULL, &space, codes, sizeof codes, &s));
    assert_int_equal(s.ungapped_cutoff, 24); /* log(0.408146 * 200 * 1888 / 0.05) / 0.633731 = 23.6 */
    assert_int_equal(base_x_gapped(25, 1.28), 13);
    assert_int_equal(base_x_gapped(100, 1.28), 54);
    assert_int_equal(base_x_gapped(30, 0.625), 33);
    assert_int_equal(base_x_gapped(100, 0.625), 110);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores),  cmocka_unit_test(test_parameters), cmocka_unit_test(test_composition),
        cmocka_unit_test(test_widest),  cmocka_unit_test(test_gap_costs),  cmocka_unit_test(test_evalues),
        cmocka_unit_test(test_cutoffs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
