/*
 * two_hit_stretches.h - queries that are too long together for the tables of one scan on a GPU: several tables, each of some of the queries
 * or of a stretch of one, and their scans one after the other. The extensions found are those of one scan with all queries.
 *
 * Stretches overlap by as much as the sieves need to see an earlier word of a pair. A table has all residues of its query, since extensions
 * leave the stretch, and the rule begins before the stretch, where it has nothing to remember (two_hit_kernels.cuh).
 */
#ifndef TMS_TWO_HIT_STRETCHES_H
#define TMS_TWO_HIT_STRETCHES_H

#include "lookup/two_hit_gpu.h"
#include "run/shared_task.h"

#ifdef __cplusplus
extern "C" {
#endif

/* two_hit_stretches_take() - whether words of this size can be looked up in several tables. */
bool two_hit_stretches_take(int word_size);

/*
 * two_hit_stretches_create() - makes the tables; any thread.
 *   queries [in] `words` is not used; items' codes are borrowed until the tables are destroyed
 *   words   [in] as two_hit_gpu_tables_create() takes them
 *   most    [in] positions of a table; a single stretch has some more
 *   tasks   [in] whose threads help; NULL: none
 *   thread  [in] the caller's number
 *   out     [out] freed with two_hit_gpu_tables_destroy(), NULL: GPUs do not support these queries
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status two_hit_stretches_create(const struct two_hit_queries *queries, const struct two_hit_gpu_words *words, int most,
                                    struct shared_tasks *tasks, int thread, struct two_hit_gpu_tables **out);

/*
 * two_hit_stretches_scan() - as two_hit_gpu_scan() with each of the tables. All HSPs are copied to out->hsps, and only there: those of a
 * table end at out->ends[], and are sorted by themselves.
 */
tms_status two_hit_stretches_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                                  struct two_hit_gpu_part *part, struct two_hit_gpu_found *out);

#ifdef __cplusplus
}
#endif
#endif
