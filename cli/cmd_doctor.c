/*
 * cmd_doctor.c - shows the CPU, memory and GPUs of this machine, and why a GPU is not usable.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <jansson.h>

#include "cli/cli.h"

static const char command[] = "doctor";

typedef struct doctor_job {
    cli_common common;
    int as_json;
} doctor_job;

static const option_row rows[] = {
    {0, "json", NULL, OPTION_FLAG(doctor_job, as_json), .help = "print one JSON object"},
    CLI_ROW_THREADS,
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP,
};

const option_table doctor_options = {
    command,
    "Usage: tamis doctor [--json]\n"
    "\n"
    "Shows the CPU, the memory and the GPUs of this machine, which of their features\n"
    "tamis uses, and why a GPU is not usable. Add this output to a problem report.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0, with or without a GPU.\n",
    .no_operands = "doctor takes no files",
};

typedef struct machine {
    char cpu_model[128];
    char kernel[160];
    char features[128]; /* those that tamis can use, separated by spaces */
    long n_processors;
    uint64_t memory_bytes;
} machine;

/* "model name : X" from /proc/cpuinfo; the fallback on architectures whose /proc/cpuinfo has no such line. */
static void find_cpu_model(char *model, size_t size, const char *fallback)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");

    snprintf(model, size, "%s", fallback);
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(model, size, "%.*s", (int)size - 1, colon[1] == ' ' ? colon + 2 : colon + 1);
        break;
    }
    fclose(file);
}

static void find_features(char *text, size_t size)
{
    text[0] = '\0';
#if defined(__x86_64__)
    __builtin_cpu_init();
    snprintf(text, size, "sse2%s%s%s%s%s%s", __builtin_cpu_supports("avx2") ? " avx2" : "", __builtin_cpu_supports("bmi2") ? " bmi2" : "",
             __builtin_cpu_supports("avx512f") ? " avx512f" : "", __builtin_cpu_supports("avx512bw") ? " avx512bw" : "",
             __builtin_cpu_supports("avx512vl") ? " avx512vl" : "", __builtin_cpu_supports("avx512dq") ? " avx512dq" : "");
#else
    (void)size;
#endif
}

static void find_machine(machine *m)
{
    struct utsname name;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    memset(m, 0, sizeof *m);
    if (uname(&name) != 0)
        memset(&name, 0, sizeof name);
    snprintf(m->kernel, sizeof m->kernel, "%.50s %.60s %.40s", name.sysname, name.release, name.machine);
    find_cpu_model(m->cpu_model, sizeof m->cpu_model, name.machine);
    find_features(m->features, sizeof m->features);
    m->n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    m->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

/* The text of a CUDA version number: 12040 is 12.4; 0 is none. */
static const char *version_text(int version, char text[16])
{
    if (version <= 0)
        return "none";
    snprintf(text, 16, "%d.%d", version / 1000, version % 1000 / 10);
    return text;
}

static void print_gpus(const tms_gpu_report *report)
{
    char text[16];

    if (!report->built_with_cuda) {
        printf("gpu         this build of tamis has no GPU code%s\n", report->present ? ", but there is a GPU or driver" : "");
        return;
    }
    printf("cuda        runtime %s, ", version_text(report->runtime_version, text));
    printf("driver %s%s\n", report->driver_version > 0 ? "up to " : "", version_text(report->driver_version, text));
    for (int i = 0; i < report->n_gpus; i++) {
        const tms_gpu *gpu = &report->gpus[i];
        printf("gpu %-7d %s, compute %d.%d, %d multiprocessors, %.1f GiB, L2 %.0f MiB: ", i, gpu->name, gpu->compute_major,
               gpu->compute_minor, gpu->n_multiprocessors, (double)gpu->memory_bytes / (1 << 30), (double)gpu->l2_bytes / (1 << 20));
        if (gpu->usable)
            puts("usable");
        else
            printf("not usable: %s\n", gpu->reason);
    }
    if (report->reason[0] != '\0')
        printf("gpu         none usable: %s\n", report->reason);
}

static void print_text(const machine *m, const tms_context *ctx, const tms_gpu_report *report)
{
    printf("tamis       %s\n", tms_version());
    printf("system      %s\n", m->kernel);
    printf("cpu         %s, %ld processor%s\n", m->cpu_model, m->n_processors, CLI_PLURAL(m->n_processors));
    printf("threads     %d\n", tms_context_threads(ctx));
    printf("simd        %s in use; the processor has: %s\n", tms_simd_name(tms_context_simd(ctx)),
           m->features[0] != '\0' ? m->features : "none that tamis uses");
    printf("memory      %.1f GiB\n", (double)m->memory_bytes / (1 << 30));
    print_gpus(report);
}

static json_t *json_version(int version)
{
    char text[16];

    return version > 0 ? json_string(version_text(version, text)) : json_null();
}

static json_t *json_gpus(const tms_gpu_report *report)
{
    json_t *list = json_array();

    for (int i = 0; i < report->n_gpus; i++) {
        const tms_gpu *gpu = &report->gpus[i];
        json_t *entry = json_pack("{s:i, s:s, s:b, s:s, s:s, s:i, s:I, s:I}", "index", i, "name", gpu->name, "usable", gpu->usable,
                                  "reason", gpu->reason, "compute", "", "multiprocessors", gpu->n_multiprocessors, "memory_bytes",
                                  (json_int_t)gpu->memory_bytes, "l2_bytes", (json_int_t)gpu->l2_bytes);
        if (entry == NULL || json_object_set_new(entry, "compute", json_sprintf("%d.%d", gpu->compute_major, gpu->compute_minor)) != 0 ||
            json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static int print_json(const machine *m, const tms_context *ctx, const tms_gpu_report *report)
{
    json_t *root = json_pack("{s:s, s:s, s:s, s:I, s:i, s:s, s:s, s:I}", "version", tms_version(), "system", m->kernel, "cpu", m->cpu_model,
                             "processors", (json_int_t)m->n_processors, "threads", tms_context_threads(ctx), "simd",
                             tms_simd_name(tms_context_simd(ctx)), "cpu_features", m->features, "memory_bytes",
                             (json_int_t)m->memory_bytes);
    json_t *cuda = json_pack("{s:b, s:b, s:o, s:o, s:s, s:o}", "built_in", report->built_with_cuda, "present", report->present, "runtime",
                             json_version(report->runtime_version), "driver", json_version(report->driver_version), "reason",
                             report->reason, "gpus", json_gpus(report));
    char *text = NULL;

    if (root != NULL && cuda != NULL && json_object_set(root, "cuda", cuda) == 0)
        text = json_dumps(root, JSON_INDENT(2));
    json_decref(cuda);
    json_decref(root);
    if (text == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    puts(text);
    free(text);
    return CLI_OK;
}

int cmd_doctor(int argc, char **argv)
{
    doctor_job job = {0};
    options_given given;
    tms_context *ctx = NULL;
    tms_gpu_report report;
    machine m;
    int code;

    if (!cli_options(&doctor_options, argc, argv, &job.common, &given, &code))
        return code;
    code = cli_context_create(&job.common, &ctx);
    if (code == CLI_OK) {
        find_machine(&m);
        tms_gpu_probe(&report);
        if (job.as_json)
            code = print_json(&m, ctx, &report);
        else
            print_text(&m, ctx, &report);
        code = cli_end_stdout(command, code);
    }
    tms_context_destroy(ctx);
    return code;
}
