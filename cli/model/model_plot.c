/*
 * model_plot.c - tamis model plot: draws the papers' figures.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model/model_data.h"
#include "cli/model/model_profile.h"
#include "cli/model/model_verbs.h"
#include "figures/figures.h"
#include "figures/gnuplot.h"

static const char command[] = "model plot";

typedef struct plot_job {
    cli_common common;
    const char *figure, *out, *from, *profile;
    int list;
    model_profile given;
    tms_context *ctx;
} plot_job;

static const option_row rows[] = {
    {0, "figure", "NAME", OPTION_PATH(plot_job, figure),
     .help = "name of the figure: ma11.4, ma12.3, ong13.5, thesis.13, ...; list prints all names"},
    {0, "list", NULL, OPTION_FLAG(plot_job, list), .excludes = "figure output",
     .help = "print all names, with what each figure shows and whether its measurements are there"},
    {'o', "output", "FILE", OPTION_PATH(plot_job, out), .otherwise = "NAME.svg",
     .help = "the picture, SVG or PNG by its suffix, .svg or .png; - writes SVG to standard output"},
    MODEL_ROW_FROM(plot_job, from),
    {0, "profile", "FILE", OPTION_PATH(plot_job, profile), .excludes = "list",
     .help = "draw the predictions of a profile, a file or the name of one that comes with tamis, instead of those in the table"},
    CLI_ROW_FORCE("replace a file that is not a picture of that kind"),
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP,
};

const option_table model_plot_options = {
    command,
    "Usage: tamis model plot --figure NAME [-o FILE.svg|FILE.png] [OPTION]...\n"
    "       tamis model plot --list [--from PATH]\n"
    "\n"
    "Draws a figure of the papers from measurements: the model as lines, measurements\n"
    "as points, with intervals of 95 % where they are known. Needs gnuplot (Debian:\n"
    "gnuplot-nox).\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0, or 2 for bad input, missing rows, or no gnuplot; 6 if\n"
    "the picture cannot be written.\n",
    .no_operands = "name the figure with --figure, the output with -o",
};

/* ---- formats -------------------------------------------------------------------------------------------------------------------- */

static int is_svg(const uint8_t *bytes, size_t n)
{
    return (n >= 5 && memcmp(bytes, "<?xml", 5) == 0) || (n >= 4 && memcmp(bytes, "<svg", 4) == 0);
}

static int is_png(const uint8_t *bytes, size_t n) { return n >= 4 && memcmp(bytes, "\x89PNG", 4) == 0; }

static int ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), n_end = strlen(end);

    return n > n_end && strcmp(text + n - n_end, end) == 0;
}

static int find_format(const char *out, chart_format *format)
{
    *format = ends_with(out, ".png") ? CHART_PNG : CHART_SVG;
    if (*format == CHART_PNG || ends_with(out, ".svg") || strcmp(out, "-") == 0)
        return CLI_OK;
    return cli_fail_usage(command, "-o %s: the name must end with .svg or .png", out);
}

static int make_chart(const model_figure *figure, figure_data *data, chart *c, int *found)
{
    io_error err;
    io_status status = model_figure_chart(figure, data, c, found, &err);

    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    if (data->remark[0] != '\0')
        cli_say(command, "%s", data->remark);
    return CLI_OK;
}

/* ---- --list --------------------------------------------------------------------------------------------------------------------- */

static int list(const plot_job *job, figure_data *data)
{
    int code = CLI_OK, found, n_missing = 0;
    const model_figure *figure;

    for (size_t i = 0; (figure = model_figure_at(i)) != NULL && code == CLI_OK; i++) {
        chart c;
        code = make_chart(figure, data, &c, &found);
        chart_free(&c);
        if (code == CLI_OK)
            printf("%-15s %s%s%s%s\n", figure->name, figure->sentence, found ? "" : " (not there: ", found ? "" : figure->takes,
                   found ? "" : ")");
        n_missing += !found;
    }
    if (code == CLI_OK && n_missing > 0 && !job->common.quiet)
        cli_say(command, "measurements are missing for %d figure%s: give some with --from", n_missing, CLI_PLURAL(n_missing));
    return cli_end_stdout(command, code);
}

/* ---- a figure ------------------------------------------------------------------------------------------------------------------- */

static int read_profile(plot_job *job)
{
    int code = model_profile_find(command, job->profile, MODEL_AUTO, NULL, &job->given);

    if (code == CLI_OK && tms_context_create(&job->ctx) != TMS_OK)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory");
    return code;
}

static int draw(const plot_job *job, const model_figure *figure, figure_data *data, chart_format format, char **picture, size_t *n)
{
    chart c;
    io_error err;
    io_status status;
    int found, code = make_chart(figure, data, &c, &found);

    if (code == CLI_OK && !found)
        code = cli_fail(command, CLI_USAGE, "%s: no measurements for figure %s, which is drawn from %s",
                        job->from != NULL ? job->from : "the tables that come with tamis", figure->name, figure->takes);
    if (code == CLI_OK && (status = gnuplot_draw(figure->name, &c, format, picture, n, &err)) != IO_OK)
        code = cli_fail_io(command, status, &err);
    chart_free(&c);
    return code;
}

static int plot(plot_job *job, const model_figure *figure)
{
    char name[64], *picture = NULL;
    const char *inputs[2];
    io_output output = {.inputs = inputs, .force = job->common.force};
    figure_data data;
    chart_format format;
    io_safe_file *file = NULL;
    io_error err;
    io_status status;
    size_t n = 0;
    int code;

    if (job->from != NULL)
        inputs[output.n_inputs++] = job->from;
    if (job->profile != NULL)
        inputs[output.n_inputs++] = job->profile;
    snprintf(name, sizeof name, "%s.svg", figure->name);
    output.path = job->out != NULL ? job->out : name;
    code = find_format(output.path, &format);
    if (code != CLI_OK)
        return code;
    output.is_kind = format == CHART_PNG ? is_png : is_svg;
    output.kind = format == CHART_PNG ? "a PNG picture" : "an SVG picture";
    status = io_safe_file_open(&output, &file, &err); /* before the work */
    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    code = model_data_open(command, job->from, &data);
    if (code == CLI_OK && job->profile != NULL) {
        code = read_profile(job);
        data.ctx = job->ctx;
        data.profile = &job->given.file.profile;
    }
    if (code == CLI_OK)
        code = draw(job, figure, &data, format, &picture, &n);
    if (code == CLI_OK)
        code = model_data_write(command, file, picture, n);
    else
        io_safe_file_abort(file);
    free(picture);
    figure_data_close(&data);
    tms_context_destroy(job->ctx);
    return code;
}

int model_plot_run(int argc, char **argv)
{
    plot_job job = {0}; /* contains a profile: 100 KB */
    options_given given;
    figure_data data;
    const model_figure *figure;
    int code;

    if (!cli_options(&model_plot_options, argc, argv, &job.common, &given, &code))
        return code;
    if (job.list || (job.figure != NULL && strcmp(job.figure, "list") == 0)) {
        code = model_data_open(command, job.from, &data);
        if (code == CLI_OK)
            code = list(&job, &data);
        figure_data_close(&data);
        return code;
    }
    if (job.figure == NULL)
        return cli_fail_usage(command, "which figure? --figure names one, --list all of them");
    figure = model_figure_find(job.figure);
    if (figure == NULL)
        return cli_fail_usage(command, "no figure '%s'; --list names all of them", job.figure);
    return plot(&job, figure);
}
