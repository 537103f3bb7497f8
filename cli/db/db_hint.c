/* db_hint.c - see db_hint.h. */
#include "cli/db/db_hint.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/blast_names.h"

static int is_database(tms_context *ctx, const char *name, tms_molecule molecule)
{
    tms_seqdb *db = NULL;
    int is_one = tms_seqdb_open(ctx, name, molecule, &db) == TMS_OK;

    tms_seqdb_destroy(db);
    return is_one;
}

/* Whether the first byte that is not blank begins a FASTA header. */
static int is_fasta(const char *path)
{
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    int c;

    if (file == NULL)
        return 0;
    do {
        c = getc(file);
    } while (c == ' ' || c == '\t' || c == '\r' || c == '\n');
    fclose(file);
    return c == '>';
}

static void say_other(const char *command, const char *name, const char *molecule, const char *wanted, int is_search)
{
    if (is_search)
        cli_say(command, "%s is a %s database, and %s searches %s databases", name, molecule, command, wanted);
    else
        cli_say(command, "%s is a %s database", name, molecule);
}

void db_hint_say(const char *command, tms_context *ctx, const char *name, int molecule)
{
    const int is_search = strstr(command, "blast") != NULL;

    if (blast_called() != NULL)
        return;
    if (is_fasta(name))
        cli_say(command, "%s is FASTA: %smake a database from it: tamis makedb -in %s -dbtype %s -out NAME", name,
                is_search ? "search in it with -subject, or " : "", name, molecule == TMS_NUCLEOTIDE ? "nucl" : "prot");
    else if (molecule == TMS_PROTEIN && is_database(ctx, name, TMS_NUCLEOTIDE))
        say_other(command, name, "nucleotide", "protein", is_search);
    else if (molecule == TMS_NUCLEOTIDE && is_database(ctx, name, TMS_PROTEIN))
        say_other(command, name, "protein", "nucleotide", is_search);
}
