/*
 * blastn.h - nucleotide queries against a nucleotide database: the alignments that blastn of NCBI BLAST+ 2.12 reports, with the same scores
 * and E-values in the same order.
 *
 * A search scans every sequence of the database for words that it has in common with a strand of a query, extends them without and then
 * with gaps, and aligns the best subjects. [Altschul et al. 1990; Zhang et al. 2000]
 *
 * Threads: a search uses the threads of its context; one thread may use a search at a time. The results do not depend on the number of
 * threads.
 */
#ifndef TAMIS_BLASTN_H
#define TAMIS_BLASTN_H

#include "tamis/dna.h"
#include "tamis/mask.h"
#include "tamis/search.h"
#include "tamis/seq.h"
#include "tamis/seqdb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A task sets the defaults of word size, scores, gap costs, X-drops and extension. */
typedef enum tms_blastn_task {
    TMS_TASK_MEGABLAST = 0,    /* for sequences that differ little: words of 28 bases, greedy extension */
    TMS_TASK_BLASTN = 1,       /* words of 11 bases */
    TMS_TASK_BLASTN_SHORT = 2, /* for queries of fewer than 50 bases: words of 7 */
    TMS_TASK_DC_MEGABLAST = 3, /* words of bases that need not be next to each other, by a template */
    TMS_TASK_RMBLASTN = 4 /* RepeatMasker's: words of 11 bases; without reward and penalty: 1 and -3, and X-drops are scores, not bits */
} tms_blastn_task;

/* The bases under a template that are compared. */
typedef enum tms_word_template {
    TMS_TEMPLATE_DEFAULT = 0, /* that of the task: coding for dc-megablast, else none */
    TMS_TEMPLATE_CODING = 1,
    TMS_TEMPLATE_OPTIMAL = 2,
    TMS_TEMPLATE_CODING_AND_OPTIMAL = 3 /* words of both */
} tms_word_template;

typedef struct tms_blastn_params {
    uint32_t task;                /* a tms_blastn_task */
    uint32_t strands;             /* of queries: a tms_strand */
    uint32_t word_size;           /* bases, 4 or more; 0: the task's word size */
    int32_t reward, penalty;      /* reward above 0, penalty below 0; 0: the task's */
    int32_t gap_open, gap_extend; /* a gap of n bases costs gap_open + n * gap_extend; both 0, with greedy extension: a gap costs
                                   * (reward - 2 * penalty) / 2 a base; -1: the task's */
    uint32_t no_greedy;           /* 1: extensions are by dynamic programming, whatever the task */
    uint32_t word_template;       /* a tms_word_template */
    uint32_t template_length;     /* bases under the template: 16, 18 or 21; 0: 18 */
    int32_t window;               /* the second of two word hits begins at most this many bases after the first; 0: one hit is enough; -1:
                                   * the task's */
    uint32_t off_diagonal_range;  /* with a window: two hits may be this many diagonals apart */
    double evalue;                /* largest E-value that is reported, above 0 */
    double xdrop_ungapped, xdrop_gapped, xdrop_final; /* bits; below 0: the task's. xdrop_ungapped 0: the ungapped cutoff score */
    double min_identity;                              /* least share of identical columns of an alignment, in percent; 0: any */
    double min_query_coverage;                        /* least share of the query that an HSP must cover, in percent; 0: any */
    int32_t min_raw_score;                            /* the least score of a gapped alignment; 0: what the E-value requires */
    uint32_t max_target_seqs; /* most subjects reported for a query, 1 or more; also sets how many subjects are aligned */
    uint32_t max_hsps;        /* most HSPs reported for a subject; 0: all */
    uint32_t subject_besthit; /* 1: an HSP deletes those of the same subject that lie within its range of the query */
    uint32_t masks_dust;      /* 1: mask low-complexity regions of queries, with the parameters dust */
    tms_dust_params dust;
    uint32_t masks_lower_case; /* 1: mask lower-case bases of queries */
    uint32_t soft_masking;     /* 1: masked bases start no words, but alignments include them; 0: they are replaced by N */
    uint32_t ungapped;         /* 1: alignments have no gaps */
    int64_t database_residues; /* length of the database for statistics; 0: that of db */
    int64_t search_space;      /* search space for E-values; 0: the effective search space of each query */
    uint64_t batch_residues;   /* bases in a batch of queries; 0: as many as NCBI's program takes (tms_blastn_batch_residues()) */
    uint64_t chunk_residues;   /* a batch of twice as many bases or more is cut into chunks of this size, at most 1000; 0: the task's */
    uint64_t culling_limit;    /* delete an HSP if this many better ones, of any subjects, overlap half of its range of the query; 0: keep
                                * it */
    double best_hit_overhang, best_hit_score_edge; /* as in tms_blastp_params */
    const tms_seqdb_masks *subject_masks; /* masked bases of the database start no words; borrowed until tms_blastn_destroy(); NULL: none */
    uint64_t hides_masked;    /* with subject_masks: 1: each unmasked range is searched on its own, and alignments take masked bases as B */
    uint64_t as_subject_file; /* 1: as blastn treats -subject: words may include the last base of an interval of subject_masks; 0: as -db */
    uint64_t shard, n_shards; /* as in tms_blastp_params */
    /* GPUs look up words and drop most of their hits; the rest is done by the CPU. As in tms_blastp_params. */
    const int32_t *more_gpus;
    uint64_t n_more_gpus;
    uint64_t gpu_memory;
    tms_status (*await_gpu)(void *await_arg, tms_context *ctx);
    void *await_arg;
    uint64_t sum_statistics; /* 1: HSPs of a subject are linked to chains, each with one E-value */
} tms_blastn_params;

