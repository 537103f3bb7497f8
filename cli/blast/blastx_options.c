/* blastx_options.c - the options of blastx: their table. translated_options.c has their combined meaning. */
#include "cli/blast/blast_rows.h"
#include "cli/blast/translated_options.h"
#include "tamis/blastx.h"

static const char command[] = "blastx";

static const option_row rows[] = {
    {.heading = "Queries and subjects"},
    BLAST_ROW_QUERY,
    BLAST_ROW_DB("protein"),
    BLAST_ROWS_SUBJECT,
    TRANSLATED_ROW_STRAND,
    TRANSLATED_ROW_QUERY_CODE,
    PROTEIN_ROW_TASK("blastx blastx-fast", "blastx", "blastx; blastx-fast: words of 6 residues"),
    BLAST_ROWS_LISTS,
    BLAST_ROWS_REPORT(""),
    {.heading = "Scores and statistics"},
    PROTEIN_ROW_MATRIX(", 250; with -ungapped also IDENTITY", "BLOSUM62"),
    PROTEIN_ROWS_COSTS,
    TRANSLATED_ROWS_LINKING("query"),
    BLAST_ROWS_STATISTICS,
    {.heading = "Words and extensions"},
    PROTEIN_ROWS_WORDS(7, "3; blastx-fast: 6", "12, or the matrix's plus 1; blastx-fast: 21"),
    PROTEIN_ROWS_EXTENSIONS,
    BLAST_ROWS_SUBJECT_MASKS,
    {.heading = "Masking of queries"},
    PROTEIN_ROW_SEG("12 2.2 2.5", "mask low-complexity regions of each frame (SEG); yes is \"12 2.2 2.5\""),
    PROTEIN_ROW_SOFT_MASKING,
    BLAST_ROW_LOWER_CASE,
    BLAST_ROWS_MACHINE,
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
    "or -subject_loc is not a range; 4 out of memory, or the GPU of --device cuda is\n"
    "not usable or failed; 6 tamis could not write the output.\n"
    "\n"
    "Examples\n"
    "  tamis blastx -query reads.fq.gz -db uniprot -outfmt 6 -evalue 1e-5 > hits.tsv\n"
    "  tamis blastx -query g.fa -subject p.fa -query_gencode 4 -outfmt \"6 std qframe\"\n",
    .no_operands = "files are named with -query, -db and -subject",
    .refused = protein_refused,
    .n_refused = PROTEIN_REFUSED,
};

const translated_kind translated_blastx = {
    .options = &blastx_options,
    .version = "BLASTX 2.12.0+",
    .queries = TMS_NUCLEOTIDE,
    .subjects = TMS_PROTEIN,
    .query_advice = "blastx translates queries; 'tamis blastp' searches with proteins",
    .subject_advice = "blastx searches in proteins; 'tamis tblastx' also translates what it searches in, 'tamis blastn' compares bases",
    .defaults = tms_blastx_protein_defaults,
    .create = tms_blastx_create_sized};
