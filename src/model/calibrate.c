/* calibrate.c - tms_model_calibrate(): measures every workload of the calibration, and repeats a measurement whose repeats differ much. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu.h"
#include "model/calibration.h"
#include "model/measure.h"
#include "model/profile.h"

#define MUCH       0.15 /* largest accepted spread of repeats, relative to their median */
#define MOST_TURNS 3
#define FEW_UNLIKE 0.03  /* share of measurements that may exceed the profile's spread */
#define SHORT      20e-6 /* seconds; in shorter runs the clock's resolution dominates the spread */

#define SHARE_OF_FREE 8 /* uses 1 / this of the free memory, because other processes use the machine too */

static double spread_of(const tms_measurement *m) { return m->seconds > SHORT ? (m->seconds - m->low) / m->seconds : 0; }

/* Keeps the measurement with the smallest spread. */
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

/* Writes all rows for the machine; with NULL only counts them. */
static size_t list_rows(const tms_machine *machine, int is_quick, struct calibration_row *rows)
{
    size_t n = 0;
    tms_workload w;
    for (int group = 0; group < CALIBRATION_GROUPS; group++)
        for (size_t i = 0; calibration_workload((enum calibration_group)group, i, machine, &w); i++) {
            if (is_quick && !calibration_is_quick((enum calibration_group)group, i))
                continue;
            if (rows)
                rows[n] = (struct calibration_row){.group = (enum calibration_group)group, .index = (uint32_t)i, .w = w};
            n++;
        }
    return n;
}

uint64_t calibration_table_bytes(uint64_t max_bytes, uint64_t free_bytes, int is_quick)
{
    const uint64_t most = max_bytes ? max_bytes : free_bytes / SHARE_OF_FREE;
    uint64_t bytes = is_quick ? CALIBRATION_QUICK_BYTES : CALIBRATION_CPU_BYTES;
    while (bytes > most)
        bytes /= 2;
    return bytes;
}

/* Halves the table until its allocation succeeds. */
static tms_status create_table(tms_context *ctx, uint64_t bytes, struct measure_table *out)
{
    tms_status status = TMS_E_MEMORY;
    for (*out = (struct measure_table){0}; status == TMS_E_MEMORY && bytes > MEASURE_OWN_BYTES; bytes /= 2)
        status = measure_table_create(ctx, bytes, out);
    return status == TMS_E_MEMORY ? TMS_OK : status;
}

/* CPU tables and filters are limited to the allowed size; the smallest are always included. */
static int is_too_large(const struct calibration_row *row, const struct measure_table *table)
{
    return row->w.on_cpu && row->w.m_bits / 8 > MEASURE_OWN_BYTES && row->w.m_bits / 8 > table->bytes;
}

/* Skips tables larger than the free memory; their curve ends earlier. */
static int may_fail(const struct calibration_row *row)
{
    return row->w.app == TMS_APP_RANDOM || row->w.app == TMS_APP_STRINGS || row->w.app == TMS_APP_CLASSIFY;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double calibration_spread(double *spreads, size_t n)
{
    qsort(spreads, n, sizeof *spreads, ascending);
    return n > 0 ? spreads[n - 1 - (size_t)(FEW_UNLIKE * (double)n)] : 0;
}

/* A run of the calibration: planned and completed seconds, and the progress callback. */
struct calibration_run {
    struct calibration_row *rows;
    double *spreads;
    size_t n;
    struct measure_table table;
    double planned, done;
    tms_model_progress *progress;
    void *arg;
};

static void tell(struct calibration_run *run, double seconds)
{
    run->done += seconds;
    if (run->progress)
        run->progress(run->arg, fmin(run->done / run->planned, 0.999));
}

static tms_status measure_rows(tms_context *ctx, struct calibration_run *run, tms_profile *profile)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < run->n; i++) {
        struct calibration_row *row = &run->rows[i];
        if (is_too_large(row, &run->table))
            continue;
        tms_status status = measure_row(ctx, &run->table, row);
        tell(run, calibration_seconds(&row->w));
        if (status == TMS_E_MEMORY && may_fail(row))
            continue;
        if (status != TMS_OK)
            return status;
        run->spreads[n_kept] = spread_of(&row->m);
        run->rows[n_kept++] = *row;
    }
    profile->spread = calibration_spread(run->spreads, n_kept);
    profile->reliable = n_kept > 0 && profile->spread <= MUCH;
    run->n = n_kept;
    return TMS_OK;
}

