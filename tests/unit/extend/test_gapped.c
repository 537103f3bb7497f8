/*
 * test_gapped.c - compares gapped extension by vectors with the plain form: score, extent and traceback of random, similar, repetitive and
 * very short sequences, in both directions.
 */
#include "alphabet/bases.h"
#include "extend/gapped_lanes.h"
#include "score/base_scores.h"
#include "score/matrix.h"
#include "unit/context_fixture.h"

enum { MOST_RESIDUES = 3000 };

static uint8_t query_codes[MOST_RESIDUES + 2], subject_codes[MOST_RESIDUES + 2];

enum kind { USUAL, ODD, ONE_RESIDUE, REPEATS };

static void fill(sample_random *r, enum kind kind, uint8_t *codes, int n)
{
    static const uint8_t usual[] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22};
    int period = 1 + (int)(random_next(r) % 20);
    codes[0] = codes[n + 1] = 0;
    for (int i = 1; i <= n; i++) {
        codes[i] = usual[random_next(r) % sizeof usual];
        if (kind == ODD)
            codes[i] = (uint8_t)(1 + random_next(r) % (RESIDUE_CODES - 1));
        else if (kind == ONE_RESIDUE)
            codes[i] = 20;
        else if (kind == REPEATS && i > period && random_next(r) % 8 != 0)
            codes[i] = codes[i - period];
    }
}

/* Makes a subject of the query's residues with changes and gaps, one in `rarity`; 0: unrelated. */
static int make_subject(sample_random *r, enum kind kind, int n_query, unsigned rarity)
{
    int n = 0;
    fill(r, kind, subject_codes, 1 + (int)(random_next(r) % MOST_RESIDUES));
    if (rarity == 0)
        return 1 + (int)(random_next(r) % 300);
    for (int i = 1; i <= n_query && n < MOST_RESIDUES - 40; i++) {
        uint64_t change = random_next(r) % rarity;
        if (change == 0)
            i += (int)(random_next(r) % 15);
        else if (change == 1)
            n += (int)(random_next(r) % 15);
        else if (change < 4)
            n++;
        else
            subject_codes[++n] = query_codes[i <= n_query ? i : n_query];
    }
    return n > 0 ? n : 1;
}

struct result {
    struct gapped_extension score[GAPPED_AT_ONCE], align[GAPPED_AT_ONCE];
    struct gapped_script script;
};

/* Makes two extensions at once: of the whole sequences from one end, and from a position in the middle to the other side. */
static struct result extend_with(tms_simd simd, const struct gapped_costs *costs, int n_query, int n_subject, int step)
{
    static struct gapped_workspace ws;
    const struct gapped_side query = {query_codes + (step > 0 ? 1 : n_query), n_query};
    const struct gapped_side subject = {subject_codes + (step > 0 ? 1 : n_subject), n_subject};
    const struct gapped_side half_query = {query_codes + 1 + n_query / 2, step > 0 ? n_query / 2 + 1 : n_query - n_query / 2};
    const struct gapped_side half_subject = {subject_codes + 1 + n_subject / 2, step > 0 ? n_subject / 2 + 1 : n_subject - n_subject / 2};
    const struct gapped_extension both[] = {{query, subject, step, {0}}, {half_query, half_subject, -step, {0}}};
    struct result r = {.script = {NULL, 0, 0}};
    memcpy(r.score, both, sizeof both);
    memcpy(r.align, both, sizeof both);
    ws.simd = simd;
    assert_int_equal(gapped_score(&ws, costs, r.score, 2, false), TMS_OK);
    assert_int_equal(gapped_align(&ws, costs, r.align, 2, &r.script), TMS_OK);
    gapped_workspace_free(&ws);
    return r;
}

static void assert_same_extent(struct gapped_extent a, struct gapped_extent b)
{
    assert_int_equal(a.score, b.score);
    assert_int_equal(a.query, b.query);
    assert_int_equal(a.subject, b.subject);
}

static void assert_same_script(const struct gapped_script *a, const struct gapped_script *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(a->runs[i].operation, b->runs[i].operation);
        assert_int_equal(a->runs[i].n, b->runs[i].n);
    }
}

/* Costs and scores of a matrix times scale; scaled scores are changed slightly. */
struct costs {
    const char *matrix;
    int scale, open, extend, x_drop;
};

