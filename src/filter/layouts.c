/*
 * layouts.c - see layouts.h. No switch has a default, so the compiler reports each switch that lacks a new layout; the code
 * after a switch is for the last layout.
 */
#include "filter/layouts.h"

#include "filter/blocked_cpu.h"
#include "filter/blocked_cuda.h"
#include "filter/blocked_sizing.h"
#include "filter/classic_cpu.h"
#include "filter/classic_cuda.h"
#include "filter/classic_sizing.h"
#include "filter/probabilistic_cpu.h"
#include "filter/probabilistic_cuda.h"
#include "filter/words_sizing.h"
#include "hash/bloom_fpr.h"

double layout_expected_fpr(const tms_filter_params *params, uint64_t n_keys)
{
    switch (params->layout) {
    case TMS_LAYOUT_BLOCKED:
        return blocked_expected_fpr(params, n_keys);
    case TMS_LAYOUT_CLASSIC:
        return bloom_fpr(n_keys, params->m_bits, params->k);
    case TMS_LAYOUT_WORDS:
        return words_expected_fpr(params, n_keys);
    case TMS_LAYOUT_PROBABILISTIC:
        break;
    }
    return 0;
}

void layout_choose_for_fpr(double fpr, const tms_filter_want *want, tms_filter_params *p)
{
    switch (p->layout) {
    case TMS_LAYOUT_BLOCKED:
        blocked_choose_for_fpr(fpr, want, p);
        break;
    case TMS_LAYOUT_CLASSIC:
        classic_choose_for_fpr(fpr, want, p);
        break;
    case TMS_LAYOUT_WORDS:
        words_choose_for_fpr(fpr, want->n_keys, p);
        break;
    case TMS_LAYOUT_PROBABILISTIC: /* sized by frequencies: frequency.c */
        break;
    }
}

void layout_best_for_m(const tms_filter_want *want, tms_filter_params *p)
{
    switch (p->layout) {
    case TMS_LAYOUT_BLOCKED:
        blocked_best_for_m(want, p);
        break;
    case TMS_LAYOUT_CLASSIC:
        classic_best_for_m(want, p);
        break;
    case TMS_LAYOUT_PROBABILISTIC:
    case TMS_LAYOUT_WORDS: /* k follows from w */
        break;
    }
}

tms_status layout_actual_fpr(tms_context *ctx, const tms_filter *f, double fill, double *rate)
{
    *rate = 0;
    switch (f->params.layout) {
    case TMS_LAYOUT_BLOCKED:
        return blocked_actual_fpr_cpu(ctx, f, rate);
    case TMS_LAYOUT_CLASSIC:
        *rate = classic_actual_fpr(fill, f->params.k);
        break;
    case TMS_LAYOUT_WORDS:
        return words_actual_fpr_cpu(ctx, f, rate, NULL);
    case TMS_LAYOUT_PROBABILISTIC:
        break;
    }
    return TMS_OK;
}

#define HASHED_KEYS ((size_t)1 << 14) /* keys per task */

struct hashing {
    const tms_filter_params *params;
    const tms_keys *keys;
    uint64_t *hashes;
};

static void hash_range(void *arg, size_t first, size_t end)
{
    const struct hashing *h = arg;
    switch (h->params->layout) {
    case TMS_LAYOUT_BLOCKED:
        blocked_hash_keys(h->keys, h->params->seed, first, end - first, h->hashes + first);
        break;
    case TMS_LAYOUT_CLASSIC:
    case TMS_LAYOUT_PROBABILISTIC:
        classic_hash_keys(h->keys, h->params->seed, first, end - first, h->hashes + 2 * first);
        break;
    case TMS_LAYOUT_WORDS: /* takes sequences, not keys */
        break;
    }
}

tms_status layout_hash_cpu(tms_context *ctx, const tms_filter_params *params, const tms_keys *keys, uint64_t *hashes)
{
    struct hashing hashing = {params, keys, hashes};
    return context_run_ranges(ctx, keys->n_keys, HASHED_KEYS, hash_range, &hashing);
}

tms_status layout_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n)
{
    switch (f->params.layout) {
    case TMS_LAYOUT_BLOCKED:
        return blocked_insert_cpu(ctx, f, keys, hashes, n);
    case TMS_LAYOUT_CLASSIC:
        return classic_insert_cpu(ctx, f, keys, hashes, n);
    case TMS_LAYOUT_PROBABILISTIC:
    case TMS_LAYOUT_WORDS:
        break;
    }
    return probabilistic_insert_cpu(ctx, f, keys, hashes, n);
}

tms_status layout_ask_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, void *answers)
{
    switch (f->params.layout) {
    case TMS_LAYOUT_BLOCKED:
        return blocked_query_cpu(ctx, f, keys, answers);
    case TMS_LAYOUT_CLASSIC:
        return classic_query_cpu(ctx, f, keys, answers);
    case TMS_LAYOUT_PROBABILISTIC:
    case TMS_LAYOUT_WORDS:
        break;
    }
    return probabilistic_count_cpu(ctx, f, keys, answers);
}

int layout_has(const tms_filter *f, const uint8_t *key, size_t size)
{
    switch (f->params.layout) {
    case TMS_LAYOUT_BLOCKED:
        return blocked_has(f, key, size);
    case TMS_LAYOUT_CLASSIC:
        return classic_has(f, key, size);
    case TMS_LAYOUT_PROBABILISTIC:
    case TMS_LAYOUT_WORDS:
        break;
    }
    return -1;
}

tms_status layout_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n,
                              uint64_t insertion)
{
    switch (f->params.layout) {
    case TMS_LAYOUT_BLOCKED:
        return blocked_insert_cuda(ctx, f, d_keys, d_hashes, n, NULL);
    case TMS_LAYOUT_CLASSIC:
        return classic_insert_cuda(ctx, f, d_keys, d_hashes, n, CLASSIC_AUTO);
    case TMS_LAYOUT_PROBABILISTIC:
    case TMS_LAYOUT_WORDS:
        break;
    }
    return probabilistic_insert_cuda(ctx, f, d_keys, d_hashes, n, insertion, PROBABILISTIC_AUTO);
}

tms_status layout_ask_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *d_keys, void *d_answers)
{
    switch (f->params.layout) {
    case TMS_LAYOUT_BLOCKED:
        return blocked_query_cuda(ctx, f, d_keys, d_answers);
    case TMS_LAYOUT_CLASSIC:
        return classic_query_cuda(ctx, f, d_keys, d_answers, CLASSIC_AUTO);
    case TMS_LAYOUT_PROBABILISTIC:
    case TMS_LAYOUT_WORDS:
        break;
    }
    return probabilistic_count_cuda(ctx, f, d_keys, d_answers, PROBABILISTIC_AUTO);
}
