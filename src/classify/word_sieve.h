/*
 * word_sieve.h - excludes pieces of sequences that have no w-mer in a filter of layout words.
 *
 * The sieve looks up one s-mer out of every w - s + 1: a w-mer that is in the filter covers one of these samples. scan_hits() looks up
 * all s-mers of a piece only if three samples pass, or one with two neighbours. So a filter unrelated to the read
 * costs one look-up per w - s + 1 w-mers, and the result is the same as if all were looked up.
 *
 * Rejected: filters interleaved by reference, by words or by bits, so that one line answers for several. Then some filter likely lets
 * an s-mer pass by chance, and the s-mer's neighbours are in other rows, whereas with separate filters they are in the line already
 * read; doc/classify.md has the figures.
 */
#ifndef TMS_WORD_SIEVE_H
#define TMS_WORD_SIEVE_H

#include "classify/word_scan.h"

#define SIEVE_PIECES  8
#define SIEVE_SAMPLES (SIEVE_PIECES * SCAN_BASES / 2) /* at most every second s-mer */

struct sieve {
    uint32_t n_pieces;
    struct scan pieces[SIEVE_PIECES]; /* after scan_hashes() */

    /* Private to the sieve: sampled s-mers; those of piece i begin at starts[i]. */
    uint32_t starts[SIEVE_PIECES + 1];
    uint32_t block_hashes[SIEVE_SAMPLES + 16], marks[SIEVE_SAMPLES + 16]; /* padded because vectors read beyond the end */
};

/*
 * sieve_look_up() - finds the filters that each piece may have w-mers in.
 *   may_hit [out] bit r of may_hit[i]: 1 if piece i may have a w-mer in filter r, 0 if it has none. The blocks that scan_hits() will read
 *                 are prefetched
 */
void sieve_look_up(const struct scan_shape *shape, struct sieve *sieve, const tms_filter *const *filters, size_t n_filters,
                   uint64_t may_hit[SIEVE_PIECES]);

#endif
