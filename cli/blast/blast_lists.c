#include "cli/blast/blast_lists.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/blast/blast_codes.h"
#include "cli/text_file.h"

/* The list that is being read. */
typedef struct list_job {
    const char *command, *path; /* path: NULL if the text is the value of an option */
    const char *option;
    char *text; /* owns the characters of ids */
    size_t n_text;
    const char **ids;
    int64_t *numbers;
    size_t n, capacity;
} list_job;

/* First bytes of BLAST's binary lists of ids and of numbers. */
enum { BINARY_IDS = 0x00, BINARY_NUMBERS = 0xff };

static int fail_memory(const list_job *job)
{
    return cli_fail(job->command, BLAST_MEMORY, "out of memory for the list of %s", job->option);
}

static int read_text(list_job *job)
{
    int code = text_file_read(job->command, job->path, &job->text, &job->n_text);
    const unsigned char first = code == CLI_OK && job->n_text > 0 ? (unsigned char)job->text[0] : ' ';

    if (code != CLI_OK)
        return blast_code(code);
    if (first == BINARY_IDS || first == BINARY_NUMBERS)
        return cli_fail(job->command, BLAST_DATABASE,
                        "%s: is a binary list, as blastdb_aliastool makes it: give the text that it was made from", job->path);
    if (memchr(job->text, '\0', job->n_text) != NULL)
        return cli_fail(job->command, BLAST_DATABASE, "%s: has a NUL byte, so it is not a list", job->path);
    return CLI_OK;
}

/* --- ids --- */

static int add_id(list_job *job, const char *id)
{
    id += *id == '>';
    if (*id == '\0' || strncmp(id, "gi|", 3) == 0) /* BLAST+ leaves these out */
        return CLI_OK;
    if (!array_reserve(&job->ids, &job->capacity, job->n + 1, sizeof *job->ids))
        return fail_memory(job);
    job->ids[job->n++] = id;
    return CLI_OK;
}

/* Takes ids separated by blanks or line ends. */
static int take_ids(list_job *job)
{
    static const char blanks[] = " \t\r\n\v\f";
    char *rest = NULL;
    int code = CLI_OK;

    for (char *id = strtok_r(job->text, blanks, &rest); id != NULL && code == CLI_OK; id = strtok_r(NULL, blanks, &rest))
        code = add_id(job, id);
    if (code == CLI_OK && job->n == 0)
        return cli_fail(job->command, BLAST_DATABASE, "%s: has no id for %s, which takes accessions and local ids; -gilist takes gis",
                        job->path, job->option);
    return code;
}

/* --- numbers --- */

static int fail_number(const list_job *job, const char *text, size_t n, int code)
{
    if (job->path != NULL)
        return cli_fail(job->command, code, "%s: %s takes a list of numbers, not '%.*s'", job->path, job->option, (int)(n < 40 ? n : 40),
                        text);
    return cli_fail(job->command, code, "%s takes numbers separated by commas, not '%.*s'", job->option, (int)(n < 40 ? n : 40), text);
}

/* Takes numbers, or none, separated by bytes of `between`. signs: the bytes that a number may begin with. */
static int take_numbers(list_job *job, const char *between, const char *signs, int code)
{
    for (const char *at = job->text + strspn(job->text, between); *at != '\0'; at += strspn(at, between)) {
        const size_t n = strcspn(at, between);
        char *end;
        errno = 0;
        long long number = strtoll(at, &end, 10);
        if (end != at + n || errno != 0 || strchr(signs, at[0]) == NULL)
            return fail_number(job, at, n, code);
        if (!array_reserve(&job->numbers, &job->capacity, job->n + 1, sizeof *job->numbers))
            return fail_memory(job);
        job->numbers[job->n++] = number;
        at += n;
    }
    return CLI_OK;
}

/* --- selections --- */

/* Fails if the database has no ids. */
static int check_ids(const list_job *job, tms_context *ctx, const tms_seqdb *db, const char *db_name)
{
    tms_seqdb_names *names;
    tms_seqdb_info info;
    tms_status status = tms_seqdb_names_create(ctx, &names);
    size_t n = 0;
    int has_ids = 0;

    tms_seqdb_get_info(db, &info);
    if (status == TMS_OK && info.n_sequences > 0)
        status = tms_seqdb_names_read(db, 0, names, &n);
    for (size_t i = 0; i < n; i++)
        has_ids |= tms_seqdb_names_get(names, i)->has_id != 0;
    tms_seqdb_names_destroy(names);
    if (status == TMS_OK && !has_ids)
        return cli_fail(job->command, BLAST_DATABASE, "%s: has no ids, which %s needs: make the database with -parse_seqids", db_name,
                        job->option);
    return CLI_OK; /* damage is found when the database is read */
}

static int check_version(const list_job *job, const tms_seqdb *db, const char *db_name)
{
    tms_seqdb_info info;

    tms_seqdb_get_info(db, &info);
    if (info.version == 5)
        return CLI_OK;
    return cli_fail(job->command, BLAST_DATABASE,
                    "%s: is a database of version 4 without taxids, which %s needs: make it again with -blastdb_version 5", db_name,
                    job->option);
}

