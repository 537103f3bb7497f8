/*
 * test_two_hit.c - the fast form of the scan against the plain one: the same extensions and the same numbers of hits, for a row of subjects
 * that share the state of their diagonals.
 */
#include "context_fixture.h"
#include "score/matrix.h"
#include "seed/two_hit.h"
#include "seed/two_hit_narrow.h"
#include "seed/two_hit_strip.h"

enum { MOST_QUERIES = 12, MOST_LETTERS = 40000 };

static int scores[SCORE_CODES * SCORE_CODES];
static uint8_t query_codes[MOST_QUERIES][3002], subject_codes[MOST_LETTERS + 2];

struct sample {
    struct two_hit_query items[MOST_QUERIES];
    struct neighbours_query words[MOST_QUERIES];
    struct neighbours_range ranges[MOST_QUERIES];
    size_t n;
    int n_places;
};

enum kind { USUAL, ODD, ONE_LETTER, REPEATS };

static void fill(sample_random *r, enum kind kind, uint8_t *codes, int n)
{
    static const uint8_t usual[] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22};
    int period = 1 + (int)(random_next(r) % 20);
    codes[-1] = codes[n] = 0;
    for (int i = 0; i < n; i++) {
        codes[i] = usual[random_next(r) % sizeof usual];
        if (kind == ODD)
            codes[i] = (uint8_t)(1 + random_next(r) % (SCORE_CODES - 1));
        else if (kind == ONE_LETTER)
            codes[i] = 20;
        else if (kind == REPEATS && i >= period && random_next(r) % 8 != 0)
            codes[i] = codes[i - period];
    }
}

static void make_queries(sample_random *r, enum kind kind, int length, int x_drop, int cutoff, struct sample *out)
{
    memset(out, 0, sizeof *out);
    out->n = 1 + random_next(r) % MOST_QUERIES;
    for (size_t q = 0; q < out->n; q++) {
        int n = 1 + (int)(random_next(r) % (uint64_t)length);
        uint8_t *codes = query_codes[q] + 1;
        fill(r, kind, codes, n);
        out->ranges[q] = (struct neighbours_range){0, n};
        out->words[q] = (struct neighbours_query){codes, &out->ranges[q], 1, out->n_places};
        out->items[q] = (struct two_hit_query){codes, n, x_drop, cutoff, out->n_places};
        out->n_places += n + 1;
    }
}

/* Random letters with pieces of the queries, changed here and there. */
static int make_subject(sample_random *r, enum kind kind, const struct sample *queries, int length)
{
    int n = length > 0 ? length : 1 + (int)(random_next(r) % 600);
    uint8_t *codes = subject_codes + 1;
    fill(r, kind, codes, n);
    for (int at = 0; at < n; at += 50) {
        const struct two_hit_query *q = &queries->items[random_next(r) % queries->n];
        int from = (int)(random_next(r) % (uint64_t)q->length);
        for (int i = 0; i < 45 && at + i < n && from + i < q->length; i++)
            if (random_next(r) % 3 != 0)
                codes[at + i] = q->codes[from + i];
    }
    return n;
}

static int compare(const void *a, const void *b) { return memcmp(a, b, sizeof(struct two_hit_hsp)); }

static void assert_same(struct two_hit_found *want, struct two_hit_found *got)
{
    if (want->n > 0 && got->n > 0) {
        qsort(want->hsps, want->n, sizeof *want->hsps, compare);
        qsort(got->hsps, got->n, sizeof *got->hsps, compare);
    }
    assert_int_equal(got->n_hits, want->n_hits);
    assert_int_equal(got->n_extensions, want->n_extensions);
    assert_int_equal(got->n, want->n);
    for (size_t i = 0; i < want->n; i++) {
        assert_int_equal(got->hsps[i].query, want->hsps[i].query);
        assert_int_equal(got->hsps[i].hsp.query, want->hsps[i].hsp.query);
        assert_int_equal(got->hsps[i].hsp.subject, want->hsps[i].hsp.subject);
        assert_int_equal(got->hsps[i].hsp.length, want->hsps[i].hsp.length);
        assert_int_equal(got->hsps[i].hsp.score, want->hsps[i].hsp.score);
    }
}

