/* picture_svg.c - a picture as SVG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/picture_parts.h"
#include "page/deflate.h"
#include "page/html_text.h"

static long tenths_of(double x) { return (long)(x * 10 + (x < 0 ? -0.5 : 0.5)); }

/* A number with at most one digit behind the point, in its shortest form. */
static const char *number(double x, char text[32])
{
    long tenths = tenths_of(x);

    if (tenths % 10 == 0)
        snprintf(text, 32, "%ld", tenths / 10);
    else
        snprintf(text, 32, "%s%ld.%ld", tenths < 0 ? "-" : "", labs(tenths) / 10, labs(tenths) % 10);
    return text;
}

/* Opens an element in a colour, which it fills, or as a line follows. Without a page's style the colours are here. */
static void open_element(FILE *to, const char *element, int within_page, picture_colour colour, int is_line)
{
    const uint8_t *c = picture_colours[colour];

    fprintf(to, "<%s class=\"%s%s\"", element, picture_class(colour), is_line ? " picture-line" : "");
    if (!within_page)
        fprintf(to, " %s=\"#%02x%02x%02x\"", is_line ? "fill=\"none\" stroke" : "fill", c[0], c[1], c[2]);
}

/* Lines of one colour and width are one path. Returns the part after the last of them. */
static size_t put_lines(const picture *p, size_t i, int within_page, FILE *to)
{
    const struct picture_part *first = &p->parts[i];
    char x[32], y[32];

    open_element(to, "path", within_page, first->type.colour, 1);
    fprintf(to, " stroke-width=\"%s\" stroke-linecap=\"round\" d=\"", number(first->type.size, x));
    for (; i < p->n_parts; i++) {
        const struct picture_part *part = &p->parts[i];
        if (part->kind != PICTURE_LINE || part->type.colour != first->type.colour || part->type.size < first->type.size ||
            part->type.size > first->type.size)
            break;
        fprintf(to, "M%s %s", number(part->x1, x), number(part->y1, y));
        number(part->x2, x);
        number(part->y2, y);
        fprintf(to, "L%s %s", x, y);
    }
    fputs("\"/>\n", to);
    return i;
}

static const char *text_of(const picture *p, const struct picture_part *part) { return (const char *)p->bytes.bytes + part->at; }

/* Both edges are rounded, so that boxes side by side stay so. */
static void put_box(const picture *p, const struct picture_part *part, int within_page, FILE *to)
{
    const picture_area *a = &part->area;
    const double width = (double)(tenths_of(a->x + a->width) - tenths_of(a->x)) / 10;
    const double height = (double)(tenths_of(a->y + a->height) - tenths_of(a->y)) / 10;
    char at[4][32];

    open_element(to, "rect", within_page, part->type.colour, 0);
    fprintf(to, " x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>", number(a->x, at[0]), number(a->y, at[1]), number(width, at[2]),
            number(height, at[3]));
    html_put(to, text_of(p, part));
    fputs("</title></rect>\n", to);
}

static void put_text(const picture *p, const struct picture_part *part, int within_page, FILE *to)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    char x[32], y[32], size[32], turn[32];

    open_element(to, "g", within_page, part->type.colour, 0);
    fputc('>', to);
    fprintf(to, "<text x=\"%s\" y=\"%s\" font-size=\"%s\"%s", number(part->x1, x), number(part->y1, y), number(part->type.size, size),
            anchors[part->type.anchor]);
    if (part->type.upward > 0)
        fprintf(to, " transform=\"rotate(%s %s %s)\"", number(-part->type.upward, turn), x, y);
    fputc('>', to);
    html_put(to, text_of(p, part));
    fputs("</text>\n</g>\n", to);
}

