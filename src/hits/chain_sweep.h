/*
 * chain_sweep.h - goes along HSPs from the end of the query, and tells for each the best of those that may follow it in a chain, with gaps
 * of any length: those that begin behind its end in both sequences. One sweep over n HSPs takes time n log n.
 */
#ifndef TMS_CHAIN_SWEEP_H
#define TMS_CHAIN_SWEEP_H

#include "run/context.h"

struct swept_hsp {
    int query, query_end, subject, subject_end; /* the end is behind the begin */
    int number;
};

struct chain_sweep {
    struct swept_hsp *hsps; /* n, from those that end last in the query */
    int *begins;            /* their indices, from those that begin last */
    int *rank;              /* of the place where each begins in the subject: 1 .. n, from the last on */
    int *n_behind;          /* how many begin behind its end in the subject: their ranks are 1 .. n_behind */
    int64_t *values, *tree; /* a Fenwick tree of the greatest values by ranks */
    int n;
};

/*
 * chain_sweep_create() - prepares sweeps over n HSPs.
 *   hsps [in] one or more, any order
 *   out [out] freed with chain_sweep_destroy(), also after a failure
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status chain_sweep_create(const struct swept_hsp *hsps, int n, struct chain_sweep *out);
void chain_sweep_destroy(struct chain_sweep *sweep);

/*
 * The value of an HSP for those that are taken later, which end before it begins; INT64_MIN: it does not count.
 *   best [in] the greatest value of an HSP that may follow; 0: none has more
 */
typedef int64_t swept_value(void *of, int number, int64_t best);

/* chain_sweep_run() - one sweep. Returns the greatest value. */
int64_t chain_sweep_run(struct chain_sweep *sweep, swept_value *value, void *of);

#endif
