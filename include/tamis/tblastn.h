/*
 * tblastn.h - protein queries against a nucleotide database, translated in six frames: the alignments that tblastn of NCBI BLAST+ 2.12
 * reports, with the same scores and E-values in the same order.
 *
 * Each frame of a subject is searched in like a protein (tamis/blastp.h). HSPs of a strand that follow each other in query and subject are
 * linked, and have the E-value of their chain [Karlin & Altschul 1993]. doc/tblastn.md describes the differences from blastp.
 *
 * tamis/translated.h has the calls of a search.
 */
#ifndef TAMIS_TBLASTN_H
#define TAMIS_TBLASTN_H

#include "tamis/translated.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A task sets the defaults of word size and threshold. */
typedef enum tms_tblastn_task { TMS_TASK_TBLASTN = 0, TMS_TASK_TBLASTN_FAST = 1 } tms_tblastn_task;

/* tms_tblastn_protein_defaults() - the parameters that blastp has, too, as tblastn uses them without options. */
TMS_INLINE tms_blastp_params tms_tblastn_protein_defaults(void)
{
    tms_blastp_params p = tms_blastp_defaults();

    p.masks_seg = 1;
    p.batch_residues = 20000;
    return p;
}

/*
 * tms_tblastn_create() - create a search in a database of nucleotides.
 *   db      [in]  borrowed until tms_translated_destroy()
 *   protein [in]  NULL: tms_tblastn_protein_defaults(). task has no meaning; subject_masks only
 *     soft ones
 *   params  [in]  NULL: tms_translated_defaults()
 *   out     [out] destroyed with tms_translated_destroy()
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of range, or the matrix has no statistics for the gap costs; TMS_E_MEMORY;
 * TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_tblastn_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein,
                                                        size_t protein_size, const tms_translated_params *params, size_t params_size,
                                                        tms_translated **out);
TMS_INLINE TMS_CHECKED tms_status tms_tblastn_create(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein,
                                                     const tms_translated_params *params, tms_translated **out)
{
    return tms_tblastn_create_sized(ctx, db, protein, sizeof *protein, params, sizeof *params, out);
}

#ifdef __cplusplus
}
#endif
#endif
