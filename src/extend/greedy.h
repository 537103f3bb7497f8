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

#include "extend/greedy_side.h"

/*
 * greedy_costs_init() - fills the costs.
 *   open, extend [in] both 0: the linear form
 *   x_drop [in] raw score
 */
void greedy_costs_init(struct greedy_costs *costs, int reward, int penalty, int open, int extend, int x_drop);

void greedy_workspace_free(struct greedy_workspace *ws);

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
