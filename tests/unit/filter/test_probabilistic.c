/*
 * The probabilistic layout on the CPU: which bits an insertion sets, against the definition in probabilistic_core.h worked
 * out one function at a time, against known values of Philox, and against the distributions that are claimed; what the
 * filter does not depend on; what is refused.
 */
#include "unit/context_fixture.h"

#include <math.h>
#include <sys/types.h>

#include "filter/probabilistic_cpu.h"

typedef unsigned __int128 u128;

#define MANY (sample_is_quick() ? 1 : 8) /* times as much in the second level */

/* Tests of distributions use the same random numbers every time, unless a seed is given. */
static uint64_t fixed_seed(void) { return getenv("TAMIS_TEST_SEED") ? sample_seed() : 20260117; }

static tms_filter_params probabilistic(tms_hash hash, uint64_t m, uint32_t k, double p, tms_sampling sampling)
{
    return (tms_filter_params){TMS_LAYOUT_PROBABILISTIC, hash, 77, m, k, p, sampling};
}

static tms_filter *empty(const tms_filter_params *p)
{
    tms_filter *f;
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    return f;
}

static tms_filter *built(const tms_filter_params *p, const tms_keys *keys)
{
    tms_filter *f = empty(p);
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, keys));
    return f;
}

static const uint8_t *image_of(tms_filter *f, size_t *size)
{
    const void *image;
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, size));
    return image;
}

static tms_filter_stats stats_of(tms_filter *f)
{
    tms_filter_stats s;
    ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &s));
    return s;
}

/* --- the generator and the tables --- */

/* kat_vectors of Random123 [Salmon et al. 2011]. */
static void philox_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], want[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t *c = cases[i].counter, *k = cases[i].key;
        draw_block got = draw_words((uint64_t)k[1] << 32 | k[0], (uint64_t)c[1] << 32 | c[0], c[2], c[3]);
        for (int j = 0; j < 4; j++)
            assert_int_equal(got.v[j], cases[i].want[j]);
    }
}

static const double table_ps[] = {1,           0.99,       0.98,    0.75,    0.5,       0.3,     0.1,
                                  0.02,        0.01,       1e-3,    0.002,   0.0020286, 0.0021,  1e-5,
                                  1e-9,        1e-15,      0x1p-63, 0x1p-64, 0x1.8p-64, 0x1p-11, 0x1.fffffffffffffp-13,
                                  1 - 0x1p-53, 1 - 0x1p-20};
#define N_TABLE_PS (sizeof table_ps / sizeof *table_ps)

static uint64_t entry(const struct probabilistic_jumps *t, uint32_t j) { return (uint64_t)t->high[j] << 32 | t->low[j]; }

/* q as a fraction of 2^64. */
static uint64_t q_of(double p) { return (uint64_t)(((u128)1 << 64) - (u128)ldexpl(p, 64)); }

/* floor(a * b / 2^64), a in units of 2^-128. */
static u128 mul_128_64(u128 a, uint64_t b)
{
    u128 low = (u128)(uint64_t)a * b, high = (a >> 64) * b;
    return high + (low >> 64);
}

/* Entry j is q^(j+1), rounded down by less than one unit for each multiplication; the table is as long as it has to be. */
static void tables_are_powers(void **state)
{
    (void)state;
    struct probabilistic_jumps *t = sample_alloc(sizeof *t);
    for (size_t i = 0; i < N_TABLE_PS; i++) {
        double p = table_ps[i];
        uint64_t q = q_of(p);
        u128 power = (u128)q << 64; /* below the true one by less than j units of 2^-128 */
        probabilistic_jumps_init(t, p);
        assert_int_equal(((uint64_t)t->q_high << 32 | t->q_low), q);
        assert_in_range(t->n, 1, JUMPS_MAX);
        assert_int_equal(entry(t, 0), q);
        for (uint32_t j = 0; j < t->n; j++, power = mul_128_64(power, q)) {
            uint64_t exact = (uint64_t)(power >> 64);
            if (entry(t, j) > exact || exact - entry(t, j) > j)
                fail_msg("p = %a: entry %u is %llx, not %llx", p, j, (unsigned long long)entry(t, j), (unsigned long long)exact);
            long double about = powl(1 - (long double)p, j + 1);
            assert_true(fabsl(ldexpl((long double)entry(t, j), -64) - about) <= 1e-15L);
            assert_true(j == 0 || entry(t, j) < entry(t, j - 1));
            assert_true(j + 1 == t->n || entry(t, j) > (uint64_t)1 << 58);
        }
        assert_true(t->n == JUMPS_MAX || entry(t, t->n - 1) <= (uint64_t)1 << 58);
        assert_int_equal(entry(t, t->n), 0);
    }
    free(t);
}

/* The definition: how many of the table's entries are above the 64-bit number. */
static uint32_t jump_by_search(const struct probabilistic_jumps *t, uint64_t v)
{
    uint32_t g = 0;
    while (g < t->n && v < entry(t, g))
        g++;
    return g;
}

static uint32_t second_word(uint64_t seed, uint64_t insertion, uint32_t block, uint32_t purpose)
{
    philox4x32_ctr_t c = {{(uint32_t)insertion, (uint32_t)(insertion >> 32), block, purpose}};
    philox4x32_key_t k = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    return philox4x32(c, k).v[0];
}

static void assert_jump(const struct probabilistic_jumps *t, double p, uint64_t insertion, uint32_t d, uint32_t word)
{
    uint64_t seed = insertion * 0x9E3779B97F4A7C15u;
    uint64_t v = (uint64_t)word << 32 | second_word(seed, insertion, d, DRAW_JUMP_TIE);
    uint32_t want = jump_by_search(t, v), got = jump_of(t->high, t->low, t->guide, t->n, seed, insertion, d, word);
    if (got != want)
        fail_msg("p = %a, word %08x, v %016llx: a jump of %u, not %u", p, word, (unsigned long long)v, got, want);
}

/* Each entry's upper half, where ties are, and its neighbours; the ends of the guide's ranges; and random words. */
static void jumps_as_by_search(void **state)
{
    (void)state;
    struct probabilistic_jumps *t = sample_alloc(sizeof *t);
    sample_random r = {sample_seed()};
    for (size_t i = 0; i < N_TABLE_PS; i++) {
        double p = table_ps[i];
        probabilistic_jumps_init(t, p);
        for (uint32_t j = 0; j <= t->n; j++)
            for (uint32_t d = 0; d < 4; d++)
                for (int step = -1; step <= 1; step++)
                    assert_jump(t, p, random_next(&r), d, t->high[j] + (uint32_t)step);
        for (uint32_t b = 0; b < 1u << JUMPS_GUIDE_BITS; b++)
            for (int step = -1; step <= 1; step++)
                assert_jump(t, p, random_next(&r), b, (b << (32 - JUMPS_GUIDE_BITS)) + (uint32_t)step);
        for (int j = 0; j < 20000 * MANY; j++)
            assert_jump(t, p, random_next(&r), (uint32_t)j, (uint32_t)random_next(&r));
        for (int j = 0; j < 1000; j++) /* for small p all of the table shares one upper half */
            assert_jump(t, p, random_next(&r), (uint32_t)j, UINT32_MAX - (uint32_t)random_below(&r, 3));
    }
    free(t);
}

