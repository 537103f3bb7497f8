/*
 * report_pairwise.c - format 0: for people. A table of the subjects of a query, and then each of them with its alignments in rows.
 */
#include <stdio.h>

#include "report_hits.h"
#include "report_struct.h"

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

void report_pairwise_begin(struct report *report, struct report_text *t)
{
    char n_sequences[REPORT_NUMBER_SIZE], n_letters[REPORT_NUMBER_SIZE];

    text_string(t, REPORT_PROGRAM "\n\n\n");
    text_string(t, references);
    text_string(t, "Database: ");
    put_database(report, t);
    text_format(t, "           %s sequences; %s total letters\n\n", report_grouped(report->db.shown_n_sequences, n_sequences),
                report_grouped(report->db.shown_n_residues, n_letters));
}

/* ---- the table of subjects ---------------------------------------------------------------------------------------------------- */

/* Where a line has its columns. */
struct table {
    size_t bits, evalue; /* widths */
    bool is_wide;        /* -sorthits was given: more columns */
    size_t total;
};

/* What a line begins with. */
static void put_subject_name(struct report *report, struct report_text *t)
{
    const struct report_name *name = &report->deflines[report->main_defline];
    struct byte_array *line = &report->line;
    struct report_text all = {.to = line};
    struct text title = report_tidy(report, name, t);

    line->n = 0;
    if (name->is_parsed && report->options.show_gis) {
        text_put(&all, report_name_ids(name));
        text_string(&all, name->gi > 0 ? "  " : "");
    } else if (name->is_parsed) {
        text_put(&all, name->accession);
        text_string(&all, " ");
    }
    text_put(&all, title);
    t->is_lost = t->is_lost || all.is_lost;
    if (line->n > REPORT_WIDTH) {
        text_add(t, line->bytes, REPORT_WIDTH - 3);
        text_string(t, "...");
    } else {
        text_padded(t, text_of_array(line), REPORT_WIDTH);
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

static io_status put_line(struct report *report, const struct report_hit *hit, const struct table *table, struct report_text *t,
                          io_error *err)
{
    char number[REPORT_NUMBER_SIZE];
    io_status status = report_read_subject(report, hit->subject->sequence, err);

    if (status != IO_OK)
        return status;
    put_subject_name(report, t);
    text_string(t, "  ");
    text_padded(t, text_of(report_bits(hit->bits, number)), table->bits + (table->is_wide ? 3 : 2));
    if (table->is_wide) {
        text_padded(t, text_of(total_bits(hit, number)), table->total + 2);
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

static struct table measure(const struct report *report, size_t n_lines)
{
    struct table table = {.bits = 6, .evalue = 5, .is_wide = report->options.sort_hits >= 0, .total = 5};
    char number[REPORT_NUMBER_SIZE];

    for (size_t i = 0; i < n_lines; i++) {
        const struct report_hit *hit = &report->hits.items[i];
        grow(&table.bits, report_bits(hit->bits, number));
        grow(&table.evalue, report_evalue_short(hit->evalue, number));
        grow(&table.total, total_bits(hit, number));
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
        status = put_line(report, &report->hits.items[i], &table, t, err);
    return status;
}

/* ---- alignments --------------------------------------------------------------------------------------------------------------- */

/* A title in lines: behind each 60 letters, a line ends at the next blank, which stays. */
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

/* The lines that begin with '>'. */
static void put_deflines(struct report *report, struct report_text *t)
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
        if (name->is_parsed) {
            text_put(t, report->options.show_gis && name->gi > 0 ? report_name_ids(name) : name->accession);
            text_string(t, " ");
        } else if (report->is_of_subjects) {
            text_string(t, " ");
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

/* Letters and gaps of a row behind its name and a column of `width` for places, which blastp counts from 0 to measure it; with the places
 * of its first and last letter. at [in,out] the place of the next letter, from 1. */
static void put_row(struct report_text *t, const char *name, const char *row, size_t n, int width, uint64_t *at)
{
    uint64_t n_letters = 0, first = *at;
    bool has_places;
    char start[24] = "";

    for (size_t i = 0; i < n; i++)
        n_letters += row[i] != '-';
    has_places = n_letters > 0 && !(first == 1 && n_letters == 1); /* blastp takes the latter for a row of gaps */
    *at += n_letters;
    if (has_places)
        snprintf(start, sizeof start, "%llu", (unsigned long long)first);
    text_string(t, name);
    text_padded(t, text_of(start), (size_t)width + 2);
    text_add(t, row, n);
    text_string(t, "  ");
    if (has_places)
        text_number(t, (int64_t)(*at - 1));
    text_string(t, "\n");
}

static void put_rows(struct report *report, uint64_t offset, const struct report_hsp *h, struct report_text *t)
{
    const struct report_rows *rows = &report->rows;
    const tms_blastp_hsp *hsp = h->hsp;
    const uint64_t subject_offset = report->options.subject_offset;
    uint64_t query_at = offset + hsp->query.start + 1, subject_at = subject_offset + hsp->subject.start + 1;
    const uint64_t query_end = offset + hsp->query.end, subject_end = subject_offset + hsp->subject.end;
    const int width = digits_of((query_end > subject_end ? query_end : subject_end) - 1);
    const size_t step = report->options.line_length;

    for (size_t i = 0; i < rows->query.n; i += step) {
        size_t n = rows->query.n - i < step ? rows->query.n - i : step;
        put_row(t, "Query  ", (const char *)rows->query.bytes + i, n, width, &query_at);
        text_blanks(t, 9 + width);
        text_add(t, rows->middle.bytes + i, n);
        text_string(t, "\n");
        put_row(t, "Sbjct  ", (const char *)rows->subject.bytes + i, n, width, &subject_at);
        text_string(t, "\n");
    }
    text_string(t, "\n");
}

static void put_share(struct report_text *t, const char *name, uint64_t n, uint64_t length)
{
    text_format(t, "%s = %llu/%llu (%d%%)", name, (unsigned long long)n, (unsigned long long)length, report_percent(n, length));
}

static io_status put_hsp(struct report *report, const struct report_query *query, const struct report_hit *hit, const tms_blastp_hsp *hsp,
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
    put_share(t, ", Gaps", h.counts.n_gaps, h.counts.length);
    text_string(t, "\n\n");
    put_rows(report, query->offset, &h, t);
    return IO_OK;
}

static io_status put_subject(struct report *report, const struct report_query *query, const struct report_hit *hit, struct report_text *t,
                             io_error *err)
{
    io_status status = report_read_subject(report, hit->subject->sequence, err);

    if (status != IO_OK)
        return status;
    put_deflines(report, t);
    text_format(t, "Length=%llu\n\n", (unsigned long long)report_subject_length(report, hit->subject->sequence));
    for (size_t i = 0; i < hit->subject->n_hsps && status == IO_OK; i++)
        status = put_hsp(report, query, hit, hit->order[i].hsp, t, err);
    return status;
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

/* A query that is not valid has no statistics, or -1 for them if none of its batch is. */
static void put_statistics(struct report *report, const struct report_query *query, struct report_text *t)
{
    static const char unknown[] = "Lambda      K        H\n   -1.00    -1.00    -1.00 \n";
    const tms_blastp_result *result = query->result;
    const tms_blastp_info *s = &report->search;
    const bool is_unknown = !result->batch_is_valid;
    const bool is_older = report->options.params->search_space >= 0; /* -searchsp: statistics without the correction for finite lengths */

    text_string(t, "\n");
    if (result->is_valid && is_older)
        text_format(t, "Lambda      K        H\n%#8.3g %#8.3g %#8.3g \n", result->lambda, result->K, result->H);
    else if (result->is_valid)
        text_format(t, "Lambda      K        H        a         alpha\n%#8.3g %#8.3g %#8.3g %#8.3g %#8.3g \n", result->lambda, result->K,
                    result->H, s->ungapped_a, s->ungapped_alpha);
    text_string(t, is_unknown ? unknown : "");
    text_string(t, "\n");
    if (result->is_valid && is_older)
        text_format(t, "Gapped\nLambda      K        H\n%#8.3g %#8.3g %#8.3g \n", s->lambda, s->K, s->H);
    else if (result->is_valid)
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
    text_string(t, "\n\nQuery= ");
    text_wrapped(t, text_of_array(&report->scratch));
    text_format(t, "\nLength=%llu\n", (unsigned long long)full_length(query));
    if (report->hits.n == 0) {
        text_string(t, "\n\n***** No hits found *****\n\n\n");
    } else {
        status = put_table(report, t, err);
        text_string(t, "\n\n");
    }
    for (size_t i = 0; i < report->hits.n && i < report->options.n_alignments && status == IO_OK; i++)
        status = put_subject(report, query, &report->hits.items[i], t, err);
    put_statistics(report, query, t);
    return status;
}

/* ---- the foot ----------------------------------------------------------------------------------------------------------------- */

static void put_foot(struct report *report, const tms_seqdb_info *db, struct report_text *t)
{
    char n_sequences[REPORT_NUMBER_SIZE], n_letters[REPORT_NUMBER_SIZE];

    text_string(t, "  Database: ");
    if (report->is_of_subjects) {
        put_database(report, t);
        text_string(t, "    Posted date:  Unknown\n");
    } else {
        text_wrapped(t, text_of(db->title));
        text_format(t, "    Posted date:  %s\n", db->date);
    }
    text_format(t, "  Number of letters in database: %s\n  Number of sequences in database:  %s\n\n",
                report_grouped(db->shown_n_residues, n_letters), report_grouped(db->shown_n_sequences, n_sequences));
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
    text_format(t, "\n\nMatrix: %s\nGap Penalties: Existence: %d, Extension: %d\n", matrix, s->gap_open, s->gap_extend);
    if (s->threshold > 0)
        text_format(t, "Neighboring words threshold: %g\n", s->threshold);
    if (s->window > 0)
        text_format(t, "Window for multiple hits: %u\n", s->window);
}
