/*
 * model_report.c - one page that needs nothing else: no network, no script, no other file.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model/model_profile.h"
#include "cli/model/model_verbs.h"
#include "figures/gnuplot.h"
#include "figures/html_text.h"
#include "figures/model_figures.h"
#include "figures/report_answers.h"
#include "figures/report_profile.h"
#include "io/io_safe_file.h"
#include "model/least_squares.h"

static const char command[] = "model report";

typedef struct report_job {
    cli_common common;
    const char *out, *profile, *from;
    json_t *machine; /* the profile, or NULL */
    const char *origin;
    char path[DATA_PATH]; /* of the profile */
    model_source source;
} report_job;

static const option_row rows[] = {
    {'o', "output", "FILE", OPTION_PATH(report_job, out), .ask = "which file is to be written, such as report.html?",
     .help = "the page; - is standard output"},
    {0, "profile", "FILE", OPTION_PATH(report_job, profile), .otherwise = "of this machine; else of the measured GPU",
     .help = "the machine that the page is about: a file of 'tamis model calibrate', or the name of a profile that comes with tamis"},
    {0, "from", "PATH", OPTION_PATH(report_job, from), .otherwise = "what comes with tamis",
     .help = "measurements: a table, or a directory of tables"},
    CLI_ROW_FORCE("replace a file that is no page"),
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP,
};

const option_table model_report_options = {
    command,
    "Usage: tamis model report -o FILE.html [--profile FILE] [--from PATH]\n"
    "\n"
    "Writes one HTML page. It begins with answers for this machine: the fastest\n"
    "layout, keys a second by size, where memory binds. Below them are the terms of\n"
    "the model, how far predictions are off, the figures of the papers, and all\n"
    "numbers of the profile. Needs gnuplot (Debian: gnuplot-nox).\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0, or 2 for bad input or no gnuplot; 6 if the page cannot be\n"
    "written.\n",
    .no_operands = "the page is named with -o",
};

/* ---- what does not change -------------------------------------------------------------------------------------------------------- */

static const char head[] =
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n"
    "<style>\n"
    "body { font: 16px/1.5 sans-serif; color: #111; background: #fff; max-width: 60rem; margin: 0 auto; padding: 0 1rem 3rem; }\n"
    "h1 { font-size: 1.6rem; line-height: 1.25; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #888; } h3 { margin-top: 2rem; }\n"
    "table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }\n"
    "caption { text-align: left; font-weight: bold; padding-bottom: .3rem; }\n"
    "th, td { border: 1px solid #bbb; padding: .2rem .6rem; text-align: left; vertical-align: top; overflow-wrap: break-word; }\n"
    "table.notes th, table.notes td { overflow-wrap: anywhere; }\n"
    "td.n { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "figure { margin: 1.5rem 0; break-inside: avoid; overflow-x: auto; }\n"
    "figure svg { display: block; width: 100%; min-width: 38rem; height: auto; }\n"
    "figcaption { font-size: .9rem; }\n"
    ".curves { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem; }\n"
    ".curves figure { margin: 0; } .curves figure svg { min-width: 0; }\n"
    "td.n, th[scope=row] { white-space: nowrap; } table.notes th { white-space: normal; }\n"
    "@media (max-width: 34rem) { th, td { padding: .1rem .3rem; font-size: .8rem; } }\n"
    "h1, h2, h3 { break-after: avoid; } nav a { margin-right: .8rem; }\n"
    "@media print { body { max-width: none; } figure svg { min-width: 0; } nav { display: none; } a { color: inherit; text-decoration: none; } }\n"
    "</style>\n";

