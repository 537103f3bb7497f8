/*
 * filter_params.h - a filter's parameters: their names, their ranges, what follows from them. Nothing here knows a filter.
 */
#ifndef TMS_FILTER_PARAMS_H
#define TMS_FILTER_PARAMS_H

#include "run/context.h"
#include "tamis/filter.h"

/* Blocked: the parts that a key has a block in (blocked_core.h), and the blocks of one part. */
static inline uint32_t filter_n_parts(const tms_filter_params *p) { return p->blocks_per_key ? p->blocks_per_key : 1; }
static inline uint64_t filter_part_blocks(const tms_filter_params *p) { return p->m_bits / TMS_BLOCK_BITS / filter_n_parts(p); }

/* The largest m of a layout. */
static inline uint64_t filter_max_bits(tms_layout layout)
{
    return layout == TMS_LAYOUT_BLOCKED ? TMS_BLOCKED_MAX_BITS : TMS_MAX_BITS;
}

static inline uint32_t filter_max_k(tms_layout layout)
{
    return layout == TMS_LAYOUT_BLOCKED   ? TMS_BLOCKED_MAX_K
           : layout == TMS_LAYOUT_CLASSIC ? TMS_CLASSIC_MAX_K
                                          : TMS_PROBABILISTIC_MAX_K;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the bits for these parameters: whole blocks of 32 bytes. */
uint64_t filter_bits_bytes(const tms_filter_params *params);

/* m rounded up to what the layout takes. */
uint64_t filter_round_bits(const tms_filter_params *params);

/* Layout and hash: what a key's hash depends on, besides the seed. */
tms_status filter_check_kinds(tms_context *ctx, const tms_filter_params *params, tms_status failure);

/* All of them by themselves, as tms_filter_create() and image_check() both must. */
tms_status filter_check_params(tms_context *ctx, const tms_filter_params *params, tms_status failure);

#ifdef __cplusplus
}
#endif
#endif
