/* bench.h - shared by the benchmark's parts: timing, random keys, and one way to print a row. */
#ifndef TMS_BENCH_H
#define TMS_BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tamis/tamis.h"

#ifdef __cplusplus
extern "C" {
#endif

double bench_now(void); /* seconds */

/* Ends the program with the context's message unless status is TMS_OK. */
void bench_must(tms_context *ctx, tms_status status);

/* Huge pages, touched. Ends the program when there is no memory. */
void *bench_alloc(size_t size_bytes);
void bench_free(void *ptr, size_t size_bytes);

/* n random keys of size bytes; different sets for different seeds. */
void bench_random_keys(uint8_t *bytes, size_t n, size_t size, uint64_t seed);

/*
 * n random words of 4 to BENCH_WORD_MAX lower-case letters, one after the other; offsets has n + 1 entries.
 * Word i depends on seed and i alone.
 */
#define BENCH_WORD_MAX 20
void bench_random_words(uint8_t *bytes, uint32_t *offsets, size_t n, uint64_t seed);

/* `# cpu: ...`, `# gpu: ...`, `# date: ...`, `# commit: ...`, `# command: ...`, and the column names. */
void bench_header(int argc, char **argv);

/* One case. m_bits 0 and limit 0 where they do not apply. limit: keys per second that the hardware would allow. */
struct bench_row {
    const char *what;    /* "insert", "query missing", ... */
    const char *backend; /* "cpu avx512 x1", "cuda part-shared 64K", ... */
    size_t n;
    uint32_t k;
    uint64_t m_bits;
    double seconds;
    double bytes_per_key; /* moved by necessity: key in, answer out, sector */
    double limit;
    const char *note;
};
void bench_print(const struct bench_row *row);

/* Median of `values` (sorted in place). */
double bench_median(double *values, int n);

/* Each returns the exit code. */
int bench_cpu(int argc, char **argv);
int bench_gpu(int argc, char **argv);
int bench_host(int argc, char **argv);
int bench_classic(int argc, char **argv);
int bench_ong(int argc, char **argv);
int bench_keys(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
