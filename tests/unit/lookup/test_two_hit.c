/*
 * test_two_hit.c - compares the sieved form of the scan, also by stretches of the queries, with the plain form: the same HSPs and the same
 * numbers of hits, for a series of subjects that share the states of their diagonals.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "lookup/concatenated_queries.h"
#include "lookup/long_words.h"
#include "lookup/query_stretches.h"
#include "lookup/two_hit_core.h"
#include "unit/context_fixture.h"
#include "unit/lookup/two_hit_samples.h"

static void assert_same(struct two_hit_found *want, struct two_hit_found *got)
{
    if (want->n > 0 && got->n > 0) {
        qsort(want->hsps, want->n, sizeof *want->hsps, compare_hsps);
        qsort(got->hsps, got->n, sizeof *got->hsps, compare_hsps);
    }
    assert_int_equal(got->n_hits, want->n_hits);
    assert_int_equal(got->n, want->n);
    for (size_t i = 0; i < want->n; i++)
        assert_same_hsp(&got->hsps[i], &want->hsps[i]);
}

enum { MAX_RANGES = 8 };

/* Makes ascending ranges, some of them empty; one range may be the whole subject. Returns their number. */
static size_t make_ranges(sample_random *r, int n, struct residue_range *out)
{
    size_t n_ranges = (size_t)(random_next(r) % (MAX_RANGES + 1));
    int at = 0;
    for (size_t i = 0; i < n_ranges; i++) {
        int first = at + (int)(random_next(r) % (uint64_t)(n - at + 1)), end = first + (int)(random_next(r) % (uint64_t)(n - first + 1));
        out[i] = (struct residue_range){first, end};
        at = end;
    }
    return n_ranges;
}

/* Words that begin and end in a range are those of the range by itself, and the scan looks up no others. */
static void test_ranges_alone(void **state)
{
    const struct word_lookup_rules rules = {3, 11, RESIDUE_CODES, NULL, scores};
    sample_random r = {sample_seed()};
    (void)state;
    read_scores();
    for (int i = 0; i < 20; i++) {
        struct word_lookup words;
        struct two_hit_diagonals diagonals;
        struct two_hit_found found = {0};
        struct two_hit_queries queries = {.scores = scores, .window = 40};
        struct sample sample;
        struct residue_range ranges[MAX_RANGES];
        uint64_t n_hits = 0;
        int n;
        make_queries(&r, USUAL, 300, 16, 20, &sample);
        prepare(&rules, &sample, &words, &queries, &diagonals);
        n = make_subject(&r, USUAL, &sample, 0);
        size_t n_ranges = make_ranges(&r, n, ranges);
        struct two_hit_subject masked = {subject_codes + 1, n, ranges, n_ranges, 0};
        assert_int_equal(two_hit_scan(&queries, &masked, &diagonals, &found), TMS_OK);
        n_hits = found.n_hits;
        found.n_hits = 0;
        for (size_t k = 0; k < n_ranges; k++) {
            struct two_hit_subject alone = {subject_codes + 1 + ranges[k].first, ranges[k].end - ranges[k].first, NULL, 0, 0};
            assert_int_equal(two_hit_scan(&queries, &alone, &diagonals, &found), TMS_OK);
        }
        assert_int_equal(found.n_hits, n_hits);
        free(found.hsps);
        two_hit_diagonals_free(&diagonals);
        word_lookup_free(&words);
    }
}

struct shape {
    int word_size, threshold, window, x_drop, cutoff, query_length, subject_length, n_subjects;
    enum kind kind;
    bool is_fast;
};

/* Limits that end where memory ends: AddressSanitizer does not see what gathers read. */
struct guarded {
    struct two_hit_bounds *limits; /* the original ones */
    uint8_t *memory;
    size_t size;
};

static struct guarded guard_limits(struct concatenated_queries *queries, int n_positions)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = ((size_t)n_positions / TWO_HIT_NEAR + 1) * sizeof *queries->limits,
                 n_pages = (n + page - 1) / page * page;
    struct guarded g = {queries->limits, NULL, n_pages + page};
    g.memory = mmap(NULL, g.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(g.memory, MAP_FAILED);
    assert_int_equal(mprotect(g.memory + n_pages, page, PROT_NONE), 0);
    queries->limits = (struct two_hit_bounds *)(g.memory + n_pages - n);
    memcpy(queries->limits, g.limits, n);
    return g;
}

