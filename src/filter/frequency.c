/*
 * frequency.c - estimates how often a key was inserted from its ones, and sizes filters for such estimates. The
 * derivations are in doc/pbf.md.
 *
 * With lambda = |ln(1 - p)|, a key inserted f times over a background b has a binomial number of ones x of k, at the rate
 *     q = 1 - u,   u = (1 - b) e^-y,   y = lambda f,   so f = [ln(1 - b) - ln u] / lambda.
 * Everything below works with u, ln q and ln u, because u is tiny where q rounds to 1.
 *
 * Clopper-Pearson: at the lower limit of q, P(X >= x; q) is half of 1 - confidence. The upper limit for x ones is one
 * less the lower limit for k - x, the zeros.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/extensible.h"
#include "filter/filter_params.h"
#include "tamis/frequency.h"

#define LEAST_Z 1e-6 /* z of a confidence of 8e-7; avoids 0 / 0 */

/* z with P(N(0, 1) > z) = tail, tail <= 1/2. ln P is concave and the start is above z: Newton's steps only go down. */
static double normal_quantile(double tail)
{
    double z = sqrt(-2 * log(2 * tail));
    for (int i = 0; i < 50; i++) {
        double above = erfc(z * M_SQRT1_2) / 2, density = exp(-z * z / 2) * M_2_SQRTPI * M_SQRT1_2 / 2;
        double step = log(above / tail) * above / density;
        z += step;
        if (fabs(step) < 1e-13 * (1 + z))
            break;
    }
    return fmax(z, LEAST_Z);
}

/* --- the tail of a binomial distribution --- */

/* lgamma() would write a global. */
static double log_factorial(double n)
{
    int sign;
    return lgamma_r(n + 1, &sign);
}

static double log_choose(double k, double x) { return log_factorial(k) - log_factorial(x) - log_factorial(k - x); }

/* P(X >= x) / P(X = x), odds = q / (1 - q). For x >= k q the terms fall from the first. */
static double tail_over_first(double k, double x, double odds)
{
    double sum = 1, term = 1;
    for (double i = x; i < k && term > 1e-17 * sum; i++) {
        term *= (k - i) / (i + 1) * odds;
        sum += term;
    }
    return sum;
}

typedef struct limit {
    double log_q, log_u;
} limit;

static limit limit_at(double log_odds) { return (limit){-log1p(exp(-log_odds)), -log1p(exp(log_odds))}; }

/*
 * q with P(X >= x; q) = tail, for x >= 1. ln P as a function of the log odds is increasing and concave (its slope,
 * E[X | X >= x] - k q, falls), so Newton's first step ends below the solution and later steps only increase. An error of
 * s becomes about s^2 times the root of k.
 */
static limit lower_limit(double k, double x, double tail)
{
    double z = fmax(normal_quantile(tail), 1), choose = log_choose(k, x), log_tail = log(tail);
    double below = x + z * z / 2 - z * sqrt(x * (k - x) / k + z * z / 4); /* Wilson's limit times k + z^2 */
    double log_odds = log(below / (k + z * z - below)), step = 1;
    for (int i = 0; i < 100 && fabs(step) > 1e-9; i++) {
        limit at = limit_at(log_odds);
        double sum = tail_over_first(k, x, exp(log_odds));
        step = (log_tail - log(sum) - choose - x * at.log_q - (k - x) * at.log_u) * sum / (x * exp(at.log_u));
        log_odds += step;
    }
    return limit_at(log_odds);
}

/* --- estimates --- */

static double decay(const tms_filter_params *params) { return -log1p(-params->p); } /* lambda; infinite for p = 1 */

static double frequency_from(const tms_filter_params *params, double fill, double log_u)
{
    double f = (log1p(-fill) - log_u) / decay(params);
    return f > 0 ? f : 0;
}

