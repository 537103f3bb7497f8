/* filter_params.c - see filter_params.h. */
#include "filter/filter_params.h"

#include <math.h>

const char *tms_layout_name(tms_layout layout)
{
    static const char *const names[] = {"?", "blocked", "classic", "probabilistic"};
    return (unsigned)layout < sizeof names / sizeof *names ? names[layout] : "?";
}

const char *tms_hash_name(tms_hash hash)
{
    static const char *const names[] = {"?", "xxh3", "xxh3-square", "murmur3", "ap"};
    return (unsigned)hash < sizeof names / sizeof *names ? names[hash] : "?";
}

const char *tms_sampling_name(tms_sampling sampling)
{
    return sampling == TMS_SAMPLING_GEOMETRIC ? "geometric" : sampling == TMS_SAMPLING_PLAIN ? "plain" : "?";
}

uint64_t filter_bits_bytes(const tms_filter_params *params)
{
    return (params->m_bits + TMS_BLOCK_BITS - 1) / TMS_BLOCK_BITS * (TMS_BLOCK_BITS / 8);
}

uint64_t filter_round_bits(const tms_filter_params *params)
{
    uint64_t unit = params->layout == TMS_LAYOUT_BLOCKED ? (uint64_t)TMS_BLOCK_BITS * filter_n_parts(params) : 1;
    return (params->m_bits + unit - 1) / unit * unit;
}

tms_status filter_check_kinds(tms_context *ctx, const tms_filter_params *p, tms_status failure)
{
    if (p->layout < TMS_LAYOUT_BLOCKED || p->layout > TMS_LAYOUT_PROBABILISTIC)
        return context_fail(ctx, failure, "unknown filter layout %d", (int)p->layout);
    if (p->hash < TMS_HASH_XXH3 || p->hash > TMS_HASH_AP)
        return context_fail(ctx, failure, "unknown hash %d", (int)p->hash);
    if (p->layout == TMS_LAYOUT_BLOCKED && p->hash != TMS_HASH_XXH3)
        return context_fail(ctx, failure, "the blocked layout works with the hash xxh3 only, not %s: "
                            "take xxh3, or the classic layout", tms_hash_name(p->hash));
    return TMS_OK;
}

tms_status filter_check_params(tms_context *ctx, const tms_filter_params *p, tms_status failure)
{
    tms_status status = filter_check_kinds(ctx, p, failure);
    if (status != TMS_OK)
        return status;
    if (p->m_bits < 1 || p->m_bits > filter_max_bits(p->layout))
        return context_fail(ctx, failure, "m = %llu bits: the %s layout takes 1 to %llu", (unsigned long long)p->m_bits,
                            tms_layout_name(p->layout), (unsigned long long)filter_max_bits(p->layout));
    if (p->blocks_per_key > (p->layout == TMS_LAYOUT_BLOCKED ? TMS_BLOCKED_MAX_BLOCKS : 0))
        return context_fail(ctx, failure, "%u blocks a key: the blocked layout takes 1 to %d, the others have none",
                            p->blocks_per_key, TMS_BLOCKED_MAX_BLOCKS);
    if (p->m_bits != filter_round_bits(p))
        return context_fail(ctx, failure, "m = %llu bits: the blocked layout with %u block%s a key needs a multiple of %u, such as "
                            "%llu", (unsigned long long)p->m_bits, filter_n_parts(p), filter_n_parts(p) == 1 ? "" : "s",
                            TMS_BLOCK_BITS * filter_n_parts(p), (unsigned long long)filter_round_bits(p));
    uint32_t max_k = filter_max_k(p->layout);
    if (p->k < 1 || p->k > max_k)
        return context_fail(ctx, failure, "k = %u: the %s layout takes 1 to %u", p->k, tms_layout_name(p->layout), max_k);
    if (p->layout != TMS_LAYOUT_PROBABILISTIC)
        return p->p == 0 && p->sampling == 0 ? TMS_OK : context_fail(ctx, failure, "p = %g and the sampling belong to the "
                                                                     "probabilistic layout, not to the %s one", p->p,
                                                                     tms_layout_name(p->layout));
    if (!(p->p > 0 && p->p <= 1 && ldexp(p->p, 64) >= 1))
        return context_fail(ctx, failure, "p = %g: the probability that an insertion sets a bit lies above 0 (at least 2^-64) and "
                            "is at most 1, such as 0.01", p->p);
    if ((unsigned)p->sampling > TMS_SAMPLING_PLAIN)
        return context_fail(ctx, failure, "unknown sampling %d", (int)p->sampling);
    return TMS_OK;
}

int tms_hash_words(const tms_filter_params *params)
{
    if (params->layout == TMS_LAYOUT_BLOCKED)
        return 1;
    return params->hash == TMS_HASH_XXH3 || params->hash == TMS_HASH_XXH3_SQUARE ? 2 : 0;
}
