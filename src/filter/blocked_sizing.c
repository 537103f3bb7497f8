/*
 * blocked_sizing.c - the blocked layout's false-positive rate and size.
 *
 * Keys fall into B = m / 256 blocks unevenly, and the crowded blocks cause most of the false positives. With L
 * keys in a block (binomial(n, 1/B)), a 32-bit word in which each key set c random bits (c = 1 or 2) holds S ones, whose
 * distribution after c L settings follows from S -> S + 1 with probability 1 - S/32. A missing key passes the word
 * with probability E[(S/32)^c], the words are independent given L, so
 *     FPR = sum over L of P(L) * (product over words of E[(S/32)^c | L] + L / 2^32).
 * The last term: the bits come from 32 bits of the hash, in which a missing key may equal one of the L.
 *
 * With c blocks per key, a missing key must pass c such filters of B / c blocks. Given the keys they are independent, so their
 * rates multiply; the remaining term is a missing key whose whole hash equals that of a key: n / 2^64.
 */
#include "filter/blocked_sizing.h"

#include <math.h>

#include "filter/blocked_core.h"

#define WORD_BITS         32
#define MAX_LOAD          1024 /* keys in a block above which the model takes every key to pass */
#define POISSON_FROM_KEYS 1000000
#define NO_SHARE          1e-60

_Static_assert(WORD_BITS *BLOCKED_WORDS == TMS_BLOCK_BITS, "the words make up a block");

/* moments[c - 1][L]: E[(S / 32)^c] of a word in which each of L keys set c random bits. Independent of k, so computed once. */
struct word_moments {
    double moments[2][MAX_LOAD + 1];
};

static void word_moments_init(struct word_moments *m)
{
    for (int c = 1; c <= 2; c++) {
        double ones[WORD_BITS + 1] = {1}; /* P(S = s) */
        int least = 0;                    /* less is too unlikely to change a bit of a moment: slow denormal numbers */
        for (int load = 0; load <= MAX_LOAD; load++) {
            double moment = 0;
            for (int s = least; s <= WORD_BITS; s++) {
                double part = (double)s / WORD_BITS;
                moment += ones[s] * (c == 1 ? part : part * part);
            }
            m->moments[c - 1][load] = moment;
            for (int thrown = 0; thrown < c; thrown++)
                for (int s = WORD_BITS; s >= least; s--)
                    ones[s] = ones[s] * s / WORD_BITS + (s ? ones[s - 1] * (WORD_BITS + 1 - s) / WORD_BITS : 0);
            while (ones[least] < NO_SHARE)
                ones[least++] = 0;
        }
    }
}

/* pass[L]: probability that a missing key passes a block that holds L keys. */
static void blocked_pass_by_load(const struct word_moments *m, uint32_t k, double pass[MAX_LOAD + 1])
{
    uint32_t n_once = k < BLOCKED_WORDS ? k : 2 * BLOCKED_WORDS - k, n_twice = k < BLOCKED_WORDS ? 0 : k - BLOCKED_WORDS; /* words */
    for (int load = 0; load <= MAX_LOAD; load++) {
        double all = pow(m->moments[0][load], n_once) * (n_twice ? pow(m->moments[1][load], n_twice) : 1);
        pass[load] = fmin(1, all + load * BLOCKED_SAME_BITS);
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

/* Rate of one part with this many keys and blocks; pass[] is for its k. */
static double blocked_fpr(uint64_t n, uint64_t part_blocks, uint32_t n_parts, const double pass[MAX_LOAD + 1])
{
    double part = blocked_mean_pass(n, part_blocks, pass);
    return n_parts == 1 ? part : fmin(1, pow(part, n_parts) + blocked_same_hash(n));
}

double blocked_expected_fpr(const tms_filter_params *params, uint64_t n_keys)
{
    struct word_moments moments;
    double pass[MAX_LOAD + 1];
    word_moments_init(&moments);
    blocked_pass_by_load(&moments, params->k, pass);
    return blocked_fpr(n_keys, filter_part_blocks(params), filter_n_parts(params), pass);
}

/* The least m for a rate; 0 if it exceeds the largest m. */
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

/*
 * A present key costs an access per block, so a key has one block per three orders of magnitude of the rate, rounded up: 1 to
 * 1e-3, 2 to 1e-6, 3 to 1e-9. Each part's rate is then 1e-3 or more, for which the blocked layout needs at most 17 bits per key.
 */
static uint32_t most_blocks_per_key(double fpr)
{
    double decades = ceil(-log10(fpr) / 3 - 1e-9);
    return decades < 1 ? 1 : decades > TMS_BLOCKED_MAX_BLOCKS ? TMS_BLOCKED_MAX_BLOCKS : (uint32_t)decades;
}

/* The smallest filter within that bound, but with k = 8, one SIMD register of words, if that costs at most 2 % more. */
void blocked_choose_for_fpr(double fpr, const tms_filter_want *want, tms_filter_params *p)
{
    uint32_t c_from = want->blocks_per_key ? want->blocks_per_key : 1;
    uint32_t c_to = want->blocks_per_key ? want->blocks_per_key : most_blocks_per_key(fpr);
    double least = INFINITY;
    struct word_moments moments;
    word_moments_init(&moments);
    p->k = want->k ? want->k : BLOCKED_WORDS; /* reported in the message if nothing fits */
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

/* Chooses the size with as many blocks per key as the rate allows, if rounding m up for them costs at most 1 %. */
void blocked_best_for_m(const tms_filter_want *want, tms_filter_params *p)
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
