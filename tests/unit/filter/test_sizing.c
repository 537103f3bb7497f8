/* sizing.c: the papers' equations in numbers, given values that are kept, and rejected arguments with their messages. */
#include "unit/context_fixture.h"

#include <math.h>

static tms_filter_params sized(const tms_filter_want *want)
{
    tms_filter_params p;
    memset(&p, 0, sizeof p);
    ASSERT_OK(ctx, tms_filter_size(ctx, want, &p));
    return p;
}

static tms_filter_want classic(uint64_t n, double fpr, uint64_t m, uint32_t k)
{
    return (tms_filter_want){TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, n, fpr, m, k};
}

static tms_filter_want blocked(uint64_t n, double fpr, uint64_t m, uint32_t k)
{
    return (tms_filter_want){TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, n, fpr, m, k};
}

/* [Ma11, eq. 2] = [Ong13, eq. 2] with plain pow() where that is exact enough. */
static void classic_rate(void **state)
{
    (void)state;
    static const struct {
        uint64_t n, m;
        uint32_t k;
    } cases[] = {{1, 8, 1},     {1, 8, 3},          {1000, 10000, 7}, {1000, 9585, 7},     {10000, 100003, 3},
                 {500, 500, 1}, {100000, 65536, 2}, {1000000, 64, 4}, {1000, 1000000, 500}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double n = (double)cases[i].n, m = (double)cases[i].m, k = cases[i].k;
        tms_filter_params p = {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 0, cases[i].m, cases[i].k};
        assert_near(tms_filter_expected_fpr(&p, cases[i].n), pow(1 - pow(1 - 1 / m, k * n), k), 1e-6);
    }
    /* By hand: one of 8 bits, one key: 1/8; two functions: (1 - (7/8)^2)^2 = (15/64)^2. */
    tms_filter_params p = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 8, 1};
    assert_near(tms_filter_expected_fpr(&p, 1), 0.125, 1e-12);
    p.k = 2;
    assert_near(tms_filter_expected_fpr(&p, 1), 225.0 / 4096, 1e-12);
    assert_true(tms_filter_expected_fpr(&p, 0) == 0);
    p.m_bits = 1;
    assert_true(tms_filter_expected_fpr(&p, 5) == 1);
    /* Beyond 2^32 bits, where 1 - 1/m loses its digits: (1 - e^(-kn/m))^k. */
    p.m_bits = (uint64_t)1 << 40;
    p.k = 3;
    assert_near(tms_filter_expected_fpr(&p, (uint64_t)1 << 36), pow(-expm1(-3.0 / 16), 3), 1e-9);
}

/* m = -k n / ln(1 - fpr^(1/k)) [Ong13, eq. 5], and the k that makes it least. */
static void classic_size(void **state)
{
    (void)state;
    static const double rates[] = {0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9};
    static const uint64_t counts[] = {1, 2, 1000, 999983, 1000000000};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            double n = (double)counts[j];
            for (uint32_t k = 1; k <= 40; k += 3) {
                double m = -(double)k * n / log1p(-pow(rates[i], 1.0 / k));
                tms_filter_want want = classic(counts[j], rates[i], 0, k);
                if (m > 0x1p47)
                    continue;
                tms_filter_params p = sized(&want);
                assert_int_equal(p.k, k);
                /* The equation takes (1 - 1/m)^(k n) for e^(-k n / m): half a bit less than the exact rate needs. */
                assert_true((double)p.m_bits >= m * (1 - 1e-12) && (double)p.m_bits <= m * (1 + 1e-9) + 4);
                assert_true(tms_filter_expected_fpr(&p, counts[j]) <= rates[i]);
            }
            tms_filter_want want = classic(counts[j], rates[i], 0, 0);
            tms_filter_params best = sized(&want);
            double ideal = -n * log(rates[i]) / (M_LN2 * M_LN2); /* with k = log2(1 / fpr), not always whole */
            assert_true((double)best.m_bits >= floor(ideal));
            assert_true((double)best.m_bits <= ideal * 1.06 + 6);
            assert_true(fabs(best.k + log2(rates[i])) < 1);
            for (int d = -1; d <= 1; d += 2) { /* no neighbour is smaller */
                want.k = best.k + (uint32_t)d;
                if (want.k)
                    assert_true(sized(&want).m_bits >= best.m_bits);
            }
            assert_true(tms_filter_expected_fpr(&best, counts[j]) <= rates[i]);
        }
    /* The textbook's: 1 % takes 9.585 bits a key and 7 functions. */
    tms_filter_want want = classic(1000000, 0.01, 0, 0);
    tms_filter_params p = sized(&want);
    assert_int_equal(p.k, 7);
    assert_in_range(p.m_bits, 9585000, 9594000);
    /* fpr not given: one in a thousand, however many keys. */
    for (uint64_t n = 1000; n <= 100000000; n *= 100) {
        want = classic(n, 0, 0, 0);
        tms_filter_want same = classic(n, 1e-3, 0, 0);
        assert_true(sized(&want).m_bits == sized(&same).m_bits);
        assert_int_equal(sized(&want).k, 10);
    }
}

