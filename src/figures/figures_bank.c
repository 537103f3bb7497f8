/*
 * figures_bank.c - the bank of filters: [Ma11, Figs. 7 to 18], [Ma12, Fig. 7].
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figure_parts.h"

static int is_bank_of(const figure_run *run, double m_bits)
{
    return strcmp(run->app, "bank") == 0 && run->m_bits == m_bits && run->seconds > 0;
}

/* Does the run belong to this sweep, or to these rows of tamis-bench bank? */
static int is_row(const figure_run *run, const char *sweep, const char *fig)
{
    return run->is_sweep ? strcmp(run->sweep, sweep) == 0 : strncmp(run->sweep, fig, strlen(fig)) == 0;
}

/* ---- time over k and n: Figs. 7 and 8 ------------------------------------------------------------------------------------------ */

static int want_grid(const figure_run *run, const model_figure *figure)
{
    return run->is_papers && is_bank_of(run, figure->m_bits) && is_row(run, "bank", "fig7-8") && run->k > 0 && run->n > 0;
}

/* Keeps the fastest launch for each (k, n, m), and scales all times to the work of the first run. Returns the number of runs kept. */
static size_t keep_best(figure_run *runs, size_t n_runs)
{
    size_t n = 0;

    for (size_t i = 0; i < n_runs; i++) {
        size_t at = 0;
        double scale = runs[0].D * runs[0].Q / (runs[i].D * runs[i].Q);
        figure_run run = runs[i];
        run.seconds *= scale;
        run.low *= scale;
        run.high *= scale;
        run.predicted *= scale;
        run.predicted_paper *= scale;
        run.D = runs[0].D;
        run.Q = runs[0].Q;
        while (at < n && (runs[at].k != run.k || runs[at].n != run.n || runs[at].m_bits != run.m_bits))
            at++;
        if (at == n)
            runs[n++] = run;
        else if (run.seconds < runs[at].seconds)
            runs[at] = run;
    }
    return n;
}

static void describe_job(const figure_run *run, char text[CHART_NAME])
{
    char word[FIGURE_WORD];

    snprintf(text, CHART_NAME, "milliseconds for %s w-mers of the database", figure_count(run->D, word));
}

/* Adds the points of one curve and the line fitted to them: linear in k, or in 1/n. */
static void add_fitted(chart *c, const figure_run *runs, size_t n_runs, int over_n, double value, int look)
{
    char word[FIGURE_WORD], title[CHART_NAME];
    double *x = malloc(2 * (n_runs + 1) * sizeof *x), *y, low = INFINITY, high = 0;
    chart_series *s, *line;
    model_fit fit;
    size_t n = 0;

    if (x == NULL) {
        c->no_memory = 1;
        return;
    }
    y = x + n_runs + 1;
    s = figure_series(c, CHART_POINTS, look, over_n ? "k = %s" : "n = %s", figure_count(value, word));
    for (size_t i = 0; i < n_runs; i++) {
        double at = over_n ? runs[i].n : runs[i].k;
        if ((over_n ? runs[i].k : runs[i].n) != value)
            continue;
        x[n] = over_n ? 1 / at : at;
        y[n++] = runs[i].seconds * 1e3;
        chart_put(c, s, at, runs[i].seconds * 1e3, runs[i].low * 1e3, runs[i].high * 1e3);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    fit = model_fit_line(x, y, n, 0);
    snprintf(title, sizeof title, "fitted, R² = %.4f", fit.r2);
    line = n > 2 ? chart_add(c, CHART_LINE, title) : NULL;
    for (int i = 0; line != NULL && i <= 60; i++) {
        double at = low + (high - low) * i / 60;
        line->look = look;
        chart_put(c, line, at, fit.a0 + fit.a1 * (over_n ? 1 / at : at), NAN, NAN);
    }
    free(x);
}

void figure_over_k(const figure_inputs *in, chart *c)
{
    static const double wanted[] = {10000, 20000, 50000, 100000, 300000};
    figure_run *runs;
    size_t n = figure_runs(in, want_grid, c, &runs);
    char job[CHART_NAME], word[FIGURE_WORD];

    n = keep_best(runs, n);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && n > 0; i++) {
        for (size_t r = 0; r < n; r++) {
            if (runs[r].n != wanted[i])
                continue;
            add_fitted(c, runs, n, 0, wanted[i], (int)i);
            break;
        }
    }
    if (n > 0) {
        figure_title(c, runs->table, "Time of the bank over k, m = %s   [Ma11, Fig. 7]", figure_bits(in->figure->m_bits, word));
        describe_job(runs, job);
        figure_axes(c, "k, hash functions", job);
        c->y_from_zero = 1;
    }
    free(runs);
}

