/* calibrate.c - tms_model_calibrate(): every workload of the calibration, measured, and again where its repeats differ much. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu.h"
#include "model/calibration.h"
#include "model/measure.h"
#include "model/profile.h"

#define MUCH       0.15 /* by so much may repeats differ, in relation to their median */
#define MOST_TURNS 3
#define FEW_UNLIKE 0.03  /* a machine is reliable if no more of its measurements differ so much after all */
#define SHORT      20e-6 /* seconds; what is shorter differs by the clock's steps */

static double spread_of(const tms_measurement *m) { return m->seconds > SHORT ? (m->seconds - m->low) / m->seconds : 0; }

/* The measurement whose repeats differ least. */
static tms_status measure_row(tms_context *ctx, const struct measure_table *table, struct calibration_row *row)
{
    tms_status status = measure_on_table(ctx, &row->w, 0, table, &row->m);
    for (int turn = 1; turn < MOST_TURNS && status == TMS_OK && spread_of(&row->m) > MUCH; turn++) {
        tms_measurement again;
        status = measure_on_table(ctx, &row->w, 0, table, &again);
        if (status == TMS_OK && spread_of(&again) < spread_of(&row->m))
            row->m = again;
    }
    return status;
}

/* All rows that there are for the machine; NULL counts them. */
static size_t list_rows(const tms_machine *machine, struct calibration_row *rows)
{
    size_t n = 0;
    tms_workload w;
    for (int group = 0; group < CALIBRATION_GROUPS; group++)
        for (size_t i = 0; calibration_workload((enum calibration_group)group, i, machine, &w); i++, n++)
            if (rows)
                rows[n] = (struct calibration_row){.group = (enum calibration_group)group, .index = (uint32_t)i, .w = w};
    return n;
}

/* The largest table of the CPU's curves that there may be; halved until there is memory for it. */
static tms_status create_table(tms_context *ctx, uint64_t max_bytes, struct measure_table *out)
{
    uint64_t bytes = CALIBRATION_CPU_BYTES;
    tms_status status = TMS_E_MEMORY;
    while (bytes > max_bytes)
        bytes /= 2;
    for (*out = (struct measure_table){0}; status == TMS_E_MEMORY && bytes > MEASURE_OWN_BYTES; bytes /= 2)
        status = measure_table_create(ctx, bytes, out);
    return status == TMS_E_MEMORY ? TMS_OK : status;
}

/* Tables and filters on the CPU are as large as was allowed; the smallest ones there are always. */
static int is_too_large(const struct calibration_row *row, const struct measure_table *table)
{
    return row->w.on_cpu && row->w.m_bits / 8 > MEASURE_OWN_BYTES && row->w.m_bits / 8 > table->bytes;
}

/* A table that is larger than what is free is left out: its curve ends before. */
static int may_fail(const struct calibration_row *row)
{
    return row->w.app == TMS_APP_RANDOM || row->w.app == TMS_APP_STRINGS || row->w.app == TMS_APP_CLASSIFY;
}

static tms_status measure_rows(tms_context *ctx, const struct measure_table *table, struct calibration_row *rows, size_t *n,
                               tms_profile *profile, tms_model_progress *progress, void *arg)
{
    size_t n_unlike = 0, n_kept = 0;
    for (size_t i = 0; i < *n; i++) {
        if (is_too_large(&rows[i], table))
            continue;
        tms_status status = measure_row(ctx, table, &rows[i]);
        if (status == TMS_E_MEMORY && may_fail(&rows[i]))
            continue;
        if (status != TMS_OK)
            return status;
        const double spread = spread_of(&rows[i].m);
        n_unlike += spread > MUCH;
        profile->spread = fmax(profile->spread, spread);
        rows[n_kept++] = rows[i];
        if (progress)
            progress(arg, (double)(i + 1) / (double)(*n + 1));
    }
    profile->reliable = n_kept > 0 && (double)n_unlike <= FEW_UNLIKE * (double)n_kept;
    *n = n_kept;
    return TMS_OK;
}

tms_status tms_model_calibrate(tms_context *ctx, uint64_t max_bytes, tms_profile *out, tms_model_progress *progress, void *arg)
{
    const struct tuning tuning = ctx->tuning;
    struct measure_table table = {0};
    memset(out, 0, sizeof *out);
    tms_status status = tms_model_machine(ctx, &out->machine);
    if (status != TMS_OK)
        return status;
    size_t n = list_rows(&out->machine, NULL);
    struct calibration_row *rows = malloc(n * sizeof *rows);
    if (!rows)
        return context_fail_memory(ctx, "the measurements of a calibration", n * sizeof *rows);
    (void)list_rows(&out->machine, rows);
    out->has_cpu = 1;
    out->has_gpu = out->machine.n_multiprocessors > 0;
    ctx->tuning = (struct tuning){0}; /* the fixed shapes are those that the model predicts where none is given */
    if (out->has_gpu) {
        out->values[PROFILE_GPU_START] = gpu_start_seconds();
        status = measure_gpu_overheads(ctx, &out->values[PROFILE_LAUNCH], &out->values[PROFILE_COPY_IN], &out->values[PROFILE_COPY_OUT]);
    }
    if (status == TMS_OK)
        status = create_table(ctx, max_bytes ? max_bytes : measure_memory_free() / 2, &table);
    if (status == TMS_OK)
        status = measure_rows(ctx, &table, rows, &n, out, progress, arg);
    if (status == TMS_OK)
        calibration_fit(rows, n, out);
    ctx->tuning = tuning;
    measure_table_free(&table);
    if (status == TMS_OK) /* at last: what it leaves with the allocator is not free for tables */
        status = measure_blastp(ctx, &out->values[PROFILE_BLASTP_CPU], &out->values[PROFILE_BLASTP_GPU]);
    if (status == TMS_OK && progress)
        progress(arg, 1);
    free(rows);
    return status;
}
