/* workload.h - the limits of a workload, and the fill of its filters. */
#ifndef TMS_WORKLOAD_H
#define TMS_WORKLOAD_H

#include "run/context.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* workload_check() - returns TMS_E_ARG, with the error and the limit in the message, independent of the machine. */
tms_status workload_check(tms_context *ctx, const tms_workload *w) TMS_CHECKED;

/* The probability that a bit is 1 after n keys of k bits each [Ma11, eq. 2, within the outer power]. */
double workload_fill(const tms_workload *w);

/* workload_probes() - average number of a missing key's bits that a query reads until one is 0. */
double workload_probes(const tms_workload *w);

/* Sub-queries of a bank: Q / n, rounded up [Ma11, Table III: SQ]. */
static inline uint64_t workload_sub_queries(const tms_workload *w) { return w->n ? (w->Q + w->n - 1) / w->n : 0; }

/*
 * Tiles of reads: a block of the kernel tests the w-mers of WORKLOAD_TILE bytes at a time. Reads are concatenated with one byte between.
 */
#define WORKLOAD_TILE 992
static inline double workload_tiles(const tms_workload *w)
{
    const uint64_t letters = w->D * ((uint64_t)w->length + 1);
    return (double)((letters + WORKLOAD_TILE - 1) / WORKLOAD_TILE);
}

#ifdef __cplusplus
}
#endif
#endif
