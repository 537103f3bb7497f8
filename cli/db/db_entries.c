/*
 * db_entries.c - reads lists of ids with ranges and strands, and finds them in a database.
 */
#include "cli/db/db_entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/text_file.h"

static int fail_memory(const char *command) { return cli_fail(command, CLI_NO_MEMORY, "out of memory for a list of entries"); }

/* Parses the digits up to `end` as a position, counted from 1. */
static const char *parse_position(const char *at, const char *end, uint64_t *out)
{
    uint64_t n = 0;

    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || n > (UINT64_MAX - 9) / 10)
            return "is not a range such as 10-20, 10- or 10";
        n = 10 * n + (uint64_t)(*at - '0');
    }
    *out = n;
    return n > 0 ? NULL : "begins or ends at 0, but positions count from 1";
}

const char *db_range_parse(const char *text, size_t n, db_range *out)
{
    const char *dash = memchr(text, '-', n), *end = text + n, *fault;

    if (n == 0 || dash == text)
        return "has no first position";
    fault = parse_position(text, dash != NULL ? dash : end, &out->first);
    if (fault != NULL)
        return fault;
    out->last = dash == NULL ? out->first : UINT64_MAX;
    if (dash != NULL && dash + 1 < end)
        fault = parse_position(dash + 1, end, &out->last);
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

/* Reads the whole file, and appends a NUL. */
static int read_file(const char *command, const char *path, char **out)
{
    size_t n;
    int code = text_file_read(command, path, out, &n);

    if (code == CLI_OK && memchr(*out, '\0', n) != NULL)
        return cli_fail(command, CLI_USAGE, "%s: has a NUL byte, so it is not a list of ids", path);
    return code;
}

/* Parses the words after the id of a line. */
static int parse_rest(const char *command, const char *path, size_t line, char *rest, db_range *range, int *minus)
{
    for (char *word = strtok(rest, " \t"); word != NULL; word = strtok(NULL, " \t")) {
        const char *fault = NULL;
        if (strcmp(word, "plus") == 0 || strcmp(word, "minus") == 0)
            *minus = word[0] == 'm';
        else if (strchr(word, '-') == NULL)
            fault = "is neither a range nor a strand; tamis dbinfo does not read masks";
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

static void take_found(db_entry *entries, const tms_seqdb_found *found, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        entries[i].number = found[i].number;
        entries[i].defline = found[i].defline;
    }
}

/* Appends an entry for each further sequence that has the id of one. */
static int add_others(const char *command, tms_context *ctx, const tms_seqdb *db, const char *const *ids, tms_seqdb_found *found,
                      db_entries *entries)
{
    const size_t n = entries->n;
    size_t n_found = 1;

    while (n_found > 0) {
        tms_status status = tms_seqdb_find_next(ctx, db, ids, n, found);
        n_found = 0;
        if (status != TMS_OK)
            return cli_fail_database(command, ctx, status);
        for (size_t i = 0; i < n; i++) {
            db_entry other = entries->items[i];
            if (found[i].number == UINT64_MAX)
                continue;
            if (!array_reserve(&entries->items, &entries->capacity, entries->n + 1, sizeof *entries->items))
                return fail_memory(command);
            take_found(&other, &found[i], 1);
            entries->items[entries->n++] = other;
            n_found++;
        }
    }
    return CLI_OK;
}

/* By the index of the id in the list, then in the order of the database. */
static int compare(const void *a, const void *b)
{
    const db_entry *x = a, *y = b;

    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

int db_entries_find(const char *command, tms_context *ctx, const tms_seqdb *db, int all, db_entries *entries)
{
    const char **ids = calloc(entries->n + 1, sizeof *ids);
    tms_seqdb_found *found = calloc(entries->n + 1, sizeof *found);
    tms_status status = TMS_OK;
    int code = ids != NULL && found != NULL ? CLI_OK : fail_memory(command);

    for (size_t i = 0; i < entries->n && code == CLI_OK; i++) {
        ids[i] = entries->items[i].id;
        entries->items[i].index = i;
    }
    if (code == CLI_OK)
        status = tms_seqdb_find(ctx, db, ids, entries->n, found);
    if (status != TMS_OK)
        code = cli_fail_database(command, ctx, status);
    if (code == CLI_OK)
        take_found(entries->items, found, entries->n);
    if (code == CLI_OK && all) {
        code = add_others(command, ctx, db, ids, found, entries);
        qsort(entries->items, entries->n, sizeof *entries->items, compare);
    }
    free(ids);
    free(found);
    return code;
}

/* ---- by taxa ---------------------------------------------------------------------------------------------------- */

static const char not_found[] =
    "Taxonomy ID(s) not found. This could be because the ID(s) provided are not at or below the species level. Please use "
    "get_species_taxids.sh to get taxids for nodes higher than species (see https://www.ncbi.nlm.nih.gov/books/NBK546209/).";

/* Parses the numbers of a text. between: the bytes that separate them. */
static int parse_taxa(const char *command, const char *text, const char *between, int64_t **items, size_t *n)
{
    size_t capacity = 0;

    for (const char *at = text + strspn(text, between); *at != '\0'; at += strspn(at, between)) {
        size_t size = strcspn(at, between);
        char *end;
        errno = 0;
        long long number = strtoll(at, &end, 10);
        if (end != at + size || errno != 0)
            return cli_fail_usage(command, "'%.*s' is not a taxonomy id", (int)(size < 40 ? size : 40), at);
        if (!array_reserve(items, &capacity, *n + 1, sizeof **items))
            return fail_memory(command);
        (*items)[(*n)++] = number;
        at = end;
    }
    return CLI_OK;
}

/* Adds the sequences of a part, by their numbers in the whole database. */
static int add_part(const char *command, const tms_seqdb *db, const tms_seqdb *part, db_entries *out)
{
    tms_seqdb_info info;
    uint64_t number = 0;
    int code = CLI_OK;

    tms_seqdb_get_info(part, &info);
    for (uint64_t i = 0; i < info.n_sequences && code == CLI_OK; i++) {
        while (tms_seqdb_oid(db, number) != tms_seqdb_oid(part, i))
            number++;
        code = add(command, out, "", (db_range){0, 0}, 0);
        if (code == CLI_OK)
            out->items[out->n - 1].number = number;
    }
    return code;
}

int db_entries_of_taxa(const char *command, tms_context *ctx, const tms_seqdb *db, const char *list, const char *path, tms_seqdb **part,
                       db_entries *out)
{
    tms_seqdb_selection selection = {0};
    tms_seqdb_info info;
    int64_t *taxids = NULL;
    size_t n = 0;
    int code = CLI_OK;

    memset(out, 0, sizeof *out);
    *part = NULL;
    tms_seqdb_get_info(db, &info);
    if (path != NULL)
        code = read_file(command, path, &out->text);
    if (code == CLI_OK)
        code = parse_taxa(command, path != NULL ? out->text : list, path != NULL ? "\r\n" : ", ", &taxids, &n);
    if (code == CLI_OK && info.version < 5)
        code = cli_fail(command, CLI_NO_MATCH, "Taxonomy list is not supported in v4 BLAST db");
    selection.taxids = taxids;
    selection.n_taxids = n;
    if (code == CLI_OK && n > 0) {
        tms_status status = tms_seqdb_select(ctx, db, &selection, part);
        code = status == TMS_OK ? add_part(command, db, *part, out) : cli_fail_database(command, ctx, status);
    }
    if (code == CLI_OK && out->n == 0)
        code = cli_fail(command, CLI_NO_MATCH, "%s", not_found);
    free(taxids);
    return code;
}

void db_entries_free(db_entries *entries)
{
    free(entries->items);
    free(entries->text);
    memset(entries, 0, sizeof *entries);
}
