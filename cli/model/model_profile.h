/*
 * model_profile.h - finds the profile for a verb of `tamis model`, and the path of this machine's stored profile.
 */
#ifndef TAMIS_CLI_MODEL_PROFILE_H
#define TAMIS_CLI_MODEL_PROFILE_H

#include <jansson.h>

#include "cli/cli.h"
#include "cli/data_files.h"
#include "cli/profile_cache.h"
#include "figures/profile_file.h"

/* This machine, found without opening a GPU. Of the GPU only the fields that profile_file_check_machine() compares are set. */
typedef struct model_here {
    tms_machine machine;
    int has_gpu;
    char reason[256]; /* why no GPU is usable */
} model_here;

/*
 * model_here_find() - describes this machine.
 *   gpu [in] index of a GPU; TMS_DEVICE_CPU or TMS_DEVICE_AUTO: the first usable one
 * Returns CLI_OK, also if there is no GPU; otherwise the exit code, after a message.
 */
int model_here_find(const char *command, int gpu, model_here *out);

typedef enum model_device { MODEL_AUTO, MODEL_CPU, MODEL_GPU } model_device; /* in the order of "auto cpu cuda" */

typedef struct model_profile {
    profile_file file;
    char path[DATA_PATH];
    const char *origin; /* "given", "of this machine", "shipped" */
    int on_cpu;         /* predict for the CPU, not for a GPU */
    model_here here;
} model_profile;

/*
 * model_profile_find() - finds the given profile; else the one kept for this machine; else a shipped one of that GPU.
 *   given  [in] --profile: a file, or the name of a shipped profile; or NULL
 *   device [in] AUTO: the GPU, if this machine or the given profile has one
 *   gpu    [in] name of the GPU; NULL: that of this machine
 *   out    [in,out] here: from model_here_find()
 * Returns CLI_OK; otherwise the exit code, after a message.
 */
int model_profile_find(const char *command, const char *given, model_device device, const char *gpu, model_profile *out);

/*
 * model_profile_resolve() - the path for --profile: that file, or else the shipped profile of that name.
 *   origin [out] "given" or "shipped"
 * Returns CLI_OK; otherwise the exit code, after a message. Does not read the file.
 */
int model_profile_resolve(const char *command, const char *given, char path[DATA_PATH], const char **origin);

/*
 * model_profile_kept() - the profile stored for this machine, with its GPU or for the CPU alone. p->here: from model_here_find().
 * *found [out] 0: there is none. Returns as model_profile_find().
 */
int model_profile_kept(const char *command, model_profile *p, int *found);

/* model_profile_shipped() - the first shipped profile of a GPU of this name; *found [out] 0: there is none. Returns as
 * model_profile_find(). */
int model_profile_shipped(const char *command, const char *gpu, model_profile *out, int *found);

/*
 * model_profile_begin() - for a verb that only predicts: what is here, the profile (as model_profile_find()), and a context on the CPU.
 * Returns CLI_OK; otherwise the exit code, after a message.
 */
int model_profile_begin(const char *command, const char *given, model_device device, const cli_common *common, model_profile *out,
                        tms_context **ctx);

/* model_profile_print() - prints two lines: the profile, and whether it is of this machine. */
void model_profile_print(const model_profile *p);

/* model_profile_json() - the lines of model_profile_print() as an object; NULL: no memory. */
json_t *model_profile_json(const model_profile *p);

/* model_profile_remark() - prints a remark on standard error if predictions from the profile are unreliable. */
void model_profile_remark(const char *command, const model_profile *p);

#define MODEL_ROW_PROFILE(job, member)                                                                                                     \
    {                                                                                                                                      \
        0, "profile", "FILE", OPTION_PATH(job, member),                                                                                    \
            .otherwise = "of this machine", .help = "a file of 'tamis model calibrate', or the name of a profile that comes with tamis"    \
    }
#define MODEL_ROW_DEVICE(job, member)                                                                                                      \
    {                                                                                                                                      \
        0, "device", "D", OPTION_CHOICE(job, member, "auto cpu cuda", MODEL_AUTO),                                                         \
            .initial = "auto", .help = "predict for: cpu, cuda, or auto, which is the GPU if the profile has one"                          \
    }

#endif
