/* report_common.c - see report_common.h. */
#include "report/report_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alphabet/bases.h"
#include "base/array.h"
#include "tamis/alphabet.h"

io_status report_fail_memory(io_error *err) { return io_fail_memory(err, "a report"); }

io_status report_fail_subject(const struct report *report, uint64_t sequence, tms_status status, io_error *err)
{
    if (status == TMS_E_MEMORY)
        return report_fail_memory(err);
    return io_fail(err, report->is_of_subjects ? IO_E_INPUT : IO_E_DATABASE, 0, "%s: sequence %llu is damaged",
                   report->options.db_name != NULL ? report->options.db_name : "subject", (unsigned long long)sequence);
}

/* ---- names and residues ------------------------------------------------------------------------------------------------------- */

/* The name of a record of -subject, by its header. Formats 5, 15 and 16 take the first word from the tidied title. */
static io_status name_header(struct report *report, uint64_t sequence, const tms_seqdb_name *name, io_error *err)
{
    struct text header = report_header(name->title, name->title_size), label;
    const tms_molecule molecule = report->options.program->subject_molecule;
    const uint64_t number = report->unnamed_subjects != NULL ? report->unnamed_subjects[sequence] : sequence + 1;

    snprintf(report->subject_label, sizeof report->subject_label, "Subject_%llu", (unsigned long long)number);
    label = text_of(report->subject_label);
    if (report->options.parse_deflines && report_header_has_id(header))
        return report_name_parse(header, molecule, label, &report->subject_parsed, report->deflines, err);
    if (report->options.parse_deflines)
        header = report_header_rest(header);
    report->deflines[0] = report_name_plain(header, molecule, text_of("unnamed"));
    if (report->options.format.writer->family != REPORT_MARKUP)
        return IO_OK;
    report->subject_tidied.n = 0;
    if (!report_name_tidy(&report->deflines[0], &report->subject_tidied))
        return report_fail_memory(err);
    report->deflines[0].ids = report_first_word(text_of_array(&report->subject_tidied));
    if (report->deflines[0].ids.n == 0)
        report->deflines[0].ids = label;
    return IO_OK;
}

io_status report_read_subject(struct report *report, uint64_t sequence, io_error *err)
{
    static const tms_seqdb_name none = {.title = ""};
    const tms_molecule molecule = report->options.program->subject_molecule;
    tms_status status = tms_seqdb_names_read(report->options.db, sequence, report->names, &report->n_deflines);

    report->main_defline = 0;
    snprintf(report->subject_ordinal, sizeof report->subject_ordinal, "gnl|BL_ORD_ID|%llu",
             (unsigned long long)tms_seqdb_oid(report->options.db, sequence));
    if (status != TMS_OK)
        return report_fail_subject(report, sequence, status, err);
    if (!array_reserve(&report->deflines, &report->deflines_capacity, report->n_deflines + 1, sizeof *report->deflines))
        return report_fail_memory(err);
    if (report->is_of_subjects)
        return name_header(report, sequence, report->n_deflines > 0 ? tms_seqdb_names_get(report->names, 0) : &none, err);
    for (size_t i = 0; i < report->n_deflines; i++) {
        if (!report_name_stored(tms_seqdb_names_get(report->names, i), molecule, &report->subject_tidied, &report->deflines[i]))
            return report_fail_memory(err);
    }
    for (size_t i = report->n_deflines; i-- > 0;)
        report->main_defline = report->deflines[i].gi > 0 ? i : report->main_defline;
    if (report->n_deflines == 0)
        report->deflines[report->n_deflines++] = report_name_plain(text_of(""), molecule, text_of("unnamed"));
    return IO_OK;
}

/* *out: for each residue of a part of a sequence whether it is masked. */
static tms_status mark_masked(struct report *report, uint64_t sequence, tms_interval part, const uint8_t **out)
{
    const size_t n_residues = (size_t)(part.end - part.start);
    const tms_seqdb_masks *masks = report->options.subject_masks;
    size_t n;
    tms_status status = tms_seqdb_masks_get(masks, sequence, report->masks, report->masks_capacity, &n);

    if (status == TMS_OK && n > report->masks_capacity) {
        if (!array_reserve(&report->masks, &report->masks_capacity, n, sizeof *report->masks))
            return TMS_E_MEMORY;
        status = tms_seqdb_masks_get(masks, sequence, report->masks, report->masks_capacity, &n);
    }
    report->masked.n = 0;
    report->n_masks = n;
    if (status != TMS_OK)
        return status;
    if (byte_array_room(&report->masked, n_residues) == NULL)
        return TMS_E_MEMORY;
    memset(report->masked.bytes, 0, n_residues);
    for (size_t i = 0; i < n; i++) {
        uint64_t start = report->masks[i].start > part.start ? report->masks[i].start : part.start;
        uint64_t end = report->masks[i].end < part.end ? report->masks[i].end : part.end;
        if (start < end)
            memset(report->masked.bytes + (start - part.start), 1, (size_t)(end - start));
    }
    *out = report->masked.bytes;
    return TMS_OK;
}

