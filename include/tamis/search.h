/*
 * search.h - what every search of sequences returns: for each query the subjects that were found, and for each subject its alignments.
 *
 * A program's own header has its parameters and the call that searches (tamis/blastp.h). Everything that a result points to belongs to
 * the tms_search_results that it was read from, and lives as long.
 */
#ifndef TAMIS_SEARCH_H
#define TAMIS_SEARCH_H

#include "tamis/mask.h"
#include "tamis/seqdb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results ----------------------------------------------------------------------------------------------------------------- */

/* An alignment is a list of runs: n columns of residues against residues, or of residues against a gap. */
typedef enum tms_aligned { TMS_ALIGNED_MATCH = 0, TMS_ALIGNED_GAP_IN_SUBJECT = 1, TMS_ALIGNED_GAP_IN_QUERY = 2 } tms_aligned;
typedef struct tms_aligned_run {
    uint32_t kind; /* of tms_aligned */
    uint32_t n;    /* columns of the alignment */
} tms_aligned_run;

/* Which scores an alignment was made with: the matrix as it is, scaled to the pair's composition, or optimized for it. */
typedef enum tms_score_method { TMS_METHOD_STANDARD = 0, TMS_METHOD_SCALED = 1, TMS_METHOD_ADJUSTED = 2 } tms_score_method;

/* A high-scoring segment pair: one alignment of a query and a subject. */
typedef struct tms_search_hsp {
    tms_interval query, subject; /* positions from 0, the end excluded; on the plus strand, whatever the frame */
    int32_t score;
    uint32_t method; /* of tms_score_method */
    double evalue, bits;
    const tms_aligned_run *runs; /* n_runs, from the begin of the alignment to its end */
    size_t n_runs;
    int32_t query_frame, subject_frame; /* 0: protein; 1 or -1: strand of nucleotides; 1 to 3 or -1 to -3: frame of a translation */
    uint64_t n_linked;                  /* HSPs of its chain, which share the E-value: 1 alone; 0: the search has no sum statistics */
} tms_search_hsp;

/* A translation of a query. Frame f > 0 begins with base f - 1, frame f < 0 on the minus strand with base -f - 1. */
typedef struct tms_search_frame {
    const uint8_t *codes;       /* length NCBIstdaa codes as BLAST's reports show them: the search takes X for B, Z and J */
    uint64_t length;            /* 0 also if the strand was not searched with */
    const tms_interval *masked; /* n_masked intervals of residues, as those of tms_search_result */
    size_t n_masked;
} tms_search_frame;

typedef struct tms_search_subject {
    uint64_t sequence;          /* number of the sequence in the database, from 0 */
    const tms_search_hsp *hsps; /* n_hsps, one or more, the best first */
    size_t n_hsps;
} tms_search_subject;

/* What was found for one query. */
typedef struct tms_search_result {
    const uint8_t *codes; /* query_length codes of the query as it was given (proteins: NCBIstdaa; bases: BLASTNA) */
    uint64_t query_length;
    const tms_interval *masked; /* n_masked intervals of the query, ascending; neighbours may touch or share a position, as in BLAST. Of a
                                 * translated query only lower case */
    size_t n_masked;
    uint64_t is_valid;   /* 0: the unmasked part of the query has no Karlin-Altschul parameters, so it was not searched with */
    double lambda, K, H; /* of ungapped alignments of the query; -1 unless is_valid */
    int64_t length_adjustment, search_space; /* 0 unless is_valid */
    const tms_search_subject *subjects;      /* n_subjects, the best first */
    size_t n_subjects;
    uint64_t is_cut;                /* 1: the limit on subjects (max_target_seqs) left some out */
    uint64_t batch_is_valid;        /* 1: at least one query of this query's batch is valid; BLAST's reports differ by that */
    const tms_search_frame *frames; /* frames 1, 2, 3, -1, -2, -3 of a translated query; NULL: it is not translated */
} tms_search_result;

typedef struct tms_search_results tms_search_results;

TMS_API void tms_search_results_destroy(tms_search_results *results); /* NULL is fine */

/*
 * tms_search_results_get() - the result of query i.
 *   i   [in]  0 .. number of queries of the call - 1
 *   out [out] what it points to belongs to results
 * Thread-safe.
 */
