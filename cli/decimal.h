/*
 * decimal.h - integers as decimal text, two digits at a time: for numbers that are printed on every line.
 */
#ifndef TAMIS_DECIMAL_H
#define TAMIS_DECIMAL_H

#include <stdint.h>
#include <string.h>

enum { DECIMAL_MAX = 20 }; /* digits of the largest number */

static const char decimal_pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                    "8081828384858687888990919293949596979899";

static inline unsigned decimal_digits(uint64_t v)
{
    static const uint64_t powers[] = {0,
                                      10,
                                      100,
                                      1000,
                                      10000,
                                      100000,
                                      1000000,
                                      10000000,
                                      100000000,
                                      1000000000,
                                      10000000000,
                                      100000000000,
                                      1000000000000,
                                      10000000000000,
                                      100000000000000,
                                      1000000000000000,
                                      10000000000000000,
                                      100000000000000000,
                                      1000000000000000000,
                                      10000000000000000000u};
    unsigned about = (64 - (unsigned)__builtin_clzll(v | 1)) * 1233 >> 12; /* bits times log10(2) */

    return about + (v >= powers[about]);
}

/* decimal_put() - writes the digits of v, at most DECIMAL_MAX, without a NUL. Returns the end of the digits. */
static inline char *decimal_put(char *to, uint64_t v)
{
    char *end = to + decimal_digits(v), *at = end;

    while (v >= 100) {
        at -= 2;
        memcpy(at, decimal_pairs + 2 * (v % 100), 2);
        v /= 100;
    }
    if (v >= 10)
        memcpy(at - 2, decimal_pairs + 2 * v, 2);
    else
        at[-1] = (char)('0' + v);
    return end;
}

#endif
