/* filter_shards.h - filters of shards: which ones belong together. */
#ifndef TAMIS_CLI_FILTER_SHARDS_H
#define TAMIS_CLI_FILTER_SHARDS_H

#include <stdbool.h>
#include <stddef.h>

#include "tamis/filter.h"

enum { FILTER_SHARD_TEXT = 96 };

/* filter_shard_text() - "shard 3/16", or "a whole filter". */
const char *filter_shard_text(tms_filter_shard shard, char text[FILTER_SHARD_TEXT]);

/* filter_shards_differ() - whether two filters are not of the same build; out [out] on true: what differs, "4 and 8 shards". */
bool filter_shards_differ(tms_filter_shard a, tms_filter_shard b, char out[FILTER_SHARD_TEXT]);

#endif
