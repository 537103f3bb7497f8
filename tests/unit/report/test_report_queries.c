/*
 * test_report_queries.c - many queries that threads put at once: the same bytes as one by one, in every format and with any number of
 * threads, handed on in their order; and what comes before a query that cannot be put.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/blast/blastp_description.h"
#include "report/report_format.h"
#include "report/report_queries.h"
#include "unit/context_fixture.h"
#include "unit/small_proteins.h"

enum { N_QUERIES = SMALL_QUERIES, BAD = 23, STOP = 31 };

static struct seq_batch query_batch, subject_batch;
static tms_seqs queries;
static tms_seqdb *db;
static tms_blastp *blastp;
static tms_search_results *results;
static tms_search_result each[N_QUERIES];
static struct report_query asked[N_QUERIES];
static struct report_program program;

static int make_results(void **state)
{
    const tms_blastp_params params = tms_blastp_defaults();

    if (setup(state) != 0)
        return -1;
    db = small_database(ctx, &subject_batch, &query_batch, &queries);
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    blastp_description_init(blastp, &params, NULL, &program);
    ASSERT_OK(ctx, tms_blastp_search(blastp, &queries, &results));
    for (size_t i = 0; i < N_QUERIES; i++) {
        tms_search_results_get(results, i, &each[i]);
        asked[i] = (struct report_query){.number = i + 1,
                                         .header = queries.headers + queries.header_starts[i],
                                         .header_size = (size_t)tms_seqs_header_size(&queries, i),
                                         .warning = i % 7 == 2 ? "It is the seventh. " : NULL,
                                         .result = &each[i]};
    }
    return 0;
}

static int free_results(void **state)
{
    tms_search_results_destroy(results);
    tms_blastp_destroy(blastp);
    tms_seqdb_destroy(db);
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
    return teardown(state);
}

static struct report *begin(const char *outfmt, bool parse_deflines)
{
    struct report_options options = {.db = db,
                                     .program = &program,
                                     .subject_path = "t.fa",
                                     .n_descriptions = 500,
                                     .n_alignments = 250,
                                     .parse_deflines = parse_deflines,
                                     .sort_hits = -1,
                                     .sort_hsps = -1};
    struct report *report;
    io_error err;

    assert_null(report_format_parse(outfmt, &options.format));
    assert_int_equal(report_create(ctx, &options, &report, &err), IO_OK);
    return report;
}

/* What is told of: queries in order, their labels, and texts. */
struct told {
    struct report *report;
    size_t first, n, stop;
    struct byte_array text, labels;
    bool is_in_order, has_failed;
};

static io_status take(void *arg, size_t i, const struct byte_array *text, io_error *err)
{
    struct told *told = arg;

    told->is_in_order &= i == told->n && !told->has_failed;
    told->n++;
    if (told->first + i == told->stop)
        return io_fail(err, IO_E_OUTPUT, 0, "no more");
    told->has_failed = text == NULL;
    if (text == NULL)
        return IO_OK;
    if (!byte_array_add(&told->text, text->bytes, text->n))
        return io_fail_memory(err, "a text");
    return report_query_label(told->report, &asked[told->first + i], &told->labels, err);
}

static void one_by_one(const char *outfmt, bool parse_deflines, struct told *told)
{
    struct report *report = begin(outfmt, parse_deflines);
    io_error err;

    assert_int_equal(report_begin(report, &told->text, &err), IO_OK);
    for (size_t i = 0; i < N_QUERIES; i++) {
        assert_int_equal(report_query_label(report, &asked[i], &told->labels, &err), IO_OK);
        assert_int_equal(report_query_put(report, &asked[i], &told->text, &err), IO_OK);
    }
    assert_int_equal(report_end(report, &told->text, &err), IO_OK);
    report_free(report);
}

/* In two calls, with a query put alone between. */
static void at_once(const char *outfmt, bool parse_deflines, struct told *told)
{
    struct report *report = begin(outfmt, parse_deflines);
    struct report_queries *all;
    io_error err;

    assert_int_equal(report_queries_create(ctx, report, &all, &err), IO_OK);
    told->report = report;
    told->stop = SIZE_MAX;
    told->is_in_order = true;
    assert_int_equal(report_begin(report, &told->text, &err), IO_OK);
    assert_int_equal(report_queries_put(all, asked, STOP, take, told, &err), IO_OK);
    assert_int_equal(told->n, STOP);
    assert_int_equal(report_query_label(report, &asked[STOP], &told->labels, &err), IO_OK);
    assert_int_equal(report_query_put(report, &asked[STOP], &told->text, &err), IO_OK);
    told->first = STOP + 1;
    told->n = 0;
    assert_int_equal(report_queries_put(all, asked + STOP + 1, N_QUERIES - STOP - 1, take, told, &err), IO_OK);
    assert_int_equal(told->n, N_QUERIES - STOP - 1);
    assert_int_equal(report_queries_put(all, NULL, 0, take, told, &err), IO_OK);
    assert_int_equal(report_end(report, &told->text, &err), IO_OK);
    assert_true(told->is_in_order);
    report_queries_free(all);
    report_free(report);
}

