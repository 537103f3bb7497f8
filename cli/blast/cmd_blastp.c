/*
 * cmd_blastp.c - blastp of NCBI BLAST+ 2.12: its output, its exit codes. blastp_options.c has its options.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/blast/blastp_codes.h"
#include "cli/blast/blastp_gpus.h"
#include "cli/blast/blastp_output.h"
#include "cli/blast/blastp_reports.h"
#include "cli/blast/blastp_subjects.h"
#include "cli/molecule_warning.h"

static const char command[] = "blastp";

enum {
    QUERY_RESIDUES = 40000,     /* of a call */
    GPU_QUERY_RESIDUES = 320000 /* so that its stages overlap those of the CPU */
};

/*
 * GPUs are there, and the output is open. With GPUs that start in the background both wait until the first queries are ready to be searched
 * for, so that nothing is written if a GPU cannot be had; and what fails is told in the order of the command, GPUs first. Returns CLI_OK,
 * or the exit code, after a message; the same each time.
 */
static int settle(blastp_job *job)
{
    if (!job->is_settled) {
        job->is_settled = 1;
        job->settled_code = blastp_gpus_wait(job, job->devices.n);
        if (job->settled_code == CLI_OK)
            job->settled_code = blastp_open_output(job);
    }
    return job->settled_code;
}

/* By the first search, if GPUs start in the background. */
static tms_status await_gpu(void *arg, tms_context *ctx)
{
    blastp_job *job = arg;

    return settle(job) == CLI_OK ? tms_context_set_device(ctx, job->common.device) : TMS_E_DEVICE;
}

/* blastp counts whole queries for its batches. With -query_loc a call is a batch, which the search is not to divide again. */
static int open_queries(blastp_job *job)
{
    const int has_part = job->query_part.end > 0, is_on_gpu = job->awaits_gpus || tms_context_device(job->ctx) != TMS_DEVICE_CPU;
    const seqio_blast_records_options how = {.paths = &job->query,
                                             .n_paths = 1,
                                             .molecule = TMS_PROTEIN,
                                             .batch_bytes = has_part    ? 0
                                                            : is_on_gpu ? GPU_QUERY_RESIDUES
                                                                        : QUERY_RESIDUES,
                                             .is_search = 1,
                                             .unit_residues = job->params.batch_residues,
                                             .part = job->query_part,
                                             .is_unnamed = job->parse_deflines ? report_header_is_unnamed : NULL,
                                             .may_be_empty = 1, /* a pipe; an empty file was found before */
                                             .may_lack_header = !job->parse_deflines,
                                             .warn = blastp_warn_of_residues,
                                             .warn_arg = job};
    io_error err;
    io_status status;
    int code;

    cli_note_terminal(&job->common, &job->query, 1);
    status = seqio_blast_records_open(&how, &job->queries, &err);
    if (has_part)
        job->params.batch_residues = UINT64_MAX;
    if (status == IO_OK)
        return CLI_OK;
    code = blastp_gpus_wait(job, 1);
    return code == CLI_OK ? blastp_fail_io(job, status, &err) : code;
}

static int make_search(blastp_job *job)
{
    const struct report_options how = {.format = job->format,
                                       .db = job->db,
                                       .program = &job->program,
                                       .subject_masks = job->params.subject_masks,
                                       .hides_masked = job->params.subject_masking == TMS_SUBJECT_MASKING_HARD,
                                       .taxonomy = job->taxonomy,
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
                                       .sort_hsps = job->has_sort_hsps && job->format.writer->sorts_hsps ? (int)job->sort_hsps : -1};
    tms_status made;
    io_error err;
    io_status status = IO_OK;
    int code;

    if (job->awaits_gpus) {
        job->params.await_gpu = await_gpu;
        job->params.await_arg = job;
    }
    made = tms_blastp_create(job->ctx, job->db, &job->params, &job->search);
    if (made == TMS_OK) {
        blastp_description_init(job->search, &job->params, &job->seg_typed, &job->program);
        status = report_create(job->ctx, &how, &job->report, &err);
        if (status == IO_OK)
            status = report_queries_create(job->ctx, job->report, &job->reports, &err);
    }
    if (made == TMS_OK && status == IO_OK)
        return CLI_OK;
    code = blastp_gpus_wait(job, job->devices.n);
    if (code != CLI_OK)
        return code;
    return made != TMS_OK ? blastp_fail_library(job, made) : blastp_fail_io(job, status, &err);
}

/* With Smith-Waterman what cannot be searched shows when it is: blastp's engine fails then, or does not end. */
static int fail_search(blastp_job *job, tms_status status)
{
    const int code = blastp_fail_library(job, status);

    return status == TMS_E_ARG && job->use_sw_tback ? BLAST_ENGINE : code;
}

