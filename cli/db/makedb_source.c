/* makedb_source.c - see makedb_source.h. */
#include "cli/db/makedb_source.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/blast_names.h"
#include "io/io_map.h"

static const char *path_at(const void *arg, const void *address) { return tms_seqdb_path_at(arg, address); }

int makedb_source_open(makedb_source *s, const cli_common *common, const char *names, tms_molecule molecule, const char **why)
{
    int code = cli_context_create(common, &s->ctx);

    *why = NULL;
    if (code != CLI_OK)
        return code;
    if (tms_seqdb_open(s->ctx, names, molecule, &s->db) != TMS_OK) {
        *why = tms_context_message(s->ctx);
        return BLAST_DATABASE;
    }
    io_map_guard("makedb", BLAST_DATABASE);
    io_map_watch(path_at, s->db);
    return CLI_OK;
}

int makedb_source_has(const makedb_source *s, const char *name, tms_molecule molecule)
{
    char quoted[PATH_MAX + 3];
    tms_seqdb *db = NULL;
    int is_there;

    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    is_there = tms_seqdb_open(s->ctx, quoted, molecule, &db) == TMS_OK;
    tms_seqdb_destroy(db);
    return is_there;
}

/* Whether two paths name one existing file. */
static int is_same(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The number at the end of a volume's path: ".01" of "db.01"; "" if there is none. */
static const char *volume_number(const char *path)
{
    const char *dot = strrchr(path, '.'), *end = path + strlen(path);

    return dot != NULL && strspn(dot + 1, "0123456789") == (size_t)(end - dot - 1) ? dot : end;
}

/* Whether base is the alias of a database of the source. */
static int is_alias_of(const makedb_source *s, const char *base, char letter)
{
    const char *path, *date;

    for (uint64_t k = 0; (path = tms_seqdb_base(s->db, k, &date)) != NULL; k++) {
        char own[PATH_MAX + 8], other[PATH_MAX + 8];
        snprintf(own, sizeof own, "%s.%cal", path, letter);
        snprintf(other, sizeof other, "%s.%cal", base, letter);
        if (is_same(own, other))
            return 1;
    }
    return 0;
}

int makedb_source_is(const makedb_source *s, const char *base, tms_molecule molecule)
{
    const char letter = molecule == TMS_PROTEIN ? 'p' : 'n';
    const char *part;

    for (uint64_t k = 0; (part = tms_seqdb_part(s->db, k)) != NULL; k++) {
        char own[PATH_MAX + 8], other[2 * PATH_MAX], volume[2 * PATH_MAX];
        snprintf(own, sizeof own, "%s.%cin", part, letter);
        snprintf(other, sizeof other, "%s.%cin", base, letter);
        snprintf(volume, sizeof volume, "%s%s.%cin", base, volume_number(part), letter);
        if (is_same(own, other) || is_same(own, volume))
            return 1;
    }
    return is_alias_of(s, base, letter);
}

int makedb_source_is_file(const char *name, const char *path, tms_molecule molecule)
{
    static const char *const extensions[] = {"in", "hr", "sq", "al"};
    char own[PATH_MAX + 8];

    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        snprintf(own, sizeof own, "%s.%c%s", name, molecule == TMS_PROTEIN ? 'p' : 'n', extensions[i]);
        if (is_same(own, path))
            return 1;
    }
    return 0;
}

void makedb_source_close(makedb_source *s)
{
    io_map_watch(NULL, NULL);
    tms_seqdb_destroy(s->db);
    tms_context_destroy(s->ctx);
    *s = (makedb_source){NULL, NULL};
}
