/*
 * best_places.h - places in a pair of sequences, each with a number and a sum. Finds the place with the greatest sum in an area; sums may
 * change. The places lie along a Z-order curve, in buckets of neighbours, and a binary tree has the extent and the greatest sum of buckets.
 */
#ifndef TMS_BEST_PLACES_H
#define TMS_BEST_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/context.h"

struct place {
    int query, subject; /* 0 or more */
};

/* From the least to the greatest positions, these too. */
struct area {
    struct place least, most;
};

/* A sum and the number of its place as one integer, so that of equal sums the greatest number is the best; INT64_MIN: no sum. */
typedef int64_t numbered_sum;

static inline numbered_sum numbered_sum_of(int sum, int number) { return sum * ((int64_t)1 << 32) + number; }
static inline int numbered_sum_number(numbered_sum sum) { return (int)(sum & UINT32_MAX); }

struct best_places {
    struct placed_sum *items; /* along the curve */
    struct bucket *tree;      /* 1 is the root, 2 k and 2 k + 1 follow k, the buckets are leaves from n_leaves on */
    int *index;               /* of each place in items */
    int n, n_leaves;          /* n_leaves: a power of two */
};

/*
 * best_places_create() - reserves memory for n places.
 *   out [out] freed with best_places_destroy(), also after a failure
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status best_places_create(size_t n, struct best_places *out);
void best_places_destroy(struct best_places *p);

/*
 * best_places_set() - sets the places, with numbers 0 .. n - 1, without sums.
 *   n [in] at most as many as reserved
 * best_places_copy() - sets the same places as those of `from`, without sums.
 * best_places_set() returns TMS_OK or TMS_E_MEMORY.
 */
tms_status best_places_set(const struct place *places, int n, struct best_places *p);
void best_places_copy(const struct best_places *from, struct best_places *p);

/* best_places_put() - sets the sum of place `number`. best_places_drop() - takes it away. */
void best_places_put(struct best_places *p, int number, int sum);
void best_places_drop(struct best_places *p, int number);

/* best_places_all() - the number of the place with the greatest sum, of equal ones the last; there is one. */
int best_places_all(const struct best_places *p);

/* best_places_in() - the same of places before `end` in an area with sums above 0; -1: there is none. */
int best_places_in(const struct best_places *p, const struct area *area, int end);

#endif
