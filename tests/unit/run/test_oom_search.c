/* test_oom_search.c - databases, masks and searches without memory; see oom.h. */
#include "tamis/blastn.h"
#include "tamis/blastp.h"
#include "unit/run/oom.h"
#include "unit/seqdb/seqdb_samples.h"

enum { DATABASE_CASES = 200, MASK_CASES = 200, SEARCH_CASES = 600 };

static int setup(void **state)
{
    (void)state;
    return tms_context_create(&ctx) == TMS_OK && tms_context_set_threads(ctx, 3) == TMS_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(ctx);
    return 0;
}

/* A database by an alias that lists another, of files; and one of records. All of it is then read, an id looked for. */
static void database_work(const tms_filter_params *p)
{
    (void)p;
    static const uint64_t starts[] = {0, 4, 9}, header_starts[] = {0, 2, 4};
    const tms_seqs seqs = {.n_records = 2,
                           .residues = (const uint8_t *)"ACG\0ANGT",
                           .residue_starts = starts,
                           .headers = "a\0b",
                           .header_starts = header_starts};
    const char *id = "gnl|BL_ORD_ID|1";
    long armed = countdown, before;
    tms_seqdb_names *names = NULL;
    size_t n;
    tms_status status;
    for (int from_files = 0; from_files < 2; from_files++) {
        const tms_seqdb_selection all = {.ids = &id, .n_ids = 1, .is_negative = 1};
        tms_seqdb *db = (tms_seqdb *)ctx, *part = (tms_seqdb *)ctx;
        tms_seqdb_found found;
        countdown = armed;
        ARMED(status,
              from_files ? tms_seqdb_open(ctx, "outer", TMS_PROTEIN, &db) : tms_seqdb_from_seqs(ctx, &seqs, TMS_NUCLEOTIDE, "title", &db));
        expect_ok_or_memory(status);
        assert_true((db == NULL) == (status != TMS_OK));
        if (db == NULL)
            continue;
        countdown = armed;
        ARMED(status, tms_seqdb_find(ctx, db, &id, 1, &found));
        expect_ok_or_memory(status);
        assert_true(status != TMS_OK || found.number == 1);
        countdown = armed;
        ARMED(status, tms_seqdb_select(ctx, db, &all, &part));
        expect_ok_or_memory(status);
        assert_true((part == NULL) == (status != TMS_OK));
        tms_seqdb_destroy(part);
        countdown = armed;
        before = n_failed;
        ARMED(status, tms_seqdb_check(ctx, db, 0, 2));
        expect_ok_or_memory(status);
        assert_true(status != TMS_OK || n_failed == before); /* what it had no memory for it has not checked */
        countdown = armed;
        ARMED(status, tms_seqdb_names_create(ctx, &names));
        expect_ok_or_memory(status);
        countdown = armed;
        if (names != NULL)
            ARMED(status, tms_seqdb_names_read(db, 1, names, &n));
        assert_true(status == TMS_OK || status == TMS_E_MEMORY); /* this one has no context to leave a sentence in */
        assert_true(status != TMS_OK || n == 1);
        tms_seqdb_names_destroy(names);
        names = NULL;
        tms_seqdb_destroy(db);
    }
    countdown = armed;
}

enum { RECORD = 1 + (1 << 16) };
static uint8_t mask_residues[3 * RECORD], long_residues[(1 << 20) + 1000];

static void make_mask_residues(void)
{
    for (size_t i = 0; i < sizeof mask_residues; i++)
        mask_residues[i] = i % RECORD == RECORD - 1 ? '\0' : i % 100 < 50 ? 'A' : (uint8_t) "CGTACTGATC"[i * i % 97 % 10];
    for (size_t i = 0; i < sizeof long_residues; i++)
        long_residues[i] = (uint8_t) "ACGT"[(i * i + i / 7) % 31 % 4];
}

