/*
 * image.c: the format's bytes are fixed, and nothing but a whole, true image is opened. The bits are checked against
 * the hash functions of the xxHash library and the documented formulas, so that neither can change unseen.
 */
#include "unit/context_fixture.h"

#include <math.h>
#include <xxhash.h>

#include "hash/ap_core.h"
#include "hash/murmur3_core.h"

#define HEADER_BYTES 128
enum {
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_LAYOUT = 16,
    AT_HASH = 20,
    AT_SEED = 24,
    AT_M = 32,
    AT_N = 40,
    AT_K = 48,
    AT_SAMPLING = 52,
    AT_BITS_BYTES = 56,
    AT_BITS_SUM = 64,
    AT_RESERVED = 72, /* the next two: reserved except in the probabilistic layout */
    AT_P = 72,
    AT_IS_UNION = 80,
    AT_BLOCKS_PER_KEY = 84, /* version 2 */
    AT_HEADER_SUM = 120
};

/* A separate copy of an image, exactly of its size, aligned to 64 bytes. */
typedef struct copy {
    uint8_t *bytes;
    size_t size;
} copy;

static copy copy_of(const void *image, size_t size)
{
    copy c = {NULL, size};
    assert_int_equal(posix_memalign((void **)&c.bytes, 64, size ? size : 1), 0);
    if (size)
        memcpy(c.bytes, image, size);
    return c;
}

static copy image_with(const tms_filter_params *p, const tms_keys *keys)
{
    tms_filter *f;
    const void *image;
    size_t size;
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, keys));
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    copy c = copy_of(image, size);
    tms_filter_destroy(f);
    return c;
}

static const uint8_t three_words[] = "tamissieve";
static const uint32_t three_offsets[] = {0, 5, 5, 10}; /* "tamis", "", "sieve" */
static const tms_keys three_keys = {three_words, three_offsets, 3, 0, 0};

static copy small_image(void)
{
    tms_filter_params p = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 7, 300, 4};
    return image_with(&p, &three_keys);
}

static copy small_probabilistic_image(void)
{
    tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 7, 300, 40, 0.25, TMS_SAMPLING_GEOMETRIC};
    return image_with(&p, &three_keys);
}

static void fix_header_sum(uint8_t *image)
{
    uint64_t sum = XXH3_64bits_withSeed(image, AT_HEADER_SUM, 0);
    memcpy(image + AT_HEADER_SUM, &sum, 8);
}

static void assert_refused(const copy *c, const char *words, const char *what)
{
    tms_filter *f = (tms_filter *)(uintptr_t)1;
    tms_status status = tms_filter_open(ctx, c->bytes, c->size, &f);
    if (status != TMS_E_FORMAT)
        fail_msg("%s: status %d instead of a format error", what, (int)status);
    assert_null(f);
    if (!strstr(tms_context_message(ctx), words))
        fail_msg("%s: \"%s\" does not say \"%s\"", what, tms_context_message(ctx), words);
}

static void round_trips(void **state)
{
    (void)state;
    static const tms_filter_params params[] = {
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 503 * 256, 8},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, UINT64_MAX, 256, 16},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 5, 2 * 256, 8, .blocks_per_key = 2},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 6, 8 * 5000 * 256, 11, .blocks_per_key = 8},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 2, 1, 1},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 3, 255, 5},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 4, 256, 4096},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 5, 257, 6},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 5u * 8388608 + 12345, 3}, /* six chunks of the checksum */
        {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 6, 1000003, 1000, 0.1, TMS_SAMPLING_GEOMETRIC},
        {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_MURMUR3, UINT64_MAX, 257, 3, 1, TMS_SAMPLING_PLAIN},
        {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_AP, 8, 1, 1, 0x1p-64, TMS_SAMPLING_GEOMETRIC},
        {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3_SQUARE, 9, 5u * 8388608 + 12345, 65536, 0x1.23456789abcdep-20, TMS_SAMPLING_PLAIN},
    };
    key_set in = keys_make(FORM_GAP_1, 300, sample_seed());
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        copy a = image_with(&params[i], &in.keys);
        tms_filter *opened, *made;
        const void *image;
        size_t size;
        uint8_t hit[300];
        ASSERT_OK(ctx, tms_filter_open(ctx, a.bytes, a.size, &opened));
        const tms_filter_params *p = tms_filter_get_params(opened);
        assert_true(p->layout == params[i].layout && p->hash == params[i].hash && p->seed == params[i].seed &&
                    p->m_bits == params[i].m_bits && p->k == params[i].k && p->p == params[i].p && p->sampling == params[i].sampling);
        assert_int_equal(p->blocks_per_key, params[i].layout != TMS_LAYOUT_BLOCKED ? 0 : i < 2 ? 1 : params[i].blocks_per_key);
        assert_int_equal(a.bytes[AT_VERSION], p->blocks_per_key > 1 ? 2 : 1);
        tms_keys few = keys_slice(&in.keys, 0, 5);
        if (p->layout == TMS_LAYOUT_PROBABILISTIC) {
            uint32_t ones[5];
            ASSERT_OK(ctx, tms_filter_count(ctx, opened, &few, ones));
            assert_true(p->p < 1 || ones[0] == p->k);
        } else {
            ASSERT_OK(ctx, tms_filter_query(ctx, opened, &in.keys, hit));
            assert_int_equal(count_hits(hit, 300), 300);
        }
        ASSERT_OK(ctx, tms_filter_image(ctx, opened, &image, &size));
        assert_ptr_equal(image, a.bytes); /* not copied */
        assert_int_equal(size, a.size);
        ASSERT_OK(ctx, tms_filter_copy(ctx, opened, &made));
        ASSERT_OK(ctx, tms_filter_image(ctx, made, &image, &size));
        assert_same_bytes("written again", a.bytes, a.size, image, size);
        assert_int_equal((uintptr_t)image % 64, 0);
        tms_filter_destroy(opened);
        tms_filter_destroy(made);
        free(a.bytes);
    }
    keys_free(&in);
}

