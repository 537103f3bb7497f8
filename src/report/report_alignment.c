/* report_alignment.c - see report_alignment.h. */
#include "report/report_alignment.h"

#include <ctype.h>
#include <stdlib.h>

/*
 * Each of NCBI's two writers takes one residue of proteins that has scores in the search for one without: J, which stands for I or L, in
 * texts and tables; U, which scores as C does, in XML and JSON.
 */
void report_residues_init(const struct report_program *program, bool is_markup, struct report_residues *residues)
{
    const uint8_t left_out = is_markup ? CODE_U : CODE_J;

    residues->residues = program->residues;
    residues->has_bars = program->reward > 0;
    for (uint8_t q = 0; q < RESIDUE_CODES; q++) {
        for (uint8_t s = 0; s < RESIDUE_CODES; s++)
            residues->is_positive[q][s] = q == s || (q != left_out && s != left_out && program->is_positive[q][s]);
    }
}

/*
 * A residue of a subject may be a dash, in a database made of aligned sequences. NCBI's program compares characters of rows: so across
 * a gap in the query, which looks the same, it is identical. Only gaps at the very beginning are blanks.
 */
static bool is_dash_in_gap(const struct report_residues *residues, const tms_search_hsp *hsp, size_t run, uint8_t subject)
{
    return hsp->runs[run].kind == TMS_ALIGNED_GAP_IN_QUERY && run > 0 && residues->residues[subject] == '-';
}

void report_hsp_count(const struct report_residues *residues, struct report_hsp *h)
{
    const uint8_t *q = h->query, *s = h->subject;
    struct report_counts counts = {0};

    for (size_t i = 0; i < h->hsp->n_runs; i++) {
        const tms_aligned_run run = h->hsp->runs[i];
        counts.length += run.n;
        if (i == 0 && run.kind == TMS_ALIGNED_GAP_IN_QUERY)
            counts.n_before = run.n;
        if (run.kind != TMS_ALIGNED_MATCH) {
            counts.n_gaps += run.n;
            counts.n_openings++;
        }
        for (uint32_t k = 0; k < run.n && run.kind == TMS_ALIGNED_MATCH; k++) {
            counts.n_identical += q[k] == s[k];
            counts.n_positive += residues->is_positive[q[k]][s[k]];
        }
        for (uint32_t k = 0; k < run.n && run.kind == TMS_ALIGNED_GAP_IN_QUERY; k++) {
            const bool is_dash = is_dash_in_gap(residues, h->hsp, i, s[k]);
            counts.n_identical += is_dash;
            counts.n_positive += is_dash;
        }
        q += run.kind != TMS_ALIGNED_GAP_IN_QUERY ? run.n : 0;
        s += run.kind != TMS_ALIGNED_GAP_IN_SUBJECT ? run.n : 0;
    }
    h->counts = counts;
}

void report_rows_free(struct report_rows *rows)
{
    free(rows->query.bytes);
    free(rows->middle.bytes);
    free(rows->subject.bytes);
    memset(rows, 0, sizeof *rows);
}

static char *begin_row(struct byte_array *row, uint64_t n)
{
    row->n = 0;
    if (byte_array_room(row, (size_t)n) == NULL)
        return NULL;
    row->n = (size_t)n;
    return (char *)row->bytes;
}

static char masked_residue(char residue, struct report_masking masking)
{
    return (char)(masking.as == REPORT_MASKED_X ? 'X' : tolower((unsigned char)residue));
}

/*
 * Masks residues of the query's row. In formats 5, 15 and 16 NCBI's program continues behind a mask with the next column, and if that is
 * the last of its run, with the one after it. So the last residue of a run is not shown as masked if its mask begins right behind
 * another one.
 */
static void mask_query(const struct report_hsp *h, struct report_masking masking, char *row)
{
    const tms_interval *masked = h->query_masked, *end = h->query_masked + h->n_query_masked;
    uint64_t at = h->query_at;
    bool is_behind_mask = false;

    while (masked < end && (masked->end <= at || (masking.whole_only && masked->start < at)))
        masked++;
    for (size_t i = 0; i < h->hsp->n_runs && masked < end; i++) {
        const tms_aligned_run run = h->hsp->runs[i];
        for (uint32_t k = 0; k < run.n && masked < end; k++, row++) {
            is_behind_mask &= k + 1 == run.n;
            if (run.kind == TMS_ALIGNED_GAP_IN_QUERY)
                continue;
            if (masked->start <= at && !is_behind_mask)
                *row = masked_residue(*row, masking);
            at++;
            if (masked->end == at)
                is_behind_mask = masking.whole_only;
            while (masked < end && masked->end <= at)
                masked++;
        }
    }
}

