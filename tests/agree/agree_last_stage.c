/*
 * agree_last_stage.c - matrices and final alignments on a GPU: for each pair of a query and a subject the scores that the CPU makes, all
 * matrices, optimised and scaled, usual sequences and odd ones, and for each start point the CPU's ends, score and operations. What the GPU
 * leaves to the CPU is counted, and must be little.
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few pairs (for compute-sanitizer); TAMIS_AGREE_ONLY is
 * the test to run.
 */
#include "run/context.h"
#include "score/composition_cuda.h"
#include "search/align_hsp.h"
#include "search/align_hsp_cuda.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"

enum { SCORES = RESIDUE_CODES * RESIDUE_CODES, STARTS = 3 /* of a pair */, LONGEST = 1200, QUERIES = 7 };

/* FEW: of few amino acids, so that the optimisation takes long; EVERY: of all codes. */
enum kind { USUAL, FEW, EVERY, KINDS };

/* Sequences one after the other, with a 0 before and after each; the first QUERIES are queries. */
struct sample {
    const struct composition_basis *basis;
    uint8_t *codes;
    size_t n_codes, n_pairs, n_starts;
    struct composition queries[QUERIES], *subjects;
    double rows[QUERIES * JOINT_LETTERS], shares[QUERIES * JOINT_LETTERS];
    struct composition_gpu_pair *pairs;
    struct align_gpu_pair *sequences;
    struct align_gpu_start *starts;
};

static uint8_t letter(sample_random *r, enum kind kind)
{
    static const uint8_t usual[] = {11, 11, 1, 1, 7, 19, 5, 17, 9, 10, 16, 4, 18, 14, 13, 15, 6, 22, 12, 8, 3, 20};
    if (kind == EVERY)
        return (uint8_t)(1 + random_below(r, RESIDUE_CODES - 1));
    return usual[random_below(r, kind == FEW ? 3 : sizeof usual)];
}

/* Appends a sequence, related to `of` if it is not NULL. Returns the position of its first code. */
static uint32_t add_sequence(sample_random *r, struct sample *s, enum kind kind, const struct align_gpu_pair *of, int *length)
{
    const uint32_t at = (uint32_t)s->n_codes;
    const size_t n = 1 + random_below(r, random_below(r, 4) == 0 ? LONGEST : 300);
    size_t from = of != NULL ? random_below(r, (size_t)of->query_length) : 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_same = of != NULL && from < (size_t)of->query_length && random_below(r, 2) == 0;
        s->codes[s->n_codes++] = is_same ? s->codes[of->query + from] : letter(r, kind);
        if (random_below(r, 40) == 0)
            from += random_below(r, 6);
        else if (random_below(r, 40) > 0)
            from++;
    }
    s->codes[s->n_codes++] = 0;
    *length = (int)n;
    return at;
}

static void make_sample(sample_random *r, const struct composition_basis *basis, enum kind kind, size_t n, struct sample *s)
{
    struct align_gpu_pair queries[QUERIES];
    s->basis = basis;
    s->codes = calloc((n + QUERIES) * (LONGEST + 1) + 1, 1);
    s->subjects = calloc(n, sizeof *s->subjects);
    s->pairs = calloc(n, sizeof *s->pairs);
    s->sequences = calloc(n, sizeof *s->sequences);
    s->starts = calloc(n * STARTS, sizeof *s->starts);
    s->n_codes = 1;
    s->n_pairs = s->n_starts = 0;
    for (size_t q = 0; q < QUERIES; q++) {
        queries[q].query = add_sequence(r, s, kind, NULL, &queries[q].query_length);
        composition_of(s->codes + queries[q].query, (size_t)queries[q].query_length, &s->queries[q]);
        composition_smooth(basis, &s->queries[q], s->rows + q * JOINT_LETTERS);
        composition_shares(&s->queries[q], s->shares + q * JOINT_LETTERS);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t q = random_below(r, QUERIES);
        struct align_gpu_pair p = queries[q];
        struct composition_gpu_pair *pair = &s->pairs[s->n_pairs];
        p.subject = add_sequence(r, s, kind, &queries[q], &p.subject_length);
        composition_of(s->codes + p.subject, (size_t)p.subject_length, &s->subjects[s->n_pairs]);
        if (s->queries[q].n_counted == 0 || s->subjects[s->n_pairs].n_counted == 0)
            continue;
        pair->query = (uint32_t)q;
        pair->is_scaled = random_below(r, 3) == 0;
        if (pair->is_scaled)
            composition_shares(&s->subjects[s->n_pairs], pair->columns);
        else
            composition_smooth(basis, &s->subjects[s->n_pairs], pair->columns);
        for (int k = 0; k < STARTS; k++)
            s->starts[s->n_starts++] = (struct align_gpu_start){(uint32_t)s->n_pairs, (int)random_below(r, (size_t)p.query_length),
                                                                (int)random_below(r, (size_t)p.subject_length)};
        s->sequences[s->n_pairs++] = p;
    }
}

