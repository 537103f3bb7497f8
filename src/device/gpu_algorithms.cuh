/*
 * gpu_algorithms.cuh - sums, sorts and selections over arrays in device memory, by CUB: gpu_algorithms.cu is the one file that compiles its
 * device-wide algorithms, which takes many seconds.
 *
 * Arrays are device memory of n items, n < 2^31. Everything is queued on gpu->stream, with a workspace that all calls share. `stage` is for
 * messages. All return TMS_OK; TMS_E_MEMORY; TMS_E_DEVICE.
 */
#ifndef TMS_GPU_ALGORITHMS_CUH
#define TMS_GPU_ALGORITHMS_CUH

#include "device/gpu_internal.cuh"

/* out[i] = in[0] + ... + in[i - 1]. out may be in. */
tms_status gpu_exclusive_sum(struct gpu *gpu, const char *stage, const uint32_t *in, uint32_t *out, size_t n);
tms_status gpu_exclusive_sum(struct gpu *gpu, const char *stage, const unsigned long long *in, unsigned long long *out, size_t n);

/*
 * gpu_sort_keys() - in ascending order.
 *   keys [in,out] n keys; then where they are in order: there, or in `other`
 *   other [out]   space for n keys
 */
tms_status gpu_sort_keys(struct gpu *gpu, const char *stage, uint64_t **keys, uint64_t *other, size_t n);

/*
 * gpu_sort_by_key() - values in ascending order of their keys; of equal keys the values stay in the order that they have. Keys stay as they
 * are.
 *   room [in] space is taken for so many items, n at least
 */
tms_status gpu_sort_by_key(struct gpu *gpu, const char *stage, const uint32_t *keys, const uint32_t *values, uint32_t *sorted, size_t n,
                           size_t room);
tms_status gpu_sort_by_key(struct gpu *gpu, const char *stage, const uint64_t *keys, const uint32_t *values, uint32_t *sorted, size_t n,
                           size_t room);

/* The same in descending order of the keys. */
tms_status gpu_sort_by_key_descending(struct gpu *gpu, const char *stage, const uint16_t *keys, const uint32_t *values, uint32_t *sorted,
                                      size_t n, size_t room);

/* The keys of each segment in ascending order. Segment i is keys offsets[i] .. offsets[i + 1] - 1; n: keys of all segments. */
tms_status gpu_sort_segments(struct gpu *gpu, const char *stage, const uint64_t *keys, uint64_t *sorted, size_t n, const uint32_t *offsets,
                             size_t n_segments);

/* The numbers 0 .. n - 1 whose flag is not 0, in ascending order. *n_out, in device memory: how many they are. */
tms_status gpu_select_numbers(struct gpu *gpu, const char *stage, const uint8_t *flags, size_t n, uint32_t *out, uint32_t *n_out);

#endif