/* Fails if a list of taxids selects nothing, or leaves out nothing. */
static int check_taxids(const list_job *job, const tms_seqdb *db, const tms_seqdb *part, const char *db_name, int is_negative)
{
    tms_seqdb_info whole, selected;

    tms_seqdb_get_info(db, &whole);
    tms_seqdb_get_info(part, &selected);
    if (is_negative ? selected.n_sequences < whole.n_sequences : selected.n_sequences > 0)
        return CLI_OK;
    return cli_fail(
        job->command, BLAST_DATABASE,
        "%s: no sequence has a taxid of %s: give the taxids of species or below; the database does not have those of higher taxa", db_name,
        job->option);
}

static int select_listed(const list_job *job, tms_context *ctx, const tms_seqdb *db, const tms_seqdb_selection *selection, tms_seqdb **out)
{
    tms_status status = tms_seqdb_select(ctx, db, selection, out);

    return status == TMS_OK ? CLI_OK : blast_code(cli_fail_library(job->command, ctx, status));
}

/* Takes the numbers of a file, at least one. */
static int take_gis(list_job *job)
{
    int code = take_numbers(job, " \t\r\n", "0123456789", BLAST_DATABASE);

    if (code == CLI_OK && job->n == 0)
        return cli_fail(job->command, BLAST_DATABASE, "%s: has no numbers", job->path);
    return code;
}

/* Selects by the ids or gis that `take` finds in a file. */
static int select_ids(list_job *job, int (*take)(list_job *job), int is_negative, tms_context *ctx, const tms_seqdb *db,
                      const char *db_name, tms_seqdb **out)
{
    tms_seqdb_selection selection = {.is_negative = (uint64_t)is_negative};
    int code = read_text(job);

    if (code == CLI_OK)
        code = take(job);
    if (code == CLI_OK)
        code = check_ids(job, ctx, db, db_name);
    if (code != CLI_OK)
        return code;
    if (job->numbers != NULL) {
        selection.gis = job->numbers;
        selection.n_gis = job->n;
    } else {
        selection.ids = job->ids;
        selection.n_ids = job->n;
    }
    return select_listed(job, ctx, db, &selection, out);
}

static int select_taxids(list_job *job, const char *text, int is_negative, tms_context *ctx, const tms_seqdb *db, const char *db_name,
                         tms_seqdb **out)
{
    tms_seqdb_selection selection = {.is_negative = (uint64_t)is_negative};
    int code = CLI_OK;

    if (job->path != NULL)
        code = read_text(job);
    else if ((job->text = strdup(text)) == NULL)
        code = fail_memory(job);
    if (code == CLI_OK)
        code = take_numbers(job, job->path != NULL ? "\r\n" : ", ", "+-0123456789", BLAST_INPUT);
    if (code == CLI_OK && job->n == 0) /* the whole database, as in BLAST+ */
        return CLI_OK;
    if (code == CLI_OK)
        code = check_version(job, db, db_name);
    if (code != CLI_OK)
        return code;
    selection.taxids = job->numbers;
    selection.n_taxids = job->n;
    code = select_listed(job, ctx, db, &selection, out);
    return code == CLI_OK ? check_taxids(job, db, *out, db_name, is_negative) : code;
}

const char *blast_lists_path(const blast_lists *lists)
{
    const char *const paths[] = {lists->seqidlist,       lists->negative_seqidlist, lists->gilist,
                                 lists->negative_gilist, lists->taxidlist,          lists->negative_taxidlist};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (paths[i] != NULL)
            return paths[i];
    }
    return NULL;
}

bool blast_lists_is_positive(const blast_lists *lists)
{
    return lists->seqidlist != NULL || lists->gilist != NULL || lists->taxids != NULL || lists->taxidlist != NULL;
}

int blast_lists_select(const char *command, const blast_lists *lists, tms_context *ctx, const tms_seqdb *db, const char *db_name,
                       tms_seqdb **out)
{
    const char *const taxids = lists->taxids != NULL ? lists->taxids : lists->negative_taxids;
    const int is_negative = lists->negative_seqidlist != NULL || lists->negative_gilist != NULL || lists->negative_taxidlist != NULL ||
                            lists->negative_taxids != NULL;
    list_job job = {.command = command, .path = blast_lists_path(lists)};
    int code = CLI_OK;

    *out = NULL;
    if (lists->seqidlist != NULL || lists->negative_seqidlist != NULL) {
        job.option = is_negative ? "-negative_seqidlist" : "-seqidlist";
        code = select_ids(&job, take_ids, is_negative, ctx, db, db_name, out);
    } else if (lists->gilist != NULL || lists->negative_gilist != NULL) {
        job.option = is_negative ? "-negative_gilist" : "-gilist";
        code = select_ids(&job, take_gis, is_negative, ctx, db, db_name, out);
    } else if (taxids != NULL || job.path != NULL) {
        job.option = taxids != NULL ? (is_negative ? "-negative_taxids" : "-taxids") : is_negative ? "-negative_taxidlist" : "-taxidlist";
        code = select_taxids(&job, taxids, is_negative, ctx, db, db_name, out);
    }
    free(job.text);
    free(job.ids);
    free(job.numbers);
    return code;
}