/* --- the bytes are fixed --- */

static const char *const golden_blocked = "54414d4953464c5401000000800000000100000001000000efcdab8967452301"
                                          "000200000000000003000000000000000d000000000000004000000000000000"
                                          "9dd586cab9edc18e000000000000000000000000000000000000000000000000"
                                          "000000000000000000000000000000000000000000000000349492bd1b195353"
                                          "4220004010020c00100180080400406028100002000010040081000000500000"
                                          "0006000000200400002200000080002040000400000001000000100002000000";
static const char *const golden_parts = "54414d4953464c5402000000800000000100000001000000efcdab8967452301"
                                        "000300000000000003000000000000000b000000000000006000000000000000"
                                        "774592378dd9b6f0000000000000000000000000030000000000000000000000"
                                        "000000000000000000000000000000000000000000000000240ce836e9b1572f"
                                        "4226004010220c00102380080000406008000402000011040081100002500000"
                                        "06884040410080a1102050033000000100840800008004400084000404100010"
                                        "c0002240800010c6190100404800800004840000820080002402000000012002";
static const char *const golden_xxh3 = "54414d4953464c5401000000800000000200000001000000efcdab8967452301"
                                       "fb00000000000000030000000000000009000000000000002000000000000000"
                                       "06f025f4a57fb640000000000000000000000000000000000000000000000000"
                                       "000000000000000000000000000000000000000000000000507760effa1fb88b"
                                       "0a08020000030024006086000002002002810000800080001040020000000301";
static const char *const golden_square = "54414d4953464c5401000000800000000200000002000000efcdab8967452301"
                                         "fb00000000000000030000000000000009000000000000002000000000000000"
                                         "bdf95c7ab7f15258000000000000000000000000000000000000000000000000"
                                         "000000000000000000000000000000000000000000000000e116dd272a0050db"
                                         "1020400100021030102084080000480000000000900000400804060218000500";
static const char *const golden_murmur3 = "54414d4953464c5401000000800000000200000003000000efcdab8967452301"
                                          "fb00000000000000030000000000000009000000000000002000000000000000"
                                          "42fa242c300917d5000000000000000000000000000000000000000000000000"
                                          "0000000000000000000000000000000000000000000000001fd790fdabff2317"
                                          "0080000800154138100000040000001400190040120000000442200008400002";
static const char *const golden_ap = "54414d4953464c5401000000800000000200000004000000efcdab8967452301"
                                     "fb00000000000000030000000000000009000000000000002000000000000000"
                                     "741f56bc25b7cbe7000000000000000000000000000000000000000000000000"
                                     "000000000000000000000000000000000000000000000000e11eb43371826d2f"
                                     "02400c023280000040200080010420200200000080000a100000010183200000";

static const char *const golden_geometric = "54414d4953464c5401000000800000000300000001000000efcdab8967452301"
                                            "fb0000000000000003000000000000005a000000000000002000000000000000"
                                            "9b1bb053bd2ed898333333333333d33f00000000000000000000000000000000"
                                            "0000000000000000000000000000000000000000000000001e3c0cdfc07455aa"
                                            "0a9e5a8058038d4200042e02182e44a2be1a2012a804500c1a40aa212b909a05";
