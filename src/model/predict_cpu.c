/* predict_cpu.c - random accesses and filters of strings on the CPU's threads. */
#include <math.h>

#include "model/predict.h"
#include "model/workload.h"

/* Accesses a second by so many threads: in proportion, until all of them together are the limit. */
static double rate_of(const struct predict *p, enum random_kind kind)
{
    const double bytes = (double)p->w->m_bits / 8, threads = p->w->n_threads_cpu ? p->w->n_threads_cpu : p->profile->machine.n_processors;
    const double one = curve_at(&p->profile->curves[CURVE_CPU_ONE + kind], bytes);
    const double all = curve_at(&p->profile->curves[CURVE_CPU_ALL + kind], bytes), n = p->profile->machine.n_processors;
    return threads >= n ? all : one + (all - one) * (n > 1 ? (threads - 1) / (n - 1) : 0);
}

tms_status predict_cpu(struct predict *p)
{
    const tms_workload *w = p->w;
    tms_prediction *out = p->out;
    const double n = p->profile->machine.n_processors;
    out->threads = w->n_threads_cpu ? w->n_threads_cpu : p->profile->machine.n_processors;
    out->occupancy = fmin(out->threads / n, 1);
    if (w->app == TMS_APP_RANDOM) {
        out->f_app = ma_f_app_random(&p->app);
        out->seconds = (double)w->D / rate_of(p, random_kind_of(w->op));
        predict_term(p, "memory", out->seconds);
        return TMS_OK;
    }
    const int is_blocked = w->layout == TMS_LAYOUT_BLOCKED, builds = w->op == TMS_OP_BUILD, is_all = out->threads > 1;
    const double *fit = &p->profile->values[PROFILE_CPU_STRINGS + 2 * (builds * 4 + is_blocked * 2 + is_all)];
    const double accesses = is_blocked ? 1 : w->op == TMS_OP_QUERY && predict_has(p, TMS_EXT_EARLY_EXIT) ? workload_probes(w) : w->k;
    const double scale = is_all ? n / fmin(out->threads, n) : 1; /* the fit is of all threads */
    const double memory = (double)w->D * fit[1] * accesses / rate_of(p, is_blocked ? RANDOM_READ32 : RANDOM_READ4);
    const tms_filter_params params = {
        .layout = w->layout, .hash = TMS_HASH_XXH3, .m_bits = w->m_bits, .k = w->k, .blocks_per_key = (uint32_t)is_blocked};
    out->fpr = is_blocked ? tms_filter_expected_fpr(&params, w->n) : ma_fpr(&p->app);
    out->f_app = (double)w->D * w->k;
    out->seconds = (double)w->D * fit[0] * scale + memory;
    predict_term(p, "instructions", (double)w->D * fit[0] * scale);
    predict_term(p, "memory", memory);
    return TMS_OK;
}
