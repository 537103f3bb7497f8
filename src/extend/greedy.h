/*
 * greedy.h - gapped extension of bases by the greedy algorithm [Zhang, Schwartz, Wagner & Miller 2000]: of all alignments with d
 * differences it keeps on each diagonal the one that reaches furthest, for d = 1, 2, ..., and drops those whose score has fallen X below
 * the best.
 *
 * In the linear form a gap of n bases costs n (reward - 2 penalty) / 2; in the affine form open + n extend. Ties are decided as in
 * megablast, because they decide where an alignment ends. A base of the query that is ambiguous equals no base.
 */
#ifndef TMS_GREEDY_H
#define TMS_GREEDY_H

#include "extend/gapped.h"
#include "extend/packed_bases.h"

/* Costs, in units in which all of them are integers; greedy_costs_init() fills them. */
struct greedy_costs {
    int reward, penalty; /* as the user has set them: penalty is below 0 */
    bool is_linear;
    int match, x_drop; /* doubled if the reward is odd */
    int difference;    /* linear: cost of a difference, counted in matches that it takes the place of; affine: common divisor */
    int open_extend, extend, mismatch; /* affine: in units of `difference` */
};

/*
 * greedy_costs_init() - open and extend both 0: the linear form.
 *   x_drop [in] raw score
 */
void greedy_costs_init(struct greedy_costs *costs, int reward, int penalty, int open, int extend, int x_drop);

/* Reusable memory. All zero is empty. */
struct greedy_workspace {
    struct greedy_row *rows; /* the diagonals of each number of differences */
    size_t rows_capacity;
    int *cells;
    size_t n_cells, cells_capacity;
    int *best; /* the best score for each number of differences */
    size_t best_capacity;
    struct gapped_run *runs;
    size_t runs_capacity;
};
void greedy_workspace_free(struct greedy_workspace *ws);

/*
 * Two sequences: packed, in the scan of the database; or codes, in the traceback. Positions of the query count from the beginning of its
 * strand.
 */
struct greedy_pair {
    const struct packed_queries *queries; /* NULL: codes */
    int first;                            /* packed: where the strand begins in the concatenated queries */
    const struct packed_bases *packed_subject;
    const uint8_t *query, *subject; /* codes: BLASTNA */
    int query_length, subject_length;
};

/* A gapped alignment. Half-open ranges. */
struct greedy_box {
    int query, query_end, subject, subject_end;
    int score;
    int start_query, start_subject; /* the middle of a long stretch of equal bases, from which the traceback begins */
};

/*
 * greedy_score() - extends from a start point to both sides, without traceback.
 *   query, subject [in] start point, the first pair of bases of the right extension
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status greedy_score(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_pair *pair, int query,
                        int subject, struct greedy_box *out);

/*
 * greedy_align() - same as greedy_score(), and finds the alignment.
 *   out    [out] start_query and start_subject are the start point
 *   script [in,out] the operations from beginning to end are appended
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status greedy_align(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_pair *pair, int query,
                        int subject, struct greedy_box *out, struct gapped_script *script);

#endif
