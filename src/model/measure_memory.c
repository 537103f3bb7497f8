/* measure_memory.c - the free memory of the machine and of the process's control group. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/measure.h"

/* Reads the value of the first line "key : value" of a file of /proc. */
void measure_read_field(const char *path, const char *key, char *out, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");
    out[0] = 0;
    while (file && !out[0] && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 && strchr(line, ':')) {
            const char *value = strchr(line, ':') + 1;
            value += strspn(value, " \t");
            snprintf(out, size, "%.*s", (int)strcspn(value, "\n"), value);
        }
    if (file)
        fclose(file);
}

#define PATH_SIZE 512

/* The file names of a version of control groups. */
struct group_files {
    const char *mount, *limit, *used, *cache; /* directory below the root; cache: the line of memory.stat that counts reclaimable memory */
};
static const struct group_files version_1 = {"/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
static const struct group_files version_2 = {"", "memory.max", "memory.current", "inactive_file"};

/* The number at the start of a file; 0 if there is none or the file says "max". */
static int read_number(const char *directory, const char *name, uint64_t *out)
{
    char path[2 * PATH_SIZE], text[32] = "", *end = text;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (file && fgets(text, sizeof text, file))
        *out = strtoull(text, &end, 10);
    if (file)
        fclose(file);
    return end > text;
}

/* The number after the word at the start of a line of memory.stat; 0 if there is none. */
static uint64_t read_stat(const char *directory, const char *word)
{
    char path[2 * PATH_SIZE], line[128];
    uint64_t value = 0;
    const size_t length = strlen(word);
    snprintf(path, sizeof path, "%s/memory.stat", directory);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, word, length) == 0 && line[length] == ' ')
            value = strtoull(line + length, NULL, 10);
    if (file)
        fclose(file);
    return value;
}

/* The least memory left in a group and its ancestors. Skips groups that the mount does not show, as in a container. */
static uint64_t left_of_group(const char *root, const struct group_files *files, const char *group)
{
    char directory[PATH_SIZE];
    uint64_t least = UINT64_MAX;
    const int n = snprintf(directory, sizeof directory, "%s%s%s", root, files->mount, group);
    const size_t top = strlen(root) + strlen(files->mount);
    if (n < 0 || (size_t)n >= sizeof directory)
        return UINT64_MAX;
    for (;;) {
        uint64_t limit = 0, used = 0;
        if (read_number(directory, files->limit, &limit) && read_number(directory, files->used, &used)) {
            const uint64_t cache = read_stat(directory, files->cache), held = used > cache ? used - cache : 0;
            const uint64_t left = limit > held ? limit - held : 0;
            least = left < least ? left : least;
        }
        char *slash = strrchr(directory, '/');
        if (!slash || strlen(directory) <= top)
            return least;
        *slash = 0;
        if (strlen(directory) < top)
            return least;
    }
}

uint64_t measure_memory_left(const char *meminfo, const char *groups, const char *root)
{
    char text[64], line[PATH_SIZE];
    measure_read_field(meminfo, "MemAvailable", text, sizeof text);
    uint64_t least = text[0] ? strtoull(text, NULL, 10) * 1024 : UINT64_MAX;
    FILE *file = fopen(groups, "r");
    while (file && fgets(line, sizeof line, file)) {
        char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        group[strcspn(group, "\n")] = 0;
        if (strcmp(group, "/") == 0)
            *group = 0;
        const uint64_t left = names[1] == 0                      ? left_of_group(root, &version_2, group)
                              : strcmp(names + 1, "memory") == 0 ? left_of_group(root, &version_1, group)
                                                                 : UINT64_MAX;
        least = left < least ? left : least;
    }
    if (file)
        fclose(file);
    return least;
}

uint64_t measure_memory_free(void) { return measure_memory_left("/proc/meminfo", "/proc/self/cgroup", "/sys/fs/cgroup"); }

tms_status measure_check_memory(tms_context *ctx, uint64_t bytes)
{
    const uint64_t left = measure_memory_free();
    if (bytes <= left)
        return TMS_OK;
    return context_fail(ctx, TMS_E_MEMORY, "the workload needs %llu bytes of memory, but only %llu are free: give a smaller one",
                        (unsigned long long)bytes, (unsigned long long)left);
}
