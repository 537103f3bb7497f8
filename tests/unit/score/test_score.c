/*
 * test_score.c - compares statistics of protein alignments with numbers that blastp of NCBI BLAST+ 2.12 prints (-outfmt 0 and 5 with
 * -comp_based_stats 0, for a database of the three queries below).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "score/blast_erfc.h"
#include "score/evalue.h"
#include "score/karlin.h"
#include "tamis/alphabet.h"
#include "unit/samples.h"

static const char *const queries[] = {
    "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWERVMGDGERQFSTLKSTVEAI"
    "WAGIKATEAAVSEEFGLAPFLPDQIHFVHSQELLSRYPDLDAKGRERAIAKDLGAVFLVGIGGKLSDGHRHDVRAPDYDDWSTPSELGHAGLNGDILVWNPVLEDAFELSSMGIRVDADTLKHQLALTGDEDRLELEWHQ"
    "ALLRGEMPQTIGGGIGQSRLTMLLLQLPHIGQVQAGVWPAAVRESVPSLL",
    "MWVCKKDELRSTHHGG",
    "BZZUOJ*MKLVVAAARNDCQEGHILKMFPSTWYVUUUBBBXXXXKLKLKLK",
};
#define N_QUERIES 3
#define N_LETTERS 397

static size_t encoded(const char *letters, uint8_t *codes)
{
    size_t n = strlen(letters);
    assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, (const uint8_t *)letters, n, codes), n);
    for (size_t i = 0; i < n; i++) /* as for the queries of a search */
        if (letters[i] == 'O')
            codes[i] = tms_alphabet_codes(TMS_ALPHABET_NCBISTDAA)['X'];
    return n;
}

static void assert_prints(double value, const char *printed)
{
    char text[32];
    snprintf(text, sizeof text, "%#8.3g", value);
    assert_string_equal(text + strspn(text, " "), printed);
}

