/*
 * bench_ong.c - the experiment of [Ong13], Figs. 2, 5, 8, 9: AP hash with k = 500, fpp = 1/n, m by eq. 5, strings of at most 20
 * characters, insertion plus search, host to device copies included: serial, threads and CUDA in one run. Then the same
 * service (same strings, same fpp) with tamis's defaults. Every searched string is in the set, so that no search ends early.
 */
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "bench.h"
#include "tamis/tamis.h"

#define ONG_K 500

/* Seconds for building a filter of the keys and searching them all; ends the program on a false negative. */
static double service(tms_context *ctx, const tms_filter_params *params, const tms_keys *keys, uint8_t *hit)
{
    tms_filter *f;
    bench_must(ctx, tms_filter_create(ctx, params, &f));
    double start = bench_now();
    bench_must(ctx, tms_filter_insert(ctx, f, keys));
    bench_must(ctx, tms_filter_query(ctx, f, keys, hit));
    double seconds = bench_now() - start;
    for (size_t i = 0; i < keys->n_keys; i++)
        if (!hit[i]) {
            fprintf(stderr, "tamis-bench: key %zu was lost\n", i);
            exit(1);
        }
    tms_filter_destroy(f);
    return seconds;
}

static void run_service(const struct bench_place *places, int n_places, const tms_filter_want *want, const char *what, size_t n)
{
    double serial = 0;
    for (int p = 0; p < n_places; p++) {
        tms_context *ctx = places[p].ctx;
        tms_filter_params params;
        bench_must(ctx, tms_filter_size(ctx, want, &params));
        uint8_t *bytes, *hit;
        uint32_t *offsets;
        void *space;
        bench_must(ctx, tms_host_alloc(ctx, n * BENCH_WORD_MAX + 64, &space));
        bytes = space;
        bench_must(ctx, tms_host_alloc(ctx, (n + 1) * sizeof *offsets, &space));
        offsets = space;
        bench_must(ctx, tms_host_alloc(ctx, n, &space));
        hit = space;
        bench_random_words(bytes, offsets, n, 1);
        tms_keys keys = {bytes, offsets, n, 0, 0};
        int runs = n >= 1000000 && tms_context_device(ctx) < 0 ? 1 : 5;
        double seconds[5];
        if (runs == 5)
            service(ctx, &params, &keys, hit); /* warm-up */
        for (int r = 0; r < runs; r++)
            seconds[r] = service(ctx, &params, &keys, hit);
        double median = bench_median(seconds, runs);
        serial = p == 0 ? median : serial;
        char note[64];
        snprintf(note, sizeof note, "%.6g s, %.2f x serial", median, serial / median);
        struct bench_row row = {what, places[p].name, n, params.k, params.m_bits, median, 0, 0, note};
        bench_print(&row);
        tms_host_free(ctx, bytes);
        tms_host_free(ctx, offsets);
        tms_host_free(ctx, hit);
    }
}

int bench_ong(int argc, char **argv)
{
    size_t most = argc > 1 ? (size_t)atof(argv[1]) : 1000000;
    struct bench_place places[3];
    int n_places = bench_places(places);
    for (size_t n = 1000; n <= most; n *= 10) {
        tms_filter_want ong = {TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 0, n, 1.0 / (double)n, 0, ONG_K};
        tms_filter_want own = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, n, 1.0 / (double)n, 0, 0};
        run_service(places, n_places, &ong, "ong", n);
        run_service(places, n_places, &own, "defaults", n);
    }
    for (int p = 0; p < n_places; p++)
        tms_context_destroy(places[p].ctx);
    return 0;
}
