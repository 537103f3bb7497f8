/* model_shape.c - shapes of [Ma12, eqs. 2, 3], each predicted. */
#include "model/model_shape.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Blocks in whole waves, up to so many [Ma12, eq. 2]; of threads those of T_opt that are powers of two, or as kernels have them. */
static const uint32_t waves[] = {1, 2, 3, 4, 6, 8};
static const uint32_t random_threads[] = {128, 256, 512, 768, 1024};
static const uint32_t one_thread[] = {256};
static const uint32_t string_threads[] = {1, 32};

static tms_status try_shape(tms_context *ctx, const tms_profile *profile, const tms_workload *w, tms_workload *best,
                            tms_prediction *prediction)
{
    tms_prediction p;
    const tms_status status = tms_model_predict(ctx, profile, w, TMS_FORM_EXTENDED, &p);
    if (status != TMS_OK)
        return status;
    if (prediction->seconds == 0 || p.seconds < prediction->seconds * 0.998) { /* of nearly equal ones the first */
        *best = *w;
        *prediction = p;
    }
    return TMS_OK;
}

tms_status model_best_shape(tms_context *ctx, const tms_profile *profile, tms_workload *w, tms_prediction *prediction)
{
    const uint32_t *threads = w->app == TMS_APP_CLASSIFY ? one_thread : w->app == TMS_APP_STRINGS ? string_threads : random_threads;
    const size_t n_threads = w->app == TMS_APP_CLASSIFY  ? COUNT(one_thread)
                             : w->app == TMS_APP_STRINGS ? COUNT(string_threads)
                                                         : COUNT(random_threads);
    tms_workload tried = *w, best = *w;
    tms_status status = TMS_E_ARG;
    prediction->seconds = 0;
    if (w->on_cpu || (w->app == TMS_APP_BANK && w->place == TMS_PLACE_GLOBAL) ||
        (w->app == TMS_APP_STRINGS && w->layout == TMS_LAYOUT_BLOCKED))
        return tms_model_predict(ctx, profile, w, TMS_FORM_EXTENDED, prediction);
    for (size_t t = 0; t < n_threads; t++) {
        tms_prediction p;
        tried.threads = w->app == TMS_APP_CLASSIFY ? 0 : threads[t];
        tried.blocks = 0;
        if (tms_model_predict(ctx, profile, &tried, TMS_FORM_EXTENDED, &p) != TMS_OK)
            continue;
        const uint32_t a_wave = p.active_blocks * profile->machine.n_multiprocessors;
        for (size_t i = 0; i < (w->app == TMS_APP_STRINGS ? 1 : COUNT(waves)); i++) {
            tried.blocks = w->app == TMS_APP_STRINGS ? 0 : a_wave * waves[i];
            if (try_shape(ctx, profile, &tried, &best, prediction) == TMS_OK)
                status = TMS_OK;
        }
    }
    if (status == TMS_OK)
        *w = best;
    return status; /* the message is that of the last shape */
}
