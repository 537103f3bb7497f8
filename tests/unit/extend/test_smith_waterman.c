/*
 * test_smith_waterman.c - compares the best cell with the definition, over all cells and gaps of every length, and with the score backwards
 * from the end of the alignment to its start, with all instructions that this CPU has.
 */
#include "extend/smith_waterman.h"
#include "score/matrix.h"
#include "unit/context_fixture.h"

enum { MOST = 40, MOST_BOXES = 3 };

static uint8_t query[MOST + 2], subject[MOST + 2];
static int scores[RESIDUE_CODES * RESIDUE_CODES];

static void fill(sample_random *r, uint8_t *codes, int n, unsigned n_letters)
{
    codes[0] = codes[n + 1] = 0;
    for (int i = 1; i <= n; i++)
        codes[i] = (uint8_t)(1 + random_next(r) % n_letters);
}

static bool is_excluded(const struct smith_waterman_boxes *boxes, int i, int j)
{
    for (size_t b = 0; b < boxes->n; b++) {
        const struct smith_waterman_box *box = &boxes->items[b];
        if (i >= box->query && i < box->query_end && j >= box->subject && j <= box->subject_last)
            return true;
    }
    return false;
}

/* Finds the best alignment that ends at each cell: with a pair there, or with a gap of any length; up to the first cell that is enough. */
static struct smith_waterman_cell by_definition(const struct gapped_costs *costs, int n_query, int n_subject,
                                                const struct smith_waterman_boxes *boxes, int enough)
{
    static int best[MOST + 1][MOST + 1];
    struct smith_waterman_cell top = {0, 0, 0};
    for (int i = 1; i <= n_query; i++) {
        for (int j = 1; j <= n_subject; j++) {
            int score = best[i - 1][j - 1] + costs->scores[RESIDUE_CODES * query[i] + subject[j]];
            score = score < 0 || is_excluded(boxes, i - 1, j - 1) ? 0 : score;
            for (int k = 1; k <= i; k++)
                score = best[i - k][j] - costs->open - k * costs->extend > score ? best[i - k][j] - costs->open - k * costs->extend : score;
            for (int k = 1; k <= j; k++)
                score = best[i][j - k] - costs->open - k * costs->extend > score ? best[i][j - k] - costs->open - k * costs->extend : score;
            best[i][j] = score;
            if (score > top.score)
                top = (struct smith_waterman_cell){score, i - 1, j - 1};
            if (top.score >= enough)
                return top;
        }
    }
    return top;
}

static void assert_same_cell(const struct smith_waterman_cell *got, const struct smith_waterman_cell *want)
{
    assert_int_equal(got->score, want->score);
    assert_int_equal(got->query, want->query);
    assert_int_equal(got->subject, want->subject);
}

static void check(sample_random *r, struct gapped_workspace *ws, const struct gapped_costs *costs, unsigned n_letters)
{
    struct smith_waterman_box box[MOST_BOXES];
    struct smith_waterman_boxes boxes = {box, random_next(r) % (MOST_BOXES + 1), MOST_BOXES};
    int n_query = 1 + (int)(random_next(r) % MOST), n_subject = 1 + (int)(random_next(r) % MOST);
    struct gapped_side q = {query + 1, n_query}, s = {subject + 1, n_subject};
    struct smith_waterman_cell want, got, start;
    int enough;
    fill(r, query, n_query, n_letters);
    fill(r, subject, n_subject, n_letters);
    for (size_t b = 0; b < boxes.n; b++) {
        int i = (int)(random_next(r) % (unsigned)n_query), j = (int)(random_next(r) % (unsigned)n_subject);
        box[b] = (struct smith_waterman_box){i, i + (int)(random_next(r) % MOST), j, j + (int)(random_next(r) % MOST)};
    }
    want = by_definition(costs, n_query, n_subject, &boxes, INT32_MAX);
    ASSERT_OK(ctx, smith_waterman(ws, costs, q, s, 1, &boxes, INT32_MAX, &got));
    assert_same_cell(&got, &want);
    if (want.score == 0)
        return;
    enough = 1 + (int)(random_next(r) % (unsigned)want.score);
    want = by_definition(costs, n_query, n_subject, &boxes, enough);
    ASSERT_OK(ctx, smith_waterman(ws, costs, q, s, 1, &boxes, enough, &start));
    assert_same_cell(&start, &want);
    q.n = got.query + 1;
    s.n = got.subject + 1;
    ASSERT_OK(ctx, smith_waterman(ws, costs, q, s, -1, &boxes, got.score, &start));
    assert_int_equal(start.score, got.score);
    assert_true(start.query <= got.query && start.subject <= got.subject);
    assert_false(is_excluded(&boxes, start.query, start.subject));
}

static void test_definition(void **state)
{
    const struct score_matrix *matrix = score_matrix_find("BLOSUM62");
    static const int costs_of[][2] = {{11, 1}, {6, 2}, {0, 1}, {1, 1}};
    sample_random r = {sample_seed()};
    struct gapped_workspace ws = {0};
    (void)state;
    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        scores[i] = matrix->scores[i / RESIDUE_CODES][i % RESIDUE_CODES];
    for (int level = TMS_SIMD_SCALAR; level <= TMS_SIMD_AVX512; level++) {
        if (tms_context_set_simd(ctx, (tms_simd)level) != TMS_OK)
            continue;
        ws.simd = (tms_simd)level;
        for (size_t k = 0; k < sizeof costs_of / sizeof *costs_of; k++) {
            const struct gapped_costs costs = {scores, costs_of[k][0], costs_of[k][1], 0};
            for (int i = 0; i < 1500; i++)
                check(&r, &ws, &costs, i % 3 == 0 ? 3 : RESIDUE_CODES - 1);
        }
    }
    gapped_workspace_free(&ws);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
