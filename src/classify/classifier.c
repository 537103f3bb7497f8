/*
 * classifier.c - creates a classifier from reference filters and a rule: checks that sizes agree and chooses thresholds.
 */
#include "classify/classifier.h"

#include <math.h>
#include <stdlib.h>

#include "base/extensible.h"
#include "filter/words_sizing.h"

#define DEFAULT_THRESHOLD     0.05
#define FALSE_PER_MILLION     1.0
#define FACS_PERL_THRESHOLD   0.8
#define FACS_COMMON_THRESHOLD 0.4
#define MILLION               1e6
#define REFERENCE_AGAIN       0.25        /* probability that a reference continues a w-mer as a random read does: one base in four */
#define RARELY                (1 / 150.0) /* probability of breaking a tie wrongly at a position next to an error ... */
#define RARELY_ANYWHERE       0.01        /* ... or anywhere in a unit */

STRUCT_ENDS_WITH(tms_classify_params, false_per_million);

double tms_rule_threshold(tms_rule rule, uint32_t word_size)
{
    switch (rule) {
    case TMS_RULE_DEFAULT:
        return DEFAULT_THRESHOLD;
    case TMS_RULE_FACS:
        return (word_size >= 16 && word_size <= 18) || word_size == 20 ? 0.3 : FACS_COMMON_THRESHOLD;
    case TMS_RULE_FACS_PERL:
        return FACS_PERL_THRESHOLD;
    }
    return 0;
}

const char *tms_rule_name(tms_rule rule)
{
    static const char *const names[] = {"default", "facs", "facs-perl"};
    return (unsigned)rule < sizeof names / sizeof *names ? names[rule] : "?";
}

/* --- the hits that a rule requires --- */

/* The fewest hits with which a read of n consecutive w-mers, of n + w - 1 bases, can match. */
static uint64_t least_for_threshold(const tms_classifier *c, uint64_t n)
{
    double w = c->shape.w, bases = (double)n + w - 1, t = c->threshold, hits;
    if (c->rule == TMS_RULE_DEFAULT)
        hits = ceil(t * (double)n - 1e-9);
    else if (c->rule == TMS_RULE_FACS) /* one run of M hits: M w + w + M - 1 */
        hits = ceil((t * (w * bases + bases - w * w) - w + 1) / (w + 1) - 1e-9);
    else /* disjoint runs: w bases for one hit */
        hits = bases < TMS_FACS_PERL_LEAST ? (double)n + 1 : floor(t * bases / w + 1e-9) + 1;
    return hits < 1 ? 1 : (uint64_t)hits;
}

static double false_per_million(const tms_classifier *c, uint64_t n_words, uint64_t least)
{
    double sum = 0;
    for (size_t r = 0; r < c->n_filters; r++)
        sum += false_hits_tail(&c->false_hits[r], n_words, least);
    return MILLION * sum;
}

/* The most w-mers for which `least` hits suffice. */
static uint64_t most_words(const tms_classifier *c, uint64_t least)
{
    uint64_t low = 0, high = MOST_TABLED_WORDS;
    while (high > low) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (false_per_million(c, middle, least) <= c->false_per_million)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void fill_least_hits(tms_classifier *c)
{
    for (c->n_tabled = 0; c->n_tabled < MOST_TABLED_HITS; c->n_tabled++) {
        uint64_t most = most_words(c, c->n_tabled + 1);
        c->most_words[c->n_tabled] = most;
        if (most == MOST_TABLED_WORDS) {
            c->n_tabled++;
            return;
        }
    }
}

/* Computes the number of hits beyond the table: for chromosomes, or with full filters. */
static uint64_t search_least_hits(const tms_classifier *c, uint64_t n_words)
{
    uint64_t low = c->n_tabled, high = n_words + 1;
    while (high > low + 1) {
        uint64_t middle = low + (high - low) / 2;
        if (false_per_million(c, n_words, middle) <= c->false_per_million)
            high = middle;
        else
            low = middle;
    }
    return high;
}

uint64_t classifier_chance_hits(const tms_classifier *c, uint64_t n_words)
{
    uint32_t low = 0, high = c->n_tabled;
    if (c->least_hits)
        return c->least_hits;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->most_words[middle] >= n_words)
            high = middle;
        else
            low = middle + 1;
    }
    if (low < c->n_tabled)
        return low + 1;
    return search_least_hits(c, n_words);
}

bool classifier_may_be_chance(const tms_classifier *c, uint32_t reference, uint64_t n_words, uint64_t n_hits)
{
    const struct false_hits by_filter = {c->false_hits[reference].by_filter, {0, 0}};
    if ((double)n_words * by_filter.by_filter.p < RARELY_ANYWHERE * (double)n_hits) /* Markov's inequality */
        return false;
    return false_hits_tail(&by_filter, n_words, n_hits) > RARELY_ANYWHERE;
}

