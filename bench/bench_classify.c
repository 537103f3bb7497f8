/*
 * bench_classify.c - reads from a file to their verdicts, and on to outputs, as `tamis classify` passes them on: whole, and with the test
 * itself left out, which is the limit. Whoever calls this has the reads in the page cache after a run that is not counted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "bench.h"
#include "io/io_map.h"
#include "io/io_outputs.h"
#include "seqio/seqio_records.h"

enum { RUNS = 5, BATCH_RECORDS = 16384 }; /* batches as the command's */

#define BATCH_BYTES ((size_t)4 << 20)

struct job {
    tms_context *ctx;
    const tms_classifier *classifier; /* NULL: no test */
    const char *path;
    bool writes; /* reads go to two outputs by their verdict, or all to one */
    tms_classified *results;
    size_t capacity;
};

struct result {
    uint64_t n_records, n_letters, n_matching;
    double seconds;
};

static void must(io_status status, const io_error *err)
{
    if (status == IO_OK || status == IO_END)
        return;
    fprintf(stderr, "tamis-bench: %s\n", err->text);
    exit(2);
}

static bool is_match(const struct job *job, size_t i) { return job->classifier && job->results[i].verdict != TMS_VERDICT_NONE; }

static void write_reads(const struct job *job, io_outputs *outputs, const seqio_records_batch *batch)
{
    size_t n = batch->seqs.n_records;
    io_error err;
    for (size_t i = 0, end; i < n; i = end) {
        bool match = is_match(job, i);
        for (end = i + 1; end < n && is_match(job, end) == match; end++)
            continue;
        if (!byte_array_add(io_outputs_buffer(outputs, match), batch->raw + batch->raw_starts[i],
                            (size_t)(batch->raw_starts[end] - batch->raw_starts[i])))
            exit(5);
    }
    must(io_outputs_flush(outputs, &err), &err);
}

static void take_batch(struct job *job, const seqio_records_batch *batch, io_outputs *outputs, struct result *r)
{
    size_t n = batch->seqs.n_records;
    if (job->classifier) {
        tms_reads reads = {&batch->seqs, 0, 1};
        if (!array_reserve(&job->results, &job->capacity, n, sizeof *job->results))
            exit(5);
        bench_must(job->ctx, tms_classify(job->ctx, job->classifier, &reads, 1, n, job->results, NULL));
        for (size_t i = 0; i < n; i++)
            r->n_matching += is_match(job, i);
    }
    if (outputs)
        write_reads(job, outputs, batch);
}

static struct result run_once(struct job *job)
{
    seqio_records_options how = {.paths = &job->path,
                                 .n_paths = 1,
                                 .batch_bytes = BATCH_BYTES,
                                 .batch_records = BATCH_RECORDS,
                                 .no_qualities = 1,
                                 .no_headers = 1,
                                 .raw = job->writes};
    io_output null = {.path = "/dev/null"};
    struct result r = {.seconds = -bench_now()};
    io_outputs *outputs = NULL;
    seqio_records_batch batch;
    seqio_records_totals totals;
    seqio_records *records;
    io_status status;
    io_error err;
    size_t number;

    must(seqio_records_open(&how, &records, &err), &err);
    if (job->writes)
        must(io_outputs_create(job->ctx, &outputs, &err), &err);
    for (int i = 0; i < 2 && outputs; i++)
        must(io_outputs_add(outputs, &null, IO_PLAIN, &number, &err), &err);
    while ((status = seqio_records_next(records, &batch, &err)) == IO_OK)
        take_batch(job, &batch, outputs, &r);
    must(status, &err);
    if (outputs)
        must(io_outputs_commit(outputs, &err), &err);
    r.seconds += bench_now();
    seqio_records_get_totals(records, &totals);
    seqio_records_close(records);
    r.n_records = totals.n_records;
    r.n_letters = totals.n_residues;
    return r;
}

/* With the test and without, in turns. */
static void compare(struct job job, const char *backend, size_t n_filters)
{
    struct job without = job;
    double with_test[RUNS], without_test[RUNS];
    struct result r = {0};

    without.classifier = NULL;
    for (int run = -1; run < RUNS; run++) { /* one that is not counted */
        double limit = run_once(&without).seconds;
        r = run_once(&job);
        if (run >= 0) {
            with_test[run] = r.seconds;
            without_test[run] = limit;
        }
    }
    r.seconds = bench_median(with_test, RUNS);
    double limit = bench_median(without_test, RUNS);
    printf("%s\t%s\t%zu\t%llu\t%llu\t%llu\t%.3f\t%.3f\t%.1f\t%.0f\n", job.writes ? "read, classify, write" : "read, classify", backend,
           n_filters, (unsigned long long)r.n_records, (unsigned long long)r.n_letters, (unsigned long long)r.n_matching, limit, r.seconds,
           (double)r.n_records / r.seconds / 1e6, 100 * limit / r.seconds);
    fflush(stdout);
    free(job.results);
}

static void run_place(const struct bench_place *place, const char *path, char **filter_paths, size_t n)
{
    io_map maps[TMS_MAX_REFERENCES];
    tms_filter *filters[TMS_MAX_REFERENCES];
    tms_classifier *classifier;
    io_error err;

    for (size_t i = 0; i < n; i++) {
        must(io_map_open(filter_paths[i], &maps[i], &err), &err);
        bench_must(place->ctx, tms_filter_open(place->ctx, maps[i].bytes, maps[i].size, &filters[i]));
    }
    for (size_t some = 1; some <= n; some = some < n ? n : n + 1) { /* one, and all */
        bench_must(place->ctx, tms_classifier_create(place->ctx, (const tms_filter *const *)filters, some, NULL, &classifier));
        for (int writes = 0; writes < 2; writes++)
            compare((struct job){.ctx = place->ctx, .classifier = classifier, .path = path, .writes = writes}, place->name, some);
        tms_classifier_destroy(classifier);
    }
    for (size_t i = 0; i < n; i++) {
        tms_filter_destroy(filters[i]);
        io_map_close(&maps[i]);
    }
}

int bench_classify(int argc, char **argv)
{
    struct bench_place places[3];
    int n_places;

    if (argc < 3 || argc - 2 > TMS_MAX_REFERENCES) {
        fprintf(stderr, "usage: tamis-bench classify READS FILTER.tms...\n");
        return 2;
    }
    n_places = bench_places(places);
    for (int i = 0; i < n_places; i++) {
        run_place(&places[i], argv[1], argv + 2, (size_t)argc - 2);
        tms_context_destroy(places[i].ctx);
    }
    return 0;
}
