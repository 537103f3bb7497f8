/* blastn_options.c - blastn's options, and what they mean together. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/blast/blast_cell.h"
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_parts.h"
#include "cli/blast/blast_plan.h"
#include "cli/blast/blast_rows.h"
#include "cli/blast/blastn_job.h"

static const char command[] = "blastn";

enum {
    CHUNK_OVERLAP = 100, /* bases that chunks of a query share */
    USUAL_BATCH = 10000  /* bases: what -mt_mode divides queries by */
};

#define SAM_FORMAT "; 17: SAM, in which the queries are the references; \"17 SR SQ\": the subjects are (SR), and lines have bases (SQ)"

static const option_row rows[] = {
    {.heading = "Queries and subjects"},
    BLAST_ROW_QUERY,
    BLAST_ROW_DB("nucleotide"),
    BLAST_ROWS_SUBJECT,
    {0, NULL, "STRAND", OPTION_CHOICE(blastn_job, own.strand, "both plus minus", TMS_STRAND_BOTH), .blast = "strand", .initial = "both",
     .help = "strands of the queries to search with: both, plus or minus"},
    {0, NULL, "TASK", OPTION_CHOICE(blastn_job, own.task, "megablast blastn blastn-short dc-megablast rmblastn", TMS_TASK_MEGABLAST),
     .blast = "task", .initial = "megablast",
     .help = "megablast: for sequences that differ little; blastn; blastn-short: for queries of fewer than 50 bases; dc-megablast: words "
             "by a template; rmblastn: as RepeatMasker's search, limits are scores"},
    BLAST_ROWS_LISTS,
    BLAST_ROWS_REPORT(SAM_FORMAT),
    {0, NULL, "PERCENT", OPTION_NUMBER(blastn_job, own.perc_identity, 0, 100), .blast = "perc_identity",
     .help = "drop alignments of which less is identical than this"},
    {.heading = "Scores and statistics"},
    {0, NULL, "SCORE", OPTION_SIZE(blastn_job, own.reward, 1, INT32_MAX), .blast = "reward",
     .otherwise = "1; blastn, dc-megablast: 2; rmblastn: none, which is 1", .what = "a score", .help = "score of a pair of equal bases"},
    {0, NULL, "SCORE", OPTION_NUMBER(blastn_job, own.penalty, OPTION_ANY, 0), .blast = "penalty",
     .otherwise = "-2; blastn, blastn-short, dc-megablast: -3; rmblastn: none, which is -3", .what = "a score",
     .help = "score of a pair of different bases, below 0"},
    {0, NULL, "COST", OPTION_SIZE(blastn_job, own.gap_open, 0, INT32_MAX), .blast = "gapopen", .otherwise = "5; megablast: 0",
     .what = "a cost", .help = "cost to open a gap"},
    {0, NULL, "COST", OPTION_SIZE(blastn_job, own.gap_extend, 0, INT32_MAX), .blast = "gapextend",
     .otherwise = "2; megablast: by reward and penalty", .what = "a cost", .help = "cost of each base of a gap"},
    {0, NULL, "SCORE", OPTION_NUMBER(blastn_job, own.min_raw_gapped_score, OPTION_ANY, 0), .blast = "min_raw_gapped_score",
     .otherwise = "by -evalue", .what = "a score", .help = "the least score of a gapped alignment; 0 or below: by -evalue"},
    BLAST_ROWS_STATISTICS,
    {0, NULL, "true|false", OPTION_BOOLEAN(blastn_job, own.sum_stats), .blast = "sum_stats", .initial = "false",
     .help = "link HSPs of a subject to chains, each with one E-value"},
    {.heading = "Words and extensions"},
    {0, NULL, "N", OPTION_SIZE(blastn_job, own.word_size, 4, INT32_MAX), .blast = "word_size",
     .otherwise = "28; blastn, dc-megablast, rmblastn: 11; blastn-short: 7", .what = "a number of bases", .help = "bases of a word"},
    {0, NULL, "TYPE", OPTION_CHOICE(blastn_job, own.template_type, "coding optimal coding_and_optimal", TMS_TEMPLATE_CODING),
     .blast = "template_type", .needs = "template_length", .otherwise = "dc-megablast: coding",
     .help = "which bases under a template are a word's"},
    {0, NULL, "N", OPTION_SIZE(blastn_job, own.template_length, 16, 21), .blast = "template_length", .needs = "template_type",
     .otherwise = "dc-megablast: 18", .what = "a number of bases", .help = "bases under a template: 16, 18 or 21"},
    {0, NULL, "N", OPTION_SIZE(blastn_job, own.window, 0, 1 << 20), .blast = "window_size", .otherwise = "0; dc-megablast: 40",
     .what = "a number of bases", .help = "two word hits on a diagonal within this many bases start an extension; 0: one hit is enough"},
    {0, NULL, "N", OPTION_SIZE(blastn_job, own.off_diagonal_range, 0, 1 << 20), .blast = "off_diagonal_range", .initial = "0",
     .what = "a number of diagonals", .help = "with a window: the two hits may be this many diagonals apart"},
    {0, NULL, NULL, OPTION_FLAG(blastn_job, own.no_greedy), .blast = "no_greedy",
     .help = "extend by dynamic programming; megablast then needs gap costs"},
    {0, NULL, "BITS", OPTION_NUMBER(blastn_job, own.xdrop_ungap, 0, 0), .blast = "xdrop_ungap",
     .otherwise = "20; megablast: the least score of an ungapped HSP", .help = "X-drop of ungapped extensions"},
    {0, NULL, "BITS", OPTION_NUMBER(blastn_job, own.xdrop_gap, 0, 0), .blast = "xdrop_gap", .otherwise = "30; megablast: 25",
     .help = "X-drop of preliminary gapped extensions"},
    {0, NULL, "BITS", OPTION_NUMBER(blastn_job, own.xdrop_gap_final, OPTION_ANY, 0), .blast = "xdrop_gap_final", .otherwise = "100",
     .help = "X-drop of the final gapped extensions, with traceback"},
    {0, NULL, NULL, OPTION_FLAG(blastn_job, own.ungapped), .blast = "ungapped", .help = "ungapped alignments only"},
    BLAST_ROWS_SUBJECT_MASKS,
    {.heading = "Masking of queries"},
    {0, NULL, "yes|no|L W K", OPTION_PATH(blastn_job, own.dust), .blast = "dust", .initial = "20 64 1",
     .help = "mask low-complexity regions (DUST), by level, window and linker; yes is \"20 64 1\""},
    {0, NULL, "true|false", OPTION_BOOLEAN(blastn_job, own.soft_masking), .blast = "soft_masking", .initial = "true",
     .help = "mask queries for word hits only, not for extensions"},
    BLAST_ROW_LOWER_CASE,
    BLAST_ROWS_MACHINE,
    BLAST_ROW_MT_MODE,
    {0, NULL, "true|false", OPTION_BOOLEAN(blastn_job, own.use_index), .blast = "use_index", .about = BLAST_ABOUT_RUN, .initial = "false",
     .help = "accepted if false: tamis does not read indexes of makembindex"},
    BLAST_ROWS_PARTS,
    BLAST_ROWS_END,
};

