/* blast_reports.c - see blast_reports.h. */
#include "cli/blast/blast_reports.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alphabet/residues.h"
#include "base/array.h"
#include "base/clock.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_page.h"

/* "3, 17 ": the first positions of a residue in a query, which BLAST+ counts from 0 here. */
static io_status add_positions(const tms_search_result *result, uint8_t code, struct byte_array *to, io_error *err)
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

/* Appends the warnings about a query: sentences, each ending in a blank; then a NUL. */
static io_status find_warning(const blast_job *job, const tms_search_result *result, struct byte_array *to, io_error *err)
{
    static const char no_data[] = "Sequence contains no data ",
                      not_valid[] = "Could not calculate ungapped Karlin-Altschul parameters due to an invalid query sequence or its "
                                    "translation. Please verify the query sequence(s) and/or filtering options ",
                      nothing_left[] = "Filtering resulted in an empty database. ",
                      has_o[] = "One or more O characters replaced by X for alignment score calculations at positions ";
    const char *const first = job->plan.first_warning;
    io_status status = IO_OK;

    if (first != NULL && job->run.residues_put < job->plan.batch_residues && !byte_array_add(to, first, strlen(first)))
        return io_fail_memory(err, "a warning");
    /* Of translated queries BLAST+ speaks only if it cannot search with a whole batch. */
    if (!result->is_valid && (result->frames == NULL || result->query_length == 0 || !result->batch_is_valid)) {
        const char *text = result->query_length == 0 ? no_data : not_valid;
        status = byte_array_add(to, text, strlen(text)) ? IO_OK : io_fail_memory(err, "a warning");
    }
    if (status == IO_OK && job->query_molecule == TMS_PROTEIN && result->query_length > 0 &&
        memchr(result->codes, CODE_O, result->query_length) != NULL) {
        status = byte_array_add(to, has_o, sizeof has_o - 1) ? IO_OK : io_fail_memory(err, "a warning");
        if (status == IO_OK)
            status = add_positions(result, CODE_O, to, err);
    }
    if (status == IO_OK && job->run.is_empty && !byte_array_add(to, nothing_left, sizeof nothing_left - 1))
        status = io_fail_memory(err, "a warning");
    if (status != IO_OK)
        return status;
    return byte_array_add(to, "", 1) ? IO_OK : io_fail_memory(err, "a warning");
}

static io_status say_warning(blast_job *job, const struct report_query *query, io_error *err)
{
    const enum report_family family = job->plan.format.writer->family;
    struct byte_array label = {NULL, 0, 0};
    io_status status;

    if (blast_is_quiet(job) || family == REPORT_MARKUP || family == REPORT_READS) /* with these BLAST+ writes none here */
        return IO_OK;
    status = report_query_label(job->run.report, query, &label, err);
    if (status == IO_OK) {
        io_progress_clear(&job->run.progress);
        fprintf(stderr, "Warning: [%s] %.*s: %s\n", job->common.command, (int)label.n, (const char *)label.bytes, query->warning);
    }
    free(label.bytes);
    return status;
}

static void say_cut(blast_job *job, const tms_search_result *result)
{
    if (!result->is_cut || job->run.has_warned_of_cut || job->common.quiet)
        return;
    job->run.has_warned_of_cut = 1;
    io_progress_clear(&job->run.progress);
    cli_say(job->common.command, "a query has more subjects than -max_target_seqs %u: tamis reports only the best (shown once)",
            (unsigned)job->plan.max_target_seqs);
}

static struct report_query query_of(const blast_job *job, const tms_seqs *seqs, size_t i)
{
    const seqio_blast_whole *whole = &seqio_blast_records_wholes(job->run.queries)[seqs->first_record - job->run.call_first + i];

    return (struct report_query){.number = whole->number + 1,
                                 .header = seqs->headers + seqs->header_starts[i],
                                 .header_size = (size_t)tms_seqs_header_size(seqs, i),
                                 .offset = job->plan.query_part.start,
                                 .n_unnamed = whole->n_unnamed,
                                 .typed_length = job->plan.query_part.end - job->plan.query_part.start,
                                 .full_length = whole->n_residues};
}

void blast_skip_queries(blast_job *job, const tms_seqs *seqs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct report_query query = query_of(job, seqs, i);
        report_skip(job->run.report, &query);
        job->run.residues_put += tms_seqs_length(seqs, i);
    }
}

/* --- calls --- */

/* The queries of a call, and their results as far as they are known. */
struct blast_answers {
    size_t first, n; /* queries of the call: first .. first + n - 1 */
    struct report_query *queries;
    tms_search_result *results; /* of the queries */
    size_t *warning_starts;     /* offset of each query's warnings */
    struct byte_array headers, warnings;
    size_t queries_capacity, results_capacity, warnings_capacity, complete_capacity;
    uint64_t offset, end; /* bytes of the queries' file, and queries, up to the end of the call's */
    char note_before[IO_RESUMABLE_NOTE];
    pthread_mutex_t lock;    /* guards what follows */
    pthread_cond_t changed;  /* more results are complete, or no more will be */
    tms_search_results *all; /* NULL: none is complete; set once */
    bool *is_complete;       /* [n] */
    bool is_over;            /* the call has ended */
    char note_after[IO_RESUMABLE_NOTE];
};

