/* report.c - see report.h: which writer does it, and what all of them need read. */
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/report_struct.h"
#include "seqdb/seqdb_alias.h"

io_status report_fail_memory(io_error *err) { return io_fail_memory(err, "a report"); }

static io_status done(const struct report_text *t, io_error *err) { return t->is_lost ? report_fail_memory(err) : IO_OK; }

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

/* Of several databases titles and sizes are shown as they were named, one that was named twice also twice. */
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

static io_status fail_subject(const struct report *report, uint64_t sequence, tms_status status, io_error *err)
{
    if (status == TMS_E_MEMORY)
        return report_fail_memory(err);
    return io_fail(err, report->is_of_subjects ? IO_E_INPUT : IO_E_DATABASE, 0, "%s: sequence %llu is damaged",
                   report->options.db_name != NULL ? report->options.db_name : "subject", (unsigned long long)sequence);
}

/* Those of -subject without an id are numbered among themselves. */
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
            return fail_subject(report, i, status, err);
        name = n_deflines > 0 ? tms_seqdb_names_get(report->names, 0) : NULL;
        n += name == NULL || report_header_is_unnamed(name->title, name->title_size);
        report->unnamed_subjects[i] = n;
    }
    return IO_OK;
}

io_status report_create(tms_context *ctx, const struct report_options *options, struct report **out, io_error *err)
{
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
    tms_blastp_get_info(options->search, &report->search);
    tms_seqdb_get_info(options->db, &report->db);
    report->is_of_subjects = report->db.version == 0;
    report_residues_init(options->search, report_is_markup(options->format.kind), &report->residues);
    if (!report->is_of_subjects && !report_is_table(options->format.kind))
        status = open_parts(ctx, report, err);
    if (status == IO_OK && report->is_of_subjects && options->parse_deflines)
        status = count_unnamed_subjects(report, err);
    if (status == IO_OK && (options->format.kind == REPORT_JSON || options->format.kind == REPORT_XML2))
        status = report_objects_prepare(report, err);
    if (status == IO_OK)
        *out = report;
    else
        report_free(report);
    return status;
}

io_status report_worker_create(tms_context *ctx, const struct report *report, struct report **out, io_error *err)
{
    struct report *desk = calloc(1, sizeof *desk);

    *out = NULL;
    if (desk == NULL)
        return report_fail_memory(err);
    desk->is_desk = true;
    desk->options = report->options;
    desk->search = report->search;
    desk->db = report->db;
    desk->is_of_subjects = report->is_of_subjects;
    desk->residues = report->residues;
    desk->subjects = report->subjects;
    desk->unnamed_subjects = report->unnamed_subjects;
    desk->parts = report->parts;
    desk->n_parts = report->n_parts;
    desk->db_titles = report->db_titles;
    if (tms_seqdb_names_create(ctx, &desk->names) != TMS_OK) {
        report_free(desk);
        return report_fail_memory(err);
    }
    *out = desk;
    return IO_OK;
}

/* What all queries have in common. */
static void free_common(struct report *report)
{
    report_workers_free(report->crew);
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
    if (!report->is_desk)
        free_common(report);
    tms_seqdb_names_destroy(report->names);
    report_parsed_free(&report->query_parsed);
    report_parsed_free(&report->subject_parsed);
    report_rows_free(&report->rows);
    free(report->hits.items);
    free(report->hits.spare_items);
    free(report->hits.order);
    free(report->hits.spare_order);
    free(report->line.bytes);
    free(report->deflines);
    free(report->codes.bytes);
    free(report->masked.bytes);
    free(report->masks);
    free(report->query_spans.bytes);
    free(report->subject_spans.bytes);
    free(report->subject_tidied.bytes);
    free(report->scratch.bytes);
    free(report);
}

/* ---- names and residues ------------------------------------------------------------------------------------------------------- */

/* Of -subject: the header, which is parsed here. Formats 5, 15 and 16 take the first word from the tidied title. */
static io_status name_header(struct report *report, uint64_t sequence, const tms_seqdb_name *name, io_error *err)
{
    struct text header = report_header(name->title, name->title_size), label;
    const uint64_t number = report->unnamed_subjects != NULL ? report->unnamed_subjects[sequence] : sequence + 1;

    snprintf(report->subject_label, sizeof report->subject_label, "Subject_%llu", (unsigned long long)number);
    label = text_of(report->subject_label);
    if (report->options.parse_deflines && report_header_has_id(header))
        return report_name_parse(header, label, &report->subject_parsed, report->deflines, err);
    if (report->options.parse_deflines)
        header = report_header_rest(header);
    report->deflines[0] = report_name_plain(header, text_of("unnamed"));
    if (!report_is_markup(report->options.format.kind))
        return IO_OK;
    report->subject_tidied.n = 0;
    if (!report_name_tidy(&report->deflines[0], &report->subject_tidied))
        return report_fail_memory(err);
    report->deflines[0].ids = report_first_word(text_of_array(&report->subject_tidied));
    if (report->deflines[0].ids.n == 0)
        report->deflines[0].ids = label;
    return IO_OK;
}

