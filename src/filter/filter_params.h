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

#ifdef __cplusplus
extern "C" {
#endif

/* What a layout is and takes. What it does: layouts.h. */
struct layout_facts {
    const char *name;
    uint64_t max_bits;
    uint32_t max_k;
    uint32_t max_blocks; /* a key; 0: it has no blocks, so any m fits */
    bool one_hash;       /* a key is its XXH3-64, and works with no other hash */
    bool words;          /* w-mers of sequences, in blocks of 256 bits (words_core.h). It takes no keys: tamis/classify.h */
    bool draws;          /* insertions draw their bits with p and a sampling. It is counted, not queried */
};

/* Of an unknown layout: "?", and all else is 0. */
const struct layout_facts *layout_facts(tms_layout layout);

/* The caller's parameters, which may be shorter or longer than ours. TMS_OK or TMS_E_ARG. */
tms_status filter_params_in(tms_context *ctx, const tms_filter_params *given, size_t given_size, tms_filter_params *out);

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
