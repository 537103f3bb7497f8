/*
 * sizing.c - bits and hash functions for a request, and messages for impossible requests. The layouts compute the numbers:
 * classic_sizing.c, blocked_sizing.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extensible.h"
#include "filter/blocked_core.h"
#include "filter/layouts.h"
#include "filter/words_sizing.h"

/* Message: why m does not work, and which m would. */
static tms_status fail_too_small(tms_context *ctx, const tms_filter_want *want, double reached, const tms_filter_params *p)
{
    tms_filter_want other = *want, any_k = *want;
    tms_filter_params would, best;
    char text[512], blocks[40] = "", without[64] = "";

    other.m_bits = any_k.m_bits = any_k.k = 0;
    if (want->k && layout_facts(p->layout)->max_blocks)
        other.blocks_per_key = filter_n_parts(p); /* with both m and k given, keep the number of blocks */
    if (tms_filter_size(ctx, &other, &would) != TMS_OK) {
        snprintf(text, sizeof text, "%s", tms_context_message(ctx));
        return context_fail(ctx, TMS_E_ARG, "m = %llu bits and k = %u give %llu keys a false-positive rate of %.3g; without m: %s",
                            (unsigned long long)p->m_bits, p->k, (unsigned long long)want->n_keys, reached, text);
    }
    if (filter_n_parts(&would) > 1)
        snprintf(blocks, sizeof blocks, ", %u blocks per key", filter_n_parts(&would));
    if (want->k && tms_filter_size(ctx, &any_k, &best) == TMS_OK && best.m_bits < would.m_bits / 2)
        snprintf(without, sizeof without, ", or %llu bits without k", (unsigned long long)best.m_bits);
    return context_fail(ctx, TMS_E_ARG,
                        "m = %llu bits and k = %u give %llu keys a false-positive rate of %.3g, not %.3g: "
                        "m = %llu bits (k = %u%s) would do%s",
                        (unsigned long long)p->m_bits, p->k, (unsigned long long)want->n_keys, reached, want->fpr,
                        (unsigned long long)would.m_bits, would.k, blocks, without);
}

static tms_status size_from_m(tms_context *ctx, const tms_filter_want *want, tms_filter_params *p)
{
    const struct layout_facts *facts = layout_facts(p->layout);
    if (!want->k && !want->n_keys && !facts->words)
        return context_fail(ctx, TMS_E_ARG, "m alone does not size a filter: give also the number of keys, or k");
    if (want->fpr != 0 && !want->n_keys)
        return context_fail(ctx, TMS_E_ARG, "a false-positive rate together with m can be checked only with the number of keys");
    p->m_bits = want->m_bits;
    if (p->m_bits > facts->max_bits)
        return filter_check_params(ctx, p, TMS_E_ARG);
    if (!want->k)
        layout_best_for_m(want, p);
    p->m_bits = filter_round_bits(p);
    tms_status status = filter_check_params(ctx, p, TMS_E_ARG);
    if (status != TMS_OK || want->fpr == 0)
        return status;
    double reached = tms_filter_expected_fpr(p, want->n_keys);
    return reached <= want->fpr ? TMS_OK : fail_too_small(ctx, want, reached, p);
}

