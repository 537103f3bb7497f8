#include "makedb/db_old.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seqdb/seqdb_alias.h"

enum { MAX_ALIAS = 1 << 20 };

typedef struct old_database {
    char directory[PATH_MAX]; /* with its slash, or "" */
    const char *name;         /* the last component of the base path */
    char letter;              /* 'p' or 'n' */
    int version;              /* version of the new database */
    char *alias;              /* text of the alias file; NULL if there is none */
    struct text volumes;      /* list of volumes in the alias file */
} old_database;

/* Readers open the index and the alias first. */
static int is_entry(const char *extension) { return strcmp(extension, "in") == 0 || strcmp(extension, "al") == 0; }

/* Masks are columns: any letter, then a (index), b or c (the same data in two byte orders). */
static int is_mask(const char *extension)
{
    return strlen(extension) == 2 && islower((unsigned char)extension[0]) && extension[1] >= 'a' && extension[1] <= 'c';
}

/* Returns 1 for an extension of a database file, given without the molecule's letter. */
static int is_known(const char *extension)
{
    static const char known[][3] = {"in", "hr", "sq", "al", "nd", "ni", "sd", "si", "pd", "pi",
                                    "hd", "hi", "og", "os", "ot", "to", "tf", "db", "td", "ti"};

    if (strcmp(extension, "sum") == 0)
        return 1;
    if (strlen(extension) != 2)
        return 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(extension, known[i]) == 0)
            return 1;
    }
    return is_mask(extension);
}

/* Returns 1 if the alias lists this volume, "base.00". */
static int is_listed(const old_database *old, const char *volume, size_t n)
{
    struct text list = old->volumes, name;

    while (seqdb_names_next(&list, &name)) {
        if (name.n == n && memcmp(name.bytes, volume, n) == 0)
            return 1;
    }
    return 0;
}

/* The extension, without the molecule's letter, of a file of the database; NULL for any other file. */
static const char *extension_of(const old_database *old, const char *file)
{
    size_t n = strlen(old->name), n_digits;
    const char *at = file + n;

    if (strncmp(file, old->name, n) != 0 || *at++ != '.')
        return NULL;
    n_digits = strspn(at, "0123456789");
    if (n_digits >= 2 && at[n_digits] == '.') {
        if (!is_listed(old, file, n + 1 + n_digits))
            return NULL;
        at += n_digits + 1;
    }
    return at[0] == old->letter && is_known(at + 1) ? at + 1 : NULL;
}

static io_status read_alias(old_database *old, const char *base, io_error *err)
{
    char path[PATH_MAX];
    struct seqdb_alias alias;
    FILE *in;

    snprintf(path, sizeof path, "%s.%cal", base, old->letter);
    in = fopen(path, "r");
    if (in == NULL)
        return IO_OK;
    old->alias = malloc(MAX_ALIAS);
    if (old->alias != NULL) {
        seqdb_alias_parse(old->alias, fread(old->alias, 1, MAX_ALIAS, in), &alias);
        old->volumes = alias.dblist;
    }
    fclose(in);
    return old->alias != NULL ? IO_OK : io_fail_memory(err, "an alias file");
}

/* Returns 1 for an LMDB file or an empty one. Any other file called base.pdb is probably a protein's structure. */
static int is_lmdb(const char *path)
{
    static const uint8_t magic[] = {0xde, 0xc0, 0xef, 0xbe}; /* behind the header of the first page */
    enum { AT = 16, N = AT + sizeof magic };
    uint8_t head[N];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd >= 0 ? pread(fd, head, N, 0) : -1;

    if (fd >= 0)
        close(fd);
    return n == 0 || (n == N && memcmp(head + AT, magic, sizeof magic) == 0);
}

/* Returns 1 if the column has both index and data. A single file "key.pub" is no part of a database. */
static int is_whole_mask(const char *path)
{
    char other[PATH_MAX + NAME_MAX];
    size_t last = strlen(path) - 1;
    int n = 0;

    snprintf(other, sizeof other, "%s", path);
    for (other[last] = 'a'; other[last] <= 'c'; other[last]++)
        n += access(other, F_OK) == 0;
    return n >= 2;
}

static io_status retire_file(io_file_set *set, const old_database *old, const char *file, int *exists, io_error *err)
{
    const char *extension = extension_of(old, file);
    char path[PATH_MAX + NAME_MAX];

    if (extension == NULL)
        return IO_OK;
    if (is_entry(extension))
        *exists = 1;
    snprintf(path, sizeof path, "%s%s", old->directory, file);
    if (strcmp(extension, "db") != 0 && is_mask(extension) && !is_whole_mask(path))
        return IO_OK;
    if (strcmp(extension, "db") == 0 && !is_lmdb(path))
        return old->version < 5
                   ? IO_OK
                   : io_fail(err, IO_E_REFUSED, 0,
                             "%s: is not a file of a BLAST database: give the database another name, or use -blastdb_version 4", path);
    return io_file_set_retire(set, path, is_entry(extension), err);
}

static io_status retire_all(io_file_set *set, const old_database *old, int *exists, io_error *err)
{
    DIR *dir = opendir(old->directory[0] != '\0' ? old->directory : ".");
    const struct dirent *entry;
    io_status status = IO_OK;

    if (dir == NULL)
        return io_fail(err, IO_E_OUTPUT, errno, "%s: cannot be read: %s", old->directory, strerror(errno));
    while (status == IO_OK && (entry = readdir(dir)) != NULL)
        status = retire_file(set, old, entry->d_name, exists, err);
    closedir(dir);
    return status;
}

io_status db_retire_old(io_file_set *set, const char *base, tms_molecule molecule, int version, int *exists, io_error *err)
{
    old_database old = {.letter = molecule == TMS_PROTEIN ? 'p' : 'n', .version = version};
    const char *slash = strrchr(base, '/');
    int n = snprintf(old.directory, sizeof old.directory, "%.*s", slash != NULL ? (int)(slash - base) + 1 : 0, base);
    io_status status;

    *exists = 0;
    if (n < 0 || (size_t)n >= sizeof old.directory || strlen(base) + 8 > PATH_MAX)
        return io_fail(err, IO_E_OUTPUT, ENAMETOOLONG, "%.100s...: %s", base, strerror(ENAMETOOLONG));
    old.name = slash != NULL ? slash + 1 : base;
    status = read_alias(&old, base, err);
    if (status == IO_OK)
        status = retire_all(set, &old, exists, err);
    free(old.alias);
    return status;
}