static const option_refused refused[] = {
    {"remote", "is not supported: tamis searches databases on this machine; make one with tamis makedb"},
    {"entrez_query", "is not supported: make a database of the sequences that the query selects, and search that"},
    {"import_search_strategy", "is not supported: give the options themselves"},
    {"export_search_strategy", "is not supported: keep the command line; --stats writes all parameters"},
    {"ipglist", "is not supported: databases do not have these numbers; give -seqidlist"},
    {"negative_ipglist", "is not supported: databases do not have these numbers; give -negative_seqidlist"},
    {"index_name", "is not supported: tamis does not read indexes of makembindex, and finds the same without one"},
    {"filtering_db", "is not supported: mask the queries in lower case, and give -lcase_masking"},
    {"window_masker_taxid", "is not supported: mask the queries in lower case, and give -lcase_masking"},
    {"window_masker_db", "is not supported: mask the queries in lower case, and give -lcase_masking"},
};

const option_table blastn_options = {
    command,
    "Usage: tamis blastn [-query FILE] -db NAME|-subject FILE [OPTION]...\n"
    "\n"
    "Searches nucleotides with nucleotides. The output is that of NCBI BLAST+ 2.12's\n"
    "blastn, byte for byte, with the same options. Input may be gzip, bgzip, zstd, xz\n"
    "or bzip2. Long options begin with one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "With -out FILE, tamis keeps FILE.checkpoint until the output is complete;\n"
    "--resume continues from there. Only --restart replaces an incomplete FILE.\n"
    "\n"
    "--shard and --query-shard need the environment variable BATCH_SIZE: the number\n"
    "of bases of a batch of queries, the same for all shards.\n"
    "\n"
    "Exit status, as of NCBI's blastn: 0 success, also without hits; 1 wrong options\n"
    "or input; 2 missing or damaged database; 3 no query has a base, or -query_loc\n"
    "or -subject_loc is not a range; 4 out of memory; 6 tamis could not write the\n"
    "output.\n"
    "\n"
    "Examples\n"
    "  tamis blastn -query q.fa -db genomes -outfmt 6 > hits.tsv\n"
    "  tamis blastn -task blastn -query reads.fq.gz -subject k12.fa.gz -outfmt 6\n"
    "  tamis blastn -query all.fa -db genomes -outfmt 6 -out hits.tsv --resume\n"
    "  tamis blastn -query q.fa -subject genome.fa -outfmt html -out hits.html\n"
    "  BATCH_SIZE=100000 tamis blastn -query q.fa -db nt --shard 3/16 -out 3.part\n",
    .no_operands = "files are named with -query, -db and -subject",
    .refused = refused,
    .n_refused = sizeof refused / sizeof *refused,
};

