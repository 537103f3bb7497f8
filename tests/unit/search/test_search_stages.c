/*
 * test_search_stages.c - scans a database in parts, merges the lists in any order and aligns them: the results are those of one search. The
 * program is blastp, the only one so far.
 */
#include <stdlib.h>
#include <string.h>

#include "blastp/blastp_setup.h"
#include "search/search.h"
#include "seq/seq_batch.h"
#include "unit/context_fixture.h"

enum { FAMILIES = 8, SUBJECTS = 160, LENGTH = 240, LONG_COPIES = 10, MOST_PARTS = 7, QUICK_PARTS = 3 };

static struct seq_batch subject_batch, query_batch;
static tms_seqs queries;
static tms_seqdb *db;

static void add_record(struct seq_batch *to, const uint8_t *characters, size_t n)
{
    assert_true(seq_batch_begin(to, "r", 1));
    assert_true(seq_batch_residues(to, characters, n));
    assert_true(seq_batch_end(to));
}

/* Copies a sequence and replaces one residue in `each` by another. */
static void mutate(sample_random *r, const uint8_t *from, uint64_t each, uint8_t *to)
{
    static const char residues[] = "ARNDCQEGHILKMFPSTWYV";

    for (int i = 0; i < LENGTH; i++)
        to[i] = random_below(r, each) ? from[i] : (uint8_t)residues[random_below(r, 20)];
}

/*
 * Subjects are relatives of eight proteins, at all distances. Queries are these proteins, one long enough to be cut into chunks, one of X
 * alone, and one of low complexity. A subject of X alone waits for the matrix of another subject.
 */
static int make_database(void **state)
{
    sample_random r = {sample_seed()};
    uint8_t family[FAMILIES][LENGTH], relative[LENGTH], longest[LONG_COPIES * FAMILIES * LENGTH];
    tms_seqs subjects;
    size_t n = 0;

    if (setup(state) != 0)
        return -1;
    assert_true(seq_batch_clear(&subject_batch, 0, false) && seq_batch_clear(&query_batch, 0, false));
    memset(relative, 'A', sizeof relative);
    for (int f = 0; f < FAMILIES; f++) {
        mutate(&r, relative, 1, family[f]);
        add_record(&query_batch, family[f], LENGTH);
    }
    for (int i = 0; i < SUBJECTS; i++) {
        mutate(&r, family[random_below(&r, FAMILIES)], 1 + random_below(&r, 6), relative);
        if (i % 40 == 7)
            memset(relative + 40, 'X', LENGTH - 40);
        add_record(&subject_batch, relative, LENGTH);
    }
    for (int i = 0; i < LONG_COPIES * FAMILIES; i++, n += LENGTH)
        mutate(&r, family[i % FAMILIES], 4, longest + n);
    add_record(&query_batch, longest, n);
    memset(relative, 'X', sizeof relative);
    add_record(&query_batch, relative, LENGTH);
    memset(relative, 'Q', sizeof relative);
    add_record(&query_batch, relative, LENGTH);
    seq_batch_view(&subject_batch, &subjects);
    seq_batch_view(&query_batch, &queries);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, TMS_PROTEIN, "t", &db));
    return 0;
}

static int free_database(void **state)
{
    tms_seqdb_destroy(db);
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
    return teardown(state);
}

static void assert_same_hsps(const struct hsp_list *a, const struct hsp_list *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct hsp *x = &a->items[i], *y = &b->items[i];
        assert_true(x->query == y->query && x->query_end == y->query_end && x->subject == y->subject && x->subject_end == y->subject_end);
        assert_true(x->score == y->score && x->evalue == y->evalue && x->method == y->method);
        assert_int_equal(x->script.n, y->script.n);
        for (size_t k = 0; k < x->script.n; k++)
            assert_true(x->script.runs[k].operation == y->script.runs[k].operation && x->script.runs[k].n == y->script.runs[k].n);
    }
}

