/* dust_long.h - DUST of one long record by all threads of a context. */
#ifndef TMS_MASK_DUST_LONG_H
#define TMS_MASK_DUST_LONG_H

#include "mask/intervals.h"
#include "tamis/mask.h"

struct dust_part; /* dust_long.c */

/* Memory for the work, kept for the next record. Zeroed at first. */
struct dust_long {
    uint8_t *codes;
    struct dust_part *parts;
    size_t codes_capacity, n_parts, parts_capacity;
};

/*
 * dust_mask_long() - append the intervals that dust_mask() finds.
 *   bases    [in]     n characters
 *   codes_of [in]     the BLASTNA code of each of the 256 characters
 *   out      [in,out] the function appends the intervals
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_CANCELLED.
 */
tms_status dust_mask_long(tms_context *ctx, const tms_dust_params *params, const uint8_t *bases, size_t n, const uint8_t codes_of[256],
                          struct dust_long *work, struct intervals *out);
void dust_long_free(struct dust_long *work);

#endif
