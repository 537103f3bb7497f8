/* search_subjects.c - see search_subjects.h. */
#include "cli/blast/blastp_subjects.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/blast/blastp_codes.h"
#include "cli/db/db_hint.h"
#include "cli/molecule_warning.h"
#include "report/report_format.h"

static const char command[] = "blastp";

/* A pipe is not opened: whoever writes to it would find it closed again. */
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

bool blastp_file_is_empty(const char *path)
{
    const int fd = open_to_look(path);
    off_t at = fd >= 0 ? lseek(fd, 0, SEEK_CUR) : -1; /* of a pipe -1: what is read of it is gone */
    ssize_t n = at >= 0 ? 1 : -1;
    char c = ' ';

    while (n == 1 && (c == ' ' || c == '\t' || c == '\r' || c == '\n'))
        n = pread(fd, &c, 1, at++);
    if (fd > STDIN_FILENO)
        close(fd);
    return n == 0 || is_directory(path); /* blastp reads nothing of a directory */
}

static void warn_of_empty(blastp_job *job, const tms_seqs *seqs)
{
    enum { MOST = 180 };

    for (size_t i = 0; i < seqs->n_records; i++) {
        uint64_t n = tms_seqs_header_size(seqs, i);
        char text[256];
        if (tms_seqs_length(seqs, i) > 0)
            continue;
        snprintf(text, sizeof text, "Subject_%zu %.*s: Subject sequence contains no data", i + 1, (int)(n < MOST ? n : MOST),
                 seqs->headers + seqs->header_starts[i]);
        blastp_warn(job, text);
    }
}

