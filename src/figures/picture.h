/*
 * picture.h - a picture of lines, boxes, text and grids of shades, as SVG or as PNG.
 *
 * Units are pixels of the screen, from the left and from the top. Colours have roles, so that a page can give them others in the dark.
 */
#ifndef TAMIS_PICTURE_H
#define TAMIS_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/byte_array.h"

/*
 * Forward and reverse are blue and vermilion, which people with any colour vision can tell apart, in print too. PICTURE_SERIES + i is the
 * colour of series i of a chart, 0 .. PICTURE_N_SERIES - 1: six that differ, then two greys.
 */
typedef enum picture_colour {
    PICTURE_INK,
    PICTURE_MUTED,
    PICTURE_GRID,
    PICTURE_FORWARD,
    PICTURE_REVERSE,
    PICTURE_SERIES,
    PICTURE_N_SERIES = 8,
    PICTURE_COLOURS = PICTURE_SERIES + PICTURE_N_SERIES
} picture_colour;

/* picture_class() - the class that gives a page's element this colour, as CSS's color: "picture-ink". */
const char *picture_class(picture_colour colour);

/* Where a text has its point: at its beginning, its middle or its end. */
typedef enum picture_anchor { PICTURE_START, PICTURE_MIDDLE, PICTURE_END } picture_anchor;

/* How a text is written. */
typedef struct picture_type {
    picture_colour colour;
    double size; /* height of the type, as CSS's font-size */
    picture_anchor anchor;
    double upward; /* degrees by which the text is turned against the clock, 0 to 90 */
} picture_type;

typedef struct picture_area {
    double x, y, width, height;
} picture_area;

/* Cells of a grid: 0 is empty; 1 .. PICTURE_SHADES are shades of forward from faint to full, and PICTURE_SHADES + 1 .. of reverse. */
enum { PICTURE_SHADES = 24 };

typedef struct picture picture;

/*
 * picture_create() - an empty picture.
 *   title [in] text for readers who do not see it
 * Returns NULL if there is no memory. After any other call, picture_failed() tells whether memory was short.
 */
picture *picture_create(double width, double height, const char *title);
void picture_free(picture *p); /* NULL is fine */
int picture_failed(const picture *p);

/* picture_line() - with round ends: a line without length is a dot. */
void picture_line(picture *p, picture_colour colour, double width, double x1, double y1, double x2, double y2);

/* picture_box() - a filled area. about [in] what an SVG says of it when it is pointed at */
void picture_box(picture *p, picture_colour colour, const picture_area *area, const char *about);

/*
 * picture_text() - one line of text, on its base line. text [in] UTF-8; other bytes become '?'.
 * picture_text_width() - about how wide it is; at least as wide as it will be.
 */
void picture_text(picture *p, const picture_type *type, double x, double y, const char *text);
double picture_text_width(double size, const char *text);

/* picture_grid() - n_columns x n_rows cells, from the top left row by row, that fill the area. Copied. */
void picture_grid(picture *p, const picture_area *area, const uint8_t *cells, size_t n_columns, size_t n_rows);

/*
 * picture_svg(), picture_png() - append the picture as a file's bytes.
 *   within_page [in] 1: part of an HTML page, which has the colours (page.css); 0: a file of its own
 *   scale       [in] PNG's pixels for one of the screen, 1 or more
 * They return 0 if there is no memory, otherwise 1. The bytes depend on the picture alone.
 */
int picture_svg(const picture *p, int within_page, struct byte_array *to);
int picture_png(const picture *p, int scale, struct byte_array *to);

#endif
