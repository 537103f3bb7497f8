/*
 * filter_disk.c - filters in files: loading by mapping, and atomic writing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/filter_struct.h"
#include "run/file_map.h"

enum { TRIES = 100 }; /* attempts to find an unused temporary name */

/* Prefixes the message of a called function with the file's name. */
static tms_status fail_of_file(tms_context *ctx, const char *path, tms_status status)
{
    const struct fault fault = ctx->fault;
    return context_fail(ctx, status, "%s: %s", path, fault.message);
}

tms_status tms_filter_load(tms_context *ctx, const char *path, tms_filter **out)
{
    const uint8_t *image;
    size_t size;
    *out = NULL;
    tms_status status = file_map(ctx, path, true, &image, &size);
    if (status != TMS_OK)
        return status;
    status = tms_filter_open(ctx, image, size, out);
    if (status != TMS_OK) {
        file_unmap(image, size);
        return fail_of_file(ctx, path, status);
    }
    (*out)->mapped_bytes = size;
    return TMS_OK;
}

/* Creates a temporary file next to the path, with the permissions of the file that it will replace, or those of a new file. */
static int open_beside(const char *path, char *name, size_t name_size)
{
    struct stat old;
    const bool is_there = stat(path, &old) == 0;
    for (int i = 0; i < TRIES; i++) {
        snprintf(name, name_size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 && is_there && fchmod(fd, old.st_mode & 0777) != 0) {
            close(fd);
            unlink(name);
            return -1;
        }
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* Syncs the directory, so that the new name survives a power failure where the system supports it. */
static void sync_directory(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        slash[slash == path] = '\0';
    int fd = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)!fsync(fd);
    close(fd);
}

/* name: the temporary name. On failure the function removes that file and errno holds the reason. */
static bool put(int fd, char *name, const char *path, const void *image, size_t size)
{
    bool is_whole = write_all(fd, image, size) && fsync(fd) == 0;
    int code = errno;
    if (close(fd) != 0 && is_whole) {
        is_whole = false;
        code = errno;
    }
    if (is_whole && rename(name, path) != 0) {
        is_whole = false;
        code = errno;
    }
    if (is_whole)
        sync_directory(name);
    else
        unlink(name);
    errno = code;
    return is_whole;
}

tms_status tms_filter_save(tms_context *ctx, tms_filter *f, const char *path)
{
    const void *image;
    size_t size;
    tms_status status = tms_filter_image(ctx, f, &image, &size);
    if (status != TMS_OK)
        return status;
    char *target = realpath(path, NULL); /* keep a symbolic link and replace its target */
    const char *final = target != NULL ? target : path;
    const size_t name_size = strlen(final) + 64;
    char *name = malloc(name_size);
    if (name == NULL) {
        free(target);
        return context_fail_memory(ctx, "a file's name", name_size);
    }
    int fd = open_beside(final, name, name_size);
    bool is_put = fd >= 0 && put(fd, name, final, image, size);
    int code = errno;
    free(name);
    free(target);
    return is_put ? TMS_OK : context_fail(ctx, TMS_E_FILE, "%s: cannot be written: %s", path, strerror(code));
}
