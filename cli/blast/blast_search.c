/* blast_search.c - see blast_search.h. */
#include "cli/blast/blast_search.h"

#include "base/clock.h"
#include "cli/blast/batch_memory.h"
#include "cli/blast/blast_cell.h"
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_output.h"
#include "cli/blast/blast_parts.h"
#include "cli/blast/blast_queries.h"
#include "cli/blast/blast_reports.h"
#include "cli/blast/blast_subjects.h"
#include "cli/molecule_warning.h"

/*
 * Waits for the GPUs, then opens the output. If GPUs start in the background, the search calls this when the first queries are ready: so
 * nothing is written if a GPU is not usable, and messages about GPUs come before those about the output. Returns CLI_OK, or the exit code
 * after a message; later calls do nothing and return the same.
 */
static int settle(blast_job *job)
{
    blast_run *run = &job->run;

    if (!run->is_settled) {
        run->is_settled = 1;
        run->settled_code = blast_gpus_wait(job, job->options.devices.n);
        if (run->settled_code == CLI_OK)
            run->settled_code = blast_open_output(job);
    }
    return run->settled_code;
}

tms_status blast_await_gpu(void *arg, tms_context *ctx)
{
    blast_job *job = arg;

    return settle(job) == CLI_OK ? tms_context_set_device(ctx, job->common.device) : TMS_E_DEVICE;
}

static int open_queries(blast_job *job)
{
    io_error err;
    const io_status status = blast_open_queries(job, job->query_molecule, &err);
    int code;

    if (status == IO_OK)
        return CLI_OK;
    code = blast_gpus_wait(job, 1);
    return code == CLI_OK ? blast_fail_io(job, status, &err) : code;
}

static int make_search(blast_job *job)
{
    const struct report_program *program;
    const tms_status made = job->searcher->create(job, &program);
    io_error err;
    io_status status = IO_OK;
    int code;

    if (made == TMS_OK)
        status = blast_open_reports(job, program, &err);
    if (made == TMS_OK && status == IO_OK)
        return CLI_OK;
    code = blast_gpus_wait(job, job->options.devices.n);
    if (code != CLI_OK)
        return code;
    return made != TMS_OK ? job->searcher->fail_create(job, made) : blast_fail_io(job, status, &err);
}

static io_status put_cell(blast_job *job, io_error *err)
{
    const double begun = clock_seconds();
    const io_status status = blast_put_cell(job, err);

    job->run.output_seconds += clock_seconds() - begun;
    io_progress_update(&job->run.progress, job->run.taken_offset, job->run.taken_end);
    return status;
}

/* A write_work(): the results of a call. If they cannot be written, the search ends, whose results would be written behind them. */
static io_status write_results(void *arg, io_error *err)
{
    blast_job *job = arg;
    io_status status;

    if (job->plan.sets_batches)
        batch_memory_end(); /* of the search, which is over */
    status = blast_is_cell(job) ? put_cell(job, err) : blast_put_results(job, err);
    if (job->plan.sets_batches)
        batch_memory_end(); /* of its results */
    if (status != IO_OK)
        tms_context_cancel(job->run.ctx);
    return status;
}

/* Waits until all results so far are written. Returns CLI_OK, or the exit code after a message. */
static int await_writer(blast_job *job)
{
    io_error err;
    const io_status status = write_behind_wait(&job->run.writer, &err);

    return status == IO_OK ? CLI_OK : blast_fail_io(job, status, &err);
}

/* What a call returns: lists for a part, or results. */
struct call_results {
    tms_search_found *found;
    tms_search_results *results;
};

/* Searches, or only scans for a part, or aligns what parts have found. */
static tms_status call_search(blast_job *job, const tms_seqs *seqs, struct call_results *r)
{
    if (blast_is_cell(job))
        return job->searcher->scan(job, seqs, &r->found);
    if (job->parts != NULL)
        return job->searcher->align(job, seqs, r->found, &r->results);
    return job->searcher->search(job, seqs, &r->results);
}

/* Whether what is found sets the sizes of the batches, from which a run has to know where to resume. */
static bool notes_batches(const blast_job *job) { return job->plan.sets_batches && job->parts == NULL && !blast_is_cell(job); }

/* The checkpoint's note: the first query of a batch, and the state of batches before it. */
static void note_batches(const blast_job *job, uint64_t first, char note[IO_RESUMABLE_NOTE])
{
    char batches[BLAST_BATCHES];

    note[0] = '\0';
    if (!notes_batches(job))
        return;
    job->searcher->put_batches(job, batches);
    snprintf(note, IO_RESUMABLE_NOTE, "%llu %s", (unsigned long long)first, batches);
}

