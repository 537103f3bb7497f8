/* calibration.h - the workloads that a machine is measured with, and what follows from their times. */
#ifndef TMS_CALIBRATION_H
#define TMS_CALIBRATION_H

#include "run/context.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum calibration_group {
    CALIBRATE_CAPACITY,    /* random accesses by all multiprocessors, over the table's size */
    CALIBRATE_LATENCY,     /* by few warps on few multiprocessors */
    CALIBRATE_PEAK,        /* by few multiprocessors, each full */
    CALIBRATE_WARPS,       /* over the warps of a multiprocessor, and how many of them work */
    CALIBRATE_SHARED,      /* the same in shared memory */
    CALIBRATE_BANK,        /* over k, by all multiprocessors, each full */
    CALIBRATE_BANK_WARP,   /* over k, by one warp */
    CALIBRATE_BANK_SHAPES, /* over threads */
    CALIBRATE_BANK_STAGE,  /* w-mers are few, so that bringing vectors to shared memory is what takes time */
    CALIBRATE_BANK_ROWS,   /* interleaved, over the bank's size */
    CALIBRATE_READS,       /* over the filter's size */
    CALIBRATE_READS_FEW,   /* the same by one block on each of few multiprocessors */
    CALIBRATE_READS_BLOCKS,
    CALIBRATE_STRINGS,     /* enum calibration_strings times sizes */
    CALIBRATE_LENGTHS,     /* the same for one size and long strings */
    CALIBRATE_STRINGS_FEW, /* so few that each waits for its own accesses, over the filter's size */
    CALIBRATE_CPU,         /* random accesses over the table's size, by one thread and by all */
    CALIBRATE_CPU_THREADS, /* by numbers of threads between these */
    CALIBRATE_CPU_STRINGS, /* enum calibration_cpu_strings times sizes, by one thread and by all */
    CALIBRATE_CPU_LENGTHS, /* long strings, by one thread */
    CALIBRATION_GROUPS
};

/* What is measured of filters of strings, over their size. */
enum calibration_strings {
    STRINGS_PRESENT_1, /* one function; a thread a string */
    STRINGS_PRESENT_32,
    STRINGS_QUERY_10,
    STRINGS_BUILD_1,
    STRINGS_BUILD_32,
    STRINGS_BUILD_100,
    STRINGS_WARP_QUERY_8, /* a warp a string */
    STRINGS_WARP_PRESENT_128,
    STRINGS_WARP_BUILD_8,
    STRINGS_WARP_BUILD_128,
    STRINGS_BLOCKED_QUERY,
    STRINGS_BLOCKED_BUILD,
    CALIBRATION_STRINGS
};

/* The same on the CPU. */
enum calibration_cpu_strings {
    CPU_STRINGS_PRESENT_1,
    CPU_STRINGS_PRESENT_32,
    CPU_STRINGS_QUERY_8, /* half full: two bits are looked at */
    CPU_STRINGS_BUILD_1,
    CPU_STRINGS_BUILD_32,
    CPU_STRINGS_BLOCKED_QUERY,
    CPU_STRINGS_BLOCKED_BUILD,
    CALIBRATION_CPU_STRINGS
};

#define CALIBRATION_LEVELS       3 /* tables in the first level of cache, in the second, in memory */
#define CALIBRATION_LENGTH       8 /* bytes of a string */
#define CALIBRATION_LONG         40
#define CALIBRATION_BANK_WORDS   30000 /* n */
#define CALIBRATION_BANK_BITS    ((uint64_t)96 << 10)
#define CALIBRATION_FULL_WARPS   32 /* of CALIBRATE_PEAK, and of CALIBRATE_SHARED: a full multiprocessor */
#define CALIBRATION_STRING_SIZES 16
#define CALIBRATION_CPU_SIZES    12
#define CALIBRATION_CPU_LENGTH   16 /* bytes of a string */
#define CALIBRATION_CPU_LONG     96
#define CALIBRATION_CPU_BYTES    ((uint64_t)8 << 30) /* the largest table */
#define CALIBRATION_QUICK_BYTES  ((uint64_t)256 << 20)
extern const uint64_t calibration_level_bits[CALIBRATION_LEVELS];

/* calibration_workload() - workload i of a group; 0 from the last one on. */
int calibration_workload(enum calibration_group group, size_t i, const tms_machine *machine, tms_workload *out);

/* calibration_is_quick() - is it among those of a quick calibration? Of the CPU's sizes every second one; of a GPU all. */
int calibration_is_quick(enum calibration_group group, size_t i);

/* About how many seconds it takes, with its repeats and what is made for it, where each thread has a processor. */
double calibration_seconds(const tms_workload *w);
#define CALIBRATION_A_BYTE 0.6e-9 /* of the common table */
#define CALIBRATION_BLASTP 3.0

/* calibration_table_bytes() - the largest table of the CPU's curves. max_bytes 0: a part of what is free. */
uint64_t calibration_table_bytes(uint64_t max_bytes, uint64_t free_bytes, int is_quick);

/* calibration_spread() - by how much repeats differ, but for the 3 in 100 that differ most. Sorts. */
double calibration_spread(double *spreads, size_t n);

const char *calibration_group_name(enum calibration_group group);

/* Multiprocessors that work where the rest of the chip is to be idle. */
static inline uint32_t calibration_few(const tms_machine *machine)
{
    return machine->n_multiprocessors >= 32 ? machine->n_multiprocessors / 16 : 1;
}

/* One of these, measured. */
struct calibration_row {
    enum calibration_group group;
    uint32_t index;
    tms_workload w;
    tms_measurement m;
};

/* calibration_fit() - what follows for the profile, whose machine is there. Rows may be of some groups only. */
void calibration_fit(const struct calibration_row *rows, size_t n, tms_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
