/* report_summary.c - see report_summary.h. */
#include "report/report_summary.h"

#include <stdio.h>

#include "report/report_common.h"
#include "report/report_html.h"
#include "report/report_numbers.h"

/* ---- the head ----------------------------------------------------------------------------------------------------------------- */

/* "a" of "&auml;". */
static void add_without_entities(const char *text, struct report_text *t)
{
    for (const char *entity = strchr(text, '&'); entity != NULL; entity = strchr(text, '&')) {
        text_add(t, text, (size_t)(entity - text));
        text_add(t, entity + 1, 1);
        text = strchr(entity, ';') + 1;
    }
    text_string(t, text);
}

static void put_reference(const struct report_reference *reference, struct byte_array *scratch, struct report_text *t)
{
    struct report_text all = {.to = scratch};

    scratch->n = 0;
    text_string(&all, reference->title);
    text_string(&all, ": ");
    add_without_entities(reference->text, &all);
    t->is_lost = t->is_lost || all.is_lost;
    text_wrapped(t, text_of_array(scratch));
    text_string(t, "\n\n");
}

static void put_program(struct report *report, struct report_text *t)
{
    const struct report_program *program = report->options.program;

    if (report->options.html) {
        report_html_begin(program, &report->scratch, t);
        return;
    }
    text_format(t, "%s\n\n\n%s", program->heading != NULL ? program->heading : program->version,
                program->preface != NULL ? program->preface : "");
    for (size_t i = 0; i < program->n_references; i++)
        put_reference(&program->references[i], &report->scratch, t);
    text_string(t, "\n");
}

/* The title of the database. */
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

