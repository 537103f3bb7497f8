/*
 * model_cmd_calibrate.c - tamis model calibrate: measures this machine, and stores the profile.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/model/model_profile.h"
#include "cli/model/model_verbs.h"
#include "figures/model_text.h"
#include "io/io_progress.h"

static const char command[] = "model calibrate";

typedef struct calibrate_job {
    cli_common common;
    const char *output;
    uint64_t max_bytes;
    int is_quick;

    tms_context *ctx;
    model_here here;
    profile_file profile;
    char path[DATA_PATH];
    io_safe_file *file; /* NULL: the profile is not kept */
    io_progress progress;
} calibrate_job;

static const option_row rows[] = {
    {'o', "output", "FILE", OPTION_PATH(calibrate_job, output), .otherwise = "in the cache, by device, driver and version",
     .help = "where to write the profile, whole or not at all; - is standard output, without the table"},
    CLI_ROW_FORCE("keep an unreliable profile; replace FILE even if it is a file of another kind"),
    {0, "device", "D", OPTION_DEVICE(calibrate_job, common.device), .initial = "auto",
     .help = "auto, cpu, cuda or cuda:I; auto measures the first GPU, if there is one. The CPU is measured too"},
    {0, "max-bytes", "B", OPTION_SIZE(calibrate_job, max_bytes, 1, INT64_MAX), .what = "a number of bytes",
     .otherwise = "an eighth of the free memory", .help = "maximum memory for tables on the CPU; at most 8 GiB are used"},
    {0, "quick", NULL, OPTION_FLAG(calibrate_job, is_quick),
     .help = "fewer sizes, and CPU tables of at most 256 MiB: ten seconds instead of a minute, without a GPU"},
    CLI_ROW_QUIET("no progress and no remarks"),
    CLI_ROW_HELP,
};

const option_table model_calibrate_options = {
    command,
    "Usage: tamis model calibrate [OPTION]...\n"
    "\n"
    "Measures the GPU and the CPU of this machine, and keeps the results as a profile\n"
    "for the other verbs, in $XDG_CACHE_HOME/tamis, or else in ~/.cache/tamis. Prints\n"
    "limits and rates. This takes about a minute on an idle machine, and longer on a\n"
    "busy one. Run it while the machine is idle: if repeated measurements differ too\n"
    "much, the profile is unreliable, and is kept only with --force or -o.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0, also for an unreliable profile; 4 if there is no GPU for\n"
    "--device cuda, 6 if the profile could not be kept; see tamis(1).\n",
    .no_operands = "calibrate takes no files",
};

/* ---- where to ------------------------------------------------------------------------------------------------------------------ */

static io_status open_file(calibrate_job *job, const char *path, io_error *err)
{
    return io_safe_file_open(
        &(io_output){.path = path, .is_kind = profile_file_is, .kind = "a profile of a machine", .force = job->common.force}, &job->file,
        err);
}

/* Opens the file in the cache. If it cannot be written, *code is the exit code, after a message, but calibration goes on. */
static void open_cache(calibrate_job *job, int gpu, int *code)
{
    io_error err;
    io_status status;

    if (!profile_cache_path(&job->here.machine, gpu, job->path)) {
        *code = cli_fail(command, CLI_NO_OUTPUT,
                         "the profile will not be kept: neither XDG_CACHE_HOME nor HOME is an absolute path; use -o FILE");
        return;
    }
    if (io_make_directories(job->path, 0700, &err) != IO_OK) { /* the mode that XDG wants */
        *code = cli_fail(command, CLI_NO_OUTPUT, "the profile will not be kept: %s; use -o FILE to write it elsewhere", err.text);
        return;
    }
    status = open_file(job, job->path, &err);
    if (status != IO_OK)
        *code = cli_fail(command, status == IO_E_OUTPUT ? CLI_NO_OUTPUT : CLI_USAGE, "the profile will not be kept: %s", err.text);
}

