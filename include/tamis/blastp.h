/*
 * blastp.h - proteins against proteins: the alignments that blastp of NCBI BLAST+ 2.12 reports, with the same scores and E-values in the
 * same order.
 *
 * Every sequence of a database goes through hit detection (two words near each other on a diagonal), ungapped extension and gapped
 * extension; the best are aligned, with scores adjusted to the composition of the pair. doc/blast.md describes each step. [Altschul et al.
 * 1997; Schaffer et al. 2001; Altschul et al. 2005]
 *
 * Threads: a search uses the threads of its context, and is used by one thread at a time. The results do not depend on the number of
 * threads, nor on how queries are divided among calls, as long as each call ends where a batch ends (batch_residues).
 */
#ifndef TAMIS_BLASTP_H
#define TAMIS_BLASTP_H

#include <string.h>

#include "tamis/mask.h"
#include "tamis/search.h"
#include "tamis/seq.h"
#include "tamis/seqdb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What follows from a task: the matrix, gap costs, word size, threshold and window. */
typedef enum tms_blastp_task { TMS_TASK_BLASTP = 0, TMS_TASK_BLASTP_SHORT = 1, TMS_TASK_BLASTP_FAST = 2 } tms_blastp_task;

/* Scores for the composition of a pair, as -comp_based_stats counts them. */
typedef enum tms_composition {
    TMS_COMPOSITION_OFF = 0,
    TMS_COMPOSITION_SCALED = 1,      /* the matrix is scaled */
    TMS_COMPOSITION_ADJUSTED = 2,    /* it is optimised for the pair, or scaled, by rules on lengths and compositions */
    TMS_COMPOSITION_ALL_ADJUSTED = 3 /* it is optimised for every pair */
} tms_composition;

/* What becomes of the residues that are masked in sequences of the database. */
typedef enum tms_subject_masking {
    TMS_SUBJECT_MASKING_SOFT = 0, /* words are not taken from them; alignments go over them */
    TMS_SUBJECT_MASKING_HARD = 1  /* what lies between them is searched by itself; in alignments they are X */
} tms_subject_masking;

/* How a GPU finds hits and extends them without gaps. The results are the same. doc/blast-gpu.md describes both. */
typedef enum tms_gpu_strategy {
    TMS_GPU_STRATEGY_DEFAULT = 0,
    TMS_GPU_STRATEGY_CUBLASTP = 1 /* as [Zhang et al. 2014]: bins, sorting, filtering; gapped extension is left to the CPU */
} tms_gpu_strategy;

/* With TMS_GPU_STRATEGY_CUBLASTP: what extends a hit. */
typedef enum tms_gpu_extension {
    TMS_GPU_EXTENSION_WINDOW = 0,   /* some threads a diagonal */
    TMS_GPU_EXTENSION_DIAGONAL = 1, /* a thread a diagonal */
    TMS_GPU_EXTENSION_HIT = 2       /* a thread a hit */
} tms_gpu_extension;

/* Likewise: what it takes scores from. */
typedef enum tms_gpu_scoring {
    TMS_GPU_SCORING_AUTO = 0,  /* what has been faster: the matrix */
    TMS_GPU_SCORING_PSSM = 1,  /* scores by place of the query */
    TMS_GPU_SCORING_MATRIX = 2 /* scores by residue */
} tms_gpu_scoring;

