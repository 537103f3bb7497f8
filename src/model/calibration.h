/* calibration.h - the workloads of a machine's calibration, and the fit of a profile to their times. */
#ifndef TMS_CALIBRATION_H
#define TMS_CALIBRATION_H

#include "run/context.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum calibration_group {
    CALIBRATE_CAPACITY,    /* random accesses by all multiprocessors, over the table's size */
    CALIBRATE_LATENCY,     /* random accesses by few warps on few multiprocessors */
    CALIBRATE_PEAK,        /* random accesses by few multiprocessors, each full */
    CALIBRATE_WARPS,       /* random accesses over the warps of a multiprocessor and the number of multiprocessors */
    CALIBRATE_SHARED,      /* random accesses in shared memory, over warps */
    CALIBRATE_BANK,        /* the bank over k, by all multiprocessors, each full */
    CALIBRATE_BANK_WARP,   /* the bank over k, by one warp */
    CALIBRATE_BANK_SHAPES, /* the bank over threads per block */
    CALIBRATE_BANK_STAGE,  /* the bank with few w-mers, so that copying vectors to shared memory dominates */
    CALIBRATE_BANK_ROWS,   /* the interleaved bank over its size */
    CALIBRATE_READS,       /* reads over the filter's size, by all multiprocessors */
    CALIBRATE_READS_FEW,   /* reads over the filter's size, by one block on each of few multiprocessors */
    CALIBRATE_READS_BLOCKS,
    CALIBRATE_STRINGS,     /* enum calibration_strings times sizes */
    CALIBRATE_LENGTHS,     /* enum calibration_strings for one size and long strings */
    CALIBRATE_STRINGS_FEW, /* few strings, each limited by its own latency, over the filter's size */
    CALIBRATE_CPU,         /* random accesses over the table's size, by one thread and by all */
    CALIBRATE_CPU_THREADS, /* random accesses by numbers of threads between one and all */
    CALIBRATE_CPU_STRINGS, /* enum calibration_cpu_strings times sizes, by one thread and by all */
    CALIBRATE_CPU_LENGTHS, /* long strings, by one thread */
    CALIBRATION_GROUPS
};

/* Workloads on filters of strings, measured over the filter's size. */
enum calibration_strings {
    STRINGS_PRESENT_1, /* one function; a thread per string */
    STRINGS_PRESENT_32,
    STRINGS_QUERY_10,
    STRINGS_BUILD_1,
    STRINGS_BUILD_32,
    STRINGS_BUILD_100,
    STRINGS_WARP_QUERY_8, /* eight functions; a warp per string */
    STRINGS_WARP_PRESENT_128,
    STRINGS_WARP_BUILD_8,
    STRINGS_WARP_BUILD_128,
    STRINGS_BLOCKED_QUERY,
    STRINGS_BLOCKED_BUILD,
    CALIBRATION_STRINGS
};

/* Workloads on filters of strings on the CPU. */
enum calibration_cpu_strings {
    CPU_STRINGS_PRESENT_1,
    CPU_STRINGS_PRESENT_32,
    CPU_STRINGS_QUERY_8, /* half full, so a query reads two bits on average */
    CPU_STRINGS_BUILD_1,
    CPU_STRINGS_BUILD_32,
    CPU_STRINGS_BLOCKED_QUERY,
    CPU_STRINGS_BLOCKED_BUILD,
    CALIBRATION_CPU_STRINGS
};

#define CALIBRATION_LEVELS       3 /* tables in L1, in L2, in memory */
#define CALIBRATION_LENGTH       8 /* bytes of a string */
#define CALIBRATION_LONG         40
#define CALIBRATION_BANK_WORDS   30000 /* n */
#define CALIBRATION_BANK_BITS    ((uint64_t)96 << 10)
#define CALIBRATION_FULL_WARPS   32 /* warps of a full multiprocessor in CALIBRATE_PEAK and CALIBRATE_SHARED */
#define CALIBRATION_STRING_SIZES 16
#define CALIBRATION_CPU_SIZES    12
#define CALIBRATION_CPU_LENGTH   16 /* bytes of a string */
#define CALIBRATION_CPU_LONG     96
#define CALIBRATION_CPU_BYTES    ((uint64_t)8 << 30) /* the largest table */
#define CALIBRATION_QUICK_BYTES  ((uint64_t)256 << 20)
extern const uint64_t calibration_level_bits[CALIBRATION_LEVELS];

/* calibration_workload() - writes workload i of a group; returns 0 beyond the last. */
int calibration_workload(enum calibration_group group, size_t i, const tms_machine *machine, tms_workload *out);

/* calibration_is_quick() - tests whether a quick calibration includes the workload: every second size of the CPU's, all of a GPU's. */
int calibration_is_quick(enum calibration_group group, size_t i);

/* Approximate seconds of a workload with its repeats and preparation, if each thread has a processor. */
double calibration_seconds(const tms_workload *w);
#define CALIBRATION_A_BYTE 0.6e-9 /* seconds per byte to create the common table */
#define CALIBRATION_BLASTP 3.0

/* calibration_table_bytes() - size of the largest table of the CPU's curves. max_bytes 0: a share of the free memory. */
uint64_t calibration_table_bytes(uint64_t max_bytes, uint64_t free_bytes, int is_quick);

/* calibration_spread() - the spread of repeats that 97 % of the measurements do not exceed. Sorts its input. */
double calibration_spread(double *spreads, size_t n);

const char *calibration_group_name(enum calibration_group group);

/* Number of working multiprocessors in workloads that leave the rest of the chip idle. */
static inline uint32_t calibration_few(const tms_machine *machine)
{
    return machine->n_multiprocessors >= 32 ? machine->n_multiprocessors / 16 : 1;
}

/* A measured workload. */
struct calibration_row {
    enum calibration_group group;
    uint32_t index;
    tms_workload w;
    tms_measurement m;
};

/* calibration_fit() - fits a profile, whose machine is set, to the rows. Some groups may be missing. */
void calibration_fit(const struct calibration_row *rows, size_t n, tms_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
