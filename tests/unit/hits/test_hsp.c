/* test_hsp.c - orders against the choice of the least key, one after the other; and which HSPs of a list are kept, against definitions. */
#include "unit/hits/hsp_samples.h"

enum { MOST = 40, ROUNDS = 400 };

/* --- orders --- */

struct key {
    double fields[6]; /* the least first */
};

static struct key key_of(const struct hsp *h, bool by_evalue)
{
    const double evalue = by_evalue && h->evalue >= 1e-180 ? h->evalue : 0;

    return (struct key){{evalue, -h->score, h->subject, -h->subject_end, h->query, -h->query_end}};
}

static int compare_keys(struct key a, struct key b)
{
    for (size_t i = 0; i < 6; i++)
        if (a.fields[i] != b.fields[i])
            return a.fields[i] < b.fields[i] ? -1 : 1;
    return 0;
}

static void sort_slowly(struct hsp *items, size_t n, bool by_evalue)
{
    for (size_t i = 0; i < n; i++) {
        size_t least = i;
        struct hsp h;
        for (size_t k = i + 1; k < n; k++)
            if (compare_keys(key_of(&items[k], by_evalue), key_of(&items[least], by_evalue)) < 0)
                least = k;
        h = items[least];
        items[least] = items[i];
        items[i] = h;
    }
}

/* Each is better than the next one by another field. */
static void test_score_order(void **state)
{
    const struct hsp want[] = {hsp_at(9, 12, 9, 12, 8), hsp_at(9, 12, 5, 12, 7),  hsp_at(9, 12, 6, 15, 7),
                               hsp_at(9, 12, 6, 12, 7), hsp_at(10, 20, 6, 12, 7), hsp_at(10, 19, 6, 12, 7)};
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct hsp_list list = {0};
        list_of(&list, want, 6);
        hsps_shuffle(&random, list.items, 6);
        hsp_sort(&list);
        assert_hsps(&list, want, 6);
        free(list.items);
    }
    for (size_t i = 0; i < 6; i++) {
        for (size_t k = 0; k < 6; k++) {
            const int order = hsp_compare_score(&want[i], &want[k]);
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
        free(want[i].script.runs);
    }
}

static void test_evalues(void **state)
{
    (void)state;
    assert_int_equal(hsp_compare_evalues(1e-181, 0), 0);
    assert_int_equal(hsp_compare_evalues(1e-181, 1e-200), 0);
    assert_true(hsp_compare_evalues(1e-181, 1e-180) < 0);
    assert_true(hsp_compare_evalues(1e-180, 0) > 0);
    assert_int_equal(hsp_compare_evalues(1e-180, 1e-180), 0);
    assert_true(hsp_compare_evalues(1e-5, 1e-4) < 0);
}

static void test_orders(void **state)
{
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_below(&random, MOST);
        struct hsp_list list = {0};
        struct hsp want[MOST];
        for (size_t i = 0; i < n; i++)
            want[i] = random_hsp(&random, 4);
        list_of(&list, want, n);
        sort_slowly(want, n, round % 2);
        (round % 2 ? hsp_sort_evalues : hsp_sort)(&list);
        for (size_t i = 0; i < n; i++) /* HSPs of one key are the same but for the E-value */
            assert_int_equal(compare_keys(key_of(&list.items[i], round % 2), key_of(&want[i], round % 2)), 0);
        hsp_list_free(&list);
    }
}

/* --- what is kept --- */

/* Of HSPs with a common start, or end, the best: by score; then the other corner that is further on in the query, then in the subject. */
static struct key corner_key(const struct hsp *h, bool at_end)
{
    return at_end ? (struct key){{-h->score, -h->query, -h->subject}} : (struct key){{-h->score, -h->query_end, -h->subject_end}};
}

