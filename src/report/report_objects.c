/*
 * report_objects.c - formats 15 and 16: an object for each query, as JSON or as XML, version 2.
 */
#include <math.h>
#include <stdio.h>

#include "report/report_common.h"
#include "report/report_numbers.h"
#include "report/report_syntax.h"
#include "report/report_writers.h"

static const char xml_head[] = "<?xml version=\"1.0\"?>\n"
                               "<BlastXML2\n"
                               "    xmlns=\"http://www.ncbi.nlm.nih.gov\"\n"
                               "    xmlns:xs=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
                               "    xs:schemaLocation=\"http://www.ncbi.nlm.nih.gov "
                               "http://www.ncbi.nlm.nih.gov/data_specs/schema_alt/NCBI_BlastOutput2.xsd\"\n"
                               ">";

/* ---- the search --------------------------------------------------------------------------------------------------------------- */

static void put_subject_id(const struct report *report, struct report_syntax *s)
{
    const struct report_name *name = &report->deflines[0];

    syntax_string(s, "subjects", name->is_parsed ? name->listed : text_of(report->subject_label));
}

/* The databases as -db names them, with single blanks between. */
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

/* The names of all records of -subject, once, as they stand in every query's search_target. */
static io_status prepare(struct report *report, bool is_xml, int depth, io_error *err)
{
    struct report_text t = {.to = &report->subjects};
    struct report_syntax s = {.t = &t, .is_xml = is_xml, .depth = depth};
    io_status status = IO_OK;

    if (!report->is_of_subjects)
        return IO_OK;
    syntax_begin_strings(&s, "subjects");
    for (uint64_t i = 0; i < report->db.n_sequences && status == IO_OK; i++) {
        status = report_read_subject(report, i, err);
        if (status != IO_OK)
            return status;
        put_subject_id(report, &s);
    }
    syntax_end_strings(&s);
    return t.is_lost ? report_fail_memory(err) : IO_OK;
}

static void put_search(struct report *report, struct report_syntax *s)
{
    const struct report_program *program = report->options.program;
    char number[REPORT_NUMBER_SIZE];

    syntax_member(s, "program", text_of(program->name));
    syntax_member(s, "version", text_of(program->version));
    syntax_member(s, "reference", text_of(program->references[0].text));
    syntax_begin_object(s, "search_target", "Target");
    if (report->is_of_subjects) {
        text_put(s->t, text_of_array(&report->subjects));
        s->is_begun = true;
    } else {
        syntax_member(s, "db", db_names(report, s->t));
    }
    syntax_end_object(s, "search_target", "Target");
    syntax_begin_object(s, "params", "Parameters");
    if (program->reward == 0)
        syntax_member(s, "matrix", text_of(program->matrix));
    syntax_real(s, "expect", s->is_xml && isinf(program->evalue) ? "INF" : report_double(program->evalue, number));
    if (program->reward > 0 && !program->only_scores) {
        syntax_number(s, "sc_match", program->reward);
        syntax_number(s, "sc_mismatch", program->penalty);
    }
    if (!program->is_ungapped) {
        syntax_number(s, "gap_open", program->gap_open);
        syntax_number(s, "gap_extend", program->gap_extend);
    }
    syntax_member(s, "filter", text_of(program->filter));
    if (program->composition > 0)
        syntax_number(s, "cbs", program->composition);
    if (program->query_genetic_code > 0)
        syntax_number(s, "query_gencode", program->query_genetic_code);
    if (program->subject_genetic_code > 0)
        syntax_number(s, "db_gencode", program->subject_genetic_code);
    syntax_end_object(s, "params", "Parameters");
}

/* ---- hits --------------------------------------------------------------------------------------------------------------------- */

/* Proteins have no strand. */
static void put_strand(struct report_syntax *s, const char *name, int32_t frame)
{
    if (frame != 0)
        syntax_member(s, name, text_of(frame < 0 ? "Minus" : "Plus"));
}

