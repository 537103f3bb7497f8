/*
 * line_stream.h - the loop of build, query, freq and heavy: reads lines in batches, gives each batch to the job, and writes what
 * the job prints.
 *
 * The order of calls: cli_options(), cli_input_paths(), line_stream_begin(), opening of filters, line_stream_open(), line_stream_each();
 * and line_stream_close() at the end, also after a failure.
 */
#ifndef TAMIS_CLI_LINE_STREAM_H
#define TAMIS_CLI_LINE_STREAM_H

#include "cli/cli.h"
#include "cli/line_writer.h"
#include "io/io_lines.h"
#include "io/io_progress.h"

/* The first member of a job. */
typedef struct line_stream {
    cli_common common;
    const char *const *paths;
    size_t n_paths;

    uint64_t input_bytes; /* UINT64_MAX: unknown */
    tms_context *ctx;
    io_lines *lines;
    line_writer *writer; /* NULL: nothing is printed */
    void *answers;       /* one for each line of a batch, in pinned memory if there is a GPU; NULL: none */
    io_progress progress;
    uint64_t n_keys; /* in earlier batches */

    io_status written; /* with outlives_output: IO_E_OUTPUT if the output could not be written */
    io_error why;      /* the reason for IO_E_OUTPUT */
} line_stream;

typedef struct line_work {
    /*
     * take() - processes a batch. Returns IO_END if the job needs no more input, or the failure of an output; sets *done to the failure of
     * a call of the library.
     */
    io_status (*take)(void *job, const io_batch *batch, tms_status *done, io_error *err);
    /* end() - called at the end of the input, or before damaged lines; batch->file is the number of finished files. NULL: nothing to do. */
    io_status (*end)(void *job, const io_batch *batch, io_error *err);
    /* fail() - prints why take() failed, and returns the exit code. NULL: cli_fail_library(). */
    int (*fail)(void *job, tms_status status);
    const char *header;  /* the first line of the output, or NULL */
    int outlives_output; /* if the output cannot be written, line_stream_each() ends as if the input had ended, and sets s->written */
} line_work;

/* line_stream_begin() - makes the context that the options describe. Returns CLI_OK; otherwise the exit code, after a message. */
int line_stream_begin(line_stream *s);

/*
 * line_stream_open() - opens the inputs and, if the job prints, a writer, and allocates answer_size bytes per line of a batch for answers
 * (0: none). Returns as line_stream_begin().
 */
int line_stream_open(line_stream *s, int prints, size_t answer_size);

/* line_stream_progress() - shows progress from now on, unless it is hidden or --quiet is given. */
void line_stream_progress(line_stream *s, int is_hidden);

/*
 * line_stream_each() - gives all lines to the job, batch by batch. Flushes the writer whenever the input pauses, at the end, and before
 * it reports a fault of the input: results of the lines before the fault are right. Prints remarks about the input.
 *   job [in] the struct that begins with s
 */
int line_stream_each(line_stream *s, const line_work *work, void *job);

/* line_stream_falls_back() - for take() after a failure of the GPU: cli_fall_back() with CLI_GPU_FAILED. */
int line_stream_falls_back(line_stream *s, tms_status status);

void line_stream_close(line_stream *s);

#endif
