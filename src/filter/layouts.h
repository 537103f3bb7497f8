/*
 * layouts.h - the functions of a layout; the one file that dispatches by layout. A layout's properties: filter_params.c.
 *
 * The caller has checked the arguments. Either keys or hashes (see tms_hash_words()) is NULL.
 */
#ifndef TMS_LAYOUTS_H
#define TMS_LAYOUTS_H

#include "filter/filter_struct.h"

/* Sizing. The chosen m_bits is 0 if the layout has no filter that large. */
double layout_expected_fpr(const tms_filter_params *params, uint64_t n_keys); /* n_keys: 1 or more */
void layout_choose_for_fpr(double fpr, const tms_filter_want *want, tms_filter_params *p);
void layout_best_for_m(const tms_filter_want *want, tms_filter_params *p);

/* False-positive rate computed from the bits in host memory; 0 for a layout without queries. fill: ones / m. */
tms_status layout_actual_fpr(tms_context *ctx, const tms_filter *f, double fill, double *rate);

/* Insert or query a batch in host memory on the CPU. answers: one byte per key, or for a drawing layout a uint32_t count of ones. */
tms_status layout_hash_cpu(tms_context *ctx, const tms_filter_params *params, const tms_keys *keys, uint64_t *hashes);
tms_status layout_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status layout_ask_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, void *answers);

/* Queries one key; the bits are in host memory. Returns 1, 0, or -1 for a layout without queries of keys. */
int layout_has(const tms_filter *f, const uint8_t *key, size_t size);

/* Insert or query a batch in device memory, queued on the context's stream. insertion: number of the first insertion. */
tms_status layout_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n,
                              uint64_t insertion);
tms_status layout_ask_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *d_keys, void *d_answers);

#endif
