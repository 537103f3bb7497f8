/*
 * figures_memory.c - random accesses and read classification: [Ma12, Figs. 3 to 6, 9]; and the errors of predictions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figure_parts.h"

enum { CURVE_POINTS = 120 };

static int is_sweep(const figure_run *run, const char *sweep)
{
    return run->is_sweep && strcmp(run->sweep, sweep) == 0 && run->seconds > 0;
}

static double rate(const figure_run *run, double seconds, double unit) { return seconds > 0 ? run->D / seconds / unit : NAN; }

/* The series of this kind with this title; a new one gets the number of such series before it as its look. */
static chart_series *numbered(chart *c, chart_how how, const char *title)
{
    int n = 0;

    for (size_t i = 0; i < c->n_series; i++) {
        if (c->series[i].how != how)
            continue;
        if (strcmp(c->series[i].title, title) == 0)
            return &c->series[i];
        n++;
    }
    return figure_series(c, how, n, "%s", title);
}

/* ---- over blocks and threads ---------------------------------------------------------------------------------------------------- */

static int want_random_blocks(const figure_run *run, const model_figure *figure)
{
    int is_papers = run->m_bits <= 8 * 32768 && strcmp(run->op, "read4") == 0;

    return is_sweep(run, "random-blocks") && strcmp(run->place, "cpu") != 0 && run->blocks > 0 &&
           (figure->m_bits > 0 ? is_papers && run->m_bits == figure->m_bits : !is_papers);
}

static int want_random_threads(const figure_run *run, const model_figure *figure)
{
    (void)figure;
    return is_sweep(run, "random-threads") && run->threads > 0 && strcmp(run->place, "cpu") != 0;
}

/* Adds a run to a curve's points and to the lines of both forms of the model, which have the look of the points. */
static void add_run(chart *c, const figure_run *run, const char *title, double x, double unit)
{
    chart_series *points = numbered(c, CHART_POINTS, title);
    double seconds[] = {run->predicted, run->predicted_paper};

    if (points == NULL)
        return;
    points->size = 0.65;
    chart_put(c, points, x, rate(run, run->seconds, unit), rate(run, run->high, unit), rate(run, run->low, unit));
    for (int i = 0; i < 2; i++) {
        chart_series *line;
        if (!isfinite(seconds[i]))
            continue;
        line = figure_series(c, CHART_LINE, points->look, "%s %d", title, i);
        if (line == NULL)
            return;
        line->dash = i; /* the papers' form */
        chart_put(c, line, x, rate(run, seconds[i], unit), NAN, NAN);
    }
}

static const char *access_of(const figure_run *run)
{
    return strcmp(run->op, "or") == 0 ? "atomic OR" : strcmp(run->op, "read32") == 0 ? "32 bytes read" : "4 bytes read";
}

static const char *memory_of(const figure_run *run) { return strcmp(run->place, "shared") == 0 ? "shared memory" : "global memory"; }

void figure_random_blocks(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_random_blocks, c, &runs);
    char word[FIGURE_WORD], title[CHART_NAME];

    for (size_t i = 0; i < n; i++) {
        if (in->figure->m_bits > 0)
            snprintf(title, sizeof title, "%s, T_r = %s", memory_of(&runs[i]), figure_count(runs[i].threads, word));
        else
            snprintf(title, sizeof title, "%s, %s, T_r = %.0f", access_of(&runs[i]), figure_bytes(runs[i].m_bits / 8, word),
                     runs[i].threads);
        add_run(c, &runs[i], title, runs[i].blocks, 1e9);
    }
    if (n > 0) {
        figure_shorten_key(c);
        figure_axes(c, "requested blocks (B_r)", in->figure->m_bits > 0 ? "G accesses of 4 bytes a second" : "G accesses a second");
        c->y_from_zero = 1;
    }
    if (n > 0 && in->figure->m_bits == 0)
        figure_title(c, runs->table, "Throughput of random accesses over requested blocks");
    if (n > 0 && in->figure->m_bits > 0)
        figure_title(c, runs->table, "Throughput of random accesses over requested blocks, m = %s   [Ma12, Fig. %.0f]",
                     figure_bytes(in->figure->m_bits / 8, word), in->figure->other);
    free(runs);
}

