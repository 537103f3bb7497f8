/* classify_summary.c - see classify_summary.h. */
#include "cli/reads/classify_summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "io/io_stream.h"

enum { MOST_BYTES = 16 << 20, STEP_BYTES = 1 << 16 };

static io_status read_file(const char *path, size_t most, struct byte_array *out, io_error *err)
{
    io_stream *stream;
    io_status status = io_stream_open(path, -1, &stream, err);
    size_t n = 1;

    if (status != IO_OK)
        return status;
    while (status == IO_OK && n > 0 && out->n < most) {
        uint8_t *to = byte_array_room(out, STEP_BYTES);
        status = to != NULL ? io_stream_read(stream, to, STEP_BYTES, &n, err) : io_fail_memory(err, "a summary");
        out->n += status == IO_OK ? n : 0;
    }
    io_stream_close(stream);
    return status == IO_END ? IO_OK : status;
}

static bool begins_with(const struct byte_array *text, const char *with)
{
    return text->n >= strlen(with) && memcmp(text->bytes, with, strlen(with)) == 0;
}

bool classify_is_summary(const char *path)
{
    struct byte_array text = {0};
    io_error err;
    uint64_t size;
    const bool is = io_stream_path_size(path, &size) && read_file(path, 1, &text, &err) == IO_OK &&
                    (begins_with(&text, "# " CLASSIFY_MARK_FIRST "\t") || begins_with(&text, "{") || begins_with(&text, "reference\t"));

    free(text.bytes);
    return is;
}

/* The text form of the mark of a table: its comments, without "# ". */
static bool mark_of_table(const struct byte_array *file, struct byte_array *out)
{
    const uint8_t *at = file->bytes, *end = file->bytes + file->n;

    while (end - at > 2 && at[0] == '#' && at[1] == ' ') {
        const uint8_t *line = memchr(at, '\n', (size_t)(end - at));
        if (line == NULL)
            break;
        if (!byte_array_add(out, at + 2, (size_t)(line + 1 - at - 2)))
            return false;
        at = line + 1;
    }
    return true;
}

static bool mark_of_json(const struct byte_array *file, struct byte_array *out)
{
    json_error_t error;
    json_t *root = json_loadb((const char *)file->bytes, file->n, 0, &error);
    const char *text = json_string_value(json_object_get(json_object_get(root, "tamis"), "shard"));
    const bool done = text == NULL || byte_array_add(out, text, strlen(text));

    json_decref(root);
    return done;
}

/* Writes the summary of the mark's numbers again, to compare it with the file. */
static io_status check_bytes(const classify_summary *s, const struct byte_array *file, io_error *err)
{
    classify_report report = s->marked.report;
    struct byte_array again = {0};
    bool done, is_same;

    report.mark = &s->mark;
    done = s->is_json ? classify_report_json(&report, &again) : classify_report_table(&report, &again);
    is_same = done && again.n == file->n && memcmp(again.bytes, file->bytes, file->n) == 0;
    free(again.bytes);
    if (!done)
        return io_fail_memory(err, "a summary");
    return is_same ? IO_OK : io_fail(err, IO_E_INPUT, 0, "its numbers are not those of its mark");
}

static io_status read_summary(tms_context *ctx, const struct byte_array *file, const classify_summary *like, classify_summary *out,
                              io_error *err)
{
    char what[256];
    struct byte_array text = {0};
    io_status status = IO_OK;

    out->is_json = begins_with(file, "{");
    if (!(out->is_json ? mark_of_json(file, &text) : mark_of_table(file, &text)))
        status = io_fail_memory(err, "a summary");
    else if (text.n == 0)
        status = io_fail(err, IO_E_INPUT, 0, "it has no mark of tamis classify --shard, or is cut off");
    else
        status = archive_manifest_parse((const char *)text.bytes, text.n, &out->mark, err);
    free(text.bytes);
    if (like != NULL && classify_mark_differs(&like->mark, &out->mark, false, what))
        like = NULL;
    if (status == IO_OK)
        status = classify_mark_read(ctx, &out->mark, like != NULL ? &like->marked.report : NULL, &out->marked, err);
    return status == IO_OK ? check_bytes(out, file, err) : status;
}

io_status classify_summary_open(tms_context *ctx, const char *path, const classify_summary *like, classify_summary *out, io_error *err)
{
    struct byte_array file = {0};
    io_error why;
    io_status status = read_file(path, MOST_BYTES, &file, err);

    out->path = path;
    if (status == IO_OK) {
        status = read_summary(ctx, &file, like, out, &why);
        if (status == IO_E_INPUT)
            status = io_fail(err, IO_E_INPUT, 0, "%s: is no whole summary of a shard (%s): run that shard again", path, why.text);
        else if (status != IO_OK)
            *err = why;
    }
    free(file.bytes);
    return status;
}

void classify_summary_close(classify_summary *summary)
{
    archive_manifest_free(&summary->mark);
    classify_marked_free(&summary->marked);
}
