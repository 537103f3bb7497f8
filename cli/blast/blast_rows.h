/*
 * blast_rows.h - the options that all search programs share, in groups that are contiguous in the help. A program's table has its own rows
 * between them. They store into the blast_job that is the first member of the program's job.
 */
#ifndef TAMIS_CLI_BLAST_ROWS_H
#define TAMIS_CLI_BLAST_ROWS_H

#include "cli/blast/blast_job.h"
#include "tamis/blastp.h"

/*
 * Bits of .about. An option without a bit changes what the search finds: the parts of a search must agree in it.
 *   input   names the queries or subjects, which may have another path on another machine
 *   format  changes only how a report shows the results: `tamis report` takes it
 *   run     changes neither
 */
enum { BLAST_ABOUT_INPUT = 1, BLAST_ABOUT_FORMAT = 2, BLAST_ABOUT_RUN = 4 };

/* clang-format off */

#define BLAST_ROW_QUERY                                                                                                                    \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.query), .blast = "query", .about = BLAST_ABOUT_INPUT, .initial = "-",                 \
     .help = "the queries: FASTA or FASTQ, plain or compressed; - is standard input"}

#define BLAST_ROW_DB(molecule)                                                                                                             \
    {0, NULL, "NAME", OPTION_PATH(blast_job, options.db_name), .blast = "db", .about = BLAST_ABOUT_INPUT, .excludes = "subject",           \
     .help = "a BLAST " molecule " database, version 4 or 5; several as one argument: \"a b\""}

/* After -query and -db. */
#define BLAST_ROWS_SUBJECT                                                                                                                 \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.subject), .blast = "subject", .about = BLAST_ABOUT_INPUT,                             \
     .help = "sequences in a file instead of a database, in the same formats as -query"},                                                  \
    {0, NULL, "A-B", OPTION_PATH(blast_job, options.query_loc), .blast = "query_loc", .otherwise = "all",                                  \
     .help = "search only positions A to B of each query, counted from 1; tamis skips queries shorter than A - 1"},                           \
    {0, NULL, "A-B", OPTION_PATH(blast_job, options.subject_loc), .blast = "subject_loc", .needs = "subject", .otherwise = "all",          \
     .help = "search only positions A to B of each sequence of -subject"}

#define BLAST_ROWS_LISTS                                                                                                                   \
    {.heading = "A part of the database"},                                                                                                 \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.seqidlist), .blast = "seqidlist",                                               \
     .excludes = "negative_seqidlist gilist negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject",                  \
     .help = "search only the sequences with these ids, one per line; of merged sequences, show only the listed names"},                   \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.negative_seqidlist), .blast = "negative_seqidlist",                             \
     .excludes = "gilist negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject",                                     \
     .help = "search all sequences but those with these ids"},                                                                             \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.gilist), .blast = "gilist",                                                     \
     .excludes = "negative_gilist taxids negative_taxids taxidlist negative_taxidlist subject",                                            \
     .help = "search only the sequences with these gis, one per line"},                                                                    \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.negative_gilist), .blast = "negative_gilist",                                   \
     .excludes = "taxids negative_taxids taxidlist negative_taxidlist subject", .help = "search all sequences but those with these gis"},  \
    {0, NULL, "N,N...", OPTION_PATH(blast_job, options.lists.taxids), .blast = "taxids",                                                   \
     .excludes = "negative_taxids taxidlist negative_taxidlist subject",                                                                   \
     .help = "search only the sequences of these taxids, as a database of version 5 records them"},                                        \
    {0, NULL, "N,N...", OPTION_PATH(blast_job, options.lists.negative_taxids), .blast = "negative_taxids",                                 \
     .excludes = "taxidlist negative_taxidlist subject", .help = "search all sequences but those of these taxids"},                        \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.taxidlist), .blast = "taxidlist", .excludes = "negative_taxidlist subject",     \
     .help = "search only the sequences of the taxids in a file, one per line"},                                                           \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.lists.negative_taxidlist), .blast = "negative_taxidlist", .excludes = "subject",      \
     .help = "search all sequences but those of the taxids in a file"}

/* Where the report goes, and its format. more_formats: text that lists those of one program. */
#define BLAST_ROWS_OUT(more_formats)                                                                                                       \
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.out), .blast = "out", .about = BLAST_ABOUT_RUN, .initial = "-",                       \
     .help = "write to a file; - is standard output"},                                                                                     \
    {0, NULL, "FMT", OPTION_PATH(blast_job, options.outfmt), .blast = "outfmt", .about = BLAST_ABOUT_FORMAT, .initial = "0",               \
     .help = "0: pairwise alignments; 1 to 4: all subjects aligned below the query, 1 and 3 with dots for the query's residues, "          \
             "3 and 4 with gaps in the query; 5: XML; 6: a table; 7: a table with comments; 10: a table with commas; 15: JSON; "           \
             "16: XML, version 2" more_formats "; html: a page for a browser. The columns of a table follow in the same argument: \"6 qaccver saccver qcovs\", "\
             "\"7 std qlen\", \"10 delim=; std\""}

