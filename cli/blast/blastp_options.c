/* blastp_options.c - the options of blastp: what they are called, and what they mean together. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/blast/blastp_codes.h"
#include "cli/blast/blastp_job.h"
#include "cli/cli_parse.h"
#include "cli/word_distance.h"
#include "report/report_columns.h"
#include "report/report_format.h"

static const char command[] = "blastp";

enum {
    UNIT_RESIDUES = 10000,     /* BLAST's batches of queries */
    LEAST_ADVISED_TARGETS = 5, /* fewer are warned of */
    USUAL_DESCRIPTIONS = 500,  /* of format 0 */
    USUAL_ALIGNMENTS = 250
};

static const option_row rows[] = {
    {.heading = "What to search, and in what"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, query), .blast = "query", .initial = "-",
     .help = "the queries: FASTA or FASTQ, plain or compressed; - is standard input"},
    {0, NULL, "NAME", OPTION_PATH(blastp_job, db_name), .blast = "db", .excludes = "subject",
     .help = "a BLAST protein database, version 4 or 5; several as one argument: \"a b\""},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, subject), .blast = "subject",
     .help = "sequences in a file instead of a database; formats as of -query"},
    {0, NULL, "A-B", OPTION_PATH(blastp_job, query_loc), .blast = "query_loc", .otherwise = "all",
     .help = "search only residues A to B of each query, counted from 1; queries of fewer than A - 1 residues are left out"},
    {0, NULL, "A-B", OPTION_PATH(blastp_job, subject_loc), .blast = "subject_loc", .needs = "subject", .otherwise = "all",
     .help = "search only residues A to B of each sequence of -subject"},
    {0, NULL, "TASK", OPTION_CHOICE(blastp_job, task, "blastp blastp-short blastp-fast", TMS_TASK_BLASTP), .blast = "task",
     .initial = "blastp", .help = "blastp; blastp-short: for queries of fewer than 30 residues; blastp-fast: words of 6 residues"},

    {.heading = "A part of the database"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.seqidlist), .blast = "seqidlist",
     .excludes = "negative_seqidlist gilist negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject",
     .help = "search only the sequences with these ids, one a line; of merged sequences only the listed names are shown"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.negative_seqidlist), .blast = "negative_seqidlist",
     .excludes = "gilist negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject", .help = "all but these"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.gilist), .blast = "gilist",
     .excludes = "negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject",
     .help = "search only the sequences with these gis, one a line"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.negative_gilist), .blast = "negative_gilist",
     .excludes = "taxids negative_taxids taxidlist negative_taxidlist subject", .help = "all but these"},
    {0, NULL, "N,N...", OPTION_PATH(blastp_job, lists.taxids), .blast = "taxids",
     .excludes = "negative_taxids taxidlist negative_taxidlist subject",
     .help = "search only the sequences of these taxids, as the database has them; it has to be of version 5"},
    {0, NULL, "N,N...", OPTION_PATH(blastp_job, lists.negative_taxids), .blast = "negative_taxids",
     .excludes = "taxidlist negative_taxidlist subject", .help = "all but these"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.taxidlist), .blast = "taxidlist", .excludes = "negative_taxidlist subject",
     .help = "as -taxids, from a file, one a line"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, lists.negative_taxidlist), .blast = "negative_taxidlist", .excludes = "subject",
     .help = "all but these"},

    {.heading = "What is reported"},
    {0, NULL, "FILE", OPTION_PATH(blastp_job, out), .blast = "out", .initial = "-", .help = "write to a file; - is standard output"},
    {0, NULL, "FMT", OPTION_PATH(blastp_job, outfmt), .blast = "outfmt", .initial = "0",
     .help =
         "0: pairs of lines; 1 to 4: all below the query, 1 and 3 with dots, 3 and 4 with gaps in it; 5: XML; 6: a table; 7: a table with "
         "comments; 10: a table with commas; 15: JSON; 16: XML, version 2. Columns of a table follow, "
         "in the same argument: \"6 qaccver saccver qcovs\", \"7 std qlen\", \"10 delim=; std\""},
    {0, NULL, "E", OPTION_POSITIVE(blastp_job, evalue), .blast = "evalue", .initial = "10", .such_as = "1e-5",
     .help = "report alignments with an E-value of at most E"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, max_target_seqs, 1, INT32_MAX), .blast = "max_target_seqs", .otherwise = "500",
     .excludes = "num_descriptions num_alignments",
     .help = "subjects to keep for each query; it also decides how many candidates are aligned in full"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, max_hsps, 1, INT32_MAX), .blast = "max_hsps", .otherwise = "all",
     .help = "alignments to keep for each pair of query and subject"},
    {0, NULL, "PERCENT", OPTION_NUMBER(blastp_job, qcov_hsp_perc, 0, 100), .blast = "qcov_hsp_perc",
     .help = "drop alignments that cover less of the query than this"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, subject_besthit), .blast = "subject_besthit",
     .help = "of a subject's alignments, drop those whose query range lies within that of a better one"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, culling_limit, 0, INT32_MAX), .blast = "culling_limit",
     .excludes = "best_hit_overhang best_hit_score_edge", .what = "a number of alignments",
     .help = "drop an alignment if at least N better ones, of any subject, each cover half of its query range; 0: keep all"},
    {0, NULL, "SHARE", OPTION_POSITIVE(blastp_job, best_hit_overhang), .blast = "best_hit_overhang", .such_as = "0.1",
     .otherwise = "0.1, with -best_hit_score_edge",
     .help =
         "best-hit filter: drop an alignment whose query range lies within that of another one of no worse E-value, extended at both ends by "
         "this share of its length, and whose score is as the other option says; above 0, below 0.5"},
    {0, NULL, "SHARE", OPTION_POSITIVE(blastp_job, best_hit_score_edge), .blast = "best_hit_score_edge", .such_as = "0.1",
     .otherwise = "0.1, with -best_hit_overhang",
     .help =
         "best-hit filter: the dropped alignment's score per residue is below the other one's, reduced by this share; above 0, below 0.5"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, n_descriptions, 0, INT32_MAX), .blast = "num_descriptions", .otherwise = "500",
     .help = "formats 0 to 4: subjects listed in the summary"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, n_alignments, 0, INT32_MAX), .blast = "num_alignments", .otherwise = "250",
     .help = "formats 0 to 4: subjects whose alignments are shown"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, line_length, 1, INT32_MAX), .blast = "line_length", .otherwise = "60",
     .help = "formats 0 to 4: residues per line of an alignment"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, sort_hits, 0, 4), .blast = "sorthits", .what = "an order",
     .help = "formats 0 to 4: order of subjects. 0: E-value, 1: best score, 2: total score, 3: identity, 4: query coverage"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, sort_hsps, 0, 4), .blast = "sorthsps", .what = "an order",
     .help = "format 0: order of a subject's alignments. 0: E-value, 1: score, 2: query start, 3: identity, 4: subject start"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, parse_deflines), .blast = "parse_deflines",
     .help = "take the ids at the beginning of FASTA headers, such as sp|P12345|NAME"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, show_gis), .blast = "show_gis", .help = "formats 0 to 4: show gis with the ids"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, html), .blast = "html",
     .help = "formats 0 to 4: write HTML with links; cannot be combined with masks"},

    {.heading = "Scores and statistics"},
    {0, NULL, "NAME", OPTION_PATH(blastp_job, matrix), .blast = "matrix", .otherwise = "BLOSUM62; blastp-short: PAM30",
     .help = "scoring matrix: BLOSUM45, 50, 62, 80, 90, PAM30, 70, 250 or IDENTITY"},
    {0, NULL, "COST", OPTION_SIZE(blastp_job, gap_open, 0, INT32_MAX), .blast = "gapopen", .otherwise = "the matrix's; BLOSUM62: 11",
     .what = "a cost", .help = "cost to open a gap"},
    {0, NULL, "COST", OPTION_SIZE(blastp_job, gap_extend, 0, INT32_MAX), .blast = "gapextend", .otherwise = "the matrix's; BLOSUM62: 1",
     .what = "a cost", .help = "cost of each residue of a gap"},
    {0, NULL, "MODE", OPTION_PATH(blastp_job, comp_based_stats), .blast = "comp_based_stats", .initial = "2",
     .help = "composition-based statistics. 0 or F: none; 1: scale the matrix; 2, D or T: adjust or scale it, whichever suits the two "
             "compositions; 3: always adjust it"},
    {0, NULL, "LETTERS", OPTION_SIZE(blastp_job, db_size, 0, INT64_MAX), .blast = "dbsize", .what = "a number of letters",
     .otherwise = "the database's", .help = "effective size of the database, for E-values"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, search_space, 0, INT64_MAX), .blast = "searchsp",
     .help = "effective search space; E-values then lack the finite-size correction"},

    {.heading = "Words and extensions"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, word_size, 2, 7), .blast = "word_size", .otherwise = "3; blastp-short: 2; blastp-fast: 6",
     .what = "a number of letters", .help = "letters of a word"},
    {0, NULL, "SCORE", OPTION_POSITIVE(blastp_job, threshold), .blast = "threshold", .otherwise = "11, or the matrix's; blastp-fast: 21",
     .help = "least score for a word of the subject to match one of the query"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, window, 0, 1 << 20), .blast = "window_size", .otherwise = "40, or the matrix's",
     .what = "a number of letters",
     .help = "two word hits on a diagonal, closer together than this, start an extension; 0: one hit is enough"},
    {0, NULL, "BITS", OPTION_POSITIVE(blastp_job, xdrop_ungap), .blast = "xdrop_ungap", .initial = "7",
     .help = "X-drop of ungapped extensions"},
    {0, NULL, "BITS", OPTION_NUMBER(blastp_job, xdrop_gap, OPTION_ANY, 0), .blast = "xdrop_gap", .initial = "15",
     .help = "X-drop of preliminary gapped extensions"},
    {0, NULL, "BITS", OPTION_NUMBER(blastp_job, xdrop_gap_final, OPTION_ANY, 0), .blast = "xdrop_gap_final", .initial = "25",
     .help = "X-drop of final gapped alignments"},

    {0, NULL, NULL, OPTION_FLAG(blastp_job, ungapped), .blast = "ungapped", .help = "ungapped alignments only; needs -comp_based_stats F"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, use_sw_tback), .blast = "use_sw_tback", .excludes = "ungapped",
     .help = "compute final alignments with Smith-Waterman"},

    {.heading = "Masking of the database"},
    {0, NULL, "ID", OPTION_PATH(blastp_job, db_soft_mask), .blast = "db_soft_mask", .excludes = "db_hard_mask subject",
     .help = "mask the database for finding words: number or name of a masking algorithm, as of makeblastdb -mask_id"},
    {0, NULL, "ID", OPTION_PATH(blastp_job, db_hard_mask), .blast = "db_hard_mask", .excludes = "subject",
     .help = "mask it for finding words and for extensions: alignments end there or have X"},

    {.heading = "Masking of queries"},
    {0, NULL, "yes|no|W LO HI", OPTION_PATH(blastp_job, seg), .blast = "seg", .initial = "no",
     .help = "mask low complexity (SEG); \"12 2.2 2.5\" is yes"},
    {0, NULL, "true|false", OPTION_BOOLEAN(blastp_job, soft_masking), .blast = "soft_masking", .initial = "false",
     .help = "mask queries for finding words only, not for extensions"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, lcase_masking), .blast = "lcase_masking",
     .help = "mask lower-case letters; of -subject for finding words only"},

    {.heading = "Running"},
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, INT32_MAX), .blast = "num_threads", .otherwise = "all",
     .help = "CPU threads"},
    {0, "device", "D", OPTION_DEVICES(blastp_job, devices), .initial = "auto",
     .help = "auto, cpu, cuda, cuda:I, or several GPUs: cuda:I,J; auto takes one if that is faster"},
    {0, "gpu-memory", "BYTES", OPTION_SIZE(blastp_job, gpu_memory, TMS_SEARCH_LEAST_GPU_MEMORY, 0), .what = "a number of bytes",
     .such_as = "8G", .otherwise = "what is free",
     .help = "memory that is used on each GPU, at most; a database that does not fit comes piece by piece"},
    {0, "gpu-strategy", "NAME", OPTION_CHOICE(blastp_job, gpu_strategy, "default cublastp", TMS_GPU_STRATEGY_DEFAULT), .initial = "default",
     .help = "how a GPU finds hits: tamis's own way, or that of the cuBLASTP paper, to compare. The output is the same"},
    {0, "extension", "NAME", OPTION_CHOICE(blastp_job, gpu_extension, "window diagonal hit", TMS_GPU_EXTENSION_WINDOW),
     .needs = "gpu-strategy", .initial = "window", .help = "of cublastp: some threads a diagonal, one thread a diagonal, or one a hit"},
    {0, "scoring", "NAME", OPTION_CHOICE(blastp_job, gpu_scoring, "auto pssm matrix", TMS_GPU_SCORING_AUTO), .needs = "gpu-strategy",
     .initial = "auto", .help = "of cublastp: scores by place of the query, or by letter; auto: by letter, which has been faster"},
    {0, "bins", "N", OPTION_SIZE(blastp_job, gpu_bins, 1, 1024), .needs = "gpu-strategy", .otherwise = "128", .what = "a number of bins",
     .help = "of cublastp: bins of hits for each warp, a power of two"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, mt_mode, 0, 1), .blast = "mt_mode",
     .help = "accepted and without effect: work is always divided by queries and by database"},
    {0, "resume", NULL, OPTION_FLAG(blastp_job, resume), .excludes = "restart",
     .help = "go on with the -out of a run that was interrupted"},
    {0, "restart", NULL, OPTION_FLAG(blastp_job, restart), .help = "begin anew, though -out is of a run that was interrupted"},
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
    "on from there. Without it such a FILE is not replaced, but with --restart.\n"
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

