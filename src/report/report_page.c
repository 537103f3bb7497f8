/*
 * report_page.c - format html: a page that needs nothing else. What it shows is drawn by its script (src/page/hits.js) from data that this
 * file writes: JSON about the search, and for each query a line of JSON for the overview, and all hits: the number of their bytes,
 * compressed, and these as text (base91_add()).
 *
 *   search  {program, version, db, sequences, residues, matrix, evalue, query and subject: molecules, their genetic codes, positives}
 *   query   {n, id, title, length, subjects, best}                                    in the overview
 *   hits    {frames: {"0": "residues"}, names: [[id, title, more] ...], subjects: [[length, covered, HSPs] ...], hsps, traces}
 *   hsps    an array for each number of an HSP, because numbers of a kind, one after the other, become smaller: [score ...], [bits ...],
 *           evalue, query frame, subject frame, query from, to, subject from, to, columns, identities, positives, gaps, linked,
 *           position in the frame, frame of the query's residues
 *   traces  of the subject's row of each HSP, with a blank behind it: '0' to '?' are 1 to 16 columns with the query's residue, the seven
 *           characters []^_`{| are 32, 64, 128, 256, 512, 1024 and 4096; a letter is another residue, or a masked one in lower
 *           case; '-' a gap; '+' and a letter a gap in the query
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "page/deflate.h"
#include "page/json_text.h"
#include "page/page.h"
#include "report/report.h"
#include "report/report_common.h"
#include "report/report_numbers.h"
#include "report/report_writers.h"

/* ---- JSON --------------------------------------------------------------------------------------------------------------------- */

static void put_string(struct report_text *t, struct text text) { t->is_lost = t->is_lost || !json_add_string(t->to, text.bytes, text.n); }

/* A member of an object; first: the object's first one. */
static void put_key(struct report_text *t, const char *key, bool first) { text_format(t, "%s\"%s\":", first ? "" : ",", key); }

static void put_text_member(struct report_text *t, const char *key, struct text text)
{
    put_key(t, key, false);
    put_string(t, text);
}

static void put_number_member(struct report_text *t, const char *key, uint64_t number)
{
    put_key(t, key, false);
    text_number(t, (int64_t)number);
}

/* ---- the search --------------------------------------------------------------------------------------------------------------- */

/* For each letter those that score above 0 with it. */
static void put_positives(const struct report *report, struct report_text *t)
{
    const struct report_residues *residues = &report->residues;

    put_key(t, "positives", false);
    text_string(t, "{");
    for (size_t a = 0, n = 0; a < RESIDUE_CODES && !residues->has_bars; a++) {
        char letters[RESIDUE_CODES];
        size_t n_letters = 0;
        if (isupper((unsigned char)residues->residues[a]) == 0)
            continue;
        for (size_t b = 0; b < RESIDUE_CODES; b++) {
            if (isupper((unsigned char)residues->residues[b]) != 0 && residues->is_positive[a][b])
                letters[n_letters++] = residues->residues[b];
        }
        text_string(t, n++ > 0 ? "," : "");
        put_string(t, (struct text){&residues->residues[a], 1});
        text_string(t, ":");
        put_string(t, (struct text){letters, n_letters});
    }
    text_string(t, "}");
}

static const char *molecule_name(tms_molecule molecule) { return molecule == TMS_PROTEIN ? "protein" : "nucleotide"; }

static void put_search(const struct report *report, const char *where, struct report_text *t)
{
    const struct report_program *program = report->options.program;
    char number[REPORT_NUMBER_SIZE];

    text_string(t, "<script type=\"application/json\" id=\"search\">{");
    put_key(t, "program", true);
    put_string(t, text_of(program->name));
    put_text_member(t, "version", text_of(program->version));
    put_text_member(t, "db", text_of(where));
    put_number_member(t, "sequences", report->db.shown_n_sequences);
    put_number_member(t, "residues", report->db.shown_n_residues);
    if (program->reward == 0)
        put_text_member(t, "matrix", text_of(program->matrix));
    put_text_member(t, "evalue", text_of(report_double(program->evalue, number)));
    put_text_member(t, "query", text_of(molecule_name(program->query_molecule)));
    put_text_member(t, "subject", text_of(molecule_name(program->subject_molecule)));
    put_number_member(t, "query_code", program->query_genetic_code);
    put_number_member(t, "subject_code", program->subject_genetic_code);
    put_positives(report, t);
    text_string(t, "}</script>\n");
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

void report_page_begin(struct report *report, struct report_text *t)
{
    const char *where = report->options.db_name != NULL ? report->options.db_name : file_name(report->options.subject_path);
    char title[512], *head = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&head, &n);

    snprintf(title, sizeof title, "%s: hits in %.400s", report->options.program->name, where);
    if (file == NULL) {
        t->is_lost = true;
        return;
    }
    page_begin(file, title, page_hits_css);
    t->is_lost |= ferror(file) != 0;
    t->is_lost |= fclose(file) != 0;
    text_add(t, head, n);
    free(head);
    text_string(t, "<main id=\"main\"><p id=\"loading\">Reading the hits … (A page on which this stays is not whole: its search was "
                   "interrupted, and <code>--resume</code> continues it.)</p></main>\n"
                   "<noscript><p>This page draws its hits by a script of its own, which this browser does not run. Tables and text: "
                   "<code>-outfmt 6</code>, <code>-outfmt 0</code>.</p></noscript>\n");
    put_search(report, where, t);
}

