/*
 * cmd_blastp.c - blastp of NCBI BLAST+ 2.12: its options, its output, its exit codes.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "blastp_codes.h"
#include "blastp_lists.h"
#include "blastp_stats.h"
#include "cli.h"
#include "cli_parse.h"
#include "io/io_blast_records.h"
#include "io/io_progress.h"
#include "io/io_resumable.h"
#include "io/io_safe_file.h"
#include "report/report.h"
#include "tamis/blastp.h"

static const char command[] = "blastp";

enum {
    UNIT_LETTERS = 10000,       /* BLAST's batches of queries */
    QUERY_LETTERS = 40000,      /* of a call */
    GPU_QUERY_LETTERS = 320000, /* so that its stages overlap those of the CPU */
    LEAST_ADVISED_TARGETS = 5,  /* fewer are warned of */
    USUAL_DESCRIPTIONS = 500,   /* of format 0 */
    USUAL_ALIGNMENTS = 250,
    MAX_WARNING = 1 << 16
};

#define SECONDS_A_CELL   1.1e-11 /* a letter of the queries against one of the database, on a thread */
#define SECONDS_TO_START 1.0     /* a GPU, with reserve */

typedef struct blastp_job {
    cli_common common;
    blastp_lists lists;
    const char *query, *db_name, *subject, *out, *outfmt, *stats_path;
    const char *matrix, *seg, *comp_based_stats, *query_loc, *subject_loc, *db_soft_mask, *db_hard_mask;
    int task, soft_masking, lcase_masking, ungapped, use_sw_tback, parse_deflines, show_gis, html, subject_besthit, resume, version,
        mt_mode;
    uint32_t gap_open, gap_extend, word_size, window, max_target_seqs, max_hsps, n_descriptions, n_alignments, line_length, sort_hits,
        sort_hsps, culling_limit;
    uint64_t db_size, search_space;
    double evalue, threshold, xdrop_ungap, xdrop_gap, xdrop_gap_final, qcov_hsp_perc, best_hit_overhang, best_hit_score_edge;

    int has_sort_hits, has_sort_hsps, resets_composition;
    tms_interval query_part, subject_part; /* of -query_loc and -subject_loc; its end 0: not given */
    uint64_t *subject_lengths;             /* with -subject_loc */
    tms_blastp_params params;
    struct report_format format;
    tms_context *ctx;
    tms_seqdb *whole, *db;  /* whole: with lists, what db is a part of */
    tms_seqdb_masks *masks; /* of the database, or of -subject */
    tms_blastp *search;
    struct report *report;
    io_blast_records *queries;
    io_resumable *output;
    io_safe_file *stats_file;
    io_progress progress;
    struct byte_array text, warning;
    uint64_t n_done; /* queries */
    uint64_t letters_put;
    int said_cut;
    int is_empty; /* nothing of the database is listed */
} blastp_job;

#define BOOLEAN_WORDS "false true no yes f t n y 0 1"

