/* report_html.c - see report_html.h. */
#include "report/report_html.h"

/* ---- the page ----------------------------------------------------------------------------------------------------------------- */

/* Lines of the heading are wrapped like those of any text, even within the address. */
static void put_reference(const struct report_reference *reference, struct byte_array *scratch, struct report_text *t)
{
    struct report_text heading = {.to = scratch};

    scratch->n = 0;
    text_string(&heading, "<b><a href=\"https://www.ncbi.nlm.nih.gov/entrez/query.fcgi?db=PubMed&cmd=Retrieve&list_uids=");
    text_string(&heading, reference->pubmed);
    text_string(&heading, "&dopt=Citation\">");
    text_string(&heading, reference->title);
    text_string(&heading, "</a>:</b>");
    t->is_lost = t->is_lost || heading.is_lost;
    text_wrapped(t, text_of_array(scratch));
    text_wrapped(t, text_of(reference->text));
    text_string(t, "\n\n");
}

void report_html_begin(const struct report_program *program, struct byte_array *scratch, struct report_text *t)
{
    text_string(t, "<HTML>\n"
                   "<HEAD><TITLE>BLAST Search Results</TITLE></HEAD>\n"
                   "<BODY BGCOLOR=\"#FFFFFF\" LINK=\"#0000FF\" VLINK=\"#660099\" ALINK=\"#660099\">\n"
                   "<PRE>\n\n");
    text_format(t, "<b>%s</b>\n\n\n%s", program->heading != NULL ? program->heading : program->version,
                program->preface != NULL ? program->preface : "");
    for (size_t i = 0; i < program->n_references; i++)
        put_reference(&program->references[i], scratch, t);
    text_string(t, "\n");
}

void report_html_end(struct report_text *t) { text_string(t, "</PRE>\n</BODY>\n</HTML>\n"); }

/* ---- links -------------------------------------------------------------------------------------------------------------------- */

bool report_html_has_page(const struct report_name *name)
{
    return name->is_parsed && !report_name_is_own(name) && !report_name_is_gi(name) && !report_name_is_geninfo(name);
}

void report_html_put_link(const struct report_name *name, const char *position, size_t rank, const char *end, struct report_text *t)
{
    const struct text id = report_name_versioned(name);
    const bool is_protein = name->molecule == TMS_PROTEIN;

    text_string(t, "<a title=\"Show report for ");
    text_put(t, id);
    text_format(t, "\" href=\"https://www.ncbi.nlm.nih.gov/%s/", is_protein ? "protein" : "nucleotide");
    text_put(t, id);
    text_format(t, "?report=genbank&log$=%s%s&blast_rank=%zu&RID=%s\" >", is_protein ? "prot" : "nucl", position, rank, end);
}

void report_html_put_anchor(const struct report *report, const struct report_name *name, bool is_target, struct report_text *t)
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

/* ---- masked residues --------------------------------------------------------------------------------------------------------- */

/* Columns first .. last of an alignment: masked residues and the gaps between them. */
struct span {
    size_t first, last;
};

/*
 * NCBI's program does not colour the first column of an alignment by itself; and a colour that begins with the first column of a later row
 * lasts until a span or the row ends.
 */
void report_html_put_columns(const char *columns, size_t first, size_t end, const struct byte_array *masked, struct report_text *t)
{
    const struct span *spans = (const void *)masked->bytes;
    const size_t n_spans = masked->n / sizeof *spans;
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
        text_add(t, &columns[i - first], 1);
        if (ends && is_open) {
            text_string(t, "</font>");
            is_open = false;
        }
    }
}

void report_html_add_span(size_t first, size_t last, struct byte_array *spans, struct report_text *t)
{
    const struct span span = {first, last};

    t->is_lost = t->is_lost || !byte_array_add(spans, &span, sizeof span);
}

void report_html_find_spans(struct text row, uint64_t start, const tms_interval *masked, size_t n_masked, struct byte_array *out,
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
        if (is_there)
            report_html_add_span(span.first, span.last, out, t);
    }
}
