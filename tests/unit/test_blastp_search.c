/*
 * test_blastp_search.c - the lines that blastp of NCBI BLAST+ 2.12 prints with -outfmt 6, for 28 queries against 252 sequences that were
 * made to be difficult, with -comp_based_stats 0, 1, 2 and 3; the same for any number of threads.
 *
 * The cases lie beside the repository, in ../shared/blast/cases; without them the tests are skipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blast_cases.h"
#include "context_fixture.h"
#include "seq/seq_batch.h"
#include "tamis/alphabet.h"
#include "tamis/blastp.h"

static void read_fasta(const char *name, struct seq_batch *out)
{
    char line[16384];
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

/* The formats of E-values and bits in columns. */
static void print_evalue(double e, char *to)
{
    if (e < 1e-180)
        strcpy(to, "0.0");
    else
        sprintf(to, e < 0.0009 ? "%.2e" : e < 0.1 ? "%.3f" : e < 1 ? "%.2f" : e < 10 ? "%.1f" : "%.0f", e);
}

static void print_bits(double bits, char *to)
{
    if (bits > 99999)
        sprintf(to, "%5.3e", bits);
    else if (bits > 99.9)
        sprintf(to, "%3ld", (long)bits);
    else
        sprintf(to, "%4.1f", bits);
}

static void print_hsp(FILE *out, const tms_seqs *queries, size_t q, const tms_blastp_result *result, const tms_seqs *subjects, size_t s,
                      const uint8_t *subject, const tms_blastp_hsp *h)
{
    uint64_t at_query = h->query.start, at_subject = h->subject.start;
    int n_identical = 0, n_gaps = 0, n_openings = 0, length = 0;
    char evalue[32], bit_text[32];
    for (size_t i = 0; i < h->n_runs; i++) {
        tms_aligned_run run = h->runs[i];
        length += (int)run.n;
        for (uint32_t k = 0; k < run.n && run.kind == TMS_ALIGNED_MATCH; k++)
            n_identical += result->codes[at_query + k] == subject[at_subject + k];
        n_openings += run.kind != TMS_ALIGNED_MATCH;
        n_gaps += run.kind != TMS_ALIGNED_MATCH ? (int)run.n : 0;
        at_query += run.kind != TMS_ALIGNED_GAP_IN_QUERY ? run.n : 0;
        at_subject += run.kind != TMS_ALIGNED_GAP_IN_SUBJECT ? run.n : 0;
    }
    assert_int_equal(at_query, h->query.end);
    assert_int_equal(at_subject, h->subject.end);
    print_evalue(h->evalue, evalue);
    print_bits(h->bits, bit_text);
    fprintf(out, "%.*s\t%.*s\t%.3f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", (int)queries->name_sizes[q],
            queries->headers + queries->header_starts[q], (int)subjects->name_sizes[s], subjects->headers + subjects->header_starts[s],
            (double)n_identical / length * 100, length, length - n_identical - n_gaps, n_openings, (int)h->query.start + 1,
            (int)h->query.end, (int)h->subject.start + 1, (int)h->subject.end, evalue, bit_text);
}

static struct seq_batch query_batch, subject_batch;

static void open_database(tms_seqs *subjects, tms_seqdb **out)
{
    seq_batch_view(&subject_batch, subjects);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, subjects, TMS_PROTEIN, "t", out));
}

/* All queries, searched together, as text. */
static char *search(uint32_t mode, uint32_t max_target_seqs, int threads, size_t *size)
{
    tms_blastp_params params = TMS_BLASTP_DEFAULTS;
    tms_blastp_results *results;
    tms_blastp_stats stats;
    tms_blastp *blastp;
    tms_seqs queries, subjects;
    tms_seqdb *db;
    char *text;
    FILE *out = open_memstream(&text, size);
    seq_batch_view(&query_batch, &queries);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, threads));
    open_database(&subjects, &db);
    params.composition = mode;
    params.max_target_seqs = max_target_seqs;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &blastp));
    ASSERT_OK(ctx, tms_blastp_search(blastp, &queries, &results));
    tms_blastp_get_stats(blastp, &stats);
    assert_true(stats.n_hits > stats.n_extensions && stats.n_extensions > stats.n_initial);
    assert_int_equal(stats.n_queries, queries.n_records);
    for (size_t i = 0; i < queries.n_records; i++) {
        tms_blastp_result result;
        tms_blastp_results_get(results, i, &result);
        for (size_t k = 0; k < result.n_subjects; k++) {
            const tms_blastp_subject *hit = &result.subjects[k];
            uint64_t n;
            const uint8_t *subject = tms_seqdb_protein(db, hit->sequence, &n);
            for (size_t h = 0; h < hit->n_hsps; h++)
                print_hsp(out, &queries, i, &result, &subjects, hit->sequence, subject, &hit->hsps[h]);
        }
    }
    tms_blastp_results_destroy(results);
    tms_blastp_destroy(blastp);
    tms_seqdb_destroy(db);
    fclose(out);
    return text;
}

static void check(uint32_t mode, uint32_t max_target_seqs, const char *name)
{
    static const int threads[] = {1, 2, 7};
    static char want[1 << 18];
    FILE *file = blast_case_open(name);
    size_t n_want = fread(want, 1, sizeof want, file);
    fclose(file);
    read_fasta("comp_queries.fa", &query_batch);
    read_fasta("comp_db.fa", &subject_batch);
    for (size_t t = 0; t < (SAMPLES_SANITIZED ? 2 : 3); t++) {
        size_t n_got;
        char *got = search(mode, max_target_seqs, threads[t], &n_got);
        assert_same_bytes(name, want, n_want, got, n_got);
        free(got);
    }
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
}

static void test_without_composition(void **state)
{
    (void)state;
    check(TMS_COMPOSITION_OFF, 500, "comp_mode0.tsv");
}

static void test_scaled(void **state)
{
    (void)state;
    check(TMS_COMPOSITION_SCALED, 500, "comp_mode1.tsv");
}

static void test_conditional(void **state)
{
    (void)state;
    check(TMS_COMPOSITION_ADJUSTED, 500, "comp_mode2.tsv");
    check(TMS_COMPOSITION_ADJUSTED, 3, "comp_mode2_n3.tsv");
}

static void test_optimised(void **state)
{
    (void)state;
    check(TMS_COMPOSITION_ALL_ADJUSTED, 500, "comp_mode3.tsv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_composition),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_conditional),
        cmocka_unit_test(test_optimised),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
