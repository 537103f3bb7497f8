/*
 * heavy.c - heavy hitters in one pass over a stream.
 *
 * Sequential insertion defines which keys are reported, but reading k bits per insertion would cost far more than
 * setting p k of them. So a batch passes a sieve that never drops a report, and then an exact check:
 *
 *   draw     all threads hash the keys and draw their bits. With small p k most insertions draw no bit and end here
 *   set      one thread sets the drawn bits in order and marks those that were 0
 *   sieve    for every insertion that drew a bit, threads compare the ones of its key after the whole batch with the least number
 *            that reaches min_f at the start of the batch, by f_min, f or f_max. Ones only increase, and that number increases with
 *            the fill, so a key that fails here cannot be reported in this batch. Most keys fail after a fraction of their k bits
 *   settle   if insertions pass the sieve, one thread clears the marked bits from the first such insertion on, sets them again in
 *            order, and counts each passing insertion's ones at its own time
 *
 * The tracker remembers reported keys by 128 bits of hash.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "filter/filter_checks.h"
#include "filter/probabilistic_cpu.h"
#include "tamis/frequency.h"

#define ROUND_KEYS        131072              /* most keys drawn at a time */
#define ROUND_DRAWS       1048576             /* approximate draws per round, which bounds rounds with large p k */
#define SERIAL_BELOW_KEYS 512                 /* waking threads costs more */
#define PARTS_A_THREAD    4                   /* several, so that a slow thread processes fewer */
#define MARK              ((uint64_t)1 << 63) /* marks a position whose bit was 0; positions have at most 48 bits */
#define PREFETCH          16

_Static_assert(TMS_MAX_BITS <= MARK, "a position leaves room for the mark");

struct drawn {       /* an insertion that drew at least one bit */
    uint64_t h1, h2; /* XXH3-128 of the key */
    uint32_t key;    /* index in the batch */
    uint32_t n_bits;
    bool is_left; /* passed the sieve */
};

/* The draws for a range of consecutive keys. */
struct part {
    struct drawn *drawn;
    uint64_t *positions; /* positions of all draws, concatenated */
    size_t n_drawn, n_positions, drawn_capacity, positions_capacity;
    bool out_of_memory, has_left;
};

struct known { /* open addressing; all zero: an empty slot (a key with hash 0, 0 is stored as 1, 0) */
    uint64_t (*hashes)[2];
    size_t n, capacity; /* a power of two, or 0 */
};

struct tms_heavy {
    tms_filter *filter;
    tms_frequency_by by;
    double min_f, confidence, lambda; /* |ln(1 - p)| */
    uint64_t ones;                    /* in the filter */
    uint32_t least;                   /* least ones of a key that reach min_f ... */
    uint64_t least_until;             /* ... while the filter has at most this many ones */
    struct known known;
    struct part *parts;
    int n_parts;
    tms_heavy_report *reports;
    size_t n_reports, reports_capacity;
};

/* --- reported keys --- */

static size_t known_slot(const struct known *s, uint64_t h1, uint64_t h2)
{
    size_t at = (size_t)(h1 ^ h2 >> 7) & (s->capacity - 1);
    while ((s->hashes[at][0] | s->hashes[at][1]) && (s->hashes[at][0] != h1 || s->hashes[at][1] != h2))
        at = (at + 1) & (s->capacity - 1);
    return at;
}

static bool known_has(const struct known *s, uint64_t h1, uint64_t h2)
{
    if (!s->n)
        return false;
    size_t at = known_slot(s, h1 | !(h1 | h2), h2);
    return s->hashes[at][0] | s->hashes[at][1];
}