/* Copies the parameters of an estimate from a caller's struct of given_size bytes. */
static tms_status read_params(tms_context *ctx, const tms_filter_params *given, size_t given_size, double fill, double confidence,
                              tms_filter_params *params)
{
    tms_status status = filter_params_in(ctx, given, given_size, params);
    if (status != TMS_OK)
        return status;
    if (!layout_facts(params->layout)->draws)
        return context_fail(ctx, TMS_E_ARG, "a filter of the %s layout does not estimate frequencies: the probabilistic layout does",
                            tms_layout_name(params->layout));
    if (!(fill >= 0 && fill <= 1))
        return context_fail(ctx, TMS_E_ARG, "a fill of %g: it must lie between 0 and 1", fill);
    if (!(confidence > 0 && confidence < 1))
        return context_fail(ctx, TMS_E_ARG, "a confidence of %g: it must lie between 0 and 1, such as 0.95", confidence);
    return filter_check_params(ctx, params, TMS_E_ARG);
}

tms_status tms_frequency_estimate_sized(tms_context *ctx, const tms_filter_params *given, size_t given_size, double fill, double confidence,
                                        uint32_t ones, tms_frequency *out)
{
    tms_filter_params own, *params = &own;
    tms_status status = read_params(ctx, given, given_size, fill, confidence, &own);
    if (status != TMS_OK)
        return status;
    if (ones > params->k)
        return context_fail(ctx, TMS_E_ARG, "%u ones among k = %u bits", ones, params->k);
    *out = (tms_frequency){0, 0, INFINITY};
    if (fill >= 1)
        return TMS_OK;
    double k = params->k, x = ones, tail = (1 - confidence) / 2;
    if (ones > 0)
        out->f_min = frequency_from(params, fill, lower_limit(k, x, tail).log_u);
    if (ones < params->k) {
        out->f = frequency_from(params, fill, log((k - x) / k));
        out->f_max = frequency_from(params, fill, lower_limit(k, k - x, tail).log_q);
    } else {
        out->f = INFINITY;
    }
    return TMS_OK;
}

/* The least x with P(X >= x) <= tail, for X binomial(k, q); k + 1 if there is none. Starts from an approximation and brackets x. */
static double least_in_tail(double k, double log_q, double log_u, double tail)
{
    double q = exp(log_q), u = exp(log_u), log_tail = log(tail), z = normal_quantile(tail);
    double mean = floor(k * q), low = mean, high = k + 1; /* half of the distribution or more is at low or above; nothing is at high */
    double x = floor(k * q + z * sqrt(k * q * u) + (z * z - 1) * (1 - 2 * q) / 6 + 1), step = 1;
    while (high - low > 1) {
        x = fmin(fmax(x, low + 1), high - 1);
        double log_p = log_choose(k, x) + x * log_q + (k - x) * log_u + log(tail_over_first(k, x, q / u));
        if (log_p <= log_tail)
            high = x;
        else
            low = x;
        bool between = low > mean && high <= k;
        x = between ? floor((low + high) / 2) : log_p <= log_tail ? x - step : x + step;
        step *= 2;
    }
    return high;
}

/*
 * q and u are taken at min_f. The lower limit of x ones is at least q if P(X >= x; q) is at most half of 1 - confidence; the upper limit
 * is at least q if P(X <= x; q) is at least that half, so if k - x + 1 zeros are in their tail. No limit has to be computed.
 */
static double least_ones(const tms_filter_params *params, double fill, double tail, tms_frequency_by by, double min_f)
{
    double k = params->k, log_u = log1p(-fill) - min_f * decay(params), u = exp(log_u);
    double log_q = u < 0.5 ? log1p(-u) : log(-expm1(log_u));
    if (u <= 0) /* min_f exceeds what zeros can resolve */
        return by == TMS_BY_F_MIN ? k + 1 : k;
    if (by == TMS_BY_F_MAX)
        return k + 1 - least_in_tail(k, log_u, log_q, tail);
    if (by == TMS_BY_F_MIN)
        return least_in_tail(k, log_q, log_u, tail);
    double x = ceil(-k * expm1(log_u));
    while (x > 0 && frequency_from(params, fill, log((k - x + 1) / k)) >= min_f)
        x--;
    while (x < k && frequency_from(params, fill, log((k - x) / k)) < min_f)
        x++;
    return x;
}

