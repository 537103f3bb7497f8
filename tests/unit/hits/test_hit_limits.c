/* test_hit_limits.c - one limit after the other, by hand; and without a filter against the definition. */
#include "hits/hit_limits.h"
#include "unit/hits/hsp_samples.h"

enum { LENGTH = 100, MOST_SUBJECTS = 20, MOST_HSPS = 8, ROUNDS = 300 };

static struct hsp with_evalue(struct hsp h, double evalue)
{
    h.evalue = evalue;
    return h;
}

/* Subject 4 is the best, 0 the worst; each has an HSP of another place in the query. */
static struct hit_list five_subjects(void)
{
    struct hit_list list = {.max_hits = 100};

    for (int i = 0; i < 5; i++) {
        const struct hsp h = hsp_along(20 * i, 20 * i + 10 + i, 50 + i);
        add_subject(&list, (uint64_t)i, &h, 1);
    }
    return list;
}

static void test_max_subjects(void **state)
{
    static const uint64_t best_first[] = {4, 3, 2, 1, 0};

    (void)state;
    for (size_t most = 1; most <= 6; most++) {
        const struct hit_limits limits = {.max_subjects = most};
        struct hit_list list = five_subjects();
        assert_int_equal(hit_limits_apply(&limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
        assert_oids(&list, best_first, most < 5 ? most : 5);
        assert_int_equal(list.is_cut, most < 5);
        hit_list_free(&list);
    }
}

/* A list that was cut before, and is not full now, misses none that it would have shown. */
static void test_is_cut(void **state)
{
    (void)state;
    for (size_t most = 4; most <= 6; most++) {
        const struct hit_limits limits = {.max_subjects = most};
        struct hit_list list = five_subjects();
        list.is_cut = true;
        assert_int_equal(hit_limits_apply(&limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
        assert_int_equal(list.is_cut, most <= 5);
        hit_list_free(&list);
    }
}

/* Subjects without HSPs take no place. */
static void test_empty_subjects(void **state)
{
    static const uint64_t want[] = {3, 1};
    const struct hit_limits limits = {.max_subjects = 2};
    struct hit_list list = five_subjects();

    (void)state;
    hsp_list_clear(&list.items[4].hsps);
    hsp_list_clear(&list.items[2].hsps);
    assert_int_equal(hit_limits_apply(&limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
    assert_oids(&list, want, 2);
    hit_list_free(&list);
}

/* Lengths are 10 to 14 of 100 residues, rounded up by a half. Of the two best subjects one goes: the third takes not its place. */
static void test_coverage(void **state)
{
    static const uint64_t four[] = {4}, best_first[] = {4, 3, 2};
    const struct hit_limits two = {.max_subjects = 2, .min_coverage = 14}, all = {.max_subjects = 5, .min_coverage = 12.5};
    struct hit_list list = five_subjects();

    (void)state;
    assert_int_equal(hit_limits_apply(&two, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
    assert_oids(&list, four, 1);
    hit_list_free(&list);
    list = five_subjects();
    assert_int_equal(hit_limits_apply(&all, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
    assert_oids(&list, best_first, 3);
    hit_list_free(&list);
}

/* By score: 0..60, 10..50, 20..30, 70..80. The second one is the best by E-value. */
static struct hit_list one_subject(bool by_evalue)
{
    const struct hsp items[] = {with_evalue(hsp_along(0, 60, 90), 1e-4), with_evalue(hsp_along(10, 50, 80), 1e-9),
                                with_evalue(hsp_along(20, 30, 70), 1e-2), with_evalue(hsp_along(70, 80, 60), 1e-5)};
    struct hit_list list = {.max_hits = 100};

    add_subject(&list, 0, items, 4);
    if (by_evalue)
        hsp_sort_evalues(&list.items[0].hsps);
    return list;
}

/* What is left of it: the scores, in their order, as a decimal number of their tens. */
static int scores_left(const struct hit_limits *limits)
{
    struct hit_list list = one_subject(limits->by_evalue);
    int scores = 0;

    assert_int_equal(hit_limits_apply(limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
    for (size_t i = 0; list.n > 0 && i < list.items[0].hsps.n; i++)
        scores = 10 * scores + list.items[0].hsps.items[i].score / 10;
    hit_list_free(&list);
    return scores;
}

static void test_max_hsps(void **state)
{
    const struct hit_filter_rules filter = {.culling_limit = 10};

    (void)state;
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1}), 9876);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .max_hsps = 9}), 9876);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .max_hsps = 3}), 987);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .by_evalue = true}), 8697);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .max_hsps = 3, .by_evalue = true}), 869);
    /* after a filter HSPs are chosen by score, and stay in the order of E-values */
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .max_hsps = 3, .by_evalue = true, .filter = filter}), 897);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .max_hsps = 1, .by_evalue = true, .filter = filter}), 9);
}

