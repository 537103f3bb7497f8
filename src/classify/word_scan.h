/*
 * word_scan.h - which w-mers of a piece of a sequence are in a filter of layout words.
 *
 *     scan_letters(), scan_places()      once for a piece, whatever the number of filters
 *     scan_sampled(), scan_may_hit()     an s-mer out of every w - s + 1: a w-mer that is in the filter covers one of them
 *     scan_hits()                        all w-mers, where one of those was found
 *
 * So a filter that a read has nothing to do with costs one look for w - s + 1 w-mers, and the answer is the same as if all were looked up.
 * The scalar form of each step is the oracle of the others.
 *
 * Rejected: filters with as many blocks interleaved, so that one row has an s-mer's words of all of them. Of 10^6 reads of 100 letters ten
 * filters took as long so as apart (1.24 s, w = 31), five took 0.50 s instead of 0.36 s to look up: that some filter lets an s-mer pass by
 * chance is likely then, and its neighbours are in other rows, where they are in the line that was read already if filters are apart.
 */
#ifndef TMS_WORD_SCAN_H
#define TMS_WORD_SCAN_H

#include "filter/filter_struct.h"
#include "tamis/classify.h"

#define SCAN_BASES        512 /* of a piece, at most; the next piece of the same sequence begins with the last w - 1 */
#define SCAN_MASK         (SCAN_BASES / 64)
#define SCAN_SAMPLED_MASK (SCAN_MASK / 2) /* one s-mer of two, at most */

/* A part of a reference that has w-mers. */
struct scan_stretch {
    uint64_t first, n_bases;  /* of the reference's codes; w or more, all A, C, G, T */
    uint64_t n_pieces_before; /* of all stretches before */
};

/* Sizes and kernels, of a filter or of several that agree in them; their k may differ. */
struct scan_shape {
    uint32_t w, s, m;
    uint32_t n_run; /* w - s + 1 */
    uint64_t seed;
    const struct scan_kernels *kernels;
};

struct scan {
    uint32_t n_bases, n_subwords; /* 0 s-mers: no w-mer either */
    tms_strand strand;            /* BOTH: the lesser of an s-mer and its reverse complement; MINUS: reverse complements */
    bool has_other, has_marks;
    uint64_t codes[SCAN_BASES / 32 + 4]; /* as in tms_dna; where `other` is set they mean nothing */
    uint64_t other[SCAN_MASK + 1];       /* bit i: base i is none of A, C, G, T */
    uint32_t places[SCAN_BASES + 64];    /* of the s-mer at each base; see words_core.h */
    uint32_t marks[SCAN_BASES + 64];     /* has_marks: of each s-mer; before, the sampled ones are in sampled_marks */
    uint32_t sampled_places[SCAN_BASES / 2 + 16], sampled_marks[SCAN_BASES / 2 + 16];
    uint32_t n_sampled;
};

struct scan_kernels {
    /* n letters to codes and others; bits of `other` at n and after are 0 in its words */
    bool (*letters)(const uint8_t *letters, uint32_t n, uint64_t *codes, uint64_t *other);
    void (*places)(const struct scan_shape *shape, struct scan *scan);
    void (*marks)(const struct scan_shape *shape, const struct scan *scan, uint32_t first, uint32_t step, uint32_t n, uint32_t *marks);
    /* bit i of mask: does s-mer i pass? Whole words of mask are written */
    void (*test)(uint32_t k, const uint64_t *blocks, uint64_t n_blocks, const uint32_t *places, const uint32_t *marks, uint32_t n,
                 uint64_t *mask);
};

extern const struct scan_kernels scan_kernels_scalar;
#if TMS_HAVE_X86_SIMD
extern const struct scan_kernels scan_kernels_avx512;
#endif

void scan_shape_init(struct scan_shape *shape, const tms_filter_params *params, tms_simd simd);

/* scan_letters() - begin a piece: n letters, SCAN_BASES at most. */
void scan_letters(const struct scan_shape *shape, const uint8_t *letters, uint32_t n, tms_strand strand, struct scan *scan);

/* scan_codes() - the same with n bases, all A, C, G, T, from base `first` of packed ones. */
void scan_codes(const struct scan_shape *shape, const uint64_t *codes, size_t first, uint32_t n, tms_strand strand, struct scan *scan);

/* scan_places() - places of all s-mers, and of the sampled ones their marks too. */
void scan_places(const struct scan_shape *shape, struct scan *scan);

/* scan_prefetch_hits() - what scan_hits() will read of a filter. */
void scan_prefetch_hits(const struct scan *scan, const tms_filter *f);

/* scan_prefetch() - what scan_sampled() will read of a filter. */
void scan_prefetch(const struct scan *scan, const tms_filter *f);

/*
 * scan_sampled() - looks the sampled s-mers up. Returns whether any passes; then scan_may_hit() with the same mask says whether one of them
 * is in a run that is long enough. What that reads of the filter is prefetched: do something else in between. false: no w-mer of the piece
 * is in the filter.
 */
bool scan_sampled(const struct scan_shape *shape, const struct scan *scan, const tms_filter *f, uint64_t mask[SCAN_SAMPLED_MASK]);
bool scan_may_hit(const struct scan_shape *shape, const struct scan *scan, const tms_filter *f, const uint64_t mask[SCAN_SAMPLED_MASK]);

/*
 * scan_hits() - bit i of mask: base i begins a w-mer that is in the filter.
 *   mask [out] (n_bases + 63) / 64 words
 */
void scan_hits(const struct scan_shape *shape, struct scan *scan, const tms_filter *f, uint64_t mask[SCAN_MASK]);

/* scan_words() - bit i of mask: base i begins a w-mer. Returns how many do. */
uint32_t scan_words(const struct scan_shape *shape, const struct scan *scan, uint64_t mask[SCAN_MASK]);

/* scan_n_words() - how many w-mers the piece has. */
uint32_t scan_n_words(const struct scan_shape *shape, const struct scan *scan);

/* scan_insert() - all w-mers of a piece without other letters. is_shared: other threads insert at the same time. */
void scan_insert(const struct scan_shape *shape, struct scan *scan, tms_filter *f, bool is_shared);

#endif
