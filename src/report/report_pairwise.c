/*
 * report_pairwise.c - format 0: for people. A table of the subjects of a query, and then each of them with its alignments in rows.
 */
#include <stdio.h>

#include "report/report_hits.h"
#include "report/report_struct.h"

/* ---- the head ----------------------------------------------------------------------------------------------------------------- */

static const char references[] = "Reference: Stephen F. Altschul, Thomas L. Madden, Alejandro A.\n"
                                 "Schaffer, Jinghui Zhang, Zheng Zhang, Webb Miller, and David J.\n"
                                 "Lipman (1997), \"Gapped BLAST and PSI-BLAST: a new generation of\n"
                                 "protein database search programs\", Nucleic Acids Res. 25:3389-3402.\n"
                                 "\n"
                                 "\n"
                                 "Reference for composition-based statistics: Alejandro A. Schaffer,\n"
                                 "L. Aravind, Thomas L. Madden, Sergei Shavirin, John L. Spouge, Yuri\n"
                                 "I. Wolf, Eugene V. Koonin, and Stephen F. Altschul (2001),\n"
                                 "\"Improving the accuracy of PSI-BLAST protein database searches with\n"
                                 "composition-based statistics and other refinements\", Nucleic Acids\n"
                                 "Res. 29:2994-3005.\n"
                                 "\n"
                                 "\n"
                                 "\n";

/* In pages: as blastp wraps them, which cuts addresses too. */
static const char html_head[] = "<HTML>\n"
                                "<HEAD><TITLE>BLAST Search Results</TITLE></HEAD>\n"
                                "<BODY BGCOLOR=\"#FFFFFF\" LINK=\"#0000FF\" VLINK=\"#660099\" ALINK=\"#660099\">\n"
                                "<PRE>\n"
                                "\n"
                                "<b>" REPORT_PROGRAM "</b>\n\n\n"
                                "<b><a\n"
                                "href=\"https://www.ncbi.nlm.nih.gov/entrez/query.fcgi?db=PubMed&cmd=R\n"
                                "etrieve&list_uids=9254694&dopt=Citation\">Reference</a>:</b>\n"
                                "Stephen F. Altschul, Thomas L. Madden, Alejandro A. Sch&auml;ffer,\n"
                                "Jinghui Zhang, Zheng Zhang, Webb Miller, and David J. Lipman (1997),\n"
                                "\"Gapped BLAST and PSI-BLAST: a new generation of protein database\n"
                                "search programs\", Nucleic Acids Res. 25:3389-3402.\n"
                                "\n"
                                "\n"
                                "<b><a\n"
                                "href=\"https://www.ncbi.nlm.nih.gov/entrez/query.fcgi?db=PubMed&cmd=R\n"
                                "etrieve&list_uids=11452024&dopt=Citation\">Reference for\n"
                                "composition-based statistics</a>:</b>\n"
                                "Alejandro A. Sch&auml;ffer, L. Aravind, Thomas L. Madden, Sergei\n"
                                "Shavirin, John L. Spouge, Yuri I. Wolf, Eugene V. Koonin, and\n"
                                "Stephen F. Altschul (2001), \"Improving the accuracy of PSI-BLAST\n"
                                "protein database searches with composition-based statistics and\n"
                                "other refinements\", Nucleic Acids Res. 29:2994-3005.\n"
                                "\n"
                                "\n"
                                "\n";

/* The title of what is searched. */
static void put_database(struct report *report, struct report_text *t)
{
    struct report_text title = {.to = &report->scratch};

    report->scratch.n = 0;
    if (report->is_of_subjects) {
        text_string(&title, "User specified sequence set (Input: ");
        text_string(&title, report->options.subject_path);
        text_string(&title, ").");
    } else {
        text_string(&title, report->db.title);
    }
    t->is_lost = t->is_lost || title.is_lost;
    text_wrapped(t, text_of_array(&report->scratch));
}

/* What made the masks of the database. */
static void put_masking(const struct report *report, const char *before, struct report_text *t)
{
    const tms_seqdb_masks *masks = report->options.params->subject_masks;
    const char *options, *name;

    if (masks == NULL || report->is_of_subjects)
        return;
    name = tms_seqdb_masks_name(masks, &options);
    text_string(t, before);
    text_string(t, "Masked using: '");
    text_string(t, name);
    if (options[0] != '\0') {
        text_string(t, "', options: '");
        text_string(t, options);
    }
    text_string(t, "'\n");
}

