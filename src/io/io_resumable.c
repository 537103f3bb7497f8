/*
 * io_resumable.c - the checkpoint is a small file of its own, which a rename puts in place: there is always a whole one. If a run ends
 * between a part and its checkpoint, io_resumable_open() cuts off the bytes after the checkpoint's last part.
 */
#include "io/io_resumable.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/io_safe_file.h"

enum { MAX_CHECKPOINT = 1 << 16 };
#define FIRST_LINE "tamis checkpoint 2\n"

struct io_resumable {
    io_safe_file *direct; /* the output if it is no regular file, else NULL */
    int fd;
    char *path, *checkpoint_path, *purpose, note[IO_RESUMABLE_NOTE];
    uint64_t n_bytes, n_done;
    _Atomic uint64_t n_safe; /* parts recorded in the checkpoint; without a checkpoint, parts put */
    time_t saved_at;
    int is_saved; /* 1: the checkpoint records all parts */
    int is_dropped;
};

static io_status save(io_resumable *r, io_error *err)
{
    io_output output = {.path = r->checkpoint_path, .force = 1};
    char numbers[128 + IO_RESUMABLE_NOTE];
    int n = snprintf(numbers, sizeof numbers, "%" PRIu64 " parts\n%" PRIu64 " bytes\n%s\n", r->n_done, r->n_bytes, r->note);
    io_safe_file *file;
    io_status status = fdatasync(r->fd) == 0 ? io_safe_file_open(&output, &file, err)
                                             : io_fail(err, IO_E_OUTPUT, errno, "%s: cannot be written: %s", r->path, strerror(errno));

    if (status != IO_OK)
        return status;
    status = io_safe_file_write(file, FIRST_LINE, strlen(FIRST_LINE), err);
    if (status == IO_OK)
        status = io_safe_file_write(file, numbers, (size_t)n, err);
    if (status == IO_OK)
        status = io_safe_file_write(file, r->purpose, strlen(r->purpose), err);
    if (status != IO_OK) {
        io_safe_file_abort(file);
        return status;
    }
    r->saved_at = time(NULL);
    r->is_saved = 1;
    r->n_safe = r->n_done; /* set before the checkpoint exists, so that a signal handler in between does not remove it */
    return io_safe_file_commit(file, err);
}

