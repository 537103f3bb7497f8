/* builder.c: a builder's filter equals the one that tms_filter_size(), _create() and _insert() make from all keys at once. */
#include "unit/context_fixture.h"

static const tms_filter_want wants[] = {
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 7, .fpr = 1e-6},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 8, .k = 5, .blocks_per_key = 3},
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 9, .m_bits = 70000},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 1, .fpr = 0.01},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 2, .fpr = 0.9},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 3, .fpr = 0.05},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 4, .m_bits = 50021},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 5, .k = 2},
    /* Sized without a number of keys. */
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 5, .m_bits = 1000, .k = 3},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 6, .m_bits = 10007, .k = 4},
};
#define N_WANTS (sizeof wants / sizeof *wants)
enum { N_UNSIZED = 9, BLOCKED = 0, CLASSIC = 4, MURMUR3 = 6 };

static tms_builder *begun(const tms_filter_want *want)
{
    tms_builder *b;
    ASSERT_OK(ctx, tms_builder_create(ctx, want, &b));
    assert_int_equal(tms_builder_n_keys(b), 0);
    return b;
}

static void add(tms_builder *b, const tms_keys *keys) { ASSERT_OK(ctx, tms_builder_add(ctx, b, keys)); }

static tms_filter *finished(tms_builder *b)
{
    tms_filter *f;
    ASSERT_OK(ctx, tms_builder_finish(ctx, b, &f));
    tms_builder_destroy(b);
    return f;
}

static tms_filter *created(const tms_filter_want *want, uint64_t n_keys)
{
    tms_filter_want known = *want;
    tms_filter_params params;
    tms_filter *f;
    known.n_keys = n_keys ? n_keys : 1;
    ASSERT_OK(ctx, tms_filter_size(ctx, &known, &params));
    ASSERT_OK(ctx, tms_filter_create(ctx, &params, &f));
    return f;
}

static tms_filter *filter_at_once(const tms_filter_want *want, uint64_t n_keys, const tms_keys *keys)
{
    tms_filter *f = created(want, n_keys);
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, keys));
    return f;
}

/* At most batch_keys at a time, each from a copy that is gone afterwards; empty batches between them. */
static void add_in_batches(tms_builder *b, const tms_keys *keys, size_t batch_keys)
{
    const tms_keys none = {NULL, NULL, 0, 8, 0};
    for (size_t i = 0; i < keys->n_keys; i += batch_keys) {
        size_t n = keys->n_keys - i < batch_keys ? keys->n_keys - i : batch_keys;
        tms_keys part = keys_slice(keys, i, n);
        uint32_t first = keys->offsets ? part.offsets[0] : 0;
        size_t size = keys->offsets ? part.offsets[n] - first : n * keys->key_size;
        uint8_t *bytes = sample_alloc(size);
        uint32_t *offsets = sample_alloc((n + 1) * sizeof *offsets);
        if (size)
            memcpy(bytes, part.bytes + first, size);
        for (size_t j = 0; j <= n && keys->offsets; j++)
            offsets[j] = part.offsets[j] - first;
        tms_keys copy = {bytes, keys->offsets ? offsets : NULL, n, keys->key_size, keys->gap};
        add(b, &copy);
        add(b, &none);
        free(bytes);
        free(offsets);
        assert_int_equal(tms_builder_n_keys(b), i + n);
    }
}

/* Any batches, forms of keys and threads; the number of keys known beforehand, or not. */
static void any_batches(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 4095, 4097, 9000}, batches[] = {1, 3, 1000, 4096, 9000};
    for (size_t w = 0; w < N_WANTS; w++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            sample_form form = (sample_form)((w + c) % FORM_COUNT);
            key_set in = keys_make(form, counts[c], sample_seed() + c);
            tms_filter *expected = filter_at_once(&wants[w], counts[c], &in.keys);
            for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
                tms_filter_want want = wants[w];
                want.n_keys = i % 2 ? counts[c] : 0;
                ASSERT_OK(ctx, tms_context_set_threads(ctx, 1 + (int)((i + c) % 4)));
                tms_builder *b = begun(&want);
                add_in_batches(b, &in.keys, batches[i]);
                tms_filter *f = finished(b);
                assert_same_filter(form_name(form), expected, f);
                tms_filter_destroy(f);
            }
            tms_filter_destroy(expected);
            keys_free(&in);
        }
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 0));
}