/* Makes the matrix of pair i. Returns false if there is none. */
static bool adjust(const struct sample *s, size_t i, struct adjusted_matrix *out)
{
    const struct align_gpu_pair *p = &s->sequences[i];
    const struct composition_pair pair = {s->queries[s->pairs[i].query], s->subjects[i], (size_t)p->query_length,
                                          (size_t)p->subject_length};
    return composition_adjust(s->basis, s->pairs[i].is_scaled ? COMPOSITION_SCALED : COMPOSITION_OPTIMISED, &pair, out);
}

static void free_sample(struct sample *s)
{
    free(s->codes);
    free(s->subjects);
    free(s->pairs);
    free(s->sequences);
    free(s->starts);
}

/* Compares the matrices. matrices [out] the CPU's. Returns how many the GPU has left, but for optimisations that do not converge. */
static size_t check_matrices(const struct sample *s, const struct composition_gpu_matrices *got, struct adjusted_matrix *matrices)
{
    int16_t *scores = malloc(s->n_pairs * SCORES * sizeof *scores);
    uint8_t *is_made = malloc(s->n_pairs);
    size_t n_left = 0;
    ASSERT_OK(gpu_ctx, gpu_download(&gpu_ctx->fault, 0, scores, got->d_scores, s->n_pairs * SCORES * sizeof *scores));
    ASSERT_OK(gpu_ctx, gpu_download(&gpu_ctx->fault, 0, is_made, got->d_is_made, s->n_pairs));
    for (size_t i = 0; i < s->n_pairs; i++) {
        const enum composition_rule wanted = s->pairs[i].is_scaled ? RULE_SCALED : RULE_OPTIMISED;
        const bool is_there = adjust(s, i, &matrices[i]);
        assert_true(is_there);
        n_left += !is_made[i] && matrices[i].rule == wanted;
        if (!is_made[i])
            continue;
        assert_int_equal(matrices[i].rule, wanted);
        for (int k = 0; k < SCORES; k++)
            assert_int_equal(scores[i * SCORES + (size_t)k], (&matrices[i].scores[0][0])[k]);
    }
    free(scores);
    free(is_made);
    return n_left;
}

/* Compares the alignments. Returns how many the GPU has left of pairs with a matrix. */
static size_t check_alignments(const struct sample *s, const struct gapped_costs *costs, const struct adjusted_matrix *matrices,
                               const struct align_gpu_found *found)
{
    struct gapped_workspace workspace = {0};
    size_t n_left = 0;
    for (size_t i = 0; i < s->n_starts; i++) {
        const struct align_gpu_start *start = &s->starts[i];
        const struct align_gpu_pair *p = &s->sequences[start->pair];
        const struct align_gpu_alignment *got = &found->alignments[i];
        struct gapped_costs own = *costs;
        struct hsp want = {.start_query = start->query, .start_subject = start->subject};
        n_left += got->n_runs < 0 && found->is_made[start->pair];
        if (got->n_runs < 0)
            continue;
        own.scores = &matrices[start->pair].scores[0][0];
        assert_int_equal(align_hsp(&own, s->codes + p->query, p->query_length, s->codes + p->subject,
                                   (struct gapped_window){0, p->subject_length}, &workspace, &want),
                         TMS_OK);
        assert_int_equal(got->query, want.query);
        assert_int_equal(got->query_end, want.query_end);
        assert_int_equal(got->subject, want.subject);
        assert_int_equal(got->subject_end, want.subject_end);
        assert_int_equal(got->score, want.score);
        assert_int_equal(got->n_runs, want.script.n);
        for (size_t k = 0; k < want.script.n; k++)
            assert_int_equal(found->runs[got->first_run + k], 4 * want.script.runs[k].n + (int)want.script.runs[k].operation);
        free(want.script.runs);
    }
    gapped_workspace_free(&workspace);
    return n_left;
}

