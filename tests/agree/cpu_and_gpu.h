/* cpu_and_gpu.h - a context on the CPU and one on the first GPU, if there is one, for all tests of a program. After unit/samples.h. */
#ifndef TAMIS_TESTS_CPU_AND_GPU_H
#define TAMIS_TESTS_CPU_AND_GPU_H

#include "agree/gpu_needed.h"

static tms_context *cpu_ctx, *gpu_ctx;

static int setup(void **state)
{
    (void)state;
    sample_seed();
    if (tms_context_create(&cpu_ctx) != TMS_OK || tms_context_create(&gpu_ctx) != TMS_OK)
        return -1;
    if (tms_context_set_device(gpu_ctx, 0) != TMS_OK)
        print_message("no GPU: %s\n", tms_context_message(gpu_ctx));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(cpu_ctx);
    tms_context_destroy(gpu_ctx);
    return 0;
}

#endif