static void reverse(uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const uint8_t first = bytes[i];
        bytes[i] = bytes[n - 1 - i];
        bytes[n - 1 - i] = first;
    }
}

/* The frame of an HSP with a translated subject, counted in the whole of it. */
static int subject_frame(const struct report *report, uint64_t sequence, const tms_search_hsp *hsp)
{
    const uint64_t from = report->options.subject_offset + report_subject_from(hsp);

    return hsp->subject_frame > 0 ? (int)((from - 1) % 3) + 1 : -(int)((report_subject_length(report, sequence) - from) % 3) - 1;
}

/* Turns n bases to those of the other strand. */
static void complement(uint8_t *codes, size_t n)
{
    const uint8_t *complements = tms_alphabet_complements(TMS_ALPHABET_BLASTNA);

    reverse(codes, n);
    for (size_t i = 0; i < n; i++)
        codes[i] = complements[codes[i]];
}

/* Frames as indexes of tms_search_result.frames. */
static int frame_index(int frame) { return frame < 0 ? 2 - frame : frame - 1; }

bool report_keeps_frame_mask(size_t frame, const tms_interval *masked)
{
    return frame < 3 || masked->end - masked->start > 1 || (frame == 3 && masked->start == 0);
}

/* n / 3, rounded down, of a difference of two frames' starts. */
static int third(int n) { return n >= 0 ? n / 3 : -((2 - n) / 3); }

/*
 * Finds the masks of an HSP's frame: those of the frame of this number in the part of the query that was searched, although with -query_loc
 * that is another one [sic]. On the minus strand the last residue of a mask is not shown as masked [sic].
 */
static bool find_frame_masks(struct report *report, const struct report_query *query, struct report_hsp *out)
{
    const int shown = report_query_frame(query, out->hsp), frame = out->hsp->query_frame;
    const size_t index = (size_t)frame_index(shown);
    const tms_search_frame *masked = &query->result->frames[index];
    const int apart = shown > 0 ? shown - frame : frame - shown; /* bases from the start of the one to that of the other */
    const int first_shift = third(apart), end_shift = shown > 0 ? third(apart) : third(apart - 1);
    const bool is_text = report->options.format.writer->family == REPORT_TEXT;
    tms_interval *masks;
    size_t n = 0;

    report->frame_masks.n = 0;
    masks = (tms_interval *)(void *)byte_array_room(&report->frame_masks, (masked->n_masked + 1) * sizeof *masks);
    if (masks == NULL)
        return false;
    for (size_t i = 0; i < masked->n_masked; i++) {
        const int64_t first = (int64_t)masked->masked[i].start + first_shift;
        if (report_keeps_frame_mask(index, &masked->masked[i]) &&
            (first >= 0 || is_text)) /* else it begins before every HSP (whole_only of struct report_masking) */
            masks[n++] = (tms_interval){first > 0 ? (uint64_t)first : 0, masked->masked[i].end + (uint64_t)(int64_t)end_shift};
    }
    out->query_masked = masks;
    out->n_query_masked = n;
    return true;
}

bool report_find_query(struct report *report, const struct report_query *query, struct report_hsp *out)
{
    const tms_search_result *result = query->result;
    const tms_search_hsp *hsp = out->hsp;
    const int f = hsp->query_frame;
    const uint64_t begin = f < 0 ? result->query_length - hsp->query.end : hsp->query.start; /* on its strand */

    if (!report_is_translated(result)) {
        out->query = result->codes + hsp->query.start;
        out->query_at = hsp->query.start;
        out->query_masked = result->masked;
        out->n_query_masked = result->n_masked;
        return true;
    }
    out->query_at = (begin - (uint64_t)(frame_index(f) % 3)) / 3;
    out->query = result->frames[frame_index(f)].codes + out->query_at;
    return find_frame_masks(report, query, out);
}

/* Identities are an order, so those of a translated subject are counted by the codons that the search had. */
static bool compares_identities(const struct report *report)
{
    return report_translates_subjects(report) && report->options.format.writer->family == REPORT_TEXT &&
           (report->options.sort_hits >= 0 || report->options.sort_hsps >= 0);
}

