/*
 * report_anchored.c - formats 1 to 4: all alignments of a query in rows below it. In formats 1 and 2 the query is whole, and what a subject
 * has more is shown below its row; in 3 and 4 there are gaps in the query, as wide as the longest that any subject has more there. In 1 and
 * 3 a residue that is the query's is a dot. Each frame of a translated query has its own rows.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "report/report_anchored.h"
#include "report/report_common.h"
#include "report/report_html.h"
#include "report/report_summary.h"
#include "report/report_writers.h"

/* ---- rows --------------------------------------------------------------------------------------------------------------------- */

/* gi: room for the text of a gi, which is the label with -show_gis. */
static struct text label_of(const struct anchored *a, const struct report_name *name, struct text unparsed, char gi[24])
{
    if (!name->is_parsed)
        return unparsed;
    if (a->report->options.show_gis && name->gi > 0)
        return (struct text){gi, (size_t)snprintf(gi, 24, "%lld", (long long)name->gi)};
    return report_name_is_own(name) ? report_name_last(name) : report_name_versioned(name);
}

/* residues: of the query; position: of the first residue of the row; step: as anchored_row.step */
static struct anchored_row *add_row(struct anchored *a, struct text label, tms_interval residues, uint64_t position, int step)
{
    struct anchored_row *row;

    if (!array_reserve(&a->rows, &a->rows_capacity, a->n_rows + 1, sizeof *a->rows))
        return NULL;
    row = &a->rows[a->n_rows++];
    *row = (struct anchored_row){.label = a->labels.n,
                                 .label_size = label.n,
                                 .begin = residues.start,
                                 .end = residues.end,
                                 .residues = a->residues.n,
                                 .insertion = a->n_insertions,
                                 .last = a->n_insertions,
                                 .position = position,
                                 .step = step};
    a->label_width = label.n > a->label_width ? label.n : a->label_width;
    return byte_array_add(&a->labels, label.bytes, label.n) ? row : NULL;
}

/* An insertion before a residue of the query: n residues of report->rows.subject from a column on. */
static bool add_insertion(struct anchored *a, uint64_t before, size_t column, size_t n, struct byte_array *inserted)
{
    if (!array_reserve(&a->insertions, &a->insertions_capacity, a->n_insertions + 1, sizeof *a->insertions))
        return false;
    a->insertions[a->n_insertions++] = (struct insertion){before, inserted->n, n};
    return byte_array_add(inserted, a->report->rows.subject.bytes + column, n);
}

/*
 * The columns of an HSP, of which report->rows has the residues. Insertions' residues go behind those of the row. They are shown before its
 * next residue, though there be residues of the query between that the row has not.
 */
static bool add_columns(struct anchored *a, struct anchored_row *row, const struct report_hsp *h)
{
    struct byte_array inserted = {0};
    uint64_t at = row->begin;
    size_t column = 0;
    bool is_there = true;

    for (size_t i = 0; i < h->hsp->n_runs && is_there; i++) {
        const tms_aligned_run run = h->hsp->runs[i];
        if (run.kind == TMS_ALIGNED_GAP_IN_QUERY) {
            is_there = add_insertion(a, at + anchored_deleted_behind(h->hsp, i), column, run.n, &inserted);
        } else {
            is_there = byte_array_add(&a->residues, a->report->rows.subject.bytes + column, run.n);
            at += run.n;
            row->longest = run.kind == TMS_ALIGNED_MATCH && run.n > row->longest ? run.n : row->longest;
        }
        column += run.n;
    }
    row->last = a->n_insertions;
    for (size_t i = row->insertion; i < row->last; i++)
        a->insertions[i].residues += a->residues.n;
    is_there = is_there && byte_array_add(&a->residues, inserted.bytes, inserted.n);
    free(inserted.bytes);
    return is_there;
}

static void grow(uint64_t *to, uint64_t n) { *to = n > *to ? n : *to; }

static int step_of(bool is_translated, bool descends) { return (descends ? -1 : 1) * (is_translated ? 3 : 1); }

