/* tblastn_options.c - the options of tblastn: their table. translated_options.c has their combined meaning. */
#include "cli/blast/blast_rows.h"
#include "cli/blast/translated_options.h"
#include "tamis/tblastn.h"

static const char command[] = "tblastn";

static const option_row rows[] = {
    {.heading = "Queries and subjects"},
    BLAST_ROW_QUERY,
    BLAST_ROW_DB("nucleotide"),
    BLAST_ROWS_SUBJECT,
    TRANSLATED_ROW_DB_CODE,
    PROTEIN_ROW_TASK("tblastn tblastn-fast", "tblastn", "tblastn; tblastn-fast: words of 6 residues"),
    BLAST_ROWS_LISTS,
    BLAST_ROWS_REPORT(""),
    {.heading = "Scores and statistics"},
    PROTEIN_ROW_MATRIX(", 250 or IDENTITY", "BLOSUM62"),
    PROTEIN_ROWS_COSTS,
    TRANSLATED_ROWS_LINKING("subject"),
    BLAST_ROWS_STATISTICS,
    {.heading = "Words and extensions"},
    PROTEIN_ROWS_WORDS(7, "3; tblastn-fast: 6", "13, or the matrix's plus 2; tblastn-fast: 21"),
    PROTEIN_ROWS_EXTENSIONS,
    BLAST_ROWS_SUBJECT_MASKS,
    {.heading = "Masking of queries"},
    PROTEIN_ROW_SEG("12 2.2 2.5", "mask low-complexity regions (SEG); yes is \"12 2.2 2.5\""),
    PROTEIN_ROW_SOFT_MASKING,
    BLAST_ROW_LOWER_CASE,
    BLAST_ROWS_MACHINE,
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
    "or -subject_loc is not a range; 4 out of memory, or the GPU of --device cuda is\n"
    "not usable or failed; 6 tamis could not write the output.\n"
    "\n"
    "Examples\n"
    "  tamis tblastn -query proteins.fa -db genome -outfmt 6 -evalue 1e-5 > hits.tsv\n"
    "  tamis tblastn -query p.fa -subject g.fa -db_gencode 4 -outfmt \"6 std sframe\"\n",
    .no_operands = "files are named with -query, -db and -subject",
    .refused = refused,
    .n_refused = sizeof refused / sizeof *refused,
};

const translated_kind translated_tblastn = {
    .options = &tblastn_options,
    .version = "TBLASTN 2.12.0+",
    .queries = TMS_PROTEIN,
    .subjects = TMS_NUCLEOTIDE,
    .query_advice = "tblastn searches with proteins; 'tamis tblastx' also translates queries, 'tamis "
                    "blastn' compares bases",
    .subject_advice = "tblastn translates what it searches in; 'tamis blastp' searches in proteins",
    .defaults = tms_tblastn_protein_defaults,
    .create = tms_tblastn_create_sized};
