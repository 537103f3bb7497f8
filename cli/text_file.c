#include "cli/text_file.h"

#include "cli/cli.h"
#include "io/io_text.h"

int text_file_read(const char *command, const char *path, char **out, size_t *n)
{
    io_error err;
    io_status status = io_text_read(path, out, n, &err);

    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}
