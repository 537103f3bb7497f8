/* picture_png.c - a picture as pixels: lines, boxes and letters with soft edges, by the distance of each pixel from the line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/picture_parts.h"
#include "page/deflate.h"

/* Red, green, blue; row by row. */
struct pixels {
    size_t width, height;
    double scale;
    uint8_t *bytes;
};

/* cover: 0 .. 255, how much of the pixel has the colour. */
static void blend(struct pixels *to, size_t x, size_t y, const uint8_t colour[3], unsigned cover)
{
    uint8_t *at = to->bytes + 3 * (y * to->width + x);

    for (int i = 0; i < 3; i++)
        at[i] = (uint8_t)((at[i] * (255 - cover) + colour[i] * cover + 127) / 255);
}

/* 0 .. size, for loops over pixels. */
static size_t clamp(double x, size_t size) { return x <= 0 ? 0 : x >= (double)size ? size : (size_t)x; }

/* Coordinates are those of the picture. */
static void draw_line(struct pixels *to, const uint8_t colour[3], double width, const double ends[4])
{
    double s = to->scale, x1 = ends[0] * s, y1 = ends[1] * s, dx = ends[2] * s - x1, dy = ends[3] * s - y1, half = width * s / 2;
    double length2 = dx * dx + dy * dy, reach = half + 1;
    double low_y = fmin(y1, y1 + dy) - reach, high_y = fmax(y1, y1 + dy) + reach;

    for (size_t y = clamp(low_y, to->height); y < clamp(high_y + 1, to->height); y++) {
        /* the part of the line that is near this row */
        double py = (double)y + 0.5, from = 0, till = 1, low_x, high_x;
        if (fabs(dy) > 1e-9) {
            double a = (py - reach - y1) / dy, b = (py + reach - y1) / dy;
            from = fmax(0, fmin(a, b));
            till = fmin(1, fmax(a, b));
        }
        low_x = fmin(x1 + from * dx, x1 + till * dx) - reach;
        high_x = fmax(x1 + from * dx, x1 + till * dx) + reach;
        for (size_t x = clamp(low_x, to->width); x < clamp(high_x + 1, to->width); x++) {
            double px = (double)x + 0.5, t = length2 > 0 ? ((px - x1) * dx + (py - y1) * dy) / length2 : 0, ex, ey, cover;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            ex = px - x1 - t * dx;
            ey = py - y1 - t * dy;
            cover = half + 0.5 - sqrt(ex * ex + ey * ey);
            if (cover > 0)
                blend(to, x, y, colour, cover >= 1 ? 255 : (unsigned)(cover * 255));
        }
    }
}

/* How much of pixel i is between `low` and `high`. */
static double share_of(size_t i, double low, double high) { return fmax(0, fmin(high, (double)i + 1) - fmax(low, (double)i)); }

static void draw_box(struct pixels *to, const uint8_t colour[3], const picture_area *area)
{
    const double s = to->scale, x1 = area->x * s, x2 = x1 + area->width * s, y1 = area->y * s, y2 = y1 + area->height * s;

    for (size_t y = clamp(y1, to->height); y < clamp(y2 + 1, to->height); y++)
        for (size_t x = clamp(x1, to->width); x < clamp(x2 + 1, to->width); x++)
            blend(to, x, y, colour, (unsigned)(share_of(x, x1, x2) * share_of(y, y1, y2) * 255 + 0.5));
}

static void draw_grid(struct pixels *to, const struct picture_part *part, const uint8_t *cells)
{
    double s = to->scale;
    size_t x1 = clamp(part->area.x * s + 0.5, to->width), x2 = clamp((part->area.x + part->area.width) * s + 0.5, to->width);
    size_t y1 = clamp(part->area.y * s + 0.5, to->height), y2 = clamp((part->area.y + part->area.height) * s + 0.5, to->height);

    for (size_t y = y1; y < y2; y++) {
        for (size_t x = x1; x < x2; x++) {
            unsigned cell = cells[(y - y1) * part->n_rows / (y2 - y1) * part->n_columns + (x - x1) * part->n_columns / (x2 - x1)];
            int is_reverse = cell > PICTURE_SHADES;
            if (cell > 0)
                blend(to, x, y, picture_colours[is_reverse ? PICTURE_REVERSE : PICTURE_FORWARD],
                      picture_opacity(is_reverse ? cell - PICTURE_SHADES : cell));
        }
    }
}

