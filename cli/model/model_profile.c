#include "cli/model/model_profile.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tamis/model.h"

int model_here_find(const char *command, int gpu, model_here *out)
{
    const cli_common common = {.command = command, .device = TMS_DEVICE_CPU, .n_threads = 1};
    tms_gpu_report report;
    tms_context *ctx = NULL;
    tms_status status;
    int code;

    memset(out, 0, sizeof *out);
    code = cli_context_create(&common, &ctx);
    if (code == CLI_OK && (status = tms_model_machine(ctx, &out->machine)) != TMS_OK)
        code = cli_fail_library(command, ctx, status);
    tms_context_destroy(ctx);
    if (code != CLI_OK)
        return code;
    tms_gpu_probe(&report);
    snprintf(out->reason, sizeof out->reason, "%s", report.built_with_cuda ? report.reason : "this build of tamis has no GPU code");
    for (int i = 0; i < report.n_gpus && !out->has_gpu; i++) {
        const tms_gpu *found = &report.gpus[i];
        if (!found->usable || (gpu >= 0 && i != gpu))
            continue;
        out->has_gpu = 1;
        snprintf(out->machine.gpu, sizeof out->machine.gpu, "%s", found->name);
        out->machine.driver_version = report.driver_version;
        out->machine.runtime_version = report.runtime_version;
        out->machine.compute_major = found->compute_major;
        out->machine.compute_minor = found->compute_minor;
        out->machine.n_multiprocessors = (uint32_t)found->n_multiprocessors;
        out->machine.memory_bytes = found->memory_bytes;
        out->machine.l2_bytes = found->l2_bytes;
    }
    return CLI_OK;
}

/* ---- which one ----------------------------------------------------------------------------------------------------------------- */