static void free_told(struct told *told)
{
    free(told->text.bytes);
    free(told->labels.bytes);
}

static void test_formats(void **state)
{
    static const char *const formats[] = {"0", "1", "2", "3", "4", "5", "6", "7", "10", "15", "16", "17", "17 SR"};
    static const int threads[] = {1, 2, 7};

    (void)state;
    for (size_t f = 0; f < 2 * sizeof formats / sizeof *formats; f++) {
        struct told want = {0};
        one_by_one(formats[f / 2], f % 2 == 1, &want);
        assert_true(want.text.n > 1000);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            struct told got = {0};
            ASSERT_OK(ctx, tms_context_set_threads(ctx, threads[t]));
            at_once(formats[f / 2], f % 2 == 1, &got);
            assert_same_bytes(formats[f / 2], want.text.bytes, want.text.n, got.text.bytes, got.text.n);
            assert_same_bytes("labels", want.labels.bytes, want.labels.n, got.labels.bytes, got.labels.n);
            free_told(&got);
        }
        free_told(&want);
    }
}

/* All before a query that cannot be put, or that the caller refuses, is handed on; nothing after it. */
static void test_failure(void **state)
{
    const struct report_query before = asked[BAD];

    (void)state;
    asked[BAD].header = "gi|abc t";
    asked[BAD].header_size = strlen(asked[BAD].header);
    for (int threads = 1; threads < 8; threads += 3) {
        for (size_t stop = BAD - 3; stop <= BAD + 3; stop += 3) { /* the caller's comes first, is the same one, comes after it */
            struct report *report = begin("7", true);
            struct told told = {.report = report, .stop = stop, .is_in_order = true};
            struct report_queries *all;
            io_error err;
            ASSERT_OK(ctx, tms_context_set_threads(ctx, threads));
            assert_int_equal(report_queries_create(ctx, report, &all, &err), IO_OK);
            assert_int_equal(report_queries_put(all, asked, N_QUERIES, take, &told, &err), stop <= BAD ? IO_E_OUTPUT : IO_E_INPUT);
            assert_int_equal(told.n, (stop < BAD ? stop : BAD) + 1);
            assert_non_null(strstr(err.text, stop <= BAD ? "no more" : "Could not construct seq-id from '"));
            assert_true(told.is_in_order);
            free_told(&told);
            report_queries_free(all);
            report_free(report);
        }
    }
    asked[BAD] = before;
}

/* Many more queries than threads hold texts of, while handing on stops again and again. */
static io_status take_slowly(void *arg, size_t i, const struct byte_array *text, io_error *err)
{
    struct told *told = arg;
    const struct timespec pause = {0, 2000000};

    if (i % 400 == 7)
        nanosleep(&pause, NULL);
    told->is_in_order &= i == told->n++;
    return byte_array_add(&told->text, text->bytes, text->n) ? IO_OK : io_fail_memory(err, "a text");
}

static void test_many(void **state)
{
    enum { N = 2000 };
    struct report_query *many = calloc(N, sizeof *many);
    struct told want = {0};
    struct report *report = begin("6", false);
    io_error err;

    (void)state;
    assert_non_null(many);
    for (size_t i = 0; i < N; i++) {
        many[i] = asked[i % N_QUERIES];
        many[i].number = i + 1;
        assert_int_equal(report_query_put(report, &many[i], &want.text, &err), IO_OK);
    }
    report_free(report);
    for (int threads = 1; threads < 8; threads += 3) {
        struct told got = {.is_in_order = true};
        struct report_queries *all;
        ASSERT_OK(ctx, tms_context_set_threads(ctx, threads));
        report = begin("6", false);
        assert_int_equal(report_queries_create(ctx, report, &all, &err), IO_OK);
        assert_int_equal(report_queries_put(all, many, N, take_slowly, &got, &err), IO_OK);
        assert_true(got.is_in_order && got.n == N);
        assert_same_bytes("many", want.text.bytes, want.text.n, got.text.bytes, got.text.n);
        report_queries_free(all);
        report_free(report);
        free_told(&got);
    }
    free_told(&want);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, make_results, free_results);
}
