/*
 * base_samples.h - for the tests of alignments of bases: random sequences, copies with changes, repeats, packed bases, and scores.
 *
 * Arrays are allocated to the byte, so that AddressSanitizer sees a read outside.
 */
#ifndef TAMIS_TEST_BASE_SAMPLES_H
#define TAMIS_TEST_BASE_SAMPLES_H

#include "alphabet/bases.h"
#include "extend/packed_bases.h"
#include "unit/samples.h"

/* n codes with a gap code before and after them. */
struct codes {
    uint8_t *memory, *codes;
    int n;
};

static inline struct codes codes_of_size(int n)
{
    struct codes c = {malloc((size_t)n + 2), NULL, n};

    assert_non_null(c.memory);
    memset(c.memory, BASE_GAP, (size_t)n + 2);
    c.codes = c.memory + 1;
    return c;
}

/* Random bases, one in `rarity` of them ambiguous; 0: none. With a period above 0 they repeat. */
static inline struct codes random_codes(sample_random *r, int n, unsigned rarity, int period)
{
    struct codes c = codes_of_size(n);

    for (int i = 0; i < n; i++) {
        c.codes[i] = (uint8_t)random_below(r, 4);
        if (period > 0 && i >= period)
            c.codes[i] = c.codes[i - period];
        if (rarity > 0 && random_below(r, rarity) == 0)
            c.codes[i] = (uint8_t)(BASE_AMBIGUOUS + random_below(r, BASE_GAP - BASE_AMBIGUOUS));
    }
    return c;
}

/* A copy of which one base in `rarity` is replaced, and one in 3 rarity is the place of a gap of up to 5 bases. */
static inline struct codes changed_codes(sample_random *r, const struct codes *from, unsigned rarity)
{
    struct codes c = codes_of_size(2 * from->n + 10);
    int n = 0;

    for (int i = 0; i < from->n && n < 2 * from->n; i++) {
        uint64_t event = random_below(r, 3 * rarity);
        if (event == 0 && random_below(r, 2) == 0)
            for (uint64_t k = random_below(r, 5); k-- > 0;)
                c.codes[n++] = (uint8_t)random_below(r, 4);
        else if (event == 0)
            i += (int)random_below(r, 5);
        else
            c.codes[n++] = event < 4 ? (uint8_t)random_below(r, 4) : from->codes[i];
    }
    c.codes[n] = BASE_GAP;
    c.n = n;
    return c;
}

/* Packs the lowest two bits. The caller frees the bytes. */
static inline struct packed_bases packed_codes(const struct codes *c)
{
    uint8_t *bytes = calloc(((size_t)c->n + 3) / 4 + (c->n == 0), 1);

    assert_non_null(bytes);
    for (int i = 0; i < c->n; i++)
        bytes[i / 4] |= (uint8_t)((c->codes[i] & 3) << (6 - 2 * (i % 4)));
    return (struct packed_bases){bytes, c->n};
}

#endif
