/* gpu_algorithms.cu - CUB's device-wide algorithms, for the types that tamis has. */
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "device/gpu_algorithms.cuh"

/* Queries the workspace size of an algorithm for `room` items, then runs it on n: call(space, bytes, n); space NULL queries the size. */
template <class Call> static tms_status run(struct gpu *gpu, const char *stage, size_t n, size_t room, Call call)
{
    size_t bytes = 0;
    void *space;
    GPU_TRY(gpu, stage, call(NULL, bytes, (int)room));
    tms_status status = gpu_workspace_anew(gpu, "sums and sorts", bytes, &space);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, stage, call(space, bytes, (int)n));
    return TMS_OK;
}

template <class T> static tms_status exclusive_sum(struct gpu *gpu, const char *stage, const T *in, T *out, size_t n)
{
    return run(gpu, stage, n, n, [=](void *space, size_t &bytes, int count) {
        return cub::DeviceScan::ExclusiveSum(space, bytes, in, out, count, gpu->stream);
    });
}

tms_status gpu_exclusive_sum(struct gpu *gpu, const char *stage, const uint32_t *in, uint32_t *out, size_t n)
{
    return exclusive_sum(gpu, stage, in, out, n);
}

tms_status gpu_exclusive_sum(struct gpu *gpu, const char *stage, const unsigned long long *in, unsigned long long *out, size_t n)
{
    return exclusive_sum(gpu, stage, in, out, n);
}

tms_status gpu_sort_keys(struct gpu *gpu, const char *stage, uint64_t **keys, uint64_t *other, size_t n)
{
    cub::DoubleBuffer<uint64_t> both(*keys, other);
    tms_status status = run(gpu, stage, n, n, [&](void *space, size_t &bytes, int count) {
        return cub::DeviceRadixSort::SortKeys(space, bytes, both, count, 0, 64, gpu->stream);
    });
    *keys = both.Current();
    return status;
}

template <class Key>
static tms_status sort_by_key(struct gpu *gpu, const char *stage, const Key *keys, const uint32_t *values, uint32_t *sorted, size_t n,
                              size_t room)
{
    Key *sorted_keys;
    tms_status status = gpu_workspace_anew_of(gpu, "keys in order", room, &sorted_keys);
    if (status != TMS_OK)
        return status;
    return run(gpu, stage, n, room, [=](void *space, size_t &bytes, int count) {
        return cub::DeviceRadixSort::SortPairs(space, bytes, keys, sorted_keys, values, sorted, count, 0, 8 * (int)sizeof *keys,
                                               gpu->stream);
    });
}

tms_status gpu_sort_by_key(struct gpu *gpu, const char *stage, const uint32_t *keys, const uint32_t *values, uint32_t *sorted, size_t n,
                           size_t room)
{
    return sort_by_key(gpu, stage, keys, values, sorted, n, room);
}

tms_status gpu_sort_by_key(struct gpu *gpu, const char *stage, const uint64_t *keys, const uint32_t *values, uint32_t *sorted, size_t n,
                           size_t room)
{
    return sort_by_key(gpu, stage, keys, values, sorted, n, room);
}

tms_status gpu_sort_by_key_descending(struct gpu *gpu, const char *stage, const uint16_t *keys, const uint32_t *values, uint32_t *sorted,
                                      size_t n, size_t room)
{
    uint16_t *sorted_keys;
    tms_status status = gpu_workspace_anew_of(gpu, "keys in order", room, &sorted_keys);
    if (status != TMS_OK)
        return status;
    return run(gpu, stage, n, room, [=](void *space, size_t &bytes, int count) {
        return cub::DeviceRadixSort::SortPairsDescending(space, bytes, keys, sorted_keys, values, sorted, count, 0, 16, gpu->stream);
    });
}

tms_status gpu_sort_segments(struct gpu *gpu, const char *stage, const uint64_t *keys, uint64_t *sorted, size_t n, const uint32_t *offsets,
                             size_t n_segments)
{
    return run(gpu, stage, n, n, [=](void *space, size_t &bytes, int count) {
        return cub::DeviceSegmentedSort::SortKeys(space, bytes, keys, sorted, count, (int)n_segments, offsets, offsets + 1, gpu->stream);
    });
}

tms_status gpu_select_numbers(struct gpu *gpu, const char *stage, const uint8_t *flags, size_t n, uint32_t *out, uint32_t *n_out)
{
    const thrust::counting_iterator<uint32_t> numbers(0);
    return run(gpu, stage, n, n, [=](void *space, size_t &bytes, int count) {
        return cub::DeviceSelect::Flagged(space, bytes, numbers, flags, out, n_out, count, gpu->stream);
    });
}
