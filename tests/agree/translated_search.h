/*
 * translated_search.h - a search of a program that translates on a GPU, compared with one thread of the CPU. The program defines create(),
 * usual() and make_sample(). After agree/cpu_and_gpu.h, agree/same_results.h and agree/translated_samples.h.
 */
#ifndef TAMIS_TESTS_TRANSLATED_SEARCH_H
#define TAMIS_TESTS_TRANSLATED_SEARCH_H

#include "tamis/translated.h"

struct options {
    tms_blastp_params protein;
    tms_translated_params own;
};

static tms_status create(tms_context *ctx, const tms_seqdb *db, const struct options *o, tms_translated **out);
static struct options usual(void);

/* A database, queries, and what the CPU finds. */
struct sample {
    struct records subjects, queries;
    tms_seqdb *db;
    tms_search_results *want;
    tms_search_stats stats;
    bool has_all_gapped; /* a GPU makes as many gapped extensions as the CPU */
    bool has_other_hits; /* a GPU finds some hits in two tables of a query */
};

/* Fills in a sample of n_subjects subjects and n_queries queries, or fewer if the test is quick; none that is translated is longer than
 * `longest` bases. */
static void make_sample(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o, struct sample *s);

static void search(tms_context *ctx, const tms_seqdb *db, const struct options *o, const tms_seqs *queries, tms_search_results **results,
                   tms_search_stats *stats)
{
    tms_translated *search;
    ASSERT_OK(ctx, create(ctx, db, o, &search));
    ASSERT_OK(ctx, tms_translated_search(search, queries, results));
    tms_translated_get_stats(search, stats);
    tms_translated_destroy(search);
}

static void search_on_cpu(const struct options *o, tms_molecule molecule, struct sample *s)
{
    ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &s->subjects.seqs, molecule, "subjects", &s->db));
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
    if (!s->has_other_hits)
        assert_int_equal(stats.n_hits, s->stats.n_hits);
    assert_int_equal(stats.n_ungapped, s->stats.n_ungapped);
    if (s->has_all_gapped)
        assert_int_equal(stats.n_gapped, s->stats.n_gapped);
    assert_int_equal(stats.n_preliminary, s->stats.n_preliminary);
    assert_int_equal(stats.n_realigned, s->stats.n_realigned);
    tms_search_results_destroy(got);
}

/* With batches of several sizes; frees the sample. */
static void compare_sample(struct sample *s, const struct options *o)
{
    static const size_t batches[] = {0, 1, 200};
    for (size_t i = 0; i < (sample_is_quick() ? 2 : sizeof batches / sizeof *batches); i++) {
        tms_context_set_batch(gpu_ctx, batches[i]);
        assert_same_search(s, o);
    }
    tms_context_set_batch(gpu_ctx, 0);
    free_sample(s);
}

static void compare(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o)
{
    struct sample s = {0};
    make_sample(r, n_subjects, n_queries, longest, o, &s);
    compare_sample(&s, o);
}

/* With all memory and little, one GPU and the same one twice, and several numbers of threads. */
static void compare_blocks_and_gpus(size_t n_subjects, size_t n_queries, size_t longest)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    struct sample s = {0};
    const uint64_t memories[] = {0, TMS_SEARCH_LEAST_GPU_MEMORY};
    const int32_t more[] = {0};
    const int n_threads = tms_context_threads(gpu_ctx);
    gpu_needed(gpu_ctx->gpu);
    make_sample(&r, n_subjects, n_queries, longest, &o, &s);
    assert_int_equal(setenv("TAMIS_TEST_TWIN_GPUS", "1", 1), 0);
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

#endif
