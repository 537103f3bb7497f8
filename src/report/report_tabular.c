/*
 * report_tabular.c - formats 6, 7 and 10: a line for each HSP, with the columns that were asked for.
 *
 * What a column has is not quoted, whatever is in it.
 */
#include <stdbool.h>

#include "report/report_columns.h"
#include "report/report_struct.h"
#include "report/report_taxa.h"

/* A line under way. */
struct line {
    struct report *report;
    const struct report_query *query;
    const tms_search_subject *subject;
    struct report_hsp hsp;
    struct report_counts counts; /* of the HSP, as tables have them */
    int covered;                 /* percent of the query, by all HSPs of the subject */
    struct report_text *t;
};

static void put_na(struct report_text *t) { text_string(t, "N/A"); }

/* ---- coverage of the query ---------------------------------------------------------------------------------------------------- */

static int percent_covered(uint64_t n, uint64_t total)
{
    double percent = 100.0 * (double)n / (double)total;

    return (int)(percent < 99 ? percent + 0.5 : percent);
}

static uint64_t query_length(const struct report_query *query)
{
    return query->typed_length > 0 ? query->typed_length : query->result->query_length;
}

/* Of one without gaps that is its subject's only one blastp takes what was typed as the query's length. */
static int percent_of_hsp(const struct line *l)
{
    const bool as_typed = l->report->options.params->ungapped != 0 && l->subject->n_hsps == 1;
    const tms_interval *range = &l->hsp.hsp->query;

    return percent_covered(range->end - range->start, as_typed ? query_length(l->query) : l->query->result->query_length);
}

/* ---- names -------------------------------------------------------------------------------------------------------------------- */

typedef struct text name_form(const struct report_name *name);

/* Of all deflines. */
static void put_all(const struct line *l, name_form *form)
{
    const struct report *report = l->report;

    if (report->is_of_subjects && !report->deflines[0].is_parsed &&
        (report->options.parse_deflines || text_trimmed(report->deflines[0].title).n == 0)) {
        text_string(l->t, report->subject_label);
        return;
    }
    for (size_t i = 0; i < report->n_deflines; i++) {
        if (i > 0)
            text_string(l->t, ";");
        text_put(l->t, form(&report->deflines[i]));
    }
}

static void put_gis(const struct line *l)
{
    for (size_t i = 0; i < l->report->n_deflines; i++) {
        if (i > 0)
            text_string(l->t, ";");
        text_number(l->t, l->report->deflines[i].gi);
    }
}

static void put_titles(const struct line *l, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct text title = l->report->deflines[i].title;
        if (i > 0)
            text_string(l->t, "<>");
        if (title.n == 0 || l->report->is_of_subjects)
            put_na(l->t);
        else
            text_put(l->t, title);
    }
}

/* ---- one column --------------------------------------------------------------------------------------------------------------- */

static void put_name(const struct line *l, enum report_column column)
{
    const struct report_name *query = &l->report->query, *subject = &l->report->deflines[l->report->main_defline];

    switch (column) {
    case COLUMN_QSEQID:
        text_put(l->t, report_name_ids(query));
        break;
    case COLUMN_QGI:
        text_number(l->t, query->gi);
        break;
    case COLUMN_QACC:
        text_put(l->t, report_name_accession(query));
        break;
    case COLUMN_QACCVER:
        text_put(l->t, report_name_versioned(query));
        break;
    case COLUMN_SSEQID:
        text_put(l->t, report_name_ids(subject));
        break;
    case COLUMN_SALLSEQID:
        put_all(l, report_name_ids);
        break;
    case COLUMN_SGI:
        text_number(l->t, subject->gi);
        break;
    case COLUMN_SALLGI:
        put_gis(l);
        break;
    case COLUMN_SACC:
        text_put(l->t, report_name_accession(subject));
        break;
    case COLUMN_SACCVER:
        text_put(l->t, report_name_versioned(subject));
        break;
    case COLUMN_SALLACC:
        put_all(l, report_name_accession);
        break;
    case COLUMN_STITLE:
        put_titles(l, 1); /* of the first defline, whatever it is called by */
        break;
    case COLUMN_SALLTITLES:
        put_titles(l, l->report->n_deflines);
        break;
    default:
        if (!report_taxa_put(l->report, column, l->t))
            put_na(l->t);
        break;
    }
}

