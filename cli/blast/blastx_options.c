/* blastx_options.c - the options of blastx: their table, and their combined meaning. */
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_rows.h"
#include "cli/blast/blastx_job.h"

static const char command[] = "blastx";

enum { BOTH_STRANDS, PLUS_STRAND, MINUS_STRAND }; /* -strand */

static const option_row rows[] = {
    {.heading = "Queries and subjects"},
    BLAST_ROW_QUERY,
    {0, NULL, "NAME", OPTION_PATH(blast_job, options.db_name), .blast = "db", .about = BLAST_ABOUT_INPUT, .excludes = "subject",
     .help = "a BLAST protein database, version 4 or 5; several as one argument: \"a b\""},
    BLAST_ROWS_SUBJECT,
    {0, NULL, "STRAND", OPTION_CHOICE(blastx_job, own.strand, "both plus minus", BOTH_STRANDS), .blast = "strand", .initial = "both",
     .help = "strands of the queries to translate"},
    TRANSLATED_ROW_GENCODE("query_gencode", "queries"),
    {0, NULL, "TASK", OPTION_CHOICE(protein_job, own.task, "blastx blastx-fast", TMS_TASK_BLASTX), .blast = "task", .initial = "blastx",
     .help = "blastx; blastx-fast: words of 6 residues"},
    BLAST_ROWS_LISTS,
    BLAST_ROWS_REPORT(""),
    {.heading = "Scores and statistics"},
    {0, NULL, "NAME", OPTION_PATH(protein_job, own.matrix), .blast = "matrix", .otherwise = "BLOSUM62",
     .help = "scoring matrix: BLOSUM45, 50, 62, 80, 90, PAM30, 70, 250 or IDENTITY"},
    PROTEIN_ROWS_COSTS,
    TRANSLATED_ROWS_LINKING("query"),
    BLAST_ROWS_STATISTICS,
    {.heading = "Words and extensions"},
    {0, NULL, "N", OPTION_SIZE(protein_job, own.word_size, 2, 7), .blast = "word_size", .otherwise = "3; blastx-fast: 6",
     .what = "a number of residues", .help = "residues of a word"},
    {0, NULL, "SCORE", OPTION_POSITIVE(protein_job, own.threshold), .blast = "threshold",
     .otherwise = "12, or the matrix's and 1; blastx-fast: 21",
     .help = "minimum score for a word of the subject to match one of the query"},
    PROTEIN_ROWS_EXTENSIONS,
    BLAST_ROWS_SUBJECT_MASKS,
    {.heading = "Masking of queries"},
    {0, NULL, "yes|no|W LO HI", OPTION_PATH(protein_job, own.seg), .blast = "seg", .initial = "12 2.2 2.5",
     .help = "mask low-complexity regions of each frame (SEG); yes is \"12 2.2 2.5\""},
    PROTEIN_ROW_SOFT_MASKING,
    BLAST_ROW_LOWER_CASE,
    BLAST_ROWS_THREADS,
    {0, "device", "D", OPTION_DEVICES(blast_job, options.devices), .about = BLAST_ABOUT_RUN, .initial = "auto",
     .help = "auto or cpu: blastx does not use a GPU yet"},
    BLAST_ROWS_RUN,
};

const option_table blastx_options = {
    command,
    "Usage: tamis blastx [-query FILE] -db NAME|-subject FILE [OPTION]...\n"
    "\n"
    "Searches proteins with nucleotides, which it translates in six frames. The\n"
    "output is that of NCBI BLAST+ 2.12's blastx, byte for byte, with the same\n"
    "options. Input may be gzip, bgzip, zstd, xz or bzip2. Long options begin with\n"
    "one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "With -out FILE, tamis keeps FILE.checkpoint until the output is complete;\n"
    "--resume continues from there. Only --restart replaces an incomplete FILE.\n"
    "\n"
    "Exit status, as of NCBI's blastx: 0 success, also without hits; 1 wrong options\n"
    "or input; 2 missing or damaged database; 3 no query has a base, or -query_loc\n"
    "or -subject_loc is not a range; 4 out of memory; 6 tamis could not write the\n"
    "output.\n"
    "\n"
    "Examples\n"
    "  tamis blastx -query reads.fq.gz -db uniprot -outfmt 6 -evalue 1e-5 > hits.tsv\n"
    "  tamis blastx -query g.fa -subject p.fa -query_gencode 4 -outfmt \"6 std qframe\"\n",
    .no_operands = "files are named with -query, -db and -subject",
    .refused = protein_refused,
    .n_refused = PROTEIN_REFUSED,
};

int blastx_check(blastx_job *job, const options_given *given)
{
    const translated_own_options *own = &job->translation.translated;
    tms_blastx_params *p = &job->params;

    job->translation.protein.params = tms_blastx_protein_defaults();
    *p = tms_blastx_defaults();
    p->task = (uint32_t)job->translation.protein.own.task;
    p->genetic_code = own->genetic_code;
    p->skips_plus = job->own.strand == MINUS_STRAND;
    p->skips_minus = job->own.strand == PLUS_STRAND;
    p->links = (uint32_t)own->sum_stats;
    p->longest_intron = own->max_intron_length;
    return translated_check(&job->translation, given, "query_gencode");
}