/* How a report shows the results. */
#define BLAST_ROWS_SHOW                                                                                                                    \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.line_length, 1, INT32_MAX), .blast = "line_length", .about = BLAST_ABOUT_FORMAT,         \
     .otherwise = "60",                                                                                                                    \
     .help = "formats 0 to 4: residues per line of an alignment"},                                                                         \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.sort_hits, 0, 4), .blast = "sorthits", .about = BLAST_ABOUT_FORMAT, .what = "an order",  \
     .help = "formats 0 to 4: order of subjects. 0: E-value, 1: best score, 2: total score, 3: identity, 4: query coverage"},              \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.sort_hsps, 0, 4), .blast = "sorthsps", .about = BLAST_ABOUT_FORMAT, .what = "an order",  \
     .help = "format 0: order of a subject's HSPs. 0: E-value, 1: score, 2: query start, 3: identity, 4: subject start"},                  \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.parse_deflines), .blast = "parse_deflines", .about = BLAST_ABOUT_FORMAT,                \
     .help = "parse the ids at the beginning of FASTA headers, such as sp|P12345|NAME"},                                                   \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.show_gis), .blast = "show_gis", .about = BLAST_ABOUT_FORMAT,                            \
     .help = "formats 0 to 4: show gis with the ids"},                                                                                     \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.html), .blast = "html", .about = BLAST_ABOUT_FORMAT,                                    \
     .help = "formats 0 to 4: write HTML with links"}

#define BLAST_ROWS_REPORT(more_formats)                                                                                                    \
    {.heading = "Output"},                                                                                                                 \
    BLAST_ROWS_OUT(more_formats),                                                                                                          \
    {0, NULL, "E", OPTION_POSITIVE(blast_job, options.evalue), .blast = "evalue", .initial = "10", .such_as = "1e-5",                      \
     .help = "report HSPs with an E-value of at most E"},                                                                                  \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.max_target_seqs, 1, INT32_MAX), .blast = "max_target_seqs", .otherwise = "500",          \
     .excludes = "num_descriptions num_alignments",                                                                                        \
     .help = "subjects to keep for each query; this number also determines how many candidates are realigned with traceback"},             \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.max_hsps, 1, INT32_MAX), .blast = "max_hsps", .otherwise = "all",                        \
     .help = "HSPs to keep for each pair of query and subject"},                                                                           \
    {0, NULL, "PERCENT", OPTION_NUMBER(blast_job, options.qcov_hsp_perc, 0, 100), .blast = "qcov_hsp_perc",                                \
     .help = "drop HSPs that cover less of the query than this"},                                                                          \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.subject_besthit), .blast = "subject_besthit",                                           \
     .help = "drop HSPs whose query range lies within that of a better HSP of the same subject"},                                          \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.culling_limit, 0, INT32_MAX), .blast = "culling_limit",                                  \
     .excludes = "best_hit_overhang best_hit_score_edge", .what = "a number of HSPs",                                                      \
     .help = "drop an HSP if at least N better ones, of any subject, each cover half of its query range; 0: keep all"},                    \
    {0, NULL, "SHARE", OPTION_POSITIVE(blast_job, options.best_hit_overhang), .blast = "best_hit_overhang", .such_as = "0.1",              \
     .otherwise = "0.1, with -best_hit_score_edge",                                                                                        \
     .help = "best-hit filter: drop an HSP whose query range lies within that of another HSP with no greater E-value, "                    \
             "extended at both ends by this share of its length, if its score is low enough for -best_hit_score_edge; "                    \
             "above 0, below 0.5"},                                                                                                        \
    {0, NULL, "SHARE", OPTION_POSITIVE(blast_job, options.best_hit_score_edge), .blast = "best_hit_score_edge", .such_as = "0.1",          \
     .otherwise = "0.1, with -best_hit_overhang",                                                                                          \
     .help = "best-hit filter: drop an HSP only if its score per residue is below that of the other HSP, "                                 \
             "reduced by this share; above 0, below 0.5"},                                                                                 \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.n_descriptions, 0, INT32_MAX), .blast = "num_descriptions", .otherwise = "500",          \
     .help = "formats 0 to 4: subjects that the summary lists"},                                                                           \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.n_alignments, 0, INT32_MAX), .blast = "num_alignments", .otherwise = "250",              \
     .help = "formats 0 to 4: subjects whose alignments the report shows"},                                                                \
    BLAST_ROWS_SHOW

/* At the end of scores and statistics. */
#define BLAST_ROWS_STATISTICS                                                                                                              \
    {0, NULL, "RESIDUES", OPTION_SIZE(blast_job, options.db_size, 0, INT64_MAX), .blast = "dbsize", .what = "a number of residues",        \
     .otherwise = "the database's", .help = "effective size of the database, for E-values"},                                               \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.search_space, 0, INT64_MAX), .blast = "searchsp",                                        \
     .help = "effective search space; E-values are then without the finite-size correction"}