/* Whether results are written as they become complete, while the search goes on; else once the call has ended. */
static bool writes_early(const blast_job *job) { return !job->plan.sets_batches && !blast_is_cell(job); }

static void begin_to_write(blast_job *job) { write_behind_begin(&job->run.writer, write_results, job); }

/* Before a call: the results of two calls are in memory at most. */
static io_status expect_results(blast_job *job, const tms_seqs *seqs, uint64_t first, io_error *err)
{
    char note[IO_RESUMABLE_NOTE];
    io_status status = write_behind_make_room(&job->run.writer, err);

    if (status != IO_OK || blast_is_cell(job))
        return status;
    note_batches(job, seqs->first_record, note);
    status = blast_expect_results(job, seqs, (size_t)(first - seqs->first_record), note, err);
    if (status == IO_OK && writes_early(job))
        begin_to_write(job);
    return status;
}

/* After a call: what it has found for a part. */
static io_status put_found(blast_job *job, const tms_seqs *seqs, struct call_results *r, io_error *err)
{
    io_status status = write_behind_wait(&job->run.writer, err);

    if (status != IO_OK)
        return status;
    job->run.taken_offset = seqio_blast_records_offset(job->run.queries);
    job->run.taken_end = seqs->first_record + seqs->n_records;
    status = blast_take_cell(job, seqs, r->found, err);
    r->found = NULL;
    if (status == IO_OK)
        begin_to_write(job);
    return status;
}

/* After a call: its results, also those before a failure. */
static void put_results(blast_job *job, const tms_seqs *seqs, tms_status searched, struct call_results *r)
{
    char note[IO_RESUMABLE_NOTE];

    note_batches(job, seqs->first_record + seqs->n_records, note);
    blast_end_results(job, r->results, searched == TMS_OK, note);
    r->results = NULL;
    if (!writes_early(job))
        begin_to_write(job);
}

/* Searches with the queries from `first` on. *searched [out] the status of the search, if the output is fine. */
static io_status search_from(blast_job *job, const tms_seqs *seqs, uint64_t first, struct call_results *r, tms_status *searched,
                             io_error *err)
{
    io_status status = expect_results(job, seqs, first, err);

    if (status != IO_OK)
        return status;
    *searched = call_search(job, seqs, r);
    if (!blast_is_cell(job))
        put_results(job, seqs, *searched, r);
    else if (*searched == TMS_OK)
        status = put_found(job, seqs, r, err);
    return status;
}

/* Searches with queries of one shard, which are whole batches, from `first` on. */
static int search_batch(blast_job *job, const tms_seqs *seqs, uint64_t first)
{
    struct call_results r = {NULL, NULL};
    tms_status searched = TMS_OK;
    io_error err;
    io_status status = job->parts != NULL ? blast_parts_found(job->parts, job->run.ctx, seqs, &r.found, &err) : IO_OK;
    int code;

    if (status == IO_OK)
        status = search_from(job, seqs, first, &r, &searched, &err);
    if (status == IO_OK && cli_fall_back(&job->common, job->run.ctx, searched, CLI_GPU_FAILED)) {
        status = write_behind_wait(&job->run.writer, &err); /* what was complete before */
        if (status == IO_OK)
            status = search_from(job, seqs, blast_is_cell(job) ? first : job->run.n_done, &r, &searched, &err);
    }
    tms_search_found_destroy(r.found);
    if (status == IO_OK && searched == TMS_OK)
        return CLI_OK;
    code = await_writer(job); /* the results before are written, as far as they can be */
    if (code != CLI_OK)
        return code;
    if (searched != TMS_OK)
        return settle(job) == CLI_OK ? job->searcher->fail(job, searched) : job->run.settled_code;
    return blast_fail_io(job, status, &err);
}

/* Closes the finished output, and writes the statistics. */
static int end_output(blast_job *job)
{
    const int code = blast_end_output(job);
    io_error err;
    io_status status;

    if (code != CLI_OK || job->run.stats_file == NULL)
        return code;
    status = job->searcher->write_stats(job, &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->run.stats_file, &err);
        job->run.stats_file = NULL;
    }
    return status == IO_OK ? CLI_OK : blast_fail_io(job, status, &err);
}

/*
 * Ends the output after the results of earlier batches, as NCBI's program does: without the end of a report, unless that has the results,
 * or the format is none of NCBI's.
 */
