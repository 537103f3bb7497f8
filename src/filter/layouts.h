/*
 * layouts.h - what a layout does: the one place that chooses between blocked, classic and probabilistic. What a layout takes is in
 * filter_params.c.
 *
 * Called with checked arguments. Of keys and hashes (see tms_hash_words()) one is NULL.
 */
#ifndef TMS_LAYOUTS_H
#define TMS_LAYOUTS_H

#include "filter/filter_struct.h"

/* Sizing. The choices leave m_bits 0 if the layout has no filter that large. */
double layout_expected_fpr(const tms_filter_params *params, uint64_t n_keys); /* n_keys: 1 or more */
void layout_choose_for_fpr(double fpr, const tms_filter_want *want, tms_filter_params *p);
void layout_best_for_m(const tms_filter_want *want, tms_filter_params *p);

/* What the bits, in host memory, give a random missing key; 0 where that is no question. fill: ones / m. */
tms_status layout_actual_fpr(tms_context *ctx, const tms_filter *f, double fill, double *rate);

/* A batch in host memory, on the CPU. answers: a byte a key; of a layout that draws, a uint32_t of ones. */
tms_status layout_hash_cpu(tms_context *ctx, const tms_filter_params *params, const tms_keys *keys, uint64_t *hashes);
tms_status layout_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status layout_ask_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, void *answers);

/* One key, of a filter whose bits are in host memory: 1, 0, or -1 in a layout of which a batch of keys is not queried. */
int layout_has(const tms_filter *f, const uint8_t *key, size_t size);

/* The same in device memory; queued on the context's stream. insertion: number of the first one. */
tms_status layout_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n,
                              uint64_t insertion);
tms_status layout_ask_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *d_keys, void *d_answers);

#endif
