/* test_score_hash.c - bounds from hashes are the scores of a matrix or more, and not much more for the matrices that have hashes. */
#include <math.h>

#include "lookup/score_hash.h"
#include "score/karlin.h"
#include "score/matrix.h"
#include "unit/samples.h"

static int scores[RESIDUE_CODES * RESIDUE_CODES];

static void read_matrix(const char *name)
{
    const struct score_matrix *matrix = score_matrix_find(name);
    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        scores[i] = matrix->scores[i / RESIDUE_CODES][i % RESIDUE_CODES];
}

/* Returns by how much the bounds exceed the scores of two amino acids, on average. */
static double check_bounds(const struct score_hash *hash)
{
    double background[RESIDUE_CODES], excess = 0;
    score_background(background);
    for (unsigned i = 1; i < RESIDUE_CODES; i++)
        for (unsigned k = 1; k < RESIDUE_CODES; k++) {
            const int score = scores[RESIDUE_CODES * i + k], bound = score_hash_bound(hash, i, k);
            assert_true(bound >= score && bound >= SCORE_HASH_LOWEST);
            excess += background[i] * background[k] * (bound - (score > SCORE_HASH_LOWEST ? score : SCORE_HASH_LOWEST));
        }
    return excess;
}

static void test_matrices(void **state)
{
    static const struct {
        const char *name;
        double most;
    } matrices[] = {{"BLOSUM45", 0.2}, {"BLOSUM50", 0.2}, {"BLOSUM62", 0.15}, {"BLOSUM80", 0.2}, {"BLOSUM90", 0.3},
                    {"PAM30", 1.2},    {"PAM70", 0.7},    {"PAM250", 0.5},    {"IDENTITY", 20}};
    (void)state;
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        struct score_hash hash;
        read_matrix(matrices[i].name);
        score_hash_init(scores, &hash);
        assert_true(check_bounds(&hash) < matrices[i].most);
    }
}

static void test_any_scores(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;
    for (int round = 0; round < 100; round++) {
        struct score_hash hash;
        for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
            scores[i] = (int)(random_next(&r) % 255) - 127;
        score_hash_init(scores, &hash);
        check_bounds(&hash);
    }
}

/* A gap's hash has its bit whatever the other residue is, and no residue's has it. */
static void test_gaps(void **state)
{
    struct score_hash hash;
    (void)state;
    read_matrix("BLOSUM62");
    score_hash_init(scores, &hash);
    for (unsigned i = 0; i < RESIDUE_ROW; i++) {
        const bool is_gap = i == 0 || i >= RESIDUE_CODES;
        assert_int_equal(hash.of_query[0][i] & SCORE_HASH_GAP, is_gap ? SCORE_HASH_GAP : 0);
        assert_int_equal(hash.of_subject[1][i] & SCORE_HASH_GAP, is_gap ? SCORE_HASH_GAP : 0);
        assert_int_equal((hash.of_query[1][i] | hash.of_subject[0][i]) & SCORE_HASH_GAP, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_any_scores),
        cmocka_unit_test(test_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