tms_status tms_frequency_least_ones_sized(tms_context *ctx, const tms_filter_params *given, size_t given_size, double fill,
                                          double confidence, tms_frequency_by by, double min_f, uint32_t *out)
{
    tms_filter_params own, *params = &own;
    tms_status status = read_params(ctx, given, given_size, fill, confidence, &own);
    if (status != TMS_OK)
        return status;
    if (!(min_f > 0))
        return context_fail(ctx, TMS_E_ARG, "min_f = %g: the least frequency must be above 0", min_f);
    if ((unsigned)by > TMS_BY_F_MAX)
        return context_fail(ctx, TMS_E_ARG, "unknown limit %d: give f_min, f or f_max", (int)by);
    if (fill >= 1) /* f and f_min are 0, f_max is infinite */
        *out = by == TMS_BY_F_MAX ? 0 : params->k + 1;
    else
        *out = (uint32_t)least_ones(params, fill, (1 - confidence) / 2, by, min_f);
    return TMS_OK;
}

const char *tms_frequency_by_name(tms_frequency_by by)
{
    static const char *const names[] = {"f_min", "f", "f_max"};
    return (unsigned)by < 3 ? names[by] : "?";
}

/* --- accuracy over frequencies --- */

/*
 * At y the zeros are binomial with mean k u and variance k u (1 - u). With z standard deviations fewer zeros, and half a zero
 * for rounding, the estimate of u falls by the factor 1 - w and f grows by -ln(1 - w) / lambda. The same number of additional zeros
 * changes f less. The logarithms of w, and so of the error, are convex in ln y: one minimum.
 */
static double zeros_variance(double y, double fill) { return (expm1(y) + fill) / (1 - fill); } /* (1 - u) / u */

static double relative_error(double y, double fill, double k, double z)
{
    double w = z * sqrt(zeros_variance(y, fill) / k) + exp(y) / (2 * k * (1 - fill));
    return w < 1 ? -log1p(-w) / y : INFINITY;
}

/* The least k that estimates y within the error: w = 1 - e^(-error y), solved for the root of k. */
static double functions_for(double y, double fill, double z, double error)
{
    double w = -expm1(-error * y), linear = z * sqrt(zeros_variance(y, fill));
    double root = (linear + sqrt(linear * linear + 2 * w * exp(y) / (1 - fill))) / (2 * w);
    return root * root;
}

/* The y of least relative error. The error is infinite from at most ln 2k on. */
static double best_y(double fill, double k, double z)
{
    double low = 0, high = log(2 * k);
    for (int i = 0; i < 100; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (relative_error(a, fill, k, z) <= relative_error(b, fill, k, z))
            high = b;
        else
            low = a;
    }
    return high;
}

static double crossing(double inside, double outside, double error, double fill, double k, double z)
{
    for (int i = 0; i < 200; i++) {
        double y = (inside + outside) / 2;
        *(relative_error(y, fill, k, z) <= error ? &inside : &outside) = y;
    }
    return inside;
}

tms_status tms_frequency_range_sized(tms_context *ctx, const tms_filter_params *given, size_t given_size, double fill, double confidence,
                                     double error, tms_frequency_reach *out)
{
    tms_filter_params own, *params = &own;
    tms_status status = read_params(ctx, given, given_size, fill, confidence, &own);
    if (status != TMS_OK)
        return status;
    if (!(error > 0 && error < 1))
        return context_fail(ctx, TMS_E_ARG, "a relative error of %g: it must lie between 0 and 1, such as 0.1", error);
    *out = (tms_frequency_reach){.best_error = INFINITY};
    double k = params->k, z = normal_quantile((1 - confidence) / 2), per_y = 1 / decay(params);
    double y = best_y(fill, k, z), least = relative_error(y, fill, k, z);
    if (params->p >= 1 || fill >= 1 || isinf(least))
        return TMS_OK;
    out->best_error = least;
    out->best_f = y * per_y;
    if (least <= error) {
        out->low = crossing(y, 0, error, fill, k, z) * per_y;
        out->high = crossing(y, log(2 * k), error, fill, k, z) * per_y;
    }
    return TMS_OK;
}

/* --- expected fill --- */

/* 1 - (1 - p)^f for the key of rank e^t, if it occurs more than once; top: y of the first key. */
static double share_at(double t, double top, double zipf) { return -expm1(-top * exp(-zipf * t)); }

