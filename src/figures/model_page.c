/* model_page.c - see model_page.h. */
#include "figures/model_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figures.h"
#include "figures/gnuplot.h"
#include "figures/page_answers.h"
#include "figures/page_profile.h"
#include "figures/profile_file.h"
#include "model/least_squares.h"
#include "page/html_text.h"
#include "page/page.h"

/* ---- constant parts ---------------------------------------------------------------------------------------------------------------- */

/* Beyond page.css. gnuplot's pictures have white paper, in the dark, too. */
static const char style[] = "figure svg { min-width: 38rem; background: #fff; }\n"
                            ".curves { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem; }\n"
                            ".curves figure { margin: 0; } .curves figure svg { min-width: 0; }\n"
                            "@media print { figure svg { min-width: 0; } }\n";

/* The papers' factors, and the terms of predictions (tamis/model.h). */
static const struct {
    const char *name, *sentence;
} terms[] = {
    {"f_app", "The work of an application: D pointers; k Q/n D tests of a bank; k D of a classifier [Ma12, eqs. 14, 18, 22]."},
    {"f_cache", "How much longer it takes because accesses miss the cache: r_H + r_M G, where r_H = min(1, C/m) [Ma12, eqs. 9 to 11]."},
    {"f_sched",
     "How much longer it takes because the last blocks leave multiprocessors idle: ⌈B_r / (B_a MP)⌉ B_a MP / B_r [Ma12, eq. 12]. It is 1 for B_r in B_opt."},
    {"launch", "The time of an empty kernel."},
    {"instructions", "Hashing, and all other work except memory accesses."},
    {"shared memory", "Random reads of a table in a block's shared memory."},
    {"memory", "Random accesses of the whole GPU to global memory, through its caches, at the rate measured for tables of this size."},
    {"latency", "The same work by the available warps, each of which waits for its own accesses."},
    {"multiprocessors", "Random accesses by the multiprocessors that have blocks, each at its full rate."},
    {"staging", "Copying the vectors of a bank to shared memory."},
    {"copies", "Moving keys and answers between host and GPU; it overlaps with the kernels. Only with --transfers."},
};

static void put_terms(FILE *to)
{
    fputs(
        "<h2 id=\"model\">The model</h2>\n"
        "<p>A time is predicted as f_app × f_cache × f_sched in the papers' form [Ma12, eq. 8], and by the terms from launch on in the extended form: each is the time "
        "that a part would take alone, and the largest one binds. A false-positive rate is (1 − (1 − 1/m)<sup>kn</sup>)<sup>k</sup> [Ma11, eq. "
        "2].</p>\n<table><caption>Terms</caption>\n",
        to);
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        fputs("<tr><th scope=\"row\">", to);
        html_put(to, terms[i].name);
        fputs("</th><td>", to);
        html_put(to, terms[i].sentence);
        fputs("</td></tr>\n", to);
    }
    fputs("</table>\n", to);
}

/* ---- device and limits ----------------------------------------------------------------------------------------------------------- */

/* Writes the notes of a table of measurements: machine, date, command. */
static void put_notes(const model_table *t, FILE *to)
{
    static const char *const names[] = {"gpu", "cpu", "date", "version", "commit", "command", "machine"};
    const char *slash = strrchr(t->path, '/');

    fputs("<tr><th scope=\"row\">", to);
    html_put(to, slash != NULL ? slash + 1 : t->path);
    fputs("</th><td>", to);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *note = model_table_note(t, names[i]);
        if (note == NULL)
            continue;
        fprintf(to, "%s: ", names[i]);
        html_put(to, note);
        fputs("<br>\n", to);
    }
    fputs("</td></tr>\n", to);
}

/* Writes the answers, if this version of tamis can read the profile. */
static io_status put_answers(const model_page *page, FILE *to, io_error *err)
{
    profile_file *profile;
    io_error why;

    fputs("<h2 id=\"device\">The machine in short</h2>\n", to);
    if (page->profile == NULL) {
        fputs(
            "<p>No profile was given (<code>--profile</code>), there is none of this machine, and tamis comes with none of the measured GPU. "
            "<code>tamis model calibrate</code> measures this machine in about a minute; then this page begins with the speed of filters on "
            "it.</p>\n",
            to);
        return IO_OK;
    }
    fprintf(to, "<p>By the profile <code>");
    html_put(to, strrchr(page->profile_path, '/') != NULL ? strrchr(page->profile_path, '/') + 1 : page->profile_path);
    fprintf(to, "</code> (%s).</p>\n", page->origin);
    profile = calloc(1, sizeof *profile);
    if (profile == NULL)
        return io_fail(err, IO_E_MEMORY, ENOMEM, "out of memory");
    if (profile_file_read(page->profile_path, profile, &why) == IO_OK)
        page_answers(page->ctx, &profile->profile, to);
    else
        fputs("<p>This version of tamis cannot predict from it: measure again with <code>tamis model calibrate</code>.</p>\n", to);
    free(profile);
    page_profile_machine(page->profile, to);
    return IO_OK;
}

