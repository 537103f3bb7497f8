/* ap_core.h against the AP hash as its author prints it (bytes taken as unsigned), and the salts. */
#include "unit/samples.h"

#include "hash/ap_core.h"

/* A. Partow, "General Purpose Hash Function Algorithms", with the start as a parameter. */
static uint32_t reference(const uint8_t *str, size_t length, uint32_t hash)
{
    for (size_t i = 0; i < length; ++str, ++i)
        hash ^= ((i & 1) == 0) ? ((hash << 7) ^ (uint32_t)(*str) * (hash >> 3)) : (~((hash << 11) + (((uint32_t)*str) ^ (hash >> 5))));
    return hash;
}

static void same_as_reference(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    for (size_t len = 0; len <= 600; len++) {
        uint8_t *p = sample_alloc(len);
        random_fill(&r, p, len);
        for (int i = 0; i < 8; i++) {
            uint32_t salt = i ? (uint32_t)random_next(&r) : AP_DEFAULT_START;
            if (ap_hash(p, len, salt) != reference(p, len, salt))
                fail_msg("length %zu, salt %08x", len, salt);
        }
        free(p);
    }
}

/* By hand: one even step, then one odd step. */
static void worked_by_hand(void **state)
{
    (void)state;
    uint32_t a = 'a', b = 'b', h = 0xAAAAAAAAu;
    assert_int_equal(ap_hash((const uint8_t *)"", 0, h), 0xAAAAAAAAu);
    h = 0xAAAAAAAAu ^ (0x55555500u ^ a * 0x15555555u); /* << 7, >> 3 */
    assert_int_equal(ap_hash((const uint8_t *)"a", 1, 0xAAAAAAAAu), h);
    h = h ^ ~((h << 11) + (b ^ (h >> 5)));
    assert_int_equal(ap_hash((const uint8_t *)"ab", 2, 0xAAAAAAAAu), h);
}

/* Computed once from the formula outside this project's code; other versions of "AP hash" in circulation differ. */
static void fixed_values(void **state)
{
    (void)state;
    assert_int_equal(ap_hash((const uint8_t *)"123456789", 9, AP_DEFAULT_START), 0x767F6149u);
    assert_int_equal(ap_hash((const uint8_t *)"foob", 4, AP_DEFAULT_START), 0x30BFE94Fu);
    assert_int_equal(ap_hash((const uint8_t *)"Hello", 5, AP_DEFAULT_START), 0xDF3A7D3Au);
    assert_int_equal(ap_hash((const uint8_t *)"Hello", 5, 0), 0xAD6FF2FAu);
}

static void salts(void **state)
{
    (void)state;
    static uint32_t all[4096];
    for (uint32_t i = 0; i < 4096; i++) {
        all[i] = ap_salt(7, i);
        assert_true(all[i] != 0);
        for (uint32_t j = 0; j < i; j++)
            assert_true(all[j] != all[i]);
    }
    assert_true(ap_salt(7, 0) != ap_salt(8, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_reference),
        cmocka_unit_test(worked_by_hand),
        cmocka_unit_test(fixed_values),
        cmocka_unit_test(salts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
