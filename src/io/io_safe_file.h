/*
 * io_safe_file.h - an output file that appears whole or not at all, and destroys nothing that was not meant.
 *
 * The bytes go to a temporary name in the same directory, which is flushed and then renamed. The temporary file goes
 * away on a failure, on io_safe_file_abort(), and on SIGINT, SIGTERM and SIGHUP. What is not a regular file (a device,
 * a pipe, "-" for standard output) is written to directly.
 */
#ifndef TAMIS_IO_SAFE_FILE_H
#define TAMIS_IO_SAFE_FILE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

typedef struct io_safe_file io_safe_file;

/* What is to be written, and what must not be lost by it. All of it is borrowed for the call. */
typedef struct io_output {
    const char *path;          /* "-": standard output */
    const char *const *inputs; /* paths, "-" for standard input: the output must be none of them, by whatever name or link */
    size_t n_inputs;
    int (*is_kind)(const uint8_t *bytes, size_t n); /* does a file of the output's kind begin so? NULL: there is no kind */
    const char *kind;                               /* "a filter": for the message */
    int in_place;                                   /* an input may be the output where it is of that kind */
    int beside_stdout;                              /* results go to standard output too, so the output must not be that file */
    int force;                                      /* a regular file of another kind may be replaced */
    int replaces_links;                             /* a symbolic link is replaced, not what it leads to */
} io_output;

enum { IO_KIND_BYTES = 16 }; /* is_kind() sees so many, fewer of a shorter file */

/* io_is_no_kind() - for is_kind, of output that is text like any other: only an empty file is replaced without force. */
int io_is_no_kind(const uint8_t *bytes, size_t n);

/*
 * io_safe_file_open() - check that the output can be written: what is there is a file that could be opened for writing,
 * empty or of the output's kind, and no input. Creates and changes nothing yet: a process killed during a long
 * computation leaves nothing behind.
 *   out [out] ended by io_safe_file_commit() or io_safe_file_abort()
 * A file that is replaced gives its owner, group and mode to the new one, as far as permitted. Symbolic links are
 * followed, also to where nothing is yet, unless the output replaces them.
 * Returns IO_OK; IO_E_REFUSED; IO_E_OUTPUT; IO_E_MEMORY.
 */
io_status io_safe_file_open(const io_output *output, io_safe_file **out, io_error *err);

/* io_safe_file_write() - append size bytes. Returns IO_OK or IO_E_OUTPUT. */
io_status io_safe_file_write(io_safe_file *file, const void *bytes, size_t size, io_error *err);

/* io_safe_file_commit() - flush, put the file under its name, free. On failure nothing is left. */
io_status io_safe_file_commit(io_safe_file *file, io_error *err);

/* io_safe_file_abort() - leave nothing, free; NULL is fine. */
void io_safe_file_abort(io_safe_file *file);

/* io_safe_file_remove_temporary() - for a handler that is about to end the process; async-signal-safe. */
void io_safe_file_remove_temporary(void);

/*
 * For files that appear together (io_file_set.c), the steps of io_safe_file_commit():
 *
 * io_safe_file_flush()     - all bytes are on the disk under the temporary name, and no descriptor is open. Nothing can be written after
 * io_safe_file_rename()    - the name will be another one, in the same directory; it is checked as io_safe_file_open() does
 * io_safe_file_put()       - the file has its final name
 * io_safe_file_take_back() - it has its temporary one again
 * io_safe_file_end()       - it stays where it is; free
 */
io_status io_safe_file_flush(io_safe_file *file, io_error *err);
io_status io_safe_file_rename(io_safe_file *file, const io_output *output, io_error *err);
const char *io_safe_file_path(const io_safe_file *file);      /* the final name */
const char *io_safe_file_temporary(const io_safe_file *file); /* where the bytes are, after the first io_safe_file_write() */
int io_safe_file_is_direct(const io_safe_file *file);         /* is it a device, a pipe or standard output? */
io_status io_safe_file_put(io_safe_file *file, io_error *err);
void io_safe_file_take_back(io_safe_file *file);
void io_safe_file_end(io_safe_file *file);

/* io_hold_signals(), io_release_signals() - this thread gets none of the signals that end the process in between. */
void io_hold_signals(sigset_t *before);
void io_release_signals(const sigset_t *before);

/* io_make_directories() - those on the way to the path, where they are missing. mode: theirs, as of mkdir(2). */
io_status io_make_directories(const char *path, unsigned mode, io_error *err);

/* io_sync_directory() - names in the directory of the path survive a power failure, if it can be flushed. */
void io_sync_directory(const char *path);

/* io_same_input() - the one of the inputs ("-": standard input) that is the same regular file as this one; NULL: none. */
const char *io_same_input(const char *path, const char *const *inputs, size_t n_inputs);

/* io_check_stdout() - standard output must not go into an input ("-": standard input). Returns IO_OK or IO_E_REFUSED. */
io_status io_check_stdout(const char *const *inputs, size_t n_inputs, io_error *err);

/* io_check_log() - nor must a log that is appended to. */
io_status io_check_log(const char *path, const char *const *inputs, size_t n_inputs, io_error *err);

/* io_write_all() - size bytes to fd, however many calls that takes. name is for the message. */
io_status io_write_all(int fd, const char *name, const void *bytes, size_t size, io_error *err);

#endif
