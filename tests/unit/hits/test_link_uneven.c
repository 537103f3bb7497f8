/* test_link_uneven.c - chains by hand, and at random against all chains that could be joined. */
#include "hits/link_uneven.h"

#include <math.h>

#include "score/sum_statistics.h"
#include "unit/hits/hsp_samples.h"

enum { MOST = 14, ROUNDS = 400 };

#define WITH_GAPS    0.267, -3.19
#define WITHOUT_GAPS 0.3176, -2.01 /* statistics of a frame of its own */

static const struct link_rules rules = {40, 40, 0.1};
static const struct link_context contexts[6] = {{WITH_GAPS, {470, 270, 1000000}}, {WITHOUT_GAPS, {470, 270, 1000000}},
                                                {WITH_GAPS, {469, 270, 999000}},  {WITH_GAPS, {470, 270, 1000000}},
                                                {WITH_GAPS, {470, 270, 1000000}}, {WITHOUT_GAPS, {469, 270, 999000}}};

static double score_of(const struct hsp *h) { return contexts[h->context].lambda * h->score - contexts[h->context].log_K; }

static struct hsp hsp_in(int context, int query, int subject, int length, int score)
{
    struct hsp h = hsp_at(query, query + length, subject, subject + length, score);

    h.context = context;
    h.evalue = 1e6 * exp(-score_of(&h)) / gap_decay_divisor(rules.decay, 1);
    return h;
}

static double evalue_of_chain(int context, int n, double score)
{
    return small_gaps_evalue(&contexts[context].space, n, score, 50, 50, gap_decay_divisor(rules.decay, n));
}

static void link_list(struct hsp_list *list) { assert_int_equal(link_uneven(&rules, contexts, list), TMS_OK); }

/* Links two HSPs. Returns whether they become a chain. */
static bool are_linked(struct hsp a, struct hsp b)
{
    struct hsp_list list = {0};
    bool linked;

    list_of(&list, (struct hsp[]){a, b}, 2);
    link_list(&list);
    linked = list.items[0].n_linked == 2;
    assert_int_equal(list.items[0].n_linked, list.items[1].n_linked);
    if (linked) {
        const double together = evalue_of_chain(list.items[0].context, 2, score_of(&a) + score_of(&b));
        assert_true(list.items[0].evalue == together && list.items[1].evalue == together);
        assert_true(together < a.evalue && together < b.evalue);
    } else {
        assert_true(list.items[0].evalue == a.evalue || list.items[0].evalue == b.evalue);
    }
    assert_true(list.items[0].score >= list.items[1].score);
    hsp_list_free(&list);
    return linked;
}

static void test_pairs(void **state)
{
    (void)state;
    assert_true(are_linked(hsp_in(0, 10, 10, 40, 60), hsp_in(0, 70, 60, 40, 50)));
    assert_true(are_linked(hsp_in(0, 70, 60, 40, 50), hsp_in(0, 10, 10, 40, 60)));  /* in any order */
    assert_true(are_linked(hsp_in(0, 10, 10, 40, 60), hsp_in(2, 70, 60, 40, 50)));  /* frames of a strand */
    assert_false(are_linked(hsp_in(0, 10, 10, 40, 60), hsp_in(3, 70, 60, 40, 50))); /* strands */
    assert_true(are_linked(hsp_in(4, 10, 10, 40, 60), hsp_in(4, 89, 60, 40, 50)));
    assert_true(are_linked(hsp_in(4, 10, 10, 40, 60), hsp_in(4, 89, 90, 40, 50)));  /* 39 residues apart in both */
    assert_false(are_linked(hsp_in(4, 10, 10, 40, 60), hsp_in(4, 91, 60, 40, 50))); /* too far in the query */
    assert_false(are_linked(hsp_in(4, 10, 10, 40, 60), hsp_in(4, 60, 91, 40, 50))); /* in the subject */
    assert_true(are_linked(hsp_in(0, 10, 10, 40, 60), hsp_in(0, 41, 41, 40, 50)));  /* 9 in common */
    assert_false(are_linked(hsp_in(0, 10, 10, 40, 60), hsp_in(0, 40, 60, 40, 50))); /* 10 in common */
    assert_false(are_linked(hsp_in(0, 10, 60, 40, 60), hsp_in(0, 60, 10, 40, 50))); /* crossed */
}

