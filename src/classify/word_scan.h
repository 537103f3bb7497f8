/*
 * word_scan.h - finds the w-mers of a piece of a sequence that are in a filter of layout words.
 *
 *     scan_bases(), scan_hashes()        once per piece, for all filters
 *     scan_lines(), scan_hits()          all w-mers, for each filter that word_sieve.h does not rule out
 *
 * The scalar form of each step is the oracle for the vector forms.
 */
#ifndef TMS_WORD_SCAN_H
#define TMS_WORD_SCAN_H

#include "filter/filter_struct.h"
#include "tamis/classify.h"

/* The launch shape on a GPU (word_scan_cuda.cu), which the model uses too. */
#define SCAN_GPU_THREADS 256 /* threads per block */
#define SCAN_GPU_BLOCKS  64  /* most blocks per multiprocessor, unless the profile sets another number */

#define SCAN_BASES 512 /* most bases of a piece; the next piece of the sequence repeats the last w - 1 bases */
#define SCAN_MASK  (SCAN_BASES / 64)

#define SCAN_LINES_BEYOND 12

/* A maximal part of a reference that has w-mers. */
struct scan_stretch {
    uint64_t first, n_bases;  /* range in the reference's codes: w or more bases, all A, C, G, T */
    uint64_t n_pieces_before; /* pieces of all earlier stretches */
};

/* Sizes and kernels for one or several filters of the same sizes; k may differ between filters. */
struct scan_shape {
    uint32_t w, s, m;
    uint32_t n_run; /* w - s + 1 */
    uint64_t seed;
    const struct scan_kernels *kernels;
};

struct scan {
    uint32_t n_bases, n_subwords; /* n_subwords: number of s-mers; 0 if there is no w-mer */
    tms_strand strand;            /* BOTH: canonical s-mers; MINUS: reverse complements */
    bool has_other;
    uint64_t codes[SCAN_BASES / 32 + 4];    /* as in tms_dna; undefined where `other` is set */
    uint64_t other[SCAN_MASK + 1];          /* bit i: base i is none of A, C, G, T */
    uint32_t block_hashes[SCAN_BASES + 64]; /* block hash of the s-mer at each base; see words_core.h */
    uint32_t marks[SCAN_BASES + 64];        /* mark of the s-mer at each base */
    /* Neighbouring s-mers mostly share a block: scan_hits() copies each block once, as a line, and looks its s-mers up in the copy. */
    uint32_t n_lines;
    uint32_t lines[SCAN_BASES + 16]; /* block hashes, each different from its predecessor */
    uint32_t words[SCAN_BASES + 64]; /* for each s-mer: WORDS_BLOCK_WORDS times its line, plus its first word in the block */
    uint64_t bits[SCAN_BASES + 64];  /* for each s-mer: its bits in that word */
};

struct scan_kernels {
    /* encode n bases to codes and `other`; the bits of `other` after the last base are 0 */
    bool (*encode)(const uint8_t *bases, uint32_t n, uint64_t *codes, uint64_t *other);
    void (*block_hashes)(const struct scan_shape *shape, struct scan *scan);
    void (*marks)(const struct scan_shape *shape, struct scan *scan);
    void (*lines)(struct scan *scan);
    /* set bit i of mask if s-mer i passes; writes whole words of mask */
    void (*test)(uint32_t k, const uint64_t *blocks, uint64_t n_blocks, const uint32_t *block_hashes, const uint32_t *marks, uint32_t n,
                 uint64_t *mask);
    /* test the s-mers for k = 2 against the copied blocks of all lines; may read SCAN_LINES_BEYOND words after them */
    void (*test_lines)(const struct scan *scan, const uint64_t *blocks, uint64_t *mask);
};

static inline const uint64_t *scan_blocks(const tms_filter *f) { return (const uint64_t *)(const void *)filter_bits(f); }
static inline uint64_t scan_n_blocks(const tms_filter *f) { return f->params.m_bits / TMS_BLOCK_BITS; }

extern const struct scan_kernels scan_kernels_scalar;
#if TMS_HAVE_X86_SIMD
extern const struct scan_kernels scan_kernels_avx2, scan_kernels_avx512;
#endif

void scan_shape_init(struct scan_shape *shape, const tms_filter_params *params, tms_simd simd);

/* scan_bases() - begins a piece of n bases, at most SCAN_BASES. */
void scan_bases(const struct scan_shape *shape, const uint8_t *bases, uint32_t n, tms_strand strand, struct scan *scan);

/* scan_codes() - begins a piece of n packed bases, all A, C, G, T, from base `first` on. */
void scan_codes(const struct scan_shape *shape, const uint64_t *codes, size_t first, uint32_t n, tms_strand strand, struct scan *scan);

/* scan_hashes() - computes the block hashes and marks of all s-mers. */
void scan_hashes(const struct scan_shape *shape, struct scan *scan);

/* scan_lines() - finds the lines of a piece; call once per piece, before scan_hits(). */
void scan_lines(const struct scan_shape *shape, struct scan *scan);

/*
 * scan_hits() - sets bit i of mask if a w-mer that is in the filter begins at base i.
 *   mask [out] (n_bases + 63) / 64 words
 */
void scan_hits(const struct scan_shape *shape, const struct scan *scan, const tms_filter *f, uint64_t mask[SCAN_MASK]);

/* scan_words() - sets bit i of mask if a w-mer begins at base i. Returns the number of w-mers. */
uint32_t scan_words(const struct scan_shape *shape, const struct scan *scan, uint64_t mask[SCAN_MASK]);

/* scan_n_words() - number of w-mers of the piece. */
uint32_t scan_n_words(const struct scan_shape *shape, const struct scan *scan);

/* scan_insert() - inserts all w-mers of a piece whose bases are all A, C, G, T, after scan_hashes(). is_shared: other threads insert at the
 * same time. */
void scan_insert(const struct scan *scan, tms_filter *f, bool is_shared);

#endif
