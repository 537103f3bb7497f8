/* blastp_options.c - the options of blastp: their table, and their combined meaning. */
#include "cli/blast/blast_rows.h"
#include "cli/blast/blastp_job.h"

static const char command[] = "blastp";

static const option_row rows[] = {
    {.heading = "Queries and subjects"},
    BLAST_ROW_QUERY,
    BLAST_ROW_DB("protein"),
    BLAST_ROWS_SUBJECT,
    PROTEIN_ROW_TASK("blastp blastp-short blastp-fast", "blastp",
                     "blastp; blastp-short: for queries of fewer than 30 residues; blastp-fast: words of 6 residues"),
    BLAST_ROWS_LISTS,
    BLAST_ROWS_REPORT(""),
    {.heading = "Scores and statistics"},
    PROTEIN_ROW_MATRIX(", 250 or IDENTITY", "BLOSUM62; blastp-short: PAM30"),
    PROTEIN_ROWS_COSTS,
    BLAST_ROWS_STATISTICS,
    {.heading = "Words and extensions"},
    PROTEIN_ROWS_WORDS(7, "3; blastp-short: 2; blastp-fast: 6", "11, or the matrix's; blastp-fast: 21"),
    PROTEIN_ROWS_EXTENSIONS,
    BLAST_ROWS_SUBJECT_MASKS,
    {.heading = "Masking of queries"},
    PROTEIN_ROW_SEG("no", "mask low-complexity regions (SEG); \"12 2.2 2.5\" is the same as yes"),
    PROTEIN_ROW_SOFT_MASKING,
    BLAST_ROW_LOWER_CASE,
    BLAST_ROWS_MACHINE,
    {0, "gpu-strategy", "NAME", OPTION_CHOICE(blastp_job, own.strategy, "default cublastp", TMS_GPU_STRATEGY_DEFAULT),
     .about = BLAST_ABOUT_RUN, .initial = "default",
     .help = "how a GPU finds word hits and extends them without gaps; cublastp is the method of the paper of that name, for comparison. "
             "The output is the same"},
    {0, "extension", "NAME", OPTION_CHOICE(blastp_job, own.extension, "window diagonal hit", TMS_GPU_EXTENSION_WINDOW),
     .about = BLAST_ABOUT_RUN, .needs = "gpu-strategy", .initial = "window",
     .help = "with cublastp: window: several threads per diagonal; diagonal: one per diagonal; hit: one per word hit"},
    {0, "scoring", "NAME", OPTION_CHOICE(blastp_job, own.scoring, "auto pssm matrix", TMS_GPU_SCORING_AUTO), .about = BLAST_ABOUT_RUN,
     .needs = "gpu-strategy", .initial = "auto",
     .help = "with cublastp: pssm: scores by position of the query; matrix: by residue; auto: matrix, which was faster"},
    {0, "bins", "N", OPTION_SIZE(blastp_job, own.bins, 1, 1024), .about = BLAST_ABOUT_RUN, .needs = "gpu-strategy", .otherwise = "128",
     .what = "a number of bins", .help = "with cublastp: bins into which each warp sorts word hits; a power of two"},
    BLAST_ROWS_RUN,
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
    "  tamis blastp -query q.fa -subject p.fa.gz -evalue 1e-5 -outfmt \"6 std qcovs\"\n"
    "  tamis blastp -query all.fa -db nr -outfmt 6 -out hits.tsv --resume\n"
    "  tamis blastp -query q.fa -subject p.fa.gz -outfmt html -out hits.html\n",
    .no_operands = "files are named with -query, -db and -subject",
    .refused = protein_refused,
    .n_refused = PROTEIN_REFUSED,
};

int blastp_check(blastp_job *job, const options_given *given)
{
    tms_blastp_params *p = &job->protein.params;
    int code;

    *p = tms_blastp_defaults();
    code = protein_check(&job->protein, given, p->batch_residues);
    p->gpu_strategy = (uint32_t)job->own.strategy;
    p->gpu_extension = (uint32_t)job->own.extension;
    p->gpu_scoring = (uint32_t)job->own.scoring;
    p->gpu_bins = job->own.bins;
    return code;
}
