/*
 * bank.h - a bank of Bloom filters of w-mers, one vector for each sub-query [Ma11, II-A]: bank_core.h says where its bits lie.
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
    size_t size_bytes;     /* of bits: whole uint64_t */
    uint64_t *h3_tables;   /* bank_lanes() times H3_LANE_WORDS; NULL where the hash is not H3 */
    uint64_t *h3_matrices; /* the same functions for h3_gfni.c; NULL where the processor cannot use them */
};

/* bank_create() - all bits 0. The shape has been checked. Returns TMS_OK or TMS_E_MEMORY; ended by bank_free(). */
tms_status bank_create(tms_context *ctx, const struct bank_shape *shape, struct bank *out);
void bank_free(struct bank *bank); /* zeroed is fine */

/* bank_lane() - hash n words by lane `lane` of the bank's hash (not BANK_EXACT). */
void bank_lane(tms_simd simd, const struct bank *bank, unsigned lane, const uint64_t *words, size_t n, uint64_t *out);

/* bank_positions() - the bits of n w-mers in any vector: function j's of word i is positions[j * n + i]. n is at most BANK_BATCH. */
#define BANK_BATCH 1024
void bank_positions(tms_simd simd, const struct bank *bank, const uint64_t *words, size_t n, uint32_t *positions);

/*
 * bank_insert() - set the bits of up to BANK_BATCH w-mers in one sub-query's vector.
 *   is_shared [in] 1: other threads insert at the same time
 */
void bank_insert(tms_simd simd, struct bank *bank, uint32_t sub, const uint64_t *words, size_t n, int is_shared);

/* bank_ones() - bits set in each sub-query's vector: n_subs numbers, the s-th at ones[s * stride]. */
void bank_ones(const struct bank *bank, uint64_t *ones, size_t stride);

/*
 * bank_query_cpu() - test w-mers against all sub-queries, on the calling thread.
 *   n         [in] up to bank_query_batch() words
 *   positions [out] scratch, k * bank_query_batch() of them
 *   pass      [out] bit i * bank_width() + s: whether sub-query s passes word i. BANK_PASS_U64() numbers of it are written
 */
size_t bank_query_batch(const struct bank *bank);
#define BANK_PASS_U64(bank, n) (((uint64_t)(n)*bank_width(&(bank)->shape) + 63) / 64)
void bank_query_cpu(tms_simd simd, const struct bank *bank, const uint64_t *words, size_t n, uint32_t *positions, uint64_t *pass);

/* What bank_query_cpu() is made of; each SIMD level has its own. */
struct bank_kernels {
    /* Bit i of the result: whether a vector from `bits` on has all k bits of word i, of n words; these are at positions[j * stride + i]. */
    void (*vector)(const uint64_t *bits, const uint32_t *positions, size_t stride, uint32_t k, size_t n, uint64_t *pass);
    /* The and of k rows of row_u64 uint64_t each, for every word; answers lie pass_u64 apart. */
    void (*rows)(const uint64_t *bits, uint32_t row_u64, const uint32_t *positions, size_t stride, uint32_t k, size_t n, uint64_t *pass,
                 size_t pass_u64);
};
extern const struct bank_kernels bank_kernels_avx512; /* bank_avx512.c */

#ifdef __cplusplus
}
#endif
#endif