static const option_row rows[] = {
    {.heading = "What to search, and in what"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, query), .blast = "query", .initial = "-",
     .help = "the queries: FASTA or FASTQ, plain or compressed; - is standard input"},
    {0, NULL, "NAME", OPTION_PATH(blastp_job, db_name), .blast = "db", .excludes = "subject",
     .help = "a BLAST database of proteins, version 4 or 5; several in quotes, with blanks between"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, subject), .blast = "subject", .help = "or sequences in a file, as -query"},
    {0, NULL, "A-B", OPTION_PATH(blastp_job, query_loc), .blast = "query_loc", .otherwise = "all",
     .help = "of each query only letters A to B, from 1; queries of less than A - 1 letters are left out"},
    {0, NULL, "A-B", OPTION_PATH(blastp_job, subject_loc), .blast = "subject_loc", .needs = "subject", .otherwise = "all",
     .help = "of each sequence of -subject only letters A to B"},
    {0, NULL, "TASK", OPTION_CHOICE(blastp_job, task, "blastp blastp-short blastp-fast", TMS_TASK_BLASTP), .blast = "task",
     .initial = "blastp", .help = "blastp; blastp-short: for queries of less than 30 letters; blastp-fast: words of 6 letters"},

    {.heading = "A part of the database"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.seqidlist), .blast = "seqidlist",
     .excludes = "negative_seqidlist gilist negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject",
     .help = "of a database only sequences with these ids, one a line; of merged sequences only these names"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.negative_seqidlist), .blast = "negative_seqidlist",
     .excludes = "gilist negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject", .help = "all but these"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.gilist), .blast = "gilist",
     .excludes = "negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject", .help = "only sequences with these gis"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.negative_gilist), .blast = "negative_gilist",
     .excludes = "taxids negative_taxids taxidlist negative_taxidlist subject", .help = "all but these"},
    {0, NULL, "N,N...", OPTION_PATH(blastp_job, lists.taxids), .blast = "taxids",
     .excludes = "negative_taxids taxidlist negative_taxidlist subject",
     .help = "only sequences of these taxa, as the database has them; it has to be of version 5"},
    {0, NULL, "N,N...", OPTION_PATH(blastp_job, lists.negative_taxids), .blast = "negative_taxids",
     .excludes = "taxidlist negative_taxidlist subject", .help = "all but these"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.taxidlist), .blast = "taxidlist", .excludes = "negative_taxidlist subject",
     .help = "the same, one a line"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.negative_taxidlist), .blast = "negative_taxidlist", .excludes = "subject",
     .help = "all but these"},

    {.heading = "What is reported"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, out), .blast = "out", .initial = "-", .help = "write to a file; - is standard output"},
    {0, NULL, "FMT", OPTION_PATH(blastp_job, outfmt), .blast = "outfmt", .initial = "0",
     .help =
         "0: pairs of lines; 5: XML; 6: a table; 7: a table with comments; 10: a table with commas; 15: JSON. Columns of a table follow, "
         "in the same argument: \"6 qaccver saccver qcovs\", \"7 std qlen\", \"10 delim=; std\""},
    {0, NULL, "E", OPTION_POSITIVE(blastp_job, evalue), .blast = "evalue", .initial = "10", .such_as = "1e-5",
     .help = "the greatest E-value"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, max_target_seqs, 1, 1 << 29), .blast = "max_target_seqs", .otherwise = "500",
     .excludes = "num_descriptions num_alignments", .help = "subjects of a query; it also decides how many are looked at closely"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, max_hsps, 1, INT32_MAX), .blast = "max_hsps", .otherwise = "all",
     .help = "alignments of a query and a subject"},
    {0, NULL, "PERCENT", OPTION_NUMBER(blastp_job, qcov_hsp_perc, 0, 100), .blast = "qcov_hsp_perc",
     .help = "the least part of the query that an alignment takes"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, subject_besthit), .blast = "subject_besthit",
     .help = "of alignments with a subject that lie within each other, on the query, only the best"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, culling_limit, 0, INT32_MAX), .blast = "culling_limit",
     .excludes = "best_hit_overhang best_hit_score_edge", .what = "a number of alignments",
     .help = "leave out an alignment if so many better ones, with any subjects, take half of its part of the query; 0: none"},
    {0, NULL, "SHARE", OPTION_POSITIVE(blastp_job, best_hit_overhang), .blast = "best_hit_overhang", .such_as = "0.1",
     .otherwise = "0.1, with -best_hit_score_edge",
     .help = "leave out an alignment if a better one, longer on both sides by this share, has its part of the query; below 0.5"},
    {0, NULL, "SHARE", OPTION_POSITIVE(blastp_job, best_hit_score_edge), .blast = "best_hit_score_edge", .such_as = "0.1",
     .otherwise = "0.1, with -best_hit_overhang",
     .help = "the better one's score for each letter is higher, and still is if it is lower by this share; below 0.5"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, n_descriptions, 0, INT32_MAX), .blast = "num_descriptions", .otherwise = "500",
     .help = "of format 0: lines of the summary"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, n_alignments, 0, INT32_MAX), .blast = "num_alignments", .otherwise = "250",
     .help = "of format 0: subjects whose alignments are shown"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, line_length, 1, INT32_MAX), .blast = "line_length", .otherwise = "60",
     .help = "of format 0: letters of a row"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, sort_hits, 0, 4), .blast = "sorthits", .what = "an order",
     .help = "of format 0: subjects by 0: E-value, 1: best score, 2: sum of scores, 3: identity, 4: coverage"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, sort_hsps, 0, 4), .blast = "sorthsps", .what = "an order",
     .help = "of format 0: alignments by 0: E-value, 1: score, 2: place in the query, 3: identity, 4: place in the subject"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, parse_deflines), .blast = "parse_deflines",
     .help = "headers of FASTA begin with ids, such as sp|P12345|NAME"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, show_gis), .blast = "show_gis", .help = "of format 0: ids with their gi"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, html), .blast = "html", .help = "of format 0: a page, with links; not with masks"},

    {.heading = "Scores and statistics"},
    {0, NULL, "NAME", OPTION_PATH(blastp_job, matrix), .blast = "matrix", .otherwise = "BLOSUM62; blastp-short: PAM30",
     .help = "BLOSUM45, 50, 62, 80, 90, PAM30, 70, 250 or IDENTITY"},
    {0, NULL, "COST", OPTION_SIZE(blastp_job, gap_open, 0, INT32_MAX), .blast = "gapopen", .otherwise = "the matrix's; BLOSUM62: 11",
     .what = "a cost", .help = "to open a gap"},
    {0, NULL, "COST", OPTION_SIZE(blastp_job, gap_extend, 0, INT32_MAX), .blast = "gapextend", .otherwise = "the matrix's; BLOSUM62: 1",
     .what = "a cost", .help = "for each letter of a gap"},
    {0, NULL, "MODE", OPTION_PATH(blastp_job, comp_based_stats), .blast = "comp_based_stats", .initial = "2",
     .help =
         "scores for the composition of the two sequences. 0 or F: no; 1: scaled; 2, D or T: adjusted or scaled, by their compositions; "
         "3: adjusted"},
    {0, NULL, "LETTERS", OPTION_SIZE(blastp_job, db_size, 0, INT64_MAX), .blast = "dbsize", .what = "a number of letters",
     .otherwise = "the database's", .help = "size of the database, for E-values"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, search_space, 0, INT64_MAX), .blast = "searchsp",
     .help = "the effective search space; E-values are then without the correction for finite lengths"},

    {.heading = "Words and extensions"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, word_size, 2, 7), .blast = "word_size", .otherwise = "3; blastp-short: 2; blastp-fast: 6",
     .what = "a number of letters", .help = "letters of a word"},
    {0, NULL, "SCORE", OPTION_POSITIVE(blastp_job, threshold), .blast = "threshold", .otherwise = "11, or the matrix's; blastp-fast: 21",
     .help = "the score of two words that are a hit"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, window, 0, 1 << 20), .blast = "window_size", .otherwise = "40, or the matrix's",
     .what = "a number of letters", .help = "two hits begin less than so many letters from each other; 0: one is enough"},
    {0, NULL, "BITS", OPTION_POSITIVE(blastp_job, xdrop_ungap), .blast = "xdrop_ungap", .initial = "7",
     .help = "an extension without gaps ends so far below its best score"},
    {0, NULL, "BITS", OPTION_NUMBER(blastp_job, xdrop_gap, 0, 1000000), .blast = "xdrop_gap", .initial = "15",
     .help = "one with gaps does"},
    {0, NULL, "BITS", OPTION_NUMBER(blastp_job, xdrop_gap_final, 0, 1000000), .blast = "xdrop_gap_final", .initial = "25",
     .help = "and the last one"},

    {0, NULL, NULL, OPTION_FLAG(blastp_job, ungapped), .blast = "ungapped",
     .help = "alignments without gaps; together with -comp_based_stats F"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, use_sw_tback), .blast = "use_sw_tback", .excludes = "ungapped",
     .help = "the last alignments by Smith-Waterman"},

    {.heading = "Masking of the database"},
    {0, NULL, "ID", OPTION_PATH(blastp_job, db_soft_mask), .blast = "db_soft_mask", .excludes = "db_hard_mask subject",
     .help = "leave out of the words what a masking algorithm masked: its number or name, as of makeblastdb -mask_id"},
    {0, NULL, "ID", OPTION_PATH(blastp_job, db_hard_mask), .blast = "db_hard_mask", .excludes = "subject",
     .help = "the same; and alignments do not go over it, or have X there"},

    {.heading = "Masking of queries"},
    {0, NULL, "yes|no|W LO HI", OPTION_PATH(blastp_job, seg), .blast = "seg", .initial = "no",
     .help = "mask low complexity (SEG); \"12 2.2 2.5\" is yes"},
    {0, NULL, "true|false", OPTION_CHOICE(blastp_job, soft_masking, BOOLEAN_WORDS, 0), .blast = "soft_masking", .initial = "false",
     .help = "leave masked letters out of the words alone"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, lcase_masking), .blast = "lcase_masking",
     .help = "mask letters in lower case; those of -subject are left out of the words alone"},

    {.heading = "Running"},
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, 1024), .blast = "num_threads", .otherwise = "all", .help = "CPU threads"},
    CLI_ROW_DEVICE,
    {0, NULL, "N", OPTION_SIZE(blastp_job, mt_mode, 0, 1), .blast = "mt_mode",
     .help = "has no effect: queries and database are both divided"},
    {0, "resume", NULL, OPTION_FLAG(blastp_job, resume), .help = "go on with the -out of a run that was interrupted"},
    {0, "stats", "FILE", OPTION_PATH(blastp_job, stats_path), .help = "write what passed each stage, as JSON"},
    CLI_ROW_QUIET("no remarks, no progress"),
    {0, NULL, NULL, OPTION_FLAG(blastp_job, version), .blast = "version", .help = "the version of BLAST whose output this is"},
    CLI_ROW_HELP,
};

