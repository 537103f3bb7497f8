/*
 * base.h - what every room of the library uses: the context's inside, failing with a message, memory, sizes.
 */
#ifndef TMS_BASE_H
#define TMS_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tamis/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gpu; /* device/gpu.h */

struct tms_context {
    int n_threads;      /* 1 or more */
    tms_simd simd;
    size_t batch_keys;  /* keys a copy to the GPU, or w-mers; 0 = default */
    struct gpu *gpu;    /* NULL on the CPU */
    void *scratch;      /* see context_scratch() */
    size_t scratch_bytes;
    char message[512];
};

/* Write the message and return the status: `return context_fail(ctx, TMS_E_ARG, "...", ...)`. */
tms_status context_fail(tms_context *ctx, tms_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* number_text() - a number for a message: the fewest digits that read back as the same value. Returns text. */
#define NUMBER_TEXT_SIZE 32
const char *number_text(double value, char text[NUMBER_TEXT_SIZE]);

/* Out of memory, with what and how much. */
tms_status context_fail_memory(tms_context *ctx, const char *what, uint64_t size_bytes);

/*
 * context_scratch() - host memory for the duration of one call, kept for the next: fresh pages for every batch would cost more than
 * the batch. Contents are undefined; aligned to a page. NULL when there is none.
 */
void *context_scratch(tms_context *ctx, size_t size_bytes);

/*
 * memory_alloc_zeroed() - zeroed memory aligned to 64 bytes, for arrays of any size; large ones on huge pages, because a
 * random access to a filter otherwise costs a TLB miss as well. NULL when there is none.
 */
void *memory_alloc_zeroed(size_t size_bytes);
void memory_free(void *ptr, size_t size_bytes);

/* memory_alloc_sparse() - the same on small pages, for large arrays of which only parts are touched. */
void *memory_alloc_sparse(size_t size_bytes);
void memory_free_sparse(void *ptr, size_t size_bytes);

/* cpu_best_simd() - the best level that this processor, the operating system and this build support. */
tms_simd cpu_best_simd(void);

static inline bool size_mul_overflows(size_t a, size_t b, size_t *out) { return __builtin_mul_overflow(a, b, out); }

#ifdef __cplusplus
}
#endif
#endif
