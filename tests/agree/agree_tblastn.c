/*
 * agree_tblastn.c - searches in translated subjects on a GPU: the same subjects, scores, E-values and alignments as on one thread of the
 * CPU, for many short sequences, sequences of all lengths from 1 base on, ambiguous bases, and frames that are scanned in chunks; with and
 * without linking, with words of all sizes, with a database that comes block by block, and on several GPUs. If there is only one, that one
 * is given twice (TAMIS_TEST_TWIN_GPUS).
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few sequences (for compute-sanitizer);
 * TAMIS_AGREE_ONLY is the test to run.
 */
#include "run/context.h"
#include "tamis/tblastn.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"
#include "agree/same_results.h"
#include "agree/translated_samples.h"
#include "agree/translated_search.h"

static struct options usual(void) { return (struct options){tms_tblastn_protein_defaults(), tms_translated_defaults()}; }

static tms_status create(tms_context *ctx, const tms_seqdb *db, const struct options *o, tms_translated **out)
{
    return tms_tblastn_create(ctx, db, &o->protein, &o->own, out);
}

static void make_sample(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o, struct sample *s)
{
    make_proteins(r, sample_is_quick() ? 4 : n_queries, &s->queries);
    make_genes(r, sample_is_quick() ? 20 : n_subjects, longest, &s->queries.seqs, &s->subjects);
    spoil(r, &s->subjects);
    search_on_cpu(o, TMS_NUCLEOTIDE, s);
}

static void test_genes(void **state)
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
            compare(&r, 300, 30, 2000, &o);
        }
}

static void test_options(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.own.links = 0;
    compare(&r, 300, 30, 2000, &o);
    o = usual();
    o.own.task = TMS_TASK_TBLASTN_FAST;
    compare(&r, 300, 30, 2000, &o);
    o = usual();
    o.own.db_genetic_code = 4;
    o.own.longest_intron = 3000;
    o.protein.word_size = 2;
    compare(&r, 100, 30, 2000, &o);
    o = usual();
    o.protein.max_target_seqs = 5;
    o.protein.matrix = "BLOSUM45";
    o.protein.masks_seg = 0;
    compare(&r, 300, 30, 2000, &o);
    o = usual();
    o.protein.ungapped = 1;
    o.protein.composition = TMS_COMPOSITION_OFF;
    compare(&r, 300, 30, 2000, &o);
    o = usual();
    o.protein.subject_besthit = 1;
    compare(&r, 300, 30, 2000, &o);
    o.protein.culling_limit = 2;
    compare(&r, 300, 30, 2000, &o);
    o = usual();
    o.protein.best_hit_overhang = 0.2;
    o.protein.best_hit_score_edge = 0.2;
    compare(&r, 100, 30, 2000, &o);
}

/* The GPU leaves all gapped extensions: its ring is too narrow for the X-drop. */
static void test_left_pairs(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.protein.xdrop_gapped = 200;
    compare(&r, 200, 30, 2000, &o);
}

/* Many sequences, the longest of which have a few words. */
static void test_short_subjects(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.protein.evalue = 1e6;
    o.protein.composition = TMS_COMPOSITION_OFF;
    compare(&r, 3000, 30, 40, &o);
}

static void test_chunks(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    struct records genes;
    struct sample s = {0};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    if (sample_is_quick())
        skip();
    make_proteins(&r, 4, &s.queries);
    make_genes(&r, 100, 4000, &s.queries.seqs, &genes);
    make_chunked(&r, &genes, &s.subjects);
    for (int by_cpu = 0; by_cpu < 2; by_cpu++) { /* who extends with gaps */
        o.protein.xdrop_gapped = by_cpu ? 200 : o.protein.xdrop_gapped;
        search_on_cpu(&o, TMS_NUCLEOTIDE, &s);
        assert_same_search(&s, &o);
        tms_search_results_destroy(s.want);
        tms_seqdb_destroy(s.db);
    }
    free_records(&genes);
    free_records(&s.queries);
    free_records(&s.subjects);
}

static void test_blocks_and_gpus(void **state)
{
    (void)state;
    compare_blocks_and_gpus(8000, 60, 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_genes),          cmocka_unit_test(test_options), cmocka_unit_test(test_left_pairs),
        cmocka_unit_test(test_short_subjects), cmocka_unit_test(test_chunks),  cmocka_unit_test(test_blocks_and_gpus),
    };
    choose_test();
    return cmocka_run_group_tests(tests, setup, teardown);
}
