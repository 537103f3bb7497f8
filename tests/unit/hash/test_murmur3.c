/*
 * murmur3_core.h: a plain form of MurmurHash3_x64_128, written from its description, is checked with SMHasher's
 * verification value and published hashes; the library's function then has to give its first 64 bits.
 */
#include "unit/samples.h"

#include "hash/murmur3_core.h"

static uint64_t rotate(uint64_t x, int r) { return x << r | x >> (64 - r); }

static uint64_t mix(uint64_t k)
{
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdu;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53u;
    k ^= k >> 33;
    return k;
}

/* The bytes of a block one by one; a tail is a block padded with zeros whose state rounds are left out. */
static void reference(const uint8_t *p, size_t len, uint32_t seed, uint64_t out[2])
{
    const uint64_t c1 = 0x87c37b91114253d5u, c2 = 0x4cf5ad432745937fu;
    uint64_t h1 = seed, h2 = seed;
    for (size_t at = 0; at < len; at += 16) {
        uint64_t k1 = 0, k2 = 0;
        size_t left = len - at;
        for (size_t i = 0; i < 8 && i < left; i++)
            k1 += (uint64_t)p[at + i] << (8 * i);
        for (size_t i = 8; i < 16 && i < left; i++)
            k2 += (uint64_t)p[at + i] << (8 * (i - 8));
        k1 *= c1;
        k1 = rotate(k1, 31);
        k1 *= c2;
        k2 *= c2;
        k2 = rotate(k2, 33);
        k2 *= c1;
        if (left < 16) {
            h2 ^= k2; /* 0 where the tail has at most 8 bytes */
            h1 ^= k1;
            break;
        }
        h1 ^= k1;
        h1 = rotate(h1, 27);
        h1 += h2;
        h1 = h1 * 5 + 0x52dce729;
        h2 ^= k2;
        h2 = rotate(h2, 31);
        h2 += h1;
        h2 = h2 * 5 + 0x38495ab5;
    }
    h1 ^= (uint64_t)len;
    h2 ^= (uint64_t)len;
    h1 += h2;
    h2 += h1;
    h1 = mix(h1);
    h2 = mix(h2);
    h1 += h2;
    h2 += h1;
    out[0] = h1;
    out[1] = h2;
}

/* SMHasher's VerificationTest: keys {}, {0}, {0, 1}, ... with seeds 256, 255, ...; the hash of their hashes. */
static void reference_is_verified(void **state)
{
    (void)state;
    uint8_t key[256], all[256 * 16];
    uint64_t h[2];
    for (unsigned i = 0; i < 256; i++) {
        key[i] = (uint8_t)i;
        reference(key, i, 256 - i, h);
        memcpy(all + 16 * i, h, 16);
    }
    reference(all, sizeof all, 0, h);
    assert_int_equal((uint32_t)h[0], 0x6384BA69u);
}

static void published_hashes(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        uint64_t h1;
    } vectors[] = {
        {"", 0},
        {"hello", 0xcbd8a7b341bd9b02u},
        {"hello, world", 0x342fac623a5ebc8eu},
        {"19 Jan 2038 at 3:14:07 AM", 0xb89e5988b737affcu},
        {"The quick brown fox jumps over the lazy dog.", 0xcd99481f9ee902c9u},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        assert_true(murmur3_64((const uint8_t *)vectors[i].key, strlen(vectors[i].key), 0) == vectors[i].h1);
}

static void same_as_reference(void **state)
{
    (void)state;
    static const uint32_t seeds[] = {0, 1, 0x80000000u, 0xffffffffu};
    sample_random r = {sample_seed()};
    for (size_t len = 0; len <= 1100; len++) {
        size_t skew = len % 9;
        uint8_t *p = sample_alloc(len + skew);
        random_fill(&r, p, len + skew);
        for (size_t s = 0; s <= sizeof seeds / sizeof *seeds; s++) {
            uint32_t seed = s < sizeof seeds / sizeof *seeds ? seeds[s] : (uint32_t)random_next(&r);
            uint64_t want[2];
            reference(p + skew, len, seed, want);
            if (murmur3_64(p + skew, len, seed) != want[0])
                fail_msg("length %zu, seed %u", len, seed);
        }
        free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_is_verified),
        cmocka_unit_test(published_hashes),
        cmocka_unit_test(same_as_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
