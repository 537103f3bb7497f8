/*
 * test_report.c - reports of searches: the formats of NCBI BLAST+ 2.12's blastp byte for byte, of a small database and of the same records
 * as -subject; -outfmt as text; numbers at the limits of their forms; long titles in lines.
 *
 * The examples lie beside the repository, in ../shared/blast/formats.examples; without them their tests are skipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blast_cases.h"
#include "context_fixture.h"
#include "report/report.h"
#include "report/report_columns.h"
#include "report/report_numbers.h"
#include "report/report_text.h"
#include "seq/seq_batch.h"

#define EXAMPLES "../formats.examples/"

static void read_fasta(const char *name, struct seq_batch *out)
{
    char line[4096];
    FILE *file = blast_case_open(name);
    assert_true(seq_batch_clear(out, 0, false));
    while (fgets(line, sizeof line, file) != NULL) {
        size_t n = strcspn(line, "\r\n");
        if (line[0] != '>') {
            assert_true(seq_batch_letters(out, (const uint8_t *)line, n));
            continue;
        }
        if (out->in_record)
            assert_true(seq_batch_end(out));
        assert_true(seq_batch_begin(out, line + 1, n - 1));
    }
    assert_true(seq_batch_end(out));
    fclose(file);
}

/* ---- whole reports ------------------------------------------------------------------------------------------------------------ */

static struct seq_batch query_batch, subject_batch;

/* The example's database, or its records in memory. */
static void open_subjects(bool is_database, tms_seqdb **out)
{
    const char *data = getenv("TAMIS_DATA");
    char path[1024];
    tms_seqs subjects;
    snprintf(path, sizeof path, "%s/../blast/formats.examples/p", data ? data : "../shared/data");
    if (is_database) {
        ASSERT_OK(ctx, tms_seqdb_open(ctx, path, TMS_PROTEIN, out));
        return;
    }
    read_fasta(EXAMPLES "p.fa", &subject_batch);
    seq_batch_view(&subject_batch, &subjects);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, TMS_PROTEIN, "p.fa", out));
    seq_batch_free(&subject_batch);
}

/* All queries of the example, as one report. Of a second run that goes on where another ended: all but the first n_before. */
static void report(struct report_options *options, size_t n_before, struct byte_array *to)
{
    const tms_blastp_params params = TMS_BLASTP_DEFAULTS;
    tms_blastp_results *results;
    struct report *r;
    tms_blastp *search;
    tms_seqs queries;
    io_error err;
    ASSERT_OK(ctx, tms_blastp_create(ctx, options->db, &params, &search));
    options->search = search;
    options->params = &params;
    read_fasta(EXAMPLES "q.fa", &query_batch);
    seq_batch_view(&query_batch, &queries);
    ASSERT_OK(ctx, tms_blastp_search(search, &queries, &results));
    assert_int_equal(report_create(ctx, options, &r, &err), IO_OK);
    if (n_before > 0)
        report_go_on(r, n_before);
    else
        assert_int_equal(report_begin(r, to, &err), IO_OK);
    for (size_t i = n_before; i < queries.n_records; i++) {
        tms_blastp_result result;
        struct report_query query = {.number = i + 1,
                                     .header = queries.headers + queries.header_starts[i],
                                     .header_size = tms_seqs_header_size(&queries, i),
                                     .result = &result};
        tms_blastp_results_get(results, i, &result);
        assert_int_equal(report_query_put(r, &query, to, &err), IO_OK);
    }
    assert_int_equal(report_end(r, to, &err), IO_OK);
    report_free(r);
    tms_blastp_results_destroy(results);
    tms_blastp_destroy(search);
    seq_batch_free(&query_batch);
}

static const struct report_options defaults = {.n_descriptions = 500, .n_alignments = 250, .sort_hits = -1, .sort_hsps = -1};

static void check_example(const char *outfmt, bool is_database, const char *name)
{
    static char want[1 << 16];
    FILE *file = blast_case_open(name);
    size_t n_want = fread(want, 1, sizeof want, file);
    struct report_options options = defaults;
    struct byte_array got = {0};
    tms_seqdb *db;
    fclose(file);
    assert_null(report_format_parse(outfmt, &options.format));
    open_subjects(is_database, &db);
    options.db = db;
    options.db_name = is_database ? "p" : NULL;
    options.subject_path = "p.fa";
    report(&options, 0, &got);
    assert_same_bytes(name, want, n_want, got.bytes, got.n);
    free(got.bytes);
    tms_seqdb_destroy(db);
}

