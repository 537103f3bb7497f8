#include "figures/check_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/cli_parse.h"
#include "cli/model/model_text.h"
#include "cli/text_file.h"
#include "io/io_stream.h"

static const char first_line[] = "# tamis model check\n";

int sweep_table_is(const uint8_t *bytes, size_t n) { return n >= IO_KIND_BYTES && memcmp(bytes, first_line, IO_KIND_BYTES) == 0; }

void sweep_table_free(sweep_table *table)
{
    free(table->rows);
    memset(table, 0, sizeof *table);
}

sweep_row *sweep_table_add(sweep_table *table)
{
    if (!array_reserve(&table->rows, &table->capacity, table->n + 1, sizeof *table->rows))
        return NULL;
    memset(&table->rows[table->n], 0, sizeof *table->rows);
    return &table->rows[table->n++];
}

/* ---- columns ------------------------------------------------------------------------------------------------------------------- */

typedef enum column_kind {
    COLUMN_TEXT,
    COLUMN_APP,
    COLUMN_OP,
    COLUMN_PLACE,
    COLUMN_LAYOUT,
    COLUMN_U32,
    COLUMN_U64,
    COLUMN_NUMBER
} column_kind;

static const struct column {
    const char *name;
    column_kind kind;
    size_t at;
} columns[] = {
    {"sweep", COLUMN_TEXT, offsetof(sweep_row, sweep)},
    {"app", COLUMN_APP, 0},
    {"op", COLUMN_OP, 0},
    {"place", COLUMN_PLACE, 0},
    {"layout", COLUMN_LAYOUT, 0},
    {"k", COLUMN_U32, offsetof(sweep_row, workload.k)},
    {"m_bits", COLUMN_U64, offsetof(sweep_row, workload.m_bits)},
    {"n", COLUMN_U64, offsetof(sweep_row, workload.n)},
    {"D", COLUMN_U64, offsetof(sweep_row, workload.D)},
    {"Q", COLUMN_U64, offsetof(sweep_row, workload.Q)},
    {"length", COLUMN_U32, offsetof(sweep_row, workload.length)},
    {"blocks", COLUMN_U32, offsetof(sweep_row, workload.blocks)},
    {"threads", COLUMN_U32, offsetof(sweep_row, workload.threads)}, /* on the CPU its own */
    {"active_blocks", COLUMN_U32, offsetof(sweep_row, active_blocks)},
    {"seconds", COLUMN_NUMBER, offsetof(sweep_row, seconds)},
    {"low", COLUMN_NUMBER, offsetof(sweep_row, low)},
    {"high", COLUMN_NUMBER, offsetof(sweep_row, high)},
    {"fpr", COLUMN_NUMBER, offsetof(sweep_row, fpr)},
    {"predicted_seconds", COLUMN_NUMBER, offsetof(sweep_row, predicted)},
    {"predicted_paper_seconds", COLUMN_NUMBER, offsetof(sweep_row, paper)},
    {"binding", COLUMN_TEXT, offsetof(sweep_row, binding)},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns, MAX_FIELDS = 64 };

/* ---- writing ------------------------------------------------------------------------------------------------------------------- */

static void print_field(FILE *out, const sweep_row *row, const struct column *column)
{
    const char *at = (const char *)row + column->at;
    uint32_t u32;
    uint64_t u64;
    double number;

    switch (column->kind) {
    case COLUMN_TEXT:
        fputs(at[0] != '\0' ? at : "-", out);
        break;
    case COLUMN_APP:
        fputs(tms_app_name(row->workload.app), out);
        break;
    case COLUMN_OP:
        fputs(tms_op_name(row->workload.op), out);
        break;
    case COLUMN_PLACE:
        fputs(model_where(&row->workload), out);
        break;
    case COLUMN_LAYOUT:
        fputs(row->workload.app == TMS_APP_STRINGS && row->workload.layout != 0 ? tms_layout_name(row->workload.layout) : "-", out);
        break;
    case COLUMN_U32:
        memcpy(&u32, at, sizeof u32);
        if (row->workload.on_cpu && column->at == offsetof(sweep_row, workload.threads))
            u32 = row->workload.n_threads_cpu;
        fprintf(out, "%" PRIu32, u32);
        break;
    case COLUMN_U64:
        memcpy(&u64, at, sizeof u64);
        fprintf(out, "%" PRIu64, u64);
        break;
    case COLUMN_NUMBER:
        memcpy(&number, at, sizeof number);
        if (isfinite(number))
            fprintf(out, "%.*g", SWEEP_DIGITS, number);
        else
            fputc('-', out);
    }
}

