/* filter_params.c - see filter_params.h. */
#include "filter/filter_params.h"

#include <math.h>

#include "base/extensible.h"
#include "filter/classic_core.h"
#include "filter/hash_families.h"
#include "filter/words_core.h"

const struct layout_facts *layout_facts(tms_layout layout)
{
    static const struct layout_facts facts[] = {
        {.name = "?"},
        [TMS_LAYOUT_BLOCKED] = {"blocked", TMS_BLOCKED_MAX_BITS, TMS_BLOCKED_MAX_K, TMS_BLOCKED_MAX_BLOCKS, .one_hash = true},
        [TMS_LAYOUT_CLASSIC] = {"classic", TMS_MAX_BITS, TMS_CLASSIC_MAX_K},
        [TMS_LAYOUT_WORDS] = {"words", TMS_BLOCKED_MAX_BITS, TMS_WORDS_MAX_K, .one_hash = true, .words = true},
        [TMS_LAYOUT_PROBABILISTIC] = {"probabilistic", TMS_MAX_BITS, TMS_PROBABILISTIC_MAX_K, .draws = true},
    };
    return &facts[(unsigned)layout < sizeof facts / sizeof *facts ? layout : 0];
}

const char *tms_layout_name(tms_layout layout) { return layout_facts(layout)->name; }

/* Returns NULL for an unknown hash. */
static const char *hash_name(tms_hash hash)
{
#define HASH_NAME(family, name, unused) [family] = name,
    static const char *const names[] = {HASH_FAMILIES(HASH_NAME, 0)};
#undef HASH_NAME
    return (unsigned)hash < sizeof names / sizeof *names ? names[hash] : NULL;
}

const char *tms_hash_name(tms_hash hash)
{
    const char *name = hash_name(hash);
    return name ? name : "?";
}

const char *tms_sampling_name(tms_sampling sampling)
{
    return sampling == TMS_SAMPLING_GEOMETRIC ? "geometric" : sampling == TMS_SAMPLING_PLAIN ? "plain" : "?";
}

STRUCT_ENDS_WITH(tms_filter_params, strand);

tms_status filter_params_in(tms_context *ctx, const tms_filter_params *given, size_t given_size, tms_filter_params *out)
{
    return struct_in(out, sizeof *out, given, given_size) ? TMS_OK : context_fail_newer(ctx, "tms_filter_params");
}

uint64_t filter_bits_bytes(const tms_filter_params *params)
{
    return (params->m_bits + TMS_BLOCK_BITS - 1) / TMS_BLOCK_BITS * (TMS_BLOCK_BITS / 8);
}

uint64_t filter_round_bits(const tms_filter_params *params)
{
    const struct layout_facts *facts = layout_facts(params->layout);
    uint64_t unit = facts->max_blocks || facts->words ? (uint64_t)TMS_BLOCK_BITS * filter_n_parts(params) : 1;
    return (params->m_bits + unit - 1) / unit * unit;
}

tms_status filter_check_kinds(tms_context *ctx, const tms_filter_params *p, tms_status failure)
{
    const struct layout_facts *facts = layout_facts(p->layout);
    if (!facts->max_k)
        return context_fail(ctx, failure, "unknown filter layout %d", (int)p->layout);
    if (!hash_name(p->hash))
        return context_fail(ctx, failure, "unknown hash %d", (int)p->hash);
    if (facts->one_hash && p->hash != TMS_HASH_XXH3)
        return context_fail(ctx, failure,
                            "the %s layout works with the hash xxh3 only, not %s: "
                            "give xxh3, or the classic layout",
                            facts->name, tms_hash_name(p->hash));
    return TMS_OK;
}

