/*
 * seeds_plan.c - chooses the unset parameters of a search and checks that all are compatible.
 *
 * One filter for the whole query is the fastest sieve for exact matches: its test costs the same for any query. Many sub-queries
 * tell which part of the query a w-mer may come from, and keep each filter small enough for a given memory [Ma11, II-A].
 */
#include "hash/bloom_fpr.h"
#include "run/context.h"
#include "seed/seeds_internal.h"

/* m is the least power of two with at least this many bits per w-mer. */
#define BITS_A_WORD 8
/*
 * k is the least with which at most this share of other w-mers passes any filter, or the best k if none reaches it. Each function costs
 * one memory access, as does a look-up in the table.
 */
#define MOST_PASSED 0.12
/*
 * Up to this size a bitmap replaces a smaller filter: it stays in the cache and takes one access. All choices here are the same on every
 * machine, because stage 1a's answers depend on them.
 */
#define BITMAP_BITS     ((uint64_t)1 << 26)
#define BITMAP_MAX_WORD 16

_Static_assert(BANK_MAX_K == TMS_BANK_MAX_K, "the bank has as many functions as can be asked for");
_Static_assert((uint64_t)1 << 2 * BITMAP_MAX_WORD <= TMS_BANK_MAX_BITS, "a bitmap is one of the bank's vectors");
_Static_assert(2 * TMS_SEEDS_MAX_WORD <= 64, "a w-mer fits in 64 bits");

double tms_bank_fpr(uint64_t m_bits, uint32_t k, uint64_t n) { return bloom_fpr(n, m_bits, k); }

static uint64_t power_of_two(uint64_t n)
{
    uint64_t m = TMS_BANK_MIN_BITS;
    while (m < n)
        m *= 2;
    return m;
}

static tms_status check(tms_context *ctx, const tms_seeds_params *p)
{
    if (p->word_size < TMS_SEEDS_MIN_WORD || p->word_size > TMS_SEEDS_MAX_WORD)
        return context_fail(ctx, TMS_E_ARG, "word size %u: give %d to %d", p->word_size, TMS_SEEDS_MIN_WORD, TMS_SEEDS_MAX_WORD);
    if ((unsigned)p->strand > TMS_STRAND_MINUS || (unsigned)p->schedule > TMS_SCHEDULE_BITMAP || p->hash < TMS_SEED_HASH_H3 ||
        p->hash > TMS_SEED_HASH_XXH3)
        return context_fail(ctx, TMS_E_ARG, "unknown strand, hash or schedule");
    if (p->k > TMS_BANK_MAX_K)
        return context_fail(ctx, TMS_E_ARG, "k = %u hash functions: give 1 to %d", p->k, TMS_BANK_MAX_K);
    if (p->m_bits && (p->m_bits < TMS_BANK_MIN_BITS || p->m_bits > TMS_BANK_MAX_BITS))
        return context_fail(ctx, TMS_E_ARG, "m = %llu bits a sub-query: give %d to 2^32", (unsigned long long)p->m_bits, TMS_BANK_MIN_BITS);
    if (p->schedule != TMS_SCHEDULE_BITMAP)
        return TMS_OK;
    if (p->only_bloom || p->m_bits || p->k)
        return context_fail(ctx, TMS_E_ARG, "a bitmap has no m, no k and no Bloom filter: leave them out, or use another schedule");
    if (p->word_size > BITMAP_MAX_WORD)
        return context_fail(ctx, TMS_E_ARG, "a bitmap of all words of %u bases is too large: words of up to %d bases have one",
                            p->word_size, BITMAP_MAX_WORD);
    return TMS_OK;
}

static uint32_t choose_k(uint64_t m_bits, uint64_t n, uint32_t n_subs)
{
    uint32_t best = 1;
    for (uint32_t k = 1; k <= TMS_BANK_MAX_K; k++) {
        double fpr = tms_bank_fpr(m_bits, k, n);
        if (fpr * n_subs <= MOST_PASSED)
            return k;
        if (fpr < tms_bank_fpr(m_bits, best, n))
            best = k;
    }
    return best;
}

