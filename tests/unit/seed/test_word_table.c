/*
 * word_table.h against a sorted array of all words and positions of the query, or of any pairs: the table has every word once, with all its
 * positions in order, and no other word; its bytes do not depend on the number of threads.
 */
#include "unit/context_fixture.h"

#include <malloc.h>

#include "seed/word_table.h"
#include "unit/dna_samples.h"

typedef struct pair {
    uint64_t word;
    uint32_t place; /* base * 2, plus 1 if the table has the reverse complement of the word there */
} pair;

static int by_word_and_place(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return x->word != y->word ? (x->word < y->word ? -1 : 1) : (x->place > y->place) - (x->place < y->place);
}

static size_t all_pairs(const dna_sample *s, unsigned w, tms_strand strand, pair **out)
{
    pair *pairs = sample_alloc(2 * s->dna.n_bases * sizeof *pairs);
    size_t n = 0;
    for (size_t i = 0; i < s->dna.n_bases; i++) {
        if (!dna_is_window(s, i, w))
            continue;
        uint64_t plus = dna_plus(s, i, w), minus = dna_minus(s, i, w);
        uint32_t place = (uint32_t)(2 * i);
        if (strand == TMS_STRAND_PLUS || (strand == TMS_STRAND_BOTH && plus <= minus))
            pairs[n++] = (pair){plus, place};
        if (strand == TMS_STRAND_MINUS || (strand == TMS_STRAND_BOTH && minus <= plus)) /* a palindrome is there twice */
            pairs[n++] = (pair){minus, place + 1};
    }
    qsort(pairs, n, sizeof *pairs, by_word_and_place);
    *out = pairs;
    return n;
}

static void check_entry(const struct word_table *table, uint32_t entry, const pair *pairs, size_t n)
{
    assert_true(entry < table->n_distinct);
    uint32_t first = table->entries[entry].first;
    if (table->entries[entry + 1].first - first != n)
        fail_msg("%u bits: word %llx has %u places, not %zu", table->word_bits, (unsigned long long)pairs->word,
                 table->entries[entry + 1].first - first, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(table->positions[first + i], pairs[i].place);
}

/* In batches of random sizes: entries must be expected[]. */
static void check_look_up(sample_random *r, const struct word_table *table, const uint64_t *words, const uint32_t *expected, size_t n)
{
    for (size_t at = 0, some; at < n; at += some) {
        uint32_t *entries;
        some = random_below(r, 3) ? WORD_TABLE_BATCH : (size_t)random_below(r, WORD_TABLE_BATCH + 1);
        some = some < n - at ? some : n - at;
        uint64_t *exact = sample_alloc(some * sizeof *exact);
        memcpy(exact, words + at, some * sizeof *exact);
        entries = sample_alloc(some * sizeof *entries);
        word_table_look_up(table, exact, some, entries);
        for (size_t i = 0; i < some; i++)
            if (entries[i] != expected[at + i])
                fail_msg("%u bits: word %llx is looked up as %x, not %x", table->word_bits, (unsigned long long)exact[i], entries[i],
                         expected[at + i]);
        free(exact);
        free(entries);
    }
}

static int has_word(const pair *pairs, size_t n, uint64_t word)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (pairs[middle].word < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && pairs[low].word == word;
}

static void check_words(sample_random *r, const struct word_table *table, const pair *pairs, size_t n)
{
    unsigned bits = table->word_bits;
    uint64_t mask = ~(uint64_t)0 >> (64 - bits), *words = sample_alloc((n + 5 * n + 1000) * sizeof *words);
    uint32_t *expected = sample_alloc((n + 5 * n + 1000) * sizeof *expected), n_words = 0, n_distinct = 0;
    uint8_t *seen = calloc(table->n_distinct + 1, 1);
    assert_non_null(seen);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && pairs[end].word == pairs[i].word; end++)
            continue;
        uint32_t entry = word_find(table, word_mix(pairs[i].word, bits));
        check_entry(table, entry, pairs + i, end - i);
        assert_int_equal(seen[entry], 0);
        seen[entry] = 1;
        n_distinct++;
        words[n_words] = pairs[i].word;
        expected[n_words++] = entry;
    }
    assert_int_equal(table->n_distinct, n_distinct);
    assert_int_equal(table->n_positions, n);
    /* Words similar to those in the table, and random ones. */
    size_t n_others = n_words < 5 * n + 1000 - n ? n_words : n;
    for (size_t i = 0; i < n_others + 1000; i++) {
        uint64_t word = i < n_others ? words[i] ^ (uint64_t)1 << random_below(r, bits) : random_next(r) & mask;
        if (has_word(pairs, n, word))
            continue;
        assert_int_equal(word_find(table, word_mix(word, bits)), WORD_NONE);
        words[n_words] = word;
        expected[n_words++] = WORD_NONE;
    }
    check_look_up(r, table, words, expected, n_words);
    free(words);
    free(expected);
    free(seen);
}