static void test_one(void **state)
{
    struct hsp_list list = {0};
    const struct hsp h = hsp_in(1, 5, 5, 20, 40);

    (void)state;
    list_of(&list, &h, 1);
    link_list(&list);
    assert_int_equal(list.items[0].n_linked, 1);
    assert_true(list.items[0].evalue == h.evalue);
    hsp_list_free(&list);
    link_list(&list); /* an empty list has no array */
}

/* --- at random --- */

/* A chain: members in the order of the query. */
struct chain {
    struct hsp members[MOST];
    int n;
    double score, evalue;
};

static bool follows(const struct hsp *left, const struct hsp *right)
{
    return left->query_end >= right->query - 40 && left->query < right->query && left->query_end <= right->query + 9 &&
           left->query_end < right->query_end && left->subject_end <= right->subject + 9 && left->subject_end >= right->subject - 40 &&
           left->subject < right->subject && left->subject_end < right->subject_end;
}

/* Joins two chains, if their members then follow each other. */
static bool join(const struct chain *a, const struct chain *b, struct chain *out)
{
    int i = 0, k = 0;

    *out = (struct chain){.score = a->score + b->score};
    if (a->members[0].context / 3 != b->members[0].context / 3)
        return false;
    while (i < a->n || k < b->n) {
        const bool takes_b = i == a->n || (k < b->n && b->members[k].query <= a->members[i].query);
        out->members[out->n++] = takes_b ? b->members[k++] : a->members[i++];
        if (out->n > 1 && !follows(&out->members[out->n - 2], &out->members[out->n - 1]))
            return false;
    }
    return true;
}

/* The same greedy steps without lists of candidates. */
static void link_all(struct chain *chains, int n)
{
    for (;;) {
        int head = -1;
        for (int i = 0; i < n; i++) /* the best single HSP that was not a head yet */
            if (chains[i].n == 1 && chains[i].members[0].place == 0 && (head < 0 || chains[i].score > chains[head].score))
                head = i;
        if (head < 0)
            return;
        chains[head].members[0].place = 1;
        for (bool joined = true; joined;) {
            struct chain best = {0}, next;
            int with = -1;
            joined = false;
            for (int i = 0; i < n; i++) {
                const int reach = chains[head].members[chains[head].n - 1].query_end + 40; /* one less than gaps may be */
                if (i == head || chains[i].n == 0 || chains[i].members[0].query >= reach || !join(&chains[head], &chains[i], &next))
                    continue;
                next.evalue = evalue_of_chain(chains[head].members[0].context, next.n, next.score);
                if (next.evalue < chains[head].evalue && next.evalue < chains[i].evalue && (with < 0 || next.evalue < best.evalue)) {
                    best = next;
                    with = i;
                }
            }
            if (with >= 0) {
                chains[head] = best;
                chains[with].n = 0;
                joined = true;
            }
        }
    }
}

static void test_against_all_chains(void **state)
{
    sample_random random = {sample_seed() + 5};
    size_t n_chains = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const int n = 1 + (int)random_below(&random, MOST);
        struct chain chains[MOST];
        struct hsp_list list = {0};
        for (int i = 0; i < n; i++) {
            const int query = (int)random_below(&random, 250), shift = (int)random_below(&random, 30);
            /* no two scores are equal: the order of equals is that of NCBI's lists */
            const struct hsp h = hsp_in((int)random_below(&random, 6), query, query + shift, 10 + (int)random_below(&random, 50),
                                        20 + 3 * (int)random_below(&random, 10) * MOST + i);
            list_of(&list, &h, 1);
            chains[i] = (struct chain){.members = {h}, .n = 1, .score = score_of(&h), .evalue = h.evalue};
        }
        link_all(chains, n);
        link_list(&list);
        for (size_t k = 0; k < list.n; k++) {
            const struct hsp *h = &list.items[k];
            for (int i = 0; i < n; i++)
                for (int m = 0; m < chains[i].n; m++)
                    if (chains[i].members[m].score == h->score) {
                        assert_int_equal(h->n_linked, chains[i].n);
                        assert_float_equal(h->evalue, chains[i].evalue, 1e-9 * h->evalue);
                        n_chains += chains[i].n > 1;
                    }
        }
        hsp_list_free(&list);
    }
    assert_true(n_chains > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_one), cmocka_unit_test(test_against_all_chains)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
