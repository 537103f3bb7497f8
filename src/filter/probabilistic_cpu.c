/*
 * probabilistic_cpu.c - the probabilistic layout on CPU threads. One thread is the oracle; insertion by several: partitioned_insert.h.
 */
#include <math.h>

#include "filter/partitioned_insert.h"
#include "filter/probabilistic_cpu.h"

#define ESCAPE    ((uint64_t)1 << 58) /* 1/64 */
#define TASK_WORK 16384               /* keys times k of a counting task: waking a thread for less does not pay */

_Static_assert(JUMPS_MAX <= UINT16_MAX, "a guide's entries have 16 bits");

/* 1 - p in units of 2^-64, rounded up. p is at least 2^-64. */
static uint64_t fixed_q(double p) { return p >= 1 ? 0 : (uint64_t)0 - (uint64_t)ldexp(p, 64); }

void probabilistic_jumps_init(struct probabilistic_jumps *t, double p)
{
    uint64_t q = fixed_q(p), power = q;
    t->q_high = (uint32_t)(q >> 32);
    t->q_low = (uint32_t)q;
    for (t->n = 0; t->n < JUMPS_MAX; power = core_mul_high(power, q)) {
        t->high[t->n] = (uint32_t)(power >> 32);
        t->low[t->n++] = (uint32_t)power;
        if (power <= ESCAPE)
            break;
    }
    t->high[t->n] = t->low[t->n] = 0;
    uint32_t g = 0;
    for (uint32_t b = 1 << JUMPS_GUIDE_BITS; b-- > 0;) {
        uint32_t last = (b << (32 - JUMPS_GUIDE_BITS)) | ((1u << (32 - JUMPS_GUIDE_BITS)) - 1);
        while (last < t->high[g])
            g++;
        t->guide[b] = (uint16_t)g;
    }
}

/* --- drawing --- */

void probabilistic_draws_init(struct probabilistic_draws *draws, const tms_filter *f)
{
    uint32_t k = f->params.k;
    draws->params = &f->params;
    draws->jumps = f->jumps;
    draws->none_below = k <= f->jumps->n ? f->jumps->high[k - 1] : 0;
    draws->first_of = UINT64_MAX; /* no c is that large */
}

static size_t draw_plain(const tms_filter_params *p, const struct probabilistic_jumps *t, uint64_t insertion, uint64_t *functions)
{
    size_t n = 0;
    for (uint32_t i = 0; i < p->k; i += 4) {
        draw_block words = draw_words(p->seed, insertion, i / 4, DRAW_EACH);
        for (uint32_t j = i; j < i + 4 && j < p->k; j++) {
            functions[n] = j;
            n += draw_sets(t->q_high, t->q_low, p->seed, insertion, j, words.v[j % 4]);
        }
    }
    return n;
}

static size_t draw_geometric(struct probabilistic_draws *draws, uint64_t insertion, uint64_t *functions)
{
    const tms_filter_params *p = draws->params;
    const struct probabilistic_jumps *t = draws->jumps;
    if (insertion / 4 != draws->first_of) {
        draws->first_of = insertion / 4;
        draws->first = draw_words(p->seed, insertion / 4, 0, DRAW_FIRST);
    }
    uint32_t word = draws->first.v[insertion % 4];
    if (word < draws->none_below) /* the first jump skips all k functions */
        return 0;
    size_t n = 0;
    uint64_t i = jump_of(t->high, t->low, t->guide, t->n, p->seed, insertion, 0, word), k = p->k;
    if (i >= k)
        return 0;
    functions[0] = i;
    n += i < t->n;
    i += i < t->n;
    for (uint32_t block = 0;; block++) {
        draw_block words = draw_words(p->seed, insertion, block, DRAW_JUMP);
        for (uint32_t j = 0; j < 4; j++) {
            uint32_t g = jump_of(t->high, t->low, t->guide, t->n, p->seed, insertion, 4 * block + j + 1, words.v[j]);
            i += g;
            if (i >= k)
                return n;
            functions[n] = i;
            n += g < t->n;
            i += g < t->n;
        }
    }
}

size_t probabilistic_draw(struct probabilistic_draws *draws, uint64_t insertion, uint64_t *functions)
{
    return draws->params->sampling == TMS_SAMPLING_PLAIN ? draw_plain(draws->params, draws->jumps, insertion, functions)
                                                         : draw_geometric(draws, insertion, functions);
}

void probabilistic_values(const tms_filter_params *p, const classic_key *key, uint64_t *functions, size_t n)
{
    if (p->hash == TMS_HASH_XXH3)
        for (size_t i = 0; i < n; i++)
            functions[i] = classic_value(TMS_HASH_XXH3, 0, key, (uint32_t)functions[i]);
    else
        for (size_t i = 0; i < n; i++)
            functions[i] = classic_value(p->hash, p->seed, key, (uint32_t)functions[i]);
}