/* Chance extends a run by more than d w-mers with probability q^(d + 1). */
static uint32_t doubtful_depth(const struct chance *by_filter)
{
    const double q = by_filter->q;
    if (q <= RARELY)
        return q > 0;
    return q < 1 ? (uint32_t)fmin(SCAN_BASES, ceil(log(RARELY) / log(q) - 1)) : SCAN_BASES;
}

uint64_t tms_classifier_least_hits(const tms_classifier *c, uint64_t n_words)
{
    uint64_t least = least_for_threshold(c, n_words);
    if (c->rule == TMS_RULE_DEFAULT) {
        uint64_t by_chance = classifier_chance_hits(c, n_words);
        least = by_chance > least ? by_chance : least;
    }
    return least;
}

double tms_classifier_expected_false(const tms_classifier *c, size_t reference, uint64_t length_bp)
{
    if (length_bp < c->shape.w)
        return 0;
    uint64_t n_words = length_bp - c->shape.w + 1, least = tms_classifier_least_hits(c, n_words);
    double any = 1;
    if (reference < c->n_filters)
        return MILLION * false_hits_tail(&c->false_hits[reference], n_words, least);
    double none = 0;
    for (size_t r = 0; r < c->n_filters; r++) /* 1 - product of (1 - tail), computed by logarithms to keep small tails */
        none += log1p(-false_hits_tail(&c->false_hits[r], n_words, least)); /* minus infinity for a tail of 1 */
    any = fabs(expm1(none));                                                /* avoids -0 */
    return MILLION * any;
}

/* --- public calls --- */

/* A random w-mer may also be one of the filter's n w-mers: n of 4^w words, or of half as many for both strands. */
static tms_status find_false_hits(tms_context *ctx, const tms_filter *f, struct false_hits *out)
{
    tms_status status = words_actual_fpr_cpu(ctx, f, &out->by_filter.p, &out->by_filter.q);
    double kinds = ldexp(f->params.strand == TMS_STRAND_BOTH ? 0.5 : 1, 2 * (int)f->params.word_size);
    out->by_reference.p = -expm1(-(double)f->n_keys / kinds);
    out->by_reference.q = REFERENCE_AGAIN;
    return status;
}

static tms_status check_filters(tms_context *ctx, const tms_filter *const *filters, size_t n_filters)
{
    if (n_filters < 1 || n_filters > TMS_MAX_REFERENCES)
        return context_fail(ctx, TMS_E_ARG, "%zu references: a classifier takes 1 to %d", n_filters, TMS_MAX_REFERENCES);
    for (size_t r = 0; r < n_filters; r++) {
        const tms_filter_params *p = &filters[r]->params, *first = &filters[0]->params;
        if (p->layout != TMS_LAYOUT_WORDS)
            return context_fail(ctx, TMS_E_ARG, "reference %zu is a %s filter: a classifier needs filters of k-mers", r + 1,
                                tms_layout_name(p->layout));
        if (!filters[r]->image || filters[r]->host_stale)
            return context_fail(ctx, TMS_E_ARG, "reference %zu: its bits are on cuda:%d: call tms_filter_image() first", r + 1,
                                filters[r]->device);
        if (p->word_size != first->word_size)
            return context_fail(ctx, TMS_E_MISMATCH, "reference %zu has k-mers of %u bases, reference 1 of %u", r + 1, p->word_size,
                                first->word_size);
        if (p->subword_size != first->subword_size || p->minimizer_size != first->minimizer_size || p->seed != first->seed)
            return context_fail(ctx, TMS_E_MISMATCH,
                                "reference %zu and reference 1 differ in the size of s-mers or minimizers, or in the seed", r + 1);
        if (p->strand != first->strand)
            return context_fail(ctx, TMS_E_MISMATCH, "reference %zu has %s, reference 1 %s", r + 1,
                                p->strand == TMS_STRAND_BOTH ? "both strands" : "one strand",
                                first->strand == TMS_STRAND_BOTH ? "both" : "one");
    }
    return TMS_OK;
}

static tms_status check_params(tms_context *ctx, const tms_classify_params *p)
{
    if ((unsigned)p->rule > TMS_RULE_FACS_PERL)
        return context_fail(ctx, TMS_E_ARG, "unknown rule %d", (int)p->rule);
    if (!(p->threshold >= 0 && p->threshold <= 1))
        return context_fail(ctx, TMS_E_ARG, "threshold %g: give a number above 0 and at most 1", p->threshold);
    if (p->rule != TMS_RULE_DEFAULT && (p->least_hits || p->false_per_million != 0))
        return context_fail(ctx, TMS_E_ARG, "rule %s takes no minimum number of hits: only rule default does", tms_rule_name(p->rule));
    if (!(p->false_per_million >= 0 && p->false_per_million <= MILLION))
        return context_fail(ctx, TMS_E_ARG, "%g false matches per million reads: give a number up to a million", p->false_per_million);
    return TMS_OK;
}

