/*
 * builder.h - builds a filter of the right size from a stream of keys whose number is known only at its end.
 *
 *     tms_filter_want want = {.layout = TMS_LAYOUT_BLOCKED, .hash = TMS_HASH_XXH3, .fpr = 1e-3};   n_keys is 0: not known yet
 *     tms_builder_create(ctx, &want, &builder);
 *     tms_builder_add(ctx, builder, &keys);             any number of times
 *     tms_builder_finish(ctx, builder, &filter);        sized for the keys that were added, with all of them in it
 *     tms_builder_destroy(builder);
 *
 * Until the end a builder keeps the hash of each key: 8 bytes for the blocked layout, 16 for the classic one with an XXH3 hash.
 * MurmurHash3 and AP hash a key k times, so with them the builder keeps the key itself, and 4 bytes more. If the request sets a size, it
 * keeps nothing: keys go straight into the filter. The finished filter is byte for byte the one that tms_filter_size(),
 * tms_filter_create() and tms_filter_insert() make of the same keys.
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
 * tms_builder_create() - create a builder.
 *   want [in]  as for tms_filter_size(), but n_keys may always be 0: the filter is then sized for the keys that are added, including
 *              repeats. n_keys sets the size in advance (more keys may be added: the false-positive rate is then higher), and so do m_bits
 *              and k without fpr
 *   out  [out] destroyed with tms_builder_destroy()
 * If the size is set, this call makes the filter, in the memory of the context's device. A probabilistic filter is sized before its stream
 * (tms_frequency_size()), so it needs no builder.
 * Returns TMS_OK; TMS_E_ARG if the request contradicts itself, or cannot be met for n_keys, or for any number of keys; TMS_E_MEMORY;
 * TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_builder_create_sized(tms_context *ctx, const tms_filter_want *want, size_t want_size, tms_builder **out);
TMS_INLINE TMS_CHECKED tms_status tms_builder_create(tms_context *ctx, const tms_filter_want *want, tms_builder **out)
{
    return tms_builder_create_sized(ctx, want, sizeof *want, out);
}

/* tms_builder_destroy() - free a builder, finished or not; NULL is allowed. The filter of tms_builder_finish() remains. */
TMS_API void tms_builder_destroy(tms_builder *builder);

/*
 * tms_builder_add() - add keys, in host memory. The builder hashes or copies them and does not borrow them. Batches of thousands of keys
 * are the fastest. If the size was set in advance, this is tms_filter_insert(), and the context has to be on the filter's device.
 * Returns TMS_OK; TMS_E_ARG if the batch is malformed or the builder is finished; TMS_E_MEMORY; TMS_E_DEVICE; TMS_E_CANCELLED. On failure
 * no key of the batch counts as added, and the caller may add the batch again. (If the size was set in advance, the filter may have some
 * of the keys already, which makes no difference then.)
 */
TMS_API TMS_CHECKED tms_status tms_builder_add(tms_context *ctx, tms_builder *builder, const tms_keys *keys);

/* tms_builder_n_keys() - the number of keys added so far, including repeats. */
TMS_API uint64_t tms_builder_n_keys(const tms_builder *builder);

/*
 * tms_builder_finish() - make the filter. If the size was not set in advance, the filter is sized for tms_builder_n_keys() (for one key if
 * none was added) and made in the memory of the context's device.
 *   out [out] destroyed with tms_filter_destroy(), before the context
 * Returns TMS_OK, after which the builder can only be destroyed; TMS_E_ARG if the request cannot be met for this number of keys (the
 * message names a size that would do), or the builder is finished; TMS_E_MEMORY; TMS_E_DEVICE; TMS_E_CANCELLED. On failure the builder is
 * unchanged, so the caller may try again, for instance on the CPU.
 */
TMS_API TMS_CHECKED tms_status tms_builder_finish(tms_context *ctx, tms_builder *builder, tms_filter **out);

/*
 * tms_builder_insert() - insert the keys added so far into a filter that the caller has made, with the builder's layout, hash and seed:
 * for a size that follows from tms_builder_n_keys() in another way, such as a false-positive rate of 1/n. The builder keeps its keys.
 * Returns as tms_filter_insert(); also TMS_E_ARG if the filter differs in layout, hash or seed, or if the builder keeps no keys, because
 * its size was set in advance or it is finished.
 */
TMS_API TMS_CHECKED tms_status tms_builder_insert(tms_context *ctx, const tms_builder *builder, tms_filter *filter);

#ifdef __cplusplus
}
#endif
#endif
