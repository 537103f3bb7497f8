#include "figures/figure_data.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

static int is_directory(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int read_only_table(model_source *s, const char *path)
{
    s->n_tables = 1;
    s->tables[0].is_there = 1;
    return model_table_read(s->command, path, &s->tables[0].table);
}

int model_source_open(const char *command, const char *from, model_source *out)
{
    memset(out, 0, sizeof *out);
    out->command = command;
    out->is_kept = from == NULL;
    if (from == NULL) {
        if (!data_directory(DATA_MODEL, out->directory))
            return cli_fail(command, CLI_USAGE,
                            "the measurements that come with tamis (share/tamis/model) are not there; name some with --from, "
                            "or their share/tamis in TAMIS_SHARE");
        return CLI_OK;
    }
    if (from[0] == '\0' || strlen(from) >= sizeof out->directory)
        return cli_fail(command, CLI_USAGE, "--from takes the path of a table or of a directory");
    if (!is_directory(from))
        return read_only_table(out, from);
    snprintf(out->directory, sizeof out->directory, "%s", from);
    return CLI_OK;
}

void model_source_close(model_source *s)
{
    for (size_t i = 0; i < s->n_tables; i++)
        model_table_free(&s->tables[i].table);
    memset(s, 0, sizeof *s);
}

int model_source_table(model_source *s, const char *name, model_table **out)
{
    char path[DATA_PATH + 64];
    struct stat info;
    size_t i = 0;
    int code = CLI_OK;

    *out = NULL;
    if (s->directory[0] == '\0') {
        *out = &s->tables[0].table;
        return CLI_OK;
    }
    while (i < s->n_tables && strcmp(s->tables[i].name, name) != 0)
        i++;
    if (i == s->n_tables) {
        if (i == MODEL_SOURCE_TABLES)
            return cli_fail(s->command, CLI_USAGE, "more than %d tables", MODEL_SOURCE_TABLES);
        s->n_tables++;
        snprintf(s->tables[i].name, sizeof s->tables[i].name, "%s", name);
        snprintf(path, sizeof path, "%s/%s", s->directory, name);
        s->tables[i].is_there = stat(path, &info) == 0;
        if (s->tables[i].is_there)
            code = model_table_read(s->command, path, &s->tables[i].table);
    }
    if (code == CLI_OK && s->tables[i].is_there)
        *out = &s->tables[i].table;
    return code;
}
