/*
 * test_blastx.c - the public calls: a gene is found in each frame with the same alignment, exons are linked, and what is not there yet is
 * refused.
 */
#include <string.h>

#include "seq/seq_batch.h"
#include "tamis/blastx.h"
#include "unit/context_fixture.h"
#include "unit/genes.h"

static struct seq_batch query_batch, subject_batch;
static tms_seqdb *db;

static int make_database(void **state)
{
    tms_seqs all;

    if (setup(state) != 0)
        return -1;
    assert_true(seq_batch_clear(&subject_batch, 0, false));
    assert_true(seq_batch_begin(&subject_batch, "s", 1));
    assert_true(seq_batch_residues(&subject_batch, (const uint8_t *)protein, N_PROTEIN));
    assert_true(seq_batch_end(&subject_batch));
    seq_batch_view(&subject_batch, &all);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &all, TMS_PROTEIN, "s", &db));
    return 0;
}

static int free_database(void **state)
{
    tms_seqdb_destroy(db);
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
    return teardown(state);
}

static tms_search_results *search_with(const char *bases, const tms_translated_params *params)
{
    tms_blastp_params usual = tms_blastx_protein_defaults();
    tms_search_results *results;
    tms_translated *search;
    tms_seqs queries;

    assert_true(seq_batch_clear(&query_batch, 0, false));
    assert_true(seq_batch_begin(&query_batch, "q", 1));
    assert_true(seq_batch_residues(&query_batch, (const uint8_t *)bases, strlen(bases)));
    assert_true(seq_batch_end(&query_batch));
    seq_batch_view(&query_batch, &queries);
    usual.as_subject_file = 1;
    ASSERT_OK(ctx, tms_blastx_create(ctx, db, &usual, params, &search));
    ASSERT_OK(ctx, tms_translated_search(search, &queries, &results));
    tms_translated_destroy(search);
    return results;
}

static void test_frames(void **state)
{
    (void)state;
    for (int before = 0; before < 3; before++)
        for (int is_minus = 0; is_minus < 2; is_minus++) {
            char plus[MOST] = "", minus[MOST];
            tms_search_results *results;
            tms_search_result r;
            const tms_search_hsp *h;
            strncat(plus, "GA", (size_t)before);
            add_gene(plus, 0, N_PROTEIN);
            strcat(plus, "A");
            reverse(plus, minus);
            results = search_with(is_minus ? minus : plus, NULL);
            tms_search_results_get(results, 0, &r);
            assert_int_equal(r.n_subjects, 1);
            h = &r.subjects[0].hsps[0];
            assert_int_equal(h->subject.start, 0);
            assert_int_equal(h->subject.end, N_PROTEIN);
            assert_int_equal(h->query.start, is_minus ? 1 : before);
            assert_int_equal(h->query.end, (is_minus ? 1 : before) + 3 * N_PROTEIN);
            assert_int_equal(h->query_frame, is_minus ? -before - 1 : before + 1);
            assert_int_equal(h->subject_frame, 0);
            assert_int_equal(h->n_linked, 1);
            assert_int_equal(r.frames[is_minus ? 3 + before : before].length, N_PROTEIN);
            tms_search_results_destroy(results);
        }
}

/* Two exons, 61 bases apart: in different frames, so that no alignment has both. */
static void test_exons(void **state)
{
    tms_translated_params p = tms_translated_defaults();
    char bases[MOST] = "";
    tms_search_results *results;
    tms_search_result r;
    double linked;

    (void)state;
    add_gene(bases, 0, 60);
    for (int i = 0; i < 10; i++)
        strcat(bases, "TAATGA");
    strcat(bases, "A");
    add_gene(bases, 60, N_PROTEIN);
    results = search_with(bases, &p);
    tms_search_results_get(results, 0, &r);
    assert_true(r.subjects[0].n_hsps >= 2);
    assert_true(r.subjects[0].hsps[0].n_linked >= 2);
    assert_true(r.subjects[0].hsps[0].evalue == r.subjects[0].hsps[1].evalue);
    linked = r.subjects[0].hsps[0].evalue;
    tms_search_results_destroy(results);
    p.links = 0;
    results = search_with(bases, &p);
    tms_search_results_get(results, 0, &r);
    assert_true(r.subjects[0].n_hsps >= 2);
    assert_int_equal(r.subjects[0].hsps[0].n_linked, 0);
    assert_true(linked < r.subjects[0].hsps[0].evalue);
    tms_search_results_destroy(results);
}

static void test_strand(void **state)
{
    tms_translated_params p = tms_translated_defaults();
    char bases[MOST] = "";
    tms_search_results *results;
    tms_search_result r;

    (void)state;
    add_gene(bases, 0, N_PROTEIN);
    p.skips_plus = 1;
    results = search_with(bases, &p);
    tms_search_results_get(results, 0, &r);
    for (size_t i = 0; i < r.n_subjects; i++)
        for (size_t k = 0; k < r.subjects[i].n_hsps; k++)
            assert_true(r.subjects[i].hsps[k].query_frame < 0 && r.subjects[i].hsps[k].evalue > 0.01);
    assert_int_equal(r.frames[0].length, 0);
    tms_search_results_destroy(results);
}

static void test_refused(void **state)
{
    tms_blastp_params usual = tms_blastx_protein_defaults();
    tms_translated_params p = tms_translated_defaults();
    tms_translated *search;

    (void)state;
    p.query_genetic_code = 7;
    ASSERT_FAILS(ctx, TMS_E_ARG, "genetic code 7", tms_blastx_create(ctx, db, &usual, &p, &search));
    p.query_genetic_code = 1;
    p.skips_plus = p.skips_minus = 1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "strand", tms_blastx_create(ctx, db, &usual, &p, &search));
    p.skips_plus = 0;
    p.task = 2;
    ASSERT_FAILS(ctx, TMS_E_ARG, "task 2", tms_blastx_create(ctx, db, &usual, &p, &search));
    p.task = 0;
    usual.ungapped = 1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "without gaps", tms_blastx_create(ctx, db, &usual, &p, &search));
    assert_null(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_exons), cmocka_unit_test(test_strand),
                                       cmocka_unit_test(test_refused)};

    return cmocka_run_group_tests(tests, make_database, free_database);
}
