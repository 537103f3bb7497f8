/*
 * model_cmd_check.c - tamis model check: compares predictions with measurements, made here or read from a table.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/model/model_profile.h"
#include "cli/model/model_verbs.h"
#include "figures/check_table.h"
#include "figures/model_text.h"
#include "io/io_progress.h"
#include "io/io_stream.h"
#include "model/least_squares.h"

static const char command[] = "model check";

typedef struct check_job {
    cli_common common;
    int app; /* tms_app, or -1: all */
    const char *sweep, *from, *profile_name, *output;
    uint64_t limit;

    tms_context *ctx;
    model_profile profile;
    check_table table;
    io_safe_file *file;
    io_progress progress;
    double *numbers; /* for prediction_errors_of() */
} check_job;

static const option_row rows[] = {
    {.heading = "What is compared"},
    {0, "app", "APP", OPTION_CHOICE(check_job, app, "random bank strings classify", TMS_APP_RANDOM), .otherwise = "all",
     .help = "only sweeps of random, bank, strings or classify"},
    {0, "sweep", "NAME", OPTION_PATH(check_job, sweep), .otherwise = "all", .help = "only this sweep, such as random-blocks"},
    {0, "limit", "N", OPTION_SIZE(check_job, limit, 1, 1 << 20), .otherwise = "all",
     .help = "maximum number of workloads per sweep, evenly spaced"},
    {0, "from", "TABLE", OPTION_PATH(check_job, from),
     .help = "read the measurements from a table written by -o instead of measuring; needs no GPU"},
    {0, "profile", "FILE", OPTION_PATH(check_job, profile_name), .otherwise = "of this machine, or of the table's GPU",
     .help = "a file of 'tamis model calibrate', or the name of a profile that comes with tamis"},
    {.heading = "Output"},
    {'o', "output", "TABLE", OPTION_PATH(check_job, output), .help = "write measurements and predictions to TABLE, whole or not at all"},
    CLI_ROW_FORCE("replace TABLE even if it is a file of another kind"),
    {.heading = "Running"},
    {0, "device", "D", OPTION_DEVICE(check_job, common.device), .initial = "auto", .excludes = "from",
     .because = "--device selects where to measure, but --from has the measurements",
     .help = "where to measure: auto, cpu, cuda or cuda:I; auto is the first GPU, if there is one"},
    CLI_ROW_QUIET("no progress and no remarks"),
    CLI_ROW_HELP,
};

const option_table model_check_options = {
    command,
    "Usage: tamis model check [OPTION]...\n"
    "\n"
    "Runs the workloads of the device's sweeps, and predicts their times from the\n"
    "profile, in the extended form and in that of the papers. Prints for each sweep\n"
    "R2, the median and the worst relative error of the predicted times, and the\n"
    "workload with the worst error.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 2 if there is no profile, nothing to measure here, or TABLE is\n"
    "damaged; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis model check --app bank -o bank.tsv\n"
    "  tamis model check --from bank.tsv --profile h200\n",
    .no_operands = "check takes no files; give measurements with --from TABLE",
};

/* ---- workloads ----------------------------------------------------------------------------------------------------------------- */

static int is_wanted(const check_job *job, const char *sweep, tms_app app)
{
    return (job->app < 0 || (int)app == job->app) && (job->sweep == NULL || strcmp(sweep, job->sweep) == 0);
}

/* Is workload i one of the `limit` that are evenly spaced among n? */
static int is_taken(const check_job *job, size_t i, size_t n)
{
    if (job->limit == 0 || n <= job->limit)
        return 1;
    return (i + 1) * job->limit / n > i * job->limit / n;
}

static int fail_sweep(const check_job *job, const char *known)
{
    if (job->sweep != NULL)
        return cli_fail(command, CLI_USAGE, "there is no sweep '%s'%s%s; there are: %s", job->sweep, job->app < 0 ? "" : " of --app ",
                        job->app < 0 ? "" : tms_app_name((tms_app)job->app), known);
    return cli_fail(command, CLI_USAGE, "%s: there is no measurement of --app %s", io_stream_name(job->from),
                    tms_app_name((tms_app)job->app));
}

