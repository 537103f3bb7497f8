/* test_hsp_set.c - which HSPs lie in accepted ones: few and many of them against the plain question; and many at little cost. */
#include <time.h>

#include "hits/hsp_set.h"
#include "unit/samples.h"

enum { MANY = 20000 };

struct plain_set {
    struct hsp_box items[MANY];
    size_t n;
};
static struct plain_set plain;

static bool beats(const struct hsp_box *a, const struct hsp_box *b)
{
    const int a_rows = a->query_end - a->query, b_rows = b->query_end - b->query;

    if (a->score != b->score)
        return a->score > b->score;
    return a_rows != b_rows ? a_rows < b_rows : a->subject_end - a->subject < b->subject_end - b->subject;
}

static bool share(const struct hsp_box *a, const struct hsp_box *b, int corner)
{
    if (a->context != b->context)
        return false;
    return corner == 0 ? a->query == b->query && a->subject == b->subject
                       : a->query_end == b->query_end && a->subject_end == b->subject_end;
}

static void add_plainly(const struct hsp_box *box)
{
    for (int corner = 0; corner < 2; corner++) {
        for (size_t i = 0; i < plain.n; i++) {
            if (!share(&plain.items[i], box, corner))
                continue;
            if (!beats(box, &plain.items[i]))
                return;
            plain.items[i--] = plain.items[--plain.n];
        }
    }
    plain.items[plain.n++] = *box;
}

static bool is_near(const struct hsp_box *a, const struct hsp_box *b, int separation)
{
    return separation == 0 || abs((a->query - a->subject) - (b->query - b->subject)) < separation ||
           abs((a->query_end - a->subject_end) - (b->query_end - b->subject_end)) < separation;
}

static bool has_plainly(const struct hsp_box *box, int separation)
{
    for (size_t i = 0; i < plain.n; i++) {
        const struct hsp_box *t = &plain.items[i];
        if (box->score <= t->score && box->query >= t->query && box->query_end <= t->query_end && box->subject >= t->subject &&
            box->subject_end <= t->subject_end && box->context == t->context && is_near(t, box, separation))
            return true;
    }
    return false;
}

static struct hsp_box any_box(sample_random *random, int n_letters)
{
    const int longest = random_below(random, 8) == 0 ? n_letters / 2 : 40, at = (int)random_below(random, (uint64_t)n_letters);
    struct hsp_box box = {.query = (int)random_below(random, 30), .subject = at, .score = (int)random_below(random, 50)};

    box.query_end = box.query + (int)random_below(random, 30);
    box.subject_end = at + (int)random_below(random, (uint64_t)longest);
    box.context = (int)random_below(random, 2);
    return box;
}

static void test_same(void **state)
{
    sample_random random = {.state = 9};
    struct hsp_set set = {0};
    (void)state;

    for (int round = 0; round < 36; round++) { /* the set is used again, with few and with many */
        static const int separations[] = {0, 6, 50};
        const int n = round % 3 == 0 ? 50 : 900, n_letters = round % 2 ? 30000 : 300;
        plain.n = 0;
        hsp_set_clear(&set);
        set.separation = separations[round / 12];
        for (int i = 0; i < n; i++) {
            struct hsp_box box = any_box(&random, n_letters);
            assert_int_equal(hsp_set_add(&set, box), TMS_OK);
            add_plainly(&box);
            for (int k = 0; k < 8; k++) {
                box = any_box(&random, n_letters);
                assert_int_equal(hsp_set_contains(&set, box), has_plainly(&box, set.separation));
            }
        }
    }
    hsp_set_free(&set);
}

/* A repeat has thousands of them along a subject: a question is about those near it. */
static void test_cost(void **state)
{
    struct hsp_set set = {0};
    const clock_t begin = clock();
    (void)state;

    for (int i = 0; i < MANY; i++)
        assert_int_equal(hsp_set_add(&set, (struct hsp_box){i % 7, i % 7 + 40, 5 * i, 5 * i + 40, 100, 0}), TMS_OK);
    for (int i = 0; i < 40 * MANY; i++)
        assert_false(hsp_set_contains(&set, (struct hsp_box){0, 60, i % (5 * MANY), i % (5 * MANY) + 50, 90, 0}));
    assert_true(clock() - begin < 3 * CLOCKS_PER_SEC);
    hsp_set_free(&set);
}

/* A tandem repeat has thousands of them in the same stretch of a subject, on different diagonals; one is as long as a genome. */
static void test_cost_of_diagonals(void **state)
{
    struct hsp_set set = {.separation = 6};
    const clock_t begin = clock();
    (void)state;

    assert_int_equal(hsp_set_add(&set, (struct hsp_box){0, 5000000, 0, 5000000, 9000000, 0}), TMS_OK);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(hsp_set_add(&set, (struct hsp_box){7 * i, 7 * i + 400, i % 11, i % 11 + 400, 100, 0}), TMS_OK);
    for (int i = 0; i < 10 * MANY; i++) {
        assert_true(hsp_set_contains(&set, (struct hsp_box){i, i + 30, i + 5, i + 35, 90, 0}));
        assert_false(hsp_set_contains(&set, (struct hsp_box){7 * (2 + i % 9999), 7 * (2 + i % 9999) + 401, 1, 402, 90, 0}));
        assert_false(hsp_set_contains(&set, (struct hsp_box){i, i + 30, i + 5, i + 35, 90, 1}));
    }
    assert_true(clock() - begin < 3 * CLOCKS_PER_SEC);
    hsp_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_cost), cmocka_unit_test(test_cost_of_diagonals)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
