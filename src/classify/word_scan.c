/* word_scan.c - see word_scan.h: the scalar kernels, and operations on masks. */
#include "classify/word_scan.h"

#include <string.h>

#include "filter/words_core.h"
#include "seq/dna_core.h"

_Static_assert(SCAN_BASES >= 2 * TMS_WORDS_MAX_SIZE, "a piece has more new bases than repeated ones");

enum { OTHER = 4 };

/* --- scalar kernels --- */

static uint32_t code_of(uint8_t base)
{
    switch (base | 0x20) {
    case 'a':
        return 0;
    case 'c':
        return 1;
    case 'g':
        return 2;
    case 't':
        return 3;
    }
    return OTHER;
}

static bool encode_scalar(const uint8_t *bases, uint32_t n, uint64_t *codes, uint64_t *other)
{
    bool any = false;
    for (uint32_t i = 0; i <= n / 32; i++)
        codes[i] = 0;
    for (uint32_t i = 0; i <= n / 64; i++)
        other[i] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t code = code_of(bases[i]);
        codes[i / 32] |= (uint64_t)(code & 3) << 2 * (i % 32);
        other[i / 64] |= (uint64_t)(code == OTHER) << i % 64;
        any |= code == OTHER;
    }
    return any;
}

/* A word that slides along a piece base by base: the forward word and its reverse complement. */
struct sliding {
    uint64_t plus, minus, mask;
    uint32_t end, size; /* end: the next base to add */
};

static inline void slide(struct sliding *s, const struct scan *scan)
{
    uint64_t base = scan->codes[s->end / 32] >> 2 * (s->end % 32) & 3;
    s->plus = s->plus >> 2 | base << 2 * (s->size - 1);
    s->minus = (s->minus << 2 | (3 - base)) & s->mask;
    s->end++;
}

/* Starts one base before the first complete word. */
static inline struct sliding sliding_start(const struct scan *scan, uint32_t size)
{
    struct sliding s = {0, 0, dna_word_mask(size), 0, size};
    while (s.end < size - 1)
        slide(&s, scan);
    return s;
}

static inline uint64_t of_strand(const struct sliding *s, tms_strand strand)
{
    if (strand == TMS_STRAND_PLUS)
        return s->plus;
    return strand == TMS_STRAND_MINUS || s->minus < s->plus ? s->minus : s->plus;
}

static void block_hashes_scalar(const struct scan_shape *shape, struct scan *scan)
{
    uint32_t n_windows = shape->s - shape->m + 1, *hashes = scan->block_hashes;
    struct sliding m_mer = sliding_start(scan, shape->m);
    for (uint32_t i = 0; i < scan->n_subwords + n_windows - 1; i++) {
        slide(&m_mer, scan);
        hashes[i] = words_rank((uint32_t)of_strand(&m_mer, scan->strand), shape->seed);
    }
    for (uint32_t i = 0; i < scan->n_subwords; i++) {
        uint32_t rank = hashes[i];
        for (uint32_t j = 1; j < n_windows; j++)
            rank = hashes[i + j] < rank ? hashes[i + j] : rank;
        hashes[i] = words_block_hash(rank);
    }
}

static void marks_scalar(const struct scan_shape *shape, struct scan *scan)
{
    struct sliding s_mer = sliding_start(scan, shape->s);
    for (uint32_t i = 0; i < scan->n_subwords; i++) {
        slide(&s_mer, scan);
        scan->marks[i] = words_mark(of_strand(&s_mer, scan->strand), shape->seed);
    }
}

static void test_scalar(uint32_t k, const uint64_t *blocks, uint64_t n_blocks, const uint32_t *hashes, const uint32_t *marks, uint32_t n,
                        uint64_t *mask)
{
    for (uint32_t i = 0; i < (n + 63) / 64; i++)
        mask[i] = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *block = blocks + WORDS_BLOCK_WORDS * words_block(hashes[i], n_blocks);
        mask[i / 64] |= (uint64_t)words_test(block, marks[i], k) << i % 64;
    }
}

