/*
 * windows.h against a definition that looks at every base of every window: words, positions, which windows there are,
 * walks cut anywhere, at every SIMD level.
 */
#include "unit/context_fixture.h"

#include "seq/windows.h"
#include "unit/dna_samples.h"

typedef struct expected {
    uint64_t *words;
    uint32_t *starts;
    size_t n;
} expected;

/* With both strands the smaller of the two words; an equal one (a palindrome) is not reversed. */
static expected expect(const dna_sample *s, unsigned w, tms_strand strand)
{
    size_t most = s->dna.n_bases;
    expected e = {sample_alloc(most * sizeof *e.words), sample_alloc(most * sizeof *e.starts), 0};
    for (size_t i = 0; i < most; i++) {
        if (!dna_is_window(s, i, w))
            continue;
        int reversed = strand == TMS_STRAND_BOTH && dna_minus(s, i, w) < dna_plus(s, i, w);
        e.words[e.n] = reversed ? dna_minus(s, i, w) : dna_plus(s, i, w);
        e.starts[e.n++] = (uint32_t)i | (reversed ? WINDOW_REVERSED : 0);
    }
    return e;
}

static void free_expected(expected *e)
{
    free(e->words);
    free(e->starts);
}

/* Walks over [first, end) by batches, of `batch` or else of random sizes, and expects windows e->words[at] on. Returns
 * where it ended. */
static size_t walk_over(sample_random *r, const struct windows *windows, uint32_t first, uint32_t end, size_t batch, const expected *e,
                        size_t at)
{
    struct windows_walk walk = windows_begin(windows, first, end);
    while (at < e->n && (e->starts[at] & ~WINDOW_REVERSED) < first)
        at++;
    for (;;) {
        size_t size = batch ? batch : 1 + (size_t)random_below(r, 40);
        uint64_t *words = sample_alloc(size * sizeof *words);
        uint32_t *starts = sample_alloc(size * sizeof *starts);
        size_t n = windows_next(&walk, words, starts, size);
        assert_true(n <= size);
        for (size_t i = 0; i < n; i++, at++) {
            if (at >= e->n || starts[i] != e->starts[at] || words[i] != e->words[at])
                fail_msg("w = %u, strand %d, %s, walk %u..%u, batch %zu: window %zu at %x is %llx; expected %llx at %x", windows->word_size,
                         (int)windows->strand, tms_simd_name(windows->simd), first, end, batch, at, starts[i], (unsigned long long)words[i],
                         at < e->n ? (unsigned long long)e->words[at] : 0, at < e->n ? e->starts[at] : 0);
            assert_true((starts[i] & ~WINDOW_REVERSED) < end);
        }
        free(words);
        free(starts);
        if (n == 0)
            break;
        assert_true(n == size || windows_next(&walk, NULL, NULL, 0) == 0);
    }
    /* Nothing was left out. */
    assert_true(at == e->n || (e->starts[at] & ~WINDOW_REVERSED) >= end);
    return at;
}

static void check_valid(const dna_sample *s, const struct windows *windows)
{
    for (size_t first = 0; first < s->dna.n_bases + 70; first += 32) {
        uint32_t valid = windows_valid_word(windows->ranges, windows->n_ranges, (uint32_t)first);
        for (size_t i = 0; i < 32; i++)
            assert_int_equal(valid >> i & 1, first + i < s->dna.n_bases && dna_is_window(s, first + i, windows->word_size));
    }
}

/* Windows in any order, each as often as it comes; and whether one of all is a palindrome. */
static void check_at(sample_random *r, const dna_sample *s, const struct windows *windows, const expected *e)
{
    size_t n = e->n ? (size_t)random_below(r, 40) : 0;
    uint32_t *bases = sample_alloc(n * sizeof *bases);
    uint64_t *words = sample_alloc(n * sizeof *words);
    unsigned w = windows->word_size;
    bool any_palindrome = false, seen = false;
    for (size_t i = 0; i < n; i++)
        bases[i] = e->starts[random_below(r, e->n)] & ~WINDOW_REVERSED;
    windows_at(windows, bases, n, words);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(words[i], dna_kept(s, bases[i], w, windows->strand));
    for (size_t i = 0; i < e->n && windows->strand == TMS_STRAND_BOTH; i++) {
        size_t base = e->starts[i] & ~WINDOW_REVERSED;
        any_palindrome |= dna_plus(s, base, w) == dna_minus(s, base, w);
    }
    struct windows_walk walk = windows_begin(windows, 0, (uint32_t)s->dna.n_bases);
    uint64_t some[9];
    uint32_t starts[9];
    while (windows_next(&walk, some, starts, 9))
        seen |= walk.any_palindrome;
    assert_int_equal(seen, any_palindrome);
    free(bases);
    free(words);
}