void report_page_end(struct report *report, struct report_text *t)
{
    char *foot = NULL, command[64];
    size_t n = 0;
    FILE *file = open_memstream(&foot, &n);

    if (file == NULL) {
        t->is_lost = true;
        return;
    }
    snprintf(command, sizeof command, "tamis %s -outfmt html", report->options.program->name);
    fprintf(file, "<script>\n%s</script>\n", page_hits_js);
    page_end(file, command, tms_version());
    t->is_lost |= ferror(file) != 0;
    t->is_lost |= fclose(file) != 0;
    text_add(t, foot, n);
    free(foot);
}

/* ---- names -------------------------------------------------------------------------------------------------------------------- */

/* A name's id, and its title without it. */
static void put_name(const struct report_name *name, struct report_text *t)
{
    put_string(t, name->is_parsed ? name->ids : name->accession);
    text_string(t, ",");
    put_string(t, name->is_parsed ? name->title : report_header_rest(report_header(name->title.bytes, name->title.n)));
}

/* ---- hits --------------------------------------------------------------------------------------------------------------------- */

/* Parts of a query's JSON, which are compressed each for itself, and the numbers of an HSP. */
enum page_part { PART_FRAMES, PART_NAMES, PART_SUBJECTS, PART_TRACES, PAGE_PARTS };
enum { HSP_NUMBERS = 16 };

/* The hits of a query, while they are being written. texts and hsps end in the arrays below them. */
struct page_hits {
    struct report_text texts[PAGE_PARTS], hsps[HSP_NUMBERS];
    struct byte_array parts[PAGE_PARTS], numbers[HSP_NUMBERS];
};

static void page_hits_begin(struct page_hits *hits)
{
    *hits = (struct page_hits){0};
    for (size_t i = 0; i < PAGE_PARTS; i++)
        hits->texts[i].to = &hits->parts[i];
    for (size_t i = 0; i < HSP_NUMBERS; i++)
        hits->hsps[i].to = &hits->numbers[i];
}

static void page_hits_free(struct page_hits *hits)
{
    for (size_t i = 0; i < PAGE_PARTS; i++)
        free(hits->parts[i].bytes);
    for (size_t i = 0; i < HSP_NUMBERS; i++)
        free(hits->numbers[i].bytes);
}

/* A comma, unless nothing of the list is there yet. */
static void put_comma(struct report_text *list, bool is_first) { text_string(list, is_first ? "" : ","); }

/* Adds n equal columns. */
static void put_equal(struct report_text *trace, uint64_t n)
{
    static const struct {
        uint64_t n;
        char c;
    } many[] = {{4096, '|'}, {1024, '{'}, {512, '`'}, {256, '_'}, {128, '^'}, {64, ']'}, {32, '['}, {16, '?'}};

    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        for (; n >= many[i].n; n -= many[i].n)
            text_add(trace, &many[i].c, 1);
    }
    if (n > 0)
        text_add(trace, &"0123456789:;<=>"[n - 1], 1);
}

static void put_trace(const struct report_rows *rows, struct report_text *trace)
{
    uint64_t n = 0; /* equal columns before this one */

    for (size_t i = 0; i < rows->query.n; i++) {
        const char q = (char)toupper(rows->query.bytes[i]), s = (char)rows->subject.bytes[i];
        const bool is_insertion = q == '-' || q == ' ', is_gap = s == '-' || s == ' ';
        if (q == s && !is_insertion) {
            n++;
            continue;
        }
        put_equal(trace, n);
        n = 0;
        if (is_insertion)
            text_string(trace, "+");
        text_add(trace, is_gap ? "-" : &s, 1);
    }
    put_equal(trace, n);
    text_string(trace, " ");
}

