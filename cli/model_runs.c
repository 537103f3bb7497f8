#include "model_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *word(const model_table *t, size_t row, const char *column)
{
    const char *cell = model_table_text(t, row, column);

    return cell != NULL ? cell : "";
}

static void read_sweep(model_table *t, size_t row, model_run *run)
{
    *run = (model_run){.table = t,
                       .sweep = word(t, row, "sweep"),
                       .app = word(t, row, "app"),
                       .op = word(t, row, "op"),
                       .place = word(t, row, "place"),
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

static void read_bank(model_table *t, size_t row, model_run *run)
{
    *run = (model_run){.table = t,
                       .sweep = word(t, row, "fig"),
                       .app = "bank",
                       .op = "query",
                       .place = word(t, row, "schedule"),
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

int model_run_read(model_table *t, size_t row, model_run *run)
{
    if (model_table_text(t, row, "sweep") != NULL)
        read_sweep(t, row, run);
    else if (model_table_text(t, row, "schedule") != NULL)
        read_bank(t, row, run);
    else
        return 0;
    return 1;
}

double model_run_tests(const model_run *run) { return run->Q > 0 && run->n > 0 ? run->D * (run->Q / run->n) : run->D; }

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

double model_run_f_sched(const model_run *run, double blocks)
{
    double at_once = run->active_blocks * model_table_multiprocessors(run->table);

    return at_once > 0 && blocks > 0 ? ceil(blocks / at_once) * at_once / blocks : NAN;
}

int model_run_in_b_opt(const model_run *run) { return model_run_f_sched(run, run->blocks) == 1; }

int model_run_may_be_in_b_opt(const model_run *run) { return !(model_run_f_sched(run, run->blocks) > 1); }

static double r_squared(const double *predicted, const double *y, size_t n)
{
    double mean = 0, residual = 0, variance = 0;

    for (size_t i = 0; i < n; i++)
        mean += y[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        residual += (y[i] - predicted[i]) * (y[i] - predicted[i]);
        variance += (y[i] - mean) * (y[i] - mean);
    }
    return variance > 0 ? 1 - residual / variance : NAN;
}

model_fit model_fit_line(const double *x, const double *y, size_t n, int through_zero)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, residual = 0, variance = 0;
    model_fit fit = {NAN, NAN, NAN};

    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double from_x = through_zero ? x[i] : x[i] - mean_x, from_y = through_zero ? y[i] : y[i] - mean_y;
        xx += from_x * from_x;
        xy += from_x * from_y;
        variance += (y[i] - mean_y) * (y[i] - mean_y);
    }
    if (!(xx > 0))
        return fit;
    fit.a1 = xy / xx;
    fit.a0 = through_zero ? 0 : mean_y - fit.a1 * mean_x;
    for (size_t i = 0; i < n; i++) {
        double rest = y[i] - fit.a1 * x[i] - fit.a0;
        residual += rest * rest;
    }
    fit.r2 = variance > 0 ? 1 - residual / variance : NAN;
    return fit;
}

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

    return x < y ? -1 : x > y;
}

model_errors_of model_errors(const double *predicted, const double *measured, double *errors, size_t n)
{
    model_errors_of of = {n, NAN, NAN, NAN};

    if (n == 0)
        return of;
    for (size_t i = 0; i < n; i++)
        errors[i] = (predicted[i] - measured[i]) / measured[i];
    qsort(errors, n, sizeof *errors, by_size);
    of.r2 = r_squared(predicted, measured, n);
    of.median = n % 2 ? fabs(errors[n / 2]) : (fabs(errors[n / 2 - 1]) + fabs(errors[n / 2])) / 2;
    of.worst = fabs(errors[n - 1]);
    return of;
}

double model_fpr(double m_bits, double k, double n) { return pow(-expm1(k * n * log1p(-1 / m_bits)), k); }