static void check(sample_random *r, const struct costs *c, enum kind kind)
{
    static int scores[RESIDUE_CODES * RESIDUE_CODES];
    static const unsigned rarities[] = {0, 8, 30, 100};
    const struct score_matrix *matrix = score_matrix_find(c->matrix);
    const struct gapped_costs costs = {scores, c->open * c->scale, c->extend * c->scale, c->x_drop * c->scale, 0};
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            scores[i * RESIDUE_CODES + j] = matrix->scores[i][j] * c->scale + (int)(random_next(r) % (uint64_t)c->scale);
    for (int i = 0; i < 30; i++) {
        int n_query = 1 + (int)(random_next(r) % (i % 10 == 0 ? 2500 : i % 3 == 0 ? 6 : 400)), n_subject;
        int step = i % 2 == 0 ? 1 : -1;
        struct result want;
        fill(r, kind, query_codes, n_query);
        n_subject = make_subject(r, kind, n_query, rarities[random_next(r) % 4]);
        subject_codes[n_subject + 1] = 0;
        want = extend_with(TMS_SIMD_SCALAR, &costs, n_query, n_subject, step);
        for (int simd = TMS_SIMD_SCALAR + 1; simd <= (int)cpu_best_simd(); simd++) {
            struct result got = extend_with((tms_simd)simd, &costs, n_query, n_subject, step);
            for (int k = 0; k < GAPPED_AT_ONCE; k++) {
                assert_same_extent(want.score[k].extent, got.score[k].extent);
                assert_same_extent(want.align[k].extent, got.align[k].extent);
            }
            assert_same_script(&want.script, &got.script);
            free(got.script.runs);
        }
        free(want.script.runs);
    }
}

static void test_same_as_plain(void **state)
{
    static const struct costs costs[] = {
        {"BLOSUM62", 1, 11, 1, 38},    {"BLOSUM62", 1, 6, 2, 60},    {"BLOSUM62", 1, 0, 1, 200},  {"BLOSUM45", 1, 14, 2, 0},
        {"PAM30", 1, 9, 1, 25},        {"IDENTITY", 1, 15, 2, 1000}, {"BLOSUM62", 32, 11, 1, 65}, /* as in the last alignment */
        {"BLOSUM62", 32, 11, 1, 600},                                                             /* scores sink until they saturate */
        {"BLOSUM62", 32, 11, 1, 2000}, /* too large for 16 bits, so the plain form is used */
        {"PAM30", 1000, 1, 1, 10},     /* too large because of the scores */
    };
    sample_random r = {sample_seed()};
    (void)state;
    for (int kind = USUAL; kind <= REPEATS; kind++)
        for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
            check(&r, &costs[i], (enum kind)kind);
}

/* Scores of bases, with ambiguous ones: the codes are few, so alignments have many ties. */
static void test_bases(void **state)
{
    static const int costs[][5] = {{2, -3, 5, 2, 33}, {2, -3, 5, 2, 110}, {1, -3, 5, 2, 20}, {1, -2, 1, 1, 13}, {5, -4, 10, 6, 100}};
    static const unsigned rarities[] = {8, 30, 300};
    sample_random r = {sample_seed()};
    (void)state;
    for (int i = 0; i < (sample_is_quick() ? 100 : 1000); i++) {
        const int *c = costs[i % 5], n_query = 1 + (int)(random_next(&r) % 600), step = i % 2 == 0 ? 1 : -1;
        struct base_scores scores;
        struct gapped_costs gapped = {scores.scores, c[2], c[3], c[4], i / 5 % 2 == 0 ? c[0] : 0};
        struct result want;
        int n_subject;
        base_scores_init(c[0], c[1], &scores);
        fill(&r, REPEATS, query_codes, n_query);
        n_subject = make_subject(&r, REPEATS, n_query, rarities[i % 3]);
        for (int k = 1; k <= MOST_RESIDUES; k++) {
            query_codes[k] = i % 2 == 0 && random_next(&r) % 50 == 0 ? BASE_N : query_codes[k] % 4;
            subject_codes[k] = i % 2 == 0 && random_next(&r) % 50 == 0 ? 4 : subject_codes[k] % 4;
        }
        query_codes[0] = query_codes[n_query + 1] = subject_codes[0] = subject_codes[n_subject + 1] = BASE_GAP;
        want = extend_with(TMS_SIMD_SCALAR, &gapped, n_query, n_subject, step);
        for (int simd = TMS_SIMD_SCALAR + 1; simd <= (int)cpu_best_simd(); simd++) {
            struct result got = extend_with((tms_simd)simd, &gapped, n_query, n_subject, step);
            for (int k = 0; k < GAPPED_AT_ONCE; k++) {
                assert_same_extent(want.score[k].extent, got.score[k].extent);
                assert_same_extent(want.align[k].extent, got.align[k].extent);
            }
            assert_same_script(&want.script, &got.script);
            free(got.script.runs);
        }
        free(want.script.runs);
    }
}

