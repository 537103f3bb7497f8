/* deflate: what zlib unpacks is what was packed; base64 of RFC 4648; a PNG's chunks have their sums. */
#include "unit/samples.h"

#include <zlib.h>

#include "page/deflate.h"

/* n_parts: 1: deflate_add(); 4: deflate_add_parts(), of which one part is empty. */
static void check(const uint8_t *bytes, size_t n, enum deflate_form form, size_t n_parts)
{
    uint8_t *copy = (uint8_t *)(uintptr_t)bytes;
    const struct byte_array parts[] = {
        {.bytes = copy, .n = n / 3}, {.bytes = NULL}, {.bytes = copy + n / 3, .n = n / 2 - n / 3}, {.bytes = copy + n / 2, .n = n - n / 2}};
    struct byte_array packed = {0};
    uint8_t *back = malloc(n + 1);
    z_stream stream = {0};

    assert_non_null(back);
    assert_true(byte_array_add(&packed, "x", 1)); /* it appends */
    assert_true(n_parts == 1 ? deflate_add(&packed, form, bytes, n) : deflate_add_parts(&packed, form, parts, n_parts));
    assert_int_equal(inflateInit2(&stream, form == DEFLATE_RAW ? -15 : 15), Z_OK);
    stream.next_in = packed.bytes + 1;
    stream.avail_in = (uInt)(packed.n - 1);
    stream.next_out = back;
    stream.avail_out = (uInt)(n + 1);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, n);
    assert_int_equal(stream.avail_in, 0);
    assert_true(n == 0 || memcmp(back, bytes, n) == 0);
    inflateEnd(&stream);
    free(back);
    free(packed.bytes);
}

static void test_deflate(void **test)
{
    static const size_t sizes[] = {0, 1, 1000, 65536, 400000};
    uint8_t *bytes = malloc(400000);
    uint32_t x = 1;

    (void)test;
    assert_non_null(bytes);
    for (size_t i = 0; i < 400000; i++) {
        x = x * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(x >> 24 & (i < 200000 ? 3 : 255)); /* bytes that pack well, and some that do not */
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t n_parts = 1; n_parts <= 4; n_parts += 3) {
            check(bytes, sizes[i], DEFLATE_RAW, n_parts);
            check(bytes, sizes[i], DEFLATE_ZLIB, n_parts);
        }
    }
    free(bytes);
}

static void test_base64(void **test)
{
    static const char *const texts[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"},
                                           {"\xff\xfe\xfd", "//79"}};

    (void)test;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct byte_array out = {0};
        assert_true(base64_add(&out, (const uint8_t *)texts[i][0], strlen(texts[i][0])));
        assert_int_equal(out.n, strlen(texts[i][1]));
        assert_true(out.n == 0 || memcmp(out.bytes, texts[i][1], out.n) == 0);
        free(out.bytes);
    }
}

static void test_png(void **test)
{
    static const uint8_t end[12] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82}; /* of every PNG file */
    struct byte_array out = {0};

    (void)test;
    assert_true(png_add(&out, "IEND", end, 0));
    assert_int_equal(out.n, sizeof end);
    assert_memory_equal(out.bytes, end, sizeof end);
    free(out.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_deflate), cmocka_unit_test(test_base64), cmocka_unit_test(test_png)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
