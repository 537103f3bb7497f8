/* seqdb_map.c - maps files. */
#include "seqdb/seqdb_map.h"

#include <sys/stat.h>

#include "run/file_map.h"

tms_status seqdb_map_file(tms_context *ctx, const char *path, bool at_once, struct seqdb_bytes *out)
{
    return file_map(ctx, path, at_once, &out->bytes, &out->size);
}

void seqdb_unmap(struct seqdb_bytes *map)
{
    file_unmap(map->bytes, map->size);
    map->bytes = NULL;
    map->size = 0;
}

bool seqdb_file_is_there(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0;
}
