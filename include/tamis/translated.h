/*
 * translated.h - what blastx, tblastn and their kin have in common: parameters beside those of blastp, and the calls of a search.
 * tamis/blastx.h, tamis/tblastn.h and tamis/tblastx.h make one.
 *
 * Threads: as for tamis/blastp.h.
 */
#ifndef TAMIS_TRANSLATED_H
#define TAMIS_TRANSLATED_H

#include "tamis/blastp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters that blastp does not have. Those of what a program does not translate have no meaning. */
typedef struct tms_translated_params {
    uint32_t task;               /* of the program */
    uint32_t query_genetic_code; /* NCBI's number: 1 .. 6, 9 .. 16, 21 .. 31, 33 */
    uint32_t db_genetic_code;    /* as above, of the subjects. With as_subject_file BLAST searches by code 1 nevertheless */
    uint32_t skips_plus;         /* 1: frames 1, 2 and 3 of queries are not searched with */
    uint32_t skips_minus;        /* 1: frames -1, -2 and -3 are not searched with. Not both */
    uint32_t links;              /* 1: HSPs are linked */
    uint32_t longest_intron;     /* bases of what is translated between two HSPs of a chain; 0: 122; 1 to 4: HSPs are not linked */
} tms_translated_params;

/* tms_translated_defaults() - the parameters that these programs use without options. */
TMS_INLINE tms_translated_params tms_translated_defaults(void)
{
#ifdef __cplusplus
    tms_translated_params p = {};
#else
    tms_translated_params p = {0};
#endif

    p.query_genetic_code = 1;
    p.db_genetic_code = 1;
    p.links = 1;
    return p;
}

typedef struct tms_translated tms_translated;

TMS_API void tms_translated_destroy(tms_translated *search); /* NULL is fine */

/* tms_translated_get_info(), tms_translated_score(), tms_translated_get_stats() - as those of tms_blastp. */
TMS_API void tms_translated_get_info_sized(const tms_translated *search, tms_blastp_info *out, size_t out_size);
TMS_INLINE void tms_translated_get_info(const tms_translated *search, tms_blastp_info *out)
{
    tms_translated_get_info_sized(search, out, sizeof *out);
}
TMS_API int tms_translated_score(const tms_translated *search, uint8_t query, uint8_t subject);
TMS_API void tms_translated_get_stats_sized(const tms_translated *search, tms_search_stats *out, size_t out_size);
TMS_INLINE void tms_translated_get_stats(const tms_translated *search, tms_search_stats *out)
{
    tms_translated_get_stats_sized(search, out, sizeof *out);
}

/*
 * tms_translated_search(), tms_translated_scan(), tms_translated_align() - as those of tms_blastp.
 *   queries [in] whole query batches: cutoffs depend on all queries of a batch. Bases, if queries are translated, in the characters that
 *     tms_alphabet_encode() accepts for TMS_ALPHABET_BLASTNA; lower case may be masked
 */
TMS_API TMS_CHECKED tms_status tms_translated_search(tms_translated *search, const tms_seqs *queries, tms_search_results **out);
TMS_API TMS_CHECKED tms_status tms_translated_scan(tms_translated *search, const tms_seqs *queries, tms_search_found **out);
TMS_API TMS_CHECKED tms_status tms_translated_align(tms_translated *search, const tms_seqs *queries, tms_search_found *found,
                                                    tms_search_results **out);

#ifdef __cplusplus
}
#endif
#endif
