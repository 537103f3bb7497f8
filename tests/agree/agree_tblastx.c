/*
 * agree_tblastx.c - searches of translated queries in translated subjects on a GPU: the same subjects, scores and E-values as on one thread
 * of the CPU, for many short sequences, sequences of all lengths from 1 base on, ambiguous bases, and frames that are scanned in chunks;
 * with and without linking, with a database that comes block by block, and on several GPUs. If there is only one, that one is given twice
 * (TAMIS_TEST_TWIN_GPUS).
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few sequences (for compute-sanitizer);
 * TAMIS_AGREE_ONLY is the test to run.
 */
#include "run/context.h"
#include "tamis/tblastx.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"
#include "agree/same_results.h"
#include "agree/translated_samples.h"
#include "agree/translated_search.h"

static struct options usual(void) { return (struct options){tms_tblastx_protein_defaults(), tms_translated_defaults()}; }

static tms_status create(tms_context *ctx, const tms_seqdb *db, const struct options *o, tms_translated **out)
{
    return tms_tblastx_create(ctx, db, &o->protein, &o->own, out);
}

/* Queries and subjects have pieces of the same proteins, and ambiguous bases. */
static void make_sample(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o, struct sample *s)
{
    struct records proteins;
    make_proteins(r, 20, &proteins);
    make_genes(r, sample_is_quick() ? 4 : n_queries, longest, &proteins.seqs, &s->queries);
    make_genes(r, sample_is_quick() ? 20 : n_subjects, longest, &proteins.seqs, &s->subjects);
    spoil(r, &s->queries);
    spoil(r, &s->subjects);
    search_on_cpu(o, TMS_NUCLEOTIDE, s);
    free_records(&proteins);
}

static void test_genes(void **state)
{
    static const double evalues[] = {10, 1e6, 1e-5};
    sample_random r = {sample_seed()};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (size_t i = 0; i < sizeof evalues / sizeof *evalues; i++)
        for (uint32_t links = 0; links < 2; links++) {
            struct options o = usual();
            o.protein.evalue = evalues[i];
            o.own.links = links;
            compare(&r, 300, 30, 2000, &o);
        }
}

static void test_options(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.own.skips_plus = 1;
    o.own.query_genetic_code = 2;
    o.own.db_genetic_code = 4;
    o.protein.word_size = 2;
    compare(&r, 100, 30, 2000, &o);
    o = usual();
    o.protein.max_target_seqs = 5;
    o.protein.matrix = "BLOSUM45";
    o.protein.masks_seg = 0;
    compare(&r, 300, 30, 2000, &o);
    o = usual();
    o.protein.subject_besthit = 1;
    o.protein.xdrop_ungapped = 20;
    compare(&r, 300, 30, 2000, &o);
    o = usual();
    o.protein.soft_masking = 0;
    o.protein.best_hit_overhang = 0.2;
    o.protein.best_hit_score_edge = 0.2;
    compare(&r, 100, 30, 2000, &o);
}

/* Many sequences, the longest of which have a few words. */
static void test_short_sequences(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.protein.evalue = 1e6;
    compare(&r, 3000, 30, 40, &o);
}

/* Queries that have several tables on a GPU, and low complexity at their borders; one of them is also a subject. */
static void test_long_queries(void **state)
{
    const size_t longest = sample_is_quick() ? 30000 : 80000;
    sample_random r = {sample_seed()};
    const struct options o = usual();
    struct records proteins;
    struct sample s = {0};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    make_proteins(&r, 20, &proteins);
    make_genes(&r, 3, longest, &proteins.seqs, &s.queries);
    make_genes(&r, 8, longest, &proteins.seqs, &s.subjects);
    for (size_t i = 0; i < s.queries.seqs.n_records; i++) {
        const size_t n = (size_t)tms_seqs_length(&s.queries.seqs, i);
        uint8_t *bases = s.queries.residues + s.queries.starts[i];
        for (size_t at = 20000; at + 2000 < n; at += 20000)
            for (size_t k = 0; k < 1500; k++)
                bases[at + k] = random_below(&r, 20) > 0 ? bases[at + k - 42] : bases[at + k];
        for (size_t k = 0; i == 0 && k < n && k < tms_seqs_length(&s.subjects.seqs, 0); k++)
            s.subjects.residues[s.subjects.starts[0] + k] = random_below(&r, 50) > 0 ? bases[k] : 'A';
    }
    search_on_cpu(&o, TMS_NUCLEOTIDE, &s);
    s.has_other_hits = true;
    compare_sample(&s, &o);
    free_records(&proteins);
}

static void test_chunks(void **state)
{
    sample_random r = {sample_seed()};
    const struct options o = usual();
    struct records proteins, genes;
    struct sample s = {0};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    if (sample_is_quick())
        skip();
    make_proteins(&r, 4, &proteins);
    make_genes(&r, 100, 4000, &proteins.seqs, &genes);
    make_genes(&r, 4, 4000, &proteins.seqs, &s.queries);
    make_chunked(&r, &genes, &s.subjects);
    search_on_cpu(&o, TMS_NUCLEOTIDE, &s);
    assert_same_search(&s, &o);
    free_sample(&s);
    free_records(&genes);
    free_records(&proteins);
}

static void test_blocks_and_gpus(void **state)
{
    (void)state;
    compare_blocks_and_gpus(8000, 30, 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_genes),  cmocka_unit_test(test_options),         cmocka_unit_test(test_short_sequences),
        cmocka_unit_test(test_chunks), cmocka_unit_test(test_blocks_and_gpus), cmocka_unit_test(test_long_queries),
    };
    choose_test();
    return cmocka_run_group_tests(tests, setup, teardown);
}
