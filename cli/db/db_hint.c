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

void db_hint_say(const char *command, tms_context *ctx, const char *name, int molecule)
{
    const int is_search = strncmp(command, "blast", 5) == 0;

    if (blast_called() != NULL)
        return;
    if (is_fasta(name))
        cli_say(command, "%s is FASTA: %smake a database from it: tamis makedb -in %s -dbtype %s -out NAME", name,
                is_search ? "search in it with -subject, or " : "", name, molecule == TMS_NUCLEOTIDE ? "nucl" : "prot");
    else if (molecule == TMS_PROTEIN && is_database(ctx, name, TMS_NUCLEOTIDE))
        cli_say(command, "%s is a nucleotide database%s", name, is_search ? ", and blastp searches protein databases" : "");
    else if (molecule == TMS_NUCLEOTIDE && is_database(ctx, name, TMS_PROTEIN))
        cli_say(command, "%s is a protein database%s", name, is_search ? ", and blastn searches nucleotide databases" : "");
}
