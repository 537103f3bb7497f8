/* blastn_batches.c - see blastn_batches.h. */
#include "blastn/blastn_batches.h"

#include <math.h>

#include "hits/chunk_merge.h"

#define LEAST_TARGET   1e6
#define TARGET_SHARE   3000 /* residues of the database for one HSP of the target */
#define FIRST_RATIO    200
#define WEIGHT_OF_LAST 0.3

enum { LEAST_SIZE = 100, LESS_THAN_CHUNK = 1000 };

void blastn_batches_init(struct blastn_batches *b, int64_t database_residues, uint64_t fixed, int chunk_residues)
{
    const int64_t target = database_residues / TARGET_SHARE;

    *b = (struct blastn_batches){.is_fixed = fixed > 0, .most = (uint64_t)(chunk_residues + CHUNK_OVERLAP - LESS_THAN_CHUNK)};
    b->target = target > LEAST_TARGET ? (double)target : LEAST_TARGET;
    b->size = fixed > 0 ? fixed : (uint64_t)(b->target / FIRST_RATIO);
}

void blastn_batches_next(struct blastn_batches *b, uint64_t n)
{
    const double ratio = ((double)n + 1) / (double)b->size;
    double size;

    if (b->is_fixed)
        return;
    b->ratio = b->has_ratio ? WEIGHT_OF_LAST * ratio + (1 - WEIGHT_OF_LAST) * b->ratio : ratio;
    b->has_ratio = true;
    size = floor(b->target / b->ratio);
    if (size >= LEAST_SIZE && size <= (double)b->most) {
        b->size = (uint64_t)size;
        return;
    }
    b->size = size < LEAST_SIZE ? LEAST_SIZE : b->most;
    b->ratio = b->target / (double)b->size;
}
