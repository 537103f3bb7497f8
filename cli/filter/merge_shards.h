/* merge_shards.h - the filters of shards that tamis merge was given, and what is missing among them. */
#ifndef TAMIS_CLI_MERGE_SHARDS_H
#define TAMIS_CLI_MERGE_SHARDS_H

#include "cli/filter_file.h"

typedef struct merge_shards {
    uint64_t expect;      /* --expect; 0: as many as the first shard says */
    uint64_t n;           /* 0: the filters are whole */
    const char *any_path; /* the first filter, by which the others are checked */
    tms_filter_shard any;
    struct merge_shard *items; /* n */
} merge_shards;

/*
 * merge_shards_take() - takes a filter into the set.
 *   is_new [out] 1 if its keys are to be merged; 0 if the same shard was there already
 * Returns CLI_OK, or the exit code after a message: it does not belong to the filters before it, or the same shard has other content.
 */
int merge_shards_take(const char *command, merge_shards *set, const filter_file *file, int *is_new);

/* merge_shards_missing() - the numbers of the missing shards, "2,5-7"; freed by the caller. NULL: out of memory. */
char *merge_shards_missing(const merge_shards *set);

void merge_shards_free(merge_shards *set);

#endif