/* All forms in one stream, and enough of them for several chunks. */
static void mixed_forms(void **state)
{
    (void)state;
    enum { N = 20000 };
    for (size_t w = 0; w < N_UNSIZED; w++) {
        tms_filter *expected = created(&wants[w], (uint64_t)FORM_COUNT * N);
        tms_builder *b = begun(&wants[w]);
        for (int form = 0; form < FORM_COUNT; form++) {
            key_set in = keys_make((sample_form)form, N, sample_seed() + (uint64_t)form);
            ASSERT_OK(ctx, tms_filter_insert(ctx, expected, &in.keys));
            add(b, &in.keys);
            keys_free(&in);
        }
        tms_filter *f = finished(b);
        assert_same_filter("mixed forms", expected, f);
        tms_filter_destroy(f);
        tms_filter_destroy(expected);
    }
}

/* Sized for one key. It answers no. */
static void no_keys(void **state)
{
    (void)state;
    key_set asked = keys_make(FORM_GAP_1, 1000, sample_seed());
    uint8_t hit[1000];
    for (size_t w = 0; w < N_WANTS; w++) {
        tms_filter *f = finished(begun(&wants[w])), *expected = created(&wants[w], 1);
        assert_same_filter("no keys", expected, f);
        ASSERT_OK(ctx, tms_filter_query(ctx, f, &asked.keys, hit));
        assert_int_equal(count_hits(hit, 1000), 0);
        tms_filter_destroy(f);
        tms_filter_destroy(expected);
        tms_builder_destroy(begun(&wants[w]));
    }
    tms_builder_destroy(NULL);
    keys_free(&asked);
}

static void more_keys_than_expected(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_20, 3000, sample_seed());
    for (size_t w = 0; w < N_WANTS; w++) {
        tms_filter_want want = wants[w];
        want.n_keys = 100;
        tms_builder *b = begun(&want);
        add_in_batches(b, &in.keys, 1000);
        tms_filter *f = finished(b), *expected = filter_at_once(&want, 100, &in.keys);
        assert_same_filter("more keys", expected, f);
        tms_filter_destroy(f);
        tms_filter_destroy(expected);
    }
    keys_free(&in);
}

/* A size of the caller's own, more than once, and for the keys up to then. */
static void own_filter(void **state)
{
    (void)state;
    enum { N = 10000 };
    key_set in = keys_make(FORM_GAP_1, N, sample_seed());
    for (size_t w = 0; w < N_UNSIZED; w++) {
        tms_filter_want one_in_n = {wants[w].layout, wants[w].hash, wants[w].seed};
        tms_builder *b = begun(&wants[w]);
        for (size_t n = N / 2; n <= N; n += N / 2) {
            tms_keys half = keys_slice(&in.keys, n - N / 2, N / 2), all = keys_slice(&in.keys, 0, n);
            add(b, &half);
            one_in_n.fpr = 1.0 / (double)tms_builder_n_keys(b);
            tms_filter *f = created(&one_in_n, n), *expected = filter_at_once(&one_in_n, n, &all);
            ASSERT_OK(ctx, tms_builder_insert(ctx, b, f));
            assert_same_filter("own filter", expected, f);
            tms_filter_destroy(f);
            tms_filter_destroy(expected);
        }
        tms_filter *f = finished(b), *expected = filter_at_once(&wants[w], N, &in.keys);
        assert_same_filter("after that", expected, f);
        tms_filter_destroy(f);
        tms_filter_destroy(expected);
    }
    keys_free(&in);
}

