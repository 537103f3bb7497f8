/*
 * blast_rows.h - the options that all search programs share, in groups that stand in one place of the help. A program's table has them
 * between its own rows. They store into the blast_job that the program's job begins with.
 */
#ifndef TAMIS_CLI_BLAST_ROWS_H
#define TAMIS_CLI_BLAST_ROWS_H

#include "cli/blast/blast_job.h"
#include "tamis/blastp.h"

/*
 * Bits of .about. An option without a bit changes what the search finds: the parts of a search must agree in it.
 *   input   names what is searched, which may have another path on another machine
 *   format  changes how results are shown only: `tamis report` takes it
 *   run     changes neither
 */
enum { BLAST_ABOUT_INPUT = 1, BLAST_ABOUT_FORMAT = 2, BLAST_ABOUT_RUN = 4 };

/* clang-format off */

#define BLAST_ROW_QUERY                                                                                                                    \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.query), .blast = "query", .about = BLAST_ABOUT_INPUT, .initial = "-",                 \
     .help = "the queries: FASTA or FASTQ, plain or compressed; - is standard input"}

/* Behind -query and -db. */
#define BLAST_ROWS_SUBJECT                                                                                                                 \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.subject), .blast = "subject", .about = BLAST_ABOUT_INPUT,                             \
     .help = "sequences in a file instead of a database; formats as of -query"},                                                           \
    {0, NULL, "A-B", OPTION_PATH(blast_job, options.query_loc), .blast = "query_loc", .otherwise = "all",                                  \
     .help = "search only residues A to B of each query, counted from 1; queries of fewer than A - 1 residues are left out"},              \
    {0, NULL, "A-B", OPTION_PATH(blast_job, options.subject_loc), .blast = "subject_loc", .needs = "subject", .otherwise = "all",          \
     .help = "search only residues A to B of each sequence of -subject"}

#define BLAST_ROWS_LISTS                                                                                                                   \
    {.heading = "A part of the database"},                                                                                                 \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.seqidlist), .blast = "seqidlist",                                               \
     .excludes = "negative_seqidlist gilist negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject",                  \
     .help = "search only the sequences with these ids, one a line; of merged sequences only the listed names are shown"},                 \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.negative_seqidlist), .blast = "negative_seqidlist",                             \
     .excludes = "gilist negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject", .help = "all but these"},           \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.gilist), .blast = "gilist",                                                     \
     .excludes = "negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject",                                            \
     .help = "search only the sequences with these gis, one a line"},                                                                      \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.negative_gilist), .blast = "negative_gilist",                                   \
     .excludes = "taxids negative_taxids taxidlist negative_taxidlist subject", .help = "all but these"},                                  \
    {0, NULL, "N,N...", OPTION_PATH(blast_job, options.lists.taxids), .blast = "taxids",                                                   \
     .excludes = "negative_taxids taxidlist negative_taxidlist subject",                                                                   \
     .help = "search only the sequences of these taxids, as the database has them; it has to be of version 5"},                            \
    {0, NULL, "N,N...", OPTION_PATH(blast_job, options.lists.negative_taxids), .blast = "negative_taxids",                                 \
     .excludes = "taxidlist negative_taxidlist subject", .help = "all but these"},                                                         \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.taxidlist), .blast = "taxidlist", .excludes = "negative_taxidlist subject",     \
     .help = "as -taxids, from a file, one a line"},                                                                                       \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.negative_taxidlist), .blast = "negative_taxidlist", .excludes = "subject",      \
     .help = "all but these"}

/* Where the report goes, and its format. */
#define BLAST_ROWS_OUT                                                                                                                     \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.out), .blast = "out", .about = BLAST_ABOUT_RUN, .initial = "-",                       \
     .help = "write to a file; - is standard output"},                                                                                     \
    {0, NULL, "FMT", OPTION_PATH(blast_job, options.outfmt), .blast = "outfmt", .about = BLAST_ABOUT_FORMAT, .initial = "0",               \
     .help = "0: pairs of lines; 1 to 4: all below the query, 1 and 3 with dots, 3 and 4 with gaps in it; 5: XML; 6: a table; "            \
             "7: a table with comments; 10: a table with commas; 15: JSON; 16: XML, version 2. Columns of a table follow, "                \
             "in the same argument: \"6 qaccver saccver qcovs\", \"7 std qlen\", \"10 delim=; std\""}

