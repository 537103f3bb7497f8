/*
 * test_chunk_merge.c - HSPs that are cut where chunks of a query begin and end become whole again; which ones are joined, and with what
 * score, by hand.
 */
#include "hits/chunk_merge.h"
#include "unit/hits/hsp_samples.h"

enum { MOST = 12, ROUNDS = 300, APART = 100 };

/* Preliminary HSPs have no scripts. */
static struct hsp bare_hsp(int query, int query_end, int subject, int subject_end, int score)
{
    return (struct hsp){query, query_end, subject, subject_end, score, .evalue = 1.0 / score};
}

static tms_status merge_strands(struct hit_list *to, int plus, int minus, struct hit_list *chunk)
{
    const struct chunk_place place = chunk_place_of_strands(plus, minus);

    return chunk_merge(to, &place, chunk);
}

/* The hits of the first chunk, 0..1000, are `before`; those of the second, which begins at 900, are given with positions in the query. */
static void merge_two(const struct hsp *before, size_t n_before, const struct hsp *after, size_t n_after, struct hit_list *to)
{
    struct hit_list first = {.max_hits = 10}, second = {.max_hits = 10};

    *to = (struct hit_list){.max_hits = 10};
    add_subject(&first, 3, before, n_before);
    add_subject(&second, 3, after, n_after);
    for (size_t i = 0; i < n_after; i++) {
        second.items[0].hsps.items[i].query -= 900;
        second.items[0].hsps.items[i].query_end -= 900;
        second.items[0].hsps.items[i].start_query -= 900;
    }
    assert_int_equal(merge_strands(to, 0, 0, &first), TMS_OK);
    assert_int_equal(merge_strands(to, 900, 0, &second), TMS_OK);
    assert_int_equal(first.n + second.n, 0);
    assert_int_equal(to->n, 1);
    hit_list_free(&first);
    hit_list_free(&second);
}

static size_t n_merged(struct hsp before, struct hsp after)
{
    struct hit_list list;
    size_t n;

    merge_two(&before, 1, &after, 1, &list);
    n = list.items[0].hsps.n;
    hit_list_free(&list);
    return n;
}

/* 500 points of 400 residues are 400 of 320. */
static void test_join(void **state)
{
    struct hsp before = bare_hsp(800, 1000, 300, 500, 200), after = bare_hsp(920, 1120, 422, 622, 300);
    struct hit_list list;
    const struct hsp *h;

    (void)state;
    before.start_query = 850;
    before.start_subject = 350;
    after.start_query = 1000;
    after.start_subject = 502;
    merge_two(&before, 1, &after, 1, &list);
    assert_int_equal(list.items[0].hsps.n, 1);
    h = &list.items[0].hsps.items[0];
    assert_int_equal(h->query, 800);
    assert_int_equal(h->query_end, 1120);
    assert_int_equal(h->subject, 300);
    assert_int_equal(h->subject_end, 622);
    assert_int_equal(h->score, 400);
    assert_int_equal(h->start_query, 1000);
    assert_int_equal(h->start_subject, 502); /* the better one's */
    hit_list_free(&list);
}

/* The better part's score is the least that both have together. */
static void test_least_score(void **state)
{
    (void)state;
    for (int is_after = 0; is_after < 2; is_after++) {
        const struct hsp before = bare_hsp(900, 1000, 300, 400, is_after ? 20 : 300);
        const struct hsp after = bare_hsp(905, 1000, 305, 400, is_after ? 300 : 20);
        struct hit_list list;
        merge_two(&before, 1, &after, 1, &list);
        assert_int_equal(list.items[0].hsps.n, 1);
        assert_int_equal(list.items[0].hsps.items[0].score, 300);
        assert_int_equal(list.items[0].hsps.items[0].query_end, 1000);
        hit_list_free(&list);
    }
}

