/*
 * measure.h - a workload, run: what tms_model_measure() is made of.
 *
 * measure_cuda.cu and micro_cuda.cu run it on the context's GPU; measure_none.c stands in their place in a build without CUDA.
 */
#ifndef TMS_MEASURE_H
#define TMS_MEASURE_H

#include "run/context.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MEASURE_MAX_REPEATS 32

/* Seconds of each repeat. */
struct measure_times {
    uint32_t n;
    double seconds[MEASURE_MAX_REPEATS];
};

/* What one measurement does before it ends: repeats until so many seconds are over, from MEASURE_LEAST on. */
#define MEASURE_SECONDS 0.01
#define MEASURE_LEAST   3
#define MEASURE_MOST    9

/* measure_go_on() - is another repeat due? n_repeats 0: as many as fit; above MEASURE_MAX_REPEATS: that many. */
int measure_go_on(const struct measure_times *times, uint32_t n_repeats);

/* measure_read_field() - the value of the first line "key : value" of a file of /proc; "" where there is none. */
void measure_read_field(const char *path, const char *key, char *out, size_t size);

/*
 * measure_memory_left() - bytes that are free: of the machine, and of the control group and those above it, which end a process that takes
 * more. UINT64_MAX where nothing says so.
 *   meminfo, groups, root [in] /proc/meminfo, /proc/self/cgroup, /sys/fs/cgroup, or files like them
 */
uint64_t measure_memory_left(const char *meminfo, const char *groups, const char *root);
uint64_t measure_memory_free(void); /* by the system's */

/*
 * measure_check_memory() - TMS_E_MEMORY with what is free, if so many bytes are more than that: the operating system would give them, and
 * end the process when they are written. TMS_OK where it does not say.
 */
tms_status measure_check_memory(tms_context *ctx, uint64_t bytes) TMS_CHECKED;

/* Median, lowest and highest into a measurement. */
void measure_summary(const struct measure_times *times, tms_measurement *out);

/* The half of a machine that the driver knows. Zero on a context without a GPU. */
tms_status measure_gpu_machine(tms_context *ctx, tms_machine *out);

/* What one workload's kernel takes: registers a thread, shared memory a block, beside threads. 0 blocks: it is not on the GPU. */
struct measure_kernel {
    uint32_t registers, threads, active_blocks;
    uint32_t unused;
    uint64_t shared_bytes;
};
tms_status measure_gpu_kernel(tms_context *ctx, const tms_workload *w, struct measure_kernel *out);

tms_status measure_gpu(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out);

/*
 * A table that random accesses on the CPU of several workloads have in common: to bring in the pages of gigabytes takes seconds. Smaller
 * tables than MEASURE_OWN_BYTES have memory of their own all the same, as filters of that size have: not on huge pages.
 */
struct measure_table {
    uint64_t *words;
    uint64_t bytes; /* 0: there is none */
};
#define MEASURE_OWN_BYTES ((uint64_t)4 << 20)

/* measure_table_create() - of so many bytes; all processors bring the pages in. TMS_E_MEMORY, TMS_E_CANCELLED. */
tms_status measure_table_create(tms_context *ctx, uint64_t bytes, struct measure_table *out) TMS_CHECKED;
void measure_table_free(struct measure_table *table); /* zeroed is fine */

/* measure_on_table() - tms_model_measure(). table: NULL, or one that random accesses use the beginning of, if it is large enough. */
tms_status measure_on_table(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, const struct measure_table *table,
                            tms_measurement *out) TMS_CHECKED;
tms_status measure_cpu(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, const struct measure_table *table,
                       tms_measurement *out);

/*
 * measure_blastp() - letters of queries times letters of subjects a second of a search, without its last alignments: by a thread of the
 * CPU where all of the context's work, and by the context's GPU, or 0. Random proteins. 0 also where there is no memory for that.
 * is_quick: a fourth of the subjects.
 * Returns TMS_OK; TMS_E_DEVICE; TMS_E_CANCELLED.
 */
tms_status measure_blastp(tms_context *ctx, int is_quick, double *cpu_cells, double *gpu_cells) TMS_CHECKED;

/* Seconds of an empty kernel, and bytes a second of pinned copies to the GPU and back. */
tms_status measure_gpu_overheads(tms_context *ctx, double *launch_seconds, double *copy_in, double *copy_out);

#ifdef __cplusplus
}
#endif
#endif