static void assert_same_table(const struct word_table *a, const struct word_table *b)
{
    size_t n_buckets = ((size_t)1 << a->bucket_bits) + 1;
    assert_int_equal(a->bucket_bits, b->bucket_bits);
    assert_int_equal(a->n_distinct, b->n_distinct);
    assert_int_equal(a->n_positions, b->n_positions);
    assert_int_equal(!a->high, !b->high);
    assert_same_bytes("buckets", a->buckets, n_buckets * sizeof *a->buckets, b->buckets, n_buckets * sizeof *b->buckets);
    assert_same_bytes("entries", a->entries, (a->n_distinct + 1) * sizeof *a->entries, b->entries,
                      (b->n_distinct + 1) * sizeof *b->entries);
    assert_same_bytes("places", a->positions, a->n_positions * sizeof *a->positions, b->positions, b->n_positions * sizeof *b->positions);
    if (a->high)
        assert_same_bytes("high", a->high, a->n_distinct * sizeof *a->high, b->high, b->n_distinct * sizeof *b->high);
}

static void check_strand(sample_random *r, const dna_sample *s, unsigned w, tms_strand strand)
{
    static const int many[] = {2, 3, 7};
    int threads[] = {1, many[random_below(r, 3)], 2}, n_builds = s->dna.n_bases > 5000 ? 3 : 2;
    struct word_table first = {0};
    pair *pairs;
    size_t n = all_pairs(s, w, strand, &pairs);
    int level = (int)random_below(r, 3);
    for (int t = 0; t < n_builds; t++) {
        struct word_table table;
        struct windows windows;
        ASSERT_OK(ctx, tms_context_set_threads(ctx, threads[t]));
        do
            level = (level + 1) % 3;
        while (!dna_take_simd(ctx, level));
        ASSERT_OK(ctx, windows_find(ctx, &s->dna, w, strand, &windows));
        ASSERT_OK(ctx, word_table_build(ctx, &windows, s->dna.n_bases, &table));
        windows_free(&windows);
        if (t == 0) {
            check_words(r, &table, pairs, n);
            first = table;
        } else {
            assert_same_table(&first, &table);
            word_table_free(&table);
        }
    }
    word_table_free(&first);
    free(pairs);
}

static void check_sample(sample_random *r, const dna_sample *s, unsigned w)
{
    for (int strand = TMS_STRAND_BOTH; strand <= TMS_STRAND_MINUS; strand++)
        check_strand(r, s, w, (tms_strand)strand);
}

static void every_word_size(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    for (unsigned w = TMS_SEEDS_MIN_WORD; w <= TMS_SEEDS_MAX_WORD; w += SAMPLES_TSAN ? 4 : 1)
        for (size_t n = 0; n < 3000; n = 2 * n + (size_t)random_below(&r, 30)) {
            dna_sample s = dna_random(&r, n, 1 + (size_t)random_below(&r, 4), (int)random_below(&r, 2));
            check_sample(&r, &s, w);
            dna_free(&s);
        }
}