static const option_refused refused[] = {
    {"remote", "is not there: tamis searches databases on this machine; make one with tamis makedb"},
    {"entrez_query", "is not there: make a database of the sequences it selects, and search that"},
    {"import_search_strategy", "is not there: give the options themselves"},
    {"export_search_strategy", "is not there: keep the command line; --stats writes all parameters"},
    {"ipglist", "is not there: databases have no such numbers; give -seqidlist"},
    {"negative_ipglist", "is not there: databases have no such numbers; give -negative_seqidlist"},
};

const option_table blastp_options = {
    command,
    "Usage: tamis blastp [-query FILE] -db NAME|-subject FILE [OPTION]...\n"
    "\n"
    "Searches proteins in proteins. The output is that of blastp of NCBI BLAST+ 2.12,\n"
    "byte for byte; the options are its options. Input may be gzip, bgzip, zstd, xz or\n"
    "bzip2. Long options begin with one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "With -out FILE there is FILE.checkpoint beside it until it is whole; --resume goes\n"
    "on from there.\n"
    "\n"
    "Exit status, as blastp's: 0 success, also without hits; 1 options or input;\n"
    "2 the database; 3 no query has letters, -query_loc or -subject_loc; 4 out of\n"
    "memory, or a GPU that --device cuda needs; 6 output.\n"
    "\n"
    "Examples\n"
    "  tamis blastp -query q.fa -db uniprot -outfmt 6 > hits.tsv\n"
    "  tamis blastp -query q.fa.gz -subject p.fa.gz -evalue 1e-5 -outfmt \"6 std qcovs\"\n"
    "  tamis blastp -query all.fa -db nr -outfmt 6 -out hits.tsv --resume\n",
    .no_operands = "files are named with -query, -db and -subject",
    .refused = refused,
    .n_refused = sizeof refused / sizeof *refused,
};

/* --- messages --- */

static int fail_io(blastp_job *job, io_status status, const io_error *err)
{
    io_progress_end(&job->progress);
    return blast_code(cli_fail_io(command, status, err));
}

/* Damage is a database's. */
static int fail_library(blastp_job *job, tms_status status)
{
    int code;

    io_progress_end(&job->progress);
    code = blast_code(cli_fail_library(command, job->ctx, status));
    return status == TMS_E_FORMAT ? BLAST_DATABASE : code;
}

/* As blastp says it. */
static void warn(blastp_job *job, const char *text)
{
    if (job->common.quiet)
        return;
    io_progress_clear(&job->progress);
    fprintf(stderr, "Warning: [blastp] %s\n", text);
}

/* Of letters that are left out: from the reader's thread, so in one call. */
static void warn_of_letters(void *arg, const char *text)
{
    const blastp_job *job = arg;

    if (!job->common.quiet)
        fprintf(stderr, "%s\n", text);
}

/* --- options --- */

static int set_composition(blastp_job *job)
{
    static const struct {
        const char *words;
        uint32_t mode;
    } modes[] = {{"0Ff", TMS_COMPOSITION_OFF},
                 {"1", TMS_COMPOSITION_SCALED},
                 {"2TtDd", TMS_COMPOSITION_ADJUSTED},
                 {"3", TMS_COMPOSITION_ALL_ADJUSTED}};
    const char *text = job->comp_based_stats;
    int has_none = job->matrix != NULL && strcasecmp(job->matrix, "IDENTITY") == 0;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (text[0] != '\0' && text[1] == '\0' && strchr(modes[i].words, text[0]) != NULL) {
            if (job->ungapped && modes[i].mode != TMS_COMPOSITION_OFF)
                return cli_fail(command, BLAST_INPUT, "-ungapped has no composition-based statistics: give -comp_based_stats F too");
            job->resets_composition = has_none && modes[i].mode != TMS_COMPOSITION_OFF;
            job->params.composition = has_none ? TMS_COMPOSITION_OFF : modes[i].mode;
            return CLI_OK;
        }
    }
    return cli_fail(command, BLAST_INPUT, "-comp_based_stats takes 0 or F, 1, 2 (or D or T), or 3, not '%s'", text);
}

