/*
 * test_report.c - reports of searches: the formats of NCBI BLAST+ 2.12's blastp byte for byte, of a small database and of the same records
 * as -subject; orders of subjects and HSPs; names and titles; -outfmt as text; numbers at the limits of their forms; long titles in lines.
 *
 * The examples lie in tests/data/blast/formats.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/blast/blastp_description.h"
#include "report/report.h"
#include "report/report_columns.h"
#include "report/report_format.h"
#include "report/report_numbers.h"
#include "report/report_text.h"
#include "report/report_writers.h"
#include "seq/seq_batch.h"
#include "unit/blastp/blast_cases.h"
#include "unit/context_fixture.h"

#define EXAMPLES "formats/"

/* ---- whole reports ------------------------------------------------------------------------------------------------------------ */

static struct seq_batch query_batch, subject_batch;

/* The example's database, or its records in memory. */
static void open_subjects(bool is_database, tms_seqdb **out)
{
    char path[BLAST_CASE_PATH];
    tms_seqs subjects;
    blast_case_path(EXAMPLES "p", path);
    if (is_database) {
        ASSERT_OK(ctx, tms_seqdb_open(ctx, path, TMS_PROTEIN, out));
        return;
    }
    blast_case_fasta(EXAMPLES "p.fa", &subject_batch);
    seq_batch_view(&subject_batch, &subjects);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, TMS_PROTEIN, "p.fa", out));
    seq_batch_free(&subject_batch);
}