static void put_row(const struct line *l, bool is_query)
{
    struct report *report = l->report;
    bool is_filled = report_rows_fill(&report->residues, &l->hsp, l->query->result, (struct report_masking){.as = REPORT_UNMASKED},
                                      &report->rows);

    l->t->is_lost = l->t->is_lost || !is_filled;
    if (is_filled)
        text_put(l->t, text_of_array(is_query ? &report->rows.query : &report->rows.subject));
}

/* Tables do not count a gap in the query that an HSP begins with. */
static struct report_counts counts_of_residues(const struct report_counts *all)
{
    struct report_counts counts = *all;

    counts.length -= all->n_before;
    counts.n_gaps -= all->n_before;
    counts.n_openings -= all->n_before > 0;
    return counts;
}

static void put_count(const struct line *l, enum report_column column)
{
    const struct report_counts *c = &l->counts;
    const tms_search_hsp *hsp = l->hsp.hsp;
    const uint64_t offset = l->query->offset, subject_offset = l->report->options.subject_offset;

    switch (column) {
    case COLUMN_QLEN:
        text_number(l->t, (int64_t)query_length(l->query));
        break;
    case COLUMN_SLEN:
        text_number(l->t, (int64_t)report_subject_length(l->report, l->subject->sequence));
        break;
    case COLUMN_QSTART:
        text_number(l->t, (int64_t)(offset + hsp->query.start + 1));
        break;
    case COLUMN_QEND:
        text_number(l->t, (int64_t)(offset + hsp->query.end));
        break;
    case COLUMN_SSTART:
        text_number(l->t, (int64_t)(subject_offset + hsp->subject.start + 1));
        break;
    case COLUMN_SEND:
        text_number(l->t, (int64_t)(subject_offset + hsp->subject.end));
        break;
    case COLUMN_LENGTH:
        text_number(l->t, (int64_t)c->length);
        break;
    case COLUMN_NIDENT:
        text_number(l->t, (int64_t)c->n_identical);
        break;
    case COLUMN_MISMATCH:
        text_number(l->t, (int64_t)(c->length - c->n_identical - c->n_gaps));
        break;
    case COLUMN_POSITIVE:
        text_number(l->t, (int64_t)c->n_positive);
        break;
    case COLUMN_GAPOPEN:
        text_number(l->t, (int64_t)c->n_openings);
        break;
    case COLUMN_GAPS:
        text_number(l->t, (int64_t)c->n_gaps);
        break;
    case COLUMN_SCORE:
        text_number(l->t, hsp->score);
        break;
    case COLUMN_QCOVS:
        text_number(l->t, l->covered);
        break;
    default:
        text_number(l->t, percent_of_hsp(l));
        break;
    }
}