static const char *const golden_plain = "54414d4953464c5401000000800000000300000001000000efcdab8967452301"
                                        "fb0000000000000003000000000000005a000000010000002000000000000000"
                                        "40a269cd7b008bb0333333333333d33f00000000000000000000000000000000"
                                        "000000000000000000000000000000000000000000000000cdf2b72b9ea29c70"
                                        "9914c280082341070455098aa206082b301c0820614304020a80100009097101";

static void assert_golden(const char *name, const tms_filter_params *p, const char *hex)
{
    copy c = image_with(p, &three_keys);
    char *got = sample_alloc(2 * c.size + 1);
    for (size_t i = 0; i < c.size; i++)
        snprintf(got + 2 * i, 3, "%02x", c.bytes[i]);
    if (strcmp(got, hex) != 0)
        fail_msg("the format or a hash has changed: %s is now\n%s\nand was\n%s", name, got, hex);
    free(got);
    free(c.bytes);
}

static void golden_images(void **state)
{
    (void)state;
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0x0123456789abcdef, 512, 13};
    assert_golden("blocked", &p, golden_blocked);
    p = (tms_filter_params){TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0x0123456789abcdef, 768, 11, .blocks_per_key = 3};
    assert_golden("blocked, 3 blocks a key", &p, golden_parts);
    p = (tms_filter_params){TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0x0123456789abcdef, 251, 9};
    assert_golden("xxh3", &p, golden_xxh3);
    p.hash = TMS_HASH_XXH3_SQUARE;
    assert_golden("xxh3-square", &p, golden_square);
    p.hash = TMS_HASH_MURMUR3;
    assert_golden("murmur3", &p, golden_murmur3);
    p.hash = TMS_HASH_AP;
    assert_golden("ap", &p, golden_ap);
    p = (tms_filter_params){TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 0x0123456789abcdef, 251, 90, 0.3, TMS_SAMPLING_GEOMETRIC};
    assert_golden("geometric", &p, golden_geometric);
    p.sampling = TMS_SAMPLING_PLAIN;
    assert_golden("plain", &p, golden_plain);
}

/* The draws of many insertions, including the end of the table of jumps: checksums of the bits after the keys "0" .. "1999". */
static void golden_draws(void **state)
{
    (void)state;
    enum { N = 2000 };
    static const struct {
        tms_filter_params params;
        uint64_t checksum;
    } cases[] = {
        {{TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 1, 1000003, 3000, 0.01, TMS_SAMPLING_GEOMETRIC}, 0x66d453ac09b65e9d},
        {{TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 2, 1000003, 65536, 1e-5, TMS_SAMPLING_GEOMETRIC}, 0xbfea3c3c803128ca},
        {{TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3_SQUARE, ~0ull, 1000003, 100, 0.8, TMS_SAMPLING_GEOMETRIC}, 0x661c97e0a40baa72},
        {{TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 3, 1000003, 1000, 0.01, TMS_SAMPLING_PLAIN}, 0xaa20c32a11114eb5},
        {{TMS_LAYOUT_PROBABILISTIC, TMS_HASH_MURMUR3, 4, 1000003, 30, 0.3, TMS_SAMPLING_PLAIN}, 0x443b455af312eea3},
    };
    uint8_t bytes[5 * N];
    uint32_t offsets[N + 1] = {0};
    for (uint32_t i = 0; i < N; i++)
        offsets[i + 1] = offsets[i] + (uint32_t)sprintf((char *)bytes + offsets[i], "%u", i);
    tms_keys keys = {bytes, offsets, N, 0, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        copy c = image_with(&cases[i].params, &keys);
        uint64_t sum;
        memcpy(&sum, c.bytes + AT_BITS_SUM, 8);
        if (sum != cases[i].checksum)
            fail_msg("the draws have changed: case %zu is now %016llx", i, (unsigned long long)sum);
        free(c.bytes);
    }
}