static void test_what_joins(void **state)
{
    (void)state;
    assert_int_equal(n_merged(bare_hsp(800, 1000, 300, 500, 90), bare_hsp(950, 1100, 459, 609, 80)), 1);  /* 9 diagonals apart */
    assert_int_equal(n_merged(bare_hsp(800, 1000, 300, 500, 90), bare_hsp(950, 1100, 460, 610, 80)), 2);  /* 10 */
    assert_int_equal(n_merged(bare_hsp(800, 1000, 300, 500, 90), bare_hsp(950, 1100, 441, 591, 80)), 1);  /* 9 to the other side */
    assert_int_equal(n_merged(bare_hsp(800, 1000, 300, 500, 90), bare_hsp(950, 1100, 440, 590, 80)), 2);  /* 10 */
    assert_int_equal(n_merged(bare_hsp(800, 950, 300, 450, 90), bare_hsp(950, 1100, 450, 600, 80)), 1);   /* they touch */
    assert_int_equal(n_merged(bare_hsp(800, 950, 300, 450, 90), bare_hsp(951, 1100, 451, 600, 80)), 2);   /* they do not */
    assert_int_equal(n_merged(bare_hsp(700, 900, 200, 400, 90), bare_hsp(900, 1100, 400, 600, 80)), 2);   /* none of it in the overlap */
    assert_int_equal(n_merged(bare_hsp(700, 1000, 200, 500, 90), bare_hsp(1000, 1100, 500, 600, 80)), 2); /* the second begins behind it */
    assert_int_equal(n_merged(bare_hsp(700, 999, 200, 499, 90), bare_hsp(999, 1100, 499, 600, 80)), 1);   /* at its last residue */
    assert_int_equal(n_merged(bare_hsp(910, 980, 410, 480, 90), bare_hsp(910, 980, 410, 480, 90)), 1);    /* found twice */
}

/* The list is sorted, and HSPs of other places stay as they are. */
static void test_others_stay(void **state)
{
    const struct hsp before[] = {bare_hsp(100, 200, 100, 200, 70), bare_hsp(800, 1000, 300, 500, 60)};
    const struct hsp after[] = {bare_hsp(1500, 1600, 50, 150, 300), bare_hsp(990, 1190, 490, 690, 60)};
    struct hsp joined = before[1];
    struct hit_list list;

    (void)state;
    merge_two(before, 2, after, 2, &list);
    joined.query_end = 1190;
    joined.subject_end = 690;
    joined.score = 117; /* 0.3 a residue, for 390 */
    assert_hsps(&list.items[0].hsps, (struct hsp[]){after[0], joined, before[0]}, 3);
    hit_list_free(&list);
}

/* Subjects of only one chunk stay; if there are too many, those with the least E-values do, with HSPs in the order of E-values. */
static void test_subjects(void **state)
{
    static const uint64_t both[] = {5, 8, 2}, best[] = {2, 5};

    (void)state;
    for (size_t most = 2; most <= 3; most++) {
        struct hit_list first = {.max_hits = most}, second = {.max_hits = most}, list = {.max_hits = most};
        struct hsp five = bare_hsp(0, 10, 0, 10, 40), eight = bare_hsp(0, 10, 0, 10, 30),
                   two[] = {bare_hsp(20, 30, 5, 15, 35), bare_hsp(40, 50, 5, 15, 34)};
        five.evalue = 0.01;
        eight.evalue = 0.1;
        two[0].evalue = 0.02;
        two[1].evalue = 0.001;
        add_subject(&first, 5, &five, 1);
        add_subject(&first, 8, &eight, 1);
        add_subject(&second, 2, two, 2);
        assert_int_equal(merge_strands(&list, 0, 0, &first), TMS_OK);
        assert_int_equal(merge_strands(&list, 900, 0, &second), TMS_OK);
        assert_oids(&list, most == 2 ? best : both, most);
        for (size_t i = 0; i < most; i++)
            if (list.items[i].oid == 2)
                assert_int_equal(list.items[i].hsps.items[0].query, most == 2 ? 940 : 920);
        hit_list_free(&first);
        hit_list_free(&second);
        hit_list_free(&list);
    }
}

/* --- strands and subjects --- */

/* A query of 1900 bases in chunks 0..1000 and 900..1900; on the minus strand these are 900..1900 and 0..1000. */
static size_t n_merged_strands(struct hsp before, struct hsp after, int context)
{
    struct hit_list list = {.max_hits = 10}, first = {.max_hits = 10}, second = {.max_hits = 10};
    const int plus = 900, minus = 0, start = context == 0 ? plus : minus;
    size_t n;

    before.context = after.context = context;
    after.query -= start;
    after.query_end -= start;
    before.query -= context == 0 ? 0 : 900;
    before.query_end -= context == 0 ? 0 : 900;
    add_subject(&first, 3, &before, 1);
    add_subject(&second, 3, &after, 1);
    assert_int_equal(merge_strands(&list, 0, 900, &first), TMS_OK);
    assert_int_equal(merge_strands(&list, plus, minus, &second), TMS_OK);
    n = list.items[0].hsps.n;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(list.items[0].hsps.items[i].context, context);
    hit_list_free(&list);
    hit_list_free(&first);
    hit_list_free(&second);
    return n;
}

