/*
 * sizing.c - how many bits, how many hash functions, and the false-positive rate to expect.
 *
 * Classic: FPR = (1 - (1 - 1/m)^(k n))^k [Ma11, eq. 2; Ong13, eq. 2], m = -k n / ln(1 - FPR^(1/k)) [Ong13, eq. 5].
 *
 * Blocked: keys fall into B = m / 256 blocks unevenly, and the crowded blocks make most of the false positives. With L
 * keys in a block (binomial(n, 1/B)), a 32-bit word into which each key threw c bits (c = 1 or 2) holds S ones, whose
 * distribution after c L throws follows from S -> S + 1 with probability 1 - S/32. A missing key passes the word
 * with probability E[(S/32)^c], the words are independent given L, so
 *     FPR = sum over L of P(L) * (product over words of E[(S/32)^c | L] + L / 2^32).
 * The last term: the bits come from 32 bits of the hash, in which a missing key may equal one of the L.
 *
 * With c blocks a key, c such filters of B / c blocks have to let a missing key pass. Given the keys they are independent, so their
 * rates multiply; what remains is a missing key whose whole hash equals that of a key: n / 2^64.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/blocked_core.h"
#include "filter/filter_params.h"
#include "filter/sizing.h"

#define WORD_BITS 32
#define MAX_LOAD 1024 /* keys in a block from which on it answers yes to everything, for our purposes */
#define POISSON_FROM_KEYS 1000000
#define SAME_BITS (1.0 / 4294967296.0) /* two keys of a block with the same low half of their hashes */

static double sizing_classic_fpr(uint64_t n, uint64_t m, uint32_t k)
{
    double log_zero = (double)k * (double)n * log1p(-1.0 / (double)m);
    return pow(-expm1(log_zero), (double)k);
}

double sizing_classic_bits_per_key(double fpr) { return fpr >= 1 || fpr <= 0 ? 0 : -log(fpr) / (M_LN2 * M_LN2); }

/* moments[c - 1][L]: E[(S / 32)^c] of a word into which each of L keys threw c bits. No k in it: made once for all. */
struct word_moments {
    double moments[2][MAX_LOAD + 1];
};

static void word_moments_init(struct word_moments *m)
{
    for (int c = 1; c <= 2; c++) {
        double ones[WORD_BITS + 1] = {1}; /* P(S = s) */
        for (int load = 0; load <= MAX_LOAD; load++) {
            double moment = 0;
            for (int s = 0; s <= WORD_BITS; s++) {
                double part = (double)s / WORD_BITS;
                moment += ones[s] * (c == 1 ? part : part * part);
            }
            m->moments[c - 1][load] = moment;
            for (int thrown = 0; thrown < c; thrown++)
                for (int s = WORD_BITS; s >= 0; s--)
                    ones[s] = ones[s] * s / WORD_BITS + (s ? ones[s - 1] * (WORD_BITS + 1 - s) / WORD_BITS : 0);
        }
    }
}

/* pass[L]: probability that a missing key passes a block that holds L keys. */
static void blocked_pass_by_load(const struct word_moments *m, uint32_t k, double pass[MAX_LOAD + 1])
{
    uint32_t n_once = k < BLOCKED_WORDS ? k : 2 * BLOCKED_WORDS - k, n_twice = k < BLOCKED_WORDS ? 0 : k - BLOCKED_WORDS; /* words */
    for (int load = 0; load <= MAX_LOAD; load++) {
        double all = pow(m->moments[0][load], n_once) * (n_twice ? pow(m->moments[1][load], n_twice) : 1);
        pass[load] = fmin(1, all + load * SAME_BITS);
    }
}

/* The mean of pass[] over binomial(n, 1 / n_blocks) loads, summed outwards from the mode; Poisson for large n. */
static double blocked_mean_pass(uint64_t n, uint64_t n_blocks, const double pass[MAX_LOAD + 1])
{
    double lambda = (double)n / (double)n_blocks;
    double n_trials = n > POISSON_FROM_KEYS ? INFINITY : (double)n;
    double odds = n_blocks > 1 ? 1.0 / ((double)n_blocks - 1) : 0;
    if (n_blocks == 1 || lambda > MAX_LOAD / 2)
        return lambda > MAX_LOAD ? 1 : pass[(int)lambda];
    int mode = (int)lambda;
    double sum = 0, total = 0, weight = 1;
    for (int load = mode; load <= MAX_LOAD && weight > 0; load++) {
        sum += weight * pass[load];
        total += weight;
        weight *= isinf(n_trials) ? lambda / (load + 1) : fmax(n_trials - load, 0) * odds / (load + 1);
    }
    weight = 1;
    for (int load = mode; load > 0; load--) {
        weight *= isinf(n_trials) ? load / lambda : load / ((n_trials - load + 1) * odds);
        sum += weight * pass[load - 1];
        total += weight;
    }
    return sum / total;
}

