/* archive_manifest.c - see archive_manifest.h. */
#include "archive/archive_manifest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool is_key_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

/* Copies n bytes of a key or of a value. */
static io_status add(struct archive_manifest *manifest, const char *key, size_t n_key, const char *value, size_t n_value, io_error *err)
{
    struct archive_pair pair = {NULL, NULL};

    if (array_reserve(&manifest->pairs, &manifest->capacity, manifest->n + 1, sizeof *manifest->pairs)) {
        pair.key = strndup(key, n_key);
        pair.value = strndup(value, n_value);
    }
    if (pair.key == NULL || pair.value == NULL) {
        free(pair.key);
        free(pair.value);
        return io_fail_memory(err, "a manifest");
    }
    manifest->pairs[manifest->n++] = pair;
    return IO_OK;
}

io_status archive_manifest_add(struct archive_manifest *manifest, const char *key, const char *value, io_error *err)
{
    return add(manifest, key, strlen(key), value, strlen(value), err);
}

io_status archive_manifest_add_number(struct archive_manifest *manifest, const char *key, uint64_t value, io_error *err)
{
    char text[24];

    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
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
    char *end;

    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return *end == '\0' && errno == 0;
}

io_status archive_manifest_text(const struct archive_manifest *manifest, char **out, size_t *n, io_error *err)
{
    size_t size = 1;
    char *to;

    for (size_t i = 0; i < manifest->n; i++)
        size += strlen(manifest->pairs[i].key) + 2 * strlen(manifest->pairs[i].value) + 2;
    *out = to = malloc(size);
    *n = 0;
    if (to == NULL)
        return io_fail_memory(err, "a manifest");
    for (size_t i = 0; i < manifest->n; i++) {
        to = stpcpy(to, manifest->pairs[i].key);
        *to++ = '\t';
        for (const char *from = manifest->pairs[i].value; *from != '\0'; from++) {
            if (*from == '\\' || *from == '\t' || *from == '\n')
                *to++ = '\\';
            *to++ = *from == '\t' ? 't' : *from == '\n' ? 'n' : *from;
        }
        *to++ = '\n';
    }
    *to = '\0';
    *n = (size_t)(to - *out);
    return IO_OK;
}

/* Undoes the escapes of a value of n bytes, in place. Returns its length, or SIZE_MAX: it has an escape that there is not, or a NUL. */
static size_t unescape(char *value, size_t n)
{
    size_t to = 0;

    for (size_t i = 0; i < n; i++) {
        char c = value[i];
        if (c == '\0' || (c == '\\' && i + 1 == n))
            return SIZE_MAX;
        if (c == '\\') {
            c = value[++i];
            if (c != '\\' && c != 't' && c != 'n')
                return SIZE_MAX;
            c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
        }
        value[to++] = c;
    }
    return to;
}

/* A line without its line feed. */
static io_status parse_line(char *line, size_t n, struct archive_manifest *out, io_error *err)
{
    size_t n_key = 0, n_value;

    while (n_key < n && is_key_byte(line[n_key]))
        n_key++;
    if (n_key == 0 || n_key == n || line[n_key] != '\t')
        return io_fail(err, IO_E_INPUT, 0, "a line of the manifest has no key");
    n_value = unescape(line + n_key + 1, n - n_key - 1);
    if (n_value == SIZE_MAX)
        return io_fail(err, IO_E_INPUT, 0, "a value of the manifest is no text");
    return add(out, line, n_key, line + n_key + 1, n_value, err);
}

io_status archive_manifest_parse(const char *text, size_t n, struct archive_manifest *out, io_error *err)
{
    char *copy = malloc(n + 1);
    io_status status = IO_OK;

    if (copy == NULL)
        return io_fail_memory(err, "a manifest");
    memcpy(copy, text, n);
    for (size_t at = 0; at < n && status == IO_OK;) {
        char *end = memchr(copy + at, '\n', n - at);
        if (end == NULL) {
            status = io_fail(err, IO_E_INPUT, 0, "the manifest does not end with a line feed");
            break;
        }
        status = parse_line(copy + at, (size_t)(end - copy) - at, out, err);
        at = (size_t)(end - copy) + 1;
    }
    free(copy);
    return status;
}

void archive_manifest_free(struct archive_manifest *manifest)
{
    for (size_t i = 0; i < manifest->n; i++) {
        free(manifest->pairs[i].key);
        free(manifest->pairs[i].value);
    }
    free(manifest->pairs);
    memset(manifest, 0, sizeof *manifest);
}