/* Errors that do not depend on the number of keys are reported at once, others at the end, with a suggestion. */
static void requests_refused(void **state)
{
    (void)state;
    static const struct {
        tms_filter_want want;
        const char *words;
    } early[] = {
        {{0, TMS_HASH_XXH3}, "unknown filter layout"},
        {{TMS_LAYOUT_CLASSIC, (tms_hash)9}, "unknown hash"},
        {{TMS_LAYOUT_BLOCKED, TMS_HASH_AP}, "xxh3 only"},
        {{TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3}, "tms_frequency_size()"},
        {{TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, .fpr = 1}, "between 0 and 1"},
        {{TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, .fpr = -0.1, .m_bits = 100}, "between 0 and 1"},
        {{TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, .k = 17}, "k = 17"},
        {{TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, .k = 3, .blocks_per_key = 2}, "blocks per key"},
        {{TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, .m_bits = TMS_MAX_BITS + 1}, "m = "},
        {{TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, .n_keys = 1000, .fpr = 0.001, .m_bits = 2000}, "would do"},
    };
    tms_builder *b;
    for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
        b = (tms_builder *)(uintptr_t)1;
        ASSERT_FAILS(ctx, TMS_E_ARG, early[i].words, tms_builder_create(ctx, &early[i].want, &b));
        assert_null(b);
    }
    key_set in = keys_make(FORM_FIXED_8, 1000, sample_seed());
    for (int k = 0; k < 6; k += 5) {
        tms_filter_want late = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, .fpr = 0.001, .m_bits = 2000, .k = (uint32_t)k};
        tms_filter_want larger = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, .m_bits = 20000};
        tms_filter *f = (tms_filter *)(uintptr_t)1;
        b = begun(&late);
        add(b, &in.keys);
        ASSERT_FAILS(ctx, TMS_E_ARG, "would do", tms_builder_finish(ctx, b, &f));
        assert_null(f);
        assert_int_equal(tms_builder_n_keys(b), 1000);
        f = created(&larger, 1000);
        ASSERT_OK(ctx, tms_builder_insert(ctx, b, f));
        tms_filter *expected = filter_at_once(&larger, 1000, &in.keys);
        assert_same_filter("another size", expected, f);
        tms_filter_destroy(expected);
        tms_filter_destroy(f);
        tms_builder_destroy(b);
    }
    keys_free(&in);
}

/* A program that was compiled with an older header, and one with a newer. */
static void other_versions(void **state)
{
    (void)state;
    struct {
        tms_filter_want known;
        uint64_t later;
    } newer = {wants[CLASSIC], 0};
    tms_filter_want *older = sample_alloc(offsetof(tms_filter_want, blocks_per_key));
    tms_filter *expected = created(&wants[CLASSIC], 1);
    memcpy(older, &wants[CLASSIC], offsetof(tms_filter_want, blocks_per_key));
    for (int is_newer = 0; is_newer < 2; is_newer++) {
        tms_builder *b;
        ASSERT_OK(ctx, tms_builder_create_sized(ctx, is_newer ? &newer.known : older,
                                                is_newer ? sizeof newer : offsetof(tms_filter_want, blocks_per_key), &b));
        tms_filter *f = finished(b);
        assert_same_filter("versions", expected, f);
        tms_filter_destroy(f);
    }
    newer.later = 1;
    tms_builder *b = (tms_builder *)(uintptr_t)1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "tms_filter_want", tms_builder_create_sized(ctx, &newer.known, sizeof newer, &b));
    assert_null(b);
    tms_filter_destroy(expected);
    free(older);
}

/* Nothing of a batch that is refused is added. */
static void batches_refused(void **state)
{
    (void)state;
    static const uint8_t bytes[16];
    static const uint32_t down[] = {0, 5, 4}, right[] = {0, 4, 8};
    const tms_keys wrong[] = {{NULL, right, 2, 0, 0}, {bytes, down, 2, 0, 0}, {bytes, right, 2, 0, 17}, {bytes, NULL, 2, UINT32_MAX, 0}};
    key_set in = keys_make(FORM_GAP_1, 5000, sample_seed());
    for (size_t w = 0; w < N_WANTS; w++) {
        tms_builder *b = begun(&wants[w]);
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            tms_keys part = keys_slice(&in.keys, i * 1250, 1250);
            assert_int_equal(tms_builder_add(ctx, b, &wrong[i]), TMS_E_ARG);
            add(b, &part);
            assert_int_equal(tms_builder_n_keys(b), (i + 1) * 1250);
        }
        tms_filter *f = finished(b), *expected = filter_at_once(&wants[w], 5000, &in.keys);
        assert_same_filter("without the refused batches", expected, f);
        tms_filter_destroy(f);
        tms_filter_destroy(expected);
    }
    keys_free(&in);
}

