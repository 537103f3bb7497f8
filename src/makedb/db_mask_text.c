/*
 * db_mask_text.c - parses masks as ASN.1 text, "name value, name value" in braces; see db_mask_parse.h. Tokens are words, numbers, quoted
 * texts (a quote within is doubled, and line ends within are ignored) and the signs { } , ::=.
 */
#include <ctype.h>
#include <stdlib.h>

#include "makedb/db_mask_parse.h"
#include "seqid/seqid_text.h"

enum token { TOKEN_END, TOKEN_WORD, TOKEN_TEXT, TOKEN_SIGN };

struct reader {
    const uint8_t *at, *limit;
    enum token token; /* kind of the next token */
    struct text text; /* its characters, for a quoted text without unescaping */
    const char *fault;
    struct byte_array *scratch;
    mask_values *out;
};

static void fail(struct reader *r, const char *fault)
{
    if (r->fault == NULL)
        r->fault = fault;
    r->token = TOKEN_END;
}

static bool is_word(uint8_t c) { return isalnum(c) || c == '-' || c == '_' || c == '.'; }

static void next_quoted(struct reader *r)
{
    const uint8_t *from = ++r->at;

    while (r->at < r->limit && (*r->at != '"' || (r->at + 1 < r->limit && r->at[1] == '"')))
        r->at += *r->at == '"' ? 2 : 1;
    if (r->at == r->limit) {
        fail(r, "ends inside a text");
        return;
    }
    r->token = TOKEN_TEXT;
    r->text = (struct text){(const char *)from, (size_t)(r->at++ - from)};
}

static void next(struct reader *r)
{
    const uint8_t *from;

    if (r->fault != NULL)
        return;
    while (r->at < r->limit && isspace(*r->at))
        r->at++;
    if (r->at == r->limit) {
        r->token = TOKEN_END;
        return;
    }
    if (*r->at == '"') {
        next_quoted(r);
        return;
    }
    from = r->at++;
    r->token = is_word(*from) ? TOKEN_WORD : TOKEN_SIGN;
    while (r->at < r->limit && (r->token == TOKEN_WORD ? is_word(*r->at) : *from == ':' && (*r->at == ':' || *r->at == '=')))
        r->at++;
    r->text = (struct text){(const char *)from, (size_t)(r->at - from)};
}

static bool is(const struct reader *r, const char *word)
{
    return r->token != TOKEN_END && r->token != TOKEN_TEXT && r->text.n == strlen(word) && memcmp(r->text.bytes, word, r->text.n) == 0;
}

/* Takes the token if it is this word. */
static bool take(struct reader *r, const char *word)
{
    if (!is(r, word))
        return false;
    next(r);
    return true;
}

static void expect(struct reader *r, const char *word)
{
    if (!take(r, word))
        fail(r, "has the wrong syntax for a Blast-db-mask-info");
}

/* Returns true if another field or item precedes the closing brace. Takes the brace, or the comma before the item. */
static bool more(struct reader *r, bool *is_first)
{
    if (r->fault != NULL || take(r, "}"))
        return false;
    if (!*is_first)
        expect(r, ",");
    *is_first = false;
    if (r->token == TOKEN_END)
        fail(r, "ends inside a value");
    return r->fault == NULL;
}

static int64_t take_number(struct reader *r)
{
    int64_t value = 0;
    bool is_negative = r->token == TOKEN_WORD && r->text.bytes[0] == '-';

    if (r->token != TOKEN_WORD || r->text.n == (size_t)is_negative || r->text.n > 18)
        fail(r, "has no number where one is expected");
    for (size_t i = is_negative; r->fault == NULL && i < r->text.n; i++) {
        if (!isdigit((unsigned char)r->text.bytes[i]))
            fail(r, "has no number where one is expected");
        else
            value = 10 * value + (r->text.bytes[i] - '0');
    }
    next(r);
    return is_negative ? -value : value;
}

/* Takes a text without its doubled quotes and line ends. mask_parse_text() has reserved room for all texts of an id. */
static struct text take_text(struct reader *r)
{
    struct text text = {(const char *)r->scratch->bytes + r->scratch->n, 0};

    if (r->token != TOKEN_TEXT) {
        fail(r, "has no text where one is expected");
        return (struct text){"", 0};
    }
    for (size_t i = 0; i < r->text.n; i++) {
        char c = r->text.bytes[i];
        if (c == '\n' || c == '\r')
            continue;
        i += c == '"';
        r->scratch->bytes[r->scratch->n++] = (uint8_t)c;
    }
    text.n = (size_t)((const char *)r->scratch->bytes + r->scratch->n - text.bytes);
    next(r);
    return text;
}

/* Skips a value of any kind, up to the comma or brace behind it. */
static void skip_value(struct reader *r)
{
    int depth = 0;

    while (r->token != TOKEN_END && (depth > 0 || (!is(r, ",") && !is(r, "}")))) {
        depth += is(r, "{") - is(r, "}");
        next(r);
    }
}

/* ---- ids -------------------------------------------------------------------------------------------------------- */

/* Takes "id 5", "str "x"", "number "US1"". */
static void take_choice(struct reader *r, struct seqid *id)
{
    if (take(r, "id")) {
        id->has_number = true;
        id->number = take_number(r);
    } else if (take(r, "str") || take(r, "number") || take(r, "app-number")) {
        id->accession = take_text(r);
    } else {
        fail(r, "has an id of an unknown kind");
    }
}

