/* predict_cpu.c - random accesses and filters of strings on the CPU's threads. */
#include <math.h>

#include "model/predict.h"
#include "model/response.h"
#include "model/workload.h"

#define IN_CACHE 1e6      /* bytes of a filter whose queries are limited by instructions, not by memory */
#define PROBES_8 1.992188 /* bits read for a missing string with 8 functions and a half full filter: 2 - 2^-7 */
#define USUAL_P  2        /* default p for a profile without measurements between one and all threads */

/* The rate of a number of threads, from the rates of one and all. Without TMS_EXT_LATENCY proportional, up to the rate of all. */
static double rate_between(const struct predict *p, double one, double all, enum random_kind kind)
{
    const double n = p->profile->machine.n_processors, threads = p->w->n_threads_cpu ? p->w->n_threads_cpu : n;
    const double sharpness = curve_at(&p->profile->curves[CURVE_CPU_P + kind], (double)p->w->m_bits / 8);
    if (!predict_has(p, TMS_EXT_LATENCY))
        return threads < n ? fmin(threads * one, all) : all;
    return response_cpu(one, all, n, threads, sharpness > 0 ? sharpness : USUAL_P);
}

static double accesses_of(const struct predict *p, enum random_kind kind)
{
    const double bytes = (double)p->w->m_bits / 8;
    return rate_between(p, curve_at(&p->profile->curves[CURVE_CPU_ONE + kind], bytes),
                        curve_at(&p->profile->curves[CURVE_CPU_ALL + kind], bytes), kind);
}

/*
 * Seconds per string, from measurements with other numbers of functions: present strings and building are linear in k. A missing string
 * costs a mispredicted branch; between one bit read and the two of a half full filter its time is linear too.
 */
static double seconds_at(const struct predict *p, const tms_curve *curves, double bytes)
{
    const tms_workload *w = p->w;
    if (w->layout == TMS_LAYOUT_BLOCKED)
        return curve_at(&curves[w->op == TMS_OP_BUILD ? CPU_STRINGS_BLOCKED_BUILD : CPU_STRINGS_BLOCKED_QUERY], bytes);
    const int builds = w->op == TMS_OP_BUILD;
    const double first = curve_at(&curves[builds ? CPU_STRINGS_BUILD_1 : CPU_STRINGS_PRESENT_1], bytes);
    const double with_32 = curve_at(&curves[builds ? CPU_STRINGS_BUILD_32 : CPU_STRINGS_PRESENT_32], bytes);
    if (w->op == TMS_OP_QUERY && predict_has(p, TMS_EXT_EARLY_EXIT)) {
        const double with_8 = curve_at(&curves[CPU_STRINGS_QUERY_8], bytes);
        const double more = fmax(with_8 - first, 0) / (PROBES_8 - 1);
        return first + more * fmin(workload_probes(w) - 1, PROBES_8 - 1) +
               fmax(workload_probes(w) - PROBES_8, 0) * fmax(with_32 - first, 0) / 31;
    }
    return fmax(first + (w->k - 1.0) * (with_32 - first) / 31, first);
}

/* Seconds per string of many strings on the workload's threads. */
static double string_seconds(const struct predict *p, double bytes)
{
    const tms_curve *c = p->profile->curves;
    const enum random_kind kind = p->w->layout == TMS_LAYOUT_BLOCKED ? RANDOM_READ32 : RANDOM_READ4;
    return 1 /
           rate_between(p, 1 / seconds_at(p, &c[CURVE_CPU_STRINGS_ONE], bytes), 1 / seconds_at(p, &c[CURVE_CPU_STRINGS_ALL], bytes), kind);
}

static void predict_strings_on_cpu(struct predict *p)
{
    const tms_workload *w = p->w;
    tms_prediction *out = p->out;
    const int is_blocked = w->layout == TMS_LAYOUT_BLOCKED;
    const tms_filter_params params = {
        .layout = w->layout, .hash = TMS_HASH_XXH3, .m_bits = w->m_bits, .k = w->k, .blocks_per_key = (uint32_t)is_blocked};
    const double n = p->profile->machine.n_processors, threads = fmin(out->threads, n > 0 ? n : 1);
    const double a_byte = p->profile->values[PROFILE_CPU_LENGTH + 2 * (w->op == TMS_OP_BUILD) + is_blocked] / threads;
    const double in_cache = string_seconds(p, IN_CACHE), all = string_seconds(p, (double)w->m_bits / 8);
    const double least = fmax(fmin(in_cache, all) + a_byte * ((double)w->length - CALIBRATION_CPU_LENGTH), fmin(in_cache, all) / 2);
    out->fpr = is_blocked ? tms_filter_expected_fpr(&params, w->n) : ma_fpr(&p->app);
    out->f_app = (double)w->D * w->k;
    out->seconds = (double)w->D * (least + fmax(all - in_cache, 0));
    predict_term(p, "instructions", (double)w->D * least);
    predict_term(p, "memory", (double)w->D * fmax(all - in_cache, 0));
}

tms_status predict_cpu(struct predict *p)
{
    const tms_workload *w = p->w;
    tms_prediction *out = p->out;
    const double n = p->profile->machine.n_processors;
    out->threads = w->n_threads_cpu ? w->n_threads_cpu : p->profile->machine.n_processors;
    out->occupancy = fmin(out->threads / n, 1);
    if (w->app == TMS_APP_STRINGS) {
        predict_strings_on_cpu(p);
        return TMS_OK;
    }
    out->f_app = ma_f_app_random(&p->app);
    out->seconds = (double)w->D / accesses_of(p, random_kind_of(w->op));
    predict_term(p, "memory", out->seconds);
    return TMS_OK;
}
