/* report.c - see report.h: a report is created, put together by the writer of its format, and freed. */
#include "report/report.h"

#include <stdlib.h>

#include "report/report_common.h"
#include "report/report_writers.h"
#include "seqdb/seqdb_alias.h"

/* ---- create, free ------------------------------------------------------------------------------------------------------------- */

static io_status open_part(tms_context *ctx, struct report *report, struct text name, tms_seqdb **out, io_error *err)
{
    struct byte_array quoted = {0};
    struct report_text t = {.to = &quoted};
    io_status status = IO_OK;

    text_string(&t, "\"");
    text_put(&t, name);
    text_add(&t, "\"", 2);
    if (t.is_lost)
        status = report_fail_memory(err);
    else if (tms_seqdb_open(ctx, (const char *)quoted.bytes, report->db.molecule, out) != TMS_OK)
        status = io_fail(err, IO_E_INPUT, 0, "%s", tms_context_message(ctx));
    free(quoted.bytes);
    return status;
}

/* Opens each of several databases: titles and sizes are shown for each name, also where a name comes twice. */
static io_status open_parts(tms_context *ctx, struct report *report, io_error *err)
{
    struct text list = text_of(report->options.db_name), name;
    struct report_text titles = {.to = &report->db_titles};
    tms_seqdb_info part;
    io_status status = IO_OK;
    size_t n = 0;

    while (seqdb_names_next(&list, &name))
        n++;
    if (n < 2)
        return IO_OK;
    report->parts = calloc(n, sizeof(tms_seqdb *));
    if (report->parts == NULL)
        return report_fail_memory(err);
    report->db.shown_n_sequences = report->db.shown_n_residues = 0;
    list = text_of(report->options.db_name);
    while (status == IO_OK && report->n_parts < n && seqdb_names_next(&list, &name)) {
        status = open_part(ctx, report, name, &report->parts[report->n_parts], err);
        if (status != IO_OK)
            break;
        tms_seqdb_get_info(report->parts[report->n_parts], &part);
        text_string(&titles, report->n_parts++ > 0 ? "; " : "");
        text_string(&titles, part.title);
        report->db.shown_n_sequences += part.shown_n_sequences;
        report->db.shown_n_residues += part.shown_n_residues;
    }
    text_add(&titles, "", 1);
    if (status == IO_OK && titles.is_lost)
        status = report_fail_memory(err);
    report->db.title = (const char *)report->db_titles.bytes;
    return status;
}

/* Records of -subject without an id are numbered among themselves. */
static io_status count_unnamed_subjects(struct report *report, io_error *err)
{
    uint64_t n = 0;
    size_t n_deflines;

    report->unnamed_subjects = calloc(report->db.n_sequences + 1, sizeof *report->unnamed_subjects);
    if (report->unnamed_subjects == NULL)
        return report_fail_memory(err);
    for (uint64_t i = 0; i < report->db.n_sequences; i++) {
        const tms_seqdb_name *name;
        tms_status status = tms_seqdb_names_read(report->options.db, i, report->names, &n_deflines);
        if (status != TMS_OK)
            return report_fail_subject(report, i, status, err);
        name = n_deflines > 0 ? tms_seqdb_names_get(report->names, 0) : NULL;
        n += name == NULL || report_header_is_unnamed(name->title, name->title_size);
        report->unnamed_subjects[i] = n;
    }
    return IO_OK;
}

/* The genetic code of subjects where identities are an order: that of the alignment, which with -subject is the standard one [sic]. */
static int compared_code(const struct report *report)
{
    const struct report_program *program = report->options.program;

    return report->is_of_subjects && program->composition == 0 ? 1 : (int)program->subject_genetic_code;
}

io_status report_create(tms_context *ctx, const struct report_options *options, struct report **out, io_error *err)
{
    const struct report_writer *writer = options->format.writer;
    struct report *report = calloc(1, sizeof *report);
    io_status status = IO_OK;

    *out = NULL;
    if (report == NULL)
        return report_fail_memory(err);
    report->options = *options;
    if (report->options.line_length == 0)
        report->options.line_length = 60;
    if (tms_seqdb_names_create(ctx, &report->names) != TMS_OK) {
        free(report);
        return report_fail_memory(err);
    }
    tms_seqdb_get_info(options->db, &report->db);
    report->is_of_subjects = report->db.version == 0;
    if (report_translates_subjects(report)) /* the search has the codes, too */
        (void)(codon_table_init((int)options->program->subject_genetic_code, &report->subject_codons) &&
               codon_table_init(compared_code(report), &report->compared_codons));
    report_residues_init(options->program, writer->family == REPORT_MARKUP, &report->residues);
    if (!report->is_of_subjects && writer->family != REPORT_TABLE)
        status = open_parts(ctx, report, err);
    if (status == IO_OK && report->is_of_subjects && options->parse_deflines)
        status = count_unnamed_subjects(report, err);
    if (status == IO_OK && writer->prepare != NULL)
        status = writer->prepare(report, err);
    if (status == IO_OK)
        *out = report;
    else
        report_free(report);
    return status;
}

