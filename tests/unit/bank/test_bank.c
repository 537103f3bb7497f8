/*
 * bank.h against bits that the test sets and reads one by one, from the definitions in bank_core.h computed again here:
 * what is set, what passes, at every SIMD level, in every form of rows; and the rate of false positives against [Ma11,
 * eq. 2].
 */
#include "unit/context_fixture.h"

#include <math.h>

#include "seed/seeds_internal.h"
#include "unit/dna_samples.h"

/* --- where bits lie --- */

/* Where a bit lies: vectors one after the other, or rows of one bit of each. */
static uint64_t model_bit(const struct bank_shape *s, uint64_t sub, uint64_t position)
{
    if (!s->row_bits)
        return sub * ((s->m_bits + 63) / 64 * 64) + position;
    uint64_t slice = sub / s->row_bits, column = sub % s->row_bits;
    return slice * s->m_bits * s->row_bits + position * s->row_bits + column;
}

static uint64_t model_width(const struct bank_shape *s)
{
    uint64_t width = 0;
    if (!s->row_bits)
        return s->n_subs;
    while (width < s->n_subs)
        width += s->row_bits;
    return width;
}

/* --- comparisons --- */

static void check_bits(const model *m, const struct bank *bank)
{
    const struct bank_shape *s = &m->shape;
    uint8_t *expected = calloc(bank->size_bytes, 1);
    assert_non_null(expected);
    uint64_t *counted = sample_alloc(2 * s->n_subs * sizeof *counted);
    for (uint64_t i = 0; i < 2 * s->n_subs; i++)
        counted[i] = 77;
    bank_ones(bank, counted, 2);
    for (uint64_t sub = 0; sub < s->n_subs; sub++) {
        uint64_t ones = 0;
        for (uint64_t p = 0; p < s->m_bits; p++) {
            if (!m->set[sub * s->m_bits + p])
                continue;
            uint64_t bit = model_bit(s, sub, p);
            assert_true(bit / 8 < bank->size_bytes);
            expected[bit / 8] |= (uint8_t)(1 << bit % 8);
            ones++;
        }
        assert_int_equal(counted[2 * sub], ones);
        assert_int_equal(counted[2 * sub + 1], 77); /* between the numbers */
    }
    assert_same_bytes("the filters", expected, bank->size_bytes, bank->bits, bank->size_bytes);
    free(counted);
    free(expected);
}

static void check_answers(const model *m, const struct bank *bank, tms_simd simd, const uint64_t *all_words, size_t n,
                          const uint64_t *truth, size_t truth_words)
{
    const struct bank_shape *s = &m->shape;
    uint64_t width = model_width(s), *words = sample_alloc(n * sizeof *words);
    size_t n_pass = (size_t)((n * width + 63) / 64);
    uint32_t *positions = sample_alloc(s->k * bank_query_batch(bank) * sizeof *positions);
    uint64_t *pass = sample_alloc((n_pass + 1) * sizeof *pass);
    assert_int_equal(bank_width(s), width);
    assert_int_equal(BANK_PASS_U64(bank, n), n_pass);
    memcpy(words, all_words, n * sizeof *words);
    memset(pass, 0x5a, (n_pass + 1) * sizeof *pass);
    bank_query_cpu(simd, bank, words, n, positions, pass);
    assert_true(pass[n_pass] == 0x5a5a5a5a5a5a5a5au);
    for (size_t i = 0; i < n; i++)
        for (uint64_t sub = 0; sub < width; sub++) {
            uint64_t bit = i * width + sub;
            int got = (int)(pass[bit / 64] >> bit % 64 & 1),
                want = sub < s->n_subs && (int)(truth[i * truth_words + sub / 64] >> sub % 64 & 1);
            if (got != want)
                fail_msg("%s, m = %llu, k = %u, %u sub-queries in rows of %u, hash %u, %zu words: word %zu, sub-query "
                         "%llu: %d, not %d",
                         tms_simd_name(simd), (unsigned long long)s->m_bits, s->k, s->n_subs, s->row_bits, s->hash, n, i,
                         (unsigned long long)sub, got, want);
        }
    free(words);
    free(positions);
    free(pass);
}

