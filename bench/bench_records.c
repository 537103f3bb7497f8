/*
 * bench_records.c - files of sequences into batches of whole records. The limit is the same bytes, decompressed by the same code, with
 * nothing done but that the ends of lines are found.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "io/io_stream.h"
#include "seqio/seqio_records.h"

enum { RUNS = 5, BUFFER_BYTES = 128 << 10 };

#define BATCH_BYTES ((size_t)4 << 20)

struct result {
    uint64_t n_bytes, n_records, n_letters; /* of the files: decompressed */
    double seconds;
};

static void must(io_status status, const io_error *err)
{
    if (status == IO_OK || status == IO_END)
        return;
    fprintf(stderr, "tamis-bench: %s\n", err->text);
    exit(2);
}

static struct result read_lines(const char *const *paths, size_t n_paths, uint8_t *buffer)
{
    struct result r = {.seconds = -bench_now()};
    uint64_t n_lines = 0;
    io_error err;
    for (size_t i = 0; i < n_paths; i++) {
        io_stream *stream;
        size_t n;
        io_status status;
        must(io_stream_open(paths[i], -1, &stream, &err), &err);
        while ((status = io_stream_read(stream, buffer, BUFFER_BYTES, &n, &err)) == IO_OK) {
            r.n_bytes += n;
            for (const uint8_t *at = buffer, *end = buffer + n; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
                n_lines++;
        }
        must(status, &err);
        io_stream_close(stream);
    }
    r.seconds += bench_now();
    r.n_records = n_lines;
    return r;
}

static struct result read_records(const char *const *paths, size_t n_paths)
{
    struct result r = {.seconds = -bench_now()};
    seqio_records_options how = {.paths = paths, .n_paths = n_paths, .batch_bytes = BATCH_BYTES};
    seqio_records_batch batch;
    seqio_records_totals totals;
    seqio_records *records;
    io_error err;
    io_status status;
    must(seqio_records_open(&how, &records, &err), &err);
    while ((status = seqio_records_next(records, &batch, &err)) == IO_OK)
        continue;
    must(status, &err);
    r.seconds += bench_now();
    seqio_records_get_totals(records, &totals);
    seqio_records_close(records);
    r.n_records = totals.n_records;
    r.n_letters = totals.n_residues;
    return r;
}

/* limit NULL: it was not measured. */
static void print_records(size_t n_paths, const struct result *records, const struct result *limit)
{
    printf("records\t%zu\t%llu\t%llu\t%.3f\t", n_paths, (unsigned long long)records->n_records, (unsigned long long)records->n_letters,
           records->seconds);
    if (limit != NULL)
        printf("%.0f\t%.0f\n", (double)limit->n_bytes / records->seconds / 1e6, 100 * limit->seconds / records->seconds);
    else
        printf("\t\n");
}

int bench_records(int argc, char **argv)
{
    const char *const *paths = (const char *const *)argv + 1;
    size_t n_paths = (size_t)argc - 1;
    struct result limit = {0}, records = {0};
    double limits[RUNS], seconds[RUNS];
    uint8_t *buffer;
    if (n_paths > 0 && strcmp(paths[0], "--once") == 0) { /* for sequences.sh, which measures the process */
        records = read_records(paths + 1, n_paths - 1);
        print_records(n_paths - 1, &records, NULL);
        return 0;
    }
    if (n_paths == 0) {
        fprintf(stderr, "usage: tamis-bench records [--once] FILE...\n");
        return 2;
    }
    buffer = malloc(BUFFER_BYTES);
    if (buffer == NULL)
        return 5;
    for (int run = -1; run < RUNS; run++) { /* one that is not counted */
        limit = read_lines(paths, n_paths, buffer);
        records = read_records(paths, n_paths);
        if (run >= 0) {
            limits[run] = limit.seconds;
            seconds[run] = records.seconds;
        }
    }
    free(buffer);
    limit.seconds = bench_median(limits, RUNS);
    records.seconds = bench_median(seconds, RUNS);
    printf("bytes and lines\t%zu\t\t\t%.3f\t%.0f\t100\n", n_paths, limit.seconds, (double)limit.n_bytes / limit.seconds / 1e6);
    print_records(n_paths, &records, &limit);
    return 0;
}
