/*
 * test_translated.c - the public calls of blastx, tblastn and tblastx: a gene is found in each frame of what is translated with the same
 * alignment, exons are linked, parts of a search give its results, and what is not there yet is refused.
 */
#include <string.h>

#include "seq/seq_batch.h"
#include "tamis/blastx.h"
#include "tamis/tblastn.h"
#include "tamis/tblastx.h"
#include "unit/context_fixture.h"
#include "unit/genes.h"

static struct seq_batch query_batch, subject_batch;

static const struct program {
    tms_status (*create)(tms_context *, const tms_seqdb *, const tms_blastp_params *, size_t, const tms_translated_params *, size_t,
                         tms_translated **);
    tms_blastp_params (*defaults)(void);
    bool of_queries, of_subjects; /* these are translated */
} programs[] = {{tms_blastx_create_sized, tms_blastx_protein_defaults, true, false},
                {tms_tblastn_create_sized, tms_tblastn_protein_defaults, false, true},
                {tms_tblastx_create_sized, tms_tblastx_protein_defaults, true, true}};
enum { BLASTX, TBLASTN, TBLASTX, N_PROGRAMS };

static void put(struct seq_batch *batch, const char *text, tms_seqs *out)
{
    assert_true(seq_batch_clear(batch, 0, false));
    assert_true(seq_batch_begin(batch, "s", 1));
    assert_true(seq_batch_residues(batch, (const uint8_t *)text, strlen(text)));
    assert_true(seq_batch_end(batch));
    seq_batch_view(batch, out);
}

static tms_seqdb *database_of(const char *text, bool is_of_bases)
{
    tms_seqs subjects;
    tms_seqdb *db;

    put(&subject_batch, text, &subjects);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, is_of_bases ? TMS_NUCLEOTIDE : TMS_PROTEIN, "s", &db));
    return db;
}

static int free_all(void **state)
{
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
    return teardown(state);
}

/* A search of a query in a subject. */
struct pair {
    const struct program *program;
    tms_seqdb *db;
    tms_seqs queries;
    tms_blastp_params usual;
    const tms_translated_params *own; /* NULL: defaults */
};

static tms_translated *create(const struct pair *p)
{
    tms_translated *search;

    ASSERT_OK(ctx, p->program->create(ctx, p->db, &p->usual, sizeof p->usual, p->own, sizeof *p->own, &search));
    return search;
}

/* Adds what one shard of two finds. */
static void add_shard(struct pair *p, uint64_t shard, tms_search_found *all)
{
    tms_translated *search;
    tms_search_found *found;
    tms_found_list list;

    p->usual.shard = shard;
    p->usual.n_shards = 2;
    search = create(p);
    ASSERT_OK(ctx, tms_translated_scan(search, &p->queries, &found));
    ASSERT_OK(ctx, tms_search_found_get(ctx, found, 0, &list));
    ASSERT_OK(ctx, tms_search_found_add(ctx, all, 0, &list));
    tms_search_found_destroy(found);
    tms_translated_destroy(search);
    p->usual.shard = p->usual.n_shards = 0;
}

static tms_search_results *search_pair(const struct program *program, const char *query, const char *subject,
                                       const tms_translated_params *own, bool in_shards)
{
    struct pair p = {.program = program, .usual = program->defaults(), .own = own};
    tms_search_found *all = NULL;
    tms_search_results *results;
    tms_translated *search;

    put(&query_batch, query, &p.queries);
    p.db = database_of(subject, program->of_subjects);
    p.usual.as_subject_file = 1;
    if (in_shards) {
        ASSERT_OK(ctx, tms_search_found_create(ctx, 1, &all));
        add_shard(&p, 0, all);
        add_shard(&p, 1, all);
    }
    search = create(&p);
    if (in_shards)
        ASSERT_OK(ctx, tms_translated_align(search, &p.queries, all, &results));
    else
        ASSERT_OK(ctx, tms_translated_search(search, &p.queries, &results));
    tms_search_found_destroy(all);
    tms_translated_destroy(search);
    tms_seqdb_destroy(p.db);
    return results;
}

