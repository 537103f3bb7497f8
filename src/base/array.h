/* array.h - growing arrays: capacity doubles, so that n items are copied fewer than n times. */
#ifndef TMS_ARRAY_H
#define TMS_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_FIRST_ITEMS 64

/* The next capacity that holds `want`: at least `first`, else the old one doubled as often as needed. */
static inline size_t array_capacity(size_t capacity, size_t first, size_t want)
{
    if (capacity < first)
        capacity = first;
    while (capacity < want)
        capacity = capacity > SIZE_MAX / 2 ? want : 2 * capacity;
    return capacity;
}

/*
 * array_reserve() - make an array hold `want` items of item_size bytes.
 *   array [in,out] address of the array's pointer, which is NULL at first: array_reserve(&names, &capacity, n + 1, sizeof *names)
 * array_reserve_few() - same, for arrays that are many and short: the first capacity is `first` items.
 * Return false if there is no memory; array and capacity are then unchanged.
 */
static inline bool array_reserve_few(void *array, size_t *capacity, size_t want, size_t item_size, size_t first)
{
    void *old, *grown;
    size_t wish, bytes;
    if (want <= *capacity)
        return true;
    wish = array_capacity(*capacity, first, want);
    memcpy(&old, array, sizeof old); /* a pointer of any type */
    grown = __builtin_mul_overflow(wish, item_size, &bytes) ? NULL : realloc(old, bytes);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = wish;
    return true;
}

static inline bool array_reserve(void *array, size_t *capacity, size_t want, size_t item_size)
{
    return array_reserve_few(array, capacity, want, item_size, ARRAY_FIRST_ITEMS);
}

#endif
