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

static int compare_ranges(const struct residue_range *a, const struct residue_range *b)
{
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static int compare_frames(const struct frame_window *a, const struct frame_window *b)
{
    return frame_name(a->frame) - frame_name(b->frame);
}

static int compare_in_frame(const void *pa, const void *pb)
{
    const struct frame_window *a = pa, *b = pb;
    const int order = compare_frames(a, b);

    return order != 0 ? order : compare_ranges(&a->range, &b->range);
}

static int compare_windows(const void *pa, const void *pb)
{
    const struct frame_window *a = pa, *b = pb;
    const int order = compare_ranges(&a->range, &b->range);

    return order != 0 ? order : compare_frames(a, b);
}

/* The residues of an HSP on this side. Returns false if it is of another frame. */
static bool get_window(const struct hsp *h, const struct framed_side *side, struct frame_window *out)
{
    if (side->is_subject)
        *out = (struct frame_window){h->subject_frame, {h->subject, h->subject_end}};
    else
        *out = (struct frame_window){0, {h->query, h->query_end}};
    return side->is_subject || h->context == side->context;
}

tms_status frame_windows_find(const struct hsp_list *hsps, const struct framed_side *side, struct frame_windows *out)
{
    size_t n = 0, n_apart = 0;

    if (!array_reserve(&out->items, &out->capacity, hsps->n + 1, sizeof *out->items))
        return TMS_E_MEMORY;
    for (size_t i = 0; i < hsps->n; i++) {
        struct frame_window next;
        if (get_window(&hsps->items[i], side, &next)) {
            const int first = next.range.first - BORDER, end = next.range.end + BORDER;
            const int length = side->is_subject ? side->lengths[next.frame] : side->length;
            next.range = (struct residue_range){first > 0 ? first : 0, end < length ? end : length};
            out->items[n++] = next;
        }
    }
    if (n > 1)
        qsort(out->items, n, sizeof *out->items, compare_in_frame);
    for (size_t i = 0; i < n; i++) {
        const struct frame_window next = out->items[i];
        struct frame_window *last = &out->items[n_apart > 0 ? n_apart - 1 : 0];
        if (n_apart > 0 && next.frame == last->frame && next.range.first <= last->range.end)
            last->range.end = next.range.end > last->range.end ? next.range.end : last->range.end;
        else
            out->items[n_apart++] = next;
    }
    if (n_apart > 1)
        qsort(out->items, n_apart, sizeof *out->items, compare_windows);
    out->n = n_apart;
    return TMS_OK;
}

tms_status frame_windows_inside(const struct hsp_list *hsps, const struct framed_side *side, size_t i, struct frame_windows *windows)
{
    const struct frame_window window = windows->items[i];
    tms_status status = TMS_OK;

    windows->inside.n = 0;
    for (size_t k = 0; k < hsps->n && status == TMS_OK; k++) {
        struct frame_window of;
        if (get_window(&hsps->items[k], side, &of) && of.frame == window.frame && of.range.first >= window.range.first &&
            of.range.end <= window.range.end)
            status = hsp_list_add(&windows->inside, &hsps->items[k]);
    }
    hsp_sort(&windows->inside);
    return status;
}