static int set_seg(blastp_job *job)
{
    tms_seg_params *seg = &job->params.seg;
    char rest;
    unsigned window;

    job->params.masks_seg = strcmp(job->seg, "no") != 0;
    if (!job->params.masks_seg || strcmp(job->seg, "yes") == 0)
        return CLI_OK;
    if (sscanf(job->seg, "%u %lf %lf %c", &window, &seg->locut, &seg->hicut, &rest) != 3 || window < 1 || window > TMS_SEG_MAX_WINDOW)
        return cli_fail(command, BLAST_INPUT, "-seg takes yes, no, or \"window locut hicut\" such as \"12 2.2 2.5\", not '%s'", job->seg);
    seg->window = window;
    seg->locut = seg->locut < 0 ? 0 : seg->locut;
    seg->hicut = seg->hicut < seg->locut ? seg->locut : seg->hicut;
    return CLI_OK;
}

/* How many subjects are kept: as blastp counts, from three options. */
static int set_targets(blastp_job *job, const options_given *given)
{
    int is_pairwise = job->format.kind == REPORT_PAIRWISE;
    int has_targets = options_is_given(given, "max_target_seqs"), has_descriptions = options_is_given(given, "num_descriptions"),
        has_alignments = options_is_given(given, "num_alignments");
    uint32_t n = 500;

    if (!is_pairwise && has_descriptions)
        warn(job, "The parameter -num_descriptions is ignored for output formats > 4 . Use -max_target_seqs to control output");
    if (!is_pairwise && options_is_given(given, "line_length"))
        warn(job, "The parameter -line_length is not applicable for output formats > 4 .");
    if (!is_pairwise && options_is_given(given, "sorthits"))
        warn(job, "The parameter -sorthits is ignored for output formats > 4.");
    if (!is_pairwise && options_is_given(given, "sorthsps"))
        warn(job, "The parameter -sorthsps is ignored for output formats != 0.");
    if (!has_descriptions)
        job->n_descriptions = has_targets ? job->max_target_seqs : USUAL_DESCRIPTIONS;
    if (!has_alignments)
        job->n_alignments = has_targets ? job->max_target_seqs : USUAL_ALIGNMENTS;
    if (has_targets)
        n = job->max_target_seqs;
    else if (is_pairwise && (has_descriptions || has_alignments))
        n = job->n_descriptions > job->n_alignments ? job->n_descriptions : job->n_alignments;
    else if (!is_pairwise && has_alignments)
        n = job->n_alignments;
    if (n == 0)
        return cli_fail(command, BLAST_INPUT, "no hits are being saved: give -num_alignments or -num_descriptions 1 or more");
    if (n < LEAST_ADVISED_TARGETS)
        warn(job, "Examining 5 or more matches is recommended");
    job->params.max_target_seqs = n < 1 << 29 ? n : 1 << 29;
    return CLI_OK;
}

static int set_best_hits(blastp_job *job)
{
    const struct {
        const char *option;
        double share;
    } given[] = {{"overhang", job->best_hit_overhang}, {"score_edge", job->best_hit_score_edge}};

    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].share >= 0.5)
            return cli_fail(command, BLAST_INPUT, "-best_hit_%s takes a share below 0.5, such as 0.1, not %g", given[i].option,
                            given[i].share);
    job->params.best_hit_overhang = job->best_hit_overhang;
    job->params.best_hit_score_edge = job->best_hit_score_edge;
    return CLI_OK;
}

static int set_params(blastp_job *job, const options_given *given)
{
    tms_blastp_params *p = &job->params;
    const char *batch = getenv("BATCH_SIZE");
    int code;

    *p = (tms_blastp_params)TMS_BLASTP_DEFAULTS;
    p->task = (uint32_t)job->task;
    p->matrix = job->matrix;
    p->gap_open = options_is_given(given, "gapopen") ? (int32_t)job->gap_open : -1;
    p->gap_extend = options_is_given(given, "gapextend") ? (int32_t)job->gap_extend : -1;
    p->window = options_is_given(given, "window_size") ? (int32_t)job->window : -1;
    p->word_size = job->word_size;
    p->threshold = job->threshold;
    p->evalue = job->evalue;
    p->xdrop_ungapped = job->xdrop_ungap;
    p->xdrop_gapped = job->xdrop_gap;
    p->xdrop_final = job->xdrop_gap_final;
    p->max_hsps = job->max_hsps;
    p->min_query_coverage = job->qcov_hsp_perc;
    p->ungapped = (uint32_t)job->ungapped;
    p->smith_waterman = (uint32_t)job->use_sw_tback;
    p->subject_besthit = (uint32_t)job->subject_besthit;
    p->culling_limit = job->culling_limit;
    p->masks_lower_case = (uint32_t)job->lcase_masking;
    p->soft_masking = (uint32_t)job->soft_masking & 1; /* the words that say yes are the odd ones */
    p->as_subject_file = job->subject != NULL;
    p->database_letters = (int64_t)job->db_size;
    p->search_space = options_is_given(given, "searchsp") ? (int64_t)job->search_space : -1;
    p->batch_letters = batch != NULL && strtoull(batch, NULL, 10) > 0 ? strtoull(batch, NULL, 10) : UNIT_LETTERS;
    code = set_composition(job);
    if (code == CLI_OK)
        code = set_seg(job);
    if (code == CLI_OK)
        code = set_best_hits(job);
    return code == CLI_OK ? set_targets(job, given) : code;
}

static int set_part(const char *option, const char *text, tms_interval *out)
{
    const char *why = text != NULL ? cli_parse_range(text, &out->start, &out->end) : NULL;

    return why == NULL ? CLI_OK : cli_fail(command, BLAST_ENGINE, "%s '%s' %s", option, text, why);
}

