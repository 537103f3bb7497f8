/*
 * report_sam.c - format 17: SAM. References are the queries, and reads are the subjects; with SR it is the other way round. The header,
 * which lists the references that have reads, comes first, so all lines wait in memory until the last query has been searched with.
 *
 * With -ungapped, NCBI's program makes one read of all HSPs of a subject: its ranges span those of the HSPs, its CIGAR is the sum of their
 * lengths, its strand, scores and identical columns are the first HSP's.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report_common.h"
#include "report/report_numbers.h"
#include "report/report_writers.h"
#include "tamis/alphabet.h"

enum { IS_REVERSE = 16 }; /* of the flags of a read */

/* A line: one HSP, or with -ungapped all HSPs of a subject. */
struct read {
    const tms_search_subject *subject;
    const tms_search_hsp *hsps; /* n_hsps */
    size_t n_hsps;
    tms_interval query_range, subject_range;
    uint64_t first; /* where the read begins on the query, for the order of reads */
    double evalue;  /* for the order of reads that begin at the same base */
    size_t number;
};

/* ---- reads -------------------------------------------------------------------------------------------------------------------- */

static tms_interval span(tms_interval a, tms_interval b)
{
    return (tms_interval){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

static double evalue_of(const tms_search_hsp *hsp) { return hsp->evalue < 1e-180 ? 0 : hsp->evalue; }

/* The order is by the ends of the first and the last HSP, and by the E-value of the last. */
static struct read read_of(const tms_search_subject *subject, size_t i, size_t n_hsps)
{
    const tms_search_hsp *hsps = subject->hsps + i, *last = hsps + n_hsps - 1;
    const bool is_reverse = hsps->subject_frame < 0;
    const uint64_t begin = is_reverse ? last->query.start : hsps->query.start, end = is_reverse ? hsps->query.end : last->query.end;
    struct read read = {.subject = subject,
                        .hsps = hsps,
                        .n_hsps = n_hsps,
                        .query_range = hsps->query,
                        .subject_range = hsps->subject,
                        .first = begin < end - 1 ? begin : end - 1,
                        .evalue = evalue_of(last)};

    for (size_t k = 1; k < n_hsps; k++) {
        read.query_range = span(read.query_range, hsps[k].query);
        read.subject_range = span(read.subject_range, hsps[k].subject);
    }
    return read;
}

static int by_begin(const void *a, const void *b)
{
    const struct read *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->evalue != y->evalue)
        return x->evalue < y->evalue ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* The reads of a query, in their order. Returns NULL if memory runs out; to be freed. */
static struct read *list_reads(const struct report *report, const tms_search_result *result, size_t *n)
{
    struct read *reads;
    size_t most = 1;

    *n = 0;
    for (size_t i = 0; i < result->n_subjects; i++)
        most += result->subjects[i].n_hsps;
    reads = calloc(most, sizeof *reads);
    for (size_t i = 0; i < result->n_subjects && reads != NULL; i++) {
        const tms_search_subject *subject = &result->subjects[i];
        const size_t step = report->options.program->is_ungapped ? subject->n_hsps : 1;
        for (size_t k = 0; k < subject->n_hsps; k += step) {
            reads[*n] = read_of(subject, k, step);
            reads[*n].number = *n;
            ++*n;
        }
    }
    if (reads != NULL && !report->options.format.has_subject_references)
        qsort(reads, *n, sizeof *reads, by_begin);
    return reads;
}

/* ---- a line ------------------------------------------------------------------------------------------------------------------- */

static void put_query_name(const struct report *report, struct report_text *t)
{
    text_put(t, report->query.is_parsed ? report_name_versioned(&report->query) : text_of(report->query_label));
}

/* Of the subject that was read last. */
static void put_subject_name(const struct report *report, struct report_text *t)
{
    const struct report_name *name = &report->deflines[report->main_defline];

    if (name->is_parsed) {
        text_put(t, report_name_versioned(name));
        return;
    }
    text_string(t, name->is_stored ? "BL_ORD_ID:" : "");
    text_put(t, report_hit_accession(report, report->main_defline));
}

static void put_clip(uint64_t n, struct report_text *t)
{
    if (n > 0)
        text_format(t, "%lluH", (unsigned long long)n);
}

/* The operations along the reference. Returns the bases in gaps. */
static uint64_t put_operations(const struct report *report, const struct read *read, struct report_text *t)
{
    const bool has_subjects = report->options.format.has_subject_references;
    const tms_search_hsp *hsp = read->hsps;
    uint64_t n_aligned = 0, n_gaps = 0;

    for (size_t k = 0; k < read->n_hsps && report->options.program->is_ungapped; k++)
        n_aligned += read->hsps[k].query.end - read->hsps[k].query.start;
    if (n_aligned > 0) {
        text_format(t, "%lluM", (unsigned long long)n_aligned);
        return 0;
    }
    for (size_t i = 0; i < hsp->n_runs; i++) {
        const bool is_backward = has_subjects && hsp->subject_frame < 0;
        const tms_aligned_run run = hsp->runs[is_backward ? hsp->n_runs - 1 - i : i];
        const bool is_match = run.kind == TMS_ALIGNED_MATCH, is_in_read = (run.kind == TMS_ALIGNED_GAP_IN_QUERY) != has_subjects;
        text_format(t, "%u%c", (unsigned)run.n, is_match ? 'M' : is_in_read ? 'I' : 'D');
        n_gaps += is_match ? 0 : run.n;
    }
    return n_gaps;
}

/* The aligned bases of the read, along the reference. */
static io_status put_bases(struct report *report, const struct report_query *query, const struct read *read, struct report_text *t,
                           io_error *err)
{
    const tms_interval range = report->options.format.has_subject_references ? read->query_range : read->subject_range;
    const bool is_reverse = read->hsps->subject_frame < 0;
    const uint8_t *complements = tms_alphabet_complements(TMS_ALPHABET_BLASTNA), *codes = query->result->codes + range.start;
    const size_t n = (size_t)(range.end - range.start);
    tms_status status = TMS_OK;
    char *to;

    if (!report->options.format.has_subject_references) {
        report->codes.n = 0;
        codes = byte_array_room(&report->codes, n);
        if (codes == NULL)
            return report_fail_memory(err);
        status = tms_seqdb_residues(report->options.db, read->subject->sequence, range.start, range.end, report->codes.bytes);
    }
    if (status != TMS_OK)
        return report_fail_subject(report, read->subject->sequence, status, err);
    to = (char *)byte_array_room(t->to, n);
    if (to == NULL)
        return report_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        to[i] = report->residues.residues[is_reverse ? complements[codes[n - 1 - i]] : codes[i]];
    t->to->n += n;
    return IO_OK;
}

static void put_tags(const struct read *read, uint64_t n_identical, uint64_t n_gaps, struct report_text *t)
{
    const tms_search_hsp *hsp = read->hsps;
    uint64_t n_aligned = 0;
    double percent;

    for (size_t k = 0; k < read->n_hsps; k++)
        for (size_t i = 0; i < read->hsps[k].n_runs; i++)
            n_aligned += read->hsps[k].runs[i].kind == TMS_ALIGNED_MATCH ? read->hsps[k].runs[i].n : 0;
    percent = 100.0 * (double)n_identical / (double)n_aligned;
    if (n_identical < n_aligned && percent > 99.99)
        percent = 99.99;
    text_format(t, "\tAS:i:%d", (int)hsp->score);
    for (size_t k = 0; k < read->n_hsps; k++)
        if (read->hsps[k].n_linked <= 1) { /* a chain's is not shown [sic] */
            text_format(t, "\tEV:f:%g", evalue_of(&read->hsps[k]));
            break;
        }
    text_format(t, "\tNM:i:%llu\tPI:f:%.2f\tBS:f:%g\n", (unsigned long long)n_gaps, percent, hsp->bits);
}

static io_status put_read(struct report *report, const struct report_query *query, const struct read *read, struct report_text *t,
                          io_error *err)
{
    const bool has_subjects = report->options.format.has_subject_references, is_reverse = read->hsps->subject_frame < 0;
    const uint64_t query_begin = query->offset + read->query_range.start, query_end = query->offset + read->query_range.end;
    const uint64_t subject_begin = report->options.subject_offset + read->subject_range.start,
                   subject_end = report->options.subject_offset + read->subject_range.end;
    const uint64_t before = has_subjects ? query_begin : subject_begin,
                   after = has_subjects ? report_full_length(query) - query_end
                                        : report_subject_length(report, read->subject->sequence) - subject_end;
    io_status status = report_read_subject(report, read->subject->sequence, err);
    struct report_hsp h;
    uint64_t n_identical, n_gaps;

    if (status == IO_OK)
        status = report_read_hsp(report, query, read->subject->sequence, read->hsps, &h, err);
    if (status != IO_OK)
        return status;
    n_identical = report_count_identical(report, &h); /* before put_bases() reads other bases */
    (has_subjects ? put_query_name : put_subject_name)(report, t);
    text_format(t, "\t%d\t", is_reverse ? IS_REVERSE : 0);
    (has_subjects ? put_subject_name : put_query_name)(report, t);
    text_format(t, "\t%llu\t255\t", (unsigned long long)(has_subjects ? subject_begin : query_begin) + 1);
    put_clip(is_reverse ? after : before, t);
    n_gaps = put_operations(report, read, t);
    put_clip(is_reverse ? before : after, t);
    text_string(t, "\t*\t0\t0\t");
    if (report->options.format.has_bases)
        status = put_bases(report, query, read, t, err);
    else
        text_string(t, "*");
    text_string(t, "\t*");
    put_tags(read, n_identical, n_gaps, t);
    return status;
}

io_status report_sam_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    size_t n;
    struct read *reads = list_reads(report, query->result, &n);
    io_status status = reads != NULL ? IO_OK : report_fail_memory(err);

    for (size_t i = 0; i < n && status == IO_OK; i++)
        status = put_read(report, query, &reads[i], t, err);
    free(reads);
    return status;
}

/* ---- the references ----------------------------------------------------------------------------------------------------------- */

static io_status add_subjects(struct report *report, const tms_search_result *result, struct report_text *t, io_error *err)
{
    io_status status = IO_OK;

    if (report->is_reference == NULL)
        report->is_reference = calloc(report->db.n_sequences + 1, 1);
    if (report->is_reference == NULL)
        return report_fail_memory(err);
    for (size_t i = 0; i < result->n_subjects && status == IO_OK; i++) {
        const uint64_t sequence = result->subjects[i].sequence;
        if (report->is_reference[sequence])
            continue;
        report->is_reference[sequence] = 1;
        status = report_read_subject(report, sequence, err);
        if (status != IO_OK)
            break;
        text_string(t, "@SQ\tSN:");
        put_subject_name(report, t);
        text_format(t, "\tLN:%llu\n", (unsigned long long)report_subject_length(report, sequence));
    }
    return status;
}

io_status report_sam_collect(struct report *report, const struct report_query *query, struct byte_array *text, io_error *err)
{
    struct report_text t = {.to = &report->references}, lines = {.to = &report->lines};
    io_status status = IO_OK;

    if (report->options.format.has_subject_references) {
        status = add_subjects(report, query->result, &t, err);
    } else if (query->result->n_subjects > 0) {
        status = report_name_query(report, query, err);
        text_string(&t, "@SQ\tSN:");
        if (status == IO_OK)
            put_query_name(report, &t);
        text_format(&t, "\tLN:%llu\n", (unsigned long long)report_full_length(query));
    }
    text_add(&lines, text->bytes, text->n);
    text->n = 0;
    return status == IO_OK && (t.is_lost || lines.is_lost) ? report_fail_memory(err) : status;
}

/* A line of the header, without its end. */
struct reference {
    struct text line, name;
    bool is_double; /* an earlier line has the name */
};

static int by_name(const void *a, const void *b)
{
    const struct reference *x = *(struct reference *const *)a, *y = *(struct reference *const *)b;
    const int order = memcmp(x->name.bytes, y->name.bytes, x->name.n < y->name.n ? x->name.n : y->name.n);

    if (order != 0)
        return order;
    return x->name.n != y->name.n ? (x->name.n < y->name.n ? -1 : 1) : (x < y ? -1 : 1);
}

static void mark_doubles(struct reference **sorted, size_t n)
{
    qsort(sorted, n, sizeof *sorted, by_name);
    for (size_t i = 1; i < n; i++) {
        const struct text a = sorted[i - 1]->name, b = sorted[i]->name;
        sorted[i]->is_double = a.n == b.n && memcmp(a.bytes, b.bytes, a.n) == 0;
    }
}

/* Each name once, with parse_deflines too. */
static void put_references(const struct byte_array *from, struct report_text *t)
{
    enum { BEFORE_NAME = sizeof "@SQ\tSN:" - 1 };
    const char *at = (const char *)from->bytes, *const last = at + from->n;
    struct reference *references, **sorted;
    size_t n = 0, i = 0;

    for (size_t k = 0; k < from->n; k++)
        n += at[k] == '\n';
    references = calloc(n + 1, sizeof *references);
    sorted = calloc(n + 1, sizeof(struct reference *));
    t->is_lost = t->is_lost || references == NULL || sorted == NULL;
    for (; at < last && !t->is_lost; i++) {
        const char *const end = memchr(at, '\n', (size_t)(last - at)), *const name = at + BEFORE_NAME;
        references[i] = (struct reference){.line = {at, (size_t)(end + 1 - at)},
                                           .name = {name, (size_t)((const char *)memchr(name, '\t', (size_t)(end - name)) - name)}};
        sorted[i] = &references[i];
        at = end + 1;
    }
    if (!t->is_lost)
        mark_doubles(sorted, n);
    for (i = 0; i < n && !t->is_lost; i++) {
        if (!references[i].is_double)
            text_put(t, references[i].line);
    }
    free(references);
    free(sorted);
}

/* ---- the text ----------------------------------------------------------------------------------------------------------------- */

void report_sam_end(struct report *report, struct report_text *t)
{
    const struct report_options *options = &report->options;

    if (report->lines.n == 0)
        return;
    text_string(t, options->format.has_subject_references ? "@HD\tVN:1.2\tGO:query\n" : "@HD\tVN:1.2\tSO:coordinate\tGO:reference\n");
    put_references(&report->references, t);
    text_format(t, "@PG\tID:0\tVN:%s\tCL:", strrchr(options->program->version, ' ') + 1);
    for (size_t i = 0; i < options->n_arguments; i++) {
        text_string(t, options->arguments[i]);
        text_string(t, " ");
    }
    text_format(t, "\tPN:%s\n", options->program->name);
    text_put(t, text_of_array(&report->lines));
}