static void guide_by_search(struct probabilistic_jumps *t)
{
    for (uint32_t b = 0; b < 1u << JUMPS_GUIDE_BITS; b++) {
        uint32_t last = b << (32 - JUMPS_GUIDE_BITS) | ((1u << (32 - JUMPS_GUIDE_BITS)) - 1);
        t->guide[b] = (uint16_t)jump_by_search(t, (uint64_t)last << 32 | UINT32_MAX);
    }
}

/* Entries with equal upper halves, in a table made by hand, and thresholds of plain sampling: the second word decides. */
static void ties_are_exact(void **state)
{
    (void)state;
    struct probabilistic_jumps *t = calloc(1, sizeof *t);
    assert_non_null(t);
    size_t found[6] = {0};
    t->n = 5;
    for (uint32_t j = 0; j < t->n; j++) {
        t->high[j] = j < 4 ? 0x12345678 : 0x1234;
        t->low[j] = 0xc0000000u - (j << 30);
    }
    guide_by_search(t);
    for (uint64_t n = 0; n < 40000; n++) {
        assert_jump(t, 0, n, (uint32_t)(n % 7), 0x12345678);
        uint64_t seed = n * 0x9E3779B97F4A7C15u;
        found[jump_of(t->high, t->low, t->guide, t->n, seed, n, (uint32_t)(n % 7), 0x12345678)]++;
    }
    for (int g = 0; g < 4; g++) /* low: 3/4, 1/2, 1/4, 0 */
        assert_in_range(found[g], 9500, 10500);
    assert_int_equal(found[4] + found[5], 0);
    free(t);
    sample_random r = {sample_seed()};
    for (int i = 0; i < 20000; i++) {
        uint64_t seed = random_next(&r), insertion = random_next(&r);
        uint32_t word = (uint32_t)random_next(&r), f = (uint32_t)random_below(&r, 65536);
        uint32_t second = second_word(seed, insertion, f, DRAW_EACH_TIE);
        assert_true(draw_sets(word, second, seed, insertion, f, word)); /* v = q: not below */
        assert_int_equal(draw_sets(word, second + 1, seed, insertion, f, word), second == UINT32_MAX);
        assert_true(draw_sets(word - 1, UINT32_MAX, seed, insertion, f, word) == (word != 0));
        assert_true(draw_sets(word + 1, 0, seed, insertion, f, word) == (word == UINT32_MAX));
    }
}

/* --- one insertion, by the definition --- */

/* The powers of q as they are defined: each the one before times q, rounded down. */
struct powers {
    uint64_t q;
    uint32_t n;
    uint64_t at[1024];
};

static struct powers *powers_of(double p)
{
    struct powers *t = sample_alloc(sizeof *t);
    t->q = q_of(p);
    uint64_t power = t->q;
    for (t->n = 0; t->n < 1024; power = (uint64_t)((u128)power * t->q >> 64)) {
        t->at[t->n++] = power;
        if (power <= UINT64_MAX / 64 + 1)
            break;
    }
    return t;
}

/* Word `word` of a block, and below it the second word that decides ties: word 0 of another block. */
static uint64_t number_64(const tms_filter_params *p, uint64_t c, const uint32_t block_purpose_word[3], uint64_t insertion,
                          uint32_t tie_block, uint32_t tie_purpose)
{
    philox4x32_ctr_t counter = {{(uint32_t)c, (uint32_t)(c >> 32), block_purpose_word[0], block_purpose_word[1]}};
    philox4x32_key_t key = {{(uint32_t)p->seed, (uint32_t)(p->seed >> 32)}};
    return (uint64_t)philox4x32(counter, key).v[block_purpose_word[2]] << 32 | second_word(p->seed, insertion, tie_block, tie_purpose);
}

/* set[i]: does insertion number n set function i? Returns how many it sets. */
static size_t draw_by_definition(const tms_filter_params *p, const struct powers *t, uint64_t n, uint8_t *set)
{
    size_t count = 0;
    memset(set, 0, p->k);
    if (p->sampling == TMS_SAMPLING_PLAIN) {
        for (uint32_t i = 0; i < p->k; i++)
            count += set[i] = number_64(p, n, (uint32_t[]){i / 4, 3, i % 4}, n, i, 4) >= t->q;
        return count;
    }
    uint64_t i = 0;
    for (uint32_t d = 0;; d++) {
        uint64_t v = d == 0 ? number_64(p, n / 4, (uint32_t[]){0, 0, n % 4}, n, 0, 2)
                            : number_64(p, n, (uint32_t[]){(d - 1) / 4, 1, (d - 1) % 4}, n, d, 2);
        uint32_t g = 0;
        while (g < t->n && v < t->at[g])
            g++;
        i += g;
        if (i >= p->k)
            return count;
        if (g == t->n)
            continue;
        set[i++] = 1;
        count++;
    }
}

/*
 * Real draws tie once in 2^32 times. Here q is put at the very word that one of an insertion's draws has, with a lower half
 * that is the second word, the one below or the one above it.
 */
static void ties_in_draws(void **state)
{
    (void)state;
    struct probabilistic_jumps *jumps = calloc(1, sizeof *jumps);
    struct powers *t = sample_alloc(sizeof *t);
    uint8_t set[20];
    uint64_t functions[20];
    sample_random r = {sample_seed()};
    size_t n_left_out = 0;
    assert_non_null(jumps);
    for (int i = 0; i < 3000 * MANY; i++) {
        tms_filter_params p = probabilistic(TMS_HASH_XXH3, 256, 20, 0.5, (tms_sampling)(i % 2));
        uint64_t n = i % 3 ? random_next(&r) : random_below(&r, 100);
        uint32_t d = (uint32_t)random_below(&r, 8);
        uint64_t v = p.sampling == TMS_SAMPLING_PLAIN ? number_64(&p, n, (uint32_t[]){d / 4, 3, d % 4}, n, d, 4)
                     : d == 0                         ? number_64(&p, n / 4, (uint32_t[]){0, 0, n % 4}, n, 0, 2)
                                                      : number_64(&p, n, (uint32_t[]){(d - 1) / 4, 1, (d - 1) % 4}, n, d, 2);
        t->n = jumps->n = 1;
        t->q = t->at[0] = v + random_below(&r, 3) - 1;
        jumps->high[0] = jumps->q_high = (uint32_t)(t->q >> 32);
        jumps->low[0] = jumps->q_low = (uint32_t)t->q;
        guide_by_search(jumps);
        n_left_out += v < t->q;
        tms_filter *f = empty(&p);
        struct probabilistic_draws draws;
        probabilistic_draws_init(&draws, f);
        draws.jumps = jumps;
        draws.none_below = 0;
        size_t want = draw_by_definition(&p, t, n, set), got = probabilistic_draw(&draws, n, functions);
        assert_int_equal(got, want);
        for (size_t l = 0; l < got; l++)
            assert_true(set[functions[l]]);
        tms_filter_destroy(f);
    }
    assert_in_range(n_left_out, 500, 3000 * MANY - 500);
    free(jumps);
    free(t);
}

