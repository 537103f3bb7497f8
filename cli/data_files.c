#include "cli/data_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef TAMIS_SHARE_FROM_BIN
#define TAMIS_SHARE_FROM_BIN "../share/tamis" /* CMake defines the installed path */
#endif
#ifndef TAMIS_LINKS_FROM_BIN
#define TAMIS_LINKS_FROM_BIN "../libexec/tamis/bin"
#endif
#define LINKS_AS_BUILT "libexec/tamis/bin"

static const struct {
    const char *shared;   /* below share/tamis */
    const char *as_built; /* from the directory that the command was built in, where CMake makes links to tables */
} directories[] = {[DATA_PROFILES] = {"profiles", "../../share/tamis/profiles"},
                   [DATA_MODEL] = {"model", "share/tamis/model"},
                   [DATA_WORKFLOW] = {"workflow", "../../share/tamis/workflow"}};

int data_own_path(char path[DATA_PATH])
{
    ssize_t n = readlink("/proc/self/exe", path, DATA_PATH - 1);

    if (n <= 0 || n >= DATA_PATH - 1)
        return 0;
    path[n] = '\0';
    return 1;
}

/* The directory of the command's executable, without a trailing '/'. Returns 0 if it is unknown. */
static int find_own_directory(char path[DATA_PATH])
{
    char *slash;

    if (!data_own_path(path))
        return 0;
    slash = strrchr(path, '/');
    if (slash == NULL)
        return 0;
    *slash = '\0';
    return 1;
}

/* Sets the path to "a/b" if that is a directory, else to "". Returns whether it is one. */
static int try_directory(const char *a, const char *b, char path[DATA_PATH])
{
    struct stat info;
    int n = snprintf(path, DATA_PATH, "%s/%s", a, b);

    if (n > 0 && n < DATA_PATH && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return 1;
    path[0] = '\0';
    return 0;
}

int data_directory(data_kind kind, char path[DATA_PATH])
{
    const char *share = getenv("TAMIS_SHARE");
    char own[DATA_PATH], below[256];

    if (share != NULL && share[0] != '\0')
        return try_directory(share, directories[kind].shared, path);
    path[0] = '\0';
    if (!find_own_directory(own))
        return 0;
    snprintf(below, sizeof below, "%s/%s", TAMIS_SHARE_FROM_BIN, directories[kind].shared);
    if (try_directory(own, below, path))
        return 1;
    return try_directory(own, directories[kind].as_built, path);
}

int data_links_directory(char path[DATA_PATH])
{
    char own[DATA_PATH];

    path[0] = '\0';
    return find_own_directory(own) && (try_directory(own, TAMIS_LINKS_FROM_BIN, path) || try_directory(own, LINKS_AS_BUILT, path));
}

int data_file(data_kind kind, const char *name, char path[DATA_PATH])
{
    char directory[DATA_PATH];
    struct stat info;
    int n = 0;

    if (data_directory(kind, directory))
        n = snprintf(path, DATA_PATH, "%s/%s", directory, name);
    if (n > 0 && n < DATA_PATH && stat(path, &info) == 0 && S_ISREG(info.st_mode))
        return 1;
    path[0] = '\0';
    return 0;
}

/* The length of the name without the suffix; 0 if the name lacks the suffix, has nothing before it, or is hidden. */
static size_t stem_length(const char *name, const char *suffix)
{
    size_t n = strlen(name), n_suffix = strlen(suffix);

    return n > n_suffix && name[0] != '.' && strcmp(name + n - n_suffix, suffix) == 0 ? n - n_suffix : 0;
}

size_t data_names(data_kind kind, const char *suffix, char *text, size_t size)
{
    char directory[DATA_PATH];
    struct dirent **entries;
    size_t n_names = 0, at = 0;
    int n;

    text[0] = '\0';
    if (!data_directory(kind, directory))
        return 0;
    n = scandir(directory, &entries, NULL, alphasort);
    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++) {
        size_t length = stem_length(entries[i]->d_name, suffix);
        if (length > 0 && at < size)
            at += (size_t)snprintf(text + at, size - at, "%s%.*s", n_names > 0 ? ", " : "", (int)length, entries[i]->d_name);
        n_names += length > 0;
        free(entries[i]);
    }
    free(entries);
    return n_names;
}

/* A relative path is ignored, as the specification of XDG_CACHE_HOME requires. */
int data_cache_directory(char path[DATA_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = 0;

    if (cache != NULL && cache[0] == '/')
        n = snprintf(path, DATA_PATH, "%s/tamis", cache);
    else if (home != NULL && home[0] == '/')
        n = snprintf(path, DATA_PATH, "%s/.cache/tamis", home);
    return n > 0 && n < DATA_PATH;
}
