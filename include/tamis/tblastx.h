/*
 * tblastx.h - nucleotide queries against a nucleotide database, both translated in six frames: the alignments that tblastx of NCBI BLAST+
 * 2.12 reports, with the same scores and E-values in the same order.
 *
 * Each frame of a query is searched with, and each frame of a subject is searched in, like a protein (tamis/blastp.h). Alignments have no
 * gaps. HSPs of a strand that follow each other in query and subject are linked, and have the E-value of their chain [Karlin & Altschul
 * 1993]. doc/tblastx.md describes the differences from blastp.
 *
 * tamis/translated.h has the calls of a search.
 */
#ifndef TAMIS_TBLASTX_H
#define TAMIS_TBLASTX_H

#include "tamis/translated.h"

#ifdef __cplusplus
extern "C" {
#endif

/* tms_tblastx_protein_defaults() - the parameters that blastp has, too, as tblastx uses them without options. */
TMS_INLINE tms_blastp_params tms_tblastx_protein_defaults(void)
{
    tms_blastp_params p = tms_blastp_defaults();

    p.composition = TMS_COMPOSITION_OFF;
    p.ungapped = 1;
    p.masks_seg = 1;
    p.batch_residues = 10002;
    return p;
}

/*
 * tms_tblastx_create() - create a search in a database of nucleotides.
 *   db      [in]  borrowed until tms_translated_destroy()
 *   protein [in]  NULL: tms_tblastx_protein_defaults(). task, costs of gaps, X-drops of gapped extensions have no meaning; composition 0
 *     and ungapped 1; no hard subject_masks; batch_residues are bases
 *   params  [in]  NULL: tms_translated_defaults(). longest_intron has no meaning
 *   out     [out] destroyed with tms_translated_destroy()
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of range; TMS_E_MEMORY; TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_tblastx_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein,
                                                        size_t protein_size, const tms_translated_params *params, size_t params_size,
                                                        tms_translated **out);
TMS_INLINE TMS_CHECKED tms_status tms_tblastx_create(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein,
                                                     const tms_translated_params *params, tms_translated **out)
{
    return tms_tblastx_create_sized(ctx, db, protein, sizeof *protein, params, sizeof *params, out);
}

#ifdef __cplusplus
}
#endif
#endif