/* The program that made the masks of the database, and its options. */
static void put_masking(const struct report *report, const char *before, struct report_text *t)
{
    const tms_seqdb_masks *masks = report->options.subject_masks;
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

void report_summary_begin(struct report *report, struct report_text *t)
{
    char n_sequences[REPORT_NUMBER_SIZE], n_residues[REPORT_NUMBER_SIZE];

    put_program(report, t);
    text_string(t, "Database: ");
    put_database(report, t);
    put_masking(report, "", t);
    text_format(t, "           %s sequences; %s total letters\n\n", report_grouped(report->db.shown_n_sequences, n_sequences),
                report_grouped(report->db.shown_n_residues, n_residues));
}

/* ---- the table of subjects ---------------------------------------------------------------------------------------------------- */

/* The columns of the table. */
struct table {
    size_t bits, evalue; /* widths */
    size_t chains;       /* 0: there is no such column */
    bool is_wide;        /* -sorthits was given: more columns */
    size_t total;
};

/* The first n_linked bytes of a line, the end of a link, and the rest. */
static void put_linked(struct text line, size_t n_linked, bool html, struct report_text *t)
{
    const size_t n = n_linked < line.n ? n_linked : line.n;

    text_escaped(t, (struct text){line.bytes, n}, html);
    text_string(t, n_linked > 0 ? "</a>" : "");
    text_escaped(t, (struct text){line.bytes + n, line.n - n}, html);
}

/* The name and title at the beginning of a line. */
static void put_subject_name(struct report *report, size_t rank, struct report_text *t)
{
    const struct report_name *name = &report->deflines[report->main_defline];
    struct byte_array *line = &report->line;
    struct report_text all = {.to = line};
    struct text title = report_tidy(report, name, t);
    const bool is_linked = report->options.html && report_html_has_page(name);
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
        report_html_put_link(name, "top", rank, "", t);
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

/* The bits of one alignment have a blank before them below 10 and between 99 and 100. A total keeps the latter alone. */
static const char *total_bits(const struct report_hit *hit, char to[REPORT_NUMBER_SIZE])
{
    const char *text = report_bits(hit->total_bits, to);

    return text + (hit->total_bits < 99 && *text == ' ');
}

static const char *count_text(uint64_t n, char to[REPORT_NUMBER_SIZE])
{
    snprintf(to, REPORT_NUMBER_SIZE, "%llu", (unsigned long long)n);
    return to;
}

/* With HTML a link to the alignments. */
static void put_bits(struct report *report, const char *bits, size_t width, struct report_text *t)
{
    if (!report->options.html) {
        text_padded(t, text_of(bits), width);
        return;
    }
    text_string(t, "<a href=#");
    report_html_put_anchor(report, &report->deflines[report->main_defline], false, t);
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
    if (table->chains > 0) {
        text_string(t, "  ");
        text_padded(t, text_of(count_text(hit->n_linked, number)), table->chains);
    }
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

/* As in NCBI's program, the total of the last of all subjects widens the column of bits instead of its own. */
static struct table measure(const struct report *report, size_t n_lines)
{
    struct table table = {.bits = 6, .evalue = 5, .is_wide = report->options.sort_hits >= 0, .total = 5};
    char number[REPORT_NUMBER_SIZE];

    for (size_t i = 0; i < n_lines; i++) {
        const struct report_hit *hit = &report->hits.items[i];
        const char *total;
        grow(&table.bits, report_bits(hit->bits, number));
        grow(&table.evalue, report_evalue_short(hit->evalue, number));
        if (report->options.program->shows_chains)
            grow(&table.chains, count_text(hit->n_linked, number));
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
    }
    text_padded(t, text_of("Value"), table->is_wide || table->chains > 0 ? table->evalue + 2 : 0);
    text_string(t, table->chains > 0 ? "N" : "");
    text_string(t, table->is_wide ? "Ident\n\n" : "\n\n");
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

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

/* A query that is not valid has no statistics, or -1 if no query of its batch is valid. */
static void put_statistics(struct report *report, const struct report_query *query, struct report_text *t)
{
    static const char unknown[] = "Lambda      K        H\n   -1.00    -1.00    -1.00 \n";
    const tms_search_result *result = query->result;
    const struct report_program *program = report->options.program;
    const struct report_statistics of = report_statistics_of(report, result), *s = &of;
    const bool is_unknown = !result->batch_is_valid;
    const bool is_ungapped = program->is_ungapped;
    /* without the correction for finite lengths */
    const bool is_older = is_ungapped || program->has_search_space;

    text_string(t, "\n");
    if (result->is_valid && is_older)
        text_format(t, "Lambda      K        H\n%#8.3g %#8.3g %#8.3g \n", result->lambda, result->K, result->H);
    else if (result->is_valid)
        text_format(t, "Lambda      K        H        a         alpha\n%#8.3g %#8.3g %#8.3g %#8.3g %#8.3g \n", result->lambda, result->K,
                    result->H, program->ungapped_a, program->ungapped_alpha);
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

io_status report_summary_query(struct report *report, const struct report_query *query, report_put_alignments *put_alignments,
                               struct report_text *t, io_error *err)
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
    text_format(t, "\nLength=%llu\n", (unsigned long long)report_full_length(query));
    if (report->hits.n == 0) {
        text_string(t, "\n\n***** No hits found *****\n\n\n");
    } else {
        if (!report->options.program->only_scores)
            status = put_table(report, t, err);
        text_string(t, report->options.program->only_scores ? "\n" : "\n\n");
    }
    if (status == IO_OK)
        status = put_alignments(report, query, t, err);
    if (!report->options.program->only_scores)
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

void report_summary_end(struct report *report, struct report_text *t)
{
    const struct report_program *program = report->options.program;

    text_string(t, "\n\n");
    if (report->n_parts == 0)
        put_foot(report, &report->db, t);
    for (size_t i = 0; i < report->n_parts; i++) {
        tms_seqdb_info part;
        tms_seqdb_get_info(report->parts[i], &part);
        put_foot(report, &part, t);
    }
    if (program->only_scores)
        text_string(t, "\n\nMatrix: blastn matrix 0 0\n"); /* [sic] */
    else if (program->reward > 0)
        text_format(t, "\n\nMatrix: blastn matrix %d %d\n", program->reward, program->penalty);
    else
        text_format(t, "\n\nMatrix: %s\n", program->matrix_as_typed);
    if (!program->is_ungapped && program->base_gap > 0)
        text_format(t, "Gap Penalties: Existence: 0, Extension: %g\n", program->base_gap);
    else if (!program->is_ungapped)
        text_format(t, "Gap Penalties: Existence: %d, Extension: %d\n", program->gap_open, program->gap_extend);
    if (program->threshold > 0)
        text_format(t, "Neighboring words threshold: %g\n", program->threshold);
    if (program->window > 0)
        text_format(t, "Window for multiple hits: %u\n", program->window);
    if (report->options.html)
        report_html_end(t);
}
