/*
 * builder.h - a filter of the right size from a stream of keys whose number is known only at its end.
 *
 *     tms_filter_want want = {.layout = TMS_LAYOUT_BLOCKED, .hash = TMS_HASH_XXH3, .fpr = 1e-3};   n_keys is 0: not known yet
 *     tms_builder_create(ctx, &want, &builder);
 *     tms_builder_add(ctx, builder, &keys);             any number of times
 *     tms_builder_finish(ctx, builder, &filter);        sized for the keys that came, with all of them in it
 *     tms_builder_destroy(builder);
 *
 * Until the end a builder keeps each key's hash: 8 bytes for the blocked layout, 16 for the classic one with an XXH3 hash. MurmurHash3
 * and AP hash a key k times, so for them the key itself is kept, with 4 bytes more. If the request sets a size, nothing is kept: keys
 * go straight into the filter. The finished filter is the one that tms_filter_size(), tms_filter_create() and tms_filter_insert()
 * make of the same keys, byte for byte.
 */
#ifndef TAMIS_BUILDER_H
#define TAMIS_BUILDER_H

#include "tamis/filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thread uses a builder at a time. Calls may have different contexts; if the size was set beforehand, on the filter's device. */
typedef struct tms_builder tms_builder;

/*
 * tms_builder_create() - begin.
 *   want [in]  as for tms_filter_size(), but n_keys may always be 0: the filter is then sized for the keys that come, repeats included.
 *              n_keys sets the size beforehand (more keys may come: the false-positive rate is then higher), and so do m_bits and k
 *              without fpr
 *   out  [out] destroyed with tms_builder_destroy()
 * If the size is set, the filter is made here, in the memory of the context's device. A probabilistic filter is sized before its
 * stream (tms_frequency_size()), so it needs no builder.
 * Returns TMS_OK; TMS_E_ARG if the request contradicts itself, or cannot be met for n_keys, or for any number of keys;
 * TMS_E_MEMORY; TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_builder_create_sized(tms_context *ctx, const tms_filter_want *want, size_t want_size, tms_builder **out);
TMS_INLINE TMS_CHECKED tms_status tms_builder_create(tms_context *ctx, const tms_filter_want *want, tms_builder **out)
{
    return tms_builder_create_sized(ctx, want, sizeof *want, out);
}

/* tms_builder_destroy() - free a builder, finished or not; NULL is allowed. A filter from tms_builder_finish() stays. */
TMS_API void tms_builder_destroy(tms_builder *builder);

/*
 * tms_builder_add() - add keys, in host memory. They are hashed or copied, not borrowed. Batches of thousands of keys are the fastest.
 * If the size was set beforehand, this is tms_filter_insert(), and the context has to be on the filter's device.
 * Returns TMS_OK; TMS_E_ARG if the batch is malformed or the builder is finished; TMS_E_MEMORY; TMS_E_DEVICE; TMS_E_CANCELLED.
 * If it fails, no key of the batch counts as added, and you may add the batch again. (Only if the size was set beforehand, the filter
 * may have some of them already, which then makes no difference.)
 */
TMS_API TMS_CHECKED tms_status tms_builder_add(tms_context *ctx, tms_builder *builder, const tms_keys *keys);

/* tms_builder_n_keys() - the keys added so far, repeats included. */
TMS_API uint64_t tms_builder_n_keys(const tms_builder *builder);

/*
 * tms_builder_finish() - the filter. If the size was not set beforehand, it is sized for tms_builder_n_keys() now (for one key if
 * none came), made in the memory of the context's device, and filled.
 *   out [out] destroyed with tms_filter_destroy(), before the context
 * Returns TMS_OK, and then the builder can only be destroyed; TMS_E_ARG if the request cannot be met for this number of keys (the
 * message names a size that would do), or the builder is finished; TMS_E_MEMORY; TMS_E_DEVICE; TMS_E_CANCELLED. If it fails, the
 * builder is as it was, so you may try again, for instance on the CPU.
 */
TMS_API TMS_CHECKED tms_status tms_builder_finish(tms_context *ctx, tms_builder *builder, tms_filter **out);

/*
 * tms_builder_insert() - the keys added so far into a filter that you have made, with the builder's layout, hash and seed: for a size
 * that follows from tms_builder_n_keys() in another way, such as a false-positive rate of 1/n. The builder keeps its keys.
 * Returns as tms_filter_insert(); also TMS_E_ARG if the filter differs in layout, hash or seed, or if the builder keeps no keys,
 * because its size was set beforehand or it is finished.
 */
TMS_API TMS_CHECKED tms_status tms_builder_insert(tms_context *ctx, const tms_builder *builder, tms_filter *filter);

#ifdef __cplusplus
}
#endif
#endif
