/*
 * cmd_blastp.c - blastp of NCBI BLAST+ 2.12: its output, its exit codes. blastp_options.c has its options.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "blastp_codes.h"
#include "blastp_gpus.h"
#include "blastp_job.h"
#include "blastp_stats.h"

static const char command[] = "blastp";

enum {
    QUERY_LETTERS = 40000,     /* of a call */
    GPU_QUERY_LETTERS = 320000 /* so that its stages overlap those of the CPU */
};

/* --- messages --- */

static int fail_io(blastp_job *job, io_status status, const io_error *err)
{
    io_progress_end(&job->progress);
    return blast_code(cli_fail_io(command, status, err));
}

/* Damage is a database's. */
static int fail_library(blastp_job *job, tms_status status)
{
    int code;

    io_progress_end(&job->progress);
    code = blast_code(cli_fail_library(command, job->ctx, status));
    return status == TMS_E_FORMAT ? BLAST_DATABASE : code;
}

/* Of letters that are left out: from the reader's thread, so in one call. */
static void warn_of_letters(void *arg, const char *text)
{
    const blastp_job *job = arg;

    if (!job->common.quiet)
        fprintf(stderr, "%s\n", text);
}

/* --- inputs and outputs --- */

/* A file without a byte, but for blanks: blastp warns of queries in it, writes nothing, and ends well. */
static bool is_empty(const char *path)
{
    struct stat info;
    FILE *file;
    int c;

    if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode) || (file = fopen(path, "rb")) == NULL)
        return false;
    do {
        c = getc(file);
    } while (c == ' ' || c == '\t' || c == '\r' || c == '\n');
    c = c == EOF && !ferror(file);
    fclose(file);
    return c;
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
static int keep_lengths(blastp_job *job, const io_blast_records *records, size_t n)
{
    if (job->subject_part.end == 0)
        return CLI_OK;
    job->subject_lengths = calloc(n + 1, sizeof *job->subject_lengths);
    if (job->subject_lengths == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory: the lengths of %zu sequences", n);
    for (size_t i = 0; i < n; i++)
        job->subject_lengths[i] = io_blast_records_wholes(records)[i].n_letters;
    return CLI_OK;
}

/* -lcase_masking is for subjects too: words are not taken from letters in lower case. */
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
static int take_subjects(blastp_job *job, io_blast_records *records)
{
    tms_seqs seqs;
    io_error err;
    io_status status = io_blast_records_next(records, &seqs, &err);
    tms_status made;

    if (status == IO_END)
        return cli_fail(command, BLAST_ENGINE, "%s: has no sequences", job->subject);
    if (status != IO_OK)
        return fail_io(job, status, &err);
    made = tms_seqdb_from_seqs(job->ctx, &seqs, TMS_PROTEIN, job->subject, &job->db);
    if (made == TMS_OK && job->lcase_masking)
        made = mask_subjects(job, &seqs);
    if (made != TMS_OK)
        return fail_library(job, made);
    warn_of_empty(job, &seqs);
    if (keep_lengths(job, records, seqs.n_records) != CLI_OK)
        return BLAST_MEMORY;
    status = io_blast_records_next(records, &seqs, &err); /* what could not be read after them */
    return status == IO_END ? CLI_OK : fail_io(job, status, &err);
}

static int read_subjects(blastp_job *job)
{
    const io_blast_records_options how = {.paths = &job->subject,
                                          .n_paths = 1,
                                          .molecule = TMS_PROTEIN,
                                          .batch_bytes = SIZE_MAX,
                                          .is_search = 1,
                                          .part = job->subject_part,
                                          .may_lack_header = !job->parse_deflines, /* as blastp takes it */
                                          .refuses_short = 1,
                                          .warn = warn_of_letters,
                                          .warn_arg = job};
    io_blast_records *records;
    io_error err;
    io_status status = io_blast_records_open(&how, &records, &err);
    int code;

    if (status != IO_OK)
        return fail_io(job, status, &err);
    code = take_subjects(job, records);
    io_blast_records_close(records);
    return code;
}

/*
 * As blastp reads the id: a number that the database does not have is an error; another text is a name, and without such a name it goes on
 * without masks.
 */
static int open_masks(blastp_job *job)
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
    return status == TMS_OK ? CLI_OK : fail_library(job, status);
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

static int open_subjects(blastp_job *job)
{
    tms_status status;

    if (job->subject != NULL && is_empty(job->subject))
        return cli_fail(command, BLAST_ENGINE, "%s: has no sequences", job->subject);
    if (job->subject != NULL)
        return read_subjects(job);
    status = tms_seqdb_open(job->ctx, job->db_name, TMS_PROTEIN, &job->db);
    if (status == TMS_OK)
        return select_subjects(job);
    return blast_code(cli_fail_database(command, job->ctx, status)) == BLAST_MEMORY ? BLAST_MEMORY : BLAST_DATABASE;
}

/* blastp counts whole queries for its batches. With -query_loc a call is a batch, which the search is not to divide again. */
static int open_queries(blastp_job *job)
{
    const int has_part = job->query_part.end > 0, is_on_gpu = tms_context_device(job->ctx) != TMS_DEVICE_CPU;
    const io_blast_records_options how = {.paths = &job->query,
                                          .n_paths = 1,
                                          .molecule = TMS_PROTEIN,
                                          .batch_bytes = has_part    ? 0
                                                         : is_on_gpu ? GPU_QUERY_LETTERS
                                                                     : QUERY_LETTERS,
                                          .is_search = 1,
                                          .unit_letters = job->params.batch_letters,
                                          .part = job->query_part,
                                          .is_unnamed = job->parse_deflines ? report_header_is_unnamed : NULL,
                                          .may_be_empty = 1, /* a pipe; an empty file was found before */
                                          .may_lack_header = !job->parse_deflines,
                                          .warn = warn_of_letters,
                                          .warn_arg = job};
    io_error err;
    io_status status = io_blast_records_open(&how, &job->queries, &err);

    if (has_part)
        job->params.batch_letters = UINT64_MAX;
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

/* What the output is for, as one line: what --resume compares. */
static io_status add_purpose(const blastp_job *job, int argc, char **argv, struct byte_array *to, io_error *err)
{
    static const char *const others[] = {"resume", "threads", "num_threads",  "device",    "gpu-memory", "stats",
                                         "quiet",  "mt_mode", "gpu-strategy", "extension", "scoring",    "bins"};
    char line[256];
    tms_seqdb_info info;
    int n;

    tms_seqdb_get_info(job->db, &info);
    n = snprintf(line, sizeof line, "tamis blastp, %llu sequences of %llu letters:", (unsigned long long)info.n_sequences,
                 (unsigned long long)info.n_residues);
    if (!byte_array_add(to, line, (size_t)n))
        return io_fail_memory(err, "a checkpoint");
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + (argv[i][0] == '-') + (argv[i][0] == '-' && argv[i][1] == '-');
        int is_other = 0;
        for (size_t k = 0; k < sizeof others / sizeof *others && argv[i][0] == '-'; k++) {
            size_t length = strlen(others[k]);
            if (strncmp(name, others[k], length) == 0 && (name[length] == '\0' || name[length] == '=')) {
                is_other = 1;
                i += name[length] == '\0' && strcmp(others[k], "resume") != 0 && strcmp(others[k], "quiet") != 0;
                break;
            }
        }
        if (!is_other && strcmp(argv[i], "-q") != 0 && (!byte_array_add(to, " ", 1) || !byte_array_add(to, argv[i], strlen(argv[i]))))
            return io_fail_memory(err, "a checkpoint");
    }
    for (size_t i = 0; i < to->n; i++)
        to->bytes[i] = to->bytes[i] == '\n' ? ' ' : to->bytes[i];
    return byte_array_add(to, "", 1) ? IO_OK : io_fail_memory(err, "a checkpoint");
}

static int open_output(blastp_job *job, int argc, char **argv)
{
    const char *const list = blastp_lists_path(&job->lists), *const second = job->subject != NULL ? job->subject : list;
    const char *const inputs[] = {job->query, second};
    struct byte_array purpose = {NULL, 0, 0};
    io_resumable_options how = {.path = job->out, .inputs = inputs, .n_inputs = second != NULL ? 2 : 1, .resume = job->resume};
    io_error err;
    io_status status = add_purpose(job, argc, argv, &purpose, &err);

    how.purpose = (const char *)purpose.bytes;
    if (status == IO_OK)
        status = io_resumable_open(&how, &job->n_done, &job->output, &err);
    free(purpose.bytes);
    if (status == IO_OK && job->stats_path != NULL) {
        const io_output stats = {.path = job->stats_path,
                                 .inputs = inputs,
                                 .n_inputs = how.n_inputs,
                                 .is_kind = blastp_stats_is,
                                 .kind = "statistics",
                                 .beside_stdout = strcmp(job->out, "-") == 0};
        status = io_safe_file_open(&stats, &job->stats_file, &err);
    }
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

static int make_search(blastp_job *job)
{
    const struct report_options how = {.format = job->format,
                                       .db = job->db,
                                       .params = &job->params,
                                       .db_name = job->db_name,
                                       .subject_path = job->subject,
                                       .subject_offset = job->subject_part.start,
                                       .subject_lengths = job->subject_lengths,
                                       .parse_deflines = job->parse_deflines,
                                       .show_gis = job->show_gis,
                                       .html = job->html,
                                       .has_list = blastp_lists_is_positive(&job->lists),
                                       .line_length = job->line_length,
                                       .n_descriptions = job->n_descriptions,
                                       .n_alignments = job->n_alignments,
                                       .sort_hits = job->has_sort_hits ? (int)job->sort_hits : -1,
                                       .sort_hsps = job->has_sort_hsps ? (int)job->sort_hsps : -1};
    struct report_options with_search = how;
    tms_status made;
    io_error err;
    io_status status;
    int code = blastp_gpus_wait(job);

    if (code != CLI_OK)
        return code;
    made = tms_blastp_create(job->ctx, job->db, &job->params, &job->search);
    blastp_gpus_end(job);
    if (made != TMS_OK)
        return fail_library(job, made);
    with_search.search = job->search;
    status = report_create(job->ctx, &with_search, &job->report, &err);
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

/* --- queries --- */

/* "3, 17 " - where a query has an O, from 0, as blastp counts here: the first places. */
static io_status add_places(const tms_blastp_result *result, uint8_t code, struct byte_array *to, io_error *err)
{
    enum { MOST = 20 };
    static const char more[] = ",... (only first 20 shown)";
    uint64_t n = 0;

    for (uint64_t i = 0; i < result->query_length && n <= MOST; i++) {
        char text[sizeof more];
        int size;
        if (result->codes[i] != code)
            continue;
        if (n++ == MOST)
            size = snprintf(text, sizeof text, "%s", more);
        else
            size = snprintf(text, sizeof text, "%s%llu", n > 1 ? ", " : "", (unsigned long long)i);
        if (!byte_array_add(to, text, (size_t)size))
            return io_fail_memory(err, "a warning");
    }
    return byte_array_add(to, " ", 1) ? IO_OK : io_fail_memory(err, "a warning");
}

/* What there is to say about a query, to job->warning: sentences, each with a blank at its end; and a NUL. */
static io_status find_warning(blastp_job *job, const tms_blastp_result *result, io_error *err)
{
    static const char no_data[] = "Sequence contains no data ",
                      not_valid[] = "Could not calculate ungapped Karlin-Altschul parameters due to an invalid query sequence or its "
                                    "translation. Please verify the query sequence(s) and/or filtering options ",
                      reset[] = "Composition-based statistics cannot be used with the IDENTITY matrix, resetting the composition-based "
                                "statistics option to 0 ",
                      nothing_left[] = "Filtering resulted in an empty database. ",
                      has_o[] = "One or more O characters replaced by X for alignment score calculations at positions ";
    enum { CODE_O = 26 };
    struct byte_array *to = &job->warning;
    io_status status = IO_OK;

    to->n = 0;
    if (job->resets_composition && !byte_array_add(to, reset, sizeof reset - 1))
        return io_fail_memory(err, "a warning");
    if (!result->is_valid) {
        const char *text = result->query_length == 0 ? no_data : not_valid;
        status = byte_array_add(to, text, strlen(text)) ? IO_OK : io_fail_memory(err, "a warning");
    }
    if (status == IO_OK && result->query_length > 0 && memchr(result->codes, CODE_O, result->query_length) != NULL) {
        status = byte_array_add(to, has_o, sizeof has_o - 1) ? IO_OK : io_fail_memory(err, "a warning");
        if (status == IO_OK)
            status = add_places(result, CODE_O, to, err);
    }
    if (status == IO_OK && job->is_empty && !byte_array_add(to, nothing_left, sizeof nothing_left - 1))
        status = io_fail_memory(err, "a warning");
    if (status != IO_OK)
        return status;
    return byte_array_add(to, "", 1) ? IO_OK : io_fail_memory(err, "a warning");
}

static io_status say_warning(blastp_job *job, const struct report_query *query, io_error *err)
{
    struct byte_array label = {NULL, 0, 0};
    io_status status;

    if (job->common.quiet || job->format.kind == REPORT_XML || job->format.kind == REPORT_JSON) /* they have it in the report */
        return IO_OK;
    status = report_query_label(job->report, query, &label, err);
    if (status == IO_OK) {
        io_progress_clear(&job->progress);
        fprintf(stderr, "Warning: [blastp] %.*s: %s\n", (int)label.n, (const char *)label.bytes, (const char *)job->warning.bytes);
    }
    free(label.bytes);
    return status;
}

static void say_cut(blastp_job *job, const tms_blastp_result *result)
{
    if (!result->is_cut || job->said_cut || job->common.quiet)
        return;
    job->said_cut = 1;
    io_progress_clear(&job->progress);
    cli_say(command, "a query has more subjects than the %u of -max_target_seqs: the best of them are reported (said once)",
            (unsigned)job->params.max_target_seqs);
}

static struct report_query query_of(const blastp_job *job, const tms_seqs *seqs, size_t i)
{
    const io_blast_whole *whole = &io_blast_records_wholes(job->queries)[i];

    return (struct report_query){.number = whole->number + 1,
                                 .header = seqs->headers + seqs->header_starts[i],
                                 .header_size = (size_t)tms_seqs_header_size(seqs, i),
                                 .offset = job->query_part.start,
                                 .n_unnamed = whole->n_unnamed,
                                 .typed_length = job->query_part.end - job->query_part.start,
                                 .full_length = whole->n_letters};
}

static io_status put_queries(blastp_job *job, const tms_seqs *seqs, const tms_blastp_results *results, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < seqs->n_records && status == IO_OK; i++) {
        tms_blastp_result result;
        struct report_query query = query_of(job, seqs, i);
        query.result = &result;
        tms_blastp_results_get(results, i, &result);
        job->resets_composition &= job->letters_put < job->params.batch_letters; /* blastp says it of the first batch */
        job->letters_put += result.query_length;
        status = find_warning(job, &result, err);
        if (status == IO_OK && job->warning.n > 1) {
            query.warning = (const char *)job->warning.bytes;
            status = say_warning(job, &query, err);
        }
        if (status == IO_OK)
            status = report_query_put(job->report, &query, &job->text, err);
        say_cut(job, &result);
    }
    return status;
}

static int search_batch(blastp_job *job, const tms_seqs *seqs)
{
    tms_blastp_results *results;
    tms_status searched = tms_blastp_search(job->search, seqs, &results);
    io_error err;
    io_status status;

    if (cli_fall_back(&job->common, job->ctx, searched, "the GPU failed"))
        searched = tms_blastp_search(job->search, seqs, &results);
    if (searched != TMS_OK)
        return fail_library(job, searched);
    status = put_queries(job, seqs, results, &err);
    tms_blastp_results_destroy(results);
    if (status == IO_OK) {
        job->n_done += seqs->n_records;
        status = io_resumable_put(job->output, job->text.bytes, job->text.n, job->n_done, &err);
        job->text.n = 0;
    }
    io_progress_update(&job->progress, io_blast_records_offset(job->queries), job->n_done);
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

/* Its queries were reported by the run before. */
static void skip_batch(blastp_job *job, const tms_seqs *seqs)
{
    for (size_t i = 0; i < seqs->n_records; i++) {
        const struct report_query query = query_of(job, seqs, i);
        report_skip(job->report, &query);
        job->letters_put += tms_seqs_length(seqs, i);
    }
}

/* All that is left after a run that was interrupted. */
static int search_all(blastp_job *job)
{
    uint64_t n_records = 0, n_letters = 0, n_before = job->n_done;
    tms_seqs seqs;
    io_error err;
    io_status status = IO_OK;
    int code = CLI_OK;

    if (n_before == 0)
        status = report_begin(job->report, &job->text, &err);
    while (code == CLI_OK && status == IO_OK && (status = io_blast_records_next(job->queries, &seqs, &err)) == IO_OK) {
        n_records += seqs.n_records;
        n_letters += seqs.residue_starts[seqs.n_records] - seqs.n_records;
        if (seqs.first_record < n_before)
            skip_batch(job, &seqs);
        else
            code = search_batch(job, &seqs);
    }
    if (code != CLI_OK)
        return code;
    if (status != IO_END)
        return fail_io(job, status, &err);
    if (n_letters == 0 && (n_records > 0 || job->query_part.end > 0))
        return cli_fail(command, BLAST_ENGINE, "%s: no query has a letter", job->query);
    status = report_end(job->report, &job->text, &err);
    if (status == IO_OK)
        status = io_resumable_put(job->output, job->text.bytes, job->text.n, job->n_done, &err);
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

static int finish(blastp_job *job)
{
    io_error err;
    io_status status = io_resumable_end(job->output, &err);

    job->output = NULL;
    if (status == IO_OK && job->stats_file != NULL) {
        tms_blastp_stats stats;
        tms_blastp_info info;
        tms_blastp_get_stats(job->search, &stats);
        tms_blastp_get_info(job->search, &info);
        status = blastp_stats_write(&info, &job->params, &stats, tms_context_device(job->ctx), io_progress_elapsed(&job->progress),
                                    job->stats_file, &err);
        if (status == IO_OK) {
            status = io_safe_file_commit(job->stats_file, &err);
            job->stats_file = NULL;
        }
    }
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

static int run(blastp_job *job, int argc, char **argv)
{
    int code = blast_code(cli_context_create(&job->common, &job->ctx));

    if (code == CLI_OK && is_empty(job->query)) {
        blastp_warn(job, "Query is Empty!");
        return CLI_OK;
    }
    if (code == CLI_OK)
        code = blastp_gpus_begin(job);
    if (code == CLI_OK)
        code = open_subjects(job);
    if (code == CLI_OK)
        code = open_masks(job);
    if (code == CLI_OK)
        code = blastp_gpus_use(job);
    if (code == CLI_OK)
        code = open_queries(job);
    if (code == CLI_OK)
        code = make_search(job);
    if (code == CLI_OK)
        code = open_output(job, argc, argv);
    if (code != CLI_OK)
        return code;
    io_progress_start(&job->progress, command, "queries", cli_input_bytes(&job->query, 1), job->common.quiet);
    code = search_all(job);
    io_progress_end(&job->progress);
    return code == CLI_OK ? finish(job) : code;
}

int cmd_blastp(int argc, char **argv)
{
    blastp_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&blastp_options, argc, argv, &job.common, &given, &code))
        return blast_code(code);
    if (job.version) {
        printf("blastp: 2.12.0+\n Package: tamis %s\n", tms_version());
        return blast_code(cli_end_stdout(command, CLI_OK));
    }
    code = blastp_check(&job, &given);
    if (code == CLI_OK)
        code = run(&job, argc, argv);
    io_resumable_leave(job.output);
    io_safe_file_abort(job.stats_file);
    io_blast_records_close(job.queries);
    report_free(job.report);
    blastp_gpus_end(&job);
    tms_blastp_destroy(job.search);
    tms_seqdb_masks_destroy(job.masks);
    tms_seqdb_destroy(job.db);
    tms_seqdb_destroy(job.whole);
    tms_context_destroy(job.ctx);
    free(job.subject_lengths);
    free(job.text.bytes);
    free(job.warning.bytes);
    return code;
}
