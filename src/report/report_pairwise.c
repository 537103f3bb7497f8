/* report_pairwise.c - format 0: below the summary each subject with its alignments, the query's row above the subject's. */
#include <stdio.h>

#include "report/report_common.h"
#include "report/report_html.h"
#include "report/report_numbers.h"
#include "report/report_summary.h"
#include "report/report_writers.h"

/* ---- alignments --------------------------------------------------------------------------------------------------------------- */

/* A title in lines: every 60 bytes, the line ends behind the next blank. */
static void put_title(struct report_text *t, struct text title)
{
    enum { EVERY = 60 };
    bool is_due = false;

    for (size_t i = 0; i < title.n; i++) {
        is_due = is_due || (i > 0 && i % EVERY == 0);
        text_add(t, &title.bytes[i], 1);
        if (is_due && title.n > EVERY && (title.bytes[i] == ' ' || title.bytes[i] == '\t')) {
            text_string(t, "\n");
            is_due = false;
        }
    }
}

/* With -seqidlist or the like, only deflines with a gi are shown; if there is none, only those with an accession. */
static int preference_of(const struct report *report, const struct report_name *name)
{
    if (!report->options.has_list)
        return 0;
    return name->gi > 0 ? 2 : name->is_parsed && !report_name_is_own(name);
}

/* The ids before a title; with HTML as a link, and with the target of one. */
static void put_ids(const struct report *report, const struct report_name *name, size_t rank, struct report_text *t)
{
    const bool is_linked = report->options.html && report_html_has_page(name);

    if (is_linked)
        report_html_put_link(name, "align", rank, "0", t);
    if (name->is_parsed)
        text_put(t, report->options.show_gis && name->gi > 0 ? report_name_ids(name) : name->label);
    if (is_linked)
        text_string(t, "</a>");
    if (report->options.html) {
        text_string(t, "<a name=");
        report_html_put_anchor(report, name, true, t);
        text_string(t, "></a>");
    }
    text_string(t, name->is_parsed || report->is_of_subjects || report->options.html ? " " : "");
}

/* The lines that begin with '>'. */
static void put_deflines(struct report *report, size_t rank, struct report_text *t)
{
    const char *before = ">";
    int best = 0;

    for (size_t i = 0; i < report->n_deflines; i++) {
        const int preference = preference_of(report, &report->deflines[i]);
        best = preference > best ? preference : best;
    }
    for (size_t i = 0; i < report->n_deflines; i++) {
        const struct report_name *name = &report->deflines[i];
        struct text title = name->title;
        if (preference_of(report, name) < best)
            continue;
        if (report->is_of_subjects || title.n == 0)
            title = report_tidy(report, &report->deflines[report->main_defline], t);
        text_string(t, before);
        before = " ";
        put_ids(report, name, rank, t);
        if (report->options.html) {
            struct report_text all = {.to = &report->line};
            report->line.n = 0;
            text_escaped(&all, title, true);
            t->is_lost = t->is_lost || all.is_lost;
            title = text_of_array(&report->line);
        }
        put_title(t, title);
        text_string(t, "\n");
    }
}

static int digits_of(uint64_t number)
{
    int n = 1;

    for (; number >= 10; number /= 10)
        n++;
    return n;
}

/* The query's or the subject's row of an alignment. */
struct aligned_row {
    const char *name;
    struct text residues;           /* with gaps */
    const struct byte_array *spans; /* HTML: masked columns */
    uint64_t at;                    /* position of the next residue, from 1 */
    int step;                       /* from a residue to the next; negative on a minus strand, 3 bases with a translation */
    const tms_search_hsp *hsp;
    enum tms_aligned gap; /* columns in which it has no residue: a dash may be one */
    size_t run, used;     /* of hsp: the run of the next column, and its columns before that */
};

/* Returns the number of residues in the next n columns of a row. */
static uint64_t pass_columns(struct aligned_row *r, size_t n)
{
    uint64_t n_residues = 0;

    while (n > 0) {
        const tms_aligned_run *run = &r->hsp->runs[r->run];
        const size_t left = run->n - r->used, passed = left < n ? left : n;
        n_residues += run->kind != r->gap ? passed : 0;
        n -= passed;
        r->used += passed;
        if (r->used == run->n) {
            r->run++;
            r->used = 0;
        }
    }
    return n_residues;
}

