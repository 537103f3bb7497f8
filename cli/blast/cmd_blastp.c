/* cmd_blastp.c - tamis blastp: the output and exit codes of NCBI BLAST+ 2.12's blastp. blastp_options.c has the options. */
#include <stdio.h>
#include <string.h>

#include "cli/blast/blast_cell.h"
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_gpus.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_output.h"
#include "cli/blast/blast_parts.h"
#include "cli/blast/blast_queries.h"
#include "cli/blast/blast_reports.h"
#include "cli/blast/blast_subjects.h"
#include "cli/blast/blastp_job.h"
#include "cli/blast/blastp_stats.h"
#include "cli/molecule_warning.h"

static const char command[] = "blastp";

static const char dna_advice[] =
    "blastp searches proteins with proteins. Give translated sequences; 'tamis classify' assigns reads to genomes, 'tamis seeds' finds exact "
    "matches of bases";

/*
 * Waits for the GPUs, then opens the output. If GPUs start in the background, the search calls this when the first queries are ready: so
 * nothing is written if a GPU is not usable, and messages about GPUs come before those about the output. Returns CLI_OK, or the exit code
 * after a message; later calls do nothing and return the same.
 */
static int settle(blastp_job *job)
{
    blast_job *b = &job->blast;

    if (!job->is_settled) {
        job->is_settled = 1;
        job->settled_code = blast_gpus_wait(b, b->options.devices.n);
        if (job->settled_code == CLI_OK)
            job->settled_code = blast_open_output(b, blastp_stats_is);
    }
    return job->settled_code;
}

/* tms_blastp_params.await_gpu, if GPUs start in the background. */
static tms_status await_gpu(void *arg, tms_context *ctx)
{
    blastp_job *job = arg;

    return settle(job) == CLI_OK ? tms_context_set_device(ctx, job->blast.common.device) : TMS_E_DEVICE;
}

static int open_queries(blast_job *b)
{
    io_error err;
    const io_status status = blast_open_queries(b, TMS_PROTEIN, &err);
    int code;

    if (status == IO_OK)
        return CLI_OK;
    code = blast_gpus_wait(b, 1);
    return code == CLI_OK ? blast_fail_io(b, status, &err) : code;
}

static int make_search(blastp_job *job)
{
    blast_job *b = &job->blast;
    tms_blastp_params *p = &job->params;
    tms_status made;
    io_error err;
    io_status status = IO_OK;
    int code;

    p->subject_masks = b->run.masks;
    p->subject_masking = b->options.db_hard_mask != NULL ? TMS_SUBJECT_MASKING_HARD : TMS_SUBJECT_MASKING_SOFT;
    if (b->run.awaits_gpus) {
        p->await_gpu = await_gpu;
        p->await_arg = job;
    }
    made = tms_blastp_create(b->run.ctx, b->run.db, p, &job->search);
    if (made == TMS_OK) {
        blastp_description_init(job->search, p, &job->seg, &job->program);
        status = blast_open_reports(b, &job->program, &err);
    }
    if (made == TMS_OK && status == IO_OK)
        return CLI_OK;
    code = blast_gpus_wait(b, b->options.devices.n);
    if (code != CLI_OK)
        return code;
    return made != TMS_OK ? blast_fail_library(b, made) : blast_fail_io(b, status, &err);
}

/* What a call returns: lists for a part, or results. */
struct call_results {
    tms_search_found *found;
    tms_search_results *results;
};

/* With Smith-Waterman, an impossible query fails only during the search, where NCBI's engine fails too, or does not terminate. */
static int fail_search(blastp_job *job, tms_status status)
{
    const int code = blast_fail_library(&job->blast, status);

    return status == TMS_E_ARG && job->own.use_sw_tback ? BLAST_ENGINE : code;
}

/* Searches, or only scans for a part, or aligns what parts have found. */
static tms_status call_search(blastp_job *job, const tms_seqs *seqs, struct call_results *r)
{
    if (blast_is_cell(&job->blast))
        return tms_blastp_scan(job->search, seqs, &r->found);
    if (job->blast.parts != NULL)
        return tms_blastp_align(job->search, seqs, r->found, &r->results);
    return tms_blastp_search(job->search, seqs, &r->results);
}

