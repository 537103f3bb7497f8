/*
 * micro_cuda.cuh - the micro-benchmark of [Ma12, III] on a GPU, and the timing of kernels.
 */
#ifndef TMS_MICRO_CUDA_CUH
#define TMS_MICRO_CUDA_CUH

#include "device/gpu_internal.cuh"
#include "model/measure.h"

struct event_pair {
    cudaEvent_t begun, ended;
};

tms_status event_pair_create(struct gpu *gpu, struct event_pair *out);
void event_pair_destroy(struct event_pair *events);
tms_status event_pair_begin(struct gpu *gpu, struct event_pair *events);
/* Waits for the work queued since the start. */
tms_status event_pair_end(struct gpu *gpu, struct event_pair *events, double *seconds);

/* One untimed run, then timed ones, until the context is cancelled. prepare() and work() queue on gpu->stream and return a status;
 * prepare() is not timed. */
template <class Prepare, class Work>
static tms_status measure_kernels(tms_context *ctx, uint32_t n_repeats, Prepare prepare, Work work, struct measure_times *out)
{
    struct gpu *gpu = ctx->gpu;
    struct event_pair events;
    *out = measure_times{};
    tms_status status = event_pair_create(gpu, &events);
    for (int run = -1; status == TMS_OK && (run < 0 || measure_go_on(out, n_repeats)); run++) {
        double seconds = 0;
        status = context_check_cancelled(ctx);
        status = GPU_ALSO(status, prepare());
        status = GPU_ALSO(status, event_pair_begin(gpu, &events));
        status = GPU_ALSO(status, work());
        status = GPU_ALSO(status, event_pair_end(gpu, &events, &seconds));
        if (status == TMS_OK && run >= 0)
            out->seconds[out->n++] = seconds;
    }
    event_pair_destroy(&events);
    return status;
}

/* The kernel of a workload of TMS_APP_RANDOM. */
tms_status micro_kernel_of(tms_context *ctx, const tms_workload *w, struct measure_kernel *out);
tms_status micro_measure(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out);

/* Sets words[i], i < n, to random numbers. */
tms_status micro_random_words(struct gpu *gpu, uint32_t *d_words, size_t n, uint64_t seed);

#endif