/* Parses "20 64 1": level, window, linker, with single blanks. */
static int parse_dust(const char *text, tms_dust_params *out)
{
    char *end;
    const long level = strtol(text, &end, 10), window = *end == ' ' ? strtol(end + 1, &end, 10) : -1;
    const long linker = *end == ' ' ? strtol(end + 1, &end, 10) : -1;

    if (*end != '\0' || level < 2 || level > 64 || window < 8 || window > 64 || linker < 1 || linker > 32)
        return 0;
    out->level = (uint32_t)level;
    out->window = (uint32_t)window;
    out->linker = (uint32_t)linker;
    return 1;
}

static int set_dust(blastn_job *job)
{
    const char *text = job->own.dust;

    job->params.masks_dust = strcmp(text, "no") != 0;
    if (!job->params.masks_dust || strcmp(text, "yes") == 0 || parse_dust(text, &job->params.dust))
        return CLI_OK;
    return cli_fail(command, BLAST_INPUT, "-dust takes yes, no, or \"level window linker\" such as \"20 64 1\", not '%s'", text);
}

static int is_score(double x) { return x == floor(x) && x >= INT32_MIN && x <= INT32_MAX; }

static int set_scores(blastn_job *job, const options_given *given)
{
    tms_blastn_params *p = &job->params;

    if (options_is_given(given, "penalty") && !(job->own.penalty < 0 && is_score(job->own.penalty)))
        return cli_fail(command, BLAST_INPUT, "-penalty takes a whole number below 0, not %g", job->own.penalty);
    if (job->own.task == TMS_TASK_RMBLASTN && options_is_given(given, "penalty") != options_is_given(given, "reward"))
        return cli_fail(command, BLAST_INPUT, "-task rmblastn takes -reward and -penalty together, or neither");
    if (!is_score(job->own.min_raw_gapped_score))
        return cli_fail(command, BLAST_INPUT, "-min_raw_gapped_score takes a whole number, not %g", job->own.min_raw_gapped_score);
    p->min_raw_score = job->own.min_raw_gapped_score > 0 ? (int32_t)job->own.min_raw_gapped_score : 0;
    p->penalty = (int32_t)job->own.penalty;
    p->reward = (int32_t)job->own.reward;
    p->gap_open = options_is_given(given, "gapopen") ? (int32_t)job->own.gap_open : -1;
    p->gap_extend = options_is_given(given, "gapextend") ? (int32_t)job->own.gap_extend : -1;
    if (job->own.task == TMS_TASK_MEGABLAST && job->own.no_greedy && !job->own.ungapped && p->gap_open <= 0 && p->gap_extend <= 0)
        return cli_fail(command, BLAST_INPUT, "-no_greedy needs costs of gaps: give -gapopen and -gapextend");
    if (p->gap_open > 0 && !job->own.ungapped && (p->gap_extend == 0 || (job->own.task == TMS_TASK_MEGABLAST && p->gap_extend < 0)))
        return cli_fail(command, BLAST_INPUT, "-gapopen needs a cost of each base of a gap: give -gapextend");
    return CLI_OK;
}