static void test_tables(void **state)
{
    (void)state;
    check_example("6", true, EXAMPLES "blastp.6.out");
    check_example("7", true, EXAMPLES "blastp.7.out");
    check_example("10", true, EXAMPLES "blastp.10.out");
    check_example(
        "7 qseqid qgi qacc qaccver qlen sseqid sallseqid sgi sallgi sacc saccver sallacc slen qstart qend sstart send qseq sseq "
        "evalue bitscore score length pident nident mismatch positive gapopen gaps ppos frames qframe sframe btop staxid ssciname "
        "scomname sblastname sskingdom staxids stitle salltitles sstrand qcovs qcovhsp "
        "qcovus",
        true, EXAMPLES "blastp.7all.out");
}

static void test_documents(void **state)
{
    (void)state;
    check_example("0", true, EXAMPLES "blastp.0.out");
    check_example("0", false, EXAMPLES "blastp-subject.0.out");
    check_example("5", true, EXAMPLES "blastp.5.out");
    check_example("5", false, EXAMPLES "blastp-subject.5.out");
    check_example("15", true, EXAMPLES "blastp.15.out");
    check_example("15", false, EXAMPLES "blastp-subject.15.out");
}

/* What an earlier run wrote, and what one wrote that went on after it, are one report. */
static void test_go_on(void **state)
{
    static const char *const formats[] = {"0", "5", "6", "7", "10", "15"};
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct report_options options = defaults;
        struct byte_array whole = {0}, rest = {0};
        tms_seqdb *db;
        open_subjects(true, &db);
        assert_null(report_format_parse(formats[i], &options.format));
        options.db = db;
        options.db_name = "p";
        report(&options, 0, &whole);
        report(&options, 1, &rest);
        assert_true(rest.n < whole.n);
        assert_same_bytes(formats[i], whole.bytes + whole.n - rest.n, rest.n, rest.bytes, rest.n);
        free(whole.bytes);
        free(rest.bytes);
        tms_seqdb_destroy(db);
    }
}

/* ---- -outfmt ------------------------------------------------------------------------------------------------------------------ */

static void check_columns(const char *outfmt, const char *want)
{
    struct report_format format;
    char got[1024] = "";
    assert_null(report_format_parse(outfmt, &format));
    for (size_t i = 0; i < format.n_columns; i++) {
        strcat(got, i > 0 ? " " : "");
        strcat(got, report_columns[format.columns[i]].name);
    }
    assert_string_equal(got, want);
}

static void check_delimiter(const char *outfmt, const char *want)
{
    struct report_format format;
    assert_null(report_format_parse(outfmt, &format));
    assert_int_equal(format.delimiter_size, strlen(want));
    assert_memory_equal(format.delimiter, want, strlen(want));
}

#define STANDARD "qaccver saccver pident length mismatch gapopen qstart qend sstart send evalue bitscore"