/* The documented header, field by field. */
static void header_fields(void **state)
{
    (void)state;
    copy c = small_image();
    static const uint8_t start[] = {'T', 'A', 'M', 'I', 'S', 'F', 'L', 'T', 1, 0, 0,  0, 128, 0, 0, 0, 2, 0, 0, 0, 1, 0,
                                    0,   0,   7,   0,   0,   0,   0,   0,   0, 0, 44, 1, 0,   0, 0, 0, 0, 0, 3, 0, 0, 0,
                                    0,   0,   0,   0,   4,   0,   0,   0,   0, 0, 0,  0, 64,  0, 0, 0, 0, 0, 0, 0};
    static const uint8_t zeros[AT_HEADER_SUM - AT_RESERVED];
    uint64_t sum;
    assert_int_equal(c.size, HEADER_BYTES + 64); /* 300 bits are two blocks of 32 bytes */
    assert_memory_equal(c.bytes, start, sizeof start);
    assert_memory_equal(c.bytes + AT_RESERVED, zeros, sizeof zeros);
    memcpy(&sum, c.bytes + AT_BITS_SUM, 8);
    assert_true(sum == XXH3_64bits_withSeed(c.bytes + HEADER_BYTES, 64, 0));
    memcpy(&sum, c.bytes + AT_HEADER_SUM, 8);
    assert_true(sum == XXH3_64bits_withSeed(c.bytes, AT_HEADER_SUM, 0));
    free(c.bytes);
}

static void probabilistic_header_fields(void **state)
{
    (void)state;
    tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_MURMUR3, 7, 300, 0xf345, 0.25, TMS_SAMPLING_PLAIN};
    static const uint8_t start[] = {'T', 'A', 'M', 'I', 'S',  'F',  'L', 'T', 1, 0, 0,  0, 128, 0, 0, 0, 3, 0, 0, 0, 3, 0,
                                    0,   0,   7,   0,   0,    0,    0,   0,   0, 0, 44, 1, 0,   0, 0, 0, 0, 0, 3, 0, 0, 0,
                                    0,   0,   0,   0,   0x45, 0xf3, 0,   0,   1, 0, 0,  0, 64,  0, 0, 0, 0, 0, 0, 0};
    static const uint8_t quarter[] = {0, 0, 0, 0, 0, 0, 0xd0, 0x3f}; /* IEEE 754, least byte first */
    static const uint8_t zeros[AT_HEADER_SUM - AT_IS_UNION];
    tms_filter *a, *b;
    const void *image;
    size_t size;
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &a));
    ASSERT_OK(ctx, tms_filter_insert(ctx, a, &three_keys));
    ASSERT_OK(ctx, tms_filter_image(ctx, a, &image, &size));
    assert_memory_equal(image, start, sizeof start);
    assert_memory_equal((const uint8_t *)image + AT_P, quarter, 8);
    assert_memory_equal((const uint8_t *)image + AT_IS_UNION, zeros, sizeof zeros);
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &b));
    ASSERT_OK(ctx, tms_filter_merge(ctx, a, b, TMS_MERGE_PRESENCE));
    ASSERT_OK(ctx, tms_filter_image(ctx, a, &image, &size));
    assert_int_equal(((const uint8_t *)image)[AT_IS_UNION], 1);
    assert_memory_equal((const uint8_t *)image + AT_IS_UNION + 1, zeros, sizeof zeros - 1);
    tms_filter_destroy(a);
    tms_filter_destroy(b);
}

/* The checksum of the bits: exclusive or over chunks i of 1 MiB of XXH3-64(chunk, seed i). */
static void chunked_checksum(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1u << 23, (1u << 23) + 256, 6u << 23, (7u << 23) - 256};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 3, sizes[s], 8};
        key_set in = keys_make(FORM_FIXED_8, 2000, sample_seed() + s);
        copy c = image_with(&p, &in.keys);
        uint64_t want = 0, got;
        for (size_t i = 0, at = HEADER_BYTES; at < c.size; i++, at += 1 << 20)
            want ^= XXH3_64bits_withSeed(c.bytes + at, c.size - at < 1 << 20 ? c.size - at : 1 << 20, i);
        memcpy(&got, c.bytes + AT_BITS_SUM, 8);
        assert_true(got == want);
        free(c.bytes);
        keys_free(&in);
    }
}

/* --- the bits, by the formulas and other people's hashes --- */

static uint64_t scale(uint64_t h, uint64_t n) { return (uint64_t)(((unsigned __int128)h * n) >> 64); }

static uint64_t splitmix(uint64_t seed, uint64_t i)
{
    sample_random r = {seed + i * 0x9E3779B97F4A7C15u};
    return random_next(&r);
}

static void set_classic(uint8_t *bits, const tms_filter_params *p, const uint8_t *key, size_t len)
{
    XXH128_hash_t h = XXH3_128bits_withSeed(key, len, p->seed);
    for (uint64_t i = 0; i < p->k; i++) {
        uint64_t x;
        if (p->hash == TMS_HASH_XXH3)
            x = h.low64 + i * h.high64 + (i * i * i - i) / 6 * 0x9E3779B97F4A7C15u;
        else if (p->hash == TMS_HASH_XXH3_SQUARE)
            x = h.low64 + i * i * h.high64;
        else if (p->hash == TMS_HASH_MURMUR3)
            x = murmur3_64(key, len, (uint32_t)splitmix(p->seed, i)); /* test_murmur3.c */
        else
            x = splitmix(i << 32 ^ ap_hash(key, len, (uint32_t)splitmix(p->seed, i)), 0); /* test_ap.c */
        uint64_t at = scale(x, p->m_bits);
        bits[at / 8] |= (uint8_t)(1u << at % 8);
    }
}