/* One part with this many keys and blocks: pass[] for its k. */
static double blocked_fpr(uint64_t n, uint64_t part_blocks, uint32_t n_parts, const double pass[MAX_LOAD + 1])
{
    double part = blocked_mean_pass(n, part_blocks, pass);
    return n_parts == 1 ? part : fmin(1, pow(part, n_parts) + blocked_same_hash(n));
}

double tms_filter_expected_fpr(const tms_filter_params *params, uint64_t n_keys)
{
    if (!n_keys || params->layout == TMS_LAYOUT_PROBABILISTIC)
        return 0;
    if (params->layout == TMS_LAYOUT_CLASSIC)
        return sizing_classic_fpr(n_keys, params->m_bits, params->k);
    struct word_moments moments;
    double pass[MAX_LOAD + 1];
    word_moments_init(&moments);
    blocked_pass_by_load(&moments, params->k, pass);
    return blocked_fpr(n_keys, filter_part_blocks(params), filter_n_parts(params), pass);
}

/* --- least m for a rate; 0 when beyond the layout's largest --- */

/* [Ong13, eq. 5] comes from the approximate form of eq. 2; a few bits more reach the rate by the exact one too. */
static uint64_t classic_least_bits(uint64_t n, double fpr, uint32_t k)
{
    double m = ceil(-(double)k * (double)n / log1p(-pow(fpr, 1.0 / k)));
    m = m < 1 ? 1 : m;
    for (double step = 1; m <= (double)TMS_MAX_BITS && sizing_classic_fpr(n, (uint64_t)m, k) > fpr; step *= 2)
        m += step;
    return m <= (double)TMS_MAX_BITS ? (uint64_t)m : 0;
}

static uint64_t blocked_least_bits(uint64_t n, double fpr, uint32_t n_parts, const double pass[MAX_LOAD + 1])
{
    uint64_t most = TMS_BLOCKED_MAX_BITS / TMS_BLOCK_BITS / n_parts, low = 0, high = 1;
    while (blocked_fpr(n, high, n_parts, pass) > fpr) {
        if (high == most)
            return 0;
        low = high;
        high = high > most / 2 ? most : 2 * high;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *(blocked_fpr(n, middle, n_parts, pass) > fpr ? &low : &high) = middle;
    }
    return high * TMS_BLOCK_BITS * n_parts;
}

/* --- k, and blocks a key --- */

static void classic_choose(uint64_t n, double fpr, tms_filter_params *p)
{
    double optimal = -log2(fpr); /* k = ln 2 m / n at the optimum */
    uint32_t low = optimal < 1 ? 1 : optimal > TMS_CLASSIC_MAX_K - 1 ? TMS_CLASSIC_MAX_K - 1 : (uint32_t)optimal;
    uint64_t a = classic_least_bits(n, fpr, low), b = classic_least_bits(n, fpr, low + 1);
    p->k = a && (a <= b || !b) ? low : low + 1;
    p->m_bits = p->k == low ? a : b;
}

/*
 * A present key costs an access for each block, so there is one for every three decimal places of the rate, begun ones included: 1 to
 * 1e-3, 2 to 1e-6, 3 to 1e-9. Each part then lets one in a thousand pass or more, where the blocked layout takes 17 bits a key at most.
 */
static uint32_t most_blocks_per_key(double fpr)
{
    double decades = ceil(-log10(fpr) / 3 - 1e-9);
    return decades < 1 ? 1 : decades > TMS_BLOCKED_MAX_BLOCKS ? TMS_BLOCKED_MAX_BLOCKS : (uint32_t)decades;
}

