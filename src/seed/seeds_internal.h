/* seeds_internal.h - a query that is ready to be searched. */
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
    uint64_t *n_words;     /* of each sub-query */
    struct seeds_gpu *gpu; /* NULL on the CPU */
};

/* The sub-query that a base of the query belongs to. */
static inline uint32_t seeds_sub_query(const tms_seeds *seeds, uint32_t base)
{
    return seeds->info.n_sub_queries == 1 ? 0 : (uint32_t)(base / seeds->info.params.sub_query);
}

/* seeds_plan.c: what was left to choose, for a query of n_bases. */
tms_status seeds_plan(tms_context *ctx, const tms_seeds_params *asked, uint64_t n_bases, tms_seeds_info *out);
struct bank_shape seeds_shape(const tms_seeds_info *info);

/* A call of tms_seeds_scan() or tms_seeds_measure(), for the CPU or a GPU. Results, from zero on, are defined if it succeeds. */
struct seeds_scan_call {
    const struct windows *windows; /* the subject's */
    size_t n_bases;                /* of the subject */
    tms_seed_hit *hits;            /* NULL: they are counted alone */
    size_t n_hits;                 /* result, if there are hits */
    tms_seeds_tally tally;         /* result */
    tms_sub_query *subs;           /* NULL, or, with several sub-queries, where n_passed and n_true are added to */
};

/* A call of tms_seeds_filter(), for the CPU or a GPU. Results are defined if it succeeds. */
struct seeds_filter_call {
    const struct windows *windows; /* the subject's */
    size_t n_bases;                /* of the subject */
    size_t from;                   /* w-mers that begin before are not wanted */
    tms_seed_pass *passes;         /* capacity */
    size_t capacity;
    size_t n_passes;       /* result; 0 before */
    size_t next;           /* result: the next call's `from`; `from` before */
    tms_seeds_tally tally; /* result; zero before */
};

/* seeds_cpu.c */
tms_status seeds_scan_cpu(tms_context *ctx, const tms_seeds *seeds, struct seeds_scan_call *call);
tms_status seeds_filter_cpu(tms_context *ctx, const tms_seeds *seeds, struct seeds_filter_call *call);

#ifdef __cplusplus
}
#endif
#endif
