/* blocked_cpu.h - the blocked layout on CPU threads. The caller has checked the arguments; hashes: see tms_hash_words(). */
#ifndef TMS_BLOCKED_CPU_H
#define TMS_BLOCKED_CPU_H

#include "filter/filter_struct.h"

/* Hashes keys first .. first + n - 1 of a batch on the calling thread. */
void blocked_hash_keys(const tms_keys *keys, uint64_t seed, size_t first, size_t n, uint64_t *hashes);
tms_status blocked_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status blocked_query_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit);
bool blocked_has(const tms_filter *f, const uint8_t *key, size_t size);
tms_status blocked_actual_fpr_cpu(tms_context *ctx, const tms_filter *f, double *rate);

#endif
