/*
 * io_safe_file.c - temporary name, flush, rename.
 *
 * A signal handler has nowhere but static storage to learn what to unlink, so one file at a time is
 * covered by it: the commands write one. O_TMPFILE would leave nothing even after SIGKILL, but linkat() cannot replace
 * an existing file, so the moment of danger would only move.
 */
#include "io_safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct io_safe_file {
    int fd;
    int is_direct;   /* written to in place: fd is open from the start */
    mode_t mode;     /* for the new file */
    char *path;      /* the final name, symbolic links resolved */
    char *temp_path; /* same directory; "" until the first write */
    size_t temp_size;
};

enum { MAX_WRITE = 1 << 30 }; /* Linux takes at most 2^31 - 4096 bytes in one write() */

static char doomed_path[PATH_MAX + 64];
static volatile sig_atomic_t doomed_is_set;
static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void unlink_doomed(int sig)
{
    if (doomed_is_set)
        unlink(doomed_path);
    raise(sig); /* SA_RESETHAND: this time it kills, with the status that the parent expects */
}

static void protect(const char *temp_path)
{
    static int installed;

    if (strlen(temp_path) >= sizeof doomed_path)
        return;
    strcpy(doomed_path, temp_path);
    doomed_is_set = 1;
    if (installed)
        return;
    installed = 1;
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++) {
        struct sigaction action, old;
        memset(&action, 0, sizeof action);
        action.sa_handler = unlink_doomed;
        action.sa_flags = (int)SA_RESETHAND;
        sigemptyset(&action.sa_mask);
        /* nohup and the like: what is ignored stays ignored. */
        if (sigaction(fatal_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            (void)sigaction(fatal_signals[i], &action, NULL);
    }
}

static io_status fail_output(io_error *err, const char *path, int code)
{
    return io_fail(err, IO_E_OUTPUT, code, "%s: cannot be written: %s",
                   strcmp(path, "-") == 0 ? "standard output" : path, strerror(code));
}

io_status io_write_all(int fd, const char *name, const void *bytes, size_t size, io_error *err)
{
    const char *p = bytes;

    while (size > 0) {
        ssize_t n = write(fd, p, size < MAX_WRITE ? size : MAX_WRITE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail_output(err, name, n < 0 ? errno : ENOSPC);
        p += n;
        size -= (size_t)n;
    }
    return IO_OK;
}

static void free_file(io_safe_file *f)
{
    free(f->path);
    free(f->temp_path);
    free(f);
}

/* "dir/name" -> "dir/.name.XXXXXX"; a long name is cut, the random part makes it unique. */
static int make_temp_name(io_safe_file *f)
{
    const char *slash = strrchr(f->path, '/');
    size_t dir = slash != NULL ? (size_t)(slash - f->path) + 1 : 0;

    f->temp_size = strlen(f->path) + 16;
    f->temp_path = malloc(f->temp_size);
    if (f->temp_path == NULL)
        return 0;
    snprintf(f->temp_path, f->temp_size, "%.*s.%.200s.XXXXXX", (int)dir, f->path, f->path + dir);
    return 1;
}

/* The directory part of the path, with its slash; "." where there is none. */
static int directory_of(const char *path, char *dir, size_t size)
{
    const char *slash = strrchr(path, '/');
    int n = slash != NULL ? snprintf(dir, size, "%.*s", (int)(slash - path) + 1, path) : snprintf(dir, size, ".");

    return n >= 0 && (size_t)n < size;
}

/* Nothing at the path yet, or a regular file: is there a directory that takes a new file? */
static io_status check_directory(const char *path, io_error *err)
{
    char dir[PATH_MAX];

    if (!directory_of(path, dir, sizeof dir))
        return fail_output(err, path, ENAMETOOLONG);
    if (path[0] == '\0' || path[strlen(path) - 1] == '/')
        return fail_output(err, path, path[0] == '\0' ? ENOENT : EISDIR);
    if (access(dir, W_OK | X_OK) != 0)
        return fail_output(err, path, errno);
    return IO_OK;
}

io_status io_safe_file_open(const char *path, io_safe_file **out, io_error *err)
{
    struct stat info;
    int is_stdout = strcmp(path, "-") == 0;
    int exists = !is_stdout && stat(path, &info) == 0;
    io_status status = IO_OK;
    io_safe_file *f;

    *out = NULL;
    if (exists && S_ISDIR(info.st_mode))
        return fail_output(err, path, EISDIR);
    f = calloc(1, sizeof *f);
    if (f == NULL)
        return io_fail_memory(err, "an output file");
    f->fd = -1;
    f->is_direct = is_stdout || (exists && !S_ISREG(info.st_mode));
    if (exists && !f->is_direct) {
        f->mode = info.st_mode & 0777;
        f->path = realpath(path, NULL); /* through a symbolic link, the file it names is replaced */
    } else {
        mode_t mask = umask(0);
        umask(mask);
        f->mode = 0666 & ~mask;
        f->path = strdup(path);
    }
    if (f->path == NULL || (!f->is_direct && !make_temp_name(f)))
        status = io_fail_memory(err, "an output file");
    else if (is_stdout)
        f->fd = STDOUT_FILENO;
    else if (f->is_direct)
        status = (f->fd = open(path, O_WRONLY | O_CLOEXEC)) < 0 ? fail_output(err, path, errno) : IO_OK;
    else
        status = check_directory(f->path, err);
    if (status != IO_OK) {
        free_file(f);
        return status;
    }
    *out = f;
    return IO_OK;
}

/* Creates the temporary file; this thread holds signals until the handler knows its name. */
static io_status create_temp(io_safe_file *f, io_error *err)
{
    sigset_t block, before;
    int code;

    sigemptyset(&block);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaddset(&block, fatal_signals[i]);
    pthread_sigmask(SIG_BLOCK, &block, &before);
    f->fd = mkostemp(f->temp_path, O_CLOEXEC);
    code = errno;
    if (f->fd >= 0)
        protect(f->temp_path);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (f->fd < 0)
        return fail_output(err, f->path, code);
    if (fchmod(f->fd, f->mode) != 0)
        return fail_output(err, f->path, errno);
    return IO_OK;
}

io_status io_safe_file_write(io_safe_file *f, const void *bytes, size_t size, io_error *err)
{
    if (f->fd < 0) {
        io_status status = create_temp(f, err);
        if (status != IO_OK)
            return status;
    }
    return io_write_all(f->fd, f->path, bytes, size, err);
}

/* The name itself survives a power failure only once the directory is flushed; a failure here loses nothing. */
static void sync_directory(const char *path)
{
    char dir[PATH_MAX];
    int fd;

    if (!directory_of(path, dir, sizeof dir))
        return;
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

io_status io_safe_file_commit(io_safe_file *f, io_error *err)
{
    io_status status = f->fd < 0 ? create_temp(f, err) : IO_OK;
    int rc;

    if (status == IO_OK && !f->is_direct && fsync(f->fd) != 0)
        status = fail_output(err, f->path, errno);
    if (status == IO_OK) {
        rc = close(f->fd);
        f->fd = -1;
        if (rc != 0)
            status = fail_output(err, f->path, errno);
    }
    if (status == IO_OK && !f->is_direct && rename(f->temp_path, f->path) != 0)
        status = fail_output(err, f->path, errno);
    if (status != IO_OK) {
        io_safe_file_abort(f);
        return status;
    }
    if (!f->is_direct) {
        doomed_is_set = 0;
        sync_directory(f->path);
    }
    free_file(f);
    return IO_OK;
}

void io_safe_file_abort(io_safe_file *f)
{
    if (f == NULL)
        return;
    if (f->fd >= 0)
        close(f->fd);
    /* mkostemp() replaces the Xs, so a name that still ends in them was never created. */
    if (!f->is_direct && f->temp_path != NULL && strcmp(f->temp_path + strlen(f->temp_path) - 6, "XXXXXX") != 0) {
        unlink(f->temp_path);
        doomed_is_set = 0;
    }
    free_file(f);
}
