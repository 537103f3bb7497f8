/* blastp_options.c - the options of blastp: their table, and their combined meaning. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/blast/blast_cell.h"
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_plan.h"
#include "cli/blast/blast_rows.h"
#include "cli/blast/blastp_job.h"

static const char command[] = "blastp";

static const option_row rows[] = {
    {.heading = "Queries and subjects"},
    BLAST_ROW_QUERY,
    {0, NULL, "NAME", OPTION_PATH(blast_job, options.db_name), .blast = "db", .about = BLAST_ABOUT_INPUT, .excludes = "subject",
     .help = "a BLAST protein database, version 4 or 5; several as one argument: \"a b\""},
    BLAST_ROWS_SUBJECT,
    {0, NULL, "TASK", OPTION_CHOICE(blastp_job, own.task, "blastp blastp-short blastp-fast", TMS_TASK_BLASTP), .blast = "task",
     .initial = "blastp", .help = "blastp; blastp-short: for queries of fewer than 30 residues; blastp-fast: words of 6 residues"},
    BLAST_ROWS_LISTS,
    BLAST_ROWS_REPORT(""),
    {.heading = "Scores and statistics"},
    {0, NULL, "NAME", OPTION_PATH(blastp_job, own.matrix), .blast = "matrix", .otherwise = "BLOSUM62; blastp-short: PAM30",
     .help = "scoring matrix: BLOSUM45, 50, 62, 80, 90, PAM30, 70, 250 or IDENTITY"},
    {0, NULL, "COST", OPTION_SIZE(blastp_job, own.gap_open, 0, INT32_MAX), .blast = "gapopen", .otherwise = "the matrix's; BLOSUM62: 11",
     .what = "a cost", .help = "cost to open a gap"},
    {0, NULL, "COST", OPTION_SIZE(blastp_job, own.gap_extend, 0, INT32_MAX), .blast = "gapextend", .otherwise = "the matrix's; BLOSUM62: 1",
     .what = "a cost", .help = "cost of each residue of a gap"},
    {0, NULL, "MODE", OPTION_PATH(blastp_job, own.comp_based_stats), .blast = "comp_based_stats", .initial = "2",
     .help = "composition-based statistics. 0 or F: none; 1: scale the matrix; 2, D or T: adjust or scale it, whichever suits the two "
             "compositions; 3: always adjust it"},
    BLAST_ROWS_STATISTICS,
    {.heading = "Words and extensions"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, own.word_size, 2, 7), .blast = "word_size", .otherwise = "3; blastp-short: 2; blastp-fast: 6",
     .what = "a number of residues", .help = "residues of a word"},
    {0, NULL, "SCORE", OPTION_POSITIVE(blastp_job, own.threshold), .blast = "threshold",
     .otherwise = "11, or the matrix's; blastp-fast: 21", .help = "minimum score for a word of the subject to match one of the query"},
    {0, NULL, "N", OPTION_SIZE(blastp_job, own.window, 0, 1 << 20), .blast = "window_size", .otherwise = "40, or the matrix's",
     .what = "a number of residues",
     .help = "two word hits on a diagonal within fewer residues than this start an extension; 0: one hit is enough"},
    {0, NULL, "BITS", OPTION_POSITIVE(blastp_job, own.xdrop_ungap), .blast = "xdrop_ungap", .initial = "7",
     .help = "X-drop of ungapped extensions"},
    {0, NULL, "BITS", OPTION_NUMBER(blastp_job, own.xdrop_gap, OPTION_ANY, 0), .blast = "xdrop_gap", .initial = "15",
     .help = "X-drop of preliminary gapped extensions"},
    {0, NULL, "BITS", OPTION_NUMBER(blastp_job, own.xdrop_gap_final, OPTION_ANY, 0), .blast = "xdrop_gap_final", .initial = "25",
     .help = "X-drop of the final gapped extensions, with traceback"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, own.ungapped), .blast = "ungapped",
     .help = "ungapped alignments only; needs -comp_based_stats F"},
    {0, NULL, NULL, OPTION_FLAG(blastp_job, own.use_sw_tback), .blast = "use_sw_tback", .excludes = "ungapped",
     .help = "compute final alignments with Smith-Waterman"},
    BLAST_ROWS_SUBJECT_MASKS,
    {.heading = "Masking of queries"},
    {0, NULL, "yes|no|W LO HI", OPTION_PATH(blastp_job, own.seg), .blast = "seg", .initial = "no",
     .help = "mask low-complexity regions (SEG); \"12 2.2 2.5\" is the same as yes"},
    {0, NULL, "true|false", OPTION_BOOLEAN(blastp_job, own.soft_masking), .blast = "soft_masking", .initial = "false",
     .help = "mask queries for word hits only, not for extensions"},
    BLAST_ROW_LOWER_CASE,
    BLAST_ROWS_MACHINE,
    {0, "gpu-strategy", "NAME", OPTION_CHOICE(blastp_job, own.gpu_strategy, "default cublastp", TMS_GPU_STRATEGY_DEFAULT),
     .about = BLAST_ABOUT_RUN, .initial = "default",
     .help = "how a GPU finds word hits and extends them without gaps; cublastp is the method of the paper of that name, for comparison. "
             "The output is the same"},
    {0, "extension", "NAME", OPTION_CHOICE(blastp_job, own.gpu_extension, "window diagonal hit", TMS_GPU_EXTENSION_WINDOW),
     .about = BLAST_ABOUT_RUN, .needs = "gpu-strategy", .initial = "window",
     .help = "with cublastp: window: several threads per diagonal; diagonal: one per diagonal; hit: one per word hit"},
    {0, "scoring", "NAME", OPTION_CHOICE(blastp_job, own.gpu_scoring, "auto pssm matrix", TMS_GPU_SCORING_AUTO), .about = BLAST_ABOUT_RUN,
     .needs = "gpu-strategy", .initial = "auto",
     .help = "with cublastp: pssm: scores by position of the query; matrix: by residue; auto: matrix, which was faster"},
    {0, "bins", "N", OPTION_SIZE(blastp_job, own.gpu_bins, 1, 1024), .about = BLAST_ABOUT_RUN, .needs = "gpu-strategy", .otherwise = "128",
     .what = "a number of bins", .help = "with cublastp: bins into which each warp sorts word hits; a power of two"},
    BLAST_ROWS_RUN,
};

static const option_refused refused[] = {
    {"remote", "is not supported: tamis searches databases on this machine; make one with tamis makedb"},
    {"entrez_query", "is not supported: make a database of the sequences that the query selects, and search that"},
    {"import_search_strategy", "is not supported: give the options themselves"},
    {"export_search_strategy", "is not supported: keep the command line; --stats writes all parameters"},
    {"ipglist", "is not supported: databases do not have these numbers; give -seqidlist"},
    {"negative_ipglist", "is not supported: databases do not have these numbers; give -negative_seqidlist"},
};

const option_table blastp_options = {
    command,
    "Usage: tamis blastp [-query FILE] -db NAME|-subject FILE [OPTION]...\n"
    "\n"
    "Searches proteins with proteins. The output is that of NCBI BLAST+ 2.12's\n"
    "blastp, byte for byte, with the same options. Input may be gzip, bgzip, zstd, xz\n"
    "or bzip2. Long options begin with one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "With -out FILE, tamis keeps FILE.checkpoint until the output is complete;\n"
    "--resume continues from there. Only --restart replaces an incomplete FILE.\n"
    "\n"
    "Exit status, as of NCBI's blastp: 0 success, also without hits; 1 wrong options\n"
    "or input; 2 missing or damaged database; 3 no query has a residue, or -query_loc\n"
    "or -subject_loc is not a range; 4 out of memory, or the GPU of --device cuda is\n"
    "not usable or failed; 6 tamis could not write the output.\n"
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
    static const char reset[] = "Composition-based statistics cannot be used with the IDENTITY matrix, resetting the composition-based "
                                "statistics option to 0 ";
    static const struct {
        const char *words;
        uint32_t mode;
    } modes[] = {{"0Ff", TMS_COMPOSITION_OFF},
                 {"1", TMS_COMPOSITION_SCALED},
                 {"2TtDd", TMS_COMPOSITION_ADJUSTED},
                 {"3", TMS_COMPOSITION_ALL_ADJUSTED}};
    const char *text = job->own.comp_based_stats;
    int has_none = job->own.matrix != NULL && strcasecmp(job->own.matrix, "IDENTITY") == 0;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (text[0] != '\0' && text[1] == '\0' && strchr(modes[i].words, text[0]) != NULL) {
            if (job->own.ungapped && modes[i].mode != TMS_COMPOSITION_OFF)
                return cli_fail(command, BLAST_INPUT, "-ungapped cannot use composition-based statistics: give -comp_based_stats F too");
            if (has_none && modes[i].mode != TMS_COMPOSITION_OFF)
                job->blast.plan.first_warning = reset;
            job->params.composition = has_none ? TMS_COMPOSITION_OFF : modes[i].mode;
            return CLI_OK;
        }
    }
    return cli_fail(command, BLAST_INPUT, "-comp_based_stats takes 0 or F, 1, 2 (or D or T), or 3, not '%s'", text);
}

/* Parses a number, and the byte that must follow it. Returns the position after that byte, or NULL. */
static const char *parse_part(const char *text, char terminator, double *out)
{
    char *end;

    if (text == NULL || strchr("0123456789.+-", text[0]) == NULL || strpbrk(text, "nN") != NULL) /* N: of "inf", "nan" */
        return NULL;
    *out = strtod(text, &end);
    return end > text && *end == terminator ? end + 1 : NULL;
}

