/*
 * report_tabular.c - formats 6, 7 and 10: a line for each HSP, with the columns of -outfmt. Values are never quoted.
 */
#include "report/report_columns.h"
#include "report/report_common.h"
#include "report/report_numbers.h"
#include "report/report_taxa.h"
#include "report/report_writers.h"

/* The line that is being written. */
struct report_line {
    struct report *report;
    const struct report_query *query;
    const tms_search_subject *subject;
    struct report_hsp hsp;
    struct report_counts counts; /* of the HSP, as tables count them */
    int covered;                 /* percent of the query that all HSPs of the subject cover */
    struct report_text *t;
};

static void put_na(struct report_text *t) { text_string(t, "N/A"); }

/* ---- coverage of the query ---------------------------------------------------------------------------------------------------- */

static int percent_covered(uint64_t n, uint64_t total)
{
    double percent = 100.0 * (double)n / (double)total;

    return (int)(percent < 99 ? percent + 0.5 : percent);
}

static uint64_t query_length(const struct report_query *query)
{
    return query->typed_length > 0 ? query->typed_length : query->result->query_length;
}

/*
 * Of alignments without gaps NCBI's programs divide the positions of a subject's only HSP by those of the query, bases if it is translated;
 * else they divide residues.
 */
static int percent_of_hsp(const struct report_line *l)
{
    const bool as_typed = l->report->options.program->is_ungapped && l->subject->n_hsps == 1;

    if (as_typed)
        return percent_covered(l->hsp.hsp->query.end - l->hsp.hsp->query.start, query_length(l->query));
    return percent_covered(report_query_residues(l->query->result, l->hsp.hsp), l->query->result->query_length);
}

/* ---- names -------------------------------------------------------------------------------------------------------------------- */

typedef struct text name_form(const struct report_name *name);

/* The names of all deflines in one form. */
static void put_of_all(const struct report_line *l, name_form *form)
{
    const struct report *report = l->report;

    if (report->is_of_subjects && !report->deflines[0].is_parsed &&
        (report->options.parse_deflines || text_trimmed(report->deflines[0].title).n == 0)) {
        text_string(l->t, report->subject_label);
        return;
    }
    for (size_t i = 0; i < report->n_deflines; i++) {
        if (i > 0)
            text_string(l->t, ";");
        text_put(l->t, form(&report->deflines[i]));
    }
}

static void put_gis(const struct report_line *l)
{
    for (size_t i = 0; i < l->report->n_deflines; i++) {
        if (i > 0)
            text_string(l->t, ";");
        text_number(l->t, l->report->deflines[i].gi);
    }
}

static void put_titles(const struct report_line *l, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct text title = l->report->deflines[i].title;
        if (i > 0)
            text_string(l->t, "<>");
        if (title.n == 0 || l->report->is_of_subjects)
            put_na(l->t);
        else
            text_put(l->t, title);
    }
}

static const struct report_name *query_of(const struct report_line *l) { return &l->report->query; }
static const struct report_name *subject_of(const struct report_line *l) { return &l->report->deflines[l->report->main_defline]; }

static void put_row(const struct report_line *l, bool is_query)
{
    struct report *report = l->report;
    bool is_filled = report_rows_fill(&report->residues, &l->hsp, (struct report_masking){.as = REPORT_UNMASKED}, &report->rows);

    l->t->is_lost = l->t->is_lost || !is_filled;
    if (is_filled)
        text_put(l->t, text_of_array(is_query ? &report->rows.query : &report->rows.subject));
}

static bool has_column(const struct report_format *format, void (*put)(const struct report_line *))
{
    bool has = false;

    for (size_t i = 0; i < format->n_columns; i++)
        has |= format->columns[i]->put == put;
    return has;
}

/* ---- the columns -------------------------------------------------------------------------------------------------------------- */