static void lines_scalar(struct scan *scan)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < scan->n_subwords; i++) {
        uint64_t spread = words_spread(scan->marks[i]);
        n += i == 0 || scan->block_hashes[i] != scan->block_hashes[i - 1];
        scan->lines[n - 1] = scan->block_hashes[i];
        scan->words[i] = WORDS_BLOCK_WORDS * (n - 1) + words_first(spread);
        scan->bits[i] = words_bits(spread, 0, 2);
    }
    scan->n_lines = n;
}

static void test_lines_scalar(const struct scan *scan, const uint64_t *blocks, uint64_t *mask)
{
    for (uint32_t i = 0; i < (scan->n_subwords + 63) / 64; i++)
        mask[i] = 0;
    for (uint32_t i = 0; i < scan->n_subwords; i++)
        mask[i / 64] |= (uint64_t) !(scan->bits[i] & ~blocks[scan->words[i]]) << i % 64;
}

const struct scan_kernels scan_kernels_scalar = {encode_scalar, block_hashes_scalar, marks_scalar,
                                                 lines_scalar,  test_scalar,         test_lines_scalar};

/* --- masks of up to SCAN_MASK words --- */

/* 64 bits of a mask, from bit 64 i + by on; bits beyond the last word are 0. by: 1 .. 255 */
static inline uint64_t bits_from(const uint64_t *mask, uint32_t n_words, uint32_t i, uint32_t by)
{
    uint32_t at = i + by / 64, bits = by % 64;
    uint64_t low = at < n_words ? mask[at] : 0, high = at + 1 < n_words ? mask[at + 1] : 0;
    return bits ? low >> bits | high << (64 - bits) : low;
}

static void and_shifted(uint64_t *mask, uint32_t n_words, uint32_t by)
{
    for (uint32_t i = 0; i < n_words; i++)
        mask[i] &= bits_from(mask, n_words, i, by);
}

static void or_shifted(uint64_t *mask, uint32_t n_words, uint32_t by)
{
    for (uint32_t i = 0; i < n_words; i++)
        mask[i] |= bits_from(mask, n_words, i, by);
}

/* Bit i of the result: bits i .. i + n - 1 are all set (or any is set). n: 1 .. 255 */
static void all_of(uint64_t *mask, uint32_t n_words, uint32_t n)
{
    uint32_t done = 1;
    for (; 2 * done <= n; done *= 2)
        and_shifted(mask, n_words, done);
    if (n > done)
        and_shifted(mask, n_words, n - done);
}

static void any_of(uint64_t *mask, uint32_t n_words, uint32_t n)
{
    uint32_t done = 1;
    for (; 2 * done <= n; done *= 2)
        or_shifted(mask, n_words, done);
    if (n > done)
        or_shifted(mask, n_words, n - done);
}

/* --- a piece --- */

void scan_shape_init(struct scan_shape *shape, const tms_filter_params *p, tms_simd simd)
{
    *shape = (struct scan_shape){p->word_size, p->subword_size,     p->minimizer_size, p->word_size - p->subword_size + 1,
                                 p->seed,      &scan_kernels_scalar};
#if TMS_HAVE_X86_SIMD
    if (simd == TMS_SIMD_AVX512)
        shape->kernels = &scan_kernels_avx512;
    else if (simd == TMS_SIMD_AVX2)
        shape->kernels = &scan_kernels_avx2;
#else
    (void)simd;
#endif
}

static void begin(const struct scan_shape *shape, uint32_t n, tms_strand strand, struct scan *scan)
{
    scan->n_bases = n;
    scan->n_subwords = n >= shape->w ? n - shape->s + 1 : 0;
    scan->strand = strand;
    scan->has_other = false;
}

void scan_codes(const struct scan_shape *shape, const uint64_t *codes, size_t first, uint32_t n, tms_strand strand, struct scan *scan)
{
    begin(shape, n, strand, scan);
    for (uint32_t i = 0; i <= n / 32; i++)
        scan->codes[i] = dna_word(codes, first + 32 * i, 32);
}

void scan_bases(const struct scan_shape *shape, const uint8_t *bases, uint32_t n, tms_strand strand, struct scan *scan)
{
    begin(shape, n, strand, scan);
    scan->has_other = scan->n_subwords && shape->kernels->encode(bases, n, scan->codes, scan->other);
}

void scan_hashes(const struct scan_shape *shape, struct scan *scan)
{
    if (!scan->n_subwords)
        return;
    shape->kernels->block_hashes(shape, scan);
    shape->kernels->marks(shape, scan);
}