/* Takes the contents of a patent's cit. */
static void take_citation(struct reader *r, struct seqid *id)
{
    bool is_first = true;

    expect(r, "{");
    while (more(r, &is_first)) {
        if (take(r, "country"))
            id->name = take_text(r);
        else if (take(r, "id"))
            take_choice(r, id);
        else
            skip_value(r);
    }
}

static const char *field_of(const struct reader *r)
{
    static const char *const fields[] = {"name", "accession", "release",  "version", "db",  "tag",
                                         "mol",  "chain",     "chain-id", "seqid",   "cit", "id"};

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (is(r, fields[i]))
            return fields[i];
    return "";
}

/* Takes the field of any kind of id: kinds have different field names, or the same with the same meaning. */
static void take_field(struct reader *r, struct seqid *id)
{
    const char *field = field_of(r);

    next(r);
    if (strcmp(field, "name") == 0 || strcmp(field, "db") == 0 || strcmp(field, "chain-id") == 0)
        id->name = take_text(r);
    else if (strcmp(field, "accession") == 0 || strcmp(field, "mol") == 0)
        id->accession = take_text(r);
    else if (strcmp(field, "release") == 0)
        id->release = take_text(r);
    else if (strcmp(field, "version") == 0)
        id->version = (int)take_number(r);
    else if (strcmp(field, "seqid") == 0 || strcmp(field, "id") == 0)
        id->number = take_number(r);
    else if (strcmp(field, "tag") == 0)
        take_choice(r, id);
    else if (strcmp(field, "cit") == 0)
        take_citation(r, id);
    else
        skip_value(r);
}

static bool take_id(struct reader *r, struct seqid *id)
{
    size_t kind = 0;
    bool is_first = true;

    while (seqid_asn_name((enum seqid_kind)kind) != NULL && !is(r, seqid_asn_name((enum seqid_kind)kind)))
        kind++;
    if (seqid_asn_name((enum seqid_kind)kind) == NULL) {
        fail(r, "has an id of an unknown kind");
        return false;
    }
    next(r);
    r->scratch->n = 0;
    *id = (struct seqid){.kind = (enum seqid_kind)kind};
    if (id->kind == SEQID_LOCAL) {
        take_choice(r, id);
    } else if (!take(r, "{")) {
        id->number = take_number(r);
    } else {
        while (more(r, &is_first))
            take_field(r, id);
    }
    return r->fault == NULL;
}

/* ---- locations -------------------------------------------------------------------------------------------------- */

static void take_interval(struct reader *r, bool is_first_of_location)
{
    struct seqid id = {.kind = SEQID_LOCAL};
    int64_t from = -1, to = -1;
    bool has_id = false, is_first = true;

    expect(r, "{");
    while (more(r, &is_first)) {
        if (take(r, "from"))
            from = take_number(r);
        else if (take(r, "to"))
            to = take_number(r);
        else if (take(r, "id"))
            has_id = take_id(r, &id);
        else
            skip_value(r);
    }
    if (!has_id)
        fail(r, "has an interval without an id");
    if (r->fault == NULL && !r->out->location(r->out->arg, &id, from, to, is_first_of_location)) {
        r->out->no_memory = true;
        fail(r, "needs more memory than is available");
    }
}

static void take_location(struct reader *r)
{
    bool is_first = true, is_first_interval = true;

    if (take(r, "int")) {
        take_interval(r, true);
        return;
    }
    if (!take(r, "packed-int")) {
        fail(r, "has a location that is not an interval");
        return;
    }
    expect(r, "{");
    for (; more(r, &is_first); is_first_interval = false)
        take_interval(r, is_first_interval);
}

/* Takes a Blast-mask-list. Returns true if another list follows. */
static bool take_list(struct reader *r)
{
    bool is_first = true, is_first_location = true, has_more = false;

    expect(r, "{");
    while (more(r, &is_first)) {
        if (take(r, "masks")) {
            expect(r, "{");
            while (more(r, &is_first_location))
                take_location(r);
        } else if (take(r, "more")) {
            has_more = is(r, "TRUE");
            next(r);
        } else {
            skip_value(r);
        }
    }
    return has_more;
}

static int64_t take_program(struct reader *r)
{
    static const struct {
        const char *name;
        int number;
    } programs[] = {{"dust", 10}, {"seg", 20}, {"windowmasker", 30}, {"repeat", 40}, {"other", 100}};

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (take(r, programs[i].name))
            return programs[i].number;
    return take_number(r);
}

const char *mask_parse_text(const uint8_t *bytes, size_t n, struct byte_array *scratch, mask_values *out)
{
    struct reader r = {.at = bytes, .limit = bytes + n, .scratch = scratch, .out = out};
    bool is_first = true, has_more = false;

    if (byte_array_room(scratch, n) == NULL) { /* no id is longer */
        out->no_memory = true;
        return "needs more memory than is available";
    }
    next(&r);
    expect(&r, "Blast-db-mask-info");
    expect(&r, "::=");
    expect(&r, "{");
    while (more(&r, &is_first)) {
        if (take(&r, "algo-program")) {
            out->program = take_program(&r);
            out->has_program = true;
        } else if (take(&r, "algo-options") && r.token == TOKEN_TEXT) {
            out->options = r.text;
            next(&r);
        } else if (take(&r, "masks")) {
            has_more = take_list(&r);
        } else {
            next(&r);
            skip_value(&r);
        }
    }
    while (r.fault == NULL && has_more) {
        expect(&r, "Blast-mask-list");
        expect(&r, "::=");
        has_more = take_list(&r);
    }
    if (r.fault == NULL && r.token != TOKEN_END)
        fail(&r, "has extra text after its masks");
    return r.fault;
}