static bool known_add(struct known *s, uint64_t h1, uint64_t h2)
{
    if (2 * s->n >= s->capacity) {
        struct known grown = {NULL, s->n, s->capacity ? 2 * s->capacity : 256};
        grown.hashes = calloc(grown.capacity, sizeof *grown.hashes);
        if (!grown.hashes)
            return false;
        for (size_t i = 0; i < s->capacity; i++)
            if (s->hashes[i][0] | s->hashes[i][1])
                memcpy(grown.hashes[known_slot(&grown, s->hashes[i][0], s->hashes[i][1])], s->hashes[i], sizeof *s->hashes);
        free(s->hashes);
        *s = grown;
    }
    h1 |= !(h1 | h2);
    size_t at = known_slot(s, h1, h2);
    s->hashes[at][0] = h1;
    s->hashes[at][1] = h2;
    s->n++;
    return true;
}

/* --- the number of ones that reaches min_f, by f_min, f or f_max --- */

/* The value of an estimate that is compared with the threshold. */
static double frequency_by(const tms_frequency *f, tms_frequency_by by)
{
    return by == TMS_BY_F_MIN ? f->f_min : by == TMS_BY_F ? f->f : f->f_max;
}

/*
 * f_min, f and f_max at fill b equal their values at fill 0 minus |ln(1 - b)| / lambda, so `least` ones are enough while
 * b <= 1 - exp(-lambda (the one at fill 0 - min_f)). With all k ones f is infinite, but in a full filter it is 0.
 */
static tms_status set_least(tms_context *ctx, tms_heavy *h, uint32_t least)
{
    const tms_filter_params *p = &h->filter->params;
    tms_frequency at_zero;
    h->least = least;
    h->least_until = UINT64_MAX;
    if (least > p->k)
        return TMS_OK;
    tms_status status = tms_frequency_estimate(ctx, p, 0, h->confidence, least, &at_zero);
    if (status != TMS_OK)
        return status;
    double fill = -expm1(-h->lambda * (frequency_by(&at_zero, h->by) - h->min_f));
    h->least_until = fill < 0 ? 0 : (uint64_t)(fill * (double)p->m_bits);
    if (h->by != TMS_BY_F_MAX && h->least_until == p->m_bits)
        h->least_until--;
    return TMS_OK;
}

static tms_status update_least(tms_context *ctx, tms_heavy *h)
{
    tms_status status = TMS_OK;
    while (h->ones > h->least_until && status == TMS_OK)
        status = set_least(ctx, h, h->least + 1);
    return status;
}

/* Tests whether any number of ones reaches min_f in an empty filter. */
static bool tells(tms_context *ctx, const tms_filter_params *p, const tms_heavy *h)
{
    uint32_t least;
    return tms_frequency_least_ones(ctx, p, 0, h->confidence, h->by, h->min_f, &least) == TMS_OK && least <= p->k;
}

/* The suggested p for min_f, as printed. */
static double best_p(double min_f)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", -expm1(-TMS_FREQUENCY_BEST_LOAD / fmax(min_f, 1)));
    return strtod(text, NULL);
}

/* Suggests parameters, after trying them: other parameters mean a new filter, which is empty at first. */
static tms_status fail_cannot_tell(tms_context *ctx, const tms_heavy *h, double fill)
{
    const tms_filter_params *p = &h->filter->params;
    tms_filter_params other = *p;
    char would[80] = "an empty filter", f[NUMBER_TEXT_SIZE];
    if (fill == 0 || !tells(ctx, p, h)) {
        const char *empty = fill > 0 ? "an empty filter of " : "";
        other.p = best_p(h->min_f);
        while (!tells(ctx, &other, h) && other.k < TMS_PROBABILISTIC_MAX_K)
            other.k++;
        if (other.k == p->k)
            snprintf(would, sizeof would, "%sp = %.3g", empty, other.p);
        else
            snprintf(would, sizeof would, "%sk = %u with p = %.3g", empty, other.k, other.p);
    }
    return context_fail(ctx, TMS_E_ARG, "k = %u ones would not show a frequency of %s at p = %.3g and fill %.3g: %s would do", p->k,
                        number_text(h->min_f, f), p->p, fill, would);
}

