/*
 * dna_encode.h - letters to codes, 32 at a time, one function per instruction set.
 */
#ifndef TMS_DNA_ENCODE_H
#define TMS_DNA_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#if TMS_HAVE_X86_SIMD
/*
 * dna_encode_avx2() - blocks of 32 letters that are all A, C, G or T, in upper or lower case, up to the first that is not.
 *   codes   [in,out] the bits of base n_bases and after it are 0 in its word; the same holds after the call
 *   n_bases [in] bases that codes has
 * Returns letters taken, a multiple of 32.
 */
size_t dna_encode_avx2(uint64_t *codes, size_t n_bases, const char *letters, size_t n);
#endif

#endif