static void unguard_limits(struct concatenated_queries *queries, const struct guarded *g)
{
    queries->limits = g->limits;
    munmap(g->memory, g->size);
}

/* The same HSPs, from tables of stretches. */
static void check_stretches(const struct two_hit_queries *queries, const struct word_lookup_rules *rules, const struct sample *sample,
                            const struct two_hit_subject *subject, struct two_hit_diagonals *diagonals, struct two_hit_found *want)
{
    enum { MOST = 400 };
    struct two_hit_queries stretched = *queries;
    struct concatenated_queries concatenated;
    struct query_stretch *stretches;
    struct two_hit_found got = {0};
    struct guarded guarded;
    assert_int_equal(query_stretches_build(rules, sample->words, queries, sample->n_positions, MOST, &stretches, &stretched.n_stretches),
                     TMS_OK);
    if (queries->words->present == NULL) /* short words, as query_stretches_words() wants them */
        assert_int_equal(query_stretches_words(stretches, stretched.n_stretches), queries->words->n_positions);
    stretched.stretches = stretches;
    stretched.words = &stretches[0].words;
    assert_int_equal(concatenated_queries_init(&stretched, rules, sample->n_positions, &concatenated), TMS_OK);
    assert_non_null(stretched.concatenated);
    guarded = guard_limits(&concatenated, sample->n_positions);
    assert_int_equal(two_hit_scan(&stretched, subject, diagonals, &got), TMS_OK);
    assert_true(got.n_hits >= want->n_hits); /* hits where stretches overlap count twice */
    got.n_hits = want->n_hits;
    assert_same(want, &got);
    free(got.hsps);
    unguard_limits(&concatenated, &guarded);
    concatenated_queries_free(&concatenated);
    query_stretches_free(stretches, stretched.n_stretches);
}

static void check(sample_random *r, const struct shape *shape, tms_simd simd)
{
    const struct word_lookup_rules rules = sample_rules(shape->word_size, shape->threshold);
    struct two_hit_found want = {0}, got = {0};
    struct two_hit_diagonals diagonals;
    struct word_lookup words;
    struct concatenated_queries concatenated;
    struct two_hit_queries queries = {.scores = scores, .simd = simd, .window = shape->window};
    struct sample sample;
    make_queries(r, shape->kind, shape->query_length, shape->x_drop, shape->cutoff, &sample);
    prepare(&rules, &sample, &words, &queries, &diagonals);
    assert_int_equal(concatenated_queries_init(&queries, &rules, sample.n_positions, &concatenated), TMS_OK);
    assert_int_equal(queries.concatenated != NULL, shape->is_fast);
    for (int i = 0; i < (sample_is_quick() ? 1 + shape->n_subjects / 8 : shape->n_subjects); i++) {
        int n = make_subject(r, shape->kind, &sample, shape->subject_length);
        struct residue_range ranges[MAX_RANGES];
        struct two_hit_subject subject = {subject_codes + 1, n, ranges, make_ranges(r, n, ranges), 0};
        if (i % 2 == 0)
            subject.ranges = NULL;
        assert_int_equal(two_hit_plain_scan(&queries, &subject, &diagonals, &want), TMS_OK);
        assert_int_equal(two_hit_scan(&queries, &subject, &diagonals, &got), TMS_OK);
        assert_same(&want, &got);
        if (shape->is_fast && i % 3 == 0)
            check_stretches(&queries, &rules, &sample, &subject, &diagonals, &got);
        want.n = got.n = 0;
        want.n_hits = got.n_hits = 0;
    }
    free(want.hsps);
    free(got.hsps);
    two_hit_diagonals_free(&diagonals);
    concatenated_queries_free(&concatenated);
    word_lookup_free(&words);
}

