/*
 * test_best_hit.c - which of many HSPs are compared, and what densities at the edge do: as NCBI's program
 * has it with sequences made for this; and all of it against the definition.
 */
#include "hits/best_hit.h"
#include "unit/hits/hsp_samples.h"

enum { LIMIT = 20, MOST = 200, ROUNDS = 200 };

static struct hsp at(int query, int length, int score, double evalue)
{
    return (struct hsp){.query = query, .query_end = query + length, .subject_end = length, .score = score, .evalue = evalue};
}

static void offer(struct best_hit *best, struct hsp hsp, size_t n)
{
    while (n-- > 0)
        assert_int_equal(best_hit_offer(best, 0, &hsp), TMS_OK);
}

/* n_before fillers, one that drops, n_between other fillers, and one in the range of the first with its overhang: is that one left? */
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

static void many_lose_their_overhang(void **state)
{
    (void)state;
    assert_false(is_left(0, LIMIT - 1));
    assert_true(is_left(0, LIMIT));
    assert_true(is_left(LIMIT, 0));
    assert_false(is_left(LIMIT + 1, 0));
    assert_false(is_left(LIMIT + 1, LIMIT)); /* the second limit is 2 x 21: those without overhang count */
    assert_true(is_left(LIMIT + 1, LIMIT + 1));
    assert_false(is_left(43, 42)); /* the third is 2 x 43 */
    assert_true(is_left(43, 43));
}

/* Without overhang an HSP still drops others within its own range, and is dropped by any. */
static void bare_ones_are_compared(void **state)
{
    struct best_hit best = {.overhang = 0.25, .edge = 0.1, .limit = LIMIT};

    (void)state;
    offer(&best, at(10, 100, 585, 1e-80), LIMIT + 1);
    assert_int_equal(best.n_bare, LIMIT + 1);
    offer(&best, at(10, 100, 285, 1e-38), 1);
    assert_int_equal(best.n, LIMIT + 1);
    offer(&best, at(12, 96, 900, 1e-120), 1);
    assert_int_equal(best.n, 1);
    assert_int_equal(best.n_bare, 0);
    best_hit_free(&best);
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

/* Is the second of two dropped by the first, with an overhang of a quarter of 100 residues and an edge of a tenth of a score of 500? */
static bool is_dropped(int query, int query_end, int score, double evalue)
{
    struct best_hit best = {.overhang = 0.25, .edge = 0.1, .limit = LIMIT};
    size_t n;

    offer(&best, at(100, 100, 500, 1e-20), 1);
    offer(&best, at(query, query_end - query, score, evalue), 1);
    n = best.n;
    best_hit_free(&best);
    return n == 1;
}

static void one_drops_another(void **state)
{
    (void)state;
    assert_true(is_dropped(100, 200, 440, 1e-10));
    assert_false(is_dropped(100, 200, 460, 1e-10)); /* more than nine tenths of 500 */
    assert_true(is_dropped(100, 200, 440, 1e-20));
    assert_false(is_dropped(100, 200, 440, 1e-21));
    assert_true(is_dropped(75, 225, 440, 1e-10));
    assert_false(is_dropped(74, 225, 440, 1e-10));
    assert_false(is_dropped(75, 226, 440, 1e-10));
    assert_false(is_dropped(120, 140, 95, 1e-10)); /* for each residue 4.75 of 5 */
    assert_true(is_dropped(120, 140, 88, 1e-10));
}

/* --- against the definition: all that came, and which of them are left --- */

struct plain {
    struct hsp hsp;
    uint64_t oid;
    bool is_left, is_bare;
};

/* The edge stands at the new HSP's density, as best_hit.c says. */
static bool drops(double overhang, const struct hsp *b, const struct hsp *a, bool is_a_new, double edge)
{
    const int more = (int)((b->query_end - b->query) * overhang);
    const double of_a = (double)a->score / (a->query_end - a->query), of_b = (double)b->score / (b->query_end - b->query);

    return b->query - more <= a->query && a->query_end <= b->query_end + more && b->evalue <= a->evalue &&
           (is_a_new ? of_a / (1 - edge) < of_b : of_a < of_b * (1 - edge));
}

static void offer_plainly(const struct best_hit *best, struct plain *all, size_t n, size_t *limit)
{
    size_t n_left = 1;

    for (size_t i = 0; i < n; i++)
        if (all[i].is_left && drops(all[i].is_bare ? 0 : best->overhang, &all[i].hsp, &all[n].hsp, true, best->edge))
            return;
    all[n].is_left = true;
    for (size_t i = 0; i < n; i++) {
        if (all[i].is_left && drops(best->overhang, &all[n].hsp, &all[i].hsp, false, best->edge))
            all[i].is_left = false;
        n_left += all[i].is_left;
    }
    if (n_left <= *limit)
        return;
    for (size_t i = 0; i <= n; i++)
        all[i].is_bare = true;
    *limit = 2 * n_left;
}

static void as_defined(void **state)
{
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_below(&random, MOST);
        struct best_hit best = {.overhang = 0.05 * (double)random_below(&random, 9), .edge = 0.1, .limit = 1 + random_below(&random, 40)};
        size_t limit = best.limit, n_left, n_plain = 0;
        struct arrived_hsp *left;
        struct plain all[MOST];
        for (size_t i = 0; i < n; i++) {
            all[i] = (struct plain){random_hsp(&random, 40), i > 0 ? all[i - 1].oid + random_below(&random, 2) : 0, false, false};
            all[i].hsp.context = (int)i; /* its name here */
            offer_plainly(&best, all, i, &limit);
            assert_int_equal(best_hit_offer(&best, all[i].oid, &all[i].hsp), TMS_OK);
        }
        left = best_hit_take(&best, &n_left);
        assert_int_equal(best.n, 0);
        for (size_t i = 0; i < n; i++)
            n_plain += all[i].is_left;
        assert_int_equal(n_left, n_plain);
        for (size_t i = 0; i < n_left; i++) {
            size_t k = 0;
            while (k < n && !(all[k].is_left && all[k].hsp.context == left[i].hsp.context))
                k++;
            assert_true(k < n);
            all[k].is_left = false; /* found */
            assert_int_equal(left[i].oid, all[k].oid);
            assert_hsp(&left[i].hsp, &all[k].hsp);
            assert_true(i == 0 || left[i - 1].hsp.query <= left[i].hsp.query);
        }
        arrived_free(left, n_left);
        best_hit_free(&best);
    }
}