/* What is not above 0 means the usual number. */
/* A number, and the one byte behind it. Returns what follows that byte, or NULL. */
static const char *parse_part(const char *text, char behind, double *out)
{
    char *end;

    if (text == NULL || strchr("0123456789.+-", text[0]) == NULL || strpbrk(text, "nN") != NULL) /* N: of "inf", "nan" */
        return NULL;
    *out = strtod(text, &end);
    return end > text && *end == behind ? end + 1 : NULL;
}

/* "12 2.2 2.5": one blank between, no other. Returns whether it is that. */
static int parse_seg(const char *text, blastp_seg *out)
{
    char *end;
    long long window = strtoll(text, &end, 10);
    const char *at = *end == ' ' && end > text && text[0] != ' ' ? end + 1 : NULL;

    at = parse_part(at, ' ', &out->locut);
    at = parse_part(at, '\0', &out->hicut);
    if (at == NULL || window > TMS_SEG_MAX_WINDOW || window < INT32_MIN)
        return 0;
    out->window = (int)window;
    return 1;
}

static int set_seg(blastp_job *job)
{
    static const tms_seg_params usual = TMS_SEG_QUERY;
    blastp_seg *typed = &job->seg_typed;
    tms_seg_params *seg = &job->params.seg;

    job->params.masks_seg = strcmp(job->seg, "no") != 0;
    *typed = (blastp_seg){(int)usual.window, usual.locut, usual.hicut};
    if (!job->params.masks_seg || strcmp(job->seg, "yes") == 0)
        return CLI_OK;
    if (!parse_seg(job->seg, typed))
        return cli_fail(command, BLAST_INPUT, "-seg takes yes, no, or \"window locut hicut\" such as \"12 2.2 2.5\", not '%s'", job->seg);
    seg->window = typed->window > 0 ? (uint32_t)typed->window : usual.window;
    seg->locut = typed->locut > 0 ? typed->locut : usual.locut;
    seg->hicut = typed->hicut > 0 ? typed->hicut : usual.hicut;
    seg->hicut = seg->hicut < seg->locut ? seg->locut : seg->hicut;
    return CLI_OK;
}

