/*
 * classic_cpu.h - the classic layout on CPU threads, and code shared with the probabilistic layout, whose bits lie at the same positions.
 * The caller has checked the arguments; hashes: see tms_hash_words().
 */
#ifndef TMS_CLASSIC_CPU_H
#define TMS_CLASSIC_CPU_H

#include "filter/classic_core.h"
#include "filter/filter_struct.h"
#include "filter/keys_core.h"

/* Key i of a batch, or of hashes from tms_keys_hash() where they are not NULL. */
static inline classic_key classic_key_at(const tms_filter_params *p, const tms_keys *keys, const uint64_t *hashes, size_t i)
{
    if (hashes)
        return (classic_key){NULL, 0, hashes[2 * i], hashes[2 * i + 1]};
    size_t len;
    const uint8_t *bytes = keys_at(keys, i, &len);
    return classic_key_make(p->hash, p->seed, bytes, len);
}

/* The keys to insert, and the argument that partitioned_insert() passes on. */
struct classic_insertion {
    tms_filter *filter;
    const tms_keys *keys;
    const uint64_t *hashes; /* hashes of the keys; NULL: computed from the key bytes */
};

/*
 * Sets the bits of n values (classic_core.h): bit floor(value * m / 2^64). Used as partitioned_insert_work's apply(); arg is a
 * struct classic_insertion.
 */
void classic_apply(void *arg, uint8_t *bits, const uint64_t *values, size_t n);

/* Hashes keys first .. first + n - 1 of a batch on the calling thread, to two numbers per key. */
void classic_hash_keys(const tms_keys *keys, uint64_t seed, size_t first, size_t n, uint64_t *hashes);
tms_status classic_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status classic_query_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit);
bool classic_has(const tms_filter *f, const uint8_t *key, size_t size);

#endif