static void print_table(FILE *out, const sweep_table *table)
{
    fputs(first_line, out);
    fprintf(out, "# cpu: %s\n# gpu: %s\n", table->cpu, table->gpu[0] != '\0' ? table->gpu : "-");
    if (table->machine[0] != '\0')
        fprintf(out, "# machine: %s\n", table->machine);
    fprintf(out, "# date: %s\n# version: %s\n", table->date, table->version);
    if (table->commit[0] != '\0')
        fprintf(out, "# commit: %s\n", table->commit);
    fprintf(out, "# command: %s\n", table->command);
    for (size_t i = 0; i < N_COLUMNS; i++)
        fprintf(out, "%s%s", i > 0 ? "\t" : "", columns[i].name);
    fputc('\n', out);
    for (size_t j = 0; j < table->n; j++) {
        for (size_t i = 0; i < N_COLUMNS; i++) {
            if (i > 0)
                fputc('\t', out);
            print_field(out, &table->rows[j], &columns[i]);
        }
        fputc('\n', out);
    }
}

io_status sweep_table_write(io_safe_file *file, const sweep_table *table, io_error *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    io_status status;
    int failed;

    if (out == NULL)
        return io_fail_memory(err, "a table");
    print_table(out, table);
    failed = ferror(out);
    failed |= fclose(out) != 0;
    status = failed ? io_fail_memory(err, "a table") : io_safe_file_write(file, text, n, err);
    free(text);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------- */

typedef struct table_reader {
    const char *command, *path;
    size_t line;
    int field_of[N_COLUMNS]; /* which field of a line a column is; -1: before the line of names */
    size_t n_fields;
} table_reader;

/* "gpu" of "# gpu: NVIDIA H200" */
static void take_header(sweep_table *table, char *line)
{
    static const struct {
        const char *name;
        size_t at, size;
    } texts[] = {{"cpu", offsetof(sweep_table, cpu), SWEEP_TEXT},
                 {"gpu", offsetof(sweep_table, gpu), SWEEP_TEXT},
                 {"date", offsetof(sweep_table, date), SWEEP_TEXT},
                 {"version", offsetof(sweep_table, version), SWEEP_TEXT},
                 {"machine", offsetof(sweep_table, machine), SWEEP_TEXT},
                 {"commit", offsetof(sweep_table, commit), SWEEP_TEXT},
                 {"command", offsetof(sweep_table, command), sizeof table->command}};
    char *name = line + 1 + strspn(line + 1, " "), *colon = strchr(name, ':');
    const char *text = colon != NULL ? colon + 1 + strspn(colon + 1, " ") : NULL;

    if (colon == NULL)
        return;
    *colon = '\0';
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(name, texts[i].name) == 0 && strcmp(text, "-") != 0)
            snprintf((char *)table + texts[i].at, texts[i].size, "%s", text);
    }
}

/* Cuts the line at its tabs. Returns how many fields it has, MAX_FIELDS + 1 for more. */
static size_t split(char *line, char *fields[MAX_FIELDS])
{
    size_t n = 0;

    for (char *at = line; at != NULL; n++) {
        char *tab = strchr(at, '\t');
        if (n == MAX_FIELDS)
            return MAX_FIELDS + 1;
        fields[n] = at;
        if (tab != NULL)
            *tab = '\0';
        at = tab != NULL ? tab + 1 : NULL;
    }
    return n;
}

static int fail_line(const table_reader *r, const char *what, const char *text)
{
    return cli_fail(r->command, CLI_USAGE, "%s:%zu: %s%s%s%s", r->path, r->line, what, text != NULL ? " '" : "", text != NULL ? text : "",
                    text != NULL ? "'" : "");
}

static int take_names(table_reader *r, char *line)
{
    char *fields[MAX_FIELDS];

    r->n_fields = split(line, fields);
    if (r->n_fields > MAX_FIELDS)
        return fail_line(r, "too many columns", NULL);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        r->field_of[i] = -1;
        for (size_t j = 0; j < r->n_fields; j++) {
            if (strcmp(fields[j], columns[i].name) != 0)
                continue;
            if (r->field_of[i] >= 0)
                return fail_line(r, "there are two columns", columns[i].name);
            r->field_of[i] = (int)j;
        }
        if (r->field_of[i] < 0)
            return fail_line(r, "this is no table of sweeps: it has no column", columns[i].name);
    }
    return CLI_OK;
}

/* The number whose name this is, of n; -1: none. */
static int find_name(const char *text, const char *(*name)(int i), int n)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(text, name(i)) == 0)
            return i;
    }
    return -1;
}

static const char *app_name(int i) { return tms_app_name((tms_app)i); }
static const char *op_name(int i) { return tms_op_name((tms_op)i); }