static struct blast_answers *make_answers(void)
{
    struct blast_answers *a = calloc(1, sizeof *a);

    if (a == NULL)
        return NULL;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    return a;
}

static bool reserve_answers(struct blast_answers *a, size_t n)
{
    return array_reserve(&a->queries, &a->queries_capacity, n, sizeof *a->queries) &&
           array_reserve(&a->results, &a->results_capacity, n, sizeof *a->results) &&
           array_reserve(&a->warning_starts, &a->warnings_capacity, n, sizeof *a->warning_starts) &&
           array_reserve(&a->is_complete, &a->complete_capacity, n, sizeof *a->is_complete);
}

static void free_answers(struct blast_answers *a)
{
    if (a == NULL)
        return;
    tms_search_results_destroy(a->all);
    free(a->queries);
    free(a->results);
    free(a->warning_starts);
    free(a->headers.bytes);
    free(a->warnings.bytes);
    free(a->is_complete);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* Headers are copied, because the next batch is read before they are written. */
io_status blast_expect_results(blast_job *job, const tms_seqs *seqs, size_t first, const char *note, io_error *err)
{
    struct blast_answers *a = job->run.answers[job->run.n_expected % WRITE_BEHIND_WORKS];
    const char *const headers = seqs->headers + seqs->header_starts[first];

    a->first = first;
    a->n = seqs->n_records - first;
    a->headers.n = 0;
    if (!reserve_answers(a, a->n + 1) ||
        !byte_array_add(&a->headers, headers, seqs->header_starts[seqs->n_records] - seqs->header_starts[first]))
        return io_fail_memory(err, "the queries of a batch");
    for (size_t i = 0; i < a->n; i++) {
        a->queries[i] = query_of(job, seqs, first + i);
        a->queries[i].result = &a->results[i];
        a->queries[i].header = (const char *)a->headers.bytes + (a->queries[i].header - headers);
    }
    memset(a->is_complete, 0, a->n * sizeof *a->is_complete);
    a->is_over = false;
    a->offset = seqio_blast_records_offset(job->run.queries);
    a->end = seqs->first_record + seqs->n_records;
    snprintf(a->note_before, sizeof a->note_before, "%s", note);
    job->run.n_expected++;
    return IO_OK;
}

/* The queries that the search has now. */
static struct blast_answers *expected(const blast_job *job) { return job->run.answers[(job->run.n_expected - 1) % WRITE_BEHIND_WORKS]; }

void blast_take_result(void *arg, tms_search_results *results, size_t i)
{
    struct blast_answers *a = expected(arg);

    pthread_mutex_lock(&a->lock);
    if (a->all == NULL)
        a->all = results;
    if (i >= a->first)
        a->is_complete[i - a->first] = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

void blast_end_results(blast_job *job, tms_search_results *results, bool are_complete, const char *note)
{
    struct blast_answers *a = expected(job);

    pthread_mutex_lock(&a->lock);
    if (a->all == NULL)
        a->all = results;
    for (size_t i = 0; i < a->n && are_complete; i++)
        a->is_complete[i] = true;
    snprintf(a->note_after, sizeof a->note_after, "%s", note);
    a->is_over = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

/*
 * Waits until results behind the first `from` are complete, which follow each other in order. Returns their number; 0: no more will be
 * complete.
 */
static size_t await_results(struct blast_answers *a, size_t from)
{
    size_t end = from;

    pthread_mutex_lock(&a->lock);
    while (!a->is_over && (from == a->n || !a->is_complete[from]))
        pthread_cond_wait(&a->changed, &a->lock);
    while (end < a->n && a->is_complete[end])
        end++;
    pthread_mutex_unlock(&a->lock);
    return end - from;
}

/* Takes over the results of n queries. */
static io_status find_results(blast_job *job, struct blast_answers *a, size_t first, size_t n, io_error *err)
{
    io_status status = IO_OK;

    a->warnings.n = 0;
    for (size_t i = first; i < first + n && status == IO_OK; i++) {
        tms_search_results_get(a->all, a->first + i, &a->results[i]);
        a->warning_starts[i] = a->warnings.n;
        status = find_warning(job, &a->results[i], &a->warnings, err);
        job->run.residues_put += a->results[i].query_length;
    }
    for (size_t i = first; i < first + n && status == IO_OK; i++) {
        const char *text = (const char *)a->warnings.bytes + a->warning_starts[i];
        a->queries[i].warning = text[0] != '\0' ? text : NULL;
    }
    return status;
}

/* Writes the text to the output. If the report's end has all of it, the queries are not in the output before. */
static io_status flush(blast_job *job, const struct blast_answers *a, io_error *err)
{
    io_status status;

    if (job->plan.format.writer->collect != NULL)
        return IO_OK;
    io_resumable_set_note(job->run.output, job->run.n_done < a->end ? a->note_before : a->note_after);
    status = io_resumable_put(job->run.output, job->run.text.bytes, job->run.text.n, job->run.n_done, err);

    job->run.text.n = 0;
    return status;
}

/* Frees the alignments of a query that is written. */
static void drop_answer(struct blast_answers *a, size_t i)
{
    a->results[i].n_subjects = 0;
    tms_search_results_drop(a->all, a->first + i);
}

/* Queries that are being written. */
struct writing {
    blast_job *job;
    struct blast_answers *answers;
    size_t first;
};

/* A report_take(). The end of a call's text is kept until the call has ended. */
static io_status take_text(void *arg, size_t i, const struct byte_array *text, io_error *err)
{
    enum { ENOUGH = 1 << 20 };
    const struct writing *w = arg;
    blast_job *job = w->job;
    const struct report_query *query = &w->answers->queries[w->first + i];
    io_status status = query->warning != NULL ? say_warning(job, query, err) : IO_OK;

    say_cut(job, query->result);
    if (status != IO_OK || text == NULL)
        return status;
    if (!byte_array_add(&job->run.text, text->bytes, text->n))
        return io_fail_memory(err, "a report");
    job->run.n_done++;
    drop_answer(w->answers, w->first + i);
    status = report_check_size(job->plan.format.writer, job->run.n_done, io_resumable_bytes(job->run.output) + job->run.text.n, err);
    if (status != IO_OK)
        io_resumable_drop(job->run.output);
    return status == IO_OK && job->run.text.n >= ENOUGH && job->run.n_done < w->answers->end ? flush(job, w->answers, err) : status;
}

/* Writes the reports of n queries. */
static io_status put_answers(blast_job *job, struct blast_answers *a, size_t first, size_t n, io_error *err)
{
    const double begun = clock_seconds();
    struct writing writing = {job, a, first};
    io_status status = find_results(job, a, first, n, err);

    if (status == IO_OK)
        status = report_queries_put(job->run.reports, a->queries + first, n, take_text, &writing, err);
    job->run.output_seconds += clock_seconds() - begun;
    return status;
}

io_status blast_put_results(blast_job *job, io_error *err)
{
    struct blast_answers *a = job->run.answers[job->run.n_written++ % WRITE_BEHIND_WORKS];
    const uint64_t n_before = job->run.n_done;
    io_status status = IO_OK;
    io_error ignored;

    for (size_t first = 0, n; status == IO_OK && (n = await_results(a, first)) > 0; first += n)
        status = put_answers(job, a, first, n, err);
    if (status == IO_OK && job->run.n_done > n_before)
        status = flush(job, a, err);
    else if (status != IO_E_OUTPUT && job->run.n_done > n_before) /* after a failed write, text and n_done are not of the same queries */
        (void)flush(job, a, &ignored);
    if (status != IO_OK)
        return status;
    tms_search_results_destroy(a->all);
    a->all = NULL;
    io_progress_update(&job->run.progress, a->offset, a->end);
    return IO_OK;
}

io_status blast_open_reports(blast_job *job, const struct report_program *program, io_error *err)
{
    const struct report_options how = {.format = job->plan.format,
                                       .program = program,
                                       .db = job->run.db,
                                       .subject_masks = job->run.masks,
                                       .hides_masked = job->options.db_hard_mask != NULL,
                                       .taxonomy = job->run.taxonomy,
                                       .db_name = job->options.db_name,
                                       .subject_path = job->options.subject,
                                       .subject_offset = job->plan.subject_part.start,
                                       .subject_lengths = job->run.subject_lengths,
                                       .parse_deflines = job->options.parse_deflines,
                                       .show_gis = job->options.show_gis,
                                       .html = job->options.html,
                                       .has_list = blast_lists_is_positive(&job->options.lists),
                                       .line_length = job->options.line_length,
                                       .n_descriptions = job->plan.n_descriptions,
                                       .n_alignments = job->plan.n_alignments,
                                       .arguments = (const char *const *)job->arguments,
                                       .n_arguments = (size_t)job->n_arguments,
                                       .sort_hits = job->plan.sort_hits,
                                       .sort_hsps = job->plan.sort_hsps};
    io_status status = blast_check_number(job, err);

    if (status == IO_OK)
        status = report_create(job->run.output_ctx, &how, &job->run.report, err);
    for (int i = 0; i < WRITE_BEHIND_WORKS && status == IO_OK; i++)
        if ((job->run.answers[i] = make_answers()) == NULL)
            status = io_fail_memory(err, "reports");
    if (status == IO_OK && tms_context_set_threads(job->run.output_ctx, tms_context_threads(job->run.ctx)) != TMS_OK)
        status = io_fail_memory(err, "reports");
    if (status == IO_OK)
        cli_start_threads(job->run.output_ctx);
    return status == IO_OK ? report_queries_create(job->run.output_ctx, job->run.report, &job->run.reports, err) : status;
}

void blast_close_reports(blast_job *job)
{
    report_queries_free(job->run.reports);
    report_free(job->run.report);
    for (int i = 0; i < WRITE_BEHIND_WORKS; i++)
        free_answers(job->run.answers[i]);
    free(job->run.text.bytes);
}