/* Which of n equal HSPs come first, as a decimal number of their contexts from 1 on. */
static int order_of_equals(int n, size_t limit)
{
    struct best_hit best = {.overhang = 0.1, .edge = 0.1, .limit = limit};
    struct arrived_hsp *left;
    size_t n_left;
    int order = 0;

    for (int i = 1; i <= n; i++) {
        struct hsp h = hsp_along(10, 20, 30);
        h.context = i;
        assert_int_equal(best_hit_offer(&best, 0, &h), TMS_OK);
    }
    left = best_hit_take(&best, &n_left);
    for (size_t i = 0; i < n_left; i++)
        order = 10 * order + left[i].hsp.context;
    arrived_free(left, n_left);
    best_hit_free(&best);
    return order;
}

/* The latest first; beyond the limit those that are left are turned round: 2, 1 with a limit of 1, then 3 comes before 1 and 2. */
static void equals(void **state)
{
    (void)state;
    assert_int_equal(order_of_equals(3, 9), 321);
    assert_int_equal(order_of_equals(2, 1), 12);
    assert_int_equal(order_of_equals(3, 1), 312);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_lose_their_overhang),
                                       cmocka_unit_test(bare_ones_are_compared),
                                       cmocka_unit_test(densities_at_the_edge),
                                       cmocka_unit_test(one_drops_another),
                                       cmocka_unit_test(as_defined),
                                       cmocka_unit_test(equals)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