static void put_qseqid(const struct report_line *l) { text_put(l->t, report_name_ids(query_of(l))); }
static void put_qgi(const struct report_line *l) { text_number(l->t, query_of(l)->gi); }
static void put_qacc(const struct report_line *l) { text_put(l->t, report_name_accession(query_of(l))); }
static void put_qaccver(const struct report_line *l) { text_put(l->t, report_name_versioned(query_of(l))); }
static void put_qlen(const struct report_line *l) { text_number(l->t, (int64_t)query_length(l->query)); }
static void put_sseqid(const struct report_line *l) { text_put(l->t, report_name_ids(subject_of(l))); }
static void put_sallseqid(const struct report_line *l) { put_of_all(l, report_name_ids); }
static void put_sgi(const struct report_line *l) { text_number(l->t, subject_of(l)->gi); }
static void put_sacc(const struct report_line *l) { text_put(l->t, report_name_accession(subject_of(l))); }
static void put_saccver(const struct report_line *l) { text_put(l->t, report_name_versioned(subject_of(l))); }
static void put_sallacc(const struct report_line *l) { put_of_all(l, report_name_accession); }
static void put_slen(const struct report_line *l) { text_number(l->t, (int64_t)report_subject_length(l->report, l->subject->sequence)); }
static void put_qstart(const struct report_line *l) { text_number(l->t, (int64_t)(l->query->offset + report_query_from(l->hsp.hsp))); }
static void put_qend(const struct report_line *l) { text_number(l->t, (int64_t)(l->query->offset + report_query_to(l->hsp.hsp))); }
static void put_sstart(const struct report_line *l)
{
    const tms_search_hsp *h = l->hsp.hsp;

    text_number(l->t, (int64_t)(l->report->options.subject_offset + report_subject_from(h)));
}
static void put_send(const struct report_line *l)
{
    const tms_search_hsp *h = l->hsp.hsp;

    text_number(l->t, (int64_t)(l->report->options.subject_offset + report_subject_to(h)));
}
static void put_qseq(const struct report_line *l) { put_row(l, true); }
static void put_sseq(const struct report_line *l) { put_row(l, false); }

static void put_evalue(const struct report_line *l)
{
    char number[REPORT_NUMBER_SIZE];

    text_string(l->t, report_evalue(l->hsp.hsp->evalue, number));
}

static void put_bitscore(const struct report_line *l)
{
    char number[REPORT_NUMBER_SIZE];

    text_string(l->t, report_bits(l->hsp.hsp->bits, number));
}

static void put_score(const struct report_line *l) { text_number(l->t, l->hsp.hsp->score); }
static void put_length(const struct report_line *l) { text_number(l->t, (int64_t)l->counts.length); }
static void put_nident(const struct report_line *l) { text_number(l->t, (int64_t)l->counts.n_identical); }
static void put_mismatch(const struct report_line *l)
{
    text_number(l->t, (int64_t)(l->counts.length - l->counts.n_identical - l->counts.n_gaps));
}
static void put_positive(const struct report_line *l) { text_number(l->t, (int64_t)l->counts.n_positive); }
static void put_gapopen(const struct report_line *l) { text_number(l->t, (int64_t)l->counts.n_openings); }
static void put_gaps(const struct report_line *l) { text_number(l->t, (int64_t)l->counts.n_gaps); }
/* n of the positions in percent. A single hit without gaps may have no position at all. */
static void put_percent(const struct report_line *l, uint64_t n, int decimals)
{
    char number[REPORT_NUMBER_SIZE];

    text_string(l->t, report_fixed(l->counts.length > 0 ? (double)n / (double)l->counts.length * 100 : 0, decimals, number));
}
static void put_pident(const struct report_line *l) { put_percent(l, l->counts.n_identical, 3); }
static void put_ppos(const struct report_line *l) { put_percent(l, l->counts.n_positive, 2); }
/* On which strand the subject is. NCBI's program takes one base of the minus strand for the plus strand, as its ends are equal. */
static bool is_minus(const struct report_line *l)
{
    const tms_search_hsp *hsp = l->hsp.hsp;

    return hsp->subject_frame < 0 && hsp->subject.end - hsp->subject.start > 1;
}