/* max_hsps comes before coverage: 0..60 takes 60.5 percent, 10..50 takes 40.5. */
static void test_max_hsps_before_coverage(void **state)
{
    (void)state;
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .min_coverage = 41}), 9);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .min_coverage = 41, .by_evalue = true}), 9);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .max_hsps = 1, .min_coverage = 41, .by_evalue = true}), 0);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .max_hsps = 2, .min_coverage = 40}), 98);
}

/* 10..50 comes first by E-value, and does not drop 0..60, which would have dropped it; both drop 20..30. */
static void test_besthit(void **state)
{
    const struct hit_filter_rules filter = {.culling_limit = 10};

    (void)state;
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .subject_besthit = true}), 96);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .subject_besthit = true, .by_evalue = true}), 869);
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .subject_besthit = true, .by_evalue = true, .filter = filter}),
                     69);
    /* coverage comes before it: 0..60 went, so it drops none */
    assert_int_equal(scores_left(&(struct hit_limits){.max_subjects = 1, .max_hsps = 2, .subject_besthit = true}), 9);
}

/* The best subject loses its first HSP to culling, so it comes second; one that loses all of them is not replaced. */
static void test_culling(void **state)
{
    static const uint64_t want[] = {2, 1};
    const struct hit_limits limits = {.max_subjects = 3, .filter = {.culling_limit = 1}};
    const struct hsp first[] = {with_evalue(hsp_along(0, 40, 50), 1e-9), with_evalue(hsp_along(60, 90, 20), 1e-2)};
    const struct hsp second = with_evalue(hsp_along(0, 40, 60), 1e-5), third = with_evalue(hsp_along(0, 30, 10), 1e-3);
    const struct hsp fourth = with_evalue(hsp_along(95, 100, 10), 1e-1);
    struct hit_list list = {.max_hits = 100};

    (void)state;
    add_subject(&list, 1, first, 2);
    add_subject(&list, 2, &second, 1);
    add_subject(&list, 3, &third, 1);
    add_subject(&list, 4, &fourth, 1);
    assert_int_equal(hit_limits_apply(&limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
    assert_oids(&list, want, 2);
    assert_int_equal(list.items[1].hsps.n, 1);
    assert_int_equal(list.items[1].hsps.items[0].query, 60);
    assert_int_equal(list.items[1].score, 20);
    hit_list_free(&list);
}

static void test_best_hits(void **state)
{
    static const uint64_t want[] = {2, 4};
    const struct hit_limits limits = {
        .max_subjects = 4, .max_aligned = 10, .filter = {.best_hits = true, .overhang = 0.1, .score_edge = 0.1}};
    const struct hsp first = with_evalue(hsp_along(10, 50, 99), 1e-9), second = with_evalue(hsp_along(6, 50, 50), 1e-5);
    const struct hsp third = with_evalue(hsp_along(5, 50, 50), 1e-3);
    struct hit_list list = {.max_hits = 100};

    (void)state;
    add_subject(&list, 2, &first, 1);
    add_subject(&list, 3, &second, 1); /* within 10..50 and 4 more */
    add_subject(&list, 4, &third, 1);
    assert_int_equal(hit_limits_apply(&limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
    assert_oids(&list, want, 2);
    hit_list_free(&list);
}

/*
 * Best hits of two subjects: subject 2 has an HSP that subject 1's drops, and one, of a better E-value and less score, that drops subject
 * 1's. Returns how many HSPs are left.
 */
static size_t count_best_hits(bool best_hits_by_score, bool is_cut)
{
    const struct hit_limits limits = {.max_subjects = 2,
                                      .shows_by_evalue = true,
                                      .best_hits_by_score = best_hits_by_score,
                                      .max_aligned = 10,
                                      .filter = {.best_hits = true, .overhang = 0.25, .score_edge = 0.05}};
    const struct hsp first[] = {with_evalue(hsp_along(0, 10, 130), 1e-30), with_evalue(hsp_along(40, 69, 116), 7e-13)};
    const struct hsp second[] = {with_evalue(hsp_along(34, 69, 125), 2e-11), with_evalue(hsp_along(45, 69, 122), 2e-13)};
    struct hit_list list = {.max_hits = 100, .is_cut = is_cut};
    size_t n = 0;

    add_subject(&list, 1, first, 2);
    add_subject(&list, 2, second, 2);
    assert_int_equal(hit_limits_apply(&limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
    for (size_t i = 0; i < list.n; i++)
        n += list.items[i].hsps.n;
    hit_list_free(&list);
    return n;
}

/* By score the HSP of score 125 comes while that of 116 is there; by E-value it has gone. */
static void test_order_of_filter(void **state)
{
    (void)state;
    assert_int_equal(count_best_hits(true, false), 2);
    assert_int_equal(count_best_hits(true, true), 3);
    assert_int_equal(count_best_hits(false, false), 3);
}

/*
 * Culling takes HSPs by their E-values: 4..51 and then 4..57 cost 25..53 its lives. By score 4..57 would come first, and 0..28 and it would
 * have dropped 4..51.
 */
static void test_order_of_culling(void **state)
{
    const struct hit_limits limits = {
        .max_subjects = 2, .shows_by_evalue = true, .best_hits_by_score = true, .filter = {.culling_limit = 2}};
    const struct hsp first[] = {with_evalue(hsp_along(0, 28, 149), 1e-28), with_evalue(hsp_along(25, 53, 78), 1e-21)};
    const struct hsp second[] = {with_evalue(hsp_along(4, 57, 73), 1e-2), with_evalue(hsp_along(4, 51, 69), 1e-10)};
    struct hit_list list = {.max_hits = 100};
    (void)state;
    add_subject(&list, 1, first, 2);
    add_subject(&list, 2, second, 2);
    assert_int_equal(hit_limits_apply(&limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
    assert_int_equal(list.n, 2);
    assert_int_equal(list.items[0].hsps.n, 1);
    assert_int_equal(list.items[1].hsps.n, 1);
    hit_list_free(&list);
}

/* --- against the definition --- */

struct plain {
    uint64_t oid;
    double evalue;
    int score;
    struct hsp hsps[MOST_HSPS];
    size_t n;
};

static bool is_before(const struct plain *a, const struct plain *b)
{
    const int order = hsp_compare_evalues(a->evalue, b->evalue);

    return order != 0 ? order < 0 : a->score != b->score ? a->score > b->score : a->oid > b->oid;
}

/* What is left of a subject. */
static size_t keep_plainly(const struct hit_limits *limits, struct hsp *hsps, size_t n)
{
    size_t left = 0;

    for (size_t i = 0; i < n && (limits->max_hsps == 0 || i < limits->max_hsps); i++) {
        bool is_within = false;
        for (size_t k = 0; k < left; k++)
            is_within |= hsps[k].query - 3 <= hsps[i].query && hsps[i].query_end <= hsps[k].query_end + 3;
        if ((limits->min_coverage <= 0 || hsp_coverage(&hsps[i], LENGTH) >= limits->min_coverage) &&
            !(limits->subject_besthit && is_within))
            hsps[left++] = hsps[i];
    }
    return left;
}

static void apply_plainly(const struct hit_limits *limits, struct plain *all, size_t n, const struct hit_list *got)
{
    size_t at = 0;

    for (size_t place = 0; place < n && place < limits->max_subjects; place++) {
        for (size_t i = 0; i < n; i++) {
            size_t before = 0;
            for (size_t k = 0; k < n; k++)
                before += is_before(&all[k], &all[i]);
            if (before != place)
                continue;
            struct hsp hsps[MOST_HSPS];
            memcpy(hsps, all[i].hsps, sizeof hsps);
            const size_t left = keep_plainly(limits, hsps, all[i].n);
            if (left == 0)
                continue;
            assert_true(at < got->n);
            assert_int_equal(got->items[at].oid, all[i].oid);
            assert_hsps(&got->items[at++].hsps, hsps, left);
        }
    }
    assert_int_equal(at, got->n);
}

static void test_random(void **state)
{
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const struct hit_limits limits = {.max_subjects = 1 + random_below(&random, MOST_SUBJECTS),
                                          .max_hsps = random_below(&random, MOST_HSPS),
                                          .min_coverage = random_below(&random, 2) ? (double)random_below(&random, 60) : 0,
                                          .subject_besthit = random_below(&random, 2) == 0};
        const size_t n = random_below(&random, MOST_SUBJECTS);
        struct hit_list list = {.max_hits = MOST_SUBJECTS};
        struct plain all[MOST_SUBJECTS];
        for (size_t i = 0; i < n; i++) {
            all[i] = (struct plain){.oid = 7 * i, .n = 1 + random_below(&random, MOST_HSPS)};
            for (size_t k = 0; k < all[i].n; k++)
                all[i].hsps[k] = random_hsp(&random, 50);
            qsort(all[i].hsps, all[i].n, sizeof *all[i].hsps, hsp_compare_score);
            add_subject(&list, all[i].oid, all[i].hsps, all[i].n);
            all[i].evalue = list.items[i].evalue;
            all[i].score = list.items[i].score;
        }
        assert_int_equal(hit_limits_apply(&limits, (struct hit_query){LENGTH, NULL}, &list), TMS_OK);
        apply_plainly(&limits, all, n, &list);
        hit_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_max_subjects),    cmocka_unit_test(test_is_cut),           cmocka_unit_test(test_empty_subjects),
        cmocka_unit_test(test_coverage),        cmocka_unit_test(test_max_hsps),         cmocka_unit_test(test_max_hsps_before_coverage),
        cmocka_unit_test(test_besthit),         cmocka_unit_test(test_culling),          cmocka_unit_test(test_best_hits),
        cmocka_unit_test(test_order_of_filter), cmocka_unit_test(test_order_of_culling), cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
