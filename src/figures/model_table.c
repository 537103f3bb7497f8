#include "figures/model_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/io_text.h"

/* The first column of every kind of section. */
static const char *const first_columns[] = {"fig", "what", "sweep"};

static int is_header(const char *cell)
{
    for (size_t i = 0; i < sizeof first_columns / sizeof *first_columns; i++) {
        if (strcmp(cell, first_columns[i]) == 0)
            return 1;
    }
    return 0;
}

/* Cuts a line at its tabs. Returns the number of cells; 0: out of memory. */
static size_t cut_line(model_table *t, char *line)
{
    size_t n = 0;

    for (char *cell = line; cell != NULL; n++) {
        char *tab = strchr(cell, '\t');
        if (!array_reserve(&t->cells, &t->cells_capacity, t->n_cells + 1, sizeof *t->cells))
            return 0;
        if (tab != NULL)
            *tab = '\0';
        t->cells[t->n_cells++] = cell;
        cell = tab != NULL ? tab + 1 : NULL;
    }
    return n;
}

static io_status no_memory(const model_table *t, io_error *err)
{
    return io_fail(err, IO_E_MEMORY, ENOMEM, "%s: out of memory for the table", t->path);
}

static io_status add_note(model_table *t, const char *line, io_error *err)
{
    if (!array_reserve(&t->notes, &t->notes_capacity, t->n_notes + 1, sizeof *t->notes))
        return no_memory(t, err);
    t->notes[t->n_notes++] = line + strspn(line, "# ");
    return IO_OK;
}

static io_status add_section(model_table *t, size_t line, size_t first, size_t n, io_error *err)
{
    if (n > MODEL_TABLE_COLUMNS)
        return io_fail(err, IO_E_INPUT, 0, "%s:%zu: %zu columns; %d at most", t->path, line, n, MODEL_TABLE_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(t->cells[first + i], t->cells[first + j]) == 0)
                return io_fail(err, IO_E_INPUT, 0, "%s:%zu: two columns have the name '%s'", t->path, line, t->cells[first + i]);
        }
    }
    if (!array_reserve(&t->sections, &t->sections_capacity, t->n_sections + 1, sizeof *t->sections))
        return no_memory(t, err);
    t->sections[t->n_sections++] = (model_section){first, n};
    return IO_OK;
}

static io_status add_row(model_table *t, size_t line, size_t first, size_t n, io_error *err)
{
    if (t->n_sections == 0)
        return io_fail(
            err, IO_E_INPUT, 0,
            "%s:%zu: not a table of measurements: the first line must have the names of the columns, beginning with fig, what or sweep",
            t->path, line);
    if (n != t->sections[t->n_sections - 1].n_columns)
        return io_fail(err, IO_E_INPUT, 0, "%s:%zu: %zu cells instead of %zu, which is the number of columns", t->path, line, n,
                       t->sections[t->n_sections - 1].n_columns);
    if (!array_reserve(&t->rows, &t->rows_capacity, t->n_rows + 1, sizeof *t->rows))
        return no_memory(t, err);
    t->rows[t->n_rows++] = (model_row){line, t->n_sections - 1, first};
    return IO_OK;
}

static io_status add_line(model_table *t, size_t number, char *line, io_error *err)
{
    size_t first = t->n_cells, n;

    if (line[0] == '\0')
        return IO_OK;
    for (const char *c = line; *c != '\0'; c++) {
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
            return io_fail(err, IO_E_INPUT, 0, "%s:%zu: not a text file: it has a byte 0x%02x", t->path, number, (unsigned char)*c);
    }
    if (line[0] == '#')
        return add_note(t, line, err);
    n = cut_line(t, line);
    if (n == 0)
        return no_memory(t, err);
    return is_header(t->cells[first]) ? add_section(t, number, first, n, err) : add_row(t, number, first, n, err);
}

io_status model_table_read(const char *path, model_table *out, io_error *err)
{
    size_t n_bytes, number = 1;
    char *end;
    io_status status;

    memset(out, 0, sizeof *out);
    out->path = strdup(path);
    if (out->path == NULL)
        return io_fail(err, IO_E_MEMORY, ENOMEM, "out of memory");
    status = io_text_read(path, &out->text, &n_bytes, err);
    if (status != IO_OK)
        return status;
    end = out->text + n_bytes;
    for (char *line = out->text; line < end && status == IO_OK; number++) {
        char *newline = memchr(line, '\n', (size_t)(end - line)), *stop = newline != NULL ? newline : end;
        if (memchr(line, '\0', (size_t)(stop - line)) != NULL)
            return io_fail(err, IO_E_INPUT, 0, "%s:%zu: not a text file: it has a byte 0x00", path, number);
        *stop = '\0';
        if (stop > line && stop[-1] == '\r')
            stop[-1] = '\0';
        status = add_line(out, number, line, err);
        line = stop + 1;
    }
    if (status == IO_OK && out->n_rows == 0)
        return io_fail(err, IO_E_INPUT, 0, "%s: a table without rows", path);
    return status;
}

void model_table_free(model_table *t)
{
    free(t->path);
    free(t->text);
    free(t->cells);
    free(t->notes);
    free(t->sections);
    free(t->rows);
    memset(t, 0, sizeof *t);
}

const char *model_table_text(const model_table *t, size_t row, const char *column)
{
    const model_section *section = &t->sections[t->rows[row].section];

    for (size_t i = 0; i < section->n_columns; i++) {
        if (strcmp(t->cells[section->first_cell + i], column) == 0)
            return t->cells[t->rows[row].first_cell + i];
    }
    return NULL;
}

/* Sets the table's fault, unless it has one already. Returns NaN. */
static double fault(model_table *t, size_t row, const char *column, const char *cell)
{
    if (t->fault[0] == '\0' && cell == NULL)
        snprintf(t->fault, sizeof t->fault, "%.400s:%zu: the table has no column '%s'", t->path, t->rows[row].line, column);
    else if (t->fault[0] == '\0')
        snprintf(t->fault, sizeof t->fault, "%.400s:%zu: column '%s' has '%.40s' instead of a number", t->path, t->rows[row].line, column,
                 cell);
    return NAN;
}

static double parse(model_table *t, size_t row, const char *column, const char *cell)
{
    double value;
    char *end;

    errno = 0;
    value = strtod(cell, &end);
    return end == cell || *end != '\0' || !isfinite(value) ? fault(t, row, column, cell) : value;
}

double model_table_number(model_table *t, size_t row, const char *column)
{
    const char *cell = model_table_text(t, row, column);

    return cell == NULL ? fault(t, row, column, NULL) : parse(t, row, column, cell);
}

double model_table_number_if(model_table *t, size_t row, const char *column)
{
    const char *cell = model_table_text(t, row, column);

    if (cell == NULL || cell[0] == '\0' || strcmp(cell, "-") == 0 || strcmp(cell, "NaN") == 0 || strcmp(cell, "nan") == 0)
        return NAN;
    return parse(t, row, column, cell);
}

const char *model_table_note(const model_table *t, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < t->n_notes; i++) {
        if (strncmp(t->notes[i], name, length) == 0 && t->notes[i][length] == ':') {
            const char *note = t->notes[i] + length + 1 + strspn(t->notes[i] + length + 1, " ");
            return strcmp(note, "-") != 0 ? note : NULL;
        }
    }
    return NULL;
}
