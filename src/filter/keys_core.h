/* keys_core.h - one key of a batch, in host or device memory, and a part of a batch. Kernels take struct tms_keys itself. */
#ifndef TMS_KEYS_CORE_H
#define TMS_KEYS_CORE_H

#include "base/core.h"
#include "tamis/filter.h"

/* Key i of a batch that has an offset table. */
TMS_HD static inline const uint8_t *keys_at_offset(const tms_keys *keys, size_t i, size_t *len)
{
#ifdef __CUDA_ARCH__
    uint32_t from = __ldg(keys->offsets + i), to = __ldg(keys->offsets + i + 1);
#else
    uint32_t from = keys->offsets[i], to = keys->offsets[i + 1];
#endif
    *len = to - from - keys->gap;
    return keys->bytes + from;
}

/* The length of a field of `size` bytes without the zero bytes at its end. */
TMS_HD static inline size_t keys_unpadded(const uint8_t *field, size_t size)
{
    while (size > 0 && field[size - 1] == 0)
        size--;
    return size;
}

/* Key i of a batch. */
TMS_HD static inline const uint8_t *keys_at(const tms_keys *keys, size_t i, size_t *len)
{
    if (keys->offsets)
        return keys_at_offset(keys, i, len);
    const uint8_t *field = keys->bytes + i * keys->key_size;
    *len = keys->gap == TMS_KEYS_ZERO_PADDED ? keys_unpadded(field, keys->key_size) : keys->key_size;
    return field;
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
