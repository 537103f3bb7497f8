/*
 * word_scan.h - which w-mers of a piece of a sequence are in a filter of layout words.
 *
 *     scan_letters(), scan_places()      once for a piece, whatever the number of filters
 *     scan_lines(), scan_hits()          all w-mers, for each filter that word_sieve.h does not rule out
 *
 * The scalar form of each step is the oracle of the others.
 */
#ifndef TMS_WORD_SCAN_H
#define TMS_WORD_SCAN_H

#include "filter/filter_struct.h"
#include "tamis/classify.h"

/* The launch on a GPU (word_scan_cuda.cu), which the model knows too. */
#define SCAN_GPU_THREADS 256 /* of a block */
#define SCAN_GPU_BLOCKS  64  /* a multiprocessor at most, unless the model says otherwise */

#define SCAN_BASES 512 /* of a piece, at most; the next piece of the same sequence begins with the last w - 1 */
#define SCAN_MASK  (SCAN_BASES / 64)

#define SCAN_LINES_BEYOND 12

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
    bool has_other;
    uint64_t codes[SCAN_BASES / 32 + 4]; /* as in tms_dna; where `other` is set they mean nothing */
    uint64_t other[SCAN_MASK + 1];       /* bit i: base i is none of A, C, G, T */
    uint32_t positions[SCAN_BASES + 64]; /* of the s-mer at each base; see words_core.h */
    uint32_t marks[SCAN_BASES + 64];     /* of the same s-mers */
    /* Neighbours mostly have one place: each is read once, and their s-mers are looked up in what was read. */
    uint32_t n_lines;
    uint32_t lines[SCAN_BASES + 16]; /* positions, each different from the one before */
    uint32_t words[SCAN_BASES + 64]; /* of each s-mer: WORDS_BLOCK_WORDS times its line, and its first word in there */
    uint64_t bits[SCAN_BASES + 64];  /* of each s-mer, in that word */
};

struct scan_kernels {
    /* n letters to codes and others; bits of `other` at n and after are 0 in its words */
    bool (*letters)(const uint8_t *letters, uint32_t n, uint64_t *codes, uint64_t *other);
    void (*positions)(const struct scan_shape *shape, struct scan *scan);
    void (*marks)(const struct scan_shape *shape, struct scan *scan);
    void (*lines)(struct scan *scan);
    /* bit i of mask: does s-mer i pass? Whole words of mask are written */
    void (*test)(uint32_t k, const uint64_t *blocks, uint64_t n_blocks, const uint32_t *positions, const uint32_t *marks, uint32_t n,
                 uint64_t *mask);
    /* the same for k = 2 with the blocks of all lines; SCAN_LINES_BEYOND words after them are read, too */
    void (*test_lines)(const struct scan *scan, const uint64_t *blocks, uint64_t *mask);
};

static inline const uint64_t *scan_blocks(const tms_filter *f) { return (const uint64_t *)(const void *)filter_bits(f); }
static inline uint64_t scan_n_blocks(const tms_filter *f) { return f->params.m_bits / TMS_BLOCK_BITS; }

extern const struct scan_kernels scan_kernels_scalar;
#if TMS_HAVE_X86_SIMD
extern const struct scan_kernels scan_kernels_avx2, scan_kernels_avx512;
#endif

void scan_shape_init(struct scan_shape *shape, const tms_filter_params *params, tms_simd simd);

/* scan_letters() - begin a piece: n letters, SCAN_BASES at most. */
void scan_letters(const struct scan_shape *shape, const uint8_t *letters, uint32_t n, tms_strand strand, struct scan *scan);

/* scan_codes() - the same with n bases, all A, C, G, T, from base `first` of packed ones. */
void scan_codes(const struct scan_shape *shape, const uint64_t *codes, size_t first, uint32_t n, tms_strand strand, struct scan *scan);

/* scan_places() - positions and marks of all s-mers. */
void scan_places(const struct scan_shape *shape, struct scan *scan);

/* scan_lines() - once for a piece, before scan_hits(). */
void scan_lines(const struct scan_shape *shape, struct scan *scan);

/*
 * scan_hits() - bit i of mask: base i begins a w-mer that is in the filter.
 *   mask [out] (n_bases + 63) / 64 words
 */
void scan_hits(const struct scan_shape *shape, const struct scan *scan, const tms_filter *f, uint64_t mask[SCAN_MASK]);

/* scan_words() - bit i of mask: base i begins a w-mer. Returns how many do. */
uint32_t scan_words(const struct scan_shape *shape, const struct scan *scan, uint64_t mask[SCAN_MASK]);

/* scan_n_words() - how many w-mers the piece has. */
uint32_t scan_n_words(const struct scan_shape *shape, const struct scan *scan);

/* scan_insert() - all w-mers of a piece without other letters, after scan_places(). is_shared: other threads insert at the same time. */
void scan_insert(const struct scan *scan, tms_filter *f, bool is_shared);

#endif
