/* seeds_internal.h - a query that is ready to be searched. */
#ifndef TMS_SEEDS_INTERNAL_H
#define TMS_SEEDS_INTERNAL_H

#include "bank/bank.h"
#include "seed/word_table.h"
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

/* seeds_cpu.c. subs: NULL, or where n_passed and n_true are added to */
tms_status seeds_scan_cpu(tms_context *ctx, const tms_seeds *seeds, const struct windows *windows, size_t n_bases, tms_seed_hit *hits,
                          size_t *n_hits, tms_seeds_tally *tally, tms_sub_query *subs);
tms_status seeds_filter_cpu(tms_context *ctx, const tms_seeds *seeds, const struct windows *windows, size_t n_bases, size_t from,
                            tms_seed_pass *passes, size_t capacity, size_t *n_passes, size_t *next, tms_seeds_tally *tally);

#ifdef __cplusplus
}
#endif
#endif
