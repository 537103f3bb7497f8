/*
 * extensible.h - public structs that grow: a caller's struct may be older, and shorter, than the library's, or newer and longer.
 *
 * Public headers pass sizeof with the address (tms_filter_create() is an inline call of tms_filter_create_sized()), so a program tells
 * what it was compiled with. New fields go at the end, and zero means what the library did before there was the field.
 */
#ifndef TMS_EXTENSIBLE_H
#define TMS_EXTENSIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A new field must not fall into what was padding, which old programs leave as it is. */
#define STRUCT_ENDS_WITH(type, last)                                                                                                       \
    _Static_assert(sizeof(type) == offsetof(type, last) + sizeof(((type *)0)->last), #type " has padding at its end")

/* What the caller gives; what it does not know of is zero. Returns false if it sets what this library does not know of. */
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

/* What the caller gets; what this library does not know of is zero. */
static inline void struct_out(void *to, size_t size_of_caller, const void *from, size_t size)
{
    size_t n = size_of_caller < size ? size_of_caller : size;
    memcpy(to, from, n);
    memset((uint8_t *)to + n, 0, size_of_caller - n);
}

#endif
