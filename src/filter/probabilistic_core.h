/*
 * probabilistic_core.h - which of a key's k bits an insertion sets [thesis, 1.2]. Where bit i lies: classic_core.h.
 *
 * Insertion number n of the stream draws 32-bit words from Philox4x32-10 with key (seed low, seed high) and counter (c low, c high,
 * block, purpose). So any thread can draw any insertion, in any order.
 *
 *   plain      word of function i:   word i mod 4 of c = n, block i / 4, DRAW_EACH
 *   geometric  word of draw 0:       word n mod 4 of c = n / 4, block 0, DRAW_FIRST. Where p k is small most insertions need only
 *                                    this draw, and four insertions share its block
 *              word of draw d > 0:   word (d - 1) mod 4 of c = n, block (d - 1) / 4, DRAW_JUMP
 *
 * A decision compares a word with the upper half of a probability in units of 2^-64; if they are equal, a second word
 * decides: word 0 of c = n, block i or d, DRAW_EACH_TIE or DRAW_JUMP_TIE. So a probability is exact to a few units of
 * 2^-64 (each power is rounded down), and nearly every decision costs only 32 bits.
 *
 *   plain      the insertion skips function i if word i is below q = 1 - p.
 *   geometric  the number of functions skipped before the next set one is g with probability q^g p: draw d gives
 *              g = #{j : word d < q^(j+1)}. The table of q^(j+1) ends at q^n <= 1/64 or n = 1,024; g = n says "n or more": n
 *              functions are skipped and the next draw continues there, because the distribution is memoryless.
 *
 * Filter files depend on all of this, including JUMPS_MAX.
 */
#ifndef TMS_PROBABILISTIC_CORE_H
#define TMS_PROBABILISTIC_CORE_H

#include <Random123/philox.h>
#include <stdbool.h>

#include "filter/classic_core.h"

enum { DRAW_FIRST = 0, DRAW_JUMP = 1, DRAW_JUMP_TIE = 2, DRAW_EACH = 3, DRAW_EACH_TIE = 4 };

#define JUMPS_MAX        1024
#define JUMPS_GUIDE_BITS 11

/* The powers of q, upper and lower halves; both end with a 0. guide[b]: g for the largest word with b as its upper bits. */
struct probabilistic_jumps {
    uint32_t n;
    uint32_t q_high, q_low;
    uint32_t high[JUMPS_MAX + 1], low[JUMPS_MAX + 1];
    uint16_t guide[1 << JUMPS_GUIDE_BITS];
};

/* probabilistic_cpu.c */
#ifdef __cplusplus
extern "C"
#endif
    void
    probabilistic_jumps_init(struct probabilistic_jumps *jumps, double p);

typedef philox4x32_ctr_t draw_block;

TMS_HD static inline draw_block draw_words(uint64_t seed, uint64_t c, uint32_t block, uint32_t purpose)
{
    philox4x32_ctr_t counter = {{(uint32_t)c, (uint32_t)(c >> 32), block, purpose}};
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    return philox4x32(counter, key);
}

/* The second word of draw d. */
TMS_HD static inline uint32_t draw_tie(uint64_t seed, uint64_t insertion, uint32_t d, uint32_t purpose)
{
    return draw_words(seed, insertion, d, purpose).v[0];
}

/* plain: is function i set, given its word? */
TMS_HD static inline bool draw_sets(uint32_t q_high, uint32_t q_low, uint64_t seed, uint64_t insertion, uint32_t i, uint32_t word)
{
    if (word != q_high)
        return word > q_high;
    return draw_tie(seed, insertion, i, DRAW_EACH_TIE) >= q_low;
}

/* geometric: resolves a tie of upper halves, from entry g on. */
TMS_HD_NOINLINE static uint32_t jump_from_tie(const uint32_t *high, const uint32_t *low, uint32_t n, uint64_t seed, uint64_t insertion,
                                              uint32_t d, uint32_t word, uint32_t g)
{
    uint64_t v = (uint64_t)word << 32 | draw_tie(seed, insertion, d, DRAW_JUMP_TIE);
    while (g < n && v < ((uint64_t)high[g] << 32 | low[g]))
        g++;
    return g;
}

/* geometric: g of draw d, given its word. high and guide may be copies in faster memory. */
TMS_HD static inline uint32_t jump_of(const uint32_t *high, const uint32_t *low, const uint16_t *guide, uint32_t n, uint64_t seed,
                                      uint64_t insertion, uint32_t d, uint32_t word)
{
    uint32_t g = guide[word >> (32 - JUMPS_GUIDE_BITS)];
    while (word < high[g])
        g++;
    if (word == high[g] && g < n)
        g = jump_from_tie(high, low, n, seed, insertion, d, word, g);
    return g;
}

#endif
