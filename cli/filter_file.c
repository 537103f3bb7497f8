#include "cli/filter_file.h"

#include <string.h>

static int map_file(filter_file *file, const cli_common *common, const char *path)
{
    io_error err;
    io_status status;

    memset(file, 0, sizeof *file);
    if (strcmp(path, "-") == 0)
        return cli_fail_usage(common->command, "the filter must be a file: tamis maps it, so it cannot come from standard input");
    file->path = path;
    io_map_guard(common->command, CLI_BAD_FILTER);
    status = io_map_open(path, &file->map, &err);
    if (status == IO_OK)
        return CLI_OK;
    return status == IO_E_INPUT ? cli_fail(common->command, CLI_BAD_FILTER, "%s", err.text) : cli_fail_io(common->command, status, &err);
}

static int check_file(filter_file *file, const cli_common *common, tms_context *ctx)
{
    tms_status status = tms_filter_open(ctx, file->map.bytes, file->map.size, &file->filter);

    if (status != TMS_OK && cli_fall_back(common, ctx, status, CLI_GPU_IS_FULL))
        status = tms_filter_open(ctx, file->map.bytes, file->map.size, &file->filter);
    if (status == TMS_E_FORMAT)
        return cli_fail(common->command, CLI_BAD_FILTER, "%s: %s", file->path, tms_context_message(ctx));
    return status == TMS_OK ? CLI_OK : cli_fail_library(common->command, ctx, status);
}

/* A shard would answer "certainly not" for the keys of the other shards. */
static int check_whole(const filter_file *file, const cli_common *common)
{
    const tms_filter_shard place = tms_filter_get_shard(file->filter);

    if (place.n_shards == 0)
        return CLI_OK;
    return cli_fail(common->command, CLI_USAGE, "%s: has only the keys of shard %u/%u: merge all %u shards with tamis merge", file->path,
                    place.shard, place.n_shards, place.n_shards);
}

int filter_file_open_shard(filter_file *file, const cli_common *common, tms_context *ctx, const char *path)
{
    int code = map_file(file, common, path);

    return code == CLI_OK ? check_file(file, common, ctx) : code;
}

int filter_file_open(filter_file *file, const cli_common *common, tms_context *ctx, const char *path)
{
    int code = filter_file_open_shard(file, common, ctx, path);

    return code == CLI_OK ? check_whole(file, common) : code;
}

int filter_file_open_for(filter_file *file, const cli_common *common, tms_context *ctx, const char *path, uint64_t input_bytes)
{
    int code = map_file(file, common, path);

    if (code == CLI_OK)
        code = cli_use_device(common, ctx, input_bytes, file->map.size);
    if (code == CLI_OK)
        code = check_file(file, common, ctx);
    return code == CLI_OK ? check_whole(file, common) : code;
}

tms_status filter_file_reopen(filter_file *file, tms_context *ctx)
{
    tms_filter_destroy(file->filter);
    return tms_filter_open(ctx, file->map.bytes, file->map.size, &file->filter);
}

void filter_file_close(filter_file *file)
{
    tms_filter_destroy(file->filter);
    io_map_close(&file->map);
    memset(file, 0, sizeof *file);
}

/* doc/format-filter.md */
static int is_filter(const uint8_t *bytes, size_t n) { return n >= 8 && memcmp(bytes, "TAMISFLT", 8) == 0; }

int filter_file_create(const cli_common *common, io_output output, io_safe_file **out)
{
    io_error err;
    io_status status;

    output.is_kind = is_filter;
    output.kind = "a filter";
    output.force = common->force;
    status = io_safe_file_open(&output, out, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(common->command, status, &err);
}

int filter_file_write(const cli_common *common, tms_context *ctx, tms_filter *filter, io_safe_file **out)
{
    const void *image;
    size_t size;
    io_error err;
    io_status written;
    tms_status status = tms_filter_image(ctx, filter, &image, &size);

    if (status != TMS_OK)
        return cli_fail_library(common->command, ctx, status);
    written = io_safe_file_write(*out, image, size, &err);
    if (written == IO_OK) {
        written = io_safe_file_commit(*out, &err);
        *out = NULL;
    }
    return written == IO_OK ? CLI_OK : cli_fail_io(common->command, written, &err);
}
