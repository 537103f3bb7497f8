/* intervals.h - a growing list of intervals, ascending within a record; later batches reuse its memory. */
#ifndef TMS_MASK_INTERVALS_H
#define TMS_MASK_INTERVALS_H

#include "base/array.h"
#include "tamis/seq.h"

struct intervals {
    tms_interval *items; /* the owner frees it */
    size_t n, capacity;
};

/* Returns false if there is no memory; the list is then unchanged. */
static inline bool intervals_add(struct intervals *list, uint64_t start, uint64_t end)
{
    if (!array_reserve(&list->items, &list->capacity, list->n + 1, sizeof *list->items))
        return false;
    list->items[list->n++] = (tms_interval){start, end};
    return true;
}

#endif
