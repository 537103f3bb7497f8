/* traceback.h - the alignment stage without composition-based statistics: realigns the kept subjects, recording the traceback. */
#ifndef TMS_TRACEBACK_H
#define TMS_TRACEBACK_H

#include "search/align_hsp_cuda.h"
#include "search/gapped_stage.h"

/* What a GPU has made: alignments of a subject's first n preliminary HSPs from their start points. All zero is none. */
struct traceback_made {
    const struct align_gpu_alignment *alignments;
    size_t n;
    const int *runs;
};

/*
 * traceback() - replaces the preliminary HSPs of a subject by final ones; the list may become empty.
 *   subject [in] with all frames that HSPs are of
 *   made    [in] of a subject without frames
 *   hits    [in,out] the subject's HSPs
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status traceback(const struct search_setup *setup, const struct search_query *query, const struct subject_frames *subject,
                     struct traceback_made made, struct search_scratch *worker, struct subject_hits *hits);

/*
 * traceback_find_start() - sets the start point of an HSP whose own is at the beginning of both sequences: in the best stretch of its
 * diagonal. Returns false if there is none.
 */
bool traceback_find_start(const int *scores, const uint8_t *query, const uint8_t *subject, struct hsp *h);

/* traceback_keep_apart() - drops HSPs of worker->hsps that lie within a better one, or have no score. Returns TMS_OK or TMS_E_MEMORY. */
tms_status traceback_keep_apart(const struct search_setup *setup, struct search_scratch *worker);

/* traceback_ungapped() - sets the scripts of HSPs without gaps. Returns TMS_OK or TMS_E_MEMORY. */
tms_status traceback_ungapped(struct hsp_list *list);

#endif
