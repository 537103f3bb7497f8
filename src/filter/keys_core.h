/* keys_core.h - one key of a batch, and a part of one. */
#ifndef TMS_KEYS_CORE_H
#define TMS_KEYS_CORE_H

#include "base/core.h"
#include "tamis/filter.h"

/* Key i of a batch. */
static inline const uint8_t *keys_at(const tms_keys *keys, size_t i, size_t *len)
{
    if (!keys->offsets) {
        *len = keys->key_size;
        return keys->bytes + i * keys->key_size;
    }
    *len = keys->offsets[i + 1] - keys->offsets[i] - keys->gap;
    return keys->bytes + keys->offsets[i];
}

/* The part of a batch that begins at key `first`. */
static inline tms_keys keys_slice(const tms_keys *keys, size_t first, size_t n)
{
    tms_keys part = *keys;
    part.n_keys = n;
    if (keys->offsets)
        part.offsets += first;
    else
        part.bytes += first * keys->key_size;
    return part;
}

#endif
