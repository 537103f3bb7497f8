/*
 * fuzz_filter_image.c - any bytes as a filter image: tms_filter_open() refuses them with a message, or the filter
 * works.
 *
 * Each input is tried as it is, and once more with the checksums of the header and of the bits put right (and the magic
 * and version, so that little is wasted), because no fuzzer guesses those.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/core.h"
#include "fuzz_require.h"
#include "tamis/tamis.h"

#define HEADER_BYTES 128

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Insertion, unless it would pass 2^64, watched for heavy hitters where that is possible; and estimates. */
static void use_counts(tms_context *ctx, tms_filter *f, const tms_keys *keys, int is_full)
{
    tms_filter_stats stats;
    tms_frequency estimate;
    tms_heavy *heavy = NULL;
    const tms_heavy_report *reports;
    size_t n;
    tms_status status = TMS_OK;
    if (tms_filter_get_params(f)->k <= 1024) /* its limits are searched for among all k: the time of many runs */
        status = tms_heavy_create(ctx, f, TMS_BY_F_MIN, 0.5, 0.9, &heavy);
    REQUIRE(status == TMS_OK || (status == TMS_E_ARG && !heavy));
    status = heavy ? tms_heavy_insert(ctx, heavy, keys, &reports, &n) : tms_filter_insert(ctx, f, keys);
    REQUIRE(status == (is_full ? TMS_E_ARG : TMS_OK));
    tms_heavy_destroy(heavy);
    REQUIRE(tms_filter_get_stats(ctx, f, &stats) == TMS_OK);
    for (uint32_t ones = 0; ones < 2; ones++) {
        REQUIRE(tms_frequency_estimate(ctx, tms_filter_get_params(f), stats.fill, 0.95, ones, &estimate) == TMS_OK);
        REQUIRE(estimate.f >= 0 && estimate.f_min >= 0 && estimate.f_min <= estimate.f_max);
    }
}

/* A filter that opened answers, counts, can be copied, and the copy's image is the one it came from. */
static void use(tms_context *ctx, tms_filter *f, const uint8_t *image, size_t size)
{
    static const uint8_t bytes[40] = "a few bytes to be cut into keys";
    static const uint32_t offsets[] = {0, 0, 1, 5, 30};
    const tms_filter_params *p = tms_filter_get_params(f);
    const int n = p->k <= 64 ? 4 : 1; /* up to 65,536 bits a key, over and over: nearly all of the time of all runs */
    const tms_keys keys = {bytes, offsets + 4 - n, (size_t)n, 0, 0};
    const int counts = p->layout == TMS_LAYOUT_PROBABILISTIC;
    uint8_t hit[4];
    uint32_t ones[4], more[4];
    tms_filter_stats stats;
    tms_filter *copy;
    const void *again;
    size_t again_size;
    REQUIRE(tms_filter_query(ctx, f, &keys, hit) == (counts ? TMS_E_ARG : TMS_OK));
    REQUIRE(tms_filter_count(ctx, f, &keys, ones) == (counts ? TMS_OK : TMS_E_ARG));
    for (int i = 0; i < n; i++)
        REQUIRE(counts ? ones[i] <= p->k : hit[i] <= 1);
    REQUIRE(tms_filter_get_stats(ctx, f, &stats) == TMS_OK);
    REQUIRE(stats.fill >= 0 && stats.fill <= 1);
    REQUIRE(stats.actual_fpr >= 0 && stats.actual_fpr <= 1 + 1e-9);
    REQUIRE(stats.expected_fpr >= 0 && stats.expected_fpr <= 1 + 1e-9);
    REQUIRE(tms_filter_insert(ctx, f, &keys) == TMS_E_ARG);
    REQUIRE(tms_filter_copy(ctx, f, &copy) == TMS_OK);
    REQUIRE(tms_filter_image(ctx, copy, &again, &again_size) == TMS_OK);
    REQUIRE(again_size == size && memcmp(again, image, size) == 0);
    if (counts) {
        use_counts(ctx, copy, &keys, stats.n_keys > UINT64_MAX - (uint64_t)n);
        REQUIRE(tms_filter_count(ctx, copy, &keys, more) == TMS_OK);
        for (int i = 0; i < n; i++)
            REQUIRE(more[i] >= ones[i] && (p->p < 1 || stats.n_keys > UINT64_MAX - (uint64_t)n || more[i] == p->k));
    } else {
        REQUIRE(tms_filter_insert(ctx, copy, &keys) == TMS_OK);
        REQUIRE(tms_filter_query(ctx, copy, &keys, hit) == TMS_OK);
        for (int i = 0; i < n; i++)
            REQUIRE(hit[i] == 1);
        REQUIRE(tms_filter_merge(ctx, copy, f, TMS_MERGE_INTERSECT) == TMS_OK);
    }
    tms_filter_destroy(copy);
}

static void try_open(tms_context *ctx, const uint8_t *image, size_t size)
{
    tms_filter *f;
    tms_status status = tms_filter_open(ctx, image, size, &f);
    if (status == TMS_OK) {
        use(ctx, f, image, size);
        tms_filter_destroy(f);
    } else {
        REQUIRE(status == TMS_E_FORMAT && f == NULL && tms_context_message(ctx)[0]);
    }
}

static void put_right(uint8_t *image, size_t size)
{
    static const uint8_t start[16] = {'T', 'A', 'M', 'I', 'S', 'F', 'L', 'T', 1, 0, 0, 0, HEADER_BYTES, 0, 0, 0};
    uint64_t sum = 0;
    memcpy(image, start, sizeof start);
    for (size_t i = 0, at = HEADER_BYTES; at < size; i++, at += 1 << 20)
        sum ^= XXH3_64bits_withSeed(image + at, size - at < 1 << 20 ? size - at : 1 << 20, i);
    core_write64(image + 64, sum);
    sum = XXH3_64bits_withSeed(image, 120, 0);
    core_write64(image + 120, sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tms_context *ctx;
    void *image;
    if (!ctx && (tms_context_create(&ctx) != TMS_OK || tms_context_set_threads(ctx, 1) != TMS_OK))
        abort();
    if (posix_memalign(&image, 64, size ? size : 1) != 0)
        return 0;
    memcpy(image, data, size);
    try_open(ctx, image, size);
    if (size >= HEADER_BYTES) {
        put_right(image, size);
        try_open(ctx, image, size);
        /* and with the size of the bits that goes with its length, which few inputs get right */
        uint64_t bits_bytes = size - HEADER_BYTES;
        core_write64((uint8_t *)image + 56, bits_bytes);
        put_right(image, size);
        try_open(ctx, image, size);
    }
    free(image);
    return 0;
}
