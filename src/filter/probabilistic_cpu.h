/*
 * probabilistic_cpu.h - the probabilistic layout on CPU threads, and single insertions and counts, which heavy.c uses too.
 */
#ifndef TMS_PROBABILISTIC_CPU_H
#define TMS_PROBABILISTIC_CPU_H

#include "filter/classic_cpu.h"
#include "filter/probabilistic_core.h"

/* State for drawing consecutive insertions: keeps the first draws that four insertions share. */
struct probabilistic_draws {
    const tms_filter_params *params;
    const struct probabilistic_jumps *jumps;
    uint32_t none_below; /* an insertion whose first word is below this draws no function */
    uint64_t first_of;   /* counter c of the kept first draws */
    draw_block first;
};
void probabilistic_draws_init(struct probabilistic_draws *draws, const tms_filter *f);

/* Writes the functions that insertion number `insertion` sets, ascending; the array has room for k. Returns how many. */
size_t probabilistic_draw(struct probabilistic_draws *draws, uint64_t insertion, uint64_t *functions);

/* Turns function numbers into the key's values (classic_core.h), in place. */
void probabilistic_values(const tms_filter_params *p, const classic_key *key, uint64_t *functions, size_t n);

/* Counts the ones among the key's k bits. */
uint32_t probabilistic_count(const tms_context *ctx, const tms_filter *f, const classic_key *key);

/* Tests whether the key has at least `least` ones. Stops as soon as that is impossible. */
bool probabilistic_has_ones(const tms_context *ctx, const tms_filter *f, const classic_key *key, uint32_t least);

/* Batches; the caller has checked the arguments. */
tms_status probabilistic_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status probabilistic_count_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *ones);

#if TMS_HAVE_X86_SIMD
uint32_t cubic_ones_avx512(const uint64_t *words, uint64_t m_bits, uint32_t k, uint64_t h1, uint64_t h2, uint32_t most_zeros);
#endif

#endif