void report_pairwise_begin(struct report *report, struct report_text *t)
{
    char n_sequences[REPORT_NUMBER_SIZE], n_residues[REPORT_NUMBER_SIZE];

    if (report->options.html) {
        text_string(t, html_head);
    } else {
        text_string(t, REPORT_PROGRAM "\n\n\n");
        text_string(t, references);
    }
    text_string(t, "Database: ");
    put_database(report, t);
    put_masking(report, "", t);
    text_format(t, "           %s sequences; %s total letters\n\n", report_grouped(report->db.shown_n_sequences, n_sequences),
                report_grouped(report->db.shown_n_residues, n_residues));
}

/* ---- the table of subjects ---------------------------------------------------------------------------------------------------- */

/* Where a line has its columns. */
struct table {
    size_t bits, evalue; /* widths */
    bool is_wide;        /* -sorthits was given: more columns */
    size_t total;
};

/* Sequences of public databases have pages. */
static bool has_page(const struct report *report, const struct report_name *name)
{
    return report->options.html && name->is_parsed && !report_name_is_own(name) && !report_name_is_gi(name) &&
           !report_name_is_geninfo(name);
}

/* The begin of a link to a name's page. place: "prottop" or "protalign". rank: of the subject, from 1. */
static void put_link(const struct report_name *name, const char *place, size_t rank, const char *end, struct report_text *t)
{
    const struct text id = report_name_versioned(name);

    text_string(t, "<a title=\"Show report for ");
    text_put(t, id);
    text_string(t, "\" href=\"https://www.ncbi.nlm.nih.gov/protein/");
    text_put(t, id);
    text_format(t, "?report=genbank&log$=%s&blast_rank=%zu&RID=%s\" >", place, rank, end);
}

/* What the table's links within the page, and their targets, are called. */
static void put_anchor(const struct report *report, const struct report_name *name, bool is_target, struct report_text *t)
{
    const char *const ordinal = report->subject_ordinal;

    if (name->gi > 0)
        text_number(t, name->gi);
    else if (name->is_parsed)
        text_put(t, is_target && report->is_of_subjects ? report_name_accession(name) : report_name_versioned(name));
    else if (report->is_of_subjects)
        text_string(t, report->subject_label);
    else
        text_format(t, "BL_ORD_ID:%s", strrchr(ordinal, '|') + 1);
}

/* The first n_linked bytes of a line, which end a link, and the rest. */
static void put_linked(struct text line, size_t n_linked, bool html, struct report_text *t)
{
    const size_t n = n_linked < line.n ? n_linked : line.n;

    text_escaped(t, (struct text){line.bytes, n}, html);
    text_string(t, n_linked > 0 ? "</a>" : "");
    text_escaped(t, (struct text){line.bytes + n, line.n - n}, html);
}

/* What a line begins with. */
static void put_subject_name(struct report *report, size_t rank, struct report_text *t)
{
    const struct report_name *name = &report->deflines[report->main_defline];
    struct byte_array *line = &report->line;
    struct report_text all = {.to = line};
    struct text title = report_tidy(report, name, t);
    const bool is_linked = has_page(report, name);
    size_t n_linked;

    line->n = 0;
    if (name->is_parsed && report->options.show_gis) {
        text_put(&all, report_name_ids(name));
        text_string(&all, name->gi > 0 ? "  " : "");
    } else if (name->is_parsed) {
        text_put(&all, name->label);
        text_string(&all, " ");
    }
    n_linked = is_linked ? (name->is_parsed && report->options.show_gis ? report_name_ids(name).n : line->n) : 0;
    text_put(&all, title);
    t->is_lost = t->is_lost || all.is_lost;
    if (is_linked)
        put_link(name, "prottop", rank, "", t);
    if (line->n > REPORT_WIDTH) {
        put_linked((struct text){(const char *)line->bytes, REPORT_WIDTH - 3}, n_linked, report->options.html, t);
        text_string(t, "...");
    } else {
        put_linked(text_of_array(line), n_linked, report->options.html, t);
        text_blanks(t, REPORT_WIDTH - (int64_t)line->n);
    }
}

static void put_percent(struct report_text *t, int percent, size_t width)
{
    char text[16];

    snprintf(text, sizeof text, "%d%%", percent);
    text_padded(t, text_of(text), width);
}

/* Without the blank that the bits of one alignment have below 10; that of 99 point something stays. */
static const char *total_bits(const struct report_hit *hit, char to[REPORT_NUMBER_SIZE])
{
    const char *text = report_bits(hit->total_bits, to);

    return text + (hit->total_bits < 99 && *text == ' ');
}

