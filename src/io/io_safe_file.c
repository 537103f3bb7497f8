/*
 * io_safe_file.c - temporary name, flush, rename.
 *
 * A signal handler finds the files to unlink in a list. It may run between any two instructions, so a file enters the list by one store,
 * after its node is complete, and leaves it while signals are held. O_TMPFILE would leave nothing even after SIGKILL, but linkat() cannot
 * replace an existing file, so there would still be an unsafe moment.
 */
#include "io/io_safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A temporary file that the signal handler removes. */
struct doomed {
    struct doomed *_Atomic next;
    const char *path;
};

struct io_safe_file {
    struct doomed doomed; /* in the list while the temporary file exists */
    int fd;
    int is_direct; /* 1: bytes are written to the output itself; fd is open from the start */
    mode_t mode;   /* mode of the new file */
    int replaces;  /* 1: the output replaces a file, with owner uid and group gid */
    uid_t uid;
    gid_t gid;
    char *path;      /* the final name, with symbolic links resolved unless the output replaces them */
    char *temp_path; /* a name in the same directory; "" until the first write */
    size_t temp_size;
};

enum { MAX_WRITE = 1 << 30 }; /* Linux takes at most 2^31 - 4096 bytes in one write() */
enum { MAX_LINKS = 40 };      /* Linux follows at most as many */

static struct doomed *_Atomic all_doomed;
static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void io_safe_file_remove_temporary(void)
{
    for (const struct doomed *d = all_doomed; d != NULL; d = d->next)
        unlink(d->path);
}

/*
 * Removes the files, then lets the signal have its own effect, with the exit status that the parent expects. SA_RESETHAND would act too
 * early: Linux resets the handler before it blocks the signal, and a second signal in between, such as timeout(1) sends, would kill at
 * once.
 */
static void end_by_signal(int sig)
{
    io_safe_file_remove_temporary();
    signal(sig, SIG_DFL);
    raise(sig);
}

void io_hold_signals(sigset_t *before)
{
    sigset_t block;

    sigemptyset(&block);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaddset(&block, fatal_signals[i]);
    pthread_sigmask(SIG_BLOCK, &block, before);
}

