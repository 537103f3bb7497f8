/* report.c - see report.h: which writer does it, and what all of them need read. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report_struct.h"

io_status report_fail_memory(io_error *err) { return io_fail_memory(err, "a report"); }

static io_status done(const struct report_text *t, io_error *err) { return t->is_lost ? report_fail_memory(err) : IO_OK; }

/* ---- create, free ------------------------------------------------------------------------------------------------------------- */

io_status report_create(tms_context *ctx, const struct report_options *options, struct report **out, io_error *err)
{
    struct report *report = calloc(1, sizeof *report);

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
    tms_blastp_get_info(options->search, &report->search);
    tms_seqdb_get_info(options->db, &report->db);
    report->is_of_subjects = report->db.version == 0;
    report_residues_init(options->search, &report->residues);
    *out = report;
    return IO_OK;
}

void report_free(struct report *report)
{
    if (report == NULL)
        return;
    tms_seqdb_names_destroy(report->names);
    report_parsed_free(&report->query_parsed);
    report_parsed_free(&report->subject_parsed);
    report_rows_free(&report->rows);
    free(report->deflines);
    free(report->codes.bytes);
    free(report->subject_tidied.bytes);
    free(report->scratch.bytes);
    free(report);
}

/* ---- names and residues ------------------------------------------------------------------------------------------------------- */

static io_status fail_subject(const struct report *report, uint64_t sequence, tms_status status, io_error *err)
{
    if (status == TMS_E_MEMORY)
        return report_fail_memory(err);
    return io_fail(err, IO_E_INPUT, 0, "%s: sequence %llu is damaged",
                   report->options.db_name != NULL ? report->options.db_name : "subject", (unsigned long long)sequence);
}

/* Of -subject: the header, which is parsed here. */
static io_status name_header(struct report *report, uint64_t sequence, const tms_seqdb_name *name, io_error *err)
{
    const struct text header = report_header(name->title, name->title_size);
    const struct text label = text_of(report->subject_label);

    snprintf(report->subject_label, sizeof report->subject_label, "Subject_%llu", (unsigned long long)sequence + 1);
    if (report->options.parse_deflines)
        return report_name_parse(header, label, &report->subject_parsed, report->deflines, err);
    report->deflines[0] = report_name_plain(header, text_of("unnamed"));
    return IO_OK;
}

io_status report_read_subject(struct report *report, uint64_t sequence, io_error *err)
{
    tms_status status = tms_seqdb_names_read(report->options.db, sequence, report->names, &report->n_deflines);
    static const tms_seqdb_name none = {.title = ""};

    report->main_defline = 0;
    if (status != TMS_OK)
        return fail_subject(report, sequence, status, err);
    if (!array_reserve(&report->deflines, &report->deflines_capacity, report->n_deflines + 1, sizeof *report->deflines))
        return report_fail_memory(err);
    if (report->is_of_subjects)
        return name_header(report, sequence, report->n_deflines > 0 ? tms_seqdb_names_get(report->names, 0) : &none, err);
    for (size_t i = 0; i < report->n_deflines; i++) {
        if (!report_name_stored(tms_seqdb_names_get(report->names, i), &report->subject_tidied, &report->deflines[i]))
            return report_fail_memory(err);
    }
    for (size_t i = report->n_deflines; i-- > 0;)
        report->main_defline = report->deflines[i].gi > 0 ? i : report->main_defline;
    if (report->n_deflines == 0)
        report->deflines[report->n_deflines++] = report_name_plain(text_of(""), text_of("unnamed"));
    return IO_OK;
}

io_status report_read_hsp(struct report *report, const tms_blastp_result *result, uint64_t sequence, const tms_blastp_hsp *hsp,
                          struct report_hsp *out, io_error *err)
{
    tms_status status;

