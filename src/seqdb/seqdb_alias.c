/* seqdb_alias.c - parses alias files. */
#include "seqdb/seqdb_alias.h"

#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static struct text trim(const char *bytes, size_t n)
{
    while (n > 0 && is_blank(bytes[0])) {
        bytes++;
        n--;
    }
    while (n > 0 && is_blank(bytes[n - 1]))
        n--;
    return (struct text){bytes, n};
}

bool seqdb_names_next(struct text *list, struct text *name)
{
    const char *end, *close;

    *list = trim(list->bytes, list->n);
    if (list->n == 0)
        return false;
    end = list->bytes + list->n;
    if (list->bytes[0] == '"' && (close = memchr(list->bytes + 1, '"', list->n - 1)) != NULL) {
        *name = (struct text){list->bytes + 1, (size_t)(close - list->bytes) - 1};
        *list = (struct text){close + 1, (size_t)(end - close) - 1};
        return true;
    }
    for (close = list->bytes; close < end && !is_blank(*close);)
        close++;
    *name = (struct text){list->bytes, (size_t)(close - list->bytes)};
    *list = (struct text){close, (size_t)(end - close)};
    return true;
}

/* Parses digits only, up to SEQDB_ALIAS_MAX. */
static bool parse_number(struct text text, uint64_t *out)
{
    uint64_t n = 0;

    if (text.n == 0)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9' || __builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, (uint64_t)(text.bytes[i] - '0'), &n))
            return false;
    }
    if (n > SEQDB_ALIAS_MAX)
        return false;
    *out = n;
    return true;
}

static bool is_key(struct text key, const char *name) { return key.n == strlen(name) && memcmp(key.bytes, name, key.n) == 0; }

static void parse_line(struct text key, struct text value, struct seqdb_alias *out)
{
    static const char *const refused[] = {"GILIST", "SEQIDLIST", "TILIST", "TAXIDLIST", "OIDLIST", "MEMB_BIT"};
    const struct {
        const char *name;
        uint64_t *number;
    } numbers[] = {{"NSEQ", &out->n_sequences},
                   {"LENGTH", &out->n_residues},
                   {"STATS_NSEQ", &out->stats_n_sequences},
                   {"STATS_TOTLEN", &out->stats_n_residues},
                   {"FIRST_OID", &out->first_oid},
                   {"LAST_OID", &out->last_oid}};

    if (is_key(key, "TITLE"))
        out->title = value;
    else if (is_key(key, "DBLIST"))
        out->dblist = value;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (is_key(key, refused[i]) && value.n > 0)
            strcpy(out->refused, refused[i]);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (is_key(key, numbers[i].name) && !parse_number(value, numbers[i].number))
            strcpy(out->damaged, numbers[i].name);
    }
}

void seqdb_alias_parse(const char *bytes, size_t n, struct seqdb_alias *out)
{
    const char *end = bytes + n;

    memset(out, 0, sizeof *out);
    out->n_sequences = out->n_residues = out->stats_n_sequences = out->stats_n_residues = out->first_oid = out->last_oid = UINT64_MAX;
    while (bytes < end) {
        const char *feed = memchr(bytes, '\n', (size_t)(end - bytes));
        struct text line = trim(bytes, (size_t)((feed != NULL ? feed : end) - bytes));
        size_t n_key = 0;
        while (n_key < line.n && !is_blank(line.bytes[n_key]))
            n_key++;
        if (line.n > 0 && line.bytes[0] != '#')
            parse_line((struct text){line.bytes, n_key}, trim(line.bytes + n_key, line.n - n_key), out);
        bytes = feed != NULL ? feed + 1 : end;
    }
}