/* If neither sequence is translated, they have the frames of strands, proteins too. */
static int query_frame(const struct report_line *l)
{
    if (report_is_translated(l->query->result))
        return report_query_frame(l->query, l->hsp.hsp);
    return report_translates_subjects(l->report) ? 0 : 1;
}
static int subject_frame(const struct report_line *l)
{
    if (report_translates_subjects(l->report))
        return l->hsp.subject_frame;
    return report_is_translated(l->query->result) ? 0 : is_minus(l) ? -1 : 1;
}

/* NCBI's program sets the frames only for a column that needs the alignment. Before, the subject's is -1, the query's any number. */
static bool sets_frames(const struct report_format *format)
{
    bool sets = false;

    for (size_t i = 0; i < format->n_columns; i++)
        sets |= format->columns[i]->is_of_rows;
    return sets;
}

static void put_frames(const struct report_line *l) { text_format(l->t, "%d/%d", query_frame(l), subject_frame(l)); }
static void put_qframe(const struct report_line *l) { text_number(l->t, query_frame(l)); }
static void put_sframe(const struct report_line *l) { text_number(l->t, sets_frames(&l->report->options.format) ? subject_frame(l) : -1); }
static void put_btop(const struct report_line *l) { report_btop_put(&l->report->residues, &l->hsp, l->t); }
static void put_stitle(const struct report_line *l) { put_titles(l, 1); } /* of the first defline, also if another names the subject */
static void put_salltitles(const struct report_line *l) { put_titles(l, l->report->n_deflines); }
static void put_qcovs(const struct report_line *l) { text_number(l->t, l->covered); }
static void put_qcovus(const struct report_line *l)
{
    if (l->report->options.program->reward == 0)
        put_na(l->t);
    else
        text_number(l->t, l->covered);
}
static void put_qcovhsp(const struct report_line *l) { text_number(l->t, percent_of_hsp(l)); }
static void put_sstrand(const struct report_line *l)
{
    if (l->report->options.program->reward == 0)
        put_na(l->t);
    else
        text_string(l->t, is_minus(l) ? "minus" : "plus");
}

static void put_staxid(const struct report_line *l) { report_taxa_put_first(l->report, REPORT_TAXID, l->t); }
static void put_ssciname(const struct report_line *l) { report_taxa_put_first(l->report, TMS_TAXON_SCIENTIFIC, l->t); }
static void put_scomname(const struct report_line *l) { report_taxa_put_first(l->report, TMS_TAXON_COMMON, l->t); }
static void put_sblastname(const struct report_line *l) { report_taxa_put_first(l->report, TMS_TAXON_BLAST, l->t); }
static void put_sskingdom(const struct report_line *l) { report_taxa_put_first(l->report, TMS_TAXON_KINGDOM, l->t); }

static void put_staxids(const struct report_line *l) { report_taxa_put_all(l->report, REPORT_TAXID, true, l->t); }

/* Taxa without names count in lines that have a column of taxids. */
static void put_taxa(const struct report_line *l, tms_taxon_name what)
{
    report_taxa_put_all(l->report, (int)what, has_column(&l->report->options.format, put_staxids), l->t);
}

static void put_sscinames(const struct report_line *l) { put_taxa(l, TMS_TAXON_SCIENTIFIC); }
static void put_scomnames(const struct report_line *l) { put_taxa(l, TMS_TAXON_COMMON); }
static void put_sblastnames(const struct report_line *l) { put_taxa(l, TMS_TAXON_BLAST); }
static void put_sskingdoms(const struct report_line *l) { put_taxa(l, TMS_TAXON_KINGDOM); }

