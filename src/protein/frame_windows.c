/* frame_windows.c - see frame_windows.h. */
#include "protein/frame_windows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { BORDER = 200 /* residues on each side of an HSP */ };

void frame_windows_free(struct frame_windows *windows)
{
    free(windows->items);
    free(windows->inside.items);
    memset(windows, 0, sizeof *windows);
}

static int compare_windows(const void *pa, const void *pb)
{
    const struct residue_range *a = pa, *b = pb;

    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

tms_status frame_windows_find(const struct hsp_list *hsps, int context, int length, struct frame_windows *out)
{
    size_t n = 0, n_apart = 0;

    if (!array_reserve(&out->items, &out->capacity, hsps->n + 1, sizeof *out->items))
        return TMS_E_MEMORY;
    for (size_t i = 0; i < hsps->n; i++) {
        const struct hsp *h = &hsps->items[i];
        const int first = h->query - BORDER, end = h->query_end + BORDER;
        if (h->context == context)
            out->items[n++] = (struct residue_range){first > 0 ? first : 0, end < length ? end : length};
    }
    if (n > 1)
        qsort(out->items, n, sizeof *out->items, compare_windows);
    for (size_t i = 0; i < n; i++) {
        const struct residue_range next = out->items[i];
        struct residue_range *last = &out->items[n_apart > 0 ? n_apart - 1 : 0];
        if (n_apart > 0 && next.first <= last->end)
            last->end = next.end > last->end ? next.end : last->end;
        else
            out->items[n_apart++] = next;
    }
    out->n = n_apart;
    return TMS_OK;
}

tms_status frame_windows_inside(const struct hsp_list *hsps, int context, size_t i, struct frame_windows *windows)
{
    const struct residue_range window = windows->items[i];
    tms_status status = TMS_OK;

    windows->inside.n = 0;
    for (size_t k = 0; k < hsps->n && status == TMS_OK; k++) {
        const struct hsp *h = &hsps->items[k];
        if (h->context == context && h->query >= window.first && h->query_end <= window.end)
            status = hsp_list_add(&windows->inside, h);
    }
    hsp_sort(&windows->inside);
    return status;
}
