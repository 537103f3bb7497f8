/* blastp_reports.c - see blastp_reports.h. */
#include "blastp_reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char command[] = "blastp";

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

io_status blastp_put_queries(blastp_job *job, const tms_seqs *seqs, const tms_blastp_results *results, io_error *err)
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

void blastp_skip_batch(blastp_job *job, const tms_seqs *seqs)
{
    for (size_t i = 0; i < seqs->n_records; i++) {
        const struct report_query query = query_of(job, seqs, i);
        report_skip(job->report, &query);
        job->letters_put += tms_seqs_length(seqs, i);
    }
}
