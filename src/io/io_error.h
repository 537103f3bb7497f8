/*
 * io_error.h - how the io room reports a failure: a status, and one sentence in a buffer that the caller owns.
 *
 * tms_status has no values for file errors, and io is not part of libtamis; so io has a status of its own.
 */
#ifndef TAMIS_IO_ERROR_H
#define TAMIS_IO_ERROR_H

typedef enum io_status {
    IO_OK = 0,
    IO_END = 1,       /* the input has ended; not a failure */
    IO_E_INPUT = 2,   /* an input cannot be opened or read, is truncated, or is corrupt */
    IO_E_OUTPUT = 3,  /* an output cannot be written */
    IO_E_MEMORY = 4,  /* out of memory */
    IO_E_REFUSED = 5, /* the output would destroy an existing file */
    IO_E_DATABASE = 6 /* a BLAST database is damaged */
} io_status;

typedef struct io_error {
    int sys_errno; /* errno of the failing call; 0 where the data are at fault */
    char text[1024];
} io_error;

/* io_fail() - write the sentence and return the status, so that reporting a fault takes one line. */
__attribute__((format(printf, 4, 5), warn_unused_result)) io_status io_fail(io_error *err, io_status status, int sys_errno,
                                                                            const char *format, ...);

/* io_fail_memory() - IO_E_MEMORY; `what` names the purpose of the memory. */
__attribute__((warn_unused_result)) io_status io_fail_memory(io_error *err, const char *what);

#endif