static void check_strand(sample_random *r, const dna_sample *s, unsigned w, tms_strand strand)
{
    uint32_t n = (uint32_t)s->dna.n_bases, a, b;
    expected e = expect(s, w, strand);
    struct windows windows;
    size_t at = 0;
    ASSERT_OK(ctx, windows_find(ctx, &s->dna, w, strand, &windows));
    assert_int_equal(windows.n_windows, e.n);
    for (size_t i = 0; i < windows.n_ranges; i++) {
        assert_true(windows.ranges[i].first < windows.ranges[i].end);
        assert_true(i == 0 || windows.ranges[i].first >= windows.ranges[i - 1].end);
    }
    assert_int_equal(walk_over(r, &windows, 0, n, 0, &e, 0), e.n);
    assert_int_equal(walk_over(r, &windows, 0, n, 1 + (size_t)random_below(r, 700), &e, 0), e.n);
    assert_int_equal(walk_over(r, &windows, 0, n, 1, &e, 0), e.n);
    /* Cut anywhere, empty pieces included: the pieces together are the whole. */
    for (a = 0; a < n; a = b) {
        b = a + (uint32_t)random_below(r, n - a + 1);
        at = walk_over(r, &windows, a, b, 0, &e, at);
        if (b == a)
            b++, at = walk_over(r, &windows, a, b, 0, &e, at);
    }
    assert_int_equal(at, e.n);
    check_valid(s, &windows);
    check_at(r, s, &windows, &e);
    windows_free(&windows);
    free_expected(&e);
}

static void check_sample(sample_random *r, const dna_sample *s, unsigned w)
{
    EACH_SIMD(ctx, level)
    for (int strand = TMS_STRAND_BOTH; strand <= TMS_STRAND_MINUS; strand++)
        check_strand(r, s, w, (tms_strand)strand);
}

static void random_sequences(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    int rounds = sample_is_quick() ? 1 : 6;
    for (int round = 0; round < rounds; round++)
        for (unsigned w = TMS_SEEDS_MIN_WORD; w <= TMS_SEEDS_MAX_WORD; w++) {
            dna_sample s = dna_random(&r, (size_t)random_below(&r, 900), 1 + (size_t)random_below(&r, 7), round % 2);
            check_sample(&r, &s, w);
            dna_free(&s);
        }
}

/* Every length around the word size and around packed words, as one part. */
static void short_sequences(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 1};
    for (unsigned w = TMS_SEEDS_MIN_WORD; w <= TMS_SEEDS_MAX_WORD; w += sample_is_quick() ? 4 : 1)
        for (size_t n = 0; n < 70; n++) {
            dna_sample s = dna_random(&r, n, 1, 0);
            check_sample(&r, &s, w);
            dna_free(&s);
        }
}

/* Runs at both ends, next to each other, over the end of a part, over whole parts; empty parts. */
static void where_runs_lie(void **state)
{
    (void)state;
    static const char *const letters[] = {
        "",
        "|",
        "||",
        "ACGTACGT",
        "ACGTACG",
        "NACGTACGTN",
        "NNNNNNNNNN",
        "ACGTACGTN|NACGTACGT",
        "ACGTACGTNN|ACGTACGT",
        "ACGTACGT|NNACGTACGT",
        "ACGTACGTAN|NNNNNN|NNACGTACGTT",
        "ACGTACGTA|NNNNNN|CACGTACGTT",
        "|ACGTACGTT||TTTTTTTTT|",
        "ACGTACGTN||NACGTACGTNCGTACGTATN|",
        "ACGT|ACGTACGTAC|GTACGTACG|TA",
        "ACGTACGTRACGTACGYACGTACGTNNACGTACGTNNNACGTACG",
        "NNNN|NNNNACGTTGCA",
        "TTGCAACC|N|TTGCAACCA",
    };
    sample_random r = {sample_seed() + 2};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        for (unsigned w = 8; w <= 10; w++) {
            dna_sample s = dna_from_letters(letters[i]);
            check_sample(&r, &s, w);
            dna_free(&s);
        }
}

/* Two runs that touch are as one. */
static void adjacent_runs(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 3};
    dna_sample s = dna_from_letters("ACGTACGTANNNNNNACGTACGTACC");
    tms_dna_run runs[] = {{9, 2}, {11, 1}, {12, 3}};
    s.dna.runs = runs;
    s.dna.n_runs = 3;
    check_sample(&r, &s, 8);
    dna_free(&s);
}