/* [Ong13]'s experiment: k = 500, fpp = 1/n. */
static void ong_sizes(void **state)
{
    (void)state;
    for (uint64_t n = 1000; n <= 10000000; n *= 10) {
        tms_filter_want want = {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 0, n, 1.0 / (double)n, 0, 500};
        tms_filter_params p = sized(&want);
        double m = -500.0 * (double)n / log(1 - pow(1.0 / (double)n, 1.0 / 500));
        assert_int_equal(p.k, 500);
        assert_near((double)p.m_bits, m, 1e-9 + 1 / m);
        assert_near(tms_filter_expected_fpr(&p, n), 1.0 / (double)n, 1e-3);
    }
}

static void m_is_kept(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 63, 65, 1000003, 4294967311u, ((uint64_t)1 << 48) - 59};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tms_filter_want want = classic(0, 0, sizes[i], 3);
        assert_true(sized(&want).m_bits == sizes[i]);
        want = classic(100, 0, sizes[i], 0);
        assert_true(sized(&want).m_bits == sizes[i]);
        if (sizes[i] > TMS_BLOCKED_MAX_BITS)
            continue;
        want = blocked(0, 0, sizes[i], 8);
        tms_filter_params p = sized(&want);
        assert_true(p.m_bits % 256 == 0 && p.m_bits >= sizes[i] && p.m_bits < sizes[i] + 256);
    }
    tms_filter_want want = blocked(0, 0, TMS_BLOCKED_MAX_BITS, 8);
    assert_true(sized(&want).m_bits == TMS_BLOCKED_MAX_BITS);
    want = blocked(0, 0, 256 * 1000, 8);
    assert_int_equal(sized(&want).m_bits, 256000);
    want.seed = 77;
    assert_int_equal(sized(&want).seed, 77);
    assert_int_equal(sized(&want).hash, TMS_HASH_XXH3);
}