static int check(blastp_job *job, const options_given *given)
{
    const char *why = report_format_parse(job->outfmt, &job->format);
    int code;

    if (why != NULL)
        return cli_fail(command, BLAST_INPUT, "-outfmt '%s' %s", job->outfmt, why);
    if (job->db_name == NULL && job->subject == NULL)
        return cli_fail(command, BLAST_INPUT, "which sequences? Give -db NAME or -subject FILE");
    if (job->html && job->format.kind == REPORT_PAIRWISE &&
        (job->db_soft_mask != NULL || job->db_hard_mask != NULL || job->lcase_masking || strcmp(job->seg, "no") != 0))
        return cli_fail(command, BLAST_INPUT, "-html does not show the masks of a database, nor those of queries: leave out one of them");
    if (job->mt_mode != 0 && !options_is_given(given, "threads"))
        return cli_fail(command, BLAST_INPUT, "-mt_mode has no effect alone: give -num_threads too");
    job->has_sort_hits = options_is_given(given, "sorthits");
    job->has_sort_hsps = options_is_given(given, "sorthsps");
    code = set_params(job, given);
    if (code == CLI_OK)
        code = set_part("-query_loc", job->query_loc, &job->query_part);
    return code == CLI_OK ? set_part("-subject_loc", job->subject_loc, &job->subject_part) : code;
}

/* --- inputs and outputs --- */

/* A file without a byte, but for blanks: blastp warns of queries in it, writes nothing, and ends well. */
static bool is_empty(const char *path)
{
    struct stat info;
    FILE *file;
    int c;

    if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode) || (file = fopen(path, "rb")) == NULL)
        return false;
    do {
        c = getc(file);
    } while (c == ' ' || c == '\t' || c == '\r' || c == '\n');
    c = c == EOF && !ferror(file);
    fclose(file);
    return c;
}

static void warn_of_empty(blastp_job *job, const tms_seqs *seqs)
{
    enum { MOST = 180 };

    for (size_t i = 0; i < seqs->n_records; i++) {
        uint64_t n = tms_seqs_header_size(seqs, i);
        char text[256];
        if (tms_seqs_length(seqs, i) > 0)
            continue;
        snprintf(text, sizeof text, "Subject_%zu %.*s: Subject sequence contains no data", i + 1, (int)(n < MOST ? n : MOST),
                 seqs->headers + seqs->header_starts[i]);
        warn(job, text);
    }
}

