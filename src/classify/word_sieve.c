/*
 * word_sieve.c - see word_sieve.h. The filters alternate, so that the blocks that a step reads were prefetched during another filter's
 * look-up.
 */
#include "classify/word_sieve.h"

#include <string.h>

#include "filter/words_core.h"

#define PIECE_MASK (SCAN_BASES / 2 / 64)
#define ENOUGH     3 /* passing samples that make a piece a candidate; one sample in twenty passes by chance */

/* The samples of each piece that pass. */
struct passing {
    uint64_t masks[SIEVE_PIECES][PIECE_MASK];
    uint32_t n_some; /* pieces with a passing sample */
    uint8_t some[SIEVE_PIECES];
};

static void sample(const struct scan_shape *shape, struct sieve *s)
{
    uint32_t n = 0, step = shape->n_run;
    for (uint32_t p = 0; p < s->n_pieces; p++) {
        const struct scan *piece = &s->pieces[p];
        s->starts[p] = n;
        for (uint32_t base = step - 1; base < piece->n_subwords; base += step, n++) {
            s->block_hashes[n] = piece->block_hashes[base];
            s->marks[n] = piece->marks[base];
        }
    }
    s->starts[s->n_pieces] = n;
}

static inline const uint64_t *block_at(const uint64_t *blocks, uint64_t n_blocks, uint32_t hash)
{
    return blocks + WORDS_BLOCK_WORDS * words_block(hash, n_blocks);
}

static void prefetch(const uint32_t *hashes, uint32_t n, const tms_filter *f)
{
    const uint64_t *blocks = scan_blocks(f), n_blocks = scan_n_blocks(f);
    for (uint32_t i = 0; i < n; i++)
        __builtin_prefetch(block_at(blocks, n_blocks, hashes[i]));
}

static inline uint32_t n_masks(const struct sieve *s, uint32_t p) { return (s->starts[p + 1] - s->starts[p] + 63) / 64; }

/* Tests the samples in a filter and meanwhile prefetches blocks of the next filter (NULL: none), some for each piece. */
static void look_up_sampled(const struct scan_shape *shape, const struct sieve *s, const tms_filter *f, const tms_filter *next,
                            struct passing *out)
{
    const uint64_t *blocks = scan_blocks(f), n_blocks = scan_n_blocks(f);
    out->n_some = 0;
    for (uint32_t p = 0; p < s->n_pieces; p++) {
        uint32_t from = s->starts[p];
        uint64_t any = 0;
        if (next)
            prefetch(s->block_hashes + from, s->starts[p + 1] - from, next);
        shape->kernels->test(f->params.k, blocks, n_blocks, s->block_hashes + from, s->marks + from, s->starts[p + 1] - from,
                             out->masks[p]);
        for (uint32_t i = 0; i < n_masks(s, p); i++)
            any |= out->masks[p][i];
        out->some[out->n_some] = (uint8_t)p;
        out->n_some += any != 0;
    }
    for (uint32_t i = 0; i < out->n_some; i++) { /* prefetch the neighbours of the first passing sample */
        const uint32_t p = out->some[i];
        const uint64_t *mask = out->masks[p];
        uint32_t word = 0;
        while (!mask[word])
            word++;
        uint32_t base = (64 * word + (uint32_t)__builtin_ctzll(mask[word])) * shape->n_run + shape->n_run - 1;
        for (uint32_t j = base - 2; j != base + 3; j++)
            __builtin_prefetch(block_at(blocks, n_blocks, s->pieces[p].block_hashes[j < s->pieces[p].n_subwords ? j : base]));
    }
}

/* Returns 1 if s-mer `base` exists and passes. */
static inline uint32_t passes(const struct scan *piece, const uint64_t *blocks, uint64_t n_blocks, uint32_t base, uint32_t k)
{
    uint32_t at = base < piece->n_subwords ? base : 0;
    return (uint32_t)words_test(block_at(blocks, n_blocks, piece->block_hashes[at]), piece->marks[at], k) & (base < piece->n_subwords);
}

/* Tests whether a passing s-mer is one of three in a row, or of two if runs have two. Branchless, because branches would mispredict. */
static bool is_in_run(const struct scan_shape *shape, const struct scan *piece, const tms_filter *f, uint32_t base)
{
    const uint64_t *blocks = scan_blocks(f), n_blocks = scan_n_blocks(f);
    uint32_t k = f->params.k, before = passes(piece, blocks, n_blocks, base - 1, k), after = passes(piece, blocks, n_blocks, base + 1, k);
    if (shape->n_run == 2)
        return before | after;
    return (before & passes(piece, blocks, n_blocks, base - 2, k)) | (before & after) |
           (after & passes(piece, blocks, n_blocks, base + 2, k));
}

static bool may_hit_piece(const struct scan_shape *shape, const struct scan *piece, const tms_filter *f, const uint64_t *mask,
                          uint32_t n_words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_words; i++)
        for (uint64_t bits = mask[i]; bits; bits &= bits - 1)
            if (++n == ENOUGH)
                return true;
    for (uint32_t i = 0; i < n_words; i++)
        for (uint64_t bits = mask[i]; bits; bits &= bits - 1)
            if (is_in_run(shape, piece, f, (64 * i + (uint32_t)__builtin_ctzll(bits)) * shape->n_run + shape->n_run - 1))
                return true;
    return false;
}

void sieve_look_up(const struct scan_shape *shape, struct sieve *s, const tms_filter *const *filters, size_t n_filters,
                   uint64_t may_hit[SIEVE_PIECES])
{
    struct passing passing[2];
    if (shape->n_run == 1) { /* no s-mer can be skipped */
        for (uint32_t p = 0; p < s->n_pieces; p++)
            may_hit[p] = s->pieces[p].n_subwords ? ~(uint64_t)0 >> (64 - n_filters) : 0;
    } else {
        memset(may_hit, 0, s->n_pieces * sizeof *may_hit);
        sample(shape, s);
        prefetch(s->block_hashes, s->starts[s->n_pieces], filters[0]);
        for (size_t r = 0; r <= n_filters; r++) {
            const struct passing *before = &passing[(r + 1) & 1];
            if (r < n_filters)
                look_up_sampled(shape, s, filters[r], r + 1 < n_filters ? filters[r + 1] : NULL, &passing[r & 1]);
            for (uint32_t i = 0; r > 0 && i < before->n_some; i++) {
                uint32_t p = before->some[i];
                may_hit[p] |= (uint64_t)may_hit_piece(shape, &s->pieces[p], filters[r - 1], before->masks[p], n_masks(s, p)) << (r - 1);
            }
        }
    }
    for (uint32_t p = 0; p < s->n_pieces; p++) {
        if (!may_hit[p])
            continue;
        scan_lines(shape, &s->pieces[p]);
        for (uint64_t left = may_hit[p]; left; left &= left - 1)
            prefetch(s->pieces[p].lines, s->pieces[p].n_lines, filters[__builtin_ctzll(left)]);
    }
}