/* Message: why no filter works, and an achievable rate, with three digits, found by trial. */
static tms_status fail_too_large(tms_context *ctx, const tms_filter_want *want, double fpr, const tms_filter_params *p)
{
    const struct layout_facts *facts = layout_facts(p->layout);
    tms_filter_params most = *p, would;
    most.m_bits = facts->max_bits / TMS_BLOCK_BITS / filter_n_parts(p) * filter_n_parts(p) * TMS_BLOCK_BITS;
    double least = tms_filter_expected_fpr(&most, want->n_keys);
    char rate[32] = "";
    for (double step = 1.005; least < 1 && !rate[0]; least *= step, step *= step) { /* a higher rate may allow fewer blocks a key */
        char text[sizeof rate];
        snprintf(text, sizeof text, "%.3g", least);
        would = *p;
        layout_choose_for_fpr(strtod(text, NULL), want, &would);
        if (would.m_bits)
            memcpy(rate, text, sizeof rate);
    }
    if (facts->max_blocks && fpr <= blocked_same_hash(want->n_keys))
        return context_fail(ctx, TMS_E_ARG,
                            "a false-positive rate of %.3g for %llu keys needs hashes of more than 64 bits; "
                            "%s would fit, or use the classic layout",
                            fpr, (unsigned long long)want->n_keys, rate[0] ? rate : "fewer keys");
    return context_fail(ctx, TMS_E_ARG,
                        "a false-positive rate of %.3g for %llu keys needs more than the %llu bits that the "
                        "%s layout takes, with k = %u; %s%s%s",
                        fpr, (unsigned long long)want->n_keys, (unsigned long long)facts->max_bits, facts->name, p->k,
                        rate[0] ? rate : "fewer keys", " would fit", facts->max_blocks ? ", or use the classic layout" : "");
}

static tms_status size_from_fpr(tms_context *ctx, const tms_filter_want *want, tms_filter_params *p)
{
    if (!want->n_keys)
        return context_fail(ctx, TMS_E_ARG, "give the number of keys, or m and k");
    double fpr = want->fpr != 0 ? want->fpr : layout_facts(p->layout)->words ? words_default_fpr(p) : TMS_DEFAULT_FPR;
    layout_choose_for_fpr(fpr, want, p);
    if (want->fpr == 0 && layout_facts(p->layout)->words)
        words_at_least(want->n_keys, p);
    return p->m_bits ? filter_check_params(ctx, p, TMS_E_ARG) : fail_too_large(ctx, want, fpr, p);
}

double tms_filter_expected_fpr_sized(const tms_filter_params *params, size_t params_size, uint64_t n_keys)
{
    tms_filter_params own;
    if (!struct_in(&own, sizeof own, params, params_size))
        return NAN;
    return n_keys ? layout_expected_fpr(&own, n_keys) : 0;
}

STRUCT_ENDS_WITH(tms_filter_want, strand);

tms_status tms_filter_size_sized(tms_context *ctx, const tms_filter_want *given, size_t given_size, tms_filter_params *out, size_t out_size)
{
    tms_filter_want own, *want = &own;
    if (!struct_in(&own, sizeof own, given, given_size))
        return context_fail_newer(ctx, "tms_filter_want");
    if (want->fpr != 0 && !(want->fpr > 0 && want->fpr < 1))
        return context_fail(ctx, TMS_E_ARG, "a false-positive rate of %g: it must lie between 0 and 1, such as 0.01 or 1/1000", want->fpr);
    if (layout_facts(want->layout)->draws)
        return context_fail(ctx, TMS_E_ARG,
                            "a probabilistic filter is sized by the frequencies that it should estimate: "
                            "tms_frequency_size()");
    tms_filter_params p = {.layout = want->layout,
                           .hash = want->hash,
                           .seed = want->seed,
                           .m_bits = TMS_BLOCK_BITS,
                           .k = want->k ? want->k : 1,
                           .blocks_per_key = want->blocks_per_key,
                           .word_size = want->word_size,
                           .subword_size = want->subword_size,
                           .minimizer_size = want->minimizer_size,
                           .strand = want->strand};
    if (layout_facts(p.layout)->words) {
        p.k = want->k;
        words_fill_in(&p);
    }
    p.m_bits = filter_round_bits(&p);
    tms_status status = filter_check_params(ctx, &p, TMS_E_ARG); /* all but the size */
    if (status == TMS_OK)
        status = want->m_bits ? size_from_m(ctx, want, &p) : size_from_fpr(ctx, want, &p);
    if (status != TMS_OK)
        return status;
    if (layout_facts(p.layout)->max_blocks)
        p.blocks_per_key = filter_n_parts(&p);
    struct_out(out, out_size, &p, sizeof p);
    return TMS_OK;
}
