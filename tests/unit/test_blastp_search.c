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
#include "search/blastp_search.h"
#include "seq/seq_batch.h"
#include "tamis/alphabet.h"

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

static struct blastp_params params_of(enum composition_mode mode, int max_target_seqs)
{
    const struct score_matrix *matrix = score_matrix_find("BLOSUM62");
    return (struct blastp_params){.matrix = matrix,
                                  .costs = &matrix->costs[matrix->usual],
                                  .composition = mode,
                                  .word_size = 3,
                                  .window = 40,
                                  .threshold = 11,
                                  .evalue = 10,
                                  .x_drop_ungapped = 7,
                                  .x_drop_gapped = 15,
                                  .x_drop_final = 25,
                                  .max_target_seqs = max_target_seqs};
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

static void print_hsp(FILE *out, const char *query_name, size_t query_name_size, const uint8_t *query, const char *subject_name,
                      size_t subject_name_size, const uint8_t *subject, const struct hsp *h, double bits)
{
    int q = h->query, s = h->subject, n_identical = 0, n_gaps = 0, n_openings = 0, length = 0;
    char evalue[32], bit_text[32];
    for (size_t i = 0; i < h->script.n; i++) {
        struct gapped_run run = h->script.runs[i];
        length += run.n;
        for (int k = 0; k < run.n && run.operation == GAPPED_MATCH; k++)
            n_identical += query[q + k] == subject[s + k];
        n_openings += run.operation != GAPPED_MATCH;
        n_gaps += run.operation != GAPPED_MATCH ? run.n : 0;
        q += run.operation != GAPPED_IN_QUERY ? run.n : 0;
        s += run.operation != GAPPED_IN_SUBJECT ? run.n : 0;
    }
    assert_int_equal(q, h->query_end);
    assert_int_equal(s, h->subject_end);
    print_evalue(h->evalue, evalue);
    print_bits(bits, bit_text);
    fprintf(out, "%.*s\t%.*s\t%.3f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", (int)query_name_size, query_name, (int)subject_name_size,
            subject_name, (double)n_identical / length * 100, length, length - n_identical - n_gaps, n_openings, h->query + 1, h->query_end,
            h->subject + 1, h->subject_end, evalue, bit_text);
}

static struct seq_batch query_batch, subject_batch;

/* All queries, searched together, as text. */
static char *search(enum composition_mode mode, int max_target_seqs, int threads, size_t *size)
{
    const struct blastp_params params = params_of(mode, max_target_seqs);
    struct blastp_database database = {.cutoff_length = 10};
    struct blastp_counts counts = {0};
    struct blastp_setup setup;
    struct blastp_query prepared[64] = {0};
    struct hit_list hits[64] = {0};
    uint8_t *codes[64];
    tms_seqs queries, subjects;
    tms_seqdb_info info;
    tms_seqdb *db;
    char *text;
    FILE *out = open_memstream(&text, size);
    seq_batch_view(&query_batch, &queries);
    seq_batch_view(&subject_batch, &subjects);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, threads));
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, TMS_PROTEIN, "t", &db));
    tms_seqdb_get_info(db, &info);
    database.n_letters = (int64_t)info.n_residues;
    database.n_sequences = (int64_t)info.n_sequences;
    ASSERT_OK(ctx, blastp_setup_init(ctx, &params, &database, &setup));
    for (size_t i = 0; i < queries.n_records; i++) {
        size_t n = (size_t)tms_seqs_length(&queries, i);
        codes[i] = sample_alloc(n + 1);
        assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, queries.residues + queries.residue_starts[i], n, codes[i]), n);
        assert_int_equal(blastp_query_init(&setup, codes[i], (int)n, NULL, 0, &prepared[i]), TMS_OK);
    }
    ASSERT_OK(ctx, blastp_search(ctx, &setup, db, prepared, queries.n_records, hits, &counts));
    assert_true(counts.n_hits > counts.n_extensions && counts.n_extensions > counts.n_initial);
    for (size_t i = 0; i < queries.n_records; i++) {
        for (size_t k = 0; k < hits[i].n; k++) {
            const struct subject_hits *hit = &hits[i].items[k];
            uint64_t n;
            const uint8_t *subject = tms_seqdb_protein(db, hit->oid, &n);
            for (size_t h = 0; h < hit->hsps.n; h++)
                print_hsp(out, queries.headers + queries.header_starts[i], queries.name_sizes[i], codes[i],
                          subjects.headers + subjects.header_starts[hit->oid], subjects.name_sizes[hit->oid], subject, &hit->hsps.items[h],
                          bit_score(&setup.statistics, hit->hsps.items[h].score));
        }
        hit_list_free(&hits[i]);
        blastp_query_free(&prepared[i]);
        free(codes[i]);
    }
    tms_seqdb_destroy(db);
    fclose(out);
    return text;
}

static void check(enum composition_mode mode, int max_target_seqs, const char *name)
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
    check(COMPOSITION_OFF, 500, "comp_mode0.tsv");
}

static void test_scaled(void **state)
{
    (void)state;
    check(COMPOSITION_SCALED, 500, "comp_mode1.tsv");
}

static void test_conditional(void **state)
{
    (void)state;
    check(COMPOSITION_CONDITIONAL, 500, "comp_mode2.tsv");
    check(COMPOSITION_CONDITIONAL, 3, "comp_mode2_n3.tsv");
}

static void test_optimised(void **state)
{
    (void)state;
    check(COMPOSITION_OPTIMISED, 500, "comp_mode3.tsv");
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