/* Inserts, compares all bits, then tests inserted and other words. */
static void check_shape(sample_random *r, const struct bank_shape *shape)
{
    uint64_t mask = ~(uint64_t)0 >> (64 - 2 * shape->word_size), n_bits = shape->m_bits * shape->n_subs;
    size_t n_in = 200, n_most = n_bits > 1000000 ? 100 : 300, truth_words = (shape->n_subs + 63) / 64;
    uint64_t *in = sample_alloc(n_in * sizeof *in);
    model *m = make_model(shape);
    struct bank bank;
    ASSERT_OK(ctx, bank_create(ctx, shape, &bank));
    for (uint64_t i = 0; i < bank.size_bytes / 8; i++)
        assert_int_equal(bank.bits[i], 0);
    int level = TMS_SIMD_SCALAR;
    for (size_t i = 0; i < n_in; i++)
        in[i] = random_next(r) & mask;
    /* Some sub-queries get a lot, for small m all ones; some nothing. A word may be in several. */
    for (uint32_t turn = 0; turn < (shape->n_subs < 300 ? 2 * shape->n_subs : 600); turn++) {
        uint32_t sub = shape->n_subs < 300 ? turn / 2 : (uint32_t)random_below(r, shape->n_subs);
        size_t n = random_below(r, 4) ? (size_t)random_below(r, 12) : (size_t)random_below(r, n_in + 1),
               first = (size_t)random_below(r, n_in - n + 1);
        if (sub % 7 == 3)
            continue;
        do
            level = (level + 1) % 3;
        while (!dna_take_simd(ctx, level));
        bank_insert((tms_simd)level, &bank, sub, in + first, n, (int)(turn & 1));
        for (size_t i = 0; i < n; i++)
            model_insert(m, sub, in[first + i]);
    }
    check_bits(m, &bank);

    size_t batch = bank_query_batch(&bank), sizes[] = {0, 1, 2, 63, 64, 65, 200, n_most, batch - 1, batch}, n_words = batch;
    uint64_t *words = sample_alloc(n_words * sizeof *words), *truth = calloc(n_words * truth_words, sizeof *truth);
    assert_non_null(truth);
    for (size_t i = 0; i < n_words; i++) {
        words[i] = random_below(r, 2) ? in[random_below(r, n_in)] : random_next(r) & mask;
        uint64_t at[BANK_MAX_K];
        for (unsigned j = 0; j < shape->k; j++)
            at[j] = model_position(m, j, words[i]);
        for (uint64_t sub = 0; sub < shape->n_subs; sub++) {
            uint64_t all = 1;
            for (unsigned j = 0; j < shape->k && all; j++)
                all = m->set[sub * shape->m_bits + at[j]];
            truth[i * truth_words + sub / 64] |= all << sub % 64;
        }
        if (i >= n_most && n_bits > 1000000)
            sizes[8] = sizes[9] = n_words = n_most; /* limits the slow cases */
    }
    EACH_SIMD(ctx, simd)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] <= n_words && (sizes[i] <= 200 || n_words * shape->n_subs < 100000 || (i == 9 && simd == TMS_SIMD_AVX512)))
            check_answers(m, &bank, (tms_simd)simd, words, sizes[i], truth, truth_words);
    free(words);
    free(truth);
    free(in);
    free_model(m);
    bank_free(&bank);
}

/* --- the grid --- */

static uint32_t rows_for(uint32_t n_subs)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (widths[i] >= n_subs)
            return widths[i];
    return 1024;
}

static void bits_and_answers(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    static const uint32_t n_subs[] = {1, 2, 3, 5, 9, 17, 41, 64, 65, 128, 129, 300, 600, 1000, 1025, 2100};
    static const uint64_t ms[] = {64, 100, 128, 1000, 4096, (uint64_t)1 << 18};
    static const uint32_t ks[] = {1, 2, 3, 4, 5, 6, 7, 9, 10, 13, 15, 16};
    size_t turn = (size_t)random_below(&r, 1000);
    for (size_t i = 0; i < sizeof n_subs / sizeof *n_subs; i++)
        for (size_t j = 0; j < sizeof ms / sizeof *ms; j++)
            for (int is_rows = 0; is_rows < 2; is_rows++, turn++) {
                uint64_t m = ms[j];
                int power = (m & (m - 1)) == 0;
                if (m * n_subs[i] > (sample_is_quick() ? 2000000u : 20000000u) && n_subs[i] > 5)
                    continue;
                struct bank_shape shape = {.m_bits = m,
                                           .seed = random_next(&r),
                                           .k = ks[turn % (sizeof ks / sizeof *ks)],
                                           .n_subs = n_subs[i],
                                           .row_bits = is_rows ? rows_for(n_subs[i]) : 0,
                                           .hash = power && turn % 3 ? BANK_H3 : BANK_XXH3,
                                           .word_size = TMS_SEEDS_MIN_WORD + (uint32_t)random_below(&r, 25)};
                check_shape(&r, &shape);
            }
}

static void every_k(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 1};
    for (uint32_t k = 1; k <= TMS_BANK_MAX_K; k++)
        for (int is_rows = 0; is_rows < 3; is_rows++)
            for (uint32_t hash = BANK_H3; hash <= BANK_XXH3; hash++) {
                struct bank_shape shape = {.m_bits = 512,
                                           .seed = k,
                                           .k = k,
                                           .n_subs = 41,
                                           .row_bits = is_rows == 0   ? 0
                                                       : is_rows == 1 ? 64
                                                                      : 256,
                                           .hash = hash,
                                           .word_size = 8 + k};
                check_shape(&r, &shape);
            }
}

