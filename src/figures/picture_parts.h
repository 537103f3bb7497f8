/* picture_parts.h - the inside of a picture. */
#ifndef TAMIS_PICTURE_PARTS_H
#define TAMIS_PICTURE_PARTS_H

#include "figures/picture.h"

enum picture_kind { PICTURE_LINE, PICTURE_BOX, PICTURE_TEXT, PICTURE_GRID_OF_CELLS };

/* Texts, tooltips of boxes, and cells are ranges of `bytes`, with a NUL after each. */
struct picture_part {
    enum picture_kind kind;
    picture_type type;     /* of a text; the colour of a line or box, and as its size a line's width */
    picture_area area;     /* of a box or grid */
    double x1, y1, x2, y2; /* a line's ends; a text's point */
    size_t at, n;          /* without the NUL */
    size_t n_columns, n_rows;
};

struct picture {
    double width, height;
    struct picture_part *parts;
    size_t n_parts, parts_capacity;
    struct byte_array bytes;
    size_t title_bytes; /* the title is at the beginning of bytes, with its NUL */
    int failed;
};

/* Red, green and blue on white paper. */
extern const uint8_t picture_colours[PICTURE_COLOURS][3];

/* picture_opacity() - of a shade, 1 .. PICTURE_SHADES, 0 .. 255: the faintest is still seen. */
static inline unsigned picture_opacity(unsigned shade) { return 64 + (255 - 64) * (shade - 1) / (PICTURE_SHADES - 1); }

/*
 * A text as segments of a pen's strokes, in units of the letters: a capital is 6 high and at most 4 wide, y = 6 is the base line. Start
 * with `at` and `end`, all else zero.
 */
struct stroke_text {
    const char *at, *end; /* bytes of the text that are left */
    const char *strokes;  /* of the current letter, what is left; NULL: none yet */
    double x, advance;    /* of the current letter; from it to the next one */
    double last_x, last_y;
    int is_down; /* the pen draws from the last point to the next */
};

/* stroke_next() - ends [out] x and y of a segment's ends. Returns 0 at the end of the text. */
int stroke_next(struct stroke_text *text, double ends[4]);

/* stroke_width() - of n bytes of text, with the space behind the last letter, STROKE_SPACE. */
double stroke_width(const char *text, size_t n);
#define STROKE_SPACE 1.7

#endif
