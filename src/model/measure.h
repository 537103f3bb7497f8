/*
 * measure.h - runs a workload, for tms_model_measure().
 *
 * measure_cuda.cu and micro_cuda.cu run it on the context's GPU; measure_none.c replaces them in a build without CUDA.
 */
#ifndef TMS_MEASURE_H
#define TMS_MEASURE_H

#include "run/context.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MEASURE_MAX_REPEATS 32

/* The seconds of each repeat. */
struct measure_times {
    uint32_t n;
    double seconds[MEASURE_MAX_REPEATS];
};

/* A measurement repeats at least MEASURE_LEAST times, then until this many seconds have passed. */
#define MEASURE_SECONDS 0.01
#define MEASURE_LEAST   3
#define MEASURE_MOST    9

/* measure_go_on() - tests whether another repeat is due. n_repeats 0: as many as fit; above MEASURE_MAX_REPEATS: MEASURE_MAX_REPEATS. */
int measure_go_on(const struct measure_times *times, uint32_t n_repeats);

/* measure_read_field() - reads the value of the first line "key : value" of a file of /proc; "" if there is none. */
void measure_read_field(const char *path, const char *key, char *out, size_t size);

/*
 * measure_memory_left() - bytes free in the machine and in the control group and its ancestors, which kill a process that uses
 * more. UINT64_MAX if unknown.
 *   meminfo, groups, root [in] /proc/meminfo, /proc/self/cgroup, /sys/fs/cgroup, or substitutes for tests
 */
uint64_t measure_memory_left(const char *meminfo, const char *groups, const char *root);
uint64_t measure_memory_free(void); /* measure_memory_left() of the system's files */

/*
 * measure_check_memory() - returns TMS_E_MEMORY, with a message, if the bytes exceed the free memory: the operating system would grant them
 * and kill the process when it writes them. Returns TMS_OK if the free memory is unknown.
 */
tms_status measure_check_memory(tms_context *ctx, uint64_t bytes) TMS_CHECKED;

/* measure_cpu_seconds() - CPU time of all threads of the process until now. Takes 0.2 ms. */
double measure_cpu_seconds(void);

/* Stores median, lowest and highest time in a measurement. */
void measure_summary(const struct measure_times *times, tms_measurement *out);

/* The GPU's part of a machine's description, from the driver. Zero for a context without a GPU. */
tms_status measure_gpu_machine(tms_context *ctx, tms_machine *out);

/* Resources of a workload's kernel: registers per thread, shared memory per block, threads. 0 blocks: it does not run on the GPU. */
struct measure_kernel {
    uint32_t registers, threads, active_blocks;
    uint32_t unused;
    uint64_t shared_bytes;
};
tms_status measure_gpu_kernel(tms_context *ctx, const tms_workload *w, struct measure_kernel *out);

tms_status measure_gpu(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out);

/*
 * A table that several CPU workloads of random accesses share, because faulting in gigabytes takes seconds. Tables smaller
 * than MEASURE_OWN_BYTES have separate memory without huge pages, as filters of that size have.
 */
struct measure_table {
    uint64_t *words;
    uint64_t bytes; /* 0: no table */
};
#define MEASURE_OWN_BYTES ((uint64_t)4 << 20)

/* measure_table_create() - allocates the table; all processors fault its pages in. Returns TMS_OK, TMS_E_MEMORY or TMS_E_CANCELLED. */
tms_status measure_table_create(tms_context *ctx, uint64_t bytes, struct measure_table *out) TMS_CHECKED;
void measure_table_free(struct measure_table *table); /* accepts a zeroed table */

/* measure_on_table() - tms_model_measure(). table: NULL, or a table whose beginning random accesses use, if it is large enough. */
tms_status measure_on_table(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, const struct measure_table *table,
                            tms_measurement *out) TMS_CHECKED;
tms_status measure_cpu(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, const struct measure_table *table,
                       tms_measurement *out);

/*
 * measure_blastp() - measures query residues times subject residues per second of a search of random proteins, without its final
 * alignments: per CPU thread while all of the context's threads work, and of the context's GPU. A rate is 0 without a GPU or if memory is
 * insufficient. Returns TMS_OK; TMS_E_DEVICE; TMS_E_CANCELLED.
 */
tms_status measure_blastp(tms_context *ctx, double *cpu_cells, double *gpu_cells) TMS_CHECKED;

/* Measures the seconds of an empty kernel, and the bytes per second of pinned copies to the GPU and back. */
tms_status measure_gpu_overheads(tms_context *ctx, double *launch_seconds, double *copy_in, double *copy_out);

#ifdef __cplusplus
}
#endif
#endif
