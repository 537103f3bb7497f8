/* tms_dna_encode(): codes and runs are those of a definition of one letter, at every SIMD level and in any pieces. */
#include "unit/context_fixture.h"

#include "seq/dna_core.h"
#include "tamis/dna.h"

static const char others[] = "URYSWKMBDHVNXuryswkmbdhvnx";

/* The definition: 0 .. 3; 4 for another letter; -1 for no nucleotide. */
static int class_of(unsigned char c)
{
    static const char bases[] = "ACGTacgt";
    const char *at = c != 0 ? strchr(bases, c) : NULL;

    if (at != NULL)
        return (int)(at - bases) % 4;
    return c != 0 && strchr(others, c) != NULL ? 4 : -1;
}

/* Arrays to the byte; what lies in them at first must not matter. */
static tms_dna_room make_room(size_t bases, size_t runs)
{
    tms_dna_room room = {NULL, 0, bases, NULL, 0, runs};

    room.codes = malloc(TMS_DNA_WORDS(bases) * sizeof *room.codes);
    room.runs = malloc((runs + !runs) * sizeof *room.runs);
    assert_non_null(room.codes);
    assert_non_null(room.runs);
    memset(room.codes, 0xa5, TMS_DNA_WORDS(bases) * sizeof *room.codes);
    return room;
}

static void free_room(tms_dna_room *room)
{
    free(room->codes);
    free(room->runs);
}

static void check_room(const tms_dna_room *room, const char *letters, size_t n)
{
    size_t run = 0, in_run = 0;

    assert_int_equal(room->n_bases, n);
    for (size_t i = 0; i < n; i++) {
        int class = class_of((unsigned char)letters[i]);
        assert_int_equal(room->codes[i / 32] >> 2 * (i % 32) & 3, class == 4 ? 0 : class);
        if (class == 4 && in_run == 0) {
            assert_true(run < room->n_runs);
            assert_int_equal(room->runs[run].start, i);
        }
        if (class == 4)
            in_run++;
        if (in_run > 0 && (class != 4 || i + 1 == n)) {
            assert_int_equal(room->runs[run++].n_bases, in_run);
            in_run = 0;
        }
    }
    assert_int_equal(room->n_runs, run);
    if (n % 32 != 0)
        assert_int_equal(room->codes[n / 32] >> 2 * (n % 32), 0);
}

/* Letters with stretches of all kinds: ACGT, long runs of N, single others, both cases. */
static void random_letters(sample_random *random, char *letters, size_t n)
{
    size_t i = 0;

    while (i < n) {
        unsigned kind = (unsigned)random_next(random) % 8;
        size_t length = 1 + (size_t)random_next(random) % (kind < 2 ? 3 : 100);
        for (; length > 0 && i < n; length--, i++) {
            uint64_t v = random_next(random);
            letters[i] = kind < 2 ? others[v % (sizeof others - 1)] : kind < 4 ? "Nn"[v & 1] : kind < 6 ? "ACGTacgt"[v % 8] : "ACGT"[v % 4];
        }
    }
}

static void each_level(void (*test)(sample_random *random))
{
    for (int level = TMS_SIMD_SCALAR; level <= TMS_SIMD_AVX512; level++) {
        sample_random random = {sample_seed() + (uint64_t)level};
        if (tms_context_set_simd(ctx, (tms_simd)level) == TMS_OK)
            test(&random);
    }
}

static void definition(sample_random *random)
{
    for (size_t n = 0; n < 700; n++) {
        char *letters = malloc(n + !n);
        tms_dna_room room = make_room(n, n / 2 + 1);
        size_t n_done;
        random_letters(random, letters, n);
        ASSERT_OK(ctx, tms_dna_encode(ctx, &room, letters, n, &n_done));
        assert_int_equal(n_done, n);
        check_room(&room, letters, n);
        free_room(&room);
        free(letters);
    }
}

static void pieces(sample_random *random)
{
    enum { N = 5000 };
    char letters[N];

    for (int round = 0; round < 50; round++) {
        tms_dna_room room = make_room(N, N);
        size_t at = 0, n_done;
        random_letters(random, letters, N);
        while (at < N) {
            size_t n = (size_t)random_next(random) % (round % 2 ? 10 : 300);
            char *exact;
            n = n < N - at ? n : N - at;
            exact = malloc(n + !n);
            memcpy(exact, letters + at, n);
            ASSERT_OK(ctx, tms_dna_encode(ctx, &room, exact, n, &n_done));
            assert_int_equal(n_done, n);
            free(exact);
            at += n;
        }
        check_room(&room, letters, N);
        free_room(&room);
    }
}

