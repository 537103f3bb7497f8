/*
 * filter_file.h - a stored filter as the commands open it: mapped, checked, with the file's name in every message.
 */
#ifndef TAMIS_FILTER_FILE_H
#define TAMIS_FILTER_FILE_H

#include "cli/cli.h"
#include "io/io_map.h"
#include "io/io_safe_file.h"

typedef struct filter_file {
    const char *path; /* borrowed */
    io_map map;
    tms_filter *filter;
} filter_file;

/*
 * filter_file_open() - map and check a filter, on the context's device (or the CPU, where auto's GPU has no room for it).
 * filter_file_open_for() - the same on the device that --device says for asking an input of that many bytes (cli_use_device()).
 * Return CLI_OK, or the exit code, having said why; close the file either way.
 */
int filter_file_open(filter_file *file, const cli_common *common, tms_context *ctx, const char *path);
int filter_file_open_for(filter_file *file, const cli_common *common, tms_context *ctx, const char *path, uint64_t input_bytes);

/* filter_file_reopen() - after the context has fallen back to the CPU: the filter is there too. */
tms_status filter_file_reopen(filter_file *file, tms_context *ctx);

/* filter_file_close() - before the context is destroyed; a zeroed filter_file is fine. */
void filter_file_close(filter_file *file);

/*
 * filter_file_create() - io_safe_file_open() for a filter: the caller says path, inputs and what else is particular to it. What is
 * there and no filter is replaced with --force only. Returns CLI_OK, or the exit code, having said why.
 */
int filter_file_create(const cli_common *common, io_output output, io_safe_file **out);

/* filter_file_write() - the filter becomes the output file. Once that is complete, or failed to be, *out is NULL. */
int filter_file_write(const cli_common *common, tms_context *ctx, tms_filter *filter, io_safe_file **out);

#endif