static const double draw_ps[] = {1, 0.5, 0.1, 0.01, 0.001, 1e-5, 0.9999, 0x1p-64};
static const uint32_t draw_ks[] = {1, 2, 3, 4, 5, 7, 100, 1000, 2047, 2048, 2049, 3000, 65536};

/* Draws insertions in any order, with insertion numbers of all sizes. */
static void draws_by_definition(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    uint8_t *set = sample_alloc(65536);
    uint64_t *functions = sample_alloc(65536 * sizeof *functions);
    for (size_t i = 0; i < sizeof draw_ps / sizeof *draw_ps; i++) {
        struct powers *t = powers_of(draw_ps[i]);
        for (size_t j = 0; j < 2 * sizeof draw_ks / sizeof *draw_ks; j++) {
            tms_filter_params p = probabilistic(TMS_HASH_XXH3, 256, draw_ks[j / 2], draw_ps[i], (tms_sampling)(j % 2));
            p.seed = random_next(&r);
            tms_filter *f = empty(&p);
            struct probabilistic_draws draws;
            probabilistic_draws_init(&draws, f);
            uint64_t n = 0;
            for (int k = 0; k < (p.k > 5000 ? 3 : 25) * MANY; k++) {
                static const uint64_t bases[] = {0, UINT32_MAX - 5, (uint64_t)1 << 34, UINT64_MAX - 40};
                n = k % 3 ? n + 1 : bases[random_below(&r, 4)] + random_below(&r, 12);
                size_t want = draw_by_definition(&p, t, n, set), got = probabilistic_draw(&draws, n, functions);
                if (got != want)
                    fail_msg("k = %u, p = %g, %s, insertion %llu: %zu functions, not %zu", p.k, p.p, tms_sampling_name(p.sampling),
                             (unsigned long long)n, got, want);
                for (size_t l = 0; l < got; l++) {
                    assert_true(functions[l] < p.k && set[functions[l]]);
                    assert_true(l == 0 || functions[l] > functions[l - 1]);
                }
            }
            tms_filter_destroy(f);
        }
        free(t);
    }
    free(set);
    free(functions);
}

/* The filter after a stream, and the counts, from the definition alone. */
static void filters_by_definition(void **state)
{
    (void)state;
    static const double ps[] = {0.5, 0.02, 1, 1e-4};
    static const uint32_t ks[] = {1, 33, 1000, 5000};
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_AP; hash++)
        for (size_t i = 0; i < 32; i++) {
            const size_t n_keys = ks[i % 4] < 1000 ? 150 : 15;
            tms_filter_params p = probabilistic((tms_hash)hash, i % 3 ? 100003 : 61, ks[i % 4], ps[i / 4 % 4], (tms_sampling)(i / 16));
            key_set in = keys_make(i % 2 ? FORM_GAP_1 : FORM_GAP_0, n_keys, sample_seed() + i);
            struct powers *t = powers_of(p.p);
            size_t size;
            tms_filter *f = built(&p, &in.keys);
            const uint8_t *image = image_of(f, &size);
            uint8_t *bits = calloc(1, size), *set = sample_alloc(p.k);
            uint32_t *ones = sample_alloc(n_keys * sizeof *ones);
            assert_non_null(bits);
            for (size_t n = 0; n < n_keys; n++) {
                draw_by_definition(&p, t, n, set);
                classic_key key = classic_key_make(p.hash, p.seed, in.bytes + in.offsets[n],
                                                   in.offsets[n + 1] - in.offsets[n] - in.keys.gap);
                for (uint32_t j = 0; j < p.k; j++)
                    if (set[j]) {
                        uint64_t at = classic_position(p.hash, p.seed, &key, j, p.m_bits);
                        bits[at / 8] |= (uint8_t)(1u << at % 8);
                    }
            }
            assert_same_bytes("bits by the definition", bits, size - 128, image + 128, size - 128);
            for (int simd = TMS_SIMD_SCALAR; simd <= TMS_SIMD_AVX512; simd++) {
                tms_simd before = tms_context_simd(ctx);
                if (tms_context_set_simd(ctx, (tms_simd)simd) != TMS_OK)
                    continue;
                ASSERT_OK(ctx, tms_filter_count(ctx, f, &in.keys, ones));
                ASSERT_OK(ctx, tms_context_set_simd(ctx, before));
                for (size_t n = 0; n < n_keys; n++) {
                    classic_key key = classic_key_make(p.hash, p.seed, in.bytes + in.offsets[n],
                                                       in.offsets[n + 1] - in.offsets[n] - in.keys.gap);
                    uint32_t want = 0;
                    for (uint32_t j = 0; j < p.k; j++) {
                        uint64_t at = classic_position(p.hash, p.seed, &key, j, p.m_bits);
                        want += bits[at / 8] >> at % 8 & 1;
                    }
                    assert_int_equal(ones[n], want);
                }
            }
            tms_filter_destroy(f);
            keys_free(&in);
            free(bits);
            free(set);
            free(ones);
            free(t);
        }
}

/* has_ones() ends early and must still be right at the very number. */
static void least_ones_at_the_border(void **state)
{
    (void)state;
    static const uint32_t ks[] = {1, 7, 8, 9, 15, 16, 17, 31, 33, 1000, 1001};
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_XXH3_SQUARE; hash++)
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
            tms_filter_params p = probabilistic((tms_hash)hash, 20011, ks[i], 0.5, TMS_SAMPLING_GEOMETRIC);
            key_set in = keys_make(FORM_FIXED_8, 30, sample_seed());
            tms_filter *f = built(&p, &in.keys);
            for (int simd = TMS_SIMD_SCALAR; simd <= TMS_SIMD_AVX512; simd++) {
                tms_simd before = tms_context_simd(ctx);
                if (tms_context_set_simd(ctx, (tms_simd)simd) != TMS_OK)
                    continue;
                for (size_t n = 0; n < 30; n++) {
                    classic_key key = classic_key_make(p.hash, p.seed, in.bytes + 8 * n, 8);
                    uint32_t ones = probabilistic_count(ctx, f, &key);
                    for (uint32_t least = 0; least <= p.k + 2; least++)
                        if (probabilistic_has_ones(ctx, f, &key, least) != (least <= ones))
                            fail_msg("%u ones of %u: at least %u?", ones, p.k, least);
                }
                ASSERT_OK(ctx, tms_context_set_simd(ctx, before));
            }
            tms_filter_destroy(f);
            keys_free(&in);
        }
}

