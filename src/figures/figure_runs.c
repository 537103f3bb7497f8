#include "figures/figure_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hash/bloom_fpr.h"
#include "model/least_squares.h"

static const char *word(const model_table *t, size_t row, const char *column)
{
    const char *cell = model_table_text(t, row, column);

    return cell != NULL ? cell : "";
}

static void read_sweep(model_table *t, size_t row, figure_run *run)
{
    *run = (figure_run){.table = t,
                        .sweep = word(t, row, "sweep"),
                        .app = word(t, row, "app"),
                        .op = word(t, row, "op"),
                        .place = word(t, row, "place"),
                        .layout = word(t, row, "layout"),
                        .is_sweep = 1,
                        .k = model_table_number_if(t, row, "k"),
                        .m_bits = model_table_number(t, row, "m_bits"),
                        .n = model_table_number_if(t, row, "n"),
                        .D = model_table_number(t, row, "D"),
                        .Q = model_table_number_if(t, row, "Q"),
                        .length = model_table_number_if(t, row, "length"),
                        .blocks = model_table_number_if(t, row, "blocks"),
                        .threads = model_table_number_if(t, row, "threads"),
                        .active_blocks = model_table_number_if(t, row, "active_blocks"),
                        .seconds = model_table_number(t, row, "seconds"),
                        .low = model_table_number_if(t, row, "low"),
                        .high = model_table_number_if(t, row, "high"),
                        .fpr = model_table_number_if(t, row, "fpr"),
                        .predicted = model_table_number_if(t, row, "predicted_seconds"),
                        .predicted_paper = model_table_number_if(t, row, "predicted_paper_seconds")};
    run->is_papers = strcmp(run->app, "bank") == 0 && strcmp(run->place, "shared") == 0;
}

static void read_bank(model_table *t, size_t row, figure_run *run)
{
    *run = (figure_run){.table = t,
                        .sweep = word(t, row, "fig"),
                        .app = "bank",
                        .op = "query",
                        .place = word(t, row, "schedule"),
                        .layout = "",
                        .k = model_table_number(t, row, "k"),
                        .m_bits = model_table_number(t, row, "m_bits"),
                        .n = model_table_number(t, row, "n"),
                        .D = model_table_number(t, row, "w_mers"),
                        .length = NAN,
                        .blocks = model_table_number_if(t, row, "blocks"),
                        .threads = model_table_number_if(t, row, "threads"),
                        .active_blocks = model_table_number_if(t, row, "active_blocks"),
                        .seconds = model_table_number(t, row, "seconds"),
                        .low = NAN,
                        .high = NAN,
                        .fpr = NAN,
                        .predicted = NAN,
                        .predicted_paper = NAN};
    run->Q = run->n * model_table_number(t, row, "sub_queries");
    run->is_papers = strcmp(run->place, "shared, passes") == 0;
}

int figure_run_read(model_table *t, size_t row, figure_run *run)
{
    if (model_table_text(t, row, "sweep") != NULL)
        read_sweep(t, row, run);
    else if (model_table_text(t, row, "schedule") != NULL)
        read_bank(t, row, run);
    else
        return 0;
    return 1;
}

/* Converts a number of a table to a parameter of a workload; 0, "does not apply", if it is out of range. */
static uint64_t whole(double value, double most) { return value >= 0 && value <= most ? (uint64_t)value : 0; }

