/* tblastx_options.c - the options of tblastx: their table. translated_options.c has their combined meaning. */
#include "cli/blast/blast_rows.h"
#include "cli/blast/translated_options.h"
#include "tamis/tblastx.h"

static const char command[] = "tblastx";

static const option_row rows[] = {
    {.heading = "Queries and subjects"},
    BLAST_ROW_QUERY,
    BLAST_ROW_DB("nucleotide"),
    BLAST_ROWS_SUBJECT,
    TRANSLATED_ROW_STRAND,
    TRANSLATED_ROW_QUERY_CODE,
    TRANSLATED_ROW_DB_CODE,
    BLAST_ROWS_LISTS,
    BLAST_ROWS_REPORT(""),
    {.heading = "Scores and statistics"},
    PROTEIN_ROW_MATRIX(", 250 or IDENTITY", "BLOSUM62"),
    TRANSLATED_ROW_SUM_STATS,
    TRANSLATED_ROW_INTRON("must be 0, as in NCBI's tblastx"),
    BLAST_ROWS_STATISTICS,
    {.heading = "Words and extensions"},
    PROTEIN_ROWS_WORDS(5, "3", "13, or the matrix's plus 2"),
    PROTEIN_ROWS_UNGAPPED_EXTENSIONS,
    BLAST_ROWS_SUBJECT_MASKS,
    {.heading = "Masking of queries"},
    PROTEIN_ROW_SEG("12 2.2 2.5", "mask low-complexity regions of each frame (SEG); yes is \"12 2.2 2.5\""),
    PROTEIN_ROW_SOFT_MASKING,
    BLAST_ROW_LOWER_CASE,
    BLAST_ROWS_MACHINE,
    BLAST_ROWS_PARTS,
    BLAST_ROWS_END,
};

const option_table tblastx_options = {
    command,
    "Usage: tamis tblastx [-query FILE] -db NAME|-subject FILE [OPTION]...\n"
    "\n"
    "Searches nucleotides with nucleotides, both translated in six frames, without\n"
    "gaps. The output is that of NCBI BLAST+ 2.12's tblastx, byte for byte, with the\n"
    "same options. Input may be gzip, bgzip, zstd, xz or bzip2. Long options begin\n"
    "with one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "With -out FILE, tamis keeps FILE.checkpoint until the output is complete;\n"
    "--resume continues from there. Only --restart replaces an incomplete FILE.\n"
    "\n"
    "Exit status, as of NCBI's tblastx: 0 success, also without hits; 1 wrong options\n"
    "or input; 2 missing or damaged database; 3 no query has a base, or -query_loc\n"
    "or -subject_loc is not a range; 4 out of memory, or the GPU of --device cuda is\n"
    "not usable or failed; 6 tamis could not write the output.\n"
    "\n"
    "Examples\n"
    "  tamis tblastx -query contigs.fa -db genome -outfmt 6 -evalue 1e-5 > hits.tsv\n"
    "  tamis tblastx -query a.fa -subject b.fa -query_gencode 11 -db_gencode 4\n",
    .no_operands = "files are named with -query, -db and -subject",
    .refused = protein_refused,
    .n_refused = PROTEIN_REFUSED,
};

const translated_kind translated_tblastx = {.options = &tblastx_options,
                                            .version = "TBLASTX 2.12.0+",
                                            .queries = TMS_NUCLEOTIDE,
                                            .subjects = TMS_NUCLEOTIDE,
                                            .query_advice = "tblastx translates queries; 'tamis tblastn' searches with proteins",
                                            .subject_advice = "tblastx translates what it searches in; 'tamis blastx' searches in proteins",
                                            .defaults = tms_tblastx_protein_defaults,
                                            .create = tms_tblastx_create_sized};
