/* seqdb_find.c - finds the path of a database by its name. */
#include "seqdb/seqdb_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "seqdb/seqdb_map.h"

/* Joins a, a separator unless it is 0, and b. NULL if there is no memory. */
static char *join(const char *a, char separator, const char *b, size_t n_b)
{
    size_t n_a = strlen(a);
    char *out = malloc(n_a + n_b + 2), *at = out;

    if (out == NULL)
        return NULL;
    memcpy(at, a, n_a);
    at += n_a;
    if (separator != '\0')
        *at++ = separator;
    memcpy(at, b, n_b);
    at[n_b] = '\0';
    return out;
}

/* Normalises an absolute path in place: removes empty components, "." and "..". */
static void normalise(char *path)
{
    char *to = path;

    for (char *from = path; *from != '\0';) {
        size_t n;
        while (*from == '/')
            from++;
        n = strcspn(from, "/");
        if (n == 2 && from[0] == '.' && from[1] == '.') {
            while (to > path && *--to != '/') {
            }
        } else if (n > 0 && !(n == 1 && from[0] == '.')) {
            *to++ = '/';
            memmove(to, from, n);
            to += n;
        }
        from += n;
    }
    *to = '\0';
}

/* ---- the search path ------------------------------------------------------------------------------------------- */

static bool is_name(const char *at, size_t n, const char *name) { return n == strlen(name) && strncasecmp(at, name, n) == 0; }

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The value of BLASTDB in the section [BLAST], or an empty text. */
static struct text registry_value(struct text file)
{
    const char *end = file.bytes + file.n, *next;
    struct text value = {NULL, 0};
    bool is_blast = false;

    for (const char *at = file.bytes; at < end; at = next) {
        const char *feed = memchr(at, '\n', (size_t)(end - at)), *line_end = feed != NULL ? feed : end, *equals;
        next = feed != NULL ? feed + 1 : end;
        at = skip_blanks(at, line_end);
        while (line_end > at && strchr(" \t\r", line_end[-1]) != NULL)
            line_end--;
        if (at == line_end || *at == ';' || *at == '#')
            continue;
        if (*at == '[') {
            is_blast = line_end[-1] == ']' && is_name(at + 1, (size_t)(line_end - at) - 2, "BLAST");
            continue;
        }
        equals = memchr(at, '=', (size_t)(line_end - at));
        if (!is_blast || equals == NULL)
            continue;
        for (const char *name_end = equals;; name_end--) {
            if (name_end > at && strchr(" \t", name_end[-1]) != NULL)
                continue;
            if (is_name(at, (size_t)(name_end - at), "BLASTDB")) {
                at = skip_blanks(equals + 1, line_end);
                value = (struct text){at, (size_t)(line_end - at)};
            }
            break;
        }
    }
    if (value.n >= 2 && value.bytes[0] == '"' && value.bytes[value.n - 1] == '"')
        value = (struct text){value.bytes + 1, value.n - 2};
    return value;
}

/* Reads the first .ncbirc; *out is NULL if it has no value. An unreadable file is ignored. */
static tms_status read_registry(tms_context *ctx, const char *cwd, char **out)
{
    const char *const directories[] = {cwd, getenv("HOME"), getenv("NCBI")};

    *out = NULL;
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
        char *name = directories[i] != NULL ? join(directories[i], '/', ".ncbirc", 7) : NULL;
        struct seqdb_bytes map = {NULL, 0};
        struct text value;
        bool is_there = name != NULL && seqdb_file_is_there(name) && seqdb_map_file(ctx, name, false, &map) == TMS_OK;
        free(name);
        if (directories[i] != NULL && name == NULL)
            return context_fail_memory(ctx, "the name of a file", strlen(directories[i]));
        if (!is_there)
            continue;
        value = registry_value((struct text){(const char *)map.bytes, map.size});
        if (value.n > 0)
            *out = join("", '\0', value.bytes, value.n);
        seqdb_unmap(&map);
        return value.n > 0 && *out == NULL ? context_fail_memory(ctx, "the value of BLASTDB", value.n) : TMS_OK;
    }
    return TMS_OK;
}

/* Splits directories separated by colons, which become NULs. */
static void cut(struct seqdb_path *path)
{
    char *to = path->directories;

    for (const char *from = path->text; *from != '\0';) {
        size_t n = strcspn(from, ":");
        if (n > 0) {
            memcpy(to, from, n);
            to[n] = '\0';
            to += n + 1;
            path->n_directories++;
        }
        from += n + (from[n] == ':');
    }
}