/* --- distributions --- */

/*
 * A sum of squares against the chi-square distribution, by Wilson and Hilferty's cube root; both tails beyond 1e-6 fail: too
 * even is as wrong as too uneven.
 */
static void assert_chi_square(const char *what, const tms_filter_params *p, double sum, double df)
{
    double z = (cbrt(sum / df) - (1 - 2 / (9 * df))) / sqrt(2 / (9 * df));
    if (fabs(z) > 4.75)
        fail_msg("%s: k = %u, p = %g, %s: chi-square %g with %g degrees of freedom", what, p->k, p->p, tms_sampling_name(p->sampling), sum,
                 df);
}

/* A count, or a sum of products of counts; a few more where hardly any are expected. */
static void assert_normal(const char *what, const tms_filter_params *p, double value, double mean, double variance)
{
    if (fabs(value - mean) > 4.9 * sqrt(variance) + 5)
        fail_msg("%s: k = %u, p = %g, %s: %g, expected %g +- %g", what, p->k, p->p, tms_sampling_name(p->sampling), value, mean,
                 sqrt(variance));
}

struct draws_seen {
    size_t n;
    uint32_t *of_function; /* k */
    uint32_t *of_number;   /* k + 1 counters: of_number[i] insertions set i bits */
    double *numbers;       /* n: how many each insertion set */
    uint32_t gaps[64];     /* between ones of the whole stream of n k decisions, in steps of gap_width */
    uint64_t gap_width, n_gaps;
    uint64_t pairs[4]; /* a function set by insertions i and i + 1, 2, 3, 4 */
};

static struct draws_seen see_draws(const tms_filter_params *p, size_t n)
{
    struct draws_seen s = {n, calloc(p->k, 4), calloc(p->k + 1, 4), calloc(n, sizeof(double)), {0}, 0, 0, {0}};
    uint64_t *functions = sample_alloc(p->k * sizeof *functions), last = UINT64_MAX;
    uint8_t *set = calloc(p->k, 1); /* bit j: by the insertion j + 1 before */
    assert_true(s.of_function && s.of_number && s.numbers && set);
    s.gap_width = (uint64_t)ceil(1 / (16 * p->p));
    tms_filter *f = empty(p);
    struct probabilistic_draws draws;
    probabilistic_draws_init(&draws, f);
    for (size_t i = 0; i < n; i++) {
        size_t drawn = probabilistic_draw(&draws, i, functions);
        s.numbers[i] = (double)drawn;
        s.of_number[drawn]++;
        for (size_t j = 0; j < drawn; j++) {
            uint64_t at = i * p->k + functions[j], gap = (at - last - 1) / s.gap_width;
            last = at;
            s.of_function[functions[j]]++;
            s.gaps[gap < 63 ? gap : 63]++;
            s.n_gaps++;
            for (int lag = 0; lag < 4; lag++)
                s.pairs[lag] += set[functions[j]] >> lag & 1;
        }
        for (uint32_t j = 0; j < p->k; j++)
            set[j] = (uint8_t)(set[j] << 1);
        for (size_t j = 0; j < drawn; j++)
            set[functions[j]] |= 1;
    }
    tms_filter_destroy(f);
    free(functions);
    free(set);
    return s;
}

static void each_function_alike(const tms_filter_params *p, const struct draws_seen *s)
{
    double mean = (double)s->n * p->p, sum = 0;
    for (uint32_t i = 0; i < p->k; i++) {
        if (p->p == 1)
            assert_int_equal(s->of_function[i], s->n);
        sum += (s->of_function[i] - mean) * (s->of_function[i] - mean);
    }
    if (p->p < 1)
        assert_chi_square("each function as often", p, sum / (mean * (1 - p->p)), p->k);
}

static double log_binomial(uint32_t k, uint32_t x, double p)
{
    return lgamma(k + 1.0) - lgamma(x + 1.0) - lgamma(k - x + 1.0) + x * log(p) + (k - x) * log1p(-p);
}

/* Neighbouring numbers are put together until 20 are expected. */
static void number_is_binomial(const tms_filter_params *p, const struct draws_seen *s)
{
    double sum = 0, expected = 0, seen = 0, left = (double)s->n, seen_left = (double)s->n;
    int bins = 0;
    if (p->p == 1)
        return;
    for (uint32_t x = 0; x <= p->k; x++) {
        expected += (double)s->n * exp(log_binomial(p->k, x, p->p));
        seen += s->of_number[x];
        if (expected < 20 || left - expected < 20)
            continue;
        sum += (seen - expected) * (seen - expected) / expected;
        left -= expected;
        seen_left -= seen;
        expected = seen = 0;
        bins++;
    }
    sum += (seen_left - left) * (seen_left - left) / left;
    if (bins)
        assert_chi_square("numbers set", p, sum, bins);
}

static void gaps_are_geometric(const tms_filter_params *p, const struct draws_seen *s)
{
    double log_q = log1p(-p->p), sum = 0, left = 1, seen_left = (double)s->n_gaps;
    int bins = 0;
    if (p->p == 1) {
        assert_int_equal(s->gaps[0], s->n_gaps);
        return;
    }
    for (int b = 0; b < 63; b++) {
        double share = -left * expm1((double)s->gap_width * log_q), expected = share * (double)s->n_gaps;
        if (expected < 20 || (left - share) * (double)s->n_gaps < 20)
            break;
        sum += (s->gaps[b] - expected) * (s->gaps[b] - expected) / expected;
        left -= share;
        seen_left -= s->gaps[b];
        bins++;
    }
    double expected = left * (double)s->n_gaps;
    if (bins)
        assert_chi_square("gaps", p, sum + (seen_left - expected) * (seen_left - expected) / expected, bins);
}

/* Neighbours share a draw's words (four insertions the first one), and must not show it. */
static void insertions_are_independent(const tms_filter_params *p, const struct draws_seen *s)
{
    double mean = p->k * p->p, variance = mean * (1 - p->p);
    for (size_t lag = 1; lag <= 4; lag++) {
        double n = (double)(s->n - lag), p2 = p->p * p->p, products = 0;
        /* pairs that overlap in one insertion are correlated: 2 p^3 (1 - p) each */
        assert_normal("functions set twice", p, (double)s->pairs[lag - 1], n * p->k * p2,
                      n * p->k * (p2 * (1 - p2) + 2 * p2 * p->p * (1 - p->p)));
        for (size_t i = 0; i + lag < s->n; i++)
            products += (s->numbers[i] - mean) * (s->numbers[i + lag] - mean);
        assert_normal("correlation", p, products, 0, n * variance * variance);
    }
}