/* How many subjects are kept: as blastp counts, from three options. */
static int set_targets(blastp_job *job, const options_given *given)
{
    int is_for_people = job->format.writer->family == REPORT_TEXT;
    int has_targets = options_is_given(given, "max_target_seqs"), has_descriptions = options_is_given(given, "num_descriptions"),
        has_alignments = options_is_given(given, "num_alignments");
    uint32_t n = 500;

    if (!is_for_people && has_descriptions)
        blastp_warn(job, "The parameter -num_descriptions is ignored for output formats > 4 . Use -max_target_seqs to control output");
    if (!is_for_people && options_is_given(given, "line_length"))
        blastp_warn(job, "The parameter -line_length is not applicable for output formats > 4 .");
    if (!is_for_people && options_is_given(given, "sorthits"))
        blastp_warn(job, "The parameter -sorthits is ignored for output formats > 4.");
    if (!job->format.writer->sorts_hsps && options_is_given(given, "sorthsps"))
        blastp_warn(job, "The parameter -sorthsps is ignored for output formats != 0.");
    if (!has_descriptions)
        job->n_descriptions = has_targets ? job->max_target_seqs : USUAL_DESCRIPTIONS;
    if (!has_alignments)
        job->n_alignments = has_targets ? job->max_target_seqs : USUAL_ALIGNMENTS;
    if (has_targets)
        n = job->max_target_seqs;
    else if (is_for_people && (has_descriptions || has_alignments))
        n = job->n_descriptions > job->n_alignments ? job->n_descriptions : job->n_alignments;
    else if (!is_for_people && has_alignments)
        n = job->n_alignments;
    if (n == 0)
        return cli_fail(command, BLAST_INPUT, "no hits are being saved: give -num_alignments or -num_descriptions 1 or more");
    if (n < LEAST_ADVISED_TARGETS)
        blastp_warn(job, "Examining 5 or more matches is recommended");
    job->params.max_target_seqs = n < 1 << 29 ? n : 1 << 29; /* more than any database has */
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

/* Residues of blastp's batches of queries. A negative number is, as there, a great one. */
static int set_units(blastp_job *job)
{
    const char *size = getenv("BATCH_SIZE");
    char *end;

    job->unit_residues = UNIT_RESIDUES;
    if (size == NULL)
        return CLI_OK;
    errno = 0;
    job->unit_residues = strtoull(size, &end, 10);
    if (end == size || *end != '\0' || errno != 0 || isspace((unsigned char)*size))
        return cli_fail(command, BLAST_EXCEPTION, "the environment variable BATCH_SIZE takes a number of letters, not '%s'", size);
    if (job->unit_residues == 0)
        return cli_fail(command, BLAST_ENGINE, "the environment variable BATCH_SIZE is 0, and so no query is searched for");
    return CLI_OK;
}

static int set_params(blastp_job *job, const options_given *given)
{
    tms_blastp_params *p = &job->params;
    int code;

    *p = tms_blastp_defaults();
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
    p->soft_masking = (uint32_t)job->soft_masking;
    p->as_subject_file = job->subject != NULL;
    p->database_residues = (int64_t)job->db_size;
    p->gpu_strategy = (uint32_t)job->gpu_strategy;
    p->gpu_extension = (uint32_t)job->gpu_extension;
    p->gpu_scoring = (uint32_t)job->gpu_scoring;
    p->gpu_bins = job->gpu_bins;
    p->search_space = options_is_given(given, "searchsp") ? (int64_t)job->search_space : -1;
    p->more_gpus = job->devices.items + 1;
    p->n_more_gpus = job->devices.n - 1;
    p->gpu_memory = job->gpu_memory;
    code = set_units(job);
    p->batch_residues = job->unit_residues;
    if (code == CLI_OK)
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

/* blastp leaves out what it does not know, without a word. */
static void warn_of_columns(const blastp_job *job)
{
    const struct report_format *f = &job->format;
    const char *nearest = NULL;
    size_t least = f->unknown_size;

    if (f->writer->family != REPORT_TABLE || f->unknown == NULL || job->common.quiet || blast_called() != NULL)
        return;
    for (size_t i = 0; i < report_n_columns; i++) {
        const char *name = report_columns[i].name;
        size_t distance = strncmp(name, f->unknown, f->unknown_size) == 0 ? 1 : word_distance(f->unknown, f->unknown_size, name);
        if (distance < least && distance <= 2) {
            least = distance;
            nearest = name;
        }
    }
    cli_say(command, "-outfmt: there is no column '%.*s', so it is left out%s%s%s", (int)f->unknown_size, f->unknown,
            nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
}

int blastp_check(blastp_job *job, const options_given *given)
{
    const char *why = report_format_parse(job->outfmt, &job->format);
    int code;

    job->common.device = job->devices.items[0];
    if (why != NULL)
        return cli_fail(command, BLAST_INPUT, "-outfmt '%s' %s", job->outfmt, why);
    warn_of_columns(job);
    if (isinf(job->evalue) && job->format.writer->needs_finite)
        return cli_fail(command, BLAST_INPUT, "-evalue is infinite, and JSON has no such number: give 1e300");
    if (job->db_name == NULL && job->subject == NULL)
        return cli_fail(command, BLAST_INPUT, "which sequences? Give -db NAME or -subject FILE");
    if (job->html && job->format.writer->family == REPORT_TEXT &&
        (job->db_soft_mask != NULL || job->db_hard_mask != NULL || job->lcase_masking || strcmp(job->seg, "no") != 0))
        return cli_fail(command, BLAST_INPUT, "-html does not show the masks of a database, nor those of queries: leave out one of them");
    if (job->mt_mode != 0 && !options_is_given(given, "threads"))
        return cli_fail(command, BLAST_INPUT, "-mt_mode has no effect alone: give -num_threads too");
    blastp_fit_threads(job, options_is_given(given, "threads"));
    job->has_sort_hits = options_is_given(given, "sorthits");
    job->has_sort_hsps = options_is_given(given, "sorthsps");
    code = set_params(job, given);
    if (code == CLI_OK)
        code = set_part("-query_loc", job->query_loc, &job->query_part);
    return code == CLI_OK ? set_part("-subject_loc", job->subject_loc, &job->subject_part) : code;
}