/*
 * Sum over the keys of 1 - (1 - p)^f. The first terms are summed; the others, a to n, are the integral from a - 1/2 to
 * n + 1/2 (the midpoint rule read backwards: off by zipf / (24 a^2) of the sum at most), taken over t = ln rank by
 * Simpson's rule. A Zipf exponent above 10 makes the others negligible.
 */
static double sum_of_shares(double lambda, double n_keys, double max_f, double zipf)
{
    double top = fmin(lambda * max_f, 1e300), steepness = fmin(fmax(1, zipf), 10); /* lambda is infinite for p = 1 */
    if (zipf == 0)
        return n_keys * share_at(0, top, 0);
    double n = fmin(n_keys, floor(pow(max_f, 1 / zipf))); /* the remaining keys occur once */
    double first = fmin(n, floor(512 * (1 + steepness))), sum = (n_keys - n) * -expm1(-lambda);
    for (double rank = 1; rank <= first; rank++)
        sum += share_at(log(rank), top, zipf);
    if (first == n)
        return sum;
    double from = log(first + 0.5), to = log(n + 0.5), total = 0;
    int n_steps = 2 * (int)ceil((to - from) * steepness / 0.05);
    double step = (to - from) / n_steps;
    for (int i = 0; i <= n_steps; i++) {
        double t = from + i * step, weight = i == 0 || i == n_steps ? 1 : i % 2 ? 4 : 2;
        total += weight * exp(t) * share_at(t, top, zipf);
    }
    return sum + total * step / 3;
}

double tms_frequency_expected_fill_sized(const tms_filter_params *given, size_t given_size, uint64_t n_keys, double max_f, double zipf)
{
    tms_filter_params own, *params = &own;
    if (!struct_in(&own, sizeof own, given, given_size))
        return NAN;
    double sum = sum_of_shares(decay(params), (double)n_keys, max_f, zipf);
    return -expm1(-(double)params->k / (double)params->m_bits * sum);
}

/* --- sizing --- */

#define DEFAULT_CONFIDENCE 0.95
#define DEFAULT_KEYS       1000000
#define DEFAULT_FILL       0.25
#define MOST_FILL          0.64 /* beyond it k grows faster than m falls */
#define N_FILLS            64
#define MOST_F             0x1p50 /* draws round p to a multiple of 2^-64: not by more than 1/8192 of it */
#define FILL_DEVIATIONS    4
#define OWN_SHARE          20 /* m >= 20 k / error: a key's own ones count as background, which takes up to k / m off its f */

typedef struct plan {
    double lambda, k, m;
} plan;

typedef enum fit { FITS, TOO_MANY_FUNCTIONS, TOO_MANY_BITS } fit;

/* The least k that suffices for the whole range of f, minimised over lambda: the ends of the range are the worst cases, each with one
 * minimum. */
static double functions_for_range(const tms_frequency_want *want, double z, double fill, double lambda)
{
    return fmax(functions_for(lambda * want->min_f, fill, z, want->error), functions_for(lambda * want->max_f, fill, z, want->error));
}

/*
 * The number of bits for which the drawn ones (with repeats) keep the fill below the limit, with FILL_DEVIATIONS standard deviations to
 * spare: with c = ones / m the fill deviates by about sqrt(b (1 - b) / m) because of the ones' positions, and by (1 - b) sqrt(c / m)
 * because of their number.
 */
static double bits_for_fill(double ones, double b)
{
    double c = -log1p(-b), m = ones / c, deviation = sqrt((1 - b) * (b + c * (1 - b)) / fmax(m, 1));
    return ceil(m * (1 + FILL_DEVIATIONS * deviation / ((1 - b) * c)));
}

/* The filter of least k whose fill is at most this. */
static plan plan_for_fill(const tms_frequency_want *want, double z, double fill)
{
    double low = log(0.5 / want->max_f), high = log(2 / want->min_f); /* a single f needs least k at y = 0.6 to 2 */
    for (int i = 0; i < 100; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (functions_for_range(want, z, fill, exp(a)) <= functions_for_range(want, z, fill, exp(b)))
            high = b;
        else
            low = a;
    }
    plan made = {exp(high), ceil(functions_for_range(want, z, fill, exp(high))), 0};
    double sum = sum_of_shares(made.lambda, (double)want->n_keys, want->max_f, want->zipf);
    made.m = fmax(bits_for_fill(made.k * sum, fill), ceil(OWN_SHARE * made.k / want->error));
    return made;
}

