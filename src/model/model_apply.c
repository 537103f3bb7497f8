/* model_apply.c - tms_model_apply(): sets the kernels' tuning from the model's predictions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/measure.h"
#include "model/model_shape.h"
#include "model/profile.h"
#include "run/context.h"

#define MOST_K        4096
#define CLEARLY       0.97 /* largest share of the default's time for a change: a gain must exceed the measurements' spread */
#define USUAL_BYTES   ((uint64_t)256 << 20)
#define USUAL_LENGTH  20
#define USUAL_READS   200000
#define USUAL_LETTERS 150
#define USUAL_K       6
#define USUAL_SUBS    512 /* sub-queries */

/* NaN if the profile cannot predict the workload; NaN is not below any time. */
static double seconds_of(tms_context *ctx, const tms_profile *profile, const tms_workload *w)
{
    tms_prediction p;
    return tms_model_predict(ctx, profile, w, TMS_FORM_EXTENDED, &p) == TMS_OK ? p.seconds : NAN;
}

/* Tests whether a warp per string is clearly faster, for building and for queries. */
static int warp_wins(tms_context *ctx, const tms_profile *profile, uint32_t k)
{
    static const tms_op ops[] = {TMS_OP_BUILD, TMS_OP_QUERY_PRESENT};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        tms_workload w = {.app = TMS_APP_STRINGS,
                          .op = ops[i],
                          .layout = TMS_LAYOUT_CLASSIC,
                          .k = k,
                          .m_bits = 8 * USUAL_BYTES,
                          .n = 8 * USUAL_BYTES / k,
                          .D = (1u << 28) / k,
                          .length = USUAL_LENGTH,
                          .threads = 1};
        const double thread = seconds_of(ctx, profile, &w);
        w.threads = 32;
        if (!(seconds_of(ctx, profile, &w) < CLEARLY * thread))
            return 0;
    }
    return 1;
}

static uint32_t warp_from_k(tms_context *ctx, const tms_profile *profile)
{
    uint32_t from = MOST_K + 1;
    for (uint32_t k = MOST_K; k >= 1 && warp_wins(ctx, profile, k); k /= 2)
        from = k;
    return from;
}

static uint32_t reads_blocks(tms_context *ctx, const tms_profile *profile)
{
    const uint32_t all = profile->machine.n_multiprocessors;
    uint32_t best = 0;
    double best_seconds = 0;
    for (uint32_t blocks = 4; blocks <= 128; blocks *= 2) {
        const tms_workload w = {.app = TMS_APP_CLASSIFY,
                                .op = TMS_OP_QUERY,
                                .n = USUAL_BYTES / 3,
                                .m_bits = 8 * USUAL_BYTES,
                                .D = USUAL_READS,
                                .length = USUAL_LETTERS,
                                .blocks = blocks * all};
        const double seconds = seconds_of(ctx, profile, &w);
        if (seconds > 0 && (best == 0 || seconds < CLEARLY * best_seconds)) {
            best = blocks;
            best_seconds = seconds;
        }
    }
    return best;
}

/* Tests whether vectors in shared memory, with the best shape, are faster than rows of all vectors. */
static int shared_wins(tms_context *ctx, const tms_profile *profile, uint64_t m_bits)
{
    tms_prediction p;
    tms_workload w = {.app = TMS_APP_BANK,
                      .op = TMS_OP_QUERY,
                      .place = TMS_PLACE_GLOBAL,
                      .k = USUAL_K,
                      .m_bits = m_bits,
                      .n = m_bits / 8,
                      .D = 1 << 20,
                      .Q = m_bits / 8 * USUAL_SUBS};
    const double rows = seconds_of(ctx, profile, &w);
    w.place = TMS_PLACE_SHARED;
    return rows > 0 && model_best_shape(ctx, profile, &w, &p) == TMS_OK && p.seconds < CLEARLY * rows;
}

static uint64_t bank_shared_bits(tms_context *ctx, const tms_profile *profile)
{
    uint64_t most = 0;
    for (uint64_t m_bits = 1 << 14; m_bits <= 8 * profile->machine.shared_bytes_block && shared_wins(ctx, profile, m_bits); m_bits *= 2)
        most = m_bits;
    return most;
}

tms_status tms_model_apply(tms_context *ctx, const tms_profile *profile)
{
    const char *wish = getenv("TAMIS_TUNE");
    tms_machine machine = {0};
    ctx->tuning = (struct tuning){0};
    if ((wish && strcmp(wish, "off") == 0) || !profile || !ctx->gpu)
        return TMS_OK;
    tms_status status = measure_gpu_machine(ctx, &machine); /* the CPU does not matter */
    if (status != TMS_OK)
        return status;
    if (!profile->has_gpu || strcmp(machine.gpu, profile->machine.gpu) != 0)
        return context_fail(ctx, TMS_E_MISMATCH, "the profile is of %s, but this GPU is %s",
                            profile->has_gpu ? profile->machine.gpu : "a machine without a GPU", machine.gpu);
    ctx->tuning.classic_warp_from_k = warp_from_k(ctx, profile);
    ctx->tuning.reads_blocks = reads_blocks(ctx, profile);
    ctx->tuning.bank_shared_bits = bank_shared_bits(ctx, profile);
    return TMS_OK;
}
