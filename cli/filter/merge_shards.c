/* merge_shards.c - see merge_shards.h. */
#include "cli/filter/merge_shards.h"

#include <stdlib.h>
#include <string.h>

#include "cli/filter/filter_shards.h"
#include "cli/shards.h"

enum { HEADER_BYTES = 128 }; /* doc/format-filter.md: with the checksum of the bits */

struct merge_shard {
    const char *path; /* NULL: missing */
    uint8_t header[HEADER_BYTES];
};

/* The first filter decides what the others must be. */
static int begin(const char *command, merge_shards *set, const char *path, tms_filter_shard place)
{
    char has[FILTER_SHARD_TEXT];

    set->any_path = path;
    set->any = place;
    if (set->expect > 0 && place.n_shards == 0)
        return cli_fail(command, CLI_USAGE, "%s: is a whole filter, but --expect is for those of tamis build --shard", path);
    if (set->expect > 0 && place.n_shards != set->expect)
        return cli_fail(command, CLI_USAGE, "%s: is %s, but --expect %llu", path, filter_shard_text(place, has),
                        (unsigned long long)set->expect);
    set->n = place.n_shards;
    set->items = calloc((size_t)set->n + 1, sizeof *set->items);
    return set->items != NULL ? CLI_OK : cli_fail(command, CLI_NO_MEMORY, "out of memory");
}

int merge_shards_take(const char *command, merge_shards *set, const filter_file *file, int *is_new)
{
    const tms_filter_shard place = tms_filter_get_shard(file->filter);
    const int is_first = set->any_path == NULL, code = is_first ? begin(command, set, file->path, place) : CLI_OK;
    struct merge_shard *item;
    char what[FILTER_SHARD_TEXT];

    *is_new = 1;
    if (code != CLI_OK || (set->n == 0 && place.n_shards == 0))
        return code;
    if (filter_shards_differ(set->any, place, what))
        return cli_fail(command, CLI_USAGE, "%s and %s are not shards of one build: %s", set->any_path, file->path, what);
    item = &set->items[place.shard - 1];
    if (item->path != NULL && memcmp(item->header, file->map.bytes, HEADER_BYTES) != 0)
        return cli_fail(command, CLI_USAGE, "%s and %s are both %s, with other content", item->path, file->path,
                        filter_shard_text(place, what));
    *is_new = item->path == NULL;
    item->path = file->path;
    memcpy(item->header, file->map.bytes, HEADER_BYTES);
    return CLI_OK;
}

static bool is_there(const void *set, size_t i)
{
    const merge_shards *s = set;

    return s->items != NULL && s->items[i].path != NULL;
}

char *merge_shards_missing(const merge_shards *set)
{
    return shards_missing(is_there, set, 0, (size_t)(set->items != NULL ? set->n : set->expect));
}

void merge_shards_free(merge_shards *set) { free(set->items); }