static void test_same_as_plain(void **state)
{
    static const struct shape shapes[] = {
        {3, 11, 40, 16, 20, 300, 0, 150, USUAL, true},        {3, 11, 40, 16, 1, 3000, 0, 60, USUAL, true},
        {3, 11, 40, 16, 20, 300, 0, 60, ODD, true},           {3, 11, 40, 16, 20, 60, 0, 60, ONE_RESIDUE, true},
        {3, 11, 40, 16, 20, 300, 0, 60, REPEATS, true},       {2, 8, 15, 16, 10, 100, 0, 60, USUAL, true},
        {3, 11, 4, 16, 10, 300, 0, 60, REPEATS, true},        {3, 11, 100, 1, 10, 300, 0, 60, REPEATS, true},
        {3, 9, 40, 32, 10, 300, 0, 60, USUAL, true},          {4, 13, 40, 16, 20, 300, 0, 40, USUAL, true},
        {3, 11, 40, 16, 20, 4, 0, 100, USUAL, true},          {3, 11, 40, 16, 20, 300, 1, 20, USUAL, true},
        {3, 11, 40, 16, 20, 300, 4, 100, REPEATS, true},      {3, 11, 40, 16, 20, 300, 32000, 3, USUAL, true},
        {3, 11, 40, 16, 20, 2000, 20000, 3, REPEATS, true},   {3, 11, 40, 16, 20, 300, 40000, 2, USUAL, true},
        {3, 11, 0, 16, 20, 300, 0, 30, USUAL, false},         {3, 11, 40, 33, 20, 300, 0, 30, USUAL, false},
        {3, 11, 40, 16, 20, 60, 9000, 2, ONE_RESIDUE, true},  {3, 11, 40, 16, 41, 3000, 0, 100, USUAL, true},
        {3, 11, 118, 22, 60, 300, 0, 60, REPEATS, true},      {3, 11, 40, 16, 200, 300, 0, 60, REPEATS, true},
        {6, 21, 40, 16, 30, 100, 0, 60, REPEATS, true},       {7, 21, 40, 16, 30, 100, 0, 60, ODD, true},
        {6, 21, 40, 16, 30, 100, 30000, 3, REPEATS, true},    {5, 16, 90, 16, 30, 100, 20000, 3, REPEATS, true},
        {4, 13, 40, 16, 20, 300, 9000, 3, ONE_RESIDUE, true}, {3, 11, 40, 16, 20, 3000, 3000, 20, QUIET, true},
        {3, 11, 20, 25, 20, 2000, 2000, 20, QUIET, true},     {3, 4, 40, 16, 20, 300, 0, 5, USUAL, true},
        {3, 4, 118, 22, 60, 300, 0, 5, REPEATS, true},     /* many hits a word */
        {4, 11, 40, 16, 30, 3000, 3000, 5, REPEATS, true}, /* the same of long words, some of which have none */
    };
    sample_random r = {sample_seed()};
    (void)state;
    read_scores();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (int simd = TMS_SIMD_SCALAR; simd <= (int)cpu_best_simd(); simd++)
            check(&r, &shapes[i], (tms_simd)simd);
    }
}

/* Applies the two-hit rule to every diagonal of a query and a subject, from end to end. */
static void walk_all(const struct two_hit_queries *queries, const struct word_lookup_rules *rules, uint32_t query, const uint8_t *has_word,
                     const uint8_t *subject, int n, struct two_hit_found *out)
{
    static struct long_words_rules long_words;
    static int word_scores[RESIDUE_CODES * RESIDUE_CODES];
    const struct two_hit_query *q = &queries->items[query];
    const bool is_long = long_words_are(rules->word_size);
    if (is_long)
        long_words_init(rules, &long_words, word_scores);
    for (int begin = 1 - q->length; begin < n; begin++) {
        const struct two_hit_diagonal d = {{queries->scores, q->codes, subject, q->length, n, q->x_drop},
                                           is_long ? word_scores : queries->scores,
                                           is_long ? long_words.numbers.letter_of : NULL,
                                           has_word + q->first_position,
                                           queries->words->word_size,
                                           queries->words->threshold,
                                           queries->window,
                                           begin < 0 ? -begin : 0,
                                           begin < 0 ? 0 : begin};
        struct two_hit_walk walk = two_hit_begin(&d);
        struct ungapped_hsp hsp;
        while (two_hit_next(&d, &walk, &hsp)) {
            out->n_extensions++;
            if (hsp.score < q->cutoff)
                continue;
            assert_true(array_reserve(&out->hsps, &out->capacity, out->n + 1, sizeof *out->hsps));
            out->hsps[out->n++] = (struct two_hit_hsp){hsp, query};
        }
    }
}

