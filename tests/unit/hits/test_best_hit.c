/* test_best_hit.c - which of many HSPs are compared, and what densities at the edge do: as blastp had it with sequences made for this. */
#include "hits/best_hit.h"
#include "unit/samples.h"

enum { LIMIT = 20 };

static struct hsp at(int query, int length, int score, double evalue)
{
    return (struct hsp){.query = query, .query_end = query + length, .subject_end = length, .score = score, .evalue = evalue};
}

static void offer(struct best_hit *best, struct hsp hsp, size_t n)
{
    while (n-- > 0)
        assert_int_equal(best_hit_offer(best, 0, &hsp), TMS_OK);
}

/* n_before fillers, one that drops, n_between other fillers, and one that it would drop: is that one left? */
static bool is_left(size_t n_before, size_t n_between)
{
    struct best_hit best = {.overhang = 0.25, .edge = 0.1, .limit = LIMIT};
    bool is_left;

    offer(&best, at(200, 140, 800, 1e-90), n_before);
    offer(&best, at(10, 100, 585, 1e-80), 1);
    offer(&best, at(400, 60, 300, 1e-40), n_between);
    offer(&best, at(8, 104, 285, 1e-38), 1);
    is_left = best.n == n_before + n_between + 2;
    best_hit_free(&best);
    return is_left;
}

static void many_are_settled(void **state)
{
    (void)state;
    assert_false(is_left(0, LIMIT - 1));
    assert_true(is_left(0, LIMIT));
    assert_true(is_left(LIMIT, 0));
    assert_false(is_left(LIMIT + 1, 0));
    assert_false(is_left(LIMIT + 1, LIMIT)); /* the second limit is 2 x 21: those that are settled count */
    assert_true(is_left(LIMIT + 1, LIMIT + 1));
    assert_false(is_left(43, 42)); /* the third is 2 x 43 */
    assert_true(is_left(43, 43));
}

/* 69 / 23 is nine tenths of 80 / 24; divided by 0.9 it is less in doubles. */
static void densities_at_the_edge(void **state)
{
    struct best_hit old_first = {.edge = 0.1, .limit = LIMIT}, new_first = {.edge = 0.1, .limit = LIMIT};

    (void)state;
    offer(&old_first, at(180, 24, 80, 1e-4), 1);
    offer(&old_first, at(180, 23, 69, 1e-3), 1);
    assert_int_equal(old_first.n, 1);
    offer(&new_first, at(180, 23, 69, 1e-3), 1);
    offer(&new_first, at(180, 24, 80, 1e-4), 1);
    assert_int_equal(new_first.n, 2);
    best_hit_free(&old_first);
    best_hit_free(&new_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_are_settled), cmocka_unit_test(densities_at_the_edge)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