static tms_status check_words(tms_context *ctx, const tms_filter_params *p, tms_status failure)
{
    if (p->word_size < TMS_WORDS_MIN_SIZE || p->word_size > TMS_WORDS_MAX_SIZE)
        return context_fail(ctx, failure, "k-mers of %u bases: the words layout takes %d to %d", p->word_size, TMS_WORDS_MIN_SIZE,
                            TMS_WORDS_MAX_SIZE);
    if (p->subword_size < TMS_WORDS_MIN_SIZE || p->subword_size > p->word_size || p->subword_size > WORDS_MAX_SUBWORD)
        return context_fail(ctx, failure, "s-mers of %u bases for k-mers of %u: the words layout takes %d to %u", p->subword_size,
                            p->word_size, TMS_WORDS_MIN_SIZE, p->word_size < WORDS_MAX_SUBWORD ? p->word_size : WORDS_MAX_SUBWORD);
    if (p->minimizer_size < 1 || p->minimizer_size > p->subword_size || p->minimizer_size > WORDS_MAX_MINIMIZER)
        return context_fail(ctx, failure, "minimizers of %u bases for s-mers of %u: the words layout takes 1 to %u", p->minimizer_size,
                            p->subword_size, p->subword_size < WORDS_MAX_MINIMIZER ? p->subword_size : WORDS_MAX_MINIMIZER);
    if (p->strand != TMS_STRAND_BOTH && p->strand != TMS_STRAND_PLUS)
        return context_fail(ctx, failure, "strand %d: the words layout takes both strands, or plus", (int)p->strand);
    return TMS_OK;
}

tms_status filter_check_params(tms_context *ctx, const tms_filter_params *p, tms_status failure)
{
    tms_status status = filter_check_kinds(ctx, p, failure);
    if (status != TMS_OK)
        return status;
    const struct layout_facts *facts = layout_facts(p->layout);
    if (p->m_bits < 1 || p->m_bits > facts->max_bits)
        return context_fail(ctx, failure, "m = %llu bits: the %s layout takes 1 to %llu", (unsigned long long)p->m_bits, facts->name,
                            (unsigned long long)facts->max_bits);
    if (p->blocks_per_key > facts->max_blocks)
        return context_fail(ctx, failure, "%u blocks per key: the blocked layout takes 1 to %d, the others have none", p->blocks_per_key,
                            TMS_BLOCKED_MAX_BLOCKS);
    if (facts->words && p->m_bits != filter_round_bits(p))
        return context_fail(ctx, failure, "m = %llu bits: the words layout needs a multiple of %d, such as %llu",
                            (unsigned long long)p->m_bits, TMS_BLOCK_BITS, (unsigned long long)filter_round_bits(p));
    if (p->m_bits != filter_round_bits(p))
        return context_fail(ctx, failure,
                            "m = %llu bits: the blocked layout with %u block%s per key needs a multiple of %u, such as "
                            "%llu",
                            (unsigned long long)p->m_bits, filter_n_parts(p), filter_n_parts(p) == 1 ? "" : "s",
                            TMS_BLOCK_BITS * filter_n_parts(p), (unsigned long long)filter_round_bits(p));
    if (p->k < 1 || p->k > facts->max_k)
        return context_fail(ctx, failure, "k = %u: the %s layout takes 1 to %u", p->k, facts->name, facts->max_k);
    if (facts->words) {
        status = check_words(ctx, p, failure);
        if (status != TMS_OK)
            return status;
    } else if (p->word_size || p->subword_size || p->minimizer_size || p->strand)
        return context_fail(ctx, failure, "k-mers of %u bases, or a strand: they belong to the words layout, not to the %s one",
                            p->word_size, facts->name);
    if (!facts->draws)
        return p->p == 0 && p->sampling == 0 ? TMS_OK
                                             : context_fail(ctx, failure,
                                                            "p = %g and the sampling belong to the "
                                                            "probabilistic layout, not to the %s one",
                                                            p->p, facts->name);
    if (!(p->p > 0 && p->p <= 1 && ldexp(p->p, 64) >= 1))
        return context_fail(ctx, failure,
                            "p = %g: the probability that an insertion sets a bit lies above 0 (at least 2^-64) and "
                            "is at most 1, such as 0.01",
                            p->p);
    if ((unsigned)p->sampling > TMS_SAMPLING_PLAIN)
        return context_fail(ctx, failure, "unknown sampling %d", (int)p->sampling);
    return TMS_OK;
}

int tms_hash_words_sized(const tms_filter_params *params, size_t params_size)
{
    tms_filter_params own;
    if (!struct_in(&own, sizeof own, params, params_size))
        return 0;
    if (layout_facts(own.layout)->words)
        return 0;
    if (layout_facts(own.layout)->one_hash)
        return 1;
    return classic_hashes_once(own.hash) ? 2 : 0;
}