/* Masks of three records, and of a long one that is cut for the threads: all of them, or TMS_E_MEMORY; the object goes on working. */
static void masks_work(const tms_filter_params *p)
{
    (void)p;
    const uint64_t starts[] = {0, RECORD, 2 * RECORD, 3 * RECORD}, long_starts[] = {0, sizeof long_residues};
    const tms_seqs seqs = {.n_records = 3, .residues = mask_residues, .residue_starts = starts};
    const tms_seqs long_seqs = {.n_records = 1, .residues = long_residues, .residue_starts = long_starts};
    tms_masks *masks = (tms_masks *)(uintptr_t)1;
    long armed = countdown;
    tms_status status;
    ARMED(status, tms_masks_create(ctx, &masks));
    expect_ok_or_memory(status);
    assert_true((masks == NULL) == (status != TMS_OK));
    if (masks == NULL)
        return;
    countdown = armed;
    ARMED(status, tms_mask_dust(ctx, &long_seqs, NULL, masks));
    expect_ok_or_memory(status);
    assert_int_equal(tms_masks_list(masks).n_records, status == TMS_OK);
    for (int which = 0; which < 3; which++) {
        countdown = armed;
        ARMED(status, which == 0   ? tms_mask_seg(ctx, &seqs, NULL, masks)
                      : which == 1 ? tms_mask_dust(ctx, &seqs, NULL, masks)
                                   : tms_mask_lower_case(ctx, &seqs, masks));
        expect_ok_or_memory(status);
        assert_int_equal(tms_masks_list(masks).n_records, status == TMS_OK ? 3 : 0);
        if (status == TMS_OK)
            assert_int_equal(tms_masks_list(masks).starts[3] > 0, which < 2);
    }
    tms_masks_destroy(masks);
}

/* A search of two proteins among themselves: all of its results, or TMS_E_MEMORY; the search goes on working. */
static void proteins_work(const tms_filter_params *p)
{
    (void)p;
    enum { SHORT = 100, LONG = 700 };
    static uint8_t residues[SHORT + 1 + LONG + 1];
    static const uint64_t starts[] = {0, SHORT + 1, SHORT + 1 + LONG + 1}, header_starts[] = {0, 2, 4};
    static const uint32_t name_sizes[] = {1, 1};
    const tms_seqs seqs = {.n_records = 2,
                           .residues = residues,
                           .residue_starts = starts,
                           .headers = "a\0b",
                           .header_starts = header_starts,
                           .name_sizes = name_sizes};
    tms_blastp_params params = tms_blastp_defaults();
    tms_blastp *search = (tms_blastp *)ctx;
    tms_search_results *results = (tms_search_results *)ctx;
    tms_seqdb *db;
    sample_random random = {5};
    long armed = countdown;
    tms_status status;
    countdown = -1;
    for (size_t i = 0; i < sizeof residues; i++)
        residues[i] = i == SHORT || i == sizeof residues - 1 ? '\0' : (uint8_t) "ARNDCQEGHILKMFPSTWYV"[random_below(&random, 20)];
    memcpy(residues + SHORT + 1 + LONG / 2, residues, SHORT);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &seqs, TMS_PROTEIN, "t", &db));
    params.masks_seg = 1;
    params.as_subject_file = 1;
    countdown = armed;
    ARMED(status, tms_blastp_create(ctx, db, &params, &search));
    expect_ok_or_memory(status);
    assert_true((search == NULL) == (status != TMS_OK));
    if (search != NULL) {
        countdown = armed;
        ARMED(status, tms_blastp_search(search, &seqs, &results));
        expect_ok_or_memory(status);
        assert_true((results == NULL) == (status != TMS_OK));
        tms_search_results_destroy(results);
        countdown = -1;
        ASSERT_OK(ctx, tms_blastp_search(search, &seqs, &results));
        for (size_t i = 0; i < 2; i++) {
            tms_search_result result;
            tms_search_results_get(results, i, &result);
            assert_int_equal(result.n_subjects, 2);
        }
        tms_search_results_destroy(results);
    }
    tms_blastp_destroy(search);
    tms_seqdb_destroy(db);
    countdown = armed;
}

/* Counts the HSPs of the first query, and frees the results. */
static uint64_t count_hsps(tms_search_results *results)
{
    tms_search_result result;
    uint64_t n = 0;

    tms_search_results_get(results, 0, &result);
    for (size_t i = 0; i < result.n_subjects; i++)
        n += result.subjects[i].n_hsps;
    tms_search_results_destroy(results);
    return n;
}