/* A row is left out if it has nothing but the gap at the beginning. */
static bool is_blank(const char *row, size_t n)
{
    size_t i = 0;

    while (i < n && row[i] == ' ')
        i++;
    return i == n;
}

/*
 * Columns from .. from + n - 1 of a row, behind its name, with the positions of the first and the last residue. width: of positions.
 * Returns false if the row is left out.
 */
static bool put_row(const struct report *report, struct aligned_row *r, size_t from, size_t n, int width, struct report_text *t)
{
    const struct text row = r->residues;
    const uint64_t n_residues = pass_columns(r, n), first = r->at;
    bool has_positions;
    char start[24] = "";

    if (is_blank(row.bytes + from, n))
        return false;
    /* NCBI's program takes a row with only the first residue for a row of gaps, unless blanks are before it, in earlier rows too. */
    has_positions = n_residues > 0 && (r->step != 1 || !(first == 1 && n_residues == 1 && row.bytes[0] != ' '));
    r->at += (uint64_t)(r->step * (int64_t)n_residues);
    if (has_positions)
        snprintf(start, sizeof start, "%llu", (unsigned long long)first);
    text_string(t, r->name);
    text_padded(t, text_of(start), (size_t)width + 2);
    if (report->options.html)
        report_html_put_columns(row.bytes + from, from, from + n, r->spans, t);
    else
        text_add(t, row.bytes + from, n);
    text_string(t, "  ");
    if (has_positions)
        text_number(t, (int64_t)r->at - (r->step < 0 ? -1 : 1));
    text_string(t, "\n");
    return true;
}

/* Positions of a sequence from one column to the next. */
static int step_of(bool is_translated, bool descends) { return (descends ? -1 : 1) * (is_translated ? 3 : 1); }

static void put_rows(struct report *report, uint64_t offset, bool is_translated, const struct report_hsp *h, struct report_text *t)
{
    const struct report_rows *rows = &report->rows;
    const tms_search_hsp *hsp = h->hsp;
    const uint64_t subject_offset = report->options.subject_offset;
    struct aligned_row query = {"Query  ",
                                text_of_array(&rows->query),
                                &report->query_spans,
                                offset + report_query_from(hsp),
                                step_of(is_translated, report_query_descends(hsp)),
                                hsp,
                                TMS_ALIGNED_GAP_IN_QUERY,
                                0,
                                0};
    struct aligned_row subject = {"Sbjct  ",
                                  text_of_array(&rows->subject),
                                  &report->subject_spans,
                                  subject_offset + report_subject_from(hsp),
                                  step_of(report_translates_subjects(report), hsp->subject_frame < 0),
                                  hsp,
                                  TMS_ALIGNED_GAP_IN_SUBJECT,
                                  0,
                                  0};
    const uint64_t query_end = offset + hsp->query.end, subject_end = subject_offset + hsp->subject.end;
    const int width = digits_of((query_end > subject_end ? query_end : subject_end) - 1); /* NCBI's program counts from 0 here */
    const size_t step = report->options.line_length;

    for (size_t i = 0; i < rows->query.n; i += step) {
        size_t n = rows->query.n - i < step ? rows->query.n - i : step;
        if (put_row(report, &query, i, n, width, t)) {
            text_blanks(t, 9 + width);
            text_add(t, rows->middle.bytes + i, n);
            text_string(t, "\n");
        }
        (void)put_row(report, &subject, i, n, width, t);
        text_string(t, "\n");
    }
    text_string(t, "\n");
}

/* Makes positions of masks those on the minus strand, counted from `end` to the left. */
static void mirror(tms_interval *masks, size_t n, uint64_t end)
{
    for (size_t i = 0; i < n; i++) {
        const tms_interval mask = masks[i];
        masks[i] = (tms_interval){mask.end < end ? end - mask.end : 0, mask.start < end ? end - mask.start : 0};
    }
}

static void put_share(struct report_text *t, const char *name, uint64_t n, uint64_t length)
{
    text_format(t, "%s = %llu/%llu (%d%%)", name, (unsigned long long)n, (unsigned long long)length, report_percent(n, length));
}

