/*
 * frame_windows.h - the windows by which BLAST aligns a frame of a translated sequence, once composition counts: ranges around its
 * preliminary HSPs.
 */
#ifndef TMS_FRAME_WINDOWS_H
#define TMS_FRAME_WINDOWS_H

#include "alphabet/translation.h"
#include "hits/hsp.h"
#include "lookup/word_lookup.h"

/* The frames that are aligned by windows: of the query that one, of which the HSPs with its context are; of the subject all. */
struct framed_side {
    bool is_subject;
    int context;        /* of the query */
    int length;         /* residues of the query's frame */
    const int *lengths; /* residues of each of the subject's frames */
};

/* A range of residues of a frame. */
struct frame_window {
    int frame; /* of the subject; 0 for the query */
    struct residue_range range;
};

/* All zero is empty. */
struct frame_windows {
    struct frame_window *items; /* n windows, ascending; those of a frame are apart from each other */
    size_t n, capacity;
    struct hsp_list inside; /* the preliminary HSPs of a window; their scripts are empty */
};
void frame_windows_free(struct frame_windows *windows);

/*
 * frame_windows_find() - finds the windows.
 * frame_windows_inside() - sets windows->inside to copies of the HSPs in window i, the best first.
 * Both return TMS_OK or TMS_E_MEMORY.
 */
tms_status frame_windows_find(const struct hsp_list *hsps, const struct framed_side *side, struct frame_windows *out);
tms_status frame_windows_inside(const struct hsp_list *hsps, const struct framed_side *side, size_t i, struct frame_windows *windows);

#endif
