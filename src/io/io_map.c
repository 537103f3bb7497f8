#include "io_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

io_status io_map_open(const char *path, io_map *out, io_error *err)
{
    /* O_NONBLOCK: a named pipe must be refused, not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), code = errno;
    struct stat info;
    void *bytes;

    out->bytes = NULL;
    out->size = 0;
    if (fd < 0)
        return io_fail(err, IO_E_INPUT, code, "%s: %s", path, strerror(code));
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) {
        const char *why = S_ISDIR(info.st_mode)    ? "is a directory"
                          : !S_ISREG(info.st_mode) ? "is not a regular file, which a filter has to be"
                                                   : "is empty";
        close(fd);
        return io_fail(err, IO_E_INPUT, 0, "%s: %s", path, why);
    }
    /* The whole image is read to check it, so the pages may as well be mapped in one go. */
    bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
    code = errno;
    close(fd);
    if (bytes == MAP_FAILED)
        return io_fail(err, code == ENOMEM ? IO_E_MEMORY : IO_E_INPUT, code, "%s: cannot be mapped: %s", path,
                       strerror(code));
    out->bytes = bytes;
    out->size = (size_t)info.st_size;
    return IO_OK;
}

void io_map_close(io_map *map)
{
    if (map->bytes != NULL)
        munmap((void *)map->bytes, map->size);
    map->bytes = NULL;
    map->size = 0;
}
