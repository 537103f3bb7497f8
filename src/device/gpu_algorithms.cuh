/*
 * gpu_algorithms.cuh - sums, sorts and selections over arrays in device memory, by CUB: only gpu_algorithms.cu compiles CUB's
 * device-wide algorithms, which takes many seconds.
 *
 * Arrays are device memory of n items, n < 2^31. Calls queue work on gpu->stream and share a workspace. Messages name
 * `stage`. All return TMS_OK; TMS_E_MEMORY; TMS_E_DEVICE.
 */
#ifndef TMS_GPU_ALGORITHMS_CUH
#define TMS_GPU_ALGORITHMS_CUH

#include "device/gpu_internal.cuh"

/* out[i] = in[0] + ... + in[i - 1]. out may equal in. */
tms_status gpu_exclusive_sum(struct gpu *gpu, const char *stage, const uint32_t *in, uint32_t *out, size_t n);
tms_status gpu_exclusive_sum(struct gpu *gpu, const char *stage, const unsigned long long *in, unsigned long long *out, size_t n);

/*
 * gpu_sort_keys() - sorts keys in ascending order.
 *   keys  [in,out] pointer to n keys; on return points to the sorted keys, in the same array or in `other`
 *   other [out]    space for n keys
 */
tms_status gpu_sort_keys(struct gpu *gpu, const char *stage, uint64_t **keys, uint64_t *other, size_t n);

/*
 * gpu_sort_by_key() - sorts values stably in ascending order of their keys. The keys are not
 * changed.
 *   room [in] number of items to reserve workspace for, at least n
 */
tms_status gpu_sort_by_key(struct gpu *gpu, const char *stage, const uint32_t *keys, const uint32_t *values, uint32_t *sorted, size_t n,
                           size_t room);
tms_status gpu_sort_by_key(struct gpu *gpu, const char *stage, const uint64_t *keys, const uint32_t *values, uint32_t *sorted, size_t n,
                           size_t room);

/* Sorts values stably in descending order of their keys. */
tms_status gpu_sort_by_key_descending(struct gpu *gpu, const char *stage, const uint16_t *keys, const uint32_t *values, uint32_t *sorted,
                                      size_t n, size_t room);

/* Sorts the keys of each segment in ascending order. Segment i is keys offsets[i] .. offsets[i + 1] - 1; n: keys of all segments. */
tms_status gpu_sort_segments(struct gpu *gpu, const char *stage, const uint64_t *keys, uint64_t *sorted, size_t n, const uint32_t *offsets,
                             size_t n_segments);

/* Writes the indices 0 .. n - 1 whose flag is not 0, in ascending order. *n_out, in device memory, receives their number. */
tms_status gpu_select_numbers(struct gpu *gpu, const char *stage, const uint8_t *flags, size_t n, uint32_t *out, uint32_t *n_out);

#endif