/* Where the gene of the whole protein is in a sequence: of a protein, in it. */
static void check_side(bool is_translated, int before, bool is_minus, tms_interval range, int frame)
{
    const uint64_t first = !is_translated ? 0 : is_minus ? 1 : (uint64_t)before;

    assert_int_equal(range.start, first);
    assert_int_equal(range.end, first + (is_translated ? 3 : 1) * N_PROTEIN);
    assert_int_equal(frame, !is_translated ? 0 : is_minus ? -before - 1 : before + 1);
}

static void test_frames(void **state)
{
    (void)state;
    for (int k = 0; k < 6 * N_PROGRAMS; k++) {
        const struct program *program = &programs[k / 6];
        const int before = k % 3;
        const bool is_minus = k / 3 % 2 != 0;
        char plus[MOST] = "", minus[MOST], *bases = is_minus ? minus : plus;
        tms_search_results *results;
        tms_search_result r;
        const tms_search_hsp *h;
        strncat(plus, "GA", (size_t)before);
        add_gene(plus, 0, N_PROTEIN);
        strcat(plus, "A");
        reverse(plus, minus);
        results = search_pair(program, program->of_queries ? bases : protein, program->of_subjects ? bases : protein, NULL, before == 1);
        tms_search_results_get(results, 0, &r);
        assert_int_equal(r.n_subjects, 1);
        h = &r.subjects[0].hsps[0];
        for (uint64_t i = 1; i < r.subjects[0].n_hsps; i++) /* where both are translated, other frames may be as good */
            h = r.subjects[0].hsps[i].score > h->score ? &r.subjects[0].hsps[i] : h;
        check_side(program->of_queries, before, is_minus, h->query, h->query_frame);
        check_side(program->of_subjects, before, is_minus, h->subject, h->subject_frame);
        assert_int_equal(h->n_linked, 1);
        assert_true((r.frames != NULL) == program->of_queries);
        if (r.frames != NULL)
            assert_int_equal(r.frames[is_minus ? 3 + before : before].length, N_PROTEIN);
        tms_search_results_destroy(results);
    }
}

/* Two exons, 61 bases apart: in different frames, so that no alignment has both. */
static void test_exons(void **state)
{
    char bases[MOST] = "", gene[MOST] = "";

    (void)state;
    add_gene(bases, 0, 60);
    for (int i = 0; i < 10; i++)
        strcat(bases, "TAATGA");
    strcat(bases, "A");
    add_gene(bases, 60, N_PROTEIN);
    add_gene(gene, 0, N_PROTEIN);
    for (int k = 0; k < N_PROGRAMS; k++) {
        const struct program *program = &programs[k];
        const char *query = program->of_queries ? bases : protein, *subject = !program->of_subjects ? protein
                                                                              : program->of_queries ? gene
                                                                                                    : bases;
        tms_translated_params p = tms_translated_defaults();
        tms_search_results *results = search_pair(program, query, subject, &p, false);
        tms_search_result r;
        double linked;
        tms_search_results_get(results, 0, &r);
        assert_true(r.subjects[0].n_hsps >= 2);
        assert_true(r.subjects[0].hsps[0].n_linked >= 2);
        assert_true(r.subjects[0].hsps[0].evalue == r.subjects[0].hsps[1].evalue);
        linked = r.subjects[0].hsps[0].evalue;
        tms_search_results_destroy(results);
        p.links = 0;
        results = search_pair(program, query, subject, &p, false);
        tms_search_results_get(results, 0, &r);
        assert_true(r.subjects[0].n_hsps >= 2);
        assert_int_equal(r.subjects[0].hsps[0].n_linked, 0);
        assert_true(linked < r.subjects[0].hsps[0].evalue);
        tms_search_results_destroy(results);
    }
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
    results = search_pair(&programs[BLASTX], bases, protein, &p, false);
    tms_search_results_get(results, 0, &r);
    for (size_t i = 0; i < r.n_subjects; i++)
        for (size_t k = 0; k < r.subjects[i].n_hsps; k++)
            assert_true(r.subjects[i].hsps[k].query_frame < 0 && r.subjects[i].hsps[k].evalue > 0.01);
    assert_int_equal(r.frames[0].length, 0);
    tms_search_results_destroy(results);
}