/* The smallest filter within that bound; but k = 8, one SIMD register of words, where it costs at most 2 % more. */
static void blocked_choose(double fpr, const tms_filter_want *want, tms_filter_params *p)
{
    uint32_t c_from = want->blocks_per_key ? want->blocks_per_key : 1;
    uint32_t c_to = want->blocks_per_key ? want->blocks_per_key : most_blocks_per_key(fpr);
    double least = INFINITY;
    struct word_moments moments;
    word_moments_init(&moments);
    p->k = want->k ? want->k : BLOCKED_WORDS; /* of which the message speaks if nothing fits */
    p->blocks_per_key = c_to;
    p->m_bits = 0;
    for (uint32_t k = want->k ? want->k : 1; k <= (want->k ? want->k : TMS_BLOCKED_MAX_K); k++) {
        double pass[MAX_LOAD + 1], weight = k == BLOCKED_WORDS ? 1 / 1.02 : 1;
        blocked_pass_by_load(&moments, k, pass);
        for (uint32_t c = c_from; c <= c_to; c++) {
            uint64_t m = blocked_least_bits(want->n_keys, fpr, c, pass);
            if (m && weight * (double)m < least) {
                least = weight * (double)m;
                p->k = k;
                p->blocks_per_key = c;
                p->m_bits = m;
            }
        }
    }
}

/* The k with the least false-positive rate for a given m / n. */
static void classic_best_for_m(const tms_filter_want *want, tms_filter_params *p)
{
    double optimal = M_LN2 * (double)want->m_bits / (double)want->n_keys;
    uint32_t low = optimal < 1 ? 1 : optimal >= TMS_CLASSIC_MAX_K ? TMS_CLASSIC_MAX_K : (uint32_t)optimal;
    uint32_t high = low < TMS_CLASSIC_MAX_K ? low + 1 : low;
    p->k = sizing_classic_fpr(want->n_keys, p->m_bits, high) < sizing_classic_fpr(want->n_keys, p->m_bits, low) ? high : low;
}

/* The same, with as many blocks a key as the rate allows, if rounding m up for them makes it at most 1 % larger. */
static void blocked_best_for_m(const tms_filter_want *want, tms_filter_params *p)
{
    uint32_t c_from = want->blocks_per_key ? want->blocks_per_key : 1;
    uint32_t c_to = want->blocks_per_key ? want->blocks_per_key : TMS_BLOCKED_MAX_BLOCKS;
    double least = 2;
    struct word_moments moments;
    word_moments_init(&moments);
    for (uint32_t k = 1; k <= TMS_BLOCKED_MAX_K; k++) {
        double pass[MAX_LOAD + 1];
        blocked_pass_by_load(&moments, k, pass);
        for (uint32_t c = c_from; c <= c_to; c++) {
            tms_filter_params other = {.layout = p->layout, .m_bits = want->m_bits, .blocks_per_key = c};
            other.m_bits = filter_round_bits(&other);
            if (!want->blocks_per_key && c > 1 && other.m_bits - want->m_bits > want->m_bits / 100)
                continue;
            double fpr = blocked_fpr(want->n_keys, filter_part_blocks(&other), c, pass);
            if (fpr < least && (want->blocks_per_key || c <= most_blocks_per_key(fpr))) {
                least = fpr;
                p->k = k;
                p->blocks_per_key = c;
            }
        }
    }
}

/* --- requests --- */

static tms_status size_from_m(tms_context *ctx, const tms_filter_want *want, tms_filter_params *p)
{
    if (!want->k && !want->n_keys)
        return context_fail(ctx, TMS_E_ARG, "m alone does not size a filter: give the number of keys too, or k");
    if (want->fpr != 0 && !want->n_keys)
        return context_fail(ctx, TMS_E_ARG, "a false-positive rate together with m needs the number of keys to be checked");
    p->m_bits = want->m_bits;
    if (p->m_bits > filter_max_bits(p->layout))
        return filter_check_params(ctx, p, TMS_E_ARG);
    if (!want->k && p->layout == TMS_LAYOUT_BLOCKED)
        blocked_best_for_m(want, p);
    else if (!want->k)
        classic_best_for_m(want, p);
    p->m_bits = filter_round_bits(p);
    tms_status status = filter_check_params(ctx, p, TMS_E_ARG);
    if (status != TMS_OK || want->fpr == 0)
        return status;
    double reached = tms_filter_expected_fpr(p, want->n_keys);
    if (reached <= want->fpr)
        return TMS_OK;
    tms_filter_want other = *want;
    tms_filter_params would;
    other.m_bits = 0;
    if (want->k && p->layout == TMS_LAYOUT_BLOCKED)
        other.blocks_per_key = filter_n_parts(p); /* with both m and k given no more are taken */
    if (tms_filter_size(ctx, &other, &would) != TMS_OK)
        return TMS_E_ARG;
    char blocks[40] = "";
    if (filter_n_parts(&would) > 1)
        snprintf(blocks, sizeof blocks, ", %u blocks a key", filter_n_parts(&would));
    return context_fail(ctx, TMS_E_ARG, "m = %llu bits and k = %u give %llu keys a false-positive rate of %.3g, not %.3g: "
                        "m = %llu bits (k = %u%s) would do", (unsigned long long)p->m_bits, p->k,
                        (unsigned long long)want->n_keys, reached, want->fpr, (unsigned long long)would.m_bits, would.k, blocks);
}

