/*
 * filter_params.h - a filter's parameters: names, ranges and derived values, independent of any filter.
 */
#ifndef TMS_FILTER_PARAMS_H
#define TMS_FILTER_PARAMS_H

#include "run/context.h"
#include "tamis/filter.h"

/* Blocked layout: the number of parts (blocked_core.h), and of blocks in one part. */
static inline uint32_t filter_n_parts(const tms_filter_params *p) { return p->blocks_per_key ? p->blocks_per_key : 1; }
static inline uint64_t filter_part_blocks(const tms_filter_params *p) { return p->m_bits / TMS_BLOCK_BITS / filter_n_parts(p); }

#ifdef __cplusplus
extern "C" {
#endif

/* Properties of a layout and the parameters it accepts. Its functions: layouts.h. */
struct layout_facts {
    const char *name;
    uint64_t max_bits;
    uint32_t max_k;
    uint32_t max_blocks; /* most blocks per key; 0: the layout has no blocks, so any m fits */
    bool one_hash;       /* the layout works only with XXH3-64 */
    bool words;          /* stores w-mers of sequences in blocks of 256 bits (words_core.h), through tamis/classify.h, and takes no keys */
    bool draws;          /* insertions draw their bits at random with probability p; callers count ones and do not query */
};

/* For an unknown layout the name is "?" and all other fields are 0. */
const struct layout_facts *layout_facts(tms_layout layout);

/* Copies the caller's parameters, whose struct may be shorter or longer than this version's. Returns TMS_OK or TMS_E_ARG. */
tms_status filter_params_in(tms_context *ctx, const tms_filter_params *given, size_t given_size, tms_filter_params *out);

/* Bytes of the bits for these parameters: whole blocks of 32 bytes. */
uint64_t filter_bits_bytes(const tms_filter_params *params);

/* Rounds m up to a size that the layout supports. */
uint64_t filter_round_bits(const tms_filter_params *params);

/* Checks layout and hash, which with the seed determine a key's hash. */
tms_status filter_check_kinds(tms_context *ctx, const tms_filter_params *params, tms_status failure);

/* Checks all parameters, for tms_filter_create() and image_check(). */
tms_status filter_check_params(tms_context *ctx, const tms_filter_params *params, tms_status failure);

#ifdef __cplusplus
}
#endif
#endif