/* Uses a bitmap of 4^w bits if it is no larger than the filter or fits a cache. */
static int takes_bitmap(const tms_seeds_params *p, uint64_t m_bits, uint32_t n_subs)
{
    if (p->schedule != TMS_SCHEDULE_AUTO || p->only_bloom || p->m_bits || p->k || p->word_size > BITMAP_MAX_WORD)
        return 0;
    uint64_t bits = (uint64_t)1 << 2 * p->word_size;
    return bits <= m_bits || bits <= BITMAP_BITS / n_subs;
}

tms_status seeds_plan(tms_context *ctx, const tms_seeds_params *asked, uint64_t n_bases, tms_seeds_info *out)
{
    tms_seeds_params *p = &out->params;
    tms_status status = check(ctx, asked);
    if (status != TMS_OK)
        return status;
    *out = (tms_seeds_info){.params = *asked, .n_bases = n_bases};
    uint64_t n = n_bases ? n_bases : 1;
    if (p->sub_query == 0 || p->sub_query > n)
        p->sub_query = n < TMS_BANK_MAX_BITS / BITS_A_WORD ? n : TMS_BANK_MAX_BITS / BITS_A_WORD;
    uint64_t n_subs = (n + p->sub_query - 1) / p->sub_query;
    if (n_subs > TMS_BANK_MAX_SUB_QUERIES)
        return context_fail(ctx, TMS_E_ARG, "%llu sub-queries of %llu w-mers: at most %u, so give them %llu w-mers or more",
                            (unsigned long long)n_subs, (unsigned long long)p->sub_query, TMS_BANK_MAX_SUB_QUERIES,
                            (unsigned long long)((n + TMS_BANK_MAX_SUB_QUERIES - 1) / TMS_BANK_MAX_SUB_QUERIES));
    out->n_sub_queries = (uint32_t)n_subs;
    uint64_t m_bits = p->m_bits ? p->m_bits : BITS_A_WORD * p->sub_query;
    if (!p->m_bits || p->hash == TMS_SEED_HASH_H3)
        m_bits = power_of_two(m_bits);
    if (m_bits > TMS_BANK_MAX_BITS)
        m_bits = TMS_BANK_MAX_BITS;
    if (takes_bitmap(p, m_bits, out->n_sub_queries))
        p->schedule = TMS_SCHEDULE_BITMAP;
    if (p->schedule == TMS_SCHEDULE_BITMAP) {
        p->m_bits = (uint64_t)1 << 2 * p->word_size;
        p->k = 1;
        return TMS_OK;
    }
    p->m_bits = m_bits;
    if (p->schedule == TMS_SCHEDULE_AUTO)
        p->schedule = m_bits <= ctx->tuning.bank_shared_bits ? TMS_SCHEDULE_SHARED
                                                             : TMS_SCHEDULE_INTERLEAVED; /* both give the same answers */
    if (p->k == 0)
        p->k = choose_k(m_bits, p->sub_query, out->n_sub_queries);
    return TMS_OK;
}

struct bank_shape seeds_shape(const tms_seeds_info *info)
{
    const tms_seeds_params *p = &info->params;
    return (struct bank_shape){
        .m_bits = p->m_bits,
        .seed = p->seed,
        .k = p->k,
        .n_subs = info->n_sub_queries,
        .row_bits = p->schedule == TMS_SCHEDULE_SHARED ? 0 : bank_row_bits(info->n_sub_queries),
        .hash = p->schedule == TMS_SCHEDULE_BITMAP ? BANK_EXACT
                : p->hash == TMS_SEED_HASH_H3      ? BANK_H3
                                                   : BANK_XXH3,
        .word_size = p->word_size,
    };
}