static void after_the_end(void **state)
{
    (void)state;
    key_set in = keys_make(FORM_FIXED_8, 100, sample_seed());
    for (size_t w = 0; w < N_WANTS; w++) {
        tms_builder *b = begun(&wants[w]);
        tms_filter *f, *second = (tms_filter *)(uintptr_t)1;
        add(b, &in.keys);
        ASSERT_OK(ctx, tms_builder_finish(ctx, b, &f));
        ASSERT_FAILS(ctx, TMS_E_ARG, "finished", tms_builder_finish(ctx, b, &second));
        assert_null(second);
        ASSERT_FAILS(ctx, TMS_E_ARG, "finished", tms_builder_add(ctx, b, &in.keys));
        ASSERT_FAILS(ctx, TMS_E_ARG, "finished", tms_builder_insert(ctx, b, f));
        assert_int_equal(tms_builder_n_keys(b), 100);
        tms_builder_destroy(b);
        tms_filter *expected = filter_at_once(&wants[w], 100, &in.keys); /* the filter outlives its builder */
        assert_same_filter("finished", expected, f);
        tms_filter_destroy(expected);
        tms_filter_destroy(f);
    }
    keys_free(&in);
}

static void filters_that_differ(void **state)
{
    (void)state;
    tms_filter_want other[] = {wants[BLOCKED], wants[CLASSIC], wants[CLASSIC]};
    tms_builder *b = begun(&wants[CLASSIC]), *sized;
    tms_filter *same = created(&wants[CLASSIC], 100);
    other[1].hash = TMS_HASH_XXH3_SQUARE;
    other[2].seed++;
    for (int i = 0; i < 3; i++) {
        tms_filter *f = created(&other[i], 100);
        ASSERT_FAILS(ctx, TMS_E_ARG, "the builder", tms_builder_insert(ctx, b, f));
        tms_filter_destroy(f);
    }
    tms_filter_want known = wants[CLASSIC];
    known.n_keys = 100;
    sized = begun(&known);
    ASSERT_FAILS(ctx, TMS_E_ARG, "keeps no keys", tms_builder_insert(ctx, sized, same));
    ASSERT_OK(ctx, tms_builder_insert(ctx, b, same));
    tms_filter_destroy(same);
    tms_builder_destroy(sized);
    tms_builder_destroy(b);
}

static void cancelled(void **state)
{
    (void)state;
    static const size_t some[] = {BLOCKED, CLASSIC, MURMUR3};
    key_set in = keys_make(FORM_FIXED_20, 9000, sample_seed());
    tms_keys first = keys_slice(&in.keys, 0, 5000), rest = keys_slice(&in.keys, 5000, 4000);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        const tms_filter_want *want = &wants[some[i]];
        tms_filter *f = (tms_filter *)(uintptr_t)1, *expected = filter_at_once(want, 9000, &in.keys);
        tms_builder *b = begun(want);
        add(b, &first);
        tms_context_cancel(ctx);
        assert_int_equal(tms_builder_add(ctx, b, &rest), TMS_E_CANCELLED);
        tms_context_resume(ctx);
        assert_int_equal(tms_builder_n_keys(b), 5000);
        add(b, &rest);
        tms_context_cancel(ctx);
        assert_int_equal(tms_builder_finish(ctx, b, &f), TMS_E_CANCELLED);
        assert_null(f);
        tms_context_resume(ctx);
        f = finished(b);
        assert_same_filter("after cancelling", expected, f);
        tms_filter_destroy(f);
        tms_filter_destroy(expected);
    }
    keys_free(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_batches),    cmocka_unit_test(mixed_forms),
        cmocka_unit_test(no_keys),        cmocka_unit_test(more_keys_than_expected),
        cmocka_unit_test(own_filter),     cmocka_unit_test(requests_refused),
        cmocka_unit_test(other_versions), cmocka_unit_test(batches_refused),
        cmocka_unit_test(after_the_end),  cmocka_unit_test(filters_that_differ),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
