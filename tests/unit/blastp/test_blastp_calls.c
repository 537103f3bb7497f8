/*
 * test_blastp_calls.c - the calls of a search: the counts after a search that failed, and a search that is created while a GPU is being
 * opened.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/context.h"
#include "tamis/blastp.h"
#include "unit/context_fixture.h"
#include "unit/small_proteins.h"

static struct seq_batch query_batch, subject_batch;
static tms_seqs queries;
static tms_seqdb *db;

static int make_database(void **state)
{
    if (setup(state) != 0)
        return -1;
    db = small_database(ctx, &subject_batch, &query_batch, &queries);
    return 0;
}

static int free_database(void **state)
{
    tms_seqdb_destroy(db);
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
    return teardown(state);
}

/* Does not compare seconds or subjects: n_subjects counts each group of queries, and groups are smaller for a GPU. */
static void assert_same_counts(const tms_search_stats *a, const tms_search_stats *b, uint64_t times)
{
    assert_int_equal(a->n_queries, times * b->n_queries);
    assert_int_equal(a->query_residues, times * b->query_residues);
    assert_int_equal(a->n_words, times * b->n_words);
    assert_int_equal(a->n_hits, times * b->n_hits);
    assert_int_equal(a->n_ungapped, times * b->n_ungapped);
    assert_int_equal(a->n_gapped, times * b->n_gapped);
    assert_int_equal(a->n_hsps, times * b->n_hsps);
    assert_float_equal(a->expected_hits, (double)times * b->expected_hits, 1e-6 * b->expected_hits);
    assert_float_equal(a->expected_ungapped, (double)times * b->expected_ungapped, 1e-6 * b->expected_ungapped);
}

static void search_once(tms_blastp *blastp)
{
    tms_search_results *results;

    ASSERT_OK(ctx, tms_blastp_search(blastp, &queries, &results));
    tms_search_results_destroy(results);
}

/* ---- a GPU that is being opened ------------------------------------------------------------------------------------------------- */

struct opening {
    int n_calls, n_failures; /* n_failures: the first calls, which fail */
    tms_status failure;
};

static tms_status await(void *arg, tms_context *of)
{
    struct opening *opening = arg;

    assert_ptr_equal(of, ctx);
    if (opening->n_calls++ < opening->n_failures)
        return context_fail(of, opening->failure, "it fell from the table");
    return tms_context_set_device(of, TMS_DEVICE_CPU);
}

/*
 * The first search that reaches its scan waits for the GPU, and no other does; on the CPU the results are the same. The counts of a failed
 * search, such as words of tables, are dropped.
 */
static void test_await(void **state)
{
    struct opening opening = {.n_failures = 1, .failure = TMS_E_DEVICE};
    tms_blastp_params params = tms_blastp_defaults();
    tms_search_results *results;
    tms_search_stats want, got;
    tms_blastp *blastp;

    (void)state;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    search_once(blastp);
    tms_blastp_get_stats(blastp, &want);
    assert_true(want.n_hsps > 0 && want.n_hits > 0 && want.n_words > 0 && want.expected_ungapped > 0);
    tms_blastp_destroy(blastp);
    params.await_gpu = await;
    params.await_arg = &opening;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    assert_int_equal(opening.n_calls, 0);
    assert_int_equal(tms_blastp_search(blastp, &queries, &results), TMS_E_DEVICE);
    assert_string_equal(tms_context_message(ctx), "it fell from the table");
    tms_blastp_get_stats(blastp, &got);
    assert_same_counts(&got, &want, 0);
    search_once(blastp);
    assert_int_equal(opening.n_calls, 2);
    tms_blastp_get_stats(blastp, &got);
    assert_same_counts(&got, &want, 1);
    search_once(blastp);
    assert_int_equal(opening.n_calls, 2);
    tms_blastp_get_stats(blastp, &got);
    assert_same_counts(&got, &want, 2);
    tms_blastp_destroy(blastp);
}

/* A search by Smith-Waterman says what failed: the GPU, or itself if every score is significant. */
static void test_await_by_smith_waterman(void **state)
{
    struct opening opening = {.n_failures = 1, .failure = TMS_E_ARG};
    tms_blastp_params params = tms_blastp_defaults();
    tms_search_results *results;
    tms_blastp *blastp;

    (void)state;
    params.smith_waterman = 1;
    params.evalue = 1e9;
    params.await_gpu = await;
    params.await_arg = &opening;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    ASSERT_FAILS(ctx, TMS_E_ARG, "it fell from the table", tms_blastp_search(blastp, &queries, &results));
    ASSERT_FAILS(ctx, TMS_E_ARG, "by Smith-Waterman there is no end", tms_blastp_search(blastp, &queries, &results));
    assert_int_equal(opening.n_calls, 2);
    tms_blastp_destroy(blastp);
}

/* Requests that are checked before a GPU is open: several GPUs, one GPU twice, and too little memory for a sequence. */
static void test_wishes(void **state)
{
    static const int32_t two[] = {1, 2}, same[] = {3, 3};
    const size_t n = (size_t)4 << 20;
    uint8_t *residues = malloc(n);
    tms_blastp_params params = tms_blastp_defaults();
    struct opening opening = {0};
    struct seq_batch batch = {0};
    tms_blastp *blastp;
    tms_seqs seqs;
    tms_seqdb *large;

    (void)state;
    assert_non_null(residues);
    memset(residues, 'A', n);
    assert_true(seq_batch_clear(&batch, 0, false));
    small_record(&batch, "a", residues, n);
    seq_batch_view(&batch, &seqs);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &seqs, TMS_PROTEIN, "t", &large));
    params.more_gpus = two;
    params.n_more_gpus = 2;
    assert_int_equal(tms_blastp_create(ctx, db, &params, &blastp), TMS_E_ARG); /* the context is on the CPU, and no GPU will be opened */
    params.await_gpu = await;
    params.await_arg = &opening;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    search_once(blastp); /* on the CPU */
    tms_blastp_destroy(blastp);
    params.more_gpus = same;
    ASSERT_FAILS(ctx, TMS_E_ARG, "cuda:3 twice", tms_blastp_create(ctx, db, &params, &blastp));
    params.n_more_gpus = 0;
    params.gpu_memory = TMS_SEARCH_LEAST_GPU_MEMORY;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    tms_blastp_destroy(blastp);
    ASSERT_FAILS(ctx, TMS_E_ARG, "too little for a sequence of 4194304 letters", tms_blastp_create(ctx, large, &params, &blastp));
    assert_int_equal(opening.n_calls, 1);
    tms_seqdb_destroy(large);
    seq_batch_free(&batch);
    free(residues);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_await),
        cmocka_unit_test(test_await_by_smith_waterman),
        cmocka_unit_test(test_wishes),
    };
    return cmocka_run_group_tests(tests, make_database, free_database);
}