/* An ambiguous base that the scan does not see: the HSP loses what lies behind it, for X. */
static void test_ambiguous(void **state)
{
    char bases[MOST] = "", unknown[MOST];
    tms_search_results *results;
    tms_search_result r;
    int32_t best = 0;

    (void)state;
    add_gene(bases, 0, N_PROTEIN);
    strcpy(unknown, bases);
    memset(unknown + 3L * 60, 'N', 30);
    results = search_pair(&programs[TBLASTX], bases, unknown, NULL, false);
    tms_search_results_get(results, 0, &r);
    for (size_t k = 0; k < r.subjects[0].n_hsps; k++) {
        const tms_search_hsp *h = &r.subjects[0].hsps[k];
        best = h->score > best ? h->score : best;
        if (h->query_frame == 1 && h->subject_frame == 1)
            assert_true(h->subject.end - h->subject.start <= (uint64_t)3 * N_PROTEIN);
    }
    tms_search_results_destroy(results);
    results = search_pair(&programs[TBLASTX], bases, bases, NULL, false);
    tms_search_results_get(results, 0, &r);
    assert_true(best > 0 && best < r.subjects[0].hsps[0].score);
    tms_search_results_destroy(results);
}

static void fails(const struct pair *p, const char *message)
{
    tms_translated *search;

    ASSERT_FAILS(ctx, TMS_E_ARG, message, p->program->create(ctx, p->db, &p->usual, sizeof p->usual, p->own, sizeof *p->own, &search));
    assert_null(search);
}

static void test_refused(void **state)
{
    (void)state;
    for (int k = 0; k < N_PROGRAMS; k++) {
        tms_translated_params own = tms_translated_defaults();
        struct pair p = {.program = &programs[k], .usual = programs[k].defaults(), .own = &own};
        p.db = database_of(p.program->of_subjects ? "ACGTACGTACGTACGTACGT" : protein, p.program->of_subjects);
        own.task = 2;
        fails(&p, "task 2");
        own.task = 0;
        own.query_genetic_code = own.db_genetic_code = 7;
        fails(&p, "genetic code 7");
        own.query_genetic_code = own.db_genetic_code = 1;
        own.skips_plus = own.skips_minus = 1;
        if (p.program->of_queries)
            fails(&p, "strand");
        own.skips_plus = 0;
        p.usual.culling_limit = 1;
        p.usual.best_hit_overhang = 0.1;
        fails(&p, "a culling limit and best hits");
        p.usual = programs[k].defaults();
        tms_seqdb_destroy(p.db);
        p.db = database_of(p.program->of_subjects ? protein : "ACGTACGTACGTACGTACGT", !p.program->of_subjects);
        fails(&p, p.program->of_subjects ? "searches in one of nucleotides" : "searches in one of proteins");
        tms_seqdb_destroy(p.db);
    }
}

/* tblastx has no alignments with gaps. */
static void test_gaps(void **state)
{
    struct pair p = {.program = &programs[TBLASTX], .usual = tms_tblastx_protein_defaults()};

    (void)state;
    p.db = database_of("ACGTACGTACGTACGTACGT", true);
    p.usual.ungapped = 0;
    fails(&p, "no alignments with gaps");
    p.usual.ungapped = 1;
    p.usual.composition = TMS_COMPOSITION_ADJUSTED;
    fails(&p, "composition");
    tms_seqdb_destroy(p.db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames),    cmocka_unit_test(test_exons),   cmocka_unit_test(test_strand),
                                       cmocka_unit_test(test_ambiguous), cmocka_unit_test(test_refused), cmocka_unit_test(test_gaps)};

    return cmocka_run_group_tests(tests, setup, free_all);
}