void io_release_signals(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

/* Adds the file to the list; the caller holds signals. */
static void protect(io_safe_file *f)
{
    static int installed;

    f->doomed.path = f->temp_path;
    f->doomed.next = all_doomed;
    all_doomed = &f->doomed;
    if (installed)
        return;
    installed = 1;
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++) {
        struct sigaction action, old;
        memset(&action, 0, sizeof action);
        action.sa_handler = end_by_signal;
        sigemptyset(&action.sa_mask);
        /* nohup and similar programs: an ignored signal stays ignored. */
        if (sigaction(fatal_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            (void)sigaction(fatal_signals[i], &action, NULL);
    }
}

/* Removes the file from the list, if it is there, because it has its final name or no longer exists. */
static void unprotect(io_safe_file *f)
{
    struct doomed *_Atomic *at = &all_doomed;
    sigset_t before;

    io_hold_signals(&before);
    while (*at != NULL && *at != &f->doomed)
        at = &(*at)->next;
    if (*at != NULL)
        *at = f->doomed.next;
    io_release_signals(&before);
}

static io_status fail_output(io_error *err, const char *path, int code)
{
    if (strcmp(path, "-") == 0 && code == EBADF)
        return io_fail(err, IO_E_OUTPUT, code, "standard output: cannot be written: it is closed, or not open for writing");
    return io_fail(err, IO_E_OUTPUT, code, "%s: cannot be written: %s", strcmp(path, "-") == 0 ? "standard output" : path, strerror(code));
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

/* "dir/name" -> "dir/.name.XXXXXX"; a long name is shortened, and the random part makes it unique. */
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

/* The directory part of the path, with its slash; "." if the path has no slash. */
static int directory_of(const char *path, char *dir, size_t size)
{
    const char *slash = strrchr(path, '/');
    int n = slash != NULL ? snprintf(dir, size, "%.*s", (int)(slash - path) + 1, path) : snprintf(dir, size, ".");

    return n >= 0 && (size_t)n < size;
}

/* Checks that the directory of a new or regular file accepts new files. */
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

/* Resolves symbolic links to the final path, whether or not it exists; returns a copy of any other path. NULL on failure. */
static char *follow_links(const char *path)
{
    char target[PATH_MAX];
    char *at = strdup(path);

    for (int i = 0; at != NULL && i < MAX_LINKS; i++) {
        ssize_t n = readlink(at, target, sizeof target - 1);
        const char *slash = strrchr(at, '/');
        char *next;
        if (n < 0)
            return at; /* not a link; or a path that cannot be read, for which the caller's open() will report the error */
        target[n] = '\0';
        if (asprintf(&next, "%.*s%s", target[0] != '/' && slash != NULL ? (int)(slash - at) + 1 : 0, at, target) < 0)
            next = NULL;
        free(at);
        at = next;
    }
    errno = at != NULL ? ELOOP : ENOMEM;
    free(at);
    return NULL;
}

static int is_same_file(const struct stat *a, const struct stat *b)
{
    return (S_ISREG(a->st_mode) || S_ISBLK(a->st_mode)) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns the input that is the same file, or NULL. */
static const char *find_input(const struct stat *file, const char *const *inputs, size_t n_inputs)
{
    struct stat info;

    for (size_t i = 0; i < n_inputs; i++) {
        int is_stdin = strcmp(inputs[i], "-") == 0;
        if ((is_stdin ? fstat(STDIN_FILENO, &info) : stat(inputs[i], &info)) == 0 && is_same_file(file, &info))
            return is_stdin ? "standard input" : inputs[i];
    }
    return NULL;
}

const char *io_same_input(const char *path, const char *const *inputs, size_t n_inputs)
{
    struct stat info;

    return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &info) : stat(path, &info)) == 0 ? find_input(&info, inputs, n_inputs) : NULL;
}

io_status io_check_stdout(const char *const *inputs, size_t n_inputs, io_error *err)
{
    struct stat info;
    const char *input = fstat(STDOUT_FILENO, &info) == 0 ? find_input(&info, inputs, n_inputs) : NULL;

    if (input == NULL)
        return IO_OK;
    return io_fail(err, IO_E_REFUSED, 0, "%s: input file is also the output: redirect standard output to another file", input);
}

io_status io_check_log(const char *path, const char *const *inputs, size_t n_inputs, io_error *err)
{
    struct stat info;
    const char *input = stat(path, &info) == 0 ? find_input(&info, inputs, n_inputs) : NULL;

    if (input == NULL)
        return IO_OK;
    return io_fail(err, IO_E_REFUSED, 0, "%s: the log would be written into the input %s: give it another name", path, input);
}

int io_is_no_kind(const uint8_t *bytes, size_t n)
{
    (void)bytes;
    (void)n;
    return 0;
}

static int is_of_kind(const io_output *output, const struct stat *info)
{
    uint8_t bytes[IO_KIND_BYTES];
    ssize_t n = -1;
    int fd;

    if (output->is_kind == NULL || info->st_size == 0)
        return 1;
    fd = open(output->path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = pread(fd, bytes, sizeof bytes, 0);
        close(fd);
    }
    return n > 0 && output->is_kind(bytes, (size_t)n);
}

/* Checks that the existing file may be replaced or written to. */
static io_status check_existing(const io_output *output, const struct stat *info, io_error *err)
{
    const char *path = output->path, *input = find_input(info, output->inputs, output->n_inputs);
    struct stat out;
    int fd;

    if (S_ISDIR(info->st_mode))
        return fail_output(err, path, EISDIR);
    if (input != NULL && !(output->in_place && is_of_kind(output, info)))
        return io_fail(err, IO_E_REFUSED, 0, "%s: the output would replace the input %s: give it another name", path, input);
    if (output->beside_stdout && fstat(STDOUT_FILENO, &out) == 0 && is_same_file(info, &out))
        return io_fail(err, IO_E_REFUSED, 0, "%s: the output would replace the file of standard output: give it another name", path);
    if (!S_ISREG(info->st_mode))
        return IO_OK;
    /* rename() does not check the file itself, so open() does it here: mode, immutable flag, file system. */
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_output(err, path, errno);
    close(fd);
    if (!output->force && !is_of_kind(output, info))
        return io_fail(err, IO_E_REFUSED, 0, "%s: already exists and is not %s: %s", path, output->kind,
                       output->lacks_force ? "give another name, or delete it" : "--force replaces it");
    return IO_OK;
}

/* Opens standard output, a pipe or a device, which receives its bytes at once. */
static io_status open_direct(io_safe_file *f, const io_output *output, io_error *err)
{
    if (strcmp(output->path, "-") != 0) {
        f->fd = open(output->path, O_WRONLY | O_CLOEXEC);
        return f->fd < 0 ? fail_output(err, output->path, errno) : IO_OK;
    }
    f->fd = STDOUT_FILENO;
    if ((fcntl(f->fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
        return fail_output(err, "-", EBADF);
    return io_check_stdout(output->inputs, output->n_inputs, err);
}

/* Prepares a new file. info: of the file that it replaces, or NULL. */
static io_status prepare_file(io_safe_file *f, const struct stat *info, io_error *err)
{
    struct stat target;

    if (info != NULL) {
        f->mode = info->st_mode & 0777;
        f->replaces = 1;
        f->uid = info->st_uid;
        f->gid = info->st_gid;
        if (stat(f->path, &target) != 0 || !is_same_file(info, &target))
            return fail_output(err, f->path, ENOENT); /* a link in /proc to a file that has been unlinked */
    } else {
        mode_t mask = umask(0);
        umask(mask);
        f->mode = 0666 & ~mask;
    }
    return make_temp_name(f) ? check_directory(f->path, err) : io_fail_memory(err, "an output file");
}

/* The final name of the file. */
static char *final_path(const io_output *output) { return output->replaces_links ? strdup(output->path) : follow_links(output->path); }

io_status io_safe_file_open(const io_output *output, io_safe_file **out, io_error *err)
{
    struct stat info;
    int is_stdout = strcmp(output->path, "-") == 0;
    int exists = !is_stdout && stat(output->path, &info) == 0;
    io_status status = exists ? check_existing(output, &info, err) : IO_OK;
    io_safe_file *f;

    *out = NULL;
    if (status != IO_OK)
        return status;
    f = calloc(1, sizeof *f);
    if (f == NULL)
        return io_fail_memory(err, "an output file");
    f->fd = -1;
    f->is_direct = is_stdout || (exists && !S_ISREG(info.st_mode));
    f->path = f->is_direct ? strdup(output->path) : final_path(output);
    if (f->path == NULL)
        status = errno == ENOMEM ? io_fail_memory(err, "an output file") : fail_output(err, output->path, errno);
    else
        status = f->is_direct ? open_direct(f, output, err) : prepare_file(f, exists ? &info : NULL, err);
    if (status != IO_OK) {
        free_file(f);
        return status;
    }
    *out = f;
    return IO_OK;
}

/*
 * Gives the new file the old one's owner and group where that is permitted: root may, and a user may give a file to any of his groups. If
 * the group cannot be kept, the new group gets no more rights than others have. (A change of owner clears bits of the mode.)
 */
static int set_owner_and_mode(const io_safe_file *f)
{
    mode_t mode = f->mode;

    if (f->replaces && fchown(f->fd, f->uid, f->gid) != 0 && fchown(f->fd, (uid_t)-1, f->gid) != 0)
        mode &= 0707 | (mode & 07) << 3;
    return fchmod(f->fd, mode);
}

/* Creates the temporary file; this thread holds signals until the handler knows its name. */
static io_status create_temp(io_safe_file *f, io_error *err)
{
    sigset_t before;
    int code;

    io_hold_signals(&before);
    f->fd = mkostemp(f->temp_path, O_CLOEXEC);
    code = errno;
    if (f->fd >= 0)
        protect(f);
    io_release_signals(&before);
    if (f->fd < 0)
        return fail_output(err, f->path, code);
    if (set_owner_and_mode(f) != 0)
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

/* Returns 1 if the temporary file exists. mkostemp() replaces the Xs, so a name that still ends in them was never created. */
static int has_temp(const io_safe_file *f)
{
    return !f->is_direct && f->temp_path != NULL && strcmp(f->temp_path + strlen(f->temp_path) - 6, "XXXXXX") != 0;
}

io_status io_make_directories(const char *path, unsigned mode, io_error *err)
{
    char part[PATH_MAX];
    size_t n = strlen(path);

    if (n >= sizeof part)
        return io_fail(err, IO_E_OUTPUT, ENAMETOOLONG, "%.100s...: %s", path, strerror(ENAMETOOLONG));
    for (size_t i = 1; i < n; i++) {
        if (path[i] != '/')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (access(part, F_OK) != 0 && mkdir(part, mode) != 0 && errno != EEXIST)
            return io_fail(err, IO_E_OUTPUT, errno, "%s: cannot be created: %s", part, strerror(errno));
    }
    return IO_OK;
}

/* A name survives a power failure only once its directory is flushed; a failure here loses no data. */
void io_sync_directory(const char *path)
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

io_status io_safe_file_flush(io_safe_file *f, io_error *err)
{
    io_status status = f->fd < 0 && !has_temp(f) ? create_temp(f, err) : IO_OK;
    int rc;

    if (status != IO_OK || f->fd < 0)
        return status;
    if (!f->is_direct && fsync(f->fd) != 0)
        status = fail_output(err, f->path, errno);
    if (status == IO_OK) {
        rc = close(f->fd);
        f->fd = -1;
        if (rc != 0)
            status = fail_output(err, f->path, errno);
    }
    return status;
}

io_status io_safe_file_rename(io_safe_file *f, const io_output *output, io_error *err)
{
    struct stat info;
    char *path;
    io_status status = stat(output->path, &info) == 0 ? check_existing(output, &info, err) : IO_OK;

    if (status != IO_OK)
        return status;
    path = final_path(output);
    if (path == NULL)
        return errno == ENOMEM ? io_fail_memory(err, "an output file") : fail_output(err, output->path, errno);
    free(f->path);
    f->path = path;
    return IO_OK;
}

const char *io_safe_file_path(const io_safe_file *f) { return f->path; }

const char *io_safe_file_temporary(const io_safe_file *f) { return f->temp_path; }

int io_safe_file_is_direct(const io_safe_file *f) { return f->is_direct; }

io_status io_safe_file_put(io_safe_file *f, io_error *err)
{
    return rename(f->temp_path, f->path) == 0 ? IO_OK : fail_output(err, f->path, errno);
}

void io_safe_file_take_back(io_safe_file *f) { (void)rename(f->path, f->temp_path); }

void io_safe_file_end(io_safe_file *f)
{
    unprotect(f);
    free_file(f);
}

io_status io_safe_file_commit(io_safe_file *f, io_error *err)
{
    io_status status = io_safe_file_flush(f, err);

    if (status == IO_OK && !f->is_direct && rename(f->temp_path, f->path) != 0)
        status = fail_output(err, f->path, errno);
    if (status != IO_OK) {
        io_safe_file_abort(f);
        return status;
    }
    if (!f->is_direct) {
        unprotect(f);
        io_sync_directory(f->path);
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
    if (has_temp(f)) {
        unlink(f->temp_path);
        unprotect(f);
    }
    free_file(f);
}