/* With -subject_loc: how long the records were. */
static int keep_lengths(blastp_job *job, const io_blast_records *records, size_t n)
{
    if (job->subject_part.end == 0)
        return CLI_OK;
    job->subject_lengths = calloc(n + 1, sizeof *job->subject_lengths);
    if (job->subject_lengths == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory: the lengths of %zu sequences", n);
    for (size_t i = 0; i < n; i++)
        job->subject_lengths[i] = io_blast_records_wholes(records)[i].n_letters;
    return CLI_OK;
}

/* -lcase_masking is for subjects too: words are not taken from letters in lower case. */
static tms_status mask_subjects(blastp_job *job, const tms_seqs *seqs)
{
    tms_masks *found;
    tms_mask_list list;
    tms_status status = tms_masks_create(job->ctx, &found);

    if (status != TMS_OK)
        return status;
    status = tms_mask_lower_case(job->ctx, seqs, found);
    list = tms_masks_list(found);
    if (status == TMS_OK && list.starts[list.n_records] > 0)
        status = tms_seqdb_masks_of_list(job->ctx, &list, &job->masks);
    tms_masks_destroy(found);
    job->params.subject_masks = job->masks;
    return status;
}

/* All records become a database in memory. */
static int take_subjects(blastp_job *job, io_blast_records *records)
{
    tms_seqs seqs;
    io_error err;
    io_status status = io_blast_records_next(records, &seqs, &err);
    tms_status made;

    if (status == IO_END)
        return cli_fail(command, BLAST_ENGINE, "%s: has no sequences", job->subject);
    if (status != IO_OK)
        return fail_io(job, status, &err);
    made = tms_seqdb_from_seqs(job->ctx, &seqs, TMS_PROTEIN, job->subject, &job->db);
    if (made == TMS_OK && job->lcase_masking)
        made = mask_subjects(job, &seqs);
    if (made != TMS_OK)
        return fail_library(job, made);
    warn_of_empty(job, &seqs);
    if (keep_lengths(job, records, seqs.n_records) != CLI_OK)
        return BLAST_MEMORY;
    status = io_blast_records_next(records, &seqs, &err); /* what could not be read after them */
    return status == IO_END ? CLI_OK : fail_io(job, status, &err);
}

static int read_subjects(blastp_job *job)
{
    const io_blast_records_options how = {.paths = &job->subject,
                                          .n_paths = 1,
                                          .molecule = TMS_PROTEIN,
                                          .batch_bytes = SIZE_MAX,
                                          .is_search = 1,
                                          .part = job->subject_part,
                                          .may_lack_header = !job->parse_deflines, /* as blastp takes it */
                                          .refuses_short = 1,
                                          .warn = warn_of_letters,
                                          .warn_arg = job};
    io_blast_records *records;
    io_error err;
    io_status status = io_blast_records_open(&how, &records, &err);
    int code;

    if (status != IO_OK)
        return fail_io(job, status, &err);
    code = take_subjects(job, records);
    io_blast_records_close(records);
    return code;
}

/*
 * As blastp reads the id: a number that the database does not have is an error; another text is a name, and without such a name it goes on
 * without masks.
 */
static int open_masks(blastp_job *job)
{
    const char *const id = job->db_soft_mask != NULL ? job->db_soft_mask : job->db_hard_mask;
    tms_seqdb_mask_choice choice = {.name = id};
    tms_status status;
    char *end;

    if (id == NULL)
        return CLI_OK;
    errno = 0;
    if (id[0] != '\0' && strspn(id + (id[0] == '+'), "0123456789") == strlen(id) - (id[0] == '+')) {
        choice.number = strtoull(id, &end, 10);
        choice.name = errno == 0 && end != id && choice.number <= INT32_MAX ? NULL : id;
    }
    status = tms_seqdb_masks_open(job->ctx, job->db, &choice, &job->masks);
    if (status == TMS_E_ARG && choice.name != NULL) {
        char text[512];
        snprintf(text, sizeof text, "Subject mask not found in %s, proceeding without subject masking.", job->db_name);
        warn(job, text);
        return CLI_OK;
    }
    if (status == TMS_E_ARG)
        return cli_fail(command, BLAST_INPUT, "masking algorithm %s is not in the database '%s': %s", id, job->db_name,
                        tms_context_message(job->ctx));
    job->params.subject_masks = job->masks;
    job->params.subject_masking = job->db_hard_mask != NULL ? TMS_SUBJECT_MASKING_HARD : TMS_SUBJECT_MASKING_SOFT;
    return status == TMS_OK ? CLI_OK : fail_library(job, status);
}

/* What the lists leave of the database. */
static int select_subjects(blastp_job *job)
{
    tms_seqdb *part;
    int code = blastp_lists_select(command, &job->lists, job->ctx, job->db, job->db_name, &part);

    if (part != NULL) {
        tms_seqdb_info info;
        tms_seqdb_get_info(part, &info);
        job->is_empty = info.n_sequences == 0;
        job->whole = job->db;
        job->db = part;
    }
    return code;
}

static int open_subjects(blastp_job *job)
{
    tms_status status;

    if (job->subject != NULL && is_empty(job->subject))
        return cli_fail(command, BLAST_ENGINE, "%s: has no sequences", job->subject);
    if (job->subject != NULL)
        return read_subjects(job);
    status = tms_seqdb_open(job->ctx, job->db_name, TMS_PROTEIN, &job->db);
    if (status == TMS_OK)
        return select_subjects(job);
    return blast_code(cli_fail_database(command, job->ctx, status)) == BLAST_MEMORY ? BLAST_MEMORY : BLAST_DATABASE;
}

/* blastp counts whole queries for its batches. With -query_loc a call is a batch, which the search is not to divide again. */
static int open_queries(blastp_job *job)
{
    const int has_part = job->query_part.end > 0, is_on_gpu = tms_context_device(job->ctx) != TMS_DEVICE_CPU;
    const io_blast_records_options how = {.paths = &job->query,
                                          .n_paths = 1,
                                          .molecule = TMS_PROTEIN,
                                          .batch_bytes = has_part    ? 0
                                                         : is_on_gpu ? GPU_QUERY_LETTERS
                                                                     : QUERY_LETTERS,
                                          .is_search = 1,
                                          .unit_letters = job->params.batch_letters,
                                          .part = job->query_part,
                                          .is_unnamed = job->parse_deflines ? report_header_is_unnamed : NULL,
                                          .may_be_empty = 1, /* a pipe; an empty file was found before */
                                          .may_lack_header = !job->parse_deflines,
                                          .warn = warn_of_letters,
                                          .warn_arg = job};
    io_error err;
    io_status status = io_blast_records_open(&how, &job->queries, &err);

    if (has_part)
        job->params.batch_letters = UINT64_MAX;
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

/* What the output is for, as one line: what --resume compares. */
static io_status add_purpose(const blastp_job *job, int argc, char **argv, struct byte_array *to, io_error *err)
{
    static const char *const others[] = {"resume", "threads", "num_threads", "device", "stats", "quiet", "mt_mode"};
    char line[256];
    tms_seqdb_info info;
    int n;

    tms_seqdb_get_info(job->db, &info);
    n = snprintf(line, sizeof line, "tamis blastp, %llu sequences of %llu letters:", (unsigned long long)info.n_sequences,
                 (unsigned long long)info.n_residues);
    if (!byte_array_add(to, line, (size_t)n))
        return io_fail_memory(err, "a checkpoint");
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + (argv[i][0] == '-') + (argv[i][0] == '-' && argv[i][1] == '-');
        int is_other = 0;
        for (size_t k = 0; k < sizeof others / sizeof *others && argv[i][0] == '-'; k++) {
            size_t length = strlen(others[k]);
            if (strncmp(name, others[k], length) == 0 && (name[length] == '\0' || name[length] == '=')) {
                is_other = 1;
                i += name[length] == '\0' && strcmp(others[k], "resume") != 0 && strcmp(others[k], "quiet") != 0;
                break;
            }
        }
        if (!is_other && strcmp(argv[i], "-q") != 0 && (!byte_array_add(to, " ", 1) || !byte_array_add(to, argv[i], strlen(argv[i]))))
            return io_fail_memory(err, "a checkpoint");
    }
    for (size_t i = 0; i < to->n; i++)
        to->bytes[i] = to->bytes[i] == '\n' ? ' ' : to->bytes[i];
    return byte_array_add(to, "", 1) ? IO_OK : io_fail_memory(err, "a checkpoint");
}

static int open_output(blastp_job *job, int argc, char **argv)
{
    const char *const list = blastp_lists_path(&job->lists), *const second = job->subject != NULL ? job->subject : list;
    const char *const inputs[] = {job->query, second};
    struct byte_array purpose = {NULL, 0, 0};
    io_resumable_options how = {.path = job->out, .inputs = inputs, .n_inputs = second != NULL ? 2 : 1, .resume = job->resume};
    io_error err;
    io_status status = add_purpose(job, argc, argv, &purpose, &err);

    how.purpose = (const char *)purpose.bytes;
    if (status == IO_OK)
        status = io_resumable_open(&how, &job->n_done, &job->output, &err);
    free(purpose.bytes);
    if (status == IO_OK && job->stats_path != NULL) {
        const io_output stats = {.path = job->stats_path,
                                 .inputs = inputs,
                                 .n_inputs = how.n_inputs,
                                 .is_kind = blastp_stats_is,
                                 .kind = "statistics",
                                 .beside_stdout = strcmp(job->out, "-") == 0};
        status = io_safe_file_open(&stats, &job->stats_file, &err);
    }
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

/* auto takes a GPU if the CPU's first stages would take longer than a GPU takes to start. */
static int use_device(blastp_job *job)
{
    const uint64_t bytes = cli_input_bytes(&job->query, 1);
    tms_seqdb_info info;
    double seconds;

    tms_seqdb_get_info(job->db, &info);
    seconds = SECONDS_A_CELL * (double)bytes * (double)info.n_residues / tms_context_threads(job->ctx);
    if (job->common.device == TMS_DEVICE_CPU || (job->common.device == TMS_DEVICE_AUTO && seconds < SECONDS_TO_START))
        return CLI_OK;
    return blast_code(cli_used_device(&job->common, job->ctx, tms_context_set_device(job->ctx, job->common.device)));
}

static int make_search(blastp_job *job)
{
    const struct report_options how = {.format = job->format,
                                       .db = job->db,
                                       .params = &job->params,
                                       .db_name = job->db_name,
                                       .subject_path = job->subject,
                                       .subject_offset = job->subject_part.start,
                                       .subject_lengths = job->subject_lengths,
                                       .parse_deflines = job->parse_deflines,
                                       .show_gis = job->show_gis,
                                       .html = job->html,
                                       .has_list = blastp_lists_is_positive(&job->lists),
                                       .line_length = job->line_length,
                                       .n_descriptions = job->n_descriptions,
                                       .n_alignments = job->n_alignments,
                                       .sort_hits = job->has_sort_hits ? (int)job->sort_hits : -1,
                                       .sort_hsps = job->has_sort_hsps ? (int)job->sort_hsps : -1};
    struct report_options with_search = how;
    tms_status made = tms_blastp_create(job->ctx, job->db, &job->params, &job->search);
    io_error err;
    io_status status;

    if (made != TMS_OK)
        return fail_library(job, made);
    with_search.search = job->search;
    status = report_create(job->ctx, &with_search, &job->report, &err);
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

/* --- queries --- */

/* "3, 17 " - where a query has an O, from 0, as blastp counts here: the first places. */
static io_status add_places(const tms_blastp_result *result, uint8_t code, struct byte_array *to, io_error *err)
{
    enum { MOST = 20 };
    static const char more[] = ",... (only first 20 shown)";
    uint64_t n = 0;

    for (uint64_t i = 0; i < result->query_length && n <= MOST; i++) {
        char text[sizeof more];
        int size;
        if (result->codes[i] != code)
            continue;
        if (n++ == MOST)
            size = snprintf(text, sizeof text, "%s", more);
        else
            size = snprintf(text, sizeof text, "%s%llu", n > 1 ? ", " : "", (unsigned long long)i);
        if (!byte_array_add(to, text, (size_t)size))
            return io_fail_memory(err, "a warning");
    }
    return byte_array_add(to, " ", 1) ? IO_OK : io_fail_memory(err, "a warning");
}

/* What there is to say about a query, to job->warning: sentences, each with a blank at its end; and a NUL. */
static io_status find_warning(blastp_job *job, const tms_blastp_result *result, io_error *err)
{
    static const char no_data[] = "Sequence contains no data ",
                      not_valid[] = "Could not calculate ungapped Karlin-Altschul parameters due to an invalid query sequence or its "
                                    "translation. Please verify the query sequence(s) and/or filtering options ",
                      reset[] = "Composition-based statistics cannot be used with the IDENTITY matrix, resetting the composition-based "
                                "statistics option to 0 ",
                      nothing_left[] = "Filtering resulted in an empty database. ",
                      has_o[] = "One or more O characters replaced by X for alignment score calculations at positions ";
    enum { CODE_O = 26 };
    struct byte_array *to = &job->warning;
    io_status status = IO_OK;

    to->n = 0;
    if (job->resets_composition && !byte_array_add(to, reset, sizeof reset - 1))
        return io_fail_memory(err, "a warning");
    if (!result->is_valid) {
        const char *text = result->query_length == 0 ? no_data : not_valid;
        status = byte_array_add(to, text, strlen(text)) ? IO_OK : io_fail_memory(err, "a warning");
    }
    if (status == IO_OK && result->query_length > 0 && memchr(result->codes, CODE_O, result->query_length) != NULL) {
        status = byte_array_add(to, has_o, sizeof has_o - 1) ? IO_OK : io_fail_memory(err, "a warning");
        if (status == IO_OK)
            status = add_places(result, CODE_O, to, err);
    }
    if (status == IO_OK && job->is_empty && !byte_array_add(to, nothing_left, sizeof nothing_left - 1))
        status = io_fail_memory(err, "a warning");
    if (status != IO_OK)
        return status;
    return byte_array_add(to, "", 1) ? IO_OK : io_fail_memory(err, "a warning");
}

static io_status say_warning(blastp_job *job, const struct report_query *query, io_error *err)
{
    struct byte_array label = {NULL, 0, 0};
    io_status status;

    if (job->common.quiet || job->format.kind == REPORT_XML || job->format.kind == REPORT_JSON) /* they have it in the report */
        return IO_OK;
    status = report_query_label(job->report, query, &label, err);
    if (status == IO_OK) {
        io_progress_clear(&job->progress);
        fprintf(stderr, "Warning: [blastp] %.*s: %s\n", (int)label.n, (const char *)label.bytes, (const char *)job->warning.bytes);
    }
    free(label.bytes);
    return status;
}

static void say_cut(blastp_job *job, const tms_blastp_result *result)
{
    if (!result->is_cut || job->said_cut || job->common.quiet)
        return;
    job->said_cut = 1;
    io_progress_clear(&job->progress);
    cli_say(command, "a query has more subjects than the %u of -max_target_seqs: the best of them are reported (said once)",
            (unsigned)job->params.max_target_seqs);
}

static struct report_query query_of(const blastp_job *job, const tms_seqs *seqs, size_t i)
{
    const io_blast_whole *whole = &io_blast_records_wholes(job->queries)[i];

    return (struct report_query){.number = whole->number + 1,
                                 .header = seqs->headers + seqs->header_starts[i],
                                 .header_size = (size_t)tms_seqs_header_size(seqs, i),
                                 .offset = job->query_part.start,
                                 .n_unnamed = whole->n_unnamed,
                                 .typed_length = job->query_part.end - job->query_part.start,
                                 .full_length = whole->n_letters};
}

static io_status put_queries(blastp_job *job, const tms_seqs *seqs, const tms_blastp_results *results, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < seqs->n_records && status == IO_OK; i++) {
        tms_blastp_result result;
        struct report_query query = query_of(job, seqs, i);
        query.result = &result;
        tms_blastp_results_get(results, i, &result);
        job->resets_composition &= job->letters_put < job->params.batch_letters; /* blastp says it of the first batch */
        job->letters_put += result.query_length;
        status = find_warning(job, &result, err);
        if (status == IO_OK && job->warning.n > 1) {
            query.warning = (const char *)job->warning.bytes;
            status = say_warning(job, &query, err);
        }
        if (status == IO_OK)
            status = report_query_put(job->report, &query, &job->text, err);
        say_cut(job, &result);
    }
    return status;
}

static int search_batch(blastp_job *job, const tms_seqs *seqs)
{
    tms_blastp_results *results;
    tms_status searched = tms_blastp_search(job->search, seqs, &results);
    io_error err;
    io_status status;

    if (cli_fall_back(&job->common, job->ctx, searched, "the GPU failed"))
        searched = tms_blastp_search(job->search, seqs, &results);
    if (searched != TMS_OK)
        return fail_library(job, searched);
    status = put_queries(job, seqs, results, &err);
    tms_blastp_results_destroy(results);
    if (status == IO_OK) {
        job->n_done += seqs->n_records;
        status = io_resumable_put(job->output, job->text.bytes, job->text.n, job->n_done, &err);
        job->text.n = 0;
    }
    io_progress_update(&job->progress, io_blast_records_offset(job->queries), job->n_done);
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

/* Its queries were reported by the run before. */
static void skip_batch(blastp_job *job, const tms_seqs *seqs)
{
    for (size_t i = 0; i < seqs->n_records; i++) {
        const struct report_query query = query_of(job, seqs, i);
        report_skip(job->report, &query);
        job->letters_put += tms_seqs_length(seqs, i);
    }
}

/* All that is left after a run that was interrupted. */
static int search_all(blastp_job *job)
{
    uint64_t n_records = 0, n_letters = 0, n_before = job->n_done;
    tms_seqs seqs;
    io_error err;
    io_status status = IO_OK;
    int code = CLI_OK;

    if (n_before == 0)
        status = report_begin(job->report, &job->text, &err);
    while (code == CLI_OK && status == IO_OK && (status = io_blast_records_next(job->queries, &seqs, &err)) == IO_OK) {
        n_records += seqs.n_records;
        n_letters += seqs.residue_starts[seqs.n_records] - seqs.n_records;
        if (seqs.first_record < n_before)
            skip_batch(job, &seqs);
        else
            code = search_batch(job, &seqs);
    }
    if (code != CLI_OK)
        return code;
    if (status != IO_END)
        return fail_io(job, status, &err);
    if (n_letters == 0 && (n_records > 0 || job->query_part.end > 0))
        return cli_fail(command, BLAST_ENGINE, "%s: no query has a letter", job->query);
    status = report_end(job->report, &job->text, &err);
    if (status == IO_OK)
        status = io_resumable_put(job->output, job->text.bytes, job->text.n, job->n_done, &err);
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

static int finish(blastp_job *job)
{
    io_error err;
    io_status status = io_resumable_end(job->output, &err);

    job->output = NULL;
    if (status == IO_OK && job->stats_file != NULL) {
        tms_blastp_stats stats;
        tms_blastp_info info;
        tms_blastp_get_stats(job->search, &stats);
        tms_blastp_get_info(job->search, &info);
        status = blastp_stats_write(&info, &job->params, &stats, io_progress_elapsed(&job->progress), job->stats_file, &err);
        if (status == IO_OK) {
            status = io_safe_file_commit(job->stats_file, &err);
            job->stats_file = NULL;
        }
    }
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

static int run(blastp_job *job, int argc, char **argv)
{
    int code = blast_code(cli_context_create(&job->common, &job->ctx));

    if (code == CLI_OK && is_empty(job->query)) {
        warn(job, "Query is Empty!");
        return CLI_OK;
    }
    if (code == CLI_OK)
        code = open_subjects(job);
    if (code == CLI_OK)
        code = open_masks(job);
    if (code == CLI_OK)
        code = use_device(job);
    if (code == CLI_OK)
        code = open_queries(job);
    if (code == CLI_OK)
        code = make_search(job);
    if (code == CLI_OK)
        code = open_output(job, argc, argv);
    if (code != CLI_OK)
        return code;
    io_progress_start(&job->progress, command, "queries", cli_input_bytes(&job->query, 1), job->common.quiet);
    code = search_all(job);
    io_progress_end(&job->progress);
    return code == CLI_OK ? finish(job) : code;
}

int cmd_blastp(int argc, char **argv)
{
    blastp_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&blastp_options, argc, argv, &job.common, &given, &code))
        return blast_code(code);
    if (job.version) {
        printf("blastp: 2.12.0+\n Package: tamis %s\n", tms_version());
        return blast_code(cli_end_stdout(command, CLI_OK));
    }
    code = check(&job, &given);
    if (code == CLI_OK)
        code = run(&job, argc, argv);
    io_resumable_leave(job.output);
    io_safe_file_abort(job.stats_file);
    io_blast_records_close(job.queries);
    report_free(job.report);
    tms_blastp_destroy(job.search);
    tms_seqdb_masks_destroy(job.masks);
    tms_seqdb_destroy(job.db);
    tms_seqdb_destroy(job.whole);
    tms_context_destroy(job.ctx);
    free(job.subject_lengths);
    free(job.text.bytes);
    free(job.warning.bytes);
    return code;
}
