/*
 * search_setup.h - what is fixed before a protein search: scores, statistics, X-drops; and for each query its words and cutoffs.
 */
#ifndef TMS_BLASTP_SETUP_H
#define TMS_BLASTP_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cublastp/cublastp_cuda.h"
#include "hits/hit_limits.h"
#include "lookup/word_lookup.h"
#include "run/context.h"
#include "score/composition.h"
#include "score/evalue.h"
#include "score/karlin.h"
#include "score/reduced_alphabet.h"

struct search_params {
    const struct score_matrix *matrix;
    const struct gap_costs *costs;
    int gap_open, gap_extend; /* those of costs; if ungapped, any that were given */
    enum composition_mode composition;
    int word_size; /* 2 .. REDUCED_LONGEST */
    int window;    /* 0: one hit is enough */
    double threshold;
    double evalue;
    double x_drop_ungapped, x_drop_gapped, x_drop_final; /* bits */
    struct hit_limits limits;
    bool ungapped;         /* alignments have no gaps; composition is off */
    bool smith_waterman;   /* the last alignments are made by it */
    bool soft_masking;     /* masked residues are left out of the words alone */
    bool has_search_space; /* older statistics, over: */
    int64_t search_space;  /* 0: that of the query and the database */
    bool is_cublastp;      /* on a GPU; by: */
    struct cublastp_options cublastp;
};

/* What is searched in, as statistics see it. */
struct search_database {
    int64_t n_residues, n_sequences;
    int cutoff_length; /* the subject's length that cutoffs are for: 10 for a database */
};

struct search_setup {
    struct search_params params;
    struct search_database database;
    struct gapped_statistics statistics;
    struct composition_basis basis;            /* unless composition is off */
    int scores[RESIDUE_CODES * RESIDUE_CODES]; /* rows: the query's code */
    struct reduced_alphabet groups;            /* for words of REDUCED_SHORTEST residues and more */
    int x_gapped, x_final;
    double preliminary_evalue; /* up to this HSPs are handed on */
    size_t n_preliminary;      /* subjects of a query that are handed on */
};

/* A score as an int, cut; one that no int holds is the least int, as NCBI's program has it on x86: an X-drop so large then counts as none.
 */
static inline int search_whole_score(double score) { return score > INT32_MIN && score < -(double)INT32_MIN ? (int)score : INT32_MIN; }

/* blastp_setup_init() - Returns TMS_OK, or TMS_E_ARG if the matrix does not go together with -comp_based_stats or with the word size. */
tms_status blastp_setup_init(tms_context *ctx, const struct search_params *params, const struct search_database *database,
                             struct search_setup *out);

/* blastp_word_rules() - which words of a subject are similar to one of a query; it borrows from setup. */
struct word_lookup_rules blastp_word_rules(const struct search_setup *setup);

/* A query, ready to be searched with. Its words go into a table with those of other queries: search.c. */
struct search_query {
    int length;
    const uint8_t *original; /* NCBIstdaa codes, borrowed */
    uint8_t *codes;          /* as it is searched with: O is X, and so are masked residues unless masking is soft; a 0 before and after */
    bool is_valid;           /* false: it has no statistics, and no results */
    struct karlin karlin;
    struct gapped_statistics statistics; /* of its alignments: those of the setup, or if ungapped its own */
    int x_ungapped, cutoff, cutoff_ungapped;
    int64_t search_space;         /* with the older statistics, if ungapped, or with Smith-Waterman */
    struct residue_range *ranges; /* what is not masked */
    size_t n_ranges;
};

/*
 * blastp_query_init() - borrowed: codes, until search_query_free().
 *   statistics_length [in] the length that the effective search space of the older statistics is for
 *   masked [in] n_masked ranges, ascending, that are left out
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status blastp_query_init(const struct search_setup *setup, const uint8_t *codes, int length, int statistics_length,
                             const struct residue_range *masked, size_t n_masked, struct search_query *out);
void search_query_free(struct search_query *query); /* zeroed is fine */

/* search_evalue() - of an alignment's score against a subject of this length. */
double search_evalue(const struct search_setup *setup, const struct search_query *query, int score, int subject_length);

#endif
