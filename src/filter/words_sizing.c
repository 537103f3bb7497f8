/*
 * words_sizing.c - the words layout's sizes and false-positive rate.
 *
 * A missing w-mer passes if its r = w - s + 1 s-mers do. They lie in one block or a few: an s-mer shares its predecessor's minimizer, and
 * block, while that minimizer is one of its m-mers. In random sequence a minimizer serves 1 .. v s-mers, v = s - m + 1, each number about
 * equally often. With e(j) the mean over all blocks of the probability that j s-mers of one block pass, a run of r passes with
 *     F(r) = sum over j = 1 .. v of 1/v e(min(j, r)) F(r - min(j, r)),   F(0) = 1.
 *
 * For an existing filter e(j) is counted from its bits. For a planned filter, the load of a block is a compound Poisson number: minimizers,
 * n / ((v + 1) / 2) of them, fall into B blocks, and each brings 1 .. v s-mers (Panjer's recursion). With t s-mers in a block, the number
 * of bit pairs set in one word is Poisson with mean t * pairs / 4. Repeats in a reference reduce the number of bits, and minimizers that
 * recur with other s-mers fill blocks more unevenly: the rate from the bits is the reliable one.
 */
#include "filter/words_sizing.h"

#include <math.h>

#include "filter/words_core.h"

#define WORD_BITS   64
#define MOST_LOAD   2048 /* s-mers in a block above which the model takes every s-mer to pass */
#define MOST_WINDOW WORDS_MAX_SUBWORD
#define MOST_RUN    32 /* the model takes longer runs to pass as rarely as runs of this length */

#define LEAST_BITS 8 /* bits per w-mer: of the w-mers that share one s-mer less with a reference than a hit does, 1 in 20 passes */

enum { LEAST_M_STEP = 4096 }; /* relative precision of m: 1 / this */

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

void words_fill_in(tms_filter_params *p)
{
    uint32_t w = p->word_size;
    if (!p->subword_size)
        p->subword_size = least(w, least((w + 16) / 2, WORDS_MAX_SUBWORD));
    uint32_t s = p->subword_size, more = w > s ? w - s : 0;
    if (!p->minimizer_size) /* shorter minimizers put more neighbours in a block, longer ones fill blocks more evenly */
        p->minimizer_size = more ? least(s - least(more + 1, 5), WORDS_MAX_MINIMIZER) : least(s, WORDS_MAX_MINIMIZER);
    if (!p->k)
        p->k = more > 2 ? 2 : more == 2 ? 3 : more ? 4 : TMS_WORDS_MAX_K;
}

double words_default_fpr(const tms_filter_params *p)
{
    static const double rates[] = {1e-3, 1e-4, 1e-5, 1e-6};
    return rates[least(p->word_size - p->subword_size, 3)];
}

static uint32_t n_windows(const tms_filter_params *p) { return p->subword_size - p->minimizer_size + 1; }
static uint32_t n_run(const tms_filter_params *p) { return p->word_size - p->subword_size + 1; }

/* F(r) from e(1), e(2), ... */
static double run_passes(uint32_t r, uint32_t v, const double e[MOST_RUN + 2])
{
    double f[MOST_RUN + 2] = {1};
    r = least(r, MOST_RUN + 1);
    for (uint32_t i = 1; i <= r; i++)
        for (uint32_t j = 1; j <= v; j++)
            f[i] += e[least(i, j)] * f[i - least(i, j)] / v;
    return f[r];
}

/* Adds weighted pass^j to powers[j]. */
static void add_powers(double pass, double weight, uint32_t n, double powers[MOST_RUN + 2])
{
    double power = weight;
    for (uint32_t j = 1; j <= n; j++)
        powers[j] += power *= pass;
}

/* x^bits; pow() takes a hundred times as long, for which a sizing has millions of calls. */
static double power(double x, uint32_t bits) { return bits == 2 ? x * x : x; }

/* The mean of (S / 64)^bits for a word with S ones, after a Poisson number of settings of `bits` random bits each: 1 or 2. */
static double word_passes(double throws, uint32_t bits)
{
    double weight = exp(-throws), zeros = 1, sum = 0, total = 0;
    for (int i = 0; i < 2 * WORD_BITS && total < 1 - 1e-15; i++) {
        sum += weight * power(1 - zeros, bits);
        total += weight;
        zeros *= power(1 - 1.0 / WORD_BITS, bits);
        weight *= throws / (i + 1);
    }
    return total > 0 ? fmin(1, sum + fmax(0, 1 - total)) : 1;
}

/* A random s-mer's probability to pass a block with this load. */
static double load_passes(double load, uint32_t k)
{
    uint32_t pairs = k / 2, n_words = (k + 1) / 2;
    double throws = load * n_words / WORDS_BLOCK_WORDS, pass = 1, of_pair = word_passes(throws, 2);
    for (uint32_t i = 0; i < pairs; i++)
        pass *= of_pair;
    return k % 2 ? pass * word_passes(throws, 1) : pass;
}