const struct report_column report_columns[] = {
    {"qseqid", "query id", .put = put_qseqid},
    {"qgi", "query gi", .put = put_qgi},
    {"qacc", "query acc.", .put = put_qacc},
    {"qaccver", "query acc.ver", .put = put_qaccver},
    {"qlen", "query length", .put = put_qlen},
    {"sseqid", "subject id", .put = put_sseqid},
    {"sallseqid", "subject ids", .put = put_sallseqid, .is_list = true},
    {"sgi", "subject gi", .put = put_sgi},
    {"sallgi", "subject gis", .put = put_gis},
    {"sacc", "subject acc.", .put = put_sacc},
    {"saccver", "subject acc.ver", .put = put_saccver},
    {"sallacc", "subject accs.", .put = put_sallacc},
    {"slen", "subject length", .put = put_slen},
    {"qstart", "q. start", .put = put_qstart, .is_of_rows = true},
    {"qend", "q. end", .put = put_qend, .is_of_rows = true},
    {"sstart", "s. start", .put = put_sstart, .is_of_rows = true},
    {"send", "s. end", .put = put_send, .is_of_rows = true},
    {"qseq", "query seq", .put = put_qseq, .is_of_rows = true},
    {"sseq", "subject seq", .put = put_sseq, .is_of_rows = true},
    {"evalue", "evalue", .put = put_evalue},
    {"bitscore", "bit score", .put = put_bitscore},
    {"score", "score", .put = put_score},
    {"length", "alignment length", .put = put_length, .is_of_rows = true},
    {"pident", "% identity", .put = put_pident, .is_of_rows = true},
    {"nident", "identical", .put = put_nident, .is_of_rows = true},
    {"mismatch", "mismatches", .put = put_mismatch, .is_of_rows = true},
    {"positive", "positives", .put = put_positive, .is_of_rows = true},
    {"gapopen", "gap opens", .put = put_gapopen, .is_of_rows = true},
    {"gaps", "gaps", .put = put_gaps, .is_of_rows = true},
    {"ppos", "% positives", .put = put_ppos, .is_of_rows = true},
    {"frames", "query/sbjct frames", .put = put_frames},
    {"qframe", "query frame", .put = put_qframe, .is_of_rows = true},
    {"sframe", "sbjct frame", .put = put_sframe},
    {"btop", "BTOP", .put = put_btop, .is_of_rows = true},
    {"staxid", "subject tax id", .put = put_staxid},
    {"ssciname", "subject sci name", .put = put_ssciname, .taxa = REPORT_FIRST_TAXON},
    {"scomname", "subject com names", .put = put_scomname, .taxa = REPORT_FIRST_TAXON},
    {"sblastname", "subject blast name", .put = put_sblastname, .taxa = REPORT_FIRST_TAXON},
    {"sskingdom", "subject super kingdom", .put = put_sskingdom, .taxa = REPORT_FIRST_TAXON},
    {"staxids", "subject tax ids", .put = put_staxids, .is_list = true},
    {"sscinames", "subject sci names", .put = put_sscinames, .is_list = true, .taxa = REPORT_ALL_TAXA},
    {"scomnames", "subject com names", .put = put_scomnames, .is_list = true, .taxa = REPORT_ALL_TAXA},
    {"sblastnames", "subject blast names", .put = put_sblastnames, .is_list = true, .taxa = REPORT_ALL_TAXA},
    {"sskingdoms", "subject super kingdoms", .put = put_sskingdoms, .is_list = true, .taxa = REPORT_ALL_TAXA},
    {"stitle", "subject title", .put = put_stitle},
    {"salltitles", "subject titles", .put = put_salltitles},
    {"sstrand", "subject strand", .put = put_sstrand, .is_of_rows = true},
    {"qcovs", "% query coverage per subject", .put = put_qcovs},
    {"qcovhsp", "% query coverage per hsp", .put = put_qcovhsp},
    {"qcovus", "% query coverage per uniq subject", .put = put_qcovus},
};
const size_t report_n_columns = sizeof report_columns / sizeof *report_columns;

_Static_assert(sizeof report_columns / sizeof *report_columns <= REPORT_MAX_COLUMNS, "a format has each column once at most");