void figure_over_n(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_grid, c, &runs);
    char job[CHART_NAME], word[FIGURE_WORD];
    int look = 0;

    n = keep_best(runs, n);
    for (double k = 2; k <= 64 && n > 0; k += 2) {
        for (size_t r = 0; r < n; r++) {
            if (runs[r].k != k)
                continue;
            add_fitted(c, runs, n, 1, k, look++);
            break;
        }
    }
    if (n > 0) {
        figure_title(c, runs->table, "Time of the bank over n, m = %s   [Ma11, Fig. 8]", figure_bits(in->figure->m_bits, word));
        describe_job(runs, job);
        figure_axes(c, "n, w-mers in a sub-query; the lines are a₁ / n + a₀", job);
        c->x_thousands = 1;
        c->y_from_zero = 1;
    }
    free(runs);
}

static int want_schedule(const figure_run *run, const model_figure *figure)
{
    return is_bank_of(run, figure->m_bits) && !run->is_sweep && is_row(run, "bank", "fig7-8") && run->k == figure->other;
}

void figure_schedules(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_schedule, c, &runs);
    char job[CHART_NAME];

    for (size_t i = 0; i < n; i++) {
        int is_shared = strcmp(runs[i].place, "shared") == 0;
        chart_series *s = figure_series(c, CHART_LINE_POINTS,
                                        runs[i].is_papers ? 0
                                        : is_shared       ? 1
                                                          : 2,
                                        "%s",
                                        runs[i].is_papers ? "the papers': a vector a block, passes"
                                        : is_shared       ? "shared: several vectors a block"
                                                          : "interleaved: rows of all filters");
        if (s != NULL)
            s->dash = s->look;
        chart_put(c, s, runs[i].n, runs[i].seconds * 1e3, NAN, NAN);
    }
    if (n > 0) {
        figure_title(c, runs->table, "Time of the bank over n by schedule, k = %.0f, m = 256 Kbit", in->figure->other);
        describe_job(runs, job);
        figure_axes(c, "n, w-mers in a sub-query", job);
        c->log_x = c->log_y = 10;
        c->x_thousands = 1;
    }
    free(runs);
}

/* ---- throughput over requested blocks: Figs. 9 to 14; [Ma12, Fig. 7] ------------------------------------------------------------- */

static int want_blocks(const figure_run *run, const model_figure *figure)
{
    const char *fig = figure->other == 10                          ? "fig10"
                      : figure->other == 11 || figure->other == 13 ? "fig11"
                      : figure->other == 9                         ? "fig9"
                                                                   : "fig12";

    return run->is_papers && is_bank_of(run, figure->m_bits) && is_row(run, "bank-blocks", fig) && run->blocks > 0 && run->threads > 0 &&
           (!run->is_sweep || (run->n == 50000 && run->k == 6));
}

static double rate_of(const figure_run *run, double seconds) { return seconds > 0 ? figure_run_tests(run) / seconds / 1e9 : NAN; }

