/*
 * predict_strings.c - predicts inserting strings into one filter, and querying them [Ong13; thesis].
 *
 * Time is linear in the bits that are read or set [Ma11, III-B], between runs of the calibration with few and with many bits.
 */
#include <math.h>

#include "filter/classic_cuda.h"
#include "model/predict.h"
#include "model/workload.h"

#define SHARPNESS 4 /* sharpness of overlapping times */

static double curve_of(const struct predict *p, enum calibration_strings which)
{
    const double bytes = predict_has(p, TMS_EXT_CACHES) ? (double)p->w->m_bits / 8 : (double)(4 << 20);
    const tms_curve *c = &p->profile->curves[CURVE_STRINGS + which];
    const double seconds = curve_at(c, bytes);
    if (predict_has(p, TMS_EXT_CACHES))
        return seconds;
    return seconds * predict_f_cache(p, curve_at(c, 1 << 30) / seconds); /* one level of cache */
}

/* Seconds per string without accesses to its bits. */
static double without_bits(const struct predict *p, enum calibration_strings which)
{
    return p->profile->values[PROFILE_LENGTH_BASE + which];
}

/* Seconds per string of the workload's length without accesses to its bits. */
static double least_of(const struct predict *p, enum calibration_strings which)
{
    return without_bits(p, which) + p->profile->values[PROFILE_LENGTH + which] * ((double)p->w->length - CALIBRATION_LENGTH);
}

/* Additional seconds of longer strings that accesses do not hide. */
static double with_length(const struct predict *p, double a_string, enum calibration_strings which)
{
    const double before = pow(a_string, SHARPNESS) - pow(fmin(without_bits(p, which), a_string), SHARPNESS);
    return pow(fmax(before, 0) + pow(fmax(least_of(p, which), 0), SHARPNESS), 1.0 / SHARPNESS);
}

/* Bits read for a missing string; all k if the model ignores the early exit. */
static double probes_of(const struct predict *p)
{
    return p->w->op == TMS_OP_QUERY && predict_has(p, TMS_EXT_EARLY_EXIT) ? workload_probes(p->w) : p->w->k;
}

/*
 * Interpolates from one bit to many: a string's other work and its accesses overlap. If the filter is about as large as
 * the cache, the strings evict a part of it. Each of k bits bears a share of that cost: 1 / k if the filter is much smaller than the
 * cache, and 1 / sqrt(k) if it is as large, because reloaded bits evict others. So all k bits bear k^0 to k^0.5 of it; PUSHED is
 * in between.
 *
 *   alone     [in] seconds per string without accesses to its bits
 *   one, many [in] seconds per string with one bit, and with MANY bits
 */
#define MANY   32
#define PUSHED 0.25
static double over_bits(double bits, double alone, double one, double many)
{
    const double first = fmax(sqrt(fmax(one * one - alone * alone, 0)), many / MANY), part = pow(MANY, PUSHED);
    const double bit = fmax((many - first * part) / (MANY - part), 0);
    const double all = bits < MANY ? bits * bit + (first - bit) * pow(bits, PUSHED) : bits * many / MANY;
    return sqrt(all * all + fmax(one * one - first * first, 0));
}

/* The share of bits that are new: the filter fills up from empty to D strings. */
static double new_bits(const tms_workload *w)
{
    const double set = (double)w->D * w->k / (double)w->m_bits;
    return set > 0 ? -expm1(-set) / set : 1;
}

static double build_by_threads(const struct predict *p)
{
    const tms_workload *w = p->w;
    const double one = curve_of(p, STRINGS_BUILD_1), many = curve_of(p, STRINGS_BUILD_32);
    if (w->k < CLASSIC_LOOK_FROM_K || !predict_has(p, TMS_EXT_SECTORS))
        return over_bits(w->k, without_bits(p, STRINGS_BUILD_1), one, many);
    tms_workload measured = *w;
    measured.k = 100;
    measured.D = (uint64_t)fmin((double)w->m_bits * 0.6931 / 100, (1 << 28) / 100);
    const double look = curve_of(p, STRINGS_BUILD_100) / 100, read = curve_of(p, STRINGS_PRESENT_32) / 32;
    const double reads = fmin(read / look, 0.9); /* share of a read-and-set's time; setting new bits takes the rest */
    return w->k * look * (reads + (1 - reads) * new_bits(w) / new_bits(&measured));
}

/* Bits read for the slowest of a warp's 32 strings. */
static double slowest_probes(uint32_t k, double fill)
{
    double sum = 0, alive = 1;
    for (uint32_t j = 0; j < k && alive > 1e-9; j++, alive *= fill)
        sum += 1 - pow(1 - alive, 32);
    return sum;
}

