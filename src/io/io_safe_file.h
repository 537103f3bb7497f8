/*
 * io_safe_file.h - an output file that appears whole or not at all, and replaces only what the user meant to replace.
 *
 * The bytes go to a temporary name in the same directory; io_safe_file_commit() flushes and renames it. The temporary file disappears on a
 * failure, on io_safe_file_abort(), and on SIGINT, SIGTERM, SIGHUP and SIGQUIT. A device, a pipe or "-" (standard output) is written to
 * directly.
 */
#ifndef TAMIS_IO_SAFE_FILE_H
#define TAMIS_IO_SAFE_FILE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

typedef struct io_safe_file io_safe_file;

/* Describes an output, and what it must not destroy. Everything is borrowed for the call. */
typedef struct io_output {
    const char *path;          /* "-": standard output */
    const char *const *inputs; /* paths, "-" for standard input; the output must be none of these files, by any name or link */
    size_t n_inputs;
    int (*is_kind)(const uint8_t *bytes, size_t n); /* 1 if a file with these first bytes is of the output's kind; NULL: the output has
                                                     * no kind */
    const char *kind;                               /* name of that kind for the message, such as "a filter" */
    int in_place;                                   /* 1: the output may be an input, if that is a file of the output's kind */
    int beside_stdout;                              /* 1: the command also writes to standard output, so the output must not be the same
                                                     * file */
    int lacks_force;                                /* 1: the command has no --force, which the message would advise */
    int force;                                      /* 1: a regular file of another kind may be replaced */
    int replaces_links;                             /* 1: a symbolic link itself is replaced, not the file it points to */
} io_output;

enum { IO_KIND_BYTES = 16 }; /* bytes that is_kind() gets; fewer of a shorter file */

/* io_is_no_kind() - an is_kind for plain text output: only an empty file may be replaced without force. */
int io_is_no_kind(const uint8_t *bytes, size_t n);

/*
 * io_safe_file_open() - check that the output can be written: an existing file must be writable, be empty or of the output's kind, and not
 * be an input. Creates and changes nothing yet: a process that is killed during a long computation leaves nothing behind.
 *   out [out] freed by io_safe_file_commit() or io_safe_file_abort()
 * The new file gets owner, group and mode of the file that it replaces, as far as permitted. Symbolic links are followed, even if the
 * target does not exist, unless the output replaces them.
 * Returns IO_OK; IO_E_REFUSED; IO_E_OUTPUT; IO_E_MEMORY.
 */
io_status io_safe_file_open(const io_output *output, io_safe_file **out, io_error *err);

/* io_safe_file_write() - append size bytes. Returns IO_OK or IO_E_OUTPUT. */
io_status io_safe_file_write(io_safe_file *file, const void *bytes, size_t size, io_error *err);

/* io_safe_file_commit() - flush the file, give it its final name, free. On failure no file is left. */
io_status io_safe_file_commit(io_safe_file *file, io_error *err);

/* io_safe_file_abort() - remove the temporary file and free; NULL is fine. */
void io_safe_file_abort(io_safe_file *file);

/* io_safe_file_remove_temporary() - remove all temporary files; for a handler that is about to end the process. Async-signal-safe. */
void io_safe_file_remove_temporary(void);

/*
 * The steps of io_safe_file_commit(), for files that appear together (io_file_set.c):
 *   io_safe_file_flush()     - write all bytes to the disk under the temporary name and close the descriptor; no more writes
 *   io_safe_file_rename()    - change the final name within the directory, with the checks of io_safe_file_open()
 *   io_safe_file_put()       - give the file its final name
 *   io_safe_file_take_back() - give the file its temporary name again
 *   io_safe_file_end()       - free, leaving the file where it is
 */
io_status io_safe_file_flush(io_safe_file *file, io_error *err);
io_status io_safe_file_rename(io_safe_file *file, const io_output *output, io_error *err);
const char *io_safe_file_path(const io_safe_file *file);      /* the final name */
const char *io_safe_file_temporary(const io_safe_file *file); /* the temporary path, after the first io_safe_file_write() */
int io_safe_file_is_direct(const io_safe_file *file);         /* 1 for a device, a pipe or standard output */
io_status io_safe_file_put(io_safe_file *file, io_error *err);
void io_safe_file_take_back(io_safe_file *file);
void io_safe_file_end(io_safe_file *file);

/* io_hold_signals(), io_release_signals() - between these calls this thread receives none of the signals that end the process. */
void io_hold_signals(sigset_t *before);
void io_release_signals(const sigset_t *before);

/* io_make_directories() - create the missing directories on the way to the path. mode: as of mkdir(2). */
io_status io_make_directories(const char *path, unsigned mode, io_error *err);

/* io_sync_directory() - flush the path's directory, if possible, so that names in it survive a power failure. */
void io_sync_directory(const char *path);

/* io_same_input() - the input ("-": standard input) that is the same regular file as this path, or NULL. */
const char *io_same_input(const char *path, const char *const *inputs, size_t n_inputs);

/* io_check_stdout() - check that standard output is none of the inputs ("-": standard input). Returns IO_OK or IO_E_REFUSED. */
io_status io_check_stdout(const char *const *inputs, size_t n_inputs, io_error *err);

/* io_check_log() - check that a log file, to which a command appends, is none of the inputs. Returns IO_OK or IO_E_REFUSED. */
io_status io_check_log(const char *path, const char *const *inputs, size_t n_inputs, io_error *err);

/* io_write_all() - write size bytes to fd, in as many calls as needed. name: for the message. */
io_status io_write_all(int fd, const char *name, const void *bytes, size_t size, io_error *err);

#endif