static void distributions(void **state)
{
    (void)state;
    static const double ps[] = {0.5, 0.1, 0.01, 0.001, 1};
    static const uint32_t ks[] = {1, 7, 100, 1000, 3000};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++) {
                tms_filter_params p = probabilistic(TMS_HASH_XXH3, 256, ks[j], ps[i], (tms_sampling)sampling);
                p.seed = fixed_seed() + i;
                size_t n = (size_t)MANY * (ks[j] > 100 ? 1500 : ks[j] == 100 ? 10000 : 20000);
                if (sample_is_quick() && ps[i] > 0.05)
                    n /= 4;
                struct draws_seen s = see_draws(&p, n);
                each_function_alike(&p, &s);
                number_is_binomial(&p, &s);
                gaps_are_geometric(&p, &s);
                insertions_are_independent(&p, &s);
                free(s.of_function);
                free(s.of_number);
                free(s.numbers);
            }
}

/* The two samplings and other seeds: as many ones, other bits. */
static void samplings_fill_alike(void **state)
{
    (void)state;
    enum { N = 4000 };
    static const double ps[] = {0.3, 0.01, 0.001};
    key_set in = keys_make(FORM_FIXED_20, N, fixed_seed());
    for (size_t i = 0; i < 3; i++) {
        tms_filter_params p = probabilistic(TMS_HASH_XXH3, 1000003, 200, ps[i], TMS_SAMPLING_GEOMETRIC), other = p, seed = p;
        other.sampling = TMS_SAMPLING_PLAIN;
        seed.seed++;
        tms_filter *a = built(&p, &in.keys), *b = built(&other, &in.keys), *c = built(&seed, &in.keys);
        double fill = -expm1(-(double)N * 200 * ps[i] / 1000003), deviation = sqrt(1000003 * fill);
        assert_true(fabs((double)stats_of(a).ones - 1000003 * fill) < 5 * deviation);
        assert_true(fabs((double)stats_of(b).ones - 1000003 * fill) < 5 * deviation);
        assert_true(fabs((double)stats_of(c).ones - 1000003 * fill) < 5 * deviation);
        assert_true(stats_of(a).checksum != stats_of(b).checksum && stats_of(a).checksum != stats_of(c).checksum);
        tms_filter_destroy(a);
        tms_filter_destroy(b);
        tms_filter_destroy(c);
    }
    keys_free(&in);
}

/* An insertion of every key again, all equal: the ones among its k bits are Binomial(k, 1 - (1 - p)^f). */
static void ones_follow_the_frequency(void **state)
{
    (void)state;
    enum { KEYS = 400, K = 500 };
    static const int frequencies[] = {1, 10, 100, 300};
    key_set in = keys_make(FORM_FIXED_8, KEYS, fixed_seed());
    uint32_t *ones = sample_alloc(KEYS * sizeof *ones);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 1)); /* many short calls */
    for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++) {
        tms_filter_params p = probabilistic(TMS_HASH_XXH3, (uint64_t)1 << 24, K, 0.01, (tms_sampling)sampling);
        tms_filter *f = empty(&p);
        for (int f_now = 0, i = 0; i < 4; i++) {
            for (; f_now < frequencies[i]; f_now++)
                ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
            ASSERT_OK(ctx, tms_filter_count(ctx, f, &in.keys, ones));
            double q = 1 - pow(0.99, f_now), background = stats_of(f).fill, sum = 0;
            q = 1 - (1 - q) * (1 - background);
            for (int j = 0; j < KEYS; j++)
                sum += (ones[j] - K * q) * (ones[j] - K * q);
            assert_chi_square("ones of keys", &p, sum / (K * q * (1 - q)), KEYS);
        }
        tms_filter_destroy(f);
    }
    free(ones);
    keys_free(&in);
}

/* --- the ends of p --- */

static void p_of_one_sets_all(void **state)
{
    (void)state;
    enum { N = 500 };
    key_set in = keys_make(FORM_GAP_1, N, sample_seed());
    uint32_t *ones = sample_alloc(N * sizeof *ones);
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_AP; hash++)
        for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++) {
            tms_filter_params p = probabilistic((tms_hash)hash, 100003, 37, 1, (tms_sampling)sampling);
            tms_filter_params classic = {TMS_LAYOUT_CLASSIC, p.hash, p.seed, p.m_bits, p.k};
            tms_filter *f = built(&p, &in.keys), *g = built(&classic, &in.keys);
            size_t size;
            const uint8_t *x = image_of(f, &size), *y = image_of(g, &size);
            assert_same_bytes("p = 1 and classic", y + 128, size - 128, x + 128, size - 128);
            ASSERT_OK(ctx, tms_filter_count(ctx, f, &in.keys, ones));
            for (size_t i = 0; i < N; i++)
                assert_int_equal(ones[i], 37);
            tms_filter_destroy(f);
            tms_filter_destroy(g);
        }
    free(ones);
    keys_free(&in);
}

static void smallest_p(void **state)
{
    (void)state;
    static const double ps[] = {0x1p-64, 0x1p-63, 1e-18};
    key_set in = keys_make(FORM_FIXED_8, 2000, sample_seed());
    for (int i = 0; i < 6; i++) {
        tms_filter_params p = probabilistic(TMS_HASH_XXH3, 1000, TMS_PROBABILISTIC_MAX_K, ps[i / 2], (tms_sampling)(i % 2));
        tms_keys some = keys_slice(&in.keys, 0, i % 2 ? 50 : 2000);
        tms_filter *f = built(&p, &some);
        assert_int_equal(stats_of(f).ones, 0);
        assert_int_equal(stats_of(f).n_keys, some.n_keys);
        tms_filter_destroy(f);
    }
    keys_free(&in);
}

