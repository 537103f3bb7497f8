/*
 * blastp.h - protein queries against a protein database: the alignments that blastp of NCBI BLAST+ 2.12 reports, with the same scores and
 * E-values in the same order.
 *
 * A search scans every sequence of the database for word hits (two hits near each other on a diagonal), extends them without and then with
 * gaps, and aligns the best subjects with scores adjusted to the composition of the pair. doc/blast.md describes each step. [Altschul et
 * al. 1997; Schaffer et al. 2001; Altschul et al. 2005]
 *
 * Threads: a search uses the threads of its context, and for each GPU one or two more, which wait for it; one thread may use a search at a
 * time. The results do not depend on the number of threads, nor on how the queries are divided among calls, if each call ends where a batch
 * ends (batch_residues).
 */
#ifndef TAMIS_BLASTP_H
#define TAMIS_BLASTP_H

#include "tamis/mask.h"
#include "tamis/search.h"
#include "tamis/seq.h"
#include "tamis/seqdb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A task sets the defaults of matrix, gap costs, word size, threshold and window. */
typedef enum tms_blastp_task { TMS_TASK_BLASTP = 0, TMS_TASK_BLASTP_SHORT = 1, TMS_TASK_BLASTP_FAST = 2 } tms_blastp_task;

/* How scores are adjusted to the composition of a pair, numbered as in -comp_based_stats. */
typedef enum tms_composition {
    TMS_COMPOSITION_OFF = 0,
    TMS_COMPOSITION_SCALED = 1,      /* scales the matrix */
    TMS_COMPOSITION_ADJUSTED = 2,    /* optimizes the matrix for the pair, or scales it, by rules on lengths and compositions */
    TMS_COMPOSITION_ALL_ADJUSTED = 3 /* optimizes the matrix for every pair */
} tms_composition;

/* How the search treats masked residues of the database. */
typedef enum tms_subject_masking {
    TMS_SUBJECT_MASKING_SOFT = 0, /* masked residues start no words; alignments may extend over them */
    TMS_SUBJECT_MASKING_HARD = 1  /* each unmasked range is searched on its own; alignments show masked residues as X */
} tms_subject_masking;

/* How a GPU finds hits and extends them without gaps. All strategies give the same results. doc/blast-gpu.md describes both. */
typedef enum tms_gpu_strategy {
    TMS_GPU_STRATEGY_DEFAULT = 0,
    TMS_GPU_STRATEGY_CUBLASTP = 1 /* [Zhang et al. 2014]: bins, sorting, filtering; leaves gapped extension to the CPU */
} tms_gpu_strategy;

/* Which threads extend a hit, with TMS_GPU_STRATEGY_CUBLASTP. */
typedef enum tms_gpu_extension {
    TMS_GPU_EXTENSION_WINDOW = 0,   /* several threads for each diagonal */
    TMS_GPU_EXTENSION_DIAGONAL = 1, /* one thread for each diagonal */
    TMS_GPU_EXTENSION_HIT = 2       /* one thread for each hit */
} tms_gpu_extension;

/* Where the extension looks up scores, with TMS_GPU_STRATEGY_CUBLASTP. */
typedef enum tms_gpu_scoring {
    TMS_GPU_SCORING_AUTO = 0,  /* the faster choice in measurements: the matrix */
    TMS_GPU_SCORING_PSSM = 1,  /* scores by query position */
    TMS_GPU_SCORING_MATRIX = 2 /* scores by residue */
} tms_gpu_scoring;

