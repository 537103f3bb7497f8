/* test_hit_filter.c - which filter is in use, and how much more lenient it is with preliminary HSPs. */
#include "hits/hit_filter.h"
#include "unit/hits/hsp_samples.h"

enum { SUBJECTS = 12, LENGTH = 1000 };

static struct hsp hsp_of(int query, int query_end, int score)
{
    struct hsp h = hsp_along(query, query_end, score);

    h.evalue = 1e-20;
    return h;
}

/* How many HSPs are left of a list, which the filter takes; all that are left come back. */
static size_t n_left_of(struct hit_filter *filter, struct hit_list *list)
{
    size_t n;

    assert_int_equal(hit_filter_offer(filter, list), TMS_OK);
    assert_int_equal(list->n, 0);
    assert_int_equal(hit_filter_take(filter, list), TMS_OK);
    n = list->n;
    hit_list_free(list);
    assert_int_equal(hit_filter_take(filter, list), TMS_OK);
    assert_int_equal(list->n, 0);
    hit_filter_free(filter);
    return n;
}

/* Subjects whose HSPs take the same range, the worst one first. */
static struct hit_list rivals(void)
{
    struct hit_list list = {.max_hits = SUBJECTS};

    for (int i = 0; i < SUBJECTS; i++) {
        const struct hsp h = hsp_of(100, 200, 50 + i);
        add_subject(&list, (uint64_t)i, &h, 1);
    }
    return list;
}

static size_t n_rivals_left(int culling_limit, bool is_preliminary)
{
    const struct hit_filter_rules rules = {.culling_limit = culling_limit};
    struct hit_filter filter;
    struct hit_list list = rivals();

    if (is_preliminary)
        assert_int_equal(hit_filter_init_preliminary(&rules, (struct hit_query){LENGTH, NULL}, SUBJECTS, &filter), TMS_OK);
    else
        assert_int_equal(hit_filter_init_final(&rules, (struct hit_query){LENGTH, NULL}, SUBJECTS, &filter), TMS_OK);
    return n_left_of(&filter, &list);
}

static void test_wanted(void **state)
{
    const struct hit_filter_rules none = {.overhang = 0.1, .score_edge = 0.1}, culling = {.culling_limit = 1}, best = {.best_hits = true};

    (void)state;
    assert_false(hit_filter_is_wanted(&none));
    assert_true(hit_filter_is_wanted(&culling));
    assert_true(hit_filter_is_wanted(&best));
}

static void test_culling(void **state)
{
    (void)state;
    for (int limit = 1; limit < 8; limit++)
        assert_int_equal(n_rivals_left(limit, false), limit);
    assert_int_equal(n_rivals_left(1, true), 1);
    for (int limit = 2; limit < 8; limit++)
        assert_int_equal(n_rivals_left(limit, true), limit + 3);
}

/* One range is 10 residues of 100 longer than the other's: that is within the overhang, which only final HSPs have. */
static void test_best_hits(void **state)
{
    const struct hit_filter_rules rules = {.best_hits = true, .overhang = 0.1, .score_edge = 0.25};

    (void)state;
    for (int beyond = 10; beyond <= 11; beyond++) {
        for (int is_preliminary = 0; is_preliminary < 2; is_preliminary++) {
            const struct hsp best = hsp_of(100, 200, 500), other = hsp_of(190, 200 + beyond, 20), inside = hsp_of(150, 200, 20);
            struct hit_list list = {.max_hits = SUBJECTS};
            struct hit_filter filter;
            add_subject(&list, 0, &best, 1);
            add_subject(&list, 1, &other, 1);
            add_subject(&list, 2, &inside, 1);
            if (is_preliminary)
                assert_int_equal(hit_filter_init_preliminary(&rules, (struct hit_query){LENGTH, NULL}, SUBJECTS, &filter), TMS_OK);
            else
                assert_int_equal(hit_filter_init_final(&rules, (struct hit_query){LENGTH, NULL}, SUBJECTS, &filter), TMS_OK);
            assert_int_equal(n_left_of(&filter, &list), is_preliminary || beyond > 10 ? 2 : 1);
        }
    }
}

/*
 * Final HSPs lose their overhang as soon as there are more than twice as many as subjects are aligned. Preliminary ones have none.
 * Five places, and then one that reaches beyond the first place, but not beyond its overhang.
 */
