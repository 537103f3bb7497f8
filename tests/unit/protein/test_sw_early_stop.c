/* test_sw_early_stop.c - subjects that BLAST skips: by hand, and many lists compared with the rules applied to sorted arrays. */
#include "protein/sw_early_stop.h"
#include "unit/samples.h"

enum { MOST = 40, LISTS = 4, ROUNDS = 2000 };

struct aligned_subject {
    struct subject_hits hits;
    struct smith_waterman_evidence evidence;
};

/* The subjects' evidence, list by list. */
static struct smith_waterman_evidence evidence[LISTS * MOST];

/* A subject whose first alignment is its best. */
static struct aligned_subject subject_of(uint64_t oid, double preliminary_evalue, double evalue, int score)
{
    struct aligned_subject subject = {.hits = {.oid = oid, .evalue = evalue, .score = score / 32},
                                      .evidence = {preliminary_evalue, evalue, score, score}};
    const struct hsp h = {0, 10, 0, 10, .score = score / 32, .evalue = evalue};

    assert_int_equal(hsp_list_add(&subject.hits.hsps, &h), TMS_OK);
    return subject;
}

/* at [in] where the list's evidence begins */
static void list_of_subjects(struct hit_list *list, size_t at, const struct aligned_subject *items, size_t n)
{
    *list = (struct hit_list){.max_hits = MOST};
    for (size_t i = 0; i < n; i++) {
        evidence[at + i] = items[i].evidence;
        assert_int_equal(hit_list_add(list, &items[i].hits), TMS_OK);
    }
}

/* Returns one bit for each subject that is left; the first subject's is the lowest. */
static unsigned left_of(struct hit_list *list)
{
    unsigned left = 0;

    for (size_t i = 0; i < list->n; i++)
        left |= (unsigned)(list->items[i].hsps.n > 0) << i;
    hit_list_free(list);
    return left;
}

static unsigned left_of_two(struct aligned_subject first, struct aligned_subject second)
{
    struct hit_list list;

    list_of_subjects(&list, 0, (struct aligned_subject[]){first, second}, 2);
    assert_int_equal(sw_early_stop(&list, evidence, 1, 1, false), TMS_OK);
    return left_of(&list);
}

/* The query keeps one subject. */
static void test_first_alignment(void **state)
{
    (void)state;
    assert_int_equal(left_of_two(subject_of(0, 0, 1e-9, 900), subject_of(1, 0, 0.003, 300)), 1); /* worse than the first, and not sure */
    assert_int_equal(left_of_two(subject_of(0, 0, 1e-9, 900), subject_of(1, 0, 0.002, 300)), 3); /* sure */
    assert_int_equal(left_of_two(subject_of(0, 0, 1, 100), subject_of(1, 0, 0.5, 110)), 2);      /* better: it replaces the first */
    assert_int_equal(left_of_two(subject_of(0, 0, 1, 100), subject_of(1, 0, 1, 101)), 2);        /* better by its score */
    assert_int_equal(left_of_two(subject_of(0, 0, 1, 100), subject_of(1, 0, 1, 99)), 1);
    assert_int_equal(left_of_two(subject_of(0, 0, 1, 100), subject_of(1, 0, 1, 100)), 2); /* the later ordinal id is better */
    assert_int_equal(left_of_two(subject_of(1, 0, 1, 100), subject_of(0, 0, 1, 100)), 1);
}

/* BLAST skips an unpromising subject once there are enough sure ones, however good the subject is. */
static void test_promising(void **state)
{
    (void)state;
    assert_int_equal(left_of_two(subject_of(0, 0, 0.002, 300), subject_of(1, 0.011, 1e-9, 900)), 1);
    assert_int_equal(left_of_two(subject_of(0, 0, 0.002, 300), subject_of(1, 0.01, 1e-9, 900)), 3);
    assert_int_equal(left_of_two(subject_of(0, 0, 0.0021, 300), subject_of(1, 0.011, 1e-9, 900)), 2);
    assert_int_equal(left_of_two(subject_of(0, 9, 1e-9, 900), subject_of(1, 0, 1e-9, 900)), 3);
}

/* BLAST skips nothing if no query has more subjects than it keeps. */
static void test_few(void **state)
{
    struct hit_list list;

    (void)state;
    list_of_subjects(&list, 0, (struct aligned_subject[]){subject_of(0, 0, 1e-9, 900), subject_of(1, 9, 5, 20)}, 2);
    assert_int_equal(sw_early_stop(&list, evidence, 1, 2, false), TMS_OK);
    assert_int_equal(left_of(&list), 3);
}

/* A subject without HSPs does not count as one of the best. */
static void test_empty(void **state)
{
    struct hit_list list;

    (void)state;
    list_of_subjects(&list, 0, (struct aligned_subject[]){subject_of(0, 0, 1e-9, 900), subject_of(1, 0, 3, 50), subject_of(2, 0, 4, 40)},
                     3);
    hsp_list_clear(&list.items[0].hsps);
    assert_int_equal(sw_early_stop(&list, evidence, 1, 1, false), TMS_OK);
    assert_int_equal(left_of(&list), 2);
}

/*
 * The second query's subject is not promising. BLAST aligns it only if the first query's subject comes later, in the database or in the
 * lists.
 */