static void assert_same_lists(const struct hit_list *a, const struct hit_list *b, size_t n)
{
    for (size_t q = 0; q < n; q++) {
        assert_int_equal(a[q].n, b[q].n);
        assert_int_equal(a[q].is_cut, b[q].is_cut);
        for (size_t i = 0; i < a[q].n; i++) {
            assert_int_equal(a[q].items[i].oid, b[q].items[i].oid);
            assert_same_hsps(&a[q].items[i].hsps, &b[q].items[i].hsps);
        }
    }
}

static struct hit_list *lists_of(size_t n)
{
    struct hit_list *lists = calloc(n + 1, sizeof *lists);

    assert_non_null(lists);
    return lists;
}

static void free_lists(struct hit_list *lists, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hit_list_free(&lists[i]);
    free(lists);
}

/* Scans parts in random order, and merges their lists. */
static struct hit_list *scan_parts(const struct blastp_setup *setup, const struct search_queries *q, uint64_t n_parts, sample_random *r)
{
    struct hit_list *merged = lists_of(q->n_chunks);
    uint64_t order[MOST_PARTS] = {0};

    for (uint64_t i = 0; i < n_parts; i++) {
        uint64_t k = random_below(r, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (uint64_t i = 0; i < n_parts; i++) {
        struct hit_list *found = lists_of(q->n_chunks);
        const struct search_subjects subjects = {.db = db, .part = {order[i], n_parts}};
        struct search_counts counts = {0};
        ASSERT_OK(ctx, search_scan(ctx, &setup->protein.search, &subjects, q, found, &counts));
        for (size_t c = 0; c < q->n_chunks; c++) {
            merged[c].max_hits = search_found_limit(&setup->protein.search);
            ASSERT_OK(ctx, hit_list_merge(&merged[c], &found[c]));
        }
        free_lists(found, q->n_chunks);
    }
    return merged;
}

/* Checks the first n_queries queries. Returns the number of HSPs. */
static size_t check(const tms_blastp_params *params, size_t n_queries, sample_random *r)
{
    tms_seqs some = queries;
    const struct search_subjects subjects = {.db = db, .part = {0, 1}};
    struct search_database database = {SUBJECTS * LENGTH, SUBJECTS, 10};
    struct search_queries q;
    struct search_counts counts = {0};
    static struct blastp_setup setup;
    struct hit_list *want;
    const uint64_t most_parts = sample_is_quick() ? QUICK_PARTS : MOST_PARTS;
    size_t n_hsps = 0;

    some.n_records = n_queries;
    ASSERT_OK(ctx, blastp_params_resolve(ctx, params, &setup));
    ASSERT_OK(ctx, blastp_setup_init(ctx, &database, &setup));
    ASSERT_OK(ctx, search_queries_init(ctx, &setup.protein.search, &some, params->batch_residues, &q));
    assert_true(q.n_chunks > q.n || params->ungapped || n_queries <= FAMILIES); /* without gaps BLAST does not cut queries */
    want = lists_of(q.n);
    ASSERT_OK(ctx, search_run(ctx, &setup.protein.search, &subjects, &q, &(struct search_hits){.lists = want}, &counts));
    for (size_t i = 0; i < q.n; i++)
        for (size_t k = 0; k < want[i].n; k++)
            n_hsps += want[i].items[k].hsps.n;
    for (uint64_t n_parts = sample_is_quick() ? QUICK_PARTS : 1; n_parts <= most_parts;
         n_parts += n_parts == 1 ? 1 : random_below(r, 3) + 1) {
        struct hit_list *found = scan_parts(&setup, &q, n_parts, r), *hits = lists_of(q.n);
        struct search_counts of_parts = {0};
        ASSERT_OK(ctx,
                  search_align_found(ctx, &setup.protein.search, &subjects, &q, found, &(struct search_hits){.lists = hits}, &of_parts));
        assert_same_lists(hits, want, q.n);
        assert_int_equal(of_parts.n_realigned, counts.n_realigned);
        free_lists(found, q.n_chunks);
        free_lists(hits, q.n);
    }
    free_lists(want, q.n);
    search_queries_free(&q);
    return n_hsps;
}

static void parts_are_one_search(void **state)
{
    tms_blastp_params params = tms_blastp_defaults();
    sample_random r = {sample_seed()};

    (void)state;
    assert_true(check(&params, queries.n_records, &r) > SUBJECTS);
    params.max_target_seqs = 3; /* cuts the lists, also those of the scan */
    assert_true(check(&params, queries.n_records, &r) > FAMILIES);
    params.composition = TMS_COMPOSITION_OFF;
    assert_true(check(&params, queries.n_records, &r) > FAMILIES);
    params.ungapped = 1;
    params.max_hsps = 1;
    assert_true(check(&params, queries.n_records, &r) > FAMILIES);
    params = tms_blastp_defaults();
    params.smith_waterman = 1;
    params.evalue = 1e-3;
    params.max_target_seqs = 20;
    assert_true(check(&params, FAMILIES, &r) > FAMILIES);
}

/* What these filters keep depends on the order of all subjects. */
static void filters_see_all_parts(void **state)
{
    tms_blastp_params params = tms_blastp_defaults();
    sample_random r = {sample_seed()};

    (void)state;
    for (params.culling_limit = 1; params.culling_limit <= 3; params.culling_limit += 2)
        assert_true(check(&params, queries.n_records, &r) >= FAMILIES);
    params.culling_limit = 0;
    params.best_hit_overhang = params.best_hit_score_edge = 0.1;
    assert_true(check(&params, queries.n_records, &r) >= FAMILIES);
    params.max_target_seqs = 2;
    assert_true(check(&params, queries.n_records, &r) >= FAMILIES);
}

/* Scans a part and adds what it has found to the lists of all parts, which the first part makes. */
static void add_part(const tms_blastp_params *params, uint64_t part, uint64_t n_parts, tms_search_found **all)
{
    tms_blastp_params p = *params;
    tms_search_found *found;
    tms_blastp *search;

    p.shard = part;
    p.n_shards = n_parts;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &p, &search));
    ASSERT_OK(ctx, tms_blastp_scan(search, &queries, &found));
    if (*all == NULL)
        ASSERT_OK(ctx, tms_search_found_create(ctx, tms_search_found_n_lists(found), all));
    for (uint64_t i = 0; i < tms_search_found_n_lists(found); i++) {
        tms_found_list list;
        ASSERT_OK(ctx, tms_search_found_get(ctx, found, i, &list));
        for (uint64_t k = 1; k < list.n_subjects; k++)
            assert_true(list.subjects[k].sequence > list.subjects[k - 1].sequence);
        ASSERT_OK(ctx, tms_search_found_add(ctx, *all, i, &list));
    }
    tms_search_found_destroy(found);
    tms_blastp_destroy(search);
}