static void set_blocked(uint8_t *bits, const tms_filter_params *p, const uint8_t *key, size_t len)
{
    static const uint32_t salts[] = {0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
                                     0xb5297a4d, 0x68e31da5, 0x1b56c4e9, 0xd2a98b27, 0x93f8e60b, 0xe7037ed1, 0x3c6ef373, 0xcc9e2d51};
    uint64_t h = XXH3_64bits_withSeed(key, len, p->seed), n_parts = p->blocks_per_key ? p->blocks_per_key : 1;
    uint64_t part_blocks = p->m_bits / 256 / n_parts;
    for (uint64_t i = 0; i < n_parts; i++) {
        uint64_t g = i == 0 ? h : splitmix(h, i - 1), block = i * part_blocks + scale(g, part_blocks);
        for (uint32_t j = 0; j < p->k; j++) {
            uint64_t at = block * 256 + j % 8 * 32 + ((uint32_t)g * salts[j] >> 27);
            bits[at / 8] |= (uint8_t)(1u << at % 8);
        }
    }
}

static void bits_by_the_formulas(void **state)
{
    (void)state;
    static const tms_filter_params params[] = {
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 1001 * 256, 1},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 5, 1001 * 256, 8},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 5, 3 * 256, 11},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 5, 1024 * 256, 16},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 2 * 501 * 256, 8, .blocks_per_key = 2},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 3 * 64 * 256, 13, .blocks_per_key = 3},
        {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 8 * 3 * 256, 1, .blocks_per_key = 8},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 1000003, 7},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 9, 9973, 4096},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 0, 1000003, 7},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 9, 9973, 4096},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 1, 1000003, 20},
        {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 1, 1000003, 20},
    };
    for (size_t i = 0; i < sizeof params / sizeof *params; i++)
        for (int form = FORM_GAP_0; form <= FORM_GAP_1; form++) {
            const tms_filter_params *p = &params[i];
            size_t n = p->k > 100 ? 20 : 400;
            key_set in = keys_make((sample_form)form, n, sample_seed() + i);
            copy c = image_with(p, &in.keys);
            uint8_t *want = calloc(1, c.size - HEADER_BYTES);
            assert_non_null(want);
            for (size_t j = 0; j < n; j++) {
                const uint8_t *key = in.bytes + in.offsets[j];
                size_t len = in.offsets[j + 1] - in.offsets[j] - in.keys.gap;
                (p->layout == TMS_LAYOUT_BLOCKED ? set_blocked : set_classic)(want, p, key, len);
            }
            assert_same_bytes("bits", want, c.size - HEADER_BYTES, c.bytes + HEADER_BYTES, c.size - HEADER_BYTES);
            free(want);
            free(c.bytes);
            keys_free(&in);
        }
}

/* --- damage --- */

/* Every byte of a small image, by each of its bits and whole. */
static void every_byte_of(copy c)
{
    for (size_t i = 0; i < c.size; i++)
        for (int how = 0; how < 9; how++) {
            uint8_t change = how < 8 ? (uint8_t)(1u << how) : 0xff;
            char what[64];
            snprintf(what, sizeof what, "byte %zu xor %02x", i, change);
            c.bytes[i] ^= change;
            const char *words = i < AT_VERSION                                          ? "not a tamis filter"
                                : i < AT_VERSION + 4 && (i > AT_VERSION || change != 2) ? "version" /* 2: version 3 */
                                : i < HEADER_BYTES                                      ? "corrupt header"
                                                                                        : "corrupt bits";
            assert_refused(&c, words, what);
            c.bytes[i] ^= change;
        }
    free(c.bytes);
}

static void every_byte_corrupted(void **state)
{
    (void)state;
    every_byte_of(small_image());
    every_byte_of(small_probabilistic_image());
}

