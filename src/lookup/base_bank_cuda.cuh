/*
 * base_bank_cuda.cuh - the GPU's part of base_bank.h, for base_sieve_cuda.cu, and what both know of the chunks of subjects.
 */
#ifndef TMS_BASE_BANK_CUDA_CUH
#define TMS_BASE_BANK_CUDA_CUH

#include "device/gpu_internal.cuh"
#include "lookup/base_bank.h"
#include "lookup/base_scan.h"

#define IN_WORD 16 /* bases of 32 bits */

/* A chunk: its first base, a multiple of 64, among those of all. */
struct sieve_chunk {
    uint64_t first;
    int n;
};

struct base_bank_gpu;

/*
 * base_bank_fill() - makes the bank that ctx->tuning.bank asks for, of the words of a group.
 *   lookup [in] its first table has whole words
 *   out    [out] freed with base_bank_free()
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status base_bank_fill(tms_context *ctx, const struct base_lookup *lookup, struct base_bank_gpu **out);
void base_bank_free(struct base_bank_gpu *bank); /* NULL is fine */

/*
 * base_bank_test() - tests the words that begin at each base of the chunks.
 *   d_bases, d_chunks [in] n_bases bases with what lies between chunks, and n_chunks chunks
 *   d_passed          [out] a bit for each of these bases: whether at least one filter passes its word; 0 where no word of a chunk begins.
 *                     Valid until the next call
 * Returns as base_bank_fill().
 */
tms_status base_bank_test(tms_context *ctx, struct base_bank_gpu *bank, const uint32_t *d_bases, const struct sieve_chunk *d_chunks,
                          size_t n_chunks, uint64_t n_bases, const uint32_t **d_passed);

static __device__ uint32_t in_order(uint32_t word) { return __byte_perm(word, 0, 0x0123); }

/* 32 bases from `at` on, the first in the top bits. */
static __device__ uint64_t subject_at(const uint32_t *words, uint64_t at)
{
    const uint32_t *w = words + at / IN_WORD;
    const unsigned shift = 2 * (unsigned)(at % IN_WORD);
    const uint32_t a = in_order(w[0]), b = in_order(w[1]), c = in_order(w[2]);
    return (uint64_t)__funnelshift_l(b, a, shift) << 32 | __funnelshift_l(c, b, shift);
}

#endif