/* ---- lines -------------------------------------------------------------------------------------------------------------------- */

/* Tables do not count a gap in the query that an HSP begins with. */
static struct report_counts counts_of_residues(const struct report_counts *all)
{
    struct report_counts counts = *all;

    counts.length -= all->n_before;
    counts.n_gaps -= all->n_before;
    counts.n_openings -= all->n_before > 0;
    return counts;
}

/* Of bases, NCBI's program counts identities again only for columns that need the sequences; else they are those of the search. */
static bool counts_as_searched(const struct report *report)
{
    static void (*const counting[])(const struct report_line *) = {put_qseq, put_sseq, put_btop, put_positive, put_ppos};
    bool has_any = report->options.program->reward <= 0;

    for (size_t i = 0; i < sizeof counting / sizeof *counting; i++)
        has_any |= has_column(&report->options.format, counting[i]);
    return !has_any;
}

static io_status put_subject(struct report_line *l, io_error *err)
{
    struct report *report = l->report;
    const struct report_format *format = &report->options.format;
    io_status status = report_read_subject(report, l->subject->sequence, err);

    if (status == IO_OK && (has_column(format, put_qcovs) || has_column(format, put_qcovus))) {
        uint64_t n;
        if (!report_count_covered(l->subject, &n))
            return report_fail_memory(err);
        l->covered = percent_covered(n, query_length(l->query));
    }
    for (size_t i = 0; i < l->subject->n_hsps && status == IO_OK; i++) {
        status = report_read_hsp(report, l->query, l->subject->sequence, &l->subject->hsps[i], &l->hsp, err);
        if (status == IO_OK)
            l->counts = counts_of_residues(&l->hsp.counts);
        if (status == IO_OK && l->hsp.hidden != NULL && counts_as_searched(report))
            l->counts.n_identical = report_count_identical(report, &l->hsp);
        for (size_t k = 0; k < format->n_columns && status == IO_OK; k++) {
            if (k > 0)
                text_add(l->t, format->delimiter, format->delimiter_size);
            format->columns[k]->put(l);
        }
        text_string(l->t, "\n");
    }
    return status;
}

static void put_comments(struct report *report, const tms_search_result *result, struct report_text *t)
{
    const struct report_format *format = &report->options.format;
    size_t n_hsps = 0;

    for (size_t i = 0; i < result->n_subjects; i++)
        n_hsps += result->subjects[i].n_hsps;
    text_format(t, "# %s\n# Query: ", report->options.program->version);
    report_query_text(report, &report->scratch, t);
    text_put(t, text_of_array(&report->scratch));
    text_string(t, "\n# Database: ");
    if (report->options.db_name != NULL) {
        text_string(t, report->options.db_name);
    } else {
        text_string(t, "User specified sequence set (Input: ");
        text_string(t, report->options.subject_path);
        text_string(t, ")");
    }
    text_string(t, "\n");
    if (n_hsps > 0) {
        text_string(t, "# Fields: ");
        for (size_t k = 0; k < format->n_columns; k++) {
            text_string(t, k > 0 ? ", " : "");
            text_string(t, format->columns[k]->title);
        }
        text_string(t, "\n");
    }
    if (result->batch_is_valid) /* else NCBI's program has not searched at all */
        text_format(t, "# %zu hits found\n", n_hsps);
}

io_status report_tabular_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    struct report_line line = {.report = report, .query = query, .t = t};
    io_status status = IO_OK;

    for (size_t i = 0; i < query->result->n_subjects && status == IO_OK; i++) {
        line.subject = &query->result->subjects[i];
        status = put_subject(&line, err);
    }
    return status;
}

io_status report_commented_query(struct report *report, const struct report_query *query, struct report_text *t, io_error *err)
{
    put_comments(report, query->result, t);
    return report_tabular_query(report, query, t, err);
}

void report_commented_end(struct report *report, struct report_text *t)
{
    text_format(t, "# BLAST processed %llu queries\n", (unsigned long long)report->n_queries);
}