static int end_without_residues(blast_job *job, uint64_t n_records)
{
    io_error err;
    const struct report_writer *writer = job->plan.format.writer;
    const bool has_end = writer->collect != NULL || writer->number == REPORT_HAS_NO_NUMBER;
    io_status status = has_end ? report_end(job->run.report, &job->run.text, &err) : IO_OK;
    int code;

    if (status == IO_OK)
        status = io_resumable_put(job->run.output, job->run.text.bytes, job->run.text.n, job->run.n_done, &err);
    code = status == IO_OK ? end_output(job) : blast_fail_io(job, status, &err);
    io_progress_end(&job->run.progress);
    if (code != CLI_OK)
        return code;
    if (n_records > 0)
        return cli_fail(job->common.command, BLAST_ENGINE,
                        "%s: no query of the last batch has a residue; the output has the results of earlier batches", job->options.query);
    if (job->options.query_loc != NULL)
        return cli_fail(job->common.command, BLAST_ENGINE, "%s: no query has a residue in -query_loc %s", job->options.query,
                        job->options.query_loc);
    return cli_fail(job->common.command, BLAST_ENGINE, "%s: no query has a residue", job->options.query);
}

/* Writes the end of the report, if this run has the last queries, and ends the output. */
static int end_report(blast_job *job)
{
    const struct blast_grid *grid = &job->plan.grid;
    io_error err;
    io_status status = grid->query_shard + 1 == grid->n_query_shards ? report_end(job->run.report, &job->run.text, &err) : IO_OK;

    if (status == IO_OK)
        status = io_resumable_put(job->run.output, job->run.text.bytes, job->run.text.n, job->run.n_done, &err);
    return status == IO_OK ? end_output(job) : blast_fail_io(job, status, &err);
}

/* Searches with the queries of a call that the run processes, and that are not in the output yet. */
static int search_call(blast_job *job, const tms_seqs *call)
{
    int code = CLI_OK;
    size_t at = 0;
    tms_seqs seqs;

    while (code == CLI_OK && blast_next_queries(job, call, &at, &seqs)) {
        const uint64_t end = seqs.first_record + seqs.n_records;
        if (seqs.first_record >= job->run.records.end)
            break;
        const uint64_t first = job->run.n_before > seqs.first_record ? job->run.n_before : seqs.first_record; /* within a batch, too */
        blast_skip_queries(job, &seqs, (size_t)((first < end ? first : end) - seqs.first_record));
        if (first < end)
            code = search_batch(job, &seqs, first);
    }
    return code;
}

static int end_search(blast_job *job, uint64_t n_records)
{
    if (blast_is_cell(job)) {
        const int code = blast_end_cell(job);
        return code == CLI_OK ? end_output(job) : code;
    }
    blast_warn_of_units(job);
    return seqio_blast_records_lacks_residues(job->run.queries) ? end_without_residues(job, n_records) : end_report(job);
}

/* Sets run.batches_from, and the state of batches there, from the note of the checkpoint. */
static io_status resume_batches(blast_job *job, io_error *err)
{
    const char *const note = job->run.output != NULL ? io_resumable_note(job->run.output) : "";
    unsigned long long first;
    int n = 0;

    if (note[0] == '\0' || !notes_batches(job))
        return IO_OK;
    if (sscanf(note, "%llu %n", &first, &n) != 1 || n == 0 || !job->searcher->set_batches(job, note + n))
        return io_fail(err, IO_E_REFUSED, 0, "%s: its checkpoint is damaged: start again with --restart", job->options.out);
    job->run.batches_from = first;
    return IO_OK;
}

/*
 * Reads the queries of the next call, which begins with record `first`. An archive has the batches whose sizes its search has set; before
 * the batch at which a run resumes they do not matter.
 */
static io_status next_call(blast_job *job, uint64_t first, tms_seqs *seqs, io_error *err)
{
    enum { SKIPPED_AT_ONCE = 10000 };

    if (first < job->run.batches_from)
        seqio_blast_records_set_unit_records(
            job->run.queries, job->run.batches_from - first < SKIPPED_AT_ONCE ? job->run.batches_from - first : SKIPPED_AT_ONCE);
    else if (job->plan.sets_batches && job->parts != NULL && !job->plan.has_batch_size)
        seqio_blast_records_set_unit_records(job->run.queries, blast_parts_batch(job->parts, first));
    else if (job->plan.sets_batches)
        seqio_blast_records_set_unit(job->run.queries, job->searcher->batch_residues(job));
    return seqio_blast_records_next(job->run.queries, seqs, err);
}

