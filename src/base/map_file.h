/* map_file.h - a file in memory, as it lies on disk. */
#ifndef TMS_BASE_MAP_FILE_H
#define TMS_BASE_MAP_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum map_file_result {
    MAP_FILE_DONE,
    MAP_FILE_NOT_OPENED, /* errno says why */
    MAP_FILE_DIRECTORY,
    MAP_FILE_NOT_REGULAR, /* and no directory either */
    MAP_FILE_NOT_MAPPED   /* errno says why */
};

/*
 * map_file() - a regular file, read-only and shared.
 *   at_once [in] all of it is about to be read: its pages are mapped in one go
 *   bytes   [out] unmapped with unmap_file(); NULL unless it is done, and of an empty file. Whoever truncates the file makes the next
 *                 access behind its new end a SIGBUS: files are to be replaced by rename()
 */
static inline enum map_file_result map_file(const char *path, bool at_once, const uint8_t **bytes, size_t *size)
{
    /* O_NONBLOCK: open() must not wait for the writer of a named pipe, which is refused below. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), code = 0;
    struct stat info;

    *bytes = NULL;
    *size = 0;
    if (fd < 0)
        return MAP_FILE_NOT_OPENED;
    if (fstat(fd, &info) != 0)
        info.st_mode = 0;
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        return S_ISDIR(info.st_mode) ? MAP_FILE_DIRECTORY : MAP_FILE_NOT_REGULAR;
    }
    if (info.st_size > 0) {
        void *mapped = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED | (at_once ? MAP_POPULATE : 0), fd, 0);
        code = mapped == MAP_FAILED ? errno : 0;
        if (mapped != MAP_FAILED) {
            *bytes = mapped;
            *size = (size_t)info.st_size;
        }
    }
    close(fd);
    errno = code;
    return code == 0 ? MAP_FILE_DONE : MAP_FILE_NOT_MAPPED;
}

/* bytes: NULL is fine. */
static inline void unmap_file(const uint8_t *bytes, size_t size)
{
    if (bytes != NULL)
        munmap((void *)(uintptr_t)bytes, size);
}

#endif
