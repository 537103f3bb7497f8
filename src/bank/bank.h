/*
 * bank.h - a bank of Bloom filters of w-mers, one vector for each sub-query [Ma11, II-A]: bank_core.h defines the positions of its bits.
 */
#ifndef TMS_BANK_H
#define TMS_BANK_H

#include "bank/bank_core.h"
#include "run/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bank {
    struct bank_shape shape;
    uint64_t *bits;
    size_t size_bytes;     /* size of the bits, in whole uint64_t */
    uint64_t *h3_tables;   /* bank_lanes() times H3_LANE_WORDS; NULL where the hash is not H3 */
    uint64_t *h3_matrices; /* the H3 functions as matrices for h3_gfni.c; NULL if the processor lacks GFNI */
};

/* bank_create() - creates a bank with all bits 0. The caller has checked the shape. Returns TMS_OK or TMS_E_MEMORY; free with bank_free().
 */
tms_status bank_create(tms_context *ctx, const struct bank_shape *shape, struct bank *out);
void bank_free(struct bank *bank); /* accepts a zeroed bank */

/* bank_lane() - hashes n words by lane `lane` of the bank's hash (not BANK_EXACT). */
void bank_lane(tms_simd simd, const struct bank *bank, unsigned lane, const uint64_t *words, size_t n, uint64_t *out);

/* bank_positions() - computes the positions of n w-mers in every vector: positions[j * n + i] is function j of word i. n is at most
 * BANK_BATCH. */
#define BANK_BATCH 1024
void bank_positions(tms_simd simd, const struct bank *bank, const uint64_t *words, size_t n, uint32_t *positions);

/*
 * bank_insert() - sets the bits of up to BANK_BATCH w-mers in one sub-query's vector.
 *   is_shared [in] 1: other threads insert at the same time
 */
void bank_insert(tms_simd simd, struct bank *bank, uint32_t sub, const uint64_t *words, size_t n, int is_shared);

/* bank_ones() - counts the bits set in each sub-query's vector: n_subs numbers, the s-th at ones[s * stride]. */
void bank_ones(const struct bank *bank, uint64_t *ones, size_t stride);

/*
 * bank_query_cpu() - tests w-mers against all sub-queries, on the calling thread.
 *   n         [in] up to bank_query_batch() words
 *   positions [out] scratch for k * bank_query_batch() positions
 *   pass      [out] bit i * bank_width() + s: whether sub-query s passes word i. writes BANK_PASS_U64() numbers
 */
size_t bank_query_batch(const struct bank *bank);
#define BANK_PASS_U64(bank, n) (((uint64_t)(n)*bank_width(&(bank)->shape) + 63) / 64)
void bank_query_cpu(tms_simd simd, const struct bank *bank, const uint64_t *words, size_t n, uint32_t *positions, uint64_t *pass);

/* The kernels of bank_query_cpu(), one set per SIMD level. */
struct bank_kernels {
    /* Sets bit i of the result if the vector at `bits` has all k bits of word i, of n words, at positions[j * stride + i]. */
    void (*vector)(const uint64_t *bits, const uint32_t *positions, size_t stride, uint32_t k, size_t n, uint64_t *pass);
    /* Computes the AND of k rows of row_u64 uint64_t each for every word, and stores the answers pass_u64 apart. */
    void (*rows)(const uint64_t *bits, uint32_t row_u64, const uint32_t *positions, size_t stride, uint32_t k, size_t n, uint64_t *pass,
                 size_t pass_u64);
};
extern const struct bank_kernels bank_kernels_avx512; /* bank_avx512.c */

#ifdef __cplusplus
}
#endif
#endif
