#include "run/file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

tms_status file_map(tms_context *ctx, const char *path, bool at_once, const uint8_t **bytes, size_t *size)
{
    /* O_NONBLOCK: open() must not wait for the writer of a named pipe, which is refused below. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), code = errno;
    struct stat info;
    void *mapped;

    *bytes = NULL;
    *size = 0;
    if (fd < 0)
        return context_fail(ctx, TMS_E_FORMAT, "%s: %s", path, strerror(code));
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        return context_fail(ctx, TMS_E_FORMAT, "%s: is not a regular file, and only such a one can be mapped", path);
    }
    if (info.st_size == 0) {
        close(fd);
        return TMS_OK;
    }
    mapped = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED | (at_once ? MAP_POPULATE : 0), fd, 0);
    code = errno;
    close(fd);
    if (mapped == MAP_FAILED)
        return context_fail(ctx, code == ENOMEM ? TMS_E_MEMORY : TMS_E_FORMAT, "%s: cannot be mapped: %s", path, strerror(code));
    *bytes = mapped;
    *size = (size_t)info.st_size;
    return TMS_OK;
}

void file_unmap(const uint8_t *bytes, size_t size)
{
    if (bytes != NULL)
        munmap((void *)(uintptr_t)bytes, size);
}
