#include "cli/model/model_data.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/data_files.h"

int model_data_open(const char *command, const char *from, figure_data *out)
{
    char kept[DATA_PATH];
    io_error err;
    io_status status;

    memset(out, 0, sizeof *out);
    if (from == NULL && !data_directory(DATA_MODEL, kept))
        return cli_fail(command, CLI_USAGE,
                        "the measurements that come with tamis (share/tamis/model) are missing; give others with --from, "
                        "or set TAMIS_SHARE to their share/tamis");
    status = figure_data_open(from != NULL ? from : kept, out, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

int model_data_write(const char *command, io_safe_file *file, const char *bytes, size_t n)
{
    io_error err;
    io_status status = io_safe_file_write(file, bytes, n, &err);

    if (status != IO_OK) {
        io_safe_file_abort(file);
        return cli_fail_io(command, status, &err);
    }
    status = io_safe_file_commit(file, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}