static void test_parameters_of_queries(void **state)
{
    (void)state;
    static const struct {
        const char *matrix, *lambda, *K, *H;
        int query;
    } cases[] = {
        {"BLOSUM62", "0.318", "0.135", "0.404", 0},  {"blosum62", "0.321", "0.135", "0.502", 1},
        {"BLOSUM62", "0.344", "0.147", "0.528", 2},  {"BLOSUM45", "0.226", "0.0924", "0.250", 0},
        {"BLOSUM45", "0.234", "0.0959", "0.344", 1}, {"BLOSUM45", "0.249", "0.107", "0.367", 2},
        {"PAM30", "0.339", "0.285", "1.74", 0},      {"PAM30", "0.350", "0.275", "2.07", 1},
        {"PAM30", "0.348", "0.288", "1.92", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t codes[400];
        struct karlin k;
        size_t n = encoded(queries[cases[i].query], codes);
        assert_true(karlin_of_query(score_matrix_find(cases[i].matrix), codes, n, NULL, &k));
        assert_prints(k.lambda, cases[i].lambda);
        assert_prints(k.K, cases[i].K);
        assert_prints(k.H, cases[i].H);
        assert_true(k.log_K == log(k.K));
    }
}

static void test_queries_without_parameters(void **state)
{
    (void)state;
    uint8_t codes[64];
    struct karlin k;
    const struct score_matrix *blosum62 = score_matrix_find("BLOSUM62");
    assert_false(karlin_of_query(blosum62, codes, 0, NULL, &k));
    assert_false(karlin_of_query(blosum62, codes, encoded("XXXXXXXX", codes), NULL, &k));
    assert_true(karlin_of_query(blosum62, codes, encoded("A", codes), NULL, &k));
    assert_true(karlin_of_query(blosum62, codes, encoded("WWWWWWWWWWWW", codes), NULL, &k));
}

/* Parameters of a query without an ideal are above or below the ideal's: those above are replaced, others are not. */
static void test_ideal_parameters(void **state)
{
    (void)state;
    const struct score_matrix *blosum62 = score_matrix_find("BLOSUM62");
    uint8_t codes[400];
    const size_t n = encoded(queries[0], codes);
    struct karlin own, ideal, k;
    assert_true(karlin_of_query(blosum62, codes, n, NULL, &own));
    ideal = own;
    ideal.K = 1;
    assert_true(karlin_of_query(blosum62, codes, n, &ideal, &k));
    assert_memory_equal(&k, &ideal, sizeof k);
    ideal.lambda = nextafter(own.lambda, 1);
    assert_true(karlin_of_query(blosum62, codes, n, &ideal, &k));
    assert_memory_equal(&k, &own, sizeof k);
    assert_false(karlin_of_query(blosum62, codes, 0, &ideal, &k));
}

static void test_evalues(void **state)
{
    (void)state;
    static const struct {
        int length, score;
        const char *evalue, *bits;
        int adjustment;
        int64_t space;
    } cases[] = {
        {16, 96, "1.18871e-12", "41.5874", 0, 6352}, {51, 237, "2.68443e-33", "95.9005", 14, 13135}, {330, 1712, "0", "664.07", 28, 94526}};
    const struct score_matrix *blosum62 = score_matrix_find("BLOSUM62");
    struct gapped_statistics s;
    gapped_statistics_init(blosum62, &blosum62->costs[blosum62->usual], &s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        double e = evalue_of(&s, cases[i].score, cases[i].length, cases[i].length, N_LETTERS);
        snprintf(text, sizeof text, "%.6g", e < 1e-180 ? 0.0 : e);
        assert_string_equal(text, cases[i].evalue);
        snprintf(text, sizeof text, "%.6g", bit_score(&s, cases[i].score));
        assert_string_equal(text, cases[i].bits);
        assert_int_equal(length_adjustment(&s, cases[i].length, N_LETTERS, N_QUERIES), cases[i].adjustment);
        assert_int_equal(effective_search_space(cases[i].length, N_LETTERS, N_QUERIES, cases[i].adjustment), cases[i].space);
    }
}

/* The cutoff is one below the least score with an E-value of at most this. */
static void test_cutoffs(void **state)
{
    (void)state;
    static const double evalues[] = {1e-50, 1e-5, 1, 10, 1000};
    for (size_t m = 0; m < SCORE_MATRICES; m++)
        for (size_t c = 1; c < score_matrices[m].n_costs; c++) {
            struct gapped_statistics s;
            gapped_statistics_init(&score_matrices[m], &score_matrices[m].costs[c], &s);
            for (size_t e = 0; e < sizeof evalues / sizeof *evalues; e++) {
                int cutoff = evalue_cutoff(&s, evalues[e], 250, 10, 62e6);
                assert_true(cutoff == 0 || evalue_of(&s, cutoff, 250, 10, 62e6) > evalues[e]);
                assert_true(evalue_of(&s, cutoff + 1, 250, 10, 62e6) <= evalues[e]);
            }
            assert_true(evalue_of_search_space(&s, evalue_cutoff_of_search_space(&s, 1e-3, 1000000000), 1000000000) <= 1e-3 * (1 + 1e-9));
        }
}

static void test_erfc(void **state)
{
    (void)state;
    for (int i = -300000; i <= 300000; i++) {
        double z = i * 1e-4, ours = blast_erfc(z), theirs = erfc(z);
        assert_true(fabs(ours - theirs) <= (fabs(z) > 0.5 && fabs(z) < 1.5 ? 1.2e-7 : 6e-14) * theirs + 1e-300);
    }
    assert_true(blast_erfc(0) == 1 && blast_erfc(30) == 0 && blast_erfc(-30) == 2);
}

static void test_matrices(void **state)
{
    (void)state;
    const uint8_t *code = tms_alphabet_codes(TMS_ALPHABET_NCBISTDAA);
    for (size_t m = 0; m < SCORE_MATRICES; m++) {
        const struct score_matrix *x = &score_matrices[m];
        assert_ptr_equal(score_matrix_find(x->name), x);
        assert_int_equal(x->costs[0].open, SCORE_UNGAPPED);
        assert_ptr_equal(score_costs_find(x, x->costs[x->usual].open, x->costs[x->usual].extend), &x->costs[x->usual]);
        assert_null(score_costs_find(x, 1000, 1000));
        for (int i = 0; i < RESIDUE_CODES; i++)
            for (int j = 0; j < RESIDUE_CODES; j++) {
                assert_int_equal(x->scores[i][j], x->scores[j][i]);
                assert_int_equal(x->scores[code['U']][j], x->scores[code['C']][j]);
                assert_int_equal(x->scores[code['O']][j], x->scores[code['X']][j]);
                if (i == 0 || j == 0)
                    assert_int_equal(x->scores[i][j], SCORE_NONE);
                else
                    assert_in_range(x->scores[i][j] + 100, x->lowest + 100, x->highest + 100);
                if (x->ratios != NULL)
                    assert_true(x->ratios[i][j] == x->ratios[j][i] && x->ratios[i][j] >= 0);
            }
    }
    assert_null(score_matrix_find("BLOSUM63"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_parameters_of_queries),
        cmocka_unit_test(test_queries_without_parameters),
        cmocka_unit_test(test_ideal_parameters),
        cmocka_unit_test(test_evalues),
        cmocka_unit_test(test_cutoffs),
        cmocka_unit_test(test_erfc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