/* Of two that agree in all the first is the best. */
static bool is_best_of_corner(const struct hsp *items, const bool *is_gone, size_t n, size_t i, bool at_end)
{
    for (size_t k = 0; k < n; k++) {
        const int order = compare_keys(corner_key(&items[k], at_end), corner_key(&items[i], at_end));
        if (k != i && !is_gone[k] && (at_end ? hsp_same_end : hsp_same_start)(&items[k], &items[i]) && (order < 0 || (order == 0 && k < i)))
            return false;
    }
    return true;
}

static size_t purge_slowly(struct hsp *items, size_t n)
{
    bool is_gone[MOST] = {false}, goes[MOST] = {false};
    size_t left = 0;

    for (int at_end = 0; at_end < 2; at_end++) {
        for (size_t i = 0; i < n; i++)
            goes[i] = is_gone[i] || !is_best_of_corner(items, is_gone, n, i, at_end);
        memcpy(is_gone, goes, sizeof goes);
    }
    for (size_t i = 0; i < n; i++)
        if (!is_gone[i])
            items[left++] = items[i];
    sort_slowly(items, left, false);
    return left;
}

static void test_purge(void **state)
{
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_below(&random, MOST);
        struct hsp_list list = {0};
        struct hsp want[MOST];
        for (size_t i = 0; i < n; i++) {
            want[i] = random_hsp(&random, 3);
            want[i].evalue = want[i].score;
        }
        list_of(&list, want, n);
        hsp_purge(&list);
        assert_hsps(&list, want, purge_slowly(want, n));
        hsp_list_free(&list);
    }
}

/* One that is dropped for a common start drops none with its end. */
static void test_purge_starts_first(void **state)
{
    const struct hsp items[] = {hsp_at(5, 30, 5, 30, 50), hsp_at(5, 40, 5, 40, 40), hsp_at(20, 40, 20, 40, 30), hsp_at(60, 70, 60, 70, 20),
                                hsp_at(60, 70, 61, 70, 25)};
    const struct hsp want[] = {items[0], items[2], items[4]};
    struct hsp_list list = {0};

    (void)state;
    list_of(&list, items, 5);
    hsp_purge(&list);
    assert_hsps(&list, want, 3);
    hsp_list_free(&list);
}

/* 3 residues more on both sides are within, 4 are not; 7..53 is dropped, so it does not drop 4..56. */
static void test_besthits(void **state)
{
    const struct hsp items[] = {hsp_along(10, 50, 90), hsp_along(7, 53, 80), hsp_along(6, 50, 70), hsp_along(10, 54, 60),
                                hsp_along(4, 56, 50)};
    const struct hsp want[] = {items[0], items[2], items[3], items[4]};
    struct hsp_list list = {0};

    (void)state;
    list_of(&list, items, 5);
    hsp_keep_besthits(&list, 100);
    assert_hsps(&list, want, 4);
    hsp_list_free(&list);
}

static bool lies_within(const struct hsp *a, const struct hsp *b, int more)
{
    return b->query - more <= a->query && a->query_end <= b->query_end + more;
}

static void test_besthits_random(void **state)
{
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_below(&random, MOST);
        struct hsp_list list = {0};
        struct hsp items[MOST], want[MOST];
        size_t n_want = 0;
        for (size_t i = 0; i < n; i++)
            items[i] = random_hsp(&random, 60);
        list_of(&list, items, n);
        for (size_t i = 0; i < n; i++) {
            bool is_within = false;
            for (size_t k = 0; k < n_want; k++)
                is_within |= lies_within(&items[i], &want[k], 3);
            if (!is_within)
                want[n_want++] = items[i];
        }
        hsp_keep_besthits(&list, 100);
        assert_hsps(&list, want, n_want);
        hsp_list_free(&list);
    }
}

static void test_significant(void **state)
{
    static const double evalues[] = {0.01, 0.2, 0.1, NAN, 0, INFINITY, 0.1000001};
    struct hsp_list list = {0};

    (void)state;
    hsp_keep_significant(&list, 0.1); /* an empty list has no array */
    for (int i = 0; i < 7; i++) {
        struct hsp h = hsp_along(i, i + 5, 10);
        h.evalue = evalues[i];
        list_of(&list, &h, 1);
    }
    hsp_keep_significant(&list, 0.1);
    assert_int_equal(list.n, 3);
    assert_int_equal(list.items[0].query, 0);
    assert_int_equal(list.items[1].query, 2);
    assert_int_equal(list.items[2].query, 4);
    hsp_list_free(&list);
}

