/*
 * db_entries.c - lists of ids, and what is wanted of each.
 */
#include "db_entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "text_file.h"

static int fail_memory(const char *command) { return cli_fail(command, CLI_NO_MEMORY, "out of memory for a list of entries"); }

/* Digits up to `end`, 1 or more. */
static const char *parse_place(const char *at, const char *end, uint64_t *out)
{
    uint64_t n = 0;

    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || n > (UINT64_MAX - 9) / 10)
            return "is no range, as 10-20, 10- or 10 are";
        n = 10 * n + (uint64_t)(*at - '0');
    }
    *out = n;
    return n > 0 ? NULL : "begins or ends at 0, and the first residue is 1";
}

const char *db_range_parse(const char *text, size_t n, db_range *out)
{
    const char *dash = memchr(text, '-', n), *end = text + n, *fault;

    if (n == 0 || dash == text)
        return "has no first residue";
    fault = parse_place(text, dash != NULL ? dash : end, &out->first);
    if (fault != NULL)
        return fault;
    out->last = dash == NULL ? out->first : UINT64_MAX;
    if (dash != NULL && dash + 1 < end)
        fault = parse_place(dash + 1, end, &out->last);
    if (fault == NULL && out->first > out->last)
        fault = "ends before it begins";
    return fault;
}

static int add(const char *command, db_entries *entries, const char *id, db_range range, int minus)
{
    if (!array_reserve(&entries->items, &entries->capacity, entries->n + 1, sizeof *entries->items))
        return fail_memory(command);
    entries->items[entries->n++] = (db_entry){.number = UINT64_MAX, .id = id, .range = range, .minus = minus};
    return CLI_OK;
}

int db_entries_list(const char *command, const char *list, db_range range, int minus, db_entries *out)
{
    int code = CLI_OK;

    memset(out, 0, sizeof *out);
    out->text = strdup(list);
    if (out->text == NULL)
        return fail_memory(command);
    for (char *at = out->text, *next; at != NULL && code == CLI_OK; at = next) {
        size_t n;
        next = strchr(at, ',');
        if (next != NULL)
            *next++ = '\0';
        at += strspn(at, " \t");
        for (n = strlen(at); n > 0 && (at[n - 1] == ' ' || at[n - 1] == '\t'); n--)
            at[n - 1] = '\0';
        if (n > 0)
            code = add(command, out, at, range, minus);
    }
    return code == CLI_OK && out->n == 0 ? cli_fail_usage(command, "-entry names no sequence") : code;
}

/* The whole file, and a NUL. */
static int read_file(const char *command, const char *path, char **out)
{
    size_t n;
    int code = text_file_read(command, path, out, &n);

    if (code == CLI_OK && memchr(*out, '\0', n) != NULL)
        return cli_fail(command, CLI_USAGE, "%s: has a NUL byte, so it is no list of entries", path);
    return code;
}

/* What follows the id in its line. */
static int parse_rest(const char *command, const char *path, size_t line, char *rest, db_range *range, int *minus)
{
    for (char *word = strtok(rest, " \t"); word != NULL; word = strtok(NULL, " \t")) {
        const char *fault = NULL;
        if (strcmp(word, "plus") == 0 || strcmp(word, "minus") == 0)
            *minus = word[0] == 'm';
        else if (strchr(word, '-') == NULL)
            fault = "is neither a range nor a strand; tamis reads no masks";
        else
            fault = db_range_parse(word, strlen(word), range);
        if (fault != NULL)
            return cli_fail(command, CLI_USAGE, "%s:%zu: '%s' %s", path, line, word, fault);
    }
    return CLI_OK;
}

int db_entries_file(const char *command, const char *path, db_entries *out)
{
    int code;
    size_t line = 1;

    memset(out, 0, sizeof *out);
    code = read_file(command, path, &out->text);
    for (char *at = out->text, *next; code == CLI_OK && at != NULL; at = next, line++) {
        db_range range = {0, 0};
        int minus = 0;
        size_t n;
        next = strchr(at, '\n');
        if (next != NULL)
            *next++ = '\0';
        at[strcspn(at, "\r")] = '\0';
        at += strspn(at, " \t");
        n = strcspn(at, " \t");
        if (n == 0)
            continue;
        if (at[n] != '\0') {
            at[n] = '\0';
            code = parse_rest(command, path, line, at + n + 1, &range, &minus);
        }
        if (code == CLI_OK)
            code = add(command, out, at, range, minus);
    }
    return code;
}

int db_entries_find(const char *command, tms_context *ctx, const tms_seqdb *db, db_entries *entries)
{
    const char **ids = calloc(entries->n + 1, sizeof *ids);
    tms_seqdb_found *found = calloc(entries->n + 1, sizeof *found);
    tms_status status = TMS_OK;
    int code = ids != NULL && found != NULL ? CLI_OK : fail_memory(command);

    for (size_t i = 0; i < entries->n && code == CLI_OK; i++)
        ids[i] = entries->items[i].id;
    if (code == CLI_OK)
        status = tms_seqdb_find(ctx, db, ids, entries->n, found);
    if (status != TMS_OK)
        code = cli_fail_database(command, ctx, status);
    for (size_t i = 0; i < entries->n && code == CLI_OK; i++) {
        entries->items[i].number = found[i].number;
        entries->items[i].defline = found[i].defline;
    }
    free(ids);
    free(found);
    return code;
}

void db_entries_free(db_entries *entries)
{
    free(entries->items);
    free(entries->text);
    memset(entries, 0, sizeof *entries);
}