static io_status take_hsp(struct anchored *a, const struct report_query *query, const struct report_hit *hit, const tms_search_hsp *hsp,
                          io_error *err)
{
    struct report *report = a->report;
    const size_t main = report->main_defline;
    struct anchored_row *row;
    struct report_hsp h;
    char gi[24];
    io_status status = report_read_hsp(report, query, hit->subject->sequence, hsp, &h, err);

    if (status != IO_OK)
        return status;
    h.masked = NULL;
    if (!report_rows_fill(&report->residues, &h, (struct report_masking){.as = REPORT_UNMASKED}, &report->rows))
        return report_fail_memory(err);
    row = add_row(a, label_of(a, &report->deflines[main], report_hit_accession(report, main), gi),
                  (tms_interval){h.query_at, h.query_at + report_query_residues(query->result, hsp)},
                  report->options.subject_offset + report_subject_from(hsp) - 1,
                  step_of(report_translates_subjects(report), hsp->subject_frame < 0));
    if (row == NULL || !add_columns(a, row, &h))
        return report_fail_memory(err);
    row->hsp = hsp;
    a->begin = row->begin < a->begin ? row->begin : a->begin;
    grow(&a->end, row->end);
    grow(&a->last_position, report->options.subject_offset + hsp->subject.end);
    return IO_OK;
}

/* The HSP with the longest run without a gap comes first; equal ones stay in order. */
static int by_longest(const void *a, const void *b)
{
    const struct anchored_row *x = a, *y = b;

    return x->longest != y->longest ? (x->longest < y->longest ? 1 : -1) : (x->residues > y->residues) - (x->residues < y->residues);
}

/* Masks the rows of a subject. The columns of a mask are those of the first row that has residues of it, in all rows [sic]. */
static io_status mask_rows(struct anchored *a, const struct report_query *query, const struct report_hit *hit, size_t first, io_error *err)
{
    const size_t first_mask = a->n_masks;

    for (size_t i = first; i < a->n_rows; i++) {
        struct report_hsp h;
        const io_status status = report_read_hsp(a->report, query, hit->subject->sequence, a->rows[i].hsp, &h, err);
        if (status != IO_OK)
            return status;
        if (!anchored_find_masks(a, first_mask, &h))
            return report_fail_memory(err);
    }
    for (size_t i = first; i < a->n_rows; i++) {
        a->rows[i].mask = first_mask;
        a->rows[i].last_mask = a->n_masks;
        anchored_mask_row(a, &a->rows[i]);
    }
    return IO_OK;
}

/*
 * Whether an HSP of the shown frame has a row. Where both sequences are translated, only the HSPs of one strand of a subject have: that of
 * `first`, the first HSP with a row, or NULL before it is found [sic].
 */
static bool has_row(const struct anchored *a, const struct report_query *query, const tms_search_hsp *first, const tms_search_hsp *hsp)
{
    const bool has_one_strand = a->frame != 0 && report_translates_subjects(a->report);

    return report_query_frame(query, hsp) == a->frame &&
           (!has_one_strand || first == NULL || (first->subject_frame < 0) == (hsp->subject_frame < 0));
}

static io_status take_subjects(struct anchored *a, const struct report_query *query, io_error *err)
{
    const struct report_hits *hits = &a->report->hits;
    io_status status = IO_OK;

    for (size_t i = 0; i < hits->n && i < a->report->options.n_alignments && status == IO_OK; i++) {
        const struct report_hit *hit = &hits->items[i];
        const size_t first = a->n_rows;
        status = report_read_subject(a->report, hit->subject->sequence, err);
        for (size_t k = 0; k < hit->subject->n_hsps && status == IO_OK; k++)
            if (has_row(a, query, a->n_rows > first ? a->rows[first].hsp : NULL, hit->order[k].hsp))
                status = take_hsp(a, query, hit, hit->order[k].hsp, err);
        qsort(a->rows + first, a->n_rows - first, sizeof *a->rows, by_longest);
        if (status == IO_OK && a->report->options.subject_masks != NULL)
            status = mask_rows(a, query, hit, first, err);
    }
    return status;
}