/* The same with copies of a repeat, of which extensions have ends in common, on both strands; by either way of extension. */
static void bases_work(tms_blastn_task task, uint64_t culling_limit)
{
    enum { UNIT = 31, COPIES = 8, LENGTH = UNIT * COPIES };
    static uint8_t residues[2 * (LENGTH + 1)];
    static const uint64_t starts[] = {0, LENGTH + 1, 2 * (LENGTH + 1)}, header_starts[] = {0, 2, 4};
    static const uint32_t name_sizes[] = {1, 1};
    const tms_seqs seqs = {.n_records = 2,
                           .residues = residues,
                           .residue_starts = starts,
                           .headers = "a\0b",
                           .header_starts = header_starts,
                           .name_sizes = name_sizes};
    tms_blastn_params params = tms_blastn_defaults();
    tms_blastn *search = (tms_blastn *)ctx;
    tms_search_results *results = (tms_search_results *)ctx;
    tms_seqdb *db;
    sample_random random = {5};
    long armed = countdown;
    tms_status status;
    countdown = -1;
    for (size_t i = 0; i < LENGTH; i++)
        residues[i] = (uint8_t) "ACGT"[i < UNIT || random_below(&random, 30) == 0 ? random_below(&random, 4) : i * i % UNIT % 4];
    for (size_t i = 0; i < LENGTH; i++) /* the second record, of the other strand */
        residues[LENGTH + 1 + i] = random_below(&random, 40) == 0 ? 'N'
                                                                  : (uint8_t) "TGCA"[strchr("ACGT", residues[LENGTH - 1 - i]) - "ACGT"];
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &seqs, TMS_NUCLEOTIDE, "t", &db));
    params.task = task;
    params.word_size = 12;
    params.culling_limit = culling_limit;
    params.as_subject_file = 1;
    params.sum_statistics = task == TMS_TASK_BLASTN;
    countdown = armed;
    ARMED(status, tms_blastn_create(ctx, db, &params, &search));
    expect_ok_or_memory(status);
    assert_true((search == NULL) == (status != TMS_OK));
    if (search != NULL) {
        uint64_t n_hsps, n_whole;
        countdown = armed;
        ARMED(status, tms_blastn_search(search, &seqs, &results));
        expect_ok_or_memory(status);
        assert_true((results == NULL) == (status != TMS_OK));
        n_hsps = status == TMS_OK ? count_hsps(results) : 0;
        countdown = -1;
        ASSERT_OK(ctx, tms_blastn_search(search, &seqs, &results));
        n_whole = count_hsps(results);
        assert_true(n_whole >= 4);
        assert_true(status != TMS_OK || n_hsps == n_whole);
    }
    tms_blastn_destroy(search);
    tms_seqdb_destroy(db);
    countdown = armed;
}

static void megablast_work(const tms_filter_params *p)
{
    (void)p;
    bases_work(TMS_TASK_MEGABLAST, 0);
}

static void blastn_work(const tms_filter_params *p)
{
    (void)p;
    bases_work(TMS_TASK_BLASTN, 3);
}

static void databases(void **state)
{
    (void)state;
    assert_int_equal(sample_enter(), 0);
    sample_write_protein("a");
    sample_write_protein("b");
    sample_write_text("outer.pal", "DBLIST inner b\nLAST_OID 3\n");
    sample_write_text("inner.pal", "TITLE inner\nDBLIST a\n");
    assert_true(attempt_up_to(DATABASE_CASES, database_work, NULL) >= 20);
    assert_int_equal(sample_leave(), 0);
}

static void masks(void **state)
{
    (void)state;
    make_mask_residues();
    assert_true(attempt_up_to(MASK_CASES, masks_work, NULL) >= 12);
}

static void searches(void **state)
{
    (void)state;
    assert_true(attempt_up_to(SEARCH_CASES, proteins_work, NULL) >= 30);
    assert_true(attempt_up_to(SEARCH_CASES, megablast_work, NULL) >= 30);
    assert_true(attempt_up_to(SEARCH_CASES, blastn_work, NULL) >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(databases), cmocka_unit_test(masks), cmocka_unit_test(searches)};

    return cmocka_run_group_tests(tests, setup, teardown);
}
