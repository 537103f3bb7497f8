/*
 * db_list.c - see db_list.h. Finds alias files and indexes by their names. Opens a database only if the format needs its contents, or to
 * see which databases an alias file lists.
 */
#include "cli/db/db_list.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"

typedef struct listed {
    char *path; /* the folder as given, and the path below it without the extension */
    tms_molecule molecule;
    int is_alias;
    int is_redundant;
} listed;

typedef struct list_job {
    const db_list_options *how;
    tms_context *ctx;
    listed *items;
    size_t n, capacity;
} list_job;

static int fail_memory(const list_job *job) { return cli_fail(job->how->command, CLI_NO_MEMORY, "out of memory for a list of databases"); }

/* ---- finding databases ------------------------------------------------------------------------------------------ */

/* Whether a file is an index or an alias file of a requested molecule. */
static int is_of_database(const list_job *job, const char *name, listed *out)
{
    const char *dot = strrchr(name, '.');

    if (dot == NULL || dot == name || strlen(dot) != 4 || (dot[1] != 'p' && dot[1] != 'n'))
        return 0;
    out->molecule = dot[1] == 'p' ? TMS_PROTEIN : TMS_NUCLEOTIDE;
    out->is_alias = strcmp(dot + 2, "al") == 0;
    if (!out->is_alias && strcmp(dot + 2, "in") != 0)
        return 0;
    return (job->how->molecule != TMS_PROTEIN && job->how->molecule != TMS_NUCLEOTIDE) || job->how->molecule == (int)out->molecule;
}

/* folder/name without its last n_cut bytes. NULL: no memory. */
static char *join(const char *folder, const char *name, size_t n_cut)
{
    size_t n_folder = strlen(folder), n_name = strlen(name) - n_cut;
    char *out = malloc(n_folder + n_name + 2);

    if (out != NULL)
        snprintf(out, n_folder + n_name + 2, "%s%s%.*s", folder, n_folder > 0 && folder[n_folder - 1] != '/' ? "/" : "", (int)n_name, name);
    return out;
}

static int add(list_job *job, const char *folder, const char *name, listed found)
{
    found.path = join(folder, name, 4);
    if (found.path == NULL || !array_reserve(&job->items, &job->capacity, job->n + 1, sizeof *job->items)) {
        free(found.path);
        return fail_memory(job);
    }
    job->items[job->n++] = found;
    return CLI_OK;
}

