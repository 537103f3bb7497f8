/* intervals.h - a list of intervals that grows, ascending within a record; its memory is kept for the next batch. */
#ifndef TMS_MASK_INTERVALS_H
#define TMS_MASK_INTERVALS_H

#include "base/array.h"
#include "tamis/seq.h"

struct intervals {
    tms_interval *items; /* freed by the owner */
    size_t n, capacity;
};

/* false: there is no memory, and the list is as it was. */
static inline bool intervals_add(struct intervals *list, uint64_t start, uint64_t end)
{
    if (!array_reserve(&list->items, &list->capacity, list->n + 1, sizeof *list->items))
        return false;
    list->items[list->n++] = (tms_interval){start, end};
    return true;
}

#endif
