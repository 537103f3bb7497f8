#include "figures/check_table.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "figures/model_text.h"
#include "io/io_stream.h"
#include "io/io_text.h"

static const char first_line[] = "# tamis model check\n";

int check_table_is(const uint8_t *bytes, size_t n) { return n >= IO_KIND_BYTES && memcmp(bytes, first_line, IO_KIND_BYTES) == 0; }

void check_table_free(check_table *table)
{
    free(table->rows);
    memset(table, 0, sizeof *table);
}

check_row *check_table_add(check_table *table)
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
    {"sweep", COLUMN_TEXT, offsetof(check_row, sweep)},
    {"app", COLUMN_APP, 0},
    {"op", COLUMN_OP, 0},
    {"place", COLUMN_PLACE, 0},
    {"layout", COLUMN_LAYOUT, 0},
    {"k", COLUMN_U32, offsetof(check_row, workload.k)},
    {"m_bits", COLUMN_U64, offsetof(check_row, workload.m_bits)},
    {"n", COLUMN_U64, offsetof(check_row, workload.n)},
    {"D", COLUMN_U64, offsetof(check_row, workload.D)},
    {"Q", COLUMN_U64, offsetof(check_row, workload.Q)},
    {"length", COLUMN_U32, offsetof(check_row, workload.length)},
    {"blocks", COLUMN_U32, offsetof(check_row, workload.blocks)},
    {"threads", COLUMN_U32, offsetof(check_row, workload.threads)}, /* on the CPU: number of threads */
    {"active_blocks", COLUMN_U32, offsetof(check_row, active_blocks)},
    {"seconds", COLUMN_NUMBER, offsetof(check_row, seconds)},
    {"low", COLUMN_NUMBER, offsetof(check_row, low)},
    {"high", COLUMN_NUMBER, offsetof(check_row, high)},
    {"fpr", COLUMN_NUMBER, offsetof(check_row, fpr)},
    {"predicted_seconds", COLUMN_NUMBER, offsetof(check_row, predicted)},
    {"predicted_paper_seconds", COLUMN_NUMBER, offsetof(check_row, paper)},
    {"binding", COLUMN_TEXT, offsetof(check_row, binding)},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns, MAX_FIELDS = 64 };

/* ---- writing ------------------------------------------------------------------------------------------------------------------- */

static void print_field(FILE *out, const check_row *row, const struct column *column)
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
        if (row->workload.on_cpu && column->at == offsetof(check_row, workload.threads))
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
            fprintf(out, "%.*g", CHECK_DIGITS, number);
        else
            fputc('-', out);
    }
}

static void print_table(FILE *out, const check_table *table)
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

io_status check_table_write(io_safe_file *file, const check_table *table, io_error *err)
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
    const char *path;
    io_error *err;
    size_t line;
    int field_of[N_COLUMNS]; /* index of each column's field in a line; -1: no line of names yet */
    size_t n_fields;
} table_reader;

/* Takes a note such as "# gpu: NVIDIA H200". */
static void take_header(check_table *table, char *line)
{
    static const struct {
        const char *name;
        size_t at, size;
    } texts[] = {{"cpu", offsetof(check_table, cpu), CHECK_TEXT},
                 {"gpu", offsetof(check_table, gpu), CHECK_TEXT},
                 {"date", offsetof(check_table, date), CHECK_TEXT},
                 {"version", offsetof(check_table, version), CHECK_TEXT},
                 {"machine", offsetof(check_table, machine), CHECK_TEXT},
                 {"commit", offsetof(check_table, commit), CHECK_TEXT},
                 {"command", offsetof(check_table, command), sizeof table->command}};
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

/* Cuts the line at its tabs. Returns the number of fields; MAX_FIELDS + 1 if there are more than MAX_FIELDS. */
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

static io_status fail_line(const table_reader *r, const char *what, const char *text)
{
    return io_fail(r->err, IO_E_INPUT, 0, "%s:%zu: %s%s%s%s", r->path, r->line, what, text != NULL ? " '" : "", text != NULL ? text : "",
                   text != NULL ? "'" : "");
}

static io_status take_names(table_reader *r, char *line)
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
                return fail_line(r, "two columns have the name", columns[i].name);
            r->field_of[i] = (int)j;
        }
        if (r->field_of[i] < 0)
            return fail_line(r, "not a table of sweeps: it has no column", columns[i].name);
    }
    return IO_OK;
}