/* The terms of predictions (tamis/model.h), and the factors of the papers. */
static const struct {
    const char *name, *sentence;
} terms[] = {
    {"f_app", "The work that an application asks for: D pointers; k Q/n D tests of a bank; k D of a classifier [Ma12, eqs. 14, 18, 22]."},
    {"f_cache", "How much longer it takes because accesses miss the cache: r_H + r_M G, where r_H = min(1, C/m) [Ma12, eqs. 9 to 11]."},
    {"f_sched",
     "How much longer it takes because the last blocks leave multiprocessors idle: ⌈B_r / (B_a MP)⌉ B_a MP / B_r [Ma12, eq. 12]. It is 1 for B_r in B_opt."},
    {"launch", "What an empty kernel takes."},
    {"instructions", "Hashing and all else that is not memory."},
    {"shared memory", "Random reads of a table in a block's shared memory."},
    {"memory",
     "Random accesses of the whole GPU to global memory, through its caches, at the rate that was measured for tables of this size."},
    {"latency", "The same work by the warps that there are, each of which waits for its own accesses."},
    {"multiprocessors", "Random accesses by as many multiprocessors as have blocks, each at its full rate."},
    {"staging", "Bringing the vectors of a bank to shared memory."},
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

/* Of a table of measurements: on what, when, by which command. */
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

/* Answers, where this version of tamis can read the profile. */
static int put_answers(const report_job *job, FILE *to)
{
    io_profile *profile;
    tms_context *ctx = NULL;
    io_error err;
    int code;

    fputs("<h2 id=\"device\">The machine in short</h2>\n", to);
    if (job->machine == NULL) {
        fputs(
            "<p>No profile was given (<code>--profile</code>), none is kept of this machine, and none of the measured GPU comes with tamis. "
            "<code>tamis model calibrate</code> measures this machine in about a minute; then this page begins with how fast filters are "
            "on it.</p>\n",
            to);
        return CLI_OK;
    }
    fprintf(to, "<p>By the profile <code>");
    html_put(to, strrchr(job->path, '/') != NULL ? strrchr(job->path, '/') + 1 : job->path);
    fprintf(to, "</code> (%s).</p>\n", job->origin);
    profile = calloc(1, sizeof *profile);
    if (profile == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    code = cli_context_create(&job->common, &ctx);
    if (code == CLI_OK && io_profile_read(job->path, profile, &err) == IO_OK)
        report_answers(ctx, &profile->profile, to);
    else if (code == CLI_OK)
        fputs("<p>This version of tamis cannot predict from it: <code>tamis model calibrate</code> measures anew.</p>\n", to);
    tms_context_destroy(ctx);
    free(profile);
    if (code == CLI_OK)
        report_profile_machine(job->machine, to);
    return code;
}

static void put_tables(const report_job *job, FILE *to)
{
    fputs("<table class=\"notes\"><caption>Measurements that the figures are drawn from, and the machines that they are of</caption>\n",
          to);
    for (size_t i = 0; i < job->source.n_tables; i++) {
        if (job->source.tables[i].is_there)
            put_notes(&job->source.tables[i].table, to);
    }
    fputs("</table>\n", to);
}

static int put_limits(const report_job *job, FILE *to)
{
    if (job->machine == NULL)
        return CLI_OK;
    fputs(
        "<h2 id=\"limits\">Appendix: all numbers of the profile</h2>\n<p>The names are those of the profile's file. What tamis measured of ",
        to);
    html_put(to, report_profile_device(job->machine));
    fputs(
        ": seconds of a string's first bits in filters of each kind (<code>present 1</code>: classic, one function, of strings that are "
        "there), seconds and rates of the bank and of random accesses over the size of the table, and what the papers' forms were fitted to "
        "(<code>paper ...</code>).</p>\n",
        to);
    report_profile_values(job->machine, to);
    return report_profile_curves(command, job->machine, to);
}

/* ---- errors ---------------------------------------------------------------------------------------------------------------------- */

static void put_errors(const double *predicted, const double *measured, size_t n, double *scratch, FILE *to)
{
    struct prediction_errors e = {0, NAN, NAN, NAN, 0}; /* as it stays where there are none */
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

/* One sweep: its rows of the table, by both forms of the model. */
static int put_sweep(model_table *t, const char *sweep, FILE *to)
{
    double *numbers = calloc(5 * (t->n_rows + 1), sizeof *numbers), *predicted = numbers, *paper, *measured, *measured_paper, *scratch;
    size_t n = 0, n_paper = 0;
    model_run run;

    if (numbers == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    paper = predicted + t->n_rows + 1;
    measured = paper + t->n_rows + 1;
    measured_paper = measured + t->n_rows + 1;
    scratch = measured_paper + t->n_rows + 1;
    for (size_t row = 0; row < t->n_rows; row++) {
        if (!model_run_read(t, row, &run) || !run.is_sweep || strcmp(run.sweep, sweep) != 0 || !(run.seconds > 0))
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
    return CLI_OK;
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
    html_put(to, device != NULL ? device : "a machine that the table does not name");
    fputs(
        "</caption>\n"
        "<thead><tr><th rowspan=\"2\">sweep</th><th colspan=\"4\">the extended form</th><th colspan=\"4\">the papers' form</th></tr>\n"
        "<tr><th>n</th><th>R²</th><th>median</th><th>worst</th><th>n</th><th>R²</th><th>median</th><th>worst</th></tr></thead>\n<tbody>\n",
        to);
}

/* Of one table, of that device; *n counts the sweeps. */
static int put_errors_of(model_table *t, const char *device, size_t *n, FILE *to)
{
    int code = CLI_OK;
    size_t n_here = 0;

    for (size_t row = 0; code == CLI_OK && row < t->n_rows; row++) {
        const char *sweep = model_table_text(t, row, "sweep");
        if (sweep == NULL || !is_first_of_sweep(t, row, sweep))
            continue;
        if (n_here++ == 0)
            put_errors_head(model_table_note(t, device), to);
        code = put_sweep(t, sweep, to);
    }
    if (n_here > 0)
        fputs("</tbody></table>\n", to);
    *n += n_here;
    if (code == CLI_OK && t->fault[0] != '\0')
        code = cli_fail(command, CLI_USAGE, "%s", t->fault);
    return code;
}

static int put_all_errors(report_job *job, FILE *to)
{
    model_table *of_gpu = NULL, *of_cpu = NULL;
    size_t n = 0;
    int code = model_source_table(&job->source, "model_sweeps.tsv", &of_gpu);

    if (code == CLI_OK)
        code = model_source_table(&job->source, "model_sweeps_cpu.tsv", &of_cpu);
    fputs("<h2 id=\"errors\">How far predictions are off</h2>\n", to);
    if (code == CLI_OK && of_gpu != NULL)
        code = put_errors_of(of_gpu, "gpu", &n, to);
    if (code == CLI_OK && of_cpu != NULL && of_cpu != of_gpu) /* a source that is a file gives it under every name */
        code = put_errors_of(of_cpu, "cpu", &n, to);
    fputs(
        n > 0
            ? "<p>Median and worst are relative errors of a time. R² is 1 where all predictions are right, and below 0 where they are worse than the mean "
              "of the measured times; the papers' form is that where it lacks what decides, such as caches, few warps, or that a missing "
              "key ends at its first 0 bit.</p>\n"
            : "<p>There is no table of sweeps (<code>model_sweeps.tsv</code>, by <code>tamis model check -o</code>).</p>\n",
        to);
    return code;
}

/* ---- figures --------------------------------------------------------------------------------------------------------------------- */

static int put_figure(report_job *job, const model_figure *figure, int *found, FILE *to)
{
    char *picture = NULL, id[64];
    size_t n;
    chart c;
    int code = model_figure_chart(figure, &job->source, &c, found);

    if (code == CLI_OK && *found)
        code = gnuplot_draw(command, figure->name, &c, CHART_SVG, &picture, &n);
    chart_free(&c);
    if (code == CLI_OK && *found) {
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
    return code;
}

static int put_figures(report_job *job, FILE *to)
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
    int code = CLI_OK, found, n_missing = 0;

    fputs(
        "<h2 id=\"figures\">Appendix: the papers' figures</h2>\n<p>Below each title is the machine that was measured: not this one, unless "
        "<code>--from</code> has measurements of it. Points are measurements, with intervals of 95 % where they are known; lines are models.</p>\n",
        to);
    fprintf(to, "<h3>%s</h3>\n", papers[0].title);
    for (size_t i = 0; (figure = model_figure_at(i)) != NULL && code == CLI_OK; i++) {
        while (strncmp(figure->name, papers[paper].begins, strlen(papers[paper].begins)) != 0)
            fprintf(to, "<h3>%s</h3>\n", papers[++paper].title);
        code = put_figure(job, figure, &found, to);
        n_missing += !found;
    }
    if (code != CLI_OK || n_missing == 0)
        return code;
    fputs("<h3>Figures without measurements</h3>\n<ul>\n", to);
    for (size_t i = 0; (figure = model_figure_at(i)) != NULL && code == CLI_OK; i++) {
        chart c;
        code = model_figure_chart(figure, &job->source, &c, &found);
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
    return code;
}

/* ---- the page -------------------------------------------------------------------------------------------------------------------- */

static const char *device_of(const report_job *job, const model_table *sweeps)
{
    const char *gpu = sweeps != NULL ? model_table_note(sweeps, "gpu") : NULL;

    if (job->machine != NULL && report_profile_device(job->machine)[0] != '\0')
        return report_profile_device(job->machine);
    return gpu != NULL ? gpu : "kept measurements";
}

/* The figures are drawn first: they read the tables, of which the page begins with the notes. */
static int put_page(report_job *job, const char *figures, const char *errors, FILE *to)
{
    model_table *sweeps;
    int code = model_source_table(&job->source, "model_sweeps.tsv", &sweeps);

    if (code != CLI_OK)
        return code;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>tamis: performance model, ", to);
    html_put(to, device_of(job, sweeps));
    fprintf(to, "</title>\n%s</head>\n<body>\n<h1>tamis: performance model, ", head);
    html_put(to, device_of(job, sweeps));
    fputs("</h1>\n<nav><a href=\"#device\">In short</a><a href=\"#model\">Model</a><a href=\"#errors\">Errors</a><a "
          "href=\"#figures\">Figures</a>",
          to);
    if (job->machine != NULL)
        fputs("<a href=\"#limits\">Limits</a>", to);
    fputs("</nav>\n", to);
    code = put_answers(job, to);
    put_terms(to);
    fputs(errors, to);
    fputs(figures, to);
    put_tables(job, to);
    if (code == CLI_OK)
        code = put_limits(job, to);
    fprintf(to, "<p>Written by tamis %s, <code>tamis model report</code>.</p>\n</body>\n</html>\n", tms_version());
    return code;
}

typedef int page_part(report_job *job, FILE *to);

/* A part of the page as text. */
static int make_part(report_job *job, page_part *part, char **text)
{
    size_t n = 0;
    FILE *to = open_memstream(text, &n);
    int code, failed;

    if (to == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for the page");
    code = part(job, to);
    failed = ferror(to);
    failed |= fclose(to) != 0;
    return code == CLI_OK && failed ? cli_fail(command, CLI_NO_MEMORY, "out of memory for the page") : code;
}

static int make_page(report_job *job, char **page, size_t *n)
{
    char *figures = NULL, *errors = NULL;
    FILE *to = NULL;
    int code = make_part(job, put_figures, &figures);

    if (code == CLI_OK)
        code = make_part(job, put_all_errors, &errors);
    if (code == CLI_OK) {
        to = open_memstream(page, n);
        code = to == NULL ? cli_fail(command, CLI_NO_MEMORY, "out of memory for the page") : put_page(job, figures, errors, to);
    }
    if (to != NULL && fclose(to) != 0 && code == CLI_OK)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory for the page");
    free(figures);
    free(errors);
    return code;
}

static int is_page(const uint8_t *bytes, size_t n) { return n >= 14 && memcmp(bytes, "<!DOCTYPE html", 14) == 0; }

static int write_page(io_safe_file *file, const char *page, size_t n)
{
    io_error err;
    io_status status = io_safe_file_write(file, page, n, &err);

    if (status != IO_OK) {
        io_safe_file_abort(file);
        return cli_fail_io(command, status, &err);
    }
    status = io_safe_file_commit(file, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* *found [out] is there a profile of this machine, or of the GPU that was measured? Its file is in `p`. */
static int find_unasked(const report_job *job, const model_table *sweeps, model_profile *p, int *found)
{
    const char *gpu = sweeps != NULL ? model_table_note(sweeps, "gpu") : NULL;
    int code = CLI_OK;

    *found = 0;
    if (job->from == NULL) { /* other measurements are of another machine, most likely */
        code = model_here_find(command, TMS_DEVICE_AUTO, &p->here);
        if (code == CLI_OK)
            code = model_profile_kept(command, p, found);
    }
    return code == CLI_OK && !*found && gpu != NULL ? model_profile_shipped(command, gpu, p, found) : code;
}

/* The profile that is given, that of this machine, or a shipped one of the GPU that was measured; else none. */
static int find_machine(report_job *job)
{
    model_profile *other;
    model_table *sweeps;
    int found = 0, code = model_source_table(&job->source, "model_sweeps.tsv", &sweeps);

    if (code != CLI_OK)
        return code;
    if (job->profile != NULL) {
        code = model_profile_resolve(command, job->profile, job->path, &job->origin);
        return code == CLI_OK ? report_profile_read(command, job->path, &job->machine) : code;
    }
    other = calloc(1, sizeof *other);
    if (other == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    code = find_unasked(job, sweeps, other, &found);
    snprintf(job->path, sizeof job->path, "%s", other->path);
    job->origin = other->origin;
    free(other);
    return code == CLI_OK && found ? report_profile_read(command, job->path, &job->machine) : code;
}

static int report(report_job *job)
{
    const char *inputs[2];
    io_output output = {.path = job->out, .inputs = inputs, .is_kind = is_page, .kind = "a page", .force = job->common.force};
    io_safe_file *file = NULL;
    io_error err;
    io_status status;
    char *page = NULL;
    size_t n = 0;
    int code;

    if (job->from != NULL)
        inputs[output.n_inputs++] = job->from;
    if (job->profile != NULL)
        inputs[output.n_inputs++] = job->profile;
    status = io_safe_file_open(&output, &file, &err); /* before the work */
    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    code = model_source_open(command, job->from, &job->source);
    if (code == CLI_OK)
        code = find_machine(job);
    if (code == CLI_OK)
        code = make_page(job, &page, &n);
    if (code == CLI_OK)
        code = write_page(file, page, n);
    else
        io_safe_file_abort(file);
    free(page);
    return code;
}

int model_report_run(int argc, char **argv)
{
    report_job job = {0};
    options_given given;
    int code;

    if (!cli_options(&model_report_options, argc, argv, &job.common, &given, &code))
        return code;
    code = report(&job);
    json_decref(job.machine);
    model_source_close(&job.source);
    return code;
}
