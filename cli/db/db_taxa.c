/* db_taxa.c - see db_taxa.h. */
#include "cli/db/db_taxa.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char letters[] = "SLBK"; /* in the order of tms_taxon_name */

typedef struct taxa {
    int64_t *items;
    size_t n, capacity;
} taxa;

const char *db_taxa_check(const char *format)
{
    for (const char *at = format; (at = strchr(at, '%')) != NULL && at[1] != '\0'; at += 2) {
        if (strchr("TSLBK", at[1]) != NULL)
            return NULL;
    }
    return "has none of %T %S %L %K %B, which -tax_info prints";
}

const char *db_taxa_name(const tms_taxonomy *taxonomy, int64_t taxid, char letter, size_t *n)
{
    const char *name = tms_taxonomy_name(taxonomy, taxid, (tms_taxon_name)(strchr(letters, letter) - letters), n);

    *n = name != NULL ? *n : 3;
    return name != NULL ? name : "N/A";
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Sorts the taxa, and removes duplicates. */
static void sort(taxa *found)
{
    size_t n = 0;

    if (found->n > 0)
        qsort(found->items, found->n, sizeof *found->items, by_value);
    for (size_t i = 0; i < found->n; i++) {
        if (n == 0 || found->items[i] != found->items[n - 1])
            found->items[n++] = found->items[i];
    }
    found->n = n;
}

/* Collects the taxa of all deflines. Sorts now and then, so that memory is proportional to the number of distinct taxa. */
static tms_status collect(const tms_seqdb *db, tms_seqdb_names *names, taxa *found)
{
    enum { MANY = 1 << 16 };
    tms_seqdb_info info;
    size_t n, limit = MANY;

    tms_seqdb_get_info(db, &info);
    for (uint64_t i = 0; i < info.n_sequences; i++) {
        tms_status status = tms_seqdb_names_read(db, i, names, &n);
        if (status != TMS_OK)
            return status;
        for (size_t k = 0; k < n; k++) {
            if (!array_reserve(&found->items, &found->capacity, found->n + 1, sizeof *found->items))
                return TMS_E_MEMORY;
            found->items[found->n++] = tms_seqdb_names_get(names, k)->taxid;
        }
        if (found->n >= limit) {
            sort(found);
            limit = 2 * found->n + MANY;
        }
    }
    sort(found);
    return TMS_OK;
}

/* Prints a line of the format. Taxon 0 is unknown and has no name. Other specifiers stay as they are. */
static void put_line(const tms_taxonomy *taxonomy, int64_t taxid, const char *format, FILE *to)
{
    for (const char *at = format; *at != '\0'; at++) {
        if (*at == '%' && at[1] == 'T') {
            fprintf(to, "%" PRId64, taxid);
            at++;
        } else if (*at == '%' && at[1] != '\0' && strchr(letters, at[1]) != NULL) {
            size_t n;
            const char *name = db_taxa_name(taxid != 0 ? taxonomy : NULL, taxid, *++at, &n);
            fwrite(name, 1, n, to);
        } else {
            putc(*at, to);
        }
    }
    putc('\n', to);
}

int db_taxa_put(const char *command, tms_context *ctx, const tms_seqdb *db, const tms_taxonomy *taxonomy, const char *format, FILE *to)
{
    taxa found = {0};
    tms_seqdb_names *names;
    tms_seqdb_info info;
    tms_status status = tms_seqdb_names_create(ctx, &names);
    int code = CLI_OK;

    tms_seqdb_get_info(db, &info);
    if (info.version < 5) {
        tms_seqdb_names_destroy(names);
        return cli_fail(command, CLI_USAGE, "Taxonomy list is not supported in v4 BLAST db");
    }
    if (status == TMS_OK)
        status = collect(db, names, &found);
    if (status == TMS_E_FORMAT)
        status = tms_seqdb_check(ctx, db, 0, info.n_sequences);
    if (status == TMS_E_MEMORY)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory for a list of taxa");
    else if (status != TMS_OK)
        code = cli_fail_database(command, ctx, status);
    if (code == CLI_OK)
        fprintf(to, "# of Tax IDs in Database: %zu\n", found.n);
    for (size_t i = 0; i < found.n && code == CLI_OK; i++)
        put_line(taxonomy, found.items[i], format, to);
    tms_seqdb_names_destroy(names);
    free(found.items);
    return code;
}