/* Marks the peaks, where B_r is in B_opt, by dark circles, and their mean in each curve by a dotted line, as in the paper. */
static void add_peaks(chart *c, const figure_run *runs, size_t n)
{
    chart_series *peaks = figure_series(c, CHART_POINTS, 0, "blocks that fill whole waves (B_opt)"), *line;
    double sums[8] = {0}, counts[8] = {0}, threads[8], highest = 0;
    int n_curves = 0;

    if (peaks == NULL)
        return;
    peaks->size = 1.1;
    for (size_t i = 0; i < n; i++) {
        int curve = 0;
        highest = fmax(highest, runs[i].blocks);
        if (!figure_run_in_b_opt(&runs[i]))
            continue;
        chart_put(c, peaks, runs[i].blocks, rate_of(&runs[i], runs[i].seconds), NAN, NAN);
        while (curve < n_curves && threads[curve] != runs[i].threads)
            curve++;
        if (curve == n_curves && n_curves < 8)
            threads[n_curves++] = runs[i].threads;
        if (curve < 8) {
            sums[curve] += rate_of(&runs[i], runs[i].seconds);
            counts[curve]++;
        }
    }
    if (peaks->n == 0)
        peaks->title[0] = '\0';
    for (int curve = 0; curve < n_curves; curve++) {
        line = chart_add(c, CHART_LINE, "");
        if (line == NULL)
            return;
        line->look = CHART_GREY;
        line->dash = 2;
        chart_put(c, line, 0, sums[curve] / counts[curve], NAN, NAN);
        chart_put(c, line, highest, sums[curve] / counts[curve], NAN, NAN);
    }
}

static void add_predicted(chart *c, const figure_run *run, int look, const char *name)
{
    for (int form = 0; form < 2; form++) {
        double rate = rate_of(run, form == 0 ? run->predicted : run->predicted_paper);
        chart_series *line = isfinite(rate) ? figure_series(c, CHART_LINE, look, "%s%s", name, form == 0 ? "" : ", the papers' form")
                                            : NULL;
        if (line == NULL)
            continue;
        line->dash = form;
        chart_put(c, line, run->blocks, rate, NAN, NAN);
    }
}

static int look_of_threads(double threads) { return threads <= 128 ? 1 : threads <= 256 ? 2 : threads <= 512 ? 3 : 4; }

void figure_blocks(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_blocks, c, &runs);
    char word[FIGURE_WORD];

    for (size_t i = 0; i < n; i++) {
        int look = look_of_threads(runs[i].threads),
            is_alone = !isfinite(runs[i].predicted); /* without a predicted line, connect the points */
        chart_series *s = figure_series(c, is_alone ? CHART_LINE_POINTS : CHART_POINTS, look, "%.0f threads a block", runs[i].threads);
        if (s != NULL)
            s->size = is_alone ? 0.4 : 0.7;
        chart_put(c, s, runs[i].blocks, rate_of(&runs[i], runs[i].seconds), rate_of(&runs[i], runs[i].high),
                  rate_of(&runs[i], runs[i].low));
        snprintf(word, sizeof word, "%.0f threads, predicted", runs[i].threads);
        add_predicted(c, &runs[i], look, word);
    }
    for (size_t i = 0; i < c->n_series; i++)
        chart_sort(&c->series[i]);
    figure_shorten_key(c);
    if (n > 0) {
        add_peaks(c, runs, n);
        figure_title(c, runs->table, "Throughput of the bank over requested blocks, n = 50,000, k = 6, m = %s   [%sMa11, Fig. %.0f]",
                     figure_bits(in->figure->m_bits, word), strchr(in->figure->name, '-') != NULL ? "as " : "", in->figure->other);
        figure_axes(c, "requested blocks (B_r), a sub-query each", "G filter tests a second");
        c->y_from_zero = 1;
    }
    free(runs);
}

static int want_zigzag(const figure_run *run, const model_figure *figure)
{
    return run->is_papers && is_bank_of(run, figure->m_bits) && is_row(run, "bank-blocks", "fig9") && run->threads == 1024 &&
           run->blocks > 0 && (!run->is_sweep || (run->n == 50000 && run->k == 6));
}

