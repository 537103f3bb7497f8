/*
 * base.h - what every room of the library uses: errors with a message, memory, sizes, CPU features.
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

/* The sentence that a failing call leaves. A context has one, and its GPU writes into the same. */
struct fault {
    char message[512];
};

/* Write the message and return the status. */
tms_status fault_set(struct fault *fault, tms_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
tms_status fault_set_list(struct fault *fault, tms_status status, const char *format, va_list args);

/* number_text() - a number for a message: the fewest digits that read back as the same value. Returns text. */
#define NUMBER_TEXT_SIZE 32
const char *number_text(double value, char text[NUMBER_TEXT_SIZE]);

/* Writes that there is no memory, with its purpose and size, and returns TMS_E_MEMORY. */
tms_status fault_set_memory(struct fault *fault, const char *what, uint64_t size_bytes);

/* Writes that the caller has cancelled the call, and returns TMS_E_CANCELLED. */
tms_status fault_set_cancelled(struct fault *fault);

/*
 * memory_alloc_zeroed() - zeroed memory, aligned to 64 bytes, for arrays of any size. Large arrays are on huge pages, because a random
 * access to a filter otherwise costs a TLB miss as well. NULL if there is no memory.
 */
void *memory_alloc_zeroed(size_t size_bytes);
void memory_free(void *ptr, size_t size_bytes);

/*
 * memory_alloc_sparse() - zeroed memory on small pages, aligned to 64 bytes, for large arrays that are touched only in parts. NULL if
 * there is no memory.
 */
void *memory_alloc_sparse(size_t size_bytes);
void memory_free_sparse(void *ptr, size_t size_bytes);

/* cpu_best_simd() - the best level that this processor, the operating system and this build support. */
tms_simd cpu_best_simd(void);

static inline bool size_mul_overflows(size_t a, size_t b, size_t *out) { return __builtin_mul_overflow(a, b, out); }

#ifdef __cplusplus
}
#endif
#endif