/* Returns the text of the checkpoint, with a NUL; NULL if there is no readable checkpoint. */
static char *read_checkpoint(const char *path)
{
    char *text = calloc(MAX_CHECKPOINT + 1, 1);
    FILE *file = fopen(path, "rb");

    if (text == NULL || file == NULL || fread(text, 1, MAX_CHECKPOINT, file) == 0) {
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

/* Sets n_done, n_bytes and the note from the checkpoint's text. */
static io_status take_checkpoint(io_resumable *r, const char *text, io_error *err)
{
    const char *end = NULL;
    int n = 0;

    if (strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) == 0 &&
        sscanf(text + strlen(FIRST_LINE), "%" SCNu64 " parts %" SCNu64 " bytes%n", &r->n_done, &r->n_bytes, &n) == 2 && n > 0 &&
        text[strlen(FIRST_LINE) + (size_t)n] == '\n') {
        text += strlen(FIRST_LINE) + (size_t)n + 1;
        end = strchr(text, '\n');
    }
    if (end == NULL || end - text >= IO_RESUMABLE_NOTE)
        return io_fail(err, IO_E_REFUSED, 0, "%s: is not a checkpoint of this version of tamis: start again with --restart",
                       r->checkpoint_path);
    memcpy(r->note, text, (size_t)(end - text));
    text = end + 1;
    if (strcmp(text, r->purpose) != 0)
        return io_fail(err, IO_E_REFUSED, 0,
                       "%s: belongs to another run: '%.300s', not '%.300s'. Repeat that run, or start again with --restart",
                       r->checkpoint_path, text, r->purpose);
    return IO_OK;
}

static io_status go_on(io_resumable *r, io_error *err)
{
    char *text = read_checkpoint(r->checkpoint_path);
    struct stat info;
    io_status status;

    if (text == NULL && stat(r->path, &info) != 0)
        return IO_OK; /* there is no earlier run */
    if (text == NULL)
        return io_fail(err, IO_E_REFUSED, 0,
                       "%s: has no checkpoint (%s): it is complete, or not an output of this search. "
                       "Without --resume the search starts again",
                       r->path, r->checkpoint_path);
    status = take_checkpoint(r, text, err);
    free(text);
    if (status == IO_OK && r->n_bytes > 0 && (stat(r->path, &info) != 0 || (uint64_t)info.st_size < r->n_bytes))
        return io_fail(err, IO_E_REFUSED, 0,
                       "%s: is shorter than the %" PRIu64 " bytes that its checkpoint records: start again with --restart", r->path,
                       r->n_bytes);
    return status;
}

/* Refuses to overwrite finished work because the user has forgotten --resume. */
static io_status refuse_loss(io_resumable *r, io_error *err)
{
    char *text = read_checkpoint(r->checkpoint_path);
    io_error why;
    io_status status;
    struct stat info;

    if (text == NULL || stat(r->path, &info) != 0 || info.st_size == 0) {
        free(text);
        return IO_OK; /* there is nothing to lose */
    }
    status = take_checkpoint(r, text, &why);
    r->note[0] = '\0';
    if (status == IO_OK && r->n_done == 0)
        r->n_bytes = 0;
    else if (status == IO_OK)
        status = io_fail(err, IO_E_REFUSED, 0,
                         "%s: has the results of %" PRIu64
                         " queries of this search, which was interrupted: --resume continues it, --restart starts again",
                         r->path, r->n_done);
    else
        status = io_fail(err, IO_E_REFUSED, 0, "%s: is unfinished work that this search would replace: %s", r->path, why.text);
    free(text);
    return status;
}

static io_status open_file(io_resumable *r, const io_resumable_options *options, io_error *err)
{
    size_t n = strlen(r->path);
    io_status status = IO_OK;

    r->checkpoint_path = malloc(n + sizeof ".checkpoint");
    if (r->checkpoint_path == NULL)
        return io_fail_memory(err, "an output");
    memcpy(r->checkpoint_path, r->path, n);
    memcpy(r->checkpoint_path + n, ".checkpoint", sizeof ".checkpoint");
    if (options->resume)
        status = go_on(r, err);
    else if (!options->restart)
        status = refuse_loss(r, err);
    if (status != IO_OK)
        return status;
    r->fd = open(r->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (r->fd < 0 || ftruncate(r->fd, (off_t)r->n_bytes) != 0 || lseek(r->fd, 0, SEEK_END) < 0)
        return io_fail(err, IO_E_OUTPUT, errno, "%s: cannot be written: %s", r->path, strerror(errno));
    return save(r, err);
}

io_status io_resumable_open(const io_resumable_options *options, uint64_t *n_done, io_resumable **out, io_error *err)
{
    io_output output = {.path = options->path, .inputs = options->inputs, .n_inputs = options->n_inputs, .force = 1};
    io_resumable *r = calloc(1, sizeof *r);
    io_status status;

    *out = NULL;
    *n_done = 0;
    if (r == NULL || (r->purpose = strdup(options->purpose)) == NULL) {
        free(r);
        return io_fail_memory(err, "an output");
    }
    r->fd = -1;
    status = io_safe_file_open(&output, &r->direct, err);
    if (status == IO_OK && io_safe_file_is_direct(r->direct)) {
        if (options->resume)
            status = io_fail(err, IO_E_REFUSED, 0, "%s: is not a file that tamis can resume: leave --resume out", options->path);
    } else if (status == IO_OK) {
        r->path = strdup(io_safe_file_path(r->direct));
        io_safe_file_abort(r->direct);
        r->direct = NULL;
        status = r->path != NULL ? open_file(r, options, err) : io_fail_memory(err, "an output");
    }
    if (status != IO_OK) {
        io_resumable_leave(r);
        return status;
    }
    *n_done = r->n_done;
    *out = r;
    return IO_OK;
}

io_status io_resumable_put(io_resumable *r, const void *bytes, size_t size, uint64_t n_done, io_error *err)
{
    io_status status;

    if (r->is_dropped)
        return IO_OK;
    status = r->direct != NULL ? io_safe_file_write(r->direct, bytes, size, err) : io_write_all(r->fd, r->path, bytes, size, err);
    if (status != IO_OK)
        return status;
    r->n_bytes += size;
    if (r->direct != NULL) {
        r->n_safe = n_done;
        return IO_OK;
    }
    r->n_done = n_done;
    r->is_saved = 0;
    return time(NULL) != r->saved_at ? save(r, err) : IO_OK; /* once a second is enough */
}

uint64_t io_resumable_bytes(const io_resumable *r) { return r->n_bytes; }
void io_resumable_drop(io_resumable *r) { r->is_dropped = 1; }

void io_resumable_set_note(io_resumable *r, const char *note) { snprintf(r->note, sizeof r->note, "%s", note); }
const char *io_resumable_note(const io_resumable *r) { return r->note; }

uint64_t io_resumable_interrupted(const io_resumable *r, int *has_checkpoint)
{
    const uint64_t n_safe = r->n_safe;

    *has_checkpoint = r->direct == NULL && n_safe > 0;
    if (r->direct == NULL && n_safe == 0) {
        unlink(r->path);
        unlink(r->checkpoint_path);
    }
    return n_safe;
}

static void free_all(io_resumable *r)
{
    if (r->fd >= 0)
        close(r->fd);
    free(r->path);
    free(r->checkpoint_path);
    free(r->purpose);
    free(r);
}

io_status io_resumable_end(io_resumable *r, io_error *err)
{
    io_status status = IO_OK;

    if (r->direct != NULL) {
        status = io_safe_file_commit(r->direct, err);
    } else {
        int failed = close(r->fd) != 0;
        r->fd = -1;
        if (failed)
            status = io_fail(err, IO_E_OUTPUT, errno, "%s: cannot be written: %s", r->path, strerror(errno));
        else
            unlink(r->checkpoint_path);
    }
    r->direct = NULL;
    free_all(r);
    return status;
}

void io_resumable_leave(io_resumable *r)
{
    io_error err;

    if (r == NULL)
        return;
    if (r->fd >= 0 && (r->is_dropped || (r->n_bytes == 0 && r->n_done == 0))) { /* there is nothing to resume */
        unlink(r->path);
        unlink(r->checkpoint_path);
    } else if (r->fd >= 0 && !r->is_saved) {
        (void)save(r, &err); /* the caller reports the earlier failure */
    }
    io_safe_file_abort(r->direct);
    free_all(r);
}