/* All wanted sweeps are of the other device. */
static int fail_device(const check_job *job, int on_cpu)
{
    if (!on_cpu)
        return cli_fail(command, CLI_USAGE, "the sweep is for the CPU: use --device cpu");
    return cli_fail(command, CLI_USAGE, "the sweeps are for a GPU, and none is in use%s%s; use --from TABLE to check kept measurements",
                    job->profile.here.has_gpu ? "" : ": ", job->profile.here.has_gpu ? "" : job->profile.here.reason);
}

/* Lists the workloads to measure: of the wanted sweeps, those of the device in use. */
static int list_workloads(check_job *job, const tms_machine *machine, int on_cpu)
{
    char known[1024];
    size_t at = 0, n_wanted = 0;
    const char *name;

    for (size_t s = 0; (name = tms_sweep_name(s)) != NULL; s++) {
        tms_workload w;
        size_t n = 0;
        if (at < sizeof known)
            at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", s > 0 ? ", " : "", name);
        if (!is_wanted(job, name, tms_sweep_app(s)))
            continue;
        n_wanted++;
        if (tms_sweep_on_cpu(s) != on_cpu)
            continue;
        while (tms_sweep_workload(s, n, machine, &w))
            n++;
        for (size_t i = 0; i < n; i++) {
            check_row *row = is_taken(job, i, n) ? check_table_add(&job->table) : NULL;
            if (!is_taken(job, i, n))
                continue;
            if (row == NULL)
                return cli_fail(command, CLI_NO_MEMORY, "out of memory for a table");
            snprintf(row->sweep, sizeof row->sweep, "%s", name);
            tms_sweep_workload(s, i, machine, &row->workload);
        }
    }
    if (n_wanted == 0)
        return fail_sweep(job, known);
    if (job->table.n == 0)
        return fail_device(job, on_cpu);
    return CLI_OK;
}

/* The number of rows of a sweep. They need not be consecutive. */
static size_t count_sweep(const check_table *table, const char *sweep)
{
    size_t n = 0;

    for (size_t i = 0; i < table->n; i++)
        n += strcmp(table->rows[i].sweep, sweep) == 0;
    return n;
}

/* Is row j the first of its sweep? */
static int begins_sweep(const check_table *table, size_t j)
{
    for (size_t i = 0; i < j; i++) {
        if (strcmp(table->rows[i].sweep, table->rows[j].sweep) == 0)
            return 0;
    }
    return 1;
}

