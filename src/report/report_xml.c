/*
 * report_xml.c - format 5: NCBI's BLAST XML, version 1. Its head has the name of the first query, so it is written with that.
 */
#include <math.h>
#include <stdio.h>

#include "report/report_common.h"
#include "report/report_numbers.h"
#include "report/report_syntax.h"
#include "report/report_writers.h"

static const char head[] =
    "<?xml version=\"1.0\"?>\n"
    "<!DOCTYPE BlastOutput PUBLIC \"-//NCBI//NCBI BlastOutput/EN\" \"http://www.ncbi.nlm.nih.gov/dtd/NCBI_BlastOutput.dtd\">\n"
    "<BlastOutput>\n";

/* ---- elements ----------------------------------------------------------------------------------------------------------------- */

/* indent: blanks and '<' before the name. */
static void put_element(struct report_text *t, const char *indent, const char *name, struct text text)
{
    text_string(t, indent);
    text_string(t, name);
    text_string(t, ">");
    text_escaped_xml(t, text);
    text_string(t, "</");
    text_string(t, name);
    text_string(t, ">\n");
}

static void put_number(struct report_text *t, const char *indent, const char *name, int64_t number)
{
    text_format(t, "%s%s>%lld</%s>\n", indent, name, (long long)number, name);
}

static void put_real(struct report_text *t, const char *indent, const char *name, const char *number)
{
    text_format(t, "%s%s>%s</%s>\n", indent, name, number, name);
}

/* The current query. */
static void put_query(struct report *report, const struct report_query *query, const char *prefix, struct report_text *t)
{
    char name[40];
    struct text title = report_tidy(report, &report->query, t);

    snprintf(name, sizeof name, "%s_query-ID", prefix);
    put_element(t, "  <", name, report_query_id(report));
    snprintf(name, sizeof name, "%s_query-def", prefix);
    put_element(t, "  <", name, title.n > 0 ? title : text_of("No definition line"));
    snprintf(name, sizeof name, "%s_query-len", prefix);
    put_number(t, "  <", name, (int64_t)query->result->query_length);
}

/* ---- the head ----------------------------------------------------------------------------------------------------------------- */

static void put_head(struct report *report, const struct report_query *query, struct report_text *t)
{
    const struct report_program *program = report->options.program;
    char number[REPORT_NUMBER_SIZE];

    text_string(t, head);
    put_element(t, "  <", "BlastOutput_program", text_of(program->name));
    put_element(t, "  <", "BlastOutput_version", text_of(program->version));
    put_element(t, "  <", "BlastOutput_reference", text_of(program->references[0].text));
    put_element(t, "  <", "BlastOutput_db", text_of(report->is_of_subjects ? "" : report->options.db_name));
    put_query(report, query, "BlastOutput", t);
    text_string(t, "  <BlastOutput_param>\n    <Parameters>\n");
    if (program->reward == 0)
        put_element(t, "      <", "Parameters_matrix", text_of(program->matrix));
    put_real(t, "      <", "Parameters_expect", isinf(program->evalue) ? "INF" : report_double(program->evalue, number));
    if (program->reward > 0 && !program->only_scores) {
        put_number(t, "      <", "Parameters_sc-match", program->reward);
        put_number(t, "      <", "Parameters_sc-mismatch", program->penalty);
    }
    put_number(t, "      <", "Parameters_gap-open", program->gap_open);
    put_number(t, "      <", "Parameters_gap-extend", program->gap_extend);
    put_element(t, "      <", "Parameters_filter", text_of(program->filter));
    text_string(t, "    </Parameters>\n  </BlastOutput_param>\n<BlastOutput_iterations>\n");
}

/* ---- hits --------------------------------------------------------------------------------------------------------------------- */

static void put_hsp(struct report *report, const struct report_query *query, const struct report_hsp *h, size_t number,
                    struct report_text *t)
{
    static const char in[] = "      <";
    const tms_search_hsp *hsp = h->hsp;
    char real[REPORT_NUMBER_SIZE];

    text_string(t, "    <Hsp>\n");
    put_number(t, in, "Hsp_num", (int64_t)number);
    put_real(t, in, "Hsp_bit-score", report_real(hsp->bits, real));
    put_number(t, in, "Hsp_score", hsp->score);
    put_real(t, in, "Hsp_evalue", report_evalue_real(hsp->evalue, real));
    put_number(t, in, "Hsp_query-from", (int64_t)(query->offset + hsp->query.start + 1));
    put_number(t, in, "Hsp_query-to", (int64_t)(query->offset + hsp->query.end));
    put_number(t, in, "Hsp_hit-from", (int64_t)report_hit_from(report, hsp));
    put_number(t, in, "Hsp_hit-to", (int64_t)report_hit_to(report, hsp));
    put_number(t, in, "Hsp_query-frame", report_is_translated(query->result) ? report_query_frame(query, hsp) : hsp->query_frame);
    put_number(t, in, "Hsp_hit-frame", report_translates_subjects(report) ? h->subject_frame : hsp->subject_frame);
    put_number(t, in, "Hsp_identity", (int64_t)h->counts.n_identical);
    put_number(t, in, "Hsp_positive", (int64_t)h->counts.n_positive);
    put_number(t, in, "Hsp_gaps", (int64_t)h->counts.n_gaps);
    put_number(t, in, "Hsp_align-len", (int64_t)h->counts.length);
    put_element(t, in, "Hsp_qseq", text_of_array(&report->rows.query));
    put_element(t, in, "Hsp_hseq", text_of_array(&report->rows.subject));
    put_element(t, in, "Hsp_midline", text_of_array(&report->rows.middle));
    text_string(t, "    </Hsp>\n");
}