static void put_tables(const model_page *page, FILE *to)
{
    fputs("<table class=\"notes\"><caption>Measurements behind the figures, and their machines</caption>\n", to);
    for (size_t i = 0; i < page->data->n_tables; i++) {
        if (page->data->tables[i].is_there)
            put_notes(&page->data->tables[i].table, to);
    }
    fputs("</table>\n", to);
}

static io_status put_limits(const model_page *page, FILE *to, io_error *err)
{
    if (page->profile == NULL)
        return IO_OK;
    fputs(
        "<h2 id=\"limits\">Appendix: all numbers of the profile</h2>\n<p>The names are those of the profile's file. What tamis measured of ",
        to);
    html_put(to, page_profile_device(page->profile));
    fputs(
        ": seconds of a string's first bits in filters of each kind (<code>present 1</code>: classic, one function, of strings that are "
        "there), seconds and rates of the bank and of random accesses over the size of the table, and what the papers' forms were fitted to "
        "(<code>paper ...</code>).</p>\n",
        to);
    page_profile_values(page->profile, to);
    return page_profile_curves(page->profile, to, err);
}

/* ---- errors ---------------------------------------------------------------------------------------------------------------------- */

static void put_errors(const double *predicted, const double *measured, size_t n, double *scratch, FILE *to)
{
    struct prediction_errors e = {0, NAN, NAN, NAN, 0}; /* stays so without measurements */
    int has = prediction_errors_of(predicted, measured, n, scratch, &e);
    const double numbers[] = {e.r2, 100 * e.median, 100 * e.worst};
    static const char *const formats[] = {"%.4f", "%.1f %%", "%.1f %%"};

    fprintf(to, "<td class=\"n\">%zu</td>", has ? e.n : n);
    for (int i = 0; i < 3; i++) {
        fputs("<td class=\"n\">", to);
        if (isfinite(numbers[i]) && (i > 0 || numbers[i] >= 0))
            fprintf(to, formats[i], numbers[i]);
        else if (isfinite(numbers[i]))
            fputs("&lt; 0", to);
        fputs("</td>", to);
    }
}

/* Writes the errors of one sweep, in both forms of the model. */
static io_status put_sweep(model_table *t, const char *sweep, FILE *to, io_error *err)
{
    double *numbers = calloc(5 * (t->n_rows + 1), sizeof *numbers), *predicted = numbers, *paper, *measured, *measured_paper, *scratch;
    size_t n = 0, n_paper = 0;
    figure_run run;

    if (numbers == NULL)
        return io_fail(err, IO_E_MEMORY, ENOMEM, "out of memory");
    paper = predicted + t->n_rows + 1;
    measured = paper + t->n_rows + 1;
    measured_paper = measured + t->n_rows + 1;
    scratch = measured_paper + t->n_rows + 1;
    for (size_t row = 0; row < t->n_rows; row++) {
        if (!figure_run_read(t, row, &run) || !run.is_sweep || strcmp(run.sweep, sweep) != 0 || !(run.seconds > 0))
            continue;
        if (isfinite(run.predicted)) {
            predicted[n] = run.predicted;
            measured[n++] = run.seconds;
        }
        if (isfinite(run.predicted_paper)) {
            paper[n_paper] = run.predicted_paper;
            measured_paper[n_paper++] = run.seconds;
        }
    }
    fputs("<tr><th scope=\"row\">", to);
    html_put(to, sweep);
    fputs("</th>", to);
    put_errors(predicted, measured, n, scratch, to);
    put_errors(paper, measured_paper, n_paper, scratch, to);
    fputs("</tr>\n", to);
    free(numbers);
    return IO_OK;
}