static void check_diagonals(sample_random *r, const struct shape *shape)
{
    const struct word_lookup_rules rules = sample_rules(shape->word_size, shape->threshold);
    struct two_hit_found want = {0}, got = {0};
    struct two_hit_diagonals diagonals;
    struct word_lookup words;
    struct two_hit_queries queries = {.scores = scores, .window = shape->window};
    struct sample sample;
    make_queries(r, shape->kind, shape->query_length, shape->x_drop, shape->cutoff, &sample);
    prepare(&rules, &sample, &words, &queries, &diagonals);
    for (int i = 0; i < 1 + shape->n_subjects / (sample_is_quick() ? 40 : 10); i++) {
        int n = make_subject(r, shape->kind, &sample, shape->subject_length);
        const struct two_hit_subject subject = {subject_codes + 1, n, NULL, 0, 0};
        assert_int_equal(two_hit_plain_scan(&queries, &subject, &diagonals, &want), TMS_OK);
        for (uint32_t q = 0; q < queries.n; q++)
            walk_all(&queries, &rules, q, words.has_word, subject_codes + 1, n, &got);
        got.n_hits = want.n_hits; /* the rule along diagonals does not count hits */
        assert_same(&want, &got);
    }
    free(want.hsps);
    free(got.hsps);
    two_hit_diagonals_free(&diagonals);
    word_lookup_free(&words);
}

static void test_diagonals_are_the_rule(void **state)
{
    static const struct shape shapes[] = {
        {3, 11, 40, 16, 20, 300, 0, 150, USUAL, true},     {3, 11, 40, 16, 20, 300, 0, 60, ODD, true},
        {3, 11, 40, 16, 20, 60, 0, 60, ONE_RESIDUE, true}, {3, 11, 40, 16, 20, 300, 0, 60, REPEATS, true},
        {2, 8, 15, 16, 10, 100, 0, 60, USUAL, true},       {3, 11, 4, 16, 10, 300, 0, 60, REPEATS, true},
        {3, 11, 100, 1, 10, 300, 0, 60, REPEATS, true},    {3, 25, 40, 16, 10, 300, 0, 60, REPEATS, true},
        {3, 0, 40, 16, 10, 300, 0, 60, REPEATS, true},     {3, 11, 40, 16, 20, 4, 0, 100, USUAL, true},
        {3, 11, 40, 16, 20, 300, 1, 20, USUAL, true},      {3, 11, 40, 16, 20, 300, 4, 100, REPEATS, true},
        {2, 11, 40, 16, 20, 300, 0, 60, ODD, true},        {4, 14, 40, 16, 20, 60, 0, 60, ODD, true},
        {5, 22, 40, 16, 20, 60, 0, 60, USUAL, true},       {6, 21, 40, 16, 20, 60, 0, 100, USUAL, true},
        {6, 21, 40, 16, 20, 100, 0, 60, ODD, true},        {6, 0, 40, 16, 20, 300, 0, 60, REPEATS, true},
        {6, 60, 40, 16, 20, 300, 0, 60, REPEATS, true},    {7, 21, 40, 16, 20, 100, 0, 60, REPEATS, true},
        {7, 25, 100, 16, 20, 100, 0, 60, ODD, true},       {7, 21, 7, 16, 20, 60, 0, 60, ONE_RESIDUE, true},
    };
    sample_random r = {sample_seed()};
    (void)state;
    read_scores();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check_diagonals(&r, &shapes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_plain),
        cmocka_unit_test(test_diagonals_are_the_rule),
        cmocka_unit_test(test_ranges_alone),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
