/*
 * taxonomy.c - names of taxa, from the two files of NCBI's taxdb: an index of numbers and offsets, and the names.
 *
 * The index has 0x8739, the number of taxa, four unused words; then the taxa's numbers, ascending, each with the offset of its names. All
 * words are big-endian. The names of a taxon, separated by tabs, end where those of the next begin: doc/blastdb.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seqdb/seqdb_find.h"
#include "seqdb/seqdb_map.h"
#include "tamis/seqdb.h"

enum { HEAD_BYTES = 24, ENTRY_BYTES = 8, MAGIC = 0x8739 };

struct tms_taxonomy {
    struct seqdb_bytes index, names;
    const uint8_t *entries;
    uint32_t n;
};

/* Makes the path directory/taxdb.EXTENSION. NULL if there is no memory. */
static char *file_name(const char *directory, const char *extension)
{
    size_t n = strlen(directory) + sizeof "/taxdb." + strlen(extension);
    char *out = malloc(n);

    if (out != NULL)
        snprintf(out, n, "%s/taxdb.%s", directory, extension);
    return out;
}

/* Finds the first directory that has an index; *out is NULL if there is none. BLAST looks for the names only there. */
static tms_status find_directory(tms_context *ctx, const struct seqdb_path *path, const char **out)
{
    const char *directory = path->directories;

    *out = NULL;
    for (size_t i = 0; i < path->n_directories && *out == NULL; i++, directory += strlen(directory) + 1) {
        char *index = file_name(directory, "bti");
        if (index == NULL)
            return context_fail_memory(ctx, "the name of a file", strlen(directory));
        if (seqdb_file_is_there(index))
            *out = directory;
        free(index);
    }
    return TMS_OK;
}

/* Returns NULL, or what is wrong with the index. */
static const char *check(tms_taxonomy *taxonomy)
{
    const struct seqdb_bytes index = taxonomy->index;

    if (index.size < HEAD_BYTES)
        return "is shorter than its header";
    if (seqdb_word(index.bytes, 0) != MAGIC)
        return "does not begin like an index of taxdb";
    taxonomy->n = seqdb_word(index.bytes, 1);
    taxonomy->entries = index.bytes + HEAD_BYTES;
    return (index.size - HEAD_BYTES) / ENTRY_BYTES == taxonomy->n ? NULL : "does not have the number of taxa that its header gives";
}

/* *is_there: both files exist and are mapped. */
static tms_status map(tms_context *ctx, const char *directory, tms_taxonomy *taxonomy, bool *is_there)
{
    char *index = file_name(directory, "bti"), *names = file_name(directory, "btd");
    const char *why;
    tms_status status;

    if (index == NULL || names == NULL) {
        status = context_fail_memory(ctx, "the name of a file", strlen(directory));
    } else {
        *is_there = seqdb_file_is_there(names);
        status = *is_there ? seqdb_map_file(ctx, index, false, &taxonomy->index) : TMS_OK;
        if (*is_there && status == TMS_OK)
            status = seqdb_map_file(ctx, names, false, &taxonomy->names);
        why = *is_there && status == TMS_OK ? check(taxonomy) : NULL;
        if (why != NULL)
            status = context_fail(ctx, TMS_E_FORMAT, "%s: %s", index, why);
    }
    free(index);
    free(names);
    return status;
}

tms_status tms_taxonomy_open(tms_context *ctx, tms_taxonomy **out)
{
    struct seqdb_path path;
    const char *directory = NULL;
    bool is_there = false;
    tms_status status = seqdb_path_read(ctx, &path);

    *out = NULL;
    if (status != TMS_OK)
        return status;
    status = find_directory(ctx, &path, &directory);
    if (status == TMS_OK && directory != NULL) {
        *out = calloc(1, sizeof **out);
        status = *out != NULL ? map(ctx, directory, *out, &is_there) : context_fail_memory(ctx, "the names of taxa", sizeof **out);
    }
    if (!is_there || status != TMS_OK) {
        tms_taxonomy_destroy(*out);
        *out = NULL;
    }
    seqdb_path_free(&path);
    return status;
}

void tms_taxonomy_destroy(tms_taxonomy *taxonomy)
{
    if (taxonomy == NULL)
        return;
    seqdb_unmap(&taxonomy->index);
    seqdb_unmap(&taxonomy->names);
    free(taxonomy);
}

/* The last entry with this number; n if there is none. */
static uint32_t find(const tms_taxonomy *taxonomy, uint32_t taxid)
{
    uint32_t low = 0, high = taxonomy->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (seqdb_word(taxonomy->entries, 2 * (size_t)middle) <= taxid)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && seqdb_word(taxonomy->entries, 2 * (size_t)(low - 1)) == taxid ? low - 1 : taxonomy->n;
}

/* The four names of an entry, in one text; empty if the entry is damaged. */
static struct text line_of(const tms_taxonomy *taxonomy, uint32_t i)
{
    uint64_t start = seqdb_word(taxonomy->entries, 2 * (size_t)i + 1), end = taxonomy->names.size;

    if (i + 1 < taxonomy->n)
        end = seqdb_word(taxonomy->entries, 2 * (size_t)(i + 1) + 1);
    if (start >= end || end > taxonomy->names.size)
        return (struct text){"", 0};
    return (struct text){(const char *)taxonomy->names.bytes + start, (size_t)(end - start)};
}

const char *tms_taxonomy_name(const tms_taxonomy *taxonomy, int64_t taxid, tms_taxon_name which, size_t *n)
{
    struct text fields[TMS_TAXON_KINGDOM + 1], rest;
    uint32_t i = taxonomy != NULL && taxid >= 0 && taxid <= UINT32_MAX ? find(taxonomy, (uint32_t)taxid) : 0;

    *n = 0;
    if (taxonomy == NULL || taxid < 0 || taxid > UINT32_MAX || i == taxonomy->n || (unsigned)which > TMS_TAXON_KINGDOM)
        return NULL;
    rest = line_of(taxonomy, i);
    for (int k = 0; k < TMS_TAXON_KINGDOM; k++) {
        const char *tab = memchr(rest.bytes, '\t', rest.n);
        if (tab == NULL)
            return NULL;
        fields[k] = (struct text){rest.bytes, (size_t)(tab - rest.bytes)};
        rest = (struct text){tab + 1, rest.n - fields[k].n - 1};
    }
    fields[TMS_TAXON_KINGDOM] = rest;
    if (rest.n == 0)
        return NULL;
    *n = fields[which].n;
    return fields[which].bytes;
}