static int open_output(calibrate_job *job, int gpu, int *kept)
{
    io_error err;
    io_status status;

    *kept = CLI_OK;
    if (job->output == NULL) {
        open_cache(job, gpu, kept);
        return CLI_OK;
    }
    snprintf(job->path, sizeof job->path, "%s", job->output);
    status = open_file(job, job->output, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* ---- printing ------------------------------------------------------------------------------------------------------------------ */

static void print_machine(const tms_profile *p)
{
    const tms_machine *m = &p->machine;
    char text[3][MODEL_TEXT];

    if (p->has_gpu) {
        printf("gpu         %s, compute %d.%d, CUDA driver %d.%d, runtime %d.%d\n", m->gpu, m->compute_major, m->compute_minor,
               m->driver_version / 1000, m->driver_version % 1000 / 10, m->runtime_version / 1000, m->runtime_version % 1000 / 10);
        printf("limits      MP %u, W %u, R %u, B_max/MP %u, T_maxB %u, T_maxMP %u, S %s\n", m->n_multiprocessors, m->warp_size,
               m->registers, m->max_blocks, m->max_threads_block, m->max_threads, model_bytes_text((double)m->shared_bytes, text[0]));
        printf("memory      %s, L2 %s; clocks %u and %u MHz\n", model_bytes_text((double)m->memory_bytes, text[0]),
               model_bytes_text((double)m->l2_bytes, text[1]), m->clock_khz / 1000, m->memory_clock_khz / 1000);
    }
    if (p->has_cpu)
        printf("cpu         %s, %u processor%s, %s\n", m->cpu, m->n_processors, CLI_PLURAL(m->n_processors),
               tms_simd_name((tms_simd)m->simd));
}

enum { NAME_WIDTH = 44 };

/* Is the value printed? Rates are, and the times of a launch and of a GPU's start. */
static int is_rate(const char *name)
{
    static const char rate[] = "_per_second";
    size_t n = strlen(name);

    return (n > sizeof rate - 1 && strcmp(name + n - (sizeof rate - 1), rate) == 0) || strcmp(name, "launch_seconds") == 0 ||
           strcmp(name, "gpu_start_seconds") == 0;
}

/* Prints a curve at up to five points, including the first and the last. */
static void print_curve(const char *name, const tms_curve *curve)
{
    enum { MOST = 5 };
    uint32_t n = curve->n < MOST ? curve->n : MOST;
    char text[2][MODEL_TEXT];

    printf("%-*s", NAME_WIDTH, name);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = n > 1 ? i * (curve->n - 1) / (n - 1) : 0;
        printf("%s%s: %s", i > 0 ? ", " : "", model_bytes_text(curve->x[at], text[0]), model_count_text(curve->y[at], text[1]));
    }
    putchar('\n');
}

static void print_rates(const tms_profile *p)
{
    const char *name;
    char text[MODEL_TEXT];
    size_t n_values = 0, n_curves = 0;

    putchar('\n');
    for (size_t i = 0; i < TMS_PROFILE_VALUES && (name = tms_profile_value_name(i)) != NULL; i++) {
        if (p->values[i] != 0 && is_rate(name))
            printf("%-*s%s\n", NAME_WIDTH, name,
                   p->values[i] < 1 ? model_seconds_text(p->values[i], text) : model_count_text(p->values[i], text));
        n_values += p->values[i] != 0;
    }
    for (size_t i = 0; i < TMS_PROFILE_CURVES && (name = tms_profile_curve_name(i)) != NULL; i++) {
        if (p->curves[i].n > 0 && is_rate(name))
            print_curve(name, &p->curves[i]);
        n_curves += p->curves[i].n > 0;
    }
    printf("\nmeasured    %zu numbers and %zu curves, these among them; curves are over the bytes that are accessed\n", n_values, n_curves);
}

static void print_result(const calibrate_job *job)
{
    const tms_profile *p = &job->profile.profile;

    print_machine(p);
    if (!p->has_gpu)
        printf("here        no GPU was measured, only the CPU%s%s\n", job->here.has_gpu ? "" : ": ",
               job->here.has_gpu ? "" : job->here.reason);
    printf("spread      %.1f %% between repeats, but for the 3 in 100 that differ most: %s\n", 100 * p->spread,
           p->reliable ? "reliable (15 % at most)" : "unreliable (more than 15 %); is the machine busy?");
    print_rates(p);
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------------- */

static void show_progress(void *arg, double done)
{
    calibrate_job *job = arg;

    io_progress_update(&job->progress, (uint64_t)(1000 * done), 0);
}

/* Rates are by the threads' CPU time, so other processes hardly change them; but those take cache and memory bandwidth. */
#define MUCH_LOAD 0.25 /* of the processors */
static void remark_load(const calibrate_job *job)
{
    double load;
    uint32_t n = job->here.machine.n_processors;

    if (!job->common.quiet && getloadavg(&load, 1) == 1 && load > MUCH_LOAD * n)
        cli_say(command,
                "the machine is busy (a load of %.1f on %u processor%s): calibration takes longer, and predictions for an idle machine may "
                "be off by a third",
                load, n, CLI_PLURAL(n));
}

static int measure(calibrate_job *job)
{
    time_t now = time(NULL);
    struct tm utc;
    tms_status status;

    remark_load(job);
    io_progress_start(&job->progress, command, NULL, 1000, job->common.quiet);
    status = (job->is_quick ? tms_model_calibrate_quick : tms_model_calibrate)(job->ctx, job->max_bytes, &job->profile.profile,
                                                                               show_progress, job);
    io_progress_end(&job->progress);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    if (gmtime_r(&now, &utc) == NULL || strftime(job->profile.date, sizeof job->profile.date, "%Y-%m-%d", &utc) == 0)
        job->profile.date[0] = '\0';
    return CLI_OK;
}

/* Prints the path of the stored profile last. */
static int keep(calibrate_job *job, int kept)
{
    int is_stdout = job->output != NULL && strcmp(job->output, "-") == 0;
    io_error err;
    io_status status;

    if (job->file == NULL) {
        puts("kept        nowhere");
        return kept;
    }
    if (!job->profile.profile.reliable && job->output == NULL && !job->common.force) {
        puts("kept        nowhere: it is unreliable; --force or -o FILE keeps it");
        return CLI_OK;
    }
    status = profile_file_write(job->file, &job->profile, &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->file, &err);
        job->file = NULL;
    }
    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    if (!is_stdout)
        printf("kept        %s\n", job->path);
    return CLI_OK;
}

static int run(calibrate_job *job)
{
    int kept, is_stdout = job->output != NULL && strcmp(job->output, "-") == 0;
    int code = cli_context_create(&job->common, &job->ctx);

    if (code == CLI_OK)
        code = cli_use_device(&job->common, job->ctx, UINT64_MAX, 0);
    if (code == CLI_OK)
        code = model_here_find(command, tms_context_device(job->ctx), &job->here);
    if (code == CLI_OK)
        code = open_output(job, tms_context_device(job->ctx) != TMS_DEVICE_CPU, &kept);
    if (code == CLI_OK)
        code = measure(job);
    if (code != CLI_OK)
        return code;
    if (!is_stdout)
        print_result(job);
    code = keep(job, kept);
    if (!job->profile.profile.reliable && !job->common.quiet)
        cli_say(command, "unreliable: repeated measurements differed by up to %.0f %%", 100 * job->profile.profile.spread);
    return cli_end_stdout(command, code);
}

int model_calibrate_run(int argc, char **argv)
{
    calibrate_job *job = calloc(1, sizeof *job);
    options_given given;
    int code;

    if (job == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    if (cli_options(&model_calibrate_options, argc, argv, &job->common, &given, &code))
        code = run(job);
    io_progress_end(&job->progress);
    io_safe_file_abort(job->file);
    tms_context_destroy(job->ctx);
    free(job);
    return code;
}
