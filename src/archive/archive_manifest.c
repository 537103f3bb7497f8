/* archive_manifest.c - see archive_manifest.h. */
#include "archive/archive_manifest.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_array.h"
#include "hash/xxh3_core.h"

static bool is_key(const char *key, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!((key[i] >= 'a' && key[i] <= 'z') || (key[i] >= '0' && key[i] <= '9') || key[i] == '-'))
            return false;
    return n > 0;
}

/* Adds a pair of n_key and n_value bytes. */
static io_status add(struct archive_manifest *manifest, const char *key, size_t n_key, const char *value, size_t n_value, io_error *err)
{
    struct archive_pair pair = {malloc(n_key + 1), malloc(n_value + 1)};

    if (pair.key == NULL || pair.value == NULL ||
        !array_reserve(&manifest->pairs, &manifest->capacity, manifest->n + 1, sizeof *manifest->pairs)) {
        free(pair.key);
        free(pair.value);
        return io_fail_memory(err, "a manifest");
    }
    memcpy(pair.key, key, n_key);
    memcpy(pair.value, value, n_value);
    pair.key[n_key] = pair.value[n_value] = '\0';
    manifest->pairs[manifest->n++] = pair;
    return IO_OK;
}

io_status archive_manifest_add(struct archive_manifest *manifest, const char *key, const char *value, io_error *err)
{
    assert(is_key(key, strlen(key)));
    return add(manifest, key, strlen(key), value, strlen(value), err);
}

io_status archive_manifest_add_number(struct archive_manifest *manifest, const char *key, uint64_t value, io_error *err)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, value);
    return archive_manifest_add(manifest, key, text, err);
}

const char *archive_manifest_get(const struct archive_manifest *manifest, const char *key, size_t nth)
{
    for (size_t i = 0; i < manifest->n; i++)
        if (strcmp(manifest->pairs[i].key, key) == 0 && nth-- == 0)
            return manifest->pairs[i].value;
    return NULL;
}

bool archive_manifest_number(const struct archive_manifest *manifest, const char *key, uint64_t *out)
{
    const char *text = archive_manifest_get(manifest, key, 0);
    uint64_t v = 0;

    if (text == NULL || *text == '\0')
        return false;
    for (; *text != '\0'; text++)
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*text - '0'), &v))
            return false;
    *out = v;
    return true;
}

/* ---- text --------------------------------------------------------------------------------------------------------------------- */

/* Appends a value with its escapes. */
static bool put_value(struct byte_array *to, const char *value)
{
    bool done = true;

    for (; *value != '\0' && done; value++) {
        const char *escape = *value == '\\' ? "\\\\" : *value == '\t' ? "\\t" : *value == '\n' ? "\\n" : NULL;
        done = escape != NULL ? byte_array_add(to, escape, 2) : byte_array_add(to, value, 1);
    }
    return done;
}

io_status archive_manifest_text(const struct archive_manifest *manifest, char **out, size_t *n, io_error *err)
{
    struct byte_array text = {0};
    bool done = true;

    for (size_t i = 0; i < manifest->n && done; i++)
        done = byte_array_add(&text, manifest->pairs[i].key, strlen(manifest->pairs[i].key)) && byte_array_add(&text, "\t", 1) &&
               put_value(&text, manifest->pairs[i].value) && byte_array_add(&text, "\n", 1);
    *n = text.n;
    *out = NULL;
    if (!done || !byte_array_add(&text, "", 1)) {
        free(text.bytes);
        return io_fail_memory(err, "the text of a manifest");
    }
    *out = (char *)text.bytes;
    return IO_OK;
}

/* Replaces a value's escapes by what they stand for, in place. Returns false if there is another escape, a tab or a NUL. */
static bool unescape(char *value, size_t *n)
{
    size_t to = 0;

    for (size_t i = 0; i < *n; i++) {
        char c = value[i];
        if (c == '\t' || c == '\0')
            return false;
        if (c == '\\') {
            const char escape = ++i < *n ? value[i] : '\0';
            if (escape != '\\' && escape != 't' && escape != 'n')
                return false;
            c = escape == 't' ? '\t' : escape == 'n' ? '\n' : '\\';
        }
        value[to++] = c;
    }
    *n = to;
    return true;
}

/* Adds the pair of a line of n bytes, without its line feed; the line is overwritten. */
static io_status parse_line(char *line, size_t n, struct archive_manifest *out, io_error *err)
{
    const char *tab = memchr(line, '\t', n);
    const size_t n_key = tab != NULL ? (size_t)(tab - line) : n;
    size_t n_value = tab != NULL ? n - n_key - 1 : 0;

    if (tab == NULL || !is_key(line, n_key) || !unescape(line + n_key + 1, &n_value))
        return io_fail(err, IO_E_INPUT, 0, "line %zu of the manifest is no key and value", out->n + 1);
    return add(out, line, n_key, line + n_key + 1, n_value, err);
}

io_status archive_manifest_parse(const char *text, size_t n, struct archive_manifest *out, io_error *err)
{
    char *const copy = malloc(n + 1);
    io_status status = IO_OK;

    if (copy == NULL)
        return io_fail_memory(err, "a manifest");
    memcpy(copy, text, n);
    for (char *line = copy, *end = copy + n; status == IO_OK && line < end;) {
        char *const line_feed = memchr(line, '\n', (size_t)(end - line));
        status = line_feed != NULL ? parse_line(line, (size_t)(line_feed - line), out, err)
                                   : io_fail(err, IO_E_INPUT, 0, "the last line of the manifest has no end");
        line = line_feed != NULL ? line_feed + 1 : end;
    }
    free(copy);
    if (status != IO_OK)
        archive_manifest_free(out);
    return status;
}

io_status archive_manifest_hash(const struct archive_manifest *manifest, uint64_t *out, io_error *err)
{
    char *text;
    size_t n;
    io_status status = archive_manifest_text(manifest, &text, &n, err);

    if (status != IO_OK)
        return status;
    *out = xxh3_64((const uint8_t *)text, n, 0);
    free(text);
    return IO_OK;
}

void archive_manifest_free(struct archive_manifest *manifest)
{
    for (size_t i = 0; i < manifest->n; i++) {
        free(manifest->pairs[i].key);
        free(manifest->pairs[i].value);
    }
    free(manifest->pairs);
    *manifest = (struct archive_manifest){0};
}