/* Returns 0 if the model does not cover the run. */
static int workload_of(const figure_run *run, tms_workload *w)
{
    int app = TMS_APP_RANDOM, op = TMS_OP_READ4;

    while (app <= TMS_APP_CLASSIFY && strcmp(run->app, tms_app_name((tms_app)app)) != 0)
        app++;
    while (op <= TMS_OP_BUILD && strcmp(run->op, tms_op_name((tms_op)op)) != 0)
        op++;
    *w = (tms_workload){.app = (tms_app)app,
                        .op = (tms_op)op,
                        .on_cpu = strcmp(run->place, "cpu") == 0,
                        .place = run->is_papers || strcmp(run->place, "shared") == 0 ? TMS_PLACE_SHARED : TMS_PLACE_GLOBAL,
                        .layout = strcmp(run->layout, "blocked") == 0 ? TMS_LAYOUT_BLOCKED : TMS_LAYOUT_CLASSIC,
                        .k = (uint32_t)whole(run->k, UINT32_MAX),
                        .m_bits = whole(run->m_bits, 0x1p62),
                        .n = whole(run->n, 0x1p62),
                        .D = whole(run->D, 0x1p62),
                        .Q = whole(run->Q, 0x1p62),
                        .length = (uint32_t)whole(run->length, UINT32_MAX),
                        .blocks = (uint32_t)whole(run->blocks, UINT32_MAX),
                        .threads = (uint32_t)whole(run->threads, UINT32_MAX)};
    if (w->on_cpu) {
        w->n_threads_cpu = w->threads;
        w->threads = w->blocks = 0;
    }
    return app <= TMS_APP_CLASSIFY && op <= TMS_OP_BUILD && (run->is_sweep || run->is_papers);
}

static double predicted_by(const tms_workload *w, uint32_t form, tms_context *ctx, const tms_profile *profile)
{
    tms_prediction prediction;

    return tms_model_predict(ctx, profile, w, form, &prediction) == TMS_OK && prediction.seconds > 0 ? prediction.seconds : NAN;
}

int figure_run_predict(figure_run *run, tms_context *ctx, const tms_profile *profile)
{
    tms_workload w;
    int is_known = workload_of(run, &w);

    run->predicted_paper = is_known ? predicted_by(&w, TMS_FORM_PAPER, ctx, profile) : NAN;
    run->predicted = is_known ? predicted_by(&w, TMS_FORM_EXTENDED, ctx, profile)
                              : NAN; /* the last call, so that the context keeps its message */
    return isfinite(run->predicted);
}

double figure_run_tests(const figure_run *run) { return run->Q > 0 && run->n > 0 ? run->D * (run->Q / run->n) : run->D; }

double model_table_multiprocessors(const model_table *t)
{
    const char *note = model_table_note(t, "machine");
    double n;

    return note != NULL && sscanf(note, "%lf multiprocessors", &n) == 1 && n >= 1 ? n : NAN;
}

double model_table_cache(const model_table *t, const char *name)
{
    const char *note = model_table_note(t, "machine");
    size_t length = strlen(name);
    double bytes;

    for (const char *at = note; at != NULL && (at = strstr(at, name)) != NULL; at += length) {
        if ((at == note || at[-1] == ' ') && sscanf(at + length, " %lf bytes", &bytes) == 1 && bytes > 0)
            return bytes;
    }
    return NAN;
}

double figure_run_f_sched(const figure_run *run, double blocks)
{
    double at_once = run->active_blocks * model_table_multiprocessors(run->table);

    return at_once > 0 && blocks > 0 ? ceil(blocks / at_once) * at_once / blocks : NAN;
}

int figure_run_in_b_opt(const figure_run *run) { return figure_run_f_sched(run, run->blocks) == 1; }

int figure_run_may_be_in_b_opt(const figure_run *run) { return !(figure_run_f_sched(run, run->blocks) > 1); }

model_fit model_fit_line(const double *x, const double *y, size_t n, int through_zero)
{
    struct least_squares equations;
    double coefficients[2] = {0, 0}, mean = 0, variance = 0;
    model_fit fit = {NAN, NAN, NAN};

    least_squares_begin(&equations, through_zero ? 1 : 2);
    for (size_t i = 0; i < n; i++) {
        double terms[2] = {x[i], 1};
        least_squares_add(&equations, terms, y[i], 1);
        mean += y[i] / (double)n;
    }
    if (!least_squares_solve(&equations, coefficients))
        return fit;
    for (size_t i = 0; i < n; i++)
        variance += (y[i] - mean) * (y[i] - mean);
    fit = (model_fit){coefficients[0], coefficients[1], variance > 0 ? 1 - equations.residual2 / variance : NAN};
    return fit;
}

double model_fpr(double m_bits, double k, double n)
{
    if (!(m_bits >= 1 && m_bits < 1e18 && k >= 1 && k < 1e9 && n >= 0 && n < 1e18))
        return NAN;
    return bloom_fpr((uint64_t)n, (uint64_t)m_bits, (uint32_t)k);
}
