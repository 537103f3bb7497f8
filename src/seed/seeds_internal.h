/* seeds_internal.h - a prepared query, and the calls of stage 1 on it. */
#ifndef TMS_SEEDS_INTERNAL_H
#define TMS_SEEDS_INTERNAL_H

#include "bank/bank.h"
#include "seed/word_table.h"
#include "seq/windows.h"
#include "tamis/seeds.h"

#ifdef __cplusplus
extern "C" {
#endif

struct seeds_gpu; /* seeds_cuda.h */

struct tms_seeds {
    tms_seeds_info info;
    struct bank bank;
    struct word_table table;
    uint64_t *n_words;     /* number of w-mers of each sub-query */
    struct seeds_gpu *gpu; /* NULL on the CPU */
};

/* The sub-query of a base of the query. */
static inline uint32_t seeds_sub_query(const tms_seeds *seeds, uint32_t base)
{
    return seeds->info.n_sub_queries == 1 ? 0 : (uint32_t)(base / seeds->info.params.sub_query);
}

/* seeds_plan.c: fills in unset parameters for a query of n_bases. */
tms_status seeds_plan(tms_context *ctx, const tms_seeds_params *asked, uint64_t n_bases, tms_seeds_info *out);
struct bank_shape seeds_shape(const tms_seeds_info *info);

/* A call of tms_seeds_scan() or tms_seeds_measure(), on the CPU or a GPU. The caller zeroes the results; they are defined on success. */
struct seeds_scan_call {
    const struct windows *windows; /* windows of the subject */
    size_t n_bases;                /* bases of the subject */
    tms_seed_hit *hits;            /* NULL: only count hits */
    size_t n_hits;                 /* result, unless hits is NULL */
    tms_seeds_tally tally;         /* result */
    tms_sub_query *subs;           /* NULL, or, with several sub-queries, the structs whose n_passed and n_true the call increments */
};

/* A call of tms_seeds_filter(), on the CPU or a GPU. The results are defined on success. */
struct seeds_filter_call {
    const struct windows *windows; /* windows of the subject */
    size_t n_bases;                /* bases of the subject */
    size_t from;                   /* w-mers that begin before this base are skipped */
    tms_seed_pass *passes;         /* array of `capacity` passes */
    size_t capacity;
    size_t n_passes;       /* result; initially 0 */
    size_t next;           /* result: `from` of the next call; initially `from` */
    tms_seeds_tally tally; /* result; initially zero */
};

/* seeds_cpu.c */
tms_status seeds_scan_cpu(tms_context *ctx, const tms_seeds *seeds, struct seeds_scan_call *call);
tms_status seeds_filter_cpu(tms_context *ctx, const tms_seeds *seeds, struct seeds_filter_call *call);

#ifdef __cplusplus
}
#endif
#endif
