/*
 * dna_encode.h - packs bases 32 at a time, with a function for each instruction set, and appends codes to a sequence.
 */
#ifndef TMS_DNA_ENCODE_H
#define TMS_DNA_ENCODE_H

#include "tamis/dna.h"

/* dna_clear_rest() - clear the bits from base n_bases on in its word: call it before the first dna_put_codes(). */
static inline void dna_clear_rest(tms_dna_room *room) { room->codes[room->n_bases / 32] &= ((uint64_t)1 << 2 * (room->n_bases & 31)) - 1; }

/* dna_put_codes() - append n codes, up to 32, which must fit. The bits after the last base are 0 in its word, before and after the call. */
static inline void dna_put_codes(tms_dna_room *room, uint64_t codes, unsigned n)
{
    unsigned shift = 2 * (unsigned)(room->n_bases & 31);
    uint64_t *to = room->codes + room->n_bases / 32;
    to[0] |= codes << shift;
    to[1] = codes >> 1 >> (63 - shift);
    room->n_bases += n;
}

#if TMS_HAVE_X86_SIMD
/*
 * dna_encode_avx2() - append blocks of 32 characters that are all A, C, G or T, in upper or lower case, up to the first block with any
 * other character.
 *   codes   [in,out] the bits from base n_bases on are 0 in its word, and the bits after the last base are 0 after the call
 *   n_bases [in]     bases that codes has
 * Returns the number of characters taken, a multiple of 32.
 */
size_t dna_encode_avx2(uint64_t *codes, size_t n_bases, const char *bases, size_t n);
#endif

#endif