/* --- insertion --- */

static size_t produce(void *arg, size_t first, size_t n, uint64_t *values, size_t capacity, size_t *n_values)
{
    const struct classic_insertion *in = arg;
    const tms_filter *f = in->filter;
    struct probabilistic_draws draws;
    probabilistic_draws_init(&draws, f);
    size_t made = 0, i = 0;
    for (; i < n && capacity - made >= f->params.k; i++) {
        size_t drawn = probabilistic_draw(&draws, f->n_keys + first + i, values + made);
        if (!drawn)
            continue; /* no hash needed */
        classic_key key = classic_key_at(&f->params, in->keys, in->hashes, first + i);
        probabilistic_values(&f->params, &key, values + made, drawn);
        made += drawn;
    }
    *n_values = made;
    return i;
}

tms_status probabilistic_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n)
{
    struct classic_insertion in = {f, keys, hashes};
    uint32_t k = f->params.k;
    double drawn = f->params.sampling == TMS_SAMPLING_PLAIN ? k : 2 + f->params.p * k;
    struct partitioned_insert_work work = {
        &in, n, k, (uint32_t)drawn, filter_bits_mutable(f), f->bits_bytes, f->params.m_bits, 64, produce, classic_apply};
    return partitioned_insert(ctx, &work);
}

/* --- counting ones --- */

static inline uint32_t bit_at(const uint64_t *words, uint64_t value, uint64_t m_bits)
{
    uint64_t position = core_scale(value, m_bits);
    return words[position >> 6] >> (position & 63) & 1;
}

#define CHECK_EVERY 16

/*
 * Counts the ones among functions 0 .. k - 1 of the family xxh3; with more than most_zeros zeros the result is only below
 * k - most_zeros. Differences give the values: the third difference is constant.
 */
static uint32_t cubic_ones(const uint64_t *words, uint64_t m_bits, uint32_t k, uint64_t h1, uint64_t h2, uint32_t most_zeros)
{
    uint64_t value = h1, step = h2, second = CLASSIC_CUBIC_SCALE;
    uint32_t ones = 0;
    for (uint32_t i = 0; i < k && i <= ones + most_zeros;)
        for (uint32_t end = k - i < CHECK_EVERY ? k : i + CHECK_EVERY; i < end; i++) {
            ones += bit_at(words, value, m_bits);
            value += step;
            step += second;
            second += CLASSIC_CUBIC_SCALE;
        }
    return ones;
}

static uint32_t count_ones(const tms_context *ctx, const tms_filter *f, const classic_key *key, uint32_t most_zeros)
{
    const uint64_t *words = (const uint64_t *)(const void *)filter_bits(f);
    const tms_filter_params *p = &f->params;
#if TMS_HAVE_X86_SIMD
    if (p->hash == TMS_HASH_XXH3 && ctx->simd == TMS_SIMD_AVX512)
        return cubic_ones_avx512(words, p->m_bits, p->k, key->h1, key->h2, most_zeros);
#endif
    (void)ctx;
    if (p->hash == TMS_HASH_XXH3)
        return cubic_ones(words, p->m_bits, p->k, key->h1, key->h2, most_zeros);
    uint32_t ones = 0;
    for (uint32_t i = 0; i < p->k && i <= ones + most_zeros; i++)
        ones += bit_at(words, classic_value(p->hash, p->seed, key, i), p->m_bits);
    return ones;
}

uint32_t probabilistic_count(const tms_context *ctx, const tms_filter *f, const classic_key *key)
{
    return count_ones(ctx, f, key, f->params.k);
}

bool probabilistic_has_ones(const tms_context *ctx, const tms_filter *f, const classic_key *key, uint32_t least)
{
    return least <= f->params.k && count_ones(ctx, f, key, f->params.k - least) >= least;
}

struct counting {
    const tms_context *ctx;
    const tms_filter *filter;
    const tms_keys *keys;
    uint32_t *ones;
};

static void count_range(void *arg, size_t first, size_t end)
{
    const struct counting *c = arg;
    for (size_t i = first; i < end; i++) {
        classic_key key = classic_key_at(&c->filter->params, c->keys, NULL, i);
        c->ones[i] = probabilistic_count(c->ctx, c->filter, &key);
    }
}

tms_status probabilistic_count_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *ones)
{
    struct counting counting = {ctx, f, keys, ones};
    return context_run_ranges(ctx, keys->n_keys, TASK_WORK / f->params.k + 1, count_range, &counting);
}