/* Called when the table exists, which determines the rows that are too large. */
static double plan_seconds(const struct calibration_run *run)
{
    double sum = 0;
    for (size_t i = 0; i < run->n; i++)
        sum += is_too_large(&run->rows[i], &run->table) ? 0 : calibration_seconds(&run->rows[i].w);
    return sum;
}

static tms_status measure_machine(tms_context *ctx, uint64_t max_bytes, int is_quick, struct calibration_run *run, tms_profile *out)
{
    const uint64_t bytes = calibration_table_bytes(max_bytes, measure_memory_free(), is_quick);
    tms_status status = TMS_OK;
    if (out->has_gpu) {
        out->values[PROFILE_GPU_START] = gpu_start_seconds();
        status = measure_gpu_overheads(ctx, &out->values[PROFILE_LAUNCH], &out->values[PROFILE_COPY_IN], &out->values[PROFILE_COPY_OUT]);
    }
    if (status == TMS_OK)
        status = create_table(ctx, bytes, &run->table);
    run->done = (double)run->table.bytes * CALIBRATION_A_BYTE;
    run->planned = run->done + plan_seconds(run) + CALIBRATION_BLASTP;
    if (status == TMS_OK)
        status = measure_rows(ctx, run, out);
    if (status == TMS_OK)
        calibration_fit(run->rows, run->n, out);
    measure_table_free(&run->table);
    return status;
}

static tms_status calibrate(tms_context *ctx, uint64_t max_bytes, int is_quick, tms_profile *out, tms_model_progress *progress, void *arg)
{
    const struct tuning tuning = ctx->tuning;
    memset(out, 0, sizeof *out);
    tms_status status = tms_model_machine(ctx, &out->machine);
    if (status != TMS_OK)
        return status;
    struct calibration_run run = {.n = list_rows(&out->machine, is_quick, NULL), .progress = progress, .arg = arg};
    run.rows = malloc(run.n * sizeof *run.rows);
    run.spreads = malloc(run.n * sizeof *run.spreads);
    out->has_cpu = 1;
    out->has_gpu = out->machine.n_multiprocessors > 0;
    if (run.rows && run.spreads) {
        (void)list_rows(&out->machine, is_quick, run.rows);
        ctx->tuning = (struct tuning){0}; /* calibrate with the default shapes, which the model assumes if none is given */
        status = measure_machine(ctx, max_bytes, is_quick, &run, out);
        ctx->tuning = tuning;
    } else {
        status = context_fail_memory(ctx, "the measurements of a calibration", run.n * (sizeof *run.rows + sizeof *run.spreads));
    }
    free(run.rows);
    free(run.spreads);
    if (status == TMS_OK) /* last, because memory that the allocator keeps afterwards is not free for tables */
        status = measure_blastp(ctx, &out->values[PROFILE_BLASTP_CPU], &out->values[PROFILE_BLASTP_GPU]);
    if (status == TMS_OK && progress)
        progress(arg, 1);
    return status;
}

tms_status tms_model_calibrate(tms_context *ctx, uint64_t max_bytes, tms_profile *out, tms_model_progress *progress, void *arg)
{
    return calibrate(ctx, max_bytes, 0, out, progress, arg);
}

tms_status tms_model_calibrate_quick(tms_context *ctx, uint64_t max_bytes, tms_profile *out, tms_model_progress *progress, void *arg)
{
    return calibrate(ctx, max_bytes, 1, out, progress, arg);
}
