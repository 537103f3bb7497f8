#include "io/io_file_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

typedef struct new_file {
    io_safe_file *file;
    int is_entry;
    int is_put;
} new_file;

typedef struct old_file {
    char *path, *aside; /* aside: the temporary name of the old file while it has one, else NULL */
    int is_entry;
} old_file;

struct io_file_set {
    new_file *files;
    size_t n_files, files_capacity;
    old_file *old;
    size_t n_old, old_capacity;
};

io_status io_file_set_create(io_file_set **out, io_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? IO_OK : io_fail_memory(err, "output files");
}

static void free_set(io_file_set *set)
{
    for (size_t i = 0; i < set->n_old; i++) {
        free(set->old[i].path);
        free(set->old[i].aside);
    }
    free(set->files);
    free(set->old);
    free(set);
}

io_status io_file_set_take(io_file_set *set, io_safe_file *file, int is_entry, io_error *err)
{
    if (!array_reserve(&set->files, &set->files_capacity, set->n_files + 1, sizeof *set->files))
        return io_fail_memory(err, "output files");
    set->files[set->n_files++] = (new_file){file, is_entry, 0};
    return IO_OK;
}

io_status io_file_set_open(io_file_set *set, const io_output *output, int is_entry, io_safe_file **file, io_error *err)
{
    io_status status = io_safe_file_open(output, file, err);

    if (status != IO_OK)
        return status;
    if (io_safe_file_is_direct(*file)) {
        io_safe_file_abort(*file);
        return io_fail(err, IO_E_REFUSED, 0, "%s: is not a regular file: give the output another name", output->path);
    }
    status = io_file_set_take(set, *file, is_entry, err);
    if (status != IO_OK)
        io_safe_file_abort(*file);
    return status;
}

io_status io_file_set_retire(io_file_set *set, const char *path, int is_entry, io_error *err)
{
    char *copy = NULL;

    if (array_reserve(&set->old, &set->old_capacity, set->n_old + 1, sizeof *set->old))
        copy = strdup(path);
    if (copy == NULL)
        return io_fail_memory(err, "output files");
    set->old[set->n_old++] = (old_file){copy, NULL, is_entry};
    return IO_OK;
}

static int is_retired(const io_file_set *set, const char *path)
{
    for (size_t i = 0; i < set->n_old; i++) {
        if (strcmp(set->old[i].path, path) == 0)
            return 1;
    }
    return 0;
}

/* Moves an old file to a temporary name in the same directory. A missing file is no failure. */
static io_status put_aside(old_file *old, io_error *err)
{
    const char *slash = strrchr(old->path, '/');
    int dir = slash != NULL ? (int)(slash - old->path) + 1 : 0, fd, code;
    struct stat info;

    if (lstat(old->path, &info) != 0)
        return errno == ENOENT ? IO_OK : io_fail(err, IO_E_OUTPUT, errno, "%s: cannot be replaced: %s", old->path, strerror(errno));
    if (asprintf(&old->aside, "%.*s.%.200s.XXXXXX", dir, old->path, old->path + dir) < 0) {
        old->aside = NULL;
        return io_fail_memory(err, "output files");
    }
    fd = mkstemp(old->aside);
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && rename(old->path, old->aside) == 0)
        return IO_OK;
    code = errno;
    if (fd >= 0)
        unlink(old->aside);
    free(old->aside);
    old->aside = NULL;
    return io_fail(err, IO_E_OUTPUT, code, "%s: cannot be replaced: %s", old->path, strerror(code));
}

static io_status put_all_aside(io_file_set *set, int entries, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < set->n_old && status == IO_OK; i++) {
        if (set->old[i].is_entry == entries)
            status = put_aside(&set->old[i], err);
    }
    return status;
}

static io_status put_all(io_file_set *set, int entries, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < set->n_files && status == IO_OK; i++) {
        if (set->files[i].is_entry != entries)
            continue;
        status = io_safe_file_put(set->files[i].file, err);
        set->files[i].is_put = status == IO_OK;
    }
    return status;
}

static void take_all_back(io_file_set *set, int entries)
{
    for (size_t i = 0; i < set->n_files; i++) {
        if (set->files[i].is_entry == entries && set->files[i].is_put)
            io_safe_file_take_back(set->files[i].file);
    }
}

static void restore_all(io_file_set *set, int entries)
{
    for (size_t i = 0; i < set->n_old; i++) {
        if (set->old[i].is_entry == entries && set->old[i].aside != NULL)
            (void)rename(set->old[i].aside, set->old[i].path);
    }
}

static int has_same_directory(const char *a, const char *b)
{
    const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
    size_t n_a = slash_a != NULL ? (size_t)(slash_a - a) + 1 : 0, n_b = slash_b != NULL ? (size_t)(slash_b - b) + 1 : 0;

    return n_a == n_b && memcmp(a, b, n_a) == 0;
}

/* Flushes the directories of all files; consecutive files of one directory need one flush. */
static void sync_set(const io_file_set *set)
{
    const char *last = NULL;

    for (size_t i = 0; i < set->n_files; i++) {
        const char *path = io_safe_file_path(set->files[i].file);
        if (last == NULL || !has_same_directory(last, path))
            io_sync_directory(path);
        last = path;
    }
}

static io_status exchange(io_file_set *set, io_error *err)
{
    io_status status = put_all_aside(set, 1, err);

    sync_set(set);
    if (status == IO_OK)
        status = put_all_aside(set, 0, err);
    if (status == IO_OK)
        status = put_all(set, 0, err);
    sync_set(set);
    if (status == IO_OK)
        status = put_all(set, 1, err);
    if (status == IO_OK) {
        sync_set(set);
        return IO_OK;
    }
    take_all_back(set, 1);
    take_all_back(set, 0);
    restore_all(set, 0);
    restore_all(set, 1);
    return status;
}

io_status io_file_set_commit(io_file_set *set, io_error *err)
{
    sigset_t before;
    io_status status = IO_OK;

    for (size_t i = 0; i < set->n_files && status == IO_OK; i++) {
        status = io_safe_file_flush(set->files[i].file, err);
        if (status == IO_OK && !is_retired(set, io_safe_file_path(set->files[i].file)))
            status = io_file_set_retire(set, io_safe_file_path(set->files[i].file), set->files[i].is_entry, err);
    }
    if (status == IO_OK) {
        io_hold_signals(&before);
        status = exchange(set, err);
        for (size_t i = 0; i < set->n_files && status == IO_OK; i++)
            io_safe_file_end(set->files[i].file);
        for (size_t i = 0; i < set->n_old && status == IO_OK; i++) {
            if (set->old[i].aside != NULL)
                unlink(set->old[i].aside);
        }
        io_release_signals(&before);
    }
    if (status != IO_OK) {
        io_file_set_abort(set);
        return status;
    }
    free_set(set);
    return IO_OK;
}

void io_file_set_abort(io_file_set *set)
{
    if (set == NULL)
        return;
    for (size_t i = 0; i < set->n_files; i++)
        io_safe_file_abort(set->files[i].file);
    free_set(set);
}
