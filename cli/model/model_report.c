/*
 * model_report.c - tamis model report: finds the machine and the measurements for the page, and writes it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model/model_data.h"
#include "cli/model/model_profile.h"
#include "cli/model/model_verbs.h"
#include "figures/model_page.h"
#include "figures/page_profile.h"

static const char command[] = "model report";

typedef struct report_job {
    cli_common common;
    const char *out, *profile, *from;
    json_t *machine; /* the profile, or NULL */
    const char *origin;
    char path[DATA_PATH]; /* of the profile */
    figure_data data;
} report_job;

static const option_row rows[] = {
    {'o', "output", "FILE", OPTION_PATH(report_job, out), .ask = "where should the page go, such as report.html?",
     .help = "the page; - is standard output"},
    {0, "profile", "FILE", OPTION_PATH(report_job, profile), .otherwise = "of this machine; else of the measured GPU",
     .help = "the machine that the page describes: a file of 'tamis model calibrate', or the name of a profile that comes with tamis"},
    MODEL_ROW_FROM(report_job, from),
    CLI_ROW_FORCE("replace a file that is not an HTML page"),
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP,
};

const option_table model_report_options = {
    command,
    "Usage: tamis model report -o FILE.html [--profile FILE] [--from PATH]\n"
    "\n"
    "Writes one HTML page. It begins with answers for this machine: the fastest\n"
    "layout, keys per second by size, and where memory limits them. Then follow the\n"
    "terms of the model, the errors of predictions, the figures of the papers, and\n"
    "all numbers of the profile. Needs gnuplot (Debian: gnuplot-nox).\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0, or 2 for bad input or no gnuplot; 6 if the page cannot be\n"
    "written.\n",
    .no_operands = "name the page with -o",
};

static int is_page(const uint8_t *bytes, size_t n) { return n >= 14 && memcmp(bytes, "<!DOCTYPE html", 14) == 0; }

/* Finds the profile of this machine, or else of the measured GPU. *found [out] 1: its file is in `p`. */
static int find_unasked(const report_job *job, const model_table *sweeps, model_profile *p, int *found)
{
    const char *gpu = sweeps != NULL ? model_table_note(sweeps, "gpu") : NULL;
    int code = CLI_OK;

    *found = 0;
    if (job->from == NULL) { /* measurements given with --from are probably of another machine */
        code = model_here_find(command, TMS_DEVICE_AUTO, &p->here);
        if (code == CLI_OK)
            code = model_profile_kept(command, p, found);
    }
    return code == CLI_OK && !*found && gpu != NULL ? model_profile_shipped(command, gpu, p, found) : code;
}

/* The page shows every name in the profile's file, whichever version wrote it. */
static int read_machine(report_job *job)
{
    io_error err;
    io_status status = page_profile_read(job->path, &job->machine, &err);

    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* Reads the given profile, that of this machine, or a shipped one of the measured GPU. There may be none. */
static int find_machine(report_job *job)
{
    model_profile *other;
    model_table *sweeps;
    io_error err;
    io_status status = figure_data_table(&job->data, "model_sweeps.tsv", &sweeps, &err);
    int found = 0, code;

    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    if (job->profile != NULL) {
        code = model_profile_resolve(command, job->profile, job->path, &job->origin);
        return code == CLI_OK ? read_machine(job) : code;
    }
    other = calloc(1, sizeof *other);
    if (other == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    code = find_unasked(job, sweeps, other, &found);
    snprintf(job->path, sizeof job->path, "%s", other->path);
    job->origin = other->origin;
    free(other);
    return code == CLI_OK && found ? read_machine(job) : code;
}

static int make_page(report_job *job, char **text, size_t *n)
{
    model_page page = {.data = &job->data, .profile = job->machine, .profile_path = job->path, .origin = job->origin};
    io_error err;
    io_status status = IO_OK;
    int code = job->machine != NULL ? cli_context_create(&job->common, &page.ctx) : CLI_OK;

    if (code == CLI_OK)
        status = model_page_make(&page, text, n, &err);
    if (status != IO_OK)
        code = cli_fail_io(command, status, &err);
    tms_context_destroy(page.ctx);
    return code;
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
    code = model_data_open(command, job->from, &job->data);
    if (code == CLI_OK)
        code = find_machine(job);
    if (code == CLI_OK)
        code = make_page(job, &page, &n);
    if (code == CLI_OK)
        code = model_data_write(command, file, page, n);
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
    figure_data_close(&job.data);
    return code;
}