static void assert_same_results(const tms_search_results *a, const tms_search_results *b)
{
    for (size_t q = 0; q < queries.n_records; q++) {
        tms_search_result x, y;
        tms_search_results_get(a, q, &x);
        tms_search_results_get(b, q, &y);
        assert_true(x.n_subjects == y.n_subjects && x.is_cut == y.is_cut && x.batch_is_valid == y.batch_is_valid);
        for (size_t i = 0; i < x.n_subjects; i++) {
            assert_true(x.subjects[i].sequence == y.subjects[i].sequence && x.subjects[i].n_hsps == y.subjects[i].n_hsps);
            for (size_t k = 0; k < x.subjects[i].n_hsps; k++) {
                const tms_search_hsp *h = &x.subjects[i].hsps[k], *o = &y.subjects[i].hsps[k];
                assert_true(h->score == o->score && h->evalue == o->evalue && h->query.start == o->query.start && h->n_runs == o->n_runs);
            }
        }
    }
}

static void public_calls(void **state)
{
    const uint64_t n_parts = 3;
    tms_blastp_params params = tms_blastp_defaults();
    tms_search_results *want, *results;
    tms_search_found *all = NULL;
    tms_blastp *search;

    (void)state;
    params.max_target_seqs = 5;
    params.batch_residues = 500; /* several batches a call */
    for (uint64_t part = n_parts; part-- > 0;)
        add_part(&params, part, n_parts, &all);
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &search));
    ASSERT_OK(ctx, tms_blastp_search(search, &queries, &want));
    ASSERT_OK(ctx, tms_blastp_align(search, &queries, all, &results));
    assert_same_results(results, want);
    tms_search_results_destroy(results);
    tms_search_results_destroy(want);
    tms_search_found_destroy(all);
    tms_blastp_destroy(search);
}