/* Removes the unwanted rows of a table that was read. */
static int choose_rows(check_job *job)
{
    check_table *table = &job->table;
    char known[1024] = "";
    size_t at = 0, n_kept = 0;
    unsigned char *keeps = calloc(table->n, 1);

    if (keeps == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for a table");
    for (size_t j = 0; j < table->n; j++) {
        const char *sweep = table->rows[j].sweep;
        size_t n, i = 0;
        if (!begins_sweep(table, j))
            continue;
        if (at < sizeof known)
            at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", j > 0 ? ", " : "", sweep);
        n = count_sweep(table, sweep);
        for (size_t r = j; r < table->n; r++) {
            if (strcmp(table->rows[r].sweep, sweep) == 0)
                keeps[r] = (unsigned char)(is_taken(job, i++, n) && is_wanted(job, sweep, table->rows[r].workload.app));
        }
    }
    for (size_t j = 0; j < table->n; j++) {
        if (keeps[j])
            table->rows[n_kept++] = table->rows[j];
    }
    free(keeps);
    table->n = n_kept;
    return n_kept > 0 ? CLI_OK : fail_sweep(job, known);
}

/* ---- measuring and predicting -------------------------------------------------------------------------------------------------- */

/* Rounds to the digits of a table, so that the errors equal those of the written table. */
static double as_kept(double seconds)
{
    char text[32];

    snprintf(text, sizeof text, "%.*g", CHECK_DIGITS, seconds);
    return strtod(text, NULL);
}

/* *fits [out] 0: the workload needs more memory than there is; the context's message says how much. */
static int measure(check_job *job, check_row *row, int *fits)
{
    char text[MODEL_WORKLOAD_TEXT];
    tms_measurement m;
    tms_status status = tms_model_measure(job->ctx, &row->workload, 0, &m);

    *fits = status != TMS_E_MEMORY;
    if (!*fits)
        return CLI_OK;
    if (status != TMS_OK)
        cli_say(command, "%s: %s", row->sweep, model_workload_text(&row->workload, text));
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    row->seconds = as_kept(m.seconds);
    row->low = as_kept(m.low);
    row->high = as_kept(m.high);
    row->fpr = m.fpr;
    row->active_blocks = m.active_blocks;
    return CLI_OK;
}

/* Measures all workloads. Leaves out those that do not fit into the free memory, with a remark. */
static int measure_all(check_job *job)
{
    check_table *table = &job->table;
    size_t n = table->n;
    char why[512] = "";
    int code = CLI_OK, fits;

    table->n = 0;
    if (!job->common.quiet) /* some first build filters of gigabytes */
        cli_say(command, "%zu workload%s to run, %s; large ones take seconds each", n, CLI_PLURAL(n),
                tms_context_device(job->ctx) == TMS_DEVICE_CPU ? "on the CPU" : "on the GPU");
    io_progress_start(&job->progress, command, NULL, n, job->common.quiet);
    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        io_progress_update(&job->progress, i, i);
        code = measure(job, &table->rows[i], &fits);
        if (fits)
            table->rows[table->n++] = table->rows[i];
        else
            snprintf(why, sizeof why, "%s", tms_context_message(job->ctx));
    }
    io_progress_end(&job->progress);
    if (code != CLI_OK || table->n == n)
        return code;
    if (table->n == 0)
        return cli_fail(command, CLI_NO_MEMORY, "nothing was measured: %s", why);
    if (!job->common.quiet)
        cli_say(command, "%zu of %zu workloads are left out: %s", n - table->n, n, why);
    return CLI_OK;
}

/* The papers' form does not cover some workloads: then its prediction is NaN. */
static int predict(check_job *job, check_row *row)
{
    const tms_profile *profile = &job->profile.file.profile;
    char text[MODEL_WORKLOAD_TEXT];
    tms_prediction p;
    tms_status status = tms_model_predict(job->ctx, profile, &row->workload, TMS_FORM_EXTENDED, &p);

    if (status != TMS_OK && row->line > 0)
        return cli_fail(command, CLI_USAGE, "%s:%zu: %s", io_stream_name(job->from), row->line, tms_context_message(job->ctx));
    if (status != TMS_OK)
        cli_say(command, "%s: %s", row->sweep, model_workload_text(&row->workload, text));
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    row->predicted = p.seconds;
    snprintf(row->binding, sizeof row->binding, "%s", model_binding(&p));
    status = tms_model_predict(job->ctx, profile, &row->workload, TMS_FORM_PAPER, &p);
    row->paper = status == TMS_OK ? p.seconds : NAN;
    return CLI_OK;
}

/* ---- the table ----------------------------------------------------------------------------------------------------------------- */

static double predicted_of(const check_row *row, int is_paper) { return is_paper ? row->paper : row->predicted; }

/* Prints the errors of one sweep in one form of the model. */
static void print_form(const check_job *job, const char *sweep, int is_paper)
{
    const check_table *table = &job->table;
    double *predicted = job->numbers, *measured = predicted + table->n, *scratch = measured + table->n;
    const check_row *worst = NULL;
    struct prediction_errors errors;
    char text[MODEL_WORKLOAD_TEXT], seconds[2][MODEL_TEXT];
    size_t n = 0, i = 0;

    for (size_t j = 0; j < table->n; j++) {
        const check_row *row = &table->rows[j];
        if (strcmp(row->sweep, sweep) != 0 || !isfinite(predicted_of(row, is_paper)))
            continue;
        predicted[n] = predicted_of(row, is_paper);
        measured[n++] = row->seconds;
    }
    printf("%-16s %-8s ", sweep, is_paper ? "paper" : "extended");
    if (!prediction_errors_of(predicted, measured, n, scratch, &errors)) {
        puts("   0       -         -         -  -");
        return;
    }
    for (size_t j = 0; j < table->n && worst == NULL; j++) {
        const check_row *row = &table->rows[j];
        if (strcmp(row->sweep, sweep) == 0 && isfinite(predicted_of(row, is_paper)) && i++ == errors.worst_at)
            worst = row;
    }
    printf("%4zu  ", errors.n);
    printf(isfinite(errors.r2) ? "%6.4f  " : "%6.0f  ", errors.r2);
    printf("%6.1f %%  %6.1f %%", 100 * errors.median, 100 * errors.worst);
    if (worst != NULL)
        printf("  %s: %s predicted, %s measured", model_workload_text(&worst->workload, text),
               model_seconds_text(predicted_of(worst, is_paper), seconds[0]), model_seconds_text(worst->seconds, seconds[1]));
    putchar('\n');
}

