/*
 * word_sieve.h - which pieces of sequences have nothing to do with a filter of layout words.
 *
 * Of a group of pieces an s-mer out of every w - s + 1 is looked up: a w-mer that is in the filter covers one of them. All s-mers of a
 * piece are looked up (scan_hits()) only where three of these pass, or one with two neighbours. So a filter that a read has nothing to do
 * with costs one look for w - s + 1 w-mers, and the answer is the same as if all were looked up.
 *
 * Rejected: filters interleaved by reference, by words or by bits, so that one line answers for several. That some filter lets an s-mer
 * pass by chance is likely then, and its neighbours are in other rows, where they are in the line that was read already if filters are
 * apart; doc/classify.md has the figures.
 */
#ifndef TMS_WORD_SIEVE_H
#define TMS_WORD_SIEVE_H

#include "classify/word_scan.h"

#define SIEVE_PIECES  8
#define SIEVE_SAMPLES (SIEVE_PIECES * SCAN_BASES / 2) /* one s-mer of two, at most */

struct sieve {
    uint32_t n_pieces;
    struct scan pieces[SIEVE_PIECES]; /* after scan_places() */

    /* The sieve's own: sampled s-mers, those of piece i from starts[i] on. */
    uint32_t starts[SIEVE_PIECES + 1];
    uint32_t positions[SIEVE_SAMPLES + 16], marks[SIEVE_SAMPLES + 16]; /* vectors read beyond the end */
};

/*
 * sieve_look_up() - what may be where.
 *   may_hit [out] bit r of may_hit[i]: piece i may have a w-mer that is in filter r; 0: it has none. What scan_hits() will read of a filter
 *                 is on its way from memory
 */
void sieve_look_up(const struct scan_shape *shape, struct sieve *sieve, const tms_filter *const *filters, size_t n_filters,
                   uint64_t may_hit[SIEVE_PIECES]);

#endif
