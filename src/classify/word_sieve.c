/*
 * word_sieve.c - see word_sieve.h. Filters take turns, so that what a step reads of a filter was asked for while another was looked up.
 */
#include "classify/word_sieve.h"

#include <string.h>

#include "filter/words_core.h"

#define SIEVE_MASK (SIEVE_SAMPLES / 64)

static void sample(const struct scan_shape *shape, struct sieve *s)
{
    uint32_t n = 0, step = shape->n_run;
    for (uint32_t p = 0; p < s->n_pieces; p++) {
        const struct scan *piece = &s->pieces[p];
        for (uint32_t base = step - 1; base < piece->n_subwords; base += step, n++) {
            s->places[n] = piece->places[base];
            s->marks[n] = piece->marks[base];
            s->bases[n] = (uint16_t)base;
            s->piece_of[n] = (uint8_t)p;
        }
        s->ends[p] = n;
    }
    s->n_sampled = n;
}

static inline const uint64_t *block_at(const uint64_t *blocks, uint64_t n_blocks, uint32_t place)
{
    return blocks + WORDS_BLOCK_WORDS * words_block(place, n_blocks);
}

static void prefetch_sampled(const struct sieve *s, const tms_filter *f)
{
    const uint64_t *blocks = scan_blocks(f), n_blocks = scan_n_blocks(f);
    for (uint32_t i = 0; i < s->n_sampled; i++)
        __builtin_prefetch(block_at(blocks, n_blocks, s->places[i]));
}

/* Those that pass; their neighbours are prefetched. */
static void look_up_sampled(const struct scan_shape *shape, const struct sieve *s, const tms_filter *f, uint64_t mask[SIEVE_MASK])
{
    const uint64_t *blocks = scan_blocks(f), n_blocks = scan_n_blocks(f);
    shape->kernels->test(f->params.k, blocks, n_blocks, s->places, s->marks, s->n_sampled, mask);
    for (uint32_t i = 0; i < (s->n_sampled + 63) / 64; i++)
        for (uint64_t bits = mask[i]; bits; bits &= bits - 1) {
            uint32_t at = 64 * i + (uint32_t)__builtin_ctzll(bits);
            const uint32_t *places = s->pieces[s->piece_of[at]].places + s->bases[at];
            __builtin_prefetch(block_at(blocks, n_blocks, places[-1]));
            __builtin_prefetch(block_at(blocks, n_blocks, places[1]));
        }
}

/* Is an s-mer that passes one of three in a row, or of two if no more are asked for? One in twenty passes by chance. */
static bool is_in_run(const struct scan_shape *shape, const struct scan *piece, const tms_filter *f, uint32_t base)
{
    const uint64_t *blocks = scan_blocks(f), n_blocks = scan_n_blocks(f);
    uint32_t n = piece->n_subwords, k = f->params.k, passes[5];
    uint32_t reach = shape->n_run > 2 ? 2 : 1;
    for (uint32_t i = 2 - reach; i <= 2 + reach; i++) {
        uint32_t at = base + i - 2 < n ? base + i - 2 : base;
        passes[i] = (uint32_t)words_test(block_at(blocks, n_blocks, piece->places[at]), piece->marks[at], k) & (base + i - 2 < n);
    }
    if (reach == 1)
        return passes[1] | passes[3];
    return (passes[1] & (passes[0] | passes[3])) | (passes[3] & passes[4]);
}

static void look_closer(const struct scan_shape *shape, const struct sieve *s, const tms_filter *f, size_t r, const uint64_t mask[SIEVE_MASK],
                        uint64_t may_hit[SIEVE_PIECES])
{
    uint32_t from = 0; /* the rest of a piece that is kept need not be looked at */
    for (uint32_t i = 0; i < (s->n_sampled + 63) / 64; i++)
        for (uint64_t bits = mask[i]; bits; bits &= bits - 1) {
            uint32_t at = 64 * i + (uint32_t)__builtin_ctzll(bits), p = s->piece_of[at];
            if (at < from || !is_in_run(shape, &s->pieces[p], f, s->bases[at]))
                continue;
            may_hit[p] |= (uint64_t)1 << r;
            from = s->ends[p];
        }
}

/* Blocks of all s-mers; neighbours mostly share theirs. */
static void prefetch_hits(const struct scan *piece, const tms_filter *const *filters, uint64_t may_hit)
{
    uint32_t places[SCAN_BASES + 1], n = 0;
    for (uint32_t i = 0; i < piece->n_subwords; i++) {
        places[n] = piece->places[i];
        n += i + 1 == piece->n_subwords || piece->places[i] != piece->places[i + 1];
    }
    for (; may_hit; may_hit &= may_hit - 1) {
        const tms_filter *f = filters[__builtin_ctzll(may_hit)];
        const uint64_t *blocks = scan_blocks(f), n_blocks = scan_n_blocks(f);
        for (uint32_t i = 0; i < n; i++)
            __builtin_prefetch(block_at(blocks, n_blocks, places[i]));
    }
}

void sieve_look_up(const struct scan_shape *shape, struct sieve *s, const tms_filter *const *filters, size_t n_filters,
                   uint64_t may_hit[SIEVE_PIECES])
{
    uint64_t masks[2][SIEVE_MASK];
    if (shape->n_run == 1) { /* nothing can be left out */
        for (uint32_t p = 0; p < s->n_pieces; p++)
            may_hit[p] = s->pieces[p].n_subwords ? ~(uint64_t)0 >> (64 - n_filters) : 0;
    } else {
        memset(may_hit, 0, s->n_pieces * sizeof *may_hit);
        sample(shape, s);
        prefetch_sampled(s, filters[0]);
        for (size_t r = 0; r <= n_filters; r++) {
            if (r + 1 < n_filters)
                prefetch_sampled(s, filters[r + 1]);
            if (r < n_filters)
                look_up_sampled(shape, s, filters[r], masks[r & 1]);
            if (r > 0)
                look_closer(shape, s, filters[r - 1], r - 1, masks[(r - 1) & 1], may_hit);
        }
    }
    for (uint32_t p = 0; p < s->n_pieces; p++)
        if (may_hit[p])
            prefetch_hits(&s->pieces[p], filters, may_hit[p]);
}