static void test_outfmt(void **state)
{
    static const char *const refused[] = {"",  "6,std", "6.5", "abc", "-1", "1",  "2",  "3",  "4",     "8",
                                          "9", "11",    "12",  "13",  "14", "16", "17", "18", "99999", "6 delim qacc"};
    struct report_format format;
    (void)state;
    check_columns("6", STANDARD);
    check_columns(" +07 ", STANDARD);
    check_columns("6 std qlen std", STANDARD " qlen");
    check_columns("6 qlen nonsense Qacc slen qlen", "qlen slen");
    check_columns("6 qlen slen -qlen", "slen");
    check_columns("6 -qlen", STANDARD);
    check_columns("6 qlen -qlen", STANDARD);
    check_columns("10  delim=;  score", "score");
    check_delimiter("6", "\t");
    check_delimiter("7 delim=", "\t");
    check_delimiter("10 delim= qacc", ",");
    check_delimiter("10 delim=ab qacc", "ab");
    check_delimiter("6 delim=a=b qacc", "a=b");
    check_delimiter("10 qacc delim=ab", ",");
    assert_null(report_format_parse("15 x", &format));
    assert_int_equal(format.kind, REPORT_JSON);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_non_null(report_format_parse(refused[i], &format));
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------------ */

static void test_numbers(void **state)
{
    static const struct {
        double value;
        const char *in_table, *in_short;
    } evalues[] = {{0, "0.0", "0.0"},
                   {9.9e-181, "0.0", "0.0"},
                   {1.234e-180, "1.23e-180", "1e-180"},
                   {1.26e-99, "1.26e-99", "1e-99"},
                   {9.96e-5, "9.96e-05", "1e-04"},
                   {0.000899, "8.99e-04", "9e-04"},
                   {0.0009, "0.001", "0.001"},
                   {0.0996, "0.100", "0.100"},
                   {0.1, "0.10", "0.10"},
                   {0.999, "1.00", "1.00"},
                   {1, "1.0", "1.0"},
                   {9.96, "10.0", "10.0"},
                   {10, "10", "10"},
                   {12345.6, "12346", "12346"}};
    static const struct {
        double value;
        const char *text;
    } bits[] = {{9.64, " 9.6"}, {9.96, "10.0"}, {99.9, "99.9"}, {99.95, " 99"}, {100.9, "100"}, {99999, "99999"}, {118900, "1.189e+05"}},
      reals[] = {{10, "10"},
                 {2.1562345e-77, "2.15623e-77"},
                 {8.423678, "8.42368"},
                 {127452.4, "127452"},
                 {8826360001.0, "8826360000"},
                 {0.041, "0.041"},
                 {1e-5, "1e-05"},
                 {0.0001, "0.0001"},
                 {1e14, "100000000000000"},
                 {1e15, "1e+15"},
                 {1e18, "1e+18"},
                 {-1, "-1"},
                 {0, "0"}};
    char text[REPORT_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof evalues / sizeof *evalues; i++) {
        assert_string_equal(report_evalue(evalues[i].value, text), evalues[i].in_table);
        assert_string_equal(report_evalue_short(evalues[i].value, text), evalues[i].in_short);
    }
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        assert_string_equal(report_bits(bits[i].value, text), bits[i].text);
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        assert_string_equal(report_real(reals[i].value, text), reals[i].text);
    assert_string_equal(report_grouped(0, text), "0");
    assert_string_equal(report_grouped(999, text), "999");
    assert_string_equal(report_grouped(1000, text), "1,000");
    assert_string_equal(report_grouped(1234567890, text), "1,234,567,890");
    assert_int_equal(report_percent(999, 1000), 99);
    assert_int_equal(report_percent(1000, 1000), 100);
    assert_int_equal(report_percent(1, 200), 1);
    assert_int_equal(report_percent(0, 7), 0);
}

/* ---- lines -------------------------------------------------------------------------------------------------------------------- */

static void check_lines(const char *text, const char *want)
{
    struct byte_array got = {0};
    struct report_text t = {.to = &got};
    text_wrapped(&t, text_of(text));
    assert_false(t.is_lost);
    assert_same_bytes(text, want, strlen(want), got.bytes, got.n);
    free(got.bytes);
}

#define TEN   "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN

static void test_lines(void **state)
{
    (void)state;
    check_lines("", "");
    check_lines("short", "short\n");
    check_lines(SIXTY "12345678", SIXTY "12345678\n");
    check_lines(SIXTY "12345678  next", SIXTY "12345678\nnext\n"); /* a blank at 68 still ends the line */
    check_lines(SIXTY "123456789", SIXTY "12345678\n9\n");         /* none: cut */
    check_lines(SIXTY "1234567,9", SIXTY "1234567,\n9\n");         /* a comma stays in its line */
    check_lines("a-b,c" SIXTY "123456789", "a-b,\nc" SIXTY "1234567\n89\n");
    check_lines("a-b" SIXTY "123456789", "a-\nb" SIXTY "1234567\n89\n");
    check_lines("word, " SIXTY TEN, "word,\n" SIXTY "01234567\n89\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables), cmocka_unit_test(test_documents), cmocka_unit_test(test_go_on),
        cmocka_unit_test(test_outfmt), cmocka_unit_test(test_numbers),   cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
