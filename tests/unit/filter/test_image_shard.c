/* The file of a shard's filter, version 3: its place, and what a writer may not store there. */
#include "unit/context_fixture.h"

#include <xxhash.h>

enum { AT_VERSION = 8, AT_LAYOUT = 16, AT_BLOCKS_PER_KEY = 84, AT_SHARD = 104, AT_N_SHARDS = 108, AT_INPUT = 112, AT_HEADER_SUM = 120 };

/* A separate copy of an image, aligned to 64 bytes. */
typedef struct copy {
    uint8_t *bytes;
    size_t size;
} copy;

static copy copy_of(const void *image, size_t size)
{
    copy c = {NULL, size};
    assert_int_equal(posix_memalign((void **)&c.bytes, 64, size), 0);
    memcpy(c.bytes, image, size);
    return c;
}

static copy image_of(tms_filter *f)
{
    const void *image;
    size_t size;
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    return copy_of(image, size);
}

/* A filter of three keys. */
static tms_filter *filter_with(const tms_filter_params *p)
{
    static const uint8_t words[] = "tamissieve";
    static const uint32_t offsets[] = {0, 5, 5, 10};
    tms_filter *f;
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &(tms_keys){words, offsets, 3, 0, 0}));
    return f;
}

/* A shard: the place is stored, whatever the layout; without it the bytes are those of a whole filter. */
static void a_shard_has_its_place(void **state)
{
    (void)state;
    const tms_filter_shard place = {3, 7, 0x1234, 0xfedc};
    const tms_filter_params kinds[] = {{TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 6 * 256, 8},
                                       {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 6 * 256, 8, .blocks_per_key = 3},
                                       {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 7, 300, 5},
                                       {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 7, 300, 5, .p = 0.5}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const tms_merge how = kinds[i].layout == TMS_LAYOUT_PROBABILISTIC ? TMS_MERGE_PRESENCE : TMS_MERGE_UNION;
        tms_filter *f = filter_with(&kinds[i]), *opened, *other;
        copy whole = image_of(f);
        assert_int_equal(tms_filter_get_shard(f).n_shards, 0);
        ASSERT_FAILS(ctx, TMS_E_ARG, "shard 0 of 7", tms_filter_set_shard(ctx, f, &(tms_filter_shard){0, 7, 0, 0}));
        ASSERT_FAILS(ctx, TMS_E_ARG, "shard 8 of 7", tms_filter_set_shard(ctx, f, &(tms_filter_shard){8, 7, 0, 0}));
        ASSERT_OK(ctx, tms_filter_set_shard(ctx, f, &place));
        copy c = image_of(f);
        assert_int_equal(c.bytes[AT_VERSION], 3);
        assert_int_equal(c.size, whole.size);
        ASSERT_OK(ctx, tms_filter_open(ctx, c.bytes, c.size, &opened));
        ASSERT_FAILS(ctx, TMS_E_ARG, "read-only", tms_filter_set_shard(ctx, opened, &place));
        tms_filter_shard got = tms_filter_get_shard(opened);
        assert_memory_equal(&got, &place, sizeof got);
        assert_memory_equal(tms_filter_get_params(opened), tms_filter_get_params(f), sizeof kinds[i]);
        ASSERT_OK(ctx, tms_filter_copy(ctx, opened, &other)); /* a copy is the same shard, and a union is none */
        assert_int_equal(tms_filter_get_shard(other).shard, 3);
        ASSERT_OK(ctx, tms_filter_merge(ctx, other, f, how));
        assert_int_equal(tms_filter_get_shard(other).n_shards, 0);
        ASSERT_OK(ctx, tms_filter_set_shard(ctx, f, NULL));
        copy again = image_of(f);
        assert_memory_equal(again.bytes, whole.bytes, whole.size);
        tms_filter_destroy(opened);
        tms_filter_destroy(other);
        tms_filter_destroy(f);
        free(whole.bytes);
        free(again.bytes);
        free(c.bytes);
    }
}

static void every_field_forged(void **state)
{
    (void)state;
    const tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, 6 * 256, 8};
    const struct {
        size_t at;
        uint32_t value;
        const char *words; /* NULL: another shard, and a right one */
    } forgeries[] = {
        {AT_SHARD, 0, "shard 0 of 7"},
        {AT_SHARD, 8, "shard 8 of 7"},
        {AT_SHARD, 7, NULL},
        {AT_N_SHARDS, 0, "shard 3 of 0"},
        {AT_N_SHARDS, 2, "shard 3 of 2"},
        {AT_N_SHARDS, 3, NULL},
        {AT_INPUT, 0, NULL},
        {AT_VERSION, 1, "reserved"},
        {AT_VERSION, 2, "version 2 is for"},
        {AT_BLOCKS_PER_KEY, 1, "version 3 is for"},
        {AT_BLOCKS_PER_KEY, 3, NULL},
        {AT_BLOCKS_PER_KEY + 4, 1, "reserved"},
        {AT_LAYOUT, TMS_LAYOUT_CLASSIC, NULL},
    };
    tms_filter *f = filter_with(&p);
    ASSERT_OK(ctx, tms_filter_set_shard(ctx, f, &(tms_filter_shard){3, 7, 1, 2}));
    copy good = image_of(f), c = image_of(f);
    tms_filter_destroy(f);
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        memcpy(c.bytes, good.bytes, c.size);
        memcpy(c.bytes + forgeries[i].at, &forgeries[i].value, 4);
        uint64_t sum = XXH3_64bits_withSeed(c.bytes, AT_HEADER_SUM, 0);
        memcpy(c.bytes + AT_HEADER_SUM, &sum, 8);
        if (forgeries[i].words) {
            ASSERT_FAILS(ctx, TMS_E_FORMAT, forgeries[i].words, tms_filter_open(ctx, c.bytes, c.size, &f));
            continue;
        }
        ASSERT_OK(ctx, tms_filter_open(ctx, c.bytes, c.size, &f));
        tms_filter_destroy(f);
    }
    free(good.bytes);
    free(c.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shard_has_its_place),
        cmocka_unit_test(every_field_forged),
    };
    return cmocka_run_group_tests_name("image_shard", tests, setup, teardown);
}
