/*
 * search_setup.h - what is fixed before a search: scores, statistics, limits, and which program it is. A program fills in a setup, and
 * makes each query ready with it (search_program.h); the engine reads both.
 */
#ifndef TMS_SEARCH_SETUP_H
#define TMS_SEARCH_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"
#include "extend/gapped.h"
#include "hits/hit_limits.h"
#include "lookup/word_lookup.h"
#include "score/evalue.h"
#include "score/karlin.h"

struct search_program; /* search_program.h */

/* The size of the database that E-values are for. */
struct search_database {
    int64_t n_residues, n_sequences;
    int cutoff_length; /* length of a subject that cutoff scores are for: 10 for a database */
};

struct search_setup {
    const struct search_program *program;
    const void *own; /* the program's part; its functions know the type */
    struct search_database database;
    struct gapped_statistics statistics;
    int scores[RESIDUE_CODES * RESIDUE_CODES]; /* [RESIDUE_CODES * query's code + subject's code] */
    int gap_open, gap_extend;                  /* a gap of n residues costs gap_open + n gap_extend */
    int x_gapped, x_final;                     /* X-drops of the preliminary and of the final extension, as scores */
    int word_size;
    int window; /* two word hits on a diagonal lie less than this apart; 0: one hit is enough */
    double evalue;
    double preliminary_evalue;              /* preliminary HSPs up to this E-value are aligned */
    size_t n_preliminary;                   /* subjects of a query that are aligned, at most */
    bool ungapped;                          /* alignments have no gaps */
    bool has_search_space;                  /* E-values without the finite-size correction, over search_space */
    int64_t search_space;                   /* 0: each query's effective search space */
    struct hit_limits limits;               /* of what is reported */
    int group_residues, gpu_group_residues; /* of the queries that share a scan, at most; one query is always taken */
    bool gapped_on_cpu;                     /* GPUs leave all gapped extensions to the CPU */
};

/* search_gapped_costs() - of extensions with this X-drop; borrows the setup's scores. */
static inline struct gapped_costs search_gapped_costs(const struct search_setup *setup, int x_drop)
{
    return (struct gapped_costs){setup->scores, setup->gap_open, setup->gap_extend, x_drop};
}

/*
 * search_whole_score() - a score as an int, cut off towards 0. One that no int holds becomes the least int, as in NCBI's program on x86,
 * where an X-drop so large then counts as none.
 */
static inline int search_whole_score(double score) { return score > INT32_MIN && score < -(double)INT32_MIN ? (int)score : INT32_MIN; }

/* A query, or a chunk of one, ready to be searched with. */
struct search_query {
    int length;
    const uint8_t *original;             /* length codes as given, borrowed */
    uint8_t *codes;                      /* length codes as searched with, a 0 before and after; freed with search_query_free() */
    bool is_valid;                       /* false: the query has no statistics, and no results */
    struct karlin karlin;                /* of ungapped alignments */
    struct gapped_statistics statistics; /* of the query's alignments */
    int x_ungapped, cutoff, cutoff_ungapped;
    int64_t search_space;         /* of E-values without the finite-size correction */
    struct residue_range *ranges; /* n_ranges, ascending: the residues that are not masked */
    size_t n_ranges;
};
void search_query_free(struct search_query *query); /* zeroed is fine */

/*
 * search_query_set_ranges() - fills in query->ranges: what lies between n_masked ranges, which are ascending.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status search_query_set_ranges(const struct residue_range *masked, size_t n_masked, struct search_query *query);

/*
 * search_evalue() - E-value of a score against a subject of this length. The one place that chooses the formula.
 *   statistics [in] those that the score is of: the query's, or the same for scaled scores
 */
double search_evalue(const struct search_setup *setup, const struct search_query *query, const struct gapped_statistics *statistics,
                     int score, int subject_length);

/*
 * search_keep_significant() - sets the E-values of HSPs with a subject of this length, and drops those above a limit.
 *   statistics [in] as for search_evalue()
 */
void search_keep_significant(const struct search_setup *setup, const struct search_query *query, const struct gapped_statistics *statistics,
                             int subject_length, double limit, struct hsp_list *list);

/* search_cutoff() - the score that HSPs need for this E-value, by the formula of search_evalue() and database.cutoff_length. */
int search_cutoff(const struct search_setup *setup, const struct search_query *query, double evalue);

#endif
