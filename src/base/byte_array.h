/* byte_array.h - a growing array of bytes. */
#ifndef TMS_BYTE_ARRAY_H
#define TMS_BYTE_ARRAY_H

#include "base/array.h"
#include "base/core.h"

/* All zero is an empty array. The owner frees `bytes`. */
struct byte_array {
    uint8_t *bytes;
    size_t n, capacity;
};

/*
 * byte_array_room() - room for n more bytes; the caller writes them and adds their number to n. NULL if there is no memory; the array is
 * then unchanged.
 */
static inline uint8_t *byte_array_room(struct byte_array *a, size_t n)
{
    if (n > SIZE_MAX - a->n ||
        !array_reserve(&a->bytes, &a->capacity, a->n + n + 1, 1)) /* + 1: never a block of 0 bytes, which might be NULL */
        return NULL;
    return a->bytes + a->n;
}

/* byte_array_add() - append n bytes; false if there is no memory. */
static inline bool byte_array_add(struct byte_array *a, const void *bytes, size_t n)
{
    uint8_t *to = byte_array_room(a, n);
    if (!to)
        return false;
    if (n > 0)
        memcpy(to, bytes, n);
    a->n += n;
    return true;
}

/* byte_array_add_big_endian() - append n words, each with its highest byte first; false if there is no memory. */
static inline bool byte_array_add_big_endian(struct byte_array *a, const uint32_t *words, size_t n)
{
    uint8_t *at = n <= SIZE_MAX / 4 ? byte_array_room(a, 4 * n) : NULL;
    if (!at)
        return false;
    for (size_t i = 0; i < n; i++)
        core_write32(at + 4 * i, core_swap32(words[i]));
    a->n += 4 * n;
    return true;
}

#endif
