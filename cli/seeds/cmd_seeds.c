/* cmd_seeds.c - prints the exact matches of w bases between a query and a subject. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/decimal.h"
#include "cli/seeds/seeds_job.h"
#include "cli/seeds/seeds_stats.h"
#include "io/io_map.h"
#include "io/io_stream.h"

static const char command[] = "seeds";

#define BASES_AHEAD ((size_t)768 << 20) /* read while a GPU is being opened: 192 MiB */
#define PASSES      ((size_t)1 << 20)   /* least capacity for the results of stage 1a */

static int fail_library(seeds_job *job, tms_status status)
{
    io_progress_end(&job->progress);
    return cli_fail_library(command, job->ctx, status);
}

static int fail_io(seeds_job *job, io_status status, const io_error *err)
{
    io_progress_end(&job->progress);
    return cli_fail_io(command, status, err);
}

static const char *path_at(const void *db, const void *address) { return tms_seqdb_path_at(db, address); }

/* n_ahead: chunks to read ahead, clamped to SEQIO_DNA_AHEAD .. SEQIO_DNA_MAX_AHEAD. */
static int open_dna(const option_paths *paths, const tms_seqdb *db, size_t chunk_bases, uint32_t overlap, size_t n_ahead, seqio_dna **out)
{
    seqio_dna_options how = {.paths = paths->items,
                             .n_paths = paths->n,
                             .db = db,
                             .chunk_bases = chunk_bases,
                             .overlap = overlap,
                             .n_ahead = (int)(n_ahead < SEQIO_DNA_AHEAD       ? SEQIO_DNA_AHEAD
                                              : n_ahead < SEQIO_DNA_MAX_AHEAD ? n_ahead
                                                                              : SEQIO_DNA_MAX_AHEAD)};
    io_error err;
    io_status status = seqio_dna_open(&how, out, &err);

    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* Reads the query, and adds its records to the plot. */
static int read_query(seeds_job *job)
{
    io_error err;
    io_status status = seed_query_read(job->query_dna, &job->query, &err);

    if (status != IO_OK)
        return fail_io(job, status, &err);
    seqio_dna_get_totals(job->query_dna, &job->query_totals);
    seqio_dna_close(job->query_dna);
    job->query_dna = NULL;
    if (job->plot != NULL && !seeds_plot_query(&job->picture, &job->query))
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for the plot");
    for (size_t i = 0; i < job->query.n_batches && !job->common.quiet; i++)
        record_notes_add(&job->query_notes, job->query.batches[i].dna);
    return CLI_OK;
}

/* What a query of several batches cannot have: the subject is read again for each, and filters are numbered through the whole query. */
static int check_batches(const seeds_job *job)
{
    uint64_t size;

    if (job->query.n_batches == 1)
        return CLI_OK;
    if (job->stats != NULL || job->only_filter)
        return cli_fail(command, CLI_USAGE, "%s is of the filters of one batch, and the query has %zu of up to %zu bases: split it",
                        job->stats != NULL ? "--stats" : "--stage filter", job->query.n_batches, job->query_batch);
    for (size_t i = 0; i < job->subjects.n; i++) {
        if (!io_stream_path_size(job->subjects.items[i], &size))
            return cli_fail(command, CLI_USAGE,
                            "%s: the query has %zu batches of up to %zu bases, and the subject is read once for each: it has to be a file",
                            strcmp(job->subjects.items[i], "-") == 0 ? "standard input" : job->subjects.items[i], job->query.n_batches,
                            job->query_batch);
    }
    return CLI_OK;
}

/* After a failure: 1 if the CPU takes over. */
static int falls_back(seeds_job *job, tms_status status, const char *what)
{
    if (job->ctx != job->gpu)
        return 0;
    io_progress_clear(&job->progress);
    if (!cli_fall_back(&job->common, job->gpu, status, what))
        return 0;
    job->ctx = job->cpu;
    return 1;
}

/* Waits for the GPU, which opens while the query is read, and copies the filters to it. */
static int use_gpu(seeds_job *job)
{
    int code = device_start_end(&job->start, &job->gpu);
    tms_status status;

    seqio_dna_set_ahead(job->subject_dna, SEQIO_DNA_AHEAD);
    if (code != CLI_OK || job->gpu == NULL)
        return code;
    job->ctx = job->gpu;
    status = tms_seeds_upload(job->gpu, job->seeds);
    return status == TMS_OK || falls_back(job, status, CLI_GPU_IS_FULL) ? CLI_OK : fail_library(job, status);
}

/* Makes the table and the filters of the query's batch that is searched now, on a GPU too if one is in use. */
static int index_batch(seeds_job *job)
{
    const tms_dna *batch = job->query.batches[job->query.batch].dna;
    io_error err;
    io_status copied;
    tms_status status = tms_seeds_create(job->ctx, &job->asked, batch, &job->seeds);

    if (status != TMS_OK && falls_back(job, status, CLI_GPU_IS_FULL))
        status = tms_seeds_create(job->ctx, &job->asked, batch, &job->seeds);
    if (status == TMS_OK && job->joins && job->query.n_batches > 1)
        status = seed_query_find_borders(&job->query, job->cpu, job->seeds, job->asked.word_size);
    if (status != TMS_OK)
        return fail_library(job, status);
    tms_seeds_get_info(job->seeds, &job->info);
    copied = seed_writer_create(&job->query, job->asked.word_size, job->cpu, job->out_file, &job->writer, &err);
    return copied == IO_OK ? CLI_OK : fail_io(job, copied, &err);
}

static void remark_bitmap(const seeds_job *job)
{
    unsigned long long kib = job->info.params.m_bits >> 13;

    if (job->common.quiet || job->asked.schedule == TMS_SCHEDULE_BITMAP || job->info.params.schedule != TMS_SCHEDULE_BITMAP)
        return;
    cli_say(command, "w = %u: an exact bitmap of %llu %s%s instead of a Bloom filter (--filter bloom forces one)",
            job->info.params.word_size, kib >> 10 ? kib >> 10 : kib, kib >> 10 ? "MiB" : "KiB",
            job->info.n_sub_queries > 1 ? " for each sub-query" : "");
}

/* Makes room for hits or passes, pinned if a GPU searches. */
static int reserve(seeds_job *job, size_t n_bytes)
{
    if (n_bytes <= job->found_bytes)
        return CLI_OK;
    tms_host_free(job->ctx, job->found);
    job->found = NULL;
    job->found_bytes = 0;
    if (tms_host_alloc(job->ctx, n_bytes, &job->found) != TMS_OK) {
        io_progress_end(&job->progress);
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for a batch of %zu bases: give a smaller --batch", job->batch_bases);
    }
    job->found_bytes = n_bytes;
    return CLI_OK;
}

/* A match that begins in this piece may extend into later chunks: reads them until its end is known. */
static io_status put_matches(seeds_job *job, const seqio_dna_piece *piece, const seeds_found *found, io_error *err)
{
    seed_matches how = {.least = job->min_length, .has_lines = job->bed && !job->only_count, .plot = job->picture.plot};
    int needs_length = seed_matches_need_length(&how, job->asked.word_size);
    io_status status = IO_OK;

    while (needs_length && status == IO_OK && seed_writer_needs_more(job->writer, piece, found))
        status = seqio_dna_ahead_more(job->ahead, err);
    if (status != IO_OK && status != IO_END)
        return status;
    if (job->plot != NULL && !seeds_plot_subject(&job->picture, piece, &how.first_base))
        return io_fail_memory(err, "the plot");
    return seed_writer_put_matches(job->writer, piece, found, &how, &job->n_matches, err);
}

/* With --stats the same pass also counts for each sub-query. */
static tms_status scan_here(seeds_job *job, const tms_dna *subject, tms_seed_hit *hits, size_t *n_hits)
{
    if (job->subs == NULL)
        return tms_seeds_scan(job->ctx, job->seeds, subject, hits, n_hits, &job->tally);
    return tms_seeds_scan_and_measure(job->ctx, job->seeds, subject, hits, n_hits, &job->tally, job->subs);
}

static tms_status scan_chunk(seeds_job *job, const tms_dna *subject, tms_seed_hit *hits, size_t *n_hits)
{
    tms_status status = scan_here(job, subject, hits, n_hits);

    return status != TMS_OK && falls_back(job, status, CLI_GPU_FAILED) ? scan_here(job, subject, hits, n_hits) : status;
}

/* piece: with matches, the piece whose chunk is the subject; otherwise NULL. */
static int scan(seeds_job *job, const tms_dna *subject, const seqio_dna_piece *piece)
{
    uint64_t n_before = job->tally.n_seeds;
    seeds_found found = {.seeds = job->seeds};
    tms_status status;
    io_status written;
    io_error err;
    int code;

    if (job->only_count && !job->joins) {
        status = scan_chunk(job, subject, NULL, NULL);
        return status == TMS_OK ? CLI_OK : fail_library(job, status);
    }
    code = reserve(job, (subject->n_bases + TMS_SEEDS_MAX_WORD) * sizeof(tms_seed_hit));
    if (code != CLI_OK)
        return code;
    status = scan_chunk(job, subject, job->found, &found.n_hits);
    if (status != TMS_OK)
        return fail_library(job, status);
    found.hits = job->found;
    found.n_seeds = job->tally.n_seeds - n_before;
    written = job->joins ? put_matches(job, piece, &found, &err) : seed_writer_put_seeds(job->writer, subject, &found, &err);
    return written == IO_OK ? CLI_OK : fail_io(job, written, &err);
}

static int filter(seeds_job *job, const tms_dna *subject)
{
    size_t capacity = job->info.n_sub_queries > PASSES ? job->info.n_sub_queries : PASSES, from = 0;
    int code = reserve(job, capacity * sizeof(tms_seed_pass));

    while (code == CLI_OK && from < subject->n_bases) {
        size_t n;
        tms_status status = tms_seeds_filter(job->ctx, job->seeds, subject, from, job->found, capacity, &n, &from, &job->tally);
        if (status != TMS_OK && falls_back(job, status, CLI_GPU_FAILED))
            continue;
        if (status != TMS_OK)
            return fail_library(job, status);
        job->n_passes += n;
        if (!job->only_count) {
            io_error err;
            io_status written = seed_writer_put_passes(job->writer, subject, job->found, n, &err);
            code = written == IO_OK ? CLI_OK : fail_io(job, written, &err);
        }
    }
    return code;
}

static int run_subject(seeds_job *job)
{
    static const char *const headers[] = {"query\tq_start\tsubject\ts_start\tstrand\n", "subject\ts_start\tsub_query\n"};
    const char *header = headers[job->only_filter];
    const seqio_dna_piece *piece = NULL;
    seqio_dna_chunk chunk;
    io_error err;
    io_status status = job->header && job->query.batch == 0 ? io_safe_file_write(job->out_file, header, strlen(header), &err) : IO_OK;

    if (status == IO_OK && job->joins)
        status = seqio_dna_ahead_create(job->subject_dna, &job->ahead, &err);
    while (status == IO_OK) {
        int code;
        status = job->joins ? seqio_dna_ahead_next(job->ahead, &piece, &err) : seqio_dna_next(job->subject_dna, &chunk, &err);
        if (status != IO_OK)
            break;
        if (job->joins)
            chunk = piece->chunk;
        code = job->only_filter ? filter(job, &chunk.dna) : scan(job, &chunk.dna, piece);
        if (code != CLI_OK)
            return code;
        if (!job->common.quiet && job->query.batch == 0)
            record_notes_add(&job->subject_notes, &chunk.dna);
        if (job->only_filter && job->subs != NULL) { /* once per chunk: filter() may take several calls */
            tms_status measured = tms_seeds_measure(job->ctx, job->seeds, &chunk.dna, job->subs);
            if (measured != TMS_OK && falls_back(job, measured, CLI_GPU_FAILED))
                measured = tms_seeds_measure(job->ctx, job->seeds, &chunk.dna, job->subs);
            if (measured != TMS_OK)
                return fail_library(job, measured);
        }
        io_progress_update(&job->progress, job->query.batch * job->subject_bytes + chunk.n_read, job->tally.n_tested);
    }
    return status == IO_END ? CLI_OK : fail_io(job, status, &err);
}

static int write_stats(seeds_job *job)
{
    seeds_stats stats = {.queries = job->queries.items,
                         .subjects = job->subjects.items,
                         .n_queries = job->queries.n,
                         .n_subjects = job->subjects.n,
                         .db = job->db,
                         .asked = &job->asked,
                         .info = &job->info,
                         .device = tms_context_device(job->ctx),
                         .query_totals = job->query_totals,
                         .tally = &job->tally,
                         .only_filter = job->only_filter,
                         .subs = job->subs};
    io_error err;
    io_status status;

    seqio_dna_get_totals(job->subject_dna, &stats.subject_totals);
    status = seeds_stats_write(&stats, job->stats_file, &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->stats_file, &err);
        job->stats_file = NULL;
    }
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

static int write_plot(seeds_job *job)
{
    seeds_plot_text text = {.path = job->plot,
                            .query = job->queries.items[0],
                            .subject = job->db != NULL ? job->db : job->subjects.items[0],
                            .word_size = job->asked.word_size,
                            .least = job->min_length};
    io_error err;
    io_status status = seeds_plot_write(&job->picture, &text, job->plot_file, &err);

    if (status == IO_OK) {
        status = io_safe_file_commit(job->plot_file, &err);
        job->plot_file = NULL;
    }
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* Commits the output; with --count it is the number n. */
static int end_output(seeds_job *job, uint64_t n)
{
    char text[DECIMAL_MAX + 1], *end = decimal_put(text, n);
    io_error err;
    io_status status = IO_OK;

    *end++ = '\n';
    if (job->only_count)
        status = io_safe_file_write(job->out_file, text, (size_t)(end - text), &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->out_file, &err);
        job->out_file = NULL;
    }
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

static int finish(seeds_job *job)
{
    const tms_seeds_tally *tally = &job->tally;
    unsigned long long n_seeds = tally->n_seeds;
    unsigned long long n = job->only_filter ? job->n_passes : job->joins ? job->n_matches : n_seeds;
    unsigned long long n_tested = tally->n_tested / job->query.n_batches, n_passed = tally->n_passed, n_true = tally->n_true;
    double seconds = io_progress_elapsed(&job->progress);
    char batches[64] = "";
    int code;

    if (job->query.n_batches > 1)
        snprintf(batches, sizeof batches, ", in %zu batches of the query together", job->query.n_batches);

    io_progress_end(&job->progress);
    code = end_output(job, n);
    if (code == CLI_OK && job->plot_file != NULL)
        code = write_plot(job);
    if (code == CLI_OK && job->stats_file != NULL)
        code = write_stats(job);
    if (code != CLI_OK || job->common.quiet)
        return code;
    record_notes_say(&job->subject_notes, command, "subject", job->asked.word_size, n_tested);
    if (job->only_filter)
        cli_say(command, "%llu pass%s of %u sub-quer%s: %llu of %llu w-mers of the subject, %.2f s", n, n == 1 ? "" : "es",
                job->info.n_sub_queries, job->info.n_sub_queries == 1 ? "y" : "ies", n_passed, n_tested, seconds);
    else if (job->joins)
        cli_say(command,
                "%llu match%s of %zu bases or more, joined from %llu seed%s: of %llu w-mers of the subject %llu pass the "
                "filter and %llu are in the query%s, %.2f s",
                n, n == 1 ? "" : "es", job->min_length, n_seeds, CLI_PLURAL(n_seeds), n_tested, n_passed, n_true, batches, seconds);
    else
        cli_say(command, "%llu seed%s of %u bases: of %llu w-mers of the subject %llu pass the filter and %llu are in the query%s, %.2f s",
                n, CLI_PLURAL(n), job->info.params.word_size, n_tested, n_passed, n_true, batches, seconds);
    return code;
}

static int prepare_stats(seeds_job *job)
{
    size_t n = job->info.n_sub_queries;

    if (job->stats == NULL)
        return CLI_OK;
    job->subs = calloc(n ? n : 1, sizeof *job->subs);
    if (job->subs == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for the statistics of %zu sub-queries", n);
    tms_seeds_sub_queries(job->seeds, job->subs);
    return CLI_OK;
}

static io_status open_outputs(seeds_job *job, io_error *err)
{
    io_output out = {.path = job->out,
                     .inputs = job->queries.items,
                     .n_inputs = job->queries.n + job->subjects.n,
                     .is_kind = io_is_no_kind,
                     .kind = "empty",
                     .force = job->common.force},
              stats = out, plot = out;
    io_status status = io_safe_file_open(&out, &job->out_file, err);

    stats.path = job->stats;
    stats.is_kind = seeds_stats_is;
    stats.kind = "statistics of tamis seeds";
    stats.beside_stdout = strcmp(job->out, "-") == 0;
    if (status == IO_OK && job->stats != NULL)
        status = io_safe_file_open(&stats, &job->stats_file, err);
    plot.path = job->plot;
    plot.is_kind = seeds_plot_is;
    plot.kind = "a picture or a page";
    plot.beside_stdout = strcmp(job->out, "-") == 0 && job->bed;
    return status == IO_OK && job->plot != NULL ? io_safe_file_open(&plot, &job->plot_file, err) : status;
}

/* *size [out] bytes of bases in the database. */
static int open_database(seeds_job *job, uint64_t *size)
{
    tms_status status = tms_seqdb_open(job->cpu, job->db, TMS_NUCLEOTIDE, &job->subject_db);
    tms_seqdb_info info;

    if (status != TMS_OK)
        return cli_fail_database(command, job->cpu, status);
    io_map_watch(path_at, job->subject_db);
    tms_seqdb_get_info(job->subject_db, &info);
    if (info.n_residues == 0)
        return cli_fail(command, CLI_USAGE, "%s: no sequence: the database is empty", job->db);
    *size = info.n_residues / 4;
    return CLI_OK;
}

static int open_subject(seeds_job *job, size_t n_ahead)
{
    return open_dna(&job->subjects, job->subject_db, job->batch_bases, job->asked.word_size - 1, n_ahead, &job->subject_dna);
}

static void close_batch(seeds_job *job)
{
    seqio_dna_ahead_destroy(job->ahead);
    seqio_dna_close(job->subject_dna);
    seed_writer_destroy(job->writer);
    tms_seeds_destroy(job->seeds);
    job->ahead = NULL;
    job->subject_dna = NULL;
    job->writer = NULL;
    job->seeds = NULL;
}

/* Searches for a batch of the query. The first one's subject is open already. */
static int run_batch(seeds_job *job)
{
    int code = CLI_OK;

    if (job->query.batch > 0) {
        close_batch(job);
        seeds_plot_again(&job->picture);
        code = open_subject(job, 0);
    }
    if (code == CLI_OK)
        code = index_batch(job);
    if (code != CLI_OK || job->query.batch > 0)
        return code == CLI_OK ? run_subject(job) : code;
    if (!job->common.quiet)
        record_notes_say(&job->query_notes, command, "query", job->asked.word_size, job->info.n_words);
    code = use_gpu(job);
    if (code != CLI_OK)
        return code;
    remark_bitmap(job);
    code = prepare_stats(job);
    return code == CLI_OK ? run_subject(job) : code;
}

static int run(seeds_job *job)
{
    uint64_t total = cli_input_bytes(job->subjects.items, job->subjects.n);
    io_error err;
    io_status status = open_outputs(job, &err);
    int code = status == IO_OK ? cli_context_create(&job->common, &job->cpu) : cli_fail_io(command, status, &err);

    job->ctx = job->cpu;
    cli_note_terminal(&job->common, job->queries.items, job->queries.n);
    cli_note_terminal(&job->common, job->subjects.items, job->subjects.n);
    if (code == CLI_OK && job->db != NULL)
        code = open_database(job, &total);
    if (code == CLI_OK)
        code = open_dna(&job->queries, NULL, job->query_batch, job->asked.word_size - 1, 0, &job->query_dna);
    if (code == CLI_OK)
        code = open_subject(job, cli_wants_gpu(&job->common, total, 0) ? BASES_AHEAD / job->batch_bases : 0);
    if (code == CLI_OK)
        code = device_start_begin(&job->start, &job->common, total, 0);
    if (code != CLI_OK)
        return code;
    io_progress_start(&job->progress, command, "w-mers", total == UINT64_MAX ? 0 : total,
                      job->common.quiet ||
                          (!job->only_count && (job->bed || job->plot == NULL) && strcmp(job->out, "-") == 0 && isatty(STDOUT_FILENO)));
    job->subject_bytes = job->progress.total_bytes;
    code = read_query(job);
    if (code == CLI_OK)
        code = check_batches(job);
    job->progress.total_bytes *= job->query.n_batches;
    for (; code == CLI_OK && job->query.batch < job->query.n_batches; job->query.batch++)
        code = run_batch(job);
    return code == CLI_OK ? finish(job) : code;
}

static int is_named(const char *path, const option_paths *paths)
{
    for (size_t i = 0; i < paths->n; i++)
        if (strcmp(paths->items[i], path) == 0)
            return 1;
    return 0;
}

/* Checks what the table of options cannot express. */
static int check_options(const seeds_job *job)
{
    if (job->subjects.n == 0 && job->db == NULL)
        return cli_fail_usage(command, "which subject? Give -subject FILE or -db NAME");
    if (is_named("-", &job->queries) && is_named("-", &job->subjects))
        return cli_fail_usage(command, "standard input can be the query or the subject, not both");
    if (job->stats != NULL && strcmp(job->stats, "-") == 0)
        return cli_fail_usage(command, "standard output is for the seeds: --stats needs a file");
    if (job->stats != NULL && strcmp(job->out, job->stats) == 0)
        return cli_fail_usage(command, "-out and --stats name the same file: give two names");
    if (job->asked.only_bloom && job->asked.schedule == TMS_SCHEDULE_BITMAP)
        return cli_fail_usage(command, "--filter bloom excludes a bitmap, and --schedule bitmap asks for one: give one of them");
    if (job->plot != NULL && seeds_plot_form_of(job->plot) == SEEDS_PLOT_NONE)
        return cli_fail_usage(command, "%s: a picture is .svg or .png, and a page .html: give the file such a name", job->plot);
    if (job->plot != NULL && (strcmp(job->out, job->plot) == 0 || (job->stats != NULL && strcmp(job->stats, job->plot) == 0)))
        return cli_fail_usage(command, "--plot names the same file as -out or --stats: give two names");
    return CLI_OK;
}

static int take_options(seeds_job *job, int argc, char **argv, int *code)
{
    options_given given;

    if (!cli_options(&seeds_options, argc, argv, &job->common, &given, code))
        return 0;
    memcpy(job->queries.items + job->queries.n, job->subjects.items, job->subjects.n * sizeof *job->subjects.items);
    *code = check_options(job);
    job->joins = job->bed || job->plot != NULL;
    job->min_length = job->min_length > job->asked.word_size ? job->min_length : job->asked.word_size;
    if (*code == CLI_OK && job->plot != NULL && !seeds_plot_create(&job->picture))
        *code = cli_fail(command, CLI_NO_MEMORY, "out of memory for the plot");
    return *code == CLI_OK;
}

int cmd_seeds(int argc, char **argv)
{
    seeds_job job;
    int code;

    memset(&job, 0, sizeof job);
    tms_seeds_params_init(&job.asked);
    job.queries.items = calloc((size_t)argc, sizeof *job.queries.items); /* a file takes at least one argument */
    job.subjects.items = calloc((size_t)argc, sizeof *job.subjects.items);
    if (job.queries.items == NULL || job.subjects.items == NULL)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory");
    else if (take_options(&job, argc, argv, &code))
        code = run(&job);
    io_progress_end(&job.progress);
    io_safe_file_abort(job.out_file);
    io_safe_file_abort(job.stats_file);
    io_safe_file_abort(job.plot_file);
    seeds_plot_free(&job.picture);
    close_batch(&job);
    seqio_dna_close(job.query_dna);
    seed_query_free(&job.query);
    io_map_watch(NULL, NULL);
    tms_seqdb_destroy(job.subject_db);
    free(job.subs);
    device_start_close(&job.start);
    if (job.cpu != NULL)
        tms_host_free(job.cpu, job.found);
    tms_context_destroy(job.gpu);
    tms_context_destroy(job.cpu);
    record_notes_free(&job.query_notes);
    record_notes_free(&job.subject_notes);
    free(job.queries.items);
    free(job.subjects.items);
    return code;
}
