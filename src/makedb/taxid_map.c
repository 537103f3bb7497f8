#include "makedb/taxid_map.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "seqid/seqid_parse.h"
#include "seqid/seqid_text.h"

/*
 * Appends the key of an id: an accession in upper case, without its version; the tag of gnl|db|tag; the number of a gi; other ids as
 * printed.
 */
static bool add_key(struct byte_array *keys, const struct seqid *id)
{
    const size_t before = keys->n;
    struct seqid plain = *id;

    plain.version = 0;
    if (id->kind == SEQID_GI)
        plain.has_number = true;
    if (id->kind == SEQID_GI || id->kind == SEQID_GENERAL)
        plain.kind = SEQID_LOCAL;
    if (!seqid_text_accession(&plain, keys))
        return false;
    if (id->accession.n == 0 || id->kind == SEQID_LOCAL || id->kind == SEQID_GENERAL || id->kind == SEQID_PDB || id->kind == SEQID_PATENT)
        return true;
    for (size_t i = before; i < keys->n; i++)
        keys->bytes[i] = (uint8_t)toupper(keys->bytes[i]);
    return true;
}

/* "007" is the gi 7. Returns the number of leading zeros. */
static size_t leading_zeros(struct text word)
{
    size_t n = 0;

    for (size_t i = 0; i < word.n; i++)
        if (!isdigit((unsigned char)word.bytes[i]))
            return 0;
    while (n < word.n && word.bytes[n] == '0')
        n++;
    return n;
}

static bool begins_with(struct text word, const char *with) { return word.n > 4 && strncasecmp(word.bytes, with, 4) == 0; }

/* Returns true if a word with bars is no id of the kind that it names. */
static bool is_none(struct text word, const struct seqid *id)
{
    if (memchr(word.bytes, '|', word.n) == NULL)
        return false;
    return (id->kind == SEQID_LOCAL && !begins_with(word, "lcl|")) || (id->kind == SEQID_GENERAL && !begins_with(word, "gnl|")) ||
           (id->kind == SEQID_GENERAL && !id->has_number && id->accession.n == 0);
}

/* Adds the word of a line: the key of an id, or a text that is compared as it is. An empty key matches no id. */
static bool add_word(taxid_map *map, struct text word, tms_molecule molecule)
{
    struct seqid ids[SEQID_MAX_IDS];
    size_t n_ids = 0, too_long = 0, n_zeros = leading_zeros(word);
    char *scratch;

    word = (struct text){word.bytes + n_zeros, word.n - n_zeros};
    if (word.n == 0)
        return true;
    map->scratch.n = 0;
    scratch = (char *)byte_array_room(&map->scratch, word.n + 16);
    if (scratch == NULL)
        return false;
    if (seqid_parse(word.bytes, word.n, molecule, scratch, ids, &n_ids, &too_long) != SEQID_PARSED || n_ids != 1)
        return byte_array_add(&map->keys, word.bytes, word.n);
    return is_none(word, &ids[0]) || add_key(&map->keys, &ids[0]);
}

static bool is_between(char c) { return c == ' ' || c == '\t'; }

/* Splits a line into its two fields; false if it does not have two. */
static bool cut_line(struct text line, struct text *word, struct text *number)
{
    size_t n = 0;

    while (line.n > 0 && is_between(line.bytes[0]))
        line = (struct text){line.bytes + 1, line.n - 1};
    while (line.n > 0 && isspace((unsigned char)line.bytes[line.n - 1]))
        line.n--;
    while (n < line.n && !is_between(line.bytes[n]))
        n++;
    if (n == 0 || n == line.n)
        return false;
    *word = (struct text){line.bytes, n};
    *number = (struct text){line.bytes + n + 1, line.n - n - 1};
    for (size_t i = 0; i < number->n; i++)
        if (is_between(number->bytes[i]))
            return false;
    return number->n > 0;
}

