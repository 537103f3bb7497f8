/* word_samples.h - for the tests of w-mers of records: random records, and w-mers base by base. */
#ifndef TAMIS_TEST_WORD_SAMPLES_H
#define TAMIS_TEST_WORD_SAMPLES_H

#include "seq/seq_batch.h"
#include "tamis/classify.h"
#include "unit/context_fixture.h"

enum { N_WAYS = 2 * (TMS_SIMD_AVX512 + 1) }; /* one thread and three, with each instruction set */

/* Returns -1 for a byte that is no base. A switch, because sanitizers intercept strchr() and this is the most frequent call. */
static inline int letter_code(uint8_t letter)
{
    switch (letter) {
    case 'A':
    case 'a':
        return 0;
    case 'C':
    case 'c':
        return 1;
    case 'G':
    case 'g':
        return 2;
    case 'T':
    case 't':
        return 3;
    default:
        return -1;
    }
}

/* n bases from a source, with one in `change` replaced (0: none), some in lower case; without a source, random bases. */
static inline void random_letters(sample_random *r, uint8_t *out, size_t n, const uint8_t *source, size_t change)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = source ? source[i] : (uint8_t) "ACGT"[random_below(r, 4)];
        if (change && !random_below(r, change))
            out[i] = random_below(r, 3) ? (uint8_t) "ACGT"[random_below(r, 4)] : (uint8_t) "NnR.-*U\x80"[random_below(r, 8)];
        if (!random_below(r, 40) && letter_code(out[i]) >= 0)
            out[i] |= 0x20;
    }
}

static inline void reverse_letters(uint8_t *letters, size_t n)
{
    for (size_t i = 0; i < (n + 1) / 2; i++) {
        uint8_t a = letters[i], b = letters[n - 1 - i];
        letters[i] = letter_code(b) < 0 ? b : (uint8_t) "TGCA"[letter_code(b)];
        letters[n - 1 - i] = letter_code(a) < 0 ? a : (uint8_t) "TGCA"[letter_code(a)];
    }
}

static inline void batch_add(struct seq_batch *batch, const uint8_t *letters, size_t n)
{
    assert_true(seq_batch_begin(batch, "r", 1));
    assert_true(seq_batch_residues(batch, letters, n));
    assert_true(seq_batch_end(batch));
}

/*
 * A batch of records: random ones, or parts of a source with changes, of either strand, at lengths around w, a piece, and some in
 * between; every sixth is empty or shorter than w.
 */
static inline void batch_fill(sample_random *r, struct seq_batch *batch, size_t n_records, uint32_t w, size_t most, const uint8_t *source,
                              size_t source_size)
{
    uint8_t *letters = sample_alloc(most + 1);
    assert_true(seq_batch_clear(batch, 0, false));
    for (size_t i = 0; i < n_records; i++) {
        const size_t around[] = {0, w - 1, w, w + 1, 2 * w, 512, 512 + w, 513, 1024 - w, 100};
        size_t n = random_below(r, 2) ? around[random_below(r, 10)] : random_below(r, most + 1);
        n = n > most ? most : n;
        n = source && n > source_size ? source_size : n;
        const uint8_t *from = source && random_below(r, 4) ? source + random_below(r, source_size - n + 1) : NULL;
        const size_t changes[] = {0, 300, 60, 15};
        random_letters(r, letters, n, from, changes[random_below(r, 4)]);
        if (random_below(r, 2))
            reverse_letters(letters, n);
        batch_add(batch, letters, n);
    }
    free(letters);
}

/* Does a w-mer begin there? */
static inline int is_word(const uint8_t *letters, size_t n, size_t at, uint32_t w)
{
    if (at + w > n)
        return 0;
    for (size_t i = 0; i < w; i++)
        if (letter_code(letters[at + i]) < 0)
            return 0;
    return 1;
}

#endif