/* The index, below n, with this name; -1: none. */
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

/* Returns 0 if the text is not a value of the column. */
static int take_word(const struct column *column, const char *text, check_row *row)
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
    default: /* COLUMN_LAYOUT */
        w->layout = strcmp(text, "blocked") == 0 ? TMS_LAYOUT_BLOCKED : strcmp(text, "classic") == 0 ? TMS_LAYOUT_CLASSIC : (tms_layout)0;
        return w->layout != 0 || strcmp(text, "-") == 0;
    }
}

/* Parses a whole number, in decimal. Returns 0 if the text is anything else. */
static int parse_whole(const char *text, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 10);
    return isdigit((unsigned char)text[0]) && errno == 0 && *end == '\0';
}

/* Parses a finite number, 0 or more. Returns 0 if the text is anything else. */
static int parse_number(const char *text, double *out)
{
    char *end;

    *out = strtod(text, &end);
    return (isdigit((unsigned char)text[0]) || text[0] == '.') && end != text && *end == '\0' && isfinite(*out);
}

static int take_field(const struct column *column, const char *text, check_row *row)
{
    char *at = (char *)row + column->at;
    double number = NAN;
    uint64_t whole;
    uint32_t small;

    switch (column->kind) {
    case COLUMN_TEXT:
        if (strlen(text) >= CHECK_NAME || text[0] == '\0')
            return 0;
        strcpy(at, text);
        return 1;
    case COLUMN_U32:
    case COLUMN_U64:
        if (!parse_whole(text, &whole) || (column->kind == COLUMN_U32 && whole > UINT32_MAX))
            return 0;
        small = (uint32_t)whole;
        memcpy(at, column->kind == COLUMN_U32 ? (void *)&small : (void *)&whole, column->kind == COLUMN_U32 ? sizeof small : sizeof whole);
        return 1;
    case COLUMN_NUMBER:
        if (strcmp(text, "-") != 0 && !parse_number(text, &number))
            return 0;
        memcpy(at, &number, sizeof number);
        return 1;
    default:
        return take_word(column, text, row);
    }
}

static io_status take_row(const table_reader *r, char *line, check_row *row)
{
    char *fields[MAX_FIELDS], what[64];
    size_t n = split(line, fields);

    if (n != r->n_fields) {
        snprintf(what, sizeof what, "%zu columns instead of %zu, which is the number of names", n, r->n_fields);
        return fail_line(r, what, NULL);
    }
    row->line = r->line;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        snprintf(what, sizeof what, "column %s cannot be", columns[i].name);
        if (!take_field(&columns[i], fields[r->field_of[i]], row))
            return fail_line(r, what, fields[r->field_of[i]]);
    }
    if (!(row->seconds > 0))
        return fail_line(r, "column seconds must be above 0", NULL);
    if (row->workload.on_cpu) {
        row->workload.n_threads_cpu = row->workload.threads;
        row->workload.threads = 0;
    }
    return IO_OK;
}

static io_status take_lines(table_reader *r, char *text, size_t n, check_table *out)
{
    int has_names = 0;
    io_status status = IO_OK;

    for (char *line = text, *end; status == IO_OK && line < text + n; line = end + 1) {
        r->line++;
        end = memchr(line, '\n', (size_t)(text + n - line));
        if (end == NULL)
            return fail_line(r, "the last line has no line feed: the file is truncated", NULL);
        *end = '\0';
        if (strlen(line) != (size_t)(end - line))
            return fail_line(r, "not a text file", NULL);
        if (line[0] == '\0')
            continue;
        if (line[0] == '#') {
            take_header(out, line);
        } else if (!has_names) {
            has_names = 1;
            status = take_names(r, line);
        } else {
            check_row *row = check_table_add(out);
            status = row != NULL ? take_row(r, line, row) : io_fail_memory(r->err, "a table");
        }
    }
    if (status == IO_OK && out->n == 0)
        status = io_fail(r->err, IO_E_INPUT, 0, "%s: the table has no measurements", r->path);
    return status;
}

io_status check_table_read(const char *path, check_table *out, io_error *err)
{
    table_reader r = {.path = io_stream_name(path), .err = err};
    char *text;
    size_t n;
    io_status status = io_text_read(path, &text, &n, err);

    if (status == IO_OK)
        status = take_lines(&r, text, n, out);
    free(text);
    return status;
}