static int read_profile(const char *command, model_profile *p, const char *origin)
{
    io_error err;
    io_status status = profile_file_read(p->path, &p->file, &err);

    p->origin = origin;
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

static int is_directory(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* A file takes precedence over a shipped profile of the same name; a directory does not. */
int model_profile_resolve(const char *command, const char *given, char path[DATA_PATH], const char **origin)
{
    char name[256], shipped[1024];

    *origin = "given";
    if (given[0] == '\0')
        return cli_fail_usage(command, "--profile '': give a file, or the name of a profile that comes with tamis");
    if (strcmp(given, "-") == 0 || strchr(given, '/') != NULL || (access(given, F_OK) == 0 && !is_directory(given))) {
        snprintf(path, DATA_PATH, "%s", given);
        return CLI_OK;
    }
    snprintf(name, sizeof name, "%s.json", given);
    *origin = "shipped";
    if (data_file(DATA_PROFILES, name, path))
        return CLI_OK;
    data_names(DATA_PROFILES, ".json", shipped, sizeof shipped);
    return cli_fail(command, CLI_USAGE, "%s: no such file, and no profile of this name comes with tamis%s%s%s", given,
                    shipped[0] != '\0' ? " (available: " : "", shipped, shipped[0] != '\0' ? ")" : "");
}

static int take_given(const char *command, const char *given, model_profile *p)
{
    const char *origin;
    int code = model_profile_resolve(command, given, p->path, &origin);

    return code == CLI_OK ? read_profile(command, p, origin) : code;
}

/* Reads the profile kept for this machine. *found [out] 0: there is none. */
static int take_kept(const char *command, int gpu, model_profile *p, int *found)
{
    io_error err;
    int code;

    *found = profile_cache_path(&p->here.machine, gpu, p->path) && access(p->path, F_OK) == 0;
    if (!*found)
        return CLI_OK;
    code = read_profile(command, p, "of this machine");
    if (code == CLI_OK && profile_file_check_machine(p->path, &p->file.profile, &p->here.machine, gpu, &err) != IO_OK)
        return cli_fail_io(command, IO_E_INPUT, &err);
    return code;
}

int model_profile_kept(const char *command, model_profile *p, int *found)
{
    int code = p->here.has_gpu ? take_kept(command, 1, p, found) : CLI_OK;

    if (!p->here.has_gpu)
        *found = 0;
    return code == CLI_OK && !*found ? take_kept(command, 0, p, found) : code;
}

/* The next name in a list of data_names(); NULL at its end. */
static char *next_name(char **rest)
{
    char *name = *rest, *end;

    if (name == NULL || name[0] == '\0')
        return NULL;
    end = strstr(name, ", ");
    *rest = end != NULL ? end + 2 : NULL;
    if (end != NULL)
        *end = '\0';
    return name;
}

int model_profile_shipped(const char *command, const char *gpu, model_profile *p, int *found)
{
    char names[1024], file[sizeof names + 8], *rest = names, *name;

    *found = 0;
    data_names(DATA_PROFILES, ".json", names, sizeof names);
    while ((name = next_name(&rest)) != NULL) {
        int code;
        snprintf(file, sizeof file, "%s.json", name);
        if (!data_file(DATA_PROFILES, file, p->path))
            continue;
        code = read_profile(command, p, "shipped");
        if (code != CLI_OK)
            return code;
        *found = p->file.profile.has_gpu && strcmp(p->file.profile.machine.gpu, gpu) == 0;
        if (*found)
            return CLI_OK;
    }
    return CLI_OK;
}

static int fail_none(const char *command, int gpu, const char *gpu_name, const model_here *here)
{
    char names[1024];

    data_names(DATA_PROFILES, ".json", names, sizeof names);
    return cli_fail(command, CLI_USAGE,
                    "there is no profile of %s%s: create one with 'tamis model calibrate', or give --profile FILE%s%s%s",
                    gpu ? gpu_name : "this machine's CPU", gpu || here->has_gpu ? "" : ", and there is no GPU",
                    names[0] != '\0' ? " (tamis comes with: " : "", names, names[0] != '\0' ? ")" : "");
}

int model_profile_find(const char *command, const char *given, model_device device, const char *gpu, model_profile *out)
{
    int code = CLI_OK, found = 0, wants_gpu;

    if (given != NULL) {
        code = take_given(command, given, out);
        out->on_cpu = device == MODEL_CPU || (device == MODEL_AUTO && !out->file.profile.has_gpu);
        return code;
    }
    wants_gpu = device == MODEL_GPU || gpu != NULL || (device == MODEL_AUTO && out->here.has_gpu);
    if (wants_gpu && gpu == NULL && !out->here.has_gpu)
        return cli_fail(command, CLI_NO_DEVICE, "there is no GPU: %s; use --profile to predict for another machine", out->here.reason);
    out->on_cpu = !wants_gpu;
    if (gpu == NULL || (out->here.has_gpu && strcmp(gpu, out->here.machine.gpu) == 0))
        code = take_kept(command, wants_gpu, out, &found);
    if (code == CLI_OK && !found && !wants_gpu && out->here.has_gpu) /* measured together with the GPU */
        code = take_kept(command, 1, out, &found);
    if (gpu == NULL)
        gpu = out->here.machine.gpu;
    if (code == CLI_OK && !found && wants_gpu)
        code = model_profile_shipped(command, gpu, out, &found);
    return code != CLI_OK || found ? code : fail_none(command, wants_gpu, gpu, &out->here);
}

/* ---- printing ------------------------------------------------------------------------------------------------------------------ */

/* "NVIDIA H200 (CUDA 12.4)", or the CPU. */
static void device_text(const model_profile *p, char text[256])
{
    const tms_machine *m = &p->file.profile.machine;

    if (p->on_cpu)
        snprintf(text, 256, "%s, %u processor%s", m->cpu, m->n_processors, CLI_PLURAL(m->n_processors));
    else
        snprintf(text, 256, "%s, CUDA %d.%d", m->gpu, m->driver_version / 1000, m->driver_version % 1000 / 10);
}

/* Was the profile measured on this machine? */
static int is_of_here(const model_profile *p)
{
    io_error err;

    return profile_file_check_machine(p->path, &p->file.profile, &p->here.machine, !p->on_cpu, &err) == IO_OK;
}

int model_profile_begin(const char *command, const char *given, model_device device, const cli_common *common, model_profile *out,
                        tms_context **ctx)
{
    int code = model_here_find(command, TMS_DEVICE_AUTO, &out->here);

    if (code == CLI_OK)
        code = model_profile_find(command, given, device, NULL, out);
    return code == CLI_OK ? cli_context_create(common, ctx) : code;
}

void model_profile_print(const model_profile *p)
{
    char device[256];

    device_text(p, device);
    printf("profile     %s (%s): %s, measured %s with tamis %s\n", p->path, p->origin, device, p->file.date,
           p->file.profile.machine.version);
    if (!p->here.has_gpu)
        printf("here        no GPU: %s\n", p->here.reason);
    else if (!is_of_here(p))
        printf("here        %s, CUDA %d.%d: another machine\n", p->here.machine.gpu, p->here.machine.driver_version / 1000,
               p->here.machine.driver_version % 1000 / 10);
}

json_t *model_profile_json(const model_profile *p)
{
    const tms_machine *m = &p->file.profile.machine;
    json_t *path = json_string(p->path); /* NULL if the name is not UTF-8 */

    return json_pack("{s:o, s:s, s:s, s:s, s:s, s:s, s:b, s:f, s:b, s:b}", "file", path != NULL ? path : json_null(), "origin", p->origin,
                     "gpu", m->gpu, "cpu", m->cpu, "version", m->version, "date", p->file.date, "reliable", p->file.profile.reliable,
                     "spread", p->file.profile.spread, "of_this_machine", is_of_here(p), "gpu_here", p->here.has_gpu);
}

void model_profile_remark(const char *command, const model_profile *p)
{
    if (!p->file.profile.reliable)
        cli_say(command, "%s: unreliable: repeated measurements differed by up to %.0f %%", p->path, 100 * p->file.profile.spread);
}