/* With one bit per w-mer, only inserted w-mers pass. */
static void exact_is_exact(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 2};
    static const uint32_t n_subs[] = {1, 2, 33, 65, 129};
    for (uint32_t w = 8; w <= (sample_is_quick() ? 8 : 10); w++)
        for (size_t i = 0; i < sizeof n_subs / sizeof *n_subs - (w > 8 ? 2 : 0); i++) {
            struct bank_shape shape = {.m_bits = (uint64_t)1 << 2 * w,
                                       .k = 1,
                                       .n_subs = n_subs[i],
                                       .row_bits = rows_for(n_subs[i]),
                                       .hash = BANK_EXACT,
                                       .word_size = w};
            struct bank bank;
            check_shape(&r, &shape);
            ASSERT_OK(ctx, bank_create(ctx, &shape, &bank));
            uint64_t in = random_below(&r, shape.m_bits), words[BANK_BATCH], pass[BANK_BATCH * 4];
            uint32_t positions[BANK_BATCH];
            bank_insert(TMS_SIMD_SCALAR, &bank, n_subs[i] - 1, &in, 1, 0);
            EACH_SIMD(ctx, level)
            for (uint64_t first = 0; first < shape.m_bits; first += BANK_BATCH) {
                for (uint64_t j = 0; j < BANK_BATCH; j++)
                    words[j] = first + j;
                bank_query_cpu((tms_simd)level, &bank, words, BANK_BATCH, positions, pass);
                for (uint64_t j = 0; j < BANK_BATCH; j++) {
                    uint64_t bit = j * bank_width(&shape) + n_subs[i] - 1;
                    assert_int_equal(pass[bit / 64] >> bit % 64 & 1, first + j == in);
                }
            }
            bank_free(&bank);
        }
}

/* The largest w that has a bitmap: positions of 32 bits. */
static void exact_at_16(void **state)
{
    (void)state;
    if (available_mib() < 2048 || SAMPLES_SANITIZED)
        skip();
    struct bank_shape shape = {.m_bits = (uint64_t)1 << 32, .k = 1, .n_subs = 1, .row_bits = 1, .hash = BANK_EXACT, .word_size = 16};
    uint64_t in[] = {0, 1, 0x7fffffff, 0x80000000, 0xdeadbeef, 0xffffffff}, asked[12], pass[1];
    uint32_t positions[BANK_BATCH];
    struct bank bank;
    ASSERT_OK(ctx, bank_create(ctx, &shape, &bank));
    bank_insert(TMS_SIMD_SCALAR, &bank, 0, in, 6, 0);
    for (int i = 0; i < 6; i++) {
        asked[2 * i] = in[i];
        asked[2 * i + 1] = (in[i] ^ 0x00010000) & 0xffffffff;
    }
    EACH_SIMD(ctx, level)
    {
        bank_query_cpu((tms_simd)level, &bank, asked, 12, positions, pass);
        assert_int_equal(pass[0] & 0xfff, 0x555);
    }
    uint64_t ones;
    bank_ones(&bank, &ones, 1);
    assert_int_equal(ones, 6);
    bank_free(&bank);
}

/* Rows as a search takes them: one of the widths that bank_core.h lists, with room for all sub-queries and no whole
 * slice too many. */
static void shapes_of_searches(void **state)
{
    (void)state;
    tms_seeds_info info = {
        .params = {.word_size = 20, .hash = TMS_SEED_HASH_H3, .schedule = TMS_SCHEDULE_INTERLEAVED, .m_bits = 4096, .k = 3}};
    for (uint32_t n = 1; n < 5000; n++) {
        info.n_sub_queries = n;
        info.params.schedule = TMS_SCHEDULE_INTERLEAVED;
        struct bank_shape shape = seeds_shape(&info);
        uint32_t row = shape.row_bits, slices = (n + row - 1) / row;
        assert_true(row <= 128 ? (row & (row - 1)) == 0 : row % 256 == 0 && row <= 1024);
        assert_true(n > 128 ? row >= 256 : row >= n && (row == 1 || row / 2 < n));
        assert_true((uint64_t)row * slices >= n && (uint64_t)row * slices - n < 256 * (uint64_t)slices);
        assert_true(n > 1024 || slices == 1);
        info.params.schedule = TMS_SCHEDULE_SHARED;
        shape = seeds_shape(&info);
        assert_int_equal(shape.row_bits, 0);
        assert_int_equal(shape.hash, BANK_H3);
    }
}

/* --- false positives --- */

/*
 * Sub-queries of n random words each; others are tested against all. The mean over sub-queries lies within 4 standard
 * errors of eq. 2, and the standard error is small enough for that to mean something. The same numbers every time.
 */
