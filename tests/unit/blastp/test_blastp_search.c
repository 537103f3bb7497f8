/*
 * test_blastp_search.c - compares with the lines that blastp of NCBI BLAST+ 2.12 prints with -outfmt 6, for 28 queries against 252
 * deliberately difficult sequences, with -comp_based_stats 0, 1, 2 and 3, and with several numbers of threads.
 *
 * The cases are in tests/data/blast/composition.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/blast/blastp_description.h"
#include "report/report.h"
#include "report/report_format.h"
#include "seq/seq_batch.h"
#include "tamis/blastp.h"
#include "unit/blastp/blast_cases.h"
#include "unit/context_fixture.h"

static struct seq_batch query_batch, subject_batch;

static void open_database(tms_seqs *subjects, tms_seqdb **out)
{
    seq_batch_view(&subject_batch, subjects);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, subjects, TMS_PROTEIN, "t", out));
}

static void report_results(const tms_blastp *blastp, const tms_seqdb *db, const tms_seqs *queries, const tms_search_results *results,
                           struct byte_array *to)
{
    const tms_blastp_params params = tms_blastp_defaults();
    struct report_program program;
    struct report_options options = {.program = &program, .db = db, .subject_path = "db.fa"};
    struct report *report;
    io_error err;
    blastp_description_init(blastp, &params, NULL, &program);
    assert_null(report_format_parse("6", &options.format));
    assert_int_equal(report_create(ctx, &options, &report, &err), IO_OK);
    for (size_t i = 0; i < queries->n_records; i++) {
        tms_search_result result;
        struct report_query query = {.number = i + 1,
                                     .header = queries->headers + queries->header_starts[i],
                                     .header_size = tms_seqs_header_size(queries, i),
                                     .result = &result};
        tms_search_results_get(results, i, &result);
        assert_int_equal(report_query_put(report, &query, to, &err), IO_OK);
    }
    report_free(report);
}

/* The columns of an alignment whose characters are equal. */
static uint32_t count_identical(const tms_seqs *queries, const tms_seqs *subjects, size_t query, const tms_search_subject *subject,
                                const tms_search_hsp *hsp)
{
    const uint8_t *q = queries->residues + queries->residue_starts[query] + hsp->query.start;
    const uint8_t *s = subjects->residues + subjects->residue_starts[subject->sequence] + hsp->subject.start;
    uint32_t n = 0;
    for (size_t i = 0; i < hsp->n_runs; i++)
        for (uint32_t k = 0; k < hsp->runs[i].n; k++) {
            n += hsp->runs[i].kind == TMS_ALIGNED_MATCH && *q == *s;
            q += hsp->runs[i].kind != TMS_ALIGNED_GAP_IN_QUERY;
            s += hsp->runs[i].kind != TMS_ALIGNED_GAP_IN_SUBJECT;
        }
    return n;
}

/* All HSPs are in the rows, in their order. */
static void check_rows(const tms_search_results *results, const tms_seqdb *db, const tms_seqs *queries, const tms_seqs *subjects)
{
    const size_t n = (size_t)tms_search_results_n_hsps(results);
    tms_search_row *rows = sample_alloc(n * sizeof *rows), *row = rows;
    assert_int_equal(tms_search_results_rows(results, db, rows), TMS_OK);
    for (size_t q = 0; q < queries->n_records; q++) {
        tms_search_result result;
        tms_search_results_get(results, q, &result);
        for (size_t i = 0; i < result.n_subjects; i++)
            for (size_t k = 0; k < result.subjects[i].n_hsps; k++, row++) {
                const tms_search_hsp *hsp = &result.subjects[i].hsps[k];
                assert_true(row->query == q && row->subject == result.subjects[i].sequence && row->score == hsp->score);
                assert_true(row->query_start == hsp->query.start && row->subject_end == hsp->subject.end);
                assert_true(row->query_end - row->query_start + row->subject_end - row->subject_start + row->n_gaps == 2 * row->n_columns);
                assert_int_equal(row->n_identical, count_identical(queries, subjects, q, &result.subjects[i], hsp));
                assert_true(row->n_openings < hsp->n_runs && (row->n_openings > 0) == (row->n_gaps > 0));
            }
    }
    assert_int_equal(row - rows, n);
    free(rows);
}

/* Without the alignments of one query, those of the others are as before. */
static void check_drop(tms_search_results *results, size_t n)
{
    tms_search_result dropped, before, after;
    for (size_t q = 0; q + 1 < n; q++) {
        tms_search_results_get(results, q + 1, &before);
        tms_search_results_drop(results, q);
        tms_search_results_get(results, q, &dropped);
        tms_search_results_get(results, q + 1, &after);
        assert_true(dropped.n_subjects == 0 && dropped.subjects == NULL && dropped.codes != NULL);
        assert_memory_equal(&after, &before, sizeof after);
    }
}

enum { MOST_QUERIES = 64 };