/* Gaps beyond the table's end. k / n is 32; the number set is still Binomial(k, p). */
static void long_gaps(void **state)
{
    (void)state;
    enum { N = 3000 * (SAMPLES_SANITIZED ? 1 : 4) };
    for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++) {
        tms_filter_params p = probabilistic(TMS_HASH_XXH3, 256, 65536, 1e-5, (tms_sampling)sampling);
        p.seed = fixed_seed() + 5;
        size_t n = sampling == TMS_SAMPLING_PLAIN ? N / 8 : N;
        uint64_t *functions = sample_alloc(p.k * sizeof *functions);
        struct draws_seen s = {n, NULL, calloc(p.k + 1, 4), NULL, {0}, 0, 0, {0}};
        double positions = 0, total = 0;
        assert_non_null(s.of_number);
        tms_filter *f = empty(&p);
        struct probabilistic_draws draws;
        probabilistic_draws_init(&draws, f);
        assert_int_equal(f->jumps->n, JUMPS_MAX);
        for (size_t i = 0; i < n; i++) {
            size_t drawn = probabilistic_draw(&draws, i, functions);
            s.of_number[drawn]++;
            total += (double)drawn;
            for (size_t j = 0; j < drawn; j++)
                positions += (double)functions[j] + 0.5;
        }
        number_is_binomial(&p, &s);
        assert_normal("number", &p, total, (double)n * 0.65536, (double)n * 0.65536);
        assert_normal("places", &p, positions, 32768 * total, 65536.0 * 65536 / 12 * total);
        tms_filter_destroy(f);
        free(s.of_number);
        free(functions);
    }
}

/* --- independence --- */

static const tms_filter_params many[] = {
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 1, 100003, 1000, 0.01, TMS_SAMPLING_GEOMETRIC},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 2, 1u << 20, 3000, 1e-4, TMS_SAMPLING_GEOMETRIC},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3_SQUARE, 3, 65, 5, 0.5, TMS_SAMPLING_GEOMETRIC},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_MURMUR3, 4, 100003, 100, 0.05, TMS_SAMPLING_GEOMETRIC},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_AP, 5, 10007, 33, 0.2, TMS_SAMPLING_PLAIN},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 6, 100003, 500, 0.01, TMS_SAMPLING_PLAIN},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 0, 1, 1, 1, TMS_SAMPLING_GEOMETRIC},
};
#define N_MANY (sizeof many / sizeof *many)

/* The bytes do not depend on the size of pieces, the number of threads, keys or hashes as input, or images and copies in between. */
static tms_filter *built_in_pieces(const tms_filter_params *p, const tms_keys *keys, sample_random *r)
{
    tms_filter *f = empty(p);
    uint64_t *hashes = sample_alloc(keys->n_keys * 2 * sizeof *hashes);
    int has_hashes = tms_hash_words(p) == 2;
    if (has_hashes)
        ASSERT_OK(ctx, tms_keys_hash(ctx, p, keys, hashes));
    for (size_t first = 0; first < keys->n_keys;) {
        size_t most = random_below(r, 4) ? 5 : keys->n_keys, n = (size_t)random_below(r, most + 1);
        n = n > keys->n_keys - first ? keys->n_keys - first : n;
        tms_keys part = keys_slice(keys, first, n);
        ASSERT_OK(ctx, tms_context_set_threads(ctx, 1 + (int)random_below(r, 8)));
        if (has_hashes && random_below(r, 3) == 0)
            ASSERT_OK(ctx, tms_filter_insert_hashes(ctx, f, hashes + 2 * first, n));
        else
            ASSERT_OK(ctx, tms_filter_insert(ctx, f, &part));
        first += n;
        if (random_below(r, 200) == 0 || first == keys->n_keys) {
            size_t size;
            const uint8_t *image = image_of(f, &size);
            tms_filter *copy = copy_of_image(ctx, image, size);
            tms_filter_destroy(f);
            f = copy;
        }
    }
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 1));
    free(hashes);
    return f;
}

static void any_threads_and_batches(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 1));
    for (size_t l = 0; l < N_MANY; l++)
        for (int form = 0; form < FORM_COUNT; form++) {
            size_t n = many[l].sampling == TMS_SAMPLING_PLAIN || sample_is_quick() ? 2000 : 9000;
            if (form == FORM_LONG && many[l].hash >= TMS_HASH_MURMUR3)
                continue;
            key_set in = keys_make((sample_form)form, n, sample_seed() + (uint64_t)form);
            tms_filter *whole = built(&many[l], &in.keys), *pieces = built_in_pieces(&many[l], &in.keys, &r);
            assert_same_filter("in pieces", whole, pieces);
            for (int n_threads = 2; n_threads <= 8; n_threads += 1 + form % 3) {
                ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
                tms_filter *threads = built(&many[l], &in.keys);
                assert_same_filter("by several threads", whole, threads);
                tms_filter_destroy(threads);
            }
            ASSERT_OK(ctx, tms_context_set_threads(ctx, 1));
            tms_filter_destroy(whole);
            tms_filter_destroy(pieces);
            keys_free(&in);
        }
}

/* The number of an insertion draws its bits, so the order of the keys matters, and a repeat is another insertion. */
static void order_matters(void **state)
{
    (void)state;
    tms_filter_params p = probabilistic(TMS_HASH_XXH3, 100003, 100, 0.05, TMS_SAMPLING_GEOMETRIC);
    key_set in = keys_make(FORM_FIXED_8, 200, sample_seed());
    tms_keys first = keys_slice(&in.keys, 0, 100), second = keys_slice(&in.keys, 100, 100);
    tms_filter *a = built(&p, &in.keys), *b = built(&p, &second);
    ASSERT_OK(ctx, tms_filter_insert(ctx, b, &first));
    assert_true(stats_of(a).checksum != stats_of(b).checksum);
    uint64_t ones = stats_of(a).ones;
    ASSERT_OK(ctx, tms_filter_insert(ctx, a, &in.keys));
    assert_true(stats_of(a).ones > ones + ones / 2);
    assert_int_equal(stats_of(a).n_keys, 400);
    assert_true(stats_of(a).expected_fpr == 0 && stats_of(a).actual_fpr == 0 && stats_of(a).classic_bits_per_key == 0);
    tms_filter_destroy(a);
    tms_filter_destroy(b);
    keys_free(&in);
}

/* --- rejected arguments --- */