/* Around a single window. */
static void few_words(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 1};
    static const unsigned ws[] = {8, 9, 16, 17, 27, 28, 31, 32};
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++)
        for (size_t n = ws[i] - 1; n < ws[i] + 5; n++) {
            dna_sample s = dna_random(&r, n, 1, 0);
            check_sample(&r, &s, ws[i]);
            dna_free(&s);
        }
}

static void many_words(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 2};
    static const unsigned ws[] = {8, 11, 12, 16, 24, 25, 28, 32};
    size_t n = sample_is_quick() ? 20000 : 100000;
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        dna_sample s = dna_random(&r, n + (size_t)random_below(&r, n), 5, 1);
        check_sample(&r, &s, ws[i]);
        dna_free(&s);
    }
}

static void repeats(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 3};
    size_t n = sample_is_quick() ? 6000 : 50000;
    static const size_t periods[] = {1, 2, 3, 7, 64, 1000, 3000};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++)
        for (unsigned w = 8; w <= 32; w += 8) {
            uint8_t *bases = sample_alloc(n);
            for (size_t j = 0; j < n; j++)
                bases[j] = i == 0 ? 0 : j < periods[i] ? (uint8_t)random_below(&r, 4) : bases[j - periods[i]];
            dna_sample s = dna_from_bases(&r, bases, n, NULL, 0);
            check_sample(&r, &s, w);
            dna_free(&s);
        }
    /* A sequence followed by its reverse complement: every word is there both ways. */
    for (unsigned w = 8; w <= 32; w += 3) {
        uint8_t *bases = sample_alloc(n);
        for (size_t j = 0; j < n; j++)
            bases[j] = j < n / 2 ? (uint8_t)random_below(&r, 4) : (uint8_t)(3 - bases[n - 1 - j]);
        dna_sample s = dna_from_bases(&r, bases, n, NULL, 0);
        check_sample(&r, &s, w);
        dna_free(&s);
    }
}

/* ATATAT..., GCGCGC...: repeated palindromes, at every second position. */
static void palindromes(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 4};
    enum { N = 2100 };
    for (unsigned w = 8; w <= 32; w += 2)
        for (int kind = 0; kind < 2; kind++) {
            uint8_t *bases = sample_alloc(N);
            for (size_t j = 0; j < N; j++)
                bases[j] = (uint8_t)(kind ? (j % 2 ? 1 : 2) : (j % 2 ? 3 : 0));
            dna_sample s = dna_from_bases(&r, bases, N, NULL, 0);
            check_sample(&r, &s, w);
            dna_free(&s);
        }
}

/* --- words that were made to collide --- */

/* The x with x * odd = 1 modulo 2^64. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

static uint64_t unmix(uint64_t mixed, unsigned bits)
{
    uint64_t mask = ~(uint64_t)0 >> (64 - bits), x = mixed * inverse(0xD6E8FEB86659FD93u) & mask;
    x ^= x >> (bits + 1) / 2;
    return x * inverse(0x9E3779B97F4A7C15u) & mask;
}

static void mixing_is_one_to_one(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 5};
    for (unsigned bits = 1; bits <= 64; bits++)
        for (int i = 0; i < 1000; i++) {
            uint64_t word = random_next(&r) >> (64 - bits), mixed = word_mix(word, bits);
            assert_true((mixed & ~(~(uint64_t)0 >> (64 - bits))) == 0);
            assert_int_equal(unmix(mixed, bits), word);
        }
}

/*
 * A part for each word. Mixed words of one bucket, 1 to 12 of them and in any order, which differ in the lowest or in
 * the highest bits of the rest only: look-ups must not find the others.
 */