/* Queries of one shard, which are whole batches. */
static int search_batch(blastp_job *job, const tms_seqs *seqs)
{
    blast_job *b = &job->blast;
    struct call_results r = {NULL, NULL};
    tms_status searched;
    io_error err;
    io_status status = b->parts != NULL ? blast_parts_found(b->parts, b->run.ctx, seqs, &r.found, &err) : IO_OK;

    if (status != IO_OK)
        return blast_fail_io(b, status, &err);
    searched = call_search(job, seqs, &r);
    if (cli_fall_back(&b->common, b->run.ctx, searched, CLI_GPU_FAILED))
        searched = call_search(job, seqs, &r);
    if (searched == TMS_OK) {
        status = blast_is_cell(b) ? blast_put_cell(b, seqs, r.found, &err) : blast_put_queries(b, seqs, r.results, &err);
        io_progress_update(&b->run.progress, seqio_blast_records_offset(b->run.queries), seqs->first_record + seqs->n_records);
    }
    tms_search_found_destroy(r.found);
    tms_search_results_destroy(r.results);
    if (searched != TMS_OK)
        return settle(job) == CLI_OK ? fail_search(job, searched) : job->settled_code;
    return status == IO_OK ? CLI_OK : blast_fail_io(b, status, &err);
}

/* Closes the finished output, and writes the statistics. */
static int end_output(blastp_job *job)
{
    blast_job *b = &job->blast;
    const int code = blast_end_output(b);
    tms_search_stats counts;
    tms_blastp_info info;
    io_error err;
    io_status status;

    if (code != CLI_OK || b->run.stats_file == NULL)
        return code;
    tms_blastp_get_stats(job->search, &counts);
    tms_blastp_get_info(job->search, &info);
    status = blastp_stats_write(&(blastp_stats){.info = &info,
                                                .params = &job->params,
                                                .counts = &counts,
                                                .estimate = &b->run.estimate,
                                                .device = tms_context_device(b->run.ctx),
                                                .elapsed_s = io_progress_elapsed(&b->run.progress)},
                                b->run.stats_file, &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(b->run.stats_file, &err);
        b->run.stats_file = NULL;
    }
    return status == IO_OK ? CLI_OK : blast_fail_io(b, status, &err);
}

/* Ends the output after the results of earlier batches, without the end of a report, as NCBI's program does. */
static int end_without_residues(blastp_job *job, uint64_t n_records)
{
    blast_job *b = &job->blast;
    io_error err;
    const io_status status = io_resumable_put(b->run.output, b->run.text.bytes, b->run.text.n, b->run.n_done, &err);
    const int code = status == IO_OK ? end_output(job) : blast_fail_io(b, status, &err);

    io_progress_end(&b->run.progress);
    if (code != CLI_OK)
        return code;
    if (n_records > 0)
        return cli_fail(command, BLAST_ENGINE,
                        "%s: no query of the last batch has a residue; the output has the results of earlier batches", b->options.query);
    return cli_fail(command, BLAST_ENGINE, "%s: no query has a residue", b->options.query);
}

/* Writes the end of the report, if this run has the last queries, and ends the output. */
static int end_report(blastp_job *job)
{
    blast_job *b = &job->blast;
    io_error err;
    io_status status = IO_OK;

    if (b->plan.grid.query_shard + 1 == b->plan.grid.n_query_shards)
        status = report_end(b->run.report, &b->run.text, &err);
    if (status == IO_OK)
        status = io_resumable_put(b->run.output, b->run.text.bytes, b->run.text.n, b->run.n_done, &err);
    return status == IO_OK ? end_output(job) : blast_fail_io(b, status, &err);
}

/* The queries of a call that this run is about, and that are not in the output yet. */
static int search_call(blastp_job *job, const tms_seqs *call)
{
    blast_job *b = &job->blast;
    int code = CLI_OK;
    size_t at = 0;
    tms_seqs seqs;

    while (code == CLI_OK && blast_next_queries(b, call, &at, &seqs)) {
        const uint64_t end = seqs.first_record + seqs.n_records;
        if (seqs.first_record >= b->run.records.end)
            break;
        if (end <= b->run.records.start || (!blast_is_cell(b) && end <= b->run.n_done)) /* not all of a batch may be there */
            blast_skip_batch(b, &seqs);
        else
            code = search_batch(job, &seqs);
    }
    return code;
}

/* Returns the exit code of a run whose queries are all searched for. */
static int end_search(blastp_job *job, uint64_t n_records)
{
    blast_job *b = &job->blast;

    if (blast_is_cell(b)) {
        const int code = blast_end_cell(b);
        return code == CLI_OK ? end_output(job) : code;
    }
    blast_warn_of_units(b);
    return seqio_blast_records_lacks_residues(b->run.queries) ? end_without_residues(job, n_records) : end_report(job);
}

