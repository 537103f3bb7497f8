/*
 * model_data.h - shared by `tamis model plot` and `tamis model report`: opens the measurements, and writes the output.
 */
#ifndef TAMIS_CLI_MODEL_DATA_H
#define TAMIS_CLI_MODEL_DATA_H

#include "figures/figure_data.h"
#include "io/io_safe_file.h"

/*
 * model_data_open() - the tables that --from names.
 *   from [in]  a table or a directory; NULL: the tables that come with tamis
 *   out  [out] closed with figure_data_close(), also on failure
 * Returns CLI_OK; otherwise the exit code, after a message.
 */
int model_data_open(const char *command, const char *from, figure_data *out);

/* model_data_write() - writes n bytes, the whole file, and renames it into place. Returns CLI_OK; otherwise the exit code, after a message.
 */
int model_data_write(const char *command, io_safe_file *file, const char *bytes, size_t n);

#define MODEL_ROW_FROM(job, member)                                                                                                        \
    {                                                                                                                                      \
        0, "from", "PATH", OPTION_PATH(job, member), .otherwise = "what comes with tamis",                                                 \
                                                     .help = "measurements: a table, or a directory of tables"                             \
    }

#endif
