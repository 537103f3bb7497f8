/*
 * identity_draw.h - chance, letters and words of options, for the programs that make cases of identity.sh. The same seed gives the same
 * files.
 */
#ifndef TMS_IDENTITY_DRAW_H
#define TMS_IDENTITY_DRAW_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 18, MAX_WORDS = 64 };

struct letters {
    size_t n;
    char at[MAX_TEXT];
};

static uint64_t state;

/* --- chance --- */

/* splitmix64 */
static uint64_t draw(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* From first to last. */
static size_t between(size_t first, size_t last) { return first + (size_t)(draw() % (last - first + 1)); }

static int chance(double p) { return (double)(draw() >> 11) * 0x1p-53 < p; }

static const char *one_of(const char *const *words, size_t n) { return words[draw() % n]; }

/* As many of small numbers as of large ones. */
static size_t any_size(size_t first, size_t last)
{
    double low = log((double)first), high = log((double)last + 1);

    return (size_t)exp(low + (high - low) * (double)(draw() >> 11) * 0x1p-53);
}

/* For a kind of cases: the least and the greatest of each. */
struct sizes {
    size_t n_queries[2], query[2], n_subjects[2], subject[2];
};

static size_t of_range(const size_t *range) { return any_size(range[0], range[1]); }

/* --- letters --- */

static void add(struct letters *to, char c)
{
    if (to->n < MAX_TEXT)
        to->at[to->n++] = c;
}

static void add_random(struct letters *to, const char *alphabet, size_t n)
{
    size_t n_letters = strlen(alphabet);

    while (n-- > 0)
        add(to, alphabet[draw() % n_letters]);
}

/* --- options --- */

static char words[MAX_WORDS][640];
static size_t n_words;

static void word(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (n_words < MAX_WORDS)
        vsnprintf(words[n_words++], sizeof words[0], format, args);
    va_end(args);
}

static void option(const char *name, const char *value)
{
    word("-%s", name);
    if (value != NULL)
        word("%s", value);
}

#define OPTION_OF(name, ...)                                                                                                               \
    do {                                                                                                                                   \
        static const char *const values[] = {__VA_ARGS__};                                                                                 \
        option(name, one_of(values, sizeof values / sizeof *values));                                                                      \
    } while (0)

/* --- files --- */

static FILE *create(const char *directory, size_t i, const char *name)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%zu.%s", directory, i, name);
    file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

static void end_file(FILE *file)
{
    if (ferror(file) | fclose(file)) {
        perror("identity_cases");
        exit(1);
    }
}

/* "NAME=SIZE", or nothing; and the character `after`. */
static void put_size(FILE *to, const char *name, double p, size_t first, size_t last, char after)
{
    if (chance(p))
        fprintf(to, "%s=%zu", name, any_size(first, last));
    fputc(after, to);
}

#endif