/* All queries of the example, as one report. Of a second run that goes on where another ended: all but the first n_before. */
static void report(struct report_options *options, size_t n_before, struct byte_array *to)
{
    const tms_blastp_params params = tms_blastp_defaults();
    tms_search_results *results;
    struct report_program program;
    struct report *r;
    tms_blastp *search;
    tms_seqs queries;
    io_error err;
    ASSERT_OK(ctx, tms_blastp_create(ctx, options->db, &params, &search));
    blastp_description_init(search, &params, NULL, &program);
    options->program = &program;
    blast_case_fasta(EXAMPLES "q.fa", &query_batch);
    seq_batch_view(&query_batch, &queries);
    ASSERT_OK(ctx, tms_blastp_search(search, &queries, &results));
    assert_int_equal(report_create(ctx, options, &r, &err), IO_OK);
    if (n_before == 0)
        assert_int_equal(report_begin(r, to, &err), IO_OK);
    for (size_t i = 0; i < queries.n_records; i++) {
        tms_search_result result;
        struct report_query query = {.number = i + 1,
                                     .header = queries.headers + queries.header_starts[i],
                                     .header_size = tms_seqs_header_size(&queries, i),
                                     .result = &result};
        tms_search_results_get(results, i, &result);
        if (i < n_before)
            report_skip(r, &query);
        else
            assert_int_equal(report_query_put(r, &query, to, &err), IO_OK);
    }
    assert_int_equal(report_end(r, to, &err), IO_OK);
    report_free(r);
    tms_search_results_destroy(results);
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
    static const char *const formats[] = {"0", "1", "2", "3", "4", "5", "6", "7", "10", "15", "16"};
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

/* ---- results that no search found --------------------------------------------------------------------------------------------- */

enum { QUERY_LENGTH = 100 };

/* A report of one result, of the example's database. */
static void report_result(struct report_options *options, struct report_query *query, struct byte_array *to)
{
    const tms_blastp_params params = tms_blastp_defaults();
    struct report_program program;
    struct report *r;
    tms_blastp *search;
    io_error err;
    ASSERT_OK(ctx, tms_blastp_create(ctx, options->db, &params, &search));
    blastp_description_init(search, &params, NULL, &program);
    options->program = &program;
    assert_int_equal(report_create(ctx, options, &r, &err), IO_OK);
    for (uint64_t i = 1; i < query->number; i++)
        report_skip(r, &(struct report_query){.header = "earlier", .header_size = 7});
    assert_int_equal(report_query_put(r, query, to, &err), IO_OK);
    report_free(r);
    tms_blastp_destroy(search);
}

/*
 * Two subjects. The first has the better score and two HSPs, one of which has n identical residues of ten; the second has a longer one,
 * which is equal to it residue by residue.
 */
static void check_order(const tms_seqdb *db, uint64_t n, int sort_hits, int sort_hsps, const char *want)
{
    static const tms_aligned_run ten = {TMS_ALIGNED_MATCH, 10}, sixty = {TMS_ALIGNED_MATCH, 60};
    const tms_search_hsp first[2] = {{{80, 90}, {0, 10}, 50, TMS_METHOD_ADJUSTED, 1e-9, 50, &ten, 1},
                                     {{60, 70}, {40, 50}, 40, TMS_METHOD_ADJUSTED, 1e-8, 40, &ten, 1}};
    const tms_search_hsp second[1] = {{{0, 60}, {10, 70}, 45, TMS_METHOD_SCALED, 1e-5, 45, &sixty, 1}};
    const tms_search_subject subjects[2] = {{0, first, 2}, {1, second, 1}};
    uint8_t codes[QUERY_LENGTH];
    const tms_search_result result = {
        .codes = codes, .query_length = QUERY_LENGTH, .is_valid = 1, .batch_is_valid = 1, .subjects = subjects, .n_subjects = 2};
    struct report_query query = {.number = 1, .header = "q", .header_size = 1, .result = &result};
    struct report_options options = defaults;
    struct byte_array text = {0};
    char got[64] = "";
    memset(codes, 21, sizeof codes); /* X */
    assert_int_equal(tms_seqdb_residues(db, 1, 10, 70, codes), TMS_OK);
    assert_int_equal(tms_seqdb_residues(db, 0, 40, 50, codes + 60), TMS_OK);
    assert_int_equal(tms_seqdb_residues(db, 0, 0, n, codes + 80), TMS_OK);
    assert_null(report_format_parse("0", &options.format));
    options.db = db;
    options.db_name = "p";
    options.sort_hits = sort_hits;
    options.sort_hsps = sort_hsps;
    report_result(&options, &query, &text);
    assert_true(byte_array_add(&text, "", 1));
    for (const char *at = strchr((const char *)text.bytes, '>'); at != NULL; at = strpbrk(at + 1, ">=")) {
        if (*at == '>')
            strncat(got, at + 1, 2); /* of its name */
        else if (strncmp(at - 6, "Score =", 7) == 0)
            strncat(got, at + 1, 3);
    }
    assert_string_equal(got, want);
    free(text.bytes);
}

static void test_orders(void **state)
{
    tms_seqdb *db;
    (void)state;
    open_subjects(true, &db);
    check_order(db, 1, -1, -1, "s1 50 40s2 45");
    check_order(db, 1, 0, -1, "s1 50 40s2 45");
    check_order(db, 1, 1, 0, "s1 50 40s2 45");
    check_order(db, 1, 2, 1, "s1 50 40s2 45");
    check_order(db, 1, 3, -1, "s2 45s1 40 50");
    check_order(db, 1, 3, 1, "s2 45s1 50 40");
    check_order(db, 1, 3, 0, "s2 45s1 40 50");
    check_order(db, 1, 4, -1, "s2 45s1 50 40");
    check_order(db, 1, -1, 2, "s1 40 50s2 45");
    check_order(db, 1, -1, 3, "s1 40 50s2 45");
    check_order(db, 1, -1, 4, "s1 50 40s2 45");
    /* By identity, what has no identical residue is compared by its E-value. */
    check_order(db, 0, 3, -1, "s1 50 40s2 45");
    check_order(db, 0, 3, 2, "s1 40 50s2 45");
    check_order(db, 0, -1, 3, "s1 50 40s2 45");
    tms_seqdb_destroy(db);
}

/* A query's ids: qseqid, gi, accession with and without a version; what warnings call it; its line in format 7. */
static void check_query(const tms_seqdb *db, bool parse_deflines, const char *header, const char *ids, const char *label, const char *line)
{
    static const tms_aligned_run ten = {TMS_ALIGNED_MATCH, 10};
    static const tms_search_hsp hsp = {{80, 90}, {0, 10}, 50, TMS_METHOD_ADJUSTED, 1e-9, 50, &ten, 1};
    static const tms_search_subject subject = {0, &hsp, 1};
    static const uint8_t codes[QUERY_LENGTH];
    const tms_search_result result = {
        .codes = codes, .query_length = QUERY_LENGTH, .batch_is_valid = 1, .subjects = &subject, .n_subjects = 1};
    struct report_query query = {.number = 7, .header = header, .header_size = strlen(header), .result = &result};
    const tms_blastp_params params = tms_blastp_defaults();
    struct report_options options = defaults;
    struct byte_array text = {0};
    struct report_program program;
    tms_blastp *search;
    struct report *r;
    io_error err;
    char want[512];
    assert_null(report_format_parse("7 qseqid qgi qacc qaccver", &options.format));
    options.db = db;
    options.db_name = "p";
    options.parse_deflines = parse_deflines;
    snprintf(want, sizeof want,
             "# BLASTP 2.12.0+\n# Query: %s\n# Database: p\n# Fields: query id, query gi, query acc., query acc.ver\n# 1 hits found\n%s\n",
             line, ids);
    report_result(&options, &query, &text);
    assert_same_bytes(header, want, strlen(want), text.bytes, text.n);
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &search));
    blastp_description_init(search, &params, NULL, &program);
    options.program = &program;
    assert_int_equal(report_create(ctx, &options, &r, &err), IO_OK);
    text.n = 0;
    assert_int_equal(report_query_label(r, &query, &text, &err), IO_OK);
    assert_same_bytes(header, label, strlen(label), text.bytes, text.n);
    report_free(r);
    tms_blastp_destroy(search);
    free(text.bytes);
}