static void every_truncation(void **state)
{
    (void)state;
    copy whole = small_image();
    for (size_t size = 0; size < whole.size; size++) {
        copy c = copy_of(whole.bytes, size); /* so that a sanitizer sees a read past the end */
        char what[64];
        snprintf(what, sizeof what, "%zu bytes", size);
        assert_refused(&c, size < 8 ? "not a tamis filter" : "truncated", what);
        free(c.bytes);
    }
    for (size_t more = 1; more <= 70; more++) {
        copy c = {NULL, whole.size + more};
        assert_int_equal(posix_memalign((void **)&c.bytes, 64, c.size), 0);
        memset(c.bytes, 0, c.size);
        memcpy(c.bytes, whole.bytes, whole.size);
        assert_refused(&c, "trailing", "trailing bytes");
        free(c.bytes);
    }
    free(whole.bytes);
}

/* Fields that a wrong writer, or a careful forger, might store: the header's checksum is right. */
static void every_field_forged(void **state)
{
    (void)state;
    const struct {
        size_t at, size;
        uint64_t value;
        const char *words;
    } forgeries[] = {
        {AT_VERSION, 4, 0, "version 0"},
        {AT_VERSION, 4, 2, "version 2 is for"}, /* in a classic filter */
        {AT_VERSION, 4, 4, "versions 1 to 3"},
        {AT_VERSION, 4, 0xffffffff, "version"},
        {AT_HEADER_BYTES, 4, 0, "header"},
        {AT_HEADER_BYTES, 4, 127, "header"},
        {AT_HEADER_BYTES, 4, 192, "header"},
        {AT_LAYOUT, 4, 0, "layout"},
        {AT_LAYOUT, 4, 3, "p = 0"},
        {AT_LAYOUT, 4, 4, "layout"},
        {AT_LAYOUT, 4, 0xffffffff, "layout"},
        {AT_LAYOUT, 4, TMS_LAYOUT_BLOCKED, "multiple of 256"}, /* 300 bits */
        {AT_HASH, 4, 0, "hash"},
        {AT_HASH, 4, 5, "hash"},
        {AT_HASH, 4, 0xffffffff, "hash"},
        {AT_M, 8, 0, "m = 0"},
        {AT_M, 8, 256, "m = 256"},
        {AT_M, 8, 513, "m = 513"},
        {AT_M, 8, (uint64_t)1 << 48, "m = "},
        {AT_M, 8, ((uint64_t)1 << 48) + 1, "m = "},
        {AT_M, 8, UINT64_MAX, "m = "},
        {AT_M, 8, UINT64_MAX - 254, "m = "},
        {AT_K, 4, 0, "k = 0"},
        {AT_K, 4, 4097, "k = 4097"},
        {AT_K, 4, 0xffffffff, "k = 4294967295"},
        {AT_K + 4, 4, 1, "reserved"},
        {AT_BITS_BYTES, 8, 0, "sizes"},
        {AT_BITS_BYTES, 8, 32, "sizes"},
        {AT_BITS_BYTES, 8, 96, "sizes"},
        {AT_BITS_BYTES, 8, UINT64_MAX, "sizes"},
        {AT_BITS_BYTES, 8, (uint64_t)0 - 128, "sizes"},
        {AT_BITS_SUM, 8, 0, "corrupt bits"},
        {AT_RESERVED, 8, 1, "reserved"},
        {AT_HEADER_SUM - 8, 8, (uint64_t)1 << 63, "reserved"},
    };
    copy c = small_image(), good = copy_of(c.bytes, c.size);
    tms_filter *f;
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        char what[64];
        snprintf(what, sizeof what, "%llx at %zu", (unsigned long long)forgeries[i].value, forgeries[i].at);
        memcpy(c.bytes, good.bytes, c.size);
        memcpy(c.bytes + forgeries[i].at, &forgeries[i].value, forgeries[i].size);
        fix_header_sum(c.bytes);
        assert_refused(&c, forgeries[i].words, what);
    }
    /* A blocked filter with another hash, and with more functions than it can have. */
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 512, 8};
    copy blocked = image_with(&p, &three_keys);
    blocked.bytes[AT_HASH] = TMS_HASH_AP;
    fix_header_sum(blocked.bytes);
    assert_refused(&blocked, "xxh3", "blocked with ap");
    blocked.bytes[AT_HASH] = TMS_HASH_XXH3;
    blocked.bytes[AT_K] = 17;
    fix_header_sum(blocked.bytes);
    assert_refused(&blocked, "k = 17", "blocked with k = 17");
    /* Any seed and any number of keys are possible; and the checks above can pass. */
    memcpy(c.bytes, good.bytes, c.size);
    memset(c.bytes + AT_SEED, 0xff, 8);
    memset(c.bytes + AT_N, 0xff, 8);
    fix_header_sum(c.bytes);
    ASSERT_OK(ctx, tms_filter_open(ctx, c.bytes, c.size, &f));
    tms_filter_stats s;
    ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &s));
    assert_true(s.n_keys == UINT64_MAX && s.expected_fpr <= 1);
    tms_filter_destroy(f);
    free(c.bytes);
    free(good.bytes);
    free(blocked.bytes);
}

