/* filter_shards.c - see filter_shards.h. */
#include "cli/filter/filter_shards.h"

#include <stdio.h>

const char *filter_shard_text(tms_filter_shard shard, char text[FILTER_SHARD_TEXT])
{
    if (shard.n_shards == 0)
        snprintf(text, FILTER_SHARD_TEXT, "a whole filter");
    else
        snprintf(text, FILTER_SHARD_TEXT, "shard %u/%u", shard.shard, shard.n_shards);
    return text;
}

bool filter_shards_differ(tms_filter_shard a, tms_filter_shard b, char out[FILTER_SHARD_TEXT])
{
    if (a.n_shards == 0 || b.n_shards == 0)
        snprintf(out, FILTER_SHARD_TEXT, "one is a whole filter");
    else if (a.n_shards != b.n_shards)
        snprintf(out, FILTER_SHARD_TEXT, "%u and %u shards", a.n_shards, b.n_shards);
    else if (a.input != b.input)
        snprintf(out, FILTER_SHARD_TEXT, "other input files, or in another order");
    else if (a.options != b.options)
        snprintf(out, FILTER_SHARD_TEXT, "other options");
    else
        return false;
    return true;
}