/* Given m and n, no other k has a lower rate. */
static void best_k_for_m(void **state)
{
    (void)state;
    static const double bits_per_key[] = {0.5, 1, 2, 4, 10, 16, 30, 100, 3000};
    for (size_t i = 0; i < sizeof bits_per_key / sizeof *bits_per_key; i++)
        for (int layout = TMS_LAYOUT_BLOCKED; layout <= TMS_LAYOUT_CLASSIC; layout++) {
            uint64_t n = 100000;
            tms_filter_want want = {(tms_layout)layout, TMS_HASH_XXH3, 0, n, 0, (uint64_t)((double)n * bits_per_key[i]), 0};
            tms_filter_params p = sized(&want), other;
            double rate = tms_filter_expected_fpr(&p, n);
            uint32_t most = layout == TMS_LAYOUT_BLOCKED ? TMS_BLOCKED_MAX_K : TMS_CLASSIC_MAX_K;
            for (other = p, other.k = 1; other.k <= most; other.k++)
                if (tms_filter_expected_fpr(&other, n) < rate * (1 - 1e-9))
                    fail_msg("%s, %g bits a key: k = %u was taken, k = %u is better", tms_layout_name(p.layout), bits_per_key[i], p.k,
                             other.k);
            /* Nor has any number of blocks a key that its own rate allows. */
            for (uint32_t c = 1; layout == TMS_LAYOUT_BLOCKED && c <= TMS_BLOCKED_MAX_BLOCKS; c++) {
                want.blocks_per_key = c;
                other = sized(&want);
                assert_int_equal(other.blocks_per_key, c);
                double its = tms_filter_expected_fpr(&other, n);
                if (its < rate * (1 - 1e-9) && -log10(its) > 3 * (c - 1) * (1 + 1e-9))
                    fail_msg("%g bits a key: %u blocks were taken, %u are better", bits_per_key[i], p.blocks_per_key, c);
            }
        }
}

/* The blocked rate against a sum over the loads with nothing clever in it: k up to 8, one bit a word. */
static double plain_blocked_rate(double n, double n_blocks, uint32_t k)
{
    double sum = 0, p = pow(1 - 1 / n_blocks, n); /* P(load = 0) */
    for (int load = 0; load < 200; load++) {
        sum += p * (pow(1 - pow(31.0 / 32, load), k) + load * pow(2, -32)); /* second term: equal low 32 bits */
        p *= (n - load) / (load + 1) / (n_blocks - 1);
        if (load >= n)
            break;
    }
    return sum;
}

static void blocked_rate(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 10, 1000, 50000, 999999, 1000001};
    static const double loads[] = {0.01, 1, 8, 20, 40};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t j = 0; j < sizeof loads / sizeof *loads; j++)
            for (uint32_t k = 1; k <= 8; k++) {
                uint64_t n_blocks = (uint64_t)((double)counts[i] / loads[j]) + 2;
                tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, n_blocks * 256, k};
                assert_near(tms_filter_expected_fpr(&p, counts[i]), plain_blocked_rate((double)counts[i], (double)n_blocks, k), 1e-4);
            }
    /* One block holds everything: exactly (1 - (31/32)^n)^k, and n keys whose 32 bits may be met. */
    const double same = pow(2, -32);
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 256, 8};
    assert_near(tms_filter_expected_fpr(&p, 20), pow(1 - pow(31.0 / 32, 20), 8) + 20 * same, 1e-9);
    /* One key, k = 16: each word has one or two bits. E[(S/32)^2] = (1/32)(1/32)^2 + (31/32)(2/32)^2, for eight words.
     */
    p.k = 16;
    assert_near(tms_filter_expected_fpr(&p, 1), pow((1 + 31 * 4.0) / 32768, 8) + same, 1e-9);
    assert_true(tms_filter_expected_fpr(&p, 0) == 0);
    /* The rate never exceeds 1 and never falls with n, even far above the filter's capacity. */
    for (p.k = 1; p.k <= 16; p.k += 5)
        for (p.m_bits = 256; p.m_bits <= 256000; p.m_bits *= 10) {
            double before = 0;
            for (uint64_t n = 1; n < (uint64_t)1 << 62; n *= 2) {
                double rate = tms_filter_expected_fpr(&p, n);
                if (!(rate >= before * (1 - 1e-9) && rate <= 1 + 1e-12))
                    fail_msg("m = %llu, k = %u: n = %llu gives %g after %g", (unsigned long long)p.m_bits, p.k, (unsigned long long)n, rate,
                             before);
                before = rate;
            }
        }
}