/* In pages a link to the alignments. */
static void put_bits(struct report *report, const char *bits, size_t width, struct report_text *t)
{
    if (!report->options.html) {
        text_padded(t, text_of(bits), width);
        return;
    }
    text_string(t, "<a href=#");
    put_anchor(report, &report->deflines[report->main_defline], false, t);
    text_string(t, ">");
    text_string(t, bits);
    text_string(t, "</a>");
    text_blanks(t, (int64_t)width - (int64_t)strlen(bits));
}

static io_status put_line(struct report *report, size_t rank, const struct report_hit *hit, const struct table *table,
                          struct report_text *t, io_error *err)
{
    char number[REPORT_NUMBER_SIZE];
    io_status status = report_read_subject(report, hit->subject->sequence, err);

    if (status != IO_OK)
        return status;
    put_subject_name(report, rank, t);
    text_string(t, "  ");
    put_bits(report, report_bits(hit->bits, number), table->bits + (table->is_wide ? 3 : 2), t);
    if (table->is_wide) {
        text_padded(t, text_of(total_bits(hit, number)), table->total);
        text_string(t, "  ");
        put_percent(t, hit->percent_covered, 7);
    }
    text_padded(t, text_of(report_evalue_short(hit->evalue, number)), table->evalue);
    if (table->is_wide) {
        text_string(t, "  ");
        put_percent(t, hit->percent_identical, 10);
    }
    text_string(t, "\n");
    return IO_OK;
}

static void grow(size_t *width, const char *text)
{
    if (strlen(text) > *width)
        *width = strlen(text);
}

/* The total of the last of all subjects, if it is wider than those before it, widens the column of bits instead [sic]. */
static struct table measure(const struct report *report, size_t n_lines)
{
    struct table table = {.bits = 6, .evalue = 5, .is_wide = report->options.sort_hits >= 0, .total = 5};
    char number[REPORT_NUMBER_SIZE];

    for (size_t i = 0; i < n_lines; i++) {
        const struct report_hit *hit = &report->hits.items[i];
        const char *total;
        grow(&table.bits, report_bits(hit->bits, number));
        grow(&table.evalue, report_evalue_short(hit->evalue, number));
        total = total_bits(hit, number);
        if (i + 1 < report->hits.n)
            grow(&table.total, total);
        else if (strlen(total) > table.total)
            grow(&table.bits, total);
    }
    return table;
}

static void put_heads(const struct table *table, struct report_text *t)
{
    text_blanks(t, REPORT_WIDTH + 2);
    text_padded(t, text_of("Score"), table->bits + 2);
    if (table->is_wide) {
        text_padded(t, text_of("Total"), table->total + 2);
        text_string(t, "Query  ");
    }
    text_string(t, "  E");
    if (table->is_wide) {
        text_blanks(t, (int64_t)table->evalue);
        text_string(t, "Max");
    }
    text_string(t, "\n");
    text_padded(t, text_of("Sequences producing significant alignments:"), REPORT_WIDTH + 1);
    text_padded(t, text_of("(Bits)"), table->bits + (table->is_wide ? 3 : 2));
    if (table->is_wide) {
        text_padded(t, text_of("Score"), table->total + 2);
        text_string(t, "cover   ");
        text_padded(t, text_of("Value"), table->evalue + 2);
        text_string(t, "Ident\n\n");
    } else {
        text_string(t, "Value\n\n");
    }
}

static io_status put_table(struct report *report, struct report_text *t, io_error *err)
{
    const size_t n_hits = report->hits.n, n = n_hits < report->options.n_descriptions ? n_hits : report->options.n_descriptions;
    struct table table;
    io_status status = IO_OK;

    if (n == 0)
        return IO_OK;
    table = measure(report, n);
    put_heads(&table, t);
    for (size_t i = 0; i < n && status == IO_OK; i++)
        status = put_line(report, i + 1, &report->hits.items[i], &table, t, err);
    return status;
}

/* ---- alignments --------------------------------------------------------------------------------------------------------------- */

/* A title in lines: behind each 60 residues, a line ends at the next blank, which stays. */
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

/* With a list names with a gi come alone where there is one; if not, those with an accession. */
static int rank_of(const struct report *report, const struct report_name *name)
{
    if (!report->options.has_list)
        return 0;
    return name->gi > 0 ? 2 : name->is_parsed && !report_name_is_own(name);
}