static void test_batch(void **state)
{
    (void)state;
    for (int by_oid = 0; by_oid < 2; by_oid++) {
        for (uint64_t oid = 1; oid <= 9; oid += 8) {
            struct hit_list lists[2];
            list_of_subjects(&lists[0], 0, (struct aligned_subject[]){subject_of(5, 0, 1e-9, 900)}, 1);
            list_of_subjects(&lists[1], 1, (struct aligned_subject[]){subject_of(0, 0, 1e-9, 900), subject_of(oid, 9, 1e-9, 900)}, 2);
            assert_int_equal(sw_early_stop(lists, evidence, 2, 1, by_oid), TMS_OK);
            assert_int_equal(left_of(&lists[0]), 1);
            assert_int_equal(left_of(&lists[1]), by_oid && oid < 5 ? 3 : 1);
        }
    }
}

/* The best subjects so far are judged by all their alignments; of the two that the query keeps, the worse one is replaced. */
static void test_whole(void **state)
{
    struct aligned_subject items[] = {subject_of(0, 0, 1, 100), subject_of(1, 0, 2, 90), subject_of(2, 0, 1.5, 95),
                                      subject_of(3, 0, 1.6, 94)};
    struct hit_list list;

    (void)state;
    list_of_subjects(&list, 0, items, 4);
    assert_int_equal(sw_early_stop(&list, evidence, 1, 2, false), TMS_OK);
    assert_int_equal(left_of(&list), 5); /* 1.5 replaces 2, so 1.6 is too late */
    for (size_t i = 0; i < 4; i++)
        items[i] = subject_of(i, 0, items[i].hits.evalue, items[i].evidence.scaled_score);
    items[2].hits.evalue = 3; /* worse than its first alignment: 2 remains, so 1.6 is better */
    list_of_subjects(&list, 0, items, 4);
    assert_int_equal(sw_early_stop(&list, evidence, 1, 2, false), TMS_OK);
    assert_int_equal(left_of(&list), 9);
}

/* --- compared with the rules --- */

struct plain {
    double evalue;
    int score;
    uint64_t oid;
    bool *is_left;
};

struct plain_best {
    struct plain items[MOST]; /* the best first */
    size_t n;
};

static int compare_plain(const void *pa, const void *pb)
{
    const struct plain *a = pa, *b = pb;

    if (a->evalue != b->evalue)
        return a->evalue < b->evalue ? -1 : 1;
    return a->score != b->score ? b->score - a->score : a->oid > b->oid ? -1 : a->oid < b->oid;
}

static void take(struct plain_best *best, size_t n, size_t most, size_t list, const struct subject_hits *hits,
                 const struct smith_waterman_evidence *e, bool *is_left)
{
    const struct plain first = {e->first_evalue, e->first_score, hits->oid, is_left};
    const struct plain whole = {hits->evalue, e->scaled_score, hits->oid, is_left};
    struct plain_best *mine = &best[list];
    bool are_filled = true, is_full = mine->n >= most;
    const struct plain worst = mine->n > 0 ? mine->items[mine->n - 1] : whole;

    for (size_t i = 0; i < n; i++)
        are_filled &= best[i].n >= most && best[i].items[best[i].n - 1].evalue <= 0.002;
    if (are_filled && e->preliminary_evalue > 0.01)
        return;
    if (is_full && first.evalue > 0.002 && compare_plain(&first, &worst) >= 0)
        return;
    *is_left = true;
    mine->items[mine->n++] = whole;
    qsort(mine->items, mine->n, sizeof *mine->items, compare_plain);
    if (is_full && !(whole.evalue <= 0.002 && worst.evalue <= 0.002))
        *mine->items[--mine->n].is_left = false;
}

static void test_random(void **state)
{
    static const double evalues[] = {1e-9, 1e-3, 0.002, 0.0021, 0.005, 0.01, 0.011, 0.1, 1};
    sample_random random = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = 1 + random_below(&random, LISTS), most = 1 + random_below(&random, 5);
        const bool by_oid = random_below(&random, 2) == 0;
        struct plain_best best[LISTS] = {{.n = 0}};
        bool want[LISTS][MOST] = {{false}};
        struct hit_list lists[LISTS];
        size_t n_before[LISTS + 1] = {0};
        for (size_t i = 0; i < n; i++) {
            const size_t n_subjects = random_below(&random, 10);
            lists[i] = (struct hit_list){.max_hits = MOST};
            n_before[i + 1] = n_before[i] + n_subjects;
            for (size_t k = 0; k < n_subjects; k++) { /* ordinal ids are permuted differently in each list */
                struct aligned_subject subject = subject_of((7 * k + i) % 10, evalues[random_below(&random, 9)],
                                                            evalues[random_below(&random, 9)], (int)random_below(&random, 4));
                subject.evidence.first_evalue = evalues[random_below(&random, 9)];
                subject.evidence.first_score = (int)random_below(&random, 4);
                evidence[n_before[i] + k] = subject.evidence;
                assert_int_equal(hit_list_add(&lists[i], &subject.hits), TMS_OK);
            }
        }
        for (uint64_t oid = 0; oid < (by_oid ? 10 : 1); oid++)
            for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < lists[i].n; k++)
                    if (!by_oid || lists[i].items[k].oid == oid)
                        take(best, n, most, i, &lists[i].items[k], &evidence[n_before[i] + k], &want[i][k]);
        assert_int_equal(sw_early_stop(lists, evidence, n, most, by_oid), TMS_OK);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < lists[i].n; k++)
                assert_int_equal(lists[i].items[k].hsps.n > 0, want[i][k]);
            hit_list_free(&lists[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_alignment), cmocka_unit_test(test_promising), cmocka_unit_test(test_few),
        cmocka_unit_test(test_empty),           cmocka_unit_test(test_batch),     cmocka_unit_test(test_whole),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
