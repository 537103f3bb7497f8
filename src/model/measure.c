/* measure.c - workloads, run: what does not depend on the device. */
#include "model/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/workload.h"

int measure_go_on(const struct measure_times *times, uint32_t n_repeats)
{
    double sum = 0;
    if (n_repeats > 0)
        return times->n < (n_repeats < MEASURE_MAX_REPEATS ? n_repeats : MEASURE_MAX_REPEATS);
    for (uint32_t i = 0; i < times->n; i++)
        sum += times->seconds[i];
    return times->n < MEASURE_LEAST || (times->n < MEASURE_MOST && sum < MEASURE_SECONDS);
}

void measure_summary(const struct measure_times *times, tms_measurement *out)
{
    double sorted[MEASURE_MAX_REPEATS];
    memset(out, 0, sizeof *out);
    out->fpr = NAN;
    out->n_repeats = times->n;
    if (times->n == 0)
        return;
    for (uint32_t i = 0; i < times->n; i++) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1] > times->seconds[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = times->seconds[i];
    }
    out->low = sorted[0];
    out->high = sorted[times->n - 1];
    out->seconds = times->n % 2 ? sorted[times->n / 2] : (sorted[times->n / 2 - 1] + sorted[times->n / 2]) / 2;
}

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
        return context_fail(ctx, TMS_E_DEVICE, "the workload is one of a GPU, and the context has none");
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
