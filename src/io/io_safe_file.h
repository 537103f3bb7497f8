/*
 * io_safe_file.h - an output file that appears whole or not at all.
 *
 * The bytes go to a temporary name in the same directory, which is flushed and then renamed. The temporary file goes
 * away on a failure, on io_safe_file_abort(), and on SIGINT, SIGTERM and SIGHUP. What is not a regular file (a device,
 * a pipe, "-" for standard output) is written to directly.
 */
#ifndef TAMIS_IO_SAFE_FILE_H
#define TAMIS_IO_SAFE_FILE_H

#include <stddef.h>

#include "io_error.h"

typedef struct io_safe_file io_safe_file;

/*
 * io_safe_file_open() - check that path can be written. Creates nothing yet: a process killed during a long
 * computation leaves nothing behind.
 *   out [out] ended by io_safe_file_commit() or io_safe_file_abort()
 * Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY.
 */
io_status io_safe_file_open(const char *path, io_safe_file **out, io_error *err);

/* io_safe_file_write() - append size bytes. Returns IO_OK or IO_E_OUTPUT. */
io_status io_safe_file_write(io_safe_file *file, const void *bytes, size_t size, io_error *err);

/* io_safe_file_commit() - flush, put the file under its name, free. On failure nothing is left. */
io_status io_safe_file_commit(io_safe_file *file, io_error *err);

/* io_safe_file_abort() - leave nothing, free; NULL is fine. */
void io_safe_file_abort(io_safe_file *file);

/* io_write_all() - size bytes to fd, however many calls that takes. name is for the message. */
io_status io_write_all(int fd, const char *name, const void *bytes, size_t size, io_error *err);

#endif