tms_status tms_heavy_create(tms_context *ctx, tms_filter *filter, tms_frequency_by by, double min_f, double confidence, tms_heavy **out)
{
    *out = NULL;
    const tms_filter_params *p = &filter->params;
    if (filter->d_bits)
        return context_fail(ctx, TMS_E_ARG, "heavy hitters are found only on the CPU: create the filter there");
    if (!(min_f > 0 && min_f <= 0x1p50))
        return context_fail(ctx, TMS_E_ARG, "a least frequency of %g: it must be above 0, and at most 2^50", min_f);
    tms_filter_stats stats;
    uint32_t least;
    tms_status status = filter_check_writable(ctx, filter);
    if (status == TMS_OK)
        status = tms_filter_get_stats(ctx, filter, &stats);
    if (status == TMS_OK)
        status = tms_frequency_least_ones(ctx, p, stats.fill, confidence, by, min_f, &least);
    if (status != TMS_OK)
        return status;
    struct tms_heavy made = {
        .filter = filter, .by = by, .min_f = min_f, .confidence = confidence, .lambda = -log1p(-p->p), .ones = stats.ones};
    if (least > p->k)
        return fail_cannot_tell(ctx, &made, stats.fill);
    status = set_least(ctx, &made, least ? least - 1 : 0); /* the first update computes the exact number */
    if (status != TMS_OK)
        return status;
    tms_heavy *h = malloc(sizeof *h);
    if (!h)
        return context_fail_memory(ctx, "a heavy hitter's description", sizeof *h);
    *h = made;
    *out = h;
    return TMS_OK;
}

static void parts_free(tms_heavy *h)
{
    for (int i = 0; i < h->n_parts; i++) {
        free(h->parts[i].drawn);
        free(h->parts[i].positions);
    }
    free(h->parts);
    h->parts = NULL;
    h->n_parts = 0;
}

void tms_heavy_destroy(tms_heavy *h)
{
    if (!h)
        return;
    parts_free(h);
    free(h->known.hashes);
    free(h->reports);
    free(h);
}

/* --- a round --- */

static void draw_part(const tms_filter *f, const tms_keys *keys, size_t first, size_t end, uint64_t base, struct part *out)
{
    const tms_filter_params *p = &f->params;
    struct probabilistic_draws draws;
    struct part part = *out; /* work on a copy: two threads' parts may share a cache line */
    probabilistic_draws_init(&draws, f);
    part.n_drawn = part.n_positions = 0;
    part.has_left = part.out_of_memory = false;
    for (size_t i = first; i < end; i++) {
        if (!array_reserve(&part.positions, &part.positions_capacity, part.n_positions + p->k, sizeof *part.positions) ||
            !array_reserve(&part.drawn, &part.drawn_capacity, part.n_drawn + 1, sizeof *part.drawn)) {
            part.out_of_memory = true;
            break;
        }
        uint64_t *positions = part.positions + part.n_positions;
        size_t n = probabilistic_draw(&draws, base + i, positions);
        if (!n)
            continue;
        size_t len;
        const uint8_t *bytes = keys_at(keys, i, &len);
        classic_key key = classic_key_make(p->hash, p->seed, bytes, len);
        struct drawn *d = &part.drawn[part.n_drawn++];
        *d = (struct drawn){key.h1, key.h2, (uint32_t)i, (uint32_t)n, false};
        if (!classic_hashes_once(p->hash)) {
            xxh3_hash128 h = xxh3_128(bytes, len, p->seed);
            d->h1 = h.low;
            d->h2 = h.high;
        }
        probabilistic_values(p, &key, positions, n);
        for (size_t j = 0; j < n; j++)
            positions[j] = core_scale(positions[j], p->m_bits);
        part.n_positions += n;
    }
    *out = part;
}

static uint64_t set_part(uint64_t *words, struct part *part)
{
    uint64_t n_new = 0;
    for (size_t j = 0; j < part->n_positions; j++) {
        uint64_t position = part->positions[j];
        if (j + PREFETCH < part->n_positions)
            __builtin_prefetch(words + (part->positions[j + PREFETCH] >> 6), 1);
        uint64_t word = words[position >> 6], is_new = ~(word >> (position & 63)) & 1;
        words[position >> 6] = word | 1ull << (position & 63);
        part->positions[j] = position | is_new << 63;
        n_new += is_new;
    }
    return n_new;
}