static bool parse_taxid(struct text text, int32_t *out)
{
    char digits[16], *end;
    long value;

    if (text.n >= sizeof digits)
        return false;
    memcpy(digits, text.bytes, text.n);
    digits[text.n] = '\0';
    errno = 0;
    value = strtol(digits, &end, 10);
    *out = (int32_t)value;
    return *end == '\0' && errno == 0 && value >= INT32_MIN && value <= INT32_MAX;
}

static io_status take_line(taxid_map *map, const char *path, uint64_t line, struct text text, tms_molecule molecule, io_error *err)
{
    struct text word, number;
    io_taxid_entry entry = {.key = map->keys.n, .line = line};

    if (!cut_line(text, &word, &number))
        return IO_OK;
    if (!parse_taxid(number, &entry.taxid))
        return io_fail(err, IO_E_INPUT, 0, "%s:%llu: '%.*s' is not a taxonomy id", path, (unsigned long long)line,
                       (int)(number.n < 64 ? number.n : 64), number.bytes);
    if (!add_word(map, word, molecule) || !array_reserve(&map->entries, &map->capacity, map->n_entries + 1, sizeof *map->entries))
        return io_fail_memory(err, "taxonomy ids");
    entry.key_size = (uint32_t)(map->keys.n - entry.key);
    map->entries[map->n_entries++] = entry;
    return IO_OK;
}

static int compare_keys(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b)
{
    int order = memcmp(a, b, n_a < n_b ? n_a : n_b);

    return order != 0 ? order : (n_a > n_b) - (n_a < n_b);
}

/* Of equal keys the last line comes first. */
static int compare_entries(const void *x, const void *y, void *keys)
{
    const io_taxid_entry *a = x, *b = y;
    const uint8_t *bytes = keys;
    int order = compare_keys(bytes + a->key, a->key_size, bytes + b->key, b->key_size);

    return order != 0 ? order : (a->line < b->line) - (a->line > b->line);
}

io_status taxid_map_read(taxid_map *map, const char *path, tms_molecule molecule, io_error *err)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    uint64_t n_lines = 0;
    ssize_t n;
    io_status status = IO_OK;

    if (in == NULL)
        return io_fail(err, IO_E_INPUT, errno, "Command line argument error: Argument \"taxid_map\". File is not accessible:  `%s'", path);
    while (status == IO_OK && (n = getline(&line, &capacity, in)) >= 0)
        status = take_line(map, path, ++n_lines, (struct text){line, (size_t)n}, molecule, err);
    if (status == IO_OK && ferror(in))
        status = io_fail(err, IO_E_INPUT, errno, "%s: %s", path, strerror(errno));
    free(line);
    fclose(in);
    if (map->n_entries > 1)
        qsort_r(map->entries, map->n_entries, sizeof *map->entries, compare_entries, map->keys.bytes);
    return status;
}

/* The first entry of a key; NULL if there is none. */
static const io_taxid_entry *entry_of(const taxid_map *map, const uint8_t *key, size_t n)
{
    size_t low = 0, high = map->n_entries;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const io_taxid_entry *at = &map->entries[middle];
        if (compare_keys(map->keys.bytes + at->key, at->key_size, key, n) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == map->n_entries || compare_keys(map->keys.bytes + map->entries[low].key, map->entries[low].key_size, key, n) != 0)
        return NULL;
    return &map->entries[low];
}

io_status taxid_map_find(taxid_map *map, const struct seqid *ids, size_t n_ids, int64_t *taxid, bool *found, io_error *err)
{
    *found = false;
    for (size_t i = 0; i < n_ids && !*found; i++) {
        const io_taxid_entry *entry;
        map->scratch.n = 0;
        if (!add_key(&map->scratch, &ids[i]))
            return io_fail_memory(err, "taxonomy ids");
        entry = map->scratch.n > 0 ? entry_of(map, map->scratch.bytes, map->scratch.n) : NULL;
        *found = entry != NULL;
        if (*found)
            *taxid = entry->taxid;
    }
    return IO_OK;
}

void taxid_map_free(taxid_map *map)
{
    free(map->keys.bytes);
    free(map->entries);
    free(map->scratch.bytes);
    memset(map, 0, sizeof *map);
}