/* A word around each place of a palindrome: it is not taken as reversed. */
static void palindromes(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 4};
    for (unsigned w = 8; w <= 32; w += 2) {
        uint8_t *bases = sample_alloc(3 * w);
        for (size_t i = 0; i < 3 * w; i++)
            bases[i] = (uint8_t)random_below(&r, 4);
        for (size_t i = 0; i < w / 2; i++)
            bases[2 * w - 1 - i] = (uint8_t)(3 - bases[w + i]);
        dna_sample s = dna_from_bases(&r, bases, 3 * w, NULL, 0);
        assert_int_equal(dna_plus(&s, w, w), dna_minus(&s, w, w));
        check_sample(&r, &s, w);
        dna_free(&s);
    }
}

static void not_as_dna_h_says(void **state)
{
    (void)state;
    uint64_t codes[TMS_DNA_WORDS(20)] = {0};
    struct windows windows;
    tms_dna_part gap[] = {{"a", 0, 0, 0, 9}, {"b", 1, 0, 10, 10}}, overlap[] = {{"a", 0, 0, 0, 11}, {"b", 1, 0, 10, 10}},
                 late[] = {{"a", 0, 0, 1, 19}}, brief[] = {{"a", 0, 0, 0, 19}}, beyond[] = {{"a", 0, 0, 0, 21}},
                 whole[] = {{"a", 0, 0, 0, 20}}, wraps[] = {{"a", 0, 0, 0, 20}, {"b", 1, 0, 20, UINT32_MAX}, {"c", 2, 0, 19, 1}};
    tms_dna_run crossing[] = {{2, 5}, {6, 2}}, descending[] = {{9, 2}, {2, 1}}, out[] = {{15, 6}}, far[] = {{UINT32_MAX, UINT32_MAX}},
                empty[] = {{10, 0}};
    struct {
        tms_dna dna;
        const char *word;
    } cases[] = {
        {{codes, 20, gap, 2, NULL, 0}, "part 1"},
        {{codes, 20, overlap, 2, NULL, 0}, "part 1"},
        {{codes, 20, late, 1, NULL, 0}, "part 0"},
        {{codes, 20, brief, 1, NULL, 0}, "19 bases"},
        {{codes, 20, beyond, 1, NULL, 0}, "21 bases"},
        {{codes, 20, NULL, 0, NULL, 0}, "0 bases"},
        {{codes, 20, wraps, 3, NULL, 0}, "part 2"},
        {{codes, 20, whole, 1, crossing, 2}, "run 1"},
        {{codes, 20, whole, 1, descending, 2}, "run 1"},
        {{codes, 20, whole, 1, out, 1}, "run 0"},
        {{codes, 20, whole, 1, far, 1}, "run 0"},
        {{codes, 20, whole, 1, empty, 1}, "is empty"},
        {{codes, TMS_DNA_MAX_BASES + 1, whole, 1, NULL, 0}, "at most"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ASSERT_FAILS(ctx, TMS_E_ARG, cases[i].word, windows_find(ctx, &cases[i].dna, 8, TMS_STRAND_BOTH, &windows));
        windows_free(&windows);
    }
    tms_dna fine = {codes, 20, whole, 1, NULL, 0};
    ASSERT_OK(ctx, windows_find(ctx, &fine, 8, TMS_STRAND_BOTH, &windows));
    assert_int_equal(windows.n_windows, 13);
    windows_free(&windows);
}

/* Walks of a longer sequence that begin and end at the ends of packed words. */
static void long_walks(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 5};
    static const unsigned ws[] = {8, 11, 16, 25, 26, 31, 32};
    dna_sample s = dna_random(&r, sample_is_quick() ? 5000 : 40000, 3, 1);
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        expected e = expect(&s, ws[i], TMS_STRAND_BOTH);
        EACH_SIMD(ctx, level)
        {
            struct windows windows;
            size_t at = 0;
            ASSERT_OK(ctx, windows_find(ctx, &s.dna, ws[i], TMS_STRAND_BOTH, &windows));
            for (uint32_t a = 0; a < s.dna.n_bases; a += 1 + (uint32_t)(32 * i)) {
                uint32_t b = a + 1 + (uint32_t)(32 * i);
                at = walk_over(&r, &windows, a, b < s.dna.n_bases ? b : (uint32_t)s.dna.n_bases, 1024, &e, at);
            }
            assert_int_equal(at, e.n);
            windows_free(&windows);
        }
        free_expected(&e);
    }
    dna_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences), cmocka_unit_test(short_sequences), cmocka_unit_test(where_runs_lie),
        cmocka_unit_test(adjacent_runs),    cmocka_unit_test(palindromes),     cmocka_unit_test(not_as_dna_h_says),
        cmocka_unit_test(long_walks),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