/* Searches all queries, or with --resume the remaining ones. */
static int search_all(blastp_job *job)
{
    blast_job *b = &job->blast;
    uint64_t n_records = 0;
    tms_seqs seqs;
    io_error err;
    io_status status = IO_OK;
    int code = CLI_OK;

    if (b->run.n_done == 0 && b->plan.grid.query_shard == 0 && !blast_is_cell(b))
        status = report_begin(b->run.report, &b->run.text, &err);
    if (b->run.n_done < b->run.records.start)
        b->run.n_done = b->run.records.start;
    while (code == CLI_OK && status == IO_OK && (status = seqio_blast_records_next(b->run.queries, &seqs, &err)) == IO_OK) {
        if (n_records == 0) {
            io_progress_clear(&b->run.progress);
            molecule_warn(&b->common, b->options.query, &seqs, b->dna_advice);
        }
        n_records += seqs.n_records;
        blast_count_units(b, &seqs);
        code = search_call(job, &seqs);
    }
    if (code == CLI_OK)
        code = settle(job); /* without queries, no search has called it */
    if (code != CLI_OK)
        return code;
    return status == IO_END ? end_search(job, n_records) : blast_fail_io(b, status, &err);
}

/* The records that the run is about: all, or those of a query shard. */
static int find_records(blast_job *b)
{
    if (b->parts == NULL)
        return blast_cut_queries(b, TMS_PROTEIN);
    b->run.records = (tms_interval){0, UINT64_MAX};
    if (b->plan.grid.n_query_shards > 1)
        b->run.records = blast_parts_records(b->parts, b->plan.grid.query_shard);
    return blast_check_parts(b);
}

static int run(blastp_job *job)
{
    blast_job *b = &job->blast;
    int code = blast_code(cli_context_create(&b->common, &b->run.ctx)), is_done = 0;

    if (code == CLI_OK && !blast_is_cell(b) && blast_file_is_empty(b->options.query)) {
        blast_warn(b, "Query is Empty!");
        return CLI_OK;
    }
    if (code == CLI_OK)
        code = blast_gpus_begin(b);
    if (code == CLI_OK)
        code = blast_open_subjects(b);
    if (code == CLI_OK)
        code = blast_open_masks(b);
    if (code == CLI_OK)
        code = blast_open_taxonomy(b);
    if (code == CLI_OK)
        code = blast_gpus_use(b, tms_model_blastp);
    if (code == CLI_OK)
        code = find_records(b);
    if (code == CLI_OK && blast_is_cell(b))
        code = blast_open_cell(b, &is_done);
    if (code != CLI_OK || is_done)
        return code;
    code = open_queries(b);
    if (code == CLI_OK)
        code = make_search(job);
    if (code == CLI_OK && (!b->run.awaits_gpus || b->options.resume)) /* it sets the number of queries to skip */
        code = settle(job);
    if (code != CLI_OK)
        return code;
    io_progress_start(&b->run.progress, command, "queries", cli_input_bytes(&b->options.query, 1), b->common.quiet);
    code = search_all(job);
    io_progress_end(&b->run.progress);
    return code;
}

static void end_run(blastp_job *job)
{
    blast_run *run = &job->blast.run;

    blast_leave_output(&job->blast);
    seqio_blast_records_close(run->queries);
    blast_close_reports(&job->blast);
    blast_gpus_end(&job->blast);
    tms_blastp_destroy(job->search);
    blast_close_subjects(&job->blast);
    tms_context_destroy(run->ctx);
}

int blastp_run(int argc, char **argv, struct blast_parts *parts)
{
    blastp_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    job.blast.molecule = TMS_PROTEIN;
    job.blast.dna_advice = dna_advice;
    job.blast.given = &given;
    job.blast.parts = parts;
    if (!cli_options(&blastp_options, argc, argv, &job.blast.common, &given, &code))
        return blast_code(code);
    if (job.blast.options.version) {
        printf("blastp: 2.12.0+\n Package: tamis %s\n", tms_version());
        return blast_code(cli_end_stdout(command, CLI_OK));
    }
    code = blastp_check(&job, &given);
    if (code == CLI_OK)
        code = run(&job);
    end_run(&job);
    return code;
}

int cmd_blastp(int argc, char **argv) { return blastp_run(argc, argv, NULL); }