static int want_zigzag_larger(const figure_run *run, const model_figure *figure)
{
    (void)figure;
    return run->is_papers && run->seconds > 0 && strcmp(run->sweep, "fig9-larger") == 0 && run->threads == 1024 && run->m_bits == 1048576;
}

/* [Ma12, eq. 19] with a fitted constant: the rate in B_opt, divided by f_sched. */
static void add_eq19(chart *c, const figure_run *runs, size_t n, int look, const char *name)
{
    double *x, *y;
    chart_series *line;
    model_fit fit;

    if (!isfinite(figure_run_f_sched(runs, runs->blocks))) /* MP is not known */
        return;
    x = malloc(2 * n * sizeof *x);
    if (x == NULL) {
        c->no_memory = 1;
        return;
    }
    y = x + n;
    line = figure_series(c, CHART_LINE, look, "%s", name);
    for (size_t i = 0; i < n; i++) {
        x[i] = 1 / figure_run_f_sched(&runs[i], runs[i].blocks);
        y[i] = rate_of(&runs[i], runs[i].seconds);
    }
    fit = model_fit_line(x, y, n, 1);
    if (line != NULL)
        snprintf(line->title, sizeof line->title, "%.80s, R² = %.3f", name, fit.r2);
    for (size_t i = 0; i < n; i++)
        chart_put(c, line, runs[i].blocks, fit.a1 * x[i], NAN, NAN);
    chart_sort(line);
    free(x);
}

static void add_zigzag(chart *c, const figure_run *runs, size_t n, int look)
{
    char word[FIGURE_WORD], name[CHART_NAME];
    chart_series *s;

    if (n == 0)
        return;
    s = figure_series(c, CHART_POINTS, look, "m = %s, measured", figure_bits(runs->m_bits, word));
    for (size_t i = 0; i < n; i++)
        chart_put(c, s, runs[i].blocks, rate_of(&runs[i], runs[i].seconds), rate_of(&runs[i], runs[i].high),
                  rate_of(&runs[i], runs[i].low));
    if (s != NULL)
        s->size = 0.5;
    snprintf(name, sizeof name, "eq. 19, B_a = %.0f", runs->active_blocks);
    add_eq19(c, runs, n, look, name);
}

void figure_zigzag(const figure_inputs *in, chart *c)
{
    figure_run *runs, *larger;
    size_t n = figure_runs(in, want_zigzag, c, &runs), n_larger = figure_runs(in, want_zigzag_larger, c, &larger);

    if (n > 0) {
        add_zigzag(c, runs, n, 1);
        for (size_t i = 0; i < n; i++)
            add_predicted(c, &runs[i], 0, "predicted");
        for (size_t i = 0; i < c->n_series; i++)
            chart_sort(&c->series[i]);
        if (!runs->is_sweep)
            add_zigzag(c, larger, n_larger, 3);
        figure_title(c, runs->table, "Throughput of the bank over requested blocks, T_r = 1,024   [Ma12, Fig. 7]");
        figure_axes(c, "requested blocks (B_r), a sub-query each", "G filter tests a second");
        c->y_from_zero = 1;
    }
    free(runs);
    free(larger);
}

/* ---- threads, copies: Figs. 15 and 16 ------------------------------------------------------------------------------------------ */

static int want_threads(const figure_run *run, const model_figure *figure)
{
    return run->is_papers && is_bank_of(run, figure->m_bits) && is_row(run, "bank-blocks", "fig15") && run->threads > 0 &&
           run->blocks > 0 && (!run->is_sweep || (run->n == 50000 && run->k == 6 && figure_run_may_be_in_b_opt(run)));
}

