/*
 * workers.h - the contexts that have to agree: each SIMD level of this CPU with one thread, two and more; a GPU, if there is one, with
 * batches of several sizes. The oracle is one thread on the scalar level. After unit/samples.h.
 *
 * Environment: TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to small sizes (for compute-sanitizer).
 */
#ifndef TAMIS_TESTS_WORKERS_H
#define TAMIS_TESTS_WORKERS_H

#include "agree/gpu_needed.h"

typedef struct worker {
    tms_context *ctx;
    size_t batch; /* of a GPU: what goes through it at once; 0: as much as it likes */
    char name[48];
} worker;

#define MAX_WORKERS 32
static worker cpu_workers[MAX_WORKERS], gpu_workers[MAX_WORKERS];
static size_t n_cpu_workers, n_gpu_workers;
static tms_context *oracle_ctx;
static int quick;

/* NULL: this CPU does not have that level. */
static tms_context *cpu_context(tms_simd level, int n_threads)
{
    tms_context *ctx;
    assert_int_equal(tms_context_create(&ctx), TMS_OK);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
    if (tms_context_set_simd(ctx, level) == TMS_OK)
        return ctx;
    tms_context_destroy(ctx);
    return NULL;
}

static void make_cpu_workers(int most_threads)
{
    const int threads[] = {1, 2, most_threads};
    for (int level = TMS_SIMD_SCALAR; level <= TMS_SIMD_AVX512; level++)
        for (size_t t = SAMPLES_TSAN; t < (quick ? 2 : sizeof threads / sizeof *threads); t++) { /* one thread has no races */
            tms_context *ctx = level || t ? cpu_context((tms_simd)level, threads[t]) : NULL;
            if (!ctx)
                continue;
            worker *w = &cpu_workers[n_cpu_workers++];
            w->ctx = ctx;
            snprintf(w->name, sizeof w->name, "%s, %d threads", tms_simd_name((tms_simd)level), threads[t]);
        }
}

static void make_gpu_workers(const size_t *batches, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        tms_context *ctx;
        assert_int_equal(tms_context_create(&ctx), TMS_OK);
        if (tms_context_set_device(ctx, 0) != TMS_OK) {
            print_message("no GPU: %s\n", tms_context_message(ctx));
            tms_context_destroy(ctx);
            return;
        }
        tms_context_set_batch(ctx, batches[i]);
        worker *w = &gpu_workers[n_gpu_workers++];
        w->ctx = ctx;
        w->batch = batches[i];
        snprintf(w->name, sizeof w->name, "GPU, batches of %zu", batches[i]);
    }
}

static void make_workers(int most_threads, const size_t *batches, size_t n)
{
    quick = sample_is_quick();
    oracle_ctx = cpu_context(TMS_SIMD_SCALAR, 1);
    make_cpu_workers(most_threads);
    make_gpu_workers(batches, n);
    sample_seed();
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_cpu_workers; i++)
        tms_context_destroy(cpu_workers[i].ctx);
    for (size_t i = 0; i < n_gpu_workers; i++)
        tms_context_destroy(gpu_workers[i].ctx);
    tms_context_destroy(oracle_ctx);
    return 0;
}

static void need_gpu(int on_gpu)
{
    if (on_gpu)
        gpu_needed(n_gpu_workers > 0 ? gpu_workers : NULL);
}

#endif