TMS_API void tms_search_results_get_sized(const tms_search_results *results, size_t i, tms_search_result *out, size_t out_size);
TMS_INLINE void tms_search_results_get(const tms_search_results *results, size_t i, tms_search_result *out)
{
    tms_search_results_get_sized(results, i, out, sizeof *out);
}

/*
 * tms_search_results_drop() - frees the subjects and HSPs of query i, which then has none; for a caller that needs them no more, but those
 * of later queries. Pointers to them, in copies of the result too, are no longer valid. Other results of the call are as before.
 *   i [in] 0 .. number of queries of the call - 1
 * Thread-safe with calls for other queries. tms_search_results_n_hsps() and tms_search_results_rows() must not be called afterwards.
 */
TMS_API void tms_search_results_drop(tms_search_results *results, size_t i);

/*
 * A caller's function that is told of the result of query i as soon as it is complete, while the search goes on with other queries. Threads
 * of the search call it, several at once, once for each query, in any order, and wait for it. `results` are those that the search returns.
 * From then on any thread may get and drop result i, but nothing else may be done with `results` before the search has returned. A search
 * that fails returns `results` too, if there are any: what the function was told of can still be used, the rest has no meaning.
 */
typedef void tms_take_result(void *arg, tms_search_results *results, size_t i);

/* An HSP in numbers, with what its columns are: a row of a table. Positions as in tms_search_hsp. */
typedef struct tms_search_row {
    uint64_t query;   /* number of the query in the call, from 0 */
    uint64_t subject; /* number of the sequence in the database, from 0 */
    uint64_t query_start, query_end, subject_start, subject_end;
    double evalue, bits;
    int32_t score;
    int32_t query_frame, subject_frame; /* as in tms_search_hsp */
    uint32_t n_columns;                 /* of the alignment */
    uint32_t n_identical;               /* columns with equal residues */
    uint32_t n_openings, n_gaps;        /* gaps, and columns in them; mismatches are the columns that are neither */
    uint32_t reserved;                  /* 0 */
} tms_search_row;

/* tms_search_results_n_hsps() - the number of HSPs of all queries. */
TMS_API uint64_t tms_search_results_n_hsps(const tms_search_results *results);

/*
 * tms_search_results_rows() - all HSPs as rows: query by query, subject by subject, the best first, as in tms_search_result.
 *   db   [in]  the database that was searched; proteins, or bases that the search did not translate
 *   rows [out] room for tms_search_results_n_hsps()
 * Returns TMS_OK; TMS_E_FORMAT: a sequence of the database is damaged, and tms_seqdb_check() writes the reason; TMS_E_MEMORY. Thread-safe.
 */
TMS_API TMS_CHECKED tms_status tms_search_results_rows(const tms_search_results *results, const tms_seqdb *db, tms_search_row *rows);

/* The least device memory, in bytes, that a search can be limited to on each GPU. */
#define TMS_SEARCH_LEAST_GPU_MEMORY ((uint64_t)32 << 20)

/* ---- a search in parts ---------------------------------------------------------------------------------------------------------
 *
 * A program scans each part of a database, on any machine, and the caller passes on what each scan has found: preliminary HSPs, as plain
 * numbers. One call then aligns what all parts have found. The results are those of a search of the whole database.
 */

/* A preliminary HSP. Positions are from 0, ends excluded; those of the query are positions in the list's chunk of it. */
typedef struct tms_found_hsp {
    int32_t query, query_end, subject, subject_end;
    int32_t start_query, start_subject; /* the pair of positions from which the alignment is extended */
    int32_t score;
    int32_t context;   /* of the query that the positions are of: 1 the minus strand of bases; 0 to 5 frame 1, 2, 3, -1, -2, -3; else 0.
                        * 6 times the frame of a translated subject is added */
    uint64_t n_linked; /* HSPs of its chain; 0: not known, or HSPs are not linked */
    double evalue;     /* of its chain; 0 without n_linked */
} tms_found_hsp;

typedef struct tms_found_subject {
    uint64_t sequence; /* number of the sequence in the whole database, from 0 */
    uint64_t n_hsps;   /* 1 or more */
} tms_found_subject;