/* Returns 0 where it is no value of the column. */
static int take_word(const struct column *column, const char *text, sweep_row *row)
{
    tms_workload *w = &row->workload;
    int i;

    switch (column->kind) {
    case COLUMN_APP:
        i = find_name(text, app_name, TMS_APP_CLASSIFY + 1);
        w->app = (tms_app)i;
        return i >= 0;
    case COLUMN_OP:
        i = find_name(text, op_name, TMS_OP_BUILD + 1);
        w->op = (tms_op)i;
        return i >= 0;
    case COLUMN_PLACE:
        w->on_cpu = strcmp(text, "cpu") == 0;
        w->place = strcmp(text, "shared") == 0 ? TMS_PLACE_SHARED : TMS_PLACE_GLOBAL;
        return w->on_cpu || w->place == TMS_PLACE_SHARED || strcmp(text, "global") == 0;
    default: /* of a layout */
        w->layout = strcmp(text, "blocked") == 0 ? TMS_LAYOUT_BLOCKED : strcmp(text, "classic") == 0 ? TMS_LAYOUT_CLASSIC : (tms_layout)0;
        return w->layout != 0 || strcmp(text, "-") == 0;
    }
}

static int take_field(const struct column *column, const char *text, sweep_row *row)
{
    char *at = (char *)row + column->at;
    double number = NAN;
    uint64_t whole;
    uint32_t small;

    switch (column->kind) {
    case COLUMN_TEXT:
        if (strlen(text) >= SWEEP_NAME || text[0] == '\0')
            return 0;
        strcpy(at, text);
        return 1;
    case COLUMN_U32:
    case COLUMN_U64:
        if (!cli_parse_size(text, &whole) || (column->kind == COLUMN_U32 && whole > UINT32_MAX))
            return 0;
        small = (uint32_t)whole;
        memcpy(at, column->kind == COLUMN_U32 ? (void *)&small : (void *)&whole, column->kind == COLUMN_U32 ? sizeof small : sizeof whole);
        return 1;
    case COLUMN_NUMBER:
        if (strcmp(text, "-") != 0 && !cli_parse_not_negative(text, &number))
            return 0;
        memcpy(at, &number, sizeof number);
        return 1;
    default:
        return take_word(column, text, row);
    }
}

static int take_row(const table_reader *r, char *line, sweep_row *row)
{
    char *fields[MAX_FIELDS], what[64];
    size_t n = split(line, fields);

    if (n != r->n_fields) {
        snprintf(what, sizeof what, "%zu columns, and there are names of %zu", n, r->n_fields);
        return fail_line(r, what, NULL);
    }
    row->line = r->line;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        snprintf(what, sizeof what, "column %s cannot be", columns[i].name);
        if (!take_field(&columns[i], fields[r->field_of[i]], row))
            return fail_line(r, what, fields[r->field_of[i]]);
    }
    if (!(row->seconds > 0))
        return fail_line(r, "column seconds has to be above 0", NULL);
    if (row->workload.on_cpu) {
        row->workload.n_threads_cpu = row->workload.threads;
        row->workload.threads = 0;
    }
    return CLI_OK;
}

static int take_lines(table_reader *r, char *text, size_t n, sweep_table *out)
{
    int code = CLI_OK, has_names = 0;

    for (char *line = text, *end; code == CLI_OK && line < text + n; line = end + 1) {
        r->line++;
        end = memchr(line, '\n', (size_t)(text + n - line));
        if (end == NULL)
            return fail_line(r, "the last line has no end: the file is cut", NULL);
        *end = '\0';
        if (strlen(line) != (size_t)(end - line))
            return fail_line(r, "this is no text", NULL);
        if (line[0] == '\0')
            continue;
        if (line[0] == '#') {
            take_header(out, line);
        } else if (!has_names) {
            has_names = 1;
            code = take_names(r, line);
        } else {
            sweep_row *row = sweep_table_add(out);
            code = row != NULL ? take_row(r, line, row) : cli_fail(r->command, CLI_NO_MEMORY, "out of memory for a table");
        }
    }
    if (code == CLI_OK && out->n == 0)
        code = cli_fail(r->command, CLI_USAGE, "%s: no measurement is in it", r->path);
    return code;
}

int sweep_table_read(const char *command, const char *path, sweep_table *out)
{
    table_reader r = {.command = command, .path = io_stream_name(path)};
    char *text;
    size_t n;
    int code = text_file_read(command, path, &text, &n);

    if (code == CLI_OK)
        code = take_lines(&r, text, n, out);
    free(text);
    return code;
}
