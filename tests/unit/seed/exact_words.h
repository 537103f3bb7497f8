/*
 * exact_words.h - the w-mers of sequences as an exact set, and a read's w-mers in the set: an oracle for filters of w-mers, which
 * knows nothing of how they are made. w is 32 at most; both strands are one.
 */
#ifndef TAMIS_TEST_EXACT_WORDS_H
#define TAMIS_TEST_EXACT_WORDS_H

#include "unit/seed/word_samples.h"

typedef struct exact_words {
    uint32_t w;
    uint64_t *slots, mask; /* open addressing: a w-mer + 1, 0: empty */
} exact_words;

/* room for sequences of n_letters bases */
static inline void exact_words_create(exact_words *e, uint32_t w, size_t n_letters)
{
    e->w = w;
    e->mask = 1;
    while (e->mask < 2 * n_letters)
        e->mask *= 2;
    e->slots = calloc(e->mask--, sizeof *e->slots);
    assert_non_null(e->slots);
}

static inline uint64_t *exact_words_slot(const exact_words *e, uint64_t word)
{
    uint64_t i = word * 0x9e3779b97f4a7c15u;
    for (i = (i ^ i >> 31) & e->mask; e->slots[i] && e->slots[i] != word + 1; i = (i + 1) & e->mask) {
    }
    return &e->slots[i];
}

/* is_added: adds the w-mers of n bases to the set; otherwise counts those in the set. Returns their number; *n_words: all w-mers. */
static inline uint64_t exact_words_each(exact_words *e, const uint8_t *letters, size_t n, int is_added, uint64_t *n_words)
{
    const uint64_t all = e->w == 32 ? ~(uint64_t)0 : ((uint64_t)1 << 2 * e->w) - 1;
    uint64_t plus = 0, minus = 0, hits = 0;
    uint32_t run = 0;
    *n_words = 0;
    for (size_t i = 0; i < n; i++) {
        int code = letter_code(letters[i]);
        run = code < 0 ? 0 : run + 1;
        plus = (plus << 2 | (uint64_t)(code & 3)) & all;
        minus = minus >> 2 | (uint64_t)(3 - (code & 3)) << 2 * (e->w - 1);
        if (run < e->w)
            continue;
        uint64_t *slot = exact_words_slot(e, plus < minus ? plus : minus);
        ++*n_words;
        hits += *slot != 0;
        if (is_added)
            *slot = (plus < minus ? plus : minus) + 1;
    }
    return hits;
}

#endif
