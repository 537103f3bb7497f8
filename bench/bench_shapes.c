/*
 * bench_shapes.c - does tuning pay? For random workloads over the model's ranges: the shape that the model picks, against the best of all
 * shapes, measured one by one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "bench.h"
#include "classify/word_scan.h"
#include "model/model_shape.h"
#include "tamis/model.h"

#define N_WORKLOADS 20u
#define NEAR        1.05
#define REPEATS     9

static const uint32_t all_threads[] = {64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 896, 1024};
static const double all_waves[] = {0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8};

static double uniform(uint64_t *turn) { return (double)(core_splitmix(4711, (*turn)++) >> 11) * 0x1p-53; }

static double between(uint64_t *turn, double low, double high) { return low * pow(high / low, uniform(turn)); }

/* Micro-benchmark, bank and reads in turn, each at random sizes; shapes are left open. */
static tms_workload draw(uint32_t i, uint64_t *turn)
{
    static const uint32_t ks[] = {4, 6, 8, 10};
    static const uint64_t ms[] = {64 << 10, 128 << 10, 256 << 10};
    tms_workload w = {0};
    w.D = (uint64_t)1 << 25;
    if (i % 3 == 0) {
        w.app = TMS_APP_RANDOM;
        w.op = (tms_op)(3 * uniform(turn));
        w.place = i % 2 ? TMS_PLACE_SHARED : TMS_PLACE_GLOBAL;
        w.m_bits = 256 * (uint64_t)between(turn, 4096 / 32, w.place == TMS_PLACE_SHARED ? 65536 / 32 : 0x1p31 / 32);
    } else if (i % 3 == 1) {
        w.app = TMS_APP_BANK;
        w.op = TMS_OP_QUERY;
        w.place = TMS_PLACE_SHARED;
        w.k = ks[(int)(4 * uniform(turn))];
        w.m_bits = ms[(int)(3 * uniform(turn))];
        w.n = (uint64_t)between(turn, 10000, 300000);
        w.D = 1 << 17;
        w.Q = 250000000;
    } else {
        w.app = TMS_APP_CLASSIFY;
        w.op = TMS_OP_QUERY;
        w.n = (uint64_t)between(turn, 1e6, 1e9);
        w.m_bits = (uint64_t)(21.5 * (double)w.n);
        w.D = 100000;
        w.length = 100;
    }
    return w;
}

/* The fastest shape of all, by measurement. */
static tms_workload measure_all(tms_context *ctx, const tms_profile *profile, const tms_workload *open, double *seconds)
{
    tms_workload best = *open, w = *open;
    *seconds = INFINITY;
    for (size_t t = 0; t < (open->app == TMS_APP_CLASSIFY ? 1 : sizeof all_threads / sizeof *all_threads); t++)
        for (size_t i = 0; i < sizeof all_waves / sizeof *all_waves; i++) {
            tms_prediction p;
            tms_measurement m;
            w.threads = open->app == TMS_APP_CLASSIFY ? 0 : all_threads[t];
            w.blocks = 0;
            if (tms_model_predict(ctx, profile, &w, TMS_FORM_EXTENDED, &p) != TMS_OK)
                continue;
            w.blocks = (uint32_t)(all_waves[i] * p.active_blocks * profile->machine.n_multiprocessors);
            if (tms_model_measure(ctx, &w, 3, &m) == TMS_OK && m.seconds < *seconds) {
                *seconds = m.seconds;
                best = w;
            }
        }
    return best;
}

/*
 * What there is without a model (TAMIS_TUNE=off): 1,024 threads and as many blocks as are active at once; of reads the product's 64 blocks
 * a multiprocessor; of the bank the product's own kernel, which holds several vectors.
 */
static double fixed_seconds(tms_context *ctx, const tms_profile *profile, const tms_workload *open)
{
    tms_workload w = *open;
    tms_measurement m;
    if (w.app == TMS_APP_CLASSIFY)
        w.blocks = SCAN_GPU_BLOCKS * profile->machine.n_multiprocessors;
    else if (w.app == TMS_APP_RANDOM)
        w.threads = 1024;
    return tms_model_measure(ctx, &w, REPEATS, &m) == TMS_OK ? m.seconds : NAN;
}

int bench_shapes(int argc, char **argv)
{
    tms_context *ctx;
    static tms_profile profile;
    uint32_t n_near = 0;
    uint64_t turn = 0;
    double begun = bench_now();
    (void)argc;
    (void)argv;
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    bench_must(ctx, tms_model_calibrate(ctx, 0, &profile, NULL, NULL));
    printf("# calibrated in %.1f s, reliable %d, spread %.3f\n", bench_now() - begun, profile.reliable, profile.spread);
    printf(
        "app\top\tplace\tk\tm_bits\tn\tbest_blocks\tbest_threads\tbest_seconds\tpicked_blocks\tpicked_threads\tpicked_seconds\tratio\tchoice_ms\tfixed_seconds\n");
    for (uint32_t i = 0; i < N_WORKLOADS; i++) {
        const tms_workload open = draw(i, &turn);
        tms_workload picked = open;
        tms_prediction p;
        tms_measurement m;
        double best_seconds;
        begun = bench_now();
        bench_must(ctx, model_best_shape(ctx, &profile, &picked, &p));
        const double choice = bench_now() - begun;
        const tms_workload best = measure_all(ctx, &profile, &open, &best_seconds);
        bench_must(ctx, tms_model_measure(ctx, &best, REPEATS, &m)); /* once more: it may have been luck */
        best_seconds = m.seconds;
        bench_must(ctx, tms_model_measure(ctx, &picked, REPEATS, &m));
        const double fixed = fixed_seconds(ctx, &profile, &open);
        n_near += m.seconds <= NEAR * best_seconds;
        printf("%s\t%s\t%s\t%u\t%llu\t%llu\t%u\t%u\t%.4e\t%u\t%u\t%.4e\t%.3f\t%.2f\t%.4e\n", tms_app_name(open.app), tms_op_name(open.op),
               open.place == TMS_PLACE_SHARED ? "shared" : "global", open.k, (unsigned long long)open.m_bits, (unsigned long long)open.n,
               best.blocks, best.threads, best_seconds, picked.blocks, picked.threads, m.seconds, m.seconds / best_seconds, 1e3 * choice,
               fixed);
        fflush(stdout);
    }
    printf("# %u of %u within 5 %% of the best\n", n_near, N_WORKLOADS);
    tms_context_destroy(ctx);
    return 0;
}
