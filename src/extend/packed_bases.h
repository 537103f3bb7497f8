/*
 * packed_bases.h - bases at two bits each, as BLAST databases store them, compared a word at a time.
 *
 * A byte has four bases, the first in the top bits. A word of 64 bits read at any base has its next IN_WORD bases at least in the top bits,
 * and zeros after them.
 */
#ifndef TMS_PACKED_BASES_H
#define TMS_PACKED_BASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    const uint8_t *codes;      /* n BLASTNA codes, borrowed, with a gap code before and after them */
    int n;                     /* to the end of the last strand */
    struct packed_bases bases; /* the codes' lowest two bits */
    const uint8_t *ambiguous;  /* as bases.bytes, with both bits set for a code above 3; NULL: there is none but gap codes */
    uint8_t *memory;           /* owns bases and ambiguous */
};

/*
 * packed_queries_init() - packs concatenated queries.
 *   codes [in] n BLASTNA codes, borrowed until packed_queries_free(); codes[-1] and codes[n] are gap codes
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status packed_queries_init(struct packed_queries *queries, const uint8_t *codes, int n);
void packed_queries_free(struct packed_queries *queries); /* zeroed is fine */

#endif