static void full_buckets(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 6};
    enum { PARTS = 64 };
    for (unsigned w = 12; w <= 32; w += w < 24 ? 4 : 1)
        for (unsigned in = 1; in <= 12; in++)
            for (int is_high = 0; is_high < 2; is_high++) {
                uint64_t mask = ~(uint64_t)0 >> (64 - 2 * w);
                unsigned rest_bits = 2 * w - 6; /* 64 windows: 2^6 buckets */
                uint64_t base = random_next(&r) & mask, offset = is_high ? (uint64_t)1 << (rest_bits - 5) : 1;
                uint8_t *bases = sample_alloc(PARTS * w);
                size_t ends[PARTS];
                base &= ~(31 * offset);
                for (size_t p = 0; p < PARTS; p++) {
                    uint64_t word = unmix((base + (p * 13 % in) * 2 * offset) & mask, 2 * w);
                    for (unsigned j = 0; j < w; j++)
                        bases[p * w + j] = (uint8_t)(word >> 2 * j & 3);
                    ends[p] = (p + 1) * w;
                }
                dna_sample s = dna_from_bases(&r, bases, PARTS * w, ends, PARTS);
                if (in % 4 == 1)
                    check_strand(&r, &s, w, TMS_STRAND_PLUS);
                struct windows windows;
                struct word_table table;
                ASSERT_OK(ctx, windows_find(ctx, &s.dna, w, TMS_STRAND_PLUS, &windows));
                ASSERT_OK(ctx, word_table_build(ctx, &windows, s.dna.n_bases, &table));
                assert_int_equal(table.bucket_bits, 6);
                assert_int_equal(table.n_distinct, in);
                uint64_t asked[64];
                uint32_t entries[64];
                for (unsigned i = 0; i < 32; i++)
                    asked[i] = unmix((base + i * offset) & mask, 2 * w);
                word_table_look_up(&table, asked, 32, entries);
                for (unsigned i = 0; i < 32; i++) {
                    assert_int_equal(entries[i] != WORD_NONE, i % 2 == 0 && i / 2 < in);
                    assert_int_equal(entries[i], word_find(&table, word_mix(asked[i], 2 * w)));
                }
                word_table_free(&table);
                windows_free(&windows);
                dna_free(&s);
            }
}

/* --- frequent words --- */

/* n bases that repeat with a short period, followed by random ones. */
static dna_sample frequent_and_others(sample_random *r, size_t n, size_t period, size_t n_others)
{
    uint8_t *bases = sample_alloc(n + n_others);
    for (size_t j = 0; j < n; j++)
        bases[j] = (uint8_t)(j % period ? 1 : 0);
    dna_fill(r, bases + n, n_others, 0);
    return dna_from_bases(r, bases, n + n_others, NULL, 0);
}

/* A word that is most of its partition, with other words before and behind it. */
static void frequent_words(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 7};
    static const unsigned ws[] = {8, 16, 32};
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++)
        for (size_t period = 1; period <= (i == 1 ? 2 : 1); period++) {
            dna_sample s = frequent_and_others(&r, period * 140000, period, 20000);
            check_strand(&r, &s, ws[i], period == 1 ? TMS_STRAND_BOTH : TMS_STRAND_PLUS);
            dna_free(&s);
        }
}

/* kB of "VmHWM" and the like in /proc/self/status */
static size_t memory_kb(const char *name)
{
    char line[256];
    size_t kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            kb = strtoul(line + strlen(name) + 1, NULL, 10);
    fclose(file);
    assert_true(kb > 0);
    return kb;
}

static int reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    int done = file && fputs("5", file) >= 0;
    return file && fclose(file) == 0 && done;
}

/* Memory of building, for any frequency of words: at most the bytes per position that doc/seeds.md gives for the table. */
static void memory(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 8};
    static const struct {
        size_t n, period, n_others;
        unsigned w, bytes; /* a base */
    } cases[] = {{8000000, 1, 0, 16, 16}, {8000000, 1, 0, 32, 16}, {8000000, 2, 1000, 16, 16},
                 {0, 1, 2000000, 16, 16}, {0, 1, 2000000, 32, 20}, {2000000, 1, 2000000, 16, 16}};
    if (SAMPLES_SANITIZED || !reset_peak())
        skip();
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 1));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dna_sample s = frequent_and_others(&r, cases[i].n, cases[i].period, cases[i].n_others);
        struct windows windows;
        struct word_table table;
        ASSERT_OK(ctx, windows_find(ctx, &s.dna, cases[i].w, TMS_STRAND_BOTH, &windows));
        malloc_trim(0);
        assert_true(reset_peak());
        size_t before = memory_kb("VmRSS");
        ASSERT_OK(ctx, word_table_build(ctx, &windows, s.dna.n_bases, &table));
        size_t took = (memory_kb("VmHWM") - before) * 1024, most = s.dna.n_bases * cases[i].bytes + (8 << 20);
        word_table_free(&table);
        windows_free(&windows);
        dna_free(&s);
        if (took > most)
            fail_msg("case %zu: %zu bytes, %zu at most", i, took, most);
    }
}

