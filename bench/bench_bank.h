/* bench_bank.h - what bench_bank.cu asks of bank_cpu.c. */
#ifndef TMS_BENCH_BANK_H
#define TMS_BENCH_BANK_H

#include "bank/bank.h"
#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds for testing the first *n words, at most `most`, against all sub-queries: so many that it takes a while.
 * Median. */
double bench_bank_cpu(tms_context *ctx, const struct bank *bank, const uint64_t *words, size_t most, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
