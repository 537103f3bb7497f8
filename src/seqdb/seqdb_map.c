/* seqdb_map.c - mapping files. */
#include "seqdb_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

tms_status seqdb_map_file(tms_context *ctx, const char *path, bool at_once, struct seqdb_bytes *out)
{
    /* O_NONBLOCK: a named pipe is to be refused, not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), code = errno;
    struct stat info;
    void *bytes;

    out->bytes = NULL;
    out->size = 0;
    if (fd < 0)
        return context_fail(ctx, TMS_E_FORMAT, "%s: %s", path, strerror(code));
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        return context_fail(ctx, TMS_E_FORMAT, "%s: is not a regular file, which a database's have to be", path);
    }
    if (info.st_size == 0) {
        close(fd);
        return TMS_OK;
    }
    bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED | (at_once ? MAP_POPULATE : 0), fd, 0);
    code = errno;
    close(fd);
    if (bytes == MAP_FAILED)
        return context_fail(ctx, code == ENOMEM ? TMS_E_MEMORY : TMS_E_FORMAT, "%s: cannot be mapped: %s", path, strerror(code));
    out->bytes = bytes;
    out->size = (size_t)info.st_size;
    return TMS_OK;
}

void seqdb_unmap(struct seqdb_bytes *map)
{
    if (map->bytes != NULL)
        munmap((void *)(uintptr_t)map->bytes, map->size);
    map->bytes = NULL;
    map->size = 0;
}

bool seqdb_file_is_there(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0;
}