/* The line with the score of an alignment. */
static void put_score(const struct report_program *program, const tms_search_hsp *hsp, struct report_text *t)
{
    static const char *const methods[] = {[TMS_METHOD_STANDARD] = "",
                                          [TMS_METHOD_SCALED] = ", Method: Composition-based stats.",
                                          [TMS_METHOD_ADJUSTED] = ", Method: Compositional matrix adjust."};
    char bits[REPORT_NUMBER_SIZE], evalue[REPORT_NUMBER_SIZE];

    if (program->only_scores) {
        text_format(t, " Score = %d\n\n ", hsp->score);
        return;
    }
    text_format(t, " Score = %s bits (%d),  Expect", report_bits(hsp->bits, bits), hsp->score);
    if (hsp->n_linked > 1)
        text_format(t, "(%llu)", (unsigned long long)hsp->n_linked);
    text_format(t, " = %s%s\n ", report_evalue_short(hsp->evalue, evalue), methods[hsp->method]);
}

/* The line of frames, if there is one. */
static void put_frames(const struct report *report, const struct report_query *query, const struct report_hsp *h, struct report_text *t)
{
    const bool of_query = report_is_translated(query->result), of_subject = report_translates_subjects(report);

    if (of_query || of_subject)
        text_string(t, "\n Frame = ");
    if (of_query)
        text_format(t, "%+d", report_query_frame(query, h->hsp));
    if (of_subject)
        text_format(t, "%s%+d", of_query ? "/" : "", h->subject_frame);
}

static io_status put_hsp(struct report *report, const struct report_query *query, const struct report_hit *hit, const tms_search_hsp *hsp,
                         struct report_text *t, io_error *err)
{
    const bool has_strands = report->options.program->reward > 0;
    struct report_hsp h;
    io_status status = report_read_hsp(report, query, hit->subject->sequence, hsp, &h, err);

    if (status != IO_OK)
        return status;
    if (!report_rows_fill(&report->residues, &h, (struct report_masking){.as = REPORT_MASKED_LOWER}, &report->rows))
        return report_fail_memory(err);
    put_score(report->options.program, hsp, t);
    put_share(t, "Identities", h.counts.n_identical, h.counts.length);
    if (!has_strands)
        put_share(t, ", Positives", h.counts.n_positive, h.counts.length);
    put_share(t, ", Gaps", h.counts.n_gaps - h.counts.n_before, h.counts.length);
    if (has_strands)
        text_format(t, "\n Strand=Plus/%s", hsp->subject_frame < 0 ? "Minus" : "Plus");
    put_frames(report, query, &h, t);
    text_string(t, "\n\n");
    if (report->options.html) {
        const size_t n_masks = h.masked != NULL ? report->n_masks : 0;
        report_html_find_spans(text_of_array(&report->rows.query), h.query_at, h.query_masked, h.n_query_masked, &report->query_spans, t);
        if (hsp->subject_frame < 0)
            mirror(report->masks, n_masks, hsp->subject.end);
        report_html_find_spans(text_of_array(&report->rows.subject), hsp->subject_frame < 0 ? 0 : hsp->subject.start, report->masks,
                               n_masks, &report->subject_spans, t);
    }
    put_rows(report, query->offset, report_is_translated(query->result), &h, t);
    return IO_OK;
}

static io_status put_subject(struct report *report, const struct report_query *query, size_t rank, const struct report_hit *hit,
                             struct report_text *t, io_error *err)
{
    io_status status = report_read_subject(report, hit->subject->sequence, err);

    if (status != IO_OK)
        return status;
    put_deflines(report, rank, t);
    text_format(t, "Length=%llu\n\n", (unsigned long long)report_subject_length(report, hit->subject->sequence));
    for (size_t i = 0; i < hit->subject->n_hsps && status == IO_OK; i++)
        status = put_hsp(report, query, hit, hit->order[i].hsp, t, err);
    return status;
}

static io_status put_subjects(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < report->hits.n && i < report->options.n_alignments && status == IO_OK; i++)
        status = put_subject(report, query, i + 1, &report->hits.items[i], t, err);
    return status;
}

io_status report_pairwise_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return report_summary_query(report, query, put_subjects, t, err);
}
