/*
 * ber.h - reads ASN.1 values in BER, as far as NCBI's files use it. Inline, because deflines are decoded by the million.
 *
 * A value is a tag, a length and contents. A length of 0x80 means that two zero bytes end the contents. Reading goes strictly forward:
 * ber_open() enters a constructed value; ber_more() returns true if the value contains another one, or else leaves it.
 */
#ifndef TMS_BER_H
#define TMS_BER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seqid/seqid.h"

enum {
    TAG_BOOLEAN = 0x01,
    TAG_INTEGER = 0x02,
    TAG_ENUMERATED = 0x0a,
    TAG_VISIBLE_STRING = 0x1a,
    TAG_SEQUENCE = 0x30,
    TAG_FIELD = 0xa0,
    TAG_CONSTRUCTED = 0x20,
    BER_MAX_DEPTH = 48
};

struct ber {
    const uint8_t *at, *limit;
    int depth;
    const char *fault; /* the first fault; nothing is read after it */
};

/* A constructed value that has been entered. */
struct ber_scope {
    const uint8_t *outer_limit;
    bool is_indefinite;
};

static inline void ber_fail(struct ber *b, const char *fault)
{
    if (b->fault == NULL)
        b->fault = fault;
}

/* Reads tag and length of the next value; n is SIZE_MAX for an indefinite length. */
static inline bool ber_head(struct ber *b, uint8_t *tag, size_t *n)
{
    size_t left = (size_t)(b->limit - b->at), n_bytes;

    if (b->fault != NULL)
        return false;
    if (left < 2) {
        ber_fail(b, "ends inside a value");
        return false;
    }
    *tag = b->at[0];
    *n = b->at[1];
    b->at += 2;
    left -= 2;
    if ((*tag & 0x1f) == 0x1f) {
        ber_fail(b, "has a tag of several bytes");
        return false;
    }
    if (*n == 0x80) {
        *n = SIZE_MAX;
        if (!(*tag & TAG_CONSTRUCTED))
            ber_fail(b, "has a string or number of indefinite length");
        return b->fault == NULL;
    }
    if (*n > 0x80) {
        n_bytes = *n & 0x7f;
        if (n_bytes > 4 || n_bytes > left) {
            ber_fail(b, n_bytes > 4 ? "has a length of more than four bytes" : "ends inside a length");
            return false;
        }
        *n = 0;
        for (size_t i = 0; i < n_bytes; i++)
            *n = *n << 8 | *b->at++;
        left -= n_bytes;
    }
    if (*n > left) {
        ber_fail(b, "has a value that extends beyond its container");
        return false;
    }
    return true;
}

/* Enters the next value if it has this tag; else fails. */
static inline bool ber_open(struct ber *b, uint8_t tag, struct ber_scope *scope)
{
    uint8_t found;
    size_t n;

    if (!ber_head(b, &found, &n))
        return false;
    if (found != tag || b->depth == BER_MAX_DEPTH) {
        ber_fail(b, found != tag ? "has a value of an unexpected type" : "is nested too deeply");
        return false;
    }
    b->depth++;
    scope->outer_limit = b->limit;
    scope->is_indefinite = n == SIZE_MAX;
    if (n != SIZE_MAX)
        b->limit = b->at + n;
    return true;
}

static inline bool ber_more(struct ber *b, const struct ber_scope *scope)
{
    if (b->fault != NULL)
        return false;
    if (scope->is_indefinite) {
        if (b->limit - b->at < 2)
            ber_fail(b, "ends before a value of indefinite length does");
        if (b->fault != NULL || b->at[0] != 0 || b->at[1] != 0)
            return b->fault == NULL;
        b->at += 2;
    } else if (b->at < b->limit) {
        return true;
    }
    b->limit = scope->outer_limit;
    b->depth--;
    return false;
}

/* Leaves a value that has exactly one thing in it; fails if there is more. */
static inline void ber_close(struct ber *b, const struct ber_scope *scope)
{
    if (ber_more(b, scope))
        ber_fail(b, "has more than one element in a value");
}

static inline uint8_t ber_next(const struct ber *b) { return b->at < b->limit ? *b->at : 0; }

/* Skips a value without recursion, because hostile input would choose its depth: counts levels, and keeps their ends here. */
static inline void ber_skip(struct ber *b)
{
    struct ber_scope scopes[BER_MAX_DEPTH];
    int n = 0;

    do {
        uint8_t tag = ber_next(b);
        size_t size;
        if (tag & TAG_CONSTRUCTED) {
            if (ber_open(b, tag, &scopes[n]))
                n++;
        } else if (ber_head(b, &tag, &size)) {
            b->at += size;
        }
        while (n > 0 && b->fault == NULL && !ber_more(b, &scopes[n - 1]))
            n--;
    } while (n > 0 && b->fault == NULL);
}

static inline void ber_integer(struct ber *b, int64_t *out)
{
    uint8_t tag;
    size_t n;
    uint64_t value;

    if (!ber_head(b, &tag, &n))
        return;
    if (tag != TAG_INTEGER || n == 0 || n > 8) {
        ber_fail(b, tag != TAG_INTEGER ? "has no number where one is expected" : "has a number of 0 or more than 8 bytes");
        return;
    }
    value = b->at[0] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | *b->at++;
    *out = (int64_t)value;
}

static inline void ber_string(struct ber *b, struct text *out)
{
    uint8_t tag;
    size_t n;

    if (!ber_head(b, &tag, &n))
        return;
    if (tag != TAG_VISIBLE_STRING) {
        ber_fail(b, "has no text where one is expected");
        return;
    }
    *out = (struct text){(const char *)b->at, n};
    b->at += n;
}

/* Reads a field around a single number or text. */
static inline void ber_integer_field(struct ber *b, uint8_t tag, int64_t *out)
{
    struct ber_scope field;

    if (!ber_open(b, tag, &field))
        return;
    ber_integer(b, out);
    ber_close(b, &field);
}

static inline void ber_string_field(struct ber *b, uint8_t tag, struct text *out)
{
    struct ber_scope field;

    if (!ber_open(b, tag, &field))
        return;
    ber_string(b, out);
    ber_close(b, &field);
}

#endif