/* Makes a classifier of a checked number of references, without filters and rates. */
static tms_status create(tms_context *ctx, uint32_t word_size, size_t n_references, const tms_classify_params *given, size_t given_size,
                         tms_classifier **out)
{
    tms_classify_params params = {0};
    if (given && !struct_in(&params, sizeof params, given, given_size))
        return context_fail_newer(ctx, "tms_classify_params");
    tms_status status = check_params(ctx, &params);
    if (status != TMS_OK)
        return status;
    tms_classifier *c = calloc(1, sizeof *c);
    if (!c)
        return context_fail_memory(ctx, "a classifier", sizeof *c);
    c->rule = params.rule;
    c->threshold = params.threshold > 0 ? params.threshold : tms_rule_threshold(params.rule, word_size);
    c->least_hits = params.least_hits;
    c->false_per_million = params.false_per_million > 0 ? params.false_per_million : FALSE_PER_MILLION;
    c->n_filters = n_references;
    c->shape.w = word_size;
    *out = c;
    return TMS_OK;
}

tms_status tms_classifier_create_sized(tms_context *ctx, const tms_filter *const *filters, size_t n_filters,
                                       const tms_classify_params *given, size_t given_size, tms_classifier **out)
{
    tms_classifier *c = NULL;
    *out = NULL;
    tms_status status = check_filters(ctx, filters, n_filters);
    if (status == TMS_OK)
        status = create(ctx, filters[0]->params.word_size, n_filters, given, given_size, &c);
    if (status != TMS_OK)
        return status;
    c->is_stranded = filters[0]->params.strand != TMS_STRAND_BOTH;
    for (size_t r = 0; r < n_filters && status == TMS_OK; r++) {
        c->filters[r] = filters[r];
        status = find_false_hits(ctx, filters[r], &c->false_hits[r]);
        c->doubtful_depth[r] = doubtful_depth(&c->false_hits[r].by_filter);
    }
    if (status != TMS_OK) {
        free(c);
        return status;
    }
    scan_shape_init(&c->shape, &filters[0]->params,
                    TMS_SIMD_SCALAR); /* sets the sizes; classification uses the calling context's kernels */
    fill_least_hits(c);
    *out = c;
    return TMS_OK;
}

static bool is_rate(double x) { return x >= 0 && x <= 1; }

tms_status tms_classifier_create_from_rates_sized(tms_context *ctx, uint32_t word_size, const tms_hit_rates *rates, size_t n_references,
                                                  const tms_classify_params *given, size_t given_size, tms_classifier **out)
{
    *out = NULL;
    if (n_references < 1 || n_references > TMS_MAX_REFERENCES)
        return context_fail(ctx, TMS_E_ARG, "%zu references: a classifier takes 1 to %d", n_references, TMS_MAX_REFERENCES);
    if (word_size < TMS_WORDS_MIN_SIZE || word_size > TMS_WORDS_MAX_SIZE)
        return context_fail(ctx, TMS_E_ARG, "k-mers of %u bases: give %d to %d", word_size, TMS_WORDS_MIN_SIZE, TMS_WORDS_MAX_SIZE);
    for (size_t r = 0; r < n_references; r++)
        if (!is_rate(rates[r].by_filter) || !is_rate(rates[r].by_filter_again) || !is_rate(rates[r].by_reference))
            return context_fail(ctx, TMS_E_ARG, "reference %zu: a rate is not from 0 to 1", r + 1);
    tms_classifier *c;
    tms_status status = create(ctx, word_size, n_references, given, given_size, &c);
    if (status != TMS_OK)
        return status;
    for (size_t r = 0; r < n_references; r++)
        c->false_hits[r] = (struct false_hits){{rates[r].by_filter, rates[r].by_filter_again}, {rates[r].by_reference, REFERENCE_AGAIN}};
    fill_least_hits(c);
    *out = c;
    return TMS_OK;
}

tms_hit_rates tms_classifier_rates(const tms_classifier *c, size_t reference)
{
    const struct false_hits *f = &c->false_hits[reference];
    return (tms_hit_rates){f->by_filter.p, f->by_filter.q, f->by_reference.p};
}

void tms_classifier_destroy(tms_classifier *c) { free(c); }
double tms_classifier_threshold(const tms_classifier *c) { return c->threshold; }
uint32_t tms_classifier_word_size(const tms_classifier *c) { return c->shape.w; }
double tms_classifier_fpr(const tms_classifier *c, size_t reference)
{
    const struct false_hits *f = &c->false_hits[reference];
    return fmin(1, f->by_filter.p + f->by_reference.p);
}
