/* predict_reads.c - reads against a filter of w-mers [Ma12, V]. */
#include <math.h>

#include "classify/word_scan.h"
#include "model/predict.h"
#include "model/response.h"
#include "model/workload.h"

static double fpr_of(const struct predict *p)
{
    tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .strand = TMS_STRAND_BOTH, .word_size = 31};
    tms_filter_params params;
    want.n_keys = p->w->n;
    want.m_bits = p->w->m_bits;
    return tms_filter_size(p->ctx, &want, &params) == TMS_OK ? tms_filter_expected_fpr(&params, p->w->n) : NAN;
}

void reads_rates(const tms_profile *profile, double filter_bytes, double chip, struct block_waves *waves)
{
    const double block = curve_at(&profile->curves[CURVE_READS_BLOCK], filter_bytes), full = waves->active_blocks;
    const struct response r = {block, block * full, chip, 1, waves->q, full, full, waves->n_multiprocessors};
    for (uint32_t n = 1; n <= waves->active_blocks; n++)
        waves->rates[n] = n * block;
    waves->chip_rate = response_chip(&r);
}

tms_status predict_reads(struct predict *p)
{
    const tms_workload *w = p->w;
    const double *v = p->profile->values;
    const tms_curve *c = p->profile->curves;
    tms_prediction *out = p->out;
    const double tiles = workload_tiles(w), bytes = (double)w->m_bits / 8;
    const double most = (double)SCAN_GPU_BLOCKS * p->profile->machine.n_multiprocessors;
    tms_status status = predict_blocks(p, v[PROFILE_READS_REGISTERS], 0, SCAN_GPU_THREADS,
                                       w->blocks ? w->blocks : (uint32_t)fmin(tiles, most));
    if (status != TMS_OK)
        return status;
    out->fpr = fpr_of(p);
    if (out->blocks > tiles)
        out->blocks = (uint32_t)tiles;
    p->app.k = 1; /* the work per read does not depend on k: all bits of an s-mer are in one word */
    out->f_app = ma_f_app_facs(&p->arch, &p->app);
    if ((p->form & TMS_FORM_EXTENDED) == TMS_FORM_PAPER) {
        out->f_cache = predict_f_cache(p, v[PROFILE_PAPER_READS_G]);
        out->seconds = v[PROFILE_PAPER_READS] * tiles * out->f_cache * out->f_sched;
        predict_term(p, "memory", out->seconds);
        return TMS_OK;
    }
    const double small = curve_at(&c[CURVE_READS_CHIP], 4 << 20);
    const double chip = predict_has(p, TMS_EXT_CACHES) ? curve_at(&c[CURVE_READS_CHIP], bytes)
                                                       : small / predict_f_cache(p, v[PROFILE_PAPER_READS_G]);
    struct block_waves waves = {.n_multiprocessors = p->profile->machine.n_multiprocessors,
                                .active_blocks = out->active_blocks,
                                .n_large = (uint32_t)fmod(tiles, out->blocks),
                                .large_work = floor(tiles / out->blocks) + 1,
                                .small_work = floor(tiles / out->blocks),
                                .q = v[PROFILE_READS_Q]};
    reads_rates(p->profile, bytes, chip, &waves);
    out->seconds = predict_waves(p, &waves);
    predict_term(p, "memory", tiles / chip);
    predict_term(p, "latency", tiles / (waves.rates[1] * fmin(out->blocks, (double)out->active_blocks * waves.n_multiprocessors)));
    return TMS_OK;
}