static void blocked_size(void **state)
{
    (void)state;
    static const double rates[] = {0.3, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8};
    static const uint64_t counts[] = {1, 7, 1000, 1000000, 3000000000u};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
            for (uint32_t k = 0; k <= 16; k += 4) {
                tms_filter_want want = blocked(counts[j], rates[i], 0, k);
                tms_filter_params p, less;
                if (tms_filter_size(ctx, &want, &p) != TMS_OK)
                    continue; /* refused with words: see impossible_sizes() */
                assert_true(p.m_bits % 256 == 0 && p.m_bits >= 256 && p.k >= 1 && p.k <= 16 && (!k || p.k == k));
                assert_true(tms_filter_expected_fpr(&p, counts[j]) <= rates[i]);
                less = p; /* and one block less would not do */
                less.m_bits -= 256;
                if (less.m_bits)
                    assert_true(tms_filter_expected_fpr(&less, counts[j]) > rates[i]);
            }
}

/* --- several blocks a key --- */

static double bits_a_key(double rate, uint32_t blocks_per_key)
{
    tms_filter_want want = blocked(100000000, rate, 0, 0);
    want.blocks_per_key = blocks_per_key;
    tms_filter_params p = sized(&want);
    assert_true(!blocks_per_key || p.blocks_per_key == blocks_per_key);
    assert_true(p.m_bits % (256 * p.blocks_per_key) == 0);
    assert_true(tms_filter_expected_fpr(&p, want.n_keys) <= rate);
    return (double)p.m_bits / (double)want.n_keys;
}

/* The rate is the product of the parts', each a filter with one block per key, plus the probability of equal 64-bit hashes. */
static void several_blocks_rate(void **state)
{
    (void)state;
    for (uint32_t c = 2; c <= TMS_BLOCKED_MAX_BLOCKS; c++)
        for (uint32_t k = 1; k <= 8; k++) {
            uint64_t n = 100000, n_blocks = 100000 / (10 + k);
            tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, c * n_blocks * 256, k};
            p.blocks_per_key = c;
            double one = plain_blocked_rate((double)n, (double)n_blocks, k);
            assert_near(tms_filter_expected_fpr(&p, n), pow(one, c) + (double)n * 0x1p-64, 1e-4 * c);
        }
    /* If the parts pass almost nothing, equal hashes dominate the rate. */
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 8 * 256 * 100000, 8};
    p.blocks_per_key = 8;
    assert_near(tms_filter_expected_fpr(&p, 1000), 1000 * 0x1p-64, 1e-6);
}

/* One for every three decades of the rate, and fewer where that takes fewer bits. */
static void several_blocks_size(void **state)
{
    (void)state;
    static const struct {
        double rate;
        uint32_t blocks;
        double bits; /* within 1 % */
    } cases[] = {{0.5, 1, 3.247}, {1e-2, 1, 10.53}, {1e-3, 1, 16.89}, {0.99e-3, 2, 16.2}, {1e-4, 2, 21.06},     {1e-6, 2, 33.78},
                 {1e-7, 3, 37.2}, {1e-8, 3, 43.5},  {1e-9, 3, 50.7},  {1e-10, 4, 53.8},   {1.0 / 1e6, 2, 33.78}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tms_filter_want want = blocked(100000000, cases[i].rate, 0, 0);
        assert_int_equal(sized(&want).blocks_per_key, cases[i].blocks);
        assert_near(bits_a_key(cases[i].rate, 0), cases[i].bits, 0.01);
        for (uint32_t c = 1; c <= cases[i].blocks; c++)
            assert_true(bits_a_key(cases[i].rate, c) >= bits_a_key(cases[i].rate, 0) / 1.021);
        bits_a_key(cases[i].rate, TMS_BLOCKED_MAX_BLOCKS); /* more than the rule takes are taken when asked for */
    }
    /* m is rounded up to whole blocks in every part. */
    tms_filter_want want = blocked(0, 0, 1000, 8);
    want.blocks_per_key = 3;
    assert_int_equal(sized(&want).m_bits, 1536);
    assert_int_equal(sized(&want).blocks_per_key, 3);
}