static void put_hsp(struct report *report, const struct report_query *query, const struct report_hsp *h, size_t number,
                    struct report_syntax *s)
{
    const tms_search_hsp *hsp = h->hsp;
    char real[REPORT_NUMBER_SIZE];

    syntax_begin_item(s, "Hsp");
    syntax_number(s, "num", (int64_t)number);
    syntax_real(s, "bit_score", report_real(hsp->bits, real));
    syntax_number(s, "score", hsp->score);
    syntax_real(s, "evalue", report_evalue_real(hsp->evalue, real));
    syntax_number(s, "identity", (int64_t)h->counts.n_identical);
    if (report->options.program->reward == 0)
        syntax_number(s, "positive", (int64_t)h->counts.n_positive);
    syntax_number(s, "query_from", (int64_t)(query->offset + hsp->query.start + 1));
    syntax_number(s, "query_to", (int64_t)(query->offset + hsp->query.end));
    if (report_is_translated(query->result))
        syntax_number(s, "query_frame", report_query_frame(query, hsp));
    else
        put_strand(s, "query_strand", hsp->query_frame);
    syntax_number(s, "hit_from", (int64_t)report_hit_from(report, hsp));
    syntax_number(s, "hit_to", (int64_t)report_hit_to(report, hsp));
    if (report_translates_subjects(report))
        syntax_number(s, "hit_frame", h->subject_frame);
    else
        put_strand(s, "hit_strand", hsp->subject_frame);
    syntax_number(s, "align_len", (int64_t)h->counts.length);
    syntax_number(s, "gaps", (int64_t)h->counts.n_gaps);
    syntax_member(s, "qseq", text_of_array(&report->rows.query));
    syntax_member(s, "hseq", text_of_array(&report->rows.subject));
    syntax_member(s, "midline", text_of_array(&report->rows.middle));
    syntax_end_item(s, "Hsp");
}

/* The taxon of a defline, with its name where that is known. */
static void put_taxon(const struct report *report, int64_t taxid, struct report_syntax *s)
{
    size_t n;
    const char *name = tms_taxonomy_name(report->options.taxonomy, taxid, TMS_TAXON_SCIENTIFIC, &n);

    syntax_number(s, "taxid", taxid);
    if (name != NULL)
        syntax_member(s, "sciname", (struct text){name, n});
}

/* If names of taxa are known, NCBI's program stops at a taxon without one: an id replaces its description and all later ones. */
static bool gives_up(const struct report *report, int64_t taxid)
{
    size_t n;

    return report->options.taxonomy != NULL && taxid > 0 &&
           tms_taxonomy_name(report->options.taxonomy, taxid, TMS_TAXON_SCIENTIFIC, &n) == NULL;
}

static void put_last_id(const struct report *report, struct report_syntax *s)
{
    const struct report_name *name = &report->deflines[report->main_defline];
    char gi[32];

    snprintf(gi, sizeof gi, "gi|%lld", (long long)name->gi);
    syntax_member(s, "id", name->gi > 0 ? text_of(gi) : name->is_parsed ? name->id : text_of(report->subject_ordinal));
}

/* Returns false if no description may follow. */
static bool put_description(struct report *report, size_t i, struct report_syntax *s)
{
    const struct report_name *name = &report->deflines[i];
    const bool is_last = gives_up(report, name->taxid);

    syntax_begin_item(s, "HitDescr");
    if (is_last) {
        put_last_id(report, s);
    } else {
        syntax_member(s, "id", report_hit_id(report, i));
        if (!report->is_of_subjects || (name->is_parsed && !report_name_is_local(name)))
            syntax_member(s, "accession", report_hit_accession(report, i));
        syntax_member(s, "title", report->is_of_subjects ? report_tidy(report, name, s->t) : name->title);
        if (name->taxid > 0)
            put_taxon(report, name->taxid, s);
    }
    syntax_end_item(s, "HitDescr");
    return !is_last;
}

static void put_descriptions(struct report *report, struct report_syntax *s)
{
    size_t i = 0;

    syntax_begin_list(s, "description");
    while (i < report->n_deflines && put_description(report, i, s))
        i++;
    syntax_end_list(s, "description");
}

