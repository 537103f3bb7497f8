/*
 * mask.h - finds regions with little information: low-complexity regions of proteins (SEG) and of nucleotides (symmetric DUST), and lower
 * case.
 *
 * The intervals are those of NCBI's programs in version 2.12: segmasker and blastp, dustmasker and blastn. doc/mask.md describes the
 * computation.
 *
 * Threads: the calls use the threads of their context. One call at a time may use a tms_masks. Results are the same for any number of
 * threads.
 */
#ifndef TAMIS_MASK_H
#define TAMIS_MASK_H

#include "tamis/seq.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Parameters of SEG [Wootton & Federhen 1993]. A segment begins with a window of complexity up to locut and extends over neighbouring
 * windows of complexity up to hicut; its least probable part is masked.
 */
typedef struct tms_seg_params {
    uint32_t window, reserved; /* window: residues, 1 .. TMS_SEG_MAX_WINDOW; reserved: 0 */
    double locut, hicut;       /* bits, 0 .. 20; hicut >= locut */
} tms_seg_params;

#define TMS_SEG_MAX_WINDOW 1000000
/* Initializers: for a query, as in blastp and segmasker; and for a subject when blastp adjusts scores to its composition. */
#define TMS_SEG_QUERY                                                                                                                      \
    {                                                                                                                                      \
        12, 0, 2.2, 2.5                                                                                                                    \
    }
#define TMS_SEG_SUBJECT                                                                                                                    \
    {                                                                                                                                      \
        10, 0, 1.8, 2.1                                                                                                                    \
    }

/* How DUST treats N. Other ambiguous bases count as A. */
typedef enum tms_dust_rule {
    TMS_DUST_BLASTN = 0,    /* each N is a pseudo-random base, the same in every run */
    TMS_DUST_DUSTMASKER = 1 /* each N is a pseudo-random base; but runs of N at both ends, and runs longer than the window, are masked,
                             * and the record is masked separately on both sides of them */
} tms_dust_rule;

/* Parameters of symmetric DUST [Morgulis 2006]. */
typedef struct tms_dust_params {
    uint32_t window; /* bases, 8 .. 64: the greatest length of an interval before it is joined to others */
    uint32_t level;  /* 2 .. 64: an interval of n triplets with more than level / 10 * (n - 1) pairs of equal ones is masked */
    uint32_t linker; /* 1 .. 32: an interval that begins at most this many bases after the end of another is joined to it */
    uint32_t rule;   /* a tms_dust_rule */
} tms_dust_params;

/* Initializers: the defaults of blastn and of dustmasker. */
#define TMS_DUST_AS_BLASTN                                                                                                                 \
    {                                                                                                                                      \
        64, 20, 1, TMS_DUST_BLASTN                                                                                                         \
    }
#define TMS_DUST_AS_DUSTMASKER                                                                                                             \
    {                                                                                                                                      \
        64, 20, 1, TMS_DUST_DUSTMASKER                                                                                                     \
    }

/* Results, and memory for the work, which the next call reuses. */
typedef struct tms_masks tms_masks;

/* The intervals of record i of the batch: intervals[starts[i]] .. intervals[starts[i + 1] - 1]. */
typedef struct tms_mask_list {
    size_t n_records;
    const tms_interval *intervals;
    const uint64_t *starts; /* n_records + 1 offsets */
} tms_mask_list;

/*
 * tms_masks_create() - create an empty result.
 *   out [out] destroyed with tms_masks_destroy()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_masks_create(tms_context *ctx, tms_masks **out);
TMS_API void tms_masks_destroy(tms_masks *masks); /* NULL is fine */

/* tms_masks_list() - the intervals of the last call, borrowed until the next one. */
TMS_API tms_mask_list tms_masks_list(const tms_masks *masks);

/*
 * tms_mask_seg() - find low-complexity segments of proteins.
 *   seqs   [in]  a byte that is no residue counts as X
 *   params [in]  NULL: TMS_SEG_QUERY
 *   masks  [out] segments in the order of their ends, as segmasker prints them; a few overlap
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of range; TMS_E_MEMORY; TMS_E_CANCELLED. On failure masks are undefined.
 */
TMS_API TMS_CHECKED tms_status tms_mask_seg_sized(tms_context *ctx, const tms_seqs *seqs, const tms_seg_params *params, size_t params_size,
                                                  tms_masks *masks);
TMS_INLINE TMS_CHECKED tms_status tms_mask_seg(tms_context *ctx, const tms_seqs *seqs, const tms_seg_params *params, tms_masks *masks)
{
    return tms_mask_seg_sized(ctx, seqs, params, sizeof *params, masks);
}

/*
 * tms_mask_dust() - find low-complexity intervals of nucleotide sequences, in which a few triplets are frequent.
 *   seqs   [in]  a byte that is no nucleotide counts as A
 *   params [in]  NULL: TMS_DUST_AS_BLASTN
 *   masks  [out] intervals, ascending, that do not overlap
 * Returns as tms_mask_seg().
 */
TMS_API TMS_CHECKED tms_status tms_mask_dust_sized(tms_context *ctx, const tms_seqs *seqs, const tms_dust_params *params,
                                                   size_t params_size, tms_masks *masks);
TMS_INLINE TMS_CHECKED tms_status tms_mask_dust(tms_context *ctx, const tms_seqs *seqs, const tms_dust_params *params, tms_masks *masks)
{
    return tms_mask_dust_sized(ctx, seqs, params, sizeof *params, masks);
}

/* tms_mask_lower_case() - find runs of a to z, in any alphabet. Returns TMS_OK, TMS_E_MEMORY or TMS_E_CANCELLED. */
TMS_API TMS_CHECKED tms_status tms_mask_lower_case(tms_context *ctx, const tms_seqs *seqs, tms_masks *masks);

#ifdef __cplusplus
}
#endif
#endif