static void several_blocks_refused(void **state)
{
    (void)state;
    tms_filter_params p;
    tms_filter *f;
    tms_filter_want want = blocked(1000, 0.01, 0, 0);
    want.blocks_per_key = 9;
    ASSERT_FAILS(ctx, TMS_E_ARG, "1 to 8", tms_filter_size(ctx, &want, &p));
    want = classic(1000, 0.01, 0, 0);
    want.blocks_per_key = 1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "others have none", tms_filter_size(ctx, &want, &p));
    p = (tms_filter_params){TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 1024, 8, .blocks_per_key = 3};
    ASSERT_FAILS(ctx, TMS_E_ARG, "multiple of 768, such as 1536", tms_filter_create(ctx, &p, &f));
    p.blocks_per_key = 9;
    ASSERT_FAILS(ctx, TMS_E_ARG, "1 to 8", tms_filter_create(ctx, &p, &f));
    p = (tms_filter_params){TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 0, 1024, 8, .p = 0.1, .blocks_per_key = 2};
    ASSERT_FAILS(ctx, TMS_E_ARG, "others have none", tms_filter_create(ctx, &p, &f));
    want = blocked(0, 0, TMS_BLOCKED_MAX_BITS, 8); /* rounded up, it would pass the limit */
    want.blocks_per_key = 7;
    ASSERT_FAILS(ctx, TMS_E_ARG, "1099511627520", tms_filter_size(ctx, &want, &p));
}

/* A rate that a message says would fit, fits; and three digits below it does not. */
static void suggested_rates_fit(void **state)
{
    (void)state;
    static const tms_filter_want wants[] = {
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 10000000000u, 1e-9, 0, 1, 1},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 1000000000u, 1e-9, 0, 1, 1},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 10000000000u, 1e-9, 0, 1, 0},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 30000000000u, 1e-12, 0, 0, 0},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 100000000000u, 1e-3, 0, 0, 0},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 1000000, 1e-15, 0, 0, 1},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 1000000, 1e-9, 0, 1, 0},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, (uint64_t)1 << 45, 1e-9, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        tms_filter_want want = wants[i];
        tms_filter_params p;
        ASSERT_FAILS(ctx, TMS_E_ARG, "would fit", tms_filter_size(ctx, &want, &p));
        const char *said = strrchr(tms_context_message(ctx), ';');
        assert_non_null(said);
        double rate = strtod(said + 1, NULL);
        if (!(rate > want.fpr && rate < 1))
            fail_msg("\"%s\" names no rate", tms_context_message(ctx));
        want.fpr = rate;
        assert_true(tms_filter_expected_fpr((p = sized(&want), &p), want.n_keys) <= rate);
    }
}