/* An extension that does not look behind the first residues has the same extent whatever follows there. */
static void test_reaches(void **state)
{
    const struct score_matrix *matrix = score_matrix_find("BLOSUM62");
    static int scores[RESIDUE_CODES * RESIDUE_CODES];
    struct gapped_workspace ws = {0};
    sample_random r = {sample_seed()};
    int n_reached = 0;
    enum { TRIALS = 400 };
    (void)state;
    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        scores[i] = matrix->scores[i / RESIDUE_CODES][i % RESIDUE_CODES];
    for (int i = 0; i < TRIALS; i++) {
        const struct gapped_costs costs = {scores, 11, 1, i % 2 == 0 ? 12 : 38, 0};
        const int n_query = 1 + (int)(random_next(&r) % 200);
        struct gapped_extension e = {.step = 1};
        struct gapped_extent want;
        int n_subject, n;
        bool reaches;
        fill(&r, USUAL, query_codes, n_query);
        n_subject = make_subject(&r, USUAL, n_query, 30);
        n = 1 + (int)(random_next(&r) % (uint64_t)n_subject);
        e.query = (struct gapped_side){query_codes + 1, n_query};
        e.subject = (struct gapped_side){subject_codes + 1, n_subject};
        assert_int_equal(gapped_score(&ws, &costs, &e, 1, false), TMS_OK);
        want = e.extent;
        assert_int_equal(gapped_reaches(&ws, &costs, &e, n, &reaches), TMS_OK);
        n_reached += reaches;
        if (reaches)
            continue;
        assert_true(want.subject <= n);
        for (int k = n + 1; k <= n_subject; k++)
            subject_codes[k] = query_codes[1 + random_next(&r) % (uint64_t)n_query];
        assert_int_equal(gapped_score(&ws, &costs, &e, 1, false), TMS_OK);
        assert_same_extent(want, e.extent);
    }
    assert_in_range(n_reached, TRIALS / 10, TRIALS - TRIALS / 10);
    gapped_workspace_free(&ws);
}

/* Of two equal sequences of bases most rows are skipped, so that they have no directions; the alignment is one match. */
static void test_skipped_rows(void **state)
{
    enum { N = 2000, MOST_ROWS = 200 };
    struct base_scores scores;
    struct gapped_costs costs = {scores.scores, 5, 2, 110, 2};
    struct gapped_extension e = {{query_codes + 1, N}, {query_codes + 1, N}, 1, {0}};
    sample_random r = {sample_seed()};
    struct gapped_workspace ws = {.simd = cpu_best_simd()};
    struct gapped_script script = {0};
    int n_rows = N;
    (void)state;
    if (ws.simd == TMS_SIMD_SCALAR)
        skip();
    base_scores_init(2, -3, &scores);
    for (int i = 0; i <= N + 1; i++)
        query_codes[i] = i == 0 || i == N + 1 ? BASE_GAP : (uint8_t)(random_next(&r) % 4);
    assert_int_equal(gapped_align(&ws, &costs, &e, 1, &script), TMS_OK);
    for (size_t i = 0; i < ws.directions[0].n_skips; i++)
        n_rows -= ws.directions[0].skips[i].end - ws.directions[0].skips[i].first;
    assert_in_range(n_rows, 1, MOST_ROWS);
    assert_same_extent((struct gapped_extent){2 * N, N, N}, e.extent);
    assert_int_equal(script.n, 1);
    assert_int_equal(script.runs[0].n, N);
    free(script.runs);
    gapped_workspace_free(&ws);
}

#if TMS_HAVE_X86_SIMD
/* Copies codes with a 0 before and after; returns where the first one is. */
static const uint8_t *copy_of(const uint8_t *codes, int n)
{
    uint8_t *copy = calloc((size_t)n + 2, 1);
    assert_non_null(copy);
    memcpy(copy + 1, codes, (size_t)n);
    return copy + 1;
}