/* The results that a search has told of, as they were then. */
struct told {
    tms_search_result results[MOST_QUERIES];
    unsigned times[MOST_QUERIES];
    bool cancels; /* the search, at the first result */
};

static void take_result(void *arg, tms_search_results *results, size_t i)
{
    struct told *told = arg;
    tms_search_results_get(results, i, &told->results[i]);
    __atomic_fetch_add(&told->times[i], 1, __ATOMIC_RELAXED);
    if (told->cancels)
        tms_context_cancel(ctx);
}

/* A result was complete when the search told of it. Returns the number of those. */
static size_t check_told(const struct told *told, const tms_search_results *results, size_t n)
{
    size_t n_told = 0;
    for (size_t q = 0; q < n; q++) {
        tms_search_result result;
        tms_search_results_get(results, q, &result);
        assert_true(told->times[q] <= 1);
        if (told->times[q] == 1)
            assert_memory_equal(&told->results[q], &result, sizeof result);
        n_told += told->times[q];
    }
    return n_told;
}

/* Searches all queries together, and writes the results as text. */
static void search(uint32_t mode, uint32_t max_target_seqs, int threads, struct byte_array *to)
{
    tms_blastp_params params = tms_blastp_defaults();
    struct told told = {0};
    tms_search_results *results;
    tms_search_stats stats;
    tms_blastp *blastp;
    tms_seqs queries, subjects;
    tms_seqdb *db;
    seq_batch_view(&query_batch, &queries);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, threads));
    open_database(&subjects, &db);
    params.composition = mode;
    params.max_target_seqs = max_target_seqs;
    params.take_result = take_result;
    params.take_arg = &told;
    assert_true(queries.n_records <= MOST_QUERIES);
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    ASSERT_OK(ctx, tms_blastp_search(blastp, &queries, &results));
    tms_blastp_get_stats(blastp, &stats);
    assert_true(stats.n_hits > stats.n_extensions && stats.n_extensions > stats.n_ungapped);
    assert_int_equal(stats.n_queries, queries.n_records);
    assert_int_equal(check_told(&told, results, queries.n_records), queries.n_records);
    report_results(blastp, db, &queries, results, to);
    check_rows(results, db, &queries, &subjects);
    check_drop(results, queries.n_records);
    tms_search_results_destroy(results);
    tms_blastp_destroy(blastp);
    tms_seqdb_destroy(db);
}

static void check(uint32_t mode, uint32_t max_target_seqs, const char *name)
{
    static const int threads[] = {1, 2, 7};
    static char want[1 << 18];
    FILE *file = blast_case_open(name);
    size_t n_want = fread(want, 1, sizeof want, file);
    fclose(file);
    blast_case_fasta("composition/queries.fa", &query_batch);
    blast_case_fasta("composition/db.fa", &subject_batch);
    for (size_t t = SAMPLES_TSAN; t < (sample_is_quick() ? 2 : 3); t++) {
        struct byte_array got = {0};
        search(mode, max_target_seqs, threads[t], &got);
        assert_same_bytes(name, want, n_want, got.bytes, got.n);
        free(got.bytes);
    }
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
}

static void test_without_composition(void **state)
{
    (void)state;
    check(TMS_COMPOSITION_OFF, 500, "composition/mode0.tsv");
}

static void test_scaled(void **state)
{
    (void)state;
    check(TMS_COMPOSITION_SCALED, 500, "composition/mode1.tsv");
}

static void test_conditional(void **state)
{
    (void)state;
    check(TMS_COMPOSITION_ADJUSTED, 500, "composition/mode2.tsv");
    check(TMS_COMPOSITION_ADJUSTED, 3, "composition/mode2_n3.tsv");
}

static void test_optimised(void **state)
{
    (void)state;
    check(TMS_COMPOSITION_ALL_ADJUSTED, 500, "composition/mode3.tsv");
}

/* A search that ends early returns what it has told of. */
static void test_cancelled(void **state)
{
    tms_blastp_params params = tms_blastp_defaults();
    struct told told = {.cancels = true};
    tms_search_results *results;
    tms_blastp *blastp;
    tms_seqs queries, subjects;
    tms_seqdb *db;
    size_t n_told;
    (void)state;
    blast_case_fasta("composition/queries.fa", &query_batch);
    blast_case_fasta("composition/db.fa", &subject_batch);
    seq_batch_view(&query_batch, &queries);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 2));
    open_database(&subjects, &db);
    params.take_result = take_result;
    params.take_arg = &told;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    assert_int_equal(tms_blastp_search(blastp, &queries, &results), TMS_E_CANCELLED);
    tms_context_resume(ctx);
    assert_non_null(results);
    n_told = check_told(&told, results, queries.n_records);
    assert_true(n_told > 0 && n_told < queries.n_records);
    tms_search_results_destroy(results);
    tms_blastp_destroy(blastp);
    tms_seqdb_destroy(db);
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_composition), cmocka_unit_test(test_scaled),    cmocka_unit_test(test_conditional),
        cmocka_unit_test(test_optimised),           cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