/* With -subject_loc: how long the records were. */
static int keep_lengths(blastp_job *job, const seqio_blast_records *records, size_t n)
{
    if (job->subject_part.end == 0)
        return CLI_OK;
    job->subject_lengths = calloc(n + 1, sizeof *job->subject_lengths);
    if (job->subject_lengths == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory: the lengths of %zu sequences", n);
    for (size_t i = 0; i < n; i++)
        job->subject_lengths[i] = seqio_blast_records_wholes(records)[i].n_residues;
    return CLI_OK;
}

/* -lcase_masking is for subjects too: words are not taken from residues in lower case. */
static tms_status mask_subjects(blastp_job *job, const tms_seqs *seqs)
{
    tms_masks *found;
    tms_mask_list list;
    tms_status status = tms_masks_create(job->ctx, &found);

    if (status != TMS_OK)
        return status;
    status = tms_mask_lower_case(job->ctx, seqs, found);
    list = tms_masks_list(found);
    if (status == TMS_OK && list.starts[list.n_records] > 0)
        status = tms_seqdb_masks_of_list(job->ctx, &list, &job->masks);
    tms_masks_destroy(found);
    job->params.subject_masks = job->masks;
    return status;
}

/* All records become a database in memory. */
static int take_subjects(blastp_job *job, seqio_blast_records *records)
{
    tms_seqs seqs;
    io_error err;
    io_status status = seqio_blast_records_next(records, &seqs, &err);
    tms_status made;

    if (status == IO_END)
        return cli_fail(command, BLAST_ENGINE, "%s: has no sequences", job->subject);
    if (status != IO_OK)
        return blastp_fail_io(job, status, &err);
    made = tms_seqdb_from_seqs(job->ctx, &seqs, TMS_PROTEIN, job->subject, &job->db);
    if (made == TMS_OK && job->lcase_masking)
        made = mask_subjects(job, &seqs);
    if (made != TMS_OK)
        return blastp_fail_library(job, made);
    warn_of_empty(job, &seqs);
    molecule_warn(&job->common, job->subject, &seqs, BLASTP_DNA_ADVICE);
    if (keep_lengths(job, records, seqs.n_records) != CLI_OK)
        return BLAST_MEMORY;
    status = seqio_blast_records_next(records, &seqs, &err); /* what could not be read after them */
    return status == IO_END ? CLI_OK : blastp_fail_io(job, status, &err);
}

static int read_subjects(blastp_job *job)
{
    const seqio_blast_records_options how = {.paths = &job->subject,
                                             .n_paths = 1,
                                             .molecule = TMS_PROTEIN,
                                             .batch_bytes = SIZE_MAX,
                                             .is_search = 1,
                                             .part = job->subject_part,
                                             .may_be_empty = 1,                       /* comments alone; no record is found out below */
                                             .may_lack_header = !job->parse_deflines, /* as blastp takes it */
                                             .refuses_short = 1,
                                             .warn = blastp_warn_of_residues,
                                             .warn_arg = job};
    seqio_blast_records *records;
    io_error err;
    io_status status = seqio_blast_records_open(&how, &records, &err);
    int code;

    if (status != IO_OK)
        return blastp_fail_io(job, status, &err);
    code = take_subjects(job, records);
    seqio_blast_records_close(records);
    return code;
}

/*
 * As blastp reads the id: a number that the database does not have is an error; another text is a name, and without such a name it goes on
 * without masks.
 */
int blastp_open_masks(blastp_job *job)
{
    const char *const id = job->db_soft_mask != NULL ? job->db_soft_mask : job->db_hard_mask;
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
    status = tms_seqdb_masks_open(job->ctx, job->db, &choice, &job->masks);
    if (status == TMS_E_ARG && choice.name != NULL) {
        char text[512];
        snprintf(text, sizeof text, "Subject mask not found in %s, proceeding without subject masking.", job->db_name);
        blastp_warn(job, text);
        return CLI_OK;
    }
    if (status == TMS_E_ARG)
        return cli_fail(command, BLAST_INPUT, "masking algorithm %s is not in the database '%s': %s", id, job->db_name,
                        tms_context_message(job->ctx));
    job->params.subject_masks = job->masks;
    job->params.subject_masking = job->db_hard_mask != NULL ? TMS_SUBJECT_MASKING_HARD : TMS_SUBJECT_MASKING_SOFT;
    return status == TMS_OK ? CLI_OK : blastp_fail_library(job, status);
}

/* What the lists leave of the database. */
static int select_subjects(blastp_job *job)
{
    tms_seqdb *part;
    int code = blastp_lists_select(command, &job->lists, job->ctx, job->db, job->db_name, &part);

    if (part != NULL) {
        tms_seqdb_info info;
        tms_seqdb_get_info(part, &info);
        job->is_empty = info.n_sequences == 0;
        job->whole = job->db;
        job->db = part;
    }
    return code;
}

int blastp_open_subjects(blastp_job *job)
{
    tms_status status;
    int code;

    if (job->subject != NULL && blastp_file_is_empty(job->subject))
        return cli_fail(command, BLAST_ENGINE, "%s: has no sequences", job->subject);
    if (job->subject != NULL)
        return read_subjects(job);
    status = tms_seqdb_open(job->ctx, job->db_name, TMS_PROTEIN, &job->db);
    if (status == TMS_OK)
        return select_subjects(job);
    code = blast_code(cli_fail_database(command, job->ctx, status)) == BLAST_MEMORY ? BLAST_MEMORY : BLAST_DATABASE;
    if (status == TMS_E_ARG)
        db_hint_say(command, job->ctx, job->db_name, TMS_PROTEIN);
    return code;
}

/* As blastp: what is wrong with the files is no more than a warning. */
int blastp_open_taxonomy(blastp_job *job)
{
    static const char missing[] = "Taxonomy name lookup from taxid requires installation of taxdb database with "
                                  "ftp://ftp.ncbi.nlm.nih.gov/blast/db/taxdb.tar.gz";
    bool is_plural;
    tms_status status;

    if (!report_format_names_taxa(&job->format, &is_plural))
        return CLI_OK;
    status = tms_taxonomy_open(job->ctx, &job->taxonomy);
    if (status == TMS_E_FORMAT)
        blastp_warn(job, tms_context_message(job->ctx));
    else if (status == TMS_OK && job->taxonomy == NULL && is_plural)
        blastp_warn(job, missing);
    return status == TMS_OK || status == TMS_E_FORMAT ? CLI_OK : blastp_fail_library(job, status);
}
