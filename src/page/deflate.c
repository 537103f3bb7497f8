/* deflate.c - see deflate.h. */
#include "page/deflate.h"

#include <limits.h>
#include <string.h>

#include <zlib.h>

/*
 * Level 9 takes five times as long as 6, for 2 % of alignments. Z_FILTERED, which leaves out the shortest matches, saves 4 to 8 % of their
 * letters, and costs nothing elsewhere.
 */
enum { LEVEL = 6, WINDOW = 15, MEMORY = 9 };

bool deflate_add_parts(struct byte_array *to, enum deflate_form form, const struct byte_array *parts, size_t n_parts)
{
    z_stream stream = {0};
    int status = Z_OK;

    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, form == DEFLATE_RAW ? -WINDOW : WINDOW, MEMORY, Z_FILTERED) != Z_OK)
        return false;
    for (size_t i = 0; i < n_parts && status == Z_OK; i++) {
        const int flush = i + 1 == n_parts ? Z_FINISH : Z_BLOCK;
        size_t left = parts[i].n;
        stream.next_in = parts[i].bytes; /* zlib does not write to it */
        do {
            enum { OUT = 1 << 16 };
            uint8_t *out = byte_array_room(to, OUT);
            if (out == NULL) {
                status = Z_MEM_ERROR;
                break;
            }
            if (stream.avail_in == 0) {
                stream.avail_in = left > UINT_MAX ? UINT_MAX : (uInt)left;
                left -= stream.avail_in;
            }
            stream.next_out = out;
            stream.avail_out = OUT;
            status = deflate(&stream, left == 0 ? flush : Z_NO_FLUSH);
            to->n += OUT - stream.avail_out;
        } while (status == Z_OK && (stream.avail_out == 0 || stream.avail_in > 0 || left > 0 || flush == Z_FINISH));
        status = status == Z_BUF_ERROR ? Z_OK : status; /* nothing was left to write */
    }
    deflateEnd(&stream);
    return status == Z_STREAM_END;
}

bool deflate_add(struct byte_array *to, enum deflate_form form, const void *bytes, size_t n)
{
    const struct byte_array part = {.bytes = (uint8_t *)(uintptr_t)bytes, .n = n};

    return deflate_add_parts(to, form, &part, 1);
}

bool base64_add(struct byte_array *to, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t *out = byte_array_room(to, n / 3 * 4 + 4);

    if (out == NULL)
        return false;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (uint32_t)(left > 1 ? bytes[i + 1] : 0) << 8 | (left > 2 ? bytes[i + 2] : 0);
        *out++ = (uint8_t)digits[three >> 18];
        *out++ = (uint8_t)digits[three >> 12 & 63];
        *out++ = left > 1 ? (uint8_t)digits[three >> 6 & 63] : '=';
        *out++ = left > 2 ? (uint8_t)digits[three & 63] : '=';
        to->n += 4;
    }
    return true;
}

bool base91_add(struct byte_array *to, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "!\"#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    const size_t n_pairs = n / 13 * 8 + (n % 13 * 8 + 12) / 13;
    uint8_t *out = n_pairs < SIZE_MAX / 2 ? byte_array_room(to, 2 * n_pairs) : NULL;
    uint32_t bits = 0;
    unsigned n_bits = 0;

    _Static_assert(sizeof digits == 91 + 1, "as many as a pair needs for 13 bits");
    if (out == NULL)
        return false;
    for (size_t i = 0; i < n || n_bits > 0;) {
        for (; n_bits < 13 && i < n; i++, n_bits += 8)
            bits |= (uint32_t)bytes[i] << n_bits;
        *out++ = (uint8_t)digits[(bits & 8191) % 91];
        *out++ = (uint8_t)digits[(bits & 8191) / 91];
        bits >>= 13;
        n_bits = n_bits > 13 ? n_bits - 13 : 0;
    }
    to->n += 2 * n_pairs;
    return true;
}

bool png_add(struct byte_array *to, const char *type, const uint8_t *bytes, size_t n)
{
    uint32_t head[1] = {(uint32_t)n}, check[1];

    check[0] = (uint32_t)crc32_z(crc32_z(0, (const Bytef *)type, 4), bytes, n);
    return byte_array_add_big_endian(to, head, 1) && byte_array_add(to, type, 4) && byte_array_add(to, bytes, n) &&
           byte_array_add_big_endian(to, check, 1);
}
