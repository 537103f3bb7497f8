/*
 * io_map.c - maps a file, and ends the process with a message if it shrinks.
 *
 * A signal handler can only use static storage, so mapped files are also kept in a table with a fixed number of slots: a command maps one
 * or two files at a time, and classify one for each reference. io_map_open() maps a file without a free slot too, but cannot guard it.
 */
#include "io/io_map.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/map_file.h"
#include "io/io_safe_file.h"

enum { N_SLOTS = 64 };

static struct {
    _Atomic(const char *) from; /* set last, cleared first; NULL: the slot is free */
    size_t size;
    const char *path;
} mapped[N_SLOTS];

static struct {
    const char *command;
    int exit_code;
} guard;

static struct {
    _Atomic(io_map_path_at *) path_at; /* set last, cleared first */
    const void *arg;
} watched;

static void put(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0) {
        /* Nothing to do: the exit code also reports the failure. */
    }
}

/* Prints the message and ends the process. Async-signal-safe. */
static void end(const char *path, const char *what)
{
    static atomic_flag is_ending = ATOMIC_FLAG_INIT;

    while (atomic_flag_test_and_set(&is_ending))
        pause(); /* another thread prints the message */
    put("tamis ");
    put(guard.command);
    put(": ");
    put(path);
    put(what);
    io_safe_file_remove_temporary();
    _exit(guard.exit_code);
}

/* Runs in the thread that touched the page, possibly in several at once. Async-signal-safe. */
static void on_bus_error(int sig, siginfo_t *info, void *unused)
{
    const char *at = info->si_addr;
    io_map_path_at *path_at = atomic_load(&watched.path_at);

    (void)unused;
    for (int i = 0; i < N_SLOTS && info->si_code > 0; i++) { /* 0 or less: another process sent the signal */
        const char *from = atomic_load(&mapped[i].from);
        if (from != NULL && at >= from && (size_t)(at - from) < mapped[i].size)
            end(mapped[i].path,
                ": the file changed while it was read: it was truncated. Replace a filter by renaming (mv), not in place\n");
    }
    if (info->si_code > 0 && path_at != NULL && path_at(watched.arg, at) != NULL)
        end(path_at(watched.arg, at),
            ": a file of this database changed while it was read: it was truncated. Replace a database by renaming (mv), not in place\n");
    signal(sig, SIG_DFL);
    raise(sig); /* takes effect when this handler returns */
}

void io_map_watch(io_map_path_at *path_at, const void *arg)
{
    if (path_at != NULL)
        watched.arg = arg;
    atomic_store(&watched.path_at, path_at);
}

void io_map_guard(const char *command, int exit_code)
{
    struct sigaction action;

    guard.command = command;
    guard.exit_code = exit_code;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, &action, NULL);
}

static int take_slot(const char *path, const void *bytes, size_t size)
{
    for (int i = 0; i < N_SLOTS; i++) {
        if (atomic_load(&mapped[i].from) != NULL)
            continue;
        mapped[i].path = path;
        mapped[i].size = size;
        atomic_store(&mapped[i].from, bytes);
        return i;
    }
    return -1;
}

io_status io_map_open(const char *path, io_map *out, io_error *err)
{
    const uint8_t *bytes;
    /* The whole image is read to check it, so the pages may as well be mapped in one go. */
    enum map_file_result result = map_file(path, true, &bytes, &out->size);
    const int code = errno;

    out->bytes = NULL;
    if (result == MAP_FILE_NOT_OPENED)
        return io_fail(err, IO_E_INPUT, code, "%s: %s", path, strerror(code));
    if (io_check_stdout(&path, 1, err) != IO_OK) {
        unmap_file(bytes, out->size);
        out->size = 0;
        return IO_E_REFUSED;
    }
    if (result == MAP_FILE_NOT_MAPPED)
        return io_fail(err, code == ENOMEM ? IO_E_MEMORY : IO_E_INPUT, code, "%s: cannot be mapped: %s", path, strerror(code));
    if (bytes == NULL) {
        const char *why = result == MAP_FILE_DIRECTORY     ? "is a directory"
                          : result == MAP_FILE_NOT_REGULAR ? "is not a regular file, as a filter must be"
                                                           : "is empty";
        return io_fail(err, IO_E_INPUT, 0, "%s: %s", path, why);
    }
    out->bytes = bytes;
    out->slot = take_slot(path, bytes, out->size);
    return IO_OK;
}

void io_map_close(io_map *map)
{
    if (map->bytes != NULL) {
        if (map->slot >= 0)
            atomic_store(&mapped[map->slot].from, NULL);
        unmap_file(map->bytes, map->size);
    }
    map->bytes = NULL;
    map->size = 0;
}