typedef struct tms_blastp_params {
    uint32_t task;        /* a tms_blastp_task */
    uint32_t composition; /* a tms_composition */
    const char *matrix;   /* BLOSUM45, 50, 62, 80, 90, PAM30, 70, 250, IDENTITY, in any case; borrowed for the call; NULL: the task's
                           * matrix */
    int32_t gap_open, gap_extend; /* a gap of n residues costs gap_open + n * gap_extend; -1: the matrix's usual cost */
    int32_t window;               /* two hits must begin less than this many residues apart; 0: one hit is enough; -1: the matrix's
                                   * window */
    uint32_t word_size;           /* residues, 2 .. 7; 0: the task's word size */
    double threshold;             /* least score of a pair of words that is a hit, above 0; 0: that of task and matrix */
    double evalue;                /* largest E-value that is reported, above 0 */
    double xdrop_ungapped, xdrop_gapped, xdrop_final; /* bits; xdrop_ungapped is above 0 */
    uint32_t max_target_seqs;                         /* most subjects reported for a query, 1 or more; also sets how many subjects are
                                                       * aligned with traceback */
    uint32_t max_hsps;                                /* most HSPs reported for a subject; 0: all */
    double min_query_coverage;                        /* least share of the query that an HSP must cover, in percent; 0: any */
    uint32_t subject_besthit; /* 1: an HSP deletes those of the same subject that lie within its range of the query */
    uint32_t masks_seg;       /* 1: mask low-complexity regions of queries, with the parameters seg */
    tms_seg_params seg;
    uint32_t masks_lower_case; /* 1: mask lower-case residues of queries */
    uint32_t soft_masking;     /* 1: masked residues start no words, but alignments include them; 0: they are replaced by X */
    uint32_t as_subject_file;  /* 1: as blastp treats -subject: O counts as X, cutoffs are for the shortest subject, words may include
                                * the last residue of an interval of subject_masks. 0: as -db */
    uint32_t reserved;         /* must be 0 */
    int64_t database_residues; /* length of the database for statistics; 0: that of db */
    int64_t search_space;      /* search space for E-values, without the finite-size correction, if above 0; 0: the effective search space,
                                * without it; -1: the effective search space, with it */
    uint64_t batch_residues;   /* residues in a batch of queries: a batch ends with the query that reaches it */
    const tms_seqdb_masks *subject_masks; /* masks of the database's sequences; borrowed until tms_blastp_destroy(); NULL: none */
    uint64_t subject_masking;             /* a tms_subject_masking */
    uint64_t culling_limit; /* delete an HSP if this many better ones, of any subjects, overlap half of its range of the query; 0: keep
                             * it */
    /*
     * Best hits: delete an HSP if a better one's range of the query, extended on both sides by best_hit_overhang times its length,
     * contains the HSP's range, and (1 - best_hit_score_edge) times the better one's score per residue exceeds the HSP's. Both are above 0
     * and below 0.5; 0 means 0.1 if the other is set; both 0: no filter. Cannot be combined with culling_limit.
     */
    double best_hit_overhang, best_hit_score_edge;
    uint32_t ungapped; /* 1: alignments have no gaps, and gap_open and gap_extend are ignored; composition must be TMS_COMPOSITION_OFF */
    /* 1: final alignments are optimal over all cells [Smith & Waterman 1981]; each excludes the cells of better ones. 0: by X-drop. */
    uint32_t smith_waterman;
    uint32_t gpu_strategy;  /* a tms_gpu_strategy. The next three fields apply to TMS_GPU_STRATEGY_CUBLASTP only */
    uint32_t gpu_extension; /* a tms_gpu_extension */
    uint32_t gpu_scoring;   /* a tms_gpu_scoring */
    uint32_t gpu_bins;      /* bins of hits for each warp: a power of two up to 1024; 0: 128 */
    /*
     * CUDA numbers of n_more_gpus GPUs that share the work with the context's GPU, without duplicates; borrowed for the call. The results
     * are the same. The search opens these GPUs, and tms_blastp_destroy() closes them. Not allowed with a context on the CPU, unless
     * await_gpu is set.
     */
    const int32_t *more_gpus;
    uint64_t n_more_gpus;
    /* Bytes of device memory that the search may use on each GPU, TMS_SEARCH_LEAST_GPU_MEMORY or more; 0: all that is free. A database
     * that does not fit is copied in blocks, again in each call. Memory that CUDA itself takes is not counted. */
    uint64_t gpu_memory;
    /*
     * For a GPU that another thread is still opening while the search is created and the first queries are prepared; NULL: none. The
     * context must be on the CPU. The first tms_blastp_search() calls this function in one of the context's threads when little work is
     * left that needs no GPU. The function waits for the GPU, calls tms_context_set_device() and returns its status. On failure the search
     * fails with the context's message, and the next search calls the function again. If the context is still on the CPU afterwards, the
     * search continues on the CPU.
     */
    tms_status (*await_gpu)(void *await_arg, tms_context *ctx);
    void *await_arg;
    /* tms_blastp_scan() goes through part `shard`, from 0, of n_shards parts of the database, which have about equal numbers of residues.
     * All statistics are those of the whole database. n_shards 0: the whole database. */
    uint64_t shard, n_shards;
    tms_take_result *take_result; /* for tms_blastp_search() and tms_blastp_align(); NULL: results are complete when these return */
    void *take_arg;
} tms_blastp_params;

/* tms_blastp_defaults() - the parameters that blastp uses without options. */
TMS_INLINE tms_blastp_params tms_blastp_defaults(void)
{
    const tms_seg_params seg = TMS_SEG_QUERY;
#ifdef __cplusplus
    tms_blastp_params p = {};
#else
    tms_blastp_params p = {0};
#endif

    p.task = TMS_TASK_BLASTP;
    p.composition = TMS_COMPOSITION_ADJUSTED;
    p.gap_open = p.gap_extend = -1;
    p.window = -1;
    p.evalue = 10;
    p.xdrop_ungapped = 7;
    p.xdrop_gapped = 15;
    p.xdrop_final = 25;
    p.max_target_seqs = 500;
    p.seg = seg;
    p.search_space = -1;
    p.batch_residues = 10000;
    return p;
}

