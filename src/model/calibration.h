/* calibration.h - the workloads that a machine is measured with, and what follows from their times. */
#ifndef TMS_CALIBRATION_H
#define TMS_CALIBRATION_H

#include "run/context.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum calibration_group {
    CALIBRATE_CAPACITY, /* random accesses by all multiprocessors, over the table's size */
    CALIBRATE_LATENCY,  /* by few warps on few multiprocessors */
    CALIBRATE_PEAK,     /* by few multiprocessors, each full */
    CALIBRATE_WARPS,    /* over the warps of a multiprocessor */
    CALIBRATE_SHARED,   /* the same in shared memory */
    CALIBRATE_BANK,
    CALIBRATE_CLASSIFY,
    CALIBRATE_STRINGS,
    CALIBRATE_CPU,
    CALIBRATION_GROUPS
};

/* calibration_workload() - workload i of a group; 0 from the last one on. */
int calibration_workload(enum calibration_group group, size_t i, const tms_machine *machine, tms_workload *out);
const char *calibration_group_name(enum calibration_group group);

/* Multiprocessors that work where the rest of the chip is to be idle. */
static inline uint32_t calibration_few(const tms_machine *machine)
{
    return machine->n_multiprocessors >= 32 ? machine->n_multiprocessors / 16 : 1;
}

#ifdef __cplusplus
}
#endif
#endif