/* Lists that cannot be those of the queries and the database. */
static void wrong_lists(void **state)
{
    static const tms_found_hsp sound = {
        .query = 0, .query_end = 9, .subject = 5, .subject_end = 14, .start_query = 4, .start_subject = 9, .score = 50};
    enum { WRONG = 12 };
    static const int32_t contexts[] = {-1, 1, 6 * 6, 6 * 256}; /* none of which a protein has */
    tms_found_hsp wrong[WRONG];
    uint64_t sequences[WRONG] = {0, 0, 0, 0, 0, 0, SUBJECTS};
    tms_search_results *results;
    tms_blastp *search;

    (void)state;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, NULL, &search));
    for (size_t i = 0; i < WRONG; i++)
        wrong[i] = sound;
    wrong[0].query = -1;
    wrong[1].query_end = LENGTH + 1;
    wrong[2].subject_end = LENGTH + 1;
    wrong[3].start_subject = LENGTH;
    wrong[4].start_query = -1;
    wrong[5].subject_end = wrong[5].subject;
    for (size_t i = 0; i < 4; i++)
        wrong[7 + i].context = contexts[i];
    for (size_t i = 0; i < WRONG; i++) { /* the last one is sound, but comes twice */
        const tms_found_subject subject = {sequences[i], 1};
        const tms_found_list list = {.subjects = &subject, .n_subjects = 1, .hsps = &wrong[i], .n_hsps = 1};
        tms_search_found *found, *scanned;
        ASSERT_OK(ctx, tms_blastp_scan(search, &queries, &scanned));
        ASSERT_OK(ctx, tms_search_found_create(ctx, tms_search_found_n_lists(scanned), &found));
        ASSERT_OK(ctx, tms_search_found_add(ctx, found, 0, &list));
        if (i == WRONG - 1)
            ASSERT_OK(ctx, tms_search_found_add(ctx, found, 0, &list));
        assert_int_equal(tms_blastp_align(search, &queries, found, &results), TMS_E_FORMAT);
        assert_null(results);
        tms_search_found_destroy(found);
        tms_search_found_destroy(scanned);
    }
    tms_blastp_destroy(search);
}

static void wrong_arguments(void **state)
{
    const tms_found_subject subjects[] = {{1, 1}, {2, 1}}, empty = {1, 0};
    const tms_found_hsp hsps[3] = {{0}};
    const tms_found_list lists[] = {{.subjects = subjects, .n_subjects = 2, .hsps = hsps, .n_hsps = 1},
                                    {.subjects = subjects, .n_subjects = 2, .hsps = hsps, .n_hsps = 3},
                                    {.subjects = &empty, .n_subjects = 1, .hsps = hsps, .n_hsps = 0}};
    tms_blastp_params params = tms_blastp_defaults();
    tms_search_results *results;
    tms_search_found *found;
    tms_blastp *search;

    (void)state;
    params.shard = 2;
    for (params.n_shards = 0; params.n_shards < 3; params.n_shards++)
        assert_int_equal(tms_blastp_create(ctx, db, &params, &search), TMS_E_ARG);
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, &params, &search));
    assert_int_equal(tms_blastp_search(search, &queries, &results), TMS_E_ARG);
    tms_blastp_destroy(search);
    ASSERT_OK(ctx, tms_search_found_create(ctx, 1, &found));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        assert_int_equal(tms_search_found_add(ctx, found, 0, &lists[i]), TMS_E_ARG);
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, NULL, &search));
    assert_int_equal(tms_blastp_align(search, &queries, found, &results), TMS_E_FORMAT); /* one list for many queries */
    tms_search_found_destroy(found);
    tms_blastp_destroy(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_one_search), cmocka_unit_test(filters_see_all_parts),
                                       cmocka_unit_test(public_calls), cmocka_unit_test(wrong_lists), cmocka_unit_test(wrong_arguments)};

    return cmocka_run_group_tests(tests, make_database, free_database);
}
