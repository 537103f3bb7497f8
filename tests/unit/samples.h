/*
 * samples.h - for the tests of filters: random numbers that can be repeated, key sets in every form, comparisons.
 *
 * Arrays are allocated to the byte, so that AddressSanitizer sees a read past a key.
 */
#ifndef TAMIS_TEST_SAMPLES_H
#define TAMIS_TEST_SAMPLES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif

#include "filter/keys_core.h"
#include "hash/xxh3_core.h"
#include "tamis/tamis.h"

#if defined(__SANITIZE_THREAD__)
#define SAMPLES_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SAMPLES_TSAN 1
#endif
#endif
#ifndef SAMPLES_TSAN
#define SAMPLES_TSAN 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SAMPLES_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SAMPLES_SANITIZED 1
#endif
#endif
#ifndef SAMPLES_SANITIZED
#define SAMPLES_SANITIZED 0
#endif

#define ASSERT_OK(ctx, call)                                                                                                               \
    do {                                                                                                                                   \
        tms_status assert_ok_ = (call);                                                                                                    \
        if (assert_ok_ != TMS_OK)                                                                                                          \
            fail_msg("%s: status %d, \"%s\"", #call, (int)assert_ok_, tms_context_message(ctx));                                           \
    } while (0)

/* A failing call's status, and a word of its message. */
#define ASSERT_FAILS(ctx, status, word, call)                                                                                              \
    do {                                                                                                                                   \
        tms_status assert_fails_ = (call);                                                                                                 \
        if (assert_fails_ != (status))                                                                                                     \
            fail_msg("%s: status %d, not %d", #call, (int)assert_fails_, (int)(status));                                                   \
        if (!strstr(tms_context_message(ctx), (word)))                                                                                     \
            fail_msg("%s: \"%s\" does not say \"%s\"", #call, tms_context_message(ctx), (word));                                           \
    } while (0)

/* --- random numbers: SplitMix64 --- */

typedef struct sample_random {
    uint64_t state;
} sample_random;

static inline uint64_t random_next(sample_random *r)
{
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline uint64_t random_below(sample_random *r, uint64_t n) { return (uint64_t)(((unsigned __int128)random_next(r) * n) >> 64); }

static inline void random_fill(sample_random *r, uint8_t *p, size_t size)
{
    while (size) {
        uint64_t word = random_next(r);
        size_t part = size < 8 ? size : 8;
        memcpy(p, &word, part);
        p += part;
        size -= part;
    }
}

/* Smaller sizes: under a sanitizer, and with TAMIS_AGREE_QUICK=1, which the first level of tests and compute-sanitizer set. */
static inline int sample_is_quick(void)
{
    const char *wish = getenv("TAMIS_AGREE_QUICK");
    return SAMPLES_SANITIZED || (wish && *wish && strcmp(wish, "0") != 0);
}

/* A folder of large real data (CONTRIBUTING.md), or NULL: then the cases that need it are not in the list of tests. */
static inline const char *sample_test_data(void)
{
    const char *folder = getenv("TAMIS_TEST_DATA");
    return folder && *folder ? folder : NULL;
}

/* The run's seed: TAMIS_TEST_SEED, or the clock's; printed once, so that a failure can be repeated. */
static inline uint64_t sample_seed(void)
{
    static uint64_t seed;
    static int known;
    if (!known) {
        const char *given = getenv("TAMIS_TEST_SEED");
        seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
        known = 1;
        print_message("seed: TAMIS_TEST_SEED=%llu\n", (unsigned long long)seed);
    }
    return seed;
}

/* --- keys --- */

typedef enum sample_form {
    FORM_FIXED_8,
    FORM_FIXED_20,
    FORM_FIXED_7,
    FORM_FIXED_0,
    FORM_GAP_0,   /* an offset table, 0 to 300 bytes, now and then 5,000 */
    FORM_GAP_1,   /* the same with a line feed between */
    FORM_LONG,    /* as FORM_GAP_1, and one key of 200 KB among them */
    FORM_EQUAL_8, /* all the same */
    FORM_EQUAL_GAP_1,
    FORM_PADDED_21, /* 0 to 21 bytes in fields of 21, zero bytes behind */
    FORM_COUNT
} sample_form;

static inline const char *form_name(sample_form form)
{
    static const char *const names[] = {"8 bytes",        "20 bytes",     "7 bytes", "0 bytes",      "offsets",
                                        "offsets, gap 1", "one long key", "equal",   "equal, gap 1", "zero-padded"};
    return names[form];
}

typedef struct key_set {
    tms_keys keys;
    uint8_t *bytes;
    uint32_t *offsets;
} key_set;

static inline void *sample_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    assert_non_null(p);
    return p;
}

static inline key_set keys_fixed(size_t n, uint32_t size, uint64_t seed, int equal)
{
    sample_random r = {seed};
    key_set s = {{NULL, NULL, n, size, 0}, (uint8_t *)sample_alloc(n * size), NULL};
    if (equal && n) {
        random_fill(&r, s.bytes, size);
        for (size_t i = 1; i < n; i++)
            memcpy(s.bytes + i * size, s.bytes, size);
    } else {
        random_fill(&r, s.bytes, n * size);
    }
    s.keys.bytes = s.bytes;
    return s;
}

/* Mostly words of 0 to 24 bytes; one in eight has up to 300, one in 4,096 has 5,000. The arena begins `skew` bytes in.
 */
static inline uint32_t random_length(sample_random *r)
{
    uint64_t kind = random_below(r, 4096);
    return kind == 0 ? 5000 : (uint32_t)random_below(r, kind < 512 ? 301 : 25);
}

static inline key_set keys_offsets(size_t n, uint32_t gap, uint32_t long_bytes, uint64_t seed, int equal)
{
    sample_random r = {seed};
    uint32_t skew = (uint32_t)random_below(&r, 5);
    key_set s = {{NULL, NULL, n, 0, gap}, NULL, (uint32_t *)sample_alloc((n + 1) * sizeof(uint32_t))};
    s.offsets[0] = skew;
    for (size_t i = 0; i < n; i++) {
        uint32_t len = equal ? 11 : random_length(&r);
        if (long_bytes && i == n / 2)
            len = long_bytes;
        s.offsets[i + 1] = s.offsets[i] + len + gap;
    }
    s.bytes = (uint8_t *)sample_alloc(s.offsets[n]);
    random_fill(&r, s.bytes, s.offsets[n]);
    for (size_t i = 0; i < n; i++) {
        if (equal)
            memcpy(s.bytes + s.offsets[i], "same_key_11", 11);
        if (gap)
            memset(s.bytes + s.offsets[i + 1] - gap, '\n', gap);
    }
    s.keys.bytes = s.bytes;
    s.keys.offsets = s.offsets;
    return s;
}

static inline key_set keys_padded(size_t n, uint32_t size, uint64_t seed)
{
    sample_random r = {seed};
    key_set s = keys_fixed(n, size, seed, 0);
    for (size_t i = 0; i < n; i++) {
        size_t len = random_below(&r, size + 1);
        memset(s.bytes + i * size + len, 0, size - len);
    }
    s.keys.gap = TMS_KEYS_ZERO_PADDED;
    return s;
}

static inline key_set keys_make(sample_form form, size_t n, uint64_t seed)
{
    static const uint32_t sizes[] = {8, 20, 7, 0};
    switch (form) {
    case FORM_GAP_0:
        return keys_offsets(n, 0, 0, seed, 0);
    case FORM_GAP_1:
        return keys_offsets(n, 1, 0, seed, 0);
    case FORM_LONG:
        return keys_offsets(n, 1, 200000, seed, 0);
    case FORM_EQUAL_8:
        return keys_fixed(n, 8, seed, 1);
    case FORM_EQUAL_GAP_1:
        return keys_offsets(n, 1, 0, seed, 1);
    case FORM_PADDED_21:
        return keys_padded(n, 21, seed);
    default:
        return keys_fixed(n, sizes[form], seed, 0);
    }
}

static inline void keys_free(key_set *s)
{
    free(s->bytes);
    free(s->offsets);
    memset(s, 0, sizeof *s);
}

/* --- images (doc/format-filter.md) --- */

static inline void image_fix_header_sum(void *image)
{
    uint64_t sum = xxh3_64((const uint8_t *)image, 120, 0);
    memcpy((uint8_t *)image + 120, &sum, 8);
}

/* An image that says n_keys insertions were made; free() it. */
static inline void *image_with_n_keys(const void *image, size_t size, uint64_t n_keys)
{
    void *forged = NULL;
    assert_int_equal(posix_memalign(&forged, 64, size), 0);
    memcpy(forged, image, size);
    memcpy((uint8_t *)forged + 40, &n_keys, 8);
    image_fix_header_sum(forged);
    return forged;
}

/* A writable filter from an image. */
static inline tms_filter *copy_of_image(tms_context *ctx, const void *image, size_t size)
{
    tms_filter *opened = NULL, *copy = NULL;
    ASSERT_OK(ctx, tms_filter_open(ctx, image, size, &opened));
    ASSERT_OK(ctx, tms_filter_copy(ctx, opened, &copy));
    tms_filter_destroy(opened);
    return copy;
}

/* --- comparisons --- */

static inline void assert_near(double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%.17g, not %.17g within %g", got, want, relative);
}

/* Byte-for-byte, with the first difference in the failure. */
static inline void assert_same_bytes(const char *what, const void *a, size_t a_size, const void *b, size_t b_size)
{
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
    if (a_size != b_size)
        fail_msg("%s: %zu and %zu bytes", what, a_size, b_size);
    if (!a_size || memcmp(a, b, a_size) == 0)
        return;
    size_t i = 0, n = 0;
    while (x[i] == y[i])
        i++;
    for (size_t j = i; j < a_size; j++)
        n += x[j] != y[j];
    fail_msg("%s: byte %zu is %02x and %02x; %zu of %zu bytes differ", what, i, x[i], y[i], n, a_size);
}

static inline size_t count_hits(const uint8_t *hit, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert_in_range(hit[i], 0, 1);
        sum += hit[i];
    }
    return sum;
}

/* MiB of memory that a test may take; 0 when that cannot be told. */
static inline uint64_t available_mib(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib / 1024;
}

#endif
