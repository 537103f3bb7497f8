/*
 * test_link_even.c - compares chains of HSPs with those of the definition: all chains are made anew for each that is taken. The linker
 * calls sweeps and bounds through this file, which counts sweeps, and may keep bounds back.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hits/chain_bounds.h"
#include "hits/link_even.h"
#include "unit/samples.h"

enum { MOST = 60, MANY = 600, N_CONTEXTS = 3, PROTEINS = 2 };

static const struct link_context contexts[N_CONTEXTS] = {{1.28, -0.776528789498996, {980, 4980, 3000000}},
                                                         {0.625, -0.891598119283784, {700, 4000, 2800000}},
                                                         {0.318, -2.009915479, {3300, 1600000, 5280000000}}};

/* --- what the linker calls --- */

static size_t n_sweeps; /* that link chains */
static bool has_bounds = true;

int64_t __real_chain_sweep_run(struct chain_sweep *sweep, swept_value *value, void *of);
int64_t __wrap_chain_sweep_run(struct chain_sweep *sweep, swept_value *value, void *of);
tms_status __real_chain_bounds_find(struct chain_sweep *sweep, const double *weights, struct chain_bounds *out);
tms_status __wrap_chain_bounds_find(struct chain_sweep *sweep, const double *weights, struct chain_bounds *out);

int64_t __wrap_chain_sweep_run(struct chain_sweep *sweep, swept_value *value, void *of)
{
    n_sweeps++;
    return __real_chain_sweep_run(sweep, value, of);
}

tms_status __wrap_chain_bounds_find(struct chain_sweep *sweep, const double *weights, struct chain_bounds *out)
{
    const size_t before = n_sweeps;
    const tms_status status = __real_chain_bounds_find(sweep, weights, out);
    n_sweeps = before;
    if (!has_bounds)
        out->longest = 0;
    return status;
}

/* --- the definition --- */

struct plain_chain {
    int sum, n, before;
    double normalized;
};

static int trimmed(int length) { return length / 4 < 5 ? length / 4 : 5; }

static bool follows(const struct hsp *j, const struct hsp *h, bool close)
{
    const int query = j->query + trimmed(j->query_end - j->query), subject = j->subject + trimmed(j->subject_end - j->subject);
    const int query_end = h->query_end - trimmed(h->query_end - h->query),
              subject_end = h->subject_end - trimmed(h->subject_end - h->subject);

    return query > query_end && subject > subject_end && (!close || (query <= query_end + 50 && subject <= subject_end + 50));
}

/* All chains of the HSPs of a context that are left; returns the end of the best one, the last of equal ones. */
static int best_chain(const struct hsp *hsps, int n, const bool *left, bool close, int cutoff, struct plain_chain *chains)
{
    int best = -1;
    for (int i = 0; i < n; i++) {
        const struct link_context *c = &contexts[hsps[i].context];
        int before = -1;
        if (!left[i])
            continue;
        for (int j = i - 1; j >= 0 && hsps[i].score > cutoff; j--)
            if (left[j] && chains[j].sum > (before < 0 ? 0 : chains[before].sum) && follows(&hsps[j], &hsps[i], close))
                before = j;
        chains[i] = before < 0 ? (struct plain_chain){0, 0, -1, 0} : chains[before];
        chains[i].before = before;
        chains[i].sum += hsps[i].score - cutoff;
        chains[i].normalized = chains[i].normalized + hsps[i].score * c->lambda - c->log_K;
        chains[i].n++;
        if (best < 0 || chains[i].sum >= chains[best].sum)
            best = i;
    }
    return best;
}

static double evalue(const struct link_even_rules *rules, const struct plain_chain *chain, bool close, const struct sum_space *space)
{
    const double divisor = gap_decay_divisor(rules->decay, chain->n);
    double e = close ? small_gaps_evalue(space, chain->n, chain->normalized, 50, 50, divisor)
                     : large_gaps_evalue(space, chain->n, chain->normalized, divisor);
    if (rules->small_gaps && chain->n > 1)
        e /= close ? rules->small_share : 1 - rules->small_share;
    return e < SUM_MOST_EVALUE ? e : SUM_MOST_EVALUE;
}

