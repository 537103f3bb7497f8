/*
 * filter_file.h - opens and writes stored filters: maps and checks them, with the file's name in every message.
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
 * filter_file_open() - maps and checks a filter, on the context's device (or on the CPU, if auto's GPU has no room for the filter).
 * filter_file_open_for() - does so on the device that cli_use_device() chooses for an input of input_bytes bytes.
 * filter_file_open_shard() - as filter_file_open(), also for a filter of tamis build --shard; the others refuse it, because it lacks keys.
 * Return CLI_OK, or the exit code after a message; the caller closes the file either way.
 */
int filter_file_open(filter_file *file, const cli_common *common, tms_context *ctx, const char *path);
int filter_file_open_shard(filter_file *file, const cli_common *common, tms_context *ctx, const char *path);
int filter_file_open_for(filter_file *file, const cli_common *common, tms_context *ctx, const char *path, uint64_t input_bytes);

/* filter_file_reopen() - moves the filter to the CPU, after the context has fallen back to it. */
tms_status filter_file_reopen(filter_file *file, tms_context *ctx);

/* filter_file_close() - before the context is destroyed; a zeroed filter_file is fine. */
void filter_file_close(filter_file *file);

/*
 * filter_file_create() - io_safe_file_open() for a filter: the caller sets path, inputs and other fields. Replaces a file that is not
 * a filter only with --force. Returns CLI_OK, or the exit code after a message.
 */
int filter_file_create(const cli_common *common, io_output output, io_safe_file **out);

/* filter_file_write() - writes the filter to the output file and closes it, also on failure: *out is then NULL. */
int filter_file_write(const cli_common *common, tms_context *ctx, tms_filter *filter, io_safe_file **out);

#endif
