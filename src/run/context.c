/* context.c - contexts: creation, settings, messages. */
#include "run/context.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/extensible.h"
#include "device/gpu.h"
#include "run/pool.h"

#define MAX_THREADS 1024

tms_status context_fail(tms_context *ctx, tms_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fault_set_list(&ctx->fault, status, format, args);
    va_end(args);
    return status;
}

tms_status context_fail_newer(tms_context *ctx, const char *type)
{
    return context_fail(ctx, TMS_E_ARG, "the program sets a field of %s that libtamis %s does not have: it was compiled for a newer one",
                        type, TMS_VERSION);
}

tms_status context_fail_memory(tms_context *ctx, const char *what, uint64_t size_bytes)
{
    return fault_set_memory(&ctx->fault, what, size_bytes);
}

static tms_simd simd_from_environment(tms_simd best)
{
    const char *wish = getenv("TAMIS_SIMD");
    if (!wish)
        return best;
    for (int level = TMS_SIMD_SCALAR; level < (int)best; level++)
        if (strcmp(wish, tms_simd_name((tms_simd)level)) == 0)
            return (tms_simd)level;
    return best;
}

int context_processors(void)
{
    cpu_set_t set;
    long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (int)n;
}

/* Threads by default: OMP_NUM_THREADS, which pipelines set; of a list the first number counts. Else all processors. */
static int default_threads(void)
{
    const char *wish = getenv("OMP_NUM_THREADS");
    long n = wish ? strtol(wish, NULL, 10) : 0;
    return n >= 1 && n <= MAX_THREADS ? (int)n : context_processors();
}

tms_status tms_context_create(tms_context **out)
{
    tms_context *ctx = calloc(1, sizeof *ctx);
    *out = ctx;
    if (ctx && !(ctx->pool = pool_create())) {
        free(ctx);
        *out = ctx = NULL;
    }
    if (!ctx)
        return TMS_E_MEMORY;
    ctx->n_threads = default_threads();
    ctx->simd = simd_from_environment(cpu_best_simd());
    return TMS_OK;
}

void tms_context_destroy(tms_context *ctx)
{
    if (!ctx)
        return;
    gpu_close(ctx->gpu);
    pool_destroy(ctx->pool);
    memory_free_sparse(ctx->scratch, ctx->scratch_bytes);
    free(ctx);
}

void *context_scratch(tms_context *ctx, size_t size_bytes)
{
    if (size_bytes > ctx->scratch_bytes) {
        memory_free_sparse(ctx->scratch, ctx->scratch_bytes);
        ctx->scratch = memory_alloc_sparse(size_bytes);
        ctx->scratch_bytes = ctx->scratch ? size_bytes : 0;
    }
    return ctx->scratch;
}

const char *tms_context_message(const tms_context *ctx) { return ctx->fault.message; }

tms_status tms_context_set_threads(tms_context *ctx, int n_threads)
{
    if (n_threads < 0 || n_threads > MAX_THREADS)
        return context_fail(ctx, TMS_E_ARG, "%d threads: give 1 to %d, or 0 for all", n_threads, MAX_THREADS);
    ctx->n_threads = n_threads ? n_threads : context_processors();
    return TMS_OK;
}

int tms_context_start_threads(tms_context *ctx) { return pool_start(ctx->pool, ctx->n_threads); }

void tms_context_cancel(tms_context *ctx) { __atomic_store_n(&ctx->cancelled, 1, __ATOMIC_RELAXED); }

void tms_context_resume(tms_context *ctx) { __atomic_store_n(&ctx->cancelled, 0, __ATOMIC_RELAXED); }

tms_status context_check_cancelled(tms_context *ctx)
{
    return __atomic_load_n(&ctx->cancelled, __ATOMIC_RELAXED) ? fault_set_cancelled(&ctx->fault) : TMS_OK;
}

tms_status tms_context_run(tms_context *ctx, size_t n_tasks, void (*work)(void *arg, size_t task, int thread), void *arg)
{
    return pool_run(ctx->pool, ctx->n_threads, n_tasks, work, arg, &ctx->cancelled) ? TMS_OK : fault_set_cancelled(&ctx->fault);
}

struct ranges {
    size_t n_items, grain;
    range_work *work;
    void *arg;
};

static void do_range(void *arg, size_t task, int thread)
{
    const struct ranges *ranges = arg;
    size_t first = task * ranges->grain, left = ranges->n_items - first;
    (void)thread;
    ranges->work(ranges->arg, first, first + (left < ranges->grain ? left : ranges->grain));
}

