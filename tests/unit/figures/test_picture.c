/* picture: boxes, as SVG and as pixels. */
#include "unit/samples.h"

#include <zlib.h>

#include "figures/picture_parts.h"

static struct byte_array svg_of(const picture *p, int within_page)
{
    struct byte_array svg = {0};

    assert_int_equal(picture_svg(p, within_page, &svg), 1);
    assert_true(byte_array_add(&svg, "", 1));
    return svg;
}

static void assert_has(const struct byte_array *svg, const char *text)
{
    if (strstr((const char *)svg->bytes, text) == NULL)
        fail_msg("no %s in %s", text, (const char *)svg->bytes);
}

/* A tooltip is escaped; adjacent boxes have no gap, wherever the border between them is. */
static void test_boxes_svg(void **test)
{
    picture *p = picture_create(20, 10, "a <b> & \"c\"");
    struct byte_array svg;

    (void)test;
    assert_non_null(p);
    picture_box(p, PICTURE_SERIES, &(picture_area){0, 0, 3.26, 10}, "<one>");
    picture_box(p, PICTURE_SERIES + 7, &(picture_area){3.26, 0, 3.26, 10}, "two");
    svg = svg_of(p, 0);
    assert_has(&svg, "<title>a &lt;b&gt; &amp; &quot;c&quot;</title>");
    assert_has(
        &svg,
        "<rect class=\"picture-series0\" fill=\"#0072b2\" x=\"0\" y=\"0\" width=\"3.3\" height=\"10\"><title>&lt;one&gt;</title></rect>");
    assert_has(&svg,
               "<rect class=\"picture-series7\" fill=\"#b9c0c9\" x=\"3.3\" y=\"0\" width=\"3.2\" height=\"10\"><title>two</title></rect>");
    free(svg.bytes);
    svg = svg_of(p, 1);
    assert_has(&svg, "aria-label=\"a &lt;b&gt; &amp; &quot;c&quot;\"");
    assert_has(&svg, "<rect class=\"picture-series0\" x=\"0\"");
    free(svg.bytes);
    picture_free(p);
}

/* Of the rows of a PNG by picture_png(): its only IDAT chunk, without the filter of rows. */
static void unpack(const struct byte_array *png, uint8_t *rows, size_t width, size_t height)
{
    static uint8_t raw[1 << 12];
    uLongf n = sizeof raw;
    size_t at = 8;

    while (memcmp(png->bytes + at + 4, "IDAT", 4) != 0)
        at += 12 + ((size_t)png->bytes[at + 2] << 8 | png->bytes[at + 3]);
    assert_int_equal(uncompress(raw, &n, png->bytes + at + 8, (size_t)png->bytes[at + 2] << 8 | png->bytes[at + 3]), Z_OK);
    assert_int_equal(n, height * (3 * width + 1));
    for (size_t y = 0; y < height; y++)
        for (size_t i = 0; i < 3 * width; i++)
            rows[3 * width * y + i] = (uint8_t)(raw[y * (3 * width + 1) + 1 + i] + (y > 0 ? rows[3 * width * (y - 1) + i] : 0));
}

/* A pixel that is half in the box has half its colour; what is outside the picture is left out. */
static void test_boxes_png(void **test)
{
    picture *p = picture_create(4, 2, "boxes");
    struct byte_array png = {0};
    uint8_t rows[2 * 4 * 3];

    (void)test;
    assert_non_null(p);
    picture_box(p, PICTURE_SERIES, &(picture_area){1, 0, 1.5, 1}, "");
    picture_box(p, PICTURE_SERIES + 1, &(picture_area){3, 1, 5, 5}, "");
    assert_int_equal(picture_png(p, 1, &png), 1);
    unpack(&png, rows, 4, 2);
    for (size_t i = 0; i < 8; i++) {
        static const uint8_t white[3] = {255, 255, 255}, half[3] = {127, 185, 217};
        const uint8_t *want = i == 1   ? picture_colours[PICTURE_SERIES]
                              : i == 7 ? picture_colours[PICTURE_SERIES + 1]
                              : i == 2 ? half
                                       : white;
        for (size_t c = 0; c < 3; c++)
            assert_in_range(rows[3 * i + c], want[c] > 0 ? want[c] - 1U : 0, want[c] + 1U);
    }
    free(png.bytes);
    picture_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_svg),
        cmocka_unit_test(test_boxes_png),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
