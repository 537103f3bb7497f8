/*
 * agree_blastx.c - searches of translated queries on a GPU: the same subjects, scores, E-values and alignments as on one thread of the CPU,
 * for reads and for a query that is searched in chunks; with and without linking, with all kinds of matrices, with a database that comes
 * block by block, and on several GPUs. If there is only one, that one is given twice (TAMIS_TEST_TWIN_GPUS).
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few sequences (for compute-sanitizer);
 * TAMIS_AGREE_ONLY is the test to run.
 */
#include "run/context.h"
#include "tamis/blastx.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"
#include "agree/same_results.h"
#include "agree/translated_samples.h"

struct options {
    tms_blastp_params protein;
    tms_translated_params own;
};

static struct options usual(void) { return (struct options){tms_blastx_protein_defaults(), tms_translated_defaults()}; }

static void search(tms_context *ctx, const tms_seqdb *db, const struct options *o, const tms_seqs *queries, tms_search_results **results,
                   tms_search_stats *stats)
{
    tms_translated *blastx;
    ASSERT_OK(ctx, tms_blastx_create(ctx, db, &o->protein, &o->own, &blastx));
    ASSERT_OK(ctx, tms_translated_search(blastx, queries, results));
    tms_translated_get_stats(blastx, stats);
    tms_translated_destroy(blastx);
}

/* A database, queries, and what the CPU finds. */
struct sample {
    struct records subjects, queries;
    tms_seqdb *db;
    tms_search_results *want;
    tms_search_stats stats;
};

static void make_sample(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o, struct sample *s)
{
    make_proteins(r, sample_is_quick() ? 20 : n_subjects, &s->subjects);
    make_genes(r, sample_is_quick() ? 4 : n_queries, longest, &s->subjects.seqs, &s->queries);
    ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &s->subjects.seqs, TMS_PROTEIN, "subjects", &s->db));
    search(cpu_ctx, s->db, o, &s->queries.seqs, &s->want, &s->stats);
    assert_true(s->stats.n_realigned > 0 || o->protein.composition == TMS_COMPOSITION_OFF);
}

static void free_sample(struct sample *s)
{
    tms_search_results_destroy(s->want);
    tms_seqdb_destroy(s->db);
    free_records(&s->queries);
    free_records(&s->subjects);
}

static void assert_same_search(const struct sample *s, const struct options *o)
{
    tms_search_results *got;
    tms_search_stats stats;
    search(gpu_ctx, s->db, o, &s->queries.seqs, &got, &stats);
    assert_same_results(got, s->want, s->queries.seqs.n_records);
    assert_int_equal(stats.n_words, s->stats.n_words);
    assert_int_equal(stats.n_hits, s->stats.n_hits);
    assert_int_equal(stats.n_ungapped, s->stats.n_ungapped);
    assert_int_equal(stats.n_gapped, s->stats.n_gapped);
    assert_int_equal(stats.n_preliminary, s->stats.n_preliminary);
    assert_int_equal(stats.n_realigned, s->stats.n_realigned);
    tms_search_results_destroy(got);
}

static void compare(sample_random *r, size_t n_queries, size_t longest, const struct options *o)
{
    static const size_t batches[] = {0, 1, 200};
    struct sample s;
    make_sample(r, 1500, n_queries, longest, o, &s);
    for (size_t i = 0; i < (sample_is_quick() ? 2 : sizeof batches / sizeof *batches); i++) {
        tms_context_set_batch(gpu_ctx, batches[i]);
        assert_same_search(&s, o);
    }
    tms_context_set_batch(gpu_ctx, 0);
    free_sample(&s);
}

static void test_reads(void **state)
{
    static const double evalues[] = {10, 1000, 1e-5};
    sample_random r = {sample_seed()};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (size_t i = 0; i < sizeof evalues / sizeof *evalues; i++)
        for (uint32_t mode = TMS_COMPOSITION_OFF; mode <= TMS_COMPOSITION_ALL_ADJUSTED; mode++) {
            struct options o = usual();
            o.protein.evalue = evalues[i];
            o.protein.composition = mode;
            compare(&r, 30, 400, &o);
        }
}

static void test_options(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.own.links = 0;
    compare(&r, 30, 400, &o);
    o = usual();
    o.own.task = TMS_TASK_BLASTX_FAST;
    compare(&r, 30, 400, &o);
    o = usual();
    o.own.skips_plus = 1;
    o.own.query_genetic_code = 4;
    o.own.longest_intron = 3000;
    compare(&r, 30, 400, &o);
    o = usual();
    o.protein.max_target_seqs = 5;
    o.protein.matrix = "BLOSUM45";
    compare(&r, 30, 400, &o);
}

static void test_long_queries(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    compare(&r, 3, 5000, &o);
    compare(&r, 1, sample_is_quick() ? 20000 : 80000, &o); /* in chunks */
}

static void test_blocks_and_gpus(void **state)
{
    const uint64_t memories[] = {0, TMS_SEARCH_LEAST_GPU_MEMORY};
    const int32_t more[] = {0};
    const int n_threads = tms_context_threads(gpu_ctx);
    sample_random r = {sample_seed()};
    struct options o = usual();
    struct sample s;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    assert_int_equal(setenv("TAMIS_TEST_TWIN_GPUS", "1", 1), 0);
    make_sample(&r, 24000, 60, 300, &o, &s);
    o.protein.more_gpus = more;
    for (size_t i = 0; i < 6; i++) {
        o.protein.n_more_gpus = i / 3;
        o.protein.gpu_memory = memories[i % 2];
        ASSERT_OK(gpu_ctx, tms_context_set_threads(gpu_ctx, 1 + (int)(i % 3) * 2));
        tms_context_set_batch(gpu_ctx, i % 2 == 0 ? 0 : 100000);
        assert_same_search(&s, &o);
    }
    free_sample(&s);
    assert_int_equal(unsetenv("TAMIS_TEST_TWIN_GPUS"), 0);
    ASSERT_OK(gpu_ctx, tms_context_set_threads(gpu_ctx, n_threads));
    tms_context_set_batch(gpu_ctx, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_long_queries),
        cmocka_unit_test(test_blocks_and_gpus),
    };
    choose_test();
    return cmocka_run_group_tests(tests, setup, teardown);
}
