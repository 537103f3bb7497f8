/*
 * count_min.h - the count-min sketch (Cormode, Muthukrishnan 2005), plain and with conservative update (Estan, Varghese 2002):
 * the baseline of `tamis-bench accuracy` for the probabilistic filter.
 *
 * rows x width counters. A key has one counter in each row. Plain: an occurrence adds 1 to each of them. Conservative: only to
 * those that are as small as the least of them. The estimate is the least of them, and never below the true count. For plain
 * update it exceeds it by more than e N / width with probability at most e^-rows, N being the length of the stream.
 */
#ifndef COUNT_MIN_H
#define COUNT_MIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/core.h"

#define COUNT_MIN_MAX_ROWS 16

typedef struct count_min {
    uint32_t rows, width;
    int conservative;
    uint32_t *counters; /* row after row */
} count_min;

/* rows: 1 .. COUNT_MIN_MAX_ROWS. counters is NULL where there is no memory. */
static inline count_min count_min_make(uint32_t rows, uint32_t width, int conservative)
{
    return (count_min){rows, width, conservative, (uint32_t *)calloc((size_t)rows * width, sizeof(uint32_t))};
}

static inline void count_min_free(count_min *sketch) { free(sketch->counters); }

/* A key is a number, or a hash of something else. */
static inline uint32_t *count_min_at(const count_min *sketch, uint64_t key, uint32_t row)
{
    return sketch->counters + (size_t)row * sketch->width + core_scale(core_splitmix(key, row), sketch->width);
}

static inline uint32_t count_min_estimate(const count_min *sketch, uint64_t key)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t row = 0; row < sketch->rows; row++) {
        uint32_t count = *count_min_at(sketch, key, row);
        least = count < least ? count : least;
    }
    return least;
}

static inline void count_min_add(count_min *sketch, uint64_t key)
{
    uint32_t *at[COUNT_MIN_MAX_ROWS], least = UINT32_MAX;
    for (uint32_t row = 0; row < sketch->rows; row++) {
        at[row] = count_min_at(sketch, key, row);
        least = *at[row] < least ? *at[row] : least;
    }
    for (uint32_t row = 0; row < sketch->rows; row++)
        if (*at[row] < UINT32_MAX && (!sketch->conservative || *at[row] == least))
            ++*at[row];
}

#endif
