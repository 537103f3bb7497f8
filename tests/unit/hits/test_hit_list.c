/* test_hit_list.c - which subjects are left, and in what order: the same for any order of arrival, and for lists that are merged. */
#include "unit/hits/hsp_samples.h"

enum { MOST = 60, ROUNDS = 300 };

/* A subject in the order that hit_list.h defines. */
struct plain {
    double evalue;
    int score;
    uint64_t oid;
};

static bool is_before(struct plain a, struct plain b)
{
    const double x = a.evalue < 1e-180 ? 0 : a.evalue, y = b.evalue < 1e-180 ? 0 : b.evalue;

    return x != y ? x < y : a.score != b.score ? a.score > b.score : a.oid > b.oid;
}

/* Its place: as many as come before it. */
static size_t place_of(const struct plain *all, size_t n, size_t i)
{
    size_t place = 0;

    for (size_t k = 0; k < n; k++)
        place += is_before(all[k], all[i]);
    return place;
}

static void add_plain(struct hit_list *list, struct plain p)
{
    struct hsp h = hsp_along(0, 10, p.score);

    h.evalue = p.evalue;
    add_subject(list, p.oid, &h, 1);
}

static void shuffle(sample_random *random, struct plain *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t k = random_below(random, i);
        const struct plain other = items[k];
        items[k] = items[i - 1];
        items[i - 1] = other;
    }
}

static size_t random_subjects(sample_random *random, struct plain *out)
{
    const size_t n = random_below(random, MOST);

    for (size_t i = 0; i < n; i++)
        out[i] = (struct plain){random_evalue(random), 1 + (int)random_below(random, 3), i};
    shuffle(random, out, n);
    return n;
}

static void assert_best(struct hit_list *list, const struct plain *all, size_t n)
{
    const size_t want = n < list->max_hits ? n : list->max_hits;

    hit_list_sort(list);
    assert_int_equal(list->n, want);
    assert_int_equal(list->is_cut, n > list->max_hits);
    for (size_t i = 0; i < n; i++) {
        const size_t place = place_of(all, n, i);
        if (place < want)
            assert_int_equal(list->items[place].oid, all[i].oid);
    }
}

static void test_order(void **state)
{
    static const struct plain subjects[] = {{1e-200, 9, 1}, {0, 9, 0}, {1e-190, 8, 7}, {1e-180, 8, 6}, {1e-5, 5, 3}, {1e-5, 4, 9}};
    static const uint64_t want[] = {1, 0, 7, 6, 3, 9};
    static const size_t arrival[] = {3, 5, 0, 2, 4, 1};
    struct hit_list list = {.max_hits = 6};

    (void)state;
    for (size_t i = 0; i < 6; i++)
        add_plain(&list, subjects[arrival[i]]);
    hit_list_sort(&list);
    assert_oids(&list, want, 6);
    assert_false(list.is_cut);
    list.max_hits = 4;
    hit_list_sort(&list);
    assert_oids(&list, want, 4);
    assert_true(list.is_cut);
    hit_list_free(&list);
}

static void test_limit(void **state)
{
    sample_random random = {sample_seed()};
    struct plain all[MOST];

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_subjects(&random, all);
        struct hit_list list = {.max_hits = 1 + random_below(&random, 20)};
        for (size_t i = 0; i < n; i++) {
            add_plain(&list, all[i]);
            assert_true(list.n <= 2 * list.max_hits);
        }
        assert_best(&list, all, n);
        hit_list_free(&list);
    }
}

/* Lists of parts of the database, as threads have them, merged in any order. */
static void test_merge(void **state)
{
    enum { PARTS = 5 };
    sample_random random = {sample_seed()};
    struct plain all[MOST];

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_subjects(&random, all), most = 1 + random_below(&random, 20), first = random_below(&random, PARTS);
        struct hit_list parts[PARTS] = {{.max_hits = most}, {.max_hits = most}, {.max_hits = most}, {.max_hits = most}, {.max_hits = most}};
        struct hit_list list = {.max_hits = most};
        for (size_t i = 0; i < n; i++)
            add_plain(&parts[random_below(&random, PARTS)], all[i]);
        for (size_t i = 0; i < PARTS; i++) {
            struct hit_list *part = &parts[(first + i) % PARTS];
            assert_int_equal(hit_list_merge(&list, part), TMS_OK);
            assert_int_equal(part->n, 0);
            hit_list_free(part);
        }
        assert_best(&list, all, n);
        hit_list_free(&list);
    }
}

/* Of a list that was cut the other one knows. */
static void test_merge_is_cut(void **state)
{
    struct hit_list from = {.max_hits = 1}, list = {.max_hits = 9};

    (void)state;
    add_plain(&from, (struct plain){0.1, 5, 0});
    add_plain(&from, (struct plain){0.2, 5, 1});
    hit_list_sort(&from);
    assert_int_equal(hit_list_merge(&list, &from), TMS_OK);
    hit_list_free(&from);
    assert_int_equal(list.n, 1);
    assert_true(list.is_cut);
    hit_list_free(&list);
}

/* The least E-value of all HSPs, but the score of the first. */
static void test_rate(void **state)
{
    struct hsp items[] = {hsp_along(0, 5, 30), hsp_along(0, 5, 20), hsp_along(0, 5, 40)};
    struct hit_list list = {.max_hits = 1};

    (void)state;
    items[0].evalue = 0.5;
    items[1].evalue = 0.1;
    items[2].evalue = 0.3;
    add_subject(&list, 3, items, 3);
    assert_int_equal(list.items[0].score, 30);
    assert_near(list.items[0].evalue, 0.1, 0);
    hit_list_free(&list);
}

/* Subjects come in the order of the database, their HSPs by score, and equal ones as they were given. */
static void test_arrived(void **state)
{
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct arrived_hsp items[MOST];
        struct hit_list list = {.max_hits = MOST};
        const size_t n = random_below(&random, MOST);
        size_t n_added = 0;
        for (size_t i = 0; i < n; i++) {
            items[i] = (struct arrived_hsp){hsp_along(0, 5, 1 + (int)random_below(&random, 9)), random_below(&random, n)};
            items[i].hsp.context = (int)i; /* no part of the order */
            items[i].hsp.evalue = (double)items[i].oid + (double)i;
        }
        assert_int_equal(hit_list_add_arrived(&list, items, n), TMS_OK);
        for (size_t i = 0; i < list.n; i++) {
            const struct subject_hits *hits = &list.items[i];
            double least = INFINITY;
            assert_true(i == 0 || hits->oid > list.items[i - 1].oid);
            for (size_t k = 0; k < hits->hsps.n; k++) {
                const struct hsp *h = &hits->hsps.items[k], *before = h - 1;
                assert_true(k == 0 || before->score > h->score || (before->score == h->score && before->context < h->context));
                assert_near(h->evalue, (double)hits->oid + h->context, 0);
                least = h->evalue < least ? h->evalue : least;
            }
            n_added += hits->hsps.n;
            assert_int_equal(hits->score, hits->hsps.items[0].score);
            assert_near(hits->evalue, least, 0);
        }
        assert_int_equal(n_added, n);
        hit_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),        cmocka_unit_test(test_limit), cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_is_cut), cmocka_unit_test(test_rate),  cmocka_unit_test(test_arrived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
