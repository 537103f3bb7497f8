/*
 * word_scan_cuda.h - word_scan.h on a GPU, for many bases at once, with the same masks and the same filter bits.
 *
 * In a build without CUDA word_scan_none.c replaces it.
 */
#ifndef TMS_WORD_SCAN_CUDA_H
#define TMS_WORD_SCAN_CUDA_H

#include "classify/word_scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Masks of n bases. Plane 0: a w-mer begins here; plane 1 + r: that w-mer is in filter r. The masks are stored in pieces; each piece
 * holds its part of all planes, plane by plane.
 */
struct scan_planes {
    const uint64_t *bits;
    size_t n_bases, n_planes, piece; /* piece: bases per piece, a multiple of 64 */
};

/* The 64 bits of a plane from a position on; bits beyond the last base are 0. */
static inline uint64_t scan_planes_word(const struct scan_planes *p, size_t plane, size_t i)
{
    size_t first = 64 * i / p->piece * p->piece, n = p->n_bases - first < p->piece ? p->n_bases - first : p->piece;

    if (64 * i >= p->n_bases)
        return 0;
    return p->bits[first / 64 * p->n_planes + plane * ((n + 63) / 64) + (i - first / 64)];
}
static inline uint64_t scan_planes_bits(const struct scan_planes *p, size_t plane, size_t at)
{
    uint64_t low = scan_planes_word(p, plane, at / 64) >> at % 64;

    return at % 64 ? low | scan_planes_word(p, plane, at / 64 + 1) << (64 - at % 64) : low;
}

/* scan_gpu_takes() - tests whether all filters are in the memory of the context's GPU. */
bool scan_gpu_takes(const tms_context *ctx, const tms_filter *const *filters, size_t n_filters);

/* scan_planes_bytes() - bytes of n_planes planes. */
static inline size_t scan_planes_bytes(size_t n_bases, size_t n_planes) { return (n_bases + 63) / 64 * n_planes * sizeof(uint64_t); }

/*
 * scan_gpu_hits() - computes the masks of any text: one record, or several separated by a byte that is no base.
 *   bits [out] scan_planes_bytes(n, 1 + n_filters) bytes
 *   out  [out] describes the planes in `bits`
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE or TMS_E_CANCELLED.
 */
tms_status scan_gpu_hits(tms_context *ctx, const struct scan_shape *shape, tms_strand strand, const tms_filter *const *filters,
                         size_t n_filters, const uint8_t *bases, size_t n, uint64_t *bits, struct scan_planes *out);

/*
 * scan_gpu_insert() - inserts all w-mers of stretches of bases into a filter in the memory of the context's GPU.
 *   codes      [in] n_bases bases, packed as in tms_dna
 *   stretches  [in] ascending, disjoint, each of w bases or more
 * Returns as scan_gpu_hits().
 */
tms_status scan_gpu_insert(tms_context *ctx, const struct scan_shape *shape, tms_filter *f, const uint64_t *codes, uint64_t n_bases,
                           const struct scan_stretch *stretches, size_t n_stretches);

#ifdef __cplusplus
}
#endif
#endif
