/*
 * dust.h - symmetric DUST [Morgulis 2006] of one sequence, exactly as NCBI's programs mask it.
 *
 * blastn and dustmasker differ in runs of N, so there are two rules; see dust.c.
 */
#ifndef TMS_MASK_DUST_H
#define TMS_MASK_DUST_H

#include <stdbool.h>

#include "mask/intervals.h"
#include "tamis/mask.h"

enum { DUST_MIN_WINDOW = 8, DUST_MAX_WINDOW = 64, DUST_MIN_LEVEL = 2, DUST_MAX_LEVEL = 64, DUST_MIN_LINKER = 1, DUST_MAX_LINKER = 32 };

/*
 * dust_mask() - by the rule of blastn or of dustmasker.
 *   codes [in]     n BLASTNA codes
 *   out   [in,out] the intervals are added to it, ascending; they do not overlap
 * Returns false if there is no memory for the intervals. Any number of threads may call it at once.
 */
bool dust_mask(const tms_dust_params *params, const uint8_t *codes, size_t n, struct intervals *out);

#endif
