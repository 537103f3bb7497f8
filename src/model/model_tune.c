/*
 * model_tune.c - tms_model_tune(): predicts all candidate sizes with the default shape, in microseconds each; then finds the
 * best shape for the best size.
 *
 * With a limit on the FPR the best size is the smallest whose throughput is within 2 % of the fastest; otherwise that of the lowest FPR,
 * and among equals the fastest. If no size meets the request, the closest one.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash/bloom_fpr.h"
#include "model/model_shape.h"
#include "model/predict.h"
#include "model/profile.h"
#include "model/workload.h"

#define MOST_CANDIDATES 4096
#define DEFAULT_LENGTH  16  /* bytes of a string */
#define DEFAULT_READ    150 /* bases */
#define BANK_MAX_K      16
#define STRINGS_MAX_K   32
#define TABLE_MAX_BITS  ((uint64_t)1 << 40)
#define TABLE_MIN_BITS  ((uint64_t)1 << 10) /* the model's least filter */

struct search {
    tms_context *ctx;
    const tms_profile *profile;
    const tms_tune_want *want;
    tms_tune_choice *found;
    size_t n, n_tried; /* n: possible candidates; n_tried: all candidates */
};

static uint64_t bytes_of(const tms_workload *w)
{
    return w->app == TMS_APP_BANK ? (w->m_bits + 7) / 8 * workload_sub_queries(w) : (w->m_bits + 7) / 8;
}

/* Adds a candidate, if the machine supports it. */
static void consider(struct search *s, const tms_workload *w)
{
    tms_tune_choice *c = &s->found[s->n];
    if (s->n == MOST_CANDIDATES || w->m_bits == 0 || w->m_bits > TABLE_MAX_BITS || w->n == 0)
        return;
    if (s->want->max_bytes && bytes_of(w) > s->want->max_bytes)
        return;
    memset(c, 0, sizeof *c);
    c->workload = *w;
    c->bytes = bytes_of(w);
    s->n_tried++;
    if (tms_model_predict(s->ctx, s->profile, w, TMS_FORM_EXTENDED, &c->prediction) == TMS_OK)
        s->n++;
}

static tms_workload base_of(const struct search *s)
{
    const tms_tune_want *want = s->want;
    return (tms_workload){.app = want->app,
                          .op = TMS_OP_QUERY,
                          .on_cpu = want->on_cpu,
                          .n = want->n_keys,
                          .D = want->D ? want->D : want->n_keys,
                          .length = want->length,
                          .n_threads_cpu = want->n_threads_cpu};
}

/* Bits as an integer; 0, which consider() skips, above a filter's limit. */
static uint64_t whole_bits(double bits) { return bits <= (double)TABLE_MAX_BITS ? (uint64_t)bits : 0; }

/* Bits of the given bytes; 0 above a filter's limit. */
static uint64_t bits_of_bytes(uint64_t bytes) { return bytes <= TABLE_MAX_BITS / 8 ? 8 * bytes : 0; }

/* Bits for n keys at a rate with k functions [Ong13, eq. 5 for any k]. */
static double bits_for(double n, double fpr, uint32_t k) { return -(double)k * n / log1p(-pow(fpr, 1.0 / k)); }

/* --- strings --- */

static void strings_of_layout(struct search *s, tms_layout layout, uint32_t k, uint64_t m_bits)
{
    tms_workload w = base_of(s);
    w.layout = layout;
    w.k = k;
    w.length = w.length ? w.length : DEFAULT_LENGTH;
    w.m_bits = m_bits && m_bits < TABLE_MIN_BITS ? TABLE_MIN_BITS : m_bits;
    if (layout == TMS_LAYOUT_BLOCKED)
        w.m_bits = (w.m_bits + TMS_BLOCK_BITS - 1) / TMS_BLOCK_BITS * TMS_BLOCK_BITS;
    consider(s, &w);
}

/* The least m of a blocked filter for the rate, as `tamis build` chooses it; 0 if there is none. */
static uint64_t least_blocked_bits(const struct search *s, uint32_t k)
{
    const tms_filter_want want = {.n_keys = s->want->n_keys,
                                  .fpr = s->want->max_fpr,
                                  .layout = TMS_LAYOUT_BLOCKED,
                                  .hash = TMS_HASH_XXH3,
                                  .k = k,
                                  .blocks_per_key = 1};
    tms_filter_params params;
    return tms_filter_size(s->ctx, &want, &params) == TMS_OK ? params.m_bits : 0;
}

