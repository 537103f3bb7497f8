/* build_shard.h - tamis build --shard: a filter of one share of the input. */
#ifndef TAMIS_CLI_BUILD_SHARD_H
#define TAMIS_CLI_BUILD_SHARD_H

#include "cli/filter/build_job.h"

/*
 * build_plan_shard() - checks --shard against the other options, and chooses the files to read: with as many files as shards or more, some
 * of them; otherwise all, of whose records the shard takes each Nth. Returns CLI_OK, or the exit code after a message.
 */
int build_plan_shard(build_job *job);

/*
 * build_begin_shard() - the place that the filter's file records. Sets *is_done if the file of just this shard is there already, whole.
 * Returns CLI_OK, or the exit code after a message: an input is no file, or the output is another filter.
 */
int build_begin_shard(build_job *job, int *is_done);

/*
 * build_own_lines() - the lines of a batch that the shard takes; n_before lines precede the batch.
 *   own [out] borrowed from the job until the next call
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status build_own_lines(build_job *job, const tms_keys *all, uint64_t n_before, tms_keys *own);

#endif
