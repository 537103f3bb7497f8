/* mask_samples.h - for the tests of masks: sequences made of stretches of all kinds, and comparisons of lists. */
#ifndef MASK_SAMPLES_H
#define MASK_SAMPLES_H

#include "mask/intervals.h"
#include "unit/samples.h"

typedef struct mask_sample {
    uint8_t letters[4096];
    size_t n;
} mask_sample;

static inline void sample_add(mask_sample *s, uint8_t letter)
{
    if (s->n < sizeof s->letters)
        s->letters[s->n++] = letter;
}

static inline void sample_add_random(mask_sample *s, sample_random *r, const char *alphabet, size_t n)
{
    for (size_t size = strlen(alphabet); n > 0; n--)
        sample_add(s, (uint8_t)alphabet[random_below(r, size)]);
}

/* A stretch: one letter, a tandem repeat, a few letters at random, one of `odd` several times, all of `all` at random. */
static inline void sample_add_stretch(mask_sample *s, sample_random *r, const char *plain, const char *odd, const char *all)
{
    static const unsigned runs[] = {1, 2, 3, 5, 11, 12, 13, 20, 50, 51, 61, 62, 63, 64, 65, 66, 67, 100, 200};
    size_t n_plain = strlen(plain), run = runs[random_below(r, sizeof runs / sizeof *runs)], unit;
    char few[8];

    switch (random_below(r, 6)) {
    case 0:
        for (uint8_t letter = (uint8_t)plain[random_below(r, n_plain)]; run > 0; run--)
            sample_add(s, letter);
        break;
    case 1:
        unit = 2 + random_below(r, 8);
        sample_add_random(s, r, plain, unit);
        for (size_t n = random_below(r, 100); n > 0; n--)
            sample_add(s, s->letters[s->n - unit]);
        break;
    case 2:
        for (unit = 0; unit < 1 + random_below(r, 7); unit++)
            few[unit] = plain[random_below(r, n_plain)];
        few[unit] = '\0';
        sample_add_random(s, r, few, random_below(r, 90));
        break;
    case 3:
        for (uint8_t letter = (uint8_t)odd[random_below(r, strlen(odd))]; run > 0; run--)
            sample_add(s, letter);
        break;
    case 4:
        sample_add_random(s, r, all, random_below(r, 60));
        break;
    default:
        sample_add_random(s, r, plain, random_below(r, 150));
    }
}

static inline void sample_make(mask_sample *s, sample_random *r, const char *plain, const char *odd, const char *all)
{
    static const unsigned short_sizes[] = {0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 61, 62, 63, 64, 65, 66};

    s->n = 0;
    for (uint64_t n = 1 + random_below(r, 12); n > 0 && s->n < sizeof s->letters - 256; n--)
        sample_add_stretch(s, r, plain, odd, all);
    if (random_below(r, 8) == 0) {
        size_t n = short_sizes[random_below(r, sizeof short_sizes / sizeof *short_sizes)];
        s->n = n < s->n ? n : s->n;
    }
}

/* what: printed with the sequence if they differ. */
static inline void assert_same_intervals(const char *what, const mask_sample *s, const struct intervals *want, const struct intervals *got)
{
    size_t n = want->n < got->n ? want->n : got->n, i = 0;
    while (i < n && want->items[i].start == got->items[i].start && want->items[i].end == got->items[i].end)
        i++;
    if (i == want->n && i == got->n)
        return;
    print_message("%.*s\n", (int)s->n, (const char *)s->letters);
    fail_msg("%s: %zu intervals, and %zu wanted; number %zu is %d-%d, not %d-%d", what, got->n, want->n, i,
             i < got->n ? (int)got->items[i].start : -1, i < got->n ? (int)got->items[i].end : -1,
             i < want->n ? (int)want->items[i].start : -1, i < want->n ? (int)want->items[i].end : -1);
}

#endif
