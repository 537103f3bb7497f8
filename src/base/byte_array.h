/* byte_array.h - bytes that are written one after the other, in memory that grows. */
#ifndef TMS_BYTE_ARRAY_H
#define TMS_BYTE_ARRAY_H

#include "base/array.h"
#include "base/core.h"

/* All zero: empty. Its owner frees bytes. */
struct byte_array {
    uint8_t *bytes;
    size_t n, capacity;
};

/* byte_array_room() - where n more bytes can be written, after which the writer adds to n. NULL: no memory, and nothing has changed. */
static inline uint8_t *byte_array_room(struct byte_array *a, size_t n)
{
    if (n > SIZE_MAX - a->n || !array_reserve(&a->bytes, &a->capacity, a->n + n + 1, 1)) /* + 1: never NULL */
        return NULL;
    return a->bytes + a->n;
}

/* byte_array_add() - n bytes at the end; false: no memory. */
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

/* byte_array_add_big_endian() - n words, each with its highest byte first; false: no memory. */
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