/* Checks of version 2, which has one more field. */
static void every_number_of_blocks_forged(void **state)
{
    (void)state;
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 6 * 256, 8, .blocks_per_key = 3};
    copy good = image_with(&p, &three_keys), c = copy_of(good.bytes, good.size);
    const struct {
        size_t at;
        uint32_t value;
        const char *words; /* NULL: another filter, and a right one */
    } forgeries[] = {
        {AT_BLOCKS_PER_KEY, 0, "version 2 is for"},
        {AT_BLOCKS_PER_KEY, 1, "version 2 is for"},
        {AT_BLOCKS_PER_KEY, 2, NULL},
        {AT_BLOCKS_PER_KEY, 4, "multiple of 1024"},
        {AT_BLOCKS_PER_KEY, 6, NULL},
        {AT_BLOCKS_PER_KEY, 9, "1 to 8"},
        {AT_BLOCKS_PER_KEY, 0xffffffff, "1 to 8"},
        {AT_BLOCKS_PER_KEY + 4, 1, "reserved"},
        {AT_P, 1, "reserved"},
        {AT_IS_UNION, 1, "reserved"},
        {AT_SAMPLING, 1, "reserved"},
        {AT_VERSION, 1, "reserved"}, /* where the 3 is */
        {AT_LAYOUT, TMS_LAYOUT_CLASSIC, "others have none"},
        {AT_LAYOUT, TMS_LAYOUT_PROBABILISTIC, "others have none"},
        {AT_M, 1024, "multiple of 768"},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        tms_filter *f;
        memcpy(c.bytes, good.bytes, c.size);
        memcpy(c.bytes + forgeries[i].at, &forgeries[i].value, 4);
        fix_header_sum(c.bytes);
        if (forgeries[i].words) {
            assert_refused(&c, forgeries[i].words, forgeries[i].words);
            continue;
        }
        ASSERT_OK(ctx, tms_filter_open(ctx, c.bytes, c.size, &f));
        assert_int_equal(tms_filter_get_params(f)->blocks_per_key, forgeries[i].value);
        tms_filter_destroy(f);
    }
    free(good.bytes);
    free(c.bytes);
}

/* Checks of the fields that only a probabilistic filter has. */
static void every_probabilistic_field_forged(void **state)
{
    (void)state;
    static const double wrong_ps[] = {0, -0.0, -1, -0.25, 2, 1.0000000000000002, INFINITY, -INFINITY, NAN, 0x1.fp-65, 5e-324};
    static const struct {
        size_t at;
        uint32_t value;
        const char *words; /* NULL: it is all right */
    } forgeries[] = {
        {AT_SAMPLING, 1, NULL},
        {AT_SAMPLING, 2, "sampling 2"},
        {AT_SAMPLING, 0x100, "sampling 256"},
        {AT_SAMPLING, 0xffffffff, "sampling"},
        {AT_IS_UNION, 1, NULL},
        {AT_IS_UNION, 2, "union mark is 2"},
        {AT_IS_UNION, 0xffffffff, "union mark"},
        {AT_K, 0, "k = 0"},
        {AT_K, 4097, NULL},
        {AT_K, 65536, NULL},
        {AT_K, 65537, "k = 65537: the probabilistic layout takes 1 to 65536"},
        {AT_HASH, TMS_HASH_AP, NULL},
        {AT_HASH, 5, "hash"},
        {AT_M, 0, "m = 0"},
        {AT_M, 513, "sizes"},
        {AT_LAYOUT, TMS_LAYOUT_CLASSIC, "reserved"}, /* p is where its reserved bytes are */
        {AT_LAYOUT, TMS_LAYOUT_BLOCKED, ""},
        {AT_P, 0xffffffff, NULL}, /* another p */
    };
    copy c = small_probabilistic_image(), good = copy_of(c.bytes, c.size);
    char what[64];
    tms_filter *f;
    for (size_t i = 0; i < sizeof wrong_ps / sizeof *wrong_ps; i++) {
        snprintf(what, sizeof what, "p = %g", wrong_ps[i]);
        memcpy(c.bytes + AT_P, &wrong_ps[i], 8);
        fix_header_sum(c.bytes);
        assert_refused(&c, "p = ", what);
    }
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        snprintf(what, sizeof what, "%x at %zu", forgeries[i].value, forgeries[i].at);
        memcpy(c.bytes, good.bytes, c.size);
        memcpy(c.bytes + forgeries[i].at, &forgeries[i].value, 4);
        fix_header_sum(c.bytes);
        if (forgeries[i].words) {
            assert_refused(&c, forgeries[i].words, what);
            continue;
        }
        tms_filter_stats s;
        ASSERT_OK(ctx, tms_filter_open(ctx, c.bytes, c.size, &f));
        ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &s));
        assert_int_equal(s.is_union, forgeries[i].at == AT_IS_UNION);
        tms_filter_destroy(f);
    }
    for (size_t at = AT_IS_UNION + 4; at < AT_HEADER_SUM; at++) {
        memcpy(c.bytes, good.bytes, c.size);
        c.bytes[at] = 1;
        fix_header_sum(c.bytes);
        assert_refused(&c, "reserved", "a reserved byte");
    }
    free(c.bytes);
    free(good.bytes);
    for (int blocked = 0; blocked < 2; blocked++) { /* in other layouts these fields are reserved */
        tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 512, 8};
        c = blocked ? image_with(&p, &three_keys) : small_image();
        for (size_t at = AT_SAMPLING; at < AT_HEADER_SUM; at++) {
            if (at >= AT_BITS_BYTES && at < AT_RESERVED)
                continue;
            c.bytes[at] = 1;
            fix_header_sum(c.bytes);
            assert_refused(&c, "reserved", blocked ? "blocked" : "classic");
            c.bytes[at] = 0;
        }
        fix_header_sum(c.bytes);
        ASSERT_OK(ctx, tms_filter_open(ctx, c.bytes, c.size, &f));
        tms_filter_destroy(f);
        free(c.bytes);
    }
}

