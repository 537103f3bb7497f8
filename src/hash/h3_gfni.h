/*
 * h3_gfni.h - H3 of many words, for processors with GF2P8AFFINEQB, AVX-512 and VBMI.
 *
 * matrices: H3_GFNI_WORDS words for each lane, aligned to 64 bytes, made by h3_gfni_make(): 64 blocks, and the constant bit's row.
 */
#ifndef TMS_H3_GFNI_H
#define TMS_H3_GFNI_H

#include "base/base.h"
#include "hash/h3_core.h"

#define H3_GFNI_WORDS 72

/* h3_gfni_usable() - true if this processor and this build support it; only then may the other two be called. */
#if TMS_HAVE_X86_SIMD
bool h3_gfni_usable(void);
void h3_gfni_make(uint64_t *matrices, uint64_t seed, unsigned lane);

/* h3_gfni() - computes h3_by_tables() for n words. */
void h3_gfni(const uint64_t *matrices, const uint64_t *words, size_t n, uint64_t *out);
#else
static inline bool h3_gfni_usable(void) { return false; }
static inline void h3_gfni_make(uint64_t *matrices, uint64_t seed, unsigned lane) { (void)matrices, (void)seed, (void)lane; }
static inline void h3_gfni(const uint64_t *matrices, const uint64_t *words, size_t n, uint64_t *out)
{
    (void)matrices, (void)words, (void)n, (void)out;
}
#endif

#endif
