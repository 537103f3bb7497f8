/*
 * probabilistic_cpu.h - the probabilistic layout on CPU threads, and what heavy hitters are made of too: one insertion, one count.
 */
#ifndef TMS_PROBABILISTIC_CPU_H
#define TMS_PROBABILISTIC_CPU_H

#include "filter/classic_cpu.h"
#include "filter/probabilistic_core.h"

/* For drawing many insertions in a row: what four of them share is kept. */
struct probabilistic_draws {
    const tms_filter_params *params;
    const struct probabilistic_jumps *jumps;
    uint32_t none_below; /* a first word below it draws nothing */
    uint64_t first_of;   /* c of: */
    draw_block first;
};
void probabilistic_draws_init(struct probabilistic_draws *draws, const tms_filter *f);

/* The functions that insertion number `insertion` sets, ascending; room for k. Returns how many. */
size_t probabilistic_draw(struct probabilistic_draws *draws, uint64_t insertion, uint64_t *functions);

/* Turn function numbers into the key's values (classic_core.h), in place. */
void probabilistic_values(const tms_filter_params *p, const classic_key *key, uint64_t *functions, size_t n);

/* Ones among the key's k bits. */
uint32_t probabilistic_count(const tms_context *ctx, const tms_filter *f, const classic_key *key);

/* Are there at least `least`? Ends as soon as that is impossible. */
bool probabilistic_has_ones(const tms_context *ctx, const tms_filter *f, const classic_key *key, uint32_t least);

/* Batches, called with checked arguments. */
tms_status probabilistic_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status probabilistic_count_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *ones);

#if TMS_HAVE_X86_SIMD
uint32_t cubic_ones_avx512(const uint64_t *words, uint64_t m_bits, uint32_t k, uint64_t h1, uint64_t h2, uint32_t most_zeros);
#endif

#endif
