/* blastp_reports.c - see blastp_reports.h. */
#include "cli/blast/blastp_reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char command[] = "blastp";

/* "3, 17 " - where a query has an O, from 0, as blastp counts here: the first positions. */
static io_status add_places(const tms_search_result *result, uint8_t code, struct byte_array *to, io_error *err)
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

/* What there is to say about a query, at the end of job->warnings: sentences, each with a blank at its end; and a NUL. */
static io_status find_warning(blastp_job *job, const tms_search_result *result, io_error *err)
{
    static const char no_data[] = "Sequence contains no data ",
                      not_valid[] = "Could not calculate ungapped Karlin-Altschul parameters due to an invalid query sequence or its "
                                    "translation. Please verify the query sequence(s) and/or filtering options ",
                      reset[] = "Composition-based statistics cannot be used with the IDENTITY matrix, resetting the composition-based "
                                "statistics option to 0 ",
                      nothing_left[] = "Filtering resulted in an empty database. ",
                      has_o[] = "One or more O characters replaced by X for alignment score calculations at positions ";
    struct byte_array *to = &job->warnings;
    io_status status = IO_OK;

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

    if (blastp_is_quiet(job) || job->format.writer->family == REPORT_MARKUP) /* they have it in the report */
        return IO_OK;
    status = report_query_label(job->report, query, &label, err);
    if (status == IO_OK) {
        io_progress_clear(&job->progress);
        fprintf(stderr, "Warning: [blastp] %.*s: %s\n", (int)label.n, (const char *)label.bytes, query->warning);
    }
    free(label.bytes);
    return status;
}

static void say_cut(blastp_job *job, const tms_search_result *result)
{
    if (!result->is_cut || job->warned_truncated || job->common.quiet)
        return;
    job->warned_truncated = 1;
    io_progress_clear(&job->progress);
    cli_say(command, "a query has more subjects than the %u of -max_target_seqs: the best of them are reported (said once)",
            (unsigned)job->params.max_target_seqs);
}

static struct report_query query_of(const blastp_job *job, const tms_seqs *seqs, size_t i)
{
    const seqio_blast_whole *whole = &seqio_blast_records_wholes(job->queries)[i];

    return (struct report_query){.number = whole->number + 1,
                                 .header = seqs->headers + seqs->header_starts[i],
                                 .header_size = (size_t)tms_seqs_header_size(seqs, i),
                                 .offset = job->query_part.start,
                                 .n_unnamed = whole->n_unnamed,
                                 .typed_length = job->query_part.end - job->query_part.start,
                                 .full_length = whole->n_residues};
}

/* --- a batch --- */

struct blastp_answers {
    struct report_query *queries;
    tms_search_result *results; /* of them */
    size_t *warnings;           /* where each one's begins in job->warnings */
    size_t queries_capacity, results_capacity, warnings_capacity;
};

static io_status reserve_answers(blastp_job *job, size_t n, io_error *err)
{
    struct blastp_answers *a = job->answers;

    if (a == NULL)
        a = job->answers = calloc(1, sizeof *a);
    if (a != NULL && array_reserve(&a->queries, &a->queries_capacity, n, sizeof *a->queries) &&
        array_reserve(&a->results, &a->results_capacity, n, sizeof *a->results) &&
        array_reserve(&a->warnings, &a->warnings_capacity, n, sizeof *a->warnings))
        return IO_OK;
    return io_fail_memory(err, "the queries of a batch");
}

void blastp_answers_free(struct blastp_answers *answers)
{
    if (answers == NULL)
        return;
    free(answers->queries);
    free(answers->results);
    free(answers->warnings);
    free(answers);
}

/* Queries `first` and what comes after it in a batch, with their results and warnings. */
static io_status gather_answers(blastp_job *job, const tms_seqs *seqs, const tms_search_results *results, size_t first, io_error *err)
{
    const size_t n = seqs->n_records - first;
    io_status status = reserve_answers(job, n, err);
    struct blastp_answers *a = job->answers;

    job->warnings.n = 0;
    for (size_t i = 0; i < n && status == IO_OK; i++) {
        a->queries[i] = query_of(job, seqs, first + i);
        a->queries[i].result = &a->results[i];
        tms_search_results_get(results, first + i, &a->results[i]);
        job->resets_composition &= job->residues_put < job->params.batch_residues; /* blastp says it of the first batch */
        job->residues_put += a->results[i].query_length;
        a->warnings[i] = job->warnings.n;
        status = find_warning(job, &a->results[i], err);
    }
    for (size_t i = 0; i < n && status == IO_OK; i++) {
        const char *text = (const char *)job->warnings.bytes + a->warnings[i];
        a->queries[i].warning = text[0] != '\0' ? text : NULL;
    }
    return status;
}

/* What was put goes to the output, with as many queries as are done. */
static io_status flush(blastp_job *job, io_error *err)
{
    const io_status status = io_resumable_put(job->output, job->text.bytes, job->text.n, job->n_done, err);

    job->text.n = 0;
    return status;
}

/* The text of a query of the batch, which is the next one. */
static io_status take_text(void *arg, size_t i, const struct byte_array *text, io_error *err)
{
    enum { ENOUGH = 1 << 20 };
    blastp_job *job = arg;
    const struct report_query *query = &job->answers->queries[i];
    io_status status = query->warning != NULL ? say_warning(job, query, err) : IO_OK;

    say_cut(job, query->result);
    if (status != IO_OK || text == NULL)
        return status;
    if (!byte_array_add(&job->text, text->bytes, text->n))
        return io_fail_memory(err, "a report");
    job->n_done++;
    return job->text.n >= ENOUGH ? flush(job, err) : IO_OK;
}

static void skip_queries(blastp_job *job, const tms_seqs *seqs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct report_query query = query_of(job, seqs, i);
        report_skip(job->report, &query);
        job->residues_put += tms_seqs_length(seqs, i);
    }
}

io_status blastp_put_queries(blastp_job *job, const tms_seqs *seqs, const tms_search_results *results, io_error *err)
{
    const uint64_t n_before = job->n_done;
    const size_t n_put = n_before > seqs->first_record ? (size_t)(n_before - seqs->first_record) : 0;
    io_error ignored;
    io_status status;

    skip_queries(job, seqs, n_put);
    status = gather_answers(job, seqs, results, n_put, err);
    if (status == IO_OK)
        status = report_queries_put(job->reports, job->answers->queries, seqs->n_records - n_put, take_text, job, err);
    if (status == IO_OK)
        return flush(job, err);
    if (job->n_done > n_before) /* those before the one that failed; that is what there is to tell of */
        (void)flush(job, &ignored);
    return status;
}

void blastp_skip_batch(blastp_job *job, const tms_seqs *seqs) { skip_queries(job, seqs, seqs->n_records); }
