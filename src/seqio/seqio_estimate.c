/* seqio_estimate.c - counts the residues or bases at the beginning of a file. */
#include "seqio/seqio_estimate.h"

#include "io/io_stream.h"
#include "seqio/seqio_sequences.h"

#define BUFFER_BYTES ((size_t)64 << 10) /* small, so that little is read beyond what is counted */

typedef struct counter {
    uint64_t n, most;
} counter;

static io_status begin(void *arg, const char *header, size_t n, const seqio_position *position, io_error *err)
{
    (void)arg;
    (void)header;
    (void)n;
    (void)position;
    (void)err;
    return IO_OK;
}

static io_status count(void *arg, const uint8_t *residues, size_t n, const seqio_position *position, size_t *n_taken, io_error *err)
{
    counter *c = arg;

    (void)residues;
    (void)position;
    (void)err;
    *n_taken = n;
    c->n += n;
    return c->n > c->most ? IO_SINK_FULL : IO_OK;
}

static io_status end(void *arg, io_error *err)
{
    (void)arg;
    (void)err;
    return IO_OK;
}

double seqio_estimate_residues(const char *path, uint64_t most)
{
    counter c = {.most = most};
    const seqio_sequences_options options = {.paths = &path,
                                             .n_paths = 1,
                                             .sink = {.arg = &c, .begin = begin, .residues = count, .end = end},
                                             .cancel_fd = -1,
                                             .may_be_empty = 1,
                                             .may_lack_header = 1,
                                             .buffer_bytes = BUFFER_BYTES};
    seqio_sequences *s;
    io_error err;
    uint64_t bytes, of_bytes = 0;
    int is_longer = 0;

    if (seqio_sequences_create(&options, &s, &err) == IO_OK) {
        is_longer = seqio_sequences_read(s, &err) == IO_SINK_FULL;
        of_bytes = seqio_sequences_offset(s);
    }
    seqio_sequences_free(s);
    if (!is_longer || !io_stream_path_size(path, &bytes) || of_bytes == 0 || bytes < of_bytes)
        return (double)c.n;
    return (double)c.n * ((double)bytes / (double)of_bytes);
}