static classic_key key_of(const tms_filter *f, const tms_keys *keys, const struct drawn *d)
{
    if (classic_hashes_once(f->params.hash))
        return (classic_key){NULL, 0, d->h1, d->h2};
    return classic_key_at(&f->params, keys, NULL, d->key);
}

static void sieve_part(const tms_context *ctx, const tms_heavy *h, const tms_keys *keys, uint32_t least, struct part *part)
{
    bool has_left = false;
    for (size_t i = 0; i < part->n_drawn; i++) {
        struct drawn *d = &part->drawn[i];
        if (known_has(&h->known, d->h1, d->h2))
            continue;
        classic_key key = key_of(h->filter, keys, d);
        d->is_left = probabilistic_has_ones(ctx, h->filter, &key, least);
        has_left |= d->is_left;
    }
    part->has_left = has_left;
}

static tms_status report(tms_context *ctx, tms_heavy *h, const struct drawn *d, uint32_t ones)
{
    const tms_filter_params *p = &h->filter->params;
    if (!array_reserve(&h->reports, &h->reports_capacity, h->n_reports + 1, sizeof *h->reports) || !known_add(&h->known, d->h1, d->h2))
        return context_fail_memory(ctx, "the keys reported", 2 * h->known.capacity * sizeof *h->known.hashes);
    tms_heavy_report *r = &h->reports[h->n_reports++];
    r->key = d->key;
    r->ones = ones;
    return tms_frequency_estimate(ctx, p, (double)h->ones / (double)p->m_bits, h->confidence, ones, &r->frequency);
}

/* Clears the bits that this part found 0, from a position on. */
static void clear_part(tms_heavy *h, uint64_t *words, const struct part *part, size_t from_position)
{
    for (size_t j = from_position; j < part->n_positions; j++)
        if (part->positions[j] & MARK) {
            uint64_t position = part->positions[j] & ~MARK;
            words[position >> 6] &= ~(1ull << (position & 63));
            h->ones--;
        }
}

static tms_status settle_part(tms_context *ctx, tms_heavy *h, const tms_keys *keys, uint64_t *words, const struct part *part, size_t first,
                              size_t position_index)
{
    for (size_t i = first; i < part->n_drawn; i++) {
        const struct drawn *d = &part->drawn[i];
        for (size_t end = position_index + d->n_bits; position_index < end; position_index++) {
            uint64_t position = part->positions[position_index];
            if (position & MARK) {
                position &= ~MARK;
                words[position >> 6] |= 1ull << (position & 63);
                h->ones++;
            }
        }
        if (!d->is_left || known_has(&h->known, d->h1, d->h2))
            continue;
        tms_status status = update_least(ctx, h);
        classic_key key = key_of(h->filter, keys, d);
        if (status == TMS_OK && probabilistic_has_ones(ctx, h->filter, &key, h->least))
            status = report(ctx, h, d, probabilistic_count(ctx, h->filter, &key));
        if (status != TMS_OK)
            return status;
    }
    return TMS_OK;
}

static tms_status settle(tms_context *ctx, tms_heavy *h, const tms_keys *keys, uint64_t *words)
{
    int p = 0;
    while (p < h->n_parts && !h->parts[p].has_left)
        p++;
    if (p == h->n_parts)
        return TMS_OK;
    size_t first = 0, position_index = 0;
    for (; !h->parts[p].drawn[first].is_left; first++)
        position_index += h->parts[p].drawn[first].n_bits;
    for (int i = p; i < h->n_parts; i++)
        clear_part(h, words, &h->parts[i], i == p ? position_index : 0);
    tms_status status = TMS_OK;
    for (int i = p; i < h->n_parts && status == TMS_OK; i++)
        status = settle_part(ctx, h, keys, words, &h->parts[i], i == p ? first : 0, i == p ? position_index : 0);
    return status;
}

