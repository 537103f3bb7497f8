/* predict_terms.c - common parts of all predictions: terms, blocks on multiprocessors, waves, caches. */
#include <math.h>

#include "model/predict.h"

#define MOST_REGISTERS 1024 /* registers of a thread: more than any GPU has */

void predict_term(struct predict *p, const char *name, double seconds)
{
    tms_prediction *out = p->out;
    if (out->n_terms == TMS_MODEL_TERMS)
        return;
    out->terms[out->n_terms].name = name;
    out->terms[out->n_terms].seconds = seconds;
    if (seconds > out->terms[out->binding].seconds)
        out->binding = out->n_terms;
    out->n_terms++;
}

tms_status predict_blocks(struct predict *p, double registers, uint64_t shared_bytes, uint32_t threads, uint32_t blocks)
{
    tms_prediction *out = p->out;
    if (!(registers >= 0 && registers <= MOST_REGISTERS)) /* NaN: the profile has no curve of registers */
        return context_fail(p->ctx, TMS_E_ARG, "the profile lacks the number of registers of this workload's kernel: calibrate again");
    p->app.R_T = (uint64_t)registers;
    p->app.S_B = shared_bytes;
    p->app.T_r = threads;
    struct ma_allocation how = ma_allocation_since_8;
    how.shared_reserved = p->profile->machine.shared_reserved;
    const uint64_t active = predict_has(p, TMS_EXT_LATENCY) || predict_has(p, TMS_EXT_WAVES)
                                ? ma_active_blocks_as_allocated(&p->arch, &p->app, &how)
                                : ma_active_blocks(&p->arch, &p->app);
    if (shared_bytes > p->profile->machine.shared_bytes_block)
        return context_fail(p->ctx, TMS_E_ARG, "a block of %llu bytes of shared memory is impossible on this GPU: the maximum is %llu",
                            (unsigned long long)shared_bytes, (unsigned long long)p->profile->machine.shared_bytes_block);
    if (active == 0)
        return context_fail(p->ctx, TMS_E_ARG, "no block of %u threads with %.0f registers each fits on a multiprocessor of this GPU",
                            threads, registers);
    out->active_blocks = (uint32_t)(active < MOST_ACTIVE_BLOCKS ? active : MOST_ACTIVE_BLOCKS);
    out->threads = threads;
    out->blocks = blocks ? blocks : out->active_blocks * p->profile->machine.n_multiprocessors;
    p->app.B_r = out->blocks;
    out->occupancy = (double)out->active_blocks * threads / p->profile->machine.max_threads;
    out->f_sched = ma_f_sched(&p->arch, &p->app);
    return TMS_OK;
}

double predict_waves(const struct predict *p, struct block_waves *waves)
{
    const tms_prediction *out = p->out;
    waves->n_multiprocessors = p->profile->machine.n_multiprocessors;
    waves->active_blocks = out->active_blocks;
    waves->n_blocks = out->blocks;
    waves->spread = p->profile->values[PROFILE_SPREAD];
    if (!predict_has(p, TMS_EXT_LATENCY)) /* any number of warps fills a multiprocessor */
        for (uint32_t c = 1; c <= waves->active_blocks; c++)
            waves->rates[c] = waves->rates[waves->active_blocks];
    if (predict_has(p, TMS_EXT_WAVES))
        return block_waves_seconds(waves);
    const double work = waves->n_large * waves->large_work + (double)(waves->n_blocks - waves->n_large) * waves->small_work;
    return work / rate_of_both(waves->rates[waves->active_blocks] * waves->n_multiprocessors, waves->chip_rate, waves->q) * out->f_sched;
}

double predict_f_cache(const struct predict *p, double G) { return ma_f_cache(&p->arch, &p->app, MA_GLOBAL, G); }