/* How a report shows what was found. */
#define BLAST_ROWS_SHOW                                                                                                                    \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.line_length, 1, INT32_MAX), .blast = "line_length", .about = BLAST_ABOUT_FORMAT, .otherwise = "60", \
     .help = "formats 0 to 4: residues per line of an alignment"},                                                                         \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.sort_hits, 0, 4), .blast = "sorthits", .about = BLAST_ABOUT_FORMAT, .what = "an order",  \
     .help = "formats 0 to 4: order of subjects. 0: E-value, 1: best score, 2: total score, 3: identity, 4: query coverage"},              \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.sort_hsps, 0, 4), .blast = "sorthsps", .about = BLAST_ABOUT_FORMAT, .what = "an order",  \
     .help = "format 0: order of a subject's alignments. 0: E-value, 1: score, 2: query start, 3: identity, 4: subject start"},            \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.parse_deflines), .blast = "parse_deflines", .about = BLAST_ABOUT_FORMAT,                \
     .help = "take the ids at the beginning of FASTA headers, such as sp|P12345|NAME"},                                                    \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.show_gis), .blast = "show_gis", .about = BLAST_ABOUT_FORMAT, .help = "formats 0 to 4: show gis with the ids"}, \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.html), .blast = "html", .about = BLAST_ABOUT_FORMAT,                                    \
     .help = "formats 0 to 4: write HTML with links; cannot be combined with masks"}

#define BLAST_ROWS_REPORT                                                                                                                  \
    {.heading = "What is reported"},                                                                                                       \
    BLAST_ROWS_OUT,                                                                                                                        \
    {0, NULL, "E", OPTION_POSITIVE(blast_job, options.evalue), .blast = "evalue", .initial = "10", .such_as = "1e-5",                      \
     .help = "report alignments with an E-value of at most E"},                                                                            \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.max_target_seqs, 1, INT32_MAX), .blast = "max_target_seqs", .otherwise = "500",          \
     .excludes = "num_descriptions num_alignments",                                                                                        \
     .help = "subjects to keep for each query; it also decides how many candidates are aligned in full"},                                  \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.max_hsps, 1, INT32_MAX), .blast = "max_hsps", .otherwise = "all",                        \
     .help = "alignments to keep for each pair of query and subject"},                                                                     \
    {0, NULL, "PERCENT", OPTION_NUMBER(blast_job, options.qcov_hsp_perc, 0, 100), .blast = "qcov_hsp_perc",                                \
     .help = "drop alignments that cover less of the query than this"},                                                                    \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.subject_besthit), .blast = "subject_besthit",                                           \
     .help = "of a subject's alignments, drop those whose query range lies within that of a better one"},                                  \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.culling_limit, 0, INT32_MAX), .blast = "culling_limit",                                  \
     .excludes = "best_hit_overhang best_hit_score_edge", .what = "a number of alignments",                                                \
     .help = "drop an alignment if at least N better ones, of any subject, each cover half of its query range; 0: keep all"},              \
    {0, NULL, "SHARE", OPTION_POSITIVE(blast_job, options.best_hit_overhang), .blast = "best_hit_overhang", .such_as = "0.1",              \
     .otherwise = "0.1, with -best_hit_score_edge",                                                                                        \
     .help = "best-hit filter: drop an alignment whose query range lies within that of another one of no worse E-value, "                  \
             "extended at both ends by this share of its length, and whose score is as the other option says; above 0, below 0.5"},        \
    {0, NULL, "SHARE", OPTION_POSITIVE(blast_job, options.best_hit_score_edge), .blast = "best_hit_score_edge", .such_as = "0.1",          \
     .otherwise = "0.1, with -best_hit_overhang",                                                                                          \
     .help = "best-hit filter: the dropped alignment's score per residue is below the other one's, "                                       \
             "reduced by this share; above 0, below 0.5"},                                                                                 \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.n_descriptions, 0, INT32_MAX), .blast = "num_descriptions", .otherwise = "500",          \
     .help = "formats 0 to 4: subjects listed in the summary"},                                                                            \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.n_alignments, 0, INT32_MAX), .blast = "num_alignments", .otherwise = "250",              \
     .help = "formats 0 to 4: subjects whose alignments are shown"},                                                                       \
    BLAST_ROWS_SHOW

