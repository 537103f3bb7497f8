/* word_endings.c - see word_endings.h. */
#include "lookup/word_endings.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { AT_ONCE = WORD_ENDINGS_AT_ONCE };

bool word_endings_init(const struct word_lookup_ranks *ranks, uint32_t radix, int n_letters, struct word_endings *out)
{
    size_t n = 1;

    for (int i = 0; i < n_letters; i++)
        n *= radix;
    *out = (struct word_endings){.ranks = ranks, .radix = radix, .n_letters = n_letters};
    out->words = malloc(n * sizeof *out->words);
    out->scores = malloc(n * sizeof *out->scores);
    return out->words != NULL && out->scores != NULL;
}

void word_endings_free(struct word_endings *e)
{
    free(e->similar);
    free(e->words);
    free(e->scores);
    free(e->n_better);
    memset(e, 0, sizeof *e);
}

int word_endings_best(const struct word_lookup_ranks *ranks, const uint8_t *codes, int n)
{
    int best = 0;

    for (int i = 0; i < n; i++)
        best += ranks[codes[i]].scores[0];
    return best;
}

/* Lists words that begin with those letters which `word` has, and go on with n more. */
static void list(struct word_endings *e, const uint8_t *codes, int n, uint32_t word, int score, int least)
{
    const struct word_lookup_ranks *row = &e->ranks[codes[0]];
    const int best_after = word_endings_best(e->ranks, codes + 1, n - 1);

    for (int k = 0; k < row->n && score + row->scores[k] + best_after >= least; k++) {
        const uint32_t longer = word * e->radix + row->letters[k];
        if (n > 1) {
            list(e, codes + 1, n - 1, longer, score + row->scores[k], least);
        } else {
            e->words[e->n_listed] = (uint16_t)longer;
            e->scores[e->n_listed++] = (int16_t)(score + row->scores[k]);
        }
    }
}

/* Writes the list in its order: sorts by counting. */
static void sort(const struct word_endings *e, int best, size_t n_scores, struct similar_endings *to)
{
    const size_t end = (e->n_listed / AT_ONCE + 1) * AT_ONCE;

    memset(e->n_better, 0, n_scores * sizeof *e->n_better);
    for (size_t i = 0; i < e->n_listed; i++)
        e->n_better[best - e->scores[i] + 1]++;
    for (size_t i = 1; i < n_scores; i++)
        e->n_better[i] += e->n_better[i - 1];
    for (size_t i = 0; i < e->n_listed; i++) {
        const uint32_t at = e->n_better[best - e->scores[i]]++;
        to[at / AT_ONCE].words[at % AT_ONCE] = e->words[i];
        to[at / AT_ONCE].scores[at % AT_ONCE] = e->scores[i];
    }
    for (size_t at = e->n_listed; at < end; at++) {
        to[at / AT_ONCE].words[at % AT_ONCE] = 0;
        to[at / AT_ONCE].scores[at % AT_ONCE] = INT16_MIN;
    }
}

bool word_endings_add(struct word_endings *e, const uint8_t *codes, int least)
{
    const int best = word_endings_best(e->ranks, codes, e->n_letters), worst = best < least ? best : least;
    const size_t n_scores = (size_t)(best - worst) + 2;

    e->n_listed = 0;
    list(e, codes, e->n_letters, 0, 0, least);
    if (!array_reserve(&e->n_better, &e->n_better_capacity, n_scores, sizeof *e->n_better) ||
        !array_reserve(&e->similar, &e->capacity, e->n + e->n_listed / AT_ONCE + 1, sizeof *e->similar))
        return false;
    sort(e, best, n_scores, e->similar + e->n);
    e->n += e->n_listed / AT_ONCE + 1;
    return true;
}
