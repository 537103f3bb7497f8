/*
 * mask.h - stretches of records that say little: SEG of proteins, symmetric DUST of nucleotides, letters in lower case.
 *
 * The intervals are those of NCBI's programs, of version 2.12: of segmasker and blastp, of dustmasker and blastn. doc/mask.md says what
 * they compute.
 *
 * Threads: the calls use the threads of their context. A tms_masks belongs to one call at a time. Results are the same for any number of
 * threads.
 */
#ifndef TAMIS_MASK_H
#define TAMIS_MASK_H

#include "tamis/seq.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Parameters of SEG [Wootton & Federhen 1993]: of a stretch that has a window of complexity up to locut, as far as windows are up to hicut,
 * the least probable part is masked.
 */
typedef struct tms_seg_params {
    uint32_t window, reserved; /* letters, 1 .. TMS_SEG_MAX_WINDOW; 0 */
    double locut, hicut;       /* bits, 0 .. 20; hicut is locut at least */
} tms_seg_params;

#define TMS_SEG_MAX_WINDOW 1000000
/* Initializers: blastp's and segmasker's of a query, and those of a subject whose composition blastp adjusts to. */
#define TMS_SEG_QUERY                                                                                                                      \
    {                                                                                                                                      \
        12, 0, 2.2, 2.5                                                                                                                    \
    }
#define TMS_SEG_SUBJECT                                                                                                                    \
    {                                                                                                                                      \
        10, 0, 1.8, 2.1                                                                                                                    \
    }

/* What becomes of N, which is no base. Other ambiguous letters count as A. */
typedef enum tms_dust_rule {
    TMS_DUST_BLASTN = 0,    /* each N is a pseudo-random base, the same in every run */
    TMS_DUST_DUSTMASKER = 1 /* likewise; but runs of N at both ends, and those longer than the window, are masked, and part pieces */
} tms_dust_rule;

/* Parameters of symmetric DUST [Morgulis 2006]. */
typedef struct tms_dust_params {
    uint32_t window; /* letters, 8 .. 64: no stretch is longer before it is joined to others */
    uint32_t level;  /* 2 .. 64: a stretch of n triplets with more than level / 10 * (n - 1) pairs of equal ones is masked */
    uint32_t linker; /* 1 .. 32: a stretch that begins at most so many letters after the end of another is joined to it */
    uint32_t rule;   /* of tms_dust_rule */
} tms_dust_params;

/* Initializers: the defaults of both programs. */
#define TMS_DUST_AS_BLASTN                                                                                                                 \
    {                                                                                                                                      \
        64, 20, 1, TMS_DUST_BLASTN                                                                                                         \
    }
#define TMS_DUST_AS_DUSTMASKER                                                                                                             \
    {                                                                                                                                      \
        64, 20, 1, TMS_DUST_DUSTMASKER                                                                                                     \
    }

/* Results, and memory for the work, which is used again by the next call. */
typedef struct tms_masks tms_masks;

/* The intervals of record i of the batch: intervals[starts[i]] .. intervals[starts[i + 1] - 1]. */
typedef struct tms_mask_list {
    size_t n_records;
    const tms_interval *intervals;
    const uint64_t *starts; /* n_records + 1 */
} tms_mask_list;

/*
 * tms_masks_create() - no records.
 *   out [out] destroyed with tms_masks_destroy()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_masks_create(tms_context *ctx, tms_masks **out);
TMS_API void tms_masks_destroy(tms_masks *masks); /* NULL is fine */

/* tms_masks_list() - what the last call found, borrowed until the next one. */
TMS_API tms_mask_list tms_masks_list(const tms_masks *masks);

/*
 * tms_mask_seg() - segments of low complexity in proteins.
 *   seqs   [in]  a byte that is no letter of a protein counts as X
 *   params [in]  NULL: TMS_SEG_QUERY
 *   masks  [out] segments in the order of their ends, as segmasker prints them; a few overlap
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of its range; TMS_E_MEMORY; TMS_E_CANCELLED. On failure masks are undefined.
 */
TMS_API TMS_CHECKED tms_status tms_mask_seg_sized(tms_context *ctx, const tms_seqs *seqs, const tms_seg_params *params, size_t params_size,
                                                  tms_masks *masks);
TMS_INLINE TMS_CHECKED tms_status tms_mask_seg(tms_context *ctx, const tms_seqs *seqs, const tms_seg_params *params, tms_masks *masks)
{
    return tms_mask_seg_sized(ctx, seqs, params, sizeof *params, masks);
}

/*
 * tms_mask_dust() - stretches of nucleotides in which few triplets come often.
 *   seqs   [in]  a byte that is no letter of a nucleotide counts as A
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

/* tms_mask_lower_case() - runs of a to z, whatever the alphabet. Returns TMS_OK, TMS_E_MEMORY or TMS_E_CANCELLED. */
TMS_API TMS_CHECKED tms_status tms_mask_lower_case(tms_context *ctx, const tms_seqs *seqs, tms_masks *masks);

#ifdef __cplusplus
}
#endif
#endif