#define BLAST_ROWS_SUBJECT_MASKS                                                                                                           \
    {.heading = "Masking of the database"},                                                                                                \
    {0, NULL, "ID", OPTION_PATH(blast_job, options.db_soft_mask), .blast = "db_soft_mask", .excludes = "db_hard_mask subject",             \
     .help = "mask the database for word hits only: number or name of a masking algorithm, as given to makeblastdb -mask_id"},             \
    {0, NULL, "ID", OPTION_PATH(blast_job, options.db_hard_mask), .blast = "db_hard_mask", .excludes = "subject",                          \
     .help = "mask the database for word hits and extensions: alignments end at masked ranges, or score what is masked as unknown"}

/* At the end of the masks of queries. */
#define BLAST_ROW_LOWER_CASE                                                                                                               \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.lcase_masking), .blast = "lcase_masking",                                               \
     .help = "mask lower-case letters; those of -subject for word hits only"}

#define BLAST_ROWS_THREADS                                                                                                                 \
    {.heading = "Running"},                                                                                                                \
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, INT32_MAX), .blast = "num_threads", .about = BLAST_ABOUT_RUN,                \
     .otherwise = "all",                                                                                                                   \
     .help = "CPU threads"}

#define BLAST_ROWS_MACHINE                                                                                                                 \
    BLAST_ROWS_THREADS,                                                                                                                    \
    {0, "device", "D", OPTION_DEVICES(blast_job, options.devices), .about = BLAST_ABOUT_RUN, .initial = "auto",                            \
     .help = "auto, cpu, cuda, cuda:I, or several GPUs: cuda:I,J; auto uses one GPU if it expects that to be faster"},                     \
    {0, "gpu-memory", "BYTES", OPTION_SIZE(blast_job, options.gpu_memory, TMS_SEARCH_LEAST_GPU_MEMORY, 0), .about = BLAST_ABOUT_RUN,       \
     .what = "a number of bytes",                                                                                                          \
     .such_as = "8G", .otherwise = "all that is free",                                                                                     \
     .help = "maximum memory to use on each GPU; tamis copies a database that does not fit block by block"}

#define BLAST_ROW_MT_MODE                                                                                                                  \
    {0, NULL, "N", OPTION_SIZE(blast_job, options.mt_mode, 0, 1), .blast = "mt_mode", .about = BLAST_ABOUT_RUN,                            \
     .help = "accepted and without effect: tamis always divides the work by queries and by database"}

/* A search in parts. */
#define BLAST_ROWS_PARTS                                                                                                                   \
    {0, "shard", "K/N", OPTION_PATH(blast_job, options.shard), .about = BLAST_ABOUT_RUN, .excludes = "archive",                            \
     .help = "scan part K of N parts of the database, and write a part for tamis report to -out; E-values are those of the whole "         \
             "database"},                                                                                                                  \
    {0, "query-shard", "K/N", OPTION_PATH(blast_job, options.query_shard), .about = BLAST_ABOUT_RUN,                                       \
     .help = "search with part K of N parts of the queries, and write a part for tamis report to -out"},                                   \
    {0, "archive", "FILE", OPTION_PATH(blast_job, options.archive), .about = BLAST_ABOUT_RUN,                                              \
     .help = "write no report but FILE, from which tamis report makes a report in any format"}

/* The last ones of all programs. */
#define BLAST_ROWS_END                                                                                                                     \
    {0, "resume", NULL, OPTION_FLAG(blast_job, options.resume), .about = BLAST_ABOUT_RUN, .excludes = "restart",                           \
     .help = "continue the -out of an interrupted run"},                                                                                   \
    {0, "restart", NULL, OPTION_FLAG(blast_job, options.restart), .about = BLAST_ABOUT_RUN,                                                \
     .help = "start again from the first query, even if -out is the output of an interrupted run"},                                        \
    {0, "stats", "FILE", OPTION_PATH(blast_job, options.stats_path), .about = BLAST_ABOUT_RUN,                                             \
     .help = "write the numbers of what passed each stage, as JSON"},                                                                      \
    {'q', "quiet", NULL, OPTION_FLAG(cli_common, quiet), .about = BLAST_ABOUT_RUN, .help = "no remarks, no progress"},                     \
    {0, NULL, NULL, OPTION_FLAG(blast_job, options.version), .blast = "version", .about = BLAST_ABOUT_RUN,                                 \
     .help = "the version of BLAST whose output tamis reproduces"},                                                                        \
    CLI_ROW_HELP

/* The last ones. */
#define BLAST_ROWS_RUN                                                                                                                     \
    BLAST_ROW_MT_MODE,                                                                                                                     \
    BLAST_ROWS_PARTS,                                                                                                                      \
    BLAST_ROWS_END
/* clang-format on */

#endif