/* Parses "12 2.2 2.5", with single blanks. Returns whether the text has this form. */
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

/* A number that is not above 0 stands for the default. */
static int set_seg(blastp_job *job)
{
    static const tms_seg_params usual = TMS_SEG_QUERY;
    blastp_seg *typed = &job->seg;
    tms_seg_params *seg = &job->params.seg;

    job->params.masks_seg = strcmp(job->own.seg, "no") != 0;
    *typed = (blastp_seg){(int)usual.window, usual.locut, usual.hicut};
    if (!job->params.masks_seg || strcmp(job->own.seg, "yes") == 0)
        return CLI_OK;
    if (!parse_seg(job->own.seg, typed))
        return cli_fail(command, BLAST_INPUT, "-seg takes yes, no, or \"window locut hicut\" such as \"12 2.2 2.5\", not '%s'",
                        job->own.seg);
    seg->window = typed->window > 0 ? (uint32_t)typed->window : usual.window;
    seg->locut = typed->locut > 0 ? typed->locut : usual.locut;
    seg->hicut = typed->hicut > 0 ? typed->hicut : usual.hicut;
    seg->hicut = seg->hicut < seg->locut ? seg->locut : seg->hicut;
    return CLI_OK;
}

static void set_params(blastp_job *job, const options_given *given)
{
    const blast_shared_options *options = &job->blast.options;
    const blastp_own_options *own = &job->own;
    tms_blastp_params *p = &job->params;

    *p = tms_blastp_defaults();
    p->task = (uint32_t)own->task;
    p->matrix = own->matrix;
    p->gap_open = options_is_given(given, "gapopen") ? (int32_t)own->gap_open : -1;
    p->gap_extend = options_is_given(given, "gapextend") ? (int32_t)own->gap_extend : -1;
    p->window = options_is_given(given, "window_size") ? (int32_t)own->window : -1;
    p->word_size = own->word_size;
    p->threshold = own->threshold;
    p->evalue = options->evalue;
    p->xdrop_ungapped = own->xdrop_ungap;
    p->xdrop_gapped = own->xdrop_gap;
    p->xdrop_final = own->xdrop_gap_final;
    p->max_hsps = options->max_hsps;
    p->min_query_coverage = options->qcov_hsp_perc;
    p->ungapped = (uint32_t)own->ungapped;
    p->smith_waterman = (uint32_t)own->use_sw_tback;
    p->subject_besthit = (uint32_t)options->subject_besthit;
    p->culling_limit = options->culling_limit;
    p->masks_lower_case = (uint32_t)options->lcase_masking;
    p->soft_masking = (uint32_t)own->soft_masking;
    p->as_subject_file = options->subject != NULL;
    p->database_residues = (int64_t)options->db_size;
    p->gpu_strategy = (uint32_t)own->gpu_strategy;
    p->gpu_extension = (uint32_t)own->gpu_extension;
    p->gpu_scoring = (uint32_t)own->gpu_scoring;
    p->gpu_bins = own->gpu_bins;
    p->search_space = options_is_given(given, "searchsp") ? (int64_t)options->search_space : -1;
    p->more_gpus = options->devices.items + 1;
    p->n_more_gpus = options->devices.n - 1;
    p->gpu_memory = options->gpu_memory;
    p->best_hit_overhang = options->best_hit_overhang;
    p->best_hit_score_edge = options->best_hit_score_edge;
}

int blastp_check(blastp_job *job, const options_given *given)
{
    blast_job *b = &job->blast;
    int code = blast_plan_report(b);

    if (b->parts != NULL) /* GPUs do not align */
        b->options.devices = (option_devices){{TMS_DEVICE_CPU}, 1};
    b->common.device = b->options.devices.items[0];
    if (code != CLI_OK)
        return code;
    code = blast_plan_threads(b, given);
    if (code == CLI_OK)
        code = blast_plan_batches(b);
    set_params(job, given);
    if (code == CLI_OK)
        code = set_composition(job);
    if (code == CLI_OK)
        code = set_seg(job);
    if (code == CLI_OK)
        code = blast_plan_subjects(b, given);
    if (code == CLI_OK)
        code = blast_plan_ranges(b);
    job->params.max_target_seqs = b->plan.max_target_seqs;
    job->params.batch_residues = b->plan.batch_residues;
    if (code == CLI_OK)
        code = blast_plan_cell(b, given);
    if (blast_is_cell(b)) {
        job->params.shard = b->plan.grid.shard;
        job->params.n_shards = b->plan.grid.n_shards;
    }
    return code;
}
