/* measure_none.c - stubs for a build without CUDA; no context has a GPU, so nothing calls them. */
#include "model/measure.h"

tms_status measure_gpu_machine(tms_context *ctx, tms_machine *out)
{
    (void)ctx;
    (void)out;
    return TMS_OK;
}

static tms_status none(tms_context *ctx) { return context_fail(ctx, TMS_E_DEVICE, "this build has no GPU code"); }

tms_status measure_gpu_kernel(tms_context *ctx, const tms_workload *w, struct measure_kernel *out)
{
    (void)w;
    *out = (struct measure_kernel){0};
    return none(ctx);
}

tms_status measure_gpu(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out)
{
    (void)w;
    (void)n_repeats;
    *out = (tms_measurement){0};
    return none(ctx);
}

tms_status measure_gpu_overheads(tms_context *ctx, double *launch_seconds, double *copy_in, double *copy_out)
{
    *launch_seconds = *copy_in = *copy_out = 0;
    return none(ctx);
}
