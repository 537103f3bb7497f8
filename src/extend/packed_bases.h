/*
 * packed_bases.h - bases at two bits each, as BLAST databases store them, compared a word at a time.
 *
 * A byte has four bases, the first in the top bits. So a word of 64 bits, read at any base, has PACKED_IN_WORD bases at least.
 */
#ifndef TMS_PACKED_BASES_H
#define TMS_PACKED_BASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core.h"
#include "run/context.h"

enum { PACKED_IN_WORD = 29 };

/* A sequence of packed bases, borrowed: (n + 3) / 4 bytes. No byte before or after them is read. */
struct packed_bases {
    const uint8_t *bytes;
    int n;
};

/*
 * The concatenated queries of a batch, in both forms: the strands one after the other, a gap code between two. Positions count from the
 * first base of the first strand.
 */
struct packed_queries {
    const uint8_t *codes;          /* n BLASTNA codes, borrowed, with a gap code before and after them */
    int n;                         /* to the end of the last strand */
    struct packed_bases bases;     /* the lowest two bits of the codes */
    struct packed_bases ambiguous; /* both bits set for each code above 3; bytes is NULL if there are none but gap codes */
    uint8_t *memory;               /* owned: the bytes of bases and ambiguous, which are readable for a byte more */
};

/*
 * packed_queries_init() - packs concatenated queries.
 *   codes [in] n BLASTNA codes, borrowed until packed_queries_free(); codes[-1] and codes[n] are gap codes
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status packed_queries_init(struct packed_queries *queries, const uint8_t *codes, int n);
void packed_queries_free(struct packed_queries *queries); /* zeroed is fine */

static inline unsigned packed_base(const struct packed_bases *bases, int at) { return bases->bytes[at >> 2] >> (6 - 2 * (at & 3)) & 3; }

/* The first and the last bytes of a sequence, in a word as if there were zeros around it. For the two functions that follow. */
uint64_t packed_first_bytes(const struct packed_bases *bases, size_t n);
uint64_t packed_last_bytes(const struct packed_bases *bases, size_t from);

/* Bases at, at + 1, ... from the top bits on. at is less than n. */
static inline uint64_t packed_from(const struct packed_bases *bases, int at)
{
    const size_t byte = (size_t)at / 4, n_bytes = ((size_t)bases->n + 3) / 4;
    const uint64_t word = byte + 8 <= n_bytes ? core_swap64(core_read64(bases->bytes + byte)) : packed_last_bytes(bases, byte);

    return word << 2 * (at & 3);
}

/* Bases ..., at - 2, at - 1 down to the lowest bits. at is more than 0. */
static inline uint64_t packed_before(const struct packed_bases *bases, int at)
{
    const size_t n_bytes = ((size_t)at + 3) / 4;
    const uint64_t word = n_bytes >= 8 ? core_swap64(core_read64(bases->bytes + n_bytes - 8)) : packed_first_bytes(bases, n_bytes);

    return word >> (6 - 2 * ((at - 1) & 3));
}

/* Bits that are set where a query and a subject differ, or where the query is ambiguous: as in packed_from(), and in packed_before(). */
static inline uint64_t packed_difference_from(const struct packed_queries *queries, int query, const struct packed_bases *subject, int at)
{
    const uint64_t difference = packed_from(&queries->bases, query) ^ packed_from(subject, at);

    return queries->ambiguous.bytes == NULL ? difference : difference | packed_from(&queries->ambiguous, query);
}

static inline uint64_t packed_difference_before(const struct packed_queries *queries, int query, const struct packed_bases *subject, int at)
{
    const uint64_t difference = packed_before(&queries->bases, query) ^ packed_before(subject, at);

    return queries->ambiguous.bytes == NULL ? difference : difference | packed_before(&queries->ambiguous, query);
}

/* Number of equal bases from a position of both on, at most n, which both have; 0 if n is less. A base of the query that is ambiguous
 * equals none. */
static inline int packed_same_from(const struct packed_queries *queries, int query, const struct packed_bases *subject, int at, int n)
{
    const uint64_t end = (uint64_t)1 << (63 - 2 * PACKED_IN_WORD);
    int done = 0, same = PACKED_IN_WORD;

    for (; done < n && same == PACKED_IN_WORD; done += same)
        same = __builtin_clzll(packed_difference_from(queries, query + done, subject, at + done) | end) / 2;
    return done < n ? done : n > 0 ? n : 0;
}

/* The same from the bases before both positions on, downwards. */
static inline int packed_same_before(const struct packed_queries *queries, int query, const struct packed_bases *subject, int at, int n)
{
    const uint64_t end = (uint64_t)1 << 2 * PACKED_IN_WORD;
    int done = 0, same = PACKED_IN_WORD;

    for (; done < n && same == PACKED_IN_WORD; done += same)
        same = __builtin_ctzll(packed_difference_before(queries, query - done, subject, at - done) | end) / 2;
    return done < n ? done : n > 0 ? n : 0;
}

#endif