static int print_errors(check_job *job)
{
    const check_table *table = &job->table;

    job->numbers = calloc(table->n, 3 * sizeof *job->numbers);
    if (job->numbers == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for a table");
    printf("%-16s %-8s %4s  %6s  %8s  %8s  %s\n", "sweep", "form", "n", "R2", "median", "worst", "where");
    for (size_t j = 0; j < table->n; j++) {
        if (!begins_sweep(table, j))
            continue;
        print_form(job, table->rows[j].sweep, 0);
        print_form(job, table->rows[j].sweep, 1);
    }
    return CLI_OK;
}

static void print_measured(const check_job *job)
{
    if (job->from == NULL)
        printf("measured    here, %zu workload%s\n\n", job->table.n, CLI_PLURAL(job->table.n));
    else
        printf("measured    %s: %s, %s, tamis %s, %zu workload%s\n\n", io_stream_name(job->from),
               job->table.gpu[0] != '\0'   ? job->table.gpu
               : job->table.cpu[0] != '\0' ? job->table.cpu
                                           : "a machine that it does not name",
               job->table.date[0] != '\0' ? job->table.date : "no date", job->table.version[0] != '\0' ? job->table.version : "?",
               job->table.n, CLI_PLURAL(job->table.n));
}

static int write_table(check_job *job)
{
    io_error err;
    io_status status;

    if (job->file == NULL)
        return CLI_OK;
    status = check_table_write(job->file, &job->table, &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->file, &err);
        job->file = NULL;
    }
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------------- */

static int open_output(check_job *job)
{
    io_error err;
    io_status status;

    if (job->output == NULL)
        return CLI_OK;
    status = io_safe_file_open(&(io_output){.path = job->output,
                                            .inputs = &job->from,
                                            .n_inputs = job->from != NULL,
                                            .is_kind = check_table_is,
                                            .kind = "a table of sweeps",
                                            .beside_stdout = 1,
                                            .force = job->common.force},
                               &job->file, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* Fills in the notes of a new table. */
static void name_table(check_job *job, const tms_machine *machine, int argc, char **argv)
{
    check_table *table = &job->table;
    time_t now = time(NULL);
    struct tm utc;
    const char *commit = getenv("TAMIS_COMMIT"); /* as for tamis-bench */
    size_t at = (size_t)snprintf(table->command, sizeof table->command, "tamis model");

    snprintf(table->cpu, sizeof table->cpu, "%s", machine->cpu);
    snprintf(table->gpu, sizeof table->gpu, "%s", machine->gpu);
    if (machine->n_multiprocessors > 0)
        snprintf(table->machine, sizeof table->machine, "%u multiprocessors, L2 %llu bytes", machine->n_multiprocessors,
                 (unsigned long long)machine->l2_bytes);
    snprintf(table->version, sizeof table->version, "%s", tms_version());
    snprintf(table->commit, sizeof table->commit, "%.40s", commit != NULL ? commit : "");
    for (char *c = table->commit; *c != '\0'; c++) {
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    }
    if (gmtime_r(&now, &utc) == NULL || strftime(table->date, sizeof table->date, "%Y-%m-%d", &utc) == 0)
        table->date[0] = '\0';
    for (int i = 0; i < argc && at < sizeof table->command; i++)
        at += (size_t)snprintf(table->command + at, sizeof table->command - at, " %s", argv[i]);
    for (char *c = table->command; *c != '\0'; c++) {
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    }
}

static int begin_measuring(check_job *job, int argc, char **argv)
{
    io_error err;
    tms_machine machine;
    tms_status status;
    int on_cpu, code = cli_use_device(&job->common, job->ctx, UINT64_MAX, 0);

    if (code != CLI_OK)
        return code;
    on_cpu = tms_context_device(job->ctx) == TMS_DEVICE_CPU;
    status = tms_model_machine(job->ctx, &machine);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    code = model_here_find(command, tms_context_device(job->ctx), &job->profile.here);
    if (code == CLI_OK)
        code = list_workloads(job, &machine, on_cpu);
    if (code == CLI_OK)
        code = model_profile_find(command, job->profile_name, on_cpu ? MODEL_CPU : MODEL_GPU, NULL, &job->profile);
    if (code != CLI_OK)
        return code;
    if (profile_file_check_machine(job->profile.path, &job->profile.file.profile, &machine, !on_cpu, &err) != IO_OK)
        return cli_fail_io(command, IO_E_INPUT, &err);
    name_table(job, &machine, argc, argv);
    return CLI_OK;
}

/* Prints a remark if the table and the profile are of different machines. */
static void remark_other(const check_job *job, const char *measured, const char *profile)
{
    if (measured != NULL && measured[0] != '\0' && strcmp(measured, profile) != 0 && !job->common.quiet)
        cli_say(command, "%s: measured on %s, but the profile is of %s", io_stream_name(job->from), measured,
                profile[0] != '\0' ? profile : "no GPU");
}

static int begin_from(check_job *job)
{
    const char *gpu;
    io_error err;
    io_status status = check_table_read(job->from, &job->table, &err);
    int n_gpu = 0, code = status == IO_OK ? choose_rows(job) : cli_fail_io(command, status, &err);

    if (code != CLI_OK)
        return code;
    for (size_t i = 0; i < job->table.n; i++)
        n_gpu += !job->table.rows[i].workload.on_cpu;
    code = model_here_find(command, TMS_DEVICE_AUTO, &job->profile.here);
    if (code != CLI_OK)
        return code;
    gpu = n_gpu > 0 && job->table.gpu[0] != '\0' ? job->table.gpu : NULL;
    code = model_profile_find(command, job->profile_name, n_gpu > 0 ? MODEL_GPU : MODEL_CPU, gpu, &job->profile);
    if (code == CLI_OK)
        remark_other(job, gpu, job->profile.file.profile.machine.gpu);
    if (code == CLI_OK && (size_t)n_gpu < job->table.n)
        remark_other(job, job->table.cpu, job->profile.file.profile.machine.cpu);
    return code;
}

static int run(check_job *job, int argc, char **argv)
{
    int code = open_output(job);

    if (code == CLI_OK)
        code = cli_context_create(&job->common, &job->ctx);
    if (code == CLI_OK)
        code = job->from != NULL ? begin_from(job) : begin_measuring(job, argc, argv);
    if (code == CLI_OK && job->from == NULL)
        code = measure_all(job);
    for (size_t i = 0; i < job->table.n && code == CLI_OK; i++)
        code = predict(job, &job->table.rows[i]);
    if (code != CLI_OK)
        return code;
    if (!job->common.quiet)
        model_profile_remark(command, &job->profile);
    model_profile_print(&job->profile);
    print_measured(job);
    code = print_errors(job);
    if (code == CLI_OK)
        code = write_table(job);
    return cli_end_stdout(command, code);
}

int model_check_run(int argc, char **argv)
{
    check_job *job = calloc(1, sizeof *job);
    char **words = calloc((size_t)argc, sizeof *words); /* argv before options are moved */
    options_given given;
    int code = CLI_NO_MEMORY;

    if (job == NULL || words == NULL) {
        cli_fail(command, CLI_NO_MEMORY, "out of memory");
    } else {
        memcpy(words, argv, (size_t)argc * sizeof *words);
        job->app = -1;
        if (cli_options(&model_check_options, argc, argv, &job->common, &given, &code))
            code = run(job, argc, words);
        io_progress_end(&job->progress);
        io_safe_file_abort(job->file);
        check_table_free(&job->table);
        tms_context_destroy(job->ctx);
        free(job->numbers);
    }
    free(words);
    free(job);
    return code;
}
