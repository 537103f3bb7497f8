/*
 * greedy.h - gapped extension of bases by the greedy algorithm [Zhang, Schwartz, Wagner & Miller 2000]: of all alignments with d
 * differences it keeps on each diagonal the one that reaches furthest, for d = 0, 1, 2, ..., and drops those whose score has fallen X below
 * the best.
 *
 * In the linear form a gap of n bases costs n (reward - 2 penalty) / 2; in the affine form open + n extend. Ties are decided as in
 * megablast, because they decide where an alignment ends. A base of the query that is ambiguous equals no base.
 */
#ifndef TMS_GREEDY_H
#define TMS_GREEDY_H

#include "extend/gapped.h"
#include "extend/packed_bases.h"

/*
 * Costs as the algorithm needs them: a match scores `match`, which is even, and d differences cost d units. In the affine form a mismatch,
 * or a base of a gap, is several differences.
 */
struct greedy_costs {
    int reward, penalty; /* as the user has set them: penalty is below 0 */
    bool is_linear;
    int match, unit, x_drop;           /* all doubled if the reward is odd */
    int behind;                        /* an alignment with d differences is compared with the best with d - behind */
    int mismatch, open_extend, extend; /* affine: differences of a mismatch, and of the first and of another base of a gap */
};

/*
 * greedy_costs_init() - fills the costs.
 *   open, extend [in] both 0: the linear form
 *   x_drop [in] raw score
 */
void greedy_costs_init(struct greedy_costs *costs, int reward, int penalty, int open, int extend, int x_drop);

/* Reusable memory. All zero is empty. */
struct greedy_workspace {
    int *rows[2]; /* linear: the last two rows */
    size_t rows_capacity[2];
    int *cells; /* rows that are kept, one after the other */
    size_t cells_capacity;
    struct greedy_row *kept; /* where each of them is in `cells` */
    size_t kept_capacity;
    int *best; /* the best score with each number of differences */
    size_t best_capacity;
    struct gapped_script back; /* operations from the end of the right side to the start point */
};
void greedy_workspace_free(struct greedy_workspace *ws);

/*
 * Two sequences: packed, in the scan of the database; or codes, in the traceback. Positions in the query count from the beginning of its
 * strand.
 */
struct greedy_pair {
    const struct packed_queries *queries; /* NULL: codes */
    int first;                            /* packed: where the strand begins in the concatenated queries */
    const struct packed_bases *packed_subject;
    const uint8_t *query, *subject; /* codes: BLASTNA */
    int query_length, subject_length;
};

/* A gapped alignment: half-open ranges, score, and a start point. */
struct greedy_box {
    int query, query_end, subject, subject_end;
    int score;
    int start_query, start_subject; /* in the middle of a long run of equal bases: from here the traceback begins */
};

/*
 * greedy_score() - extends from a start point to both sides, without traceback.
 *   query, subject [in] the start point: the first pair of bases of the extension to the right
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status greedy_score(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_pair *pair, int query,
                        int subject, struct greedy_box *out);

/*
 * greedy_align() - same as greedy_score(), and finds the alignment.
 *   script [in,out] empty; receives the operations in the order along the sequences
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status greedy_align(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_pair *pair, int query,
                        int subject, struct greedy_box *out, struct gapped_script *script);

#endif