    report->codes.n = 0;
    if (byte_array_room(&report->codes, (size_t)(hsp->subject.end - hsp->subject.start)) == NULL)
        return report_fail_memory(err);
    status = tms_seqdb_residues(report->options.db, sequence, hsp->subject.start, hsp->subject.end, report->codes.bytes);
    if (status != TMS_OK)
        return fail_subject(report, sequence, status, err);
    *out = (struct report_hsp){.hsp = hsp, .query = result->codes + hsp->query.start, .subject = report->codes.bytes};
    report_hsp_count(&report->residues, out);
    return IO_OK;
}

struct text report_tidy(struct report *report, const struct report_name *name, struct report_text *t)
{
    report->scratch.n = 0;
    t->is_lost = t->is_lost || !report_name_tidy(name, &report->scratch);
    return text_of_array(&report->scratch);
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

static io_status name_query(struct report *report, const struct report_query *query, io_error *err)
{
    const struct text header = report_header(query->header, query->header_size);
    const bool is_parsed = report->options.parse_deflines;
    const uint64_t number = is_parsed ? report->n_unnamed + 1 : query->number;
    struct text plain = header;
    const char *stop;

    snprintf(report->query_label, sizeof report->query_label, "Query_%llu", (unsigned long long)number);
    if (is_parsed)
        return report_name_parse(header, text_of(report->query_label), &report->query_parsed, &report->query, err);
    stop = memchr(header.bytes, 1, header.n);
    if (stop != NULL)
        plain.n = (size_t)(stop - header.bytes);
    report->query = report_name_plain(plain, text_of(report->query_label));
    return IO_OK;
}

io_status report_query_label(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err)
{
    enum { MAX_LABEL = 35, CUT_LABEL = 25 };
    struct report_text t = {.to = to};
    const size_t begin = to->n;
    io_status status = name_query(report, query, err);
    struct text title = text_trimmed(report->query.title);

    if (status != IO_OK)
        return status;
    if (report->query.gi > 0)
        text_number(&t, report->query.gi);
    else
        text_put(&t, report->query.is_parsed ? report_name_accession(&report->query) : text_of(report->query_label));
    if (title.n > 0) {
        text_string(&t, " ");
        text_put(&t, title);
    }
    if (!t.is_lost && to->n - begin > MAX_LABEL) {
        to->n = begin + CUT_LABEL;
        text_string(&t, ".. ");
    }
    return done(&t, err);
}

void report_query_text(const struct report *report, struct byte_array *to, struct report_text *t)
{
    struct report_text all = {.to = to};
    struct text title = text_trimmed(report->query.title);

    to->n = 0;
    if (report->query.is_parsed) {
        text_put(&all, report->query.accession);
        text_string(&all, " ");
    }
    text_put(&all, title);
    while (to->n > 0 && to->bytes[to->n - 1] == ' ')
        to->n--;
    t->is_lost = t->is_lost || all.is_lost;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------------ */

io_status report_begin(struct report *report, struct byte_array *to, io_error *err)
{
    struct report_text t = {.to = to};

    (void)report;
    return done(&t, err);
}

void report_go_on(struct report *report, uint64_t n_queries) { report->n_queries = n_queries; }

io_status report_query_put(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err)
{
    struct report_text t = {.to = to};
    io_status status = name_query(report, query, err);

    if (status != IO_OK)
        return status;
    switch (report->options.format.kind) {
    case REPORT_TABULAR:
    case REPORT_COMMENTED:
    case REPORT_CSV:
        status = report_tabular_query(report, query, &t, err);
        break;
    default:
        break;
    }
    report->n_queries++;
    report->n_put++;
    report->n_unnamed += report->query.is_parsed && !report_header_has_id(report_header(query->header, query->header_size));
    return status == IO_OK ? done(&t, err) : status;
}

io_status report_end(struct report *report, struct byte_array *to, io_error *err)
{
    struct report_text t = {.to = to};

    switch (report->options.format.kind) {
    case REPORT_COMMENTED:
        report_tabular_end(report, &t);
        break;
    default:
        break;
    }
    return done(&t, err);
}