static double query_by_threads(const struct predict *p)
{
    const double one = curve_of(p, STRINGS_PRESENT_1), many = curve_of(p, STRINGS_PRESENT_32), probes = probes_of(p);
    const double alone = without_bits(p, STRINGS_PRESENT_1), straight = over_bits(probes, alone, one, many);
    if (p->w->op != TMS_OP_QUERY || !predict_has(p, TMS_EXT_EARLY_EXIT))
        return straight;
    /* Threads of a warp end at different bits, and wait for the slowest. */
    const double waiting = fmax(curve_of(p, STRINGS_QUERY_10) - over_bits(2, alone, one, many), 0);
    return straight + waiting * (slowest_probes(p->w->k, workload_fill(p->w)) - 1) / (slowest_probes(10, 0.5) - 1);
}

/* Few strings do not fill the GPU, so the latency of reading a string's bits one by one dominates. */
static double latency_of(const struct predict *p)
{
    const tms_machine *m = &p->profile->machine;
    const int looks = p->w->op == TMS_OP_BUILD && p->w->k >= CLASSIC_LOOK_FROM_K;
    const double access = curve_at(&p->profile->curves[looks ? CURVE_STRINGS_LOOK : CURVE_STRINGS_ACCESS], (double)p->w->m_bits / 8);
    const double rounds = ceil((double)p->w->D / m->max_threads / m->n_multiprocessors);
    if (!predict_has(p, TMS_EXT_LATENCY))
        return 0;
    return access * (p->w->op == TMS_OP_QUERY ? slowest_probes(p->w->k, workload_fill(p->w)) : rounds * probes_of(p));
}

/* A warp a string: 32 bits at a time. */
static double by_warps(const struct predict *p)
{
    const int builds = p->w->op == TMS_OP_BUILD;
    const double few = curve_of(p, builds ? STRINGS_WARP_BUILD_8 : STRINGS_WARP_QUERY_8);
    const double many = curve_of(p, builds ? STRINGS_WARP_BUILD_128 : STRINGS_WARP_PRESENT_128) / 128;
    const double probes = p->w->op == TMS_OP_QUERY ? fmin(p->w->k, 32) : p->w->k;
    return time_of_both(few, many * probes, SHARPNESS);
}

static void by_the_paper(struct predict *p)
{
    const double *v = p->profile->values;
    const int builds = p->w->op == TMS_OP_BUILD;
    p->out->f_cache = predict_f_cache(p, v[PROFILE_PAPER_STRINGS_G + builds]);
    p->out->seconds = v[PROFILE_PAPER_STRINGS + builds] * p->out->f_app * p->out->f_cache;
    predict_term(p, "memory", p->out->seconds);
}

static double blocked_fpr(const tms_workload *w)
{
    const tms_filter_params params = {
        .layout = TMS_LAYOUT_BLOCKED, .hash = TMS_HASH_XXH3, .m_bits = w->m_bits, .k = w->k, .blocks_per_key = 1};
    return tms_filter_expected_fpr(&params, w->n);
}

tms_status predict_strings(struct predict *p)
{
    const tms_workload *w = p->w;
    tms_prediction *out = p->out;
    const int is_blocked = w->layout == TMS_LAYOUT_BLOCKED, builds = w->op == TMS_OP_BUILD;
    const int by_warp = !is_blocked && (w->threads == 32 || (w->threads == 0 && w->k >= CLASSIC_WARP_FROM_K_XXH3));
    double a_string;
    enum calibration_strings which;
    out->fpr = is_blocked ? blocked_fpr(w) : ma_fpr(&p->app);
    out->f_app = (double)w->D * w->k;
    out->threads = is_blocked ? 0 : by_warp ? 32 : 1;
    out->occupancy = NAN;
    if ((p->form & TMS_FORM_EXTENDED) == TMS_FORM_PAPER) {
        by_the_paper(p);
        return TMS_OK;
    }
    if (is_blocked) {
        which = builds ? STRINGS_BLOCKED_BUILD : STRINGS_BLOCKED_QUERY;
        a_string = curve_of(p, which);
    } else if (by_warp) {
        which = builds ? STRINGS_WARP_BUILD_8 : STRINGS_WARP_QUERY_8;
        a_string = by_warps(p);
    } else {
        which = builds ? STRINGS_BUILD_1 : STRINGS_PRESENT_1;
        a_string = builds ? build_by_threads(p) : query_by_threads(p);
    }
    out->seconds = (double)w->D * with_length(p, a_string, which);
    if (!is_blocked && !by_warp) {
        out->seconds = w->op == TMS_OP_QUERY ? out->seconds + latency_of(p) /* latency of the last strings */
                                             : time_of_both(out->seconds, latency_of(p), SHARPNESS);
        predict_term(p, "latency", latency_of(p));
    }
    predict_term(p, "memory", (double)w->D * a_string);
    predict_term(p, "instructions", (double)w->D * least_of(p, which));
    return TMS_OK;
}