static void test_overhang(void **state)
{
    const struct hit_filter_rules rules = {.best_hits = true, .overhang = 0.1, .score_edge = 0.1};

    (void)state;
    for (int is_preliminary = 0; is_preliminary < 2; is_preliminary++) {
        for (size_t max_aligned = 1; max_aligned <= 3; max_aligned++) {
            struct hit_list list = {.max_hits = SUBJECTS};
            struct hit_filter filter;
            for (int i = 0; i < 5; i++) {
                const struct hsp h = hsp_of(100 * i, 100 * i + 50, 900);
                add_subject(&list, (uint64_t)i, &h, 1);
            }
            struct hsp last = hsp_of(4, 54, 100);
            add_subject(&list, 9, &last, 1);
            if (is_preliminary)
                assert_int_equal(hit_filter_init_preliminary(&rules, (struct hit_query){LENGTH, NULL}, SUBJECTS, &filter), TMS_OK);
            else
                assert_int_equal(hit_filter_init_final(&rules, (struct hit_query){LENGTH, NULL}, max_aligned, &filter), TMS_OK);
            assert_int_equal(n_left_of(&filter, &list), !is_preliminary && 2 * max_aligned >= 5 ? 5 : 6);
        }
    }
}

/* A weak HSP in each of six frames, within the range of a good one in frame 0: culling looks at the frame, best hits at its strand. */
static void test_frames(void **state)
{
    static const int lengths[FRAMES] = {LENGTH, LENGTH, LENGTH, LENGTH, LENGTH, LENGTH};
    const struct hit_filter_rules culling = {.culling_limit = 1}, best_hits = {.best_hits = true, .overhang = 0.1, .score_edge = 0.1};

    (void)state;
    for (int context = 0; context < FRAMES; context++) {
        for (int culls = 0; culls < 2; culls++) {
            const struct hsp best = hsp_of(100, 200, 500);
            struct hsp weak = hsp_of(120, 180, 20);
            struct hit_list list = {.max_hits = SUBJECTS};
            struct hit_filter filter;
            weak.context = context;
            add_subject(&list, 0, &best, 1);
            add_subject(&list, 1, &weak, 1);
            assert_int_equal(
                hit_filter_init_final(culls ? &culling : &best_hits, (struct hit_query){3 * LENGTH, lengths}, SUBJECTS, &filter), TMS_OK);
            assert_int_equal(n_left_of(&filter, &list), culls ? 1 + (context > 0) : 1 + (context >= FRAMES_A_STRAND));
        }
    }
}

/* The order in which two HSPs are left that are alike but for their frames: each list of results that is filled turns it. */
static void test_alike(void **state)
{
    static const int lengths[FRAMES] = {LENGTH, LENGTH, LENGTH, LENGTH, LENGTH, LENGTH};
    const struct hit_filter_rules rules = {.best_hits = true, .overhang = 0.1, .score_edge = 0.1};

    (void)state;
    for (size_t max_aligned = 1; max_aligned <= 2; max_aligned++) {
        for (int is_preliminary = 0; is_preliminary < 2; is_preliminary++) {
            const struct hit_query query = {3 * LENGTH, lengths};
            struct hsp alike[3] = {hsp_of(100, 200, 500), hsp_of(100, 200, 500), hsp_of(300, 400, 400)};
            struct hit_list list = {.max_hits = SUBJECTS}, left = {.max_hits = SUBJECTS};
            struct hit_filter filter;
            alike[1].context = 1;
            alike[2].context = FRAMES_A_STRAND; /* counts as those of the plus strand do */
            add_subject(&list, 0, alike, 3);
            if (is_preliminary)
                assert_int_equal(hit_filter_init_preliminary(&rules, query, max_aligned, &filter), TMS_OK);
            else
                assert_int_equal(hit_filter_init_final(&rules, query, max_aligned, &filter), TMS_OK);
            assert_int_equal(hit_filter_offer(&filter, &list), TMS_OK);
            assert_int_equal(hit_filter_take(&filter, &left), TMS_OK);
            assert_int_equal(left.items[0].hsps.n, 3);
            assert_int_equal(left.items[0].hsps.items[0].context, max_aligned == 1 ? 0 : 1);
            hit_list_free(&list);
            hit_list_free(&left);
            hit_filter_free(&filter);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wanted),   cmocka_unit_test(test_culling), cmocka_unit_test(test_best_hits),
                                       cmocka_unit_test(test_overhang), cmocka_unit_test(test_frames),  cmocka_unit_test(test_alike)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