/* tms_blastn_defaults() - the parameters that blastn uses without options. */
TMS_INLINE tms_blastn_params tms_blastn_defaults(void)
{
    const tms_dust_params dust = TMS_DUST_AS_BLASTN;
#ifdef __cplusplus
    tms_blastn_params p = {};
#else
    tms_blastn_params p = {0};
#endif

    p.gap_open = p.gap_extend = -1;
    p.window = -1;
    p.evalue = 10;
    p.xdrop_ungapped = p.xdrop_gapped = p.xdrop_final = -1;
    p.max_target_seqs = 500;
    p.masks_dust = 1;
    p.dust = dust;
    p.soft_masking = 1;
    return p;
}

/* The parameters of a search after defaults are filled in. */
typedef struct tms_blastn_info {
    int32_t reward, penalty, gap_open, gap_extend;
    uint32_t word_size, window;
    double lambda, K, H;             /* of gapped alignments; -1 if each query has its own, in tms_search_result */
    int64_t n_residues, n_sequences; /* of the database, as used for statistics */
} tms_blastn_info;

typedef struct tms_blastn tms_blastn;

/*
 * tms_blastn_create() - create a search in a database of nucleotides.
 *   db     [in]  borrowed until tms_blastn_destroy()
 *   params [in]  NULL: tms_blastn_defaults()
 *   out    [out] destroyed with tms_blastn_destroy()
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of range, or there are no statistics for the scores and gap costs; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_blastn_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastn_params *params,
                                                       size_t params_size, tms_blastn **out);
TMS_INLINE TMS_CHECKED tms_status tms_blastn_create(tms_context *ctx, const tms_seqdb *db, const tms_blastn_params *params,
                                                    tms_blastn **out)
{
    return tms_blastn_create_sized(ctx, db, params, sizeof *params, out);
}
TMS_API void tms_blastn_destroy(tms_blastn *search); /* NULL is fine */

TMS_API void tms_blastn_get_info_sized(const tms_blastn *search, tms_blastn_info *out, size_t out_size);
TMS_INLINE void tms_blastn_get_info(const tms_blastn *search, tms_blastn_info *out) { tms_blastn_get_info_sized(search, out, sizeof *out); }

/*
 * tms_blastn_batch_residues() - the size of the next batch of queries, in bases: NCBI's program takes queries while they have fewer bases
 * together. It follows from the numbers of ungapped HSPs of the batches before. A weak HSP near the end of a batch may depend on it.
 */
TMS_API uint64_t tms_blastn_batch_residues(const tms_blastn *search);

/*
 * tms_blastn_batch_rate() - what sizes of later batches follow from, beside that of the next one: ungapped HSPs a base, smoothed; 0: of no
 * batch yet.
 * tms_blastn_set_batches() - continues the sizes of another search with the same parameters: these are its numbers before the next batch.
 * Without effect with batch_residues.
 */
TMS_API double tms_blastn_batch_rate(const tms_blastn *search);
TMS_API void tms_blastn_set_batches(tms_blastn *search, uint64_t residues, double rate);

/*
 * tms_blastn_search() - search the database with one batch of queries.
 *   queries [in]  IUPAC characters, at most 2^30 - 1 in all strands together; lower case may be masked
 *   out     [out] a result for each query; destroyed with tms_search_results_destroy(), before the search is
 * Returns TMS_OK; TMS_E_ARG: a character is no base, or there are too many, or too many chunks; TMS_E_FORMAT: a sequence of the database is
 * damaged; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_blastn_search(tms_blastn *search, const tms_seqs *queries, tms_search_results **out);

/* tms_blastn_scan(), tms_blastn_align() - the two halves of a search in parts, as tms_blastp_scan() and tms_blastp_align(). */
TMS_API TMS_CHECKED tms_status tms_blastn_scan(tms_blastn *search, const tms_seqs *queries, tms_search_found **out);
TMS_API TMS_CHECKED tms_status tms_blastn_align(tms_blastn *search, const tms_seqs *queries, tms_search_found *found,
                                                tms_search_results **out);

/* tms_blastn_score() - the score of two bases, as BLASTNA codes. */
TMS_API int tms_blastn_score(const tms_blastn *search, uint8_t query, uint8_t subject);

/* tms_blastn_get_stats() - counts and times summed over all calls of tms_blastn_search(). */
TMS_API void tms_blastn_get_stats_sized(const tms_blastn *search, tms_search_stats *out, size_t out_size);
TMS_INLINE void tms_blastn_get_stats(const tms_blastn *search, tms_search_stats *out)
{
    tms_blastn_get_stats_sized(search, out, sizeof *out);
}

#ifdef __cplusplus
}
#endif
#endif
