/* blastn_batches.c - see blastn_batches.h. */
#include "blastn/blastn_batches.h"

#include <math.h>

#include "hits/chunk_merge.h"

#define LEAST_TARGET   1e6
#define TARGET_SHARE   3000 /* residues of the database for one HSP of the target */
#define FIRST_RATIO    200
#define WEIGHT_OF_LAST 0.3

enum { LEAST_SIZE = 100, LESS_THAN_CHUNK = 1000 };

/* Sets the size of the next batch, and the ratio that agrees with it where it is not `size`. */
static void set_size(struct blastn_batches *b, double size)
{
    if (size >= LEAST_SIZE && size <= (double)b->most) {
        b->size = (uint64_t)size;
        return;
    }
    b->size = size < LEAST_SIZE ? LEAST_SIZE : b->most;
    b->ratio = b->target / (double)b->size;
    b->has_ratio = true;
}

void blastn_batches_init(struct blastn_batches *b, int64_t database_residues, uint64_t fixed, int chunk_residues)
{
    const int64_t target = database_residues / TARGET_SHARE, most = chunk_residues + CHUNK_OVERLAP - LESS_THAN_CHUNK;

    *b = (struct blastn_batches){.is_fixed = fixed > 0, .size = fixed, .most = most > 0 ? (uint64_t)most : INT64_MAX};
    b->target = target > LEAST_TARGET ? (double)target : LEAST_TARGET;
    if (!b->is_fixed)
        set_size(b, floor(b->target / FIRST_RATIO));
}

void blastn_batches_continue(struct blastn_batches *b, uint64_t size, double ratio)
{
    b->size = size;
    b->ratio = ratio;
    b->has_ratio = ratio > 0;
}

void blastn_batches_next(struct blastn_batches *b, uint64_t n)
{
    const double ratio = ((double)n + 1) / (double)b->size;

    if (b->is_fixed)
        return;
    b->ratio = b->has_ratio ? WEIGHT_OF_LAST * ratio + (1 - WEIGHT_OF_LAST) * b->ratio : ratio;
    b->has_ratio = true;
    set_size(b, floor(b->target / b->ratio));
}
