/*
 * extensible.h - public structs that can grow: the caller's struct may be older and shorter than the library's, or newer and longer.
 *
 * Public headers pass sizeof with the address (tms_filter_create() is an inline call of tms_filter_create_sized()), so the library knows
 * which version the program was compiled with. New fields go at the end; zero in a new field means the behaviour before the field existed.
 */
#ifndef TMS_EXTENSIBLE_H
#define TMS_EXTENSIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The struct must have no padding at its end: a new field would lie in it, and old programs leave padding undefined. */
#define STRUCT_ENDS_WITH(type, last)                                                                                                       \
    _Static_assert(sizeof(type) == offsetof(type, last) + sizeof(((type *)0)->last), #type " has padding at its end")

/*
 * Copies a caller's struct to the library's; fields that the caller does not know become zero. Returns false if the caller sets a field
 * that this library does not know.
 */
static inline bool struct_in(void *to, size_t size, const void *from, size_t size_of_caller)
{
    size_t n = size_of_caller < size ? size_of_caller : size;
    uint8_t rest = 0;
    memset(to, 0, size);
    memcpy(to, from, n);
    for (size_t i = n; i < size_of_caller; i++)
        rest |= ((const uint8_t *)from)[i];
    return rest == 0;
}

/* Copies the library's struct to a caller's; fields that this library does not know become zero. */
static inline void struct_out(void *to, size_t size_of_caller, const void *from, size_t size)
{
    size_t n = size_of_caller < size ? size_of_caller : size;
    memcpy(to, from, n);
    memset((uint8_t *)to + n, 0, size_of_caller - n);
}

#endif