static void test_names(void **state)
{
    tms_seqdb *db;
    (void)state;
    open_subjects(true, &db);
    check_query(db, false, "sp|P12345.2|NAME two  words ", "sp|P12345.2|NAME\t0\tsp|P12345.2|NAME\tsp|P12345.2|NAME",
                "Query_7 sp|P12345.2|NAME two  words", "sp|P12345.2|NAME two  words");
    check_query(db, false, "  lead\tbehind a tab", "lead\t0\tlead\tlead", "Query_7 lead", "lead");
    check_query(db, false, "", "Query_7\t0\tQuery_7\tQuery_7", "Query_7", "");
    check_query(db, true, "sp|P12345.2|NAME title", "sp|P12345.2|NAME\t0\tP12345\tP12345.2", "P12345 title", "P12345.2 title");
    check_query(db, true, "gi|77|ref|NP_000009.1| t", "gi|77|ref|NP_000009.1|\t77\tNP_000009\tNP_000009.1", "77 t", "NP_000009.1 t");
    check_query(db, true, "gi|78 t", "gi|78\t78\t78\t78", "78 t", "gi|78 t");
    check_query(db, true, "gnl|mydb|id7", "gnl|mydb|id7\t0\tmydb:id7\tmydb:id7", "mydb:id7", "mydb:id7");
    check_query(db, true, "lcl|loc.1 t", "loc.1\t0\tloc.1\tloc.1", "loc.1 t", "loc.1 t");
    check_query(db, true, "pdb|1ABC|A", "pdb|1ABC|A\t0\t1ABC_A\t1ABC_A", "1ABC_A", "1ABC_A");
    check_query(db, true, "pir||A12345 t", "pir||A12345\t0\tA12345\tA12345", "A12345 t", "pir||A12345 t");
    check_query(db, true, "id,comma t", "id_comma\t0\tid_comma\tid_comma", "id_comma t", "id_comma t");
    check_query(db, true, "contig:1-100 t", "Query_1\t0\tQuery_1\tQuery_1", "Query_1 t", "Query_1 t");
    check_query(db, true, "contig:100-1 t", "contig:100-1\t0\tcontig:100-1\tcontig:100-1", "contig:100-1 t", "contig:100-1 t");
    check_query(db, true, "id30 abcdefghijklmnopqrstuvwxyz0123", "id30\t0\tid30\tid30", "id30 abcdefghijklmnopqrstuvwxyz0123",
                "id30 abcdefghijklmnopqrstuvwxyz0123");
    check_query(db, true, "id31 abcdefghijklmnopqrstuvwxyz01234", "id31\t0\tid31\tid31", "id31 abcdefghijklmnopqrst.. ",
                "id31 abcdefghijklmnopqrstuvwxyz01234");
    tms_seqdb_destroy(db);
}

static void check_title(const tms_seqdb *db, const char *outfmt, const char *header, const char *warning, const char *want)
{
    static const uint8_t codes[QUERY_LENGTH];
    const tms_search_result result = {.codes = codes, .query_length = QUERY_LENGTH};
    struct report_query query = {.number = 1, .header = header, .header_size = strlen(header), .warning = warning, .result = &result};
    struct report_options options = defaults;
    struct byte_array text = {0};
    assert_null(report_format_parse(outfmt, &options.format));
    options.db = db;
    options.db_name = "p";
    report_result(&options, &query, &text);
    assert_true(byte_array_add(&text, "", 1));
    if (strstr((const char *)text.bytes, want) == NULL)
        fail_msg("%s: no %s in %s", outfmt, want, (const char *)text.bytes);
    free(text.bytes);
}

