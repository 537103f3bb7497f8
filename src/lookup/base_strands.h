/*
 * base_strands.h - the strands of a group's nucleotide queries one after the other, as words, diagonals and ungapped extensions see them.
 *
 * Codes are BLASTNA. One gap code lies between two strands, and belongs to the first of them; one more lies before the first strand, whose
 * first position is 0, and after the last one.
 */
#ifndef TMS_BASE_STRANDS_H
#define TMS_BASE_STRANDS_H

#include "extend/ungapped_bases.h"

enum { BASE_STRANDS_NEAR = 256, BASE_STRANDS_FEW = 4 /* are looked through from the first on */ };

/* A strand to be copied: `length` codes, 1 or more, and limits, of which first and end are not set. */
struct base_strand {
    const uint8_t *codes;
    int length;
    struct ungapped_strand limits;
};

struct base_strands {
    struct ungapped_strand *items; /* n strands, by position */
    size_t n;
    struct packed_queries queries; /* the codes of all strands */
    uint8_t *codes;                /* owns those of queries, with one gap code before and after them */
    uint32_t *near;                /* for each BASE_STRANDS_NEAR positions: the strand of the first of them */
};

/*
 * base_strands_init() - places n strands.
 *   out [out] freed with base_strands_free(), also after a failure
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status base_strands_init(const struct base_strand *strands, size_t n, struct base_strands *out);
void base_strands_free(struct base_strands *strands); /* zeroed is fine */

/* base_strand_at() - the number of the strand that a position belongs to: from 0 to the one after the last strand. */
static inline size_t base_strand_at(const struct base_strands *s, int position)
{
    size_t i = s->n <= BASE_STRANDS_FEW ? 0 : s->near[(unsigned)position / BASE_STRANDS_NEAR];

    while (i + 1 < s->n && s->items[i + 1].first <= position)
        i++;
    return i;
}

#endif
