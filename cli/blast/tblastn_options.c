/* tblastn_options.c - the options of tblastn: their table, and their combined meaning. */
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_rows.h"
#include "cli/blast/tblastn_job.h"

static const char command[] = "tblastn";

static const option_row rows[] = {
    {.heading = "Queries and subjects"},
    BLAST_ROW_QUERY,
    {0, NULL, "NAME", OPTION_PATH(blast_job, options.db_name), .blast = "db", .about = BLAST_ABOUT_INPUT, .excludes = "subject",
     .help = "a BLAST nucleotide database, version 4 or 5; several as one argument: \"a b\""},
    BLAST_ROWS_SUBJECT,
    TRANSLATED_ROW_GENCODE("db_gencode", "subjects"),
    {0, NULL, "TASK", OPTION_CHOICE(protein_job, own.task, "tblastn tblastn-fast", TMS_TASK_TBLASTN), .blast = "task", .initial = "tblastn",
     .help = "tblastn; tblastn-fast: words of 6 residues"},
    BLAST_ROWS_LISTS,
    BLAST_ROWS_REPORT(""),
    {.heading = "Scores and statistics"},
    {0, NULL, "NAME", OPTION_PATH(protein_job, own.matrix), .blast = "matrix", .otherwise = "BLOSUM62",
     .help = "scoring matrix: BLOSUM45, 50, 62, 80, 90, PAM30, 70, 250 or IDENTITY"},
    PROTEIN_ROWS_COSTS,
    TRANSLATED_ROWS_LINKING("subject"),
    BLAST_ROWS_STATISTICS,
    {.heading = "Words and extensions"},
    {0, NULL, "N", OPTION_SIZE(protein_job, own.word_size, 2, 7), .blast = "word_size", .otherwise = "3; tblastn-fast: 6",
     .what = "a number of residues", .help = "residues of a word"},
    {0, NULL, "SCORE", OPTION_POSITIVE(protein_job, own.threshold), .blast = "threshold",
     .otherwise = "13, or the matrix's and 2; tblastn-fast: 21",
     .help = "minimum score for a word of the subject to match one of the query"},
    PROTEIN_ROWS_EXTENSIONS,
    BLAST_ROWS_SUBJECT_MASKS,
    {.heading = "Masking of queries"},
    {0, NULL, "yes|no|W LO HI", OPTION_PATH(protein_job, own.seg), .blast = "seg", .initial = "12 2.2 2.5",
     .help = "mask low-complexity regions (SEG); yes is \"12 2.2 2.5\""},
    PROTEIN_ROW_SOFT_MASKING,
    BLAST_ROW_LOWER_CASE,
    BLAST_ROWS_THREADS,
    {0, "device", "D", OPTION_DEVICES(blast_job, options.devices), .about = BLAST_ABOUT_RUN, .initial = "auto",
     .help = "auto or cpu: tblastn does not use a GPU yet"},
    BLAST_ROWS_RUN,
};

static const option_refused refused[] = {PROTEIN_ROWS_REFUSED, {"in_pssm", "is not supported: give the query's sequence with -query"}};

const option_table tblastn_options = {
    command,
    "Usage: tamis tblastn [-query FILE] -db NAME|-subject FILE [OPTION]...\n"
    "\n"
    "Searches nucleotides, which it translates in six frames, with proteins. The\n"
    "output is that of NCBI BLAST+ 2.12's tblastn, byte for byte, with the same\n"
    "options. Input may be gzip, bgzip, zstd, xz or bzip2. Long options begin with\n"
    "one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "With -out FILE, tamis keeps FILE.checkpoint until the output is complete;\n"
    "--resume continues from there. Only --restart replaces an incomplete FILE.\n"
    "\n"
    "Exit status, as of NCBI's tblastn: 0 success, also without hits; 1 wrong options\n"
    "or input; 2 missing or damaged database; 3 no query has a residue, or -query_loc\n"
    "or -subject_loc is not a range; 4 out of memory; 6 tamis could not write the\n"
    "output.\n"
    "\n"
    "Examples\n"
    "  tamis tblastn -query proteins.fa -db genome -outfmt 6 -evalue 1e-5 > hits.tsv\n"
    "  tamis tblastn -query p.fa -subject g.fa -db_gencode 4 -outfmt \"6 std sframe\"\n",
    .no_operands = "files are named with -query, -db and -subject",
    .refused = refused,
    .n_refused = sizeof refused / sizeof *refused,
};

/* Names what tblastn does not have. */
static int refuse(const blast_job *job, const options_given *given)
{
    static const struct {
        const char *name, *instead;
    } unmade[] = {{"db_hard_mask", "give -db_soft_mask"}}; /* NCBI's program spoils its memory with it */
    const option_devices *devices = &job->options.devices;

    for (size_t i = 0; i < sizeof unmade / sizeof *unmade; i++)
        if (options_is_given(given, unmade[i].name))
            return cli_fail(command, BLAST_INPUT, "-%s is not supported yet: %s", unmade[i].name, unmade[i].instead);
    for (size_t i = 0; i < devices->n; i++)
        if (devices->items[i] >= 0)
            return cli_fail(command, BLAST_INPUT, "tblastn does not use a GPU yet: give --device cpu, or leave it out");
    return CLI_OK;
}

int tblastn_check(tblastn_job *job, const options_given *given)
{
    const translated_own_options *own = &job->translation.translated;
    blast_job *blast = &job->translation.protein.blast;
    tms_tblastn_params *p = &job->params;
    int code = refuse(blast, given);

    blast->options.devices = (option_devices){{TMS_DEVICE_CPU}, 1};
    job->translation.protein.params = tms_tblastn_protein_defaults();
    *p = tms_tblastn_defaults();
    p->task = (uint32_t)job->translation.protein.own.task;
    p->genetic_code = own->genetic_code;
    p->links = (uint32_t)own->sum_stats;
    p->longest_intron = own->max_intron_length;
    if (code == CLI_OK)
        code = translated_check(&job->translation, given, "db_gencode");
    return code;
}
