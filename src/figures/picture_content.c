/* picture_content.c - what is in a picture. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "figures/picture_parts.h"

/* Okabe and Ito's colours but yellow, which is faint on paper. */
const uint8_t picture_colours[PICTURE_COLOURS][3] = {
    [PICTURE_INK] = {0x1a, 0x1e, 0x24},        [PICTURE_MUTED] = {0x56, 0x60, 0x6b},      [PICTURE_GRID] = {0xd3, 0xd9, 0xe0},
    [PICTURE_FORWARD] = {0x00, 0x72, 0xb2},    [PICTURE_REVERSE] = {0xd5, 0x5e, 0x00},    [PICTURE_SERIES + 0] = {0x00, 0x72, 0xb2},
    [PICTURE_SERIES + 1] = {0xd5, 0x5e, 0x00}, [PICTURE_SERIES + 2] = {0x00, 0x9e, 0x73}, [PICTURE_SERIES + 3] = {0xcc, 0x79, 0xa7},
    [PICTURE_SERIES + 4] = {0xe6, 0x9f, 0x00}, [PICTURE_SERIES + 5] = {0x56, 0xb4, 0xe9}, [PICTURE_SERIES + 6] = {0x7a, 0x7f, 0x87},
    [PICTURE_SERIES + 7] = {0xb9, 0xc0, 0xc9},
};

const char *picture_class(picture_colour colour)
{
    static const char *const classes[PICTURE_COLOURS] = {
        "picture-ink",     "picture-muted",   "picture-grid",    "picture-forward", "picture-reverse", "picture-series0", "picture-series1",
        "picture-series2", "picture-series3", "picture-series4", "picture-series5", "picture-series6", "picture-series7",
    };

    return classes[colour];
}

picture *picture_create(double width, double height, const char *title)
{
    picture *p = calloc(1, sizeof *p);

    if (p == NULL)
        return NULL;
    p->width = width;
    p->height = height;
    p->title_bytes = strlen(title) + 1;
    p->failed = !byte_array_add(&p->bytes, title, p->title_bytes);
    return p;
}

void picture_free(picture *p)
{
    if (p == NULL)
        return;
    free(p->parts);
    free(p->bytes.bytes);
    free(p);
}

int picture_failed(const picture *p) { return p->failed; }

/* A part with n bytes; the bytes are copied, with a NUL behind them. */
static void add(picture *p, struct picture_part part, const void *bytes, size_t n)
{
    part.at = p->bytes.n;
    part.n = n;
    if (p->failed || !array_reserve(&p->parts, &p->parts_capacity, p->n_parts + 1, sizeof *p->parts) ||
        !byte_array_add(&p->bytes, bytes, n) || !byte_array_add(&p->bytes, "", 1))
        p->failed = 1;
    else
        p->parts[p->n_parts++] = part;
}

void picture_line(picture *p, picture_colour colour, double width, double x1, double y1, double x2, double y2)
{
    add(p, (struct picture_part){.kind = PICTURE_LINE, .type = {.colour = colour, .size = width}, .x1 = x1, .y1 = y1, .x2 = x2, .y2 = y2},
        NULL, 0);
}

void picture_box(picture *p, picture_colour colour, const picture_area *area, const char *about)
{
    add(p, (struct picture_part){.kind = PICTURE_BOX, .type.colour = colour, .area = *area}, about, strlen(about));
}

void picture_text(picture *p, const picture_type *type, double x, double y, const char *text)
{
    add(p, (struct picture_part){.kind = PICTURE_TEXT, .type = *type, .x1 = x, .y1 = y}, text, strlen(text));
}

double picture_text_width(double size, const char *text)
{
    size_t n = 0;

    for (const char *c = text; *c != '\0'; c++)
        n += ((unsigned char)*c & 0xc0) != 0x80;
    return 0.62 * size * (double)n;
}

void picture_grid(picture *p, const picture_area *area, const uint8_t *cells, size_t n_columns, size_t n_rows)
{
    add(p, (struct picture_part){.kind = PICTURE_GRID_OF_CELLS, .area = *area, .n_columns = n_columns, .n_rows = n_rows}, cells,
        n_columns * n_rows);
}
