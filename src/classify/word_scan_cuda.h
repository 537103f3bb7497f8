/*
 * word_scan_cuda.h - word_scan.h on a GPU, for many letters at once: the same masks, and the same bits of a filter.
 *
 * In a build without CUDA word_scan_none.c stands in its place.
 */
#ifndef TMS_WORD_SCAN_CUDA_H
#define TMS_WORD_SCAN_CUDA_H

#include "classify/word_scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Masks of n letters: plane 0: a w-mer begins here; plane 1 + r: it is in filter r. They come in pieces, in each of which the planes lie
 * one after the other.
 */
struct scan_planes {
    const uint64_t *bits;
    size_t n_letters, n_planes, piece; /* piece: letters, a multiple of 64 */
};

/* The 64 bits of a plane from a letter on; beyond the last letter there are zeros. */
static inline uint64_t scan_planes_word(const struct scan_planes *p, size_t plane, size_t i)
{
    size_t first = 64 * i / p->piece * p->piece, n = p->n_letters - first < p->piece ? p->n_letters - first : p->piece;

    if (64 * i >= p->n_letters)
        return 0;
    return p->bits[first / 64 * p->n_planes + plane * ((n + 63) / 64) + (i - first / 64)];
}
static inline uint64_t scan_planes_bits(const struct scan_planes *p, size_t plane, size_t at)
{
    uint64_t low = scan_planes_word(p, plane, at / 64) >> at % 64;

    return at % 64 ? low | scan_planes_word(p, plane, at / 64 + 1) << (64 - at % 64) : low;
}

/* scan_gpu_takes() - are all filters in the memory of the context's GPU? */
bool scan_gpu_takes(const tms_context *ctx, const tms_filter *const *filters, size_t n_filters);

/* scan_planes_bytes() - of n_planes. */
static inline size_t scan_planes_bytes(size_t n_letters, size_t n_planes) { return (n_letters + 63) / 64 * n_planes * sizeof(uint64_t); }

/*
 * scan_gpu_hits() - any letters, of one record or of several with a byte between that is no base.
 *   bits [out] scan_planes_bytes(n, 1 + n_filters) bytes
 *   out  [out] the planes in them
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE or TMS_E_CANCELLED.
 */
tms_status scan_gpu_hits(tms_context *ctx, const struct scan_shape *shape, tms_strand strand, const tms_filter *const *filters,
                         size_t n_filters, const uint8_t *letters, size_t n, uint64_t *bits, struct scan_planes *out);

/*
 * scan_gpu_insert() - all w-mers of stretches of bases into a filter in the memory of the context's GPU.
 *   codes      [in] n_bases of them, as in tms_dna
 *   stretches  [in] ascending, apart from each other, each of w bases or more
 * Returns as scan_gpu_hits().
 */
tms_status scan_gpu_insert(tms_context *ctx, const struct scan_shape *shape, tms_filter *f, const uint64_t *codes, uint64_t n_bases,
                           const struct scan_stretch *stretches, size_t n_stretches);

#ifdef __cplusplus
}
#endif
#endif
