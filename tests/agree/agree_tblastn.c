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

enum { CHUNKED_BASES = 15400000 /* frames of two chunks */ };

struct options {
    tms_blastp_params protein;
    tms_translated_params own;
};

static struct options usual(void) { return (struct options){tms_tblastn_protein_defaults(), tms_translated_defaults()}; }

static void search(tms_context *ctx, const tms_seqdb *db, const struct options *o, const tms_seqs *queries, tms_search_results **results,
                   tms_search_stats *stats)
{
    tms_translated *tblastn;
    ASSERT_OK(ctx, tms_tblastn_create(ctx, db, &o->protein, &o->own, &tblastn));
    ASSERT_OK(ctx, tms_translated_search(tblastn, queries, results));
    tms_translated_get_stats(tblastn, stats);
    tms_translated_destroy(tblastn);
}

/* A database, queries, and what the CPU finds. */
struct sample {
    struct records subjects, queries;
    tms_seqdb *db;
    tms_search_results *want;
    tms_search_stats stats;
};

/* Makes a base here and there ambiguous. */
static void spoil(sample_random *r, struct records *bases)
{
    const uint64_t n = bases->starts[bases->seqs.n_records];
    for (size_t i = 0; i < n / 500; i++) {
        uint8_t *at = bases->residues + random_below(r, (size_t)n);
        *at = *at == 0 ? 0 : (uint8_t) "NRYKMSWBDHV"[random_below(r, 11)];
    }
}

static void search_on_cpu(const struct options *o, struct sample *s)
{
    ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &s->subjects.seqs, TMS_NUCLEOTIDE, "subjects", &s->db));
    search(cpu_ctx, s->db, o, &s->queries.seqs, &s->want, &s->stats);
    assert_true(s->stats.n_realigned > 0 || o->protein.composition == TMS_COMPOSITION_OFF);
}

static void make_sample(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o, struct sample *s)
{
    make_proteins(r, sample_is_quick() ? 4 : n_queries, &s->queries);
    make_genes(r, sample_is_quick() ? 20 : n_subjects, longest, &s->queries.seqs, &s->subjects);
    spoil(r, &s->subjects);
    search_on_cpu(o, s);
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
    assert_int_equal(stats.n_preliminary, s->stats.n_preliminary);
    assert_int_equal(stats.n_realigned, s->stats.n_realigned);
    tms_search_results_destroy(got);
}

static void compare(sample_random *r, size_t n_subjects, size_t longest, const struct options *o)
{
    static const size_t batches[] = {0, 1, 200};
    struct sample s;
    make_sample(r, n_subjects, 30, longest, o, &s);
    for (size_t i = 0; i < (sample_is_quick() ? 2 : sizeof batches / sizeof *batches); i++) {
        tms_context_set_batch(gpu_ctx, batches[i]);
        assert_same_search(&s, o);
    }
    tms_context_set_batch(gpu_ctx, 0);
    free_sample(&s);
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
    struct sample s;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    if (sample_is_quick())
        skip();
    make_chunked(&r, &s);
    for (int by_cpu = 0; by_cpu < 2; by_cpu++) { /* who extends with gaps */
        o.protein.xdrop_gapped = by_cpu ? 200 : o.protein.xdrop_gapped;
        search_on_cpu(&o, &s);
        assert_same_search(&s, &o);
        tms_search_results_destroy(s.want);
        tms_seqdb_destroy(s.db);
    }
    free_records(&s.queries);
    free_records(&s.subjects);
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
    make_sample(&r, 8000, 60, 900, &o, &s);
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
        cmocka_unit_test(test_genes),          cmocka_unit_test(test_options), cmocka_unit_test(test_left_pairs),
        cmocka_unit_test(test_short_subjects), cmocka_unit_test(test_chunks),  cmocka_unit_test(test_blocks_and_gpus),
    };
    choose_test();
    return cmocka_run_group_tests(tests, setup, teardown);
}
