/*
 * test_near_identity.c - which identities count, with sequences whose share of identities is just above or just below 96 percent. No
 * residues agree by chance: the queries are parts of a sequence in which no word of two residues occurs twice.
 */
#include "protein/near_identity.h"
#include "unit/samples.h"

enum { MOST = 300, A = 23, B = 24, OTHER = 25, ROUNDS = 2000 };

static uint8_t letters[MOST];

/* Words of two residues x, y with y - x = 1, 2, 3 ... modulo 23: each difference is used for 23 residues, then the next one. */
static int set_letters(void **state)
{
    int at = 0;

    (void)state;
    for (int step = 1; step < 23 && at < MOST; step++)
        for (int i = 0, code = 0; i < 23 && at < MOST; i++, code = (code + step) % 23)
            letters[at++] = (uint8_t)code;
    return 0;
}

static bool is_near(const uint8_t *query, int n_query, const uint8_t *subject, int n_subject)
{
    return near_identity((struct near_identity_query){query, query, n_query}, subject, n_subject);
}

static int append(uint8_t *to, int at, const uint8_t *from, int n)
{
    memcpy(to + at, from, (size_t)n);
    return at + n;
}

static int append_code(uint8_t *to, int at, int code, int n)
{
    memset(to + at, code, (size_t)n);
    return at + n;
}

static void test_same(void **state)
{
    (void)state;
    for (int n = 1; n < MOST; n++)
        assert_true(is_near(letters, n, letters, n));
}

/* Each substitution removes one identity, and 96 percent is not enough. */
static void test_substitutions(void **state)
{
    (void)state;
    for (int n_substitutions = 0; n_substitutions <= 9; n_substitutions++) {
        for (int n = 90; n <= MOST; n++) {
            uint8_t subject[MOST];
            memcpy(subject, letters, (size_t)n);
            for (int i = 0; i < n_substitutions; i++)
                subject[5 + i * 9] = OTHER;
            assert_int_equal(is_near(letters, n, subject, n), 100 * (n - n_substitutions) > 96 * n);
        }
    }
}

static void test_random_substitutions(void **state)
{
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const int n = 50 + (int)random_below(&random, MOST - 50);
        uint8_t query[MOST], subject[MOST];
        int count = n;
        random_fill(&random, query, (size_t)n);
        for (int i = 0; i < n; i++)
            subject[i] = query[i] %= 20;
        for (int at = (int)random_below(&random, 30); at < n - 3; at += 3 + (int)random_below(&random, 60), count--)
            subject[at] = OTHER; /* two identical residues follow */
        assert_int_equal(is_near(query, n, subject, n), 100 * count > 96 * n);
    }
}

/* Inserts a run of residues into the query only, so that the subject is the shorter sequence. */
static bool is_near_with_gap(int before, int n_inserted, int after)
{
    uint8_t query[MOST], subject[MOST];
    const int n_query = append(query, append_code(query, append(query, 0, letters, before), A, n_inserted), letters + before, after);
    const int n_subject = append(subject, 0, letters, before + after);

    assert_int_equal(is_near(query, n_query, subject, n_subject), is_near(subject, n_subject, query, n_query));
    return is_near(query, n_query, subject, n_subject);
}

/*
 * The extension steps over up to seven residues, and all others count. After a longer run residues count from the right end, except for the
 * last one, which the extension from the left has as the subject's next.
 */
static void test_gap(void **state)
{
    (void)state;
    for (int n = 1; n <= 7; n++)
        assert_true(is_near_with_gap(10, n, 10));
    for (int n = 8; n <= 12; n++) {
        assert_false(is_near_with_gap(10, n, 10)); /* 19 of 20 */
        assert_false(is_near_with_gap(10, n, 15)); /* 24 of 25 */
        assert_true(is_near_with_gap(10, n, 16));  /* 25 of 26 */
    }
}

/* The extension steps over up to seven differing residues of both sequences; all others count. */
static void test_differences(void **state)
{
    uint8_t subject[MOST];

    (void)state;
    for (int n = 1; n <= 7; n++) {
        for (int length = 24 * n; length <= 26 * n; length++) {
            (void)append_code(subject, append(subject, 0, letters, 8), OTHER, n);
            (void)append(subject, 8 + n, letters + 8 + n, length - 8 - n);
            assert_int_equal(is_near(letters, length, subject, length), 100 * (length - n) > 96 * length);
        }
    }
}

/* The query has 40 residues, an inserted run, `middle` residues, another inserted run, and 40 residues. */
static bool is_near_around(int middle, int u_at)
{
    uint8_t query[MOST], with_u[MOST], subject[MOST];
    int n = append(query, 0, letters, 40);

    n = append(query, append_code(query, n, A, 8), letters + 40, middle);
    n = append(query, append_code(query, n, B, 8), letters + 40 + middle, 40);
    (void)append(subject, 0, letters, 80 + middle);
    memcpy(with_u, query, sizeof with_u);
    if (u_at >= 0)
        with_u[48 + u_at] = OTHER;
    return near_identity((struct near_identity_query){query, with_u, n}, subject, 80 + middle);
}

/*
 * Between the runs words of eight count, and identities around them: all of 9 to 30 residues. Words are compared with the residues before U
 * became C. With a U in it the only word of 9 residues is not found, and 80 of 89 are not enough; 30 residues have other words.
 */
static void test_words(void **state)
{
    (void)state;
    for (int middle = 9; middle <= 30; middle++)
        assert_true(is_near_around(middle, -1));
    assert_false(is_near_around(8, -1)); /* the last word of a sequence is not tried */
    for (int u = 0; u < 8; u++)
        assert_false(is_near_around(9, u));
    assert_true(is_near_around(9, 8));
    for (int u = 0; u < 30; u++)
        assert_true(is_near_around(30, u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same), cmocka_unit_test(test_substitutions), cmocka_unit_test(test_random_substitutions),
        cmocka_unit_test(test_gap),  cmocka_unit_test(test_differences),   cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests(tests, set_letters, NULL);
}
