/* xxh3_core.h against the xxHash library: every length class, several seeds, any alignment. */
#include "unit/samples.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hash/xxh3_core.h"

static const uint64_t fixed_seeds[] = {0, 1, 0x9E3779B97F4A7C15u, UINT64_MAX, 0x80000000u, 0xFFFFFFFF00000000u};
#define N_SEEDS (sizeof fixed_seeds / sizeof *fixed_seeds)

static void compare(const uint8_t *p, size_t len, uint64_t seed)
{
    uint64_t want = XXH3_64bits_withSeed(p, len, seed), got = xxh3_64(p, len, seed);
    XXH128_hash_t want2 = XXH3_128bits_withSeed(p, len, seed);
    xxh3_hash128 got2 = xxh3_128(p, len, seed);
    if (got != want)
        fail_msg("64 bits, length %zu, seed %llx: %llx, not %llx", len, (unsigned long long)seed, (unsigned long long)got,
                 (unsigned long long)want);
    if (got2.low != want2.low64 || got2.high != want2.high64)
        fail_msg("128 bits, length %zu, seed %llx: %llx %llx, not %llx %llx", len, (unsigned long long)seed, (unsigned long long)got2.high,
                 (unsigned long long)got2.low, (unsigned long long)want2.high64, (unsigned long long)want2.low64);
}

/* Each length in memory of exactly that size, so that a sanitizer sees a read past it. */
static void every_length(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    for (size_t len = 0; len <= 2100; len++) {
        uint8_t *p = sample_alloc(len);
        random_fill(&r, p, len);
        for (size_t s = 0; s < N_SEEDS; s++)
            compare(p, len, fixed_seeds[s]);
        compare(p, len, random_next(&r));
        free(p);
    }
}

static void every_alignment(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 1};
    uint8_t *space = sample_alloc(1400);
    random_fill(&r, space, 1400);
    for (size_t skew = 0; skew < 64; skew++)
        for (size_t len = 0; len < 1300; len += len < 260 ? 1 : 97)
            compare(space + skew, len, random_next(&r));
    free(space);
}

/* Around the ends of stripes (64 bytes) and blocks (1,024 bytes), and a few long ones. */
static void long_inputs(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 2};
    size_t most = 3000000;
    uint8_t *space = sample_alloc(most);
    random_fill(&r, space, most);
    for (size_t block = 1; block <= 9; block++)
        for (size_t near = 0; near < 130; near++)
            compare(space + near % 7, block * 1024 + near - 65, fixed_seeds[near % N_SEEDS]);
    for (int i = 0; i < 40; i++)
        compare(space + i, random_below(&r, 100000), random_next(&r));
    compare(space, 1 << 20, 0);
    compare(space + 1, most - 1, 7);
    free(space);
}

/* Bytes that are all equal reach the corners of additions and multiplications. */
static void extreme_bytes(void **state)
{
    (void)state;
    static const uint8_t values[] = {0, 0xff, 0x80, 0x7f};
    uint8_t space[2100];
    for (size_t v = 0; v < sizeof values; v++) {
        memset(space, values[v], sizeof space);
        for (size_t len = 0; len <= sizeof space; len += len < 300 ? 1 : 61)
            for (size_t s = 0; s < N_SEEDS; s++)
                compare(space, len, fixed_seeds[s]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(every_alignment),
        cmocka_unit_test(long_inputs),
        cmocka_unit_test(extreme_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