void figure_random_threads(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_random_threads, c, &runs);
    char word[FIGURE_WORD], title[CHART_NAME];
    double fewest = INFINITY;

    for (size_t i = 0; i < n; i++)
        fewest = fmin(fewest, runs[i].blocks);
    for (size_t i = 0; i < n; i++) {
        snprintf(title, sizeof title, "%s, %s, %s, %s", runs[i].place, figure_bytes(runs[i].m_bits / 8, word), access_of(&runs[i]),
                 runs[i].blocks == fewest ? "1 block" : "B_a blocks");
        add_run(c, &runs[i], title, runs[i].threads, 1e9);
    }
    if (n > 0) {
        figure_shorten_key(c);
        figure_title(c, runs->table, "Throughput of random accesses over threads of a block");
        figure_axes(c, "threads of a block (T_r); one block a multiprocessor, or as many as fit (B_a)", "G accesses a second");
        c->y_from_zero = 1;
    }
    free(runs);
}

/* ---- caches: Figs. 5 and 6 ------------------------------------------------------------------------------------------------------ */

static int want_random_size(const figure_run *run, const model_figure *figure)
{
    (void)figure;
    return is_sweep(run, "random-size") && run->m_bits > 0 && strcmp(run->place, "global") == 0;
}

void figure_random_size(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_random_size, c, &runs);
    char word[FIGURE_WORD];

    for (size_t i = 0; i < n; i++) {
        double scale = runs[0].D / runs[i].D * 1e3, seconds[] = {runs[i].predicted, runs[i].predicted_paper}, x = runs[i].m_bits / 8;
        chart_series *points = numbered(c, CHART_POINTS, access_of(&runs[i])), *line;
        if (points == NULL)
            break;
        chart_put(c, points, x, runs[i].seconds * scale, runs[i].low * scale, runs[i].high * scale);
        for (int form = 0; form < 2; form++) {
            if (!isfinite(seconds[form]))
                continue;
            line = figure_series(c, CHART_LINE, points->look, "%s %d", access_of(&runs[i]), form);
            if (line == NULL)
                break;
            line->dash = form;
            chart_put(c, line, x, seconds[form] * scale, NAN, NAN);
        }
    }
    if (n > 0) {
        figure_shorten_key(c);
        figure_title(c, runs->table, "Time of random accesses over the size of the table: what caches do   [Ma12, Fig. 6]");
        snprintf(c->y_label, sizeof c->y_label, "milliseconds for %s accesses", figure_count(runs->D, word));
        snprintf(c->x_label, sizeof c->x_label, "m, bytes of the table");
        c->log_x = 2;
        c->x_bytes = 1;
        c->y_from_zero = 1;
    }
    free(runs);
}

static int want_cpu(const figure_run *run, const model_figure *figure)
{
    (void)figure;
    return run->is_sweep && strcmp(run->app, "random") == 0 && strcmp(run->place, "cpu") == 0 && run->seconds > 0 && run->m_bits > 0;
}

/* Sets the subtitle to the CPU, for tables that name a GPU too. */
static void name_cpu(chart *c, const model_table *table)
{
    const char *cpu = model_table_note(table, "cpu"), *date = model_table_note(table, "date");

    if (cpu != NULL)
        snprintf(c->subtitle, sizeof c->subtitle, "%s%s%.10s", cpu, date != NULL ? ", " : "", date != NULL ? date : "");
}

/* The same for the CPU: a curve for each kind of access and number of threads. */
void figure_random_cpu(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_cpu, c, &runs);
    char title[CHART_NAME];

    for (size_t i = 0; i < n; i++) {
        snprintf(title, sizeof title, "%s, %.0f thread%s", access_of(&runs[i]), runs[i].threads, runs[i].threads == 1 ? "" : "s");
        add_run(c, &runs[i], title, runs[i].m_bits / 8, 1e9);
    }
    if (n > 0) {
        figure_shorten_key(c);
        figure_title(c, runs->table, "Throughput of random accesses of the CPU over the size of the table");
        name_cpu(c, runs->table);
        figure_axes(c, "m, bytes of the table", "G accesses a second");
        c->log_x = 2;
        c->x_bytes = 1;
        c->log_y = 10;
    }
    free(runs);
}

