/*
 * blastx.h - nucleotide queries, translated in six frames, against a protein database: the alignments that blastx of NCBI BLAST+ 2.12
 * reports, with the same scores and E-values in the same order.
 *
 * A query is searched with by its frames, each like a protein (tamis/blastp.h). HSPs of a strand that follow each other in query and
 * subject are linked, and have the E-value of their chain [Karlin & Altschul 1993]. doc/blastx.md describes the differences from blastp.
 *
 * Threads: as for tamis/blastp.h. This search runs on the CPU: its context must be.
 */
#ifndef TAMIS_BLASTX_H
#define TAMIS_BLASTX_H

#include "tamis/blastp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A task sets the defaults of word size and threshold. */
typedef enum tms_blastx_task { TMS_TASK_BLASTX = 0, TMS_TASK_BLASTX_FAST = 1 } tms_blastx_task;

/* Parameters that blastp does not have. */
typedef struct tms_blastx_params {
    uint32_t task;           /* a tms_blastx_task */
    uint32_t genetic_code;   /* NCBI's number: 1 .. 6, 9 .. 16, 21 .. 31, 33 */
    uint32_t skips_plus;     /* 1: frames 1, 2 and 3 are not searched with */
    uint32_t skips_minus;    /* 1: frames -1, -2 and -3 are not searched with. Not both */
    uint32_t links;          /* 1: HSPs are linked */
    uint32_t longest_intron; /* bases of the query between two HSPs of a chain; 0: 122; 1 to 4: HSPs are not linked */
} tms_blastx_params;

/* tms_blastx_defaults(), tms_blastx_protein_defaults() - the parameters that blastx uses without options. */
TMS_INLINE tms_blastx_params tms_blastx_defaults(void)
{
#ifdef __cplusplus
    tms_blastx_params p = {};
#else
    tms_blastx_params p = {0};
#endif

    p.genetic_code = 1;
    p.links = 1;
    return p;
}

TMS_INLINE tms_blastp_params tms_blastx_protein_defaults(void)
{
    tms_blastp_params p = tms_blastp_defaults();

    p.masks_seg = 1;
    p.batch_residues = 10002;
    return p;
}

typedef struct tms_blastx tms_blastx;

/*
 * tms_blastx_create() - create a search in a database of proteins.
 *   db      [in]  borrowed until tms_blastx_destroy()
 *   protein [in]  the parameters that blastp has, too; NULL: tms_blastx_protein_defaults(). task and those of GPUs have no meaning; no
 *     ungapped, smith_waterman, subject_besthit, culling_limit or best hits; batch_residues are bases
 *   params  [in]  NULL: tms_blastx_defaults()
 *   out     [out] destroyed with tms_blastx_destroy()
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of range, or the matrix has no statistics for the gap costs; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_blastx_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein,
                                                       size_t protein_size, const tms_blastx_params *params, size_t params_size,
                                                       tms_blastx **out);
TMS_INLINE TMS_CHECKED tms_status tms_blastx_create(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein,
                                                    const tms_blastx_params *params, tms_blastx **out)
{
    return tms_blastx_create_sized(ctx, db, protein, sizeof *protein, params, sizeof *params, out);
}
TMS_API void tms_blastx_destroy(tms_blastx *search); /* NULL is fine */

/* tms_blastx_get_info(), tms_blastx_score(), tms_blastx_get_stats() - as those of tms_blastp. */
TMS_API void tms_blastx_get_info_sized(const tms_blastx *search, tms_blastp_info *out, size_t out_size);
TMS_INLINE void tms_blastx_get_info(const tms_blastx *search, tms_blastp_info *out) { tms_blastx_get_info_sized(search, out, sizeof *out); }
TMS_API int tms_blastx_score(const tms_blastx *search, uint8_t query, uint8_t subject);
TMS_API void tms_blastx_get_stats_sized(const tms_blastx *search, tms_search_stats *out, size_t out_size);
TMS_INLINE void tms_blastx_get_stats(const tms_blastx *search, tms_search_stats *out)
{
    tms_blastx_get_stats_sized(search, out, sizeof *out);
}

/*
 * tms_blastx_search(), tms_blastx_scan(), tms_blastx_align() - as those of tms_blastp.
 *   queries [in] bases in the characters that tms_alphabet_encode() accepts for TMS_ALPHABET_BLASTNA, whole query batches: cutoffs depend
 * on all queries of a batch. lower case may be masked
 */
TMS_API TMS_CHECKED tms_status tms_blastx_search(tms_blastx *search, const tms_seqs *queries, tms_search_results **out);
TMS_API TMS_CHECKED tms_status tms_blastx_scan(tms_blastx *search, const tms_seqs *queries, tms_search_found **out);
TMS_API TMS_CHECKED tms_status tms_blastx_align(tms_blastx *search, const tms_seqs *queries, tms_search_found *found,
                                                tms_search_results **out);

#ifdef __cplusplus
}
#endif
#endif