static void put_column(const struct line *l, enum report_column column)
{
    const struct report_counts *c = &l->counts;
    char number[REPORT_NUMBER_SIZE];

    switch (column) {
    case COLUMN_QLEN:
    case COLUMN_SLEN:
    case COLUMN_QSTART:
    case COLUMN_QEND:
    case COLUMN_SSTART:
    case COLUMN_SEND:
    case COLUMN_LENGTH:
    case COLUMN_NIDENT:
    case COLUMN_MISMATCH:
    case COLUMN_POSITIVE:
    case COLUMN_GAPOPEN:
    case COLUMN_GAPS:
    case COLUMN_SCORE:
    case COLUMN_QCOVS:
    case COLUMN_QCOVHSP:
        put_count(l, column);
        break;
    case COLUMN_PIDENT:
        text_format(l->t, "%.3f", (double)c->n_identical / (double)c->length * 100);
        break;
    case COLUMN_PPOS:
        text_format(l->t, "%.2f", (double)c->n_positive / (double)c->length * 100);
        break;
    case COLUMN_EVALUE:
        text_string(l->t, report_evalue(l->hsp.hsp->evalue, number));
        break;
    case COLUMN_BITSCORE:
        text_string(l->t, report_bits(l->hsp.hsp->bits, number));
        break;
    case COLUMN_QSEQ:
    case COLUMN_SSEQ:
        put_row(l, column == COLUMN_QSEQ);
        break;
    case COLUMN_BTOP:
        report_btop_put(&l->report->residues, &l->hsp, l->t);
        break;
    case COLUMN_FRAMES:
        text_string(l->t, "1/1");
        break;
    case COLUMN_QFRAME:
    case COLUMN_SFRAME:
        text_string(l->t, "1");
        break;
    default:
        put_name(l, column);
        break;
    }
}

/* ---- lines -------------------------------------------------------------------------------------------------------------------- */

static io_status put_subject(struct line *l, io_error *err)
{
    struct report *report = l->report;
    const struct report_format *format = &report->options.format;
    io_status status = report_read_subject(report, l->subject->sequence, err);

    if (status == IO_OK && memchr(format->columns, COLUMN_QCOVS, format->n_columns) != NULL) {
        uint64_t n;
        if (!report_count_covered(l->subject, &n))
            return report_fail_memory(err);
        l->covered = percent_covered(n, query_length(l->query));
    }
    for (size_t i = 0; i < l->subject->n_hsps && status == IO_OK; i++) {
        status = report_read_hsp(report, l->query->result, l->subject->sequence, &l->subject->hsps[i], &l->hsp, err);
        if (status == IO_OK)
            l->counts = counts_of_residues(&l->hsp.counts);
        for (size_t k = 0; k < format->n_columns && status == IO_OK; k++) {
            if (k > 0)
                text_add(l->t, format->delimiter, format->delimiter_size);
            put_column(l, (enum report_column)format->columns[k]);
        }
        text_string(l->t, "\n");
    }
    return status;
}

static void put_comments(struct report *report, const tms_search_result *result, struct report_text *t)
{
    const struct report_format *format = &report->options.format;
    size_t n_hsps = 0;

    for (size_t i = 0; i < result->n_subjects; i++)
        n_hsps += result->subjects[i].n_hsps;
    text_string(t, "# " REPORT_PROGRAM "\n# Query: ");
    report_query_text(report, &report->scratch, t);
    text_put(t, text_of_array(&report->scratch));
    text_string(t, "\n# Database: ");
    if (report->options.db_name != NULL) {
        text_string(t, report->options.db_name);
    } else {
        text_string(t, "User specified sequence set (Input: ");
        text_string(t, report->options.subject_path);
        text_string(t, ")");
    }
    text_string(t, "\n");
    if (n_hsps > 0) {
        text_string(t, "# Fields: ");
        for (size_t k = 0; k < format->n_columns; k++) {
            text_string(t, k > 0 ? ", " : "");
            text_string(t, report_columns[format->columns[k]].title);
        }
        text_string(t, "\n");
    }
    if (result->batch_is_valid) /* else blastp has not searched at all */
        text_format(t, "# %zu hits found\n", n_hsps);
}

io_status report_tabular_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    struct line line = {.report = report, .query = query, .t = t};
    io_status status = IO_OK;

    if (report->options.format.kind == REPORT_COMMENTED)
        put_comments(report, query->result, t);
    for (size_t i = 0; i < query->result->n_subjects && status == IO_OK; i++) {
        line.subject = &query->result->subjects[i];
        status = put_subject(&line, err);
    }
    return status;
}

void report_tabular_end(struct report *report, struct report_text *t)
{
    text_format(t, "# BLAST processed %llu queries\n", (unsigned long long)report->n_queries);
}
