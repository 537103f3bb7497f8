/*
 * frame_windows.h - the windows by which BLAST aligns a frame of a translated query, once composition counts: ranges around its preliminary
 * HSPs.
 */
#ifndef TMS_FRAME_WINDOWS_H
#define TMS_FRAME_WINDOWS_H

#include "hits/hsp.h"
#include "lookup/word_lookup.h"

/* All zero is empty. */
struct frame_windows {
    struct residue_range *items; /* n ranges of the frame's residues, apart from each other, ascending */
    size_t n, capacity;
    struct hsp_list inside; /* the preliminary HSPs of a window; their scripts are empty */
};
void frame_windows_free(struct frame_windows *windows);

/*
 * frame_windows_find() - finds the windows of a frame of `length` residues, whose HSPs have this context.
 * frame_windows_inside() - sets windows->inside to copies of those in window i, the best first.
 * Both return TMS_OK or TMS_E_MEMORY.
 */
tms_status frame_windows_find(const struct hsp_list *hsps, int context, int length, struct frame_windows *out);
tms_status frame_windows_inside(const struct hsp_list *hsps, int context, size_t i, struct frame_windows *windows);

#endif