static void test_strands(void **state)
{
    struct hit_list list = {.max_hits = 10}, first = {.max_hits = 10}, second = {.max_hits = 10};
    struct hsp plus = bare_hsp(900, 1000, 400, 500, 90), minus = bare_hsp(0, 100, 400, 500, 90);
    (void)state;

    assert_int_equal(n_merged_strands(bare_hsp(800, 1000, 300, 500, 90), bare_hsp(950, 1100, 450, 600, 80), 0), 1);
    /* what continues on the minus strand, before position 900, is looked for at its position 0, so it stays apart */
    assert_int_equal(n_merged_strands(bare_hsp(900, 1000, 300, 400, 90), bare_hsp(800, 950, 200, 350, 80), 1), 2);
    minus.context = 1;
    add_subject(&first, 3, &plus, 1);
    minus.query_end -= 50; /* on the other strand, and on the diagonal of the first one */
    minus.subject_end -= 50;
    add_subject(&second, 3, &minus, 1);
    assert_int_equal(merge_strands(&list, 0, 900, &first), TMS_OK);
    assert_int_equal(merge_strands(&list, 900, 900, &second), TMS_OK);
    assert_int_equal(list.items[0].hsps.n, 2);
    assert_int_equal(list.items[0].hsps.items[1].query, 900);
    hit_list_free(&list);
    hit_list_free(&first);
    hit_list_free(&second);
}

/* On the minus strand, one that is found again at the start of the strand. */
static void test_minus_start(void **state)
{
    struct hit_list list = {.max_hits = 10}, first = {.max_hits = 10}, second = {.max_hits = 10};
    struct hsp before = bare_hsp(0, 60, 100, 160, 50), after = bare_hsp(10, 60, 110, 160, 50);
    (void)state;

    before.context = after.context = 1;
    add_subject(&first, 3, &before, 1);
    add_subject(&second, 3, &after, 1);
    assert_int_equal(merge_strands(&list, 0, 950, &first), TMS_OK); /* 950..1010 */
    assert_int_equal(merge_strands(&list, 900, 950, &second), TMS_OK);
    assert_int_equal(list.items[0].hsps.n, 1);
    assert_int_equal(list.items[0].hsps.items[0].query, 950);
    assert_int_equal(list.items[0].hsps.items[0].query_end, 1010);
    assert_int_equal(list.items[0].hsps.items[0].score, 54); /* 100 for 110 bases */
    hit_list_free(&list);
    hit_list_free(&first);
    hit_list_free(&second);
}

/* Chunks of a subject, the second from 900 on. */
static size_t n_merged_subjects(struct hsp before, struct hsp after, bool is_ungapped, struct hsp *first)
{
    struct hsp_list list = {0}, chunk = {0};
    size_t n;

    list_of(&chunk, &before, 1);
    assert_int_equal(subject_chunk_merge(&list, 0, &chunk, is_ungapped), TMS_OK);
    assert_int_equal(chunk.n, 0);
    after.subject -= 900;
    after.subject_end -= 900;
    after.start_subject -= 900;
    list_of(&chunk, &after, 1);
    assert_int_equal(subject_chunk_merge(&list, 900, &chunk, is_ungapped), TMS_OK);
    n = list.n;
    *first = list.items[0];
    hsp_list_free(&list);
    hsp_list_free(&chunk);
    return n;
}

static void test_subject_chunks(void **state)
{
    struct hsp before = bare_hsp(300, 500, 800, 1000, 200), after = bare_hsp(422, 622, 920, 1120, 300), h;
    (void)state;

    after.start_query = 502;
    after.start_subject = 1000;
    assert_int_equal(n_merged_subjects(before, after, false, &h), 1);
    assert_int_equal(h.subject, 800);
    assert_int_equal(h.subject_end, 1120);
    assert_int_equal(h.query_end, 622);
    assert_int_equal(h.score, 402); /* 500 points of 400 bases are 402 of 322 */
    assert_int_equal(h.start_query, 502);
    assert_int_equal(h.start_subject, 1000);
    assert_int_equal(n_merged_subjects(before, after, true, &h), 2); /* another diagonal */
    after.query -= 2;
    after.query_end -= 2;
    assert_int_equal(n_merged_subjects(before, after, true, &h), 1);
    assert_int_equal(n_merged_subjects(bare_hsp(0, 99, 801, 900, 9), bare_hsp(0, 99, 900, 999, 9), false, &h), 2); /* ends at the border */
    after.context = 1;
    assert_int_equal(n_merged_subjects(before, after, false, &h), 2);
    assert_int_equal(h.score, 300);
}

/* --- cut and made whole --- */

/* The part of an HSP in a chunk, with positions in the chunk. Its score is its length. */
static bool part_of(const struct hsp *h, int start, int end, struct hsp *out)
{
    const int first = h->query > start ? h->query : start, last = h->query_end < end ? h->query_end : end;

    if (first >= last)
        return false;
    *out = bare_hsp(first - start, last - start, h->subject + first - h->query, h->subject + last - h->query, last - first);
    return true;
}