/* At the end of scores and statistics. */
#define BLAST_ROWS_STATISTICS                                                                                                              \
    {0, NULL, "LETTERS", OPTION_SIZE(blast_job, options.db_size, 0, INT64_MAX), .blast = "dbsize", .what = "a number of letters",          \
     .otherwise = "the database's", .help = "effective size of the database, for E-values"},                                               \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.search_space, 0, INT64_MAX), .blast = "searchsp",                                        \
     .help = "effective search space; E-values then lack the finite-size correction"}

#define BLAST_ROWS_SUBJECT_MASKS                                                                                                           \
    {.heading = "Masking of the database"},                                                                                                \
    {0, NULL, "ID", OPTION_PATH(blast_job, options.db_soft_mask), .blast = "db_soft_mask", .excludes = "db_hard_mask subject",             \
     .help = "mask the database for finding words: number or name of a masking algorithm, as of makeblastdb -mask_id"},                    \
    {0, NULL, "ID", OPTION_PATH(blast_job, options.db_hard_mask), .blast = "db_hard_mask", .excludes = "subject",                          \
     .help = "mask it for finding words and for extensions: alignments end there or have X"}

/* At the end of the masks of queries. */
#define BLAST_ROW_LOWER_CASE                                                                                                               \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.lcase_masking), .blast = "lcase_masking",                                               \
     .help = "mask lower-case letters; of -subject for finding words only"}

#define BLAST_ROWS_MACHINE                                                                                                                 \
    {.heading = "Running"},                                                                                                                \
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, INT32_MAX), .blast = "num_threads", .about = BLAST_ABOUT_RUN, .otherwise = "all", \
     .help = "CPU threads"},                                                                                                               \
    {0, "device", "D", OPTION_DEVICES(blast_job, options.devices), .about = BLAST_ABOUT_RUN, .initial = "auto",                            \
     .help = "auto, cpu, cuda, cuda:I, or several GPUs: cuda:I,J; auto takes one if that is faster"},                                      \
    {0, "gpu-memory", "BYTES", OPTION_SIZE(blast_job, options.gpu_memory, TMS_SEARCH_LEAST_GPU_MEMORY, 0), .about = BLAST_ABOUT_RUN, .what = "a number of bytes", \
     .such_as = "8G", .otherwise = "what is free",                                                                                         \
     .help = "memory that is used on each GPU, at most; a database that does not fit comes piece by piece"}

/* The last ones. */
#define BLAST_ROWS_RUN                                                                                                                     \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.mt_mode, 0, 1), .blast = "mt_mode", .about = BLAST_ABOUT_RUN,                            \
     .help = "accepted and without effect: work is always divided by queries and by database"},                                            \
    {0, "shard", "K/N", OPTION_PATH(blast_job, options.shard), .about = BLAST_ABOUT_RUN, .excludes = "archive",                            \
     .help = "search part K of N parts of the database, and write what it finds to -out, for tamis report; E-values are those of the "     \
             "whole database"},                                                                                                            \
    {0, "query-shard", "K/N", OPTION_PATH(blast_job, options.query_shard), .about = BLAST_ABOUT_RUN,                                       \
     .help = "search with part K of N parts of the queries, and write what they find to -out, for tamis report"},                          \
    {0, "archive", "FILE", OPTION_PATH(blast_job, options.archive), .about = BLAST_ABOUT_RUN,                                              \
     .help = "write no report, but FILE, of which tamis report makes any format"},                                                         \
    {0, "resume", NULL, OPTION_FLAG(blast_job, options.resume), .about = BLAST_ABOUT_RUN, .excludes = "restart",                           \
     .help = "go on with the -out of a run that was interrupted"},                                                                         \
    {0, "restart", NULL, OPTION_FLAG(blast_job, options.restart), .about = BLAST_ABOUT_RUN, .help = "begin anew, though -out is of a run that was interrupted"}, \
    {0, "stats", "FILE", OPTION_PATH(blast_job, options.stats_path), .about = BLAST_ABOUT_RUN, .help = "write what passed each stage, as JSON"}, \
    {'q', "quiet", NULL, OPTION_FLAG(cli_common, quiet), .about = BLAST_ABOUT_RUN, .help = "no remarks, no progress"},                     \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.version), .blast = "version", .about = BLAST_ABOUT_RUN, .help = "the version of BLAST whose output this is"}, \
    CLI_ROW_HELP
/* clang-format on */

#endif