/* The parameters of a search after defaults are filled in. Texts are constants, or owned by the search. */
typedef struct tms_blastp_info {
    const char *matrix;
    int32_t gap_open, gap_extend;
    uint32_t word_size, window;
    double threshold;
    double lambda, K, H, a, alpha, sigma; /* of gapped alignments; with params.ungapped each query has its own, in tms_search_result */
    double ungapped_a, ungapped_alpha;    /* of the matrix without gaps */
    int64_t n_residues, n_sequences;      /* of the database, as used for statistics */
} tms_blastp_info;

typedef struct tms_blastp tms_blastp;

/*
 * tms_blastp_create() - create a search in a database of proteins.
 *   db     [in]  borrowed until tms_blastp_destroy()
 *   params [in]  NULL: tms_blastp_defaults()
 *   out    [out] destroyed with tms_blastp_destroy()
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of range, or the matrix has no statistics for the gap costs, in which case the message
 * lists the costs it has; TMS_E_MEMORY; TMS_E_DEVICE: one of more_gpus is missing or unusable.
 */
TMS_API TMS_CHECKED tms_status tms_blastp_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *params,
                                                       size_t params_size, tms_blastp **out);
TMS_INLINE TMS_CHECKED tms_status tms_blastp_create(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *params,
                                                    tms_blastp **out)
{
    return tms_blastp_create_sized(ctx, db, params, sizeof *params, out);
}
TMS_API void tms_blastp_destroy(tms_blastp *search); /* NULL is fine */

TMS_API void tms_blastp_get_info_sized(const tms_blastp *search, tms_blastp_info *out, size_t out_size);
TMS_INLINE void tms_blastp_get_info(const tms_blastp *search, tms_blastp_info *out) { tms_blastp_get_info_sized(search, out, sizeof *out); }

/* ---- searching -------------------------------------------------------------------------------------------------------------- */

/*
 * tms_blastp_search() - search the whole database with a number of queries; a search with a part has tms_blastp_scan().
 *   queries [in]  residues in the characters that tms_alphabet_encode() accepts for TMS_ALPHABET_NCBISTDAA, at most 2^30 in a query; lower
 *                 case may be masked
 *   out     [out] a result for each query; destroyed with tms_search_results_destroy(), before the search is. NULL after a failure;
 *                 with take_result, results to destroy, or NULL
 * Returns TMS_OK; TMS_E_ARG: an invalid residue, with its query and position, or a query that is too long; TMS_E_FORMAT: a sequence of the
 * database is damaged, or has more than 2^29 residues; TMS_E_MEMORY; TMS_E_DEVICE: a GPU failed; with more_gpus the message has its
 * number; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_blastp_search(tms_blastp *search, const tms_seqs *queries, tms_search_results **out);

/*
 * tms_blastp_scan() - the first half of a search in parts: finds preliminary HSPs in the search's part of the database.
 *   queries [in]  the same as for tms_blastp_search(); whole query batches, so that calls of any size give the same lists
 *   out     [out] destroyed with tms_search_found_destroy()
 * Returns the same statuses as tms_blastp_search().
 */
TMS_API TMS_CHECKED tms_status tms_blastp_scan(tms_blastp *search, const tms_seqs *queries, tms_search_found **out);

/*
 * tms_blastp_align() - the second half: aligns what the scans of all parts have found. The search must have the parameters of the scans;
 * only its part, its context and its GPUs may differ.
 *   queries [in]     the same as for the scans
 *   found   [in,out] the lists of all parts together, in the order of tms_blastp_scan(); empty afterwards
 *   out     [out]    the same as for tms_blastp_search()
 * Returns the same statuses as tms_blastp_search(); TMS_E_FORMAT also if the lists cannot be those of these queries and this database.
 */
TMS_API TMS_CHECKED tms_status tms_blastp_align(tms_blastp *search, const tms_seqs *queries, tms_search_found *found,
                                                tms_search_results **out);

/* tms_blastp_score() - the score of two residues, as NCBIstdaa codes, in the search's matrix; a pair with a score above 0 is a positive. */
TMS_API int tms_blastp_score(const tms_blastp *search, uint8_t query, uint8_t subject);

/* tms_blastp_get_stats() - counts and times summed over all calls of tms_blastp_search(). */
TMS_API void tms_blastp_get_stats_sized(const tms_blastp *search, tms_search_stats *out, size_t out_size);
TMS_INLINE void tms_blastp_get_stats(const tms_blastp *search, tms_search_stats *out)
{
    tms_blastp_get_stats_sized(search, out, sizeof *out);
}

#ifdef __cplusplus
}
#endif
#endif