/* [Ma12, eqs. 9 and 10] for one cache */
static void add_cache(chart *c, const char *name, double bytes, double low, double high, int look)
{
    char word[FIGURE_WORD];
    chart_series *hits = figure_series(c, CHART_LINE, look, "%s (%s): hits, eq. 9", name, figure_bytes(bytes, word));
    chart_series *misses = figure_series(c, CHART_LINE, look, "%s: misses, eq. 10", name);

    for (int i = 0; i <= CURVE_POINTS; i++) {
        double m = low * pow(high / low, (double)i / CURVE_POINTS), r_H = fmin(1, bytes / m);
        chart_put(c, hits, m, r_H, NAN, NAN);
        chart_put(c, misses, m, 1 - r_H, NAN, NAN);
    }
    if (misses != NULL)
        misses->dash = 1;
}

/* Adds hit rates counted by a profiler, if the table has a column for them. */
static void add_counted(chart *c, model_table *t, const char *name, const char *column, int look)
{
    chart_series *s;
    figure_run run;

    for (size_t row = 0; row < t->n_rows; row++) {
        double rate = model_table_number_if(t, row, column);
        if (!isfinite(rate) || !figure_run_read(t, row, &run) || !want_random_size(&run, NULL) || strcmp(run.op, "read4") != 0)
            continue;
        s = figure_series(c, CHART_POINTS, look, "%s: hits, counted", name);
        chart_put(c, s, run.m_bits / 8, rate, NAN, NAN);
    }
}

/* Adds the share of accesses that miss both caches, estimated from the times: 0 for the fastest table, 1 for the slowest. */
static void add_by_time(chart *c, const figure_run *runs, size_t n)
{
    chart_series *s = figure_series(c, CHART_POINTS, 0, "by time: (t − least t) / (greatest t − least t)");
    double least = INFINITY, greatest = 0;

    for (size_t i = 0; i < n; i++) {
        if (strcmp(runs[i].op, "read4") != 0)
            continue;
        least = fmin(least, runs[i].seconds / runs[i].D);
        greatest = fmax(greatest, runs[i].seconds / runs[i].D);
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(runs[i].op, "read4") == 0 && greatest > least)
            chart_put(c, s, runs[i].m_bits / 8, (runs[i].seconds / runs[i].D - least) / (greatest - least), NAN, NAN);
    }
    if (s != NULL)
        s->hollow = 1;
}

void figure_hit_rates(const figure_inputs *in, chart *c)
{
    static const struct {
        const char *name, *column;
        int look;
    } caches[] = {{"L1", "l1_hit_rate", 1}, {"L2", "l2_hit_rate", 3}};
    figure_run *runs;
    size_t n = figure_runs(in, want_random_size, c, &runs);
    double low = INFINITY, high = 0;

    for (size_t i = 0; i < n; i++) {
        low = fmin(low, runs[i].m_bits / 8);
        high = fmax(high, runs[i].m_bits / 8);
    }
    for (size_t i = 0; i < sizeof caches / sizeof *caches && n > 0; i++) {
        double bytes = model_table_cache(runs->table, caches[i].name);
        if (isfinite(bytes))
            add_cache(c, caches[i].name, bytes, low, high, caches[i].look);
        for (size_t t = 0; t < in->n_tables; t++)
            add_counted(c, in->tables[t], caches[i].name, caches[i].column, caches[i].look);
    }
    if (n > 0) {
        add_by_time(c, runs, n);
        figure_title(c, runs->table, "Hit and miss rates of the caches over the size of the table   [Ma12, Fig. 5]");
        figure_axes(c, "m, bytes of the table", "share of the accesses");
        c->log_x = 2;
        c->x_bytes = 1;
        c->y_from_zero = 1;
        c->y_high = 1.05;
    }
    free(runs);
}

/* ---- read classification: Fig. 9 ------------------------------------------------------------------------------------------------- */

static int want_classify(const figure_run *run, const model_figure *figure)
{
    (void)figure;
    return is_sweep(run, "classify") && run->blocks > 0 && strcmp(run->place, "cpu") != 0;
}