/* Considers the best filter for each k, or all sizes that fit. */
static void strings(struct search *s)
{
    const tms_tune_want *want = s->want;
    const double n = (double)want->n_keys;
    for (uint32_t k = 1; k <= STRINGS_MAX_K; k++) {
        if (want->max_fpr > 0)
            strings_of_layout(s, TMS_LAYOUT_CLASSIC, k, whole_bits(ceil(bits_for(n, want->max_fpr, k) * 1.0001) + 1));
        if (want->max_fpr > 0 && k <= TMS_BLOCKED_MAX_K)
            strings_of_layout(s, TMS_LAYOUT_BLOCKED, k, least_blocked_bits(s, k));
        for (double bits = 4; bits <= 64; bits += bits < 16 ? 1 : 4) {
            const uint64_t m = whole_bits(bits * n);
            strings_of_layout(s, TMS_LAYOUT_CLASSIC, k, m);
            if (k <= TMS_BLOCKED_MAX_K)
                strings_of_layout(s, TMS_LAYOUT_BLOCKED, k, m);
        }
        if (want->max_bytes > 0) {
            strings_of_layout(s, TMS_LAYOUT_CLASSIC, k, bits_of_bytes(want->max_bytes));
            if (k <= TMS_BLOCKED_MAX_K)
                strings_of_layout(s, TMS_LAYOUT_BLOCKED, k, bits_of_bytes(want->max_bytes) / TMS_BLOCK_BITS * TMS_BLOCK_BITS);
        }
    }
}

/* --- reads --- */

static void reads_of_bits(struct search *s, uint64_t m_bits)
{
    tms_workload w = base_of(s);
    w.m_bits = m_bits && m_bits < TABLE_MIN_BITS ? TABLE_MIN_BITS : (m_bits + TMS_BLOCK_BITS - 1) / TMS_BLOCK_BITS * TMS_BLOCK_BITS;
    w.length = w.length ? w.length : DEFAULT_READ;
    consider(s, &w);
}

static void reads(struct search *s)
{
    const tms_tune_want *want = s->want;
    tms_filter_want filter = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .strand = TMS_STRAND_BOTH, .word_size = 31};
    tms_filter_params params;
    filter.n_keys = want->n_keys;
    filter.fpr = want->max_fpr;
    if (want->max_fpr > 0 && tms_filter_size(s->ctx, &filter, &params) == TMS_OK)
        reads_of_bits(s, params.m_bits);
    for (double bits = 8; bits <= 64; bits += 2)
        reads_of_bits(s, whole_bits(bits * (double)want->n_keys));
    if (want->max_bytes > 0)
        reads_of_bits(s, bits_of_bytes(want->max_bytes) / TMS_BLOCK_BITS * TMS_BLOCK_BITS);
}

/* --- the bank --- */

static void bank_of(struct search *s, tms_place place, uint64_t m_bits, uint32_t k, double n)
{
    tms_workload w = base_of(s);
    w.place = place;
    w.Q = s->want->n_keys;
    w.m_bits = m_bits;
    w.k = k;
    w.n = n < (double)w.Q ? (uint64_t)n : w.Q;
    consider(s, &w);
}

/*
 * For each m and k, considers the largest sub-queries that the rate allows: fewer sub-queries are faster [Ma11, III-B.2]. With a given
 * number of bytes also those that miss the rate, which may be the closest, and a single sub-query.
 */
static void bank(struct search *s)
{
    const tms_tune_want *want = s->want;
    for (uint32_t k = 1; k <= BANK_MAX_K; k += k < 10 ? 1 : 2)
        for (uint64_t m = (uint64_t)1 << 12; m <= (uint64_t)1 << 32; m *= 2)
            for (int place = 0; place < 2; place++) {
                if (place == TMS_PLACE_SHARED && m / 8 > s->profile->machine.shared_bytes_block)
                    continue;
                if (want->max_fpr > 0)
                    bank_of(s, (tms_place)place, m, k, floor((double)m * -log1p(-pow(want->max_fpr, 1.0 / k)) / k * 0.9999));
                if (want->max_fpr <= 0 || want->max_bytes > 0)
                    for (double bits = 4; bits <= 32; bits *= 2)
                        bank_of(s, (tms_place)place, m, k, (double)m / bits);
                if (want->max_bytes > 0 && m / 8 <= want->max_bytes && m / 8 > want->max_bytes / 2)
                    bank_of(s, (tms_place)place, m, k, (double)want->n_keys);
            }
}