void figure_threads(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_threads, c, &runs);
    char word[FIGURE_WORD];
    int look = 0;

    for (size_t i = 0; i < n; i++) {
        size_t before = c->n_series;
        chart_series *s = figure_series(c, CHART_LINE_POINTS, look, "%.0f blocks", runs[i].blocks);
        if (s != NULL && c->n_series > before)
            look++;
        else if (s != NULL)
            s->look = (int)(s - c->series);
        if (s != NULL)
            s->dash = s->look % 4;
        chart_put(c, s, runs[i].threads, rate_of(&runs[i], runs[i].seconds), NAN, NAN);
    }
    for (size_t i = 0; i < c->n_series; i++)
        chart_sort(&c->series[i]);
    if (n > 0) {
        figure_title(c, runs->table, "Throughput of the bank over threads of a block, n = 50,000, k = 6, m = %s   [Ma11, Fig. 15]",
                     figure_bits(in->figure->m_bits, word));
        figure_axes(c, "threads of a block (T_r)", "G filter tests a second");
        c->y_from_zero = 1;
    }
    free(runs);
}

static int want_copies(const figure_run *run, const model_figure *figure)
{
    return !run->is_sweep && is_bank_of(run, figure->m_bits) && strcmp(run->sweep, "fig16") == 0;
}

/* Stacked columns: copies to the GPU and back, and the kernel. */
void figure_copies(const figure_inputs *in, chart *c)
{
    static const struct {
        const char *place, *title;
        int look;
    } parts[] = {{"copy database", "copy of the database", 1},
                 {"copy vectors", "copy of the vectors", 2},
                 {"copy results", "copy of the results, a bit a test", 3},
                 {"shared, passes", "kernel, the papers' schedule", 0}};
    figure_run *runs;
    size_t n = figure_runs(in, want_copies, c, &runs);
    char word[FIGURE_WORD];

    for (size_t part = 0; part < sizeof parts / sizeof *parts && n > 0; part++) {
        chart_series *s = figure_series(c, CHART_STACK, parts[part].look, "%s", parts[part].title);
        for (size_t i = 0; i < n; i++) {
            chart_point *p = strcmp(runs[i].place, parts[part].place) == 0 ? chart_put(c, s, runs[i].n, runs[i].seconds * 1e3, NAN, NAN)
                                                                           : NULL;
            if (p != NULL)
                snprintf(p->label, sizeof p->label, "%s", figure_count(runs[i].n, word));
        }
        chart_sort(s);
        if (s != NULL)
            s->hollow = (int)(part % 2);
    }
    if (n > 0) {
        figure_title(c, runs->table, "Copies and kernel of the bank, k = %.0f, m = 256 Kbit   [Ma11, Fig. 16]", runs->k);
        figure_axes(c, "n, w-mers in a sub-query", "milliseconds, one above the other");
        c->y_from_zero = 1;
    }
    free(runs);
}

/* ---- the overall model: Figs. 17 and 18 ---------------------------------------------------------------------------------------- */

static int want_all(const figure_run *run, const model_figure *figure)
{
    (void)figure;
    return run->is_papers && run->seconds > 0 && run->k > 0 && run->n > 0 && run->Q > 0 && is_row(run, "bank", "fig7-8") &&
           (!run->is_sweep || figure_run_may_be_in_b_opt(run));
}

/* k / n Q DB [Ma11, eq. 7], in units of 10^15 */
static double work_of(const figure_run *run) { return run->k / run->n * run->Q * run->D * 1e-15; }

static model_fit fit_eq7(chart *c, const figure_run *runs, size_t n)
{
    double *x = malloc(2 * (n + 1) * sizeof *x), *y;
    model_fit fit = {NAN, NAN, NAN};

    if (x == NULL) {
        c->no_memory = 1;
        return fit;
    }
    y = x + n + 1;
    for (size_t i = 0; i < n; i++) {
        x[i] = work_of(&runs[i]);
        y[i] = runs[i].seconds;
    }
    fit = model_fit_line(x, y, n, 0);
    free(x);
    return fit;
}

static void add_diagonal(chart *c, double low, double high)
{
    chart_series *line = figure_series(c, CHART_LINE, CHART_GREY, "modelled = measured");

    chart_put(c, line, low, low, NAN, NAN);
    chart_put(c, line, high, high, NAN, NAN);
}