static char subject_residue(const struct report_residues *residues, const struct report_hsp *h, const uint8_t *at)
{
    const char residue = residues->residues[*at];

    return h->masked != NULL && h->masked[at - h->subject] ? (char)tolower((unsigned char)residue) : residue;
}

static char middle_of(const struct report_residues *residues, uint8_t query, uint8_t subject)
{
    if (query == subject)
        return residues->has_bars ? '|' : residues->residues[query];
    return residues->is_positive[query][subject] && !residues->has_bars ? '+' : ' ';
}

bool report_rows_fill(const struct report_residues *residues, const struct report_hsp *h, struct report_masking masking,
                      struct report_rows *rows)
{
    char *query = begin_row(&rows->query, h->counts.length), *middle = begin_row(&rows->middle, h->counts.length);
    char *subject = begin_row(&rows->subject, h->counts.length);
    const uint8_t *q = h->query, *s = h->subject;

    if (query == NULL || middle == NULL || subject == NULL)
        return false;
    for (size_t i = 0; i < h->hsp->n_runs; i++) {
        const tms_aligned_run run = h->hsp->runs[i];
        const char gap = i == 0 ? ' ' : '-';
        for (uint32_t k = 0; k < run.n; k++) {
            const bool has_query = run.kind != TMS_ALIGNED_GAP_IN_QUERY, has_subject = run.kind != TMS_ALIGNED_GAP_IN_SUBJECT;
            *middle = ' ';
            if (has_query && has_subject)
                *middle = middle_of(residues, *q, *s);
            else if (has_subject && is_dash_in_gap(residues, h->hsp, i, *s))
                *middle = gap;
            *query = has_query ? residues->residues[*q] : gap;
            *subject = has_subject ? subject_residue(residues, h, s) : gap;
            q += has_query;
            s += has_subject;
            query++;
            middle++;
            subject++;
        }
    }
    if (masking.as != REPORT_UNMASKED)
        mask_query(h, masking, (char *)rows->query.bytes);
    return true;
}

void report_btop_put(const struct report_residues *residues, const struct report_hsp *h, struct report_text *t)
{
    const uint8_t *q = h->query, *s = h->subject;
    int64_t n_same = 0;

    for (size_t i = 0; i < h->hsp->n_runs; i++) {
        const tms_aligned_run run = h->hsp->runs[i];
        const char gap = i == 0 ? ' ' : '-';
        for (uint32_t k = 0; k < run.n; k++) {
            char pair[2] = {gap, gap};
            if (run.kind == TMS_ALIGNED_MATCH && *q == *s) {
                q++;
                s++;
                n_same++;
                continue;
            }
            if (run.kind == TMS_ALIGNED_GAP_IN_QUERY && is_dash_in_gap(residues, h->hsp, i, *s)) {
                s++;
                n_same++;
                continue;
            }
            if (run.kind != TMS_ALIGNED_GAP_IN_QUERY)
                pair[0] = residues->residues[*q++];
            if (run.kind != TMS_ALIGNED_GAP_IN_SUBJECT)
                pair[1] = residues->residues[*s++];
            if (n_same > 0)
                text_number(t, n_same);
            n_same = 0;
            text_add(t, pair, 2);
        }
    }
    if (n_same > 0)
        text_number(t, n_same);
}

static int by_start(const void *a, const void *b)
{
    const tms_interval *x = a, *y = b;

    return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

bool report_count_covered(const tms_search_subject *subject, uint64_t *out)
{
    tms_interval *ranges = malloc((subject->n_hsps + 1) * sizeof *ranges);
    uint64_t n = 0, end = 0;

    if (ranges == NULL)
        return false;
    for (size_t i = 0; i < subject->n_hsps; i++)
        ranges[i] = subject->hsps[i].query;
    qsort(ranges, subject->n_hsps, sizeof *ranges, by_start);
    for (size_t i = 0; i < subject->n_hsps; i++) {
        uint64_t start = ranges[i].start > end ? ranges[i].start : end;
        n += ranges[i].end > start ? ranges[i].end - start : 0;
        end = ranges[i].end > end ? ranges[i].end : end;
    }
    free(ranges);
    *out = n;
    return true;
}