static void measure_fpr(uint32_t hash, uint64_t m, uint32_t k, size_t n, unsigned w)
{
    enum { SUBS = 64 };
    size_t n_tests = sample_is_quick() ? 4096 : 65536;
    struct bank_shape shape = {.m_bits = m, .seed = 4242 + k, .k = k, .n_subs = SUBS, .row_bits = 64, .hash = hash, .word_size = w};
    sample_random r = {20260302 + m + k};
    uint64_t mask = ~(uint64_t)0 >> (64 - 2 * w), words[BANK_BATCH], pass[BANK_BATCH], counts[SUBS] = {0};
    uint32_t *positions = sample_alloc(k * BANK_BATCH * sizeof *positions);
    struct bank bank;
    ASSERT_OK(ctx, bank_create(ctx, &shape, &bank));
    for (uint32_t sub = 0; sub < SUBS; sub++)
        for (size_t done = 0, some; done < n; done += some) {
            some = n - done < BANK_BATCH ? n - done : BANK_BATCH;
            for (size_t i = 0; i < some; i++)
                words[i] = random_next(&r) & mask;
            bank_insert(tms_context_simd(ctx), &bank, sub, words, some, 0);
        }
    for (size_t done = 0; done < n_tests; done += BANK_BATCH) {
        for (size_t i = 0; i < BANK_BATCH; i++)
            words[i] = random_next(&r) & mask;
        bank_query_cpu(tms_context_simd(ctx), &bank, words, BANK_BATCH, positions, pass);
        for (size_t i = 0; i < BANK_BATCH; i++)
            for (uint64_t left = pass[i]; left; left &= left - 1)
                counts[__builtin_ctzll(left)]++;
    }
    double sum = 0, squares = 0, predicted = pow(1 - pow(1 - 1 / (double)m, (double)k * (double)n), k);
    for (int s = 0; s < SUBS; s++) {
        double fpr = (double)counts[s] / (double)n_tests;
        sum += fpr;
        squares += fpr * fpr;
    }
    double mean = sum / SUBS, error = sqrt((squares / SUBS - mean * mean) / (SUBS - 1));
    /* All sub-queries test the same words, which adds to their common error. */
    double tests_error = sqrt(predicted * (1 - predicted) / (double)n_tests);
    assert_true(fabs(tms_bank_fpr(m, k, n) - predicted) <= 1e-9 * predicted);
    if (fabs(mean - predicted) > 4 * (error + tests_error) || error > 0.05 * predicted)
        fail_msg("hash %u, m = %llu, k = %u, n = %zu: %.6f +- %.6f, predicted %.6f", hash, (unsigned long long)m, k, n, mean, error,
                 predicted);
    free(positions);
    bank_free(&bank);
}

static void fpr_is_as_predicted(void **state)
{
    (void)state;
    for (uint32_t hash = BANK_H3; hash <= BANK_XXH3; hash++) {
        measure_fpr(hash, 1 << 14, 1, 3000, 16);
        measure_fpr(hash, 1 << 14, 2, 3000, 16);
        measure_fpr(hash, 1 << 14, 4, 3000, 20);
        measure_fpr(hash, 1 << 14, 6, 3125, 32); /* the fill of [Ma11]'s m = 256 Kbit, n = 50,000 */
        measure_fpr(hash, 1 << 14, 10, 3125, 24);
        measure_fpr(hash, 1 << 14, 16, 3125, 32);
        measure_fpr(hash, 1 << 10, 3, 400, 11);
    }
    measure_fpr(BANK_XXH3, 10007, 5, 2000, 16);
    measure_fpr(BANK_XXH3, 1000, 3, 400, 16);
}

static void fpr_formula(void **state)
{
    (void)state;
    assert_true(tms_bank_fpr(1000, 5, 0) == 0);
    assert_true(tms_bank_fpr(64, 1, 1) > 0.015624 && tms_bank_fpr(64, 1, 1) < 0.015626);
    assert_true(tms_bank_fpr(64, 16, 1000000000) == 1);
    /* Small enough for 1 - 1/m to be 1 in most digits: about k n / m. */
    assert_true(fabs(tms_bank_fpr((uint64_t)1 << 32, 1, 1) * 0x1p32 - 1) < 1e-9);
    /* [Ma11, table]-sized: m = 256 Kbit, k = 6, n = 50,000. */
    double x = 1 - exp(-6.0 * 50000 / 262144);
    assert_true(fabs(tms_bank_fpr(262144, 6, 50000) - pow(x, 6)) < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_and_answers),   cmocka_unit_test(every_k),
        cmocka_unit_test(exact_is_exact),     cmocka_unit_test(exact_at_16),
        cmocka_unit_test(shapes_of_searches), cmocka_unit_test(fpr_is_as_predicted),
        cmocka_unit_test(fpr_formula),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