/* What is before a title; in pages with a link, and the target of one. */
static void put_ids(const struct report *report, const struct report_name *name, size_t rank, struct report_text *t)
{
    const bool is_linked = has_page(report, name);

    if (is_linked)
        put_link(name, "protalign", rank, "0", t);
    if (name->is_parsed)
        text_put(t, report->options.show_gis && name->gi > 0 ? report_name_ids(name) : name->label);
    if (is_linked)
        text_string(t, "</a>");
    if (report->options.html) {
        text_string(t, "<a name=");
        put_anchor(report, name, true, t);
        text_string(t, "></a>");
    }
    text_string(t, name->is_parsed || report->is_of_subjects || report->options.html ? " " : "");
}

/* The lines that begin with '>'. */
static void put_deflines(struct report *report, size_t place, struct report_text *t)
{
    const char *before = ">";
    int best = 0;

    for (size_t i = 0; i < report->n_deflines; i++) {
        const int rank = rank_of(report, &report->deflines[i]);
        best = rank > best ? rank : best;
    }
    for (size_t i = 0; i < report->n_deflines; i++) {
        const struct report_name *name = &report->deflines[i];
        struct text title = name->title;
        if (rank_of(report, name) < best)
            continue;
        if (report->is_of_subjects || title.n == 0)
            title = report_tidy(report, &report->deflines[report->main_defline], t);
        text_string(t, before);
        before = " ";
        put_ids(report, name, place, t);
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

/* Columns first .. last of an alignment, of masked residues and the gaps between them. */
struct span {
    size_t first, last;
};

/*
 * Columns first .. end - 1 of a row; in pages the spans in a colour, as blastp ends and begins it: not for the first column of an alignment
 * by itself; and that of the first column of another row goes on, until a span or the row ends.
 */
static void put_columns(struct text row, size_t first, size_t end, const struct byte_array *of, struct report_text *t)
{
    const struct span *spans = (const void *)of->bytes;
    const size_t n_spans = of->n / sizeof *spans;
    bool is_open = false;

    for (size_t i = first; i < end; i++) {
        bool ends = false;
        for (size_t k = 0; k < n_spans; k++) {
            const size_t from = spans[k].first > first ? spans[k].first : first, to = spans[k].last < end - 1 ? spans[k].last : end - 1;
            if (from > to || (from == 0 && to == 0))
                continue;
            if (from == i && !is_open) {
                text_string(t, "<font color=\"#000000\">");
                is_open = true;
            }
            ends |= i == end - 1 || (to == i && to > first);
        }
        text_add(t, &row.bytes[i], 1);
        if (ends && is_open) {
            text_string(t, "</font>");
            is_open = false;
        }
    }
}

/* The spans of intervals of a row's residues, of which the first is at `start`. */
static void find_spans(struct text row, uint64_t start, const tms_interval *masked, size_t n_masked, struct byte_array *out,
                       struct report_text *t)
{
    out->n = 0;
    for (size_t k = 0; k < n_masked; k++) {
        struct span span = {0, 0};
        bool is_there = false;
        uint64_t at = start;
        for (size_t i = 0; i < row.n && at < masked[k].end; i++) {
            if (row.bytes[i] == '-' || row.bytes[i] == ' ')
                continue;
            if (at >= masked[k].start) {
                span.first = is_there ? span.first : i;
                span.last = i;
                is_there = true;
            }
            at++;
        }
        t->is_lost = t->is_lost || (is_there && !byte_array_add(out, &span, sizeof span));
    }
}

/* Residues and gaps of a row behind its name and a column of `width` for positions, which blastp counts from 0 to measure it; with the
 * positions of its first and last residue. at [in,out] the place of the next residue, from 1. */
static void put_row(const struct report *report, struct report_text *t, const char *name, struct text row, const struct byte_array *spans,
                    size_t from, size_t n, int width, uint64_t *at)
{
    uint64_t n_residues = 0, first = *at;
    bool has_places;
    char start[24] = "";

    for (size_t i = 0; i < n; i++)
        n_residues += row.bytes[from + i] != '-' && row.bytes[from + i] != ' ';
    /* blastp takes a row that has just the first residue for one of gaps, unless it is behind blanks, also of rows before. */
    has_places = n_residues > 0 && !(first == 1 && n_residues == 1 && row.bytes[0] != ' ');
    *at += n_residues;
    if (has_places)
        snprintf(start, sizeof start, "%llu", (unsigned long long)first);
    text_string(t, name);
    text_padded(t, text_of(start), (size_t)width + 2);
    if (report->options.html)
        put_columns(row, from, from + n, spans, t);
    else
        text_add(t, row.bytes + from, n);
    text_string(t, "  ");
    if (has_places)
        text_number(t, (int64_t)(*at - 1));
    text_string(t, "\n");
}

/* A row that is all of a gap at the beginning is left out. */
static bool is_blank(const uint8_t *row, size_t n)
{
    size_t i = 0;

    while (i < n && row[i] == ' ')
        i++;
    return i == n;
}

static void put_rows(struct report *report, uint64_t offset, const struct report_hsp *h, struct report_text *t)
{
    const struct report_rows *rows = &report->rows;
    const tms_search_hsp *hsp = h->hsp;
    const uint64_t subject_offset = report->options.subject_offset;
    uint64_t query_at = offset + hsp->query.start + 1, subject_at = subject_offset + hsp->subject.start + 1;
    const uint64_t query_end = offset + hsp->query.end, subject_end = subject_offset + hsp->subject.end;
    const int width = digits_of((query_end > subject_end ? query_end : subject_end) - 1);
    const size_t step = report->options.line_length;

    for (size_t i = 0; i < rows->query.n; i += step) {
        size_t n = rows->query.n - i < step ? rows->query.n - i : step;
        if (!is_blank(rows->query.bytes + i, n)) {
            put_row(report, t, "Query  ", text_of_array(&rows->query), &report->query_spans, i, n, width, &query_at);
            text_blanks(t, 9 + width);
            text_add(t, rows->middle.bytes + i, n);
            text_string(t, "\n");
        }
        if (!is_blank(rows->subject.bytes + i, n))
            put_row(report, t, "Sbjct  ", text_of_array(&rows->subject), &report->subject_spans, i, n, width, &subject_at);
        text_string(t, "\n");
    }
    text_string(t, "\n");
}

static void put_share(struct report_text *t, const char *name, uint64_t n, uint64_t length)
{
    text_format(t, "%s = %llu/%llu (%d%%)", name, (unsigned long long)n, (unsigned long long)length, report_percent(n, length));
}

static io_status put_hsp(struct report *report, const struct report_query *query, const struct report_hit *hit, const tms_search_hsp *hsp,
                         struct report_text *t, io_error *err)
{
    static const char *const methods[] = {[TMS_METHOD_STANDARD] = "",
                                          [TMS_METHOD_SCALED] = ", Method: Composition-based stats.",
                                          [TMS_METHOD_ADJUSTED] = ", Method: Compositional matrix adjust."};
    char bits[REPORT_NUMBER_SIZE], evalue[REPORT_NUMBER_SIZE];
    struct report_hsp h;
    io_status status = report_read_hsp(report, query->result, hit->subject->sequence, hsp, &h, err);

    if (status != IO_OK)
        return status;
    if (!report_rows_fill(&report->residues, &h, query->result, (struct report_masking){.as = REPORT_MASKED_LOWER}, &report->rows))
        return report_fail_memory(err);
    text_format(t, " Score = %s bits (%d),  Expect = %s%s\n ", report_bits(hsp->bits, bits), hsp->score,
                report_evalue_short(hsp->evalue, evalue), methods[hsp->method]);
    put_share(t, "Identities", h.counts.n_identical, h.counts.length);
    put_share(t, ", Positives", h.counts.n_positive, h.counts.length);
    put_share(t, ", Gaps", h.counts.n_gaps - h.counts.n_before, h.counts.length);
    text_string(t, "\n\n");
    if (report->options.html) {
        const size_t n_masks = h.masked != NULL ? report->n_masks : 0;
        find_spans(text_of_array(&report->rows.query), hsp->query.start, query->result->masked, query->result->n_masked,
                   &report->query_spans, t);
        find_spans(text_of_array(&report->rows.subject), hsp->subject.start, report->masks, n_masks, &report->subject_spans, t);
    }
    put_rows(report, query->offset, &h, t);
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

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

/* A query that is not valid has no statistics, or -1 for them if none of its batch is. */
static void put_statistics(struct report *report, const struct report_query *query, struct report_text *t)
{
    static const char unknown[] = "Lambda      K        H\n   -1.00    -1.00    -1.00 \n";
    const tms_search_result *result = query->result;
    const tms_blastp_info *s = &report->search;
    const bool is_unknown = !result->batch_is_valid;
    const bool is_ungapped = report->options.params->ungapped != 0;
    /* -searchsp: statistics without the correction for finite lengths */
    const bool is_older = is_ungapped || report->options.params->search_space >= 0;

    text_string(t, "\n");
    if (result->is_valid && is_older)
        text_format(t, "Lambda      K        H\n%#8.3g %#8.3g %#8.3g \n", result->lambda, result->K, result->H);
    else if (result->is_valid)
        text_format(t, "Lambda      K        H        a         alpha\n%#8.3g %#8.3g %#8.3g %#8.3g %#8.3g \n", result->lambda, result->K,
                    result->H, s->ungapped_a, s->ungapped_alpha);
    text_string(t, is_unknown ? unknown : "");
    text_string(t, "\n");
    if (result->is_valid && is_older && !is_ungapped)
        text_format(t, "Gapped\nLambda      K        H\n%#8.3g %#8.3g %#8.3g \n", s->lambda, s->K, s->H);
    else if (result->is_valid && !is_older)
        text_format(t, "Gapped\nLambda      K        H        a         alpha    sigma\n%#8.3g %#8.3g %#8.3g %#8.3g %#8.3g %#8.3g \n",
                    s->lambda, s->K, s->H, s->a, s->alpha, s->sigma);
    text_string(t, is_unknown ? "Gapped\n" : "");
    text_string(t, is_unknown ? unknown : "");
    text_format(t, "\nEffective search space used: %lld\n", (long long)result->search_space);
}

static uint64_t full_length(const struct report_query *query)
{
    return query->full_length > 0 ? query->full_length : query->result->query_length;
}

io_status report_pairwise_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    io_status status = report_hits_take(report, query, err);

    if (status != IO_OK)
        return status;
    report_query_text(report, &report->scratch, t);
    text_string(t, report->options.html ? "\n\n<b>Query=</b> " : "\n\nQuery= ");
    if (report->options.html)
        text_wrapped_html(t, text_of_array(&report->scratch));
    else
        text_wrapped(t, text_of_array(&report->scratch));
    text_format(t, "\nLength=%llu\n", (unsigned long long)full_length(query));
    if (report->hits.n == 0) {
        text_string(t, "\n\n***** No hits found *****\n\n\n");
    } else {
        status = put_table(report, t, err);
        text_string(t, "\n\n");
    }
    if (report->options.format.kind != REPORT_PAIRWISE && status == IO_OK)
        status = report_anchored_put(report, query, t, err);
    else
        status = status == IO_OK ? put_subjects(report, query, t, err) : status;
    put_statistics(report, query, t);
    return status;
}

/* ---- the foot ----------------------------------------------------------------------------------------------------------------- */

static void put_foot(struct report *report, const tms_seqdb_info *db, struct report_text *t)
{
    char n_sequences[REPORT_NUMBER_SIZE], n_residues[REPORT_NUMBER_SIZE];

    text_string(t, "  Database: ");
    if (report->is_of_subjects) {
        put_database(report, t);
        text_string(t, "    Posted date:  Unknown\n");
    } else {
        text_wrapped(t, text_of(db->title));
        put_masking(report, "  ", t);
        text_format(t, "    Posted date:  %s\n", db->date);
    }
    text_format(t, "  Number of letters in database: %s\n  Number of sequences in database:  %s\n\n",
                report_grouped(db->shown_n_residues, n_residues), report_grouped(db->shown_n_sequences, n_sequences));
}

void report_pairwise_end(struct report *report, struct report_text *t)
{
    const tms_blastp_info *s = &report->search;
    const char *matrix = report->options.params->matrix != NULL ? report->options.params->matrix
                                                                : s->matrix; /* in the case it was given in */

    text_string(t, "\n\n");
    if (report->n_parts == 0)
        put_foot(report, &report->db, t);
    for (size_t i = 0; i < report->n_parts; i++) {
        tms_seqdb_info part;
        tms_seqdb_get_info(report->parts[i], &part);
        put_foot(report, &part, t);
    }
    text_format(t, "\n\nMatrix: %s\n", matrix);
    if (report->options.params->ungapped == 0)
        text_format(t, "Gap Penalties: Existence: %d, Extension: %d\n", s->gap_open, s->gap_extend);
    if (s->threshold > 0)
        text_format(t, "Neighboring words threshold: %g\n", s->threshold);
    if (s->window > 0)
        text_format(t, "Window for multiple hits: %u\n", s->window);
    if (report->options.html)
        text_string(t, "</PRE>\n</BODY>\n</HTML>\n");
}
