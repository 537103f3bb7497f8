/*
 * tblastn.h - protein queries against a nucleotide database, translated in six frames: the alignments that tblastn of NCBI BLAST+ 2.12
 * reports, with the same scores and E-values in the same order.
 *
 * Each frame of a subject is searched in like a protein (tamis/blastp.h). HSPs of a strand that follow each other in query and subject are
 * linked, and have the E-value of their chain [Karlin & Altschul 1993]. doc/tblastn.md describes the differences from blastp.
 *
 * Threads: as for tamis/blastp.h. This search runs on the CPU: its context must be.
 */
#ifndef TAMIS_TBLASTN_H
#define TAMIS_TBLASTN_H

#include "tamis/blastp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A task sets the defaults of word size and threshold. */
typedef enum tms_tblastn_task { TMS_TASK_TBLASTN = 0, TMS_TASK_TBLASTN_FAST = 1 } tms_tblastn_task;

/* Parameters that blastp does not have. */
typedef struct tms_tblastn_params {
    uint32_t task;           /* a tms_tblastn_task */
    uint32_t genetic_code;   /* NCBI's number: 1 .. 6, 9 .. 16, 21 .. 31, 33. With as_subject_file BLAST searches by code 1 nevertheless */
    uint32_t links;          /* 1: HSPs are linked */
    uint32_t longest_intron; /* bases of the subject between two HSPs of a chain; 0: 122; 1 to 4: HSPs are not linked */
} tms_tblastn_params;

/* tms_tblastn_defaults(), tms_tblastn_protein_defaults() - the parameters that tblastn uses without options. */
TMS_INLINE tms_tblastn_params tms_tblastn_defaults(void)
{
#ifdef __cplusplus
    tms_tblastn_params p = {};
#else
    tms_tblastn_params p = {0};
#endif

    p.genetic_code = 1;
    p.links = 1;
    return p;
}

TMS_INLINE tms_blastp_params tms_tblastn_protein_defaults(void)
{
    tms_blastp_params p = tms_blastp_defaults();

    p.masks_seg = 1;
    p.batch_residues = 20000;
    return p;
}

typedef struct tms_tblastn tms_tblastn;

/*
 * tms_tblastn_create() - create a search in a database of nucleotides.
 *   db      [in]  borrowed until tms_tblastn_destroy()
 *   protein [in]  the parameters that blastp has, too; NULL: tms_tblastn_protein_defaults(). task and those of GPUs have no meaning; no
 *     ungapped, smith_waterman, subject_besthit, culling_limit, best hits or subject_masks
 *   params  [in]  NULL: tms_tblastn_defaults()
 *   out     [out] destroyed with tms_tblastn_destroy()
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of range, or the matrix has no statistics for the gap costs; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_tblastn_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein,
                                                        size_t protein_size, const tms_tblastn_params *params, size_t params_size,
                                                        tms_tblastn **out);
TMS_INLINE TMS_CHECKED tms_status tms_tblastn_create(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein,
                                                     const tms_tblastn_params *params, tms_tblastn **out)
{
    return tms_tblastn_create_sized(ctx, db, protein, sizeof *protein, params, sizeof *params, out);
}
TMS_API void tms_tblastn_destroy(tms_tblastn *search); /* NULL is fine */

/* tms_tblastn_get_info(), tms_tblastn_score(), tms_tblastn_get_stats() - as those of tms_blastp. */
TMS_API void tms_tblastn_get_info_sized(const tms_tblastn *search, tms_blastp_info *out, size_t out_size);
TMS_INLINE void tms_tblastn_get_info(const tms_tblastn *search, tms_blastp_info *out)
{
    tms_tblastn_get_info_sized(search, out, sizeof *out);
}
TMS_API int tms_tblastn_score(const tms_tblastn *search, uint8_t query, uint8_t subject);
TMS_API void tms_tblastn_get_stats_sized(const tms_tblastn *search, tms_search_stats *out, size_t out_size);
TMS_INLINE void tms_tblastn_get_stats(const tms_tblastn *search, tms_search_stats *out)
{
    tms_tblastn_get_stats_sized(search, out, sizeof *out);
}

/*
 * tms_tblastn_search(), tms_tblastn_scan(), tms_tblastn_align() - as those of tms_blastp. Calls take whole query batches: cutoffs depend on
 * all queries of a batch.
 */
TMS_API TMS_CHECKED tms_status tms_tblastn_search(tms_tblastn *search, const tms_seqs *queries, tms_search_results **out);
TMS_API TMS_CHECKED tms_status tms_tblastn_scan(tms_tblastn *search, const tms_seqs *queries, tms_search_found **out);
TMS_API TMS_CHECKED tms_status tms_tblastn_align(tms_tblastn *search, const tms_seqs *queries, tms_search_found *found,
                                                 tms_search_results **out);

#ifdef __cplusplus
}
#endif
#endif
