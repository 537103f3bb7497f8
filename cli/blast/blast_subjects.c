/* blast_subjects.c - see blast_subjects.h. */
#include "cli/blast/blast_subjects.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_messages.h"
#include "cli/db/db_hint.h"
#include "cli/molecule_warning.h"
#include "report/report_format.h"

/* Does not open a pipe: its writer would find it closed again. */
static int open_to_look(const char *path)
{
    struct stat info;

    if (strcmp(path, "-") == 0)
        return STDIN_FILENO;
    return stat(path, &info) == 0 && (S_ISREG(info.st_mode) || S_ISCHR(info.st_mode)) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
}

static bool is_directory(const char *path)
{
    struct stat info;

    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool blast_file_is_empty(const char *path)
{
    const int fd = open_to_look(path);
    off_t at = fd >= 0 ? lseek(fd, 0, SEEK_CUR) : -1; /* -1: a pipe, whose bytes can be read only once */
    ssize_t n = at >= 0 ? 1 : -1;
    char c = ' ';

    while (n == 1 && (c == ' ' || c == '\t' || c == '\r' || c == '\n'))
        n = pread(fd, &c, 1, at++);
    if (fd > STDIN_FILENO)
        close(fd);
    return n == 0 || is_directory(path); /* BLAST+ reads a directory as an empty file */
}

static void warn_of_empty(blast_job *job, const tms_seqs *seqs)
{
    enum { MOST = 180 };

    for (size_t i = 0; i < seqs->n_records; i++) {
        uint64_t n = tms_seqs_header_size(seqs, i);
        char text[256];
        if (tms_seqs_length(seqs, i) > 0)
            continue;
        snprintf(text, sizeof text, "Subject_%zu %.*s: Subject sequence contains no data", i + 1, (int)(n < MOST ? n : MOST),
                 seqs->headers + seqs->header_starts[i]);
        blast_warn(job, text);
    }
}

/* With -subject_loc: keeps the lengths of the whole subjects. */
static int keep_lengths(blast_job *job, const seqio_blast_records *records, size_t n)
{
    if (job->plan.subject_part.end == 0)
        return CLI_OK;
    job->run.subject_lengths = calloc(n + 1, sizeof *job->run.subject_lengths);
    if (job->run.subject_lengths == NULL)
        return cli_fail(job->common.command, BLAST_MEMORY, "out of memory for the lengths of %zu sequences", n);
    for (size_t i = 0; i < n; i++)
        job->run.subject_lengths[i] = seqio_blast_records_wholes(records)[i].n_residues;
    return CLI_OK;
}

/* With -lcase_masking, lower-case residues of subjects give no word hits either. */
static tms_status mask_subjects(blast_job *job, const tms_seqs *seqs)
{
    tms_masks *found;
    tms_mask_list list;
    tms_status status = tms_masks_create(job->run.ctx, &found);

    if (status != TMS_OK)
        return status;
    status = tms_mask_lower_case(job->run.ctx, seqs, found);
    list = tms_masks_list(found);
    if (status == TMS_OK && list.starts[list.n_records] > 0)
        status = tms_seqdb_masks_of_list(job->run.ctx, &list, &job->run.masks);
    tms_masks_destroy(found);
    return status;
}

/* Makes a database in memory from the records. */
static int take_subjects(blast_job *job, seqio_blast_records *records)
{
    tms_seqs seqs;
    io_error err;
    io_status status = seqio_blast_records_next(records, &seqs, &err);
    tms_status made;

    if (status == IO_END)
        return cli_fail(job->common.command, BLAST_ENGINE, "%s: has no sequences", job->options.subject);
    if (status != IO_OK)
        return blast_fail_io(job, status, &err);
    made = tms_seqdb_from_seqs(job->run.ctx, &seqs, job->molecule, job->options.subject, &job->run.db);
    if (made == TMS_OK && job->options.lcase_masking)
        made = mask_subjects(job, &seqs);
    if (made != TMS_OK)
        return blast_fail_library(job, made);
    warn_of_empty(job, &seqs);
    if (job->subject_advice != NULL)
        molecule_warn(&job->common, job->options.subject, &seqs, job->molecule, job->subject_advice);
    if (keep_lengths(job, records, seqs.n_records) != CLI_OK)
        return BLAST_MEMORY;
    status = seqio_blast_records_next(records, &seqs, &err); /* there may be an error after the last record */
    return status == IO_END ? CLI_OK : blast_fail_io(job, status, &err);
}

static int read_subjects(blast_job *job)
{
    const seqio_blast_records_options how = {
        .paths = &job->options.subject,
        .n_paths = 1,
        .molecule = job->molecule,
        .batch_bytes = SIZE_MAX,
        .is_search = 1,
        .part = job->plan.subject_part,
        .may_be_empty = 1,                               /* a file with comments only; take_subjects() reports a file without records */
        .may_lack_header = !job->options.parse_deflines, /* as BLAST+ reads it */
        .refuses_short = 1,
        .warn = blast_warn_of_residues,
        .warn_arg = job};
    seqio_blast_records *records;
    io_error err;
    io_status status = seqio_blast_records_open(&how, &records, &err);
    int code;

    if (status != IO_OK)
        return blast_fail_io(job, status, &err);
    code = take_subjects(job, records);
    seqio_blast_records_close(records);
    return code;
}

/*
 * Reads the id as BLAST+ does: an unknown number is an error; any other text is a name, and if the database does not have this name, the
 * search continues without masks.
 */
int blast_open_masks(blast_job *job)
{
    const char *const id = job->options.db_soft_mask != NULL ? job->options.db_soft_mask : job->options.db_hard_mask;
    tms_seqdb_mask_choice choice = {.name = id};
    tms_status status;
    char *end;

    if (id == NULL)
        return CLI_OK;
    errno = 0;
    if (id[0] != '\0' && strspn(id + (id[0] == '+'), "0123456789") == strlen(id) - (id[0] == '+')) {
        choice.number = strtoull(id, &end, 10);
        choice.name = errno == 0 && end != id && choice.number <= INT32_MAX ? NULL : id;
    }
    status = tms_seqdb_masks_open(job->run.ctx, job->run.db, &choice, &job->run.masks);
    if (status == TMS_E_ARG && choice.name != NULL) {
        char text[512];
        snprintf(text, sizeof text, "Subject mask not found in %s, proceeding without subject masking.", job->options.db_name);
        blast_warn(job, text);
        return CLI_OK;
    }
    if (status == TMS_E_ARG)
        return cli_fail(job->common.command, BLAST_INPUT, "masking algorithm %s is not in the database '%s': %s", id, job->options.db_name,
                        tms_context_message(job->run.ctx));
    return status == TMS_OK ? CLI_OK : blast_fail_library(job, status);
}

/* Selects the part of the database that the lists name. */
static int select_subjects(blast_job *job)
{
    tms_seqdb *part;
    int code = blast_lists_select(job->common.command, &job->options.lists, job->run.ctx, job->run.db, job->options.db_name, &part);

    if (part != NULL) {
        tms_seqdb_info info;
        tms_seqdb_get_info(part, &info);
        job->run.is_empty = info.n_sequences == 0;
        job->run.whole = job->run.db;
        job->run.db = part;
    }
    return code;
}

int blast_open_subjects(blast_job *job)
{
    tms_status status;
    int code;

    if (job->options.subject != NULL && blast_file_is_empty(job->options.subject))
        return cli_fail(job->common.command, BLAST_ENGINE, "%s: has no sequences", job->options.subject);
    if (job->options.subject != NULL)
        return read_subjects(job);
    status = tms_seqdb_open(job->run.ctx, job->options.db_name, job->molecule, &job->run.db);
    if (status == TMS_OK)
        return select_subjects(job);
    code = blast_code(cli_fail_database(job->common.command, job->run.ctx, status)) == BLAST_MEMORY ? BLAST_MEMORY : BLAST_DATABASE;
    if (status == TMS_E_ARG)
        db_hint_say(job->common.command, job->run.ctx, job->options.db_name, job->molecule);
    return code;
}

/* As in BLAST+, damaged files give only a warning. */
int blast_open_taxonomy(blast_job *job)
{
    static const char missing[] = "Taxonomy name lookup from taxid requires installation of taxdb database with "
                                  "ftp://ftp.ncbi.nlm.nih.gov/blast/db/taxdb.tar.gz";
    bool is_plural;
    tms_status status;

    if (!report_format_names_taxa(&job->plan.format, &is_plural))
        return CLI_OK;
    status = tms_taxonomy_open(job->run.ctx, &job->run.taxonomy);
    if (status == TMS_E_FORMAT)
        blast_warn(job, tms_context_message(job->run.ctx));
    else if (status == TMS_OK && job->run.taxonomy == NULL && is_plural)
        blast_warn(job, missing);
    return status == TMS_OK || status == TMS_E_FORMAT ? CLI_OK : blast_fail_library(job, status);
}

void blast_close_subjects(blast_job *job)
{
    tms_seqdb_masks_destroy(job->run.masks);
    tms_taxonomy_destroy(job->run.taxonomy);
    tms_seqdb_destroy(job->run.db);
    tms_seqdb_destroy(job->run.whole);
    free(job->run.subject_lengths);
}
