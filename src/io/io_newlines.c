/*
 * io_newlines.c - finds line feeds with SSE2, which every x86-64 has; with memchr() elsewhere.
 *
 * 64 bytes become one 64-bit mask. The positions are then written in groups of eight, whether or not there are as many: the next step
 * overwrites the surplus. A test after each line feed would often be mispredicted where lines are short.
 */
#include "io/io_newlines.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

static uint64_t newline_mask(const uint8_t *p)
{
    const __m128i lf = _mm_set1_epi8('\n');
    uint64_t mask = 0;

    for (int i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, lf)) << (16 * i);
    }
    return mask;
}

/* Without -mpopcnt the builtin is a function call; this takes twelve operations. */
static unsigned count_ones(uint64_t x)
{
    x = x - ((x >> 1) & 0x5555555555555555u);
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)((x * 0x0101010101010101u) >> 56);
}

/* Writes the position of the lowest one bit and clears the bit; writes 63 for an empty mask, which no caller reads. */
static inline uint64_t put_lowest(uint64_t mask, uint32_t base, uint32_t *end)
{
    *end = base + (uint32_t)__builtin_ctzll(mask | (uint64_t)1 << 63);
    return mask & (mask - 1);
}

size_t newlines_find(const uint8_t *bytes, uint32_t from, uint32_t to, uint32_t *ends, size_t max_ends)
{
    size_t n = 0;
    uint32_t at = from;

    for (; to - at >= 64 && n < max_ends; at += 64) {
        uint64_t mask = newline_mask(bytes + at);
        unsigned count = count_ones(mask);
        uint32_t *end = ends + n;

        for (unsigned done = 0; done < count; done += 8) {
            for (int i = 0; i < 8; i++)
                mask = put_lowest(mask, at + 1, end + i);
            end += 8;
        }
        n += count;
    }
    for (; at < to && n < max_ends; at++) {
        if (bytes[at] == '\n')
            ends[n++] = at + 1;
    }
    return n;
}

#else

size_t newlines_find(const uint8_t *bytes, uint32_t from, uint32_t to, uint32_t *ends, size_t max_ends)
{
    size_t n = 0;

    while (from < to && n < max_ends) {
        const uint8_t *lf = memchr(bytes + from, '\n', to - from);
        if (lf == NULL)
            break;
        from = (uint32_t)(lf - bytes) + 1;
        ends[n++] = from;
    }
    return n;
}

#endif

uint32_t newlines_strip_cr(uint8_t *bytes, uint32_t *offsets, size_t n_lines)
{
    uint32_t to = offsets[0];   /* where the next byte goes */
    uint32_t from = offsets[0]; /* the first byte not moved yet */
    uint32_t removed = 0;

    for (size_t i = 0; i < n_lines; i++) {
        uint32_t start = offsets[i] + removed; /* the previous step has lowered offsets[i] already */
        uint32_t end = offsets[i + 1];

        if (end - start >= 2 && bytes[end - 2] == '\r') {
            uint32_t n = end - 2 - from;
            if (removed > 0)
                memmove(bytes + to, bytes + from, n);
            to += n;
            from = end - 1; /* the line feed moves with the next run */
            removed++;
        }
        offsets[i + 1] = end - removed;
    }
    if (removed > 0)
        memmove(bytes + to, bytes + from, offsets[n_lines] - to);
    return offsets[n_lines];
}