/* In a database, the titles of all deflines, each but the first behind its ids. */
static struct text hit_title(struct report *report, struct report_text *t)
{
    struct report_text all = {.to = &report->scratch};

    if (report->is_of_subjects) {
        struct text title = report_tidy(report, &report->deflines[0], t);
        return title.n > 0 ? title : text_of("No definition line");
    }
    if (report->n_deflines == 1 && report->deflines[0].title.n == 0)
        return text_of("No definition line");
    report->scratch.n = 0;
    for (size_t i = 0; i < report->n_deflines; i++) {
        if (i > 0) {
            text_string(&all, " >");
            text_put(&all, report->deflines[i].ids);
            text_string(&all, " ");
        }
        text_put(&all, report->deflines[i].title);
    }
    t->is_lost = t->is_lost || all.is_lost;
    return text_of_array(&report->scratch);
}

static io_status put_hit(struct report *report, const struct report_query *query, const tms_search_subject *subject, size_t number,
                         struct report_text *t, io_error *err)
{
    const bool has_strands = report->options.program->reward > 0; /* masked bases are shown as they are */
    const struct report_masking masking = {.as = has_strands ? REPORT_UNMASKED : REPORT_MASKED_X, .whole_only = true};
    io_status status = report_read_subject(report, subject->sequence, err);
    struct report_hsp h;

    if (status != IO_OK)
        return status;
    text_string(t, "<Hit>\n");
    put_number(t, "  <", "Hit_num", (int64_t)number);
    put_element(t, "  <", "Hit_id", report_hit_id(report, 0));
    put_element(t, "  <", "Hit_def", hit_title(report, t));
    put_element(t, "  <", "Hit_accession", report_hit_accession(report, report->main_defline));
    put_number(t, "  <", "Hit_len", (int64_t)report_subject_length(report, subject->sequence));
    text_string(t, "  <Hit_hsps>\n");
    for (size_t i = 0; i < subject->n_hsps && status == IO_OK; i++) {
        status = report_read_hsp(report, query, subject->sequence, &subject->hsps[i], &h, err);
        if (status != IO_OK)
            break;
        if (!report_rows_fill(&report->residues, &h, masking, &report->rows))
            return report_fail_memory(err);
        put_hsp(report, query, &h, i + 1, t);
    }
    text_string(t, "  </Hit_hsps>\n</Hit>\n");
    return status;
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

static void put_statistics(struct report *report, const struct report_query *query, struct report_text *t)
{
    static const char in[] = "      <";
    const tms_search_result *result = query->result;
    const struct report_statistics s = report_statistics_of(report, result);
    char real[REPORT_NUMBER_SIZE];

    text_string(t, "  <Iteration_stat>\n    <Statistics>\n");
    put_number(t, in, "Statistics_db-num", report->is_of_subjects ? 0 : (int64_t)report->db.shown_n_sequences);
    put_number(t, in, "Statistics_db-len", report->is_of_subjects ? 0 : (int64_t)report->db.shown_n_residues);
    put_number(t, in, "Statistics_hsp-len", result->length_adjustment);
    put_real(t, in, "Statistics_eff-space", report_double((double)result->search_space, real));
    put_real(t, in, "Statistics_kappa", report_double(s.K, real));
    put_real(t, in, "Statistics_lambda", report_double(s.lambda, real));
    put_real(t, in, "Statistics_entropy", report_double(s.H, real));
    text_string(t, "    </Statistics>\n  </Iteration_stat>\n");
}

io_status report_xml_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    const tms_search_result *result = query->result;
    io_status status = IO_OK;

    if (report->n_queries == 0)
        put_head(report, query, t);
    text_string(t, report->n_queries > 0 ? "\n<Iteration>\n" : "<Iteration>\n");
    put_number(t, "  <", "Iteration_iter-num", (int64_t)report->n_queries + 1);
    put_query(report, query, "Iteration", t);
    text_string(t, "<Iteration_hits>\n");
    for (size_t i = 0; i < result->n_subjects && status == IO_OK; i++)
        status = put_hit(report, query, &result->subjects[i], i + 1, t, err);
    if (status != IO_OK)
        return status;
    text_string(t, "</Iteration_hits>\n");
    put_statistics(report, query, t);
    if (report_message(report, query, t))
        put_element(t, "  <", "Iteration_message", text_of_array(&report->scratch));
    text_string(t, "</Iteration>"); /* the next query or the end ends the line: so does NCBI's program, also if the search fails here */
    return IO_OK;
}

void report_xml_end(struct report *report, struct report_text *t)
{
    if (report->n_queries > 0)
        text_string(t, "\n</BlastOutput_iterations>\n</BlastOutput>\n");
    text_string(t, "\n");
}