static void random_accesses(struct search *s)
{
    tms_workload w = base_of(s);
    w.op = TMS_OP_READ4;
    w.m_bits = s->want->max_bytes ? bits_of_bytes(s->want->max_bytes) : whole_bits(32 * (double)s->want->n_keys);
    for (int place = 0; place < 2; place++) {
        w.place = (tms_place)place;
        consider(s, &w);
    }
}

/* --- choosing --- */

static double fpr_of(const tms_tune_choice *c) { return isnan(c->prediction.fpr) ? 0 : c->prediction.fpr; }

static int meets(const tms_tune_want *want, const tms_tune_choice *c)
{
    return (want->max_fpr <= 0 || fpr_of(c) <= want->max_fpr) && (want->max_bytes == 0 || c->bytes <= want->max_bytes) &&
           (want->min_throughput <= 0 || c->prediction.throughput >= want->min_throughput);
}

/* Distance of a choice from the request: the sum of logarithms of the factors by which it misses. All choices meet the bytes (consider()).
 */
static double missed_by(const tms_tune_want *want, const tms_tune_choice *c)
{
    double missed = 0;
    if (want->max_fpr > 0)
        missed += fmax(0, log(fmax(fpr_of(c), DBL_MIN)) - log(want->max_fpr));
    if (want->min_throughput > 0)
        missed += fmax(0, log(want->min_throughput / c->prediction.throughput));
    return missed;
}

#define RATE_STEP 1.02 /* step for comparing rates, the precision of the model */

static double rate_step(const tms_tune_choice *c) { return floor(log(c->prediction.throughput) / log(RATE_STEP)); }

/* < 0: a comes before b. Falling rate in steps, then rising bytes and FPR, so that a choice follows all that dominate it. */
static int by_merit(const void *pa, const void *pb)
{
    const tms_tune_choice *a = pa, *b = pb;
    const double merits[][2] = {{rate_step(b), rate_step(a)},
                                {(double)a->bytes, (double)b->bytes},
                                {fpr_of(a), fpr_of(b)},
                                {b->prediction.throughput, a->prediction.throughput}};
    for (size_t i = 0; i < sizeof merits / sizeof *merits; i++)
        if (merits[i][0] != merits[i][1])
            return merits[i][0] < merits[i][1] ? -1 : 1;
    return 0;
}

/* enough: with a limit on the FPR a throughput that counts as the fastest; of those the smallest is best. */
static int is_better(const tms_tune_want *want, double enough, const tms_tune_choice *a, const tms_tune_choice *b)
{
    if (a->meets != b->meets)
        return a->meets;
    const double missed_a = missed_by(want, a), missed_b = missed_by(want, b); /* 0 if the choice meets the request */
    if (missed_a != missed_b)
        return missed_a < missed_b;
    if (want->max_fpr <= 0 && fpr_of(a) != fpr_of(b))
        return fpr_of(a) < fpr_of(b);
    const int is_fast_a = a->prediction.throughput >= enough, is_fast_b = b->prediction.throughput >= enough;
    if (want->max_fpr > 0 && is_fast_a != is_fast_b)
        return is_fast_a;
    if (want->max_fpr > 0 && is_fast_a && a->bytes != b->bytes)
        return a->bytes < b->bytes;
    return by_merit(a, b) < 0;
}

static const tms_tune_choice *find_best(struct search *s)
{
    const tms_tune_choice *best = NULL;
    double fastest = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->found[i].meets = meets(s->want, &s->found[i]);
        if (s->found[i].meets)
            fastest = fmax(fastest, s->found[i].prediction.throughput);
    }
    for (size_t i = 0; i < s->n; i++)
        if (!best || is_better(s->want, fastest / RATE_STEP, &s->found[i], best))
            best = &s->found[i];
    return best;
}