static int is_folder(const char *path)
{
    struct stat info;

    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int read_folder(list_job *job, const char *folder, int depth);

static int take(list_job *job, const char *folder, const char *name, int depth)
{
    enum { DEEPEST = 100 };
    listed found = {0};
    char *path;
    int code = CLI_OK;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return CLI_OK;
    path = join(folder, name, 0);
    if (path == NULL)
        return fail_memory(job);
    if (is_folder(path))
        code = job->how->recursive && depth < DEEPEST ? read_folder(job, path, depth + 1) : CLI_OK;
    else if (is_of_database(job, name, &found))
        code = add(job, folder, name, found);
    free(path);
    return code;
}

/* Like blastdbcmd, treats a folder that cannot be read as empty. */
static int read_folder(list_job *job, const char *folder, int depth)
{
    DIR *dir = opendir(folder[0] != '\0' ? folder : ".");
    int code = CLI_OK;

    if (dir == NULL) {
        if (depth == 0)
            cli_say(job->how->command, "%s: is not a readable folder", folder);
        return CLI_OK;
    }
    for (struct dirent *entry; code == CLI_OK && (entry = readdir(dir)) != NULL;)
        code = take(job, folder, entry->d_name, depth);
    closedir(dir);
    return code;
}

static int compare(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    int order = strcmp(x->path, y->path);

    if (order == 0)
        order = (x->molecule != TMS_PROTEIN) - (y->molecule != TMS_PROTEIN);
    return order != 0 ? order : y->is_alias - x->is_alias;
}

/* ---- alias files ------------------------------------------------------------------------------------------------ */

static tms_status open_listed(const list_job *job, const listed *item, tms_seqdb **out)
{
    size_t n = strlen(item->path) + 3;
    char *quoted = malloc(n);
    tms_status status = TMS_E_MEMORY;

    *out = NULL;
    if (quoted == NULL)
        return status;
    snprintf(quoted, n, "\"%s\"", item->path);
    status = tms_seqdb_open(job->ctx, quoted, item->molecule, out);
    free(quoted);
    return status;
}

/* Marks the databases that an alias file lists, by their absolute paths without extensions. */
static void mark_listed_by(const list_job *job, const tms_seqdb *alias, char *const *paths)
{
    const char *part;

    for (uint64_t k = 0; (part = tms_seqdb_part(alias, k)) != NULL; k++) {
        size_t n = strlen(part);
        if (n > 4 && (strcmp(part + n - 4, ".pal") == 0 || strcmp(part + n - 4, ".nal") == 0))
            n -= 4;
        for (size_t i = 0; i < job->n; i++) {
            if (paths[i] != NULL && strlen(paths[i]) == n && memcmp(paths[i], part, n) == 0)
                job->items[i].is_redundant = 1;
        }
    }
}

/* Marks the databases that alias files of the folder list. An alias file that does not open lists none. */
static int mark_redundant(list_job *job)
{
    char **paths = calloc(job->n + 1, sizeof *paths);
    int code = paths != NULL ? CLI_OK : fail_memory(job);

    for (size_t i = 0; i < job->n && code == CLI_OK; i++) {
        char *slash = strrchr(job->items[i].path, '/'), *folder;
        const char *in = slash == NULL ? "." : slash == job->items[i].path ? "/" : job->items[i].path;
        size_t n = slash == NULL || slash == in ? 1 : (size_t)(slash - in);
        char *copy = strndup(in, n);
        folder = copy != NULL ? realpath(copy, NULL) : NULL;
        if (folder != NULL)
            paths[i] = join(folder, slash != NULL ? slash + 1 : job->items[i].path, 0);
        code = copy == NULL || (folder != NULL && paths[i] == NULL) ? fail_memory(job) : CLI_OK;
        free(copy);
        free(folder);
    }
    for (size_t i = 0; i < job->n && code == CLI_OK; i++) {
        tms_seqdb *db;
        if (!job->items[i].is_alias || open_listed(job, &job->items[i], &db) != TMS_OK)
            continue;
        mark_listed_by(job, db, paths);
        tms_seqdb_destroy(db);
    }
    for (size_t i = 0; paths != NULL && i < job->n; i++)
        free(paths[i]);
    free(paths);
    return code;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

const char *db_list_check(const char *format, char specifier[3])
{
    int n = 0;

    memset(specifier, 0, 3);
    for (; *format != '\0'; format++) {
        if (*format != '%')
            continue;
        specifier[0] = '%';
        specifier[1] = *++format;
        if (*format == '\0')
            return "is not followed by a letter";
        if (strchr("fptdlnUv%", *format) == NULL)
            return "is not a specifier; the specifiers are %f %p %t %d %l %n %U %v and %%";
        n += *format != '%';
    }
    specifier[0] = '\0';
    return n > 0 ? NULL : "has no specifier: give one or more of %f %p %t %d %l %n %U %v";
}

/* The size of a volume, in bytes: the files that BLAST counts. */
static uint64_t volume_bytes(const char *path, tms_molecule molecule)
{
    static const char extensions[][3] = {"in", "hr", "sq", "db", "ot", "tf", "to", "os", "og", "sd", "si",
                                         "nd", "ni", "hd", "hi", "pd", "pi", "aa", "ab", "ac", "al"};
    uint64_t n = 0;
    struct stat info;

    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        char file[4200];
        if (snprintf(file, sizeof file, "%s.%c%s", path, molecule == TMS_PROTEIN ? 'p' : 'n', extensions[i]) < (int)sizeof file &&
            stat(file, &info) == 0)
            n += (uint64_t)info.st_size;
    }
    return n;
}

static uint64_t bytes_used(const tms_seqdb *db, const tms_seqdb_info *info)
{
    uint64_t n = 0;

    for (uint64_t v = 0; v < info->n_volumes; v++) {
        tms_seqdb_volume volume;
        tms_seqdb_get_volume(db, v, &volume);
        n += volume_bytes(volume.path, info->molecule);
    }
    return n;
}

static void put_specifier(const listed *item, const tms_seqdb *db, const tms_seqdb_info *info, char letter, FILE *to)
{
    switch (letter) {
    case 'f':
        fputs(item->path, to);
        break;
    case 'p':
        fputs(item->molecule == TMS_PROTEIN ? "Protein" : "Nucleotide", to);
        break;
    case 't':
        fputs(info->title, to);
        break;
    case 'd':
        fputs(info->date, to);
        break;
    case 'l':
        fprintf(to, "%" PRIu64, info->shown_n_residues);
        break;
    case 'n':
        fprintf(to, "%" PRIu64, info->shown_n_sequences);
        break;
    case 'U':
        fprintf(to, "%" PRIu64, bytes_used(db, info));
        break;
    case 'v':
        fprintf(to, "%" PRIu32, info->version);
        break;
    default:
        putc('%', to);
        break;
    }
}

static int needs_open(const char *format)
{
    for (; (format = strchr(format, '%')) != NULL; format += 2) {
        if (strchr("tdlnUv", format[1]) != NULL)
            return 1;
    }
    return 0;
}

static int put_line(const list_job *job, const listed *item, FILE *to)
{
    tms_seqdb_info info = {.title = "", .date = ""};
    tms_seqdb *db = NULL;
    tms_status status = needs_open(job->how->format) ? open_listed(job, item, &db) : TMS_OK;

    if (status != TMS_OK)
        return cli_fail_database(job->how->command, job->ctx, status);
    if (db != NULL)
        tms_seqdb_get_info(db, &info);
    for (const char *at = job->how->format; *at != '\0'; at++) {
        if (*at == '%')
            put_specifier(item, db, &info, *++at, to);
        else
            putc(*at, to);
    }
    putc('\n', to);
    tms_seqdb_destroy(db);
    return CLI_OK;
}

int db_list_put(const db_list_options *options, tms_context *ctx, FILE *to)
{
    list_job job = {.how = options, .ctx = ctx};
    char *folder = strdup(options->folder);
    int code = folder != NULL ? CLI_OK : fail_memory(&job);

    for (size_t n = folder != NULL ? strlen(folder) : 0; n > 1 && folder[n - 1] == '/'; n--)
        folder[n - 1] = '\0';
    if (code == CLI_OK)
        code = read_folder(&job, folder, 0);
    if (job.n > 0)
        qsort(job.items, job.n, sizeof *job.items, compare);
    if (code == CLI_OK && options->only_independent)
        code = mark_redundant(&job);
    for (size_t i = 0; i < job.n && code == CLI_OK; i++) {
        if (!job.items[i].is_redundant)
            code = put_line(&job, &job.items[i], to);
    }
    for (size_t i = 0; i < job.n; i++)
        free(job.items[i].path);
    free(job.items);
    free(folder);
    return code;
}
