/* seeds_none.c - the seed room's kernels in a build without CUDA: no context has a GPU, so no seeds are ever made there. */
#include "seed/seeds_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

tms_status seeds_gpu_create(tms_context *ctx, const struct bank *bank, const struct word_table *table, tms_strand strand,
                            uint64_t sub_query, struct seeds_gpu **out)
{
    return TMS_E_DEVICE;
}

void seeds_gpu_destroy(struct seeds_gpu *seeds) {}

tms_status seeds_gpu_scan(tms_context *ctx, const struct seeds_gpu *seeds, const struct windows *windows, size_t n_bases,
                          tms_seed_hit *hits, size_t *n_hits, tms_seeds_tally *tally, tms_sub_query *subs)
{
    return TMS_E_DEVICE;
}

tms_status seeds_gpu_filter(tms_context *ctx, const struct seeds_gpu *seeds, const struct windows *windows, size_t n_bases, size_t from,
                            tms_seed_pass *passes, size_t capacity, size_t *n_passes, size_t *next, tms_seeds_tally *tally)
{
    return TMS_E_DEVICE;
}
