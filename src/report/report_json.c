/*
 * report_json.c - format 15: a list of objects, one for each query, laid out as NCBI's programs do it.
 */
#include <stdio.h>

#include "report_struct.h"

static const char head[] = "{\n"
                           "    \"report\": {\n"
                           "      \"program\": \"blastp\",\n"
                           "      \"version\": \"" REPORT_PROGRAM "\",\n"
                           "      \"reference\": \"Stephen F. Altschul, Thomas L. Madden, Alejandro A. Sch&auml;ffer, Jinghui Zhang, Zheng "
                           "Zhang, Webb Miller, and David J. Lipman (1997), \\\"Gapped BLAST and PSI-BLAST: a new generation of protein "
                           "database search programs\\\", Nucleic Acids Res. 25:3389-3402.\",\n"
                           "      \"search_target\": {\n";

/* ---- members ------------------------------------------------------------------------------------------------------------------ */

static void put_string(struct report_text *t, struct text text)
{
    size_t done = 0;

    text_string(t, "\"");
    for (size_t i = 0; i < text.n; i++) {
        const uint8_t c = (uint8_t)text.bytes[i];
        if (c >= ' ' && c != '"' && c != '\\')
            continue;
        text_add(t, text.bytes + done, i - done);
        if (c < ' ')
            text_format(t, "\\u%04X", c);
        else
            text_format(t, "\\%c", c);
        done = i + 1;
    }
    text_add(t, text.bytes + done, text.n - done);
    text_string(t, "\"");
}

/* Members are lines; `more` is what ends them: "," or nothing. */
static void put_member(struct report_text *t, int depth, const char *name, struct text text, const char *more)
{
    text_blanks(t, depth);
    text_format(t, "\"%s\": ", name);
    put_string(t, text);
    text_format(t, "%s\n", more);
}

static void put_number(struct report_text *t, int depth, const char *name, int64_t number)
{
    text_blanks(t, depth);
    text_format(t, "\"%s\": %lld,\n", name, (long long)number);
}

static void put_real(struct report_text *t, int depth, const char *name, const char *number, const char *more)
{
    text_blanks(t, depth);
    text_format(t, "\"%s\": %s%s\n", name, number, more);
}

static void put_line(struct report_text *t, int depth, const char *line)
{
    text_blanks(t, depth);
    text_string(t, line);
    text_string(t, "\n");
}

/* ---- the search --------------------------------------------------------------------------------------------------------------- */

/* Of a record of -subject: with a gi, that. */
static void put_subject_id(const struct report *report, struct report_text *t)
{
    const struct report_name *name = &report->deflines[0];

    if (!name->is_parsed) {
        put_string(t, text_of(report->subject_label));
    } else if (name->gi > 0) {
        text_format(t, "\"gi|%lld\"", (long long)name->gi);
    } else {
        put_string(t, name->label);
    }
}

/* The databases as they were named, with one blank between. */
static struct text db_names(struct report *report, struct report_text *t)
{
    struct byte_array *to = &report->scratch;
    struct report_text names = {.to = to};
    bool is_quoted = false;

    to->n = 0;
    for (const char *c = report->options.db_name; *c != '\0'; c++) {
        is_quoted ^= *c == '"';
        if (*c != ' ' || is_quoted || (to->n > 0 && to->bytes[to->n - 1] != ' '))
            text_add(&names, c, 1);
    }
    t->is_lost = t->is_lost || names.is_lost;
    return text_trimmed(text_of_array(to));
}

/* The names of all records of -subject, once: every query has them. */
io_status report_json_prepare(struct report *report, io_error *err)
{
    struct report_text t = {.to = &report->subjects};
    io_status status = IO_OK;

    if (!report->is_of_subjects)
        return IO_OK;
    for (uint64_t i = 0; i < report->db.n_sequences && status == IO_OK; i++) {
        status = report_read_subject(report, i, err);
        if (status != IO_OK)
            return status;
        text_blanks(&t, 10);
        put_subject_id(report, &t);
        text_string(&t, i + 1 < report->db.n_sequences ? ",\n" : "\n");
    }
    return t.is_lost ? report_fail_memory(err) : IO_OK;
}

static void put_search(struct report *report, struct report_text *t)
{
    const tms_blastp_info *s = &report->search;
    const uint32_t composition = report->options.params->composition;
    char number[REPORT_NUMBER_SIZE];

    text_string(t, head);
    if (report->is_of_subjects) {
        put_line(t, 8, "\"subjects\": [");
        text_put(t, text_of_array(&report->subjects));
        put_line(t, 8, "]");
    } else {
        put_member(t, 8, "db", db_names(report, t), "");
    }
    put_line(t, 6, "},");
    put_line(t, 6, "\"params\": {");
    put_member(t, 8, "matrix", text_of(s->matrix), ",");
    put_real(t, 8, "expect", report_double(report->options.params->evalue, number), ",");
    if (report->options.params->ungapped == 0) {
        put_number(t, 8, "gap_open", s->gap_open);
        put_number(t, 8, "gap_extend", s->gap_extend);
    }
    report_filter(report, t);
    put_member(t, 8, "filter", text_of_array(&report->scratch), composition > 0 ? "," : "");
    if (composition > 0) {
        text_blanks(t, 8);
        text_format(t, "\"cbs\": %u\n", composition);
    }
    put_line(t, 6, "},");
}

