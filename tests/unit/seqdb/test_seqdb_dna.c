/* test_seqdb_dna.c - bases of a database for the w-mer walk: those that the letters encode to, from any base on, cut anywhere. */
#include "tamis/dna.h"
#include "tamis/seqdb.h"
#include "unit/context_fixture.h"

enum { MOST = 5000 };

static char letters[MOST + 1];

/* Mostly bases; runs of N and other letters, some of them next to each other. */
static void make_letters(sample_random *r, size_t n)
{
    for (size_t i = 0; i < n;) {
        static const char others[] = "NNNRYKMSWBDHV";
        char other = others[random_below(r, sizeof others - 1)];
        size_t run = random_below(r, 40) ? 0 : 1 + (size_t)random_below(r, random_below(r, 4) ? 5 : 500);
        for (; run > 0 && i < n; run--)
            letters[i++] = other;
        if (i < n)
            letters[i++] = "ACGTacgt"[random_below(r, 8)];
    }
    letters[n] = '\0';
}

static tms_seqdb *database(size_t n)
{
    uint64_t starts[] = {0, n + 1}, header_starts[] = {0, 2};
    tms_seqs seqs = {
        .n_records = 1, .residues = (const uint8_t *)letters, .residue_starts = starts, .headers = "x", .header_starts = header_starts};
    tms_seqdb *db;
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &seqs, TMS_NUCLEOTIDE, "t", &db));
    return db;
}

struct room {
    uint64_t codes[TMS_DNA_WORDS(2 * MOST)];
    tms_dna_run runs[MOST];
    tms_dna_room room;
};

static void begin(struct room *r, size_t n_before, size_t bases_capacity, size_t runs_capacity)
{
    size_t done;
    memset(r->codes, 0xee, sizeof r->codes);
    r->room = (tms_dna_room){r->codes, 0, 2 * MOST, r->runs, 0, MOST};
    ASSERT_OK(ctx, tms_dna_encode(ctx, &r->room, "GATTACANNNNNNGATTACANGATTACANNNNNNGATTACAN", n_before, &done));
    r->room.bases_capacity = bases_capacity;
    r->room.runs_capacity = runs_capacity;
}

static void assert_same_room(const tms_dna_room *a, const tms_dna_room *b)
{
    assert_int_equal(a->n_bases, b->n_bases);
    assert_int_equal(a->n_runs, b->n_runs);
    assert_memory_equal(a->runs, b->runs, a->n_runs * sizeof *a->runs);
    for (size_t i = 0; i < a->n_bases; i++)
        if ((a->codes[i / 32] >> 2 * (i % 32) & 3) != (b->codes[i / 32] >> 2 * (i % 32) & 3))
            fail_msg("base %zu of %zu", i, a->n_bases);
}

static struct room want, got;

static void test_as_letters(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    for (size_t n = 1; n < MOST; n = n < 70 ? n + 1 : 2 * n + (size_t)random_below(&r, 9)) {
        tms_seqdb *db;
        make_letters(&r, n);
        db = database(n);
        for (int i = 0; i < 40; i++) {
            uint64_t start = random_below(&r, n + 1), end = start + random_below(&r, n - start + 1), done;
            size_t before = (size_t)random_below(&r, 42), encoded;
            begin(&want, before, 2 * MOST, MOST);
            begin(&got, before, 2 * MOST, MOST);
            ASSERT_OK(ctx, tms_dna_encode(ctx, &want.room, letters + start, end - start, &encoded));
            assert_int_equal(tms_seqdb_dna(db, 0, start, end, &got.room, &done), TMS_OK);
            assert_int_equal(done, end - start);
            assert_same_room(&want.room, &got.room);
        }
        tms_seqdb_destroy(db);
    }
}

/* Where bases or runs are full, it goes on in a new room. */
static void test_in_pieces(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 1};
    for (int i = 0; i < 200; i++) {
        size_t n = 1 + (size_t)random_below(&r, 2000), n_other = 0, n_in_runs = 0;
        tms_seqdb *db;
        make_letters(&r, n);
        db = database(n);
        for (uint64_t at = 0, done; at < n; at += done) {
            size_t capacity = 1 + (size_t)random_below(&r, 300), runs = 1 + (size_t)random_below(&r, 3), encoded;
            begin(&want, 0, capacity, runs);
            begin(&got, 0, capacity, runs);
            assert_int_equal(tms_seqdb_dna(db, 0, at, n, &got.room, &done), TMS_OK);
            ASSERT_OK(ctx, tms_dna_encode(ctx, &want.room, letters + at, n - at, &encoded));
            assert_int_equal(done, encoded);
            assert_true(done > 0);
            assert_same_room(&want.room, &got.room);
            for (size_t k = 0; k < got.room.n_runs; k++)
                n_in_runs += got.room.runs[k].n_bases;
        }
        for (size_t k = 0; k < n; k++)
            n_other += strchr("ACGTacgt", letters[k]) == NULL;
        assert_int_equal(n_in_runs, n_other);
        tms_seqdb_destroy(db);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_letters),
        cmocka_unit_test(test_in_pieces),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
