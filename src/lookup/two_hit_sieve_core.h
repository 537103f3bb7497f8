/*
 * two_hit_sieve_core.h - the sieves that hits pass on a GPU before the rule of two_hit_core.h: the first passes on a hit near another one
 * on its diagonal, the second computes an upper bound of the score of extensions that could begin there. For kernels, and for the tests
 * that show that the sieves miss nothing.
 */
#ifndef TMS_TWO_HIT_SIEVE_CORE_H
#define TMS_TWO_HIT_SIEVE_CORE_H

#include "alphabet/residues.h"
#include "base/core.h"

#ifdef __CUDA_ARCH__
#define TWO_HIT_UNROLL _Pragma("unroll")
#else
#define TWO_HIT_UNROLL
#endif

enum {
    SIEVE_RESIDUES = 8, /* residues that the second sieve takes together */
    SIEVE_READS = 16,   /* bytes beyond both ends of a sequence that may be read */
    SIEVE_OLDEST = 240  /* residues; the sieve remembers a position by its lowest byte */
};

/* --- the first sieve --- */

/* A hit less than this many residues after a remembered one is a candidate. */
TMS_HD static inline uint32_t sieve_near(int window, int word_size) { return (uint32_t)(window + word_size - 1); }

/* Residues between a hit and the remembered one, which is given by its lowest byte. */
TMS_HD static inline uint32_t sieve_distance(uint8_t last, uint32_t here) { return (here - last) & 0xff; }

/*
 * sieve_hit() - passes a hit at `here` on a diagonal whose last remembered hit is *last, given by its lowest byte. Returns 1 if the hit is
 * a candidate.
 *   near [in] sieve_near(); 0: no hit is a candidate yet
 *
 * The sieve misses nothing. Say the rule extends from hits at L and p on a diagonal, word_size <= p - L < window. The sieve remembers L, or
 * a hit less than word_size residues before L. So the remembered hit that p meets is less than window + word_size - 1 residues away; if it
 * is less than word_size residues away, it is itself a candidate. So there is a candidate at p, or up to word_size - 1 residues before p.
 */
TMS_HD static inline int sieve_hit(uint8_t *last, uint32_t here, uint32_t word_size, uint32_t near)
{
    const uint32_t distance = sieve_distance(*last, here);

    if (distance < word_size)
        return 0;
    *last = (uint8_t)here;
    return distance < near;
}

/* --- the second sieve --- */

/* Eight residues, the first in the lowest byte. On the GPU this may read four bytes before and after them. */
TMS_HD static inline uint64_t sieve_residues(const uint8_t *from)
{
#ifdef __CUDA_ARCH__
    const uint32_t *words = (const uint32_t *)((uintptr_t)from & ~(uintptr_t)3);
    const uint32_t shift = (uint32_t)((uintptr_t)from & 3) * 8, low = words[0], middle = words[1], high = words[2];
    return (uint64_t)__funnelshift_r(middle, high, shift) << 32 | __funnelshift_r(low, middle, shift);
#else
    return core_read64(from);
#endif
}

TMS_HD static inline int sieve_score(const int8_t *rows, uint64_t query, uint64_t subject, int i)
{
    return rows[RESIDUE_ROW * (query >> 8 * i & (RESIDUE_ROW - 1)) + (subject >> 8 * i & (RESIDUE_ROW - 1))];
}

TMS_HD static inline int sieve_more(int a, int b) { return a > b ? a : b; }

/* The most that an extension gains from a position on (step 1), or before it (step -1). Scores against a gap end it. */
TMS_HD static inline int sieve_gain(const uint8_t *query, const uint8_t *subject, const int8_t *rows, int x_drop, int step)
{
    int run = 0, best = 0, goes_on = 1;

    while (goes_on) {
        const uint64_t a = sieve_residues(step > 0 ? query : query - SIEVE_RESIDUES),
                       b = sieve_residues(step > 0 ? subject : subject - SIEVE_RESIDUES);
        TWO_HIT_UNROLL
        for (int i = 0; i < SIEVE_RESIDUES; i++) {
            run += sieve_score(rows, a, b, step > 0 ? i : SIEVE_RESIDUES - 1 - i);
            best = goes_on ? sieve_more(best, run) : best;
            goes_on = goes_on && best - run < x_drop;
        }
        query += SIEVE_RESIDUES * step;
        subject += SIEVE_RESIDUES * step;
    }
    return best;
}

/*
 * sieve_bound() - upper bound of the score of every extension from a word within n residues, at most 8. Outside these residues, the bound's
 * extension to either side drops no earlier than an extension from within them. Within them, the best stretch is Kadane's.
 */
TMS_HD static inline int sieve_bound(const uint8_t *query, const uint8_t *subject, const int8_t *rows, int x_drop, int n)
{
    const uint64_t a = sieve_residues(query), b = sieve_residues(subject);
    int run = sieve_gain(query, subject, rows, x_drop, -1), best = run;

    TWO_HIT_UNROLL
    for (int i = 0; i < n; i++) {
        run = sieve_more(run + sieve_score(rows, a, b, i), 0);
        best = sieve_more(best, run);
    }
    return sieve_more(best, run + sieve_gain(query + n, subject + n, rows, x_drop, 1));
}

#endif
