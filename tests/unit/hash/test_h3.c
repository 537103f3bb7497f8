/*
 * H3 against [Ma11, eq. 1] worked out one output bit at a time, with rows drawn here: by tables and by matrices, at
 * every SIMD level; and what makes it H3: it is linear but for a constant, and lanes and seeds have matrices of their
 * own.
 */
#include "unit/context_fixture.h"

#include <xxhash.h>

#include "bank/bank.h"
#include "unit/dna_samples.h"

#define N_LANES 8

/* Row i of lane l is number 65 l + i of the stream that the seed starts; row 64 is of a bit that is always 1. */
static void draw_rows(uint64_t seed, uint64_t rows[N_LANES][H3_ROWS])
{
    sample_random stream = {seed};
    for (int l = 0; l < N_LANES; l++)
        for (int i = 0; i < H3_ROWS; i++)
            rows[l][i] = random_next(&stream);
}

/* Output bit b is the parity of x(i) q(i, b) over all i. */
static uint64_t by_equation(const uint64_t rows[H3_ROWS], uint64_t x)
{
    uint64_t h = 0;
    for (int b = 0; b < 64; b++) {
        unsigned sum = 0;
        for (int i = 0; i < H3_ROWS; i++)
            sum += (i == 64 ? 1 : (unsigned)(x >> i & 1)) * (unsigned)(rows[i] >> b & 1);
        h |= (uint64_t)(sum % 2) << b;
    }
    return h;
}

static uint64_t random_word(sample_random *r, unsigned w) { return random_next(r) >> (64 - 2 * w); }

static struct bank make_bank(uint32_t hash, unsigned w, uint64_t seed)
{
    struct bank_shape shape = {.m_bits = 64, .seed = seed, .k = TMS_BANK_MAX_K, .n_subs = 1, .row_bits = 1, .hash = hash, .word_size = w};
    struct bank bank;
    ASSERT_OK(ctx, bank_create(ctx, &shape, &bank));
    return bank;
}

/* Values are part of what a seed means. The first number of SplitMix64 from seed 0 is published: e220a8397b1dcdaf. */
static void known_values(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu};
    uint64_t constant = h3_by_rows(0, 0, 0);
    assert_int_equal(h3_by_rows(0, 0, 1) ^ constant, numbers[0]);
    assert_int_equal(h3_by_rows(0, 0, 2) ^ constant, numbers[1]);
    assert_int_equal(h3_by_rows(0, 0, 5) ^ constant, numbers[0] ^ numbers[2]);
    /* The word 0, which is AAA..., has k positions like any other. */
    for (unsigned a = 0; a < N_LANES; a++)
        for (unsigned b = 0; b < a; b++)
            assert_true(h3_by_rows(0, a, 0) != h3_by_rows(0, b, 0));
}

static void equals_the_equation(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    uint64_t(*rows)[H3_ROWS] = sample_alloc(N_LANES * sizeof *rows), *tables = sample_alloc(H3_LANE_WORDS * sizeof *tables);
    static const size_t sizes[] = {1, 7, 8, 9, 0, 15, 16, 17, 33};
    for (unsigned w = TMS_SEEDS_MIN_WORD; w <= TMS_SEEDS_MAX_WORD; w++) {
        uint64_t seed = w % 5 ? random_next(&r) : w == 10 ? 0 : UINT64_MAX;
        struct bank bank = make_bank(BANK_H3, w, seed);
        draw_rows(seed, rows);
        for (unsigned lane = 0; lane < N_LANES; lane++) {
            h3_make_tables(tables, seed, lane);
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                size_t n = sizes[s];
                uint64_t *words = sample_alloc(n * sizeof *words), *out = sample_alloc(n * sizeof *out);
                for (size_t i = 0; i < n; i++) {
                    words[i] = random_word(&r, w);
                    if (random_below(&r, 8) == 0) /* one bit alone, or all */
                        words[i] = random_below(&r, 2) ? (uint64_t)1 << random_below(&r, 2 * w) : ~(uint64_t)0 >> (64 - 2 * w);
                }
                EACH_SIMD(ctx, level)
                {
                    memset(out, 0xee, n * sizeof *out);
                    bank_lane((tms_simd)level, &bank, lane, words, n, out);
                    for (size_t i = 0; i < n; i++)
                        if (out[i] != by_equation(rows[lane], words[i]))
                            fail_msg("w = %u, lane %u, %s: h(%llx) is %llx", w, lane, tms_simd_name((tms_simd)level),
                                     (unsigned long long)words[i], (unsigned long long)out[i]);
                }
                for (size_t i = 0; i < n; i++) {
                    uint64_t want = by_equation(rows[lane], words[i]);
                    assert_int_equal(h3_by_rows(seed, lane, words[i]), want);
                    assert_int_equal(h3_by_tables(tables, (w + 3) / 4, words[i]), want);
                    assert_int_equal(h3_by_tables(tables, H3_TABLE_BYTES, words[i]), want);
                }
                free(words);
                free(out);
            }
        }
        bank_free(&bank);
    }
    free(rows);
    free(tables);
}