/* --- pairs --- */

/* n pairs of words below 2^bits, of which a few come again and again; positions ascend, and several words share one. */
static void check_pairs(sample_random *r, size_t n, unsigned bits, uint64_t n_frequent)
{
    struct word_pair *given = sample_alloc((n + 1) * sizeof *given);
    pair *sorted = sample_alloc((n + 1) * sizeof *sorted);
    struct word_table first = {0};
    uint32_t place = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t word = random_next(r) >> (64 - bits);
        if (n_frequent > 0 && random_below(r, 2))
            word = (random_below(r, n_frequent) * 0x9E3779B97F4A7C15u) >> (64 - bits);
        place += (uint32_t)random_below(r, 3);
        given[i] = (struct word_pair){word, place};
        sorted[i] = (pair){word, place};
    }
    qsort(sorted, n, sizeof *sorted, by_word_and_place);
    for (int threads = 1; threads <= 4; threads += 3) {
        struct word_table table;
        ASSERT_OK(ctx, tms_context_set_threads(ctx, threads));
        ASSERT_OK(ctx, word_table_build_pairs(ctx, given, n, bits, &table));
        if (threads == 1) {
            check_words(r, &table, sorted, n);
            first = table;
        } else {
            assert_same_table(&first, &table);
            word_table_free(&table);
        }
    }
    word_table_free(&first);
    free(given);
    free(sorted);
}

/* Words of proteins have 5 bits per residue; words of other alphabets any number. */
static void any_pairs(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 9};
    static const unsigned bits[] = {1, 2, 7, 10, 15, 20, 25, 31, 32, 33, 47, 63, 64};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        for (size_t n = 0; n < (sample_is_quick() ? 2000 : 20000); n = 3 * n + (size_t)random_below(&r, 20))
            check_pairs(&r, n, bits[i], random_below(&r, 4));
    check_pairs(&r, sample_is_quick() ? 20000 : 400000, 15, 1); /* one word makes up half */
    check_pairs(&r, sample_is_quick() ? 20000 : 400000, 64, 2);
}

/* The positions of a word come in the order of its pairs, also where they do not ascend. */
static void pairs_keep_their_order(void **state)
{
    (void)state;
    const struct word_pair given[] = {{7, 9}, {5, 1}, {7, 2}, {7, 9}, {5, 0}, {7, 4}};
    static const uint32_t sevens[] = {9, 2, 9, 4};
    struct word_table table;
    ASSERT_OK(ctx, word_table_build_pairs(ctx, given, 6, 15, &table));
    uint32_t entry = word_find(&table, word_mix(7, 15));
    assert_true(entry != WORD_NONE);
    assert_int_equal(table.entries[entry + 1].first - table.entries[entry].first, 4);
    assert_memory_equal(table.positions + table.entries[entry].first, sevens, sizeof sevens);
    word_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_size),
        cmocka_unit_test(few_words),
        cmocka_unit_test(many_words),
        cmocka_unit_test(repeats),
        cmocka_unit_test(palindromes),
        cmocka_unit_test(mixing_is_one_to_one),
        cmocka_unit_test(full_buckets),
        cmocka_unit_test(frequent_words),
        cmocka_unit_test(memory),
        cmocka_unit_test(any_pairs),
        cmocka_unit_test(pairs_keep_their_order),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