static void parameters_refused(void **state)
{
    (void)state;
    static const double wrong_ps[] = {0, -0.0, -1, 1.0000000000000002, 2, INFINITY, -INFINITY, NAN, 0x1.fp-65, 5e-324};
    const tms_filter_params good = probabilistic(TMS_HASH_XXH3, 1000, 10, 0.5, TMS_SAMPLING_PLAIN);
    tms_filter_params p = good;
    tms_filter *f = (tms_filter *)(uintptr_t)1;
    for (size_t i = 0; i < sizeof wrong_ps / sizeof *wrong_ps; i++) {
        p.p = wrong_ps[i];
        ASSERT_FAILS(ctx, TMS_E_ARG, "p = ", tms_filter_create(ctx, &p, &f));
        assert_null(f);
    }
    p = good;
    p.k = 0;
    ASSERT_FAILS(ctx, TMS_E_ARG, "k = 0: the probabilistic layout takes 1 to 65536", tms_filter_create(ctx, &p, &f));
    p.k = 65537;
    ASSERT_FAILS(ctx, TMS_E_ARG, "k = 65537", tms_filter_create(ctx, &p, &f));
    p.k = UINT32_MAX;
    ASSERT_FAILS(ctx, TMS_E_ARG, "k = 4294967295", tms_filter_create(ctx, &p, &f));
    p = good;
    p.sampling = (tms_sampling)2;
    ASSERT_FAILS(ctx, TMS_E_ARG, "sampling 2", tms_filter_create(ctx, &p, &f));
    p.sampling = (tms_sampling)-1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "sampling", tms_filter_create(ctx, &p, &f));
    p = good;
    p.m_bits = 0;
    ASSERT_FAILS(ctx, TMS_E_ARG, "m = 0", tms_filter_create(ctx, &p, &f));
    p.m_bits = TMS_MAX_BITS + 1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "m = ", tms_filter_create(ctx, &p, &f));
    p = good;
    p.hash = (tms_hash)5;
    ASSERT_FAILS(ctx, TMS_E_ARG, "hash", tms_filter_create(ctx, &p, &f));
    p = good;
    p.layout = (tms_layout)5;
    ASSERT_FAILS(ctx, TMS_E_ARG, "layout", tms_filter_create(ctx, &p, &f));
    for (int layout = TMS_LAYOUT_BLOCKED; layout <= TMS_LAYOUT_CLASSIC; layout++) {
        p = (tms_filter_params){(tms_layout)layout, TMS_HASH_XXH3, 0, 256, 4, 0.5, 0};
        ASSERT_FAILS(ctx, TMS_E_ARG, "probabilistic", tms_filter_create(ctx, &p, &f));
        p.p = NAN;
        ASSERT_FAILS(ctx, TMS_E_ARG, "probabilistic", tms_filter_create(ctx, &p, &f));
        p.p = 0;
        p.sampling = TMS_SAMPLING_PLAIN;
        ASSERT_FAILS(ctx, TMS_E_ARG, "probabilistic", tms_filter_create(ctx, &p, &f));
    }
    tms_filter_want want = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 0, 1000, 0.01, 0, 0};
    ASSERT_FAILS(ctx, TMS_E_ARG, "tms_frequency_size", tms_filter_size(ctx, &want, &p));
    assert_string_equal(tms_layout_name(TMS_LAYOUT_PROBABILISTIC), "probabilistic");
    assert_string_equal(tms_layout_name((tms_layout)5), "?");
    assert_string_equal(tms_sampling_name(TMS_SAMPLING_GEOMETRIC), "geometric");
    assert_string_equal(tms_sampling_name(TMS_SAMPLING_PLAIN), "plain");
    assert_string_equal(tms_sampling_name((tms_sampling)2), "?");
}

static void queries_and_counts_refused(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_8, 10, 1);
    uint8_t hit[10];
    uint32_t ones[10];
    tms_filter_params p = probabilistic(TMS_HASH_XXH3, 1000, 10, 0.5, TMS_SAMPLING_PLAIN);
    tms_filter *f = built(&p, &in.keys);
    ASSERT_FAILS(ctx, TMS_E_ARG, "count", tms_filter_query(ctx, f, &in.keys, hit));
    ASSERT_FAILS(ctx, TMS_E_ARG, "GPU", tms_filter_count_device(ctx, f, &in.keys, ones));
    tms_keys wrong = in.keys, none = in.keys;
    wrong.bytes = NULL;
    none.n_keys = 0;
    ASSERT_FAILS(ctx, TMS_E_ARG, "no bytes", tms_filter_count(ctx, f, &wrong, ones));
    static const uint32_t backwards[] = {0, 3, 2};
    wrong = (tms_keys){in.bytes, backwards, 2, 0, 0};
    ASSERT_FAILS(ctx, TMS_E_ARG, "offsets[2]", tms_filter_count(ctx, f, &wrong, ones));
    ASSERT_OK(ctx, tms_filter_count(ctx, f, &none, NULL));
    tms_filter_destroy(f);
    for (int layout = TMS_LAYOUT_BLOCKED; layout <= TMS_LAYOUT_CLASSIC; layout++) {
        tms_filter_params other = {(tms_layout)layout, TMS_HASH_XXH3, 0, 256, 4};
        f = built(&other, &in.keys);
        ASSERT_FAILS(ctx, TMS_E_ARG, tms_layout_name(other.layout), tms_filter_count(ctx, f, &in.keys, ones));
        tms_filter_destroy(f);
    }
    keys_free(&in);
}

/* A filter that says how many insertions it has had. */
static tms_filter *filter_after(const tms_filter_params *p, uint64_t n_keys)
{
    tms_filter *f = empty(p);
    size_t size;
    const uint8_t *image = image_of(f, &size);
    void *forged = image_with_n_keys(image, size, n_keys);
    tms_filter_destroy(f);
    f = copy_of_image(ctx, forged, size);
    free(forged);
    return f;
}

static void insertions_past_2_to_64(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_8, 10, 1);
    uint64_t hashes[20];
    for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++) {
        tms_filter_params p = probabilistic(TMS_HASH_XXH3, 1000, 10, 0.5, (tms_sampling)sampling);
        tms_filter *f = filter_after(&p, UINT64_MAX - 10);
        tms_keys one = keys_slice(&in.keys, 0, 1);
        ASSERT_OK(ctx, tms_keys_hash(ctx, &p, &in.keys, hashes));
        ASSERT_OK(ctx, tms_filter_insert(ctx, f, &one));
        uint64_t checksum = stats_of(f).checksum;
        assert_true(stats_of(f).n_keys == UINT64_MAX - 9);
        ASSERT_FAILS(ctx, TMS_E_ARG, "2^64", tms_filter_insert(ctx, f, &in.keys));
        ASSERT_FAILS(ctx, TMS_E_ARG, "2^64", tms_filter_insert_hashes(ctx, f, hashes, 10));
        assert_true(stats_of(f).checksum == checksum && stats_of(f).n_keys == UINT64_MAX - 9);
        ASSERT_OK(ctx, tms_filter_insert_hashes(ctx, f, hashes, 9));
        assert_true(stats_of(f).n_keys == UINT64_MAX);
        ASSERT_FAILS(ctx, TMS_E_ARG, "2^64", tms_filter_insert(ctx, f, &one));
        one.n_keys = 0;
        ASSERT_OK(ctx, tms_filter_insert(ctx, f, &one));
        tms_filter_destroy(f);
    }
    tms_filter_params classic = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 1000, 3};
    tms_filter *f = filter_after(&classic, UINT64_MAX - 5); /* its n is for information */
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
    tms_filter_destroy(f);
    keys_free(&in);
}

/* --- merging --- */