/* The positions of the residues of a frame of a query; 0: all of a query that is not translated. */
static tms_interval frame_of(const tms_search_result *result, int frame)
{
    const uint64_t first = (uint64_t)(frame < 0 ? -frame : frame) - (frame != 0);
    const uint64_t n = frame == 0 ? result->query_length : (result->query_length - first) / 3 * 3;
    const uint64_t begin = frame < 0 ? result->query_length - first - n : first;

    return (tms_interval){begin, begin + n};
}

/*
 * The first row: the query, or one of its frames, shown as the query of an alignment with itself.
 *   frame [in] of the part that was searched with; 0: not translated
 */
static io_status take_query(struct anchored *a, const struct report_query *query, int frame, io_error *err)
{
    struct report *report = a->report;
    const bool is_translated = report_is_translated(query->result);
    char gi[24];
    const struct text label = label_of(a, &report->query, text_of(report->query_label), gi);
    tms_aligned_run run = {.kind = TMS_ALIGNED_MATCH};
    const tms_search_hsp whole = {.query = frame_of(query->result, frame), .runs = &run, .n_runs = 1, .query_frame = frame};
    struct report_hsp h = {.hsp = &whole, .counts.length = report_query_residues(query->result, &whole)};

    run.n = (uint32_t)h.counts.length;
    if (!report_find_query(report, query, &h))
        return report_fail_memory(err);
    h.subject = h.query;
    if (!report_rows_fill(&report->residues, &h, (struct report_masking){.as = REPORT_MASKED_LOWER}, &report->rows) ||
        add_row(a, label, (tms_interval){0, h.counts.length}, query->offset + report_query_from(&whole) - 1,
                step_of(is_translated, frame < 0)) == NULL ||
        !byte_array_add(&a->residues, report->rows.query.bytes, report->rows.query.n) || !anchored_find_query_masks(a, &h))
        return report_fail_memory(err);
    a->rows[0].last_mask = a->n_masks;
    return IO_OK;
}

