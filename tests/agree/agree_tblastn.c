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

enum { CHUNKED_BASES = 15400000 /* frames of two chunks */ };

static struct options usual(void) { return (struct options){tms_tblastn_protein_defaults(), tms_translated_defaults()}; }

static tms_status create(tms_context *ctx, const tms_seqdb *db, const struct options *o, tms_translated **out)
{
    return tms_tblastn_create(ctx, db, &o->protein, &o->own, out);
}

/* Makes a base here and there ambiguous. */
static void spoil(sample_random *r, struct records *bases)
{
    const uint64_t n = bases->starts[bases->seqs.n_records];
    for (size_t i = 0; i < n / 500; i++) {
        uint8_t *at = bases->residues + random_below(r, (size_t)n);
        *at = *at == 0 ? 0 : (uint8_t) "NRYKMSWBDHV"[random_below(r, 11)];
    }
}

static void make_sample(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o, struct sample *s)
{
    make_proteins(r, sample_is_quick() ? 4 : n_queries, &s->queries);
    make_genes(r, sample_is_quick() ? 20 : n_subjects, longest, &s->queries.seqs, &s->subjects);
    spoil(r, &s->subjects);
    search_on_cpu(o, TMS_NUCLEOTIDE, s);
}

static void compare(sample_random *r, size_t n_subjects, size_t longest, const struct options *o)
{
    struct sample s = {0};
    make_sample(r, n_subjects, 30, longest, o, &s);
    compare_sample(&s, o);
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
            compare(&r, 300, 2000, &o);
        }
}

static void test_options(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.own.links = 0;
    compare(&r, 300, 2000, &o);
    o = usual();
    o.own.task = TMS_TASK_TBLASTN_FAST;
    compare(&r, 300, 2000, &o);
    o = usual();
    o.own.db_genetic_code = 4;
    o.own.longest_intron = 3000;
    o.protein.word_size = 2;
    compare(&r, 100, 2000, &o);
    o = usual();
    o.protein.max_target_seqs = 5;
    o.protein.matrix = "BLOSUM45";
    o.protein.masks_seg = 0;
    compare(&r, 300, 2000, &o);
    o = usual();
    o.protein.subject_besthit = 1;
    compare(&r, 300, 2000, &o);
    o.protein.culling_limit = 2;
    compare(&r, 300, 2000, &o);
    o = usual();
    o.protein.best_hit_overhang = 0.2;
    o.protein.best_hit_score_edge = 0.2;
    compare(&r, 100, 2000, &o);
}

/* The GPU leaves all gapped extensions: its ring is too narrow for the X-drop. */
static void test_left_pairs(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.protein.xdrop_gapped = 200;
    compare(&r, 200, 2000, &o);
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
    compare(&r, 3000, 40, &o);
}

/* A short sequence, one whose frames have two chunks, with genes where these meet, and a few others. */
static void make_chunked(sample_random *r, struct sample *s)
{
    const size_t n = 6, chunked = 3;
    struct records genes;
    make_proteins(r, 4, &s->queries);
    make_genes(r, 100, 4000, &s->queries.seqs, &genes);
    begin_records(n, CHUNKED_BASES, &s->subjects);
    for (size_t i = 0; i < n; i++) {
        const size_t length = i == chunked ? CHUNKED_BASES : 100 + random_below(r, 20000);
        uint8_t *to = s->subjects.residues + s->subjects.starts[i];
        for (size_t k = 0; k < length; k++)
            to[k] = (uint8_t) "ACGT"[random_below(r, 4)];
        for (size_t k = 0; k < 100; k++) {
            const size_t m = (size_t)tms_seqs_length(&genes.seqs, k), from = i == chunked ? (k % 3 == 0 ? 400000 : 14990000) : 0,
                         room = i == chunked ? 20000 : length;
            if (m < room)
                memcpy(to + from + random_below(r, room - m), genes.residues + genes.starts[k], m);
        }
        end_record(i, length, &s->subjects);
    }
    end_records(n, &s->subjects);
    free_records(&genes);
}

static void test_chunks(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    struct sample s = {0};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    if (sample_is_quick())
        skip();
    make_chunked(&r, &s);
    for (int by_cpu = 0; by_cpu < 2; by_cpu++) { /* who extends with gaps */
        o.protein.xdrop_gapped = by_cpu ? 200 : o.protein.xdrop_gapped;
        search_on_cpu(&o, TMS_NUCLEOTIDE, &s);
        assert_same_search(&s, &o);
        tms_search_results_destroy(s.want);
        tms_seqdb_destroy(s.db);
    }
    free_records(&s.queries);
    free_records(&s.subjects);
}

static void test_blocks_and_gpus(void **state)
{
    sample_random r = {sample_seed()};
    const struct options o = usual();
    struct sample s = {0};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    make_sample(&r, 8000, 60, 900, &o, &s);
    compare_blocks_and_gpus(&s, o);
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