static void is_linear(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 1};
    enum { N = 1000 };
    struct bank bank = make_bank(BANK_H3, 32, random_next(&r));
    uint64_t *words = sample_alloc(3 * N * sizeof *words), *out = sample_alloc(3 * N * sizeof *out);
    for (size_t i = 0; i < N; i++) {
        words[i] = random_next(&r);
        words[N + i] = i ? random_next(&r) : 0;
        words[2 * N + i] = words[i] ^ words[N + i];
    }
    EACH_SIMD(ctx, level)
    for (unsigned lane = 0; lane < N_LANES; lane++) {
        bank_lane((tms_simd)level, &bank, lane, words, 3 * N, out);
        for (size_t i = 0; i < N; i++)
            assert_int_equal(out[2 * N + i], out[i] ^ out[N + i] ^ out[N]); /* words[N] is 0 */
    }
    free(words);
    free(out);
    bank_free(&bank);
}

/* Two lanes, or two seeds, agree in about half of the bits of a hash. */
static void lanes_and_seeds_differ(void **state)
{
    (void)state;
    sample_random r = {20260301};
    enum { N = 200 };
    for (int pair = 0; pair < 2; pair++)
        for (unsigned a = 0; a < N_LANES; a++)
            for (unsigned b = 0; b < N_LANES; b++) {
                if (a == b)
                    continue;
                unsigned same = 0;
                for (int i = 0; i < N; i++) {
                    uint64_t x = random_next(&r);
                    uint64_t first = pair ? h3_by_rows(5, a, x) : h3_by_rows(a, 3, x),
                             second = pair ? h3_by_rows(5, b, x) : h3_by_rows(b, 3, x);
                    same += 64 - (unsigned)__builtin_popcountll(first ^ second);
                }
                assert_in_range(same, 64 * N / 2 - 500, 64 * N / 2 + 500); /* 8.8 standard deviations */
            }
}

/* The other family: XXH3-64 of the word as 8 bytes, by its authors' library. */
static void xxh3_lanes(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 2};
    uint64_t words[100], out[100];
    for (unsigned w = TMS_SEEDS_MIN_WORD; w <= TMS_SEEDS_MAX_WORD; w++) {
        uint64_t seed = w % 2 ? random_next(&r) : UINT64_MAX - 3; /* seed + lane wraps */
        struct bank bank = make_bank(BANK_XXH3, w, seed);
        for (size_t i = 0; i < 100; i++)
            words[i] = random_word(&r, w);
        EACH_SIMD(ctx, level)
        for (unsigned lane = 0; lane < N_LANES; lane++) {
            bank_lane((tms_simd)level, &bank, lane, words, 100, out);
            for (size_t i = 0; i < 100; i++)
                assert_int_equal(out[i], XXH3_64bits_withSeed(&words[i], 8, seed + lane));
        }
        bank_free(&bank);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),           cmocka_unit_test(equals_the_equation), cmocka_unit_test(is_linear),
        cmocka_unit_test(lanes_and_seeds_differ), cmocka_unit_test(xxh3_lanes),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
