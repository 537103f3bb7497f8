/*
 * best_first.h - extends a list of HSPs best first, and skips those that lie within one that has been accepted.
 *
 * Several threads take HSPs from the front of the list and extend them, but which are accepted is decided in the order of the list. So an
 * HSP may have been extended in vain; and one that was skipped is extended late if a better HSP with a common end has replaced the one
 * that it lay in. Hence the result is that of one thread.
 */
#ifndef TMS_BEST_FIRST_H
#define TMS_BEST_FIRST_H

#include "hits/hsp.h"
#include "hits/hsp_set.h"
#include "run/shared_task.h"

/* What became of an HSP. */
enum best_first_outcome {
    BEST_FIRST_SKIPPED, /* it is not extended */
    BEST_FIRST_REFUSED, /* it has no start point, and does not count as extended */
    BEST_FIRST_REJECTED,
    BEST_FIRST_ACCEPTED
};

/* How a program extends. Functions return TMS_OK, or a failure, which ends the work. */
struct best_first_steps {
    struct hsp (*get)(const void *arg, size_t i);          /* HSP i of the list; no script */
    tms_status (*prepare)(void *arg, const struct hsp *h); /* before its extension by this or another thread; one thread at a time. NULL:
                                                            * nothing is to be prepared */
    /*
     * Extends an HSP, which was prepared.
     *   outcome [out] not BEST_FIRST_SKIPPED; *h has a script only if it is accepted
     */
    tms_status (*extend)(void *arg, size_t i, int thread, struct hsp *h, enum best_first_outcome *outcome);
};

/*
 * best_first() - extends n HSPs.
 *   tasks      [in] other threads help with many HSPs; NULL: none helps
 *   arg        [in] for the steps
 *   accepted   [in,out] an empty set
 *   hsps       [in,out] accepted HSPs are appended in the order of the list
 *   n_extended [in,out] is increased by the HSPs that one thread would have extended
 * Returns TMS_OK, TMS_E_MEMORY, or the failure of a step.
 */
struct best_first_results {
    struct hsp_set *accepted;
    struct hsp_list *hsps;
    uint64_t *n_extended;
};
tms_status best_first(struct shared_tasks *tasks, int thread, const struct best_first_steps *steps, void *arg, size_t n,
                      struct best_first_results results);

#endif