/* Where bases or runs are full it stops without a loss, and goes on when there is room. */
static void capacity(sample_random *random)
{
    enum { N = 900 };
    char letters[N];

    for (int round = 0; round < 300; round++) {
        tms_dna_room room = make_room(N, N);
        size_t at = 0, n_done;
        random_letters(random, letters, N);
        room.bases_capacity = room.runs_capacity = 0;
        while (at < N) {
            size_t bases = room.n_bases, runs = room.n_runs;
            ASSERT_OK(ctx, tms_dna_encode(ctx, &room, letters + at, N - at, &n_done));
            assert_int_equal(room.n_bases, bases + n_done);
            assert_true(room.n_bases <= room.bases_capacity && room.n_runs <= room.runs_capacity);
            if (n_done < N - at && room.n_bases < room.bases_capacity) {
                assert_int_equal(class_of((unsigned char)letters[at + n_done]), 4);
                assert_int_equal(room.n_runs, room.runs_capacity);
            }
            at += n_done;
            check_room(&room, letters, at);
            if (room.n_bases == room.bases_capacity)
                room.bases_capacity += (size_t)random_next(random) % (N - at + 1);
            if (room.n_runs == room.runs_capacity && runs == room.n_runs)
                room.runs_capacity++;
        }
        free_room(&room);
    }
}

/* Every byte value, at positions that the vector code encodes and at others. */
static void bytes(sample_random *random)
{
    char letters[100];
    size_t n_done;

    for (int value = 0; value < 256; value++) {
        for (size_t at = 0; at < 100; at += 1 + (size_t)random_next(random) % 7) {
            tms_dna_room room = make_room(100, 10);
            memset(letters, "aCNg"[value % 4], sizeof letters);
            letters[at] = (char)value;
            if (class_of((unsigned char)value) >= 0) {
                ASSERT_OK(ctx, tms_dna_encode(ctx, &room, letters, 100, &n_done));
                check_room(&room, letters, 100);
            } else {
                ASSERT_FAILS(ctx, TMS_E_ARG, "is not a nucleotide", tms_dna_encode(ctx, &room, letters, 100, &n_done));
                assert_int_equal(n_done, at);
                check_room(&room, letters, at);
            }
            free_room(&room);
        }
    }
}

static void test_definition(void **state) { (void)state, each_level(definition); }
static void test_pieces(void **state) { (void)state, each_level(pieces); }
static void test_capacity(void **state) { (void)state, each_level(capacity); }
static void test_bytes(void **state) { (void)state, each_level(bytes); }

static void test_bad_room(void **state)
{
    tms_dna_room room = make_room(10, 1);
    size_t n_done;
    (void)state;

    room.n_bases = 11;
    ASSERT_FAILS(ctx, TMS_E_ARG, "10 bases", tms_dna_encode(ctx, &room, "A", 1, &n_done));
    free_room(&room);
}

/* The words of dna_core.h from what was encoded: base j of a w-mer at bits 2 j, and its complement from the other end. */
static void test_words(void **state)
{
    enum { N = 300 };
    sample_random random = {sample_seed()};
    tms_dna_room room = make_room(N, 1);
    char letters[N];
    size_t n_done;
    (void)state;

    for (size_t i = 0; i < N; i++)
        letters[i] = "ACGT"[random_next(&random) % 4];
    ASSERT_OK(ctx, tms_dna_encode(ctx, &room, letters, N, &n_done));
    for (unsigned w = 1; w <= 32; w++) {
        for (size_t i = 0; i + w <= N; i++) {
            uint64_t word = 0, complement = 0;
            for (unsigned j = 0; j < w; j++) {
                word |= (uint64_t)class_of((unsigned char)letters[i + j]) << 2 * j;
                complement |= (uint64_t)(3 - class_of((unsigned char)letters[i + w - 1 - j])) << 2 * j;
            }
            assert_int_equal(dna_word(room.codes, i, w), word);
            assert_int_equal(dna_reverse_complement(word, w), complement);
        }
    }
    free_room(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition), cmocka_unit_test(test_pieces),   cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_bytes),      cmocka_unit_test(test_bad_room), cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