/* hsps [in,out] of one context, from the end of the query */
static void link_plainly(const struct link_even_rules *rules, struct hsp *hsps, int n)
{
    bool left[MANY];
    int n_left = n;
    memset(left, 1, sizeof left);
    while (n_left > 0) {
        struct plain_chain chains[2][MANY];
        const struct sum_space *space = &contexts[hsps->context].space;
        int end = best_chain(hsps, n, left, false, rules->cutoff_large, chains[0]), n_linked, close = 0;
        double e = evalue(rules, &chains[0][end], false, space);
        if (rules->small_gaps) {
            int other = best_chain(hsps, n, left, true, rules->cutoff_small, chains[1]);
            double e_other = evalue(rules, &chains[1][other], true, space);
            if (e_other <= e) {
                e = e_other;
                end = other;
                close = 1;
            }
        }
        n_linked = chains[close][end].n;
        for (int i = end; i >= 0; i = chains[close][i].before) {
            left[i] = false;
            hsps[i].evalue = e;
            hsps[i].n_linked = n_linked;
            n_left--;
        }
    }
}

static int compare(const void *pa, const void *pb)
{
    const struct hsp *a = pa, *b = pb;
    const int keys[][2] = {{a->context, b->context},         {b->query, a->query},
                           {b->query_end, a->query_end},     {b->subject, a->subject},
                           {b->subject_end, a->subject_end}, {(int)a->place, (int)b->place}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* HSPs of two contexts, many of them on one diagonal, with equal scores and places among them. */
static size_t make_hsps(sample_random *random, struct hsp *hsps)
{
    const size_t n = random_below(random, MOST + 1);
    const int reach = 100 + (int)random_below(random, 3000);
    for (size_t i = 0; i < n; i++) {
        const int length = 1 + (int)random_below(random, 60), query = (int)random_below(random, (uint64_t)reach);
        const int shift = random_below(random, 3) == 0 ? (int)random_below(random, 400) : (int)random_below(random, 12);
        hsps[i] = (struct hsp){.query = query,
                               .query_end = query + length,
                               .subject = query + shift,
                               .subject_end = query + shift + length,
                               .score = 5 + (int)random_below(random, random_below(random, 2) == 0 ? 3 : 60),
                               .context = random_below(random, 4) == 0};
        if (i > 0 && random_below(random, 8) == 0)
            hsps[i] = hsps[random_below(random, i)];
        hsps[i].start_query = (int)i; /* its name */
    }
    return n;
}

/* HSPs that lie anywhere, with scores as by chance, and some of alignments along a diagonal: more than a sweep is made for. */
static size_t make_many(sample_random *random, struct hsp *hsps)
{
    const size_t n = MANY - random_below(random, 250);
    const int reach = 500 + (int)random_below(random, 4000), spread = 2 + (int)random_below(random, 3);
    for (size_t i = 0; i < n; i++) {
        const int length = 1 + (int)random_below(random, random_below(random, 10) == 0 ? 8 : 40);
        const int query = (int)random_below(random, (uint64_t)reach), subject = (int)random_below(random, (uint64_t)reach);
        const bool is_alike = random_below(random, 20) == 0;
        int score = 41;
        while (random_below(random, (uint64_t)spread) > 1)
            score++;
        hsps[i] = (struct hsp){.query = query,
                               .query_end = query + length,
                               .subject = is_alike ? query : subject,
                               .subject_end = (is_alike ? query : subject) + length,
                               .score = is_alike ? 2 * score : score,
                               .context = PROTEINS};
        if (i > 0 && random_below(random, 20) == 0)
            hsps[i] = hsps[random_below(random, i)];
        hsps[i].start_query = (int)i; /* its name */
    }
    return n;
}

/* The chains of n HSPs by the definition, to plain. */
static void define_chains(const struct link_even_rules *rules, const struct hsp *made, size_t n, struct hsp *plain)
{
    for (size_t i = 0; i < n; i++) {
        plain[i] = made[i];
        plain[i].place = (uint32_t)i;
    }
    qsort(plain, n, sizeof *plain, compare);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && plain[end].context == plain[first].context;)
            end++;
        link_plainly(rules, plain + first, (int)(end - first));
    }
}