static void set_params(blastn_job *job, const options_given *given)
{
    const blast_shared_options *options = &job->blast.options;
    const blastn_own_options *own = &job->own;
    tms_blastn_params *p = &job->params;

    *p = tms_blastn_defaults();
    p->task = (uint32_t)own->task;
    p->strands = (uint32_t)own->strand;
    p->word_size = own->word_size;
    p->no_greedy = (uint32_t)own->no_greedy;
    p->word_template = (uint32_t)own->template_type;
    p->template_length = own->template_length;
    p->window = options_is_given(given, "window_size") ? (int32_t)own->window : -1;
    p->off_diagonal_range = own->off_diagonal_range;
    p->evalue = options->evalue;
    p->xdrop_ungapped = options_is_given(given, "xdrop_ungap") ? own->xdrop_ungap : -1;
    p->xdrop_gapped = options_is_given(given, "xdrop_gap") ? own->xdrop_gap : -1;
    p->xdrop_final = options_is_given(given, "xdrop_gap_final") ? fmax(own->xdrop_gap_final, 0)
                                                                : -1; /* that of the preliminary extensions at least */
    p->min_identity = own->perc_identity;
    p->min_query_coverage = options->qcov_hsp_perc;
    p->max_hsps = options->max_hsps;
    p->subject_besthit = (uint32_t)options->subject_besthit;
    p->culling_limit = options->culling_limit;
    p->best_hit_overhang = options->best_hit_overhang;
    p->best_hit_score_edge = options->best_hit_score_edge;
    p->masks_lower_case = (uint32_t)options->lcase_masking;
    p->soft_masking = (uint32_t)own->soft_masking;
    p->ungapped = (uint32_t)own->ungapped;
    p->sum_statistics = (uint64_t)own->sum_stats;
    p->as_subject_file = options->subject != NULL;
    p->database_residues = (int64_t)options->db_size;
    p->search_space = (int64_t)options->search_space;
    p->more_gpus = options->devices.items + 1;
    p->n_more_gpus = options->devices.n - 1;
    p->gpu_memory = options->gpu_memory;
}

/* Reads CHUNK_SIZE as BLAST+ does, or that of the parts: the size of the chunks of long queries, in bases. */
static int set_chunks(blastn_job *job)
{
    const struct blast_parts *parts = job->blast.parts;
    const char *size = parts != NULL ? archive_manifest_get(blast_parts_manifest(parts), "chunk-size", 0) : getenv("CHUNK_SIZE");
    char *end;
    unsigned long long n;

    if (size == NULL)
        return CLI_OK;
    n = strtoull(size, &end, 10);
    if (end == size || *end != '\0' || n <= CHUNK_OVERLAP || n > INT32_MAX)
        return cli_fail(command, BLAST_EXCEPTION, "the environment variable CHUNK_SIZE takes a number of bases above %d, not '%s'",
                        CHUNK_OVERLAP, size);
    job->blast.plan.chunk_size = n;
    job->params.chunk_residues = n - CHUNK_OVERLAP;
    return CLI_OK;
}

/* A shard cannot know the sizes that NCBI's program would choose: they follow from what earlier batches find in the whole database. */
static int set_cell(blast_job *b, const options_given *given)
{
    const struct blast_grid *grid = &b->plan.grid;
    const int code = blast_plan_cell(b, given);

    if (code == CLI_OK && blast_is_cell(b) && !b->plan.has_batch_size && (grid->n_shards > 1 || grid->n_query_shards > 1))
        return cli_fail(
            command, BLAST_INPUT,
            "a shard needs query batches of a fixed size, because blastn's own sizes follow from what earlier batches have found "
            "in the whole database: set the environment variable BATCH_SIZE to a number of bases, such as 100000, the same for "
            "all shards; NCBI's blastn obeys it, too");
    return code;
}

int blastn_check(blastn_job *job, const options_given *given)
{
    blast_job *b = &job->blast;
    int code = blast_plan_report(b);

    if (b->parts != NULL) /* GPUs do not align */
        b->options.devices = (option_devices){{TMS_DEVICE_CPU}, 1};
    b->common.device = b->options.devices.items[0];
    b->plan.sets_batches = 1;
    if (code != CLI_OK)
        return code;
    if (job->own.use_index)
        return cli_fail(command, BLAST_INPUT, "-use_index true is not supported: tamis does not read indexes of makembindex");
    code = blast_plan_threads(b, given);
    if (code == CLI_OK)
        code = blast_plan_batches(b, USUAL_BATCH);
    set_params(job, given);
    if (code == CLI_OK)
        code = set_scores(job, given);
    if (code == CLI_OK)
        code = set_dust(job);
    if (code == CLI_OK)
        code = set_chunks(job);
    if (code == CLI_OK)
        code = blast_plan_subjects(b, given);
    if (code == CLI_OK)
        code = blast_plan_ranges(b);
    if (code == CLI_OK)
        code = set_cell(b, given);
    b->plan.batch_residues = UINT64_MAX;
    job->params.max_target_seqs = b->plan.max_target_seqs;
    job->params.batch_residues = b->plan.has_batch_size ? b->plan.unit_residues : 0;
    if (blast_is_cell(b)) {
        job->params.shard = b->plan.grid.shard;
        job->params.n_shards = b->plan.grid.n_shards;
    }
    return code;
}
