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
#include "agree/translated_search.h"

static struct options usual(void) { return (struct options){tms_blastx_protein_defaults(), tms_translated_defaults()}; }

static tms_status create(tms_context *ctx, const tms_seqdb *db, const struct options *o, tms_translated **out)
{
    return tms_blastx_create(ctx, db, &o->protein, &o->own, out);
}

static void make_sample(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o, struct sample *s)
{
    make_proteins(r, sample_is_quick() ? 20 : n_subjects, &s->subjects);
    make_genes(r, sample_is_quick() ? 4 : n_queries, longest, &s->subjects.seqs, &s->queries);
    s->has_all_gapped = true;
    search_on_cpu(o, TMS_PROTEIN, s);
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
            compare(&r, 1500, 30, 400, &o);
        }
}

static void test_options(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.own.links = 0;
    compare(&r, 1500, 30, 400, &o);
    o = usual();
    o.own.task = TMS_TASK_BLASTX_FAST;
    compare(&r, 1500, 30, 400, &o);
    o = usual();
    o.own.skips_plus = 1;
    o.own.query_genetic_code = 4;
    o.own.longest_intron = 3000;
    compare(&r, 1500, 30, 400, &o);
    o = usual();
    o.protein.ungapped = 1;
    o.protein.composition = TMS_COMPOSITION_OFF;
    compare(&r, 1500, 30, 400, &o);
    o = usual();
    o.protein.max_target_seqs = 5;
    o.protein.matrix = "BLOSUM45";
    compare(&r, 1500, 30, 400, &o);
}

static void test_long_queries(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    compare(&r, 1500, 3, 5000, &o);
    compare(&r, 1500, 1, sample_is_quick() ? 20000 : 80000, &o); /* in chunks */
}

static void test_blocks_and_gpus(void **state)
{
    (void)state;
    compare_blocks_and_gpus(24000, 60, 300);
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