/* After all rows: where they begin and end, the width of positions, and gaps in the query. */
static bool measure(struct anchored *a)
{
    struct anchored_row *above = &a->rows[0];
    uint64_t n_columns = a->end - a->begin;

    above->residues += (size_t)a->begin;
    above->position += (uint64_t)above->step * a->begin;
    above->begin = a->begin;
    above->end = a->end;
    a->gaps = calloc((size_t)n_columns + 1, sizeof *a->gaps);
    if (a->gaps == NULL)
        return false;
    for (size_t i = 0; i < a->n_rows && a->is_flat; i++) {
        for (size_t k = a->rows[i].insertion; k < a->rows[i].last; k++) {
            const struct insertion *insertion = &a->insertions[k];
            uint32_t *gap = &a->gaps[insertion->before - a->begin];
            if (insertion->n <= *gap || insertion->before == a->rows[i].begin)
                continue;
            n_columns += insertion->n - *gap;
            *gap = (uint32_t)insertion->n;
        }
    }
    a->n_columns = n_columns < a->report->options.line_length ? (size_t)n_columns : a->report->options.line_length;
    grow(&a->last_position, above->step < 0 ? above->position + 1 : above->position + (uint64_t)above->step * (a->end - a->begin));
    a->position_width = (size_t)snprintf(NULL, 0, "%llu", (unsigned long long)a->last_position - 1);
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------------- */

/* A column: of the gap before a residue of the query, or, where `gap` is that gap's width, the residue's. */
struct column {
    uint64_t residue;
    uint32_t gap;
};

static uint32_t gap_before(const struct anchored *a, uint64_t residue) { return a->gaps[residue - a->begin]; }

static struct column column_after(const struct anchored *a, struct column at, size_t n)
{
    while (n > 0 && at.residue < a->end) {
        const uint32_t left = gap_before(a, at.residue) - at.gap;
        if (n <= left) {
            at.gap += (uint32_t)n;
            return at;
        }
        n -= left + 1;
        at = (struct column){at.residue + 1, 0};
    }
    return at;
}

/* The part of a row that lies in a block. */
struct piece {
    uint64_t first, last;        /* positions of the residues; last: behind them */
    size_t insertion, n_passed;  /* insertions that lie in the block: the first; how many */
    bool is_first;               /* in the first block */
    bool has_residues, is_there; /* is_there: the row has a column in the block, if only a gap */
};

/* is_residue: also of a dash of the sequence. */
static void put_character(struct anchored *a, struct anchored_row *row, uint8_t c, bool is_residue, struct piece *piece)
{
    a->line.bytes[a->line.n++] = c;
    piece->is_there |= c != ' ';
    if (!is_residue)
        return;
    piece->first = piece->has_residues ? piece->first : row->position;
    piece->has_residues = true;
    piece->last = row->position + (uint64_t)(row->step > 0 ? row->step : row->step + 2);
    row->position += (uint64_t)row->step;
}

/* Columns of a gap in the query. */
static void add_gap(struct anchored *a, struct anchored_row *row, const struct column *at, uint32_t end, struct piece *piece)
{
    const struct insertion *insertion = row->insertion < row->last ? &a->insertions[row->insertion] : NULL;
    const uint8_t none = at->residue > row->begin && at->residue < row->end ? '-' : ' ';

    if (insertion != NULL && insertion->before != at->residue)
        insertion = NULL;
    for (uint32_t i = at->gap; i < end; i++) {
        const bool is_residue = none == '-' && insertion != NULL && i < insertion->n;
        put_character(a, row, is_residue ? a->residues.bytes[insertion->residues + i] : none, is_residue, piece);
    }
}

/* The column of a residue. Passes insertions, which have no columns. */
static void add_residue(struct anchored *a, struct anchored_row *row, uint64_t residue, struct piece *piece)
{
    const struct anchored_row *query = &a->rows[0];
    uint8_t c;
    bool is_dot;

    if (residue < row->begin || residue >= row->end) {
        put_character(a, row, ' ', false, piece);
        return;
    }
    for (; row->insertion < row->last && a->insertions[row->insertion].before <= residue; row->insertion++) {
        if (!a->is_flat || residue == row->begin)
            row->position += (uint64_t)row->step * a->insertions[row->insertion].n;
        piece->n_passed++;
    }
    c = a->residues.bytes[row->residues + (residue - row->begin)];
    is_dot = a->has_dots && row != query && c != '*' &&
             toupper(c) == toupper(a->residues.bytes[query->residues + (residue - query->begin)]);
    put_character(a, row, is_dot ? '.' : c, c != '-', piece);
}

/* The part of a row in the block that begins at a column, to a->line, which has the room. */
static struct piece fill_line(struct anchored *a, struct anchored_row *row, struct column at)
{
    struct piece piece = {.insertion = row->insertion, .is_first = at.residue == a->begin && at.gap == 0};

    a->line.n = 0;
    while (a->line.n < a->n_columns && at.residue < a->end) {
        const uint32_t gap = gap_before(a, at.residue);
        const size_t room = a->n_columns - a->line.n;
        add_gap(a, row, &at, gap - at.gap < room ? gap : at.gap + (uint32_t)room, &piece);
        if (a->line.n == a->n_columns)
            break;
        add_residue(a, row, at.residue, &piece);
        at = (struct column){at.residue + 1, 0};
    }
    return piece;
}

/* In the first block NCBI's program takes a row with only the first residue of its sequence for a row of gaps. */
static bool has_positions(const struct piece *piece)
{
    return piece->has_residues && (piece->last > 1 || piece->first > 0 || !piece->is_first);
}

/* The columns of a row in the block that begins with column `first` of all. */
static void put_columns(struct anchored *a, const struct anchored_row *row, size_t first, struct report_text *t)
{
    a->spans.n = 0;
    for (size_t i = row->mask; i < row->last_mask; i++)
        report_html_add_span((size_t)a->masks[i].first, (size_t)a->masks[i].last, &a->spans, t);
    report_html_put_columns((const char *)a->line.bytes, first, first + a->line.n, &a->spans, t);
}

static void put_row(struct anchored *a, const struct anchored_row *row, const struct piece *piece, size_t first, struct report_text *t)
{
    char position[24] = "";

    text_padded(t, (struct text){(const char *)a->labels.bytes + row->label, row->label_size}, a->label_width + 2);
    if (has_positions(piece))
        snprintf(position, sizeof position, "%llu", (unsigned long long)piece->first + 1);
    text_padded(t, text_of(position), a->position_width + 2);
    if (a->report->options.html)
        put_columns(a, row, first, t);
    else
        text_put(t, text_of_array(&a->line));
    text_string(t, "  ");
    if (has_positions(piece))
        text_number(t, (int64_t)piece->last);
    text_string(t, "\n");
}

/* ---- insertions, below a row -------------------------------------------------------------------------------------------------- */

/* A line of bars over the insertions that are not shown yet. */
static void put_bars(struct anchored *a, const struct insertion *const *left, size_t n_left, uint64_t first, size_t n_columns, char bar,
                     struct report_text *t)
{
    memset(a->line.bytes, ' ', n_columns);
    a->line.n = n_columns;
    for (size_t i = 0; i < n_left; i++)
        a->line.bytes[left[i]->before - first] = (uint8_t)bar;
    text_blanks(t, (int64_t)(a->label_width + a->position_width + 4));
    text_put(t, text_of_array(&a->line));
    text_string(t, "\n");
}

/*
 * One line of residues: each ends below its bar, or begins with the block, or two columns behind the one before it, if that is not behind
 * its bar. Insertions without room are kept for another line. Returns how many.
 */
static size_t put_inserted(struct anchored *a, const struct insertion **left, size_t n_left, uint64_t first, struct report_text *t)
{
    uint64_t end = 0; /* column behind the last residue */
    size_t n_kept = 0;

    text_blanks(t, (int64_t)(a->label_width + a->position_width + 4));
    for (size_t i = 0; i < n_left; i++) {
        const struct insertion *insertion = left[i];
        const uint64_t bar = insertion->before - first, least = end > 0 ? end + 1 : 0;
        uint64_t begin = bar + 1 > insertion->n ? bar + 1 - insertion->n : 0;
        begin = begin > least ? begin : least;
        if (begin > bar) {
            left[n_kept++] = insertion;
            if (bar >= end) {
                text_blanks(t, (int64_t)(bar - end));
                text_string(t, "|");
                end = bar + 1;
            }
            continue;
        }
        text_blanks(t, (int64_t)(begin - end));
        for (size_t k = 0; k < insertion->n; k++) { /* in upper case, also where masked */
            const char residue = (char)toupper(a->residues.bytes[insertion->residues + k]);
            text_add(t, &residue, 1);
        }
        end = begin + insertion->n;
    }
    text_string(t, "\n");
    return n_kept;
}

/* The insertions of a row in a block. */
static bool put_insertions(struct anchored *a, const struct piece *piece, uint64_t first, size_t n_columns, struct report_text *t)
{
    const struct insertion **left;
    size_t n_left = piece->n_passed;

    if (n_left == 0)
        return true;
    left = malloc(n_left * sizeof *left);
    if (left == NULL)
        return false;
    for (size_t i = 0; i < n_left; i++)
        left[i] = &a->insertions[piece->insertion + i];
    put_bars(a, left, n_left, first, n_columns, '\\', t);
    while (n_left > 0) {
        put_bars(a, left, n_left, first, n_columns, '|', t);
        n_left = put_inserted(a, left, n_left, first, t);
    }
    free(left);
    return true;
}

/* ---- the formats -------------------------------------------------------------------------------------------------------------- */

static io_status put_blocks(struct anchored *a, struct report_text *t, io_error *err)
{
    struct column at = {a->begin, 0};
    size_t first = 0;

    if (byte_array_room(&a->line, a->n_columns) == NULL)
        return report_fail_memory(err);
    for (; at.residue < a->end; at = column_after(a, at, a->n_columns), first += a->n_columns) {
        text_string(t, "\n");
        for (size_t i = 0; i < a->n_rows; i++) {
            struct piece piece = fill_line(a, &a->rows[i], at);
            if (!piece.is_there)
                continue;
            put_row(a, &a->rows[i], &piece, first, t);
            if (!a->is_flat && !put_insertions(a, &piece, at.residue, a->line.n, t))
                return report_fail_memory(err);
        }
    }
    return IO_OK;
}

/* The first shown HSP of a frame, as report_query_frame() counts; NULL: there is none. */
static const tms_search_hsp *first_of_frame(const struct report *report, const struct report_query *query, int frame)
{
    for (size_t i = 0; i < report->hits.n && i < report->options.n_alignments; i++) {
        const struct report_hit *hit = &report->hits.items[i];
        for (size_t k = 0; k < hit->subject->n_hsps; k++)
            if (report_query_frame(query, hit->order[k].hsp) == frame)
                return hit->order[k].hsp;
    }
    return NULL;
}

/* style [in] is_flat and has_dots; first: an HSP of style->frame */
static io_status put_frame(const struct anchored *style, const struct report_query *query, const tms_search_hsp *first,
                           struct report_text *t, io_error *err)
{
    struct anchored a = *style;
    io_status status;

    a.begin = UINT64_MAX;
    status = take_query(&a, query, a.frame == 0 ? 0 : first->query_frame, err);
    if (status == IO_OK)
        status = take_subjects(&a, query, err);
    if (status == IO_OK)
        status = measure(&a) && anchored_place_masks(&a) ? put_blocks(&a, t, err) : report_fail_memory(err);
    free(a.rows);
    free(a.insertions);
    free(a.masks);
    free(a.labels.bytes);
    free(a.residues.bytes);
    free(a.gaps);
    free(a.line.bytes);
    free(a.spans.bytes);
    return status;
}

static io_status put(struct report *report, const struct report_query *query, bool is_flat, bool has_dots, struct report_text *t,
                     io_error *err)
{
    static const int frames[] = {0, 1, 2, 3, -1, -2, -3}; /* 0: of a query that is not translated */
    enum { N_FRAMES = sizeof frames / sizeof *frames };
    const tms_search_hsp *first[N_FRAMES];
    size_t n = 0;
    io_status status = IO_OK;

    for (size_t i = 0; i < N_FRAMES; i++) {
        first[i] = first_of_frame(report, query, frames[i]);
        n += first[i] != NULL;
    }
    for (size_t i = 0; i < N_FRAMES && status == IO_OK; i++) {
        const struct anchored style = {.report = report, .frame = frames[i], .is_flat = is_flat, .has_dots = has_dots};
        if (first[i] == NULL)
            continue;
        if (n > 1)
            text_format(t, "\nFor reading frame %+d of query sequence:\n", frames[i]);
        status = put_frame(&style, query, first[i], t, err);
    }
    if (n > 0)
        text_string(t, "\n");
    return status;
}

static io_status put_anchored_dots(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return put(report, query, false, true, t, err);
}

io_status report_anchored_dots_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return report_summary_query(report, query, put_anchored_dots, t, err);
}

static io_status put_anchored(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return put(report, query, false, false, t, err);
}

io_status report_anchored_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return report_summary_query(report, query, put_anchored, t, err);
}

static io_status put_flat_dots(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return put(report, query, true, true, t, err);
}

io_status report_flat_dots_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return report_summary_query(report, query, put_flat_dots, t, err);
}

static io_status put_flat(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return put(report, query, true, false, t, err);
}

io_status report_flat_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    return report_summary_query(report, query, put_flat, t, err);
}