/* A round: keys first .. end - 1 of a batch, in parts. */
struct round {
    const tms_context *ctx;
    tms_heavy *heavy;
    const tms_keys *keys;
    size_t first, end, n_parts;
    uint64_t base; /* the first key's number among all insertions */
    uint32_t least;
};

static void draw_task(void *arg, size_t i, int thread)
{
    const struct round *r = arg;
    size_t n = r->end - r->first;
    (void)thread;
    draw_part(r->heavy->filter, r->keys, r->first + n * i / r->n_parts, r->first + n * (i + 1) / r->n_parts, r->base, &r->heavy->parts[i]);
}

static void sieve_task(void *arg, size_t i, int thread)
{
    const struct round *r = arg;
    (void)thread;
    sieve_part(r->ctx, r->heavy, r->keys, r->least, &r->heavy->parts[i]);
}

static tms_status round_of(tms_context *ctx, tms_heavy *h, const tms_keys *keys, size_t first, size_t end, uint64_t base)
{
    tms_filter *f = h->filter;
    uint64_t *words = (uint64_t *)(void *)filter_bits_mutable(f);
    int n_parts = end - first < SERIAL_BELOW_KEYS ? 1 : h->n_parts;
    tms_status status = update_least(ctx, h);
    if (status != TMS_OK)
        return status;
    for (int i = n_parts; i < h->n_parts; i++)
        h->parts[i].n_drawn = h->parts[i].n_positions = h->parts[i].has_left = 0;
    struct round round = {ctx, h, keys, first, end, (size_t)n_parts, base, h->least};
    status = tms_context_run(ctx, round.n_parts, draw_task, &round);
    if (status != TMS_OK)
        return status;
    for (int i = 0; i < n_parts; i++)
        if (h->parts[i].out_of_memory)
            return context_fail_memory(ctx, "a round of drawn bits", h->parts[i].positions_capacity * sizeof(uint64_t));
    for (int i = 0; i < n_parts; i++)
        h->ones += set_part(words, &h->parts[i]);
    status = tms_context_run(ctx, round.n_parts, sieve_task, &round);
    return status != TMS_OK ? status : settle(ctx, h, keys, words);
}

tms_status tms_heavy_insert(tms_context *ctx, tms_heavy *h, const tms_keys *keys, const tms_heavy_report **reports, size_t *n_reports)
{
    tms_filter *f = h->filter;
    *reports = NULL;
    *n_reports = h->n_reports = 0;
    tms_status status = filter_check_insertion(ctx, f, keys);
    if (status != TMS_OK)
        return status;
    if (keys->n_keys > UINT32_MAX)
        return context_fail(ctx, TMS_E_ARG, "a batch of %zu keys: at most 2^32 - 1 at a time", keys->n_keys);
    int n_parts = ctx->n_threads == 1 ? 1 : PARTS_A_THREAD * ctx->n_threads;
    if (h->n_parts != n_parts) {
        parts_free(h);
        h->parts = calloc((size_t)n_parts, sizeof *h->parts);
        if (!h->parts)
            return context_fail_memory(ctx, "the parts of a batch", (size_t)n_parts * sizeof *h->parts);
        h->n_parts = n_parts;
    }
    size_t by_draws = (size_t)(ROUND_DRAWS / (1 + f->params.p * f->params.k)) + 1;
    size_t share = by_draws < ROUND_KEYS ? by_draws : ROUND_KEYS;
    for (size_t first = 0; first < keys->n_keys && status == TMS_OK; first += share) {
        size_t end = keys->n_keys - first < share ? keys->n_keys : first + share;
        status = round_of(ctx, h, keys, first, end, f->n_keys);
    }
    if (status != TMS_OK)
        return status;
    f->n_keys += keys->n_keys;
    *reports = h->reports;
    *n_reports = h->n_reports;
    return TMS_OK;
}
