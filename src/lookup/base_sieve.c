/* base_sieve.c - which groups a sieve serves, and what they take. base_sieve_cuda.cu sieves. */
#include "lookup/base_sieve.h"

#include <stdlib.h>
#include <string.h>

bool base_sieve_takes(const struct base_lookup *lookup)
{
    const struct base_words *w = &lookup->words[0];

    if (lookup->n_words != 1 || lookup->strands.n == 0 || (w->kind != BASE_WORDS_STANDARD && w->kind != BASE_WORDS_LARGE))
        return false;
    return w->width < w->word_size || (lookup->window == 0 && w->word_size >= UNGAPPED_LEAST_APPROXIMATE && !lookup->costs.is_exact);
}

size_t base_sieve_words_bytes(const struct base_lookup *lookup)
{
    const struct base_words *w = &lookup->words[0];
    const size_t n_words = (size_t)1 << 2 * w->width, n = (size_t)lookup->strands.queries.n;

    return n_words / 8 + n_words * sizeof *w->starts + w->n_positions * sizeof *w->positions + 2 * n +
           lookup->strands.n * sizeof *lookup->strands.items;
}

void base_sieved_free(struct base_sieved *sieved)
{
    free(sieved->hits);
    free(sieved->starts);
    memset(sieved, 0, sizeof *sieved);
}