void figure_fit(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_all, c, &runs);
    model_fit fit = fit_eq7(c, runs, n);
    char word[FIGURE_WORD];
    double low = INFINITY, high = 0;
    chart_series *ours = NULL;

    for (size_t i = 0; i < n; i++) {
        int look = runs[i].m_bits <= 65536 ? 1 : runs[i].m_bits <= 131072 ? 2 : 3;
        double modelled = (fit.a1 * work_of(&runs[i]) + fit.a0) * 1e3, measured = runs[i].seconds * 1e3;
        chart_put(c, figure_series(c, CHART_POINTS, look, "eq. 7, m = %s", figure_bits(runs[i].m_bits, word)), modelled, measured,
                  runs[i].low * 1e3, runs[i].high * 1e3);
        if (isfinite(runs[i].predicted)) {
            ours = figure_series(c, CHART_POINTS, 0, "predicted by tamis");
            chart_put(c, ours, runs[i].predicted * 1e3, measured, NAN, NAN);
        }
        low = fmin(low, fmin(measured, modelled > 0 ? modelled : measured));
        high = fmax(high, fmax(measured, modelled));
    }
    if (ours != NULL)
        ours->hollow = 1;
    if (n > 0) {
        add_diagonal(c, low, high);
        figure_title(c, runs->table, "Time of the bank, modelled and measured   [Ma11, Fig. 17]");
        snprintf(c->x_label, sizeof c->x_label, "modelled milliseconds: a₁ k/n Q DB + a₀, a₁ = %.3g s, a₀ = %.2g ms, R² = %.4f",
                 fit.a1 * 1e-15, fit.a0 * 1e3, fit.r2);
        snprintf(c->y_label, sizeof c->y_label, "measured milliseconds");
    }
    free(runs);
}

static int want_tradeoff(const figure_run *run, const model_figure *figure)
{
    return want_all(run, figure) && run->m_bits == figure->m_bits && run->k == figure->other;
}

void figure_tradeoff(const figure_inputs *in, chart *c)
{
    figure_run *runs;
    size_t n = figure_runs(in, want_tradeoff, c, &runs);
    chart_series *line, *points;
    char job[CHART_NAME], word[FIGURE_WORD];
    double low = INFINITY, high = 0;
    model_fit fit;

    n = keep_best(runs, n);
    fit = fit_eq7(c, runs, n); /* fitted to these runs only: the slope depends on k and m */
    line = n > 0 ? figure_series(c, CHART_LINE, 0, "model: eq. 5 and eq. 7") : NULL;
    points = n > 0 ? figure_series(c, CHART_POINTS, 1, "measured time, eq. 5") : NULL;
    for (size_t i = 0; i < n; i++) {
        double fpr = isfinite(runs[i].fpr) ? runs[i].fpr : model_fpr(runs[i].m_bits, runs[i].k, runs[i].n);
        chart_point *p = chart_put(c, points, fpr, runs[i].seconds * 1e3, runs[i].low * 1e3, runs[i].high * 1e3);
        if (p != NULL)
            snprintf(p->label, sizeof p->label, "n = %s", figure_count(runs[i].n, word));
        low = fmin(low, runs[i].n);
        high = fmax(high, runs[i].n);
    }
    for (int i = 0; line != NULL && i <= 80; i++) {
        figure_run run = runs[0];
        run.n = low * pow(high / low, i / 80.0);
        chart_put(c, line, model_fpr(run.m_bits, run.k, run.n), (fit.a1 * work_of(&run) + fit.a0) * 1e3, NAN, NAN);
    }
    if (n > 0) {
        figure_title(c, runs->table, "Trade-off between false-positive rate and time, k = %.0f, m = %s   [Ma11, Fig. 18]",
                     in->figure->other, figure_bits(in->figure->m_bits, word));
        describe_job(runs, job);
        figure_axes(c, "false-positive rate of a filter", job);
        c->log_x = 10;
        c->log_y = 2; /* otherwise points with rates near 1 overlap */
        c->has_labels = 1;
    }
    free(runs);
}
