/* shards.c - see shards.h. */
#include "cli/shards.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/archive_fingerprint.h"
#include "base/byte_array.h"
#include "cli/cli.h"

bool shards_parse(const char *text, uint64_t *shard, uint64_t *n)
{
    char *slash, *end;
    unsigned long long k, all;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    k = strtoull(text, &slash, 10);
    if (*slash != '/' || slash[1] < '0' || slash[1] > '9')
        return false;
    all = strtoull(slash + 1, &end, 10);
    if (*end != '\0' || errno != 0 || k == 0 || k > all || all > SHARDS_MOST)
        return false;
    *shard = k - 1;
    *n = all;
    return true;
}

int shards_take(const char *command, const char *text, shard_place *out)
{
    *out = (shard_place){0, 0};
    if (text == NULL || shards_parse(text, &out->shard, &out->n))
        return CLI_OK;
    return cli_fail_usage(command, "--shard takes K/N, such as 3/16: K is 1 to N, and N at most a million, not '%s'", text);
}

uint64_t shards_begin(uint64_t n_items, uint64_t shard, uint64_t n_shards)
{
    return (uint64_t)((unsigned __int128)n_items * shard / n_shards);
}

bool shards_take_whole_files(const shard_place *place, size_t n_files, size_t *first, size_t *n)
{
    *first = 0;
    *n = n_files;
    if (place->n == 0 || n_files < place->n)
        return false;
    *first = (size_t)shards_begin(n_files, place->shard, place->n);
    *n = (size_t)shards_begin(n_files, place->shard + 1, place->n) - *first;
    return true;
}

io_status shards_add_inputs(struct archive_manifest *manifest, const char *const *paths, size_t n, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < n && status == IO_OK; i++) {
        char text[64];
        uint64_t size, hash;
        if (strcmp(paths[i], "-") == 0)
            return io_fail(err, IO_E_REFUSED, 0, "a shard needs files, which each machine can read, not standard input");
        status = archive_hash_input(paths[i], &size, &hash, err);
        snprintf(text, sizeof text, "%llu bytes, hash %016llx", (unsigned long long)size, (unsigned long long)hash);
        if (status == IO_OK)
            status = archive_manifest_add(manifest, "input", text, err);
    }
    return status;
}

/* Writes items first .. last, from 1, for a list of them. */
static int print_range(char *out, size_t size, bool is_first, size_t first, size_t last)
{
    const char *comma = is_first ? "" : ",";

    return first == last ? snprintf(out, size, "%s%zu", comma, first) : snprintf(out, size, "%s%zu-%zu", comma, first, last);
}

char *shards_missing(bool (*is_there)(const void *set, size_t i), const void *set, size_t first, size_t end)
{
    enum { RANGE_BYTES = 48 };
    struct byte_array text = {0};

    for (size_t i = first, next; i < end; i = next) {
        next = i + 1;
        if (is_there(set, i))
            continue;
        while (next < end && !is_there(set, next))
            next++;
        if (byte_array_room(&text, RANGE_BYTES) == NULL) {
            free(text.bytes);
            return NULL;
        }
        text.n += (size_t)print_range((char *)text.bytes + text.n, RANGE_BYTES, text.n == 0, i + 1, next);
    }
    if (text.bytes == NULL)
        return calloc(1, 1);
    return (char *)text.bytes;
}