static int is_first_of_sweep(const model_table *t, size_t row, const char *sweep)
{
    for (size_t before = 0; before < row; before++) {
        const char *other = model_table_text(t, before, "sweep");
        if (other != NULL && strcmp(other, sweep) == 0)
            return 0;
    }
    return 1;
}

static void put_errors_head(const char *device, FILE *to)
{
    fputs("<table><caption>Predicted against measured time, by sweep, on ", to);
    html_put(to, device != NULL ? device : "an unnamed machine");
    fputs(
        "</caption>\n"
        "<thead><tr><th rowspan=\"2\">sweep</th><th colspan=\"4\">the extended form</th><th colspan=\"4\">the papers' form</th></tr>\n"
        "<tr><th>n</th><th>R²</th><th>median</th><th>worst</th><th>n</th><th>R²</th><th>median</th><th>worst</th></tr></thead>\n<tbody>\n",
        to);
}

/* Writes the errors of one table. device: the note that names its device; *n counts the sweeps. */
static io_status put_errors_of(model_table *t, const char *device, size_t *n, FILE *to, io_error *err)
{
    io_status status = IO_OK;
    size_t n_here = 0;

    for (size_t row = 0; status == IO_OK && row < t->n_rows; row++) {
        const char *sweep = model_table_text(t, row, "sweep");
        if (sweep == NULL || !is_first_of_sweep(t, row, sweep))
            continue;
        if (n_here++ == 0)
            put_errors_head(model_table_note(t, device), to);
        status = put_sweep(t, sweep, to, err);
    }
    if (n_here > 0)
        fputs("</tbody></table>\n", to);
    *n += n_here;
    if (status == IO_OK && t->fault[0] != '\0')
        status = io_fail(err, IO_E_INPUT, 0, "%s", t->fault);
    return status;
}

static io_status put_all_errors(const model_page *page, FILE *to, io_error *err)
{
    model_table *of_gpu = NULL, *of_cpu = NULL;
    size_t n = 0;
    io_status status = figure_data_table(page->data, "model_sweeps.tsv", &of_gpu, err);

    if (status == IO_OK)
        status = figure_data_table(page->data, "model_sweeps_cpu.tsv", &of_cpu, err);
    fputs("<h2 id=\"errors\">Errors of predictions</h2>\n", to);
    if (status == IO_OK && of_gpu != NULL)
        status = put_errors_of(of_gpu, "gpu", &n, to, err);
    if (status == IO_OK && of_cpu != NULL && of_cpu != of_gpu) /* if the data is one file, both are that file */
        status = put_errors_of(of_cpu, "cpu", &n, to, err);
    fputs(
        n > 0
            ? "<p>Median and worst are relative errors of a time. R² is 1 if all predictions are right, and below 0 if they are worse than the mean "
              "of the measured times; for the papers' form this happens if it ignores the deciding factor, such as caches, few warps, or the "
              "early end of a query at the first 0 bit.</p>\n"
            : "<p>There is no table of sweeps (<code>model_sweeps.tsv</code>, by <code>tamis model check -o</code>).</p>\n",
        to);
    return status;
}

/* ---- figures --------------------------------------------------------------------------------------------------------------------- */

static io_status put_figure(const model_page *page, const model_figure *figure, int *found, FILE *to, io_error *err)
{
    char *picture = NULL, id[64];
    size_t n;
    chart c;
    io_status status = model_figure_chart(figure, page->data, &c, found, err);

    if (status == IO_OK && *found)
        status = gnuplot_draw(figure->name, &c, CHART_SVG, &picture, &n, err);
    chart_free(&c);
    if (status == IO_OK && *found) {
        snprintf(id, sizeof id, "%s", figure->name);
        for (char *dot = strchr(id, '.'); dot != NULL; dot = strchr(dot, '.'))
            *dot = '-';
        fprintf(to, "<figure id=\"%s\">\n", id);
        html_put_svg(to, picture, id, figure->sentence);
        fputs("<figcaption><strong>", to);
        html_put(to, figure->name);
        fputs("</strong> ", to);
        html_put(to, figure->sentence);
        fputs("</figcaption></figure>\n", to);
    }
    free(picture);
    return status;
}