tms_status seqdb_path_read(tms_context *ctx, struct seqdb_path *out)
{
    const char *variable = getenv("BLASTDB");
    char *cwd = getcwd(NULL, 0), *registry = NULL;
    size_t n;
    tms_status status = TMS_OK;

    *out = (struct seqdb_path){NULL, 0, NULL};
    if (cwd == NULL)
        return context_fail(ctx, TMS_E_ARG, "cannot find the working directory");
    if (variable == NULL)
        variable = "";
    status = read_registry(ctx, cwd, &registry);
    if (status == TMS_OK) {
        n = strlen(cwd) + strlen(variable) + (registry != NULL ? strlen(registry) : 0) + 4;
        out->text = malloc(n);
        out->directories = malloc(n);
        if (out->text == NULL || out->directories == NULL) {
            status = context_fail_memory(ctx, "the search path", n);
        } else {
            snprintf(out->text, n, "%s:%s:%s%s", cwd, variable, registry != NULL ? registry : "", registry != NULL ? ":" : "");
            cut(out);
        }
    }
    if (status != TMS_OK)
        seqdb_path_free(out);
    free(registry);
    free(cwd);
    return status;
}

tms_status tms_seqdb_search_path(tms_context *ctx, char *text, size_t size, size_t *n)
{
    struct seqdb_path path;
    tms_status status = seqdb_path_read(ctx, &path);

    *n = 0;
    if (status != TMS_OK)
        return status;
    *n = strlen(path.text);
    if (size > 0)
        snprintf(text, size, "%s", path.text);
    seqdb_path_free(&path);
    return TMS_OK;
}

void seqdb_path_free(struct seqdb_path *path)
{
    free(path->directories);
    free(path->text);
    *path = (struct seqdb_path){NULL, 0, NULL};
}

/* ---- one name -------------------------------------------------------------------------------------------------- */

static bool has_file(const char *base, tms_molecule molecule, const char *last, bool *is_there)
{
    char extension[5] = {'.', molecule == TMS_PROTEIN ? 'p' : 'n', last[0], last[1], '\0'};
    char *file = join(base, '\0', extension, 4);

    *is_there = file != NULL && seqdb_file_is_there(file);
    free(file);
    return file != NULL;
}

/* base is absolute. *found is false if there is neither an alias file nor an index. Returns false if there is no memory. */
static bool look(char *base, tms_molecule molecule, const char *not_alias, bool *found, bool *is_alias)
{
    normalise(base);
    if (not_alias == NULL || strcmp(base, not_alias) != 0) {
        *is_alias = true;
        if (!has_file(base, molecule, "al", found))
            return false;
        if (*found)
            return true;
    }
    *is_alias = false;
    return has_file(base, molecule, "in", found);
}

/* The absolute path of a name in a directory, which may be one of the working directory's. NULL: no memory. */
static char *base_in(const char *cwd, const char *directory, struct text name)
{
    if (name.n > 0 && name.bytes[0] == '/')
        return join("", '\0', name.bytes, name.n);
    if (directory[0] == '/')
        return join(directory, '/', name.bytes, name.n);
    char *absolute = join(cwd, '/', directory, strlen(directory));
    char *base = absolute != NULL ? join(absolute, '/', name.bytes, name.n) : NULL;
    free(absolute);
    return base;
}

tms_status seqdb_find(tms_context *ctx, const struct seqdb_path *path, const char *directory, struct text name, tms_molecule molecule,
                      const char *not_alias, struct seqdb_file *out)
{
    const char *next = path->directories, *cwd = path->directories;
    bool is_absolute = name.n > 0 && name.bytes[0] == '/', found = false;

    out->base = NULL;
    if (memchr(name.bytes, '\0', name.n) != NULL)
        return TMS_OK;
    for (size_t i = 0; i < path->n_directories && !found && (i == 0 || !is_absolute); i++) {
        char *base = base_in(cwd, i == 0 && directory != NULL ? directory : next, name);
        if (base == NULL || !look(base, molecule, not_alias, &found, &out->is_alias)) {
            free(base);
            return context_fail_memory(ctx, "the name of a database", name.n);
        }
        if (found)
            out->base = base;
        else
            free(base);
        next += strlen(next) + 1;
    }
    return TMS_OK;
}