/* Falling throughput, then rising FPR and bytes. */
static int by_throughput(const void *pa, const void *pb)
{
    const tms_tune_choice *a = pa, *b = pb;
    const double ta = a->prediction.throughput, tb = b->prediction.throughput;
    if (ta != tb)
        return ta > tb ? -1 : 1;
    if (fpr_of(a) != fpr_of(b))
        return fpr_of(a) < fpr_of(b) ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/*
 * A choice is on the front if none before it is as good in both FPR and bytes; one that misses the request, by less than a step of the
 * rate, does not displace one that meets it. Falling throughput afterwards.
 */
static void mark_front(struct search *s)
{
    qsort(s->found, s->n, sizeof *s->found, by_merit);
    for (size_t i = 0; i < s->n; i++) {
        tms_tune_choice *c = &s->found[i];
        c->on_front = 1;
        for (size_t j = 0; j < i && c->on_front; j++) {
            const tms_tune_choice *d = &s->found[j];
            c->on_front = !(d->on_front && d->meets >= c->meets && fpr_of(d) <= fpr_of(c) && d->bytes <= c->bytes);
        }
    }
    qsort(s->found, s->n, sizeof *s->found, by_throughput);
}

static tms_status fail_closest(const struct search *s, const tms_tune_choice *best)
{
    char why[256];
    if (!best && s->n_tried > 0) { /* the message is that of the last candidate */
        snprintf(why, sizeof why, "%s", tms_context_message(s->ctx));
        return context_fail(s->ctx, TMS_E_ARG, "nothing fits: %s", why);
    }
    if (!best && s->want->max_bytes)
        return context_fail(s->ctx, TMS_E_ARG, "nothing fits: %llu keys need more bytes than %llu, or than the device has",
                            (unsigned long long)s->want->n_keys, (unsigned long long)s->want->max_bytes);
    if (!best)
        return context_fail(s->ctx, TMS_E_ARG, "nothing fits: filters of %llu keys are larger than the device's memory, or than 128 GiB",
                            (unsigned long long)s->want->n_keys);
    return context_fail(
        s->ctx, TMS_E_ARG,
        "no choice meets the requirements; the closest one takes %llu bytes, has an FPR of %.3g and a throughput of %.3g G per second",
        (unsigned long long)best->bytes, fpr_of(best), best->prediction.throughput / 1e9);
}

static tms_status check_want(tms_context *ctx, const tms_tune_want *want)
{
    if ((unsigned)want->app > TMS_APP_CLASSIFY)
        return context_fail(ctx, TMS_E_ARG, "unknown application %d", (int)want->app);
    if (want->n_keys == 0)
        return context_fail(ctx, TMS_E_ARG, "the number of keys is 0: give 1 or more");
    if (!(want->max_fpr >= 0 && want->max_fpr < 1))
        return context_fail(ctx, TMS_E_ARG, "an FPR of %g: give more than 0 and less than 1", want->max_fpr);
    if (want->max_fpr <= 0 && want->min_throughput <= 0 && want->max_bytes == 0)
        return context_fail(ctx, TMS_E_ARG, "no requirement is given: give an FPR, a throughput or a number of bytes");
    return TMS_OK;
}

static tms_status choose(struct search *s, tms_tune_choice *choices, size_t n_room, size_t *n_choices)
{
    static void (*const of_app[])(struct search *) = {random_accesses, bank, strings, reads};
    of_app[s->want->app](s);
    const tms_tune_choice *best = find_best(s);
    if (!best || !best->meets)
        return fail_closest(s, best);
    if (n_room > 0)
        choices[0] = *best;
    const tms_workload first = best->workload;
    mark_front(s);
    for (size_t i = 0; i < s->n && *n_choices < n_room; i++) {
        const int is_first = memcmp(&s->found[i].workload, &first, sizeof first) == 0;
        if (is_first)
            choices[0].on_front |= s->found[i].on_front; /* the same choice may occur twice */
        if (*n_choices == 0)
            *n_choices = 1;
        if (!is_first && s->found[i].on_front && s->found[i].meets && *n_choices < n_room)
            choices[(*n_choices)++] = s->found[i];
    }
    return n_room > 0 ? model_best_shape(s->ctx, s->profile, &choices[0].workload, &choices[0].prediction) : TMS_OK;
}

tms_status tms_model_tune(tms_context *ctx, const tms_profile *profile, const tms_tune_want *want, tms_tune_choice *choices, size_t n_room,
                          size_t *n_choices)
{
    struct search s = {.ctx = ctx, .profile = profile, .want = want};
    *n_choices = 0;
    tms_status status = check_want(ctx, want);
    if (status == TMS_OK)
        status = predict_check_device(ctx, profile, want->app, want->on_cpu);
    if (status != TMS_OK)
        return status;
    s.found = malloc((MOST_CANDIDATES + 1) * sizeof *s.found);
    if (!s.found)
        return context_fail_memory(ctx, "candidates", (MOST_CANDIDATES + 1) * sizeof *s.found);
    status = choose(&s, choices, n_room, n_choices);
    free(s.found);
    return status;
}