/* Bits beyond m belong to no key: an image that has some was not written by tamis. */
static void bits_beyond_m(void **state)
{
    (void)state;
    copy c = small_image();
    for (size_t bit = 300; bit < 512; bit += 13) {
        uint8_t *byte = c.bytes + HEADER_BYTES + bit / 8, before = *byte;
        *byte |= (uint8_t)(1u << bit % 8);
        uint64_t sum = XXH3_64bits_withSeed(c.bytes + HEADER_BYTES, 64, 0);
        memcpy(c.bytes + AT_BITS_SUM, &sum, 8);
        fix_header_sum(c.bytes);
        assert_refused(&c, "beyond m", "a bit beyond m");
        *byte = before;
    }
    free(c.bytes);
}

static void misaligned(void **state)
{
    (void)state;
    copy c = small_image(), space = {NULL, c.size + 64};
    tms_filter *f;
    assert_int_equal(posix_memalign((void **)&space.bytes, 64, space.size), 0);
    for (size_t skew = 1; skew < 64; skew += skew < 8 ? 1 : 8) {
        memcpy(space.bytes + skew, c.bytes, c.size);
        ASSERT_FAILS(ctx, TMS_E_ARG, "aligned", tms_filter_open(ctx, space.bytes + skew, c.size, &f));
        assert_null(f);
    }
    free(space.bytes);
    free(c.bytes);
}

static void other_files(void **state)
{
    (void)state;
    static const char *const files[] = {"", "hello\n", "\x1f\x8b\x08", "TAMISFL", "TAMISFLU and more that is no filter at all"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        copy c = copy_of(files[i], strlen(files[i]));
        assert_refused(&c, "not a tamis filter", files[i]);
        free(c.bytes);
    }
    sample_random r = {sample_seed()};
    for (int i = 0; i < 2000; i++) {
        copy c = {NULL, (size_t)random_below(&r, 600)};
        assert_int_equal(posix_memalign((void **)&c.bytes, 64, c.size + 1), 0);
        random_fill(&r, c.bytes, c.size);
        if (i % 2 && c.size >= HEADER_BYTES) {
            memcpy(c.bytes, "TAMISFLT\1\0\0", 12);
            fix_header_sum(c.bytes);
        }
        assert_refused(&c, "", "random bytes");
        free(c.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(golden_images),
        cmocka_unit_test(golden_draws),
        cmocka_unit_test(header_fields),
        cmocka_unit_test(probabilistic_header_fields),
        cmocka_unit_test(chunked_checksum),
        cmocka_unit_test(bits_by_the_formulas),
        cmocka_unit_test(every_byte_corrupted),
        cmocka_unit_test(every_truncation),
        cmocka_unit_test(every_field_forged),
        cmocka_unit_test(every_number_of_blocks_forged),
        cmocka_unit_test(every_probabilistic_field_forged),
        cmocka_unit_test(bits_beyond_m),
        cmocka_unit_test(misaligned),
        cmocka_unit_test(other_files),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
