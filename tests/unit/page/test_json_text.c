/* json_text: what a JSON reader gets back, and no byte that could end a script element; base 91 back to its bytes. */
#include "unit/samples.h"

#include <jansson.h>

#include "page/deflate.h"
#include "page/json_text.h"

static void check(const char *bytes, size_t n, const char *want)
{
    struct byte_array text = {0};
    json_t *read;
    char *copy = malloc(n + 1); /* to the byte, so that a read behind it is seen */

    assert_non_null(copy);
    memcpy(copy, bytes, n);
    assert_true(json_add_string(&text, copy, n));
    for (size_t i = 0; i < text.n; i++)
        assert_true(strchr("<>&", text.bytes[i]) == NULL && text.bytes[i] >= ' ' && text.bytes[i] != 0x7f);
    read = json_loadb((const char *)text.bytes, text.n, JSON_DECODE_ANY, NULL);
    assert_non_null(read);
    assert_string_equal(json_string_value(read), want);
    json_decref(read);
    free(text.bytes);
    free(copy);
}

static void test_strings(void **test)
{
    (void)test;
    check("", 0, "");
    check("a \"quoted\" \\ path\n\t", 19, "a \"quoted\" \\ path\n\t");
    check("</script><!-- & -->", 19, "</script><!-- & -->");
    check("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    check("x\xff\xc3", 3, "x\xef\xbf\xbd\xef\xbf\xbd");               /* no UTF-8, and its beginning at the end */
    check("\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* a surrogate */
    check("\x01\x7f", 2, "\x01\x7f");
}

static void test_numbers(void **test)
{
    struct byte_array text = {0};

    (void)test;
    assert_true(json_add_number(&text, INT64_MIN) && byte_array_add(&text, " ", 1) && json_add_number(&text, 0));
    assert_int_equal(text.n, 22);
    assert_memory_equal(text.bytes, "-9223372036854775808 0", 22);
    free(text.bytes);
}

/* Reads base 91 as the pages' script does. */
static void test_base91(void **test)
{
    uint8_t bytes[300], digit[128] = {0};

    (void)test;
    for (int c = 33, k = 0; c < 127; c++) {
        if (strchr("<>&", c) == NULL)
            digit[c] = (uint8_t)k++;
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i < 40 ? 255 : i * 151 + 7);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        struct byte_array text = {0};
        uint32_t bits = 0;
        unsigned n_bits = 0;
        size_t at = 0;
        assert_true(base91_add(&text, bytes, n));
        assert_int_equal(text.n, (8 * n + 12) / 13 * 2);
        for (size_t i = 0; at < n; i += 2) {
            bits |= (uint32_t)(digit[text.bytes[i]] + 91 * digit[text.bytes[i + 1]]) << n_bits;
            for (n_bits += 13; n_bits >= 8 && at < n; n_bits -= 8, bits >>= 8)
                assert_int_equal(bits & 255, bytes[at++]);
        }
        for (size_t i = 0; i < text.n; i++)
            assert_true(strchr("<>&", text.bytes[i]) == NULL && text.bytes[i] > ' ' && text.bytes[i] < 0x7f);
        free(text.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_strings), cmocka_unit_test(test_numbers), cmocka_unit_test(test_base91)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