struct shape {
    int word_size, threshold, window, x_drop, cutoff, query_length, subject_length, n_subjects;
    enum kind kind;
    bool is_fast;
};

static void check(sample_random *r, const struct shape *shape, tms_simd simd)
{
    const struct neighbours_rules rules = {shape->word_size, shape->threshold, SCORE_CODES, NULL, scores};
    struct two_hit_found want = {0}, got = {0};
    struct two_hit_diagonals diagonals;
    struct neighbours words;
    struct two_hit_strip strip;
    struct two_hit_queries queries = {.words = &words, .scores = scores, .simd = simd, .window = shape->window};
    struct sample sample;
    make_queries(r, shape->kind, shape->query_length, shape->x_drop, shape->cutoff, &sample);
    queries.items = sample.items;
    queries.n = sample.n;
    assert_int_equal(neighbours_build(&rules, sample.words, sample.n, sample.n_places, &words), TMS_OK);
    assert_int_equal(two_hit_strip_init(&queries, sample.n_places, &strip), TMS_OK);
    assert_int_equal(two_hit_diagonals_init(sample.n_places, shape->window, &diagonals), TMS_OK);
    for (int i = 0; i < (SAMPLES_SANITIZED ? 1 + shape->n_subjects / 8 : shape->n_subjects); i++) {
        int n = make_subject(r, shape->kind, &sample, shape->subject_length);
        assert_int_equal(two_hit_narrow_takes(&queries, n), shape->is_fast);
        assert_int_equal(two_hit_plain_scan(&queries, subject_codes + 1, n, &diagonals, &want), TMS_OK);
        assert_int_equal(two_hit_scan(&queries, subject_codes + 1, n, &diagonals, &got), TMS_OK);
        assert_same(&want, &got);
    }
    free(want.hsps);
    free(got.hsps);
    two_hit_diagonals_free(&diagonals);
    two_hit_strip_free(&strip);
    neighbours_free(&words);
}

static void test_same_as_plain(void **state)
{
    static const struct shape shapes[] = {
        {3, 11, 40, 16, 20, 300, 0, 150, USUAL, true},      {3, 11, 40, 16, 1, 3000, 0, 60, USUAL, true},
        {3, 11, 40, 16, 20, 300, 0, 60, ODD, true},         {3, 11, 40, 16, 20, 60, 0, 60, ONE_LETTER, true},
        {3, 11, 40, 16, 20, 300, 0, 60, REPEATS, true},     {2, 8, 15, 16, 10, 100, 0, 60, USUAL, true},
        {3, 11, 4, 16, 10, 300, 0, 60, REPEATS, true},      {3, 11, 100, 1, 10, 300, 0, 60, REPEATS, true},
        {3, 9, 40, 128, 10, 300, 0, 60, USUAL, true},       {4, 13, 40, 16, 20, 300, 0, 40, USUAL, true},
        {3, 11, 40, 16, 20, 4, 0, 100, USUAL, true},        {3, 11, 40, 16, 20, 300, 1, 20, USUAL, true},
        {3, 11, 40, 16, 20, 300, 4, 100, REPEATS, true},    {3, 11, 40, 16, 20, 300, 32000, 3, USUAL, true},
        {3, 11, 40, 16, 20, 2000, 20000, 3, REPEATS, true}, {3, 11, 40, 16, 20, 300, 40000, 2, USUAL, false},
        {3, 11, 0, 16, 20, 300, 0, 30, USUAL, false},       {3, 11, 40, 129, 20, 300, 0, 30, USUAL, false},
        {3, 11, 40, 16, 20, 60, 9000, 2, ONE_LETTER, true},
    };
    const struct score_matrix *matrix = score_matrix_find("BLOSUM62");
    sample_random r = {sample_seed()};
    (void)state;
    for (int i = 0; i < SCORE_CODES; i++)
        for (int j = 0; j < SCORE_CODES; j++)
            scores[i * SCORE_CODES + j] = matrix->scores[i][j];
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        check(&r, &shapes[i], TMS_SIMD_SCALAR);
        if (cpu_best_simd() != TMS_SIMD_SCALAR)
            check(&r, &shapes[i], cpu_best_simd());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_plain),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