/* The layout's choice for a rate; m_bits 0 if it has no filter that large. */
static void choose_for_fpr(double fpr, const tms_filter_want *want, tms_filter_params *p)
{
    if (p->layout == TMS_LAYOUT_BLOCKED)
        blocked_choose(fpr, want, p);
    else if (want->k)
        p->m_bits = classic_least_bits(want->n_keys, fpr, want->k);
    else
        classic_choose(want->n_keys, fpr, p);
}

/* Why no filter will do, and a rate that is within reach: one in three digits that was tried. */
static tms_status fail_too_large(tms_context *ctx, const tms_filter_want *want, double fpr, const tms_filter_params *p)
{
    tms_filter_params most = *p, would;
    most.m_bits = filter_max_bits(p->layout) / TMS_BLOCK_BITS / filter_n_parts(p) * filter_n_parts(p) * TMS_BLOCK_BITS;
    double least = tms_filter_expected_fpr(&most, want->n_keys);
    char rate[32] = "";
    for (double step = 1.005; least < 1 && !rate[0]; least *= step, step *= step) { /* a higher rate may allow fewer blocks a key */
        char text[sizeof rate];
        snprintf(text, sizeof text, "%.3g", least);
        would = *p;
        choose_for_fpr(strtod(text, NULL), want, &would);
        if (would.m_bits)
            memcpy(rate, text, sizeof rate);
    }
    if (p->layout == TMS_LAYOUT_BLOCKED && fpr <= blocked_same_hash(want->n_keys))
        return context_fail(ctx, TMS_E_ARG, "a false-positive rate of %.3g for %llu keys is more than hashes of 64 bits can tell apart; "
                            "%s would fit, or take the classic layout", fpr, (unsigned long long)want->n_keys,
                            rate[0] ? rate : "fewer keys");
    return context_fail(ctx, TMS_E_ARG, "a false-positive rate of %.3g for %llu keys needs more than the %llu bits that the "
                        "%s layout takes, with k = %u; %s%s%s", fpr, (unsigned long long)want->n_keys,
                        (unsigned long long)filter_max_bits(p->layout), tms_layout_name(p->layout), p->k,
                        rate[0] ? rate : "fewer keys", " would fit",
                        p->layout == TMS_LAYOUT_BLOCKED ? ", or take the classic layout" : "");
}

static tms_status size_from_fpr(tms_context *ctx, const tms_filter_want *want, tms_filter_params *p)
{
    if (!want->n_keys)
        return context_fail(ctx, TMS_E_ARG, "give the number of keys, or m and k");
    double fpr = want->fpr != 0 ? want->fpr : TMS_DEFAULT_FPR;
    choose_for_fpr(fpr, want, p);
    return p->m_bits ? filter_check_params(ctx, p, TMS_E_ARG) : fail_too_large(ctx, want, fpr, p);
}

tms_status tms_filter_size(tms_context *ctx, const tms_filter_want *want, tms_filter_params *out)
{
    if (want->fpr != 0 && !(want->fpr > 0 && want->fpr < 1))
        return context_fail(ctx, TMS_E_ARG, "a false-positive rate of %g: it must lie between 0 and 1, such as 0.01 or 1/1000",
                            want->fpr);
    if (want->layout == TMS_LAYOUT_PROBABILISTIC)
        return context_fail(ctx, TMS_E_ARG, "a probabilistic filter is sized by the frequencies it should tell: "
                            "tms_frequency_size()");
    tms_filter_params p = {.layout = want->layout, .hash = want->hash, .seed = want->seed, .m_bits = TMS_BLOCK_BITS,
                           .k = want->k ? want->k : 1, .blocks_per_key = want->blocks_per_key};
    p.m_bits = filter_round_bits(&p);
    tms_status status = filter_check_params(ctx, &p, TMS_E_ARG); /* all but the size */
    if (status == TMS_OK)
        status = want->m_bits ? size_from_m(ctx, want, &p) : size_from_fpr(ctx, want, &p);
    if (status != TMS_OK)
        return status;
    if (p.layout == TMS_LAYOUT_BLOCKED)
        p.blocks_per_key = filter_n_parts(&p);
    *out = p;
    return TMS_OK;
}