static int search_batch(blastp_job *job, const tms_seqs *seqs)
{
    tms_search_results *results;
    tms_status searched = tms_blastp_search(job->search, seqs, &results);
    io_error err;
    io_status status;

    if (cli_fall_back(&job->common, job->ctx, searched, "the GPU failed"))
        searched = tms_blastp_search(job->search, seqs, &results);
    if (searched != TMS_OK)
        return settle(job) == CLI_OK ? fail_search(job, searched) : job->settled_code;
    status = blastp_put_queries(job, seqs, results, &err);
    tms_search_results_destroy(results);
    io_progress_update(&job->progress, seqio_blast_records_offset(job->queries), job->n_done);
    return status == IO_OK ? CLI_OK : blastp_fail_io(job, status, &err);
}

/* What is found of earlier batches is the output, as it stands: blastp ends so. */
static int end_without_residues(blastp_job *job, uint64_t n_records)
{
    io_error err;
    const io_status status = io_resumable_put(job->output, job->text.bytes, job->text.n, job->n_done, &err);
    const int code = status == IO_OK ? blastp_end_output(job) : blastp_fail_io(job, status, &err);

    io_progress_end(&job->progress);
    if (code != CLI_OK)
        return code;
    if (n_records > 0)
        return cli_fail(command, BLAST_ENGINE, "%s: no query of the last batch has a letter; what was found before is in the output",
                        job->query);
    return cli_fail(command, BLAST_ENGINE, "%s: no query has a letter", job->query);
}

/* The foot. */
static int end_report(blastp_job *job)
{
    io_error err;
    io_status status = report_end(job->report, &job->text, &err);

    if (status == IO_OK)
        status = io_resumable_put(job->output, job->text.bytes, job->text.n, job->n_done, &err);
    return status == IO_OK ? blastp_end_output(job) : blastp_fail_io(job, status, &err);
}

/* All that is left after a run that was interrupted. */
static int search_all(blastp_job *job)
{
    uint64_t n_records = 0, n_before = job->n_done;
    tms_seqs seqs;
    io_error err;
    io_status status = IO_OK;
    int code = CLI_OK;

    if (n_before == 0)
        status = report_begin(job->report, &job->text, &err);
    while (code == CLI_OK && status == IO_OK && (status = seqio_blast_records_next(job->queries, &seqs, &err)) == IO_OK) {
        if (n_records == 0) {
            io_progress_clear(&job->progress);
            molecule_warn(&job->common, job->query, &seqs, BLASTP_DNA_ADVICE);
        }
        n_records += seqs.n_records;
        blastp_count_units(job, &seqs);
        if (seqs.first_record + seqs.n_records <= n_before) /* not all of a batch may be there */
            blastp_skip_batch(job, &seqs);
        else
            code = search_batch(job, &seqs);
    }
    if (code == CLI_OK)
        code = settle(job); /* there may have been nothing to search for */
    if (code != CLI_OK)
        return code;
    if (status != IO_END)
        return blastp_fail_io(job, status, &err);
    blastp_warn_of_units(job);
    return seqio_blast_records_lacks_residues(job->queries) ? end_without_residues(job, n_records) : end_report(job);
}

static int run(blastp_job *job)
{
    int code = blast_code(cli_context_create(&job->common, &job->ctx));

    if (code == CLI_OK && blastp_file_is_empty(job->query)) {
        blastp_warn(job, "Query is Empty!");
        return CLI_OK;
    }
    if (code == CLI_OK)
        code = blastp_gpus_begin(job);
    if (code == CLI_OK)
        code = blastp_open_subjects(job);
    if (code == CLI_OK)
        code = blastp_open_masks(job);
    if (code == CLI_OK)
        code = blastp_open_taxonomy(job);
    if (code == CLI_OK)
        code = blastp_gpus_use(job);
    if (code == CLI_OK)
        code = open_queries(job);
    if (code == CLI_OK)
        code = make_search(job);
    if (code == CLI_OK && (!job->awaits_gpus || job->resume)) /* what is there decides what is searched for */
        code = settle(job);
    if (code != CLI_OK)
        return code;
    io_progress_start(&job->progress, command, "queries", cli_input_bytes(&job->query, 1), job->common.quiet);
    code = search_all(job);
    io_progress_end(&job->progress);
    return code;
}

int cmd_blastp(int argc, char **argv)
{
    blastp_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    job.argc = argc;
    job.argv = argv;
    if (!cli_options(&blastp_options, argc, argv, &job.common, &given, &code))
        return blast_code(code);
    if (job.version) {
        printf("blastp: 2.12.0+\n Package: tamis %s\n", tms_version());
        return blast_code(cli_end_stdout(command, CLI_OK));
    }
    code = blastp_check(&job, &given);
    if (code == CLI_OK)
        code = run(&job);
    blastp_leave_output(&job);
    seqio_blast_records_close(job.queries);
    report_queries_free(job.reports);
    report_free(job.report);
    blastp_gpus_end(&job);
    tms_blastp_destroy(job.search);
    tms_seqdb_masks_destroy(job.masks);
    tms_taxonomy_destroy(job.taxonomy);
    tms_seqdb_destroy(job.db);
    tms_seqdb_destroy(job.whole);
    tms_context_destroy(job.ctx);
    free(job.subject_lengths);
    free(job.text.bytes);
    free(job.warnings.bytes);
    blastp_answers_free(job.answers);
    return code;
}
