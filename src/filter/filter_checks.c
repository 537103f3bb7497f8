/* filter_checks.c - see filter_checks.h. */
#include "filter/filter_checks.h"

#include "filter/layouts.h"

#define CHECKED_KEYS ((size_t)1 << 17) /* keys per task, which takes about 20 us */

tms_status filter_check_sizes(tms_context *ctx, const tms_keys *keys)
{
    if (keys->n_keys && !keys->bytes)
        return context_fail(ctx, TMS_E_ARG, "the batch has %zu keys but no bytes", keys->n_keys);
    if (!keys->offsets) {
        size_t total;
        if (keys->key_size > INT32_MAX || size_mul_overflows(keys->n_keys, keys->key_size, &total))
            return context_fail(ctx, TMS_E_ARG, "keys of %u bytes, %zu of them: too large", keys->key_size, keys->n_keys);
        if (keys->gap > TMS_KEYS_ZERO_PADDED)
            return context_fail(ctx, TMS_E_ARG, "a gap of %u without offsets: 0 or TMS_KEYS_ZERO_PADDED are possible", keys->gap);
        return TMS_OK;
    }
    if (keys->gap > 16)
        return context_fail(ctx, TMS_E_ARG, "a gap of %u bytes between keys: 0 to 16 are possible", keys->gap);
    return TMS_OK;
}

/* Describes the first entry that is not a valid end of a key. */
static tms_status explain_offsets(tms_context *ctx, const tms_keys *keys)
{
    for (size_t i = 0; i < keys->n_keys; i++) {
        uint64_t least = (uint64_t)keys->offsets[i] + keys->gap;
        if (keys->offsets[i + 1] < least || keys->offsets[i + 1] - least > INT32_MAX)
            return context_fail(ctx, TMS_E_ARG,
                                "offsets[%zu] = %u after offsets[%zu] = %u (gap %u) is not a key of 0 to "
                                "2^31 - 1 bytes",
                                i + 1, keys->offsets[i + 1], i, keys->offsets[i], keys->gap);
    }
    return TMS_OK;
}

/*
 * The offset table: a wrong entry would make a kernel read arbitrary memory. For neighbours a, b the top bit of b - a - gap is clear for
 * every right length, and for a > b only where the difference wrapped, which the top bit of b/2 - a/2 shows: two subtractions and no
 * branch, so that the check runs at memory speed.
 */
struct offsets_check {
    const tms_keys *keys;
    uint32_t wrong; /* atomic */
};

static void check_offsets(void *arg, size_t first, size_t end)
{
    struct offsets_check *check = arg;
    const uint32_t *offsets = check->keys->offsets;
    uint32_t gap = check->keys->gap, wrong = 0;
    for (size_t i = first; i < end; i++) {
        uint32_t a = offsets[i], b = offsets[i + 1];
        wrong |= (b - a - gap) | ((b >> 1) - (a >> 1));
    }
    __atomic_fetch_or(&check->wrong, wrong, __ATOMIC_RELAXED);
}

static tms_status check_offset_table(tms_context *ctx, const tms_keys *keys)
{
    struct offsets_check check = {keys, 0};
    if (!keys->offsets)
        return TMS_OK;
    tms_status status = context_run_ranges(ctx, keys->n_keys, CHECKED_KEYS, check_offsets, &check);
    return check.wrong >> 31 ? explain_offsets(ctx, keys) : status;
}

tms_status filter_check_keys(tms_context *ctx, const tms_keys *keys)
{
    tms_status status = filter_check_sizes(ctx, keys);
    return status != TMS_OK ? status : check_offset_table(ctx, keys);
}

tms_status filter_check_writable(tms_context *ctx, const tms_filter *f)
{
    if (f->image && !f->owns_image)
        return context_fail(ctx, TMS_E_ARG, "the filter was opened from an image and is read-only: copy it first");
    return TMS_OK;
}

tms_status filter_check_place(tms_context *ctx, const tms_filter *f, bool *on_gpu)
{
    *on_gpu = f->d_bits && tms_context_device(ctx) == f->device;
    if (!*on_gpu && f->host_stale)
        return context_fail(ctx, TMS_E_ARG,
                            "the filter's bits are on cuda:%d: use a context with that device, "
                            "or call tms_filter_image() first",
                            f->device);
    return TMS_OK;
}

tms_status filter_check_numbers(tms_context *ctx, const tms_filter *f, size_t n)
{
    if (!layout_facts(f->params.layout)->draws || n <= UINT64_MAX - f->n_keys)
        return TMS_OK;
    return context_fail(ctx, TMS_E_ARG,
                        "%llu insertions were made, and %zu more would exceed 2^64: start another filter, with "
                        "another seed",
                        (unsigned long long)f->n_keys, n);
}

tms_status filter_check_insertion(tms_context *ctx, const tms_filter *f, const tms_keys *keys)
{
    tms_status status = filter_check_keys(ctx, keys);
    if (status == TMS_OK)
        status = filter_check_writable(ctx, f);
    return status != TMS_OK ? status : filter_check_numbers(ctx, f, keys->n_keys);
}