static void merging(void **state)
{
    (void)state;
    enum { N = 300 };
    key_set in = keys_make(FORM_GAP_1, 2 * N, sample_seed());
    tms_keys first = keys_slice(&in.keys, 0, N), second = keys_slice(&in.keys, N, N - 7);
    for (size_t l = 0; l < N_MANY; l++) {
        tms_filter *a = built(&many[l], &first), *b = built(&many[l], &second), *before = built(&many[l], &first), *opened;
        size_t size;
        ASSERT_FAILS(ctx, TMS_E_ARG, "does not add frequencies", tms_filter_merge(ctx, a, b, TMS_MERGE_UNION));
        ASSERT_FAILS(ctx, TMS_E_ARG, "intersection", tms_filter_merge(ctx, a, b, TMS_MERGE_INTERSECT));
        assert_same_filter("after a refusal", before, a);
        assert_false(stats_of(a).is_union);
        ASSERT_OK(ctx, tms_filter_merge(ctx, a, b, TMS_MERGE_PRESENCE));
        tms_filter_stats s = stats_of(a);
        assert_true(s.is_union && s.n_keys == 2 * N - 7);
        assert_false(stats_of(b).is_union);
        const uint8_t *x = image_of(a, &size), *y = image_of(b, &size), *z = image_of(before, &size);
        for (size_t i = 128; i < size; i++)
            assert_int_equal(x[i], y[i] | z[i]);
        /* The mark survives images, copies and further insertions, and is caught from either side. */
        tms_filter *copy = copy_of_image(ctx, x, size), *again;
        assert_same_filter("copy", a, copy);
        ASSERT_OK(ctx, tms_filter_copy(ctx, copy, &again));
        ASSERT_OK(ctx, tms_filter_insert(ctx, again, &second));
        assert_true(stats_of(again).is_union && stats_of(again).n_keys == 3 * N - 14);
        image_of(again, &size);
        ASSERT_OK(ctx, tms_filter_open(ctx, image_of(again, &size), size, &opened));
        assert_true(stats_of(opened).is_union);
        ASSERT_FAILS(ctx, TMS_E_ARG, "read-only", tms_filter_merge(ctx, opened, b, TMS_MERGE_PRESENCE));
        ASSERT_OK(ctx, tms_filter_merge(ctx, before, opened, TMS_MERGE_PRESENCE));
        assert_true(stats_of(before).is_union && stats_of(before).n_keys == 4 * N - 14);
        tms_filter *made[] = {a, b, before, copy, opened, again};
        for (int i = 0; i < 6; i++)
            tms_filter_destroy(made[i]);
    }
    keys_free(&in);
}

static void merging_refused(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_8, 10, 1);
    const tms_filter_params base = probabilistic(TMS_HASH_XXH3, 1000, 10, 0.5, TMS_SAMPLING_GEOMETRIC);
    tms_filter_params p = base, sampling = base, seed = base, k = base;
    tms_filter_params classic = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 77, 1000, 10};
    p.p = nextafter(0.5, 1);
    sampling.sampling = TMS_SAMPLING_PLAIN;
    seed.seed++;
    k.k++;
    const struct {
        const tms_filter_params *other;
        const char *words[2];
    } cases[] = {{&p, {"p = 0.5 ", "0.5000000000000001"}},
                 {&sampling, {"geometric", "plain"}},
                 {&classic, {"probabilistic", "classic"}},
                 {&seed, {"seed", "78"}},
                 {&k, {"k = 10", "11"}}};
    tms_filter *a = empty(&base);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tms_filter *b = empty(cases[i].other);
        for (int how = TMS_MERGE_UNION; how <= TMS_MERGE_PRESENCE; how++)
            for (int w = 0; w < 2; w++)
                ASSERT_FAILS(ctx, TMS_E_MISMATCH, cases[i].words[w], tms_filter_merge(ctx, a, b, (tms_merge)how));
        assert_false(stats_of(a).is_union);
        tms_filter_destroy(b);
    }
    for (int layout = TMS_LAYOUT_BLOCKED; layout <= TMS_LAYOUT_CLASSIC; layout++) {
        tms_filter_params other = {(tms_layout)layout, TMS_HASH_XXH3, 0, 256, 4};
        tms_filter *b = empty(&other), *c = built(&other, &in.keys);
        ASSERT_FAILS(ctx, TMS_E_ARG, tms_layout_name(other.layout), tms_filter_merge(ctx, b, c, TMS_MERGE_PRESENCE));
        assert_true(stats_of(b).ones == 0 && !stats_of(b).is_union);
        tms_filter_destroy(b);
        tms_filter_destroy(c);
    }
    tms_filter *far = filter_after(&base, UINT64_MAX - 5), *ten = built(&base, &in.keys);
    ASSERT_FAILS(ctx, TMS_E_ARG, "2^64", tms_filter_merge(ctx, far, ten, TMS_MERGE_PRESENCE));
    ASSERT_FAILS(ctx, TMS_E_ARG, "2^64", tms_filter_merge(ctx, ten, far, TMS_MERGE_PRESENCE));
    assert_true(stats_of(far).n_keys == UINT64_MAX - 5 && stats_of(far).ones == 0 && !stats_of(far).is_union);
    assert_true(stats_of(ten).n_keys == 10 && !stats_of(ten).is_union);
    tms_filter_destroy(far);
    far = filter_after(&base, UINT64_MAX - 10);
    ASSERT_OK(ctx, tms_filter_merge(ctx, far, ten, TMS_MERGE_PRESENCE));
    assert_true(stats_of(far).n_keys == UINT64_MAX);
    tms_filter_destroy(far);
    tms_filter_destroy(ten);
    tms_filter_destroy(a);
    keys_free(&in);
}

int main(void)
{
    const struct CMUnitTest threads[] = {cmocka_unit_test(any_threads_and_batches)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_known_answers),
        cmocka_unit_test(tables_are_powers),
        cmocka_unit_test(jumps_as_by_search),
        cmocka_unit_test(ties_are_exact),
        cmocka_unit_test(draws_by_definition),
        cmocka_unit_test(ties_in_draws),
        cmocka_unit_test(filters_by_definition),
        cmocka_unit_test(least_ones_at_the_border),
        cmocka_unit_test(distributions),
        cmocka_unit_test(samplings_fill_alike),
        cmocka_unit_test(ones_follow_the_frequency),
        cmocka_unit_test(p_of_one_sets_all),
        cmocka_unit_test(smallest_p),
        cmocka_unit_test(long_gaps),
        cmocka_unit_test(order_matters),
        cmocka_unit_test(parameters_refused),
        cmocka_unit_test(queries_and_counts_refused),
        cmocka_unit_test(insertions_past_2_to_64),
        cmocka_unit_test(merging),
        cmocka_unit_test(merging_refused),
    };
    return cmocka_run_group_tests(threads, setup, teardown) + (SAMPLES_TSAN ? 0 : cmocka_run_group_tests(tests, setup, teardown));
}