void scan_lines(const struct scan_shape *shape, struct scan *scan)
{
    scan->n_lines = 0;
    if (scan->n_subwords)
        shape->kernels->lines(scan);
}

static void test_lines(const struct scan_shape *shape, const struct scan *scan, const tms_filter *f, uint64_t *mask)
{
    uint64_t blocks[WORDS_BLOCK_WORDS * SCAN_BASES + SCAN_LINES_BEYOND], n_blocks = scan_n_blocks(f);
    uint32_t n = WORDS_BLOCK_WORDS * scan->n_lines;
    for (uint32_t i = 0; i < scan->n_lines; i++)
        memcpy(blocks + WORDS_BLOCK_WORDS * i, scan_blocks(f) + WORDS_BLOCK_WORDS * words_block(scan->lines[i], n_blocks),
               WORDS_BLOCK_WORDS * sizeof *blocks);
    memset(blocks + n, 0, SCAN_LINES_BEYOND * sizeof *blocks);
    shape->kernels->test_lines(scan, blocks, mask);
}

uint32_t scan_words(const struct scan_shape *shape, const struct scan *scan, uint64_t mask[SCAN_MASK])
{
    uint32_t n_words = (scan->n_bases + 63) / 64, n = 0, n_starts = scan->n_bases >= shape->w ? scan->n_bases - shape->w + 1 : 0;
    for (uint32_t i = 0; i < n_words; i++)
        mask[i] = n_starts && scan->has_other ? scan->other[i] : 0;
    if (n_starts && scan->has_other)
        any_of(mask, n_words, shape->w);
    for (uint32_t i = 0; i < n_words; i++) {
        uint64_t beyond = 64 * (i + 1) <= n_starts ? 0 : 64 * i >= n_starts ? ~(uint64_t)0 : ~(uint64_t)0 << n_starts % 64;
        mask[i] = ~(mask[i] | beyond);
        n += (uint32_t)__builtin_popcountll(mask[i]);
    }
    return n;
}

uint32_t scan_n_words(const struct scan_shape *shape, const struct scan *scan)
{
    uint64_t mask[SCAN_MASK];
    if (scan->has_other)
        return scan_words(shape, scan, mask);
    return scan->n_bases >= shape->w ? scan->n_bases - shape->w + 1 : 0;
}

void scan_hits(const struct scan_shape *shape, const struct scan *scan, const tms_filter *f, uint64_t mask[SCAN_MASK])
{
    uint32_t n_words = (scan->n_bases + 63) / 64;
    uint64_t words[SCAN_MASK];
    for (uint32_t i = 0; i < n_words; i++)
        mask[i] = 0;
    if (!scan->n_subwords)
        return;
    if (f->params.k == 2)
        test_lines(shape, scan, f, mask);
    else
        shape->kernels->test(f->params.k, scan_blocks(f), scan_n_blocks(f), scan->block_hashes, scan->marks, scan->n_subwords, mask);
    all_of(mask, n_words, shape->n_run);
    if (scan->has_other) {
        scan_words(shape, scan, words);
        for (uint32_t i = 0; i < n_words; i++)
            mask[i] &= words[i];
    }
}

void scan_insert(const struct scan *scan, tms_filter *f, bool is_shared)
{
    uint64_t *blocks = (uint64_t *)(void *)filter_bits_mutable(f), n_blocks = scan_n_blocks(f);
    for (uint32_t i = 0; i < scan->n_subwords; i++)
        __builtin_prefetch(blocks + WORDS_BLOCK_WORDS * words_block(scan->block_hashes[i], n_blocks), 1);
    for (uint32_t i = 0; i < scan->n_subwords; i++) {
        uint64_t *block = blocks + WORDS_BLOCK_WORDS * words_block(scan->block_hashes[i], n_blocks), spread = words_spread(scan->marks[i]);
        for (uint32_t j = 0; 2 * j < f->params.k; j++) {
            uint64_t *word = block + (words_first(spread) + j) % WORDS_BLOCK_WORDS, bits = words_bits(spread, j, f->params.k);
            if (!is_shared)
                *word |= bits;
            else if (bits & ~__atomic_load_n(word, __ATOMIC_RELAXED))
                __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
        }
    }
}
