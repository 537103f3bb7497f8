/*
 * context.h - the inside of a context: what every call works with.
 */
#ifndef TMS_RUN_CONTEXT_H
#define TMS_RUN_CONTEXT_H

#include "base/base.h"
#include "run/tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gpu;  /* device/gpu.h */
struct pool; /* run/pool.h */

struct tms_context {
    int n_threads; /* 1 or more */
    int cancelled; /* 1: tms_context_cancel() was called; atomic */
    struct pool *pool;
    tms_simd simd;
    size_t batch_keys; /* keys or w-mers in one copy to the GPU; 0: the default */
    struct gpu *gpu;   /* NULL on the CPU */
    void *scratch;     /* see context_scratch() */
    size_t scratch_bytes;
    struct tuning tuning;
    struct fault fault;
};

/* Write the message and return the status: `return context_fail(ctx, TMS_E_ARG, "...", ...)`. */
tms_status context_fail(tms_context *ctx, tms_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns TMS_E_ARG: the caller's struct sets a field that this library does not know. type: the struct's name. */
tms_status context_fail_newer(tms_context *ctx, const char *type);

/* Writes that there is no memory, with its purpose and size, and returns TMS_E_MEMORY. */
tms_status context_fail_memory(tms_context *ctx, const char *what, uint64_t size_bytes);

/* context_processors() - processors that this process may use. */
int context_processors(void);

/* Runs work on the context's threads as tms_context_run() does, for the ranges 0 .. grain - 1, grain .. 2 * grain - 1, ... of n_items. */
typedef void range_work(void *arg, size_t first, size_t end);
tms_status context_run_ranges(tms_context *ctx, size_t n_items, size_t grain, range_work *work, void *arg) TMS_CHECKED;

/* Returns TMS_OK, or TMS_E_CANCELLED with its message: for loops that do not run on the pool. */
tms_status context_check_cancelled(tms_context *ctx) TMS_CHECKED;

/*
 * context_scratch() - host memory for the duration of one call, kept for the next one: fresh pages for every batch would cost more than
 * the batch itself. Contents are undefined; aligned to a page. NULL if there is no memory.
 */
void *context_scratch(tms_context *ctx, size_t size_bytes);

#ifdef __cplusplus
}
#endif
#endif
