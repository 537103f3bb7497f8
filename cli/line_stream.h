/*
 * line_stream.h - what build, query, freq and heavy do alike: lines come in batches, something is done with each batch, and what
 * it prints goes out.
 *
 *   cli_options(), cli_input_paths(), line_stream_begin(), filters are opened, line_stream_open(), line_stream_each(),
 *   line_stream_close() at the end, whatever happened
 */
#ifndef TAMIS_CLI_LINE_STREAM_H
#define TAMIS_CLI_LINE_STREAM_H

#include "cli/cli.h"
#include "cli/line_writer.h"
#include "io/io_lines.h"
#include "io/io_progress.h"

/* A job begins with it. */
typedef struct line_stream {
    cli_common common;
    const char *const *paths;
    size_t n_paths;

    uint64_t input_bytes; /* UINT64_MAX: unknown */
    tms_context *ctx;
    io_lines *lines;
    line_writer *writer; /* NULL: nothing is printed */
    void *answers;       /* of a batch's lines; pinned where there is a GPU. NULL: none */
    io_progress progress;
    uint64_t n_keys; /* of the batches before */

    io_status written; /* with outlives_output: IO_E_OUTPUT, ... */
    io_error why;      /* ... and what was wrong */
} line_stream;

typedef struct line_work {
    /*
     * take() - a batch. Returns IO_END where no more is wanted; *done is a failure of the library, the result one of the output.
     */
    io_status (*take)(void *job, const io_batch *batch, tms_status *done, io_error *err);
    /* end() - the input has ended, or the next lines are damaged; batch->file are the files done. NULL: nothing to do. */
    io_status (*end)(void *job, const io_batch *batch, io_error *err);
    /* fail() - says why take() failed, and returns the exit code. NULL: cli_fail_library(). */
    int (*fail)(void *job, tms_status status);
    const char *header;  /* a first line, or NULL */
    int outlives_output; /* where the output cannot be written, line_stream_each() ends as if the input had: s->written says so */
} line_work;

/* line_stream_begin() - a context, as the options want it. Returns CLI_OK; otherwise the exit code, having said why. */
int line_stream_begin(line_stream *s);

/*
 * line_stream_open() - the inputs, a writer if there will be something to print, and answers of answer_size bytes a line of a batch (0:
 * none). Returns as line_stream_begin().
 */
int line_stream_open(line_stream *s, int prints, size_t answer_size);

/* line_stream_progress() - from now on progress is shown, unless it is hidden or nothing is to be said. */
void line_stream_progress(line_stream *s, int is_hidden);

/*
 * line_stream_each() - all lines to the job, a batch at a time. What was printed goes out whenever there is a wait, at the end, and
 * before a fault of the input is reported: lines before it are right. What the user may not know of the input is said.
 *   job [in] what begins with s
 */
int line_stream_each(line_stream *s, const line_work *work, void *job);

/* line_stream_falls_back() - for take(), when the GPU failed: cli_fall_back() with CLI_GPU_FAILED. */
int line_stream_falls_back(line_stream *s, tms_status status);

void line_stream_close(line_stream *s);

#endif