/* The grid as PNG with a palette, in the picture. Returns 0 if there is no memory. */
static int put_grid(const picture *p, const struct picture_part *part, FILE *to)
{
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    struct byte_array png = {0}, text = {0}, packed = {0}, rows = {0};
    uint8_t palette[1 + 2 * PICTURE_SHADES][3] = {{0}}, opacity[1 + 2 * PICTURE_SHADES] = {0};
    const uint8_t shape[5] = {8, 3, 0, 0, 0}; /* bits, palette */
    const uint32_t size[2] = {(uint32_t)part->n_columns, (uint32_t)part->n_rows};
    struct byte_array head = {0};
    char at[4][32];
    int fits = byte_array_add_big_endian(&head, size, 2) && byte_array_add(&head, shape, sizeof shape);

    for (unsigned i = 1; i <= 2 * PICTURE_SHADES; i++) {
        memcpy(palette[i], picture_colours[i <= PICTURE_SHADES ? PICTURE_FORWARD : PICTURE_REVERSE], 3);
        opacity[i] = (uint8_t)picture_opacity(i <= PICTURE_SHADES ? i : i - PICTURE_SHADES);
    }
    for (size_t row = 0; row < part->n_rows && fits; row++)
        fits = byte_array_add(&rows, "", 1) && /* no filter */
               byte_array_add(&rows, p->bytes.bytes + part->at + row * part->n_columns, part->n_columns);
    fits = fits && deflate_add(&packed, DEFLATE_ZLIB, rows.bytes, rows.n) && byte_array_add(&png, magic, sizeof magic) &&
           png_add(&png, "IHDR", head.bytes, head.n) && png_add(&png, "PLTE", &palette[0][0], sizeof palette) &&
           png_add(&png, "tRNS", opacity, sizeof opacity) && png_add(&png, "IDAT", packed.bytes, packed.n) &&
           png_add(&png, "IEND", magic, 0) && base64_add(&text, png.bytes, png.n);
    if (fits) {
        fprintf(to,
                "<image x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                "href=\"data:image/png;base64,",
                number(part->area.x, at[0]), number(part->area.y, at[1]), number(part->area.width, at[2]),
                number(part->area.height, at[3]));
        fwrite(text.bytes, 1, text.n, to);
        fputs("\"/>\n", to);
    }
    free(head.bytes);
    free(rows.bytes);
    free(packed.bytes);
    free(png.bytes);
    free(text.bytes);
    return fits;
}

static int put_parts(const picture *p, int within_page, FILE *to)
{
    size_t i = 0;
    int fits = 1;

    while (i < p->n_parts && fits) {
        const struct picture_part *part = &p->parts[i];
        switch (part->kind) {
        case PICTURE_LINE:
            i = put_lines(p, i, within_page, to);
            continue;
        case PICTURE_BOX:
            put_box(p, part, within_page, to);
            break;
        case PICTURE_TEXT:
            put_text(p, part, within_page, to);
            break;
        case PICTURE_GRID_OF_CELLS:
            fits = put_grid(p, part, to);
            break;
        }
        i++;
    }
    return fits;
}

int picture_svg(const picture *p, int within_page, struct byte_array *to)
{
    const char *title = (const char *)p->bytes.bytes;
    char *text = NULL, width[32], height[32];
    size_t n = 0;
    FILE *file = p->failed ? NULL : open_memstream(&text, &n);
    int fits;

    if (file == NULL)
        return 0;
    number(p->width, width);
    number(p->height, height);
    fputs("<svg", file);
    if (!within_page)
        fprintf(file, " xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\"", width, height);
    fprintf(file, " viewBox=\"0 0 %s %s\" role=\"img\" style=\"font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif\"",
            width, height);
    fputs(within_page ? " aria-label=\"" : ">\n<title>", file); /* SVG alone has no aria-label */
    html_put(file, title);
    fputs(within_page ? "\">\n" : "</title>\n", file);
    if (!within_page)
        fprintf(file, "<rect width=\"%s\" height=\"%s\" fill=\"#fff\"/>\n", width, height);
    fits = put_parts(p, within_page, file);
    fputs("</svg>\n", file);
    fits &= !ferror(file);
    fits &= fclose(file) == 0;
    fits = fits && byte_array_add(to, text, n);
    free(text);
    return fits;
}