/* Titles are escaped; those of XML become Latin-1, or numbers. Messages; a query that has no statistics. */
static void test_titles(void **state)
{
    tms_seqdb *db;
    (void)state;
    open_subjects(true, &db);
    check_title(db, "5", "a <&> \"b\" 'c' \xc3\xa9 x", NULL,
                "<Iteration_query-def>a &lt;&amp;&gt; &quot;b&quot; &apos;c&apos; \xe9 x</Iteration_query-def>\n");
    check_title(db, "5", "\xe6\x97\xa5 x \xf0\x9f\x98\x80 y", NULL, "<Iteration_query-def>&#x65E5; x &#x1F600; y<");
    check_title(db, "5", "\xe9 \x80 \xff x", NULL, "<Iteration_query-def>\xe9 &#x20AC; \xff x<");
    check_title(db, "5", "", NULL, "<Iteration_query-def>unnamed protein product</Iteration_query-def>\n");
    check_title(db, "5", "q t", "It is bad. ",
                "  <Iteration_message>Query_1 q t:  Query_1 q t: It is bad.  No hits found</Iteration_message>\n</Iteration>");
    check_title(db, "15", "a \"b\" c\\d <&> \xc3\xa9 x", NULL, "\"query_title\": \"a \\\"b\\\" c\\\\d <&> \xc3\xa9 x\",\n");
    check_title(db, "15", "q t", "It is bad. ",
                "          \"message\": \"Query_1 q t:  Query_1 q t: It is bad.  No hits found \\u000ANo hits found\"\n        }\n");
    check_title(db, "16", "a <&> \"\xc3\xa9 \xce\xb1 x", NULL, "<query-title>a &lt;&amp;&gt; &quot;\xe9 &#x3B1; x</query-title>\n");
    check_title(
        db, "16", "q t", "It is bad. ",
        "              <message>Query_1 q t:  Query_1 q t: It is bad.  No hits found &#xa;No hits found</message>\n            </Search>\n");
    check_title(db, "0", "", NULL, "\n\nQuery= \nLength=100\n\n\n***** No hits found *****\n");
    check_title(db, "0", "q", NULL, "\nLambda      K        H\n   -1.00    -1.00    -1.00 \n\nGapped\n");
    tms_seqdb_destroy(db);
}

/* A word that is no id, where ids are to be taken from headers. */
static void test_bad_ids(void **state)
{
    static const char *const headers[] = {"gi|abc t", "a|b|c", "lcl|a|b"};
    struct report_options options = defaults;
    const tms_blastp_params params = tms_blastp_defaults();
    struct byte_array text = {0};
    struct report_program program;
    tms_blastp *search;
    struct report *r;
    tms_seqdb *db;
    io_error err;
    (void)state;
    open_subjects(true, &db);
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &search));
    assert_null(report_format_parse("6", &options.format));
    options.db = db;
    options.db_name = "p";
    blastp_description_init(search, &params, NULL, &program);
    options.program = &program;
    options.parse_deflines = true;
    assert_int_equal(report_create(ctx, &options, &r, &err), IO_OK);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct report_query query = {.number = i + 1, .header = headers[i], .header_size = strlen(headers[i])};
        assert_int_equal(report_query_label(r, &query, &text, &err), IO_E_INPUT);
        assert_int_equal(report_query_put(r, &query, &text, &err), IO_E_INPUT);
        assert_non_null(strstr(err.text, "Could not construct seq-id from '"));
    }
    assert_int_equal(text.n, 0);
    report_free(r);
    tms_blastp_destroy(search);
    tms_seqdb_destroy(db);
    free(text.bytes);
}

/* ---- -outfmt ------------------------------------------------------------------------------------------------------------------ */

static void check_columns(const char *outfmt, const char *want)
{
    struct report_format format;
    char got[1024] = "";
    assert_null(report_format_parse(outfmt, &format));
    for (size_t i = 0; i < format.n_columns; i++) {
        strcat(got, i > 0 ? " " : "");
        strcat(got, format.columns[i]->name);
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
    static const char *const refused[] = {"", "6,std", "6.5", "abc", "-1", "8", "9", "11", "12", "13", "14", "18", "99999", "6 delim qacc"};
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
    assert_int_equal(format.writer->number, 15);
    assert_null(report_format_parse("16", &format));
    assert_int_equal(format.writer->number, 16);
    assert_null(report_format_parse("17 SR,SQ sq", &format));
    assert_false(format.has_bases || format.has_subject_references);
    assert_null(report_format_parse("17 delim=x SQ  SR", &format));
    assert_true(format.has_bases && format.has_subject_references);
    assert_null(report_format_parse("03", &format));
    assert_int_equal(format.writer->number, 3);
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

/* A page is for few queries and few bytes; other formats have any number. */
static void test_sizes(void **state)
{
    const struct report_writer *page = report_writer_named(text_of("html")), *table = report_writer_find(6);
    io_error err;
    (void)state;
    assert_int_equal(report_check_size(page, 5000, 100000000, &err), IO_OK);
    assert_int_equal(report_check_size(page, 5001, 0, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "more than 5000 queries"));
    assert_int_equal(report_check_size(page, 17, 100000001, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "larger than 100 MB at query 17"));
    assert_non_null(strstr(err.text, "-max_target_seqs"));
    assert_int_equal(report_check_size(table, UINT64_MAX, UINT64_MAX, &err), IO_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),  cmocka_unit_test(test_documents), cmocka_unit_test(test_go_on),   cmocka_unit_test(test_orders),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_titles),    cmocka_unit_test(test_bad_ids), cmocka_unit_test(test_outfmt),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_lines),     cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