static void put_hsp(struct report *report, const struct report_query *query, const struct report_hsp *h, struct page_hits *hits)
{
    const tms_search_hsp *hsp = h->hsp;
    const int64_t numbers[] = {report_query_frame(query, hsp) != 0 ? report_query_frame(query, hsp) : hsp->query_frame,
                               hsp->subject_frame,
                               (int64_t)(query->offset + report_query_from(hsp)),
                               (int64_t)(query->offset + report_query_to(hsp)),
                               (int64_t)(report->options.subject_offset + report_subject_from(hsp)),
                               (int64_t)(report->options.subject_offset + report_subject_to(hsp)),
                               (int64_t)h->counts.length,
                               (int64_t)h->counts.n_identical,
                               (int64_t)h->counts.n_positive,
                               (int64_t)h->counts.n_gaps,
                               (int64_t)hsp->n_linked,
                               (int64_t)h->query_at,
                               hsp->query_frame};
    char bits[REPORT_NUMBER_SIZE], evalue[REPORT_NUMBER_SIZE];
    enum { SCORE, BITS, EVALUE, FIRST };

    _Static_assert(FIRST + sizeof numbers / sizeof *numbers == HSP_NUMBERS, "a list for each");
    for (size_t i = 0; i < HSP_NUMBERS; i++)
        put_comma(&hits->hsps[i], hits->numbers[i].n == 0);
    text_number(&hits->hsps[SCORE], hsp->score);
    text_format(&hits->hsps[BITS], "\"%s\"", report_bits(hsp->bits, bits));
    text_format(&hits->hsps[EVALUE], "\"%s\"", text_trimmed(text_of(report_evalue(hsp->evalue, evalue))).bytes);
    for (size_t i = FIRST; i < HSP_NUMBERS; i++)
        text_number(&hits->hsps[i], numbers[i - FIRST]);
    put_trace(&report->rows, &hits->texts[PART_TRACES]);
}

static io_status put_subject(struct report *report, const struct report_query *query, const tms_search_subject *subject,
                             struct page_hits *hits, io_error *err)
{
    struct report_text *names = &hits->texts[PART_NAMES], *subjects = &hits->texts[PART_SUBJECTS];
    io_status status = report_read_subject(report, subject->sequence, err);
    struct report_hsp h;
    uint64_t covered;

    if (status != IO_OK)
        return status;
    if (!report_count_covered(subject, &covered))
        return report_fail_memory(err);
    text_string(names, "[");
    put_name(&report->deflines[report->main_defline], names);
    text_format(names, ",%zu]", report->n_deflines - 1);
    text_format(subjects, "[%llu,%llu,%zu]", (unsigned long long)report_subject_length(report, subject->sequence),
                (unsigned long long)covered, subject->n_hsps);
    for (size_t i = 0; i < subject->n_hsps; i++) {
        status = report_read_hsp(report, query, subject->sequence, &subject->hsps[i], &h, err);
        if (status != IO_OK)
            return status;
        if (!report_rows_fill(&report->residues, &h, (struct report_masking){.as = REPORT_MASKED_LOWER}, &report->rows))
            return report_fail_memory(err);
        put_hsp(report, query, &h, hits);
    }
    return IO_OK;
}

/* The residues or bases of a sequence, masked ones in lower case. */
static void put_residues(const struct report *report, const uint8_t *codes, uint64_t n, const tms_interval *masked, size_t n_masked,
                         struct report_text *t)
{
    char *letters;

    text_string(t, "\"");
    letters = (char *)byte_array_room(t->to, (size_t)n);
    t->is_lost = t->is_lost || letters == NULL;
    if (t->is_lost)
        return;
    for (uint64_t i = 0; i < n; i++)
        letters[i] = report->residues.residues[codes[i]];
    for (size_t k = 0; k < n_masked; k++) {
        for (uint64_t i = masked[k].start; i < masked[k].end && i < n; i++)
            letters[i] = (char)tolower((unsigned char)letters[i]);
    }
    t->to->n += (size_t)n;
    text_string(t, "\"");
}

