/*
 * seg.h - SEG [Wootton 1993] of one sequence, exactly as NCBI's blastp and segmasker mask it.
 */
#ifndef TMS_MASK_SEG_H
#define TMS_MASK_SEG_H

#include <stdbool.h>

#include "mask/intervals.h"
#include "tamis/mask.h"

struct seg; /* tables for the parameters, and memory for the work; one for each thread */

/* seg_create() - NULL: there is no memory. seg_destroy(NULL) is fine. */
struct seg *seg_create(const tms_seg_params *params);
void seg_destroy(struct seg *seg);

/*
 * seg_mask() - segments of low complexity.
 *   codes [in]     n NCBIstdaa codes
 *   out   [in,out] the segments are added to it in the order in which they are found, which is that of their ends; some overlap
 * Returns false if there is no memory.
 */
bool seg_mask(struct seg *seg, const uint8_t *codes, size_t n, struct intervals *out);

#endif