/* Extensions from a point of two sequences to both sides. */
static struct gapped_both random_both(sample_random *r, enum kind kind)
{
    static const unsigned rarities[] = {0, 8, 30, 100};
    const int n_query = 1 + (int)(random_next(r) % (random_next(r) % 4 == 0 ? 6 : 300)), at = (int)(random_next(r) % (uint64_t)n_query);
    int n_subject, subject_at;
    const uint8_t *query, *subject;
    fill(r, kind, query_codes, n_query);
    n_subject = make_subject(r, kind, n_query, rarities[random_next(r) % 4]);
    subject_at = at < n_subject && random_next(r) % 8 != 0 ? at : (int)(random_next(r) % (uint64_t)n_subject);
    query = copy_of(query_codes + 1, n_query);
    subject = copy_of(subject_codes + 1, n_subject);
    return (struct gapped_both){{{{query + at, at + 1}, {subject + subject_at, subject_at + 1}, -1, {0}},
                                 {{query + at + 1, n_query - at - 1}, {subject + subject_at + 1, n_subject - subject_at - 1}, 1, {0}}},
                                random_next(r) % 2 == 0,
                                1 + (int)(random_next(r) % 150),
                                0};
}

/* Lanes find the score, or abandon the extension: if it is enough, or too wide. */
static void check_lanes(sample_random *r, const struct costs *c, enum kind kind)
{
    enum { MOST = 300 };
    static int scores[RESIDUE_CODES * RESIDUE_CODES];
    static struct gapped_both boths[MOST];
    const struct score_matrix *matrix = score_matrix_find(c->matrix);
    const struct gapped_costs costs = {scores, c->open, c->extend, c->x_drop, 0};
    const size_t n = random_next(r) % (MOST + 1);
    struct gapped_workspace ws = {.simd = TMS_SIMD_SCALAR};
    size_t n_made = 0, n_low = 0;
    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        scores[i] = matrix->scores[i / RESIDUE_CODES][i % RESIDUE_CODES];
    assert_true(gapped_fits_lanes(&costs));
    for (size_t i = 0; i < n; i++)
        boths[i] = random_both(r, kind);

    gapped_score_lanes_avx2(&costs, boths, n);
    for (size_t i = 0; i < n; i++) {
        struct gapped_extension *sides = boths[i].sides;
        int want;
        assert_int_equal(gapped_score(&ws, &costs, sides, 2, boths[i].is_restricted), TMS_OK);
        want = sides[0].extent.score + sides[1].extent.score;
        if (boths[i].score != GAPPED_ABANDONED) {
            assert_true(boths[i].score < boths[i].enough);
            assert_int_equal(boths[i].score, want);
            n_made++;
        }
        n_low += want < boths[i].enough;
        free((void *)(uintptr_t)(sides[0].query.codes - (sides[0].query.n - 1) - 1));
        free((void *)(uintptr_t)(sides[0].subject.codes - (sides[0].subject.n - 1) - 1));
    }
    if (kind == USUAL)
        assert_true(n_made >= n_low / 2);
    gapped_workspace_free(&ws);
}

static void test_lanes(void **state)
{
    static const struct costs costs[] = {
        {"BLOSUM62", 1, 11, 1, 38}, {"BLOSUM62", 1, 6, 2, 40}, {"BLOSUM45", 1, 14, 2, 0}, {"PAM30", 1, 9, 1, 25}};
    sample_random r = {sample_seed()};
    (void)state;
    if (cpu_best_simd() == TMS_SIMD_SCALAR)
        skip();
    for (int kind = USUAL; kind <= REPEATS; kind++)
        for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
            for (int k = 0; k < (sample_is_quick() ? 1 : 4); k++)
                check_lanes(&r, &costs[i], (enum kind)kind);
}

/* Behind the only row of a query a gap is open that scores more than the best cell, the start point. */
static void test_lanes_of_one_row(void **state)
{
    enum { A = 1, W = 20, N = 40 };
    static int scores[RESIDUE_CODES * RESIDUE_CODES];
    static const uint8_t query[] = {0, W, 0}, subject[N + 2] = {0, A, W, A};
    const struct gapped_costs costs = {scores, 0, 1, 0, 0};
    struct gapped_both both = {
        {{{query + 1, 0}, {subject + 1, 0}, -1, {0}}, {{query + 1, 1}, {subject + 1, N}, 1, {0}}}, true, 100, GAPPED_ABANDONED};
    (void)state;
    if (cpu_best_simd() == TMS_SIMD_SCALAR)
        skip();
    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        scores[i] = -1;
    scores[RESIDUE_CODES * W + W] = 31;
    assert_true(gapped_fits_lanes(&costs));
    gapped_score_lanes_avx2(&costs, &both, 1);
    assert_int_equal(both.score, 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_plain),
#if TMS_HAVE_X86_SIMD
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_lanes_of_one_row),
#endif
        cmocka_unit_test(test_bases),
        cmocka_unit_test(test_skipped_rows),
        cmocka_unit_test(test_reaches),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