tms_status context_run_ranges(tms_context *ctx, size_t n_items, size_t grain, range_work *work, void *arg)
{
    struct ranges ranges = {n_items, grain, work, arg};
    return tms_context_run(ctx, n_items / grain + (n_items % grain != 0), do_range, &ranges);
}

tms_status tms_context_set_simd(tms_context *ctx, tms_simd level)
{
    if (level > cpu_best_simd())
        return context_fail(ctx, TMS_E_ARG, "this processor does not have %s", tms_simd_name(level));
    ctx->simd = level;
    return TMS_OK;
}

tms_status tms_context_set_device(tms_context *ctx, int device)
{
    if (device < TMS_DEVICE_AUTO)
        return context_fail(ctx, TMS_E_ARG, "device %d: give -1 for the CPU, -2 for auto, or a CUDA index", device);
    if (ctx->gpu && gpu_index(ctx->gpu) == device)
        return TMS_OK;
    gpu_close(ctx->gpu);
    ctx->gpu = NULL;
    if (device == TMS_DEVICE_CPU)
        return TMS_OK;
    if (device != TMS_DEVICE_AUTO)
        return gpu_open(&ctx->fault, &ctx->cancelled, device, &ctx->gpu);
    tms_gpu_report report;
    gpu_probe(&report);
    for (int i = 0; i < report.n_gpus && !ctx->gpu; i++)
        if (report.gpus[i].usable && gpu_open(&ctx->fault, &ctx->cancelled, i, &ctx->gpu) != TMS_OK)
            ctx->gpu = NULL;
    return TMS_OK;
}

void tms_context_set_batch(tms_context *ctx, size_t n_keys) { ctx->batch_keys = n_keys; }

int tms_context_threads(const tms_context *ctx) { return ctx->n_threads; }
tms_simd tms_context_simd(const tms_context *ctx) { return ctx->simd; }
int tms_context_device(const tms_context *ctx) { return ctx->gpu ? gpu_index(ctx->gpu) : TMS_DEVICE_CPU; }
void *tms_context_stream(const tms_context *ctx) { return ctx->gpu ? gpu_stream(ctx->gpu) : NULL; }

tms_status tms_context_wait(tms_context *ctx) { return ctx->gpu ? gpu_wait(ctx->gpu) : TMS_OK; }

/* In front of memory from tms_host_alloc(): how to free it, on whatever device the context is by then. */
#define HOST_HEADER_BYTES 64

struct host_header {
    int is_pinned;
};

tms_status tms_host_alloc(tms_context *ctx, size_t size_bytes, void **out)
{
    void *base = NULL;
    size_t total;
    tms_status status = TMS_OK;
    *out = NULL;
    if (__builtin_add_overflow(size_bytes, HOST_HEADER_BYTES, &total))
        return context_fail_memory(ctx, "a batch", size_bytes);
    if (ctx->gpu)
        status = gpu_host_alloc(ctx->gpu, total, &base);
    else if (posix_memalign(&base, 64, total) != 0)
        status = context_fail_memory(ctx, "a batch", size_bytes);
    if (status != TMS_OK)
        return status;
    ((struct host_header *)base)->is_pinned = ctx->gpu != NULL;
    *out = (uint8_t *)base + HOST_HEADER_BYTES;
    return TMS_OK;
}

void tms_host_free(tms_context *ctx, void *ptr)
{
    (void)ctx;
    if (!ptr)
        return;
    struct host_header *header = (struct host_header *)(void *)((uint8_t *)ptr - HOST_HEADER_BYTES);
    if (header->is_pinned)
        gpu_host_free(header);
    else
        free(header);
}

const char *tms_simd_name(tms_simd level)
{
    static const char *const names[] = {"scalar", "avx2", "avx512"};
    return (unsigned)level < 3 ? names[level] : "?";
}

void tms_gpu_probe_sized(tms_gpu_report *out, size_t out_size)
{
    tms_gpu_report report;
    gpu_probe(&report);
    struct_out(out, out_size, &report, sizeof report);
}

const char *tms_status_name(tms_status status)
{
    static const char *const names[] = {"TMS_OK",       "TMS_E_ARG",    "TMS_E_FORMAT",    "TMS_E_MISMATCH",
                                        "TMS_E_DEVICE", "TMS_E_MEMORY", "TMS_E_CANCELLED", "TMS_E_FILE"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "?";
}

const char *tms_version(void) { return TMS_VERSION; }