/*
 * Without a given m: a fill of 1/4. With m: the least fill, and so the least k, for which m is enough; if m is never
 * enough, *made is the filter with the least m.
 */
static fit make_plan(const tms_frequency_want *want, plan *made)
{
    double z = normal_quantile((1 - want->confidence) / 2), most = (double)(want->m_bits ? want->m_bits : TMS_MAX_BITS);
    if (!want->m_bits)
        *made = plan_for_fill(want, z, DEFAULT_FILL);
    for (int i = 1; want->m_bits && i <= N_FILLS; i++) {
        plan next = plan_for_fill(want, z, MOST_FILL * i * i / (N_FILLS * N_FILLS));
        if (i > 1 && next.k > TMS_PROBABILISTIC_MAX_K)
            break;
        if (i == 1 || next.m < made->m)
            *made = next;
        if (next.m <= most)
            break;
    }
    return made->k > TMS_PROBABILISTIC_MAX_K ? TOO_MANY_FUNCTIONS : made->m > most ? TOO_MANY_BITS : FITS;
}

static bool fits(tms_frequency_want want)
{
    plan made;
    return make_plan(&want, &made) == FITS;
}

/* --- suggestions: values of one parameter that work with all others as given, found by trial --- */

#define ERROR_GRID 10000

static double error_that_would_do(tms_frequency_want want)
{
    int low = (int)floor(want.error * ERROR_GRID), high = ERROR_GRID - 1;
    want.error = (double)high / ERROR_GRID;
    if (low >= high || !fits(want))
        return 0;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        want.error = (double)middle / ERROR_GRID;
        *(fits(want) ? &high : &low) = middle;
    }
    return (double)high / ERROR_GRID;
}

static double min_f_that_would_do(tms_frequency_want want)
{
    double low = want.min_f, high = want.max_f;
    want.min_f = high;
    if (low == high || !fits(want))
        return 0;
    while (high > 1.01 * low && high > low + 1) {
        double middle = ceil(sqrt(low) * sqrt(high));
        if (middle >= high)
            break;
        want.min_f = middle;
        *(fits(want) ? &high : &low) = middle;
    }
    return high;
}

static uint64_t keys_that_would_do(tms_frequency_want want)
{
    uint64_t low = 1, high = want.n_keys;
    want.n_keys = low;
    if (low == high || !fits(want))
        return 0;
    while (high - low > low / 100 + 1) {
        want.n_keys = low + (high - low) / 2;
        *(fits(want) ? &low : &high) = want.n_keys;
    }
    return low;
}

/* "a or b or c" */
__attribute__((format(printf, 2, 3))) static void offer(char list[300], const char *format, ...)
{
    size_t at = strlen(list);
    if (at)
        at += (size_t)snprintf(list + at, 300 - at, " or ");
    va_list args;
    va_start(args, format);
    vsnprintf(list + at, 300 - at, format, args);
    va_end(args);
}

