/*
 * archive_manifest.h - what an archive is of: an ordered list of keys and values, as text. What the keys mean is its user's matter.
 *
 * A key may come several times. The text form has a line for each pair, "key<tab>value"; a backslash, a tab and a line feed in a value
 * are written \\, \t and \n.
 */
#ifndef TAMIS_ARCHIVE_MANIFEST_H
#define TAMIS_ARCHIVE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

struct archive_pair {
    char *key, *value; /* owned, each ended by a NUL; a key has a-z, 0-9 and - only, a value no NUL */
};

struct archive_manifest {
    struct archive_pair *pairs;
    size_t n, capacity;
};

/* archive_manifest_add() - adds a pair at the end. Returns IO_OK or IO_E_MEMORY. */
io_status archive_manifest_add(struct archive_manifest *manifest, const char *key, const char *value, io_error *err);
io_status archive_manifest_add_number(struct archive_manifest *manifest, const char *key, uint64_t value, io_error *err);

/* archive_manifest_get() - the value of the nth pair, from 0, with this key; NULL: there is none. */
const char *archive_manifest_get(const struct archive_manifest *manifest, const char *key, size_t nth);

/* archive_manifest_number() - the decimal value of the first pair with this key. Returns false if there is none, or it is no number. */
bool archive_manifest_number(const struct archive_manifest *manifest, const char *key, uint64_t *out);

/* archive_manifest_text() - the text form; *out is freed by the caller and ends with a NUL that *n does not count. */
io_status archive_manifest_text(const struct archive_manifest *manifest, char **out, size_t *n, io_error *err);

/*
 * archive_manifest_parse() - reads a text form of n bytes into an empty manifest, which stays empty after a failure. Returns IO_OK;
 * IO_E_MEMORY; IO_E_INPUT: it is none.
 */
io_status archive_manifest_parse(const char *text, size_t n, struct archive_manifest *out, io_error *err);

/* archive_manifest_hash() - XXH3-64 of the text form. Returns IO_OK or IO_E_MEMORY. */
io_status archive_manifest_hash(const struct archive_manifest *manifest, uint64_t *out, io_error *err);

void archive_manifest_free(struct archive_manifest *manifest); /* zeroed is fine */

#endif
