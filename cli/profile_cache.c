/* profile_cache.c - see profile_cache.h. */
#include "cli/profile_cache.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int profile_cache_path(const tms_machine *m, int gpu, char path[DATA_PATH])
{
    char directory[DATA_PATH], name[256];
    int n;

    path[0] = '\0';
    if (!data_cache_directory(directory))
        return 0;
    if (gpu)
        snprintf(name, sizeof name, "%s-cuda%d.%d-tamis%d.%d", m->gpu, m->driver_version / 1000, m->driver_version % 1000 / 10,
                 TMS_VERSION_MAJOR, TMS_VERSION_MINOR);
    else
        snprintf(name, sizeof name, "%s-%ux%s-tamis%d.%d", m->cpu, m->n_processors, tms_simd_name((tms_simd)m->simd), TMS_VERSION_MAJOR,
                 TMS_VERSION_MINOR);
    for (char *at = name; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && *at != '.' && *at != '-')
            *at = '_';
    }
    n = snprintf(path, DATA_PATH, "%s/%s.json", directory, name);
    if (n > 0 && n < DATA_PATH)
        return 1;
    path[0] = '\0';
    return 0;
}

int profile_cache_read(const tms_machine *here, int gpu, profile_file *out, io_error *err)
{
    char path[DATA_PATH];

    if (!profile_cache_path(here, gpu, path) || access(path, F_OK) != 0)
        return 0;
    if (profile_file_read(path, out, err) != IO_OK || profile_file_check_machine(path, &out->profile, here, gpu, err) != IO_OK)
        return -1;
    return 1;
}

/* Whether the environment has TAMIS_TUNE=off. */
static int is_off(void)
{
    const char *tune = getenv("TAMIS_TUNE");

    return tune != NULL && strcmp(tune, "off") == 0;
}

/* Whether a file has the name of a profile of this version of tamis. */
static int is_profile_name(const char *name)
{
    char end[64];
    size_t n = (size_t)snprintf(end, sizeof end, "-tamis%d.%d.json", TMS_VERSION_MAJOR, TMS_VERSION_MINOR), length = strlen(name);

    return length > n && strcmp(name + length - n, end) == 0;
}

/* Of two profiles of the same day, the one whose path sorts last counts as newer, so that the choice is always the same. */
static int is_newer(const profile_file *p, const char *path, const profile_file *other, const char *other_path)
{
    int order = strcmp(p->date, other->date);

    return other_path[0] == '\0' || order > 0 || (order == 0 && strcmp(path, other_path) > 0);
}

int profile_cache_find(const tms_machine *here, profile_file *out, char path[DATA_PATH])
{
    char directory[DATA_PATH], at[DATA_PATH];
    profile_file *kept = malloc(sizeof *kept);
    DIR *files = kept != NULL && !is_off() && data_cache_directory(directory) ? opendir(directory) : NULL;
    const struct dirent *file;
    io_error err;

    path[0] = '\0';
    while (files != NULL && (file = readdir(files)) != NULL) {
        int n = is_profile_name(file->d_name) ? snprintf(at, DATA_PATH, "%s/%s", directory, file->d_name) : 0;
        if (n <= 0 || n >= DATA_PATH || profile_file_read(at, kept, &err) != IO_OK || !kept->profile.has_gpu || !kept->profile.reliable ||
            profile_file_check_machine(at, &kept->profile, here, 0, &err) != IO_OK || !is_newer(kept, at, out, path))
            continue;
        *out = *kept;
        memcpy(path, at, sizeof at);
    }
    if (files != NULL)
        (void)closedir(files);
    free(kept);
    return path[0] != '\0';
}

void profile_cache_apply(tms_context *ctx, char *why, size_t size)
{
    profile_file *kept;
    tms_machine here;
    io_error err;
    int found;

    why[0] = '\0';
    if (is_off() || tms_context_device(ctx) == TMS_DEVICE_CPU || tms_model_machine(ctx, &here) != TMS_OK)
        return;
    kept = malloc(sizeof *kept);
    found = kept != NULL ? profile_cache_read(&here, 1, kept, &err) : 0;
    if (found < 0)
        snprintf(why, size, "%s", err.text);
    if (found > 0 && tms_model_apply(ctx, &kept->profile) != TMS_OK) {
        snprintf(why, size, "%s", tms_context_message(ctx));
        (void)!tms_model_apply(ctx, NULL);
    }
    free(kept);
}
