#include "run/file_map.h"

#include <string.h>

#include "base/map_file.h"

tms_status file_map(tms_context *ctx, const char *path, bool at_once, const uint8_t **bytes, size_t *size)
{
    switch (map_file(path, at_once, bytes, size)) {
    case MAP_FILE_NOT_OPENED:
        return context_fail(ctx, TMS_E_FORMAT, "%s: %s", path, strerror(errno));
    case MAP_FILE_DIRECTORY:
    case MAP_FILE_NOT_REGULAR:
        return context_fail(ctx, TMS_E_FORMAT, "%s: is not a regular file, and only such a one can be mapped", path);
    case MAP_FILE_NOT_MAPPED:
        return context_fail(ctx, errno == ENOMEM ? TMS_E_MEMORY : TMS_E_FORMAT, "%s: cannot be mapped: %s", path, strerror(errno));
    case MAP_FILE_DONE:
        break;
    }
    return TMS_OK;
}

void file_unmap(const uint8_t *bytes, size_t size) { unmap_file(bytes, size); }
