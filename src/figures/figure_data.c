/* figure_data.c - see figure_data.h. */
#include "figures/figure_data.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int is_directory(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static io_status read_only_table(figure_data *s, const char *path, io_error *err)
{
    s->n_tables = 1;
    s->tables[0].is_there = 1;
    return model_table_read(path, &s->tables[0].table, err);
}

io_status figure_data_open(const char *path, figure_data *out, io_error *err)
{
    memset(out, 0, sizeof *out);
    if (path[0] == '\0' || strlen(path) >= sizeof out->directory)
        return io_fail(err, IO_E_INPUT, 0, "--from takes the path of a table or of a directory");
    if (!is_directory(path))
        return read_only_table(out, path, err);
    snprintf(out->directory, sizeof out->directory, "%s", path);
    return IO_OK;
}

void figure_data_close(figure_data *s)
{
    for (size_t i = 0; i < s->n_tables; i++)
        model_table_free(&s->tables[i].table);
    memset(s, 0, sizeof *s);
}

io_status figure_data_table(figure_data *s, const char *name, model_table **out, io_error *err)
{
    char path[FIGURE_DATA_PATH + 64];
    struct stat info;
    size_t i = 0;
    io_status status = IO_OK;

    *out = NULL;
    if (s->directory[0] == '\0') {
        *out = &s->tables[0].table;
        return IO_OK;
    }
    while (i < s->n_tables && strcmp(s->tables[i].name, name) != 0)
        i++;
    if (i == s->n_tables) {
        if (i == FIGURE_DATA_TABLES)
            return io_fail(err, IO_E_INPUT, 0, "more than %d tables", FIGURE_DATA_TABLES);
        s->n_tables++;
        snprintf(s->tables[i].name, sizeof s->tables[i].name, "%s", name);
        snprintf(path, sizeof path, "%s/%s", s->directory, name);
        s->tables[i].is_there = stat(path, &info) == 0;
        if (s->tables[i].is_there)
            status = model_table_read(path, &s->tables[i].table, err);
    }
    if (status == IO_OK && s->tables[i].is_there)
        *out = &s->tables[i].table;
    return status;
}