/* ---- hits --------------------------------------------------------------------------------------------------------------------- */

static void put_hsp(struct report *report, const struct report_query *query, const struct report_hsp *h, size_t number, int depth,
                    struct report_text *t)
{
    const tms_blastp_hsp *hsp = h->hsp;
    char real[REPORT_NUMBER_SIZE];

    put_line(t, depth - 2, "{");
    put_number(t, depth, "num", (int64_t)number);
    put_real(t, depth, "bit_score", report_real(hsp->bits, real), ",");
    put_number(t, depth, "score", hsp->score);
    put_real(t, depth, "evalue", report_evalue_real(hsp->evalue, real), ",");
    put_number(t, depth, "identity", (int64_t)h->counts.n_identical);
    put_number(t, depth, "positive", (int64_t)h->counts.n_positive);
    put_number(t, depth, "query_from", (int64_t)(query->offset + hsp->query.start + 1));
    put_number(t, depth, "query_to", (int64_t)(query->offset + hsp->query.end));
    put_number(t, depth, "hit_from", (int64_t)(report->options.subject_offset + hsp->subject.start + 1));
    put_number(t, depth, "hit_to", (int64_t)(report->options.subject_offset + hsp->subject.end));
    put_number(t, depth, "align_len", (int64_t)h->counts.length);
    put_number(t, depth, "gaps", (int64_t)h->counts.n_gaps);
    put_member(t, depth, "qseq", text_of_array(&report->rows.query), ",");
    put_member(t, depth, "hseq", text_of_array(&report->rows.subject), ",");
    put_member(t, depth, "midline", text_of_array(&report->rows.middle), "");
}

/* The taxon of a defline, with its name where that is known. */
static void put_taxon(const struct report *report, int64_t taxid, int depth, struct report_text *t)
{
    size_t n;
    const char *name = tms_taxonomy_name(report->options.taxonomy, taxid, TMS_TAXON_SCIENTIFIC, &n);

    text_blanks(t, depth);
    text_format(t, "\"taxid\": %lld%s\n", (long long)taxid, name != NULL ? "," : "");
    if (name != NULL)
        put_member(t, depth, "sciname", (struct text){name, n}, "");
}

/* Where there are names of taxa blastp gives up at one that has none: instead of this description and those behind it there is an id. */
static bool gives_up(const struct report *report, int64_t taxid)
{
    size_t n;

    return report->options.taxonomy != NULL && taxid > 0 &&
           tms_taxonomy_name(report->options.taxonomy, taxid, TMS_TAXON_SCIENTIFIC, &n) == NULL;
}

static void put_last_id(const struct report *report, int depth, struct report_text *t)
{
    const struct report_name *name = &report->deflines[report->main_defline];
    char gi[32];

    snprintf(gi, sizeof gi, "gi|%lld", (long long)name->gi);
    put_line(t, depth, "{");
    put_member(t, depth + 2, "id", name->gi > 0 ? text_of(gi) : name->is_parsed ? name->id : text_of(report->subject_ordinal), "");
    put_line(t, depth, "}");
}

static void put_descriptions(struct report *report, int depth, struct report_text *t)
{
    for (size_t i = 0; i < report->n_deflines; i++) {
        const struct report_name *name = &report->deflines[i];
        if (gives_up(report, name->taxid)) {
            put_last_id(report, depth, t);
            return;
        }
        put_line(t, depth, "{");
        put_member(t, depth + 2, "id", report_hit_id(report, i), ",");
        if (!report->is_of_subjects || (name->is_parsed && !report_name_is_local(name)))
            put_member(t, depth + 2, "accession", report_hit_accession(report, i), ",");
        put_member(t, depth + 2, "title", report->is_of_subjects ? report_tidy(report, name, t) : name->title, name->taxid > 0 ? "," : "");
        if (name->taxid > 0)
            put_taxon(report, name->taxid, depth + 2, t);
        put_line(t, depth, i + 1 < report->n_deflines ? "}," : "}");
    }
}

