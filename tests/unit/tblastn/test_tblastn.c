/*
 * test_tblastn.c - the public calls: a gene is found in each frame of a subject with the same alignment, exons are linked, parts of a
 * search give its results, and what is not there yet is refused.
 */
#include <string.h>

#include "seq/seq_batch.h"
#include "tamis/tblastn.h"
#include "unit/context_fixture.h"
#include "unit/genes.h"

static struct seq_batch query_batch, subject_batch;
static tms_seqdb *db;

static void put(struct seq_batch *batch, const char *text, tms_seqs *out)
{
    assert_true(seq_batch_clear(batch, 0, false));
    assert_true(seq_batch_begin(batch, "s", 1));
    assert_true(seq_batch_residues(batch, (const uint8_t *)text, strlen(text)));
    assert_true(seq_batch_end(batch));
    seq_batch_view(batch, out);
}

static int free_all(void **state)
{
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
    return teardown(state);
}

/* Searches the bases with the protein, at once or in `n_shards` shards. */
static tms_search_results *search_in(const char *bases, const tms_translated_params *params, uint64_t n_shards)
{
    tms_blastp_params usual = tms_tblastn_protein_defaults();
    tms_search_found *all = NULL;
    tms_search_results *results;
    tms_translated *search;
    tms_seqs queries, subjects;

    put(&query_batch, protein, &queries);
    put(&subject_batch, bases, &subjects);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, TMS_NUCLEOTIDE, "s", &db));
    usual.as_subject_file = 1;
    if (n_shards > 0)
        ASSERT_OK(ctx, tms_search_found_create(ctx, 1, &all));
    for (uint64_t k = 0; k < n_shards; k++) {
        tms_search_found *found;
        tms_found_list list;
        usual.shard = k;
        usual.n_shards = n_shards;
        ASSERT_OK(ctx, tms_tblastn_create(ctx, db, &usual, params, &search));
        ASSERT_OK(ctx, tms_translated_scan(search, &queries, &found));
        ASSERT_OK(ctx, tms_search_found_get(ctx, found, 0, &list));
        ASSERT_OK(ctx, tms_search_found_add(ctx, all, 0, &list));
        tms_search_found_destroy(found);
        tms_translated_destroy(search);
    }
    usual.shard = usual.n_shards = 0;
    ASSERT_OK(ctx, tms_tblastn_create(ctx, db, &usual, params, &search));
    if (all != NULL)
        ASSERT_OK(ctx, tms_translated_align(search, &queries, all, &results));
    else
        ASSERT_OK(ctx, tms_translated_search(search, &queries, &results));
    tms_search_found_destroy(all);
    tms_translated_destroy(search);
    tms_seqdb_destroy(db);
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
            results = search_in(is_minus ? minus : plus, NULL, before == 1 ? 2 : 0);
            tms_search_results_get(results, 0, &r);
            assert_int_equal(r.n_subjects, 1);
            h = &r.subjects[0].hsps[0];
            assert_int_equal(h->query.start, 0);
            assert_int_equal(h->query.end, N_PROTEIN);
            assert_int_equal(h->subject.start, is_minus ? 1 : before);
            assert_int_equal(h->subject.end, (is_minus ? 1 : before) + 3 * N_PROTEIN);
            assert_int_equal(h->subject_frame, is_minus ? -before - 1 : before + 1);
            assert_int_equal(h->query_frame, 0);
            assert_int_equal(h->n_linked, 1);
            assert_null(r.frames);
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
    results = search_in(bases, &p, 0);
    tms_search_results_get(results, 0, &r);
    assert_true(r.subjects[0].n_hsps >= 2);
    assert_true(r.subjects[0].hsps[0].n_linked >= 2);
    assert_true(r.subjects[0].hsps[0].evalue == r.subjects[0].hsps[1].evalue);
    linked = r.subjects[0].hsps[0].evalue;
    tms_search_results_destroy(results);
    p.links = 0;
    results = search_in(bases, &p, 0);
    tms_search_results_get(results, 0, &r);
    assert_true(r.subjects[0].n_hsps >= 2);
    assert_int_equal(r.subjects[0].hsps[0].n_linked, 0);
    assert_true(linked < r.subjects[0].hsps[0].evalue);
    tms_search_results_destroy(results);
}

static void test_refused(void **state)
{
    tms_blastp_params usual = tms_tblastn_protein_defaults();
    tms_translated_params p = tms_translated_defaults();
    tms_translated *search;
    tms_seqs subjects;

    (void)state;
    put(&subject_batch, "ACGTACGTACGTACGTACGT", &subjects);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, TMS_NUCLEOTIDE, "s", &db));
    p.db_genetic_code = 7;
    ASSERT_FAILS(ctx, TMS_E_ARG, "genetic code 7", tms_tblastn_create(ctx, db, &usual, &p, &search));
    p.db_genetic_code = 1;
    p.task = 2;
    ASSERT_FAILS(ctx, TMS_E_ARG, "task 2", tms_tblastn_create(ctx, db, &usual, &p, &search));
    p.task = 0;
    usual.culling_limit = 1;
    usual.best_hit_overhang = 0.1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "a culling limit and best hits", tms_tblastn_create(ctx, db, &usual, &p, &search));
    usual.culling_limit = 0;
    tms_seqdb_destroy(db);
    put(&subject_batch, protein, &subjects);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, TMS_PROTEIN, "s", &db));
    ASSERT_FAILS(ctx, TMS_E_ARG, "searches in one of nucleotides", tms_tblastn_create(ctx, db, &usual, &p, &search));
    assert_null(search);
    tms_seqdb_destroy(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_exons), cmocka_unit_test(test_refused)};

    return cmocka_run_group_tests(tests, setup, free_all);
}
