/*
 * deflate.h - bytes compressed for browsers and pictures, and as text. The same bytes on every machine with the same zlib.
 */
#ifndef TAMIS_DEFLATE_H
#define TAMIS_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/byte_array.h"

enum deflate_form {
    DEFLATE_RAW, /* no header: "deflate-raw" of a browser's DecompressionStream */
    DEFLATE_ZLIB /* of PNG */
};

/* deflate_add() - appends n bytes, compressed. Returns false if there is no memory. */
bool deflate_add(struct byte_array *to, enum deflate_form form, const void *bytes, size_t n);

/*
 * deflate_add_parts() - appends the bytes of n_parts arrays, one after the other, compressed, with codes for each that fit its bytes:
 * names, numbers and letters, each for themselves, are up to a seventh smaller so. Returns false if there is no memory.
 */
bool deflate_add_parts(struct byte_array *to, enum deflate_form form, const struct byte_array *parts, size_t n_parts);

/* base64_add() - appends n bytes as base64, padded with '='. Returns false if there is no memory. */
bool base64_add(struct byte_array *to, const uint8_t *bytes, size_t n);

/*
 * base91_add() - appends n bytes as pairs of characters for 13 bits each, the lowest first; bits that are missing at the end are 0. The
 * characters are those of ASCII from '!' to '~' but '<', '>' and '&', so the text may stand in a script element of a page. It is a
 * thirteenth shorter than base64. Returns false if there is no memory.
 */
bool base91_add(struct byte_array *to, const uint8_t *bytes, size_t n);

/* png_add() - appends a chunk of a PNG file. type [in] four letters. Returns false if there is no memory. */
bool png_add(struct byte_array *to, const char *type, const uint8_t *bytes, size_t n);

#endif
