/* measure.c - the device-independent part of running workloads. */
#include "model/measure.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/workload.h"

tms_status tms_model_measure(tms_context *ctx, const tms_workload *workload, uint32_t n_repeats, tms_measurement *out)
{
    return measure_on_table(ctx, workload, n_repeats, NULL, out);
}

tms_status measure_on_table(tms_context *ctx, const tms_workload *workload, uint32_t n_repeats, const struct measure_table *table,
                            tms_measurement *out)
{
    tms_status status = workload_check(ctx, workload);
    if (status == TMS_OK)
        status = context_check_cancelled(ctx);
    if (status != TMS_OK)
        return status;
    if (workload->on_cpu)
        return measure_cpu(ctx, workload, n_repeats, table, out);
    if (!ctx->gpu)
        return context_fail(ctx, TMS_E_DEVICE, "the workload needs a GPU, but the context has none");
    return measure_gpu(ctx, workload, n_repeats, out);
}

/* --- the machine --- */

tms_status tms_model_machine(tms_context *ctx, tms_machine *out)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    memset(out, 0, sizeof *out);
    measure_read_field("/proc/cpuinfo", "model name", out->cpu, sizeof out->cpu);
    if (!out->cpu[0])
        snprintf(out->cpu, sizeof out->cpu, "unknown");
    out->n_processors = n > 0 ? (uint32_t)n : 1;
    out->simd = (int32_t)ctx->simd;
    snprintf(out->version, sizeof out->version, "%s", tms_version());
    return measure_gpu_machine(ctx, out);
}