static void contradictions(void **state)
{
    (void)state;
    tms_filter_params p;
    const struct {
        tms_filter_want want;
        const char *words;
    } cases[] = {
        {classic(0, 0, 0, 0), "number of keys"},
        {classic(0, 0.01, 0, 0), "number of keys"},
        {classic(0, 0, 0, 7), "number of keys"},
        {classic(0, 0, 1000, 0), "number of keys"},
        {classic(0, 0.01, 1000, 7), "number of keys"},
        {classic(1000, 1.0, 0, 0), "between 0 and 1"},
        {classic(1000, -0.01, 0, 0), "between 0 and 1"},
        {classic(1000, 1.5, 0, 0), "between 0 and 1"},
        {classic(1000, NAN, 0, 0), "between 0 and 1"},
        {classic(1000, 0.01, 0, 4097), "1 to 4096"},
        {classic(1000, 0, 1000, 4097), "1 to 4096"},
        {blocked(1000, 0.01, 0, 17), "1 to 16"},
        {classic(0, 0, TMS_MAX_BITS + 1, 7), "281474976710656"}, /* 2^48 */
        {classic(0, 0, UINT64_MAX, 7), "281474976710656"},
        {blocked(0, 0, TMS_BLOCKED_MAX_BITS + 1, 7), "1099511627520"}, /* 2^40 - 256 */
        {blocked(0, 0, TMS_MAX_BITS, 7), "1099511627520"},
        {blocked(0, 0, UINT64_MAX, 7), "1099511627520"},
        {{TMS_LAYOUT_BLOCKED, TMS_HASH_MURMUR3, 0, 10, 0.1, 0, 0}, "classic"},
        {{TMS_LAYOUT_BLOCKED, TMS_HASH_AP, 0, 10, 0.1, 0, 0}, "xxh3"},
        {{(tms_layout)0, TMS_HASH_XXH3, 0, 10, 0.1, 0, 0}, "layout"},
        {{(tms_layout)5, TMS_HASH_XXH3, 0, 10, 0.1, 0, 0}, "layout"},
        {{TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 0, 10, 0.1, 0, 0}, "tms_frequency_size()"},
        {{TMS_LAYOUT_CLASSIC, (tms_hash)0, 0, 10, 0.1, 0, 0}, "hash"},
        {{TMS_LAYOUT_CLASSIC, (tms_hash)5, 0, 10, 0.1, 0, 0}, "hash"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ASSERT_FAILS(ctx, TMS_E_ARG, cases[i].words, tms_filter_size(ctx, &cases[i].want, &p));
}

/* The size after "m = " in the suggestion of a message. */
static uint64_t size_that_would_do(void)
{
    const char *would = strstr(tms_context_message(ctx), ": m = ");
    if (!would || !strstr(would, "would do"))
        fail_msg("\"%s\" names no size that would do", tms_context_message(ctx));
    return strtoull(would + 6, NULL, 10);
}

static void impossible_sizes(void **state)
{
    (void)state;
    tms_filter_params p;
    for (int layout = TMS_LAYOUT_BLOCKED; layout <= TMS_LAYOUT_CLASSIC; layout++)
        for (uint32_t k = 0; k <= 8; k += 4) {
            tms_filter_want want = {(tms_layout)layout, TMS_HASH_XXH3, 0, 1000000, 0.001, 1000000, k};
            ASSERT_FAILS(ctx, TMS_E_ARG, "would do", tms_filter_size(ctx, &want, &p));
            want.m_bits = size_that_would_do(); /* taken at its word */
            p = sized(&want);
            assert_true(p.m_bits == want.m_bits);
            assert_true(tms_filter_expected_fpr(&p, want.n_keys) <= want.fpr);
        }
    /* Suggestions with several blocks per key: m alone, and all values of the message. */
    static const double rates[] = {1e-4, 1e-6, 1e-8, 1e-9};
    static const double bits_per_key[] = {5, 20, 34};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t j = 0; j < sizeof bits_per_key / sizeof *bits_per_key; j++)
            for (uint32_t k = 0; k <= 8; k += 4)
                for (uint32_t c = 0; c <= 2; c++) {
                    tms_filter_want tight = blocked(100000, rates[i], (uint64_t)(100000 * bits_per_key[j]), k);
                    tight.blocks_per_key = c;
                    if (tms_filter_size(ctx, &tight, &p) == TMS_OK)
                        continue;
                    tight.m_bits = size_that_would_do();
                    const char *blocks = strstr(tms_context_message(ctx), " blocks per key");
                    uint32_t said_k = (uint32_t)strtoul(strstr(tms_context_message(ctx), "(k = ") + 5, NULL, 10);
                    uint32_t said_blocks = blocks ? (uint32_t)(blocks[-1] - '0') : 1;
                    p = sized(&tight);
                    tight.k = said_k;
                    tight.blocks_per_key = said_blocks;
                    p = sized(&tight);
                    assert_true(p.m_bits == tight.m_bits);
                }
    /* One function needs more bits than any machine has: the message also gives the bits for all functions. */
    tms_filter_want one = blocked(3953311, 2.88e-5, 44, 1);
    ASSERT_FAILS(ctx, TMS_E_ARG, "or 95075840 bits without k", tms_filter_size(ctx, &one, &p));
    one.m_bits = 95075840;
    one.k = 0;
    p = sized(&one);
    /* Where no m will do the rate that fits is one without m. */
    one = blocked(63123490, 2.052e-12, 23, 0);
    ASSERT_FAILS(ctx, TMS_E_ARG, "without m: a false-positive rate of 2.05e-12", tms_filter_size(ctx, &one, &p));
    /* A rate that m reaches is taken as it is. */
    tms_filter_want want = classic(1000000, 0.02, 10000000, 0);
    assert_int_equal(sized(&want).m_bits, 10000000);
    /* Beyond the most bits. */
    want = classic((uint64_t)1 << 47, 0.001, 0, 0);
    ASSERT_FAILS(ctx, TMS_E_ARG, "would fit", tms_filter_size(ctx, &want, &p));
    want = blocked((uint64_t)1 << 46, 0.001, 0, 0);
    ASSERT_FAILS(ctx, TMS_E_ARG, "classic", tms_filter_size(ctx, &want, &p));
    want = blocked(1000000, 1e-300, 0, 0);
    ASSERT_FAILS(ctx, TMS_E_ARG, "classic", tms_filter_size(ctx, &want, &p));
    want = classic(1000, 1e-9, 0, 1);
    assert_true(sized(&want).m_bits > 999000000000u);
}

/* A tiny rate needs more functions than there are: the largest k, or a refusal, never a wrong filter. */
static void extreme_rates(void **state)
{
    (void)state;
    static const double rates[] = {1e-15, 1e-30, 1e-100, 1e-300, 4.9e-324, 1 - 1e-12};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (int layout = TMS_LAYOUT_BLOCKED; layout <= TMS_LAYOUT_CLASSIC; layout++) {
            tms_filter_want want = {(tms_layout)layout, TMS_HASH_XXH3, 0, 1000, rates[i], 0, 0};
            tms_filter_params p;
            if (tms_filter_size(ctx, &want, &p) == TMS_OK)
                assert_true(tms_filter_expected_fpr(&p, 1000) <= rates[i] * 1.01);
            else
                assert_true(layout == TMS_LAYOUT_BLOCKED);
        }
}

static void parameters_by_hand(void **state)
{
    (void)state;
    tms_filter *f;
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 1000, 8};
    ASSERT_FAILS(ctx, TMS_E_ARG, "1024", tms_filter_create(ctx, &p, &f));
    assert_null(f);
    p.m_bits = 0;
    ASSERT_FAILS(ctx, TMS_E_ARG, "m = 0", tms_filter_create(ctx, &p, &f));
    p = (tms_filter_params){TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 1000, 0};
    ASSERT_FAILS(ctx, TMS_E_ARG, "k = 0", tms_filter_create(ctx, &p, &f));
    p.k = 4097;
    ASSERT_FAILS(ctx, TMS_E_ARG, "4096", tms_filter_create(ctx, &p, &f));
    assert_string_equal(tms_layout_name(TMS_LAYOUT_BLOCKED), "blocked");
    assert_string_equal(tms_layout_name((tms_layout)7), "?");
    assert_string_equal(tms_hash_name(TMS_HASH_XXH3_SQUARE), "xxh3-square");
    assert_string_equal(tms_hash_name((tms_hash)9), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classic_rate),        cmocka_unit_test(classic_size),           cmocka_unit_test(ong_sizes),
        cmocka_unit_test(m_is_kept),           cmocka_unit_test(best_k_for_m),           cmocka_unit_test(blocked_rate),
        cmocka_unit_test(blocked_size),        cmocka_unit_test(contradictions),         cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(extreme_rates),       cmocka_unit_test(parameters_by_hand),     cmocka_unit_test(several_blocks_rate),
        cmocka_unit_test(several_blocks_size), cmocka_unit_test(several_blocks_refused), cmocka_unit_test(suggested_rates_fit),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