static io_status put_hit(struct report *report, const struct report_query *query, size_t i, int depth, struct report_text *t, io_error *err)
{
    const struct report_masking masking = {.as = REPORT_MASKED_LOWER, .whole_only = true};
    const tms_blastp_result *result = query->result;
    const tms_blastp_subject *subject = &result->subjects[i];
    io_status status = report_read_subject(report, subject->sequence, err);
    struct report_hsp h;

    if (status != IO_OK)
        return status;
    put_line(t, depth, "{");
    put_number(t, depth + 2, "num", (int64_t)i + 1);
    put_line(t, depth + 2, "\"description\": [");
    put_descriptions(report, depth + 4, t);
    put_line(t, depth + 2, "],");
    put_number(t, depth + 2, "len", (int64_t)report_subject_length(report, subject->sequence));
    put_line(t, depth + 2, "\"hsps\": [");
    for (size_t k = 0; k < subject->n_hsps; k++) {
        status = report_read_hsp(report, result, subject->sequence, &subject->hsps[k], &h, err);
        if (status != IO_OK)
            return status;
        if (!report_rows_fill(&report->residues, &h, result, masking, &report->rows))
            return report_fail_memory(err);
        put_hsp(report, query, &h, k + 1, depth + 6, t);
        put_line(t, depth + 4, k + 1 < subject->n_hsps ? "}," : "}");
    }
    put_line(t, depth + 2, "]");
    put_line(t, depth, i + 1 < result->n_subjects ? "}," : "}");
    return IO_OK;
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

static void put_statistics(struct report *report, const tms_blastp_result *result, int depth, struct report_text *t)
{
    const struct report_statistics s = report_statistics(report, result);
    char real[REPORT_NUMBER_SIZE];

    put_line(t, depth - 2, "\"stat\": {");
    if (!report->is_of_subjects) {
        put_number(t, depth, "db_num", (int64_t)report->db.shown_n_sequences);
        put_number(t, depth, "db_len", (int64_t)report->db.shown_n_residues);
    }
    put_number(t, depth, "hsp_len", result->length_adjustment);
    put_number(t, depth, "eff_space", result->search_space);
    put_real(t, depth, "kappa", report_double(s.K, real), ",");
    put_real(t, depth, "lambda", report_double(s.lambda, real), ",");
    put_real(t, depth, "entropy", report_double(s.H, real), "");
}

/* The masked parts of a query that has any, from 0, each with its last residue. Nothing, if all of it is one. */
static void put_masking(const struct report_query *query, int depth, struct report_text *t)
{
    const tms_blastp_result *result = query->result;

    if (result->n_masked == 0 || (result->masked[0].start == 0 && result->masked[0].end == result->query_length))
        return;
    put_line(t, depth, "\"query_masking\": [");
    for (size_t i = 0; i < result->n_masked; i++) {
        put_line(t, depth + 2, "{");
        put_number(t, depth + 4, "from", (int64_t)(query->offset + result->masked[i].start));
        text_blanks(t, depth + 4);
        text_format(t, "\"to\": %llu\n", (unsigned long long)(query->offset + result->masked[i].end - 1));
        put_line(t, depth + 2, i + 1 < result->n_masked ? "}," : "}");
    }
    put_line(t, depth, "],");
}

static io_status put_hits(struct report *report, const struct report_query *query, int depth, struct report_text *t, io_error *err)
{
    io_status status = IO_OK;

    if (!query->result->batch_is_valid) /* blastp has not searched, and leaves the list out */
        return IO_OK;
    put_line(t, depth, "\"hits\": [");
    for (size_t i = 0; i < query->result->n_subjects && status == IO_OK; i++)
        status = put_hit(report, query, i, depth + 2, t, err);
    put_line(t, depth, "],");
    return status;
}

/* Of a batch that is not valid it ends with a line more. */
static void put_message(struct report *report, const struct report_query *query, int depth, struct report_text *t)
{
    static const char again[] = " \nNo hits found";

    if (!query->result->batch_is_valid && !byte_array_add(&report->scratch, again, sizeof again - 1))
        t->is_lost = true;
    put_member(t, depth, "message", text_of_array(&report->scratch), "");
}

static io_status put_result(struct report *report, const struct report_query *query, int depth, struct report_text *t, io_error *err)
{
    const tms_blastp_result *result = query->result;
    struct text title = report_tidy(report, &report->query, t);
    io_status status;
    bool has_message;

    put_member(t, depth, "query_id", report_query_id(report), ",");
    if (title.n > 0)
        put_member(t, depth, "query_title", title, ",");
    put_number(t, depth, "query_len", (int64_t)result->query_length);
    if (result->batch_is_valid)
        put_masking(query, depth, t);
    status = put_hits(report, query, depth, t, err);
    if (status != IO_OK)
        return status;
    put_statistics(report, result, depth + 2, t);
    has_message = report_message(report, query, t);
    put_line(t, depth, has_message ? "}," : "}");
    if (has_message)
        put_message(report, query, depth, t);
    return IO_OK;
}

void report_json_begin(struct report_text *t) { text_string(t, "{\n\"BlastOutput2\": [\n"); }

io_status report_json_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    const bool is_of_subjects = report->is_of_subjects;
    io_status status;

    text_string(t, report->n_queries > 0 ? ",\n" : "");
    put_search(report, t);
    put_line(t, 6, "\"results\": {");
    put_line(t, 8, is_of_subjects ? "\"bl2seq\": [" : "\"search\": {");
    if (is_of_subjects)
        put_line(t, 10, "{");
    status = put_result(report, query, is_of_subjects ? 12 : 10, t, err);
    if (is_of_subjects)
        put_line(t, 10, "}");
    put_line(t, 8, is_of_subjects ? "]" : "}");
    text_string(t, "      }\n    }\n  }\n");
    return status;
}

void report_json_end(struct report_text *t) { text_string(t, "]\n}\n"); }
