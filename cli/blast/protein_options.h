/*
 * protein_options.h - the options that programs with a protein database share beside those of blast_rows.h: their rows, and their meaning.
 */
#ifndef TAMIS_CLI_PROTEIN_OPTIONS_H
#define TAMIS_CLI_PROTEIN_OPTIONS_H

#include "cli/blast/blast_job.h"
#include "cli/blast/blastp_description.h"
#include "tamis/blastp.h"

/* As typed. */
typedef struct protein_own_options {
    const char *matrix, *seg, *comp_based_stats;
    int task, soft_masking, ungapped, use_sw_tback;
    uint32_t gap_open, gap_extend, word_size, window;
    double threshold, xdrop_ungap, xdrop_gap, xdrop_gap_final;
} protein_own_options;

/* The first member of each such program's job. */
typedef struct protein_job {
    blast_job blast;
    protein_own_options own;

    /* The combined meaning of the options. */
    tms_blastp_params params;
    blastp_seg seg;

    struct report_program program;
} protein_job;

enum { PROTEIN_REFUSED = 6 };
extern const option_refused protein_refused[PROTEIN_REFUSED];

/*
 * protein_check() - checks the options, and sets job->blast.plan, params and seg.
 *   job            [in,out] job->params are the program's defaults
 *   batch_residues [in] the program's usual size of query batches
 * Returns CLI_OK, or the exit code after a message.
 */
int protein_check(protein_job *job, const options_given *given, uint64_t batch_residues);

/* protein_begin() - before the search is made: what its parameters take from the run, masks of subjects and GPUs. */
void protein_begin(blast_job *job, tms_blastp_params *params);

/* protein_fail_search() - prints why a search has failed; returns the exit code. */
int protein_fail_search(blast_job *job, tms_status status);

/* clang-format off */

/* Costs of gaps, and composition. */
#define PROTEIN_ROWS_COSTS \
    {0, NULL, "COST", OPTION_SIZE(protein_job, own.gap_open, 0, INT32_MAX), .blast = "gapopen", .otherwise = "the matrix's; BLOSUM62: 11", \
     .what = "a cost", .help = "cost to open a gap"}, \
    {0, NULL, "COST", OPTION_SIZE(protein_job, own.gap_extend, 0, INT32_MAX), .blast = "gapextend", .otherwise = "the matrix's; BLOSUM62: 1", \
     .what = "a cost", .help = "cost of each residue of a gap"}, \
    {0, NULL, "MODE", OPTION_PATH(protein_job, own.comp_based_stats), .blast = "comp_based_stats", .initial = "2", \
     .help = "composition-based statistics. 0 or F: none; 1: scale the matrix; 2, D or T: adjust or scale it, whichever suits the two " \
             "compositions; 3: always adjust it"}

/* What a task, a matrix or a word size has if it is not given, follows as text; before it, what there is of them. */
#define PROTEIN_ROW_TASK(words, usual, tasks) \
    {0, NULL, "TASK", OPTION_CHOICE(protein_job, own.task, words, 0), .blast = "task", .initial = usual, .help = tasks}

#define PROTEIN_ROW_MATRIX(last, usual) \
    {0, NULL, "NAME", OPTION_PATH(protein_job, own.matrix), .blast = "matrix", .otherwise = usual, \
     .help = "scoring matrix: BLOSUM45, 50, 62, 80, 90, PAM30, 70" last}

#define PROTEIN_ROWS_WORDS(largest_size, usual_size, usual_threshold) \
    {0, NULL, "N", OPTION_SIZE(protein_job, own.word_size, 2, largest_size), .blast = "word_size", .otherwise = usual_size, \
     .what = "a number of residues", .help = "residues of a word"}, \
    {0, NULL, "SCORE", OPTION_POSITIVE(protein_job, own.threshold), .blast = "threshold", .otherwise = usual_threshold, \
     .help = "minimum score for a word of the subject to match one of the query"}

/* After the size and threshold of words. */
#define PROTEIN_ROWS_UNGAPPED_EXTENSIONS \
    {0, NULL, "N", OPTION_SIZE(protein_job, own.window, 0, 1 << 20), .blast = "window_size", .otherwise = "40, or the matrix's", \
     .what = "a number of residues", \
     .help = "two word hits on a diagonal within fewer residues than this start an extension; 0: one hit is enough"}, \
    {0, NULL, "BITS", OPTION_POSITIVE(protein_job, own.xdrop_ungap), .blast = "xdrop_ungap", .initial = "7", \
     .help = "X-drop of ungapped extensions"}

#define PROTEIN_ROWS_EXTENSIONS \
    PROTEIN_ROWS_UNGAPPED_EXTENSIONS, \
    {0, NULL, "BITS", OPTION_NUMBER(protein_job, own.xdrop_gap, OPTION_ANY, 0), .blast = "xdrop_gap", .initial = "15", \
     .help = "X-drop of preliminary gapped extensions"}, \
    {0, NULL, "BITS", OPTION_NUMBER(protein_job, own.xdrop_gap_final, OPTION_ANY, 0), .blast = "xdrop_gap_final", .initial = "25", \
     .help = "X-drop of the final gapped extensions, with traceback"}, \
    {0, NULL, NULL, OPTION_FLAG(protein_job, own.ungapped), .blast = "ungapped", \
     .help = "ungapped alignments only; needs -comp_based_stats F"}, \
    {0, NULL, NULL, OPTION_FLAG(protein_job, own.use_sw_tback), .blast = "use_sw_tback", .excludes = "ungapped", \
     .help = "compute final alignments with Smith-Waterman"}

#define PROTEIN_ROW_SEG(usual, masks) \
    {0, NULL, "yes|no|W LO HI", OPTION_PATH(protein_job, own.seg), .blast = "seg", .initial = usual, .help = masks}

#define PROTEIN_ROW_SOFT_MASKING \
    {0, NULL, "true|false", OPTION_BOOLEAN(protein_job, own.soft_masking), .blast = "soft_masking", .initial = "false", \
     .help = "mask queries for word hits only, not for extensions"}

/* What is refused by name; PROTEIN_REFUSED of them. */
#define PROTEIN_ROWS_REFUSED \
    {"remote", "is not supported: tamis searches databases on this machine; make one with tamis makedb"}, \
    {"entrez_query", "is not supported: make a database of the sequences that the query selects, and search that"}, \
    {"import_search_strategy", "is not supported: give the options themselves"}, \
    {"export_search_strategy", "is not supported: keep the command line; --stats writes all parameters"}, \
    {"ipglist", "is not supported: databases do not have these numbers; give -seqidlist"}, \
    {"negative_ipglist", "is not supported: databases do not have these numbers; give -negative_seqidlist"}
/* clang-format on */

#endif