static io_status put_hit(struct report *report, const struct report_query *query, size_t i, struct report_syntax *s, io_error *err)
{
    const struct report_masking masking = {.as = REPORT_MASKED_LOWER, .whole_only = true};
    const tms_search_result *result = query->result;
    const tms_search_subject *subject = &result->subjects[i];
    io_status status = report_read_subject(report, subject->sequence, err);
    struct report_hsp h;

    if (status != IO_OK)
        return status;
    syntax_begin_item(s, "Hit");
    syntax_number(s, "num", (int64_t)i + 1);
    put_descriptions(report, s);
    syntax_number(s, "len", (int64_t)report_subject_length(report, subject->sequence));
    syntax_begin_list(s, "hsps");
    for (size_t k = 0; k < subject->n_hsps; k++) {
        status = report_read_hsp(report, query, subject->sequence, &subject->hsps[k], &h, err);
        if (status != IO_OK)
            return status;
        if (!report_rows_fill(&report->residues, &h, masking, &report->rows))
            return report_fail_memory(err);
        put_hsp(report, query, &h, k + 1, s);
    }
    syntax_end_list(s, "hsps");
    syntax_end_item(s, "Hit");
    return IO_OK;
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

static void put_statistics(struct report *report, const tms_search_result *result, struct report_syntax *s)
{
    const struct report_statistics of = report_statistics_of(report, result);
    char real[REPORT_NUMBER_SIZE];

    syntax_begin_object(s, "stat", "Statistics");
    if (!report->is_of_subjects) {
        syntax_number(s, "db_num", (int64_t)report->db.shown_n_sequences);
        syntax_number(s, "db_len", (int64_t)report->db.shown_n_residues);
    }
    syntax_number(s, "hsp_len", result->length_adjustment);
    syntax_number(s, "eff_space", result->search_space);
    syntax_real(s, "kappa", report_double(of.K, real));
    syntax_real(s, "lambda", report_double(of.lambda, real));
    syntax_real(s, "entropy", report_double(of.H, real));
    syntax_end_object(s, "stat", "Statistics");
}

static void put_range(uint64_t from, uint64_t to, struct report_syntax *s)
{
    syntax_begin_item(s, "Range");
    syntax_number(s, "from", (int64_t)from);
    syntax_number(s, "to", (int64_t)to);
    syntax_end_item(s, "Range");
}

/* Whether a frame has masks for NCBI's program. */
static bool has_frame_masks(const tms_search_frame *frames, size_t f)
{
    for (size_t i = 0; i < frames[f].n_masked; i++)
        if (report_keeps_frame_mask(f, &frames[f].masked[i]))
            return true;
    return false;
}

/* The masks of frames 1, 2 and 3, if any frame has masks: positions, from 0, of the first base of the first and of the last codon. */
static void put_frame_masking(const struct report_query *query, struct report_syntax *s)
{
    const tms_search_frame *frames = query->result->frames;
    bool has_masks = false;

    for (size_t f = 0; f < 6; f++)
        has_masks |= has_frame_masks(frames, f);
    if (!has_masks)
        return;
    syntax_begin_list(s, "query_masking");
    for (uint64_t f = 0; f < 3; f++)
        for (size_t i = 0; i < frames[f].n_masked; i++)
            put_range(query->offset + 3 * frames[f].masked[i].start + f, query->offset + 3 * (frames[f].masked[i].end - 1) + f, s);
    syntax_end_list(s, "query_masking");
}

/* The masks of a query, if there are any: positions, from 0, of the first and the last residue. None if the whole query is masked. */
static void put_masking(const struct report_query *query, struct report_syntax *s)
{
    const tms_search_result *result = query->result;

    if (result->n_masked == 0 || (result->masked[0].start == 0 && result->masked[0].end == result->query_length))
        return;
    syntax_begin_list(s, "query_masking");
    for (size_t i = 0; i < result->n_masked; i++)
        put_range(query->offset + result->masked[i].start, query->offset + result->masked[i].end - 1, s);
    syntax_end_list(s, "query_masking");
}

static io_status put_hits(struct report *report, const struct report_query *query, struct report_syntax *s, io_error *err)
{
    io_status status = IO_OK;

    if (!query->result->batch_is_valid) /* NCBI's program has not searched, and leaves the list out */
        return IO_OK;
    syntax_begin_list(s, "hits");
    for (size_t i = 0; i < query->result->n_subjects && status == IO_OK; i++)
        status = put_hit(report, query, i, s, err);
    syntax_end_list(s, "hits");
    return status;
}

/* If no query of the batch is valid, the message has one more line. */
static void put_message(struct report *report, const struct report_query *query, struct report_syntax *s)
{
    static const char again[] = " \nNo hits found";

    if (!report_message(report, query, s->t))
        return;
    if (!query->result->batch_is_valid && !byte_array_add(&report->scratch, again, sizeof again - 1))
        s->t->is_lost = true;
    syntax_member(s, "message", text_of_array(&report->scratch));
}

static io_status put_result(struct report *report, const struct report_query *query, struct report_syntax *s, io_error *err)
{
    const tms_search_result *result = query->result;
    struct text title = report_tidy(report, &report->query, s->t);
    io_status status;

    syntax_member(s, "query_id", report_query_id(report));
    if (title.n > 0)
        syntax_member(s, "query_title", title);
    syntax_number(s, "query_len", (int64_t)result->query_length);
    if (result->batch_is_valid && report_is_translated(result))
        put_frame_masking(query, s);
    else if (result->batch_is_valid)
        put_masking(query, s);
    status = put_hits(report, query, s, err);
    if (status != IO_OK)
        return status;
    put_statistics(report, result, s);
    put_message(report, query, s);
    return IO_OK;
}

static io_status put_report(struct report *report, const struct report_query *query, struct report_syntax *s, io_error *err)
{
    io_status status;

    syntax_begin_object(s, "report", "Report");
    put_search(report, s);
    syntax_begin_object(s, "results", "Results");
    if (report->is_of_subjects) {
        syntax_begin_list(s, "bl2seq");
        syntax_begin_item(s, "Search");
    } else {
        syntax_begin_object(s, "search", "Search");
    }
    status = put_result(report, query, s, err);
    if (report->is_of_subjects) {
        syntax_end_item(s, "Search");
        syntax_end_list(s, "bl2seq");
    } else {
        syntax_end_object(s, "search", "Search");
    }
    syntax_end_object(s, "results", "Results");
    syntax_end_object(s, "report", "Report");
    return status;
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------------- */

io_status report_json_prepare(struct report *report, io_error *err) { return prepare(report, false, 8, err); }

void report_json_begin(struct report *report, struct report_text *t)
{
    (void)report;
    text_string(t, "{\n\"BlastOutput2\": [\n");
}

io_status report_json_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    struct report_syntax s = {.t = t, .depth = 4};
    io_status status;

    text_string(t, report->n_queries > 0 ? ",\n{" : "{");
    status = put_report(report, query, &s, err);
    text_string(t, "\n  }\n");
    return status;
}

void report_json_end(struct report *report, struct report_text *t)
{
    (void)report;
    text_string(t, "]\n}\n");
}

/* ---- XML ---------------------------------------------------------------------------------------------------------------------- */

io_status report_xml2_prepare(struct report *report, io_error *err) { return prepare(report, true, 10, err); }

void report_xml2_begin(struct report *report, struct report_text *t)
{
    (void)report;
    text_string(t, xml_head);
}

io_status report_xml2_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    struct report_syntax s = {.t = t, .is_xml = true, .depth = 2};
    io_status status;

    text_string(t, "\n<BlastOutput2>");
    status = put_report(report, query, &s, err);
    text_string(t, "\n</BlastOutput2>\n");
    return status;
}

void report_xml2_end(struct report *report, struct report_text *t)
{
    (void)report;
    text_string(t, "</BlastXML2>\n");
}
