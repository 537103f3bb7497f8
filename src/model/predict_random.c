/* predict_random.c - the micro-benchmark [Ma12, III, eqs. 14, 15]. */
#include <math.h>

#include "model/predict.h"
#include "model/response.h"

/* By [Ma12, eq. 8]. */
static void by_the_paper(struct predict *p)
{
    const double *v = p->profile->values;
    tms_prediction *out = p->out;
    const int is_shared = p->w->place == TMS_PLACE_SHARED;
    out->f_cache = is_shared ? 1 : predict_f_cache(p, v[PROFILE_PAPER_RANDOM_G]);
    out->seconds = (is_shared ? v[PROFILE_PAPER_SHARED] : v[PROFILE_PAPER_RANDOM]) * ma_time(out->f_app, out->f_cache, out->f_sched);
    predict_term(p, is_shared ? "shared memory" : "memory", out->seconds);
}

/* One level of cache [Ma12, eqs. 9 to 11] instead of the measured curve. */
static double chip_by_one_cache(const struct predict *p, enum random_kind kind)
{
    const tms_curve *chip = &p->profile->curves[CURVE_CHIP + kind];
    const double small = curve_at(chip, 4 << 20);
    return small / predict_f_cache(p, small / curve_at(chip, 1 << 30));
}

static struct response response_of(const struct predict *p)
{
    const double *v = p->profile->values, bytes = (double)p->w->m_bits / 8;
    const tms_curve *c = p->profile->curves;
    const enum random_kind kind = predict_has(p, TMS_EXT_SECTORS) ? random_kind_of(p->w->op) : RANDOM_READ4;
    const double warps = p->profile->machine.max_threads / p->profile->machine.warp_size;
    if (p->w->place == TMS_PLACE_SHARED)
        return (struct response){v[PROFILE_SHARED_A],
                                 v[PROFILE_SHARED_B],
                                 v[PROFILE_SHARED_C],
                                 v[PROFILE_SHARED_P],
                                 v[PROFILE_SHARED_Q],
                                 CALIBRATION_FULL_WARPS,
                                 warps,
                                 p->profile->machine.n_multiprocessors};
    return (struct response){curve_at(&c[CURVE_WARP + kind], bytes),
                             curve_at(&c[CURVE_PEAK + kind], bytes),
                             predict_has(p, TMS_EXT_CACHES) ? curve_at(&c[CURVE_CHIP + kind], bytes) : chip_by_one_cache(p, kind),
                             profile_between_levels(&v[kind == RANDOM_OR ? PROFILE_OR_P : PROFILE_READ_P], (double)p->w->m_bits),
                             profile_between_levels(&v[kind == RANDOM_OR ? PROFILE_OR_Q : PROFILE_READ_Q], (double)p->w->m_bits),
                             CALIBRATION_FULL_WARPS,
                             warps,
                             p->profile->machine.n_multiprocessors};
}

tms_status predict_random(struct predict *p)
{
    const double *v = p->profile->values, D = (double)p->w->D;
    const enum random_kind kind = random_kind_of(p->w->op);
    const int is_shared = p->w->place == TMS_PLACE_SHARED;
    tms_status status = predict_blocks(p, v[(is_shared ? PROFILE_SHARED_REGISTERS : PROFILE_RANDOM_REGISTERS) + kind],
                                       is_shared ? p->w->m_bits / 8 : 0, p->w->threads ? p->w->threads : 1024, p->w->blocks);
    if (status != TMS_OK)
        return status;
    p->out->f_app = ma_f_app_random(&p->app);
    if ((p->form & TMS_FORM_EXTENDED) == TMS_FORM_PAPER) {
        by_the_paper(p);
        return TMS_OK;
    }
    const struct response r = response_of(p);
    const double warps = p->out->threads / (double)p->profile->machine.warp_size, all = p->profile->machine.n_multiprocessors;
    struct block_waves w = {.small_work = D / p->out->blocks, .chip_rate = response_chip(&r), .q = r.q};
    for (uint32_t c = 1; c <= p->out->active_blocks; c++)
        w.rates[c] = response_rate(&r, c * warps);
    p->out->seconds = predict_waves(p, &w);
    predict_term(p, is_shared ? "shared memory" : "memory", D / r.chip);
    if (predict_has(p, TMS_EXT_LATENCY))
        predict_term(p, "latency", D / (r.warp * warps * fmin(p->out->active_blocks * all, p->out->blocks)));
    predict_term(p, "multiprocessors", D / (r.full * fmin(all, p->out->blocks)));
    return TMS_OK;
}
