/*
 * h3_gfni.h - H3 of many words by processors that have GF2P8AFFINEQB, AVX-512 and VBMI.
 *
 * matrices: H3_GFNI_WORDS words a lane, aligned to 64 bytes, made by h3_gfni_make(): 64 blocks, and what the constant bit adds.
 */
#ifndef TMS_H3_GFNI_H
#define TMS_H3_GFNI_H

#include "base/base.h"
#include "hash/h3_core.h"

#define H3_GFNI_WORDS 72

/* h3_gfni_usable() - does this processor, and this build, have it? The other two are for those that do. */
#if TMS_HAVE_X86_SIMD
bool h3_gfni_usable(void);
void h3_gfni_make(uint64_t *matrices, uint64_t seed, unsigned lane);

/* h3_gfni() - as h3_by_tables() for n words. */
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
