#include "cli/line_stream.h"

#include <stdlib.h>
#include <string.h>

/*
 * A batch of 2^17 short lines stays in the cache between the thread that reads it and the threads that look it up;
 * a GPU needs fewer, larger copies.
 */
enum { CPU_BATCH_KEYS = 1 << 17, GPU_BATCH_KEYS = 1 << 20, CPU_BATCH_BYTES = 4 << 20, GPU_BATCH_BYTES = 32 << 20 };

int line_stream_begin(line_stream *s)
{
    cli_note_terminal(&s->common, s->paths, s->n_paths);
    s->input_bytes = cli_input_bytes(s->paths, s->n_paths);
    return cli_context_create(&s->common, &s->ctx);
}

/* The maximum number of lines of a batch: --batch, or a default for the context's device. */
static size_t batch_keys(const line_stream *s)
{
    if (s->common.batch_keys != 0)
        return (size_t)s->common.batch_keys;
    return tms_context_device(s->ctx) == TMS_DEVICE_CPU ? CPU_BATCH_KEYS : GPU_BATCH_KEYS;
}

int line_stream_open(line_stream *s, int prints, size_t answer_size)
{
    size_t batch_bytes = tms_context_device(s->ctx) == TMS_DEVICE_CPU ? CPU_BATCH_BYTES : GPU_BATCH_BYTES;
    io_lines_options how = {s->paths, s->n_paths, batch_keys(s), batch_bytes, s->common.crlf, s->common.by_file};
    io_error err;
    io_status status;

    if (answer_size > 0 && tms_host_alloc(s->ctx, batch_keys(s) * answer_size, &s->answers) != TMS_OK) {
        s->answers = NULL;
        return cli_fail(s->common.command, CLI_NO_MEMORY, "out of memory for a batch of %zu lines (--batch)", batch_keys(s));
    }
    if (prints && (s->writer = calloc(1, sizeof *s->writer)) == NULL)
        return cli_fail(s->common.command, CLI_NO_MEMORY, "out of memory");
    status = io_lines_open(s->ctx, &how, &s->lines, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(s->common.command, status, &err);
}

void line_stream_progress(line_stream *s, int is_hidden)
{
    io_progress_start(&s->progress, s->common.command, "keys", s->input_bytes == UINT64_MAX ? 0 : s->input_bytes,
                      s->common.quiet || is_hidden);
}

/* Reads the next batch. Flushes the writer before it waits for input, and prints remarks about the input. */
static io_status next_lines(line_stream *s, io_batch *out, io_error *err)
{
    io_status status = s->writer != NULL && !io_lines_is_ready(s->lines) ? line_writer_flush(s->writer, err) : IO_OK;

    if (status != IO_OK)
        return status;
    status = io_lines_next(s->lines, out, err);
    if ((out->has_bom == NULL && out->has_cr == NULL) || s->common.quiet)
        return status;
    io_progress_clear(&s->progress);
    if (out->has_bom != NULL)
        cli_say(s->common.command,
                "%s: begins with a UTF-8 byte order mark, which counts as part of its first line; sed '1s/^\\xef\\xbb\\xbf//' "
                "removes it",
                out->has_bom);
    if (out->has_cr != NULL)
        cli_say(s->common.command, "%s: lines end in a carriage return, which counts as part of each line; --crlf removes it", out->has_cr);
    return status;
}

/* Completes the output for the input before its end, or before a fault in it. */
static io_status end_output(line_stream *s, const line_work *work, void *job, const io_batch *batch, io_error *err)
{
    io_status status = work->end != NULL ? work->end(job, batch, err) : IO_OK;

    return status == IO_OK && s->writer != NULL ? line_writer_flush(s->writer, err) : status;
}

/* Prints the header before the first lines, or at the end of an empty input; an input that is refused gets no header. */
static io_status put_header(line_stream *s, const char **header, io_error *err)
{
    const char *line = *header;

    *header = NULL;
    return line != NULL ? line_writer_put(s->writer, line, strlen(line), err) : IO_OK;
}

int line_stream_each(line_stream *s, const line_work *work, void *job)
{
    const char *header = work->header;
    io_error err, second;
    io_batch batch;
    io_status status = IO_OK;
    tms_status done = TMS_OK;

    while (status == IO_OK && (status = next_lines(s, &batch, &err)) == IO_OK) {
        status = put_header(s, &header, &err);
        if (status == IO_OK)
            status = work->take(job, &batch, &done, &err);
        if (status != IO_OK || done != TMS_OK)
            break;
        s->n_keys += batch.keys.n_keys;
        io_progress_update(&s->progress, batch.n_read, s->n_keys);
    }
    io_progress_end(&s->progress); /* before any message */
    if (done != TMS_OK)
        return work->fail != NULL ? work->fail(job, done) : cli_fail_library(s->common.command, s->ctx, done);
    if (status == IO_END)
        status = put_header(s, &header, &err) == IO_OK ? end_output(s, work, job, &batch, &err) : IO_E_OUTPUT;
    else if (status == IO_E_INPUT) /* the message is about the input, even if the output fails too */
        (void)end_output(s, work, job, &batch, &second);
    if (status == IO_OK)
        return CLI_OK;
    if (status != IO_E_OUTPUT || !work->outlives_output)
        return cli_fail_io(s->common.command, status, &err);
    s->written = status;
    s->why = err;
    return CLI_OK;
}

int line_stream_falls_back(line_stream *s, tms_status status)
{
    io_progress_clear(&s->progress);
    return cli_fall_back(&s->common, s->ctx, status, CLI_GPU_FAILED);
}

void line_stream_close(line_stream *s)
{
    io_progress_end(&s->progress);
    io_lines_close(s->lines);
    free(s->writer);
    if (s->answers != NULL)
        tms_host_free(s->ctx, s->answers);
    tms_context_destroy(s->ctx);
}