static tms_status refuse(tms_context *ctx, tms_frequency_want want, fit reason, const plan *nearest)
{
    char range[160], takes[100], would[300] = "", a[NUMBER_TEXT_SIZE], b[NUMBER_TEXT_SIZE];
    double error = error_that_would_do(want), min_f = min_f_that_would_do(want);
    uint64_t n_keys = keys_that_would_do(want);
    snprintf(range, sizeof range, "estimating frequencies from %s to %s within %g, at a confidence of %g, among %llu keys",
             number_text(want.min_f, a), number_text(want.max_f, b), want.error, want.confidence, (unsigned long long)want.n_keys);
    if (reason == TOO_MANY_FUNCTIONS)
        snprintf(takes, sizeof takes, "k = %.10g bits per key, but the maximum is %d", nearest->k, TMS_PROBABILISTIC_MAX_K);
    else if (want.m_bits)
        snprintf(takes, sizeof takes, "m = %.15g bits, not %llu", nearest->m, (unsigned long long)want.m_bits);
    else
        snprintf(takes, sizeof takes, "m = %.15g bits, but the maximum is %llu", nearest->m, (unsigned long long)TMS_MAX_BITS);
    if (reason == TOO_MANY_BITS && nearest->m <= (double)TMS_MAX_BITS)
        offer(would, "m = %.15g", nearest->m);
    if (error > 0)
        offer(would, "an error of %g", error);
    if (min_f > 0)
        offer(would, "min_f = %s", number_text(min_f, a));
    if (n_keys)
        offer(would, "%llu keys", (unsigned long long)n_keys);
    if (!*would) { /* no single change is enough; min_f = max_f with a larger error always works */
        want.min_f = want.max_f;
        error = error_that_would_do(want);
        bool alone = error > 0;
        if (!alone) {
            want.m_bits = 0;
            want.n_keys = 1;
            want.error = 1.0 / ERROR_GRID;
            error = error_that_would_do(want);
        }
        offer(would, "min_f = %s with an error of %g%s", number_text(want.min_f, a), error, alone ? "" : ", one key and m left open");
    }
    return context_fail(ctx, TMS_E_ARG, "%s, takes %s: %s would do", range, takes, would);
}

static tms_status check_want(tms_context *ctx, const tms_frequency_want *want)
{
    char a[NUMBER_TEXT_SIZE], b[NUMBER_TEXT_SIZE];
    tms_filter_params some = {TMS_LAYOUT_PROBABILISTIC, want->hash, want->seed, 64, 1, 0.5, want->sampling};
    if (!(want->max_f >= 1 && want->max_f <= MOST_F))
        return context_fail(ctx, TMS_E_ARG, "max_f = %g: the largest frequency must lie between 1 and 2^50", want->max_f);
    if (!(want->min_f >= 1 && want->min_f <= want->max_f))
        return context_fail(ctx, TMS_E_ARG, "min_f = %s: the least frequency must lie between 1 and max_f = %s",
                            number_text(want->min_f, a), number_text(want->max_f, b));
    if (!(want->error > 0 && want->error < 1))
        return context_fail(ctx, TMS_E_ARG, "a relative error of %g: it must lie between 0 and 1, such as 0.1", want->error);
    if (!(want->confidence > 0 && want->confidence < 1))
        return context_fail(ctx, TMS_E_ARG, "a confidence of %g: it must lie between 0 and 1, such as 0.95", want->confidence);
    if (!(want->zipf >= 0 && want->zipf < INFINITY))
        return context_fail(ctx, TMS_E_ARG, "a Zipf exponent of %g: it must be 0 or above, such as 1", want->zipf);
    if (want->m_bits > TMS_MAX_BITS)
        return context_fail(ctx, TMS_E_ARG, "m = %llu bits: at most %llu are possible", (unsigned long long)want->m_bits,
                            (unsigned long long)TMS_MAX_BITS);
    return filter_check_params(ctx, &some, TMS_E_ARG); /* hash and sampling */
}

STRUCT_ENDS_WITH(tms_frequency_want, m_bits);

tms_status tms_frequency_size_sized(tms_context *ctx, const tms_frequency_want *want, size_t want_size, tms_filter_params *out,
                                    size_t out_size)
{
    tms_frequency_want full;
    if (!struct_in(&full, sizeof full, want, want_size))
        return context_fail_newer(ctx, "tms_frequency_want");
    if (full.min_f == 0)
        full.min_f = fmax(1, full.max_f / 10);
    if (full.confidence == 0)
        full.confidence = DEFAULT_CONFIDENCE;
    if (full.n_keys == 0)
        full.n_keys = DEFAULT_KEYS;
    tms_status status = check_want(ctx, &full);
    if (status != TMS_OK)
        return status;
    plan made;
    fit reason = make_plan(&full, &made);
    if (reason != FITS)
        return refuse(ctx, full, reason, &made);
    uint64_t m_bits = full.m_bits ? full.m_bits : (uint64_t)made.m;
    const tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, full.hash,    full.seed, m_bits, (uint32_t)made.k,
                                 -expm1(-made.lambda),     full.sampling};
    struct_out(out, out_size, &p, sizeof p);
    return TMS_OK;
}