/* Adds rows of `tamis-bench words`: "fig9: query", "cuda 12 blocks". */
static void add_words(const figure_inputs *in, chart *c)
{
    for (size_t i = 0; i < in->n_tables; i++) {
        model_table *t = in->tables[i];
        for (size_t row = 0; row < t->n_rows; row++) {
            const char *what = model_table_text(t, row, "what"), *backend = model_table_text(t, row, "backend");
            double blocks;
            if (what == NULL || backend == NULL || strcmp(what, "fig9: query") != 0 || sscanf(backend, "cuda %lf blocks", &blocks) != 1)
                continue;
            chart_put(c, figure_series(c, CHART_POINTS, 0, "measured"), blocks, model_table_number(t, row, "M_keys_per_s") / 1e3, NAN, NAN);
            if (c->title[0] == '\0')
                figure_title(c, t, "Throughput of read classification over requested blocks   [Ma12, Fig. 9]");
        }
    }
    figure_axes(c, "requested blocks (B_r)", "G w-mers a second");
}

void figure_classify(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_classify, c, &runs);
    char word[FIGURE_WORD], title[CHART_NAME];

    for (size_t i = 0; i < n; i++) {
        snprintf(title, sizeof title, "filter of %s", figure_bytes(runs[i].m_bits / 8, word));
        add_run(c, &runs[i], title, runs[i].blocks, 1e6);
    }
    if (n > 0) {
        figure_shorten_key(c);
        figure_title(c, runs->table, "Throughput of read classification over requested blocks   [Ma12, Fig. 9]");
        figure_axes(c, "requested blocks (B_r)", "M reads a second");
    } else {
        add_words(in, c);
    }
    c->log_x = 10;
    c->x_thousands = 1;
    c->y_from_zero = 1;
    free(runs);
}

/* ---- strings -------------------------------------------------------------------------------------------------------------------- */

static int want_strings(const figure_run *run, const model_figure *figure)
{
    return is_sweep(run, figure->name) && run->k > 0 && strcmp(run->place, "cpu") != 0;
}

void figure_sweep_strings(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_strings, c, &runs);
    char word[FIGURE_WORD];

    for (size_t i = 0; i < n; i++)
        add_run(c, &runs[i], figure_bytes(runs[i].m_bits / 8, word), runs[i].k, 1e9);
    if (n > 0) {
        figure_shorten_key(c);
        figure_title(c, runs->table, "Classic filters of strings: %s",
                     strcmp(in->figure->name, "strings-build") == 0   ? "building"
                     : strcmp(in->figure->name, "strings-query") == 0 ? "queries of missing strings"
                                                                      : "queries of present strings");
        figure_axes(c, "k, hash functions; a curve for each size of the filter", "G strings a second");
        c->log_x = c->log_y = 10;
        c->x_thousands = 1;
    }
    free(runs);
}

/* ---- all sweeps ------------------------------------------------------------------------------------------------------------------ */

static int is_of_cpu(const figure_run *run) { return strcmp(run->place, "cpu") == 0; }

/* Sweeps of the GPU, or of the CPU if `other` is not 0. */
static int want_device(const figure_run *run, const model_figure *figure)
{
    return run->is_sweep && run->seconds > 0 && is_of_cpu(run) == (figure->other != 0);
}

static void add_ratio(chart *c, double low, double high, double ratio, const char *title)
{
    chart_series *line = chart_add(c, CHART_LINE, title);

    if (line == NULL)
        return;
    line->look = CHART_GREY;
    line->dash = ratio != 1;
    chart_put(c, line, low, ratio, NAN, NAN);
    chart_put(c, line, high, ratio, NAN, NAN);
}

void figure_check(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_device, c, &runs);
    double low = INFINITY, high = 0;

    for (size_t i = 0; i < n; i++) {
        double predicted = runs[i].predicted;
        chart_series *s = predicted > 0 ? numbered(c, CHART_POINTS, runs[i].sweep) : NULL;
        if (s == NULL)
            continue;
        s->hollow = s->look % 2;
        s->size = 0.6;
        chart_put(c, s, predicted, runs[i].seconds / predicted, NAN, NAN);
        low = fmin(low, predicted);
        high = fmax(high, predicted);
    }
    if (high > 0) {
        add_ratio(c, low, high, 1, "as predicted");
        add_ratio(c, low, high, 1.2, "20 % more, 20 % less");
        add_ratio(c, low, high, 0.8, "");
        figure_title(c, runs->table, "Measured over predicted time, all sweeps of the %s", in->figure->other != 0 ? "CPU" : "GPU");
        if (in->figure->other != 0)
            name_cpu(c, runs->table);
        figure_axes(c, "predicted seconds", "measured / predicted");
        c->log_x = 10;
        c->log_y = 2;
        c->y_ratio = 1;
    }
    free(runs);
}