io_status report_worker_create(tms_context *ctx, const struct report *report, struct report **out, io_error *err)
{
    struct report *worker = calloc(1, sizeof *worker);

    *out = NULL;
    if (worker == NULL)
        return report_fail_memory(err);
    worker->is_worker = true;
    worker->options = report->options;
    worker->db = report->db;
    worker->is_of_subjects = report->is_of_subjects;
    worker->residues = report->residues;
    worker->subject_codons = report->subject_codons;
    worker->compared_codons = report->compared_codons;
    worker->subjects = report->subjects;
    worker->unnamed_subjects = report->unnamed_subjects;
    worker->parts = report->parts;
    worker->n_parts = report->n_parts;
    worker->db_titles = report->db_titles;
    if (tms_seqdb_names_create(ctx, &worker->names) != TMS_OK) {
        report_free(worker);
        return report_fail_memory(err);
    }
    *out = worker;
    return IO_OK;
}

/* What a worker borrows. */
static void free_search(struct report *report)
{
    for (size_t i = 0; i < report->n_parts; i++)
        tms_seqdb_destroy(report->parts[i]);
    free(report->parts);
    free(report->db_titles.bytes);
    free(report->subjects.bytes);
    free(report->unnamed_subjects);
}

void report_free(struct report *report)
{
    if (report == NULL)
        return;
    if (!report->is_worker)
        free_search(report);
    tms_seqdb_names_destroy(report->names);
    report_parsed_free(&report->query_parsed);
    report_parsed_free(&report->subject_parsed);
    report_rows_free(&report->rows);
    free(report->references.bytes);
    free(report->lines.bytes);
    free(report->is_reference);
    free(report->hits.items);
    free(report->hits.spare_items);
    free(report->hits.order);
    free(report->hits.spare_order);
    free(report->line.bytes);
    free(report->deflines);
    free(report->codes.bytes);
    free(report->masked.bytes);
    free(report->compared.bytes);
    free(report->frame_masks.bytes);
    free(report->masks);
    free(report->query_spans.bytes);
    free(report->subject_spans.bytes);
    free(report->subject_tidied.bytes);
    free(report->scratch.bytes);
    free(report);
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

static io_status done(const struct report_text *t, io_error *err) { return t->is_lost ? report_fail_memory(err) : IO_OK; }

io_status report_begin(struct report *report, struct byte_array *to, io_error *err)
{
    const struct report_writer *writer = report->options.format.writer;
    struct report_text t = {.to = to};

    if (writer->begin != NULL)
        writer->begin(report, &t);
    return done(&t, err);
}

io_status report_check_size(const struct report_writer *writer, uint64_t n_queries, uint64_t n_bytes, io_error *err)
{
    if (writer->most_queries > 0 && n_queries > writer->most_queries)
        return io_fail(
            err, IO_E_INPUT, 0,
            "-outfmt %s: a page of more than %llu queries would not open in a browser: search fewer at a time, or give -outfmt 6, "
            "or --archive, of which tamis report makes any format",
            writer->name, (unsigned long long)writer->most_queries);
    if (writer->most_bytes > 0 && n_bytes > writer->most_bytes)
        return io_fail(err, IO_E_INPUT, 0,
                       "-outfmt %s: the page becomes larger than %llu MB at query %llu, too large for a browser: search fewer queries at a "
                       "time, give a smaller -max_target_seqs or -evalue, or --archive, of which tamis report makes any format",
                       writer->name, (unsigned long long)writer->most_bytes / 1000000, (unsigned long long)n_queries);
    return IO_OK;
}

bool report_header_is_unnamed(const char *header, size_t n) { return !report_header_has_id(report_header(header, n)); }

io_status report_query_label(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err)
{
    io_status status = report_name_query(report, query, err);

    if (status != IO_OK)
        return status;
    return report_put_label(report, to) ? IO_OK : report_fail_memory(err);
}

void report_skip(struct report *report, const struct report_query *query) { report_count_query(report, query); }

io_status report_query_put(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err)
{
    const struct report_writer *writer = report->options.format.writer;
    struct report_text t = {.to = to};
    io_status status = report_name_query(report, query, err);

    if (status != IO_OK)
        return status;
    status = writer->query(report, query, &t, err);
    if (status == IO_OK)
        status = done(&t, err);
    if (status == IO_OK && writer->collect != NULL && !report->is_worker)
        status = writer->collect(report, query, to, err);
    report_count_query(report, query);
    return status;
}

io_status report_end(struct report *report, struct byte_array *to, io_error *err)
{
    const struct report_writer *writer = report->options.format.writer;
    struct report_text t = {.to = to};

    if (writer->end != NULL)
        writer->end(report, &t);
    return done(&t, err);
}
