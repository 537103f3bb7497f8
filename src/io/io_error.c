#include "io/io_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

io_status io_fail(io_error *err, io_status status, int sys_errno, const char *format, ...)
{
    va_list args;

    err->sys_errno = sys_errno;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return status;
}

io_status io_fail_memory(io_error *err, const char *what) { return io_fail(err, IO_E_MEMORY, ENOMEM, "out of memory for %s", what); }
