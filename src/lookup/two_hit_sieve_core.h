/*
 * two_hit_sieve_core.h - the sieves that hits pass before the rule of two_hit_core.h: the first passes on a hit near another one
 * on its diagonal, the second computes an upper bound of the score of extensions that could begin there. For kernels, for the CPU's last
 * sieve (two_hit_sieve.c), and for the tests that show that the sieves miss nothing.
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

/* Eight residues, the first in the lowest byte. */
struct sieve_residues {
    uint32_t low, high;
};

/* Reads eight residues after the other, upwards or downwards. On the GPU it reads aligned words, each once, and four bytes more. */
struct sieve_reader {
    const uint8_t *at;
    uint32_t kept, shift; /* of the GPU: the word that the next residues share with the last ones; bits before the first residue */
};

TMS_HD static inline struct sieve_reader sieve_reader_at(const uint8_t *at)
{
#ifdef __CUDA_ARCH__
    const uint32_t *word = (const uint32_t *)((uintptr_t)at & ~(uintptr_t)3);
    const struct sieve_reader reader = {(const uint8_t *)word, *word, (uint32_t)((uintptr_t)at & 3) * 8};
#else
    const struct sieve_reader reader = {at, 0, 0};
#endif
    return reader;
}

/* The residues from the reader's place on (step 1), or before it (step -1). */
TMS_HD static inline struct sieve_residues sieve_read(struct sieve_reader *reader, int step)
{
    struct sieve_residues residues;
#ifdef __CUDA_ARCH__
    const uint32_t *words = (const uint32_t *)reader->at;
    const uint32_t low = step > 0 ? reader->kept : words[-2], middle = words[step > 0 ? 1 : -1], high = step > 0 ? words[2] : reader->kept;
    residues.low = __funnelshift_r(low, middle, reader->shift);
    residues.high = __funnelshift_r(middle, high, reader->shift);
    reader->kept = step > 0 ? high : low;
#else
    const uint64_t all = core_read64(step > 0 ? reader->at : reader->at - SIEVE_RESIDUES);
    residues.low = (uint32_t)all;
    residues.high = (uint32_t)(all >> 32);
#endif
    reader->at += SIEVE_RESIDUES * step;
    return residues;
}

TMS_HD static inline int sieve_more(int a, int b) { return a > b ? a : b; }

/* Places in the rows of the scores of residues 0 and 2 of four, 16 bits each. */
TMS_HD static inline uint32_t sieve_places(uint32_t query, uint32_t subject)
{
    const uint32_t codes = (RESIDUE_ROW - 1) * 0x10001u;

    return (query & codes) * RESIDUE_ROW | (subject & codes);
}

/* The scores of four residues. */
TMS_HD static inline void sieve_scores(const int8_t *rows, uint32_t query, uint32_t subject, int *scores)
{
    const uint32_t even = sieve_places(query, subject), odd = sieve_places(query >> 8, subject >> 8);

    scores[0] = rows[even & 0xffff];
    scores[1] = rows[odd & 0xffff];
    scores[2] = rows[even >> 16];
    scores[3] = rows[odd >> 16];
}

/* The gain of an extension so far. */
struct sieve_run {
    int run, best, goes_on;
};

/* Extends by four residues. Whether the score has dropped too far is looked at after them: the gain is never less than with a look at each.
 */
TMS_HD static inline void sieve_extend(struct sieve_run *r, const int8_t *rows, uint32_t query, uint32_t subject, int x_drop, int step)
{
    int scores[4], top, run = r->run;

    sieve_scores(rows, query, subject, scores);
    top = run += scores[step > 0 ? 0 : 3];
    TWO_HIT_UNROLL
    for (int i = 1; i < 4; i++) {
        run += scores[step > 0 ? i : 3 - i];
        top = sieve_more(top, run);
    }
    r->run = run;
    r->best = r->goes_on ? sieve_more(r->best, top) : r->best;
    r->goes_on = r->goes_on && r->best - run < x_drop;
}

/*
 * The most that an extension gains from a position on (step 1), or before it (step -1), or a little more. Scores against a gap end it.
 *   enough [in] the extension ends when it has gained this
 */
TMS_HD static inline int sieve_gain(const uint8_t *query, const uint8_t *subject, const int8_t *rows, int x_drop, int step, int enough)
{
    struct sieve_reader of_query = sieve_reader_at(query), of_subject = sieve_reader_at(subject);
    struct sieve_run r = {0, 0, 1};

    while (r.goes_on && r.best < enough) {
        const struct sieve_residues a = sieve_read(&of_query, step), b = sieve_read(&of_subject, step);
        sieve_extend(&r, rows, step > 0 ? a.low : a.high, step > 0 ? b.low : b.high, x_drop, step);
        sieve_extend(&r, rows, step > 0 ? a.high : a.low, step > 0 ? b.high : b.low, x_drop, step);
    }
    return r.best;
}

/*
 * sieve_bound() - upper bound of the score of every extension from a word within n residues, at most 8. Outside these residues, the bound's
 * extension to either side drops no earlier than an extension from within them. Within them, the best stretch is Kadane's.
 */
TMS_HD static inline int sieve_bound(const uint8_t *query, const uint8_t *subject, const int8_t *rows, int x_drop, int n)
{
    struct sieve_reader of_query = sieve_reader_at(query), of_subject = sieve_reader_at(subject);
    const struct sieve_residues a = sieve_read(&of_query, 1), b = sieve_read(&of_subject, 1);
    int run = sieve_gain(query, subject, rows, x_drop, -1, INT32_MAX), best = run, scores[SIEVE_RESIDUES];

    sieve_scores(rows, a.low, b.low, scores);
    sieve_scores(rows, a.high, b.high, scores + 4);
    TWO_HIT_UNROLL
    for (int i = 0; i < SIEVE_RESIDUES; i++) {
        run = i < n ? sieve_more(run + scores[i], 0) : run;
        best = sieve_more(best, run);
    }
    return sieve_more(best, run + sieve_gain(query + n, subject + n, rows, x_drop, 1, INT32_MAX));
}

#endif