/* Searches all queries, or with --resume the remaining ones. */
static int search_all(blast_job *job)
{
    uint64_t n_records = 0;
    tms_seqs seqs;
    io_error err;
    io_status status = IO_OK;
    int code = CLI_OK;

    if (job->run.n_done == 0 && job->plan.grid.query_shard == 0 && !blast_is_cell(job))
        status = report_begin(job->run.report, &job->run.text, &err);
    if (status == IO_OK)
        status = resume_batches(job, &err);
    if (job->run.n_done < job->run.records.start)
        job->run.n_done = job->run.records.start;
    job->run.n_before = job->run.n_done;
    while (code == CLI_OK && status == IO_OK && (status = next_call(job, n_records, &seqs, &err)) == IO_OK) {
        if (n_records == 0 && job->query_advice != NULL) {
            io_progress_clear(&job->run.progress);
            molecule_warn(&job->common, job->options.query, &seqs, job->query_molecule, job->query_advice);
        }
        n_records += seqs.n_records;
        blast_count_units(job, &seqs);
        code = search_call(job, &seqs);
    }
    if (code == CLI_OK)
        code = settle(job); /* without queries, no search has called it */
    if (code == CLI_OK)
        code = await_writer(job);
    if (code != CLI_OK)
        return code;
    return status == IO_END ? end_search(job, n_records) : blast_fail_io(job, status, &err);
}

/* Sets the records that the run processes: all, or those of a query shard. */
static int find_records(blast_job *job)
{
    if (job->parts == NULL)
        return blast_cut_queries(job, job->query_molecule);
    job->run.records = (tms_interval){0, UINT64_MAX};
    if (job->plan.grid.n_query_shards > 1)
        job->run.records = blast_parts_records(job->parts, job->plan.grid.query_shard);
    return blast_check_parts(job);
}

static int open_all(blast_job *job)
{
    int code = blast_gpus_begin(job);

    if (code == CLI_OK)
        code = blast_open_subjects(job);
    if (code == CLI_OK)
        code = blast_open_masks(job);
    if (code == CLI_OK)
        code = blast_open_taxonomy(job);
    if (code == CLI_OK)
        code = blast_gpus_use(job, job->searcher->model);
    return code == CLI_OK ? find_records(job) : code;
}

static int run(blast_job *job)
{
    int code = blast_code(cli_context_create(&job->common, &job->run.ctx)), is_done = 0;
    const bool is_empty = code == CLI_OK && !blast_is_cell(job) && blast_file_is_empty(job->options.query);

    if (code == CLI_OK && tms_context_create(&job->run.output_ctx) != TMS_OK)
        code = blast_code(cli_fail(job->common.command, CLI_NO_MEMORY, "out of memory"));
    if (code == CLI_OK && (!is_empty || job->parts != NULL)) /* the parts may be of queries */
        code = open_all(job);
    if (code == CLI_OK && is_empty) {
        blast_warn(job, "Query is Empty!");
        return CLI_OK;
    }
    if (code == CLI_OK && blast_is_cell(job))
        code = blast_open_cell(job, job->query_molecule, &is_done);
    if (code != CLI_OK || is_done)
        return code;
    code = open_queries(job);
    if (code == CLI_OK)
        code = make_search(job);
    if (code == CLI_OK && (!job->run.awaits_gpus || job->options.resume)) /* it sets the number of queries to skip */
        code = settle(job);
    if (code != CLI_OK)
        return code;
    io_progress_start(&job->run.progress, job->common.command, "queries", cli_input_bytes(&job->options.query, 1), job->common.quiet);
    code = search_all(job);
    io_progress_end(&job->run.progress);
    return code;
}

static int search(blast_job *job, const blast_searcher *searcher)
{
    int code;

    job->searcher = searcher;
    write_behind_open(&job->run.writer);
    code = run(job);
    write_behind_close(&job->run.writer); /* run() has told of failures */
    blast_leave_output(job);
    seqio_blast_records_close(job->run.queries);
    blast_close_reports(job);
    blast_gpus_end(job);
    searcher->destroy(job);
    blast_close_subjects(job);
    tms_context_destroy(job->run.output_ctx);
    tms_context_destroy(job->run.ctx);
    return code;
}

int blast_command(blast_job *job, const blast_searcher *searcher, int argc, char **argv, struct blast_parts *parts)
{
    int code;

    job->parts = parts;
    job->n_arguments = argc;
    job->arguments = argv;
    if (!cli_options(searcher->options, argc, argv, &job->common, &job->given, &code))
        return blast_code(code);
    if (job->options.version) {
        printf("%s: 2.12.0+\n Package: tamis %s\n", job->common.command, tms_version());
        return blast_code(cli_end_stdout(job->common.command, CLI_OK));
    }
    code = searcher->check(job);
    if (code != CLI_OK)
        return code;
    if (job->plan.sets_batches)
        batch_memory_begin();
    return search(job, searcher);
}