/* --- one HSP --- */

static void test_coverage(void **state)
{
    const struct hsp h = {.query = 10, .query_end = 59}, most = {.query = 0, .query_end = 197}, all = {.query = 0, .query_end = 198};

    (void)state;
    assert_near(hsp_coverage(&h, 98), 50.5, 1e-12);
    assert_near(hsp_coverage(&most, 200), 99, 1e-12); /* 98.5, and 0.5 more */
    assert_near(hsp_coverage(&all, 200), 99, 1e-12);  /* 99 as it is */
    assert_near(hsp_coverage(&all, 198), 100, 1e-12);
}

static void test_box(void **state)
{
    const struct hsp h = {.query = 10, .query_end = 20, .subject = 30, .subject_end = 45};
    const struct hsp start = {.query = 10, .query_end = 20, .subject = 30, .subject_end = 44};
    const struct hsp end = {.query = 11, .query_end = 20, .subject = 30, .subject_end = 45};

    (void)state;
    assert_true(hsp_box_has(&h, 10, 30));
    assert_true(hsp_box_has(&h, 20, 45));
    assert_false(hsp_box_has(&h, 9, 30));
    assert_false(hsp_box_has(&h, 21, 40));
    assert_false(hsp_box_has(&h, 10, 29));
    assert_false(hsp_box_has(&h, 10, 46));
    assert_true(hsp_same_start(&h, &start));
    assert_false(hsp_same_end(&h, &start));
    assert_true(hsp_same_end(&h, &end));
    assert_false(hsp_same_start(&h, &end));
}

/* A list that moves replaces another, in its array if that has just the size; neither the lists nor the scripts have room to spare. */
static void test_move(void **state)
{
    struct hsp_list from = {0}, to = {0};
    const struct hsp old = {.score = 1}, *before;
    (void)state;

    for (int i = 0; i < 3; i++)
        assert_int_equal(hsp_list_add(&to, &old), TMS_OK);
    for (int i = 0; i < 70; i++) {
        struct hsp h = {.score = 100 + i};
        for (int k = 0; k < i; k++)
            assert_int_equal(gapped_script_add(&h.script, k % 2 == 0 ? GAPPED_MATCH : GAPPED_IN_QUERY, k + 1), TMS_OK);
        assert_int_equal(hsp_list_add(&from, &h), TMS_OK);
    }
    assert_int_equal(hsp_list_move(&from, &to), TMS_OK);
    assert_int_equal(from.n, 0);
    assert_non_null(from.items);
    assert_true(to.n == 70 && to.capacity == 70);
    for (int i = 0; i < 70; i++) {
        const struct hsp *h = &to.items[i];
        assert_true(h->score == 100 + i && h->script.n == (size_t)i && h->script.capacity == h->script.n);
        for (int k = 0; k < i; k++)
            assert_int_equal(h->script.runs[k].n, k + 1);
    }
    before = to.items;
    for (int i = 0; i < 70; i++) {
        free(to.items[i].script.runs);
        assert_int_equal(hsp_list_add(&from, &old), TMS_OK);
    }
    assert_int_equal(hsp_list_move(&from, &to), TMS_OK);
    assert_true(to.n == 70 && to.items == before && to.items[69].score == 1);
    assert_int_equal(hsp_list_move(&from, &to), TMS_OK);
    assert_true(to.n == 0 && to.items == NULL);
    hsp_list_free(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score_order),
        cmocka_unit_test(test_evalues),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_purge),
        cmocka_unit_test(test_purge_starts_first),
        cmocka_unit_test(test_besthits),
        cmocka_unit_test(test_besthits_random),
        cmocka_unit_test(test_significant),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_move),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
