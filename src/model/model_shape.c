/* model_shape.c - predicts the shapes of [Ma12, eqs. 2, 3] and keeps the best. */
#include "model/model_shape.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/*
 * Blocks in whole waves [Ma12, eq. 2]; threads of T_opt that suit the kernels. An earlier shape wins
 * unless a later one is clearly better, because the model cannot rank shapes that differ little.
 */
static const uint32_t waves[] = {4, 2, 1, 8}, shared_waves[] = {1, 2, 4}, reads_waves[] = {8, 4, 2, 1};
static const uint32_t random_threads[] = {1024, 512, 256, 768};
static const uint32_t bank_threads[] = {640, 512, 256, 1024};
static const uint32_t reads_threads[] = {0};
static const uint32_t string_threads[] = {1, 32};
#define CLEARLY_RANDOM 0.95
#define CLEARLY        0.97

static const struct shapes {
    const uint32_t *threads;
    size_t n_threads;
    const uint32_t *waves;
    size_t n_waves;
    double clearly;
} shapes_of_app[] = {
    [TMS_APP_RANDOM] = {random_threads, COUNT(random_threads), waves, COUNT(waves), CLEARLY_RANDOM},
    [TMS_APP_BANK] = {bank_threads, COUNT(bank_threads), waves, COUNT(waves), CLEARLY},
    [TMS_APP_STRINGS] = {string_threads, COUNT(string_threads), waves, 1, CLEARLY},
    [TMS_APP_CLASSIFY] = {reads_threads, COUNT(reads_threads), reads_waves, COUNT(reads_waves), CLEARLY},
};

/* Each block of the micro-benchmark first fills its table in shared memory, so fewer blocks are better. */
static const struct shapes shared_shapes = {random_threads, COUNT(random_threads), shared_waves, COUNT(shared_waves), CLEARLY_RANDOM};

static const struct shapes *shapes_of(const tms_workload *w)
{
    return w->app == TMS_APP_RANDOM && w->place == TMS_PLACE_SHARED ? &shared_shapes : &shapes_of_app[w->app];
}

static tms_status try_shape(tms_context *ctx, const tms_profile *profile, const tms_workload *w, tms_workload *best,
                            tms_prediction *prediction)
{
    tms_prediction p;
    const tms_status status = tms_model_predict(ctx, profile, w, TMS_FORM_EXTENDED, &p);
    if (status != TMS_OK)
        return status;
    if (prediction->seconds == 0 || p.seconds < prediction->seconds * shapes_of(w)->clearly) {
        *best = *w;
        *prediction = p;
    }
    return TMS_OK;
}

tms_status model_best_shape(tms_context *ctx, const tms_profile *profile, tms_workload *w, tms_prediction *prediction)
{
    const struct shapes *shapes = shapes_of(w);
    tms_workload tried = *w, best = *w;
    tms_status status = TMS_E_ARG;
    prediction->seconds = 0;
    if (w->on_cpu || (w->app == TMS_APP_BANK && w->place == TMS_PLACE_GLOBAL) ||
        (w->app == TMS_APP_STRINGS && w->layout == TMS_LAYOUT_BLOCKED))
        return tms_model_predict(ctx, profile, w, TMS_FORM_EXTENDED, prediction);
    for (size_t t = 0; t < shapes->n_threads; t++) {
        tms_prediction p;
        tried.threads = shapes->threads[t];
        tried.blocks = 0;
        if (tms_model_predict(ctx, profile, &tried, TMS_FORM_EXTENDED, &p) != TMS_OK)
            continue;
        const uint32_t a_wave = p.active_blocks * profile->machine.n_multiprocessors;
        for (size_t i = 0; i < shapes->n_waves; i++) {
            tried.blocks = w->app == TMS_APP_STRINGS ? 0 : a_wave * shapes->waves[i];
            if (try_shape(ctx, profile, &tried, &best, prediction) == TMS_OK)
                status = TMS_OK;
        }
    }
    if (status == TMS_OK)
        *w = best;
    return status; /* the message is that of the last shape */
}