/* The query, or those frames of it in which HSPs are. */
static void put_frames(const struct report *report, const tms_search_result *result, struct report_text *t)
{
    static const int frames[] = {1, 2, 3, -1, -2, -3};
    bool is_used[6] = {false}, is_begun = false;

    text_string(t, "{\"frames\":{");
    if (result->frames == NULL && result->n_subjects > 0) {
        text_format(t, "\"%d\":", (int)result->subjects[0].hsps[0].query_frame);
        put_residues(report, result->codes, result->query_length, result->masked, result->n_masked, t);
    }
    for (size_t i = 0; i < result->n_subjects && result->frames != NULL; i++) {
        for (size_t k = 0; k < result->subjects[i].n_hsps; k++) {
            const int f = result->subjects[i].hsps[k].query_frame;
            is_used[f < 0 ? 2 - f : f - 1] = true;
        }
    }
    for (size_t f = 0; f < 6; f++) {
        const tms_search_frame *frame = result->frames != NULL ? &result->frames[f] : NULL;
        if (!is_used[f])
            continue;
        text_format(t, "%s\"%d\":", is_begun ? "," : "", frames[f]);
        put_residues(report, frame->codes, frame->length, frame->masked, frame->n_masked, t);
        is_begun = true;
    }
    text_string(t, "}");
}

static io_status put_hits(struct report *report, const struct report_query *query, struct page_hits *hits, io_error *err)
{
    const tms_search_result *result = query->result;
    struct report_text *names = &hits->texts[PART_NAMES], *subjects = &hits->texts[PART_SUBJECTS];
    io_status status = IO_OK;

    put_frames(report, result, &hits->texts[PART_FRAMES]);
    text_string(names, ",\"names\":[");
    text_string(subjects, ",\"subjects\":[");
    text_string(&hits->texts[PART_TRACES], ",\"traces\":\"");
    for (size_t i = 0; i < result->n_subjects && status == IO_OK; i++) {
        put_comma(names, i == 0);
        put_comma(subjects, i == 0);
        status = put_subject(report, query, &result->subjects[i], hits, err);
    }
    text_string(names, "]");
    text_string(subjects, "],\"hsps\":[");
    for (size_t i = 0; i < HSP_NUMBERS; i++) {
        text_string(subjects, i == 0 ? "[" : ",[");
        text_put(subjects, text_of_array(&hits->numbers[i]));
        text_string(subjects, "]");
        subjects->is_lost |= hits->hsps[i].is_lost;
    }
    text_string(subjects, "]");
    text_string(&hits->texts[PART_TRACES], "\"}");
    return status;
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

/* What the overview shows: the query, and its best subject. */
static io_status put_overview(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    const tms_search_result *result = query->result;
    io_status status = IO_OK;
    uint64_t covered;
    struct report_hsp h;
    char evalue[REPORT_NUMBER_SIZE], bits[REPORT_NUMBER_SIZE];

    text_format(t, "{\"n\":%llu,\"name\":[", (unsigned long long)query->number);
    put_name(&report->query, t);
    text_format(t, "],\"length\":%llu,\"searched\":%llu,\"subjects\":%zu", (unsigned long long)report_full_length(query),
                (unsigned long long)result->query_length, result->n_subjects);
    if (query->warning != NULL)
        put_text_member(t, "warning", text_trimmed(text_of(query->warning)));
    if (result->n_subjects > 0) {
        const tms_search_subject *best = &result->subjects[0];
        status = report_read_subject(report, best->sequence, err);
        if (status == IO_OK)
            status = report_read_hsp(report, query, best->sequence, &best->hsps[0], &h, err);
        if (status != IO_OK)
            return status;
        if (!report_count_covered(best, &covered))
            return report_fail_memory(err);
        text_string(t, ",\"best\":[");
        put_name(&report->deflines[report->main_defline], t);
        text_format(t, ",\"%s\",\"%s\",%llu,%llu,%llu]", text_trimmed(text_of(report_evalue(best->hsps[0].evalue, evalue))).bytes,
                    text_trimmed(text_of(report_bits(best->hsps[0].bits, bits))).bytes, (unsigned long long)h.counts.n_identical,
                    (unsigned long long)h.counts.length, (unsigned long long)covered);
    }
    text_string(t, "}\n");
    return IO_OK;
}

io_status report_page_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    struct page_hits hits;
    struct byte_array packed = {0};
    io_status status;

    page_hits_begin(&hits);
    text_string(t, "<script type=\"text/plain\" class=\"query\">");
    status = put_overview(report, query, t, err);
    if (status == IO_OK)
        status = put_hits(report, query, &hits, err);
    for (size_t i = 0; i < PAGE_PARTS; i++)
        t->is_lost = t->is_lost || hits.texts[i].is_lost;
    t->is_lost = t->is_lost || !deflate_add_parts(&packed, DEFLATE_RAW, hits.parts, PAGE_PARTS);
    text_format(t, "%zu ", packed.n);
    t->is_lost = t->is_lost || !base91_add(t->to, packed.bytes, packed.n);
    text_string(t, "</script>\n");
    page_hits_free(&hits);
    free(packed.bytes);
    return status;
}
