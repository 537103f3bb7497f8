/*
 * bench_thesis.c - the experiments of the [thesis, 4.2]: Figs. 13, 14 and 15, insertion of its keys (1 to 150 letters and digits)
 * in host memory, copies to the GPU included: serial, threads, CUDA. `tamis model plot` draws them.
 *
 * It does not say how many bits or keys it took. Here: Figs. 13 and 14 insert the same keys everywhere, into a filter that is no
 * more than 86 % full afterwards. In Fig. 15 the back ends' speeds are too far apart for that: each inserts as many as
 * take ROW_SECONDS.
 */
#include <stdlib.h>

#include "bench.h"
#include "tamis/tamis.h"

#define RUNS         5
#define LONG_SECONDS 1.0 /* what takes longer is run once */
#define ROW_SECONDS  0.5
#define SMALL_BITS   ((uint64_t)1 << 28)
#define LARGE_BITS   ((uint64_t)1 << 30)
#define FIG14_K      100
#define FIG15_KEYS   ((size_t)1 << 21)

struct insertion {
    tms_context *ctx;
    const tms_filter_params *params;
    const tms_keys *keys;
};

static double seconds_of(void *arg, size_t n)
{
    const struct insertion *insertion = arg;
    tms_keys part = *insertion->keys;
    part.n_keys = n;
    return bench_insert_seconds(insertion->ctx, insertion->params, &part);
}

static void run(const char *figure, const char *backend, struct insertion *insertion, size_t n)
{
    double seconds[RUNS];
    double median = seconds_of(insertion, n); /* a warm-up too */
    if (median < LONG_SECONDS) {
        for (int i = 0; i < RUNS; i++)
            seconds[i] = seconds_of(insertion, n);
        median = bench_median(seconds, RUNS);
    }
    double bytes = insertion->keys->offsets[n];
    char note[64];
    snprintf(note, sizeof note, "%.0f bytes, %.4g s", bytes, median);
    const tms_filter_params *params = insertion->params;
    struct bench_row row = {figure, backend, n, params->k, params->m_bits, median, bytes / (double)n, 0, note};
    bench_print(&row);
}

/* Classical filter: time over k. */
static void fig13(const struct bench_place *place, const tms_keys *keys)
{
    for (uint32_t k = 8; k <= 4096; k *= 2) {
        tms_filter_params params = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 0, SMALL_BITS, k, 0, TMS_SAMPLING_GEOMETRIC};
        struct insertion insertion = {place->ctx, &params, keys};
        run("fig13", place->name, &insertion, BENCH_FIG13_KEYS);
    }
}

/* Classical filter: time over the bytes of a batch. */
static void fig14(const struct bench_place *place, const tms_keys *keys, double most_bytes)
{
    static const double sizes[] = {1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9};
    tms_filter_params params = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 0, LARGE_BITS, FIG14_K, 0, TMS_SAMPLING_GEOMETRIC};
    struct insertion insertion = {place->ctx, &params, keys};
    size_t n = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most_bytes; i++) {
        while (n < keys->n_keys && keys->offsets[n + 1] <= sizes[i])
            n++;
        run("fig14", place->name, &insertion, n);
    }
}

/* Probabilistic filter: time over k. */
static void fig15(const struct bench_place *place, const tms_keys *keys)
{
    for (int sampling = TMS_SAMPLING_PLAIN; sampling >= TMS_SAMPLING_GEOMETRIC; sampling--)
        for (uint32_t k = 1000; k <= 4000; k += 500) {
            tms_filter_params params = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3_SQUARE, 0, SMALL_BITS, k, 0.01, (tms_sampling)sampling};
            struct insertion insertion = {place->ctx, &params, keys};
            char backend[160];
            snprintf(backend, sizeof backend, "%s %s", place->name, tms_sampling_name(params.sampling));
            run("fig15", backend, &insertion, bench_fit(seconds_of, &insertion, FIG15_KEYS, ROW_SECONDS));
        }
}

int bench_thesis(int argc, char **argv)
{
    double most_bytes = argc > 1 ? atof(argv[1]) : 1e9;
    if (!(most_bytes >= 1e6 && most_bytes <= 1e9)) {
        fprintf(stderr, "tamis-bench: BYTES must be 1e6 to 1e9\n");
        return 2;
    }
    size_t n = (size_t)(most_bytes / 75); /* the mean is 75.5 */
    n = n > FIG15_KEYS ? n : FIG15_KEYS;
    struct bench_place places[3];
    int n_places = bench_places(places);
    tms_context *owner = places[n_places - 1].ctx; /* of the GPU, if there is one: pinned */
    tms_keys keys = bench_thesis_batch(owner, n, 1);
    for (int p = 0; p < n_places; p++) {
        fig13(&places[p], &keys);
        fig14(&places[p], &keys, most_bytes);
        fig15(&places[p], &keys);
    }
    bench_free_keys(owner, &keys);
    for (int p = 0; p < n_places; p++)
        tms_context_destroy(places[p].ctx);
    return 0;
}