/* Aligns with one matrix for all pairs, which overwrites theirs. */
static void check_standard(const struct sample *s, struct gapped_costs costs, size_t work_bytes, struct adjusted_matrix *matrices)
{
    struct align_gpu_found found = {0};
    size_t n_short;
    costs.scores = &s->basis->standard[0][0];
    for (size_t i = 0; i < s->n_pairs; i++)
        memcpy(matrices[i].scores, s->basis->standard, sizeof matrices[i].scores);
    ASSERT_OK(gpu_ctx, align_gpu(gpu_ctx, &costs,
                                 &(struct align_gpu_batch){s->codes, s->n_codes, s->sequences, s->n_pairs, s->starts, s->n_starts, NULL,
                                                           NULL, work_bytes},
                                 &found));
    n_short = check_alignments(s, &costs, matrices, &found);
    print_message("by one matrix: %zu starts, %zu left\n", s->n_starts, n_short);
    assert_true(n_short <= s->n_starts / 20 + 1);
    align_gpu_found_free(&found);
}

/* With the usual costs and X-drop of a matrix, or with half that X-drop. */
static void check(sample_random *r, const struct composition_basis *basis, enum kind kind, size_t n, size_t work_bytes)
{
    const struct gap_costs *usual = &basis->matrix->costs[basis->matrix->usual];
    const struct gapped_costs costs = {.open = usual->open * COMPOSITION_SCALE,
                                       .extend = usual->extend * COMPOSITION_SCALE,
                                       .x_drop = (int)(25 * log(2) / usual->lambda * COMPOSITION_SCALE) / (1 + (int)random_below(r, 2))};
    struct composition_gpu_matrices got;
    struct align_gpu_found found = {0};
    struct adjusted_matrix *matrices = malloc(n * sizeof *matrices);
    struct sample s;
    size_t n_left, n_short;
    make_sample(r, basis, kind, n, &s);
    ASSERT_OK(gpu_ctx, composition_gpu_make(gpu_ctx->gpu, basis,
                                            &(struct composition_gpu_batch){s.rows, s.shares, QUERIES, s.pairs, s.n_pairs}, &got));
    if (!got.are_equal) {
        print_message("skipped: this processor's logarithms are not the GPU's\n");
        skip();
    }
    n_left = check_matrices(&s, &got, matrices);
    assert_true(align_gpu_takes(&costs));
    ASSERT_OK(gpu_ctx, align_gpu(gpu_ctx, &costs,
                                 &(struct align_gpu_batch){s.codes, s.n_codes, s.sequences, s.n_pairs, s.starts, s.n_starts, got.d_scores,
                                                           got.d_is_made, work_bytes},
                                 &found));
    n_short = check_alignments(&s, &costs, matrices, &found);
    print_message("%s, kind %d: %zu pairs, %zu left; %zu starts, %zu left\n", basis->matrix->name, (int)kind, s.n_pairs, n_left, s.n_starts,
                  n_short);
    assert_true(kind == FEW || n_left <= s.n_pairs / 20 + 1);
    assert_true(kind == FEW || n_short <= s.n_starts / 20 + 1);
    align_gpu_found_free(&found);
    if (kind != FEW)
        check_standard(&s, costs, work_bytes, matrices);
    free(matrices);
    free_sample(&s);
}

static void test_same_as_the_cpu(void **state)
{
    sample_random r = {sample_seed()};
    const size_t n = sample_is_quick() ? 40 : 2500;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (size_t m = 0; m < JOINT_TABLES; m++) {
        struct composition_basis basis;
        assert_true(composition_basis_init(score_matrix_find(joint_tables[m].name), &basis));
        for (int kind = USUAL; kind < KINDS; kind++)
            check(&r, &basis, (enum kind)kind, n, m % 2 == 0 ? (size_t)1 << 30 : ALIGN_GPU_LEAST_BYTES);
    }
}

static void test_one_pair(void **state)
{
    sample_random r = {sample_seed()};
    struct composition_basis basis;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    assert_true(composition_basis_init(score_matrix_find("BLOSUM62"), &basis));
    for (size_t n = 1; n < 4; n++)
        check(&r, &basis, USUAL, n, ALIGN_GPU_LEAST_BYTES);
}

/* All kernels, with so few pairs that compute-sanitizer's racecheck takes seconds: it is slower than memcheck by far. */
static void test_few_pairs(void **state)
{
    sample_random r = {sample_seed()};
    struct composition_basis basis;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    assert_true(composition_basis_init(score_matrix_find("BLOSUM62"), &basis));
    for (int kind = USUAL; kind < KINDS; kind++)
        check(&r, &basis, (enum kind)kind, 12, ALIGN_GPU_LEAST_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_the_cpu), cmocka_unit_test(test_one_pair),
                                       cmocka_unit_test(test_few_pairs)};
    choose_test();
    return cmocka_run_group_tests(tests, setup, teardown);
}