/* Translates the bases of an HSP, which report->codes has as they are in the database, as the search did. */
static tms_status translate_compared(struct report *report, uint64_t sequence, const tms_search_hsp *hsp, const uint8_t **out)
{
    const size_t n = (size_t)(hsp->subject.end - hsp->subject.start);
    uint8_t *bases;

    report->compared.n = 0;
    bases = byte_array_room(&report->compared, n);
    if (bases == NULL)
        return TMS_E_MEMORY;
    memcpy(bases, report->codes.bytes, n);
    if (report->options.subject_masks != NULL && report->options.hides_masked) {
        const uint8_t *masked;
        const tms_status status = mark_masked(report, sequence, hsp->subject, &masked);
        if (status != TMS_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            bases[i] = masked[i] ? BASE_HIDDEN : bases[i];
    }
    if (hsp->subject_frame < 0)
        complement(bases, n);
    translate(report->compared_codons.searched, bases, n / 3, bases);
    *out = bases;
    return TMS_OK;
}

io_status report_read_hsp(struct report *report, const struct report_query *query, uint64_t sequence, const tms_search_hsp *hsp,
                          struct report_hsp *out, io_error *err)
{
    const uint8_t *compared = NULL;
    tms_status status;

    report->codes.n = 0;
    if (byte_array_room(&report->codes, (size_t)(hsp->subject.end - hsp->subject.start)) == NULL)
        return report_fail_memory(err);
    status = tms_seqdb_residues(report->options.db, sequence, hsp->subject.start, hsp->subject.end, report->codes.bytes);
    if (status == TMS_OK && compares_identities(report))
        status = translate_compared(report, sequence, hsp, &compared);
    if (status != TMS_OK)
        return report_fail_subject(report, sequence, status, err);
    if (hsp->subject_frame < 0)
        complement(report->codes.bytes, (size_t)(hsp->subject.end - hsp->subject.start));
    *out = (struct report_hsp){.hsp = hsp, .subject = report->codes.bytes, .compared = compared};
    if (report_translates_subjects(report)) {
        translate(report->subject_codons.shown, report->codes.bytes, (size_t)(hsp->subject.end - hsp->subject.start) / 3,
                  report->codes.bytes);
        out->subject_frame = subject_frame(report, sequence, hsp);
    }
    if (!report_find_query(report, query, out))
        return report_fail_memory(err);
    if (report->options.subject_masks != NULL && !report_translates_subjects(report) &&
        (report->options.hides_masked || report->options.format.writer->family == REPORT_TEXT)) {
        const uint8_t *masked;
        status = mark_masked(report, sequence, hsp->subject, &masked);
        if (status != TMS_OK)
            return report_fail_subject(report, sequence, status, err);
        if (hsp->subject_frame < 0)
            reverse(report->masked.bytes, (size_t)(hsp->subject.end - hsp->subject.start));
        out->masked = report->options.format.writer->family == REPORT_TEXT ? masked : NULL;
        out->hidden = report->options.hides_masked ? masked : NULL;
    }
    report_hsp_count(&report->residues, out);
    return IO_OK;
}

/* The code of a hidden residue. Subjects of the minus strand are shown as the complement. */
static uint8_t hidden_code(const struct report *report, const struct report_hsp *h)
{
    if (report->options.program->reward <= 0)
        return CODE_X;
    return h->hsp->subject_frame < 0 ? tms_alphabet_complements(TMS_ALPHABET_BLASTNA)[BASE_HIDDEN] : BASE_HIDDEN;
}

/* The code by which the search compared a residue of the query. Reports show B, Z and J where it translated a codon to X. */
static uint8_t searched_code(const struct report *report, uint8_t code)
{
    const bool is_translated = report->options.program->query_genetic_code > 0;

    return code == CODE_O || (is_translated && (code == CODE_B || code == CODE_Z || code == CODE_J)) ? CODE_X : code;
}

uint64_t report_count_identical(const struct report *report, const struct report_hsp *h)
{
    const uint8_t *first = h->compared != NULL ? h->compared : h->subject, *q = h->query, *s = first, hidden = hidden_code(report, h);
    const tms_interval *mask = h->query_masked, *end = mask + (report->options.program->compares_masked ? h->n_query_masked : 0);
    uint64_t n = 0;

    for (size_t i = 0; i < h->hsp->n_runs; i++) {
        const tms_aligned_run run = h->hsp->runs[i];
        for (uint32_t k = 0; k < run.n && run.kind == TMS_ALIGNED_MATCH; k++) {
            const uint8_t shown = s[k] == CODE_O && report->is_of_subjects ? CODE_X : s[k];
            const bool is_hidden = h->hidden != NULL && h->hidden[s + k - first];
            const uint64_t at = h->query_at + (uint64_t)(q + k - h->query);
            while (mask < end && mask->end <= at)
                mask++;
            n += (mask < end && mask->start <= at ? CODE_X : searched_code(report, q[k])) == (is_hidden ? hidden : shown);
        }
        q += run.kind != TMS_ALIGNED_GAP_IN_QUERY ? run.n : 0;
        s += run.kind != TMS_ALIGNED_GAP_IN_SUBJECT ? run.n : 0;
    }
    return n;
}

struct text report_tidy(struct report *report, const struct report_name *name, struct report_text *t)
{
    report->scratch.n = 0;
    t->is_lost = t->is_lost || !report_name_tidy(name, &report->scratch);
    return text_of_array(&report->scratch);
}

struct text report_query_id(const struct report *report)
{
    return report->query.is_parsed ? report->query.label : text_of(report->query_label);
}

struct text report_hit_id(const struct report *report, size_t i)
{
    const struct report_name *name = &report->deflines[i];

    return name->is_stored && !name->is_parsed ? text_of(report->subject_ordinal) : report_name_ids(name);
}

struct text report_hit_accession(const struct report *report, size_t i)
{
    const struct report_name *name = &report->deflines[i];

    if (name->is_parsed)
        return report_name_last(name);
    return text_of(name->is_stored ? strrchr(report->subject_ordinal, '|') + 1 : report->subject_label);
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

io_status report_name_query(struct report *report, const struct report_query *query, io_error *err)
{
    const struct text header = report_header(query->header, query->header_size);
    const tms_molecule molecule = report->options.program->query_molecule;
    const bool is_parsed = report->options.parse_deflines;
    const uint64_t number = is_parsed ? report->n_unnamed + query->n_unnamed + 1 : query->number;

    snprintf(report->query_label, sizeof report->query_label, "Query_%llu", (unsigned long long)number);
    if (is_parsed)
        return report_name_parse(header, molecule, text_of(report->query_label), &report->query_parsed, &report->query, err);
    report->query = report_name_plain(header, molecule, text_of(report->query_label));
    return IO_OK;
}

bool report_put_label(const struct report *report, struct byte_array *to)
{
    enum { MAX_LABEL = 35, CUT_LABEL = 25 };
    struct report_text t = {.to = to};
    const size_t begin = to->n;
    struct text title = text_trimmed(report->query.title);

    if (report->query.gi > 0)
        text_number(&t, report->query.gi);
    else
        text_put(&t, report->query.is_parsed ? report_name_accession(&report->query) : text_of(report->query_label));
    if (title.n > 0) {
        text_string(&t, " ");
        text_put(&t, title);
    }
    if (!t.is_lost && to->n - begin > MAX_LABEL) {
        to->n = begin + CUT_LABEL;
        text_string(&t, ".. ");
    }
    return !t.is_lost;
}

void report_count_query(struct report *report, const struct report_query *query)
{
    report->n_queries++;
    report->n_unnamed += report->options.parse_deflines && !report_header_has_id(report_header(query->header, query->header_size));
}

/* The title up to its first control character, which does not end it as its first byte. */
static struct text up_to_control(struct text title)
{
    size_t n = title.n > 0;

    while (n < title.n && (uint8_t)title.bytes[n] >= ' ')
        n++;
    return (struct text){title.bytes, n};
}

void report_query_text(const struct report *report, struct byte_array *to, struct report_text *t)
{
    struct report_text all = {.to = to};
    struct text title = text_trimmed(up_to_control(report->query.title));

    to->n = 0;
    if (report->query.is_parsed) {
        text_put(&all, report->query.label);
        text_string(&all, " ");
    }
    text_put(&all, title);
    while (to->n > 0 && to->bytes[to->n - 1] == ' ')
        to->n--;
    t->is_lost = t->is_lost || all.is_lost;
}

bool report_message(struct report *report, const struct report_query *query, struct report_text *t)
{
    struct report_text all = {.to = &report->scratch};
    const bool is_empty = query->result->n_subjects == 0;

    report->scratch.n = 0;
    if (query->warning != NULL) {
        struct byte_array label = {0};
        all.is_lost = !report_put_label(report, &label);
        text_put(&all, text_of_array(&label));
        text_string(&all, ":  ");
        text_put(&all, text_of_array(&label));
        text_string(&all, ": ");
        text_string(&all, query->warning);
        text_string(&all, is_empty ? " " : "");
        free(label.bytes);
    }
    text_string(&all, is_empty ? "No hits found" : "");
    t->is_lost = t->is_lost || all.is_lost;
    return is_empty || query->warning != NULL;
}

struct report_statistics report_statistics_of(const struct report *report, const tms_search_result *result)
{
    const struct report_program *program = report->options.program;

    if (!result->is_valid || program->is_ungapped || program->gapped.lambda < 0)
        return (struct report_statistics){.lambda = result->lambda, .K = result->K, .H = result->H};
    return program->gapped;
}