double words_expected_fpr(const tms_filter_params *p, uint64_t n_keys)
{
    uint32_t v = n_windows(p), r = least(n_run(p), MOST_RUN + 1);
    double n_blocks = (double)(p->m_bits / TMS_BLOCK_BITS), lambda = (double)n_keys / n_blocks / ((v + 1) / 2.0),
           mean = lambda * (v + 1) / 2.0;
    double of_load[MOST_LOAD + 1], e[MOST_RUN + 2] = {0}, total = 0;
    if (mean > MOST_LOAD / 4.0) /* a block lets nearly every s-mer pass; also keeps exp(-lambda) from underflow */
        return 1;
    of_load[0] = exp(-lambda);
    for (int t = 0; t <= MOST_LOAD; t++) {
        if (t > 0) {
            double sum = 0;
            for (int j = 1; j <= (int)v && j <= t; j++)
                sum += j * of_load[t - j];
            of_load[t] = lambda / v * sum / t;
        }
        total += of_load[t];
        if (of_load[t] > 1e-18)
            add_powers(load_passes(t, p->k), of_load[t], r, e);
    }
    for (uint32_t j = 1; j <= r; j++)
        e[j] += fmax(0, 1 - total);
    return fmin(1, run_passes(r, v, e));
}

void words_at_least(uint64_t n_keys, tms_filter_params *p)
{
    uint64_t most = TMS_BLOCKED_MAX_BITS / TMS_BLOCK_BITS, blocks = n_keys / (TMS_BLOCK_BITS / LEAST_BITS) + 1;
    if (p->m_bits && p->m_bits / TMS_BLOCK_BITS < blocks)
        p->m_bits = (blocks < most ? blocks : most) * TMS_BLOCK_BITS;
}

void words_choose_for_fpr(double fpr, uint64_t n_keys, tms_filter_params *p)
{
    uint64_t low = 0, high = 1, most = TMS_BLOCKED_MAX_BITS / TMS_BLOCK_BITS;
    tms_filter_params tried = *p;
    for (;; low = high, high = 2 * high < most ? 2 * high : most) {
        tried.m_bits = high * TMS_BLOCK_BITS;
        if (words_expected_fpr(&tried, n_keys) <= fpr)
            break;
        if (high == most) {
            p->m_bits = 0;
            return;
        }
    }
    while (high - low > 1 + low / LEAST_M_STEP) { /* high is enough, low is not */
        uint64_t middle = low + (high - low) / 2;
        tried.m_bits = middle * TMS_BLOCK_BITS;
        if (words_expected_fpr(&tried, n_keys) <= fpr)
            high = middle;
        else
            low = middle;
    }
    p->m_bits = high * TMS_BLOCK_BITS;
}

/* --- the false-positive rate from the bits --- */

#define FPR_BLOCKS ((size_t)1 << 13) /* per task; sums are added in task order, the same for any number of threads */

struct power_sums {
    const uint64_t *words;
    uint32_t k, n;
    double (*sums)[MOST_RUN + 2];
};

static void sum_powers(void *arg, size_t first, size_t end)
{
    const struct power_sums *s = arg;
    double *powers = s->sums[first / FPR_BLOCKS];
    for (uint32_t j = 0; j < MOST_RUN + 2; j++)
        powers[j] = 0;
    for (size_t b = first; b < end; b++) {
        double ones[WORDS_BLOCK_WORDS], pass = 0;
        for (int q = 0; q < WORDS_BLOCK_WORDS; q++)
            ones[q] = __builtin_popcountll(s->words[b * WORDS_BLOCK_WORDS + (size_t)q]) / (double)WORD_BITS;
        for (uint32_t q = 0; q < WORDS_BLOCK_WORDS; q++) {
            double from_q = 1;
            for (uint32_t j = 0; j < s->k; j++)
                from_q *= ones[(q + j / 2) % WORDS_BLOCK_WORDS];
            pass += from_q / WORDS_BLOCK_WORDS;
        }
        if (pass > 0)
            add_powers(pass, 1, s->n, powers);
    }
}

tms_status words_actual_fpr_cpu(tms_context *ctx, const tms_filter *f, double *rate, double *next)
{
    const tms_filter_params *p = &f->params;
    uint64_t n_blocks = p->m_bits / TMS_BLOCK_BITS, n_sums = (n_blocks + FPR_BLOCKS - 1) / FPR_BLOCKS;
    uint32_t r = least(n_run(p), MOST_RUN), v = n_windows(p);
    struct power_sums s = {(const uint64_t *)(const void *)filter_bits(f), p->k, r + 1, context_scratch(ctx, n_sums * sizeof *s.sums)};
    if (!s.sums)
        return context_fail_memory(ctx, "the blocks' rates", n_sums * sizeof *s.sums);
    tms_status status = context_run_ranges(ctx, n_blocks, FPR_BLOCKS, sum_powers, &s);
    double e[MOST_RUN + 2] = {0};
    for (uint64_t i = 0; i < n_sums; i++)
        for (uint32_t j = 1; j <= r + 1; j++)
            e[j] += s.sums[i][j] / (double)n_blocks;
    *rate = fmin(1, run_passes(r, v, e));
    if (next)
        *next = *rate > 0 ? fmin(1, run_passes(r + 1, v, e) / *rate) : 0;
    return status;
}