static void test_whole_again(void **state)
{
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const int size = 250 + (int)random_below(&random, 300), n_chunks = 2 + (int)random_below(&random, 4);
        const int length = n_chunks * (size - CHUNK_OVERLAP) + CHUNK_OVERLAP;
        const size_t n = 1 + random_below(&random, MOST);
        struct hit_list list = {.max_hits = 10};
        struct hsp all[MOST];
        for (size_t i = 0; i < n; i++) { /* on diagonals of their own, each of another length */
            const int n_residues = MOST * (1 + (int)random_below(&random, (uint64_t)length / MOST - 1)) + (int)i;
            const int query = (int)random_below(&random, (uint64_t)(length - n_residues));
            all[i] = (struct hsp){query, query + n_residues, .subject = query + APART * (int)i, .score = n_residues};
            all[i].subject_end = all[i].subject + n_residues;
        }
        for (int c = 0; c < n_chunks; c++) {
            const int start = c * (size - CHUNK_OVERLAP);
            struct hit_list chunk = {.max_hits = 10};
            struct hsp parts[MOST];
            size_t n_parts = 0;
            for (size_t i = 0; i < n; i++)
                n_parts += part_of(&all[i], start, start + size, &parts[n_parts]);
            if (n_parts > 1)
                qsort(parts, n_parts, sizeof *parts, hsp_compare_score);
            if (n_parts > 0)
                add_subject(&chunk, 4, parts, n_parts);
            assert_int_equal(merge_strands(&list, start, 0, &chunk), TMS_OK);
            hit_list_free(&chunk);
        }
        qsort(all, n, sizeof *all, hsp_compare_score);
        assert_int_equal(list.n, 1);
        assert_int_equal(list.items[0].hsps.n, n);
        for (size_t i = 0; i < n; i++) {
            list.items[0].hsps.items[i].evalue = all[i].evalue = 0;
            assert_hsp(&list.items[0].hsps.items[i], &all[i]);
        }
        hit_list_free(&list);
    }
}

/* Frames of a query of 21,005 bases, cut at 9,705: those of the plus strand keep their numbers. */
static void test_frames(void **state)
{
    struct hit_list list = {.max_hits = 10}, first = {.max_hits = 10}, second = {.max_hits = 10};
    struct hsp plus = bare_hsp(3200, 3300, 100, 200, 90), minus = bare_hsp(20, 120, 300, 400, 80);
    const struct chunk_place of_first = chunk_place_of_frames(21005, 0, 10002, 99),
                             of_second = chunk_place_of_frames(21005, 9705, 21005, 99);
    (void)state;

    assert_true(of_first.is_first);
    assert_false(of_second.is_first);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(of_second.contexts[i], i);
        assert_int_equal(of_second.starts[i], 3235);
        assert_int_equal(of_second.contexts[3 + i], 3 + i); /* it ends where the query ends */
        assert_int_equal(of_second.starts[3 + i], 0);
    }
    /* 11,003 bases follow the first chunk: its frame -1 is the query's frame -3, from residue 3,667 on */
    assert_int_equal(of_first.contexts[3], 5);
    assert_int_equal(of_first.starts[5], 3667);
    assert_int_equal(of_first.contexts[4], 3);
    assert_int_equal(of_first.starts[3], 3668);
    plus.context = 1;
    minus.context = 3;
    add_subject(&first, 3, (struct hsp[]){plus, minus}, 2);
    plus.query = 0; /* in the query 3,235 .. 3,350, on the same diagonal */
    plus.query_end = 115;
    plus.subject = 135;
    plus.subject_end = 250;
    add_subject(&second, 3, &plus, 1);
    assert_int_equal(chunk_merge(&list, &of_first, &first), TMS_OK);
    assert_int_equal(chunk_merge(&list, &of_second, &second), TMS_OK);
    assert_int_equal(list.items[0].hsps.n, 2);
    assert_int_equal(list.items[0].hsps.items[0].context, 1);
    assert_int_equal(list.items[0].hsps.items[0].query, 3200);
    assert_int_equal(list.items[0].hsps.items[0].query_end, 3350);
    assert_int_equal(list.items[0].hsps.items[1].context, 5);
    assert_int_equal(list.items[0].hsps.items[1].query, 3687);
    hit_list_free(&list);
    hit_list_free(&first);
    hit_list_free(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),        cmocka_unit_test(test_least_score), cmocka_unit_test(test_what_joins),
        cmocka_unit_test(test_others_stay), cmocka_unit_test(test_subjects),    cmocka_unit_test(test_whole_again),
        cmocka_unit_test(test_strands),     cmocka_unit_test(test_minus_start), cmocka_unit_test(test_subject_chunks),
        cmocka_unit_test(test_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
