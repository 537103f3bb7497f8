/* model_predict.c - tms_model_predict(): checks the profile and the workload, calls the application's predict_...(), adds launch and
 * copies. */
#include <math.h>
#include <string.h>

#include "model/predict.h"
#include "model/workload.h"

#define WARP 32

/* --- copies --- */

static void add_copies(struct predict *p)
{
    const tms_workload *w = p->w;
    const double *v = p->profile->values;
    const double D = (double)w->D;
    double in = 0, out = 0;
    if (w->app == TMS_APP_RANDOM)
        in = 4 * D;
    else if (w->app == TMS_APP_BANK)
        in = D / 4, out = D * (double)workload_sub_queries(w) / 8;
    else if (w->app == TMS_APP_STRINGS)
        in = D * w->length, out = w->op == TMS_OP_BUILD ? 0 : D;
    else
        in = D * (w->length + 1), out = in / 4;
    const double seconds = fmax(in / v[PROFILE_COPY_IN], out / v[PROFILE_COPY_OUT]);
    predict_term(p, "copies", seconds);
    if (seconds > p->out->seconds) /* copies overlap the kernels */
        p->out->seconds = seconds;
}

/* --- the whole --- */

struct ma_architecture predict_architecture(const tms_machine *m)
{
    return (struct ma_architecture){.MP = m->n_multiprocessors,
                                    .S = m->shared_bytes,
                                    .R = m->registers,
                                    .W = m->warp_size,
                                    .N_W = 6,
                                    .B_max = (uint64_t)m->max_blocks * m->n_multiprocessors,
                                    .T_maxB = m->max_threads_block,
                                    .T_maxMP = m->max_threads,
                                    .C = m->l2_bytes};
}

tms_status predict_check_device(tms_context *ctx, const tms_profile *profile, tms_app app, int on_cpu)
{
    if (on_cpu && !profile->has_cpu)
        return context_fail(ctx, TMS_E_ARG, "the profile has no CPU: calibrate again, or predict for the GPU");
    if (on_cpu && app != TMS_APP_RANDOM && app != TMS_APP_STRINGS)
        return context_fail(ctx, TMS_E_ARG, "on the CPU the model covers random accesses and strings, not %s", tms_app_name(app));
    if (!on_cpu && (!profile->has_gpu || profile->machine.n_multiprocessors == 0))
        return context_fail(ctx, TMS_E_ARG, "the profile has no GPU: calibrate on a machine with one, or use the profile of a GPU");
    return TMS_OK;
}

/* Checks that divisors and loop limits are plausible for a GPU, because users may edit profile files. */
static tms_status check_profile(tms_context *ctx, const tms_profile *profile, const tms_workload *w)
{
    tms_status status = predict_check_device(ctx, profile, w->app, w->on_cpu);
    if (status != TMS_OK || w->on_cpu)
        return status;
    const tms_machine *m = &profile->machine;
    const double spread = profile->values[PROFILE_SPREAD];
    if (m->warp_size != WARP || m->max_threads < WARP || m->max_threads > MOST_ACTIVE_BLOCKS * 1024 ||
        m->n_multiprocessors > MOST_MULTIPROCESSORS || !(spread >= 0 && spread < 1))
        return context_fail(ctx, TMS_E_ARG,
                            "the profile describes no possible GPU: %u multiprocessors of %u threads in warps of %u, spread %g",
                            m->n_multiprocessors, m->max_threads, m->warp_size, spread);
    if (w->app == TMS_APP_RANDOM && w->place == TMS_PLACE_GLOBAL && w->m_bits / 8 > profile->machine.memory_bytes)
        return context_fail(ctx, TMS_E_ARG, "a table of %llu bytes is impossible on this GPU: it has %llu",
                            (unsigned long long)(w->m_bits / 8), (unsigned long long)profile->machine.memory_bytes);
    if (w->app != TMS_APP_RANDOM &&
        (double)w->m_bits / 8 * (w->app == TMS_APP_BANK ? (double)workload_sub_queries(w) : 1) > (double)profile->machine.memory_bytes)
        return context_fail(ctx, TMS_E_ARG, "the filters are larger than this GPU's memory of %llu bytes",
                            (unsigned long long)profile->machine.memory_bytes);
    return TMS_OK;
}

tms_status tms_model_predict(tms_context *ctx, const tms_profile *profile, const tms_workload *workload, uint32_t form, tms_prediction *out)
{
    static tms_status (*const of_app[])(struct predict *) = {predict_random, predict_bank, predict_strings, predict_reads};
    struct predict p = {ctx, profile, workload, form, out, predict_architecture(&profile->machine), {0}};
    tms_status status = workload_check(ctx, workload);
    memset(out, 0, sizeof *out);
    out->fpr = NAN;
    out->f_app = out->f_cache = out->f_sched = 1;
    if (status == TMS_OK)
        status = check_profile(ctx, profile, workload);
    if (status != TMS_OK)
        return status;
    p.app = (struct ma_application){.D = workload->D, .Q = workload->Q, .n = workload->n, .m = workload->m_bits, .k = workload->k};
    status = workload->on_cpu ? predict_cpu(&p) : of_app[workload->app](&p);
    if (status != TMS_OK)
        return status;
    if (predict_has(&p, TMS_EXT_LAUNCH) && !workload->on_cpu) {
        predict_term(&p, "launch", profile->values[PROFILE_LAUNCH]);
        out->seconds += profile->values[PROFILE_LAUNCH];
    }
    if (predict_has(&p, TMS_EXT_TRANSFERS) && !workload->on_cpu)
        add_copies(&p);
    if (!(isfinite(out->seconds) && out->seconds > 0))
        return context_fail(ctx, TMS_E_ARG, "the profile lacks values that this workload needs: calibrate again");
    out->throughput = ma_t_put(&p.app, out->seconds);
    return TMS_OK;
}
