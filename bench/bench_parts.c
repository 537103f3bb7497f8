/*
 * bench_parts.c - the parts of a search, read as `tamis report` reads them: a query batch of each in turn, checked, decompressed and
 * unpacked, by one thread. Whoever calls this has the parts in the page cache after a run that is not counted.
 */
#include <stdlib.h>
#include <time.h>

#include "archive/archive_reader.h"
#include "bench.h"

enum { RUNS = 5 };

struct read_counts {
    uint64_t n_lists, n_subjects, n_hsps;
    double seconds; /* of the processor */
};

static void must(io_status status, const io_error *err)
{
    if (status == IO_OK)
        return;
    fprintf(stderr, "tamis-bench: %s\n", err->text);
    exit(2);
}

static struct read_counts read_all(char **paths, int n)
{
    struct archive_reader **readers = calloc((size_t)n, sizeof *readers);
    struct archive_lists lists = {0};
    struct read_counts counts = {0};
    const clock_t begin = clock();
    uint64_t n_batches = 0;
    io_error err;

    if (readers == NULL)
        exit(5);
    for (int i = 0; i < n; i++) {
        must(archive_reader_open(paths[i], &readers[i], &err), &err);
        if (archive_reader_n_batches(readers[i]) > n_batches)
            n_batches = archive_reader_n_batches(readers[i]);
    }
    for (uint64_t batch = 0; batch < n_batches; batch++) {
        for (int i = 0; i < n; i++) {
            if (batch >= archive_reader_n_batches(readers[i]))
                continue;
            must(archive_reader_read(readers[i], batch, &lists, &err), &err);
            counts.n_lists += lists.n;
            counts.n_subjects += lists.n_subjects;
            counts.n_hsps += lists.n_hsps;
        }
    }
    for (int i = 0; i < n; i++)
        archive_reader_close(readers[i]);
    free(readers);
    archive_lists_free(&lists);
    counts.seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    return counts;
}

int bench_parts(int argc, char **argv)
{
    struct read_counts best = {0};
    double n_bytes = 0;

    if (argc < 2) {
        fprintf(stderr, "usage: tamis-bench parts PART...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
            fprintf(stderr, "tamis-bench: %s cannot be read\n", argv[i]);
            return 2;
        }
        n_bytes += (double)ftell(file);
        fclose(file);
    }
    for (int run = 0; run <= RUNS; run++) { /* the first fills the page cache */
        const struct read_counts counts = read_all(argv + 1, argc - 1);
        if (run == 1 || (run > 1 && counts.seconds < best.seconds))
            best = counts;
    }
    printf("%d\t%.2f\t%llu\t%llu\t%llu\t%.4f\t%.0f\t%.3g\n", argc - 1, n_bytes / 1e6, (unsigned long long)best.n_lists,
           (unsigned long long)best.n_subjects, (unsigned long long)best.n_hsps, best.seconds, n_bytes / 1e6 / best.seconds,
           (double)best.n_hsps / best.seconds);
    return 0;
}