/* Links the HSPs, and compares with these chains. Returns how many HSPs are in chains of several. */
static size_t check_chains(const struct link_even_rules *rules, const struct hsp *made, size_t n, const struct hsp *plain)
{
    struct hsp_list list = {0};
    size_t n_chained = 0;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(hsp_list_add(&list, &made[i]), TMS_OK);
    assert_int_equal(link_even(rules, contexts, &list), TMS_OK);
    assert_int_equal(list.n, n);
    for (size_t i = 0; i < n; i++) {
        const struct hsp *got = &list.items[i], *want = plain;
        while (want->start_query != got->start_query)
            want++;
        assert_true(got->evalue == want->evalue);
        assert_int_equal(got->n_linked, want->n_linked);
        assert_true(i == 0 || hsp_compare_score(&list.items[i - 1], got) <= 0);
        n_chained += got->n_linked > 1;
    }
    hsp_list_free(&list);
    return n_chained;
}

static void test_chains_are_those_of_the_definition(void **state)
{
    (void)state;
    sample_random random = {sample_seed()};
    size_t n_chained = 0;
    for (int round = 0; round < 2000; round++) {
        struct hsp made[MOST + 1], plain[MOST + 1];
        const struct link_even_rules rules = {.small_gaps = random_below(&random, 3) > 0,
                                              .frames_a_strand = 1,
                                              .cutoff_small = (int)random_below(&random, 20),
                                              .cutoff_large = random_below(&random, 2) == 0 ? 0 : (int)random_below(&random, 30),
                                              .small_share = 0.5,
                                              .decay = 0.5};
        const size_t n = make_hsps(&random, made);
        define_chains(&rules, made, n, plain);
        n_chained += check_chains(&rules, made, n, plain);
    }
    assert_true(n_chained > 5000);
}

/* Without bounds all chains with large gaps have to be known, and are found by more sweeps. */
static void test_chains_of_many(void **state)
{
    (void)state;
    sample_random random = {sample_seed()};
    size_t n_with_bounds = 0, n_without = 0;
    for (int round = 0; round < (sample_is_quick() ? 12 : 60); round++) {
        struct hsp made[MANY], plain[MANY];
        const struct link_even_rules rules = {.small_gaps = random_below(&random, 4) > 0,
                                              .frames_a_strand = 1,
                                              .cutoff_small = 41 + (int)random_below(&random, 4),
                                              .cutoff_large = 28 + (int)random_below(&random, 16),
                                              .small_share = 0.5,
                                              .decay = 0.5};
        const size_t n = make_many(&random, made);
        define_chains(&rules, made, n, plain);
        n_sweeps = 0;
        check_chains(&rules, made, n, plain);
        assert_true(n_sweeps > 0);
        n_with_bounds += n_sweeps;
        n_sweeps = 0;
        has_bounds = false;
        check_chains(&rules, made, n, plain);
        has_bounds = true;
        n_without += n_sweeps;
    }
    assert_true(n_with_bounds < n_without);
}

/* Two HSPs 20 bases apart are one chain with small gaps; the third, which lies across, is alone. */
static void test_a_chain(void **state)
{
    (void)state;
    const struct hsp hsps[] = {{.query = 100, .query_end = 140, .subject = 500, .subject_end = 540, .score = 40},
                               {.query = 160, .query_end = 190, .subject = 560, .subject_end = 590, .score = 30},
                               {.query = 200, .query_end = 230, .subject = 100, .subject_end = 130, .score = 30}};
    const struct link_even_rules rules = {.small_gaps = true, .small_share = 0.5, .decay = 0.5, .frames_a_strand = 1};
    const struct link_context *c = &contexts[0];
    const double sum = 40 * c->lambda - c->log_K + 30 * c->lambda - c->log_K;
    struct hsp_list list = {0};
    for (int i = 0; i < 3; i++)
        assert_int_equal(hsp_list_add(&list, &hsps[i]), TMS_OK);
    assert_int_equal(link_even(&rules, contexts, &list), TMS_OK);
    assert_int_equal(list.items[0].score, 40);
    for (int i = 0; i < 3; i++) {
        const bool is_alone = list.items[i].query == 200;
        const double want = is_alone ? 2 * c->space.search_space * exp(-(30 * c->lambda - c->log_K))
                                     : 2 * small_gaps_evalue(&c->space, 2, sum, 50, 50, 0.25);
        assert_int_equal(list.items[i].n_linked, is_alone ? 1 : 2);
        assert_true(fabs(list.items[i].evalue - want) <= 1e-12 * want);
    }
    hsp_list_free(&list);
    assert_int_equal(link_even(&rules, contexts, &list), TMS_OK); /* nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains_are_those_of_the_definition), cmocka_unit_test(test_chains_of_many),
                                       cmocka_unit_test(test_a_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
