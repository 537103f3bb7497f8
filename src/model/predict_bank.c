/* predict_bank.c - stage 1 of BLASTN [Ma11, III; Ma12, IV]: a vector in a block's shared memory, or rows of all vectors. */
#include <math.h>

#include "model/predict.h"
#include "model/workload.h"

#define DEFAULT_THREADS 512 /* T_r if unset */
#define SECTOR_BYTES    32

static void by_the_paper(struct predict *p)
{
    const double *v = p->profile->values;
    tms_prediction *out = p->out;
    out->seconds = v[PROFILE_PAPER_BANK_A1] * ma_time(out->f_app, 1, out->f_sched) + v[PROFILE_PAPER_BANK_A0];
    predict_term(p, "shared memory", out->seconds);
}

/*
 * Interleaved: each function reads a row of all vectors, in whole sectors. If the row is shorter than a sector, the rest of the sector is
 * wasted. Columns are a power of two, or a multiple of 256 (bank_core.h).
 */
static void by_rows(struct predict *p)
{
    const tms_workload *w = p->w;
    const double subs = (double)workload_sub_queries(w), columns = subs <= 128 ? exp2(ceil(log2(subs))) : ceil(subs / 256) * 256;
    const double row = fmax(columns / 8, SECTOR_BYTES), bytes = (double)w->m_bits / 8 * columns;
    const double reads = (double)w->D * w->k, wide = row / curve_at(&p->profile->curves[CURVE_BANK_ROWS], bytes);
    const double any = 1 / curve_at(&p->profile->curves[CURVE_CHIP + RANDOM_READ4], bytes); /* a row costs at least one random access */
    p->out->seconds = reads * fmax(wide, any);
    predict_term(p, "memory", p->out->seconds);
}

tms_status predict_bank(struct predict *p)
{
    const tms_workload *w = p->w;
    const double *v = p->profile->values;
    const tms_curve *c = p->profile->curves;
    tms_prediction *out = p->out;
    out->fpr = ma_fpr(&p->app);
    out->f_app = ma_f_app_bank(&p->app);
    if (w->place == TMS_PLACE_GLOBAL) {
        by_rows(p);
        return TMS_OK;
    }
    tms_status status = predict_blocks(p, ceil(curve_at(&c[CURVE_BANK_REGISTERS], w->k)), (w->m_bits + 63) / 64 * 8,
                                       w->threads ? w->threads : DEFAULT_THREADS, w->blocks);
    if (status != TMS_OK)
        return status;
    if ((p->form & TMS_FORM_EXTENDED) == TMS_FORM_PAPER) {
        by_the_paper(p);
        return TMS_OK;
    }
    const uint64_t subs = workload_sub_queries(w);
    const double tiles = (double)w->D / BANK_TILE_WORDS, tile = curve_at(&c[CURVE_BANK_TILE], w->k);
    const double alone = bank_tiles_of_a_warp(w->D, out->threads) * curve_at(&c[CURVE_BANK_WARP], w->k);
    const double stage = bank_stage_seconds(p->profile, w->m_bits, out->threads);
    if (out->blocks > subs)
        out->blocks = (uint32_t)subs; /* further blocks would be idle */
    struct block_waves waves = {.n_large = (uint32_t)(subs % out->blocks),
                                .large_work = (double)(subs / out->blocks + 1) * tiles,
                                .small_work = (double)(subs / out->blocks) * tiles,
                                .chip_rate = INFINITY,
                                .q = 1};
    for (uint32_t n = 1; n <= out->active_blocks; n++)
        waves.rates[n] = n * tiles / bank_pass_seconds(n, alone, stage, tiles * tile, v[PROFILE_BANK_P]);
    out->seconds = predict_waves(p, &waves);
    predict_term(p, "shared memory", (double)subs * tiles * tile / p->profile->machine.n_multiprocessors);
    if (predict_has(p, TMS_EXT_LATENCY))
        predict_term(p, "latency",
                     (double)subs * alone / fmin(out->blocks, (double)out->active_blocks * p->profile->machine.n_multiprocessors));
    predict_term(p, "staging",
                 (double)subs * stage / fmin(out->blocks, (double)out->active_blocks * p->profile->machine.n_multiprocessors));
    return TMS_OK;
}