/* What was found for one query, or for one chunk of a long one. */
typedef struct tms_found_list {
    uint64_t batch;                    /* number of its query batch in the call, from 0 */
    uint64_t is_cut;                   /* 1: the list had more subjects than the search aligns, and lost the worst of them */
    const tms_found_subject *subjects; /* n_subjects, in ascending order of sequence */
    uint64_t n_subjects;
    const tms_found_hsp *hsps; /* n_hsps: those of the first subject, then those of the next one ... */
    uint64_t n_hsps;
} tms_found_list;

/* The lists of a call: batch by batch, within a batch chunk by chunk, within a chunk query by query. */
typedef struct tms_search_found tms_search_found;

/*
 * tms_search_found_create() - makes n_lists empty lists, for tms_search_found_add().
 *   out [out] destroyed with tms_search_found_destroy()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_search_found_create(tms_context *ctx, uint64_t n_lists, tms_search_found **out);
TMS_API void tms_search_found_destroy(tms_search_found *found); /* NULL is fine */

TMS_API uint64_t tms_search_found_n_lists(const tms_search_found *found);

/*
 * tms_search_found_get() - list i.
 *   i   [in]  0 .. number of lists - 1
 *   out [out] what it points to is valid until the next call with the same `found`
 * Returns TMS_OK or TMS_E_MEMORY. One thread at a time may use a tms_search_found.
 */
TMS_API TMS_CHECKED tms_status tms_search_found_get(tms_context *ctx, tms_search_found *found, uint64_t i, tms_found_list *out);

/*
 * tms_search_found_add() - adds what one part of the database has found to list i. The numbers are checked when the lists are aligned.
 *   list [in] list->batch is ignored; no subject is in the list already
 * Returns TMS_OK; TMS_E_ARG: the numbers of HSPs do not add up to list->n_hsps, or one is 0; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_search_found_add(tms_context *ctx, tms_search_found *found, uint64_t i, const tms_found_list *list);

/* ---- what passed each stage --------------------------------------------------------------------------------------------------- */

/*
 * Sums over all calls of a search. Seconds are those of all threads together. Searches with residues scan a long query in stretches, and
 * count word hits and ungapped extensions twice where two stretches overlap (doc/tblastx.md). Among ungapped extensions they also count
 * those that they do not make, because an upper bound of the score is below the cutoff.
 */
typedef struct tms_search_stats {
    uint64_t n_queries, query_residues;
    uint64_t n_subjects, subject_residues; /* scanned; a subject counts once for each group of queries that share a scan */
    uint64_t n_words;                      /* entries in the lookup tables */
    uint64_t n_hits;                       /* word hits */
    uint64_t n_extensions;                 /* ungapped extensions */
    uint64_t n_ungapped;                   /* ungapped HSPs that were kept */
    uint64_t n_gapped;                     /* gapped extensions */
    uint64_t n_preliminary;                /* preliminary HSPs that these left */
    uint64_t n_realigned;                  /* alignments with traceback */
    uint64_t n_hsps;                       /* final HSPs, which are reported */
    double expected_hits;                  /* word hits in random subjects of the background's composition */
    double expected_extensions;            /* extensions there, if word hits were independent of each other */
    double expected_ungapped;              /* ungapped HSPs there of at least the cutoff score; two hits find only a part of them */
    double expected_hsps;                  /* the E-value threshold, once for each query */
    double seconds_setup, seconds_scan, seconds_gapped, seconds_align;
    uint64_t n_left;                       /* pairs of a query and a subject whose gapped extensions a GPU left to the CPU */
    uint64_t n_looked_up;                  /* words of subjects that were looked up (blastn); 0: not counted */
    uint64_t n_present;                    /* of these, words that a lookup table has, so that they passed the filter in front */
    double seconds_hits, seconds_ungapped; /* of seconds_scan, estimated from a sample (blastn): hits of the words that passed; their
                                            * ungapped extensions. The rest of seconds_scan is the filter, and seconds_sieve. 0: not
                                            * measured */
    double seconds_sieve; /* of seconds_scan (blastn): those in which GPUs have looked up words, and dropped hits that leave no trace */
} tms_search_stats;

#ifdef __cplusplus
}
#endif
#endif
