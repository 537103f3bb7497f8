/*
 * seg.h - SEG [Wootton 1993] of one sequence, exactly as NCBI's blastp and segmasker mask it.
 */
#ifndef TMS_MASK_SEG_H
#define TMS_MASK_SEG_H

#include <stdbool.h>

#include "mask/intervals.h"
#include "tamis/mask.h"

struct seg; /* tables for the parameters, and scratch memory; each thread needs one of its own */

/* seg_create() - returns NULL if there is no memory. seg_destroy(NULL) is fine. */
struct seg *seg_create(const tms_seg_params *params);
void seg_destroy(struct seg *seg);

/*
 * seg_mask() - find segments of low complexity.
 *   codes [in]     n NCBIstdaa codes
 *   out   [in,out] the function appends the segments in the order of their ends; some overlap
 * Returns false if there is no memory.
 */
bool seg_mask(struct seg *seg, const uint8_t *codes, size_t n, struct intervals *out);

#endif
