/* keys_core.h: zero-padded fields are the same keys as the strings in an offset table, for all layouts and sizes of fields. */
#include "unit/context_fixture.h"

static const tms_filter_params layouts[] = {
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 503 * 256, 8},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 8, 2 * 251 * 256, 8, .blocks_per_key = 2},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 2, 100003, 7},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 4, 100003, 5},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 1, 100003, 100, .p = 0.1},
};

/* The same keys with an offset table. */
static key_set unpadded(const tms_keys *keys)
{
    key_set s = {.keys = {.n_keys = keys->n_keys}, .offsets = sample_alloc((keys->n_keys + 1) * sizeof *s.offsets)};
    s.bytes = sample_alloc(keys->n_keys * keys->key_size);
    s.offsets[0] = 0;
    for (size_t i = 0; i < keys->n_keys; i++) {
        const uint8_t *field = keys->bytes + i * keys->key_size;
        uint32_t len = keys->key_size;
        while (len > 0 && field[len - 1] == 0)
            len--;
        memcpy(s.bytes + s.offsets[i], field, len);
        s.offsets[i + 1] = s.offsets[i] + len;
    }
    s.keys.bytes = s.bytes;
    s.keys.offsets = s.offsets;
    return s;
}

static void same_keys(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 4, 8, 21, 300};
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            key_set padded = keys_padded(5000, sizes[i], sample_seed() + i), other = unpadded(&padded.keys);
            tms_filter *f, *g;
            ASSERT_OK(ctx, tms_filter_create(ctx, &layouts[l], &f));
            ASSERT_OK(ctx, tms_filter_create(ctx, &layouts[l], &g));
            ASSERT_OK(ctx, tms_filter_insert(ctx, f, &padded.keys));
            ASSERT_OK(ctx, tms_filter_insert(ctx, g, &other.keys));
            assert_same_filter("zero-padded", f, g);
            tms_filter_destroy(f);
            tms_filter_destroy(g);
            keys_free(&padded);
            keys_free(&other);
        }
}

static void another_gap_is_refused(void **state)
{
    (void)state;
    static const uint8_t bytes[24];
    const tms_keys keys = {bytes, NULL, 3, 8, 2};
    tms_filter *f;
    ASSERT_OK(ctx, tms_filter_create(ctx, &layouts[0], &f));
    ASSERT_FAILS(ctx, TMS_E_ARG, "gap of 2", tms_filter_insert(ctx, f, &keys));
    tms_filter_destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_keys),
        cmocka_unit_test(another_gap_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