io_status report_read_subject(struct report *report, uint64_t sequence, io_error *err)
{
    tms_status status = tms_seqdb_names_read(report->options.db, sequence, report->names, &report->n_deflines);
    static const tms_seqdb_name none = {.title = ""};

    report->main_defline = 0;
    snprintf(report->subject_ordinal, sizeof report->subject_ordinal, "gnl|BL_ORD_ID|%llu",
             (unsigned long long)tms_seqdb_oid(report->options.db, sequence));
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

/* *out: of each residue of a part of a sequence whether it is masked. */
static tms_status mark_masked(struct report *report, uint64_t sequence, tms_interval part, const uint8_t **out)
{
    const size_t n_residues = (size_t)(part.end - part.start);
    const tms_seqdb_masks *masks = report->options.params->subject_masks;
    size_t n;
    tms_status status = tms_seqdb_masks_get(masks, sequence, report->masks, report->masks_capacity, &n);

    if (status == TMS_OK && n > report->masks_capacity) {
        if (!array_reserve(&report->masks, &report->masks_capacity, n, sizeof *report->masks))
            return TMS_E_MEMORY;
        status = tms_seqdb_masks_get(masks, sequence, report->masks, report->masks_capacity, &n);
    }
    report->masked.n = 0;
    report->n_masks = n;
    if (status != TMS_OK)
        return status;
    if (byte_array_room(&report->masked, n_residues) == NULL)
        return TMS_E_MEMORY;
    memset(report->masked.bytes, 0, n_residues);
    for (size_t i = 0; i < n; i++) {
        uint64_t start = report->masks[i].start > part.start ? report->masks[i].start : part.start;
        uint64_t end = report->masks[i].end < part.end ? report->masks[i].end : part.end;
        if (start < end)
            memset(report->masked.bytes + (start - part.start), 1, (size_t)(end - start));
    }
    *out = report->masked.bytes;
    return TMS_OK;
}

io_status report_read_hsp(struct report *report, const tms_search_result *result, uint64_t sequence, const tms_search_hsp *hsp,
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
    if (report_is_for_people(report->options.format.kind) && report->options.params->subject_masks != NULL) {
        status = mark_masked(report, sequence, hsp->subject, &out->masked);
        if (status != TMS_OK)
            return fail_subject(report, sequence, status, err);
    }
    report_hsp_count(&report->residues, out);
    return IO_OK;
}

struct text report_tidy(struct report *report, const struct report_name *name, struct report_text *t)
{
    report->scratch.n = 0;
    t->is_lost = t->is_lost || !report_name_tidy(name, &report->scratch);
    return text_of_array(&report->scratch);
}

struct text report_query_id(const struct report *report)
{
    return report->query.is_parsed ? report->query.label : text_of(report->query_label);
}

struct text report_hit_id(const struct report *report, size_t i)
{
    const struct report_name *name = &report->deflines[i];

    return name->is_stored && !name->is_parsed ? text_of(report->subject_ordinal) : report_name_ids(name);
}

struct text report_hit_accession(const struct report *report, size_t i)
{
    const struct report_name *name = &report->deflines[i];

    if (name->is_parsed)
        return report_name_last(name);
    return text_of(name->is_stored ? strrchr(report->subject_ordinal, '|') + 1 : report->subject_label);
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

static io_status name_query(struct report *report, const struct report_query *query, io_error *err)
{
    const struct text header = report_header(query->header, query->header_size);
    const bool is_parsed = report->options.parse_deflines;
    const uint64_t number = is_parsed ? report->n_unnamed + query->n_unnamed + 1 : query->number;

    snprintf(report->query_label, sizeof report->query_label, "Query_%llu", (unsigned long long)number);
    if (is_parsed)
        return report_name_parse(header, text_of(report->query_label), &report->query_parsed, &report->query, err);
    report->query = report_name_plain(header, text_of(report->query_label));
    return IO_OK;
}

/* What the query at hand is called in warnings. */
static bool put_label(const struct report *report, struct byte_array *to)
{
    enum { MAX_LABEL = 35, CUT_LABEL = 25 };
    struct report_text t = {.to = to};
    const size_t begin = to->n;
    struct text title = text_trimmed(report->query.title);

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
    return !t.is_lost;
}

io_status report_query_label(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err)
{
    io_status status = name_query(report, query, err);

    if (status != IO_OK)
        return status;
    return put_label(report, to) ? IO_OK : report_fail_memory(err);
}

/* A control character ends a title, but for its first. */
static struct text up_to_control(struct text title)
{
    size_t n = title.n > 0;

    while (n < title.n && (uint8_t)title.bytes[n] >= ' ')
        n++;
    return (struct text){title.bytes, n};
}

void report_query_text(const struct report *report, struct byte_array *to, struct report_text *t)
{
    struct report_text all = {.to = to};
    struct text title = text_trimmed(up_to_control(report->query.title));

    to->n = 0;
    if (report->query.is_parsed) {
        text_put(&all, report->query.label);
        text_string(&all, " ");
    }
    text_put(&all, title);
    while (to->n > 0 && to->bytes[to->n - 1] == ' ')
        to->n--;
    t->is_lost = t->is_lost || all.is_lost;
}

void report_filter(struct report *report, struct report_text *t)
{
    static const tms_seg_params usual = TMS_SEG_QUERY;
    const tms_blastp_params *params = report->options.params;
    const struct report_seg *seg = &report->options.seg;
    struct report_text all = {.to = &report->scratch};

    report->scratch.n = 0;
    if (params->masks_seg && seg->window == (int)usual.window && seg->locut == usual.locut && seg->hicut == usual.hicut)
        text_string(&all, "L;");
    else if (params->masks_seg)
        text_format(&all, "S %d %.1f %.1f;", seg->window, seg->locut, seg->hicut);
    text_string(&all, params->soft_masking ? "m;" : params->masks_seg ? "" : "F");
    t->is_lost = t->is_lost || all.is_lost;
}

bool report_message(struct report *report, const struct report_query *query, struct report_text *t)
{
    struct report_text all = {.to = &report->scratch};
    const bool is_empty = query->result->n_subjects == 0;

    report->scratch.n = 0;
    if (query->warning != NULL) {
        struct byte_array label = {0};
        all.is_lost = !put_label(report, &label);
        text_put(&all, text_of_array(&label));
        text_string(&all, ":  ");
        text_put(&all, text_of_array(&label));
        text_string(&all, ": ");
        text_string(&all, query->warning);
        text_string(&all, is_empty ? " " : "");
        free(label.bytes);
    }
    text_string(&all, is_empty ? "No hits found" : "");
    t->is_lost = t->is_lost || all.is_lost;
    return is_empty || query->warning != NULL;
}

struct report_statistics report_statistics(const struct report *report, const tms_search_result *result)
{
    const tms_blastp_info *s = &report->search;

    if (!result->is_valid || report->options.params->ungapped != 0)
        return (struct report_statistics){result->lambda, result->K, result->H};
    return (struct report_statistics){s->lambda, s->K, s->H};
}

/* ---- writing ------------------------------------------------------------------------------------------------------------------ */

io_status report_begin(struct report *report, struct byte_array *to, io_error *err)
{
    struct report_text t = {.to = to};

    switch (report->options.format.kind) {
    case REPORT_PAIRWISE:
    case REPORT_ANCHORED_DOTS:
    case REPORT_ANCHORED:
    case REPORT_FLAT_DOTS:
    case REPORT_FLAT:
        report_pairwise_begin(report, &t);
        break;
    case REPORT_JSON:
        report_json_begin(&t);
        break;
    case REPORT_XML2:
        report_xml2_begin(&t);
        break;
    default:
        break;
    }
    return done(&t, err);
}

bool report_header_is_unnamed(const char *header, size_t n) { return !report_header_has_id(report_header(header, n)); }

void report_count_query(struct report *report, const struct report_query *query)
{
    report->n_queries++;
    report->n_unnamed += report->options.parse_deflines && report_header_is_unnamed(query->header, query->header_size);
}

void report_skip(struct report *report, const struct report_query *query) { report_count_query(report, query); }

io_status report_query_put(struct report *report, const struct report_query *query, struct byte_array *to, io_error *err)
{
    struct report_text t = {.to = to};
    io_status status = name_query(report, query, err);

    if (status != IO_OK)
        return status;
    switch (report->options.format.kind) {
    case REPORT_PAIRWISE:
    case REPORT_ANCHORED_DOTS:
    case REPORT_ANCHORED:
    case REPORT_FLAT_DOTS:
    case REPORT_FLAT:
        status = report_pairwise_query(report, query, &t, err);
        break;
    case REPORT_TABULAR:
    case REPORT_COMMENTED:
    case REPORT_CSV:
        status = report_tabular_query(report, query, &t, err);
        break;
    case REPORT_XML:
        status = report_xml_query(report, query, &t, err);
        break;
    case REPORT_JSON:
        status = report_json_query(report, query, &t, err);
        break;
    case REPORT_XML2:
        status = report_xml2_query(report, query, &t, err);
        break;
    }
    report_count_query(report, query);
    return status == IO_OK ? done(&t, err) : status;
}

io_status report_end(struct report *report, struct byte_array *to, io_error *err)
{
    struct report_text t = {.to = to};

    switch (report->options.format.kind) {
    case REPORT_PAIRWISE:
    case REPORT_ANCHORED_DOTS:
    case REPORT_ANCHORED:
    case REPORT_FLAT_DOTS:
    case REPORT_FLAT:
        report_pairwise_end(report, &t);
        break;
    case REPORT_COMMENTED:
        report_tabular_end(report, &t);
        break;
    case REPORT_XML:
        report_xml_end(report, &t);
        break;
    case REPORT_JSON:
        report_json_end(&t);
        break;
    case REPORT_XML2:
        report_xml2_end(&t);
        break;
    default:
        break;
    }
    return done(&t, err);
}