static io_status put_figures(const model_page *page, FILE *to, io_error *err)
{
    static const struct {
        const char *begins, *title;
    } papers[] = {{"ma11.", "Bloom filter performance on graphics engines [Ma11]"},
                  {"ma12.", "A performance model for memory bandwidth constrained applications [Ma12]"},
                  {"ong13.", "A parallel Bloom filter string searching algorithm [Ong13]"},
                  {"thesis.", "Classical and probabilistic Bloom filters on a GPU [thesis]"},
                  {"", "Beyond the papers"}};
    const model_figure *figure;
    size_t paper = 0;
    io_status status = IO_OK;
    int found, n_missing = 0;

    fputs(
        "<h2 id=\"figures\">Appendix: the papers' figures</h2>\n<p>Below each title is the measured machine: not this one, unless "
        "<code>--from</code> has measurements of it. Points are measurements, with intervals of 95 % where they are known; lines are models.</p>\n",
        to);
    fprintf(to, "<h3>%s</h3>\n", papers[0].title);
    for (size_t i = 0; (figure = model_figure_at(i)) != NULL && status == IO_OK; i++) {
        while (strncmp(figure->name, papers[paper].begins, strlen(papers[paper].begins)) != 0)
            fprintf(to, "<h3>%s</h3>\n", papers[++paper].title);
        status = put_figure(page, figure, &found, to, err);
        n_missing += !found;
    }
    if (status != IO_OK || n_missing == 0)
        return status;
    fputs("<h3>Figures without measurements</h3>\n<ul>\n", to);
    for (size_t i = 0; (figure = model_figure_at(i)) != NULL && status == IO_OK; i++) {
        chart c;
        status = model_figure_chart(figure, page->data, &c, &found, err);
        chart_free(&c);
        if (found)
            continue;
        fputs("<li><strong>", to);
        html_put(to, figure->name);
        fputs("</strong>: ", to);
        html_put(to, figure->takes);
        fputs("</li>\n", to);
    }
    fputs("</ul>\n", to);
    return status;
}

/* ---- the page -------------------------------------------------------------------------------------------------------------------- */

static const char *device_of(const model_page *page, const model_table *sweeps)
{
    const char *gpu = sweeps != NULL ? model_table_note(sweeps, "gpu") : NULL;

    if (page->profile != NULL && page_profile_device(page->profile)[0] != '\0')
        return page_profile_device(page->profile);
    return gpu != NULL ? gpu : "kept measurements";
}

/* figures and errors were made first: making them reads the tables, whose notes the page shows. */
static io_status put_page(const model_page *page, const char *figures, const char *errors, FILE *to, io_error *err)
{
    model_table *sweeps;
    char title[512];
    io_status status = figure_data_table(page->data, "model_sweeps.tsv", &sweeps, err);

    if (status != IO_OK)
        return status;
    snprintf(title, sizeof title, "tamis: performance model, %.400s", device_of(page, sweeps));
    page_begin(to, title, style);
    fputs("<nav><a href=\"#device\">In short</a><a href=\"#model\">Model</a><a href=\"#errors\">Errors</a><a "
          "href=\"#figures\">Figures</a>",
          to);
    if (page->profile != NULL)
        fputs("<a href=\"#limits\">Limits</a>", to);
    fputs("</nav>\n", to);
    status = put_answers(page, to, err);
    put_terms(to);
    fputs(errors, to);
    fputs(figures, to);
    put_tables(page, to);
    if (status == IO_OK)
        status = put_limits(page, to, err);
    page_end(to, "tamis model report", tms_version());
    return status;
}

typedef io_status page_part(const model_page *page, FILE *to, io_error *err);

/* Makes a part of the page as text. */
static io_status make_part(const model_page *page, page_part *part, char **text, io_error *err)
{
    size_t n = 0;
    FILE *to = open_memstream(text, &n);
    io_status status;
    int failed;

    if (to == NULL)
        return io_fail_memory(err, "the page");
    status = part(page, to, err);
    failed = ferror(to);
    failed |= fclose(to) != 0;
    return status == IO_OK && failed ? io_fail_memory(err, "the page") : status;
}

io_status model_page_make(const model_page *page, char **text, size_t *n, io_error *err)
{
    char *figures = NULL, *errors = NULL;
    FILE *to = NULL;
    io_status status = make_part(page, put_figures, &figures, err);

    if (status == IO_OK)
        status = make_part(page, put_all_errors, &errors, err);
    if (status == IO_OK) {
        to = open_memstream(text, n);
        status = to == NULL ? io_fail_memory(err, "the page") : put_page(page, figures, errors, to, err);
    }
    if (to != NULL && fclose(to) != 0 && status == IO_OK)
        status = io_fail_memory(err, "the page");
    free(figures);
    free(errors);
    return status;
}