static void draw_text(struct pixels *to, const struct picture_part *part, const char *text)
{
    const double unit_x = part->type.size / 10, unit_y = part->type.size * 0.12, turn = part->type.upward * 3.14159265358979 / 180,
                 c = cos(turn), s = sin(turn);
    const double shift = part->type.anchor == PICTURE_START
                             ? 0
                             : (stroke_width(text, part->n) - STROKE_SPACE) / (part->type.anchor == PICTURE_MIDDLE ? 2 : 1);
    struct stroke_text strokes = {.at = text, .end = text + part->n};
    double ends[4], turned[4];

    while (stroke_next(&strokes, ends)) {
        for (int i = 0; i < 4; i += 2) {
            double x = (ends[i] - shift) * unit_x, y = (ends[i + 1] - 6) * unit_y;
            turned[i] = part->x1 + x * c + y * s;
            turned[i + 1] = part->y1 - x * s + y * c;
        }
        draw_line(to, picture_colours[part->type.colour], part->type.size / 10, turned);
    }
}

static void draw(const picture *p, struct pixels *to)
{
    for (size_t i = 0; i < p->n_parts; i++) {
        const struct picture_part *part = &p->parts[i];
        const uint8_t *bytes = p->bytes.bytes + part->at;
        const double ends[4] = {part->x1, part->y1, part->x2, part->y2};
        switch (part->kind) {
        case PICTURE_LINE:
            draw_line(to, picture_colours[part->type.colour], part->type.size, ends);
            break;
        case PICTURE_BOX:
            draw_box(to, picture_colours[part->type.colour], &part->area);
            break;
        case PICTURE_TEXT:
            draw_text(to, part, (const char *)bytes);
            break;
        case PICTURE_GRID_OF_CELLS:
            draw_grid(to, part, bytes);
            break;
        }
    }
}

int picture_png(const picture *p, int scale, struct byte_array *to)
{
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t shape[5] = {8, 2, 0, 0, 0}; /* bits, red green blue */
    struct pixels pixels = {.width = (size_t)(p->width * scale + 0.5), .height = (size_t)(p->height * scale + 0.5), .scale = scale};
    const uint32_t size[2] = {(uint32_t)pixels.width, (uint32_t)pixels.height};
    const uint32_t per_metre[2] = {(uint32_t)(scale * 96 / 0.0254), (uint32_t)(scale * 96 / 0.0254)};
    struct byte_array head = {0}, physical = {0}, rows = {0}, packed = {0};
    int fits = !p->failed && (pixels.bytes = malloc(3 * pixels.width * pixels.height)) != NULL;

    if (fits) {
        memset(pixels.bytes, 0xff, 3 * pixels.width * pixels.height);
        draw(p, &pixels);
    }
    for (size_t y = 0; y < pixels.height && fits; y++) {
        const uint8_t *row = pixels.bytes + 3 * pixels.width * y, *above = row - 3 * pixels.width;
        uint8_t *out = byte_array_room(&rows, 3 * pixels.width + 1);
        fits = out != NULL;
        if (!fits)
            break;
        *out++ = y > 0 ? 2 : 0; /* each byte less that above it */
        for (size_t i = 0; i < 3 * pixels.width; i++)
            out[i] = y > 0 ? (uint8_t)(row[i] - above[i]) : row[i];
        rows.n += 3 * pixels.width + 1;
    }
    fits = fits && deflate_add(&packed, DEFLATE_ZLIB, rows.bytes, rows.n) && byte_array_add_big_endian(&head, size, 2) &&
           byte_array_add(&head, shape, sizeof shape) && byte_array_add_big_endian(&physical, per_metre, 2) &&
           byte_array_add(&physical, "\1", 1) && byte_array_add(to, magic, sizeof magic) && png_add(to, "IHDR", head.bytes, head.n) &&
           png_add(to, "pHYs", physical.bytes, physical.n) && png_add(to, "IDAT", packed.bytes, packed.n) && png_add(to, "IEND", magic, 0);
    free(pixels.bytes);
    free(head.bytes);
    free(physical.bytes);
    free(rows.bytes);
    free(packed.bytes);
    return fits;
}