typedef struct tms_blastp_params {
    uint32_t task;        /* of tms_blastp_task */
    uint32_t composition; /* of tms_composition */
    const char *matrix;   /* BLOSUM45, 50, 62, 80, 90, PAM30, 70, 250, IDENTITY; any case; borrowed for the call; NULL: the task's */
    int32_t gap_open, gap_extend; /* a gap of n residues costs gap_open + n * gap_extend; -1: the matrix's usual cost */
    int32_t window;               /* two hits begin less than so many residues from each other; 0: one hit is enough; -1: the matrix's */
    uint32_t word_size;           /* 2 .. 7; 0: the task's */
    double threshold;             /* the score of two words that are a hit, above 0; 0: that of task and matrix */
    double evalue;                /* above 0 */
    double xdrop_ungapped, xdrop_gapped, xdrop_final; /* bits; the first above 0 */
    uint32_t max_target_seqs;                         /* subjects of a query, 1 or more. It also decides how many are looked at closely */
    uint32_t max_hsps;                                /* of a subject; 0: all */
    double min_query_coverage;                        /* of an HSP, percent; 0: any */
    uint32_t subject_besthit; /* 1: an HSP deletes those of the same subject that lie within its range of the query */
    uint32_t masks_seg;       /* 1: low complexity of queries is masked, by: */
    tms_seg_params seg;
    uint32_t masks_lower_case; /* 1: residues of queries in lower case are masked */
    uint32_t soft_masking;     /* 1: masked residues are left out of the words alone; 0: they are X */
    uint32_t as_subject_file;  /* 1: as blastp searches -subject: O counts as X, cutoffs are for the shortest subject, words may
                                  have the last residue of an interval of subject_masks. 0: as -db */
    uint32_t reserved;         /* 0 */
    int64_t database_residues; /* for statistics; 0: those of the database */
    int64_t search_space;    /* 0 or more: E-values without the finite-size correction, over this; 0: over the effective one; -1: with it */
    uint64_t batch_residues; /* queries are taken in batches, which end with the query that makes them so long */
    const tms_seqdb_masks *subject_masks; /* of the sequences that are searched in; borrowed until tms_blastp_destroy(); NULL: none */
    uint64_t subject_masking;             /* of tms_subject_masking */
    uint64_t culling_limit; /* an HSP goes if so many better ones, of any subjects, take half of its range of the query; 0: none does */
    /*
     * Best hits: an HSP goes if a better one's range of the query, made longer on both sides by the share best_hit_overhang of its length,
     * has all of its own, and 1 - best_hit_score_edge of that one's score for each residue is more than its own. Both above 0 and below
     * 0.5; 0: 0.1 if the other is given; both 0: none goes. Not together with culling_limit.
     */
    double best_hit_overhang, best_hit_score_edge;
    uint32_t ungapped; /* 1: alignments have no gaps, and gap_open and gap_extend are not used; composition is TMS_COMPOSITION_OFF */
    /* 1: the last alignments are the best in all cells [Smith & Waterman 1981], each without what the better ones took. 0: by X-drop */
    uint32_t smith_waterman;
    uint32_t gpu_strategy;  /* of tms_gpu_strategy. The next three are for TMS_GPU_STRATEGY_CUBLASTP: */
    uint32_t gpu_extension; /* of tms_gpu_extension */
    uint32_t gpu_scoring;   /* of tms_gpu_scoring */
    uint32_t gpu_bins;      /* hits are put into so many bins, for each warp: a power of two up to 1024; 0: 128 */
    /*
     * GPUs, as CUDA counts them, that share the work with that of the context; none twice; borrowed for the call. The results are the same.
     * The search opens them, and closes them with tms_blastp_destroy(). Not with a context on the CPU, unless there is await_gpu.
     */
    const int32_t *more_gpus;
    uint64_t n_more_gpus;
    /* Bytes of device memory that the search may use on each GPU, TMS_BLASTP_LEAST_GPU_MEMORY or more; 0: what is free. A database for
       which that is too little comes piece by piece, for each call again. What CUDA itself takes is not counted. */
    uint64_t gpu_memory;
    /*
     * For a GPU that is still being opened while the search is created and its first queries are prepared; NULL: there is none. The context
     * is on the CPU. The first tms_blastp_search() calls it when little is left to do without a GPU, in one of the context's threads: it
     * waits, puts the context on its device with tms_context_set_device(), and returns what that returns. If that fails, so does the
     * search, with the context's message, and the next one calls it again; if the context is on the CPU after it, the search goes on there.
     */
    tms_status (*await_gpu)(void *await_arg, tms_context *ctx);
    void *await_arg;
} tms_blastp_params;

#define TMS_BLASTP_LEAST_GPU_MEMORY ((uint64_t)32 << 20)

/* tms_blastp_defaults() - the parameters that blastp has without options. */
TMS_INLINE tms_blastp_params tms_blastp_defaults(void)
{
    const tms_seg_params seg = TMS_SEG_QUERY;
    tms_blastp_params p;

    memset(&p, 0, sizeof p);
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

/* What a search works with, after defaults. Texts are constants or belong to the search. */
typedef struct tms_blastp_info {
    const char *matrix;
    int32_t gap_open, gap_extend;
    uint32_t word_size, window;
    double threshold;
    double lambda, K, H, a, alpha, sigma; /* of gapped alignments; with params.ungapped each query has its own: tms_search_result */
    double ungapped_a, ungapped_alpha;    /* of the matrix without gaps */
    int64_t n_residues, n_sequences;      /* of the database, as statistics have it */
} tms_blastp_info;

typedef struct tms_blastp tms_blastp;

/*
 * tms_blastp_create() - a search in a database of proteins.
 *   db     [in]  borrowed until tms_blastp_destroy()
 *   params [in]  NULL: tms_blastp_defaults()
 *   out    [out] destroyed with tms_blastp_destroy()
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of its range, or the matrix has no statistics for the gap costs: the message lists those
 * that it has; TMS_E_MEMORY; TMS_E_DEVICE: one of more_gpus is not there or not usable.
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
 * tms_blastp_search() - some queries.
 *   queries [in]  residues as tms_alphabet_encode() of TMS_ALPHABET_NCBISTDAA takes them; those in lower case may be masked. One that is
 *                 longer than 2^30 residues is not taken
 *   out     [out] a result for each query; destroyed with tms_search_results_destroy(), before the search is
 * Returns TMS_OK; TMS_E_ARG: a residue that is none, with its query and place, or a query that is too long; TMS_E_FORMAT: a sequence of the
 * database is damaged, or has more than 2^29 residues; TMS_E_MEMORY; TMS_E_DEVICE: a GPU failed, and with more_gpus the message has its
 * number; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_blastp_search(tms_blastp *search, const tms_seqs *queries, tms_search_results **out);

/* tms_blastp_score() - of two residues, as codes, in the search's matrix: what makes a pair a positive. */
TMS_API int tms_blastp_score(const tms_blastp *search, uint8_t query, uint8_t subject);

/* tms_blastp_get_stats() - sums over all calls of tms_blastp_search(). */
TMS_API void tms_blastp_get_stats_sized(const tms_blastp *search, tms_search_stats *out, size_t out_size);
TMS_INLINE void tms_blastp_get_stats(const tms_blastp *search, tms_search_stats *out)
{
    tms_blastp_get_stats_sized(search, out, sizeof *out);
}

#ifdef __cplusplus
}
#endif
#endif
